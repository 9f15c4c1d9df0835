/* test_places.c - places: counts of symbols up to an address, against walking all of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/places.h"

#include <stdlib.h>

#include "tap.h"

enum { PLACES = 500, RANGE = 700 };

/* Adds places at random addresses below RANGE, some of them several times.  */
static void add_places(struct places *places, uint64_t *state)
{
    for (uint32_t i = 0; i < PLACES; i++)
        places_add(places, next_random(state) % RANGE, i);
    places_sort(places);
}

static size_t walk(const struct places *places, vma addr)
{
    size_t count = 0;
    for (size_t i = 0; i < places->count; i++)
        count += places->places[i].addr <= addr;
    return count;
}

static void test_order(void)
{
    struct places places = {0};
    uint64_t state = 1;
    bool ok = true;
    add_places(&places, &state);
    for (size_t i = 1; i < places.count; i++) {
        const struct place *left = &places.places[i - 1], *right = &places.places[i];
        ok &=
            left->addr < right->addr || (left->addr == right->addr && left->number < right->number);
    }
    is_equal(places.count, PLACES, "all are there");
    is_true(ok, "by address, and at one address as they came");
    free(places.places);
}

static void test_counts(void)
{
    struct places places = {0};
    uint64_t state = 2;
    bool ok = true;
    add_places(&places, &state);
    for (vma addr = 0; addr <= RANGE; addr++)
        ok &= places_upto(&places, addr) == walk(&places, addr);
    is_true(ok, "asked for in ascending order");
    for (vma addr = RANGE; addr > 0; addr--)
        ok &= places_upto(&places, addr) == walk(&places, addr);
    is_true(ok, "in descending order");
    for (int i = 0; i < 5000; i++) {
        vma addr = next_random(&state) % (RANGE + 10);
        ok &= places_upto(&places, addr) == walk(&places, addr);
    }
    is_true(ok, "in any order");
    is_equal(places_upto(&places, UINT64_MAX), PLACES, "behind all");
    free(places.places);
}

static void test_none(void)
{
    struct places places = {0};
    places_sort(&places);
    is_equal(places_upto(&places, 5), 0, "of none");
    free(places.places);
}

int main(void)
{
    test_order();
    test_counts();
    test_none();
    return tap_done();
}
