/* stack_tree.c - recorded stacks as a tree of places.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/stack_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

struct stack_place *stack_places_of(const struct pair *nodes, size_t count,
                                    const uint32_t *functions)
{
    struct stack_place *places = mem_uninitialised(count, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i] =
            (struct stack_place){(uint32_t)(nodes[i].a - 1),
                                 functions != NULL ? functions[nodes[i].b] : (uint32_t)nodes[i].b};
    return places;
}

/* A walk from the roots down, with the outermost place of each function above, plus 1.  */
uint32_t *stack_places_outermost(const struct stack_place *places, size_t count,
                                 size_t function_count)
{
    size_t depth = 0;
    uint32_t *keys = mem_uninitialised(count, sizeof *keys);
    uint32_t *path = mem_uninitialised(count, sizeof *path);
    uint32_t *above = mem_array(function_count, sizeof *above);
    uint32_t *outermost = mem_uninitialised(count, sizeof *outermost);
    for (size_t i = 0; i < count; i++) {
        assert(places[i].parent == UINT32_MAX || places[i].parent < i);
        assert(places[i].function == UINT32_MAX || places[i].function < function_count);
        keys[i] = places[i].parent + 1; /* 0: a root */
    }
    struct id_lists children = id_lists_make(keys, NULL, count, count + 1);
    uint32_t *next = mem_uninitialised(count + 1, sizeof *next);
    memcpy(next, children.start, (count + 1) * sizeof *next);
    for (;;) {
        uint32_t key = depth > 0 ? path[depth - 1] + 1 : 0;
        if (next[key] < children.start[key + 1]) {
            uint32_t place = children.ids[next[key]++], function = places[place].function;
            outermost[place] = place;
            if (function != UINT32_MAX && above[function] != 0)
                outermost[place] = above[function] - 1;
            else if (function != UINT32_MAX)
                above[function] = place + 1;
            path[depth++] = place;
        } else if (depth > 0) {
            uint32_t place = path[--depth], function = places[place].function;
            if (function != UINT32_MAX && outermost[place] == place)
                above[function] = 0;
        } else
            break;
    }
    id_lists_free(&children);
    free(next);
    free(above);
    free(path);
    free(keys);
    return outermost;
}

double stack_places_fold(const struct stack_place *places, size_t count, double *samples)
{
    double all = 0;
    for (size_t i = count; i-- > 0;)
        *(places[i].parent != UINT32_MAX ? &samples[places[i].parent] : &all) += samples[i];
    return all;
}

void stack_places_once(const struct stack_place *places, size_t count, const uint32_t *outermost,
                       const double *samples, double *of_function)
{
    for (size_t i = count; i-- > 0;)
        if (places[i].function != UINT32_MAX && outermost[i] == i)
            of_function[places[i].function] += samples[i];
}
