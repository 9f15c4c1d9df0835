/* explain_tables.h - the tables of functions and of calls, with what people see around them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_EXPLAIN_TABLES_H
#define REGPROF_PROGRAM_EXPLAIN_TABLES_H

#include "program/request.h"
#include "tables/call_tree.h"
#include "tables/code_tables.h"
#include "tables/make_top.h"

/* Builds the table of SNAPSHOT, with what people see around it.  PREFIX: of times per call.  */
void build_top(struct top *top, const struct snapshot *snapshot, const struct top_rules *rules,
               const struct si_prefix *prefix);

/* Adds lines below the tables of code that say what they show, and what their columns mean.  */
void explain_code(struct code_tables *tables, const struct request *request,
                  const struct analysis *analysis);

/* Prints a note that says what of the time is in other objects, if the reports have those of GNU
   gprof only, without -b, and one profile, beside which there are stacks.  */
void note_objects(const struct request *request, struct analysis *analysis);

/* Makes the table of functions (--top).  Requires the snapshot.  False after a message: --focus
   matches none, in text.  */
bool make_top(struct top *top, const struct request *request, struct analysis *analysis);

/* Makes the tree of calls (--tree): of recorded stacks, if they measure the times, else of
   estimated ones.  Requires the snapshot, and makes its names unique.  False after a message:
   --focus matches no function.  */
bool make_call_tree(struct call_tree *tree, const struct request *request,
                    struct analysis *analysis);

#endif
