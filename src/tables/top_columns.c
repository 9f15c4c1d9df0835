/* top_columns.c - the columns of the table of functions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/top_columns.h"

#include <math.h>
#include <string.h>

#include "base/common.h"
#include "base/sort.h"

/* ---- Cells ---- */

static void set_number(struct cell *cell, double number)
{
    if (isnan(number))
        *cell = (struct cell){.kind = CELL_EMPTY};
    else
        *cell = (struct cell){.kind = CELL_NUMBER, .number = number};
}

static void set_count(struct cell *cell, uint64_t count)
{
    *cell = (struct cell){.kind = CELL_COUNT, .count = count};
}

static void set_text(struct cell *cell, const char *text)
{
    if (text == NULL)
        *cell = (struct cell){.kind = CELL_EMPTY};
    else
        *cell = (struct cell){.kind = CELL_TEXT, .text = text};
}

/* Ticks in units of the profile, or in ticks if it has no rate; NaN if it has no histogram.  */
static double time_of(const struct profile *profile, double ticks)
{
    if (profile->hist.count == 0)
        return NAN;
    return ticks / (profile->hist.rate != 0 ? (double)profile->hist.rate : 1.0);
}

static double share_of(double part, double total)
{
    return total > 0 ? 100.0 * part / total : NAN;
}

static const struct symbol *symbol_of(const struct profile *profile, const struct top_row *row)
{
    return &profile->symtab.symbols[row->symbol];
}

/* The node whose inclusive figures the row shows: its cycle as a whole if it is in one.  */
static const struct node *whole_of(const struct profile *profile, const struct top_row *row)
{
    return &profile->graph.nodes[node_of_symbol(&profile->graph, row->symbol)];
}

/* ---- Columns ---- */

static void fill_self(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    set_number(cell, time_of(profile, row->self));
}

static void fill_self_share(const struct profile *profile, const struct top_row *row,
                            struct cell *cell)
{
    set_number(cell, share_of(row->self, profile->hist.total));
}

static void fill_cumulative(const struct profile *profile, const struct top_row *row,
                            struct cell *cell)
{
    set_number(cell, share_of(row->before + row->self, profile->hist.total));
}

static void fill_total(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    set_number(cell, time_of(profile, row->total));
}

static void fill_total_share(const struct profile *profile, const struct top_row *row,
                             struct cell *cell)
{
    set_number(cell, share_of(row->total, profile->graph.total));
}

/* Whether the row stands for one symbol.  Groups have no inclusive time: a callee's time would
   count more than once.  */
static bool is_single(const struct profile *profile)
{
    return profile->top.by == TOP_FUNCTIONS;
}

/* Not known where the inclusive time is not.  */
static double bound_of(const struct profile *profile, const struct top_row *row,
                       const double *bounds)
{
    if (bounds == NULL || isnan(row->total))
        return NAN;
    return time_of(profile, bounds[node_of_symbol(&profile->graph, row->symbol)]);
}

static void fill_least(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    set_number(cell, bound_of(profile, row, profile->bounds.least));
}

static void fill_most(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    set_number(cell, bound_of(profile, row, profile->bounds.most));
}

/* From recorded stacks, which count the time in other objects as well.  */
static void fill_sampled(const struct profile *profile, const struct top_row *row,
                         struct cell *cell)
{
    const struct stacks *stacks = &profile->stacks;
    if (stacks->inclusive == NULL || !is_single(profile))
        set_text(cell, NULL);
    else
        set_number(cell, stacks->inclusive[row->symbol] / (stacks->rate != 0 ? stacks->rate : 1));
}

static void fill_calls(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    if (row->calls == 0)
        set_text(cell, NULL);
    else
        set_count(cell, row->calls);
    (void)profile;
}

static double per_call(const struct profile *profile, double ticks, uint64_t calls)
{
    return calls > 0 ? time_of(profile, ticks) / (double)calls : NAN;
}

static void fill_self_per_call(const struct profile *profile, const struct top_row *row,
                               struct cell *cell)
{
    set_number(cell, per_call(profile, row->self, row->calls));
}

/* Of a function in a cycle: per call from outside of the cycle.  */
static void fill_total_per_call(const struct profile *profile, const struct top_row *row,
                                struct cell *cell)
{
    set_number(cell, per_call(profile, row->total, whole_of(profile, row)->calls));
}

static void fill_samples(const struct profile *profile, const struct top_row *row,
                         struct cell *cell)
{
    set_number(cell, profile->hist.count != 0 ? row->self : NAN);
}

/* The number of samples that a run draws varies from run to run by its square root.  */
static void fill_error(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    enum { FEW_SAMPLES = 10 };
    set_number(cell, row->self > 0 ? time_of(profile, sqrt(row->self)) : NAN);
    cell->is_doubtful = cell->kind == CELL_NUMBER && row->self < FEW_SAMPLES;
}

/* Of the arcs at FIRST to before END, by their ids or, if that is NULL, as they stand.  */
static uint64_t count_arcs(const struct arc_table *arcs, const uint32_t *ids, uint32_t first,
                           uint32_t end)
{
    uint64_t count = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct arc *arc = &arcs->arcs[ids != NULL ? ids[i] : i];
        count += arc->count > 0 && arc->caller != arc->callee;
    }
    return count;
}

static void fill_callers(const struct profile *profile, const struct top_row *row,
                         struct cell *cell)
{
    const uint32_t *start = profile->arcs.callers.start;
    set_text(cell, NULL);
    if (is_single(profile))
        set_count(cell, count_arcs(&profile->arcs, profile->views.callers, start[row->symbol],
                                   start[row->symbol + 1]));
}

static void fill_callees(const struct profile *profile, const struct top_row *row,
                         struct cell *cell)
{
    const uint32_t *start = profile->arcs.callee_start;
    set_text(cell, NULL);
    if (is_single(profile))
        set_count(cell,
                  count_arcs(&profile->arcs, NULL, start[row->symbol], start[row->symbol + 1]));
}

static void fill_cycle(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    uint32_t cycle = is_single(profile) ? profile->graph.cycle[row->symbol] : 0;
    set_text(cell, NULL);
    if (cycle != 0)
        set_count(cell, cycle);
}

static void fill_file(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    uint32_t file = symbol_of(profile, row)->file;
    set_text(cell, file != NO_ID ? profile->files.labels[file] : NULL);
}

static void fill_line(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    const struct symbol *symbol = symbol_of(profile, row);
    set_text(cell, NULL);
    if (profile->top.by <= TOP_LINES && symbol->file != NO_ID)
        set_count(cell, symbol->line);
}

static void fill_address(const struct profile *profile, const struct top_row *row,
                         struct cell *cell)
{
    set_text(cell, NULL);
    if (is_single(profile) && !is_pseudo(symbol_of(profile, row)))
        set_count(cell, symbol_of(profile, row)->addr);
}

static void fill_name(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    set_text(cell, profile->top.names[row->symbol]);
}

static void fill_raw(const struct profile *profile, const struct top_row *row, struct cell *cell)
{
    set_text(cell, profile->top.by != TOP_FILES ? profile->top.raws[row->symbol] : NULL);
}

/* clang-format off */
static const struct top_column all[] = {
    {{"self",        UNIT_TIME,     2, false}, fill_self},
    {{"self%",       UNIT_PERCENT,  2, false}, fill_self_share},
    {{"cumulative%", UNIT_PERCENT,  2, false}, fill_cumulative},
    {{"total",       UNIT_TIME,     2, false}, fill_total},
    {{"total%",      UNIT_PERCENT,  2, false}, fill_total_share},
    {{"sampled",     UNIT_TIME,     2, false}, fill_sampled},
    {{"least",       UNIT_TIME,     2, false}, fill_least},
    {{"most",        UNIT_TIME,     2, false}, fill_most},
    {{"calls",       UNIT_NONE,     0, false}, fill_calls},
    {{"self/call",   UNIT_PER_CALL, 2, false}, fill_self_per_call},
    {{"total/call",  UNIT_PER_CALL, 2, false}, fill_total_per_call},
    {{"samples",     UNIT_NONE,     1, false}, fill_samples},
    {{"error",       UNIT_TIME,     2, false}, fill_error},
    {{"callers",     UNIT_NONE,     0, false}, fill_callers},
    {{"callees",     UNIT_NONE,     0, false}, fill_callees},
    {{"cycle",       UNIT_NONE,     0, false}, fill_cycle},
    {{"file",        UNIT_NONE,     0, true},  fill_file},
    {{"line",        UNIT_NONE,     0, false}, fill_line},
    {{"address",     UNIT_ADDRESS,  0, false}, fill_address},
    {{"name",        UNIT_NONE,     0, true},  fill_name},
    {{"raw",         UNIT_NONE,     0, true},  fill_raw},
};
/* clang-format on */

/* ---- Lists of columns ---- */

const char *top_columns_names(struct name_list *names)
{
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
        name_list_add(names, all[i].column.name);
    return names->text;
}

static const struct top_column *find_column(const char *name, size_t length)
{
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
        if (strlen(all[i].column.name) == length && memcmp(all[i].column.name, name, length) == 0)
            return &all[i];
    return NULL;
}

bool top_columns_parse(struct top_columns *columns, const char *list, bool may_reverse,
                       const char **unknown, size_t *length)
{
    columns->count = 0;
    for (;;) {
        bool is_reversed = may_reverse && *list == '-';
        list += is_reversed;
        *length = strcspn(list, ",");
        *unknown = list;
        const struct top_column *column = find_column(list, *length);
        if (column == NULL || columns->count == MOST_COLUMNS)
            return false;
        columns->is_reversed[columns->count] = is_reversed;
        columns->columns[columns->count++] = column;
        if (list[*length] == '\0')
            return true;
        list += *length + 1;
    }
}

bool top_columns_have(const struct top_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->columns[i]->column.name, name) == 0)
            return true;
    return false;
}

static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->kind == CELL_TEXT)
        return strcmp(a->text, b->text);
    if (a->kind == CELL_COUNT)
        return compare_descending_u64(a->count, b->count);
    return compare_descending(a->number, b->number);
}

int top_columns_compare(const struct profile *profile, const struct top_columns *columns,
                        const struct top_row *a, const struct top_row *b)
{
    struct cell left, right;
    int order = 0;
    for (size_t i = 0; i < columns->count && order == 0; i++) {
        columns->columns[i]->fill(profile, a, &left);
        columns->columns[i]->fill(profile, b, &right);
        if (left.kind == CELL_EMPTY || right.kind == CELL_EMPTY)
            order = (left.kind == CELL_EMPTY) - (right.kind == CELL_EMPTY);
        else
            order = compare_cells(&left, &right) * (columns->is_reversed[i] ? -1 : 1);
    }
    return order;
}
