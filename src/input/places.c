/* places.c - counts the symbols of an image in front of an address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/places.h"

#include "base/memory.h"
#include "base/sort.h"

void places_add(struct places *places, vma addr, uint32_t number)
{
    places->places =
        mem_grow(places->places, &places->capacity, places->count + 1, sizeof *places->places);
    places->places[places->count++] = (struct place){addr, number};
}

static uint64_t addr_of(const void *context, uint32_t id, unsigned level)
{
    (void)level;
    const struct place *places = context;
    return places[id].addr;
}

void places_sort(struct places *places)
{
    static const struct id_order by_addr = {.key = addr_of, .levels = 1};
    uint32_t *order = identity_ids(places->count);
    sort_by_order(order, places->count, &by_addr, places->places);
    places->places = mem_reorder(places->places, order, places->count, sizeof *places->places);
    places->capacity = places->count;
}

size_t places_upto(struct places *places, vma addr)
{
    enum { NEAR = 8 };
    const struct place *all = places->places;
    size_t low = places->last, high = places->count;
    if (low > 0 && all[low - 1].addr > addr)
        low = 0;
    else if (low + NEAR < high && all[low + NEAR].addr > addr)
        high = low + NEAR;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return places->last = low;
}
