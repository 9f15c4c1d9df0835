/* code_tables.c - a table for each function of a code view (--code).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/code_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/message.h"
#include "base/text.h"

/* ---- Texts of rows ----

        12  for (i = 0; i < n; i++)        a line of the function's file
            square.h:7  return x * x;      a line that was inlined, or of another file
              4011d6  imul   %edx,%edx     an instruction
            ...  */

enum { TAB = 8 };

/* A copy of TEXT with blanks for tabs and escapes for control characters, without the first INDENT
   blanks.  */
static const char *readable(struct arena *arena, const char *text, size_t indent)
{
    size_t size = 0, tabs = 0;
    for (const char *at = text; *at != '\0'; at++)
        tabs += *at == '\t';
    char *copy = arena_alloc(arena, strlen(text) + tabs * TAB + 1);
    for (; *text != '\0'; text++) {
        size_t blanks = *text == '\t' ? TAB - size % TAB : 0;
        memset(copy + size, blanks > 0 ? ' ' : *text, blanks > 0 ? blanks : 1);
        size += blanks > 0 ? blanks : 1;
    }
    copy[size] = '\0';
    size_t blanks = strspn(copy, " ");
    return arena_escape(arena, copy + (indent < blanks ? indent : blanks));
}

/* The columns of blanks that TEXT begins with; SIZE_MAX if there is nothing else.  */
static size_t indent_of(const char *text)
{
    size_t size = 0;
    for (; *text == ' ' || *text == '\t'; text++)
        size += *text == '\t' ? TAB - size % TAB : 1;
    return *text != '\0' ? size : SIZE_MAX;
}

/* `square.h:7'.  */
static const char *place_of(struct arena *arena, const struct code_row *row, bool has_paths)
{
    const char *file = row->file != NULL ? row->file : "?";
    return arena_format(arena, "%s:%u", arena_escape(arena, has_paths ? file : path_base(file)),
                        row->line);
}

static bool is_elsewhere(const struct code_function *function, const struct code_row *row)
{
    return row->kind == CODE_INLINED || function->file == NULL || row->file == NULL ||
           strcmp(row->file, function->file) != 0;
}

/* The digits of the largest number of a line of FUNCTION's file.  */
static int digits_of(const struct code_view *view, const struct code_function *function)
{
    uint32_t most = 0;
    int digits = 1;
    for (size_t r = function->first; r < function->end; r++)
        if (view->rows[r].kind == CODE_LINE && view->rows[r].line > most &&
            !is_elsewhere(function, &view->rows[r]))
            most = view->rows[r].line;
    for (; most >= 10; most /= 10)
        digits++;
    return digits;
}

/* The blanks that all lines of FUNCTION's file begin with.  */
static size_t common_indent(const struct code_view *view, const struct code_function *function)
{
    size_t least = SIZE_MAX;
    for (size_t r = function->first; r < function->end; r++) {
        const struct code_row *row = &view->rows[r];
        if (row->text == NULL || row->kind != CODE_LINE || is_elsewhere(function, row))
            continue;
        size_t indent = indent_of(row->text);
        least = indent < least ? indent : least;
    }
    return least;
}

/* How the rows of a function are written.  */
struct writing {
    int digits;    /* of line numbers */
    size_t indent; /* blanks that its lines lose */
    bool has_paths;
};

static const char *text_of(struct arena *arena, const struct code_function *function,
                           const struct code_row *row, const struct writing *writing)
{
    int digits = writing->digits;
    bool is_away = is_elsewhere(function, row);
    size_t indent = is_away ? SIZE_MAX : writing->indent;
    const char *text = row->text != NULL ? readable(arena, row->text, indent) : "";
    text = text[0] != '\0' ? arena_join(arena, "  ", text) : "";
    switch (row->kind) {
    case CODE_GAP:
        return arena_format(arena, "%*s  ...", digits, "");
    case CODE_INSTRUCTION_GAP:
        return arena_format(arena, "%*s    ...", digits, "");
    case CODE_INSTRUCTION:
        return arena_format(arena, "%*s    %llx%s", digits, "", (unsigned long long)row->address,
                            text);
    default:
        break;
    }
    if (row->line == 0)
        return arena_format(arena, "%*s  ?", digits, "");
    if (is_away)
        return arena_format(arena, "%*s  %s%s", digits, "",
                            place_of(arena, row, writing->has_paths), text);
    return arena_format(arena, "%*u%s", digits, row->line, text);
}

/* ---- Tables ---- */

static const struct table_column columns[] = {
    {"self%", UNIT_PERCENT, 2, false},
    {"self", UNIT_TIME, 2, false},
    {"total", UNIT_TIME, 2, false},
    {"code", UNIT_CODE, 0, true},
};

/* In percent.  Credits of bins may add up to a little more than the samples.  */
static double share_of(const struct code_view *view, double self)
{
    double share = view->whole > 0 ? 100 * self / view->whole : 0;
    return share > 100 ? 100 : share; /* NaN stays */
}

/* Empty for what has no time.  */
static struct cell time_cell(double time)
{
    return time > 0 ? number_cell(time) : empty_cell();
}

static void fill_row(const void *context, size_t number, struct cell *cells)
{
    const struct code_table *table = context;
    const struct code_view *view = table->all->view;
    size_t r = table->function->first + number, c = 0;
    cells[c++] = time_cell(share_of(view, view->rows[r].self));
    cells[c] = time_cell(view->rows[r].self);
    cells[c++].is_shared = view->rows[r].is_late;
    if (view->has_totals)
        cells[c++] = time_cell(view->rows[r].total);
    cells[c] = text_cell(table->all->texts[r]);
}

static enum table_tone tone_of_row(const void *context, size_t number)
{
    const struct code_table *table = context;
    const struct code_view *view = table->all->view;
    double self = view->rows[table->function->first + number].self;
    return self > 0 ? tone_of_share(share_of(view, self)) : TONE_PLAIN;
}

/* `work, work.c:12: self 0.31 s (62.10 %), total 0.45 s'.  */
static const char *title_of(struct arena *arena, const struct code_view *view,
                            const struct code_function *function, const struct snapshot *snapshot,
                            int decimals)
{
    const char *unit = i18n_unit(arena_escape(arena, snapshot->unit.abbreviation)), *place = "",
               *total = "", *per = "";
    if (function->file != NULL)
        place = arena_format(arena, ", %s:%u", arena_escape(arena, path_base(function->file)),
                             function->line);
    if (!isnan(function->total))
        total = arena_format(arena, _(", total %.*f %s"), decimals, function->total, unit);
    if (view->has_instructions && view->bytes_per_bin > 0)
        per = arena_format(arena, _("; samples per %u bytes"), view->bytes_per_bin);
    return arena_format(arena, _("%s%s: self %.*f %s (%.2f %%)%s%s"),
                        arena_escape(arena, function->name), place, decimals, function->self, unit,
                        share_of(view, function->self), total, per);
}

static void build_table(struct code_tables *tables, size_t number, const struct snapshot *snapshot)
{
    const struct code_view *view = tables->view;
    struct code_table *made = &tables->tables[number];
    *made = (struct code_table){.all = tables, .function = &view->functions[number]};
    struct table *table = &made->table;
    table->time_decimals = table_time_decimals(snapshot->rate);
    table->title = title_of(&tables->arena, view, made->function, snapshot, table->time_decimals);
    for (size_t c = 0; c < ARRAY_LENGTH(columns); c++)
        if (view->has_totals || strcmp(columns[c].name, "total") != 0)
            table->columns[table->column_count++] = &columns[c];
    table->row_count = made->function->end - made->function->first;
    table->fill = fill_row;
    table->tone = tone_of_row;
    table->context = made;
}

void code_tables_build(struct code_tables *tables, const struct code_view *view,
                       const struct snapshot *snapshot, bool has_paths)
{
    *tables =
        (struct code_tables){.tables = mem_array(view->function_count, sizeof *tables->tables),
                             .list = mem_array(view->function_count, sizeof *tables->list),
                             .count = view->function_count,
                             .view = view,
                             .texts = mem_array(view->row_count, sizeof *tables->texts)};
    for (size_t f = 0; f < view->function_count; f++) {
        const struct code_function *function = &view->functions[f];
        const struct writing writing = {digits_of(view, function), common_indent(view, function),
                                        has_paths};
        for (size_t r = function->first; r < function->end; r++)
            tables->texts[r] = text_of(&tables->arena, function, &view->rows[r], &writing);
        build_table(tables, f, snapshot);
        tables->list[f] = &tables->tables[f].table;
    }
}

void code_tables_add_note(struct code_tables *tables, const char *text)
{
    if (tables->count > 0)
        table_add_note(&tables->tables[tables->count - 1].table, &tables->arena, text);
}

void code_tables_free(struct code_tables *tables)
{
    free(tables->tables);
    free(tables->list);
    free(tables->texts);
    arena_free(&tables->arena);
    *tables = (struct code_tables){0};
}
