/* subtract.c - takes the counts of one sum of profiles away from another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/subtract.h"

#include "base/common.h"

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
        uint64_t count = reduce(sum->arc_counts[i], address_totals_arc(base, arc->a, arc->b));
        if (count > 0 || sum->arc_counts[i] == 0)
            address_totals_add_arc(left, arc->a, arc->b, count);
    }
}

static void subtract_blocks(struct address_totals *left, const struct address_totals *sum,
                            struct address_totals *base)
{
    for (size_t i = 0; i < sum->blocks.count; i++) {
        vma addr = sum->blocks.pairs[i].a;
        uint64_t count = reduce(sum->block_counts[i], address_totals_block(base, addr));
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
