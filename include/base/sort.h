/* sort.h - stable sorts of ids and numbers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_SORT_H
#define REGPROF_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* For descending orders.  NaN compares equal to everything.  */
static inline int compare_descending(double a, double b)
{
    return a > b ? -1 : a < b ? 1 : 0;
}
static inline int compare_descending_u64(uint64_t a, uint64_t b)
{
    return a > b ? -1 : a < b ? 1 : 0;
}

/* Compares the objects with the ids A and B: negative if A comes first, 0 for a tie.  */
typedef int compare_ids(const void *context, uint32_t a, uint32_t b);

/* Sorts IDS stably by COMPARE, which is transitive.  */
void sort_ids(uint32_t *ids, size_t n, compare_ids *compare, const void *context);

/* The same in the caller's SCRATCH memory, which holds N ids.  */
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

/* Keys that ascend where NUMBER descends, and where TEXT ascends in the order of strcmp (by its
   first eight bytes).  */
uint64_t key_descending(double number);
uint64_t key_of_text(const char *text);

/* An array of the N ids 0, 1, ... N-1.  Free with free.  */
uint32_t *identity_ids(size_t n);

#endif
