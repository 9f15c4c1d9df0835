/* read_objects.h - the functions of the shared objects that recorded stacks go through.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_OBJECTS_H
#define REGPROF_PROGRAM_READ_OBJECTS_H

#include "program/request.h"

/* The functions of all objects in STACKS, by object; free with free_objects.  Objects that only
   start the program or its threads, those whose file is not found, and those whose file is another
   build than the one that ran, after a note, have none.  */
struct objects_read read_objects(const struct request *request, struct recorded_stacks *stacks);
void free_objects(struct objects_read *objects);

#endif
