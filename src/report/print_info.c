/* print_info.c - prints what the profiles contain (-i).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"
#include "report/printers.h"

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
