/* interval_map.c - an index of overlapping ranges, which finds the one an address belongs to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/interval_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

/* The segments between neighbouring bounds of ranges, by number.  */
struct segments {
    uint64_t *bounds; /* ascending; segment I is [bounds[I], bounds[I + 1]) */
    size_t bound_count;
    uint32_t *owners;
    size_t *next; /* I if segment I has no owner; else a later segment: see first_free */
};

static void find_bounds(struct segments *s, const struct interval *ranges, size_t count)
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

/* The segment that starts at BOUND.  */
static size_t segment_at(const struct segments *s, uint64_t bound)
{
    return count_below(s->bounds, s->bound_count, bound);
}

/* The first segment from AT on that has no owner.  Shortens the paths that it follows, so that the
   next calls are faster.  */
static size_t first_free(const struct segments *s, size_t at)
{
    while (s->next[at] != at) {
        s->next[at] = s->next[s->next[at]];
        at = s->next[at];
    }
    return at;
}

/* Gives each range, from the highest number down, its segments that have no owner yet.  Example:

       range 0   [10, 50)     bounds      10   20   30   40   50
       range 1   [20, 40)     range 2               2    2          next: 50
       range 2   [30, 50)     range 1          1                    next: 30, so 50
                              range 0     0
                              owners      0    1    2    2  */
static void assign_owners(const struct segments *s, const struct interval *ranges, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        size_t end = segment_at(s, ranges[i].high);
        for (size_t at = first_free(s, segment_at(s, ranges[i].low)); at < end;
             at = first_free(s, at)) {
            s->owners[at] = (uint32_t)i;
            s->next[at] = at + 1;
        }
    }
}

/* Makes spans of neighbouring segments that have the same owner.  */
static void join_segments(struct interval_map *map, const struct segments *s)
{
    map->spans = mem_array(s->bound_count, sizeof *map->spans);
    map->count = map->last = 0;
    for (size_t i = 0; i < s->bound_count; i++)
        if (map->count == 0 || map->spans[map->count - 1].owner != s->owners[i])
            map->spans[map->count++] = (struct span){s->bounds[i], s->owners[i]};
}

void interval_map_build(struct interval_map *map, const struct interval *ranges, size_t count)
{
    struct segments s = {0};
    interval_map_free(map);
    find_bounds(&s, ranges, count);
    s.owners = mem_array(s.bound_count, sizeof *s.owners);
    s.next = mem_array(s.bound_count, sizeof *s.next);
    for (size_t i = 0; i < s.bound_count; i++) {
        s.owners[i] = NO_INTERVAL;
        s.next[i] = i;
    }
    assign_owners(&s, ranges, count);
    join_segments(map, &s);
    free(s.bounds);
    free(s.owners);
    free(s.next);
}

static bool is_in_span(const struct interval_map *map, size_t i, uint64_t addr)
{
    return i < map->count && map->spans[i].start <= addr &&
           (i + 1 == map->count || map->spans[i + 1].start > addr);
}

uint32_t interval_map_find(struct interval_map *map, uint64_t addr)
{
    if (is_in_span(map, map->last, addr) || is_in_span(map, ++map->last, addr))
        return map->spans[map->last].owner;
    map->searches++;
    size_t upto = count_at_most(map->spans, map->count, sizeof *map->spans,
                                offsetof(struct span, start), addr);
    map->last = upto > 0 ? upto - 1 : 0;
    return upto > 0 ? map->spans[upto - 1].owner : NO_INTERVAL;
}

void interval_map_free(struct interval_map *map)
{
    free(map->spans);
    *map = (struct interval_map){0};
}
