/* sort.c - stable sorts of ids and numbers; lists of ids by key.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int compare_doubles(const void *values, uint32_t a, uint32_t b)
{
    const double *numbers = values;
    return compare_descending(numbers[a], numbers[b]);
}

/* ---- Merge sort ---- */

/* Merges the sorted first HALF of IDS with the sorted rest.  */
static void merge_halves(uint32_t *ids, size_t half, size_t n, uint32_t *scratch,
                         compare_ids *compare, const void *context)
{
    memcpy(scratch, ids, half * sizeof *ids);
    size_t left = 0, right = half, out = 0;
    while (left < half && right < n) {
        if (compare(context, scratch[left], ids[right]) <= 0)
            ids[out++] = scratch[left++];
        else
            ids[out++] = ids[right++];
    }
    memcpy(ids + out, scratch + left, (half - left) * sizeof *ids);
}

static void sort_few(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t id = ids[i];
        size_t at = i;
        for (; at > 0 && compare(context, ids[at - 1], id) > 0; at--)
            ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

void sort_ids_in(uint32_t *ids, size_t n, uint32_t *scratch, compare_ids *compare,
                 const void *context)
{
    enum { FEW = 8 };
    if (n <= FEW) {
        sort_few(ids, n, compare, context);
        return;
    }
    size_t half = n / 2;
    sort_ids_in(ids, half, scratch, compare, context);
    sort_ids_in(ids + half, n - half, scratch, compare, context);
    if (compare(context, ids[half - 1], ids[half]) > 0) /* else they are in order already */
        merge_halves(ids, half, n, scratch, compare, context);
}

static void merge_down(uint32_t *ids, size_t n, uint32_t *scratch, compare_ids *compare,
                       const void *context)
{
    if (n < 2)
        return;
    merge_down(ids, n / 2, scratch, compare, context);
    merge_down(ids + n / 2, n - n / 2, scratch, compare, context);
    merge_halves(ids, n / 2, n, scratch, compare, context);
}

void sort_ids_by_merging(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    uint32_t *scratch = mem_uninitialised(n, sizeof *scratch);
    merge_down(ids, n, scratch, compare, context);
    free(scratch);
}

void sort_ids(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    uint32_t *scratch = mem_uninitialised(n, sizeof *scratch);
    sort_ids_in(ids, n, scratch, compare, context);
    free(scratch);
}

/* ---- Radix sort ---- */

/* Turns counts of byte values into where they start.  */
static void make_starts(size_t counts[256])
{
    size_t start = 0;
    for (size_t value = 0; value < 256; value++) {
        size_t count = counts[value];
        counts[value] = start;
        start += count;
    }
}

/* Sorts by the bits from SHIFT on, byte for byte from the lowest (a radix sort), without the bytes
   in which all are the same.  */
static void sort_bits(uint64_t *numbers, size_t n, unsigned shift)
{
    uint64_t *spare = mem_uninitialised(n, sizeof *spare), *from = numbers, *to = spare,
             varying = 0;
    for (size_t i = 0; i < n; i++)
        varying |= numbers[i] ^ numbers[0];
    for (; shift < 64; shift += 8) {
        size_t starts[256] = {0};
        if ((varying >> shift & 255) == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            starts[from[i] >> shift & 255]++;
        make_starts(starts);
        for (size_t i = 0; i < n; i++)
            to[starts[from[i] >> shift & 255]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != numbers)
        memcpy(numbers, from, n * sizeof *numbers);
    free(spare);
}

static void sort_few_numbers(uint64_t *numbers, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t number = numbers[i];
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

void sort_numbers(uint64_t *numbers, size_t n)
{
    enum { FEW = 32 };
    if (n <= FEW)
        sort_few_numbers(numbers, n);
    else
        sort_bits(numbers, n, 0);
}

/* ---- Sort by an order ----

   A radix sort by the keys of the first level; ids whose keys are equal are sorted by the next
   level.  What is sorted at a time is a number of 64 bits that has the id in its low half and half
   a key in its high half: the highest 32 bits from the first on in which the keys differ.  Ids that
   these do not tell apart are sorted by the bits below.  Example, with keys of 8 bits and halves of
   4 bits:

       id               0           1           2           3
       key              0001 0110   0001 0011   0001 0111   0000 1011
       differing bits   ...x xx.x
       half key            1 011       1 001       1 011       0 101
       sorted           3, 1, then 0 and 2, which the last bit tells apart  */

struct key_sort {
    const struct id_order *order;
    const void *context;
    uint64_t *numbers; /* capacity of all ids */
    uint32_t *scratch; /* capacity of all ids */
};

/* The comparison of ids that are equal on all levels before LEVEL.  */
struct comparison {
    const struct id_order *order;
    const void *context;
    unsigned level;
};

static int compare_from_level(const void *context, uint32_t a, uint32_t b)
{
    const struct comparison *by = context;
    for (unsigned level = by->level; level < by->order->levels; level++) {
        uint64_t left = by->order->key(by->context, a, level);
        uint64_t right = by->order->key(by->context, b, level);
        if (left != right)
            return left < right ? -1 : 1;
    }
    return by->order->compare_rest != NULL ? by->order->compare_rest(by->context, a, b) : 0;
}

int compare_by_order(const struct id_order *order, const void *context, uint32_t a, uint32_t b)
{
    return compare_from_level(&(struct comparison){order, context, 0}, a, b);
}

/* Whether ids may differ in more than the keys up to LEVEL.  */
static bool has_more(const struct id_order *order, unsigned level)
{
    return level + 1 < order->levels + order->hints || order->compare_rest != NULL;
}

static void sort_level(const struct key_sort *by, uint32_t *ids, size_t n, unsigned level,
                       uint64_t mask);

/* Sorts each run of ids whose half keys are equal by what is left: the bits of the key in MASK, and
   the next levels.  The half keys and ids are in the sorted NUMBERS.  */
static void sort_runs(const struct key_sort *by, uint32_t *ids, size_t n, unsigned level,
                      uint64_t mask)
{
    size_t *ends = mem_uninitialised(n, sizeof *ends), count = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || by->numbers[i + 1] >> 32 != by->numbers[i] >> 32)
            ends[count++] = i + 1;
    for (size_t run = 0, first = 0; run < count; first = ends[run++])
        if (ends[run] > first + 1)
            sort_level(by, ids + first, ends[run] - first, level, mask);
    free(ends);
}

/* Sorts by the bits in MASK of the keys on LEVEL, and by the next levels.  */
static void sort_level(const struct key_sort *by, uint32_t *ids, size_t n, unsigned level,
                       uint64_t mask)
{
    enum { FEW = 128 };
    uint64_t varying = 0;
    unsigned shift = 0;
    if (mask == 0) { /* this level is done */
        level++;
        mask = UINT64_MAX;
    }
    if (n <= FEW || level == by->order->levels + by->order->hints) {
        struct comparison rest = {by->order, by->context, level};
        sort_ids_in(ids, n, by->scratch, compare_from_level, &rest);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        by->numbers[i] = by->order->key(by->context, ids[i], level) & mask;
        varying |= by->numbers[i] ^ by->numbers[0];
    }
    while (varying >> shift > UINT32_MAX)
        shift++;
    mask = varying & ((UINT64_C(1) << shift) - 1);
    if (varying != 0) {
        for (size_t i = 0; i < n; i++)
            by->numbers[i] = by->numbers[i] >> shift << 32 | ids[i];
        sort_bits(by->numbers, n, 32);
        for (size_t i = 0; i < n; i++)
            ids[i] = (uint32_t)by->numbers[i];
    }
    if (varying == 0 && has_more(by->order, level))
        sort_level(by, ids, n, level, 0);
    else if (mask != 0 || has_more(by->order, level))
        sort_runs(by, ids, n, level, mask);
}

void sort_by_order(uint32_t *ids, size_t n, const struct id_order *order, const void *context)
{
    struct key_sort by = {order, context, mem_uninitialised(n, sizeof *by.numbers),
                          mem_uninitialised(n, sizeof *by.scratch)};
    sort_level(&by, ids, n, 0, UINT64_MAX);
    free(by.numbers);
    free(by.scratch);
}

uint64_t key_descending(double number)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    number += 0.0; /* makes -0.0 the same as 0.0 */
    memcpy(&bits, &number, sizeof bits);
    return (bits & sign) != 0 ? bits : ~(bits | sign);
}

uint64_t key_of_text(const char *text)
{
    uint64_t key = 0;
    for (int shift = 56; shift >= 0 && *text != '\0'; shift -= 8)
        key |= (uint64_t)(unsigned char)*text++ << shift;
    return key;
}

uint32_t *identity_ids(size_t n)
{
    uint32_t *ids = mem_uninitialised(n, sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)i;
    return ids;
}

/* ---- Lists of ids by key ---- */

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
