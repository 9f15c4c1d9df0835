/* output.c - prints what a run has computed, in its format and where the options say.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/output.h"

#include "base/files.h"
#include "base/out.h"
#include "input/source_files.h"
#include "report/printers.h"
#include "report/table_text.h"

static bool write_source(const struct profile *profile, const struct style *style, size_t number)
{
    const char *path = profile->files.paths[profile->annotation.sources[number].file];
    FILE *file = source_create(path);
    if (file == NULL)
        return false;
    print_source(profile, style, number, file);
    return source_close(file, path);
}

bool output_write_sources(const struct run *run)
{
    bool ok = true;
    if (!run->plan->style.has_separate_files)
        return true;
    for (size_t i = 0; i < run->profile.annotation.count; i++)
        ok = write_source(&run->profile, &run->plan->style, i) && ok;
    return ok;
}

/* Writes TABLE below another one, unless it is empty.  */
static void export_below(const struct export_format *format, const struct table *table,
                         struct out *out)
{
    if (table->row_count == 0)
        return;
    out_char(out, '\n');
    format->write_table(table, out);
}

/* Writes the table of profiles and, for people, those of the functions that vary most.  */
static void export_per_file(const struct export_format *format, const struct per_file *figures,
                            struct out *out)
{
    format->write_table(&figures->by_file, out);
    if (!format->is_for_people)
        return;
    export_below(format, &figures->own.table, out);
    export_below(format, &figures->inclusive.table, out);
}

void output_prepare(struct run *run)
{
    const struct export_format *format = run->plan->format;
    if (format != NULL && format->exporter != NULL)
        run->prepared = format->exporter->prepare(&run->snapshot.snapshot);
}

/* Prints the comparison in the format, or as a table.  */
static void print_comparison(const struct run *run, struct out *out)
{
    const struct export_format *format = run->plan->format;
    if (format != NULL && format->write_comparison != NULL)
        format->write_comparison(&run->comparison, out);
    else if (format != NULL && format->write_table != NULL)
        format->write_table(&run->comparison.table, out);
    else
        table_print_text(&run->comparison.table, out, &run->plan->style);
}

static void print_onto(const struct run *run, FILE *file)
{
    const struct export_format *format = run->plan->format;
    struct out out;
    if ((run->reports & REPORT_COMPARISON) != 0) {
        out_begin(&out, file);
        print_comparison(run, &out);
        out_end(&out);
        return;
    }
    if (format == NULL) {
        reports_print(run->reports, &run->profile, &run->top.table, &run->calls.table,
                      &run->plan->style, file);
        return;
    }
    out_begin(&out, file);
    if (format->exporter != NULL)
        format->exporter->write(&run->snapshot.snapshot, run->prepared, &out);
    else if (format->write_snapshot != NULL)
        format->write_snapshot(&run->snapshot.snapshot, &out);
    else if ((run->reports & REPORT_TOP) != 0)
        format->write_table(&run->top.table, &out);
    else
        export_per_file(format, &run->profile.per_file, &out);
    out_end(&out);
}

bool output_print(const struct run *run)
{
    const char *path = run->plan->output_path;
    struct atomic_file file;
    if (path == NULL) {
        print_onto(run, run->out);
        return true;
    }
    if (!atomic_file_begin(&file, path))
        return false;
    print_onto(run, file.file);
    return atomic_file_end(&file);
}
