/* id_lists.h - lists of ids by key, made by counting sorts.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_ID_LISTS_H
#define REGPROF_BASE_ID_LISTS_H

#include <stddef.h>
#include <stdint.h>

/* The ids of key k are ids[start[k]] up to, not including, ids[start[k + 1]].  */
struct id_lists {
    uint32_t *start; /* one more than there are keys */
    uint32_t *ids;
};

/* Lists IDS by key: ids[i] has the key keys[i].  The ids of one key keep their order.  NULL stands
   for the ids 0, 1, ... COUNT-1.  Ids whose keys are not below KEY_COUNT are left out.  COUNT is at
   most UINT32_MAX.  Free with id_lists_free.

     keys  2 0 2 0          start  0 2 2 4
     ids   5 6 7 8          ids    6 8 5 7  */
struct id_lists id_lists_make(const uint32_t *keys, const uint32_t *ids, size_t count,
                              size_t key_count);
void id_lists_free(struct id_lists *lists);

/* For those who fill lists themselves.  START has the number of items of key k in start[k + 1], and
   gets where each list begins.  Returns a copy of that for the next place in each list; free with
   free.  */
uint32_t *id_lists_begin(uint32_t *start, size_t key_count);

#endif
