/* per_file.h - the figures of each profile, and their tables (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_PER_FILE_H
#define REGPROF_TABLES_PER_FILE_H

#include "model/model.h"

/* ---- The figures of each profile, and the functions whose times vary most between them ---- */

/* Only sums are kept for each function, so memory does not grow with the number of profiles times
   that of functions.  */

/* Collects figures while profiles are read.  Start with a zeroed struct and set the first four.  */
struct per_file_builder {
    const struct symtab *symtab;
    const struct filter *filter; /* of the flat profile */
    unsigned entry_units;        /* see hist_assign */
    struct per_file *table;
    struct hist_set hist;   /* samples of the profile being read: see hist_find_or_add */
    uint64_t calls;         /* calls of the profile being read */
    uint64_t *callee_calls; /* the same by symbol id; NULL until there are any */
    uint32_t rate;          /* rate of its first histogram */
    struct per_file_tally {
        double sum, squares, lowest, highest; /* ticks */
        uint32_t seen_count;                  /* profiles in which its time is not 0 */
        uint32_t leading_count;               /* how many of these come before all others */
        uint32_t lowest_file, highest_file;   /* the first profiles with these times */
    } * tallies;                              /* by symbol id */
};

/* Adds COUNT calls of the symbol CALLEE to the profile being read.  */
void per_file_add_calls(struct per_file_builder *builder, uint32_t callee, uint64_t count);

/* To be called after each profile: adds its figures to the table.  */
void per_file_end(struct per_file_builder *builder);

/* To be called after the last profile: computes the rest of the table and frees the builder's
   memory.  */
void per_file_finish(struct per_file_builder *builder);

/* How far the number of samples of a profile is from their mean, in standard deviations; and
   whether that is further than OUTLIER_DEVIATIONS.  */
double per_file_distance(const struct per_file *table, size_t file);
bool per_file_is_outlier(const struct per_file *table, size_t file);

/* ---- The figures of each profile as tables (--per-file) ---- */

/* The columns of the table of profiles.  */
extern const struct column_set per_file_columns;

struct per_file_rules {
    struct column_list sort; /* of the table of profiles; none: the order of reading */
    size_t most_ends;        /* profiles to show at each end of the order; 0 = all */
    size_t most_functions;   /* functions to show; 0 = all */
};

/* Makes the tables of the figures, after functions have their labels.  */
void per_file_tables(struct profile *profile, const struct per_file_rules *rules);

#endif
