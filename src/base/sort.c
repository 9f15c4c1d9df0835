/* sort.c - stable top-down merge sort.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"

/* ---- By comparing ---- */

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

/* ---- By numbers ---- */

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

void sort_by_high_word(uint64_t *numbers, size_t n)
{
    sort_bits(numbers, n, 32);
}

/* ---- By keys.  Half a key and an id are one number; the other half is looked at where the first
   does not tell ids apart. ---- */

/* How ids are to be sorted by keys, and room for it.  */
struct key_sorting {
    key_of_id *key;
    compare_ids *compare;
    const void *context;
    unsigned levels;
    uint64_t *numbers; /* room for as many as there are */
    uint32_t *scratch; /* likewise */
};

static void sort_level(const struct key_sorting *by, uint32_t *ids, size_t n, unsigned level,
                       uint64_t mask);

/* Sorts those that the highest half of a key did not tell apart: NUMBERS are sorted, with their ids
   in the lower halves.  The bits of the key that are left are in MASK.  */
static void sort_runs(const struct key_sorting *by, uint32_t *ids, size_t n, unsigned level,
                      uint64_t mask)
{
    size_t *ends = mem_uninitialised(n, sizeof *ends), count = 0;
    for (size_t i = 0; i < n; i++) {
        ids[i] = (uint32_t)by->numbers[i];
        if (i + 1 == n || by->numbers[i + 1] >> 32 != by->numbers[i] >> 32)
            ends[count++] = i + 1;
    }
    for (size_t run = 0, first = 0; run < count; first = ends[run++])
        if (ends[run] > first + 1)
            sort_level(by, ids + first, ends[run] - first, level, mask);
    free(ends);
}

/* Sorts by the bits of keys that are in MASK, and by the levels after LEVEL.  */
static void sort_level(const struct key_sorting *by, uint32_t *ids, size_t n, unsigned level,
                       uint64_t mask)
{
    enum { FEW = 128 };
    uint64_t varying = 0;
    unsigned shift = 0;
    if (mask == 0) { /* this level is done */
        level++;
        mask = UINT64_MAX;
    }
    if (n <= FEW || level == by->levels) {
        sort_ids_in(ids, n, by->scratch, by->compare, by->context);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        by->numbers[i] = by->key(by->context, ids[i], level) & mask;
        varying |= by->numbers[i] ^ by->numbers[0];
    }
    if (varying == 0) {
        sort_level(by, ids, n, level, 0);
        return;
    }
    while (varying >> shift > UINT32_MAX)
        shift++;
    for (size_t i = 0; i < n; i++)
        by->numbers[i] = by->numbers[i] >> shift << 32 | ids[i];
    sort_by_high_word(by->numbers, n);
    sort_runs(by, ids, n, level, varying & ((UINT64_C(1) << shift) - 1));
}

void sort_ids_by_key(uint32_t *ids, size_t n, key_of_id *key, unsigned levels, compare_ids *compare,
                     const void *context)
{
    struct key_sorting by = {key, compare, context, levels, NULL, NULL};
    by.numbers = mem_uninitialised(n, sizeof *by.numbers);
    by.scratch = mem_uninitialised(n, sizeof *by.scratch);
    sort_level(&by, ids, n, 0, UINT64_MAX);
    free(by.numbers);
    free(by.scratch);
}

/* Sorts IDS by the lower halves of their NUMBERS, which are lost.  */
static void sort_by_lower_halves(uint32_t *ids, size_t n, uint64_t *numbers)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = numbers[i] << 32 | ids[i];
    sort_by_high_word(numbers, n);
    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)numbers[i];
}

void sort_ids_by_number(uint32_t *ids, size_t n, number_of_id *number, const void *context)
{
    uint64_t *numbers = mem_uninitialised(n, sizeof *numbers), least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        numbers[i] = number(context, ids[i]);
        least = min_u64(numbers[i], least);
        most = max_u64(numbers[i], most);
    }
    for (size_t i = 0; i < n; i++)
        numbers[i] -= least;
    sort_by_lower_halves(ids, n, numbers);
    if (n > 0 && most - least > UINT32_MAX) {
        for (size_t i = 0; i < n; i++)
            numbers[i] = (number(context, ids[i]) - least) >> 32;
        sort_by_lower_halves(ids, n, numbers);
    }
    free(numbers);
}

uint64_t key_descending(double number)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    number += 0.0; /* there is but one zero */
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
