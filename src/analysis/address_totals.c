/* address_totals.c - adds up profiles by address, for --sum.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/address_totals.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"

/* ---- Totals ---- */

/* The count of the pair (A, B), which is added with 0 if it is new.  */
static uint64_t *count_of(struct pair_map *pairs, uint64_t **counts, size_t *capacity, vma a, vma b)
{
    size_t known = pairs->count;
    uint32_t number = pair_map_number(pairs, a, b);
    *counts = mem_grow(*counts, capacity, (size_t)number + 1, sizeof **counts);
    if (number == known)
        (*counts)[number] = 0;
    return &(*counts)[number];
}

/* The count of an arc or a block, which is added with 0 if it is new; valid until another one is
   added.  */
static uint64_t *address_totals_arc(struct address_totals *sum, vma from, vma self)
{
    return count_of(&sum->arcs, &sum->arc_counts, &sum->arc_capacity, from, self);
}

static uint64_t *address_totals_block(struct address_totals *sum, vma addr)
{
    return count_of(&sum->blocks, &sum->block_counts, &sum->block_capacity, addr, 0);
}

void address_totals_add_arc(struct address_totals *sum, vma from, vma self, uint64_t count)
{
    uint64_t *total = address_totals_arc(sum, from, self);
    *total = sum_u64(*total, count);
}

void address_totals_add_block(struct address_totals *sum, vma addr, uint64_t count)
{
    uint64_t *total = address_totals_block(sum, addr);
    *total = sum_u64(*total, count);
}

void address_totals_free(struct address_totals *sum)
{
    pair_map_free(&sum->arcs);
    pair_map_free(&sum->blocks);
    free(sum->arc_counts);
    free(sum->block_counts);
    *sum = (struct address_totals){0};
}
