/* common.h - macros and functions on numbers that every layer uses.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_COMMON_H
#define REGPROF_BASE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the place of an id, which is an index into an array: none.  */
#define NO_ID UINT32_MAX

/* Bytes of the name of a unit with its NUL: that of an event fits.  */
enum { UNIT_SIZE = 64 };

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* Starts to load the memory at P into the cache.  HACKING lists the uses that are worth it.  */
#if defined(__GNUC__)
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PREFETCH(p) ((void)(p))
#endif

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The sum; UINT64_MAX if it overflows.  */
static inline uint64_t sum_u64(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The number in the SIZE bytes at BYTES, at most 8.  */
static inline uint64_t number_of_bytes(const unsigned char *bytes, size_t size, bool is_big_endian)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[is_big_endian ? i : size - 1 - i];
    return number;
}

/* NUMBER, which is not negative, rounded; UINT64_MAX if it is too large.  */
static inline uint64_t whole_u64(double number)
{
    return number < 0x1p64 ? (uint64_t)(number + 0.5) : UINT64_MAX;
}

#endif
