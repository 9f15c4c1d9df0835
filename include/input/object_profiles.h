/* object_profiles.h - finds the profiles that libregmon writes for shared objects, beside those of
   the program: `gmon.out.libfoo.so.1' beside `gmon.out'.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_OBJECT_PROFILES_H
#define REGPROF_INPUT_OBJECT_PROFILES_H

#include "input/profile_list.h"

/* An object and its profiles.  */
struct object_profiles {
    const char *name; /* `libfoo.so.1'; NULL for the program */
    struct profile_list list;
};

/* The program comes first, the others by name.  Start with a zeroed struct.  */
struct object_list {
    struct object_profiles *objects;
    size_t count, capacity;
    struct arena arena; /* owns names and paths */
};

/* Finds the profiles of shared objects beside those in PROGRAM, which must outlive OBJECTS.  Paths
   of PROGRAM that are such profiles of other paths of it are counted only as these.  */
void object_list_fill(struct object_list *objects, const struct profile_list *program);

void object_list_free(struct object_list *objects);

#endif
