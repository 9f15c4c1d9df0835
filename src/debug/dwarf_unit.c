/* dwarf_unit.c - reads lines and functions of a unit of compilation by libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#ifdef HAVE_LIBDW

#include "debug/dwarf_unit.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

bool dw_spend(struct dw_context *context, uint64_t amount)
{
    bool is_there = context->budget >= amount;
    context->budget -= is_there ? amount : context->budget;
    context->is_damaged |= !is_there;
    return is_there;
}

/* ---- Paths ---- */

/* The files of a unit.  */
struct paths {
    struct dw_context *context;
    const struct line_table *table;
    const char *directory; /* of compilation; NULL if unknown */
    uint32_t *numbers;     /* by file: number of its path in `strings', plus 1; 0 = unknown */
};

/* Joins FIRST and LAST with a slash unless FIRST is missing or LAST absolute.  FIRST may be TARGET,
   which has a capacity of SIZE bytes.  */
static const char *join(char *target, size_t size, const char *first, const char *last)
{
    if (first == NULL || first[0] == '\0' || last[0] == '/')
        return last;
    size_t length = strlen(first), more = strlen(last) + 1;
    if (length + 1 + more > size)
        return last;
    memmove(target, first, length);
    target[length] = '/';
    memcpy(target + length + 1, last, more);
    return target;
}

static uint32_t make_path(const struct paths *paths, const struct line_file *file)
{
    enum { CAPACITY = 3 << 14 }; /* of three names of a line table */
    const struct line_table *table = paths->table;
    const char *directory = NULL;
    if (file->directory > 0 && file->directory < table->directory_count)
        directory = table->directories[file->directory];
    char *space = mem_uninitialised(2, CAPACITY), *path_space = space + CAPACITY;
    directory =
        directory != NULL ? join(space, CAPACITY, paths->directory, directory) : paths->directory;
    const char *path = join(path_space, CAPACITY, directory, file->name);
    bool is_paid = dw_spend(paths->context, strlen(path));
    paths->context->work.paths++;
    uint32_t number = is_paid ? string_map_number(&paths->context->strings, path) : NO_ID;
    free(space);
    return number;
}

/* The number of the path of file NUMBER, or NO_ID.  */
static uint32_t path_of(const struct paths *paths, uint32_t number)
{
    if (paths->numbers[number] == 0)
        paths->numbers[number] = make_path(paths, &paths->table->files[number]) + 1;
    return paths->numbers[number] - 1;
}

/* The directory of compilation: from the table (DWARF 5), or else from the unit.  */
static const char *directory_of(Dwarf_Die *unit, const struct line_table *table)
{
    Dwarf_Attribute attribute;
    const char *directory = table->directory_count > 0 ? table->directories[0] : NULL;
    return directory != NULL ? directory
                             : dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

/* ---- Rows ---- */

/* What the order of sequences depends on.  */
struct sequence_context {
    const struct line_table *table;
    const struct dw_functions *functions;
};

/* By how many lines the first row is below the declaration of FUNCTION.  */
static uint64_t distance_from(const struct line_entry *row, const struct dw_shown *function)
{
    if (row->line < function->line)
        return UINT64_MAX;
    return (uint64_t)(row->file != function->file) << 32 | (row->line - function->line);
}

/* Level 0: the start; level 1: how far a sequence is from the function that reports show.  */
static uint64_t key_of_sequence(const void *opaque, uint32_t id, unsigned level)
{
    const struct sequence_context *context = opaque;
    const struct line_table *table = context->table;
    const struct line_entry *row = &table->rows[table->sequences[id].first];
    if (level == 0)
        return row->addr;
    const struct dw_shown *shown =
        context->functions != NULL ? dw_functions_shown(context->functions, row->addr) : NULL;
    return shown != NULL ? distance_from(row, shown) : 0;
}

/* Adds a row to LINES, which has capacity for it, unless it repeats the row before.  It replaces a
   row at its address, which is the end of another sequence.  */
static void add_row(struct dw_lines *lines, struct dw_row row)
{
    if (lines->count > 0 && lines->rows[lines->count - 1].addr == row.addr)
        lines->count--;
    const struct dw_row *last = lines->count > 0 ? &lines->rows[lines->count - 1] : NULL;
    if (last == NULL || last->line != row.line || last->file != row.file)
        lines->rows[lines->count++] = row;
}

/* Adds the rows of a sequence from address START on; LINES has rows for what is before.  Returns
   where the code ends.  */
static vma add_sequence(struct dw_lines *lines, const struct paths *paths,
                        const struct line_sequence *sequence, vma start)
{
    const struct line_entry *rows = paths->table->rows;
    for (size_t i = sequence->first; i < sequence->end; i++) {
        vma addr = rows[i].addr > start ? rows[i].addr : start;
        if (i + 1 < sequence->end ? rows[i + 1].addr <= start : rows[i].addr < start)
            continue;
        uint32_t file = rows[i].line != 0 ? path_of(paths, rows[i].file) : NO_ID;
        add_row(lines, (struct dw_row){addr, file != NO_ID ? rows[i].line : 0, file});
    }
    vma end = rows[sequence->end - 1].addr;
    return end > start ? end : start;
}

/* Fills LINES with the sequences by address.  Where they overlap, as those of folded functions and
   in damaged tables, the first counts.  */
static void order_rows(struct dw_lines *lines, const struct paths *paths,
                       const struct dw_functions *functions)
{
    static const struct id_order by_start = {.key = key_of_sequence, .levels = 2};
    const struct line_table *table = paths->table;
    const struct sequence_context context = {table, functions};
    uint32_t *order = identity_ids(table->sequence_count);
    struct dw_lines all = {.rows = mem_uninitialised(table->row_count + 1, sizeof *all.rows)};
    vma end = 0;
    sort_by_order(order, table->sequence_count, &by_start, &context);
    for (size_t i = 0; i < table->sequence_count; i++)
        end = add_sequence(&all, paths, &table->sequences[order[i]], end);
    free(order);
    lines->rows = mem_uninitialised(all.count, sizeof *lines->rows);
    lines->count = all.count;
    memcpy(lines->rows, all.rows, all.count * sizeof *all.rows);
    free(all.rows);
}

/* Reads the line table of UNIT.  False if there is none, or not enough left of the budget.  */
static bool read_table(struct paths *paths, Dwarf_Die *unit, struct dw_context *context)
{
    Dwarf_Attribute attribute;
    Dwarf_Word offset;
    struct line_table *table = &context->table;
    if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) == NULL)
        return false;
    uint64_t size =
        dwarf_formudata(&attribute, &offset) == 0 ? line_table_size(&context->sections, offset) : 0;
    context->is_damaged |= size == 0;
    if (size == 0 || !dw_spend(context, size))
        return false;
    context->is_damaged |= !line_table_read(table, &context->sections, offset);
    *paths = (struct paths){context, table, directory_of(unit, table),
                            mem_array(table->file_count, sizeof *paths->numbers)};
    return true;
}

void dw_lines_read(struct dw_lines *lines, Dwarf_Die *unit, const struct dw_functions *functions,
                   struct dw_context *context)
{
    struct paths paths;
    *lines = (struct dw_lines){0};
    if (!read_table(&paths, unit, context))
        return;
    context->work.line_tables++;
    order_rows(lines, &paths, functions);
    free(paths.numbers);
}

void dw_sites_locate(struct dw_functions *functions, Dwarf_Die *unit, struct dw_context *context)
{
    struct paths paths;
    functions->has_site_paths = true;
    if (functions->site_count == 0 || !read_table(&paths, unit, context))
        return;
    for (size_t i = 0; i < functions->site_count; i++) {
        struct dw_site *site = &functions->sites[i];
        if (site->file < paths.table->file_count && paths.table->files[site->file].name != NULL)
            site->path = path_of(&paths, (uint32_t)site->file);
    }
    free(paths.numbers);
}

/* ---- Look-up ---- */

static bool is_at(const struct dw_lines *lines, size_t i, vma addr)
{
    return i < lines->count && lines->rows[i].addr <= addr &&
           (i + 1 == lines->count || lines->rows[i + 1].addr > addr);
}

const struct dw_row *dw_lines_find(struct dw_lines *lines, vma addr, struct dwarf_work *work)
{
    if (is_at(lines, lines->last, addr) || is_at(lines, ++lines->last, addr))
        return &lines->rows[lines->last];
    work->searches++;
    size_t upto = count_at_most(lines->rows, lines->count, sizeof *lines->rows,
                                offsetof(struct dw_row, addr), addr);
    lines->last = upto > 0 ? upto - 1 : 0;
    return upto > 0 ? &lines->rows[upto - 1] : NULL;
}

void dw_lines_free(struct dw_lines *lines)
{
    free(lines->rows);
    *lines = (struct dw_lines){0};
}

/* ---- Functions ---- */

/* A range of the code of a function or of an inlined function.  */
struct function_range {
    vma low, high;
    uint32_t name; /* number in the context's strings */
    uint32_t site; /* where it was inlined, plus 1; 0: it was not */
};

/* The names of a function.  */
struct names {
    const char *linkage, *source; /* NULL: not stated */
    uint32_t number;              /* of the linkage name, or else the source name; NO_ID: neither */
};

/* A function with an address that it shares.  */
struct shared_function {
    struct dw_shown place;
    size_t first, end; /* its ranges and those of what is inlined into it */
    bool is_shown;     /* reports have its name */
};

struct function_list {
    struct dw_context *context;
    bool is_c; /* the language of the unit */
    struct function_range *ranges;
    size_t count, capacity;
    struct shared_function *shared;
    size_t shared_count, shared_capacity;
    bool is_shared; /* the last function has an address that it shares */
    /* Names by number of the offset of an origin.  An inlined function has an entry for each place
       where it is inlined, all with the name of one origin.  */
    struct pair_map origins;
    struct names *origin_names;
    size_t origin_count, origin_capacity;
    struct dw_site *sites;
    size_t site_count, site_capacity;
};

/* What the entry of a function states.  All attributes are read at once: to find one, libdw reads
   all that come before it.  */
struct function_facts {
    bool has_name, is_declaration;
    bool has_low, has_high, has_ranges, has_origin;
    Dwarf_Attribute low, high;
    Dwarf_Attribute origin; /* refers to another entry of the same function */
    bool has_sibling;
    Dwarf_Attribute sibling; /* refers to the entry that follows this one's subtree */
    struct dw_site call;     /* of an inlined function */
    uint32_t site;           /* as in struct function_range */
    uint32_t name;           /* result of `name_of' for the first range; NO_ID before */
};

/* ---- Attributes ---- */

static int note_attribute(Dwarf_Attribute *attribute, void *context)
{
    struct function_facts *facts = context;
    switch (dwarf_whatattr(attribute)) {
    case DW_AT_low_pc:
        facts->low = *attribute;
        facts->has_low = true;
        break;
    case DW_AT_high_pc:
        facts->high = *attribute;
        facts->has_high = true;
        break;
    case DW_AT_ranges:
        facts->has_ranges = true;
        break;
    case DW_AT_name:
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        facts->has_name = true;
        break;
    case DW_AT_sibling:
        facts->sibling = *attribute;
        facts->has_sibling = true;
        break;
    case DW_AT_declaration:
        facts->is_declaration = true;
        break;
    case DW_AT_call_file:
        dwarf_formudata(attribute, &facts->call.file);
        break;
    case DW_AT_call_line:
        dwarf_formudata(attribute, &facts->call.line);
        break;
    case DW_AT_specification:
    case DW_AT_abstract_origin:
        facts->origin = *attribute;
        facts->has_origin = true;
        break;
    default:
        break;
    }
    return DWARF_CB_OK;
}

/* ---- Names ---- */

/* Whether the language is C, which has no linkage names: symbols have the names of functions,
   except for the compiler's clones (`f.part.0').  */
static bool is_c(Dwarf_Die *unit)
{
    switch (dwarf_srclang(unit)) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
        return true;
    default:
        return false;
    }
}

static const char *string_of(Dwarf_Die *entry, unsigned attribute)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr_integrate(entry, attribute, &found));
}

static struct names names_of(const struct function_list *list, Dwarf_Die *entry)
{
    struct names names = {string_of(entry, DW_AT_linkage_name), string_of(entry, DW_AT_name),
                          NO_ID};
    if (names.linkage == NULL)
        names.linkage = string_of(entry, DW_AT_MIPS_linkage_name);
    const char *text = names.linkage != NULL ? names.linkage : names.source;
    if (text != NULL)
        names.number = string_map_number(&list->context->strings, text);
    return names;
}

/* The names that ENTRY states or, if it states none, those of the entry that it refers to.  */
static struct names find_names(struct function_list *list, Dwarf_Die *entry,
                               struct function_facts *facts)
{
    Dwarf_Die origin;
    if (facts->has_name || !facts->has_origin || dwarf_formref_die(&facts->origin, &origin) == NULL)
        return names_of(list, entry);
    uint32_t number = pair_map_number(&list->origins, dwarf_dieoffset(&origin), 0);
    if (number == list->origin_count) {
        list->origin_names = mem_grow(list->origin_names, &list->origin_capacity,
                                      list->origin_count + 1, sizeof *list->origin_names);
        list->origin_names[list->origin_count++] = names_of(list, &origin);
    }
    return list->origin_names[number];
}

/* The number of the name of the function of ENTRY, whose code begins at LOW; NO_ID if it is not
   known.  */
static uint32_t name_of(struct function_list *list, Dwarf_Die *entry, struct function_facts *facts,
                        vma low)
{
    struct names names = find_names(list, entry, facts);
    const char *symbol = NULL;
    if (names.linkage == NULL && !list->is_c && dwarf_tag(entry) != DW_TAG_inlined_subroutine)
        symbol = text_symbols_function(&list->context->image->symbols, low, names.source);
    return symbol != NULL ? string_map_number(&list->context->strings, symbol) : names.number;
}

/* ---- Entries ---- */

/* Adds a range of the code of ENTRY.  False if the caller can skip the other ranges.  */
static bool add_range(struct function_list *list, Dwarf_Die *entry, struct function_facts *facts,
                      vma low, vma high)
{
    if (!dw_spend(list->context, 1))
        return false;
    if (low >= high)
        return true;
    if (facts->name == NO_ID && (facts->name = name_of(list, entry, facts, low)) == NO_ID)
        return false;
    list->ranges = mem_grow(list->ranges, &list->capacity, list->count + 1, sizeof *list->ranges);
    list->ranges[list->count++] = (struct function_range){low, high, facts->name, facts->site};
    return true;
}

/* Whether the code of the entry is one range, as that of most entries is.  */
static bool has_one_range(struct function_facts *facts, vma *low, vma *high)
{
    Dwarf_Word size;
    if (!facts->has_low || !facts->has_high || dwarf_formaddr(&facts->low, low) != 0)
        return false;
    if (dwarf_formaddr(&facts->high, high) == 0)
        return true;
    if (dwarf_formudata(&facts->high, &size) != 0)
        return false;
    *high = *low + size;
    return true;
}

/* Adds the ranges of ENTRY; declarations and functions that are inlined everywhere have none.  */
static void add_function(struct function_list *list, Dwarf_Die *entry, struct function_facts *facts)
{
    Dwarf_Addr base, low, high;
    if (!facts->has_low && !facts->has_ranges)
        return;
    if (has_one_range(facts, &low, &high)) {
        add_range(list, entry, facts, low, high);
        return;
    }
    for (ptrdiff_t next = 0; (next = dwarf_ranges(entry, next, &base, &low, &high)) > 0;)
        if (!add_range(list, entry, facts, low, high))
            break;
}

/* ---- Functions of one address ---- */

/* Ends the list of ranges of the last function that shares its address.  */
static void end_shared(struct function_list *list)
{
    if (list->is_shared)
        list->shared[list->shared_count - 1].end = list->count;
    list->is_shared = false;
}

static Dwarf_Word number_of(Dwarf_Die *entry, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word number = 0;
    return dwarf_formudata(dwarf_attr_integrate(entry, attribute, &found), &number) == 0 ? number
                                                                                         : 0;
}

/* Notes the function of ENTRY, whose ranges begin at FIRST, if others have its address.  */
static void note_shared(struct function_list *list, Dwarf_Die *entry, size_t first)
{
    const struct function_range *range = &list->ranges[first];
    if (first == list->count)
        return;
    const char *shown = text_symbols_shown(&list->context->image->symbols, range->low);
    if (shown == NULL)
        return;
    list->shared = mem_grow(list->shared, &list->shared_capacity, list->shared_count + 1,
                            sizeof *list->shared);
    list->shared[list->shared_count++] = (struct shared_function){
        .place = {range->low, number_of(entry, DW_AT_decl_file), number_of(entry, DW_AT_decl_line)},
        .first = first,
        .is_shown = strcmp(shown, list->context->strings.strings[range->name]) == 0};
    list->is_shared = true;
}

static int compare_shown(const void *a, const void *b)
{
    const struct dw_shown *left = a, *right = b;
    return left->low < right->low ? -1 : left->low > right->low;
}

const struct dw_shown *dw_functions_shown(const struct dw_functions *functions, vma addr)
{
    const struct dw_shown key = {.low = addr};
    if (functions->shown_count == 0)
        return NULL;
    return bsearch(&key, functions->shown, functions->shown_count, sizeof key, compare_shown);
}

/* Lists the functions that reports show, and empties the ranges of others at their addresses.  */
static void choose_shown(struct dw_functions *functions, struct function_list *list)
{
    for (size_t i = 0; i < list->shared_count; i++) {
        if (!list->shared[i].is_shown)
            continue;
        functions->shown = mem_grow(functions->shown, &functions->shown_capacity,
                                    functions->shown_count + 1, sizeof *functions->shown);
        functions->shown[functions->shown_count++] = list->shared[i].place;
    }
    if (functions->shown_count > 0)
        qsort(functions->shown, functions->shown_count, sizeof *functions->shown, compare_shown);
    for (size_t i = 0; i < list->shared_count; i++) {
        const struct shared_function *shared = &list->shared[i];
        if (shared->is_shown || dw_functions_shown(functions, shared->place.low) == NULL)
            continue;
        for (size_t r = shared->first; r < shared->end; r++)
            list->ranges[r].high = list->ranges[r].low;
    }
}

/* ---- Entries below a unit ---- */

/* Sets the site of what an entry with FACTS inlines, unless what is around it was inlined: then its
   site is that one's.  */
static void set_site(struct function_list *list, struct function_facts *facts)
{
    if (facts->site != 0)
        return;
    list->sites =
        mem_grow(list->sites, &list->site_capacity, list->site_count + 1, sizeof *list->sites);
    list->sites[list->site_count] = facts->call;
    list->sites[list->site_count++].path = NO_ID;
    facts->site = (uint32_t)list->site_count;
}

/* Adds ENTRY, a function of its own or an inlined one.  */
static void visit_function(struct function_list *list, Dwarf_Die *entry, int tag,
                           struct function_facts *facts)
{
    size_t first = list->count;
    dwarf_getattrs(entry, note_attribute, facts, 0);
    if (tag == DW_TAG_subprogram) {
        end_shared(list);
        facts->site = 0;
    } else {
        set_site(list, facts);
    }
    add_function(list, entry, facts);
    if (tag == DW_TAG_subprogram)
        note_shared(list, entry, first);
}

static bool may_have_functions(int tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_entry_point:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
        return true;
    default:
        return false;
    }
}

/* Whether there may be functions below ENTRY.  A declaration has no code, other than the abstract
   entry of an inlined function, below which a nested function can have code.  */
static bool may_contain_functions(int tag, const struct function_facts *facts)
{
    return may_have_functions(tag) && (tag != DW_TAG_subprogram || !facts->is_declaration);
}

/* Sets *NEXT to the entry that follows the subtree of ENTRY.  False if there is none.  */
static bool find_sibling(Dwarf_Die *entry, struct function_facts *facts, Dwarf_Die *next)
{
    if (facts->has_sibling && dwarf_formref_die(&facts->sibling, next) != NULL &&
        next->cu == entry->cu)
        return true;
    return dwarf_siblingof(entry, next) == 0;
}

/* Adds the functions below the entry of UNIT, depth-first, with a stack of its own, because debug
   information may nest to any depth.  Each entry comes after the one before it in the file, so an
   entry that leads back is damage, and would loop.  */
static void add_functions(struct function_list *list, Dwarf_Die *unit)
{
    struct level {
        Dwarf_Die entry;
        uint32_t site; /* of what is around the entry */
    } *path = NULL;
    Dwarf_Off last = dwarf_dieoffset(unit);
    size_t depth = 0, capacity = 0;
    path = mem_grow(path, &capacity, 1, sizeof *path);
    path[0].site = 0;
    if (dwarf_child(unit, &path[0].entry) == 0)
        depth = 1;
    while (depth > 0) {
        Dwarf_Die entry = path[depth - 1].entry;
        int tag = dwarf_tag(&entry);
        if (dwarf_dieoffset(&entry) <= last) {
            list->context->is_damaged = true;
            break;
        }
        last = dwarf_dieoffset(&entry);
        struct function_facts facts = {.name = NO_ID, .site = path[depth - 1].site};
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            visit_function(list, &entry, tag, &facts);
        if (!find_sibling(&entry, &facts, &path[depth - 1].entry))
            depth--;
        path = mem_grow(path, &capacity, depth + 1, sizeof *path);
        path[depth].site = facts.site;
        if (may_contain_functions(tag, &facts) && dwarf_child(&entry, &path[depth].entry) == 0)
            depth++;
    }
    end_shared(list);
    free(path);
}

/* ---- Innermost functions ---- */

/* Sorts a range before the ranges inside of it; of two equal ranges the outer was added first.  */
static int compare_ranges(const void *context, uint32_t a, uint32_t b)
{
    const struct function_range *ranges = context;
    if (ranges[a].low != ranges[b].low)
        return ranges[a].low < ranges[b].low ? -1 : 1;
    return ranges[a].high > ranges[b].high ? -1 : ranges[a].high < ranges[b].high;
}

/* Builds NAMES with the ranges, sorted by ORDER, as owners.  */
static void build_map(struct interval_map *names, const struct function_list *list,
                      const uint32_t *order)
{
    struct interval *intervals = mem_array(list->count, sizeof *intervals);
    for (size_t i = 0; i < list->count; i++)
        intervals[i] = (struct interval){list->ranges[order[i]].low, list->ranges[order[i]].high};
    interval_map_build(names, intervals, list->count);
    free(intervals);
}

void dw_functions_read(struct dw_functions *functions, Dwarf_Die *unit, struct dw_context *context)
{
    struct interval_map *names = &functions->names;
    struct function_list list = {.context = context, .is_c = is_c(unit)};
    *functions = (struct dw_functions){0};
    add_functions(&list, unit);
    choose_shown(functions, &list);
    context->work.function_lists++;
    uint32_t *order = identity_ids(list.count);
    sort_ids(order, list.count, compare_ranges, list.ranges);
    build_map(names, &list, order);
    functions->site_of = mem_array(names->count, sizeof *functions->site_of);
    functions->sites = list.sites;
    functions->site_count = list.site_count;
    for (size_t i = 0; i < names->count; i++)
        if (names->spans[i].owner != NO_INTERVAL) {
            const struct function_range *range = &list.ranges[order[names->spans[i].owner]];
            names->spans[i].owner = range->name;
            functions->site_of[i] = range->site;
        }
    free(order);
    free(list.ranges);
    free(list.shared);
    free(list.origin_names);
    pair_map_free(&list.origins);
}

const struct dw_site *dw_functions_site(struct dw_functions *functions, vma addr)
{
    if (interval_map_find(&functions->names, addr) == NO_INTERVAL)
        return NULL;
    uint32_t site = functions->site_of[functions->names.last];
    return site != 0 && functions->sites[site - 1].line != 0 ? &functions->sites[site - 1] : NULL;
}

void dw_functions_free(struct dw_functions *functions)
{
    interval_map_free(&functions->names);
    free(functions->site_of);
    free(functions->sites);
    free(functions->shown);
    *functions = (struct dw_functions){0};
}

#endif
