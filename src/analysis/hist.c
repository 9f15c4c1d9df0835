/* hist.c - bins of the histograms, credited to symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/hist.h"

#include <math.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "model/hist_set.h"

enum { BYTES_PER_UNIT = 2 };

/* ---- Crediting symbols ---- */

/* One histogram, while its samples are credited.  */
struct charge {
    struct hist_set *set;
    const struct symtab *symtab;
    const struct filter *filter;
    const vma *starts; /* of each symbol, in units; after them the end of the last one */
    vma low;           /* of the histogram, in units */
};

static vma *unit_starts(const struct symtab *symtab)
{
    size_t n = symtab->count;
    vma *starts = mem_array(n + 1, sizeof *starts);
    for (size_t i = 0; i < n; i++)
        starts[i] = symtab->symbols[i].addr / BYTES_PER_UNIT;
    if (n > 0)
        starts[n] = symtab->symbols[n - 1].end / BYTES_PER_UNIT + 1;
    return starts;
}

/* The start of symbol I in units: that of its code, if it is in another bin than its address.  */
static vma start_of(const struct charge *charge, size_t i)
{
    vma start = charge->starts[i], low = charge->low;
    unsigned entry_units = charge->symtab->entry_units;
    if (entry_units == 0 || start < low || i == charge->symtab->count)
        return start;
    double entry = (double)(start - low) / charge->set->scale;
    double code = (double)(start + entry_units - low) / charge->set->scale;
    if (!(code < 0x1p64)) /* too far above the histogram for a bin number */
        return start;
    return (vma)entry < (vma)code ? start + entry_units : start;
}

/* The first symbol that ends above LOW, or the number of symbols.  */
static size_t first_ending_above(const struct charge *charge, vma low)
{
    size_t from = 0, to = charge->symtab->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (start_of(charge, middle + 1) <= low)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Credits the SAMPLES of one bin, which covers [LOW, HIGH), to the symbols in it.  No symbol
   before *FIRST overlaps this bin or a later one; it moves up.

   Example: a bin [100, 108) of 8 units with 4 samples, so each unit has 0.5, and

       f   [ 90, 102)   overlaps   2 units   gets   2 * 4 / 8 = 1.0
       g   [102, 107)              5                5 * 4 / 8 = 2.5
       h   [107, 130)              1                1 * 4 / 8 = 0.5

   *FIRST is f before and after; in the next bin, [108, 116), it moves up to h.  The divisor is the
   scale of the histogram, even if rounding made this bin one unit larger or smaller.  */
static void charge_bin(const struct charge *charge, size_t *first, vma low, vma high,
                       double samples)
{
    struct hist_set *set = charge->set;
    size_t symbol_count = charge->symtab->count;
    set->samples += fabs(samples);
    set->total += fabs(samples);
    set->outside += samples;
    while (*first < symbol_count && start_of(charge, *first + 1) <= low)
        ++*first;
    for (size_t i = *first; i < symbol_count && start_of(charge, i) < high; i++) {
        vma from = max_u64(low, start_of(charge, i)), to = min_u64(high, start_of(charge, i + 1));
        if (from >= to)
            continue;
        double credit = ((double)(to - from) * samples) / set->scale;
        set->outside -= credit;
        if (is_accepted(charge->filter, (uint32_t)i))
            set->time[i] += credit;
        else
            set->total -= fabs(credit);
    }
}

static void charge_histogram(struct charge *charge, const struct histogram *histogram)
{
    double scale = charge->set->scale;
    charge->low = histogram->low / BYTES_PER_UNIT;
    size_t first = first_ending_above(charge, charge->low);
    for (uint32_t i = 0; i < hist_used_bins(histogram); i++) {
        uint64_t count = bin_of(histogram, i);
        bool is_negative = bin_is_negative(charge->set, histogram, i);
        if (count != 0)
            charge_bin(charge, &first, charge->low + (vma)(scale * i),
                       charge->low + (vma)(scale * (i + 1.0)),
                       is_negative ? -(double)(0 - count) : (double)count);
    }
}

/* Makes samples of what the bins count, for each of COUNT symbols and in all.  */
static void count_samples(struct hist_set *set, size_t count)
{
    double parts = set->fineness > 0 ? set->fineness : 1;
    for (size_t s = 0; s < count; s++)
        set->time[s] /= parts;
    set->samples /= parts;
    set->total /= parts;
    set->outside /= parts;
}

void hist_assign(struct hist_set *set, const struct symtab *symtab, const struct filter *filter)
{
    vma *starts = unit_starts(symtab);
    struct charge charge = {set, symtab, filter, starts, 0};
    set->time = mem_array(symtab->count, sizeof *set->time);
    set->samples = set->total = set->outside = 0;
    for (size_t h = 0; h < set->count; h++)
        charge_histogram(&charge, &set->hists[h]);
    free(starts);
    count_samples(set, symtab->count);
}
