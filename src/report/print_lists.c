/* print_lists.c - prints the index, link orders, execution counts and file infos.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "report/columns.h"
#include "report/printers.h"

/* ---- Function index ---- */

/* The index is sorted down COLUMNS columns.  A cell is a node's index, right-aligned, and its name:

        [3] c                      [12] another (file.c)    (5) <cycle 1>  */

enum { COLUMNS = 3, GAP = 2, INDEX_WIDTH = 6 };

/* In the traditional layout, cells have a fixed width and names are cut.  */
enum { TRADITIONAL_NAME_WIDTH = 19 };

static void cycle_name(char text[32], uint32_t cycle)
{
    snprintf(text, 32, "<cycle %lu>", (unsigned long)cycle);
}

/* Prints the name of a node.  Static functions of different files can have the same name, so their
   files are printed too; not with -l, where every label has a source position.  */
static void print_name(struct sheet *sheet, uint32_t id)
{
    const struct profile *profile = sheet->profile;
    if (is_cycle(&profile->graph, id)) {
        char cycle[32];
        cycle_name(cycle, profile->graph.cycle[id]);
        out_text(&sheet->out, cycle);
        return;
    }
    const struct symbol *symbol = &profile->symtab.symbols[id];
    label_print(sheet, id);
    if (symbol->is_static && symbol->file != NO_ID && !sheet->profile->by_line) {
        out_text(&sheet->out, " (");
        label_print_file(sheet, symbol->file);
        out_char(&sheet->out, ')');
    }
}

/* Prints the cell in COLUMN of the row that began at position START of the output.  Its index ends
   at the column's position, or, if the names before it are too long, follows them after a
   blank.  */
static void print_cell(struct sheet *sheet, uint32_t id, unsigned column, uint64_t start)
{
    char index[INDEX_SIZE];
    label_index(index, &sheet->profile->graph.nodes[id]);
    unsigned pitch = (sheet->style->width - 1) / COLUMNS + GAP;
    uint64_t end = (uint64_t)column * pitch + INDEX_WIDTH;
    uint64_t needed = out_position(&sheet->out) - start + strlen(index);
    out_blanks(&sheet->out, end > needed ? (size_t)(end - needed) : 1);
    out_text(&sheet->out, index);
    out_char(&sheet->out, ' ');
    print_name(sheet, id);
}

static void print_traditional_cell(struct sheet *sheet, uint32_t id)
{
    const struct graph *graph = &sheet->profile->graph;
    char index[INDEX_SIZE], cycle[32];
    label_index(index, &graph->nodes[id]);
    out_right(&sheet->out, index, INDEX_WIDTH);
    out_char(&sheet->out, ' ');
    cycle_name(cycle, graph->cycle[id]);
    out_left(&sheet->out,
             is_cycle(graph, id) ? cycle : label_of_symbol(&sheet->profile->symtab.symbols[id]),
             TRADITIONAL_NAME_WIDTH);
}

static void print_index(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    const struct views *views = &profile->views;
    size_t rows = (views->by_name_count + COLUMNS - 1) / COLUMNS;
    columns_begin(&sheet, profile, style, out);
    out_text(&sheet.out, "Index by function name\n\n");
    for (size_t row = 0; row < rows; row++) {
        uint64_t start = out_position(&sheet.out);
        for (unsigned column = 0; column < COLUMNS; column++) {
            size_t i = row + column * rows;
            if (i >= views->by_name_count)
                break;
            if (i + NODES_AHEAD < views->by_name_count)
                label_prefetch_node(profile, views->by_name[i + NODES_AHEAD]);
            if (i + LABELS_AHEAD < views->by_name_count)
                label_prefetch(profile, views->by_name[i + LABELS_AHEAD]);
            if (style->is_traditional)
                print_traditional_cell(&sheet, views->by_name[i]);
            else
                print_cell(&sheet, views->by_name[i], column, start);
        }
        out_char(&sheet.out, '\n');
    }
    columns_end(&sheet);
}

const struct report report_index = {.kind = REPORT_GRAPH,
                                    .name = "function index",
                                    .needs = NEEDS_ARCS | NEEDS_GRAPH | NEEDS_ENTRIES |
                                             NEEDS_CALLERS | NEEDS_LABELS | NEEDS_STATIC_POSITIONS,
                                    .print = print_index};

/* ---- Link orders (-r, -R) ---- */

/* Suggested orders are input for linkers: one name per line, not demangled.  */

static void print_line(struct sheet *sheet, const char *name)
{
    out_escaped(&sheet->out, name);
    out_char(&sheet->out, '\n');
}

static void print_function_order(const struct profile *profile, const struct style *style,
                                 FILE *out)
{
    struct sheet sheet;
    columns_begin(&sheet, profile, style, out);
    for (size_t i = 0; i < profile->views.function_count; i++)
        print_line(&sheet, profile->symtab.symbols[profile->views.functions[i]].name);
    columns_end(&sheet);
}

static void print_file_order(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    columns_begin(&sheet, profile, style, out);
    for (size_t i = 0; i < profile->views.object_count; i++)
        print_line(&sheet, profile->views.objects[i]);
    columns_end(&sheet);
}

const struct report report_function_order = {.kind = REPORT_FUNCTION_ORDER,
                                             .name = "function order",
                                             .needs = NEEDS_CALLERS | NEEDS_FUNCTION_ORDER,
                                             .print = print_function_order,
                                             .is_bare = true};

const struct report report_file_order = {.kind = REPORT_FILE_ORDER,
                                         .name = "file order",
                                         .needs = NEEDS_CALLERS | NEEDS_OBJECT_ORDER,
                                         .print = print_file_order,
                                         .is_bare = true};

/* ---- Execution counts (-C) ---- */

/* Prints `/src/a.c:20: (alpha:0x401020) 10 executions'.  Names are not demangled.  */
static void print_count(struct sheet *w, const struct profile *profile, const struct count_row *row)
{
    const struct symbol *symbol = &profile->symtab.symbols[row->symbol];
    char text[32];
    snprintf(text, sizeof text, ":0x%llx) ", (unsigned long long)row->addr);
    if (symbol->file != NO_ID)
        out_text(&w->out, profile->files.labels[symbol->file]);
    else
        out_text(&w->out, "<unknown>");
    out_char(&w->out, ':');
    out_count(&w->out, symbol->line, 0);
    out_text(&w->out, ": (");
    out_escaped(&w->out, symbol->name);
    out_text(&w->out, text);
    out_count(&w->out, row->count, 0);
    out_text(&w->out, " executions\n");
}

static void print_counts(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet w;
    columns_begin(&w, profile, style, out);
    for (size_t i = 0; i < profile->selection.count_count; i++)
        print_count(&w, profile, &profile->selection.counts[i]);
    columns_end(&w);
}

const struct report report_counts = {.kind = REPORT_COUNTS,
                                     .name = "execution counts",
                                     .needs = NEEDS_COUNTS,
                                     .print = print_counts};

/* ---- File infos (-i) ---- */

static void print_records(struct sheet *sheet, unsigned long count, const char *kind)
{
    out_char(&sheet->out, '\t');
    out_count(&sheet->out, count, 0);
    out_char(&sheet->out, ' ');
    out_text(&sheet->out, kind);
    out_text(&sheet->out, count == 1 ? " record\n" : " records\n");
}

static void print_file(struct sheet *sheet, const struct file_info *info)
{
    char version[40];
    snprintf(version, sizeof version, "' (version %d) contains:\n", info->version);
    out_text(&sheet->out, "File `");
    out_escaped(&sheet->out, info->path);
    out_text(&sheet->out, version);
    print_records(sheet, info->histograms, "histogram");
    print_records(sheet, info->arcs, "call-graph");
    print_records(sheet, info->blocks, "basic-block count");
}

static void print_info(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    columns_begin(&sheet, profile, style, out);
    for (size_t i = 0; i < profile->info_count; i++)
        print_file(&sheet, &profile->infos[i]);
    columns_end(&sheet);
}

const struct report report_info = {
    .kind = REPORT_INFO, .name = "file info", .needs = 0, .print = print_info};
