/* interval_map.c - an index of overlapping ranges, which finds the one an address belongs to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/interval_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

/* The stretches between two neighbouring bounds of ranges, by number.  */
struct stretches {
    uint64_t *bounds; /* ascending; stretch I is [bounds[I], bounds[I + 1]) */
    size_t bound_count;
    uint32_t *owners;
    size_t *next; /* a stretch at or behind this one without an owner is reached by way of it */
};

static void find_bounds(struct stretches *s, const struct interval *ranges, size_t count)
{
    size_t kept = 0;
    s->bounds = mem_array(2 * count, sizeof *s->bounds);
    for (size_t i = 0; i < count; i++) {
        s->bounds[2 * i] = ranges[i].low;
        s->bounds[2 * i + 1] = ranges[i].high;
    }
    sort_numbers(s->bounds, 2 * count);
    for (size_t i = 0; i < 2 * count; i++)
        if (kept == 0 || s->bounds[i] != s->bounds[kept - 1])
            s->bounds[kept++] = s->bounds[i];
    s->bound_count = kept;
}

/* The stretch that begins at BOUND.  */
static size_t stretch_at(const struct stretches *s, uint64_t bound)
{
    size_t low = 0, high = s->bound_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->bounds[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first stretch from AT on that has no owner.  Makes ways shorter as it goes.  */
static size_t first_free(const struct stretches *s, size_t at)
{
    while (s->next[at] != at) {
        s->next[at] = s->next[s->next[at]];
        at = s->next[at];
    }
    return at;
}

/* From the highest number down, each range takes what is still free of it.  */
static void give_away(const struct stretches *s, const struct interval *ranges, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        size_t end = stretch_at(s, ranges[i].high);
        for (size_t at = first_free(s, stretch_at(s, ranges[i].low)); at < end;
             at = first_free(s, at)) {
            s->owners[at] = (uint32_t)i;
            s->next[at] = at + 1;
        }
    }
}

static void collect(struct interval_map *spans, const struct stretches *s)
{
    spans->spans = mem_array(s->bound_count, sizeof *spans->spans);
    spans->count = spans->last = 0;
    for (size_t i = 0; i < s->bound_count; i++)
        if (spans->count == 0 || spans->spans[spans->count - 1].owner != s->owners[i])
            spans->spans[spans->count++] = (struct span){s->bounds[i], s->owners[i]};
}

void interval_map_build(struct interval_map *spans, const struct interval *ranges, size_t count)
{
    struct stretches s = {0};
    interval_map_free(spans);
    find_bounds(&s, ranges, count);
    s.owners = mem_array(s.bound_count, sizeof *s.owners);
    s.next = mem_array(s.bound_count, sizeof *s.next);
    for (size_t i = 0; i < s.bound_count; i++) {
        s.owners[i] = NO_INTERVAL;
        s.next[i] = i;
    }
    give_away(&s, ranges, count);
    collect(spans, &s);
    free(s.bounds);
    free(s.owners);
    free(s.next);
}

static bool is_in_span(const struct interval_map *spans, size_t i, uint64_t addr)
{
    return i < spans->count && spans->spans[i].start <= addr &&
           (i + 1 == spans->count || spans->spans[i + 1].start > addr);
}

uint32_t interval_map_find(struct interval_map *spans, uint64_t addr)
{
    size_t low = 0, high = spans->count;
    if (is_in_span(spans, spans->last, addr) || is_in_span(spans, ++spans->last, addr))
        return spans->spans[spans->last].owner;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->spans[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    spans->last = low > 0 ? low - 1 : 0;
    return low > 0 ? spans->spans[low - 1].owner : NO_INTERVAL;
}

void interval_map_free(struct interval_map *spans)
{
    free(spans->spans);
    *spans = (struct interval_map){0};
}
