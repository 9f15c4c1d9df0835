/* call_counts.h - the counted calls of functions, for the rows of a tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_CALL_COUNTS_H
#define REGPROF_TABLES_CALL_COUNTS_H

#include <stdbool.h>

#include "base/hash.h"
#include "model/snapshot.h"

/* Free with call_counts_free.  */
struct call_counts {
    struct pair_map arcs; /* (caller, callee) */
    size_t arc_count;     /* of these; look-ups add others */
    uint64_t *calls;      /* by arc */
    uint64_t *inside;     /* by function id: from known functions, but for itself */
    uint32_t *callers;    /* by function id: number of callers of the image */
    uint32_t *others;     /* of these, without the function itself */
};

/* Counts the calls in SNAPSHOT.  */
struct call_counts *call_counts_make(const struct snapshot *snapshot);
void call_counts_free(struct call_counts *counts);

/* Calls of CALLEE by CALLER; 0: not known.  */
uint64_t call_counts_of(struct call_counts *counts, uint32_t caller, uint32_t callee);

/* Whether a caller is a function of the image, not what stands for all that is outside of it.  */
bool is_of_image(const struct snapshot_function *function);

#endif
