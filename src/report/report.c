/* report.c - the registry of reports, in print order.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/report.h"

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "report/printers.h"

/* Rows that change places in the traditional layout: there the call graph comes first.  */
enum { FLAT_ROW = 2, GRAPH_ROW = 3 };

/* The registry, in print order.  */
static const struct report reports[] = {
    {"file info", REPORT_INFO, NEEDS_NOTHING, print_info},
    {"profile by profile", REPORT_PER_FILE, NEEDS_NOTHING, print_perfile},
    [FLAT_ROW] = {"flat profile", REPORT_FLAT, NEEDS_HISTOGRAM, print_flat},
    [GRAPH_ROW] = {"call graph", REPORT_GRAPH, NEEDS_ARCS, print_graph},
    {"function index", REPORT_GRAPH, NEEDS_ARCS, print_index},
    {"execution counts", REPORT_COUNTS, NEEDS_NOTHING, print_counts},
    {"annotated source", REPORT_SOURCE, NEEDS_NOTHING, print_sources},
    {"function order", REPORT_FUNCTION_ORDER, NEEDS_NOTHING, print_function_order},
    {"file order", REPORT_FILE_ORDER, NEEDS_NOTHING, print_file_order},
};

/* The suggested orders are for other programs to read: no form feed before them.  */
enum { BARE_REPORTS = REPORT_FUNCTION_ORDER | REPORT_FILE_ORDER };

static const struct report *report_at(size_t place, const struct style *style)
{
    if (style->is_traditional && (place == FLAT_ROW || place == GRAPH_ROW))
        place = FLAT_ROW + GRAPH_ROW - place;
    return &reports[place];
}

bool report_has(const struct profile *profile, enum report_need need)
{
    unsigned has = NEEDS_NOTHING;
    for (size_t i = 0; i < profile->info_count; i++) {
        const struct file_info *info = &profile->infos[i];
        has |= info->histograms > 0 ? NEEDS_HISTOGRAM : NEEDS_NOTHING;
        has |= info->arcs > 0 || info->is_bsd ? NEEDS_ARCS : NEEDS_NOTHING;
    }
    return (need & ~has) == 0;
}

bool reports_are_possible(unsigned kinds, const struct profile *profile)
{
    for (size_t i = 0; i < ARRAY_LENGTH(reports); i++) {
        const struct report *report = &reports[i];
        if ((kinds & report->kind) != 0 && !report_has(profile, report->needs))
            return problem(report->needs == NEEDS_HISTOGRAM ? MSG_NO_HISTOGRAM : MSG_NO_ARCS);
    }
    return true;
}

/* Whether REPORT leaves no trace here: no source was found, or each goes to a file of its own.  */
static bool is_silent(const struct report *report, const struct profile *profile,
                      const struct style *style)
{
    return report->kind == REPORT_SOURCE &&
           (profile->annotation.count == 0 || style->has_separate_files);
}

void reports_print(unsigned kinds, const struct profile *profile, const struct style *style,
                   FILE *out)
{
    bool is_first = true;
    for (size_t i = 0; i < ARRAY_LENGTH(reports); i++) {
        const struct report *report = report_at(i, style);
        if ((kinds & report->kind) == 0 || is_silent(report, profile, style))
            continue;
        if (!is_first && (report->kind & BARE_REPORTS) == 0)
            fputs("\f\n", out);
        report->print(profile, style, out);
        is_first = false;
    }
}
