/* columns.c - tables of columns, headings, units of time, phrases, and printed names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/narrow_names.h"
#include "base/text.h"

/* ---- Units ---- */

/* Copies FROM, with control characters escaped, to the CAPACITY bytes at TO; cuts it if needed.  */
static void copy_escaped(char *to, size_t capacity, const char *from)
{
    struct arena scratch = {0};
    snprintf(to, capacity, "%s", arena_escape(&scratch, from));
    arena_free(&scratch);
}

static void set_per_call(struct time_unit *unit, char prefix, double factor)
{
    unit->per_call_factor = factor;
    if (unit->abbreviation[0] == '\0') /* the abbreviation may be a NUL, which ends the heading */
        snprintf(unit->per_call, sizeof unit->per_call, "%c", prefix);
    else
        snprintf(unit->per_call, sizeof unit->per_call, "%c%s/call", prefix, unit->abbreviation);
}

static void set_unit(struct time_unit *unit, const struct hist_set *hist)
{
    const char abbreviation[] = {hist->abbreviation, '\0'};
    unit->is_ticks = hist->rate == 0;
    unit->rate = unit->is_ticks ? 1.0 : (double)hist->rate;
    copy_escaped(unit->dimension, sizeof unit->dimension,
                 unit->is_ticks ? "ticks" : hist->dimension);
    copy_escaped(unit->abbreviation, sizeof unit->abbreviation,
                 unit->is_ticks ? "t" : abbreviation);
    set_per_call(unit, 'm', 1e3);
}

void columns_set_prefix(struct sheet *sheet, const struct si_prefix *prefix)
{
    set_per_call(&sheet->unit, prefix->letter, prefix->factor);
}

/* ---- Sheets ---- */

void columns_begin(struct sheet *sheet, const struct profile *profile, const struct style *style,
                   FILE *out)
{
    sheet->profile = profile;
    sheet->style = style;
    sheet->columns = NULL;
    if (profile != NULL)
        set_unit(&sheet->unit, &profile->hist);
    out_begin(&sheet->out, out);
}

void columns_end(struct sheet *sheet)
{
    out_end(&sheet->out);
}

void columns_blurb(struct sheet *sheet, const char *before, const char *const *parts,
                   const char *after)
{
    for (size_t i = 0; parts[i] != NULL; i++) {
        out_text(&sheet->out, i == 0 ? before : "\n");
        out_text(&sheet->out, _(parts[i]));
    }
    out_text(&sheet->out, after);
}

/* ---- Tables ---- */

/* Prints a heading piece, with dimension and unit filled in.  */
static void print_piece(struct sheet *sheet, const char *piece)
{
    while (*piece != '\0') {
        size_t dimension = strspn(piece, "#"), per_call = strspn(piece, "@");
        if (dimension > 0)
            out_right(&sheet->out, sheet->unit.dimension, dimension);
        else if (per_call > 0)
            out_right(&sheet->out, sheet->unit.per_call, per_call);
        else
            out_char(&sheet->out, *piece);
        piece += dimension > 0 ? dimension : per_call > 0 ? per_call : 1;
    }
}

void columns_heading(struct sheet *sheet, size_t count)
{
    for (size_t line = 0; line < HEADING_LINES && sheet->columns[0].heading[line] != NULL; line++) {
        for (size_t i = 0; i < count; i++)
            print_piece(sheet, sheet->columns[i].heading[line]);
        out_char(&sheet->out, '\n');
    }
}

void column_fixed(struct sheet *sheet, int column, double value)
{
    const struct column *c = &sheet->columns[column];
    out_cell_fixed(&sheet->out, value, c->width, c->decimals);
}

void column_count(struct sheet *sheet, int column, uint64_t value)
{
    out_cell_count(&sheet->out, value, sheet->columns[column].width);
}

void column_time(struct sheet *sheet, int column, double ticks)
{
    column_fixed(sheet, column, ticks / sheet->unit.rate);
}

size_t columns_width(const struct sheet *sheet, int first, int last)
{
    size_t sum = 0;
    for (int column = first; column <= last; column++) {
        int width = sheet->columns[column].width;
        sum += 1 + (size_t)(width < 0 ? -width : width);
    }
    return sum;
}

void columns_blank(struct sheet *sheet, int first, int last)
{
    out_blanks(&sheet->out, columns_width(sheet, first, last));
}

void column_blank(struct sheet *sheet, int column)
{
    columns_blank(sheet, column, column);
}

double percent_of(double part, double total)
{
    return 100.0 * part / (total > 0 ? total : 1.0);
}

void columns_total(struct sheet *sheet, double total, const char *dimension)
{
    out_text(&sheet->out, "total: ");
    out_fixed(&sheet->out, total / sheet->unit.rate, 0, 2);
    out_char(&sheet->out, ' ');
    out_text(&sheet->out, dimension);
    out_text(&sheet->out, "\n\n");
}

void columns_granularity(struct sheet *sheet, double total, const char *dimension, const char *fate)
{
    if (!figures_traits(sheet->profile->hist.figures)->has_samples) {
        columns_total(sheet, total, dimension);
        return;
    }
    out_text(&sheet->out, "granularity: each sample hit covers ");
    out_count(&sheet->out, (uint64_t)sheet->profile->hist.scale * 2,
              0); /* whole units of two bytes */
    out_text(&sheet->out, " byte(s)");
    if (total > 0) {
        out_text(&sheet->out, " for ");
        out_fixed(&sheet->out, percent_of(1, total), 0, 2);
        out_text(&sheet->out, "% of ");
        out_fixed(&sheet->out, total / sheet->unit.rate, 0, 2);
        out_char(&sheet->out, ' ');
        out_text(&sheet->out, dimension);
    } else {
        out_text(&sheet->out, " no time ");
        out_text(&sheet->out, fate);
    }
    out_text(&sheet->out, "\n\n");
}

/* ---- Names ---- */

void label_print_file(struct sheet *sheet, uint32_t file)
{
    const struct files *files = &sheet->profile->files;
    const char *path = files->labels != NULL ? files->labels[file] : files->paths[file];
    out_text(&sheet->out, sheet->style->print_path ? path : path_base(path));
}

/* Prints the source position of a symbol, ` (file:line)' or, with -l, ` (file:line @ address)', if
   it has one and the style selects it.  */
static void label_print_position(struct sheet *sheet, const struct symbol *symbol)
{
    if (symbol->file == NO_ID || !(sheet->profile->by_line || sheet->style->inline_file_names))
        return;
    out_text(&sheet->out, " (");
    label_print_file(sheet, symbol->file);
    out_char(&sheet->out, ':');
    out_count(&sheet->out, symbol->line, 0);
    if (sheet->profile->by_line) {
        char text[32];
        snprintf(text, sizeof text, " @ %llx", (unsigned long long)symbol->addr);
        out_text(&sheet->out, text);
    }
    out_char(&sheet->out, ')');
}

void label_print(struct sheet *sheet, uint32_t symbol)
{
    const struct symbol *s = &sheet->profile->symtab.symbols[symbol];
    if (s->label != NULL)
        out_bytes(&sheet->out, s->label, s->label_size);
    else
        out_text(&sheet->out, s->name);
    label_print_position(sheet, s);
}

void label_print_node(struct sheet *sheet, uint32_t node)
{
    const struct graph *graph = &sheet->profile->graph;
    const struct node *n = &graph->nodes[node];
    bool is_whole = is_cycle(graph, node);
    if (!is_whole)
        label_print(sheet, node);
    if (graph->cycle[node] != 0) {
        out_text(&sheet->out, is_whole ? "<cycle " : " <cycle ");
        out_count(&sheet->out, graph->cycle[node], 0);
        out_text(&sheet->out, is_whole ? " as a whole>" : ">");
    }
    if (n->index != 0) {
        char index[INDEX_SIZE];
        label_index(index, n);
        out_char(&sheet->out, ' ');
        out_text(&sheet->out, index);
    }
}

void label_index(char text[INDEX_SIZE], const struct node *node)
{
    text[0] = node->is_shown ? '[' : '(';
    size_t length = out_digits(text + 1, node->index);
    text[1 + length] = node->is_shown ? ']' : ')';
    text[2 + length] = '\0';
}

enum { NAME_GAP = 2 }; /* blanks before the column of names */

/* Chooses widths for NAMES, with END behind them, in the last of COUNT columns.  */
static void fit_names(const struct sheet *sheet, int count, const struct cut_names *names,
                      const char *end, size_t widths[MOST_CUT_NAMES])
{
    size_t width = sheet->style->terminal_width;
    size_t used = columns_width(sheet, 0, count - 2) + NAME_GAP + text_width(end);
    cut_names_fit(names, width == 0 ? SIZE_MAX : width > used ? width - used : 0, widths);
}

void label_names_make(struct label_names *names, const struct sheet *sheet, int count,
                      const struct table *table,
                      struct cut_names (*of_row)(const struct cell *cells))
{
    struct cell cells[MOST_COLUMNS];
    size_t widths[MOST_CUT_NAMES];
    *names =
        (struct label_names){.firsts = mem_uninitialised(table->row_count, sizeof *names->firsts)};
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        const struct cut_names all = of_row(cells);
        fit_names(sheet, count, &all, "", widths);
        names->firsts[row] = (struct narrow_name){all.names[0], widths[0], all.names[0]};
    }
    if (sheet->style->names == NAMES_SHORT)
        narrow_names(names->firsts, table->row_count, cut_dots(sheet->style), &names->arena);
}

void label_names_free(struct label_names *names)
{
    free(names->firsts);
    arena_free(&names->arena);
    *names = (struct label_names){0};
}

void label_print_names(struct sheet *sheet, int count, const struct cut_names *names,
                       const struct symbol *symbol, const char *end)
{
    size_t widths[MOST_CUT_NAMES];
    fit_names(sheet, count, names, end, widths);
    out_blanks(&sheet->out, NAME_GAP);
    for (size_t i = 0; i < names->count; i++) {
        out_text(&sheet->out, names->before[i]);
        out_cut(&sheet->out, names->names[i], widths[i], cut_dots(sheet->style));
        if (i == 0 && symbol != NULL)
            label_print_position(sheet, symbol);
    }
    out_text(&sheet->out, end);
    out_char(&sheet->out, '\n');
}

void label_prefetch_node(const struct profile *profile, uint32_t id)
{
    const struct node *node = &profile->graph.nodes[id];
    PREFETCH(&node->calls);
    PREFETCH(&node->index);
    if (!is_cycle(&profile->graph, id)) {
        const struct symbol *symbol = &profile->symtab.symbols[id];
        PREFETCH(&symbol->name);
        PREFETCH(&symbol->label_size);
    }
}

void label_prefetch(const struct profile *profile, uint32_t id)
{
    if (!is_cycle(&profile->graph, id))
        PREFETCH(label_of_symbol(&profile->symtab.symbols[id]));
}
