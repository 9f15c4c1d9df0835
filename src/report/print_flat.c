/* print_flat.c - prints the flat profile (-p).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/blurbs.h"
#include "report/columns.h"
#include "report/prefetch.h"
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

/* The largest time per call, callees included, in ticks; of all functions, shown or not.  */
static double largest_per_call(const struct profile *profile)
{
    double largest = 0;
    for (size_t s = 0; s < profile->symtab.count; s++) {
        const struct node *node = &profile->graph.nodes[s];
        if (node->calls == 0)
            continue;
        double per_call = (node->time + node->inherited) / (double)node->calls;
        if (per_call > largest)
            largest = per_call;
    }
    return largest;
}

/* ---- Rows ---- */

static bool has_row(const struct sheet *sheet, uint32_t symbol)
{
    const struct node *node = &sheet->profile->graph.nodes[symbol];
    return is_accepted(&sheet->profile->filters.flat, symbol) &&
           (sheet->style->has_zeros || node->calls != 0 || node->time != 0);
}

/* TICKS for each of CALLS, in the unit of the per-call columns.  The order of the operations
   decides the last digit.  */
static void print_per_call(struct sheet *sheet, int column, double ticks, uint64_t calls)
{
    const struct time_unit *unit = &sheet->unit;
    format_cell_fixed(sheet, column, unit->per_call_factor * ticks / unit->rate / (double)calls);
}

/* The columns that are blank for a function whose calls were not counted.  */
static void print_calls(struct sheet *sheet, const struct node *node)
{
    if (node->calls == 0) {
        format_cells_blank(sheet, CALLS, TOTAL_PER_CALL);
        return;
    }
    format_cell_count(sheet, CALLS, node->calls);
    print_per_call(sheet, SELF_PER_CALL, node->time, node->calls);
    print_per_call(sheet, TOTAL_PER_CALL, node->time + node->inherited, node->calls);
}

/* CUMULATIVE is in ticks.  The traditional layout refers to the call graph, if there is one.  */
static void print_row(struct sheet *sheet, uint32_t symbol, double cumulative, bool has_references)
{
    const struct node *node = &sheet->profile->graph.nodes[symbol];
    const struct column *percent = &sheet->columns[PERCENT];
    format_fixed(sheet, format_percent(node->time, sheet->profile->hist.total), percent->width,
                 percent->decimals);
    format_cell_time(sheet, CUMULATIVE, cumulative);
    format_cell_time(sheet, SELF, node->time);
    print_calls(sheet, node);
    format_text(sheet, "  ");
    if (has_references)
        format_reference(sheet, symbol);
    else
        format_label(sheet, symbol);
    format_char(sheet, '\n');
}

static void print_rows(struct sheet *sheet)
{
    const struct profile *profile = sheet->profile;
    bool has_references = sheet->style->is_traditional && report_has(profile, NEEDS_ARCS);
    double cumulative = 0;
    for (size_t i = 0; i < profile->views.flat_count; i++) {
        uint32_t symbol = profile->views.flat[i];
        prefetch_nodes(profile, profile->views.flat, i, profile->views.flat_count);
        if (!has_row(sheet, symbol))
            continue;
        cumulative += profile->graph.nodes[symbol].time;
        print_row(sheet, symbol, cumulative, has_references);
    }
}

/* ---- The report ---- */

static void print_gnu_title(struct sheet *sheet)
{
    char period[32];
    snprintf(period, sizeof period, "%g", 1.0 / sheet->unit.rate);
    format_text(sheet, "Flat profile:\n\nEach sample counts as ");
    format_text(sheet, period);
    format_char(sheet, ' ');
    format_text(sheet, sheet->unit.dimension);
    format_text(sheet, ".\n");
    if (!(sheet->profile->hist.total > 0))
        format_text(sheet, " no time accumulated\n\n");
}

static void print_traditional_title(struct sheet *sheet)
{
    if (!sheet->style->is_brief)
        format_blurb(sheet, "", blurb_flat_traditional, "\f\n");
    format_char(sheet, '\n');
    format_granularity(sheet, sheet->profile->hist.total, sheet->unit.dimension, "accumulated");
}

void print_flat(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    format_begin(&sheet, profile, style, out);
    sheet.columns = style->is_traditional ? traditional_columns : gnu_columns;
    if (style->is_traditional) {
        print_traditional_title(&sheet);
    } else {
        format_choose_prefix(&sheet, largest_per_call(profile));
        print_gnu_title(&sheet);
    }
    format_heading(&sheet, COLUMNS);
    print_rows(&sheet);
    if (!style->is_traditional && !style->is_brief)
        format_blurb(&sheet, "\n", blurb_flat, "");
    format_end(&sheet);
}
