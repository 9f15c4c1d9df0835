/* per_file_tables.c - the statistics of profiles as tables, which all formats print.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/per_file.h"
#include "base/common.h"
#include "base/memory.h"

static double time_of(const struct profile *profile, double ticks)
{
    return ticks / (profile->hist.rate != 0 ? (double)profile->hist.rate : 1.0);
}

static struct cell number_cell(double number)
{
    return (struct cell){.kind = CELL_NUMBER, .number = number};
}

static struct cell count_cell(uint64_t count)
{
    return (struct cell){.kind = CELL_COUNT, .count = count};
}

static struct cell text_cell(const char *text)
{
    return (struct cell){.kind = CELL_TEXT, .text = text};
}

/* clang-format off */
static const struct table_column file_columns[] = {
    [PER_FILE_SHARE]   = {"share%",  UNIT_PERCENT, 2, false},
    [PER_FILE_SAMPLES] = {"samples", UNIT_NONE,    0, false},
    [PER_FILE_TIME]    = {"time",    UNIT_TIME,    2, false},
    [PER_FILE_CALLS]   = {"calls",   UNIT_NONE,    0, false},
    [PER_FILE_PROFILE] = {"profile", UNIT_NONE,    0, true},
};

static const struct table_column varying_columns[] = {
    [VARYING_DEVIATION] = {"deviation", UNIT_TIME, 2, false},
    [VARYING_LOWEST]    = {"minimum",   UNIT_TIME, 2, false},
    [VARYING_MEAN]      = {"mean",      UNIT_TIME, 2, false},
    [VARYING_HIGHEST]   = {"maximum",   UNIT_TIME, 2, false},
    [VARYING_NAME]      = {"name",      UNIT_NONE, 0, true},
    [VARYING_PROFILE]   = {"profile",   UNIT_NONE, 0, true},
};
/* clang-format on */

static void fill_file(const void *context, size_t row, struct cell *cells)
{
    const struct profile *profile = context;
    const struct per_file *figures = &profile->per_file;
    const struct file_figures *file = &figures->files[row];
    double sum = figures->sum.samples > 0 ? (double)figures->sum.samples : 1.0;
    cells[PER_FILE_SHARE] = number_cell(100.0 * (double)file->samples / sum);
    cells[PER_FILE_SAMPLES] = count_cell(file->samples);
    cells[PER_FILE_TIME] = number_cell(time_of(profile, (double)file->samples));
    cells[PER_FILE_CALLS] = count_cell(file->calls);
    cells[PER_FILE_PROFILE] = text_cell(figures->paths[row]);
}

static void fill_varying(const void *context, size_t row, struct cell *cells)
{
    const struct profile *profile = context;
    const struct variation *variation = &profile->per_file.varying[row];
    const struct symbol *symbol = &profile->symtab.symbols[variation->symbol];
    cells[VARYING_DEVIATION] = number_cell(time_of(profile, variation->deviation));
    cells[VARYING_LOWEST] = number_cell(time_of(profile, variation->lowest));
    cells[VARYING_MEAN] = number_cell(time_of(profile, variation->mean));
    cells[VARYING_HIGHEST] = number_cell(time_of(profile, variation->highest));
    cells[VARYING_NAME] = text_cell(symbol->label != NULL ? symbol->label : symbol->name);
    cells[VARYING_PROFILE] = text_cell(profile->per_file.paths[variation->file]);
}

static struct table make_table(const struct profile *profile, const struct table_column *columns,
                               size_t column_count, size_t row_count)
{
    struct table table = {.column_count = column_count,
                          .row_count = row_count,
                          .time_decimals = 2,
                          .per_call_factor = 1,
                          .context = profile};
    for (size_t i = 0; i < column_count; i++)
        table.columns[i] = &columns[i];
    return table;
}

void per_file_tables(struct profile *profile)
{
    struct per_file *figures = &profile->per_file;
    figures->paths = mem_array(figures->count, sizeof *figures->paths);
    for (size_t i = 0; i < figures->count; i++)
        figures->paths[i] = arena_escape(&profile->names, profile->infos[i].path);
    figures->by_file =
        make_table(profile, file_columns, ARRAY_LENGTH(file_columns), figures->count);
    figures->by_file.fill = fill_file;
    figures->by_function =
        make_table(profile, varying_columns, ARRAY_LENGTH(varying_columns), figures->varying_count);
    figures->by_function.fill = fill_varying;
    figures->by_function.title = "Functions whose own time varies most between profiles:";
}
