/* hist_set.c - keeps histograms: finds those of a range, adds them up.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/hist_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

/* Inserting a histogram moves those above it, which takes quadratic time for many.  Programs have
   one; only a damaged file has more than this.  */
enum { MOST_HISTOGRAMS = 16384 };

/* Units per bin.  The integer division is part of the definition.  */
static double scale_of(const struct hist_header *header)
{
    vma units = (header->high - header->low) / 2; /* of 16 bits */
    return (double)units / header->bin_count;
}

/* The first histogram that ends above ADDR.  */
static size_t first_ending_above(const struct hist_set *set, vma addr)
{
    return count_at_most(set->hists, set->count, sizeof *set->hists,
                         offsetof(struct histogram, high), addr);
}

/* Whether there is a histogram I, and it has the header's range.  */
static bool is_same_range(const struct hist_set *set, size_t i, const struct hist_header *header)
{
    return i < set->count && set->hists[i].low == header->low &&
           set->hists[i].high == header->high && set->hists[i].bin_count == header->bin_count;
}

enum hist_status hist_check(const struct hist_set *set, const struct hist_header *header)
{
    if (set->count == 0)
        return HIST_OK;
    if (strcmp(set->dimension, header->dimension) != 0 || set->abbreviation != header->abbreviation)
        return HIST_DIMENSION_MISMATCH;
    if (fabs(scale_of(header) - set->scale) > 1e-6)
        return HIST_SCALE_MISMATCH;
    size_t i = first_ending_above(set, header->low);
    if (is_same_range(set, i, header))
        return HIST_OK;
    if (i < set->count && set->hists[i].low < header->high)
        return HIST_OVERLAP;
    return set->count < MOST_HISTOGRAMS ? HIST_OK : HIST_TOO_MANY;
}

static void set_units(struct hist_set *set, const struct hist_header *header)
{
    set->rate = header->rate;
    memcpy(set->dimension, header->dimension, sizeof set->dimension);
    set->abbreviation = header->abbreviation;
    set->scale = scale_of(header);
}

struct histogram *hist_find_or_add(struct hist_set *set, const struct hist_header *header)
{
    size_t i = first_ending_above(set, header->low);
    if (is_same_range(set, i, header))
        return &set->hists[i];
    if (set->count == 0)
        set_units(set, header);
    set->hists = mem_grow(set->hists, &set->capacity, set->count + 1, sizeof *set->hists);
    memmove(&set->hists[i + 1], &set->hists[i], (set->count - i) * sizeof *set->hists);
    set->count++;
    set->hists[i] = (struct histogram){.low = header->low,
                                       .high = header->high,
                                       .bin_count = header->bin_count,
                                       .order = (uint32_t)set->count - 1,
                                       .bins = mem_array(header->bin_count, sizeof(uint32_t))};
    return &set->hists[i];
}

static void widen(struct histogram *histogram)
{
    histogram->wide = mem_array(histogram->bin_count, sizeof *histogram->wide);
    for (uint32_t i = 0; i < histogram->bin_count; i++)
        histogram->wide[i] = histogram->bins[i];
    free(histogram->bins);
    histogram->bins = NULL;
}

void hist_reserve(struct histogram *histogram, uint64_t most)
{
    histogram->most = sum_u64(histogram->most, most);
    if (histogram->wide == NULL && histogram->most > UINT32_MAX)
        widen(histogram);
}

static void free_bins(struct histogram *histogram)
{
    free(histogram->bins);
    free(histogram->wide);
}

/* Whether the eight bytes at P are zero.  */
static bool is_zero(const unsigned char *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return value == 0;
}

enum { BINS_AT_ONCE = 4 }; /* in eight bytes */

/* Where the bins of RECORD are added, each WEIGHT times, and how much that is so far.  */
struct adding {
    const struct hist_record *record;
    struct histogram *histogram;
    uint32_t weight;
    uint64_t sum;
};

static void add_bin(struct adding *adding, uint32_t i)
{
    uint64_t count = (uint64_t)adding->weight * hist_record_bin(adding->record, i);
    hist_add(adding->histogram, i, count);
    adding->sum += count;
}

/* Adds the samples of BINS_AT_ONCE bins from each of the COUNT bins in FIRST on.  */
static void add_groups(struct adding *adding, const uint32_t *first, size_t count)
{
    for (size_t g = 0; g < count; g++)
        for (uint32_t i = first[g]; i < first[g] + BINS_AT_ONCE; i++)
            add_bin(adding, i);
}

/* Prefetches bin I, and those behind it in the same line of the cache.  */
static void prefetch(const struct histogram *histogram, uint32_t i)
{
    if (histogram->wide != NULL)
        PREFETCH(&histogram->wide[i]);
    else
        PREFETCH(&histogram->bins[i]);
}

uint64_t hist_add_record(struct hist_set *set, const struct hist_record *record, uint32_t weight)
{
    enum { PENDING = 32 };
    struct histogram *histogram = hist_find_or_add(set, &record->header);
    struct adding adding = {record, histogram, weight, 0};
    uint32_t count = record->header.bin_count, i = 0, pending[PENDING];
    size_t pending_count = 0;
    hist_reserve(histogram, (uint64_t)weight * HIST_LARGEST_BIN);
    for (; count - i >= BINS_AT_ONCE; i += BINS_AT_ONCE) {
        if (is_zero(record->bins + 2 * (size_t)i))
            continue;
        prefetch(histogram, i);
        pending[pending_count++] = i;
        if (pending_count == PENDING) {
            add_groups(&adding, pending, pending_count);
            pending_count = 0;
        }
    }
    add_groups(&adding, pending, pending_count);
    for (; i < count; i++)
        add_bin(&adding, i);
    return adding.sum;
}

void hist_clear(struct histogram *histogram)
{
    uint32_t n = hist_used_bins(histogram);
    if (histogram->wide != NULL)
        memset(histogram->wide, 0, n * sizeof *histogram->wide);
    else
        memset(histogram->bins, 0, n * sizeof *histogram->bins);
    histogram->most = 0;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool hist_rate_factors(struct rate_factors *factors, const struct hist_set *set, uint32_t rate)
{
    const double most = 1e9; /* ticks per unit of time */
    *factors = (struct rate_factors){1, 1};
    if (set->count == 0 || set->rate == rate)
        return true;
    if (set->rate == 0 || rate == 0)
        return false;
    uint32_t common = (uint32_t)divisor((uint64_t)set->rate, rate);
    uint32_t factor = rate / common;
    if (set->rate * factor > most)
        return false;
    *factors = (struct rate_factors){factor, (uint32_t)set->rate / common};
    return true;
}

void hist_multiply(struct hist_set *set, uint32_t factor)
{
    for (size_t h = 0; h < set->count && factor > 1; h++) {
        struct histogram *histogram = &set->hists[h];
        hist_reserve(histogram, histogram->most * (factor - 1));
        uint64_t *wide = histogram->wide;
        uint32_t *bins = histogram->bins; /* NULL if there are wide ones */
        for (uint32_t i = 0; i < hist_used_bins(histogram); i++)
            if (wide != NULL)
                wide[i] *= factor;
            else if (bins != NULL)
                bins[i] *= factor;
    }
    set->rate *= factor;
}

static void add_divisor(struct common_divisor *common, uint64_t bin)
{
    if (bin == 0)
        return;
    common->value = divisor(bin, common->value);
    common->bins++;
}

void hist_find_divisor(struct common_divisor *common, const struct hist_set *set, uint64_t least)
{
    for (size_t h = 0; h < set->count; h++)
        for (uint32_t i = 0; i < hist_used_bins(&set->hists[h]) && common->value != least; i++)
            add_divisor(common, bin_of(&set->hists[h], i));
}

void hist_record_divisor(struct common_divisor *common, const struct hist_record *record,
                         uint32_t weight)
{
    for (uint32_t i = 0; i < record->header.bin_count && common->value != weight; i++)
        add_divisor(common, (uint64_t)weight * hist_record_bin(record, i));
}

/* All of N independent numbers are multiples of K with a probability of K^-N, and of some number
   that is K or larger with about K^(1 - N).  */
uint64_t ticks_of_sample(const struct common_divisor *common, uint64_t least, double most)
{
    const double likely = 1e-6; /* if it is found with this probability by chance, it may be */
    bool is_possible =
        common->value > least && common->value % least == 0 && (double)common->value <= most;
    uint64_t multiple = is_possible ? common->value / least : 1;
    bool is_found = is_possible && pow((double)multiple, 1 - common->bins) < likely;
    return is_found ? common->value : least;
}

const struct histogram **hist_by_appearance(const struct hist_set *set)
{
    const struct histogram **hists = mem_array(set->count, sizeof *hists);
    for (size_t i = 0; i < set->count; i++)
        hists[set->hists[i].order] = &set->hists[i];
    return hists;
}

void hist_truncate(struct hist_set *set, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (set->hists[i].order < count)
            set->hists[kept++] = set->hists[i];
        else
            free_bins(&set->hists[i]);
    }
    set->count = kept;
}

const struct histogram *hist_covering(const struct hist_set *set, vma addr)
{
    size_t i = first_ending_above(set, addr);
    return i < set->count && set->hists[i].low <= addr ? &set->hists[i] : NULL;
}

void hist_free(struct hist_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free_bins(&set->hists[i]);
    free(set->hists);
    free(set->time);
    *set = (struct hist_set){0};
}
