/* test_interval_map.c - interval maps, compared with a linear search of all ranges.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/interval_map.h"
#include "base/memory.h"

#include <stdlib.h>

#include "tap.h"

static uint32_t owner_plainly(const struct interval *ranges, size_t count, uint64_t addr)
{
    for (size_t i = count; i-- > 0;)
        if (ranges[i].low <= addr && addr < ranges[i].high)
            return (uint32_t)i;
    return NO_INTERVAL;
}

static bool agrees(uint64_t *state, size_t count, uint64_t most)
{
    struct interval ranges[40] = {{0}};
    struct interval_map map = {0};
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t low = next_random(state) % most;
        ranges[i] = (struct interval){low, low + next_random(state) % (most / 2)};
    }
    interval_map_build(&map, ranges, count);
    for (uint64_t addr = 0; addr < 2 * most; addr++)
        ok = ok && interval_map_find(&map, addr) == owner_plainly(ranges, count, addr);
    for (uint64_t i = 0; i < 2 * most; i++) {
        uint64_t addr = next_random(state) % (2 * most);
        ok = ok && interval_map_find(&map, addr) == owner_plainly(ranges, count, addr);
    }
    interval_map_free(&map);
    return ok;
}

static void test_random(void)
{
    uint64_t state = 1;
    bool ok = true;
    for (size_t count = 0; count <= 40; count++)
        for (uint64_t most = 4; most < 200; most *= 3)
            ok = ok && agrees(&state, count, most);
    is_true(ok, "the range with the highest number owns what several cover");
}

static void test_ends(void)
{
    struct interval_map map = {0};
    const struct interval ranges[] = {{0, UINT64_MAX}, {5, 5}, {9, 7}, {3, 4}};
    is_equal(interval_map_find(&map, 0), NO_INTERVAL, "there is nothing");
    interval_map_build(&map, ranges, 4);
    is_equal(interval_map_find(&map, 0), 0, "a range from the lowest address");
    is_equal(interval_map_find(&map, UINT64_MAX - 1), 0, "to the highest");
    is_equal(interval_map_find(&map, UINT64_MAX), NO_INTERVAL, "which it does not have");
    is_equal(interval_map_find(&map, 5), 0, "an empty range owns nothing");
    is_equal(interval_map_find(&map, 8), 0, "nor does one that ends before it begins");
    is_equal(interval_map_find(&map, 3), 3, "a small one owns its part");
    interval_map_free(&map);
}

static void test_many(void)
{
    enum { MANY = 200000 };
    struct interval *ranges = mem_array(MANY, sizeof *ranges);
    struct interval_map map = {0};
    for (size_t i = 0; i < MANY; i++)
        ranges[i] = (struct interval){i, 2 * MANY - i};
    interval_map_build(&map, ranges, MANY);
    is_equal(interval_map_find(&map, MANY), MANY - 1, "the innermost of many that nest");
    is_equal(interval_map_find(&map, 2 * MANY - 1), 0, "and the outermost");
    interval_map_free(&map);
    free(ranges);
}

/* Addresses mostly come in ascending order.  */
static void test_searches(void)
{
    static const struct interval ranges[] = {{10, 20}, {20, 30}, {40, 50}};
    struct interval_map map = {0};
    interval_map_build(&map, ranges, 3);
    interval_map_find(&map, 12);
    size_t before = map.searches;
    for (uint64_t addr = 12; addr < 60; addr++)
        interval_map_find(&map, addr);
    is_equal(map.searches, before, "one address after the other: no search");
    interval_map_find(&map, 12);
    is_equal(map.searches, before + 1, "back again: a search");
    interval_map_free(&map);
}

int main(void)
{
    test_random();
    test_ends();
    test_many();
    test_searches();
    return tap_done();
}
