/* compare_table.c - a comparison as a table.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare_table.h"

#include <math.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/short_names.h"
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

/* Whose times a column has.  */
enum row_of { OWN, INCLUSIVE };

static const struct comparison_column {
    struct table_column column;
    struct cell (*cell)(const struct compared *row);
    enum row_of of;
    bool is_for_programs; /* people see the rest */
} columns[] = {
    {{"before", UNIT_TIME, 2, false}, before_cell, OWN, false},
    {{"after", UNIT_TIME, 2, false}, after_cell, OWN, false},
    {{"after-error", UNIT_TIME, 2, false}, after_error_cell, OWN, true},
    {{"change", UNIT_TIME, 2, false}, change_cell, OWN, false},
    {{"error", UNIT_TIME, 2, false}, error_cell, OWN, false},
    {{"change%", UNIT_PERCENT, 1, false}, growth_cell, OWN, false},
    {{"p", UNIT_NONE, 4, false}, p_cell, OWN, false},
    {{"total-before", UNIT_TIME, 2, false}, before_cell, INCLUSIVE, false},
    {{"total-after", UNIT_TIME, 2, false}, after_cell, INCLUSIVE, false},
    {{"total-change", UNIT_TIME, 2, false}, change_cell, INCLUSIVE, false},
    {{"total-error", UNIT_TIME, 2, false}, error_cell, INCLUSIVE, false},
    {{"total-change%", UNIT_PERCENT, 1, false}, growth_cell, INCLUSIVE, true},
    {{"total-p", UNIT_NONE, 4, false}, p_cell, INCLUSIVE, false},
    {{"calls-before", UNIT_NONE, 1, false}, calls_before_cell, OWN, true},
    {{"calls", UNIT_NONE, 1, false}, calls_after_cell, OWN, false},
    {{"calls%", UNIT_PERCENT, 1, false}, calls_growth_cell, OWN, false},
    {{"kind", UNIT_NONE, 0, true}, kind_cell, OWN, false},
    {{"name", UNIT_NAME, 0, true}, name_cell, OWN, false},
    {{"file", UNIT_NONE, 0, true}, file_cell, OWN, true},
    {{"moved-from", UNIT_NONE, 0, true}, moved_from_cell, OWN, false},
    {{"callers", UNIT_NONE, 0, true}, callers_cell, OWN, false},
};

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

static void fill_row(const void *context, size_t row, struct cell *cells)
{
    const struct comparison *comparison = context;
    const struct table *table = &comparison->table;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct comparison_column *column = (const void *)table->columns[i];
        const struct comparison *of = column->of == OWN ? comparison : comparison->inclusive;
        cells[i] = column->cell(&of->rows[comparison->shown[row]]);
    }
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

/* Names the rows in STYLE.  What tells functions of one name apart stays behind it.  */
static void label_rows(struct comparison *comparison, enum name_style style)
{
    struct arena *arena = &comparison->arena;
    struct short_names shorts = {0};
    for (size_t i = 0; i < comparison->shown_count; i++) {
        const struct compared *row = &comparison->rows[comparison->shown[i]];
        if (style == NAMES_SHORT && row->function != NULL)
            short_names_add(&shorts, row->function);
    }
    for (size_t i = 0; i < comparison->shown_count; i++) {
        struct compared *row = &comparison->rows[comparison->shown[i]];
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

void compare_table(struct comparison *comparison, size_t limit, bool is_for_people,
                   enum name_style names)
{
    struct table *table = &comparison->table;
    show_rows(comparison, limit);
    label_rows(comparison, names);
    escape_texts(comparison);
    *table = (struct table){.row_count = comparison->shown_count,
                            .time_decimals = decimals_of(comparison),
                            .per_call_factor = 1,
                            .steps = steps,
                            .step_count = ARRAY_LENGTH(steps),
                            .time_unit = comparison->sides[AFTER].snapshot->unit,
                            .value = &find_column("after")->column,
                            .value_error = &find_column("after-error")->column,
                            .fill = fill_row,
                            .tone = tone_of_row,
                            .context = comparison};
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
        if ((columns[i].of == OWN || comparison->inclusive != NULL) &&
            (!is_for_people || is_needed(comparison, &columns[i])))
            table->columns[table->column_count++] = &columns[i].column;
}
