/* worker_result.c - passes the result of a worker process through a file.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/worker_result.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/hist_set.h"

/* The worker is a fork of the reader, so structs have the same layout in both, and pointers to
   paths that existed before the fork are valid in both.  The file has no other use.  */

/* ---- Arrays ---- */

static bool write_array(FILE *out, const void *objects, size_t count, size_t size)
{
    return fwrite(&count, sizeof count, 1, out) == 1 &&
           (count == 0 || fwrite(objects, size, count, out) == count);
}

/* Reads an array onto the heap, and its length; NULL, and 0, if IN is incomplete.  */
static void *read_array(FILE *in, size_t *count, size_t size)
{
    size_t length;
    *count = 0;
    if (fread(&length, sizeof length, 1, in) != 1)
        return NULL;
    void *objects = mem_array(length, size);
    if (fread(objects, size, length, in) != length) {
        free(objects);
        return NULL;
    }
    *count = length;
    return objects;
}

/* ---- Parts ---- */

static bool write_histograms(FILE *out, const struct hist_set *set)
{
    bool ok = write_array(out, set, 1, sizeof *set) &&
              write_array(out, set->hists, set->count, sizeof *set->hists);
    for (size_t i = 0; i < set->count && ok; i++) {
        const struct histogram *h = &set->hists[i];
        ok = h->wide != NULL ? write_array(out, h->wide, h->bin_count, sizeof *h->wide)
                             : write_array(out, h->bins, h->bin_count, sizeof *h->bins);
    }
    return ok;
}

/* Reads the bins of a histogram.  Its pointers are those of the worker: they only show which kind
   of bins it had.  If not IS_COMPLETE, so that IN has no bins of it, clears the pointers.  */
static bool read_bins(FILE *in, struct histogram *h, bool is_complete)
{
    bool is_wide = h->wide != NULL;
    size_t count;
    h->bins = NULL;
    h->wide = NULL;
    if (!is_complete)
        return false;
    if (is_wide)
        h->wide = read_array(in, &count, sizeof *h->wide);
    else
        h->bins = read_array(in, &count, sizeof *h->bins);
    return count == h->bin_count;
}

static bool read_histograms(FILE *in, struct hist_set *set)
{
    size_t count;
    struct hist_set *head = read_array(in, &count, sizeof *head);
    if (head == NULL)
        return false;
    *set = *head;
    set->hists = read_array(in, &set->count, sizeof *set->hists);
    set->capacity = set->count;
    set->time = NULL;
    free(head);
    bool ok = set->hists != NULL;
    for (size_t i = 0; i < set->count; i++)
        ok = read_bins(in, &set->hists[i], ok) && ok;
    return ok;
}

static bool write_counts(FILE *out, const struct pair_map *map, const uint64_t *counts)
{
    return write_array(out, map->pairs, map->count, sizeof *map->pairs) &&
           write_array(out, counts, map->count, sizeof *counts);
}

static bool read_counts(FILE *in, struct pair_map *map, uint64_t **counts)
{
    size_t count;
    map->pairs = read_array(in, &map->count, sizeof *map->pairs);
    *counts = read_array(in, &count, sizeof **counts);
    return map->pairs != NULL && *counts != NULL && count == map->count;
}

/* ---- The whole ---- */

bool worker_result_write(FILE *out, const struct profile *profile, const struct address_totals *sum)
{
    return write_array(out, profile->infos, profile->info_count, sizeof *profile->infos) &&
           write_histograms(out, &profile->hist) &&
           write_counts(out, &sum->arcs, sum->arc_counts) &&
           write_counts(out, &sum->blocks, sum->block_counts) && fflush(out) == 0;
}

bool worker_result_read(struct worker_result *result, FILE *in)
{
    result->infos = read_array(in, &result->info_count, sizeof *result->infos);
    return result->infos != NULL && read_histograms(in, &result->hist) &&
           read_counts(in, &result->sum.arcs, &result->sum.arc_counts) &&
           read_counts(in, &result->sum.blocks, &result->sum.block_counts);
}

void worker_result_free(struct worker_result *result)
{
    free(result->infos);
    hist_free(&result->hist);
    address_totals_free(&result->sum);
    *result = (struct worker_result){0};
}
