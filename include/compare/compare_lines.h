/* compare_lines.h - what people read above and below the table of a comparison.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_COMPARE_LINES_H
#define REGPROF_COMPARE_COMPARE_LINES_H

#include "compare/compare_table.h"
#include "compare/gate.h"
#include "model/comparison.h"

/* What a comparison with this gate is about, for people: what the gate judges; without a gate and a
   scope, inclusive times if these have changed, but no own times; calls if no times are known.  */
enum compare_subject compare_subject(const struct comparison *comparison,
                                     const struct gate_rules *gate);

/* A gate: the one that was asked for, or else the usual one, and what it says.  */
struct judgement {
    struct gate_rules rules;
    struct verdict verdict;
    bool is_asked;
};

/* Sets the line above the table: what has changed most of SUBJECT, and which growth can be
   detected.  */
void compare_add_headline(struct comparison *comparison, enum compare_subject subject,
                          const struct judgement *judgement);

/* Adds the lines below the table.  */
void compare_add_notes(struct comparison *comparison, enum compare_subject subject,
                       const struct judgement *judgement);

#endif
