/* make_top.c - the table of functions, source lines, files or objects (--top), and its columns.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/make_top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds.h"
#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/short_names.h"
#include "base/sort.h"

/* ---- The columns of the table of functions ---- */

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

static struct cell self_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(time_of(profile, row->self));
}

static struct cell self_share_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(share_of(row->self, profile->hist.total));
}

static struct cell cumulative_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(share_of(row->before + row->self, profile->hist.total));
}

static struct cell total_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(time_of(profile, row->total));
}

static struct cell total_share_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(share_of(row->total, profile->graph.total));
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

static struct cell least_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(bound_of(profile, row, profile->bounds.least));
}

static struct cell most_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(bound_of(profile, row, profile->bounds.most));
}

/* From recorded stacks, which count the time in other objects as well.  */
static struct cell sampled_cell(const struct profile *profile, const struct top_row *row)
{
    const struct recorded_stacks *stacks = &profile->recorded;
    if (stacks->inclusive == NULL || !is_single(profile))
        return empty_cell();
    return number_cell(stacks->inclusive[row->symbol] / (stacks->rate != 0 ? stacks->rate : 1));
}

static struct cell calls_cell(const struct profile *profile, const struct top_row *row)
{
    (void)profile;
    return row->calls != 0 ? count_cell(row->calls) : empty_cell();
}

static double per_call(const struct profile *profile, double ticks, uint64_t calls)
{
    return calls > 0 ? time_of(profile, ticks) / (double)calls : NAN;
}

static struct cell self_per_call_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(per_call(profile, row->self, row->calls));
}

/* Of a function in a cycle: per call from outside of the cycle.  */
static struct cell total_per_call_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(per_call(profile, row->total, whole_of(profile, row)->calls));
}

static struct cell samples_cell(const struct profile *profile, const struct top_row *row)
{
    return number_cell(profile->hist.count != 0 ? row->self : NAN);
}

/* The number of samples that a run draws varies from run to run by its square root.  */
static struct cell error_cell(const struct profile *profile, const struct top_row *row)
{
    enum { FEW_SAMPLES = 10 };
    struct cell cell = number_cell(row->self > 0 ? time_of(profile, sqrt(row->self)) : NAN);
    cell.is_doubtful = cell.kind == CELL_NUMBER && row->self < FEW_SAMPLES;
    return cell;
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

static struct cell callers_cell(const struct profile *profile, const struct top_row *row)
{
    const uint32_t *start = profile->arcs.callers.start;
    if (!is_single(profile))
        return empty_cell();
    return count_cell(count_arcs(&profile->arcs, profile->views.callers, start[row->symbol],
                                 start[row->symbol + 1]));
}

static struct cell callees_cell(const struct profile *profile, const struct top_row *row)
{
    const uint32_t *start = profile->arcs.callee_start;
    if (!is_single(profile))
        return empty_cell();
    return count_cell(count_arcs(&profile->arcs, NULL, start[row->symbol], start[row->symbol + 1]));
}

static struct cell cycle_cell(const struct profile *profile, const struct top_row *row)
{
    uint32_t cycle = is_single(profile) ? profile->graph.cycle[row->symbol] : 0;
    return cycle != 0 ? count_cell(cycle) : empty_cell();
}

static struct cell file_cell(const struct profile *profile, const struct top_row *row)
{
    uint32_t file = symbol_of(profile, row)->file;
    return text_cell(file != NO_ID ? profile->files.labels[file] : NULL);
}

static struct cell line_cell(const struct profile *profile, const struct top_row *row)
{
    const struct symbol *symbol = symbol_of(profile, row);
    bool has_line = profile->top.by <= TOP_LINES && symbol->file != NO_ID;
    return has_line ? count_cell(symbol->line) : empty_cell();
}

static struct cell address_cell(const struct profile *profile, const struct top_row *row)
{
    bool has_address = is_single(profile) && !is_pseudo(symbol_of(profile, row));
    return has_address ? count_cell(symbol_of(profile, row)->addr) : empty_cell();
}

static struct cell name_cell(const struct profile *profile, const struct top_row *row)
{
    return text_cell(profile->top.names[row->symbol]);
}

static struct cell raw_cell(const struct profile *profile, const struct top_row *row)
{
    return text_cell(profile->top.by != TOP_FILES ? profile->top.raws[row->symbol] : NULL);
}

/* clang-format off */
static const struct top_column {
    struct table_column column;
    struct cell (*cell)(const struct profile *profile, const struct top_row *row);
} all[] = {
    {{"self",        UNIT_TIME,     2, false}, self_cell},
    {{"self%",       UNIT_PERCENT,  2, false}, self_share_cell},
    {{"cumulative%", UNIT_PERCENT,  2, false}, cumulative_cell},
    {{"total",       UNIT_TIME,     2, false}, total_cell},
    {{"total%",      UNIT_PERCENT,  2, false}, total_share_cell},
    {{"sampled",     UNIT_TIME,     2, false}, sampled_cell},
    {{"least",       UNIT_TIME,     2, false}, least_cell},
    {{"most",        UNIT_TIME,     2, false}, most_cell},
    {{"calls",       UNIT_NONE,     0, false}, calls_cell},
    {{"self/call",   UNIT_PER_CALL, 2, false}, self_per_call_cell},
    {{"total/call",  UNIT_PER_CALL, 2, false}, total_per_call_cell},
    {{"samples",     UNIT_NONE,     1, false}, samples_cell},
    {{"error",       UNIT_TIME,     2, false}, error_cell},
    {{"callers",     UNIT_NONE,     0, false}, callers_cell},
    {{"callees",     UNIT_NONE,     0, false}, callees_cell},
    {{"cycle",       UNIT_NONE,     0, false}, cycle_cell},
    {{"file",        UNIT_NONE,     0, true},  file_cell},
    {{"line",        UNIT_NONE,     0, false}, line_cell},
    {{"address",     UNIT_ADDRESS,  0, false}, address_cell},
    {{"name",        UNIT_NONE,     0, true},  name_cell},
    {{"raw",         UNIT_NONE,     0, true},  raw_cell},
};
/* clang-format on */

const struct column_set top_columns = {all, ARRAY_LENGTH(all), sizeof *all};

/* ---- The order of rows ---- */

static struct cell cell_of(const struct profile *profile, const struct table_column *column,
                           const struct top_row *row)
{
    return ((const struct top_column *)(const void *)column)->cell(profile, row);
}

static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->kind == CELL_TEXT)
        return strcmp(a->text, b->text);
    if (a->kind == CELL_COUNT)
        return compare_descending_u64(a->count, b->count);
    return compare_descending(a->number, b->number);
}

/* Compares two rows by their cells in COLUMNS, of which the first that differs decides: numbers
   descend and texts ascend, or the reverse; empty cells come last in both cases.  */
static int compare_by(const struct profile *profile, const struct column_list *columns,
                      const struct top_row *a, const struct top_row *b)
{
    int order = 0;
    for (size_t i = 0; i < columns->count && order == 0; i++) {
        const struct cell left = cell_of(profile, columns->columns[i], a);
        const struct cell right = cell_of(profile, columns->columns[i], b);
        if (left.kind == CELL_EMPTY || right.kind == CELL_EMPTY)
            order = (left.kind == CELL_EMPTY) - (right.kind == CELL_EMPTY);
        else
            order = compare_cells(&left, &right) * (columns->is_reversed[i] ? -1 : 1);
    }
    return order;
}

/* ---- Builds the table of functions, source lines or files ---- */

/* ---- Groups ---- */

/* The rows before they are sorted and thinned.  */
struct candidates {
    struct top_row *rows;
    size_t count;
};

static bool has_row(const struct profile *profile, uint32_t symbol, const struct top_rules *rules)
{
    const struct node *node = &profile->graph.nodes[symbol];
    return is_accepted(&profile->filters.flat, symbol) &&
           !is_pseudo(&profile->symtab.symbols[symbol]) &&
           (rules->has_zeros || node->calls != 0 || node->time != 0);
}

/* The inclusive time of a member of a cycle is that of the whole cycle.  Without calls it is not
   known.  */
static struct top_row row_of_symbol(const struct profile *profile, uint32_t symbol, bool has_calls)
{
    const struct node *node = &profile->graph.nodes[symbol];
    const struct node *whole = &profile->graph.nodes[node_of_symbol(&profile->graph, symbol)];
    return (struct top_row){.symbol = symbol,
                            .count = 1,
                            .self = node->time,
                            .total = has_calls ? whole->self + whole->child : NAN,
                            .calls = node->calls};
}

/* The number of the group that SYMBOL belongs to.  What has no known place is grouped by name.  */
static uint32_t group_of(struct pair_map *groups, const struct symbol *symbol, uint32_t id,
                         enum top_group by)
{
    if (by == TOP_FILES)
        return pair_map_number(groups, symbol->file, 0);
    return symbol->file != NO_ID ? pair_map_number(groups, symbol->file, symbol->line)
                                 : pair_map_number(groups, NO_ID, (uint64_t)id + 1);
}

static void add_to_group(struct top_row *group, const struct top_row *row)
{
    if (group->count == 0) {
        *group = *row;
        group->total = NAN;
        return;
    }
    group->count++;
    group->self += row->self;
    group->calls = sum_u64(group->calls, row->calls);
}

/* Whether each symbol has a row of its own: of objects, each is a symbol (object_totals.h).  */
static bool is_by_symbol(enum top_group by)
{
    return by == TOP_FUNCTIONS || by == TOP_OBJECTS;
}

static struct candidates list_candidates(const struct profile *profile,
                                         const struct top_rules *rules)
{
    struct candidates candidates = {0};
    struct pair_map groups = {0};
    bool has_calls = has_arcs(profile) && rules->by != TOP_OBJECTS;
    candidates.rows = mem_array(profile->symtab.count, sizeof *candidates.rows);
    for (uint32_t s = 0; s < profile->symtab.count; s++) {
        if (!has_row(profile, s, rules))
            continue;
        struct top_row row = row_of_symbol(profile, s, has_calls);
        if (is_by_symbol(rules->by)) {
            candidates.rows[candidates.count++] = row;
            continue;
        }
        uint32_t group = group_of(&groups, &profile->symtab.symbols[s], s, rules->by);
        add_to_group(&candidates.rows[group], &row);
    }
    if (!is_by_symbol(rules->by))
        candidates.count = groups.count;
    pair_map_free(&groups);
    return candidates;
}

/* ---- Names ---- */

static const char *file_label(const struct profile *profile, uint32_t file)
{
    return file != NO_ID ? profile->files.labels[file] : "<unknown>";
}

/* `f <cycle 2>'.  */
static const char *with_cycle(struct arena *arena, const char *name, uint32_t cycle)
{
    char digits[16];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    for (; cycle != 0; cycle /= 10)
        digits[--at] = (char)('0' + cycle % 10);
    return arena_join(arena, name, " <cycle ", digits + at, ">");
}

static void name_rows(struct profile *profile, const struct candidates *candidates,
                      const struct top_rules *rules)
{
    struct top *top = &profile->top;
    const char **names = arena_alloc(&top->arena, profile->symtab.count * sizeof *names);
    struct short_names shorts = {0};
    for (size_t i = 0; i < candidates->count && rules->names == NAMES_SHORT; i++)
        short_names_add(&shorts,
                        label_of_symbol(&profile->symtab.symbols[candidates->rows[i].symbol]));
    for (size_t i = 0; i < candidates->count; i++) {
        const struct top_row *row = &candidates->rows[i];
        const struct symbol *symbol = &profile->symtab.symbols[row->symbol];
        const char *name = rules->names == NAMES_RAW ? arena_escape(&top->arena, symbol->name)
                           : rules->names == NAMES_SHORT
                               ? short_names_of(&shorts, &top->arena, label_of_symbol(symbol))
                               : label_of_symbol(symbol);
        uint32_t cycle = row->count == 1 ? profile->graph.cycle[row->symbol] : 0;
        if (rules->by == TOP_FILES)
            name = file_label(profile, symbol->file);
        names[row->symbol] = cycle != 0 ? with_cycle(&top->arena, name, cycle) : name;
    }
    short_names_free(&shorts);
    top->names = names;
}

static void list_raw_names(struct profile *profile, const struct candidates *candidates,
                           const struct top_rules *rules)
{
    struct top *top = &profile->top;
    if (!column_list_has(&rules->columns, "raw") && !column_list_has(&rules->sort, "raw"))
        return;
    top->raws = arena_alloc(&top->arena, profile->symtab.count * sizeof *top->raws);
    for (size_t i = 0; i < candidates->count; i++) {
        uint32_t symbol = candidates->rows[i].symbol;
        top->raws[symbol] = arena_escape(&top->arena, profile->symtab.symbols[symbol].name);
    }
}

/* ---- Focus and hide ---- */

/* Whether EXPRESSION matches the printed name, or `file:name'.  */
static bool matches(const regex_t *expression, const struct profile *profile,
                    const struct top_row *row)
{
    const char *name = profile->top.names[row->symbol];
    uint32_t file = profile->symtab.symbols[row->symbol].file;
    struct arena scratch = {0};
    bool ok = regexec(expression, name, 0, NULL, 0) == 0;
    if (!ok && file != NO_ID)
        ok = regexec(expression, arena_join(&scratch, file_label(profile, file), ":", name), 0,
                     NULL, 0) == 0;
    arena_free(&scratch);
    return ok;
}

static void hide_row(struct top *top, const struct top_row *row)
{
    top->hidden_count++;
    top->hidden += row->self;
}

/* Keeps the candidates that `focus' matches and `hide' does not.  */
static void apply_expressions(struct candidates *candidates, struct profile *profile,
                              const struct top_rules *rules)
{
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        const struct top_row *row = &candidates->rows[i];
        if ((rules->focus == NULL || matches(rules->focus, profile, row)) &&
            (rules->hide == NULL || !matches(rules->hide, profile, row)))
            candidates->rows[kept++] = *row;
        else
            hide_row(&profile->top, row);
    }
    candidates->count = kept;
}

/* ---- Order, and which rows are shown ---- */

struct ordering {
    const struct profile *profile;
    const struct top_row *rows;
    const struct column_list *sort;
};

static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *by = context;
    return compare_by(by->profile, by->sort, &by->rows[a], &by->rows[b]);
}

static void sort_candidates(struct candidates *candidates, const struct profile *profile,
                            const struct column_list *sort)
{
    const struct ordering by = {profile, candidates->rows, sort};
    uint32_t *order = identity_ids(candidates->count);
    sort_ids(order, candidates->count, compare_rows, &by);
    candidates->rows =
        mem_reorder(candidates->rows, order, candidates->count, sizeof *candidates->rows);
}

static bool is_large(const struct profile *profile, const struct top_row *row, double percent)
{
    double part = isnan(row->total) || row->self > row->total ? row->self : row->total;
    return percent <= 0 || 100 * part >= percent * profile->hist.total;
}

/* Takes over the rows of CANDIDATES that are shown.  */
static void show_rows(struct top *top, struct candidates *candidates, const struct profile *profile,
                      const struct top_rules *rules)
{
    for (size_t i = 0; i < candidates->count; i++) {
        struct top_row *row = &candidates->rows[i];
        if ((rules->limit != 0 && top->row_count == rules->limit) ||
            !is_large(profile, row, rules->min_share)) {
            hide_row(top, row);
            continue;
        }
        row->before = top->shown;
        top->shown += row->self;
        candidates->rows[top->row_count++] = *row;
    }
    top->rows = candidates->rows;
}

/* ---- Bounds ---- */

/* Sets the bounds of COUNT rows as far as COLUMNS have them: `least' of all nodes, and `most' of
   these rows, the first of which are the most important.  */
static void compute_bounds(struct profile *profile, const struct column_list *columns,
                           const struct top_row *rows, size_t count)
{
    bool has_most = column_list_has(columns, "most");
    if (profile->top.by != TOP_FUNCTIONS || (!has_most && !column_list_has(columns, "least")))
        return;
    if (!has_most)
        count = 0;
    uint32_t *nodes = mem_uninitialised(count, sizeof *nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i] = node_of_symbol(&profile->graph, rows[i].symbol);
    bounds_compute(profile, nodes, count);
    free(nodes);
}

/* Sorting by bounds needs those of all rows; the largest come first in case there are too many.  */
static void bound_candidates(struct profile *profile, struct candidates *candidates,
                             const struct top_rules *rules)
{
    struct column_list by_total;
    const char *unknown;
    size_t length;
    if (column_list_has(&rules->sort, "most") &&
        column_list_parse(&by_total, &top_columns, "total", false, &unknown, &length))
        sort_candidates(candidates, profile, &by_total);
    compute_bounds(profile, &rules->sort, candidates->rows, candidates->count);
}

/* ---- The table ---- */

static void fill_row(const void *context, size_t row, struct cell *cells)
{
    const struct profile *profile = context;
    const struct top *top = &profile->top;
    for (size_t i = 0; i < top->columns.count; i++)
        cells[i] = cell_of(profile, top->columns.columns[i], &top->rows[row]);
}

void top_build(struct profile *profile, const struct top_rules *rules)
{
    struct top *top = &profile->top;
    top->by = rules->by;
    struct candidates candidates = list_candidates(profile, rules);
    name_rows(profile, &candidates, rules);
    list_raw_names(profile, &candidates, rules);
    apply_expressions(&candidates, profile, rules);
    bound_candidates(profile, &candidates, rules);
    sort_candidates(&candidates, profile, &rules->sort);
    show_rows(top, &candidates, profile, rules);
    compute_bounds(profile, &rules->columns, top->rows, top->row_count);
    top->columns = rules->columns;
    top->table = (struct table){.row_count = top->row_count,
                                .column_count = rules->columns.count,
                                .fill = fill_row,
                                .context = profile};
    for (size_t i = 0; i < rules->columns.count; i++)
        top->table.columns[i] = rules->columns.columns[i];
}
