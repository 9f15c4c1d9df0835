/* read_objects.h - functions of the shared objects that a program used, and calls of these.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_OBJECTS_H
#define REGPROF_PROGRAM_READ_OBJECTS_H

#include "program/request.h"

/* The functions of all objects in STACKS, by object; free with free_objects.  Objects that only
   start the program or its threads, those whose file is not found, and those whose file is another
   build than the one that ran, after a note, have none.  */
struct objects_read read_objects(const struct request *request, struct recorded_stacks *stacks);
void free_objects(struct objects_read *objects);

/* Reads the calls that OBJECTS counted, from the files that STACKS, which were named by OBJECTS,
   tell of, and adds the functions that these calls are of to STACKS.  False after a message.  */
bool read_object_calls(struct object_calls *calls, const struct request *request,
                       const struct objects_read *objects, struct recorded_stacks *stacks);

#endif
