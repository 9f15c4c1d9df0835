/* subtract.c - takes the samples and counts of one sum of profiles away from another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/subtract.h"

#include "base/common.h"

/* ---- Samples ---- */

static struct histogram *find_range(struct hist_set *set, const struct histogram *like)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->hists[i].low == like->low && set->hists[i].high == like->high)
            return &set->hists[i];
    return NULL;
}

static void set_bin(struct histogram *histogram, uint32_t i, uint64_t samples)
{
    if (histogram->wide != NULL)
        histogram->wide[i] = samples;
    else
        histogram->bins[i] = (uint32_t)samples;
}

/* FROM is NULL if there is no histogram to take the samples of LESS from.  */
static void subtract_bins(struct histogram *from, const struct histogram *less,
                          struct shortfall *shortfall)
{
    for (uint32_t i = 0; i < hist_used_bins(less); i++) {
        uint64_t left = bin_of(less, i);
        if (from != NULL && hist_used_bins(from) > 0) {
            uint64_t taken = min_u64(bin_of(from, i), left);
            set_bin(from, i, bin_of(from, i) - taken);
            left -= taken;
        }
        shortfall->samples = sum_u64(shortfall->samples, left);
    }
}

void subtract_samples(struct hist_set *set, const struct hist_set *base,
                      struct shortfall *shortfall)
{
    for (size_t h = 0; h < base->count; h++)
        subtract_bins(find_range(set, &base->hists[h]), &base->hists[h], shortfall);
}

/* ---- Calls and executions ---- */

/* What is left of COUNT without *LESS, which is reduced by what was taken away.  */
static uint64_t reduce(uint64_t count, uint64_t *less)
{
    uint64_t taken = min_u64(count, *less);
    *less -= taken;
    return count - taken;
}

static void subtract_arcs(struct address_totals *left, const struct address_totals *sum,
                          struct address_totals *base)
{
    for (size_t i = 0; i < sum->arcs.count; i++) {
        const struct pair *arc = &sum->arcs.pairs[i];
        address_totals_add_arc(base, arc->a, arc->b, 0);
        uint32_t number = pair_map_number(&base->arcs, arc->a, arc->b);
        uint64_t count = reduce(sum->arc_counts[i], &base->arc_counts[number]);
        if (count > 0 || sum->arc_counts[i] == 0)
            address_totals_add_arc(left, arc->a, arc->b, count);
    }
}

static void subtract_blocks(struct address_totals *left, const struct address_totals *sum,
                            struct address_totals *base)
{
    for (size_t i = 0; i < sum->blocks.count; i++) {
        vma addr = sum->blocks.pairs[i].a;
        address_totals_add_block(base, addr, 0);
        uint32_t number = pair_map_number(&base->blocks, addr, 0);
        uint64_t count = reduce(sum->block_counts[i], &base->block_counts[number]);
        if (count > 0 || sum->block_counts[i] == 0)
            address_totals_add_block(left, addr, count);
    }
}

void subtract_counts(struct address_totals *sum, struct address_totals *base,
                     struct shortfall *shortfall)
{
    struct address_totals left = {0};
    subtract_arcs(&left, sum, base);
    subtract_blocks(&left, sum, base);
    for (size_t i = 0; i < base->arcs.count; i++)
        shortfall->calls = sum_u64(shortfall->calls, base->arc_counts[i]);
    for (size_t i = 0; i < base->blocks.count; i++)
        shortfall->executions = sum_u64(shortfall->executions, base->block_counts[i]);
    address_totals_free(sum);
    *sum = left;
}
