/* read_objects.h - functions of the shared objects that a program used, and calls of these.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_OBJECTS_H
#define REGPROF_PROGRAM_READ_OBJECTS_H

#include "input/object_profiles.h"
#include "program/request.h"

/* The functions of all objects in STACKS, by object, and of those with one of PROFILES, which it
   adds to STACKS; free with free_objects.  Objects that only start the program or its threads,
   those whose file is not found, and those whose file is another build than the one that ran, after
   a note, have none.  */
struct objects_read read_objects(const struct request *request, struct recorded_stacks *stacks,
                                 const struct object_list *profiles);
void free_objects(struct objects_read *objects);

/* Reads the calls in PROFILES, and adds the functions that they are of to STACKS, which were named
   by OBJECTS.  False after a message.  */
bool read_object_calls(struct object_calls *calls, const struct request *request,
                       const struct object_list *profiles, const struct objects_read *objects,
                       struct recorded_stacks *stacks);

#endif
