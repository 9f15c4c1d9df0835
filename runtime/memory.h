/* memory.h - reading memory that may not be there.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MEMORY_H
#define REGMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE ((uintptr_t)4096)

/* ---- What stays: objects ---- */

/* What is known of readable memory.  Zeroed: nothing. */
struct memory {
    uintptr_t page; /* the last page that was found to be readable */
};

/* Whether so many bytes, a page at most, can be read. */
bool memory_has(struct memory *memory, uintptr_t address, size_t bytes);

/* ---- What another thread may be unmapping ---- */

/* Copies so many bytes, or those before the first that cannot be read.  Returns their number. Under
   a filter of system calls, the handler of samples gets only what is certainly there: the thread's
   stack, and code.  Elsewhere this function then checks that the memory is there and reads it: no
   other thread may unmap it in between. */
size_t memory_copy(void *to, uintptr_t from, size_t bytes);

#define WINDOW_WORDS 512

/* A copy of a part of memory: addresses [low, high).  Zeroed: of nothing. */
struct window {
    uintptr_t low;
    uintptr_t high;
    uintptr_t words[WINDOW_WORDS];
};

/* Reads an aligned word; false if it is not aligned, or cannot be read. */
bool window_read(struct window *window, uintptr_t address, uintptr_t *word);

#endif
