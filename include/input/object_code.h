/* object_code.h - the functions in the file of a shared object, for frames of recorded stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_OBJECT_CODE_H
#define REGPROF_INPUT_OBJECT_CODE_H

#include "input/image.h"
#include "model/recorded_stacks.h"

/* The functions of IMAGE, which owns their names, but for those that are in *NAMES, on the heap:
   those of its symbol table, of its own or in a separate file, each up to the next one.  Without
   that table: the functions that other objects may use, each with the size that it has, and between
   them those that .eh_frame knows, which have no name.  Free the ranges and *NAMES with free.  */
struct object_code object_code_read(struct image *image, char **names);

#endif
