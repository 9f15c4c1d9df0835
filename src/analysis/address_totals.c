/* address_totals.c - histograms, arcs and blocks added up by address, for a sum.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/address_totals.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"

/* Adds COUNT to COUNTS[NUMBER], which is the last one if it is new.  */
static void add(uint64_t **counts, size_t *capacity, uint32_t number, bool is_new, uint64_t count)
{
    *counts = mem_grow(*counts, capacity, (size_t)number + 1, sizeof **counts);
    (*counts)[number] = is_new ? count : sum_u64((*counts)[number], count);
}

void address_totals_add_arc(struct address_totals *sum, vma from, vma self, uint64_t count)
{
    size_t known = sum->arcs.count;
    uint32_t number = pair_map_number(&sum->arcs, from, self);
    add(&sum->arc_counts, &sum->arc_capacity, number, number == known, count);
}

void address_totals_add_block(struct address_totals *sum, vma addr, uint64_t count)
{
    size_t known = sum->blocks.count;
    uint32_t number = pair_map_number(&sum->blocks, addr, 0);
    add(&sum->block_counts, &sum->block_capacity, number, number == known, count);
}

void address_totals_add(struct address_totals *sum, const struct address_totals *other)
{
    for (size_t i = 0; i < other->arcs.count; i++)
        address_totals_add_arc(sum, other->arcs.pairs[i].a, other->arcs.pairs[i].b,
                               other->arc_counts[i]);
    for (size_t i = 0; i < other->blocks.count; i++)
        address_totals_add_block(sum, other->blocks.pairs[i].a, other->block_counts[i]);
}

void address_totals_free(struct address_totals *sum)
{
    pair_map_free(&sum->arcs);
    pair_map_free(&sum->blocks);
    free(sum->arc_counts);
    free(sum->block_counts);
    *sum = (struct address_totals){0};
}
