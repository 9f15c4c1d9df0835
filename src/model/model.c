/* model.c - queries on the model.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"

uint32_t files_intern(struct files *files, const char *path)
{
    uint32_t id = string_map_number(&files->map, path);
    files->paths = files->map.strings;
    files->count = files->map.count;
    return id;
}

bool is_preferred_symbol(const struct symbol *later, const struct symbol *kept)
{
    if (later->is_static != kept->is_static)
        return !later->is_static;
    if (later->is_func != kept->is_func)
        return later->is_func;
    if (kept->name[0] != '_')
        return false;
    return later->name[0] != '_' || (kept->name[1] == '_' && later->name[1] != '_');
}

const struct object_entry *object_map_find(const struct object_map *map, const char *name)
{
    size_t low = 0, high = map->count;
    while (low < high) { /* output depends on which of several equal names is found */
        size_t middle = (low + high) / 2;
        int order = strcmp(name, map->entries[middle].function);
        if (order == 0)
            return &map->entries[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void object_map_free(struct object_map *map)
{
    free(map->entries);
    *map = (struct object_map){0};
}

static bool has_arc(const struct arc_set *set, uint32_t caller, uint32_t callee)
{
    for (size_t i = 0; i < set->count; i++)
        if (is_in(&set->products[i].callers, caller) && is_in(&set->products[i].callees, callee))
            return true;
    return false;
}

bool is_arc_accepted(const struct filters *filters, uint32_t caller, uint32_t callee)
{
    if (filters->include_arcs.count > 0)
        return has_arc(&filters->include_arcs, caller, callee);
    return !has_arc(&filters->exclude_arcs, caller, callee);
}

const struct block *blocks_of(const struct block_table *table, uint32_t symbol, size_t *count)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->blocks[middle].symbol < symbol)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    if (table->count == 0)
        return NULL;
    while (low + *count < table->count && table->blocks[low + *count].symbol == symbol)
        ++*count;
    return table->blocks + low;
}

bool has_histograms(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].histograms > 0)
            return true;
    return false;
}

bool has_recorded_arcs(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].arcs > 0)
            return true;
    return false;
}

bool has_arcs(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].arcs > 0 || profile->infos[i].is_bsd)
            return true;
    return false;
}

/* ---- Text ---- */

/* The first range that ends after ADDR, or NULL.  */
static const struct text_range *first_ending_after(const struct text_ranges *text, vma addr)
{
    size_t next = count_at_most(text->ranges, text->count, sizeof *text->ranges,
                                offsetof(struct text_range, end), addr);
    return next < text->count ? &text->ranges[next] : NULL;
}

const struct text_range *text_range_at(const struct text_ranges *text, vma addr)
{
    const struct text_range *range = first_ending_after(text, addr);
    return range != NULL && range->start <= addr ? range : NULL;
}

bool text_overlaps(const struct text_ranges *text, vma low, vma high)
{
    const struct text_range *range = first_ending_after(text, low);
    return range != NULL && range->start < high;
}

/* ---- Columns that users name ---- */

static const struct table_column *column_at(const struct column_set *set, size_t i)
{
    return (const void *)((const char *)set->first + i * set->size);
}

/* Names that perf and pprof have for columns, and ours.  */
static const char *const other_names[][2] = {{"flat", "self"},
                                             {"flat%", "self%"},
                                             {"cum", "total"},
                                             {"cum%", "total%"},
                                             {"children", "total%"}};

static bool is_name(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && memcmp(known, name, length) == 0;
}

static const struct table_column *find_column(const struct column_set *set, const char *name,
                                              size_t length)
{
    for (size_t i = 0; i < ARRAY_LENGTH(other_names); i++)
        if (is_name(other_names[i][0], name, length)) {
            name = other_names[i][1];
            length = strlen(name);
        }
    for (size_t i = 0; i < set->count; i++) {
        const struct table_column *column = column_at(set, i);
        if (is_name(column->name, name, length))
            return column;
    }
    return NULL;
}

bool column_list_parse(struct column_list *list, const struct column_set *set, const char *text,
                       bool may_reverse, const char **unknown, size_t *length)
{
    list->count = 0;
    for (;;) {
        bool is_reversed = may_reverse && *text == '-';
        text += is_reversed;
        *length = strcspn(text, ",");
        *unknown = text;
        const struct table_column *column = find_column(set, text, *length);
        if (column == NULL || list->count == MOST_COLUMNS)
            return false;
        list->is_reversed[list->count] = is_reversed;
        list->columns[list->count++] = column;
        if (text[*length] == '\0')
            return true;
        text += *length + 1;
    }
}

size_t table_find_column(const struct table *table, const char *name)
{
    size_t c = 0;
    while (c < table->column_count && strcmp(table->columns[c]->name, name) != 0)
        c++;
    return c;
}

bool column_list_has(const struct column_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->columns[i]->name, name) == 0)
            return true;
    return false;
}

void column_list_remove(struct column_list *list, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->columns[i]->name, name) == 0)
            continue;
        list->columns[kept] = list->columns[i];
        list->is_reversed[kept++] = list->is_reversed[i];
    }
    list->count = kept;
}

const char *column_names(const struct column_set *set, struct name_list *names)
{
    for (size_t i = 0; i < set->count; i++)
        name_list_add(names, column_at(set, i)->name);
    return names->text;
}

/* ---- The rest ---- */

void profile_own_paths(struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++) {
        const char *path = profile->infos[i].path;
        profile->infos[i].path = arena_copy(&profile->names, path, strlen(path));
    }
}

uint32_t objects_number(struct recorded_objects *objects, const char *name)
{
    size_t known = objects->names.count;
    uint32_t object = string_map_number(&objects->names, name);
    if (object == known && objects->library == 0 && recorded_is_library(name))
        objects->library = object;
    return object;
}

uint32_t objects_find(const struct recorded_objects *objects, const char *name)
{
    uint32_t object = 0;
    while (object < objects->names.count && strcmp(objects->names.strings[object], name) != 0)
        object++;
    return object < objects->names.count ? object : NO_OBJECT;
}

/* Makes room for the samples of all threads.  */
static void reserve_samples(struct recorded_threads *threads)
{
    threads->samples = mem_grow_zeroed(threads->samples, &threads->samples_capacity,
                                       threads->numbers.count + 1, sizeof *threads->samples);
}

void threads_begin_process(struct recorded_threads *threads, uint64_t process, uint64_t began)
{
    threads->current = 0;
    threads->process = pair_map_number(&threads->processes, process,
                                       process != 0 ? began : threads->processes.count);
}

void threads_begin(struct recorded_threads *threads, const char *name, uint64_t number)
{
    uint64_t of = (uint64_t)string_map_number(&threads->names, name) + 1;
    threads->current = pair_map_number(&threads->numbers, of << 32 | threads->process, number) + 1;
    reserve_samples(threads);
}

bool threads_add(struct recorded_threads *threads, uint32_t place, double samples)
{
    size_t known = threads->ends.map.count, thread = threads->current;
    uint64_t name = thread > 0 ? threads->numbers.pairs[thread - 1].a >> 32 : 0;
    uint32_t end = pair_sums_node(&threads->ends, name << 32, place);
    threads->ends.sums[end] += samples;
    reserve_samples(threads);
    threads->samples[thread] += samples;
    return end == known;
}

void threads_scale(struct recorded_threads *threads, double times, double per)
{
    pair_sums_scale(&threads->ends, times, per);
    for (size_t i = 0; i < threads->samples_capacity; i++)
        threads->samples[i] = threads->samples[i] * times / per;
}

struct id_lists threads_list(const struct recorded_threads *threads, const struct pair_map *map)
{
    uint32_t *of = mem_uninitialised(map->count, sizeof *of);
    for (size_t i = 0; i < map->count; i++)
        of[i] = (uint32_t)(map->pairs[i].a >> 32);
    struct id_lists lists = id_lists_make(of, NULL, map->count, threads->names.count + 1);
    free(of);
    return lists;
}

void recorded_stacks_scale(struct recorded_stacks *stacks, double times, double per)
{
    pair_sums_scale(&stacks->places, times, per);
    threads_scale(&stacks->threads, times, per);
    stacks->all.sum = stacks->all.sum * times / per;
    stacks->all.squares = stacks->all.squares * times / per * times / per;
    stacks->rate = stacks->rate * times / per;
}

/* Whether two numbers of samples are the same but for rounding.  */
static bool is_same_number(double a, double b)
{
    const double rounding = 1e-6;
    return fabs(a - b) <= rounding * fmax(a, b);
}

/* Without that, sum^2 / squares is the number of samples.  */
bool recorded_are_unequal(const struct recorded_stacks *stacks)
{
    return isnan(stacks->all.count) ? stacks->has_weights
                                    : !is_same_number(stacks->all.count, stacks->all.sum);
}

double recorded_samples(const struct recorded_stacks *stacks, bool *are_effective)
{
    bool are_unequal = recorded_are_unequal(stacks);
    *are_effective = are_unequal && (isnan(stacks->all.count) ||
                                     !is_same_number(stacks->counted, stacks->all.sum));
    return are_unequal && !*are_effective ? stacks->all.count : stacks->counted;
}

void measured_free(struct measured *measured)
{
    free(measured->functions);
    free(measured->arcs);
    *measured = (struct measured){0};
}

void recorded_stacks_free(struct recorded_stacks *stacks)
{
    string_map_free(&stacks->objects.names);
    string_map_free(&stacks->objects.generated);
    string_map_free(&stacks->threads.names);
    pair_map_free(&stacks->threads.processes);
    pair_map_free(&stacks->threads.numbers);
    pair_sums_free(&stacks->threads.ends);
    free(stacks->threads.samples);
    pair_sums_free(&stacks->places);
    free(stacks->objects.calls);
    stacks_free(&stacks->tree);
    stacks_free(&stacks->threads.tree);
    free(stacks->frames.others);
    free(stacks->frames.of_places);
    free(stacks->objects.files);
    measured_free(&stacks->measured);
    *stacks = (struct recorded_stacks){0};
}

double per_file_distance(const struct per_file *table, size_t file)
{
    double distance = (double)table->files[file].samples - table->all_samples.mean;
    return table->all_samples.deviation > 0 ? distance / table->all_samples.deviation : 0;
}

bool per_file_is_outlier(const struct per_file *table, size_t file)
{
    return table->is_beyond_chance && fabs(per_file_distance(table, file)) > OUTLIER_DEVIATIONS;
}

void per_file_free(struct per_file *table)
{
    free(table->files);
    free(table->paths);
    free(table->spreads);
    free(table->calls);
    free(table->own.functions);
    free(table->inclusive.functions);
    free(table->order);
    *table = (struct per_file){0};
}

int table_time_decimals(double rate)
{
    int decimals = 2;
    for (double shown = 100; shown < rate && decimals < 6; shown *= 10)
        decimals++;
    return decimals;
}

enum table_tone tone_of_share(double percent)
{
    const double hot = 10, warm = 2, faint = 0.5;
    if (percent >= hot)
        return TONE_HOT;
    if (percent >= warm)
        return TONE_WARM;
    return percent < faint ? TONE_FAINT : TONE_PLAIN;
}

void table_add_note(struct table *table, struct arena *arena, const char *text)
{
    if (table->note_count < MOST_NOTES)
        table->notes[table->note_count++] = arena_copy(arena, text, strlen(text));
}
