/* memory.h - reading memory that may not be there.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MEMORY_H
#define REGMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE ((uintptr_t)4096)

/* What is known of readable memory.  Zeroed: nothing. */
struct memory {
    uintptr_t page; /* the last page that was found to be readable */
};

/* Whether so many bytes, a page at most, can be read. */
bool memory_has(struct memory *memory, uintptr_t address, size_t bytes);

/* Reads an aligned word; false if it is not aligned, or cannot be read. */
bool memory_read(struct memory *memory, uintptr_t address, uintptr_t *word);

#endif
