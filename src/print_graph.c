#include "blurbs.h"
#include "expect.h"
#include "format.h"
#include "printers.h"

/* An entry: callers, then the function itself (or a cycle as a whole), then callees (or members).

                            called/total      caller
     [index] %time self children called+self  function
                            called/total      callee  */

enum { INDEX, PERCENT, SELF, CHILDREN, CALLED, TOTAL, NAME, COLUMNS };

/* clang-format off */
static const struct column gnu_columns[COLUMNS] = {
    [INDEX]    = {{"index "},     -6, 0},
    [PERCENT]  = {{"% time"},      5, 1},
    [SELF]     = {{"    self"},    7, 2},
    [CHILDREN] = {{"  children"},  7, 2},
    [CALLED]   = {{"    called"},  7, 0},
    [TOTAL]    = {{""},           -7, 0},
    [NAME]     = {{"     name"},   0, 0},
};

static const struct column traditional_columns[COLUMNS] = {
    [INDEX]    = {{"      ",       "index ",           "      "},       -6, 0},
    [PERCENT]  = {{"      ",       " %time",           "      "},        5, 1},
    [SELF]     = {{"        ",     "    self",         "        "},      7, 2},
    [CHILDREN] = {{"            ", " descendants",     "            "}, 11, 2},
    [CALLED]   = {{"  called",     "  called",         "  called"},      7, 0},
    [TOTAL]    = {{"/total  ",     "+self   ",         "/total  "},     -7, 0},
    [NAME]     = {{"     parents ", " name    \tindex", "     children"}, 0, 0},
};
/* clang-format on */

#define INDENT "    " /* before the names of callers, callees and members */
#define RULE "-----------------------------------------------\n"

/* What stands before the times on a line that is not the function's own.  */
static void print_margin(struct sheet *sheet)
{
    format_blanks(sheet, (size_t)-sheet->columns[INDEX].width);
    format_cell_blank(sheet, PERCENT);
}

/* `calls/total', or `calls+self' if the function called itself.  */
static void print_called(struct sheet *sheet, uint64_t calls, char separator, uint64_t second)
{
    format_cell_count(sheet, CALLED, calls);
    if (separator == '+' && second == 0) {
        format_cell_blank(sheet, TOTAL);
        return;
    }
    format_char(sheet, separator);
    format_count(sheet, second, sheet->columns[TOTAL].width);
}

static void print_name(struct sheet *sheet, const char *indent, uint32_t node)
{
    format_text(sheet, indent);
    format_reference(sheet, node);
    format_char(sheet, '\n');
}

/* ---- Callers and callees ---- */

static bool is_inside_cycle(const struct graph *graph, const struct arc *arc)
{
    uint32_t cycle = graph->nodes[arc->callee].cycle;
    return arc->caller == arc->callee || (cycle != 0 && graph->nodes[arc->caller].cycle == cycle);
}

/* The line of ARC in the entry of one end; OTHER is the other.  In a cycle it carries no time.  */
static void print_arc(struct sheet *sheet, const struct arc *arc, uint32_t other)
{
    const struct graph *graph = &sheet->profile->graph;
    print_margin(sheet);
    if (is_inside_cycle(graph, arc)) {
        format_cells_blank(sheet, SELF, CHILDREN);
        print_called(sheet, arc->count, '+', 0);
    } else {
        format_cell_time(sheet, SELF, arc->time);
        format_cell_time(sheet, CHILDREN, arc->child_time);
        print_called(sheet, arc->count, '/',
                     graph->nodes[node_of_symbol(graph, arc->callee)].calls);
    }
    print_name(sheet, " " INDENT, other);
}

/* The lines of the arcs that SYMBOL is one end of: its row in ROWS, which START divides.  */
static void print_arcs(struct sheet *sheet, uint32_t symbol, const uint32_t *rows,
                       const uint32_t *start)
{
    for (uint32_t i = start[symbol]; i < start[symbol + 1]; i++) {
        const struct arc *arc = &sheet->profile->arcs.arcs[rows[i]];
        expect_arcs(sheet->profile, rows, i, start[symbol + 1]);
        print_arc(sheet, arc, arc->caller == symbol ? arc->callee : arc->caller);
    }
}

static void print_callers(struct sheet *sheet, uint32_t symbol)
{
    const uint32_t *start = sheet->profile->arcs.parent_start;
    if (start[symbol] == start[symbol + 1]) {
        print_margin(sheet);
        format_cells_blank(sheet, SELF, TOTAL);
        format_text(sheet, " " INDENT "<spontaneous>\n");
    }
    print_arcs(sheet, symbol, sheet->profile->views.parents, start);
}

static void print_members(struct sheet *sheet, uint32_t cycle)
{
    const struct graph *graph = &sheet->profile->graph;
    const uint32_t *members = sheet->profile->views.members, end = graph->member_start[cycle];
    for (uint32_t i = graph->member_start[cycle - 1]; i < end; i++) {
        const struct node *member = &graph->nodes[members[i]];
        expect_nodes(sheet->profile, members, i, end);
        print_margin(sheet);
        format_cell_time(sheet, SELF, member->self);
        format_cell_time(sheet, CHILDREN, member->child);
        print_called(sheet, member->calls, '+', member->self_calls);
        print_name(sheet, " " INDENT, members[i]);
    }
}

/* ---- Entries ---- */

static bool has_entry(const struct sheet *sheet, uint32_t id)
{
    const struct node *node = &sheet->profile->graph.nodes[id];
    bool is_line = sheet->style->has_lines && (is_cycle(&sheet->profile->graph, id) ||
                                               !sheet->profile->symtab.symbols[id].is_func);
    return node->is_shown && !is_line && (has_content(node) || sheet->style->has_zeros);
}

/* The line of the function, or cycle, that the entry is about.  */
static void print_primary(struct sheet *sheet, uint32_t id)
{
    const struct graph *graph = &sheet->profile->graph;
    const struct node *node = &graph->nodes[id];
    char index[INDEX_ROOM];
    format_index(index, node);
    format_left(sheet, index, (size_t)-sheet->columns[INDEX].width);
    format_cell_fixed(sheet, PERCENT, format_percent(node->self + node->child, graph->total));
    format_cell_time(sheet, SELF, node->self);
    format_cell_time(sheet, CHILDREN, node->child);
    if (node->calls == 0 && node->self_calls == 0 && !is_cycle(graph, id))
        format_cells_blank(sheet, CALLED, TOTAL);
    else
        print_called(sheet, node->calls, '+', node->self_calls);
    print_name(sheet, " ", id);
}

/* A cycle as a whole has no lines of callers: they are listed with the members that they call.  */
static void print_entry(struct sheet *sheet, uint32_t id)
{
    const struct graph *graph = &sheet->profile->graph;
    bool is_whole = is_cycle(graph, id), is_traditional = sheet->style->is_traditional;
    if (!is_whole)
        print_callers(sheet, id);
    print_primary(sheet, id);
    if (is_whole)
        print_members(sheet, graph->nodes[id].cycle);
    else
        print_arcs(sheet, id, sheet->profile->views.children, sheet->profile->arcs.child_start);
    format_text(sheet, is_traditional ? "\n" RULE "\n" : RULE);
}

static void print_title(struct sheet *sheet)
{
    if (!sheet->style->is_traditional)
        format_text(sheet, sheet->style->is_brief
                               ? "\t\t\tCall graph\n\n"
                               : "\t\t     Call graph (explanation follows)\n\n");
    else if (!sheet->style->is_brief)
        format_blurb(sheet, "", blurb_graph_traditional, "\f\n");
    format_char(sheet, '\n');
    format_granularity(sheet, sheet->profile->graph.total,
                       sheet->unit.is_ticks ? sheet->unit.dimension : "seconds", "propagated");
}

void print_graph(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    format_begin(&sheet, profile, style, out);
    sheet.columns = style->is_traditional ? traditional_columns : gnu_columns;
    print_title(&sheet);
    format_heading(&sheet, COLUMNS);
    format_text(&sheet, style->is_traditional ? "\n" : "");
    for (size_t i = 0; i < profile->graph.count; i++) {
        expect_entry(profile, i);
        if (has_entry(&sheet, profile->views.graph[i]))
            print_entry(&sheet, profile->views.graph[i]);
    }
    if (!style->is_traditional && !style->is_brief)
        format_blurb(&sheet, "\n", blurb_graph, "");
    format_end(&sheet);
}
