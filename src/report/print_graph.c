/* print_graph.c - prints the call graph (-q).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>

#include "base/message.h"
#include "base/messages.h"
#include "report/blurbs.h"
#include "report/columns.h"
#include "report/graph_labels.h"

#include "report/printers.h"

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
#define RULE "-----------------------------------------------\n"
enum { INDENT = 5 }; /* blanks before the names of callers, callees and members */

/* Prints that nothing is known of the calls of an arc with time: no call was counted.  */
static void print_uncounted(struct sheet *sheet)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[CALLED].width);
    out_char(&sheet->out, '-');
    column_blank(sheet, TOTAL);
}

/* Prints `calls/total' or `calls+self'; only `calls' if SEPARATOR is `+' and SECOND is 0.  */
static void print_called(struct sheet *sheet, uint64_t calls, char separator, uint64_t second)
{
    column_count(sheet, CALLED, calls);
    if (separator == '+' && second == 0) {
        column_blank(sheet, TOTAL);
        return;
    }
    out_char(&sheet->out, separator);
    out_count(&sheet->out, second, sheet->columns[TOTAL].width);
}

struct graph_printer {
    struct sheet sheet;
    struct graph_labels labels;
    size_t before_times, before_calls, after_calls, before_names; /* widths of blank columns */
};

/* Prints the times of a line that is not the one its entry is about.  */
static void print_times(struct graph_printer *printer, const struct line_times *line)
{
    struct sheet *sheet = &printer->sheet;
    out_blanks(&sheet->out, printer->before_times);
    column_time(sheet, SELF, line->self);
    column_time(sheet, CHILDREN, line->children);
}

/* ---- Callers and callees ---- */

/* Prints the line of the arc ID in the entry of SYMBOL, which is its caller or callee.  Without
   times if the arc is within a cycle.  */
static void print_arc(struct graph_printer *printer, uint32_t id, uint32_t symbol)
{
    const struct arc_table *table = &printer->sheet.profile->arcs;
    const struct arc *arc = &table->arcs[id];
    uint32_t other = arc->caller == symbol ? arc->callee : arc->caller;
    const struct graph_label *of = printer->labels.of;
    struct sheet *sheet = &printer->sheet;
    if (other == symbol || (of[other].cycle != 0 && of[other].cycle == of[symbol].cycle)) {
        out_blanks(&sheet->out, printer->before_calls);
        column_count(sheet, CALLED, arc->count);
        out_blanks(&sheet->out, printer->after_calls);
    } else {
        const struct times *times = &sheet->profile->times;
        bool is_caller = arc->callee == symbol;
        const struct line_times *line = is_caller ? &times->callers[id] : &times->callees[id];
        const struct line_times *other_line = is_caller ? &times->callees[id] : &times->callers[id];
        bool is_uncounted = arc->count == 0 && line_total(line) != 0;
        if (arc->count == 0 && !is_uncounted && line_total(other_line) != 0)
            return; /* functions recur: the time is in the other entry alone */
        print_times(printer, line);
        if (is_uncounted) /* only measured times need no calls */
            print_uncounted(sheet);
        else
            print_called(sheet, arc->count, '/', of[arc->callee].calls);
        out_blanks(&sheet->out, INDENT);
    }
    graph_labels_write(&printer->labels, sheet, other);
}

/* Prints the arcs of symbol ID, as caller or callee: IDS[START[ID], START[ID + 1]).  */
static void print_arcs(struct graph_printer *printer, uint32_t id, const uint32_t *ids,
                       const uint32_t *start)
{
    for (uint32_t i = start[id]; i < start[id + 1]; i++) {
        prefetch_arcs(printer->sheet.profile, printer->labels.of, ids, i, start[id + 1]);
        print_arc(printer, ids[i], id);
    }
}

/* Prints the line of the time in which no function called SYMBOL, which has callers as well.  */
static void print_start(struct graph_printer *printer, const struct line_times *line)
{
    struct sheet *sheet = &printer->sheet;
    print_times(printer, line);
    print_uncounted(sheet);
    out_blanks(&sheet->out, INDENT);
    out_text(&sheet->out, "<spontaneous>\n");
}

static void print_callers(struct graph_printer *printer, uint32_t symbol)
{
    const uint32_t *start = printer->sheet.profile->arcs.callers.start;
    const struct line_times *starts = printer->sheet.profile->times.starts;
    if (start[symbol] == start[symbol + 1]) {
        out_blanks(&printer->sheet.out, printer->before_names);
        out_text(&printer->sheet.out, "<spontaneous>\n");
    } else if (starts != NULL && line_total(&starts[symbol]) != 0) {
        print_start(printer, &starts[symbol]);
    }
    print_arcs(printer, symbol, printer->sheet.profile->views.callers, start);
}

static void print_members(struct graph_printer *printer, uint32_t cycle)
{
    struct sheet *sheet = &printer->sheet;
    const struct graph *graph = &sheet->profile->graph;
    const uint32_t *members = sheet->profile->views.members, end = graph->member_start[cycle];
    for (uint32_t i = graph->member_start[cycle - 1]; i < end; i++) {
        const struct node *member = &graph->nodes[members[i]];
        print_times(printer, &sheet->profile->times.nodes[members[i]]);
        print_called(sheet, member->calls, '+', member->self_calls);
        out_blanks(&sheet->out, INDENT);
        graph_labels_write(&printer->labels, sheet, members[i]);
    }
}

/* ---- Entries ---- */

/* Prints the line of the function, or cycle, that the entry is about.  */
static void print_primary(struct graph_printer *printer, uint32_t id)
{
    struct sheet *sheet = &printer->sheet;
    const struct graph *graph = &sheet->profile->graph;
    const struct node *node = &graph->nodes[id];
    const struct times *times = &sheet->profile->times;
    char index[INDEX_SIZE];
    label_index(index, node);
    out_left(&sheet->out, index, (size_t)-sheet->columns[INDEX].width);
    column_fixed(sheet, PERCENT, percent_of(line_total(&times->nodes[id]), times->total));
    column_time(sheet, SELF, times->nodes[id].self);
    column_time(sheet, CHILDREN, times->nodes[id].children);
    if (node->calls == 0 && node->self_calls == 0 && !is_cycle(graph, id))
        columns_blank(sheet, CALLED, TOTAL);
    else
        print_called(sheet, node->calls, '+', node->self_calls);
    out_char(&sheet->out, ' ');
    graph_labels_write(&printer->labels, sheet, id);
}

/* Prints an entry.  That of a cycle as a whole has no callers: they are in the entries of the
   members they call.  */
static void print_entry(struct graph_printer *printer, uint32_t id)
{
    const struct profile *profile = printer->sheet.profile;
    bool is_whole = is_cycle(&profile->graph, id);
    if (!is_whole)
        print_callers(printer, id);
    print_primary(printer, id);
    if (is_whole)
        print_members(printer, profile->graph.cycle[id]);
    else
        print_arcs(printer, id, profile->views.callees, profile->arcs.callee_start);
    out_text(&printer->sheet.out, printer->sheet.style->is_traditional ? "\n" RULE "\n" : RULE);
}

/* Prints `, measured by N stacks'.  */
static void print_measure(struct sheet *sheet)
{
    const struct recorded_stacks *stacks = &sheet->profile->recorded;
    if (stacks->rules.is_stated) {
        out_text(&sheet->out, ", as the profile states it");
        return;
    }
    bool are_effective;
    double count = recorded_samples(stacks, &are_effective);
    out_text(&sheet->out, ", measured by ");
    if (are_effective)
        out_fixed(&sheet->out, count, 0, 1);
    else
        out_count(&sheet->out, whole_u64(count), 0);
    out_text(&sheet->out, are_effective ? " effective" : "");
    out_text(&sheet->out, stacks->missing.callers == CALLERS_OF_ALL ? " samples" : " stacks");
}

/* Prints what one stack counts.  */
static void print_stack_size(struct sheet *sheet)
{
    double total = sheet->profile->times.total;
    const struct recorded_stacks *stacks = &sheet->profile->recorded;
    const char *dimension = stacks->rules.is_foreign ? sheet->unit.dimension : "seconds";
    if (!figures_traits(sheet->profile->hist.figures)->has_samples) {
        columns_total(sheet, total, dimension);
        return;
    }
    out_text(&sheet->out, "granularity: each ");
    out_text(&sheet->out, recorded_are_unequal(stacks) ? "effective " : "");
    out_text(&sheet->out, stacks->rules.is_stated || stacks->missing.callers == CALLERS_OF_ALL
                              ? "sample counts for "
                              : "stack counts for ");
    out_fixed(&sheet->out, percent_of(1, total), 0, 2);
    out_text(&sheet->out, "% of ");
    out_fixed(&sheet->out, total / sheet->unit.rate, 0, 2);
    out_char(&sheet->out, ' ');
    out_text(&sheet->out, dimension);
    out_text(&sheet->out, "\n\n");
}

static void print_title(struct sheet *sheet, bool is_estimated)
{
    bool is_brief = sheet->style->is_brief;
    if (!sheet->style->is_traditional) {
        out_text(&sheet->out, is_brief ? "\t\t\tCall graph" : "\t\t     Call graph");
        if (!is_estimated)
            print_measure(sheet);
        out_text(&sheet->out, is_brief ? "\n\n" : " (explanation follows)\n\n");
    } else if (!is_brief) {
        columns_blurb(sheet, "",
                      is_estimated ? blurb_graph_traditional : blurb_measured_traditional, "\f\n");
    }
    if (!is_estimated && sheet->style->is_traditional) {
        out_text(&sheet->out, "call graph");
        print_measure(sheet);
        out_char(&sheet->out, '\n');
    }
    out_char(&sheet->out, '\n');
    if (is_estimated)
        columns_granularity(sheet, sheet->profile->times.total,
                            sheet->unit.is_ticks ? sheet->unit.dimension : "seconds", "propagated");
    else
        print_stack_size(sheet);
}

size_t report_limits(const struct recorded_stacks *stacks, char texts[MOST_LIMITS][LIMIT_SIZE])
{
    size_t count = 0;
    const double rounding = 1e-9;                   /* of sums of fractions */
    double own = stacks->all.sum - stacks->counted; /* in libregmon */
    bool has_own = own > rounding * stacks->all.sum && !stacks->rules.is_foreign;
    if (has_own && stacks->missing.calls)
        snprintf(texts[count++], LIMIT_SIZE, _(NOTE_SAMPLING), percent_of(own, stacks->counted));
    else if (has_own)
        snprintf(texts[count++], LIMIT_SIZE, _(NOTE_COUNTING), own / stacks->rate);
    if (stacks->missing.cut > 0)
        snprintf(texts[count++], LIMIT_SIZE, _(NOTE_CUT),
                 percent_of(stacks->missing.cut, stacks->counted), CUT_SHOWN);
    if (stacks->missing.callers != CALLERS_KNOWN)
        snprintf(texts[count++], LIMIT_SIZE, "%s",
                 stacks->missing.callers == CALLERS_OF_ALL ? _(NOTE_NO_STACKS)
                                                           : _(NOTE_FRAME_POINTERS));
    if (stacks->missing.samples != NULL)
        snprintf(texts[count++], LIMIT_SIZE, _(NOTE_LEFT_OUT), stacks->missing.samples);
    if (stacks->missing.of_programs > 0)
        snprintf(texts[count++], LIMIT_SIZE, _(NOTE_OTHER_PROGRAMS),
                 (unsigned long long)stacks->missing.of_programs);
    if (stacks->missing.unsampled > 0)
        snprintf(texts[count++], LIMIT_SIZE, _(NOTE_UNSAMPLED), stacks->missing.unsampled,
                 stacks->missing.run, percent_of(stacks->missing.unsampled, stacks->missing.run));
    return count;
}

static void print_graph(const struct profile *profile, const struct style *style, FILE *out)
{
    struct graph_printer printer;
    struct sheet *sheet = &printer.sheet;
    bool is_estimated = profile->times.origin == ORIGIN_ESTIMATED;
    columns_begin(sheet, profile, style, out);
    sheet->unit.rate = profile->times.rate;
    graph_labels_make(&printer.labels, sheet);
    sheet->columns = style->is_traditional ? traditional_columns : gnu_columns;
    printer.before_times = columns_width(sheet, INDEX, PERCENT) - 1;
    printer.before_calls = columns_width(sheet, INDEX, CHILDREN) - 1;
    printer.after_calls = columns_width(sheet, TOTAL, TOTAL) + INDENT;
    printer.before_names = columns_width(sheet, INDEX, TOTAL) - 1 + INDENT;
    print_title(sheet, is_estimated);
    columns_heading(sheet, COLUMNS);
    out_text(&sheet->out, style->is_traditional ? "\n" : "");
    for (size_t i = 0; i < profile->selection.entry_count; i++) {
        prefetch_entry(profile, printer.labels.of, i);
        print_entry(&printer, profile->selection.entries[i]);
    }
    char texts[MOST_LIMITS][LIMIT_SIZE];
    size_t limits = is_estimated ? 0 : report_limits(&profile->recorded, texts);
    for (size_t i = 0; i < limits; i++) {
        out_text(&sheet->out, texts[i]);
        out_char(&sheet->out, '\n');
    }
    if (!style->is_traditional && !style->is_brief)
        columns_blurb(sheet, "\n", is_estimated ? blurb_graph : blurb_measured, "");
    graph_labels_free(&printer.labels);
    columns_end(sheet);
}

const struct report report_graph = {.kind = REPORT_GRAPH,
                                    .name = "call graph",
                                    .needs = NEEDS_ARCS | NEEDS_GRAPH | NEEDS_ENTRIES |
                                             NEEDS_ENTRY_LINES | NEEDS_CALLERS | NEEDS_LABELS |
                                             NEEDS_STATIC_POSITIONS,
                                    .print = print_graph};
