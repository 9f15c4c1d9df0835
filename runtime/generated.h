/* generated.h - names of code that the program has made while it ran.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_GENERATED_H
#define REGMON_GENERATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"

/* An address of stacks that is in no object. */
struct generated_code {
    uintptr_t address;
    size_t name;   /* where it begins in the text; 0: it has none */
    size_t number; /* of its function, from 1; 0: it has no name */
};

/* Ascending. */
struct generated {
    size_t count;
    struct generated_code *codes; /* NULL if there are none */
    size_t bytes;
    char *text; /* NULL: there is no file of names that can be used */
};

/* Finds the code of all stacks of the pool, and its names in /tmp/perf-PID.map, if that is a file
   of the user and of this process.  Without memory there is none. */
void generated_read(struct generated *generated, const struct pool *pool,
                    const struct objects *objects);
void generated_close(struct generated *generated);

/* The number of the function at an address; 0 if it has no name. */
size_t generated_find(const struct generated *generated, uintptr_t address);

/* Bytes of the name of the code at PLACE. */
size_t generated_name_length(const struct generated *generated, size_t place);

#endif
