/* worker_result.c - passes the result of a reading process through a file.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/worker_result.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/hist_set.h"

/* Both ends run the same code in copies of one address space, so that structs, and the pointers to
   paths in them, mean the same there.  Nothing else may read this.  */

/* ---- Arrays ---- */

static bool put(FILE *out, const void *objects, size_t count, size_t size)
{
    return fwrite(&count, sizeof count, 1, out) == 1 &&
           (count == 0 || fwrite(objects, size, count, out) == count);
}

/* An array on the heap and its length; NULL, and 0, if it is not there.  */
static void *take(FILE *in, size_t *count, size_t size)
{
    size_t there;
    *count = 0;
    if (fread(&there, sizeof there, 1, in) != 1)
        return NULL;
    void *objects = mem_array(there, size);
    if (fread(objects, size, there, in) != there) {
        free(objects);
        return NULL;
    }
    *count = there;
    return objects;
}

/* ---- Parts ---- */

static bool put_histograms(FILE *out, const struct hist_set *set)
{
    bool ok = put(out, set, 1, sizeof *set) && put(out, set->hists, set->count, sizeof *set->hists);
    for (size_t i = 0; i < set->count && ok; i++) {
        const struct histogram *h = &set->hists[i];
        ok = h->wide != NULL ? put(out, h->wide, h->bin_count, sizeof *h->wide)
                             : put(out, h->bins, h->bin_count, sizeof *h->bins);
    }
    return ok;
}

/* The bins of a histogram as it was sent, whose pointers say no more than which bins it had; of one
   that was not sent, the pointers are cleared.  */
static bool take_bins(FILE *in, struct histogram *h, bool is_there)
{
    bool is_wide = h->wide != NULL;
    size_t count;
    h->bins = NULL;
    h->wide = NULL;
    if (!is_there)
        return false;
    if (is_wide)
        h->wide = take(in, &count, sizeof *h->wide);
    else
        h->bins = take(in, &count, sizeof *h->bins);
    return count == h->bin_count;
}

static bool take_histograms(FILE *in, struct hist_set *set)
{
    size_t count;
    struct hist_set *head = take(in, &count, sizeof *head);
    if (head == NULL)
        return false;
    *set = *head;
    set->hists = take(in, &set->count, sizeof *set->hists);
    set->capacity = set->count;
    set->time = NULL;
    free(head);
    bool ok = set->hists != NULL;
    for (size_t i = 0; i < set->count; i++)
        ok = take_bins(in, &set->hists[i], ok) && ok;
    return ok;
}

static bool put_counts(FILE *out, const struct pair_map *map, const uint64_t *counts)
{
    return put(out, map->pairs, map->count, sizeof *map->pairs) &&
           put(out, counts, map->count, sizeof *counts);
}

static bool take_counts(FILE *in, struct pair_map *map, uint64_t **counts)
{
    size_t count;
    map->pairs = take(in, &map->count, sizeof *map->pairs);
    *counts = take(in, &count, sizeof **counts);
    return map->pairs != NULL && *counts != NULL && count == map->count;
}

/* ---- The whole ---- */

bool worker_result_write(FILE *out, const struct profile *profile, const struct address_totals *sum)
{
    return put(out, profile->infos, profile->info_count, sizeof *profile->infos) &&
           put_histograms(out, &profile->hist) && put_counts(out, &sum->arcs, sum->arc_counts) &&
           put_counts(out, &sum->blocks, sum->block_counts) && fflush(out) == 0;
}

bool worker_result_read(struct worker_result *share, FILE *in)
{
    share->infos = take(in, &share->info_count, sizeof *share->infos);
    return share->infos != NULL && take_histograms(in, &share->hist) &&
           take_counts(in, &share->sum.arcs, &share->sum.arc_counts) &&
           take_counts(in, &share->sum.blocks, &share->sum.block_counts);
}

void worker_result_free(struct worker_result *share)
{
    free(share->infos);
    hist_free(&share->hist);
    address_totals_free(&share->sum);
    *share = (struct worker_result){0};
}
