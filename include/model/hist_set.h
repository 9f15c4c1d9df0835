/* hist_set.h - histograms of samples: finding, adding up.

   Programs have one histogram; a damaged file may have thousands.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_HIST_SET_H
#define REGPROF_MODEL_HIST_SET_H

#include "model/model.h"

/* What a profile says about one histogram.  */
struct hist_header {
    vma low, high;      /* low < high */
    uint32_t bin_count; /* > 0 */
    uint32_t rate;
    char dimension[16]; /* NUL-terminated */
    char abbreviation;
};

enum hist_status {
    HIST_OK,
    HIST_DIMENSION_MISMATCH, /* than the first histogram's */
    HIST_SCALE_MISMATCH,     /* addresses per bin differ from the first histogram's */
    HIST_OVERLAP,            /* with another one, and not of the same range */
    HIST_TOO_MANY            /* of different ranges */
};

/* Whether a histogram with this header can be added to SET.  */
enum hist_status hist_check(const struct hist_set *set, const struct hist_header *header);

/* The bins to add the samples of this histogram to: those of the same range if there is one, else
   of a new, empty histogram.  The header has passed hist_check.  Valid until the next call.  */
struct histogram *hist_find_or_add(struct hist_set *set, const struct hist_header *header);

/* Makes room for up to MOST more samples in every bin.  */
void hist_reserve(struct histogram *histogram, uint64_t most);

/* Adds COUNT samples to bin I; there is room for them.  */
static inline void hist_add(struct histogram *histogram, uint32_t i, uint64_t count)
{
    if (histogram->wide != NULL)
        histogram->wide[i] += count;
    else
        histogram->bins[i] += (uint32_t)count;
}

/* How many bins there are to look at: none of one without samples.  */
static inline uint32_t hist_used_bins(const struct histogram *histogram)
{
    return histogram->most > 0 ? histogram->bin_count : 0;
}

/* Takes all samples out again.  */
void hist_clear(struct histogram *histogram);

/* Whether every histogram of OTHER can be added to SET, and counts at the same rate.  */
bool hist_is_compatible(const struct hist_set *set, const struct hist_set *other);

/* Adds OTHER, which goes with SET, to it.  */
void hist_add_set(struct hist_set *set, const struct hist_set *other);

/* The histograms in order of first appearance, an array of set->count; free with free.  */
const struct histogram **hist_by_appearance(const struct hist_set *set);

/* Takes back the histograms made since there were COUNT of them.  */
void hist_truncate(struct hist_set *set, size_t count);

/* The histogram that covers ADDR, or NULL.  */
const struct histogram *hist_covering(const struct hist_set *set, vma addr);

void hist_free(struct hist_set *set);

#endif
