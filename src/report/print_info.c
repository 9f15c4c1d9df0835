/* print_info.c - prints what the profiles contain (-i).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"
#include "report/printers.h"

static void print_records(struct sheet *sheet, unsigned long count, const char *kind)
{
    format_char(sheet, '\t');
    format_count(sheet, count, 0);
    format_char(sheet, ' ');
    format_text(sheet, kind);
    format_text(sheet, count == 1 ? " record\n" : " records\n");
}

static void print_file(struct sheet *sheet, const struct file_info *info)
{
    char version[40];
    snprintf(version, sizeof version, "' (version %d) contains:\n", info->version);
    format_text(sheet, "File `");
    format_escaped(sheet, info->path);
    format_text(sheet, version);
    print_records(sheet, info->histograms, "histogram");
    print_records(sheet, info->arcs, "call-graph");
    print_records(sheet, info->blocks, "basic-block count");
}

void print_info(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    format_begin(&sheet, profile, style, out);
    for (size_t i = 0; i < profile->info_count; i++)
        print_file(&sheet, &profile->infos[i]);
    format_end(&sheet);
}
