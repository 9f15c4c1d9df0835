/* tree_chains.c - calls of a tree that branch nowhere, for one row.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/tree_chains.h"

#include <stdlib.h>

#include "model/model.h"

/* What is below a node.  */
struct callees {
    uint32_t largest, count;
    double size; /* of all */
};

static bool continues(const struct chain_node *nodes, uint32_t node, const struct callees *below)
{
    const struct chain_node *largest = below->count > 0 ? &nodes[below->largest] : NULL;
    return largest != NULL && nodes[node].may_begin && largest->may_follow &&
           largest->size >= nodes[node].least && largest->size >= 0.99 * nodes[node].size &&
           (below->count == 1 || below->size - largest->size < nodes[node].least);
}

uint32_t *find_chains(const struct chain_node *nodes, size_t count)
{
    struct callees *below = mem_array(count, sizeof *below);
    uint32_t *next = mem_uninitialised(count, sizeof *next);
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i].above == NO_ID)
            continue;
        struct callees *above = &below[nodes[i].above];
        if (above->count++ == 0 || nodes[i].size > nodes[above->largest].size)
            above->largest = i;
        above->size += nodes[i].size;
    }
    for (uint32_t i = 0; i < count; i++)
        next[i] = continues(nodes, i, &below[i]) ? below[i].largest : NO_ID;
    free(below);
    return next;
}

const char *chain_text(struct arena *arena, const char *const *names, size_t count,
                       const char *separator)
{
    enum { MOST = 4, FIRST = 2 };
    const char *text = names[0];
    for (size_t i = 1; i < count; i++) {
        bool is_left_out = count > MOST && i >= FIRST && i + 1 < count;
        if (is_left_out && i == FIRST)
            text =
                arena_join(arena, text, separator, arena_format(arena, "(%zu)", count - FIRST - 1));
        else if (!is_left_out)
            text = arena_join(arena, text, separator, names[i]);
    }
    return text;
}
