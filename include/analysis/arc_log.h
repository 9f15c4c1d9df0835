/* arc_log.h - calls as they come in, until all are there.

   Millions of calls come in any order, and each pair of symbols is wanted once.  A table of all
   pairs would be larger than any cache, and each call would wait for memory.  So calls are put into
   drawers, by caller: each is written at its end and, unless some callers have very many callees,
   is small enough to be sorted out within a cache.  That is done in the end and, lest the log grow
   with the calls instead of the pairs, whenever it has become two to four times as large as what
   was left of it the last time.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ARC_LOG_H
#define REGPROF_ANALYSIS_ARC_LOG_H

#include "base/hash.h"
#include "model/model.h"

enum { DRAWER_SYMBOLS = 2048 }; /* callers whose calls are in one drawer: neighbours */

struct arc_leaf; /* some calls of one drawer */

struct arc_drawer {
    struct arc_leaf *first, *last;
    size_t count; /* of calls */
};

/* Start with a zeroed struct and `arc_log_begin'; `arc_log_free' ends it.  */
struct arc_log {
    struct arc_drawer *drawers;
    size_t drawer_count;
    size_t count; /* of calls in all drawers; the age of the next: later calls have larger ages */
    size_t limit; /* when there are as many, the log is tidied up */
    struct leaf_block *blocks; /* owns the leaves */
    struct arc_leaf *spare;    /* leaves that are not used */
};

/* For calls between SYMBOL_COUNT symbols.  */
void arc_log_begin(struct arc_log *log, size_t symbol_count);
void arc_log_add(struct arc_log *log, const struct arc *arc);

/* Leaves each pair once, and gives them the ages 0, 1, 2, ... in order of first appearance.  */
void arc_log_tidy(struct arc_log *log);

void arc_log_free(struct arc_log *log);

/* The calls of one drawer, each pair once, in order of first appearance.  Start with a zeroed
   struct, which can be used for one drawer after the other; `arc_batch_free' ends it.  */
struct arc_batch {
    struct pair_map pairs; /* (caller, callee) */
    uint64_t *counts;      /* by the numbers of these, likewise */
    uint32_t *ages;
    size_t count_capacity, age_capacity;
};

/* What DRAWER has, which is left as it is.  */
void arc_log_gather(const struct arc_log *log, size_t drawer, struct arc_batch *batch);
struct arc arc_batch_at(const struct arc_batch *batch, size_t i);
void arc_batch_free(struct arc_batch *batch);

/* Which ages there are of the pairs that are left, and how many below each: its rank, which is the
   age that it gets.  Start with a zeroed struct and `arc_ages_begin', while LOG has all its calls;
   `arc_ages_free' ends it.  */
struct arc_ages {
    uint64_t *bits;   /* one an age */
    uint32_t *before; /* by 64 ages: how many there are below them */
    size_t words;
};

void arc_ages_begin(struct arc_ages *ages, const struct arc_log *log);
void arc_ages_note(struct arc_ages *ages, const uint32_t *list, size_t count);
/* All are noted: now there are ranks.  */
void arc_ages_close(struct arc_ages *ages);
uint32_t arc_ages_rank(const struct arc_ages *ages, uint32_t age);
void arc_ages_free(struct arc_ages *ages);

#endif
