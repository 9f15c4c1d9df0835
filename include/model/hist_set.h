/* hist_set.h - histograms of samples: finding, adding up.

   Programs have one histogram; a damaged file may have thousands.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_HIST_SET_H
#define REGPROF_MODEL_HIST_SET_H

#include "base/common.h"
#include "model/model.h"

/* The header of a histogram in a profile.  */
struct hist_header {
    vma low, high;      /* low < high */
    uint32_t bin_count; /* > 0 */
    uint32_t rate;
    char dimension[UNIT_SIZE]; /* NUL-terminated */
    char abbreviation;
};

/* A histogram in the bytes of a profile.  */
struct hist_record {
    struct hist_header header;
    const unsigned char *bins; /* 2 bytes each */
    bool is_big_endian;
    size_t offset; /* in its file, for messages */
};
enum { HIST_LARGEST_BIN = 65535 }; /* samples */

static inline unsigned hist_record_bin(const struct hist_record *record, uint32_t i)
{
    const unsigned char *p = record->bins + 2 * (size_t)i;
    return record->is_big_endian ? (unsigned)(p[0] << 8 | p[1]) : (unsigned)(p[1] << 8 | p[0]);
}

enum hist_status {
    HIST_OK,
    HIST_DIMENSION_MISMATCH, /* differs from the first histogram's */
    HIST_SCALE_MISMATCH,     /* addresses per bin differ from the first histogram's */
    HIST_OVERLAP,            /* overlaps another one without having the same range */
    HIST_TOO_MANY            /* more different ranges than are supported */
};

/* Whether a histogram with this header can be added to SET.  */
enum hist_status hist_check(const struct hist_set *set, const struct hist_header *header);

/* The histogram of SET with this range; a new, empty one if there was none.  The header has passed
   hist_check.  Valid until the next call.  */
struct histogram *hist_find_or_add(struct hist_set *set, const struct hist_header *header);

/* The factors that bring two rates together: those by which the ticks of a set, and of a histogram
   that is added, are counted.  */
struct rate_factors {
    uint32_t set, added;
};

/* The smallest factors by which a histogram at RATE and SET, which is empty or not, have one rate.
   False: a rate is 0 and the other is not, or none fits both; the factors are 1 then.  */
bool hist_rate_factors(struct rate_factors *factors, const struct hist_set *set, uint32_t rate);

/* Counts each sample of SET, and its rate, FACTOR times.  */
void hist_multiply(struct hist_set *set, uint32_t factor);

/* The greatest common divisor of the bins of a profile, as far as they have been added.  Start with
   a zeroed struct.  */
struct common_divisor {
    uint64_t value;
    double bins; /* that are not empty */
};

/* Adds the bins of SET to COMMON, at least until that is LEAST; or those of RECORD, each WEIGHT
   times.  (A bin that is divided among several records is none of several: then ticks are not
   found.)  */
void hist_find_divisor(struct common_divisor *common, const struct hist_set *set, uint64_t least);
void hist_record_divisor(struct common_divisor *common, const struct hist_record *record,
                         uint32_t weight);

/* How many ticks a sample has, if that is at least LEAST and at most MOST: more than LEAST if the
   kernel counted several at once, so that all bins are multiples of one number, and that is no
   chance.  */
uint64_t ticks_of_sample(const struct common_divisor *common, uint64_t least, double most);

/* Ensures that every bin can hold MOST more samples.  */
void hist_reserve(struct histogram *histogram, uint64_t most);

/* Adds COUNT samples to bin I; hist_reserve was called for them.  */
static inline void hist_add(struct histogram *histogram, uint32_t i, uint64_t count)
{
    if (histogram->wide != NULL)
        histogram->wide[i] += count;
    else
        histogram->bins[i] += (uint32_t)count;
}

/* Adds the samples of RECORD to SET, each WEIGHT times; returns how much that is.  The header has
   passed hist_check.  Fast for empty bins, since most bins of most profiles are empty.  */
uint64_t hist_add_record(struct hist_set *set, const struct hist_record *record, uint32_t weight);

/* The number of bins that may have samples: 0 if the histogram has no samples.  */
static inline uint32_t hist_used_bins(const struct histogram *histogram)
{
    return histogram->most > 0 ? histogram->bin_count : 0;
}

/* Sets all bins to 0.  */
void hist_clear(struct histogram *histogram);

/* The histograms in order of first appearance, an array of set->count; free with free.  */
const struct histogram **hist_by_appearance(const struct hist_set *set);

/* Removes the histograms that were added after the first COUNT.  */
void hist_truncate(struct hist_set *set, size_t count);

/* The histogram that covers ADDR, or NULL.  */
const struct histogram *hist_covering(const struct hist_set *set, vma addr);

void hist_free(struct hist_set *set);

#endif
