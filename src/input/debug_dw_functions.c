/* debug_dw_functions.c - reads the functions of a unit of compilation by libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "input/debug_dw_unit.h"

/* A range of the code of a function, or of one that is inlined.  */
struct function_range {
    vma low, high;
    uint32_t name; /* number in the context's strings */
};

/* What a function is called.  */
struct names {
    const char *linkage, *source; /* NULL: not stated */
    uint32_t number;              /* of the linkage name, or else the source name; NO_ID: neither */
};

struct function_list {
    struct dw_context *context;
    bool is_c; /* the language of the unit */
    struct function_range *ranges;
    size_t count, capacity;
    /* The names that entries have from their origins, by the number of the origin's offset: many
       entries, one for each place where a function is inlined, have the same.  */
    struct pair_map origins;
    struct names *origin_names;
    size_t origin_count, origin_capacity;
};

/* What the entry of a function states.  Its attributes are read once: to find one, libdw reads all
   that come before it.  */
struct function_facts {
    bool has_name, is_declaration;
    bool has_low, has_high, has_ranges, has_origin;
    Dwarf_Attribute low, high;
    Dwarf_Attribute origin; /* refers to another entry of the same function */
    bool has_sibling;
    Dwarf_Attribute sibling; /* refers to the entry after this one and those below it */
    uint32_t name;           /* as `name_of' found it for the first range; NO_ID until then */
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
    case DW_AT_specification:
        if (facts->has_origin) /* an abstract origin comes first */
            break;
        /* fall through */
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

/* C has no linkage names: a function's name is the linker's.  The symbol at its start is not always
   so called, because the compiler can make clones (`f.part.0').  */
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

/* The names of ENTRY; if it states none itself, those of the entry that it refers to.  */
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

/* The number of the name of the function of ENTRY, whose code begins at LOW; NO_ID if nothing says
   it.  */
static uint32_t name_of(struct function_list *list, Dwarf_Die *entry, struct function_facts *facts,
                        vma low)
{
    struct names names = find_names(list, entry, facts);
    const char *symbol = NULL;
    if (names.linkage == NULL && !list->is_c && dwarf_tag(entry) != DW_TAG_inlined_subroutine)
        symbol = image_function_at(list->context->image, low, names.source);
    return symbol != NULL ? string_map_number(&list->context->strings, symbol) : names.number;
}

/* ---- Entries ---- */

/* Adds a range of the code of ENTRY.  False if the others need not be added either.  */
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
    list->ranges[list->count++] = (struct function_range){low, high, facts->name};
    return true;
}

/* Whether the code of the entry with these facts is one range, which is that of most.  */
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

/* Most entries have no code: declarations, and what is inlined everywhere.  */
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

/* Sets *NEXT to the entry after ENTRY and those below it.  False if there is none.  */
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
    Dwarf_Die *path = NULL;
    Dwarf_Off last = dwarf_dieoffset(unit);
    size_t depth = 0, capacity = 0;
    path = mem_grow(path, &capacity, 1, sizeof *path);
    if (dwarf_child(unit, &path[0]) == 0)
        depth = 1;
    while (depth > 0) {
        Dwarf_Die entry = path[depth - 1];
        int tag = dwarf_tag(&entry);
        if (dwarf_dieoffset(&entry) <= last) {
            list->context->is_damaged = true;
            break;
        }
        last = dwarf_dieoffset(&entry);
        struct function_facts facts = {.name = NO_ID};
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
            dwarf_getattrs(&entry, note_attribute, &facts, 0);
            add_function(list, &entry, &facts);
        }
        if (!find_sibling(&entry, &facts, &path[depth - 1]))
            depth--;
        path = mem_grow(path, &capacity, depth + 1, sizeof *path);
        if (may_contain_functions(tag, &facts) && dwarf_child(&entry, &path[depth]) == 0)
            depth++;
    }
    free(path);
}

/* ---- The innermost function ---- */

/* Outer ranges before the ranges in them; of equal ones the outer was added first.  */
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

void dw_functions_read(struct interval_map *names, Dwarf_Die *unit, struct dw_context *context)
{
    struct function_list list = {.context = context, .is_c = is_c(unit)};
    add_functions(&list, unit);
    context->work.function_lists++;
    uint32_t *order = identity_ids(list.count);
    sort_ids(order, list.count, compare_ranges, list.ranges);
    build_map(names, &list, order);
    for (size_t i = 0; i < names->count; i++)
        if (names->spans[i].owner != NO_INTERVAL)
            names->spans[i].owner = list.ranges[order[names->spans[i].owner]].name;
    free(order);
    free(list.ranges);
    free(list.origin_names);
    pair_map_free(&list.origins);
}

#endif
