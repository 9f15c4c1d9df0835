/* per_file_tables.c - the statistics of profiles as tables, which all formats print.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/per_file_tables.h"

#include <string.h>

#include "analysis/per_file.h"
#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

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
    [PER_FILE_SHARE]      = {"share%",     UNIT_PERCENT, 2, false},
    [PER_FILE_SAMPLES]    = {"samples",    UNIT_NONE,    0, false},
    [PER_FILE_TIME]       = {"time",       UNIT_TIME,    2, false},
    [PER_FILE_CALLS]      = {"calls",      UNIT_NONE,    0, false},
    [PER_FILE_DEVIATIONS] = {"deviations", UNIT_NONE,    1, false},
    [PER_FILE_PROFILE]    = {"profile",    UNIT_NONE,    0, true},
};

static const struct table_column varying_columns[] = {
    [VARYING_DEVIATION]  = {"deviation",  UNIT_TIME, 2, false},
    [VARYING_LOWEST]     = {"minimum",    UNIT_TIME, 2, false},
    [VARYING_MEAN]       = {"mean",       UNIT_TIME, 2, false},
    [VARYING_HIGHEST]    = {"maximum",    UNIT_TIME, 2, false},
    [VARYING_NAME]       = {"name",       UNIT_NONE, 0, true},
    [VARYING_HIGHEST_IN] = {"maximum-in", UNIT_NONE, 0, true},
    [VARYING_LOWEST_IN]  = {"minimum-in", UNIT_NONE, 0, true},
};
/* clang-format on */

static void fill_profile(const struct profile *profile, uint32_t number, struct cell *cells)
{
    const struct per_file *figures = &profile->per_file;
    const struct file_figures *file = &figures->files[number];
    double sum = figures->sum.samples > 0 ? (double)figures->sum.samples : 1.0;
    cells[PER_FILE_SHARE] = number_cell(100.0 * (double)file->samples / sum);
    cells[PER_FILE_SAMPLES] = count_cell(file->samples);
    cells[PER_FILE_TIME] = number_cell(time_of(profile, (double)file->samples));
    cells[PER_FILE_CALLS] = count_cell(file->calls);
    cells[PER_FILE_DEVIATIONS] = number_cell(per_file_distance(figures, number));
    cells[PER_FILE_PROFILE] = text_cell(figures->paths[number]);
}

static void fill_file(const void *context, size_t row, struct cell *cells)
{
    const struct profile *profile = context;
    fill_profile(profile, profile->per_file.order[row], cells);
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
    cells[VARYING_HIGHEST_IN] = text_cell(profile->per_file.paths[variation->highest_file]);
    cells[VARYING_LOWEST_IN] = text_cell(profile->per_file.paths[variation->lowest_file]);
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

/* ---- The order of profiles ---- */

const char *per_file_column_names(struct name_list *names)
{
    for (size_t i = 0; i < ARRAY_LENGTH(file_columns); i++)
        name_list_add(names, file_columns[i].name);
    return names->text;
}

/* The column with the name of LENGTH bytes at NAME; PER_FILE_COLUMNS if there is none.  */
static unsigned find_column(const char *name, size_t length)
{
    for (unsigned i = 0; i < PER_FILE_COLUMNS; i++)
        if (strlen(file_columns[i].name) == length &&
            memcmp(file_columns[i].name, name, length) == 0)
            return i;
    return PER_FILE_COLUMNS;
}

bool per_file_sort_parse(struct per_file_sort *sort, const char *list, const char **unknown,
                         size_t *length)
{
    sort->count = 0;
    for (;;) {
        bool is_reversed = *list == '-';
        list += is_reversed;
        *unknown = list;
        *length = strcspn(list, ",");
        unsigned column = find_column(list, *length);
        if (column == PER_FILE_COLUMNS || sort->count == MOST_SORT_COLUMNS)
            return false;
        sort->is_reversed[sort->count] = is_reversed;
        sort->columns[sort->count++] = column;
        if (list[*length] == '\0')
            return true;
        list += *length + 1;
    }
}

struct ordering {
    const struct profile *profile;
    const struct per_file_sort *sort;
};

/* Numbers descend, names ascend in natural order.  */
static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->kind == CELL_TEXT)
        return compare_natural(a->text, b->text);
    if (a->kind == CELL_COUNT)
        return compare_descending_u64(a->count, b->count);
    return compare_descending(a->number, b->number);
}

static int compare_files(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *by = context;
    struct cell left[PER_FILE_COLUMNS], right[PER_FILE_COLUMNS];
    int order = 0;
    fill_profile(by->profile, a, left);
    fill_profile(by->profile, b, right);
    for (size_t i = 0; i < by->sort->count && order == 0; i++) {
        order = compare_cells(&left[by->sort->columns[i]], &right[by->sort->columns[i]]);
        order = by->sort->is_reversed[i] ? -order : order;
    }
    return order;
}

/* Sorts the profiles, and keeps those at the ends.  Returns their number.  */
static size_t order_files(struct profile *profile, const struct per_file_rules *rules)
{
    struct per_file *figures = &profile->per_file;
    const struct ordering by = {profile, &rules->sort};
    size_t ends = rules->most_ends, count = figures->count;
    figures->order = identity_ids(count);
    sort_ids(figures->order, count, compare_files, &by);
    figures->first_count = count;
    if (ends == 0 || ends >= count - count / 2)
        return count;
    memmove(figures->order + ends, figures->order + count - ends, ends * sizeof *figures->order);
    figures->first_count = ends;
    return 2 * ends;
}

/* ---- The tables ---- */

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

void per_file_tables(struct profile *profile, const struct per_file_rules *rules)
{
    struct per_file *figures = &profile->per_file;
    figures->paths = mem_array(figures->count, sizeof *figures->paths);
    for (size_t i = 0; i < figures->count; i++)
        figures->paths[i] = arena_escape(&profile->names, profile->infos[i].path);
    size_t shown = order_files(profile, rules);
    size_t functions = rules->most_functions != 0
                           ? min_size(figures->varying_count, rules->most_functions)
                           : figures->varying_count;
    figures->by_file = make_table(profile, file_columns, ARRAY_LENGTH(file_columns), shown);
    figures->by_file.fill = fill_file;
    figures->by_function =
        make_table(profile, varying_columns, ARRAY_LENGTH(varying_columns), functions);
    figures->by_function.fill = fill_varying;
    figures->by_function.title = "Functions whose own time varies most between profiles:";
}
