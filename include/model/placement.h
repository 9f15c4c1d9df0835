/* placement.h - an order of functions for linkers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_PLACEMENT_H
#define REGPROF_MODEL_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* Another name of a function's code.  */
struct placed_alias {
    const char *name;
    const struct placed_alias *next; /* NULL: it is the last one */
};

/* All functions of one raw name, which linkers cannot tell apart.  */
struct placed_function {
    const char *name; /* raw */
    const struct placed_alias *aliases;
    bool has_cold_part; /* `.text.unlikely.NAME' is the section of a part of it */
    bool is_shared;     /* it may be in a group of which linkers keep one copy: then lld warns of
                           its name */
};

struct placed_arc {
    uint32_t caller, callee; /* indexes of functions, not the same */
    uint64_t weight;         /* calls or, if none were counted, samples; not 0 */
};

/* Owns no names.  Zeroed = empty; see placement_free.  */
struct placement {
    struct placed_function *functions; /* those with samples or calls, in the order of the code */
    struct placed_arc *arcs;           /* each pair once */
    size_t function_count, arc_count;
    const char *unusable; /* a name that no linker can read; NULL: none */
    size_t unusable_count;
    struct arena arena; /* owns the aliases */
};

void placement_free(struct placement *placement);

#endif
