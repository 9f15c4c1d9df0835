/* memory.h - allocation that succeeds or ends the program, and arenas.

   Sizes are checked for overflow.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MEMORY_H
#define REGPROF_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Sets up the allocator; main calls this first.  Arrays of 4 MB and more are mapped one by one, so
   that growing them moves pages instead of copying, and freeing them returns the memory; what small
   ones free is kept for reuse.  */
void mem_begin(void);

/* N objects of SIZE bytes, all zero.  Never NULL, also for N = 0.  Free with free.  */
void *mem_array(size_t n, size_t size);

/* The same without the zeros.  SIZE is not 0.  */
void *mem_uninitialised(size_t n, size_t size);

/* A new array of the N objects of SIZE bytes at BASE in the order of the indexes ORDER.  Frees BASE
   and ORDER; free with free.  */
void *mem_reorder(void *base, uint32_t *order, size_t n, size_t size);

/* A copy of the N bytes at P, with a NUL behind them.  Free with free.  */
char *mem_copy(const char *p, size_t n);

/* Extends the array BASE, which has a capacity of *CAPACITY objects of SIZE bytes (BASE may be NULL
   with 0), to a capacity of at least NEED.  Returns the array, which may have moved.  It grows by
   half at least, so that adding one by one takes linear time.  New objects are not cleared.  */
void *mem_grow(void *base, size_t *capacity, size_t need, size_t size);

/* An arena: memory that is freed together.  Start with a zeroed struct; end with `arena_free'.  */
struct arena {
    struct arena_chunk *chunks;
};
void *arena_alloc(struct arena *arena, size_t size);
/* A copy of the N bytes at P, with a NUL behind them.  */
char *arena_copy(struct arena *arena, const char *p, size_t n);
/* A copy of S with its control characters escaped.  */
const char *arena_escape(struct arena *arena, const char *s);
void arena_free(struct arena *arena);

#endif
