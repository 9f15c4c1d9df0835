/* output.c - prints what was computed, in its format and where the options say.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/output.h"

#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/out.h"
#include "input/source_files.h"
#include "input/stack_file.h"
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
        reports_print(output->reports, output->profile, &output->tables, &plan->style, file);
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
        format->write_table(output->tables.top, &out);
    else
        export_per_file(format, &output->profile->per_file, &out);
    out_end(&out);
}

/* ---- The file of -o ---- */

/* Whether the file at PATH, which may be NULL or "-", is the one of STATUS.  */
static bool is_operand(const struct stat *status, const char *path)
{
    return path != NULL && strcmp(path, "-") != 0 && is_file(status, path);
}

/* Whether the file of STATUS is one of PROFILES, or has the stacks of one.  */
static bool is_profile(const struct stat *status, const struct profile_list *profiles)
{
    struct arena arena = {0};
    bool is_found = false;
    for (size_t i = 0; profiles != NULL && i < profiles->count && !is_found; i++)
        is_found = is_operand(status, profiles->paths[i]) ||
                   is_operand(status, stack_file_beside(&arena, profiles->paths[i]));
    arena_free(&arena);
    return is_found;
}

static bool is_source(const struct stat *status, const struct annotation *annotation)
{
    for (size_t i = 0; annotation != NULL && i < annotation->count; i++)
        if (annotation->sources[i].device == (uint64_t)status->st_dev &&
            annotation->sources[i].inode == (uint64_t)status->st_ino)
            return true;
    return false;
}

/* Whether an option names the file of STATUS, as something else than a profile.  */
static bool is_named(const struct stat *status, const struct options *options)
{
    const char *const paths[] = {options->inputs.image,          options->inputs.list,
                                 options->inputs.stacks,         options->analysis.object_map,
                                 options->analysis.symbol_table, options->compare.base};
    for (size_t i = 0; i < ARRAY_LENGTH(paths); i++)
        if (is_operand(status, paths[i]))
            return true;
    return false;
}

bool output_spares_inputs(const char *path, bool is_sum, const struct request *request,
                          const struct annotation *annotation, const struct profile_list *base)
{
    struct stat status;
    if (path == NULL || strcmp(path, "-") == 0 || stat(path, &status) != 0 ||
        !S_ISREG(status.st_mode))
        return true;
    bool is_input = is_named(&status, request->options) || is_source(&status, annotation) ||
                    (!is_sum && is_profile(&status, request->inputs)) || is_profile(&status, base);
    return !is_input || problem(MSG_OUTPUT_IS_INPUT, path);
}

bool output_stacks_are_input(const struct stat *status, const struct request *request)
{
    const struct profile_list *inputs = request->inputs;
    struct arena arena = {0};
    struct stat sum;
    bool has_sum = stat(request->plan->sum_path, &sum) == 0;
    bool is_input = is_named(status, request->options);
    for (size_t i = 0; i < inputs->count && !is_input; i++)
        is_input = !(has_sum && is_operand(&sum, inputs->paths[i])) &&
                   is_operand(status, stack_file_path(&arena, inputs->paths[i]));
    arena_free(&arena);
    return is_input;
}

bool output_print(const struct request *request, const struct output *output)
{
    const struct plan *plan = request->plan;
    if (!output_spares_inputs(plan->output_path, false, request, output->sources, output->base))
        return false;
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
