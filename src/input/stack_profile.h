/* stack_profile.h - the profile of a program whose samples are only in a file of stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_STACK_PROFILE_H
#define REGPROF_INPUT_STACK_PROFILE_H

#include "input/gmon.h"
#include "input/stack_file.h"

/* If BUFFER has a file of stacks, that at PATH, makes it have a profile instead, as libregmon would
   have written it: all samples of PROGRAM, or those of the THREAD that struct stack_file describes,
   and no calls.  False after a message.  */
bool stack_profile_make(struct file_buffer *buffer, const char *path,
                        const struct gmon_layout *layout, const struct program_file *program,
                        const char *thread);

#endif
