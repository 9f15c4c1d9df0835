/* sort.h - stable sorts of ids and numbers; lists of ids by key.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_SORT_H
#define REGPROF_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* ---- Sorts ---- */

/* For descending orders.  NaN compares equal to everything.  */
static inline int compare_descending(double a, double b)
{
    return a > b ? -1 : a < b ? 1 : 0;
}
static inline int compare_descending_u64(uint64_t a, uint64_t b)
{
    return a > b ? -1 : a < b ? 1 : 0;
}

/* For qsort and bsearch of texts, which are pointers to char.  */
int compare_texts(const void *a, const void *b);

/* Compares the objects with the ids A and B: negative if A comes first, 0 for a tie.  */
typedef int compare_ids(const void *context, uint32_t a, uint32_t b);

/* For ids of numbers, which VALUES has by id, as double: the largest first.  */
int compare_doubles(const void *values, uint32_t a, uint32_t b);

/* Sorts IDS stably by COMPARE, which is transitive.  */
void sort_ids(uint32_t *ids, size_t n, compare_ids *compare, const void *context);

/* Sorts IDS stably by COMPARE, with the caller's SCRATCH memory for N ids.  */
void sort_ids_in(uint32_t *ids, size_t n, uint32_t *scratch, compare_ids *compare,
                 const void *context);

/* Sorts IDS with the stable top-down merge sort that the reports' order is defined by: the first
   half has n/2 elements and wins ties.  The result is defined even where COMPARE is not transitive,
   so no other algorithm may replace it.  */
void sort_ids_by_merging(uint32_t *ids, size_t n, compare_ids *compare, const void *context);

/* A stable order of ids, described once for all ways to sort by it: LEVELS keys, ascending, each of
   which decides among ids whose keys on the levels before it are equal; then COMPARE_REST, unless
   it is NULL.  The keys on the next HINTS levels are for many ids, which are quicker sorted by keys
   than by comparing: they agree with COMPARE_REST or are equal.  */
struct id_order {
    uint64_t (*key)(const void *context, uint32_t id, unsigned level);
    unsigned levels, hints; /* 1 at least, together */
    compare_ids *compare_rest;
};

/* Compares two ids by an order.  */
int compare_by_order(const struct id_order *order, const void *context, uint32_t a, uint32_t b);

/* Sorts IDS by an order.  Takes linear time, except for ids that only COMPARE_REST tells apart.  */
void sort_by_order(uint32_t *ids, size_t n, const struct id_order *order, const void *context);

/* Sorts NUMBERS, ascending; linear.  */
void sort_numbers(uint64_t *numbers, size_t n);

/* How many of the N numbers of 64 bits that are OFFSET bytes into each of ITEMS, of SIZE bytes and
   in ascending order of these numbers, are at most BOUND.  */
static inline size_t count_at_most(const void *items, size_t n, size_t size, size_t offset,
                                   uint64_t bound)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (*(const uint64_t *)((const char *)items + middle * size + offset) <= bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of NUMBERS, which ascend, are below BOUND.  */
static inline size_t count_below(const uint64_t *numbers, size_t n, uint64_t bound)
{
    return bound > 0 ? count_at_most(numbers, n, sizeof *numbers, 0, bound - 1) : 0;
}

/* Keys that ascend where NUMBER descends, and where TEXT ascends in the order of strcmp (by its
   first eight bytes).  */
uint64_t key_descending(double number);
uint64_t key_of_text(const char *text);

/* An array of the N ids 0, 1, ... N-1.  Free with free.  */
uint32_t *identity_ids(size_t n);

/* ---- Lists of ids by key ---- */

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

/* For callers that fill the lists themselves.  On entry start[k + 1] is the number of items of key
   k; on return START has where each list begins.  Returns a copy of START, for the next place in
   each list; free with free.  */
uint32_t *id_lists_begin(uint32_t *start, size_t key_count);

#endif
