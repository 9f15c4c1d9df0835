/* line_symbols.c - a symbol for each run of text that belongs to one source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/line_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/symtab.h"
#include "base/memory.h"

static bool is_same_function(const struct line_row *row, const struct symbol *symbol)
{
    return row->file == symbol->file && strcmp(row->function, symbol->name) == 0;
}

/* Whether a line belongs to a static function: the same as the line before if that is of the same
   function, else as the function symbol that covers the line.  */
static bool is_static_line(const struct symtab *functions, const struct line_row *row,
                           const struct symbol *before)
{
    if (before != NULL && is_same_function(row, before))
        return before->is_static;
    uint32_t function = symtab_find(functions, row->addr);
    return function != NO_ID && functions->symbols[function].is_static;
}

/* Whether a function symbol is before a line in the table.  Labels at the address of a line come
   after it; the table sorts them into their final order.  */
static bool is_before(const struct symbol *function, const struct line_row *row)
{
    return function->addr < row->addr || (function->addr == row->addr && function->is_func);
}

/* Gives the functions that are left in TABLE the reach they had in FUNCTIONS.  */
static void restore_reach(struct symtab *table, const struct symtab *functions)
{
    for (size_t i = 0, f = 0; i < table->count; i++) {
        struct symbol *symbol = &table->symbols[i];
        while (f < functions->count && functions->symbols[f].addr < symbol->addr)
            f++;
        if (!symbol->is_line && f < functions->count)
            symbol->reach = functions->symbols[f].reach;
    }
}

void line_symbols_split(struct symtab *table, const struct line_row *rows, size_t count,
                        vma text_end)
{
    struct symtab functions = *table;
    /* A last symbol after the text (`data_start') covers nothing and is dropped.  */
    if (functions.count > 0 &&
        functions.symbols[functions.count - 1].end < functions.symbols[functions.count - 1].addr)
        functions.count--;
    struct symbol *symbols = mem_array(count + functions.count, sizeof *symbols);
    const struct symbol *before = NULL; /* the line before */
    size_t made = 0, f = 0;
    for (size_t i = 0; i < count; i++) {
        const struct line_row *row = &rows[i];
        if (before != NULL && is_same_function(row, before) && row->line == before->line)
            continue;
        while (f < functions.count && is_before(&functions.symbols[f], row))
            symbols[made++] = functions.symbols[f++];
        symbols[made] = (struct symbol){.addr = row->addr,
                                        .name = row->function,
                                        .file = row->file,
                                        .line = row->line,
                                        .is_static = is_static_line(&functions, row, before),
                                        .is_line = true};
        before = &symbols[made++];
    }
    memcpy(symbols + made, functions.symbols + f, (functions.count - f) * sizeof *symbols);
    *table = (struct symtab){0};
    symtab_build_from(table, symbols, made + functions.count - f, text_end);
    restore_reach(table, &functions);
    symtab_free(&functions);
}

/* A table of its own with the symbols of FUNCTIONS that stand for code.  */
static void copy_symbols(struct symtab *copy, const struct symtab *functions, vma text_end)
{
    struct symbol *symbols = mem_array(functions->count, sizeof *symbols);
    size_t count = 0;
    for (size_t i = 0; i < functions->count; i++)
        if (!is_pseudo(&functions->symbols[i]))
            symbols[count++] = functions->symbols[i];
    symtab_build_from(copy, symbols, count, text_end);
}

void line_symbols_build(struct symtab *lines, const struct symtab *functions,
                        const struct line_row *rows, size_t count, vma text_end)
{
    *lines = (struct symtab){0};
    copy_symbols(lines, functions, text_end);
    line_symbols_split(lines, rows, count, text_end);
}

/* The symbols of LINES in the functions of SET.  */
static void copy_set(struct sym_set *copy, const struct sym_set *set, const struct symtab *lines,
                     const struct symtab *functions)
{
    copy->is_given = set->is_given;
    if (set->has == NULL)
        return;
    copy->has = mem_array(lines->count, sizeof *copy->has);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t function = symtab_find(functions, lines->symbols[i].addr);
        copy->has[i] = function != NO_ID && set->has[function];
    }
}

void line_symbols_copy_filter(struct filter *copy, const struct filter *filter,
                              const struct symtab *lines, const struct symtab *functions)
{
    *copy = (struct filter){0};
    copy_set(&copy->include, &filter->include, lines, functions);
    copy_set(&copy->exclude, &filter->exclude, lines, functions);
}

void line_symbols_free_filter(struct filter *copy)
{
    free(copy->include.has);
    free(copy->exclude.has);
    *copy = (struct filter){0};
}
