/* homonyms.h - functions that share a name, and what tells them apart.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_HOMONYMS_H
#define REGPROF_BASE_HOMONYMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* A function that may share its name with others.  */
struct homonym {
    const char *name;
    const char *file;   /* path; NULL: not known */
    const char *object; /* base name; "": not known; NULL: the address tells more */
    uint64_t address;
    uint32_t function; /* those with one number are parts of one function */
};

/* Puts behind each name that several of the COUNT functions have as much of the path of their file
   as tells them apart, `parse (lex.c)' or `parse (b/lex.c)', in ARENA; if none is known, or if that
   is not enough, the object or the address.  Takes time linear in the size of names and paths.  */
void tell_apart(struct homonym *functions, size_t count, struct arena *arena);

/* The length of NAME without such an end of the path FILE.  */
size_t name_length_without_file(const char *name, const char *file);

#endif
