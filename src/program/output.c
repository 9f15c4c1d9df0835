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

bool output_write_sources(const struct plan *plan, const struct profile *profile)
{
    bool ok = true;
    if (!plan->style.has_separate_files)
        return true;
    for (size_t i = 0; i < profile->annotation.count; i++)
        ok = write_source(profile, &plan->style, i) && ok;
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

/* Prints the comparison in the format, or as a table.  */
static void print_comparison(const struct comparison *comparison, const struct plan *plan,
                             struct out *out)
{
    const struct export_format *format = plan->format;
    if (format != NULL && format->write_comparison != NULL)
        format->write_comparison(comparison, out);
    else if (format != NULL && format->write_table != NULL)
        format->write_table(&comparison->table, out);
    else
        table_print_text(&comparison->table, out, &plan->style);
}

/* PREPARED: by the exporter of the format, if it has one.  */
static void print_onto(FILE *file, const struct plan *plan, const struct output *output,
                       void *prepared)
{
    const struct export_format *format = plan->format;
    struct out out;
    if (format == NULL && output->comparison == NULL) {
        reports_print(output->reports, output->profile, output->top, output->tree, &plan->style,
                      file);
        return;
    }
    out_begin(&out, file);
    if (output->comparison != NULL)
        print_comparison(output->comparison, plan, &out);
    else if (format->exporter != NULL)
        format->exporter->write(output->snapshot, prepared, &out);
    else if (format->write_snapshot != NULL)
        format->write_snapshot(output->snapshot, &out);
    else if ((output->reports & REPORT_TOP) != 0)
        format->write_table(output->top, &out);
    else
        export_per_file(format, &output->profile->per_file, &out);
    out_end(&out);
}

bool output_print(const struct request *request, const struct output *output)
{
    const struct plan *plan = request->plan;
    const struct exporter *exporter =
        plan->format != NULL && output->comparison == NULL ? plan->format->exporter : NULL;
    void *prepared = exporter != NULL ? exporter->prepare(output->snapshot) : NULL;
    struct atomic_file file;
    bool ok = true;
    if (plan->output_path == NULL) {
        print_onto(request->out, plan, output, prepared);
    } else {
        ok = atomic_file_begin(&file, plan->output_path);
        if (ok) {
            print_onto(file.file, plan, output, prepared);
            ok = atomic_file_end(&file);
        }
    }
    if (exporter != NULL)
        exporter->release(prepared);
    return ok;
}
