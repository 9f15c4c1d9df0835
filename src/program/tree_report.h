/* tree_report.h - makes the tree of calls of a run, with what people see around it (--tree).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_TREE_REPORT_H
#define REGPROF_PROGRAM_TREE_REPORT_H

#include "program/run.h"

/* Makes run->calls: of recorded stacks, if they measure the times of the run, else of estimated
   ones.  Requires the snapshot.  */
void tree_report_make(struct run *run);

#endif
