/* object_profiles.h - finds shared objects, and their profiles beside the program's.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_OBJECT_PROFILES_H
#define REGPROF_INPUT_OBJECT_PROFILES_H

#include "base/memory.h"
#include "input/image.h"
#include "input/profile_list.h"

/* ---- Files of shared objects ---- */

/* Where shared objects are searched for.  Start with a zeroed struct.  */
struct library_path {
    const char **places; /* directories and files, in the order of the search */
    size_t count, capacity;
    const char *other;  /* of the last search: a file of the name that is another build; or NULL */
    struct arena arena; /* owns the places */
    unsigned char
        identity[20]; /* the first bytes of the program; objects are for the same machine */
};

/* Fills PATH for the program IMAGE: first the places in LIST (separated by colons; NULL for none),
   which may be files; then the directories that the program names (DT_RUNPATH, DT_RPATH),
   LD_LIBRARY_PATH, the program's own directory, where libregmon is beside the command regmon, those
   in /etc/ld.so.conf, and the usual ones.  */
void library_path_fill(struct library_path *path, struct image *image, const char *list);

/* The path of the shared object NAME (`libfoo.so.1'), owned by PATH; NULL if no place has a file
   for the program's machine that has this name or this DT_SONAME, and a build id that begins with
   BUILD_ID, in hexadecimal (NULL: any).  */
const char *library_path_find(struct library_path *path, const char *name, const char *build_id);

/* Whether the file at CANDIDATE is for the program's machine and has such a build id.  If only that
   is missing, PATH->other becomes CANDIDATE, unless it has a value.  */
bool library_path_accepts(struct library_path *path, const char *candidate, const char *build_id);

void library_path_free(struct library_path *path);

/* ---- Profiles of shared objects ---- */

/* Removes from PROGRAM the profiles of objects with names such as `libfoo.so.1', which `regmon -a'
   writes beside the program's.  Returns their number, and sets *FIRST to the first of them.  */
size_t object_profiles_remove(struct profile_list *program, const char **first);

#endif
