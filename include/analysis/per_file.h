/* per_file.h - profile by profile: what each adds to the whole, and what varies most between them.

   Memory does not grow with profiles times functions: of each function only sums are kept.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_PER_FILE_H
#define REGPROF_ANALYSIS_PER_FILE_H

#include "model/model.h"

/* Collects figures while profiles are read.  Start with a zeroed struct and set the first four.  */
struct per_file_builder {
    const struct symtab *symtab;
    const struct filter *filter; /* of the flat profile */
    unsigned entry_units;        /* see hist_assign */
    struct per_file *table;
    struct hist_set hist; /* samples of the profile being read go here: see hist_find_or_add */
    uint64_t calls;       /* and its calls here */
    struct per_file_tally {
        double sum, squares, lowest, highest; /* ticks */
        uint32_t seen_count;                  /* profiles that have time of it; 0 in the others */
        uint32_t highest_file;                /* the first with the highest */
    } * tallies;                              /* by symbol id */
};

/* The profile is read: takes its figures, and makes room for the next one.  */
void per_file_end(struct per_file_builder *builder);

/* All profiles are read: computes the rest of the table, and frees what the builder holds.  */
void per_file_finish(struct per_file_builder *builder);

void per_file_free(struct per_file *table);

#endif
