/* compare_table.c - a comparison as a table.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "base/text.h"

/* ---- Cells ---- */

/* The calls of one run: a whole number unless runs differ.  */
static struct cell calls_cell(const struct compared *row, enum side side)
{
    double calls = row->calls[side];
    struct cell cell = number_cell(calls);
    if (row->calls[BEFORE] == 0 && row->calls[AFTER] == 0)
        return empty_cell();
    if (calls == floor(calls))
        cell = count_cell(row->whole_calls[side]);
    cell.is_doubtful = row->has_varying_calls;
    return cell;
}

static double growth(const double values[SIDES])
{
    return values[BEFORE] > 0 ? 100 * (values[AFTER] / values[BEFORE] - 1) : (double)NAN;
}

static struct cell before_cell(const struct compared *row)
{
    return number_cell(row->time[BEFORE]);
}

static struct cell after_cell(const struct compared *row)
{
    return number_cell(row->time[AFTER]);
}

static struct cell after_error_cell(const struct compared *row)
{
    return number_cell(row->after_error);
}

/* The change in percent, doubtful if samples are too few for a test.  */
static struct cell change_cell(const struct compared *row)
{
    struct cell cell = number_cell(row->change);
    cell.is_doubtful = row->kind == COMPARED_BOTH && isnan(row->p);
    return cell;
}

static struct cell error_cell(const struct compared *row)
{
    return number_cell(row->error);
}

static struct cell growth_cell(const struct compared *row)
{
    return number_cell(growth(row->time));
}

static struct cell p_cell(const struct compared *row)
{
    return number_cell(row->p);
}

static struct cell calls_before_cell(const struct compared *row)
{
    return calls_cell(row, BEFORE);
}

static struct cell calls_after_cell(const struct compared *row)
{
    return calls_cell(row, AFTER);
}

static struct cell calls_growth_cell(const struct compared *row)
{
    return number_cell(growth(row->calls));
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

static struct cell callers_cell(const struct compared *row)
{
    return text_cell(row->callers);
}

/* ---- Columns ---- */

/* What a column is about.  */
enum subject { OF_FUNCTION, OF_TIME, OF_INCLUSIVE, OF_CALLS };

static const struct comparison_column {
    struct table_column column;
    struct cell (*cell)(const struct compared *row);
    enum subject subject;
    bool is_for_programs; /* people see the rest */
} columns[] = {
    {{"before", UNIT_TIME, 2, false}, before_cell, OF_TIME, false},
    {{"after", UNIT_TIME, 2, false}, after_cell, OF_TIME, false},
    {{"after-error", UNIT_TIME, 2, false}, after_error_cell, OF_TIME, true},
    {{"change", UNIT_TIME, 2, false}, change_cell, OF_TIME, false},
    {{"error", UNIT_TIME, 2, false}, error_cell, OF_TIME, false},
    {{"change%", UNIT_PERCENT, 1, false}, growth_cell, OF_TIME, false},
    {{"p", UNIT_NONE, 4, false}, p_cell, OF_TIME, false},
    {{"total-before", UNIT_TIME, 2, false}, before_cell, OF_INCLUSIVE, false},
    {{"total-after", UNIT_TIME, 2, false}, after_cell, OF_INCLUSIVE, false},
    {{"total-change", UNIT_TIME, 2, false}, change_cell, OF_INCLUSIVE, false},
    {{"total-error", UNIT_TIME, 2, false}, error_cell, OF_INCLUSIVE, false},
    {{"total-change%", UNIT_PERCENT, 1, false}, growth_cell, OF_INCLUSIVE, true},
    {{"total-p", UNIT_NONE, 4, false}, p_cell, OF_INCLUSIVE, false},
    {{"calls-before", UNIT_NONE, 1, false}, calls_before_cell, OF_CALLS, true},
    {{"calls", UNIT_NONE, 1, false}, calls_after_cell, OF_CALLS, false},
    {{"calls%", UNIT_PERCENT, 1, false}, calls_growth_cell, OF_CALLS, false},
    {{"kind", UNIT_NONE, 0, true}, kind_cell, OF_FUNCTION, false},
    {{"name", UNIT_NAME, 0, true}, name_cell, OF_FUNCTION, false},
    {{"file", UNIT_NONE, 0, true}, file_cell, OF_FUNCTION, true},
    {{"moved-from", UNIT_NONE, 0, true}, moved_from_cell, OF_FUNCTION, false},
    {{"callers", UNIT_NONE, 0, true}, callers_cell, OF_FUNCTION, false},
};

const struct column_set comparison_columns = {columns, ARRAY_LENGTH(columns), sizeof *columns};

/* Inclusive times go before own ones, and of both the change goes last.  */
static const struct column_step steps[] = {
    {"error", "change"},    {"total-error", "total-change"},
    {"calls%", NULL},       {"calls", NULL},
    {"total-before", NULL}, {"total-after", NULL},
    {"total-p", NULL},      {"total-change", NULL},
    {"change%", NULL},      {"error", NULL},
    {"before", NULL},
};

static const struct comparison_column *find_column(const char *name)
{
    size_t i = 0;
    while (strcmp(columns[i].column.name, name) != 0)
        i++;
    return &columns[i];
}

bool compare_needs_inclusive(const struct column_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (((const struct comparison_column *)(const void *)list->columns[i])->subject ==
            OF_INCLUSIVE)
            return true;
    return false;
}

static struct cell cell_of(const struct comparison *comparison, const struct table_column *named,
                           size_t row)
{
    const struct comparison_column *column = (const void *)named;
    const struct comparison *of =
        column->subject == OF_INCLUSIVE ? comparison->inclusive : comparison;
    return column->cell(&of->rows[row]);
}

static void fill_row(const void *context, size_t row, struct cell *cells)
{
    const struct comparison *comparison = context;
    const struct table *table = &comparison->table;
    for (size_t i = 0; i < table->column_count; i++)
        cells[i] = cell_of(comparison, table->columns[i], comparison->shown[row]);
}

/* Only significant changes stand out.  */
static enum table_tone tone_of_row(const void *context, size_t row)
{
    const struct comparison *comparison = context;
    const struct compared *compared = &comparison->rows[comparison->shown[row]];
    if (!(compared->p < comparison->alpha))
        return TONE_PLAIN;
    return compared->change > 0 ? TONE_WORSE : TONE_BETTER;
}

/* ---- Rows ---- */

/* Whether either time of ROW is PERCENT or more of TOTAL's, or not known.  */
static bool has_share(const struct compared *row, const struct compared *total, double percent)
{
    return !(100 * row->time[BEFORE] < percent * total->time[BEFORE] &&
             100 * row->time[AFTER] < percent * total->time[AFTER]);
}

/* Whether own or inclusive times of row I are large enough.  */
static bool is_large(const struct comparison *comparison, size_t i, double percent)
{
    const struct comparison *inclusive = comparison->inclusive;
    return !(percent > 0) || has_share(&comparison->rows[i], compared_total(comparison), percent) ||
           (inclusive != NULL &&
            has_share(&inclusive->rows[i], compared_total(inclusive), percent));
}

static void show_rows(struct comparison *comparison, const struct compare_table_rules *rules,
                      const uint32_t *order)
{
    size_t shown[ARRAY_LENGTH(comparison->kinds)] = {0};
    comparison->shown = mem_uninitialised(comparison->row_count, sizeof *comparison->shown);
    for (size_t i = 0; i < comparison->row_count; i++) {
        enum compared_kind kind = comparison->rows[order[i]].kind;
        if (kind != COMPARED_TOTAL && (!is_large(comparison, order[i], rules->min_share) ||
                                       (rules->limit != 0 && shown[kind] == rules->limit)))
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

/* All rows as SORT says; free with free.  */
static uint32_t *ordered_rows(const struct comparison *comparison, const struct column_list *sort)
{
    const struct ordering by = {comparison, sort};
    uint32_t *order = identity_ids(comparison->row_count);
    if (sort->count > 0)
        sort_ids(order, comparison->row_count, compare_rows, &by);
    return order;
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
    }
}

/* Names all rows in STYLE.  What tells functions of one name apart stays behind it.  */
static void label_rows(struct comparison *comparison, enum name_style style)
{
    struct arena *arena = &comparison->arena;
    struct short_names shorts = {0};
    for (size_t i = 0; i < comparison->row_count && style == NAMES_SHORT; i++)
        if (comparison->rows[i].function != NULL)
            short_names_add(&shorts, comparison->rows[i].function);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        row->label = row->name;
        if (style == NAMES_FULL || row->function == NULL)
            continue;
        size_t length = strlen(row->function);
        bool has_more = strncmp(row->name, row->function, length) == 0;
        const char *name =
            style == NAMES_RAW ? row->raw : short_names_of(&shorts, arena, row->function);
        row->label = arena_join(arena, name, has_more ? row->name + length : "");
    }
    short_names_free(&shorts);
}

/* Whether people need COLUMN: kinds if functions are new or gone, files if some have moved, callers
   if some changed.  */
static bool is_needed(const struct comparison *comparison, const struct comparison_column *column)
{
    bool has_moved = false, has_callers = false;
    if (column->is_for_programs)
        return false;
    if (column->cell == kind_cell)
        return comparison->kinds[COMPARED_NEW] + comparison->kinds[COMPARED_GONE] > 0;
    if (column->cell != moved_from_cell && column->cell != callers_cell)
        return true;
    for (size_t i = 0; i < comparison->shown_count; i++) {
        const struct compared *row = &comparison->rows[comparison->shown[i]];
        has_moved |= row->moved_from != NULL;
        has_callers |= row->callers != NULL;
    }
    return column->cell == moved_from_cell ? has_moved : has_callers;
}

/* The decimals of times with which one sample of either side shows.  */
static int decimals_of(const struct comparison *comparison)
{
    const struct comparison *inclusive = comparison->inclusive;
    double most = 0;
    int decimals = 2;
    for (enum side side = BEFORE; side < SIDES; side++) {
        most = fmax(most, comparison->sides[side].exposure);
        most = fmax(most, inclusive != NULL ? inclusive->sides[side].exposure : 0);
    }
    for (double shown = 100; shown < most && decimals < 6; shown *= 10)
        decimals++;
    return decimals;
}

/* ---- The interface ---- */

/* Adds the columns that RULES name, or those that the table has by itself.  */
static void add_columns(struct comparison *comparison, const struct compare_table_rules *rules)
{
    struct table *table = &comparison->table;
    for (size_t i = 0; i < rules->columns.count; i++)
        table->columns[table->column_count++] = rules->columns.columns[i];
    for (size_t i = 0; i < ARRAY_LENGTH(columns) && rules->columns.count == 0; i++)
        if ((columns[i].subject != OF_INCLUSIVE || comparison->inclusive != NULL) &&
            (!rules->is_for_people || is_needed(comparison, &columns[i])))
            table->columns[table->column_count++] = &columns[i].column;
}

/* Names the column with the figure that matters most, if the table has it.  */
static void name_value(struct table *table)
{
    const struct table_column *value = &find_column("after")->column;
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i] == value) {
            table->value = value;
            table->value_error = &find_column("after-error")->column;
        }
}

void compare_table(struct comparison *comparison, const struct compare_table_rules *rules)
{
    label_rows(comparison, rules->names);
    uint32_t *order = ordered_rows(comparison, &rules->sort);
    show_rows(comparison, rules, order);
    free(order);
    escape_texts(comparison);
    comparison->table =
        (struct table){.row_count = comparison->shown_count,
                       .time_decimals = decimals_of(comparison),
                       .per_call_factor = 1,
                       .steps = steps,
                       .step_count = rules->columns.count > 0 ? 0 : ARRAY_LENGTH(steps),
                       .time_unit = comparison->sides[AFTER].snapshot->unit,
                       .fill = fill_row,
                       .tone = tone_of_row,
                       .context = comparison};
    add_columns(comparison, rules);
    name_value(&comparison->table);
}
