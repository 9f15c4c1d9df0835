/* per_file_figures.h - the figures of each profile, and the functions whose times vary most between
   them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_PER_FILE_FIGURES_H
#define REGPROF_ANALYSIS_PER_FILE_FIGURES_H

#include "model/model.h"

/* Only sums are kept for each function, so memory does not grow with the number of profiles times
   that of functions.  */

/* Collects figures while profiles are read.  Start with a zeroed struct and set the first three. */
struct per_file_builder {
    const struct symtab *symtab;
    const struct filter *filter; /* of the flat profile */
    struct per_file *table;
    struct file_figures figures; /* of the profile being read, but for its samples */
    struct hist_set hist;        /* its samples: see hist_find_or_add */
    uint64_t *callee_calls;      /* its calls by symbol id; NULL until there are any */
    struct per_file_tally {
        double sum, squares, lowest, highest; /* ticks */
        uint32_t seen_count;                  /* profiles in which its time is not 0 */
        uint32_t leading_count;               /* how many of these come before all others */
        uint32_t lowest_file, highest_file;   /* the first profiles with these times */
    } * tallies;                              /* by symbol id */
};

/* Adds COUNT calls of the symbol CALLEE to the profile being read.  */
void per_file_add_calls(struct per_file_builder *builder, uint32_t callee, uint64_t count);

/* Counts each tick of all profiles FACTOR times.  */
void per_file_multiply(struct per_file_builder *builder, uint32_t factor);

/* To be called after each profile, whose figures are set: adds its figures to the table.  */
void per_file_end(struct per_file_builder *builder);

/* The measured stacks of the profiles that INFOS list.  */
struct per_file_stacks {
    struct recorded_stacks *recorded; /* keeps files */
    const struct file_info *infos;    /* parallel to the table's files */
};

/* To be called after the last profile: computes the rest of the table and frees the builder's
   memory.  A sample is PARTS of what is counted.  STACKS: for inclusive times, which are compared
   if each profile has a file of them; NULL: there are none.  */
void per_file_finish(struct per_file_builder *builder, double parts,
                     const struct per_file_stacks *stacks);

/* Whether COUNT numbers of samples with these WEIGHTS, this MEAN and this DEVIATION vary more than
   by chance: so much that the probability of as much in any of TESTS tests is below 5 %.  */
bool is_beyond_chance(size_t count, const struct sample_weights *weights, double mean,
                      double deviation, size_t tests);

/* After the last profile, when the symbols have their labels: sets the names of profiles and
   functions, which PROFILE owns, and the unit of their times.  */
void per_file_name(struct profile *profile);

#endif
