/* place_functions.h - the order of functions for linkers, by their raw names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_PLACE_FUNCTIONS_H
#define REGPROF_ANALYSIS_PLACE_FUNCTIONS_H

#include "analysis/make_snapshot.h"
#include "model/placement.h"

/* What the image says of its functions.  */
struct placed_image {
    const struct raw_symbol *symbols;
    size_t symbol_count;
    const struct text_ranges *text;
    const vma *constructors; /* that the image lists, `constructor_count' */
    size_t constructor_count;
    bool has_sizes; /* addresses are those of code */
};

/* Orders the functions of MADE, which has its arcs, by cluster_calls.  What runs only at the start
   comes last: constructors, what only these call, and `main' unless it has samples.  Functions of
   the C library's start files and symbols that are no functions are left out.  Free with
   placement_free.  */
void place_functions(struct placement *placement, const struct profile_snapshot *made,
                     const struct placed_image *image);

#endif
