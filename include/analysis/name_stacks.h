/* name_stacks.h - names the frames of recorded stacks, and adds them up by symbol.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_NAME_STACKS_H
#define REGPROF_ANALYSIS_NAME_STACKS_H

#include "model/model.h"

/* Sets what stacks.h (in the model) says is computed here, from the symbols of the program.  A
   function that is several times in a stack counts once.  Returns the samples of stacks that have a
   frame of the program which no symbol covers.  */
double stacks_name(struct stacks *stacks, const struct symtab *symtab);

#endif
