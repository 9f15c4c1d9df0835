/* perf_objects.h - has perf tell the objects of functions that it prints without one.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_PERF_OBJECTS_H
#define REGPROF_FOREIGN_PERF_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* Where functions are that the debug information calls by another name than the symbols do: perf
   prints them like inlined ones, `malloc+0x45 (inlined)', but no other with their address.  */
struct perf_objects {
    struct pair_map frames;    /* (address; offset in the function), as perf prints them */
    struct string_map objects; /* `(PATH)' */
    uint32_t *of; /* by frame: its object plus 1; 0: not known; NO_ID: one of several */
};

/* Finds the objects of all frames in the recording at PATH, which perf prints anew, without inlined
   functions.  False after a message.  */
bool perf_objects_find(struct perf_objects *objects, const char *path);

/* The object of FRAME, `(PATH)', or OTHERWISE if it is not known.  */
const char *perf_objects_of(const struct perf_objects *objects, uint32_t frame,
                            const char *otherwise);

void perf_objects_free(struct perf_objects *objects);

#endif
