/* stack_file.h - reads the call stacks that libregmon writes (NAME.stacks).

       # regmon stacks 1
       # rate 100
       # program 0 prog
       # object 3 libfoo.so.1
       0:1139;0:1180;3:1120 12

   Each line of the last kind is a stack: frames, outermost first, then samples.  A frame is the
   number of an object and an address in its file, in hexadecimal, or `?', which is not known.  A
   stack whose first frame is `?' is cut: its callers are not known.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_STACK_FILE_H
#define REGPROF_INPUT_STACK_FILE_H

#include "model/recorded_stacks.h"

/* Adds the stacks in the file at PATH to STACKS.  False after a message.  */
bool stack_file_read(struct recorded_stacks *stacks, const char *path);

#endif
