/* narrow_names.h - names that are cut to a width.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_NARROW_NAMES_H
#define REGPROF_BASE_NARROW_NAMES_H

#include <stddef.h>

#include "base/memory.h"

/* Between names of functions that call each other, which are one name: `a > b > (4) > z'.  */
#define CHAIN_ASCII " > "
#define CHAIN_UTF8 " › "
/* Between names of functions that were called by each other.  */
#define CHAIN_UP_ASCII " < "
#define CHAIN_UP_UTF8 " ‹ "

/* A name that is shown in at most WIDTH characters, unless only the whole of it tells it from
   others.  */
struct narrow_name {
    const char *name; /* narrow_names leaves out what its object loses */
    size_t width;     /* characters; more than those of DOTS, see narrow_names */
    const char *text; /* the name, or what is shown of it; in the arena */
};

/* Sets the texts of the COUNT NAMES.  If they do not all fit, objects lose `.so' and their
   versions: `f [libpython3.11]'; of those that still do not fit, the object is cut and then goes,
   where no other name is the same without it.  Of a chain, the
   object goes first, then the functions before the last one, which are counted.  Then names are
   cut.  The end of one is kept, from a
   `::' on if possible, behind DOTS: `...::Table::compact'; of one without parts, such as those of
   C, its beginning, too: `__memmove_...ned_erms'.  Where different names would have one text, it
   has what tells them apart; where the width does not allow that, it is the whole name.  */
void narrow_names(struct narrow_name *names, size_t count, const char *dots, struct arena *arena);

#endif
