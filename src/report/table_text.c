/* table_text.c - prints tables with aligned columns; cuts text to the width of a terminal.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/table_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/narrow_names.h"
#include "base/short_names.h"
#include "base/text.h"

/* ---- Cut texts ---- */

const char *cut_dots(const struct style *style)
{
    return style->is_utf8 ? "…" : "...";
}

void out_cut(struct out *out, const char *text, size_t width, const char *dots)
{
    size_t length = text_width(text);
    if (length <= width) {
        out_text(out, text);
        return;
    }
    size_t kept = width - text_width(dots);
    const char *end = text_character(text, (kept + 1) / 2);
    out_bytes(out, text, (size_t)(end - text));
    out_text(out, dots);
    out_text(out, text_character(text, length - kept / 2));
}

/* Prints TEXT in at most WIDTH characters: its beginning, with DOTS behind it.  */
static void out_cut_end(struct out *out, const char *text, size_t width, const char *dots)
{
    const char *end = text_character(text, width - text_width(dots));
    bool is_cut = text_width(text) > width;
    out_bytes(out, text, is_cut ? (size_t)(end - text) : strlen(text));
    out_text(out, is_cut ? dots : "");
}

/* ---- Several names ---- */

void cut_names_add(struct cut_names *names, const char *before, const char *name)
{
    names->before[names->count] = before;
    names->names[names->count++] = name;
}

void cut_names_fit(const struct cut_names *names, size_t width, size_t widths[MOST_CUT_NAMES])
{
    size_t used = 0;
    for (size_t i = 0; i < names->count; i++) {
        widths[i] = text_width(names->names[i]);
        used += text_width(names->before[i]) + widths[i];
    }
    for (; used > width; used--) {
        size_t widest = 0;
        for (size_t i = 1; i < names->count; i++)
            if (widths[i] > widths[widest])
                widest = i;
        if (widths[widest] <= LEAST_CUT)
            return;
        widths[widest]--;
    }
}

enum { GAP = 2 }; /* blanks between columns */

/* ---- Texts of cells ---- */

void table_heading(const struct table *table, size_t column, char text[CELL_TEXT_SIZE])
{
    const struct table_column *c = table->columns[column];
    const char *slash = strchr(c->name, '/');
    if (c->unit == UNIT_PER_CALL && slash != NULL)
        snprintf(text, CELL_TEXT_SIZE, "%.*s %s%s", (int)(slash - c->name), c->name,
                 table->per_call_unit, slash);
    else
        snprintf(text, CELL_TEXT_SIZE, "%s", c->name);
}

/* Writes NUMBER with DECIMALS and MARK; what is rounded to zero has no sign.  */
static void number_text(char text[CELL_TEXT_SIZE], double number, int decimals, const char *mark)
{
    snprintf(text, CELL_TEXT_SIZE, "%.*f", decimals, number);
    bool is_zero = text[0] == '-' && text[1 + strspn(text + 1, "0.")] == '\0';
    snprintf(text, CELL_TEXT_SIZE, "%.*f%s", decimals, is_zero ? 0 : number, mark);
}

static const char *mark_of(const struct cell *cell)
{
    return cell->is_doubtful ? "?" : cell->is_shared ? "*" : "";
}

const char *table_cell_text(const struct table *table, size_t column, const struct cell *cell,
                            char text[CELL_TEXT_SIZE])
{
    const struct table_column *c = table->columns[column];
    int decimals = c->unit == UNIT_TIME ? table->time_decimals : c->decimals;
    double factor = c->unit == UNIT_PER_CALL ? table->per_call_factor : 1;
    const char *mark = mark_of(cell);
    text[0] = '\0';
    if (cell->is_repeated)
        return text;
    switch (cell->kind) {
    case CELL_TEXT:
        return cell->text;
    case CELL_NUMBER:
        number_text(text, factor * cell->number, decimals, mark);
        break;
    case CELL_COUNT:
        snprintf(text, CELL_TEXT_SIZE, c->unit == UNIT_ADDRESS ? "0x%llx%s" : "%llu%s",
                 (unsigned long long)cell->count, mark);
        break;
    case CELL_EMPTY:
        break;
    }
    return text;
}

/* ---- Figures ---- */

/* A figure without its mark, and what is behind it: the mark, or the figure of its error.  */
struct figure {
    char number[CELL_TEXT_SIZE], tail[2 * CELL_TEXT_SIZE];
};

static struct figure figure_of(const struct table *table, size_t column, const struct cell *cells)
{
    struct figure figure = {"", ""};
    struct cell bare = cells[column];
    bare.is_doubtful = bare.is_shared = false;
    const char *text = table_cell_text(table, column, &bare, figure.number);
    if (text != figure.number)
        snprintf(figure.number, sizeof figure.number, "%s", text);
    if (figure.number[0] != '\0')
        strcpy(figure.tail, mark_of(&cells[column]));
    return figure;
}

/* The figure of COLUMN with that of its error, `0.28' and `±.02'.  */
static struct figure figure_with_error(const struct table *table, size_t column,
                                       size_t error_column, const struct cell *cells,
                                       const char *plus_minus)
{
    struct figure figure = figure_of(table, column, cells);
    struct figure error = figure_of(table, error_column, cells);
    const char *digits = error.number[0] == '0' ? error.number + 1 : error.number;
    if (error.number[0] != '\0')
        snprintf(figure.tail, sizeof figure.tail, "%s%.*s%s", plus_minus, CELL_TEXT_SIZE, digits,
                 cells[column].is_doubtful ? mark_of(&cells[column])
                                           : mark_of(&cells[error_column]));
    return figure;
}

/* ---- Layout ---- */

/* Where a column is, and the widths of what is in it, in characters.  */
struct place {
    size_t width;               /* of all; narrowed to fit */
    size_t heading, text, tail; /* the widest: heading; text or number; what is behind it */
    size_t error_tail;          /* the same with errors */
    size_t error_column;        /* of these errors; the number of columns: none */
    bool has_errors;            /* these are shown behind its figures */
    bool is_left_out;
};

struct layout {
    size_t width; /* of the terminal; 0 = no limit */
    size_t room;  /* characters that names have at least, if columns can give way */
    struct place places[MOST_COLUMNS];
    size_t names;                         /* the column of names; the number of columns: none */
    size_t widest_name[TREE_LEVEL + 1];   /* with so many characters for each level */
    size_t name_room[TREE_LEVEL + 1];     /* the same, of no name more than `room' */
    size_t level;                         /* characters for each level */
    const struct narrow_name *name_texts; /* by row; NULL: names are not cut at the beginning */
    const char *dots, *plus_minus;
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct layout layout_of(const struct table *table, const struct style *style)
{
    enum { ROOM = 32, WIDE = 80, NARROW_ROOM = 28 };
    struct layout layout = {.width = style->terminal_width,
                            .room = style->terminal_width >= WIDE ? ROOM : NARROW_ROOM,
                            .names = table->column_count,
                            .level = TREE_LEVEL,
                            .dots = cut_dots(style),
                            .plus_minus = style_plus_minus(style)};
    for (size_t c = 0; c < table->column_count; c++) {
        layout.places[c].error_column = table->column_count;
        if (table->columns[c]->unit == UNIT_NAME && style->names == NAMES_SHORT)
            layout.names = c;
    }
    for (size_t i = 0; i < table->step_count && layout.width > 0; i++) {
        const struct column_step *step = &table->steps[i];
        size_t c =
            step->behind != NULL ? table_find_column(table, step->behind) : table->column_count;
        if (c < table->column_count)
            layout.places[c].error_column = table_find_column(table, step->name);
    }
    return layout;
}

static size_t levels_of(const struct cell *cell)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->indent; count++)
        i += (size_t)(text_character(cell->text + i, 1) - (cell->text + i));
    return count / TREE_LEVEL;
}

static void measure_name(struct layout *layout, const struct cell *cell)
{
    const char *name = cell->text + cell->indent, *object = name_object(name);
    size_t levels = levels_of(cell), width = text_width(name);
    size_t needed = object != NULL ? width - text_width(object) : width; /* it may go */
    for (size_t level = 1; level <= TREE_LEVEL; level++) {
        size_t *widest = &layout->widest_name[level], *room = &layout->name_room[level];
        *widest = larger(*widest, levels * level + width);
        *room = larger(*room, levels * level + smaller(needed, layout->room));
    }
}

static void measure_cell(struct layout *layout, const struct table *table, size_t c,
                         const struct cell *cells)
{
    struct place *place = &layout->places[c];
    if (table->columns[c]->is_text) {
        if (cells[c].kind == CELL_TEXT)
            place->text = larger(place->text, text_width(cells[c].text));
        if (c == layout->names && cells[c].kind == CELL_TEXT)
            measure_name(layout, &cells[c]);
        return;
    }
    struct figure figure = figure_of(table, c, cells);
    place->text = larger(place->text, text_width(figure.number));
    place->tail = larger(place->tail, strlen(figure.tail));
    if (place->error_column == table->column_count)
        return;
    figure = figure_with_error(table, c, place->error_column, cells, layout->plus_minus);
    place->error_tail = larger(place->error_tail, text_width(figure.tail));
}

static void measure(struct layout *layout, const struct table *table)
{
    struct cell cells[MOST_COLUMNS];
    char text[CELL_TEXT_SIZE];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++)
            measure_cell(layout, table, c, cells);
    }
    for (size_t c = 0; c < table->column_count; c++) {
        table_heading(table, c, text);
        layout->places[c].heading = text_width(text);
    }
}

/* Gives each column the width of what is in it.  */
static void widen(struct layout *layout, const struct table *table)
{
    for (size_t c = 0; c < table->column_count; c++) {
        struct place *place = &layout->places[c];
        size_t tail = place->has_errors ? place->error_tail : place->tail;
        place->width = place->is_left_out ? 0 : larger(place->heading, place->text + tail);
    }
}

static size_t line_width(const struct layout *layout, const struct table *table)
{
    size_t width = 0, gap = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        if (layout->places[c].is_left_out)
            continue;
        width += gap + layout->places[c].width;
        gap = GAP;
    }
    return width;
}

/* Narrows columns of text, the widest first, until a line fits.  Numbers are not cut.  */
static void narrow(struct layout *layout, const struct table *table)
{
    struct place *places = layout->places;
    for (size_t width = line_width(layout, table); width > layout->width; width--) {
        size_t widest = table->column_count;
        for (size_t c = 0; c < table->column_count; c++)
            if (table->columns[c]->is_text && places[c].width > LEAST_CUT &&
                (widest == table->column_count || places[c].width > places[widest].width))
                widest = c;
        if (widest == table->column_count)
            return;
        places[widest].width--;
    }
}

/* ---- Columns that give way ---- */

/* The characters that names need: of a tree, its lines as narrow as they can be, too, but not
   for any depth.  */
static size_t name_room(const struct layout *layout)
{
    enum { MOST_LINES = 12 };
    return smaller(layout->name_room[1], layout->room + MOST_LINES);
}

/* Takes STEP, if the table has its column and that may give way.  */
static void take_step(struct layout *layout, const struct table *table,
                      const struct column_step *step)
{
    size_t c = table_find_column(table, step->name);
    if (c == table->column_count || column_list_has(&table->kept, step->name))
        return;
    for (size_t i = 0; i < table->column_count; i++)
        if (layout->places[i].error_column == c)
            layout->places[i].has_errors = step->behind != NULL;
    layout->places[c].is_left_out = true;
}

/* Whether names are whole or, behind the first steps, have the room that they need.  */
static bool has_room(const struct layout *layout, const struct table *table, size_t step)
{
    size_t width = layout->places[layout->names].width;
    return line_width(layout, table) <= layout->width &&
           width >=
               (step < table->whole_steps ? layout->widest_name[TREE_LEVEL] : name_room(layout));
}

/* Leaves out columns until lines fit and names have room, and narrows texts.  */
static void fit(struct layout *layout, const struct table *table)
{
    narrow(layout, table);
    if (layout->names == table->column_count)
        return;
    for (size_t i = 0; i < table->step_count; i++) {
        if (has_room(layout, table, i))
            break;
        take_step(layout, table, &table->steps[i]);
        widen(layout, table);
        narrow(layout, table);
    }
    while (layout->level > 1 &&
           layout->name_room[layout->level] > layout->places[layout->names].width)
        layout->level--;
}

/* Writes into TEXT which columns are not there as such; nothing if all are.  */
static void list_left_out(char *text, size_t size, const struct table *table,
                          const struct layout *layout)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t c = 0; c < table->column_count; c++) {
        bool is_behind = false;
        if (!layout->places[c].is_left_out)
            continue;
        for (size_t i = 0; i < table->column_count; i++)
            is_behind |= layout->places[i].has_errors && !layout->places[i].is_left_out &&
                         layout->places[i].error_column == c;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s",
                                 used == 0 ? _("columns without room: ") : ", ",
                                 table->columns[c]->name, is_behind ? _(" (behind ") : "",
                                 is_behind ? layout->plus_minus : "", is_behind ? ")" : "");
    }
}

/* ---- Names that are cut ---- */

/* The characters of the lines before a name.  Of very many, only the last are shown.  */
static size_t lines_width(const struct layout *layout, size_t levels, size_t name_width)
{
    size_t width = layout->places[layout->names].width, least = smaller(name_width, layout->room);
    return smaller(levels * layout->level, width > least ? width - least : 0);
}

/* Cuts the names of all rows, unless they fit.  Free with free.  */
static struct narrow_name *cut_names(const struct layout *layout, const struct table *table,
                                     struct arena *arena)
{
    struct cell cells[MOST_COLUMNS];
    const struct cell *cell = &cells[layout->names];
    if (layout->names == table->column_count ||
        layout->widest_name[TREE_LEVEL] <= layout->places[layout->names].width)
        return NULL;
    struct narrow_name *names = mem_uninitialised(table->row_count, sizeof *names);
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        const char *name = cell->kind == CELL_TEXT ? cell->text + cell->indent : "";
        size_t levels = cell->kind == CELL_TEXT ? levels_of(cell) : 0;
        names[row].name = arena_copy(arena, name, strlen(name));
        names[row].width =
            layout->places[layout->names].width - lines_width(layout, levels, text_width(name));
    }
    narrow_names(names, table->row_count, layout->dots, arena);
    return names;
}

/* Prints the last WIDTH characters of the lines before a name, the first `level' characters of
   each level.  */
static void print_tree_lines(struct out *out, const struct layout *layout, const char *text,
                             size_t levels, size_t width)
{
    size_t skipped = levels * layout->level - width;
    for (size_t i = 0; i < levels * TREE_LEVEL; i++) {
        const char *next = text_character(text, 1);
        if (i % TREE_LEVEL < layout->level && skipped == 0)
            out_bytes(out, text, (size_t)(next - text));
        else if (i % TREE_LEVEL < layout->level)
            skipped--;
        text = next;
    }
}

/* Prints a name that is cut, with the lines before it.  Returns its width.  */
static size_t print_name(struct out *out, const struct layout *layout, const struct cell *cell,
                         const struct narrow_name *name)
{
    size_t levels = levels_of(cell), lines = layout->places[layout->names].width - name->width;
    print_tree_lines(out, layout, cell->text, levels, lines);
    out_text(out, name->text);
    return lines + text_width(name->text);
}

/* ---- Lines ---- */

/* Prints a text in column C, at ROW.  Returns its width: more than the column's, if only a whole
   name tells it from others.  */
static size_t print_text(struct out *out, const struct table *table, const struct layout *layout,
                         size_t c, size_t row, const struct cell *cell)
{
    if (cell->kind != CELL_TEXT)
        return 0;
    if (c == layout->names && layout->name_texts != NULL)
        return print_name(out, layout, cell, &layout->name_texts[row]);
    if (table->columns[c]->unit == UNIT_CODE)
        out_cut_end(out, cell->text, layout->places[c].width, layout->dots);
    else
        out_cut(out, cell->text, layout->places[c].width, layout->dots);
    return smaller(text_width(cell->text), layout->places[c].width);
}

/* Nothing follows in the last column.  */
static void print_figure(struct out *out, const struct table *table, const struct layout *layout,
                         size_t c, const struct cell *cells)
{
    const struct place *place = &layout->places[c];
    struct figure figure = place->has_errors ? figure_with_error(table, c, place->error_column,
                                                                 cells, layout->plus_minus)
                                             : figure_of(table, c, cells);
    size_t tail = place->has_errors ? place->error_tail : place->tail;
    size_t number = text_width(figure.number), used = text_width(figure.tail);
    out_blanks(out, place->width - tail - number);
    out_text(out, figure.number);
    out_text(out, figure.tail);
    out_blanks(out, c + 1 < table->column_count ? tail - used : 0);
}

/* Prints no newline.  */
static void print_line(struct out *out, const struct table *table, const struct layout *layout,
                       size_t row, const struct cell *cells)
{
    size_t gap = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        size_t width = layout->places[c].width;
        if (layout->places[c].is_left_out)
            continue;
        out_blanks(out, gap);
        gap = GAP;
        if (!table->columns[c]->is_text) {
            print_figure(out, table, layout, c, cells);
            continue;
        }
        size_t used = print_text(out, table, layout, c, row, &cells[c]);
        out_blanks(out, c + 1 < table->column_count && used < width ? width - used : 0);
    }
}

static void print_headings(struct out *out, const struct table *table, const struct layout *layout)
{
    char text[CELL_TEXT_SIZE];
    size_t gap = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        const struct place *place = &layout->places[c];
        if (place->is_left_out)
            continue;
        table_heading(table, c, text);
        bool is_text = table->columns[c]->is_text, is_last = c + 1 == table->column_count;
        size_t blanks = place->width - place->heading;
        size_t behind = is_text ? blanks : place->has_errors ? 0 : smaller(blanks, place->tail);
        out_blanks(out, gap + blanks - behind);
        out_text(out, text);
        out_blanks(out, is_last ? 0 : behind);
        gap = GAP;
    }
    out_char(out, '\n');
}

/* What switches the colours of a tone on; empty: none.  */
static const char *const colours[] = {
    [TONE_PLAIN] = "",       [TONE_HOT] = "\33[1;31m", [TONE_WARM] = "\33[33m",
    [TONE_FAINT] = "\33[2m", [TONE_WORSE] = "\33[31m", [TONE_BETTER] = "\33[32m",
};
static const char colours_off[] = "\33[0m";

static void print_rows(struct out *out, const struct table *table, const struct layout *layout,
                       bool has_colour)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        const char *colour =
            has_colour && table->tone != NULL ? colours[table->tone(table->context, row)] : "";
        out_text(out, colour);
        print_line(out, table, layout, row, cells);
        out_text(out, colour[0] != '\0' ? colours_off : "");
        out_char(out, '\n');
    }
}

/* The length of the word that TEXT begins with; a number and the `%' behind it are one.  */
static size_t word_length(const char *text)
{
    size_t length = strcspn(text, " ");
    if (text[length] == ' ' && text[length + 1] == '%')
        length += 1 + strcspn(text + length + 1, " ");
    return length;
}

/* TEXT in lines of at most WIDTH characters, divided at blanks; 0 = one line.  */
static void print_wrapped(struct out *out, const char *text, size_t width)
{
    for (size_t used = 0; *text != '\0';) {
        size_t length = word_length(text);
        if (used > 0 && width > 0 && used + 1 + length > width) {
            out_char(out, '\n');
            used = 0;
        }
        out_blanks(out, used > 0);
        out_bytes(out, text, length);
        used += (used > 0) + length;
        text += length + (text[length] == ' ');
    }
    out_char(out, '\n');
}

/* Prints TEXT below the table; FIRST: nothing is there before it.  */
static void print_note(struct out *out, const char *text, bool is_first, size_t width)
{
    out_text(out, is_first ? "\n" : "");
    print_wrapped(out, text, width);
}

void table_print_text(const struct table *table, struct out *out, const struct style *style)
{
    enum { LIST_SIZE = MOST_COLUMNS * CELL_TEXT_SIZE };
    size_t width = style->terminal_width;
    char left_out[LIST_SIZE];
    struct arena arena = {0};
    struct layout layout = layout_of(table, style);
    measure(&layout, table);
    widen(&layout, table);
    if (width > 0)
        fit(&layout, table);
    struct narrow_name *names = cut_names(&layout, table, &arena);
    layout.name_texts = names;
    if (table->title != NULL) {
        print_wrapped(out, table->title, width);
        out_char(out, '\n');
    }
    print_headings(out, table, &layout);
    print_rows(out, table, &layout, style->has_colour);
    for (size_t i = 0; i < table->note_count; i++)
        print_note(out, table->notes[i], i == 0, width);
    list_left_out(left_out, sizeof left_out, table, &layout);
    if (left_out[0] != '\0' && style->explains)
        print_note(out, left_out, table->note_count == 0, width);
    free(names);
    arena_free(&arena);
}
