/* group_rows.h - the objects and the threads of recorded stacks, as rows of the table (--by).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_GROUP_ROWS_H
#define REGPROF_PROGRAM_GROUP_ROWS_H

#include "program/request.h"
#include "tables/make_top.h"

/* The snapshot whose functions are what RULES have rows of: that of ANALYSIS itself for functions,
   lines and files, else one that ANALYSIS owns.  */
const struct snapshot *group_rows(const struct request *request, struct analysis *analysis,
                                  const struct top_rules *rules);

/* Samples of the threads of one name.  */
struct thread_sums {
    size_t count; /* threads */
    double sum, squares, highest;
    double lowest; /* 0 where only their sum is known, as in a sum of profiles */
};

/* The sums by number of the name.  Free with free.  */
struct thread_sums *sum_threads(const struct recorded_stacks *stacks);

#endif
