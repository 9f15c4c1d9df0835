/* report.c - the table of reports, in print order.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/printers.h"

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "report/table_text.h"

/* Rows that the traditional layout exchanges: it prints the call graph first.  */
enum { FLAT_ROW = 2, GRAPH_ROW = 3 };

/* The reports, in the order in which they are printed.  */
/* clang-format off */
static const struct report *const reports[] = {
    &report_info,
    &report_per_file,
    [FLAT_ROW] = &report_flat,
    [GRAPH_ROW] = &report_graph,
    &report_index,
    &report_top,
    &report_tree,
    &report_code,
    &report_counts,
    &report_sources,
    &report_function_order,
    &report_file_order,
};
/* clang-format on */

/* The report at a position of the print order.  */
static const struct report *report_at(size_t position, const struct style *style)
{
    if (style->is_traditional && (position == FLAT_ROW || position == GRAPH_ROW))
        position = FLAT_ROW + GRAPH_ROW - position;
    return reports[position];
}

unsigned reports_needs(unsigned kinds)
{
    unsigned needs = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(reports); i++)
        if ((kinds & reports[i]->kind) != 0)
            needs |= reports[i]->needs;
    return needs;
}

static bool has_records(const struct profile *profile, unsigned needs)
{
    return ((needs & NEEDS_HISTOGRAM) == 0 || has_histograms(profile)) &&
           ((needs & NEEDS_ARCS) == 0 || has_arcs(profile) || profile->recorded.counted > 0);
}

bool reports_are_possible(unsigned kinds, const struct profile *profile)
{
    for (size_t i = 0; i < ARRAY_LENGTH(reports); i++) {
        const struct report *report = reports[i];
        if ((kinds & report->kind) != 0 && !has_records(profile, report->needs))
            return problem((report->needs & NEEDS_HISTOGRAM) != 0 ? MSG_NO_HISTOGRAM : MSG_NO_ARCS);
    }
    return true;
}

static void print_table(const struct table *table, const struct style *style, FILE *file)
{
    struct out out;
    out_begin(&out, file);
    table_print_text(table, &out, style);
    out_end(&out);
}

/* Prints the tables of REPORT: functions, the tree of calls, or code.  */
static void print_tables(const struct report *report, const struct report_tables *tables,
                         const struct style *style, FILE *out)
{
    if (report != &report_code) {
        print_table(report == &report_tree ? tables->tree : tables->top, style, out);
        return;
    }
    for (size_t i = 0; i < tables->code_count; i++) {
        fputs(i > 0 ? "\n" : "", out);
        print_table(tables->code[i], style, out);
    }
}

void reports_print(unsigned kinds, const struct profile *profile,
                   const struct report_tables *tables, const struct style *style, FILE *out)
{
    bool is_first = true;
    for (size_t i = 0; i < ARRAY_LENGTH(reports); i++) {
        const struct report *report = report_at(i, style);
        if ((kinds & report->kind) == 0 ||
            (report->has_output != NULL && !report->has_output(profile, style)))
            continue;
        if (!is_first && !report->is_bare)
            fputs("\f\n", out);
        if (report->print != NULL)
            report->print(profile, style, out);
        else
            print_tables(report, tables, style, out);
        is_first = false;
    }
}
