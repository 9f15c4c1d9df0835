/* unique_names.h - names for formats in which a function is its name.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_UNIQUE_NAMES_H
#define REGPROF_STACKS_UNIQUE_NAMES_H

#include "base/memory.h"
#include "model/snapshot.h"
#include "model/top.h"

/* The names of all functions of SNAPSHOT in UTF-8, by function id; the array and its texts may be
   in ARENA.  Functions of one name have their file behind it, `parse (lex.c)', or if that is not
   enough, their address.  All source lines of a function have one name.  */
const char **unique_names(const struct snapshot *snapshot, enum name_style style,
                          struct arena *arena);

#endif
