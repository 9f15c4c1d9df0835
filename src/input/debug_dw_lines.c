/* debug_dw_lines.c - the lines of a unit of compilation, with whole paths, by address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "input/debug_dw_unit.h"

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
    uint32_t *numbers;     /* by file: of the path in the context's strings, plus 1; 0 = unknown */
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

/* The directory of compilation by the table, which has it since DWARF 5, or else by the unit.  */
static const char *directory_of(Dwarf_Die *unit, const struct line_table *table)
{
    Dwarf_Attribute attribute;
    const char *directory = table->directory_count > 0 ? table->directories[0] : NULL;
    return directory != NULL ? directory
                             : dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

/* ---- Rows ---- */

static uint64_t start_of(const void *context, uint32_t id, unsigned level)
{
    (void)level;
    const struct line_table *table = context;
    return table->rows[table->sequences[id].first].addr;
}

/* Adds a row to LINES, which has capacity for it, unless it repeats the row before.  It replaces
   one at its address: the end of another sequence.  */
static void add_row(struct dw_lines *lines, struct dw_row row)
{
    if (lines->count > 0 && lines->rows[lines->count - 1].addr == row.addr)
        lines->count--;
    const struct dw_row *last = lines->count > 0 ? &lines->rows[lines->count - 1] : NULL;
    if (last == NULL || last->line != row.line || last->file != row.file)
        lines->rows[lines->count++] = row;
}

/* Adds the rows of a sequence from address START on, before which there are others.  Returns where
   the code ends.  */
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

/* Fills LINES with the sequences by address.  Where they overlap, which they do in damaged tables
   only, the first counts.  */
static void order_rows(struct dw_lines *lines, const struct paths *paths)
{
    static const struct id_order by_start = {.key = start_of, .levels = 1};
    const struct line_table *table = paths->table;
    uint32_t *order = identity_ids(table->sequence_count);
    struct dw_lines all = {.rows = mem_uninitialised(table->row_count + 1, sizeof *all.rows)};
    vma end = 0;
    sort_by_order(order, table->sequence_count, &by_start, table);
    for (size_t i = 0; i < table->sequence_count; i++)
        end = add_sequence(&all, paths, &table->sequences[order[i]], end);
    free(order);
    lines->rows = mem_uninitialised(all.count, sizeof *lines->rows);
    lines->count = all.count;
    memcpy(lines->rows, all.rows, all.count * sizeof *all.rows);
    free(all.rows);
}

void dw_lines_read(struct dw_lines *lines, Dwarf_Die *unit, struct dw_context *context)
{
    Dwarf_Attribute attribute;
    Dwarf_Word offset;
    struct line_table *table = &context->table;
    *lines = (struct dw_lines){0};
    if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) == NULL)
        return;
    uint64_t size =
        dwarf_formudata(&attribute, &offset) == 0 ? line_table_size(&context->sections, offset) : 0;
    context->is_damaged |= size == 0;
    if (size == 0 || !dw_spend(context, size))
        return;
    context->is_damaged |= !line_table_read(table, &context->sections, offset);
    context->work.line_tables++;
    struct paths paths = {context, table, directory_of(unit, table),
                          mem_array(table->file_count, sizeof *paths.numbers)};
    order_rows(lines, &paths);
    free(paths.numbers);
}

/* ---- Look-up ---- */

static bool is_at(const struct dw_lines *lines, size_t i, vma addr)
{
    return i < lines->count && lines->rows[i].addr <= addr &&
           (i + 1 == lines->count || lines->rows[i + 1].addr > addr);
}

const struct dw_row *dw_lines_find(struct dw_lines *lines, vma addr, struct dw_work *work)
{
    size_t low = 0, high = lines->count;
    if (is_at(lines, lines->last, addr) || is_at(lines, ++lines->last, addr))
        return &lines->rows[lines->last];
    work->searches++;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->rows[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    lines->last = low > 0 ? low - 1 : 0;
    return low > 0 ? &lines->rows[low - 1] : NULL;
}

void dw_lines_free(struct dw_lines *lines)
{
    free(lines->rows);
    *lines = (struct dw_lines){0};
}

#endif
