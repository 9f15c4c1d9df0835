/* print_flat.c - prints the flat profile (-p).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/blurbs.h"
#include "report/columns.h"
#include "report/printers.h"

enum { PERCENT, CUMULATIVE, SELF, CALLS, SELF_PER_CALL, TOTAL_PER_CALL, NAME, COLUMNS };

/* clang-format off */
static const struct column gnu_columns[COLUMNS] = {
    [PERCENT]        = {{"  %   ",     " time "},     6, 2},
    [CUMULATIVE]     = {{"cumulative", "######### "}, 9, 2},
    [SELF]           = {{"   self  ",  " ########"},  8, 2},
    [CALLS]          = {{"         ",  "    calls"},  8, 0},
    [SELF_PER_CALL]  = {{"   self  ",  " @@@@@@@@"},  8, 2},
    [TOTAL_PER_CALL] = {{"   total ",  " @@@@@@@@"},  8, 2},
    [NAME]           = {{"          ", "  name    "}, 0, 0},
};

static const struct column traditional_columns[COLUMNS] = {
    [PERCENT]        = {{"  %   ",     " time "},      5, 1},
    [CUMULATIVE]     = {{"cumulative", "######### "}, 10, 2},
    [SELF]           = {{"   self  ",  " ########"},   8, 2},
    [CALLS]          = {{"         ",  "    calls"},   8, 0},
    [SELF_PER_CALL]  = {{"   self  ",  " @@@@@@@@"},   8, 2},
    [TOTAL_PER_CALL] = {{"   total ",  " @@@@@@@@"},   8, 2},
    [NAME]           = {{"          ", "  name    "},  0, 0},
};
/* clang-format on */

/* ---- Rows ---- */

/* Prints the time of SAMPLES, taken at RATE, divided by CALLS, in the unit of times per call.  The
   order of the operations decides the last printed digit.  */
static void print_per_call(struct sheet *sheet, int column, double samples, double rate,
                           uint64_t calls)
{
    column_fixed(sheet, column, sheet->unit.per_call_factor * samples / rate / (double)calls);
}

/* Prints the columns for calls, which are blank for a function without counted calls.  */
static void print_calls(struct sheet *sheet, uint32_t symbol)
{
    const struct node *node = &sheet->profile->graph.nodes[symbol];
    const struct times *times = &sheet->profile->times;
    if (node->calls == 0) {
        columns_blank(sheet, CALLS, TOTAL_PER_CALL);
        return;
    }
    column_count(sheet, CALLS, node->calls);
    print_per_call(sheet, SELF_PER_CALL, node->time, sheet->unit.rate, node->calls);
    print_per_call(sheet, TOTAL_PER_CALL, times->inclusive[symbol], times->rate, node->calls);
}

/* Prints a row.  CUMULATIVE is in ticks.  If HAS_INDEX, prints the index of the symbol, too.  */
static void print_row(struct sheet *sheet, uint32_t symbol, double cumulative, bool has_index)
{
    const struct node *node = &sheet->profile->graph.nodes[symbol];
    const struct column *percent = &sheet->columns[PERCENT];
    out_fixed(&sheet->out, percent_of(node->time, sheet->profile->hist.total), percent->width,
              percent->decimals);
    column_time(sheet, CUMULATIVE, cumulative);
    column_time(sheet, SELF, node->time);
    print_calls(sheet, symbol);
    out_text(&sheet->out, "  ");
    if (has_index)
        label_print_node(sheet, symbol);
    else
        label_print(sheet, symbol);
    out_char(&sheet->out, '\n');
}

static void print_rows(struct sheet *sheet)
{
    const struct selection *selection = &sheet->profile->selection;
    bool has_index = sheet->style->is_traditional && has_arcs(sheet->profile);
    for (size_t i = 0; i < selection->flat_count; i++) {
        if (i + NODES_AHEAD < selection->flat_count)
            label_prefetch_node(sheet->profile, selection->flat[i + NODES_AHEAD].symbol);
        if (i + LABELS_AHEAD < selection->flat_count)
            label_prefetch(sheet->profile, selection->flat[i + LABELS_AHEAD].symbol);
        print_row(sheet, selection->flat[i].symbol, selection->flat[i].cumulative, has_index);
    }
}

/* ---- The report ---- */

/* Prints `Each sample counts as 0.01 ', or what stands in its place where nothing was sampled.  */
static void print_period(struct sheet *sheet)
{
    char period[32];
    const char *heading = figures_traits(sheet->profile->hist.figures)->heading;
    if (heading != NULL) {
        out_text(&sheet->out, heading);
        return;
    }
    snprintf(period, sizeof period, "%g", 1 / sheet->unit.rate);
    out_text(&sheet->out, "Each sample counts as ");
    out_text(&sheet->out, period);
    out_char(&sheet->out, ' ');
}

static void print_gnu_title(struct sheet *sheet)
{
    out_text(&sheet->out, "Flat profile:\n\n");
    print_period(sheet);
    out_text(&sheet->out, sheet->unit.dimension);
    out_text(&sheet->out, ".\n");
    if (!(sheet->profile->hist.total > 0))
        out_text(&sheet->out, " no time accumulated\n\n");
}

static void print_traditional_title(struct sheet *sheet)
{
    if (!sheet->style->is_brief)
        columns_blurb(sheet, "", blurb_flat_traditional, "\f\n");
    out_char(&sheet->out, '\n');
    columns_granularity(sheet, sheet->profile->hist.total, sheet->unit.dimension, "accumulated");
}

static void print_flat(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    columns_begin(&sheet, profile, style, out);
    sheet.columns = style->is_traditional ? traditional_columns : gnu_columns;
    if (style->is_traditional) {
        print_traditional_title(&sheet);
    } else {
        columns_set_prefix(&sheet, &profile->selection.per_call);
        print_gnu_title(&sheet);
    }
    columns_heading(&sheet, COLUMNS);
    print_rows(&sheet);
    if (!style->is_traditional && !style->is_brief)
        columns_blurb(&sheet, "\n", blurb_flat, "");
    columns_end(&sheet);
}

const struct report report_flat = {.kind = REPORT_FLAT,
                                   .name = "flat profile",
                                   .needs =
                                       NEEDS_HISTOGRAM | NEEDS_GRAPH | NEEDS_CALLERS | NEEDS_LABELS,
                                   .print = print_flat};
