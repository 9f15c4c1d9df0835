/* write_stacks.h - writes files of call stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_WRITE_STACKS_H
#define REGPROF_INPUT_WRITE_STACKS_H

#include <stdio.h>

#include "input/stack_file.h"

/* Writes STACKS, which are not named yet.  Check ferror(OUT) afterwards.  */
void write_stacks(FILE *out, const struct recorded_stacks *stacks,
                  const struct stacks_origin *origin);

#endif
