/* make_top.c - the table of functions, source lines, files or objects (--top), and its columns.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/make_top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/homonyms.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/model.h"
#include "model/times.h"

/* ---- Cells ---- */

/* Credits of bins may add up to a little more than the samples: no share exceeds 100 %.  */
static double share_of(double part, double total)
{
    double share = total > 0 ? 100.0 * part / total : NAN;
    return share > 100 ? 100 : share;
}

/* What the snapshot says about the first function of ROW.  */
static const struct snapshot_function *function_of(const struct top *top, const struct top_row *row)
{
    return &top->snapshot->functions[row->id];
}

static struct cell self_cell(const struct top *top, const struct top_row *row)
{
    return number_cell(row->self / top->snapshot->rate);
}

static struct cell self_share_cell(const struct top *top, const struct top_row *row)
{
    return number_cell(share_of(row->self, top->snapshot->self_samples));
}

static struct cell cumulative_cell(const struct top *top, const struct top_row *row)
{
    return number_cell(share_of(row->before + fabs(row->self), top->snapshot->self_samples));
}

static struct cell total_cell(const struct top *top, const struct top_row *row)
{
    return number_cell(row->total / top->snapshot->rate);
}

static struct cell total_share_cell(const struct top *top, const struct top_row *row)
{
    return number_cell(share_of(row->total, top->snapshot->inclusive_samples));
}

/* Whether the row stands for one function.  */
static bool is_single(const struct top *top)
{
    return top->by == TOP_FUNCTIONS;
}

/* Whether people see the same number for times A and B.  */
static bool look_equal(const struct top *top, double a, double b)
{
    double scale = pow(10, top->table.time_decimals);
    return round(a * scale) == round(b * scale);
}

/* BOUND, a bound of the inclusive time of FUNCTION, which is in ROW.  */
static struct cell bound_cell(const struct top *top, const struct top_row *row,
                              const struct snapshot_function *function, double bound)
{
    double total = row->total / top->snapshot->rate;
    struct cell cell = number_cell(bound);
    cell.is_repeated =
        look_equal(top, function->least, total) && look_equal(top, function->most, total);
    return cell;
}

static struct cell least_cell(const struct top *top, const struct top_row *row)
{
    const struct snapshot_function *function = function_of(top, row);
    return is_single(top) ? bound_cell(top, row, function, function->least) : empty_cell();
}

static struct cell most_cell(const struct top *top, const struct top_row *row)
{
    const struct snapshot_function *function = function_of(top, row);
    return is_single(top) ? bound_cell(top, row, function, function->most) : empty_cell();
}

static struct cell calls_cell(const struct top *top, const struct top_row *row)
{
    (void)top;
    return row->calls != 0 ? count_cell(row->calls) : empty_cell();
}

static double per_call(const struct top *top, double samples, uint64_t calls)
{
    return calls > 0 ? samples / top->snapshot->rate / (double)calls : NAN;
}

static struct cell self_per_call_cell(const struct top *top, const struct top_row *row)
{
    return number_cell(per_call(top, row->self, row->calls));
}

/* Of a function in a cycle: per call from outside of the cycle.  */
static struct cell total_per_call_cell(const struct top *top, const struct top_row *row)
{
    const struct snapshot_function *function = function_of(top, row);
    uint64_t calls =
        function->cycle != 0 ? top->snapshot->cycles[function->cycle - 1].calls : function->calls;
    return number_cell(per_call(top, row->total, calls));
}

static struct cell samples_cell(const struct top *top, const struct top_row *row)
{
    return isnan(top->snapshot->rate) ? empty_cell() : number_cell(row->self);
}

static struct cell error_of(const struct top *top, double samples)
{
    enum { FEW_SAMPLES = 10 };
    struct cell cell = number_cell(samples > 0 ? snapshot_error(top->snapshot, samples) : NAN);
    cell.is_doubtful = cell.kind == CELL_NUMBER && cell.number > 0 && samples < FEW_SAMPLES;
    return cell;
}

static struct cell error_cell(const struct top *top, const struct top_row *row)
{
    return error_of(top, row->self);
}

static struct cell total_error_cell(const struct top *top, const struct top_row *row)
{
    bool is_known = top->by < TOP_OBJECTS && origin_traits(top->snapshot->origin)->has_error;
    return is_known ? error_of(top, row->total) : empty_cell();
}

static struct cell callers_cell(const struct top *top, const struct top_row *row)
{
    return is_single(top) ? count_cell(top->callers[row->id]) : empty_cell();
}

static struct cell callees_cell(const struct top *top, const struct top_row *row)
{
    return is_single(top) ? count_cell(top->callees[row->id]) : empty_cell();
}

static struct cell cycle_cell(const struct top *top, const struct top_row *row)
{
    uint32_t cycle = is_single(top) ? function_of(top, row)->cycle : 0;
    return cycle != 0 ? count_cell(cycle) : empty_cell();
}

static struct cell file_cell(const struct top *top, const struct top_row *row)
{
    return text_cell(row->file != NO_ID ? top->file_labels[row->file] : NULL);
}

static struct cell line_cell(const struct top *top, const struct top_row *row)
{
    bool has_line = top->by <= TOP_LINES && row->file != NO_ID;
    return has_line ? count_cell(function_of(top, row)->line) : empty_cell();
}

static struct cell address_cell(const struct top *top, const struct top_row *row)
{
    const struct snapshot_function *function = function_of(top, row);
    bool has_address =
        is_single(top) && function->kind == FUNCTION_CODE && snapshot_has_image(top->snapshot);
    return has_address ? count_cell(function->address) : empty_cell();
}

static struct cell name_cell(const struct top *top, const struct top_row *row)
{
    return text_cell(top->names[row->id]);
}

static struct cell raw_cell(const struct top *top, const struct top_row *row)
{
    return text_cell(top->by != TOP_FILES ? top->raws[row->id] : NULL);
}

/* ---- Columns ---- */

enum { COLUMN_TOTAL = 3 };

/* clang-format off */
static const struct top_column {
    struct table_column column;
    struct cell (*cell)(const struct top *top, const struct top_row *row);
} all[] = {
    {{"self",        UNIT_TIME,     2, false}, self_cell},
    {{"self%",       UNIT_PERCENT,  2, false}, self_share_cell},
    {{"cumulative%", UNIT_PERCENT,  2, false}, cumulative_cell},
    [COLUMN_TOTAL] =
    {{"total",       UNIT_TIME,     2, false}, total_cell},
    {{"total%",      UNIT_PERCENT,  2, false}, total_share_cell},
    {{"total-error", UNIT_TIME,     2, false}, total_error_cell},
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
    {{"name",        UNIT_NAME,     0, true},  name_cell},
    {{"raw",         UNIT_NONE,     0, true},  raw_cell},
};
/* clang-format on */

/* Least goes what rows are not sorted by.  */
static const struct column_step steps[] = {
    {"error", "self"}, {"total-error", "total"}, {"total-error", NULL}, {"least", NULL},
    {"most", NULL},    {"calls", NULL},          {"total%", NULL},      {"error", NULL},
};
enum { WHOLE_STEPS = 5 };

const struct column_set top_columns = {all, ARRAY_LENGTH(all), sizeof *all};

const struct column_list top_by_total = {.columns = {&all[COLUMN_TOTAL].column}, .count = 1};

static bool has_column(const struct top_rules *rules, const char *name)
{
    return column_list_has(&rules->columns, name) || column_list_has(&rules->sort, name);
}

static struct cell cell_of(const struct top *top, const struct table_column *column,
                           const struct top_row *row)
{
    return ((const struct top_column *)(const void *)column)->cell(top, row);
}

static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->kind == CELL_TEXT)
        return strcmp(a->text, b->text);
    if (a->kind == CELL_COUNT)
        return compare_descending_u64(a->count, b->count);
    return compare_descending(fabs(a->number), fabs(b->number));
}

/* ---- Groups ---- */

/* Whether rows have inclusive times: of functions, and of lines if stacks measured these, where one
   symbol has the time of its line.  In other groups a callee's time would count more than once.  */
static bool has_totals(const struct snapshot *snapshot, enum top_group by)
{
    return by == TOP_FUNCTIONS || by == TOP_OBJECTS ||
           (by == TOP_LINES && origin_traits(snapshot->origin)->has_error);
}

/* Whether the table has a row for FUNCTION: for time, calls, or time of what it calls, which `main'
   may have alone.  */
static bool has_row(const struct snapshot *snapshot, const struct snapshot_function *function,
                    const struct top_rules *rules)
{
    bool has_samples = !isnan(function->self_samples) && function->self_samples != 0;
    bool has_total = has_totals(snapshot, rules->by) && fabs(function->total_samples) > 0;
    return function->is_listed &&
           (rules->has_zeros || function->calls != 0 || has_samples || has_total);
}

/* The inclusive time of a member of a cycle is that of the whole cycle.  Without calls it is not
   known.  */
static struct top_row row_of(struct top *top, uint32_t id, const struct snapshot_function *function)
{
    uint32_t file = function->file != NULL ? string_map_number(&top->files, function->file) : NO_ID;
    return (struct top_row){.id = id,
                            .count = 1,
                            .file = file,
                            .self = isnan(function->self_samples) ? 0 : function->self_samples,
                            .total = function->total_samples,
                            .calls = function->calls};
}

/* The number of the group that ROW belongs to.  What has no known place is grouped by name.  */
static uint32_t group_of(struct pair_map *groups, const struct top_row *row, uint32_t line,
                         enum top_group by)
{
    if (by == TOP_FILES)
        return pair_map_number(groups, row->file, 0);
    return row->file != NO_ID ? pair_map_number(groups, row->file, line)
                              : pair_map_number(groups, NO_ID, (uint64_t)row->id + 1);
}

static void add_to_group(struct top_row *group, const struct top_row *row, bool has_total)
{
    if (group->count == 0) {
        *group = *row;
        group->total = has_total ? row->total : NAN;
        return;
    }
    group->count++;
    group->self += row->self;
    group->total += has_total ? row->total : NAN;
    group->calls = sum_u64(group->calls, row->calls);
}

static void list_rows(struct top *top, const struct top_rules *rules)
{
    const struct snapshot *snapshot = top->snapshot;
    struct pair_map groups = {0};
    bool is_grouped = rules->by == TOP_LINES || rules->by == TOP_FILES;
    top->rows = mem_array(snapshot->function_count, sizeof *top->rows);
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        if (!has_row(snapshot, function, rules))
            continue;
        const struct top_row row = row_of(top, id, function);
        if (is_grouped)
            add_to_group(&top->rows[group_of(&groups, &row, function->line, rules->by)], &row,
                         has_totals(snapshot, rules->by));
        else
            top->rows[top->row_count++] = row;
    }
    if (is_grouped)
        top->row_count = groups.count;
    pair_map_free(&groups);
}

bool top_needs_arcs(const struct top_rules *rules)
{
    return has_column(rules, "callers") || has_column(rules, "callees");
}

/* Counts the callers and callees of each function: others, whose calls were counted or have
   measured time.  */
static void count_neighbours(struct top *top, const struct top_rules *rules)
{
    const struct snapshot *snapshot = top->snapshot;
    if (!top_needs_arcs(rules))
        return;
    top->callers = mem_array(snapshot->function_count, sizeof *top->callers);
    top->callees = mem_array(snapshot->function_count, sizeof *top->callees);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        const struct arc *arc = &snapshot->arcs[i];
        bool was_called = (arc->count > 0 || line_total(&snapshot->arc_times[i]) != 0) &&
                          arc->caller != arc->callee;
        top->callers[arc->callee] += was_called;
        top->callees[arc->caller] += was_called;
    }
}

/* ---- Names ---- */

static void label_files(struct top *top)
{
    top->file_labels = arena_alloc(&top->arena, top->files.count * sizeof *top->file_labels);
    for (size_t i = 0; i < top->files.count; i++)
        top->file_labels[i] = arena_escape(&top->arena, top->files.strings[i]);
}

static void name_rows(struct top *top, const struct top_rules *rules)
{
    struct arena *arena = &top->arena;
    struct short_names shorts = {0};
    size_t size = top->snapshot->function_count * sizeof *top->names;
    top->names = arena_alloc(arena, size);
    top->raws = has_column(rules, "raw") ? arena_alloc(arena, size) : NULL;
    for (size_t i = 0; i < top->row_count && rules->names == NAMES_SHORT; i++)
        short_names_add(&shorts, function_of(top, &top->rows[i])->name);
    for (size_t i = 0; i < top->row_count; i++) {
        const struct top_row *row = &top->rows[i];
        const struct snapshot_function *function = function_of(top, row);
        const char *name = rules->names == NAMES_RAW ? arena_escape(arena, function->raw)
                           : rules->names == NAMES_SHORT
                               ? short_names_of(&shorts, arena, function->name)
                               : function->name;
        uint32_t cycle = row->count == 1 ? function->cycle : 0;
        if (rules->by == TOP_FILES)
            name = row->file != NO_ID ? top->file_labels[row->file] : "<unknown>";
        top->names[row->id] = cycle != 0 ? arena_format(arena, "%s <cycle %u>", name, cycle) : name;
        if (top->raws != NULL)
            top->raws[row->id] = arena_escape(arena, function->raw);
    }
    short_names_free(&shorts);
}

/* Makes the names of all rows different.  */
static void tell_rows_apart(struct top *top)
{
    struct homonym *functions = mem_uninitialised(top->row_count, sizeof *functions);
    for (size_t i = 0; i < top->row_count; i++) {
        const struct snapshot_function *function = function_of(top, &top->rows[i]);
        functions[i] = (struct homonym){.name = top->names[top->rows[i].id],
                                        .file = function->file,
                                        .address = function->address,
                                        .function = (uint32_t)i};
    }
    tell_apart(functions, top->row_count, &top->arena);
    for (size_t i = 0; i < top->row_count; i++) {
        const char **name = &top->names[top->rows[i].id];
        if (functions[i].name != *name)
            *name = arena_escape(&top->arena, functions[i].name);
    }
    free(functions);
}

/* ---- Focus and hide ---- */

/* Whether EXPRESSION matches the name in ROW: as it is printed, whole or short.  */
static bool matches(const regex_t *expression, const struct top *top, const struct top_row *row)
{
    const char *file = row->file != NO_ID ? top->file_labels[row->file] : NULL;
    return name_matches(expression, top->names[row->id], file) ||
           (top->by != TOP_FILES &&
            name_form_matches(expression, function_of(top, row)->name, file));
}

static void hide_row(struct top *top, const struct top_row *row)
{
    top->hidden_count++;
    top->hidden += fabs(row->self);
}

/* Keeps the rows that `focus' matches and `hide' does not.  */
static void match_rows(struct top *top, const struct top_rules *rules)
{
    size_t count = top->row_count;
    top->is_unmatched = rules->focus != NULL && count > 0;
    top->row_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct top_row *row = &top->rows[i];
        bool is_focused = rules->focus == NULL || matches(rules->focus, top, row);
        top->is_unmatched = top->is_unmatched && !is_focused;
        if (is_focused && (rules->hide == NULL || !matches(rules->hide, top, row)))
            top->rows[top->row_count++] = *row;
        else
            hide_row(top, row);
    }
}

/* ---- Order, and which rows are shown ---- */

struct ordering {
    const struct top *top;
    const struct column_list *sort;
};

/* Compares two rows by their cells, of which the first that differs decides: numbers descend by
   their absolute values and texts ascend, or the reverse; empty cells come last in both cases.  */
static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *by = context;
    int order = 0;
    for (size_t i = 0; i < by->sort->count && order == 0; i++) {
        const struct cell left = cell_of(by->top, by->sort->columns[i], &by->top->rows[a]);
        const struct cell right = cell_of(by->top, by->sort->columns[i], &by->top->rows[b]);
        if (left.kind == CELL_EMPTY || right.kind == CELL_EMPTY)
            order = (left.kind == CELL_EMPTY) - (right.kind == CELL_EMPTY);
        else
            order = compare_cells(&left, &right) * (by->sort->is_reversed[i] ? -1 : 1);
    }
    return order;
}

static void sort_rows(struct top *top, const struct column_list *sort)
{
    const struct ordering by = {top, sort};
    uint32_t *order = identity_ids(top->row_count);
    sort_ids(order, top->row_count, compare_rows, &by);
    top->rows = mem_reorder(top->rows, order, top->row_count, sizeof *top->rows);
}

static bool is_large(const struct top *top, const struct top_row *row, double percent)
{
    double part = fmax(fabs(row->self), fabs(row->total)); /* the other one, if one is NaN */
    return percent <= 0 || 100 * part >= percent * top->snapshot->self_samples;
}

/* Keeps the rows that are shown.  */
static void thin_rows(struct top *top, const struct top_rules *rules)
{
    size_t count = top->row_count;
    top->row_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct top_row *row = &top->rows[i];
        if ((rules->limit != 0 && top->row_count == rules->limit) ||
            !is_large(top, row, rules->min_share)) {
            hide_row(top, row);
            continue;
        }
        row->before = top->shown;
        top->shown += fabs(row->self);
        top->rows[top->row_count++] = *row;
    }
}

/* ---- The table ---- */

static void fill_row(const void *context, size_t row, struct cell *cells)
{
    const struct top *top = context;
    for (size_t i = 0; i < top->columns.count; i++)
        cells[i] = cell_of(top, top->columns.columns[i], &top->rows[row]);
}

static enum table_tone tone_of_row(const void *context, size_t row)
{
    const struct top *top = context;
    return tone_of_share(share_of(fabs(top->rows[row].self), top->snapshot->self_samples));
}

void top_build(struct top *top, const struct snapshot *snapshot, const struct top_rules *rules)
{
    *top = (struct top){.snapshot = snapshot, .by = rules->by, .columns = rules->columns};
    list_rows(top, rules);
    count_neighbours(top, rules);
    label_files(top);
    name_rows(top, rules);
    if (rules->tells_apart && rules->by == TOP_FUNCTIONS)
        tell_rows_apart(top);
    match_rows(top, rules);
    if (column_list_has(&rules->sort, "most")) /* many have equal bounds: the largest come first */
        sort_rows(top, &top_by_total);
    sort_rows(top, &rules->sort);
    thin_rows(top, rules);
    top->table = (struct table){.row_count = top->row_count,
                                .column_count = rules->columns.count,
                                .steps = steps,
                                .step_count = ARRAY_LENGTH(steps),
                                .whole_steps = WHOLE_STEPS,
                                .kept = rules->kept,
                                .fill = fill_row,
                                .tone = tone_of_row,
                                .context = top};
    for (size_t i = 0; i < rules->columns.count; i++)
        top->table.columns[i] = rules->columns.columns[i];
}

void top_free(struct top *top)
{
    free(top->rows);
    free(top->callers);
    free(top->callees);
    string_map_free(&top->files);
    arena_free(&top->arena);
    *top = (struct top){0};
}
