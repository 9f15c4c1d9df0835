/* stacks.c - stacks of samples as a tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/stacks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

void stacks_add_end(struct stacks *stacks, struct stack_end end)
{
    stacks->ends =
        mem_grow(stacks->ends, &stacks->end_capacity, stacks->end_count + 1, sizeof *stacks->ends);
    stacks->ends[stacks->end_count++] = end;
}

void stacks_add_column(struct stacks *stacks, struct stack_column column)
{
    column.end = stacks->end_count;
    stacks->columns = mem_grow(stacks->columns, &stacks->column_capacity, stacks->column_count + 1,
                               sizeof *stacks->columns);
    stacks->columns[stacks->column_count++] = column;
}

/* LABEL, or what LABEL_OF has in place of it.  */
static uint32_t new_label(const uint32_t *label_of, uint32_t label)
{
    return label_of != NULL && stacks_is_numbered(label) ? label_of[label] : label;
}

uint32_t *stacks_add_nodes(struct pair_map *nodes, const struct stacks *from,
                           const uint32_t *label_of)
{
    uint32_t *numbers = mem_uninitialised(from->count, sizeof *numbers);
    for (size_t i = 0; i < from->count; i++) {
        uint32_t above = from->parent[i] != UINT32_MAX ? numbers[from->parent[i]] + 1 : 0;
        numbers[i] = pair_map_number(nodes, above, new_label(label_of, from->label[i]));
    }
    return numbers;
}

bool stacks_are_cut(const struct stacks *stacks)
{
    size_t i = 0;
    while (i < stacks->count && stacks->label[i] != STACKS_OTHERS)
        i++;
    return i < stacks->count;
}

void stacks_take_nodes(struct stacks *stacks, struct pair_map *nodes)
{
    stacks->count = nodes->count;
    pair_map_close(nodes);
    stacks->parent = mem_uninitialised(stacks->count, sizeof *stacks->parent);
    stacks->label = mem_uninitialised(stacks->count, sizeof *stacks->label);
    for (size_t i = 0; i < stacks->count; i++) {
        stacks->parent[i] = (uint32_t)(nodes->pairs[i].a - 1);
        stacks->label[i] = (uint32_t)nodes->pairs[i].b;
    }
    pair_map_free(nodes);
}

struct stacks stacks_relabel(const struct stacks *from, const uint32_t *label_of)
{
    struct stacks to = *from;
    to.outermost = NULL;
    to.samples = NULL;
    to.label = mem_uninitialised(from->count, sizeof *to.label);
    for (size_t i = 0; i < from->count; i++)
        to.label[i] = new_label(label_of, from->label[i]);
    return to;
}

void stacks_free_labels(struct stacks *stacks)
{
    free(stacks->label);
    free(stacks->outermost);
}

/* A walk from the roots down, with the outermost node of each label above, plus 1.  */
void stacks_find_outermost(struct stacks *stacks, size_t label_count)
{
    size_t count = stacks->count, depth = 0;
    uint32_t *keys = mem_uninitialised(count, sizeof *keys);
    uint32_t *path = mem_uninitialised(count, sizeof *path);
    uint32_t *above = mem_array(label_count, sizeof *above);
    free(stacks->outermost);
    uint32_t *outermost = stacks->outermost = mem_uninitialised(count, sizeof *outermost);
    for (size_t i = 0; i < count; i++) {
        assert(stacks->parent[i] == UINT32_MAX || stacks->parent[i] < i);
        assert(!stacks_is_numbered(stacks->label[i]) || stacks->label[i] < label_count);
        keys[i] = stacks->parent[i] + 1; /* 0: a root */
    }
    struct id_lists children = id_lists_make(keys, NULL, count, count + 1);
    uint32_t *next = mem_uninitialised(count + 1, sizeof *next);
    memcpy(next, children.start, (count + 1) * sizeof *next);
    for (;;) {
        uint32_t key = depth > 0 ? path[depth - 1] + 1 : 0;
        if (next[key] < children.start[key + 1]) {
            uint32_t node = children.ids[next[key]++], label = stacks->label[node];
            outermost[node] = node;
            if (stacks_is_numbered(label) && above[label] != 0)
                outermost[node] = above[label] - 1;
            else if (stacks_is_numbered(label))
                above[label] = node + 1;
            path[depth++] = node;
        } else if (depth > 0) {
            uint32_t node = path[--depth], label = stacks->label[node];
            if (stacks_is_numbered(label) && outermost[node] == node)
                above[label] = 0;
        } else
            break;
    }
    id_lists_free(&children);
    free(next);
    free(above);
    free(path);
    free(keys);
}

void stacks_add_samples(const struct stacks *stacks, size_t column, double scale, double *samples)
{
    for (size_t i = stacks_first_end(stacks, column); i < stacks->columns[column].end; i++)
        samples[stacks->ends[i].node] += scale * stacks->ends[i].samples;
}

double stacks_fold(const struct stacks *stacks, double *samples)
{
    double all = 0;
    for (size_t i = stacks->count; i-- > 0;)
        *(stacks->parent[i] != UINT32_MAX ? &samples[stacks->parent[i]] : &all) += samples[i];
    return all;
}

void stacks_once(const struct stacks *stacks, const double *samples, double *of_label)
{
    for (size_t i = stacks->count; i-- > 0;)
        if (stacks_is_numbered(stacks->label[i]) && stacks->outermost[i] == i)
            of_label[stacks->label[i]] += samples[i];
}

double stacks_count(const struct stacks *stacks, size_t column, double scale, double *samples,
                    double *of_label, size_t label_count)
{
    memset(samples, 0, stacks->count * sizeof *samples);
    memset(of_label, 0, label_count * sizeof *of_label);
    stacks_add_samples(stacks, column, scale, samples);
    double all = stacks_fold(stacks, samples);
    stacks_once(stacks, samples, of_label);
    return all;
}

void stacks_free(struct stacks *stacks)
{
    free(stacks->parent);
    free(stacks->samples);
    stacks_free_labels(stacks);
    free(stacks->ends);
    free(stacks->columns);
    *stacks = (struct stacks){0};
}
