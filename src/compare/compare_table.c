/* compare_table.c - a comparison as a table.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "base/text.h"

/* ---- Cells ---- */

/* CALLS of one run, of which there are as many WHOLE ones: a whole number unless runs differ.  */
static struct cell calls_cell(const struct compared *row, double calls, uint64_t whole)
{
    struct cell cell = calls == floor(calls) ? count_cell(whole) : number_cell(calls);
    cell.is_doubtful = row->has_varying_calls;
    return cell;
}

static struct cell other_calls_cell(const struct compared *row, enum side side)
{
    if (row->calls[BEFORE] == 0 && row->calls[AFTER] == 0)
        return empty_cell();
    return calls_cell(row, row->calls[side] - row->self_calls[side],
                      row->whole_calls[side] - (uint64_t)row->self_calls[side]);
}

static struct cell self_calls_cell(const struct compared *row, enum side side)
{
    if (row->self_calls[BEFORE] == 0 && row->self_calls[AFTER] == 0)
        return empty_cell();
    return calls_cell(row, row->self_calls[side], (uint64_t)row->self_calls[side]);
}

static struct cell before_cell(const struct compared *row, enum measure measure)
{
    return number_cell(row->times[measure].time[BEFORE]);
}

static struct cell after_cell(const struct compared *row, enum measure measure)
{
    return number_cell(row->times[measure].time[AFTER]);
}

static struct cell after_error_cell(const struct compared *row, enum measure measure)
{
    return number_cell(row->times[measure].after_error);
}

static struct cell error_cell(const struct compared *row, enum measure measure)
{
    return number_cell(row->times[measure].error);
}

/* The change, doubtful if samples are too few for a test.  */
static struct cell change_cell(const struct compared *row, enum measure measure)
{
    struct cell cell = number_cell(row->times[measure].change);
    cell.is_doubtful = row->kind == COMPARED_BOTH && isnan(row->times[measure].p);
    return cell;
}

static struct cell growth_cell(const struct compared *row, enum measure measure)
{
    const struct compared_time *time = &row->times[measure];
    if (time->growth_text == NULL)
        return number_cell(compared_growth(time->time));
    struct cell cell = text_cell(time->growth_text);
    cell.is_doubtful = row->kind == COMPARED_BOTH && isnan(time->p);
    return cell;
}

static struct cell p_cell(const struct compared *row, enum measure measure)
{
    const struct compared_time *time = &row->times[measure];
    return time->p_text != NULL ? text_cell(time->p_text) : number_cell(time->p);
}

static struct cell calls_before_cell(const struct compared *row)
{
    return other_calls_cell(row, BEFORE);
}

static struct cell calls_after_cell(const struct compared *row)
{
    return other_calls_cell(row, AFTER);
}

static struct cell calls_growth_cell(const struct compared *row)
{
    const double calls[SIDES] = {row->calls[BEFORE] - row->self_calls[BEFORE],
                                 row->calls[AFTER] - row->self_calls[AFTER]};
    return number_cell(compared_growth(calls));
}

static struct cell self_calls_before_cell(const struct compared *row)
{
    return self_calls_cell(row, BEFORE);
}

static struct cell self_calls_after_cell(const struct compared *row)
{
    return self_calls_cell(row, AFTER);
}

static struct cell kind_cell(const struct compared *row)
{
    return text_cell(compared_kind_name(row->kind));
}

static struct cell name_cell(const struct compared *row)
{
    return text_cell(row->label);
}

static struct cell file_cell(const struct compared *row)
{
    return text_cell(row->file);
}

static struct cell moved_from_cell(const struct compared *row)
{
    return text_cell(row->moved_from);
}

static struct cell took_over_cell(const struct compared *row)
{
    return text_cell(!compared_may_take_over(row) ? NULL
                     : row->taken_text != NULL    ? row->taken_text
                     : row->times[OWN].change > 0 ? row->gone_callees
                                                  : NULL);
}

static struct cell callers_cell(const struct compared *row)
{
    return text_cell(row->callers);
}

/* ---- Columns ---- */

static const struct comparison_column {
    struct table_column column;
    struct cell (*cell)(const struct compared *row); /* NULL: of a time */
    struct cell (*time_cell)(const struct compared *row, enum measure measure);
    enum compare_subject subject;
    bool is_for_programs; /* people see the rest */
} columns[] = {
    {{"before", UNIT_TIME, 2, false}, NULL, before_cell, OF_TIME, false},
    {{"after", UNIT_TIME, 2, false}, NULL, after_cell, OF_TIME, false},
    {{"after-error", UNIT_TIME, 2, false}, NULL, after_error_cell, OF_TIME, true},
    {{"change", UNIT_TIME, 2, false}, NULL, change_cell, OF_TIME, false},
    {{"error", UNIT_TIME, 2, false}, NULL, error_cell, OF_TIME, false},
    {{"change%", UNIT_PERCENT, 1, false}, NULL, growth_cell, OF_TIME, false},
    {{"p", UNIT_NONE, 4, false}, NULL, p_cell, OF_TIME, false},
    {{"total-before", UNIT_TIME, 2, false}, NULL, before_cell, OF_INCLUSIVE, false},
    {{"total-after", UNIT_TIME, 2, false}, NULL, after_cell, OF_INCLUSIVE, false},
    {{"total-change", UNIT_TIME, 2, false}, NULL, change_cell, OF_INCLUSIVE, false},
    {{"total-error", UNIT_TIME, 2, false}, NULL, error_cell, OF_INCLUSIVE, false},
    {{"total-change%", UNIT_PERCENT, 1, false}, NULL, growth_cell, OF_INCLUSIVE, true},
    {{"total-p", UNIT_NONE, 4, false}, NULL, p_cell, OF_INCLUSIVE, false},
    {{"calls-before", UNIT_NONE, 1, false}, calls_before_cell, NULL, OF_CALLS, true},
    {{"calls", UNIT_NONE, 1, false}, calls_after_cell, NULL, OF_CALLS, false},
    {{"calls%", UNIT_PERCENT, 1, false}, calls_growth_cell, NULL, OF_CALLS, false},
    {{"self-calls-before", UNIT_NONE, 1, false}, self_calls_before_cell, NULL, OF_CALLS, false},
    {{"self-calls", UNIT_NONE, 1, false}, self_calls_after_cell, NULL, OF_CALLS, false},
    {{"kind", UNIT_NONE, 0, true}, kind_cell, NULL, OF_FUNCTION, false},
    {{"name", UNIT_NAME, 0, true}, name_cell, NULL, OF_FUNCTION, false},
    {{"file", UNIT_NONE, 0, true}, file_cell, NULL, OF_FUNCTION, true},
    {{"moved-from", UNIT_NONE, 0, true}, moved_from_cell, NULL, OF_FUNCTION, false},
    {{"took-over", UNIT_NONE, 0, true}, took_over_cell, NULL, OF_FUNCTION, false},
    {{"callers", UNIT_NONE, 0, true}, callers_cell, NULL, OF_FUNCTION, false},
};

const struct column_set comparison_columns = {columns, ARRAY_LENGTH(columns), sizeof *columns};

/* Of a narrow table: p first, because without --top all rows but the total are significant, and the
   change last.  */
static const struct column_step steps[] = {
    {"p", NULL},
    {"total-p", NULL},
    {"before", NULL},
    {"total-before", NULL},
    {"took-over", NULL},
    {"callers", NULL},
    {"self-calls-before", NULL},
    {"calls-before", NULL},
    {"after", NULL},
    {"total-after", NULL},
    {"self-calls", NULL},
    {"calls", NULL},
};

static const struct comparison_column *find_column(const char *name)
{
    size_t i = 0;
    while (strcmp(columns[i].column.name, name) != 0)
        i++;
    return &columns[i];
}

static bool has_subject(const struct table_column *const *list, size_t count,
                        enum compare_subject subject)
{
    for (size_t i = 0; i < count; i++)
        if (((const struct comparison_column *)(const void *)list[i])->subject == subject)
            return true;
    return false;
}

bool compare_needs_inclusive(const struct column_list *list)
{
    return has_subject(list->columns, list->count, OF_INCLUSIVE);
}

static struct cell cell_of(const struct comparison *comparison, const struct table_column *named,
                           size_t row)
{
    const struct comparison_column *column = (const void *)named;
    enum measure measure = column->subject == OF_INCLUSIVE ? INCLUSIVE : OWN;
    if (column->cell != NULL)
        return column->cell(&comparison->rows[row]);
    bool is_hidden =
        column->time_cell == p_cell && !compared_chance(comparison, measure)->is_tested;
    return is_hidden ? empty_cell() : column->time_cell(&comparison->rows[row], measure);
}

static void fill_row(const void *context, size_t row, struct cell *cells)
{
    const struct comparison *comparison = context;
    const struct table *table = &comparison->table;
    for (size_t i = 0; i < table->column_count; i++)
        cells[i] = cell_of(comparison, table->columns[i], comparison->shown[row]);
}

/* Only significant changes stand out: of inclusive times, if the table has no others.  */
static enum table_tone tone_of_row(const void *context, size_t row)
{
    const struct comparison *comparison = context;
    const struct table *table = &comparison->table;
    bool is_inclusive = has_subject(table->columns, table->column_count, OF_INCLUSIVE) &&
                        !has_subject(table->columns, table->column_count, OF_TIME);
    const struct compared_time *time =
        &comparison->rows[comparison->shown[row]].times[is_inclusive ? INCLUSIVE : OWN];
    if (!(time->p < comparison->alpha) || time->has_taken_over)
        return TONE_PLAIN;
    return time->change > 0 ? TONE_WORSE : TONE_BETTER;
}

/* ---- Rows ---- */

/* Whether a time of ROW is PERCENT or more of the total, on either side, or not known.  */
static bool has_share(const struct comparison *comparison, const struct compared *row,
                      enum measure measure, double percent)
{
    const double *time = row->times[measure].time;
    const double *total = compared_total(comparison)->times[measure].time;
    return !(100 * time[BEFORE] < percent * total[BEFORE] &&
             100 * time[AFTER] < percent * total[AFTER]);
}

enum { LARGE_SHARE = 1 }; /* percent of the time */

/* Whether ROW is of a function that only one side has, with a hundredth of its time, or of one that
   took such a function over, as after inlining, or the other way round: then the two have one row.
 */
static bool is_large_new(const struct comparison *comparison, const struct compared *row)
{
    const double *total = compared_total(comparison)->times[OWN].time;
    const struct compared_time *own = &row->times[OWN];
    if (row->kind == COMPARED_BOTH)
        return compared_may_take_over(row) &&
               100 * row->gone_time >= LARGE_SHARE * total[own->change > 0 ? BEFORE : AFTER];
    return !row->is_in_caller && (own->time[BEFORE] > 0 || own->time[AFTER] > 0) &&
           has_share(comparison, row, OWN, LARGE_SHARE);
}

/* Whether what a column of the table is about has changed in ROW; without such a column, anything
   of it.  */
static bool has_changed(const struct comparison *comparison, const struct compared *row)
{
    const struct table *table = &comparison->table;
    bool has_time = has_subject(table->columns, table->column_count, OF_TIME);
    bool has_inclusive = has_subject(table->columns, table->column_count, OF_INCLUSIVE);
    bool has_calls = has_subject(table->columns, table->column_count, OF_CALLS);
    bool has_callers = table_has_column(table, "callers");
    if (!has_time && !has_inclusive && !has_calls)
        has_time = has_inclusive = has_calls = has_callers = true;
    if (has_time && is_large_new(comparison, row))
        return true;
    return row->kind == COMPARED_BOTH &&
           ((has_time && compared_has_changed(comparison, row, OWN)) ||
            (has_inclusive && comparison->measure_count == MEASURES &&
             compared_has_changed(comparison, row, INCLUSIVE)) ||
            (has_calls && compared_calls_differ(comparison, row)) ||
            (has_callers && row->callers != NULL));
}

static void show_rows(struct comparison *comparison, const struct compare_table_rules *rules,
                      const uint32_t *order)
{
    size_t shown[ARRAY_LENGTH(comparison->kinds)] = {0};
    comparison->shown = mem_uninitialised(comparison->row_count, sizeof *comparison->shown);
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct compared *row = &comparison->rows[order[i]];
        enum compared_kind kind = row->kind;
        bool is_some = rules->is_for_people && rules->limit != 0;
        bool stands_for_two = is_some && kind == COMPARED_BOTH && is_large_new(comparison, row);
        bool is_elsewhere =
            is_some && row->is_in_caller && has_share(comparison, row, OWN, LARGE_SHARE);
        bool is_large = !(rules->min_share > 0);
        for (enum measure m = OWN; m < comparison->measure_count; m++)
            is_large |= has_share(comparison, row, m, rules->min_share);
        if (kind != COMPARED_TOTAL && !stands_for_two &&
            (is_elsewhere || !is_large || (rules->only_changed && !has_changed(comparison, row)) ||
             (rules->limit != 0 && shown[kind] >= rules->limit)))
            continue;
        shown[kind]++;
        comparison->shown[comparison->shown_count++] = order[i];
    }
}

/* ---- Order ---- */

struct ordering {
    const struct comparison *comparison;
    const struct column_list *sort;
};

static double number_of(const struct cell *cell)
{
    return cell->kind == CELL_COUNT ? (double)cell->count : cell->number;
}

static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->kind == CELL_TEXT)
        return strcmp(a->text, b->text);
    if (a->kind == CELL_COUNT && b->kind == CELL_COUNT)
        return compare_descending_u64(a->count, b->count);
    return compare_descending(number_of(a), number_of(b));
}

/* Compares two rows by their cells, of which the first that differs decides: numbers descend and
   texts ascend, or the reverse; empty cells come last in both cases, and the total after all.  */
static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *by = context;
    const struct compared *rows = by->comparison->rows;
    int order = (rows[a].kind == COMPARED_TOTAL) - (rows[b].kind == COMPARED_TOTAL);
    for (size_t i = 0; i < by->sort->count && order == 0; i++) {
        const struct cell left = cell_of(by->comparison, by->sort->columns[i], a);
        const struct cell right = cell_of(by->comparison, by->sort->columns[i], b);
        if (left.kind == CELL_EMPTY || right.kind == CELL_EMPTY)
            order = (left.kind == CELL_EMPTY) - (right.kind == CELL_EMPTY);
        else
            order = compare_cells(&left, &right) * (by->sort->is_reversed[i] ? -1 : 1);
    }
    return order;
}

/* ---- Texts ---- */

/* `+34 ± 9'.  What is rounded to zero is `+0'.  */
static const char *growth_text(struct arena *arena, const struct compared_time *time,
                               const char *plus_minus)
{
    double percent = compared_growth(time->time), error = 100 * time->error / time->time[BEFORE];
    int decimals = error < 1 ? 1 : 0;
    if (!isfinite(percent))
        return NULL;
    if (fabs(percent) < (decimals == 1 ? 0.05 : 0.5))
        percent = 0;
    return error > 0 ? arena_format(arena, "%+.*f %s %.*f", decimals, percent, plus_minus, decimals,
                                    error)
                     : arena_format(arena, "%+.*f", decimals, percent);
}

/* Makes the texts of numbers for people; of changes unless PLUS_MINUS is NULL.  */
static void describe_rows(struct comparison *comparison, const char *plus_minus)
{
    struct arena *arena = &comparison->arena;
    for (size_t i = 0; i < comparison->shown_count; i++) {
        struct compared *row = &comparison->rows[comparison->shown[i]];
        for (size_t m = 0; m < comparison->measure_count; m++) {
            struct compared_time *time = &row->times[m];
            if (plus_minus != NULL)
                time->growth_text = growth_text(arena, time, plus_minus);
            if (isfinite(time->p))
                time->p_text = time->p < 0.00005 ? "<0.0001" : arena_format(arena, "%.4f", time->p);
        }
        if (compared_may_take_over(row))
            row->taken_text =
                arena_format(arena, row->times[OWN].change > 0 ? "%s: %.*f" : _("gave to %s: %.*f"),
                             row->gone_callees, comparison->table.time_decimals, row->gone_time);
    }
}

/* Names, files and callers with control characters escaped.  */
static void escape_texts(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    for (size_t i = 0; i < comparison->shown_count; i++) {
        struct compared *row = &comparison->rows[comparison->shown[i]];
        if (!is_printable(row->name))
            row->name = arena_escape(arena, row->name);
        if (!is_printable(row->label))
            row->label = arena_escape(arena, row->label);
        if (row->file != NULL && !is_printable(row->file))
            row->file = arena_escape(arena, row->file);
        if (row->moved_from != NULL && !is_printable(row->moved_from))
            row->moved_from = arena_escape(arena, row->moved_from);
        if (row->callers != NULL && !is_printable(row->callers))
            row->callers = arena_escape(arena, row->callers);
        if (row->gone_callees != NULL && !is_printable(row->gone_callees))
            row->gone_callees = arena_escape(arena, row->gone_callees);
    }
}

/* ROW's name in STYLE.  What tells functions of one name apart stays behind it.  */
static const char *label_of(struct arena *arena, struct short_names *shorts,
                            const struct compared *row, enum name_style style)
{
    if (style == NAMES_FULL || row->function == NULL)
        return row->name;
    size_t length = strlen(row->function);
    bool has_more = strncmp(row->name, row->function, length) == 0;
    const char *name = style == NAMES_RAW ? row->raw : short_names_of(shorts, arena, row->function);
    return arena_join(arena, name, has_more ? row->name + length : "");
}

/* Names all rows in STYLE.  */
static void label_rows(struct comparison *comparison, enum name_style style)
{
    struct short_names shorts = {0};
    for (size_t i = 0; i < comparison->row_count && style == NAMES_SHORT; i++)
        if (comparison->rows[i].function != NULL)
            short_names_add(&shorts, comparison->rows[i].function);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        row->label = label_of(&comparison->arena, &shorts, row, style);
    }
    short_names_free(&shorts);
}

/* Whether people need column C of the table: it says something in a row that is shown; of kinds,
   that functions are new or gone.  */
static bool is_needed(const struct comparison *comparison, size_t c)
{
    const struct comparison_column *column = (const void *)comparison->table.columns[c];
    bool is_kind = column->cell == kind_cell;
    for (size_t i = 0; i < comparison->shown_count; i++) {
        enum compared_kind kind = comparison->rows[comparison->shown[i]].kind;
        struct cell cell = cell_of(comparison, &column->column, comparison->shown[i]);
        if (is_kind ? kind == COMPARED_NEW || kind == COMPARED_GONE : cell.kind != CELL_EMPTY)
            return true;
    }
    return false;
}

/* The decimals of times with which one sample of either side shows.  */
static int decimals_of(const struct comparison *comparison)
{
    double most = 0;
    int decimals = 2;
    for (size_t m = 0; m < comparison->measure_count; m++)
        for (enum side side = BEFORE; side < SIDES; side++)
            most = fmax(most, comparison->measures[m].sides[side].exposure);
    for (double shown = 100; shown < most && decimals < 6; shown *= 10)
        decimals++;
    return decimals;
}

/* ---- The interface ---- */

/* The columns of a narrow table, in this order; with calls beside times, these are in the place of
   kinds.  */
static const char *const narrow_columns[] = {
    [OF_TIME] = "before,after,change%,p,kind,name,took-over",
    [OF_INCLUSIVE] = "total-before,total-after,total-change%,total-p,kind,name",
    [OF_CALLS] = "calls-before,calls,calls%,self-calls-before,self-calls,kind,name,callers",
};

/* Adds the columns of a narrow table.  */
static void add_narrow(struct table *table, const struct compare_table_rules *rules)
{
    struct column_list list;
    const char *unknown;
    size_t length;
    column_list_parse(&list, &comparison_columns, narrow_columns[rules->subject], false, &unknown,
                      &length);
    for (size_t i = 0; i < list.count; i++) {
        bool is_kind = list.columns[i] == &find_column("kind")->column;
        table->columns[table->column_count++] =
            is_kind && rules->has_calls ? &find_column("calls%")->column : list.columns[i];
    }
}

/* Adds the columns that RULES name, or all that the table has by itself.  */
static void add_columns(struct comparison *comparison, const struct compare_table_rules *rules)
{
    struct table *table = &comparison->table;
    if (rules->columns.count == 0 && rules->is_narrow) {
        add_narrow(table, rules);
        return;
    }
    for (size_t i = 0; i < rules->columns.count; i++)
        table->columns[table->column_count++] = rules->columns.columns[i];
    for (size_t i = 0; i < ARRAY_LENGTH(columns) && rules->columns.count == 0; i++)
        if ((columns[i].subject != OF_INCLUSIVE || comparison->measure_count == MEASURES) &&
            !(rules->is_for_people && columns[i].is_for_programs))
            table->columns[table->column_count++] = &columns[i].column;
}

/* Drops columns that nobody named and that say nothing in the rows that are shown.  */
static void drop_columns(struct comparison *comparison)
{
    struct table *table = &comparison->table;
    size_t kept = 0;
    for (size_t i = 0; i < table->column_count; i++)
        if (is_needed(comparison, i))
            table->columns[kept++] = table->columns[i];
    table->column_count = kept;
}

void compare_table(struct comparison *comparison, const struct compare_table_rules *rules)
{
    label_rows(comparison, rules->names);
    const struct ordering by = {comparison, &rules->sort};
    uint32_t *order = identity_ids(comparison->row_count);
    if (rules->sort.count > 0)
        sort_ids(order, comparison->row_count, compare_rows, &by);
    comparison->table =
        (struct table){.time_decimals = decimals_of(comparison),
                       .per_call_factor = 1,
                       .steps = steps,
                       .step_count = ARRAY_LENGTH(steps),
                       .kept = rules->columns.count > 0 ? rules->columns : rules->sort,
                       .time_unit = comparison->snapshots[AFTER]->unit.name,
                       .fill = fill_row,
                       .tone = tone_of_row,
                       .context = comparison};
    add_columns(comparison, rules);
    show_rows(comparison, rules, order);
    free(order);
    comparison->table.row_count = comparison->shown_count;
    escape_texts(comparison);
    if (rules->is_for_people)
        describe_rows(comparison, rules->is_narrow ? rules->plus_minus : NULL);
    if (rules->is_for_people && rules->columns.count == 0)
        drop_columns(comparison);
    if (table_has_column(&comparison->table, "after")) {
        comparison->table.value = &find_column("after")->column; /* what matters most */
        comparison->table.value_error = &find_column("after-error")->column;
    }
}
