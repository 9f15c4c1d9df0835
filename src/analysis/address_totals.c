#include "analysis/address_totals.h"

#include <stdlib.h>

/* Adds COUNT to the figure of number NUMBER, which is at most one behind the last.  */
static void add(uint64_t **counts, size_t *room, uint32_t number, bool is_new, uint64_t count)
{
    *counts = mem_grow(*counts, room, (size_t)number + 1, sizeof **counts);
    (*counts)[number] = is_new ? count : sum_u64((*counts)[number], count);
}

void sum_arc(struct sum *sum, vma from, vma self, uint64_t count)
{
    size_t known = sum->arcs.count;
    uint32_t number = pair_map_number(&sum->arcs, from, self);
    add(&sum->arc_counts, &sum->arc_room, number, number == known, count);
}

void sum_block(struct sum *sum, vma addr, uint64_t count)
{
    size_t known = sum->blocks.count;
    uint32_t number = pair_map_number(&sum->blocks, addr, 0);
    add(&sum->block_counts, &sum->block_room, number, number == known, count);
}

void sum_add(struct sum *sum, const struct sum *other)
{
    for (size_t i = 0; i < other->arcs.count; i++)
        sum_arc(sum, other->arcs.pairs[i].a, other->arcs.pairs[i].b, other->arc_counts[i]);
    for (size_t i = 0; i < other->blocks.count; i++)
        sum_block(sum, other->blocks.pairs[i].a, other->block_counts[i]);
}

void sum_free(struct sum *sum)
{
    pair_map_free(&sum->arcs);
    pair_map_free(&sum->blocks);
    free(sum->arc_counts);
    free(sum->block_counts);
    *sum = (struct sum){0};
}
