/* labels.c - names of symbols, files and nodes as reports print them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/labels.h"

void label_print_file(struct sheet *sheet, uint32_t file)
{
    const struct files *files = &sheet->profile->files;
    const char *path = files->labels != NULL ? files->labels[file] : files->paths[file];
    out_text(&sheet->out, sheet->style->print_path ? path : path_base(path));
}

void label_print_position(struct sheet *sheet, const struct symbol *symbol)
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

const char *label_of_symbol(const struct symbol *symbol)
{
    return symbol->label != NULL ? symbol->label : symbol->name;
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

void label_print_names(struct sheet *sheet, int count, const struct cut_names *names,
                       const struct symbol *symbol, const char *end)
{
    enum { GAP = 2 }; /* blanks before the column */
    size_t widths[MOST_CUT_NAMES], width = sheet->style->terminal_width;
    size_t used = columns_width(sheet, 0, count - 2) + GAP + text_width(end);
    cut_names_fit(names, width == 0 ? SIZE_MAX : width > used ? width - used : 0, widths);
    out_blanks(&sheet->out, GAP);
    for (size_t i = 0; i < names->count; i++) {
        out_text(&sheet->out, names->before[i]);
        out_cut(&sheet->out, names->names[i], widths[i]);
        if (i == 0 && symbol != NULL)
            label_print_position(sheet, symbol);
    }
    out_text(&sheet->out, end);
    out_char(&sheet->out, '\n');
}
