/* id_lists.c - lists of ids by key, made by counting sorts.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/id_lists.h"

#include <stdlib.h>

#include "base/memory.h"

uint32_t *id_lists_begin(uint32_t *start, size_t key_count)
{
    uint32_t *next = mem_uninitialised(key_count + 1, sizeof *next);
    for (size_t k = 0; k < key_count; k++) {
        next[k] = start[k];
        start[k + 1] += start[k];
    }
    return next;
}

struct id_lists id_lists_make(const uint32_t *keys, const uint32_t *ids, size_t count,
                              size_t key_count)
{
    struct id_lists lists = {.start = mem_array(key_count + 1, sizeof *lists.start)};
    for (size_t i = 0; i < count; i++)
        if (keys[i] < key_count)
            lists.start[keys[i] + 1]++;
    uint32_t *next = id_lists_begin(lists.start, key_count);
    lists.ids = mem_uninitialised(lists.start[key_count], sizeof *lists.ids);
    for (size_t i = 0; i < count; i++)
        if (keys[i] < key_count)
            lists.ids[next[keys[i]]++] = ids != NULL ? ids[i] : (uint32_t)i;
    free(next);
    return lists;
}

void id_lists_free(struct id_lists *lists)
{
    free(lists->start);
    free(lists->ids);
    *lists = (struct id_lists){0};
}
