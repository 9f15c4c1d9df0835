/* gate.h - judges a comparison: did the program get slower, or does it call more?  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_GATE_H
#define REGPROF_COMPARE_GATE_H

#include <regex.h>

#include "model/comparison.h"

/* SCOPE_INCLUSIVE: the inclusive time of each function, which COMPARISON must have.  */
enum gate_scope { SCOPE_TOTAL, SCOPE_FUNCTION, SCOPE_BOTH, SCOPE_INCLUSIVE };

struct gate_rules {
    bool has_time, has_calls; /* what is judged */
    double percent, seconds;  /* a regression of time: one run is slower by more than both; SECONDS,
                                 or another unit; NaN in options: as the unit asks for */
    double calls_percent;     /* a regression of calls: they grew by more than this */
    double alpha;             /* a regression of time: the change has a smaller p than this */
    enum gate_scope scope;
    const regex_t *allow; /* functions that may regress */
    size_t allow_count;
};

/* Sets the verdict, and is_allowed and has_taken_over of all rows.  Functions of only one side are
   not judged, and calls not where runs disagree whether there are more.  Blind: there is no
   regression, and four of five comparisons could not have seen one of `percent', or times are those
   of one run on each side; if these have grown, `worst' says so.  */
void gate_judge(struct comparison *comparison, const struct gate_rules *rules);

/* Whether the total is judged.  */
static inline bool gate_judges_total(enum gate_scope scope)
{
    return scope == SCOPE_TOTAL || scope == SCOPE_BOTH;
}

/* The times that RULES judge.  */
enum measure gate_measure(const struct gate_rules *rules);

/* The smallest regression in percent that the gate can see of ROW, the total or the largest
   function; INFINITY: none, as of NULL.  NaN: not known.  */
double gate_visible(const struct comparison *comparison, const struct compared *row,
                    const struct gate_rules *rules);

#endif
