/* recorded_stacks.h - call stacks of samples, as libregmon records them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_RECORDED_STACKS_H
#define REGPROF_MODEL_RECORDED_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* A frame of a stack, before it is named.  */
struct recorded_frame {
    uint32_t object; /* index into `objects'; NO_OBJECT: not known */
    uint64_t addr;   /* of the innermost frame, where it was; of others, the return address */
};
#define NO_OBJECT UINT32_MAX

/* The stacks of some files.  Zeroed = empty; see recorded_stacks_free.  */
struct recorded_stacks {
    struct string_map objects; /* names; 0 is the program */
    struct recorded_stack {
        size_t start, end; /* frames, outermost first: [start, end) in `frames' */
        double samples;    /* at the rate below */
    } * stacks;
    size_t count, capacity;
    struct recorded_frame *frames;
    size_t frame_count, frame_capacity;
    uint32_t rate;  /* samples per second, of the first file */
    double samples; /* of all stacks */
    /* Computed by recorded_stacks_name: */
    uint32_t *ids; /* parallel to `frames': a symbol id, or the number of symbols plus that of the
                      object; the highest id stands for frames that are not known */
    const char **objects_shown; /* by object: `[libc.so.6]'; one more for what is not known */
    uint32_t symbol_count;
    double *inclusive; /* by symbol id: samples of the stacks that the symbol is in */
};

void recorded_stacks_free(struct recorded_stacks *stacks);

#endif
