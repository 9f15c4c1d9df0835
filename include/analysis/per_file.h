/* per_file.h - profile by profile: what each adds to the whole, and what varies most between them.

   Memory does not grow with profiles times functions: of each function only sums are kept.  */

#ifndef REGPROF_ANALYSIS_PER_FILE_H
#define REGPROF_ANALYSIS_PER_FILE_H

#include "model/model.h"

/* Collects figures while profiles are read.  Start with a zeroed struct and set the first four.  */
struct perfile_builder {
    const struct symtab *symtab;
    const struct filter *filter; /* of the flat profile */
    unsigned entry_units;        /* see hist_assign */
    struct per_file *table;
    struct hist_set hist; /* samples of the profile being read go here: see hist_open */
    uint64_t calls;       /* and its calls here */
    struct perfile_tally {
        double sum, squares, lowest, highest; /* ticks */
        uint32_t seen_count;                  /* profiles that have time of it; 0 in the others */
        uint32_t highest_file;                /* the first with the highest */
    } * tallies;                              /* by symbol id */
};

/* The profile is read: takes its figures, and makes room for the next one.  */
void perfile_end(struct perfile_builder *builder);

/* All profiles are read: computes the rest of the table, and frees what the builder holds.  */
void perfile_finish(struct perfile_builder *builder);

void perfile_free(struct per_file *table);

#endif
