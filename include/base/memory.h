/* memory.h - allocation that succeeds or ends the program, and arenas.

   Sizes are checked for overflow.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MEMORY_H
#define REGPROF_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Configures the allocator; main calls this first.  Each array of 4 MB or more has its own mapping,
   so that growing it moves pages instead of copying, and freeing it returns the memory to the
   system.  Freed memory of smaller arrays is kept for reuse.  */
void mem_begin(void);

/* N objects of SIZE bytes, all zero.  Never NULL, also for N = 0.  Free with free.  */
void *mem_array(size_t n, size_t size);

/* Like mem_array, but the objects are not cleared.  SIZE is not 0.  */
void *mem_uninitialised(size_t n, size_t size);

/* A new array with the N objects of SIZE bytes of BASE, reordered: object I is BASE[ORDER[I]].
   Frees BASE and ORDER; free with free.  */
void *mem_reorder(void *base, uint32_t *order, size_t n, size_t size);

/* A copy of the N bytes at P, followed by a NUL.  Free with free.  */
char *mem_copy(const char *p, size_t n);

/* Changes the size of an array to N objects; those that are added are undefined.  */
void *mem_resize(void *base, size_t n, size_t size);

/* Extends the array BASE, which has a capacity of *CAPACITY objects of SIZE bytes (BASE may be NULL
   with 0), to a capacity of at least NEED.  Returns the array, which may have moved.  Grows by at
   least half, so that adding objects one by one takes linear time.  New objects are not
   cleared.  */
void *mem_grow(void *base, size_t *capacity, size_t need, size_t size);

/* The same, but new objects are zero.  */
void *mem_grow_zeroed(void *base, size_t *capacity, size_t need, size_t size);

/* An arena: memory that is freed together.  Start with a zeroed struct; free with arena_free.  */
struct arena {
    struct arena_chunk *chunks;
};
/* SIZE bytes, aligned for any type and not cleared.  */
void *arena_alloc(struct arena *arena, size_t size);
/* A copy of the N bytes at P, followed by a NUL.  */
char *arena_copy(struct arena *arena, const char *p, size_t n);
/* A copy of S with its control characters escaped.  */
const char *arena_escape(struct arena *arena, const char *s);
/* As printf.  */
const char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* TEXT itself if it is UTF-8, else a copy in ARENA that is; bytes that would be control characters
   become `\x80'.  */
const char *arena_utf8(struct arena *arena, const char *text);

/* A copy in ARENA of the texts that follow it, one behind the other.  */
#define arena_join(arena, ...) arena_join_all((arena), (const char *const[]){__VA_ARGS__, NULL})
char *arena_join_all(struct arena *arena, const char *const *texts);
void arena_free(struct arena *arena);

#endif
