/* compare_table.c - a comparison as a table.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare_table.h"

#include <math.h>

#include "base/common.h"
#include "base/memory.h"
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
    return text_cell(row->name);
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

enum {
    COLUMN_AFTER_ERROR = 2,
    COLUMN_CALLS_BEFORE = 7,
    COLUMN_KIND = 10,
    COLUMN_FILE = 12,
    COLUMN_MOVED_FROM = 13,
    COLUMN_CALLERS = 14
};

static const struct comparison_column {
    struct table_column column;
    struct cell (*cell)(const struct compared *row);
} columns[] = {
    {{"before", UNIT_TIME, 2, false}, before_cell},
    {{"after", UNIT_TIME, 2, false}, after_cell},
    [COLUMN_AFTER_ERROR] = {{"after-error", UNIT_TIME, 2, false}, after_error_cell},
    {{"change", UNIT_TIME, 2, false}, change_cell},
    {{"error", UNIT_TIME, 2, false}, error_cell},
    {{"change%", UNIT_PERCENT, 1, false}, growth_cell},
    {{"p", UNIT_NONE, 4, false}, p_cell},
    [COLUMN_CALLS_BEFORE] = {{"calls-before", UNIT_NONE, 1, false}, calls_before_cell},
    {{"calls", UNIT_NONE, 1, false}, calls_after_cell},
    {{"calls%", UNIT_PERCENT, 1, false}, calls_growth_cell},
    [COLUMN_KIND] = {{"kind", UNIT_NONE, 0, true}, kind_cell},
    {{"name", UNIT_NONE, 0, true}, name_cell},
    [COLUMN_FILE] = {{"file", UNIT_NONE, 0, true}, file_cell},
    [COLUMN_MOVED_FROM] = {{"moved-from", UNIT_NONE, 0, true}, moved_from_cell},
    [COLUMN_CALLERS] = {{"callers", UNIT_NONE, 0, true}, callers_cell},
};

static void fill_row(const void *context, size_t row, struct cell *cells)
{
    const struct comparison *comparison = context;
    const struct table *table = &comparison->table;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct comparison_column *column = (const void *)table->columns[i];
        cells[i] = column->cell(&comparison->rows[comparison->shown[row]]);
    }
}

/* ---- Rows ---- */

static void show_rows(struct comparison *comparison, size_t limit)
{
    size_t shown[ARRAY_LENGTH(comparison->kinds)] = {0};
    comparison->shown = mem_uninitialised(comparison->row_count, sizeof *comparison->shown);
    for (size_t i = 0; i < comparison->row_count; i++)
        if (limit == 0 || shown[comparison->rows[i].kind]++ < limit)
            comparison->shown[comparison->shown_count++] = (uint32_t)i;
}

/* Names, files and callers with control characters escaped.  */
static void escape_texts(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    for (size_t i = 0; i < comparison->shown_count; i++) {
        struct compared *row = &comparison->rows[comparison->shown[i]];
        if (!is_printable(row->name))
            row->name = arena_escape(arena, row->name);
        if (row->file != NULL && !is_printable(row->file))
            row->file = arena_escape(arena, row->file);
        if (row->moved_from != NULL && !is_printable(row->moved_from))
            row->moved_from = arena_escape(arena, row->moved_from);
        if (row->callers != NULL && !is_printable(row->callers))
            row->callers = arena_escape(arena, row->callers);
    }
}

/* Whether people need the column: kinds if functions are new or gone, files if some have moved,
   callers if some changed.  */
static bool is_needed(const struct comparison *comparison, size_t column)
{
    bool has_moved = false, has_callers = false;
    if (column == COLUMN_AFTER_ERROR || column == COLUMN_CALLS_BEFORE || column == COLUMN_FILE)
        return false;
    if (column == COLUMN_KIND)
        return comparison->kinds[COMPARED_NEW] + comparison->kinds[COMPARED_GONE] > 0;
    if (column != COLUMN_MOVED_FROM && column != COLUMN_CALLERS)
        return true;
    for (size_t i = 0; i < comparison->shown_count; i++) {
        const struct compared *row = &comparison->rows[comparison->shown[i]];
        has_moved |= row->moved_from != NULL;
        has_callers |= row->callers != NULL;
    }
    return column == COLUMN_MOVED_FROM ? has_moved : has_callers;
}

/* The decimals of times with which one sample of either side shows.  */
static int decimals_of(const struct comparison *comparison)
{
    double most = comparison->sides[BEFORE].exposure > comparison->sides[AFTER].exposure
                      ? comparison->sides[BEFORE].exposure
                      : comparison->sides[AFTER].exposure;
    int decimals = 2;
    for (double shown = 100; shown < most && decimals < 6; shown *= 10)
        decimals++;
    return decimals;
}

void compare_table(struct comparison *comparison, size_t limit, bool is_for_people)
{
    struct table *table = &comparison->table;
    show_rows(comparison, limit);
    escape_texts(comparison);
    *table = (struct table){.row_count = comparison->shown_count,
                            .time_decimals = decimals_of(comparison),
                            .per_call_factor = 1,
                            .time_unit = comparison->sides[AFTER].snapshot->unit,
                            .value = &columns[COLUMN_AFTER_ERROR - 1].column,
                            .value_error = &columns[COLUMN_AFTER_ERROR].column,
                            .fill = fill_row,
                            .context = comparison};
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
        if (!is_for_people || is_needed(comparison, i))
            table->columns[table->column_count++] = &columns[i].column;
}
