/* pairing.h - finds the functions of one snapshot in another.

   A function is known by its name without what compilers append to tell clones apart, and by its
   source file.  The numbers of clones change from build to build, so all clones of a function in
   one file share a row: `helper', `helper.constprop.0' and `helper.part.0', and functions with one
   name in one file, such as those that a header defines.  In this order, a row pairs

     1. the same name in the same file;
     2. the same name in the same file below another directory, if the sources of the two sides were
        in two places: `/old/lib/x.c' and `/new/lib/x.c';
     3. a global function, of which there is one on each side, in whatever files: it has moved;
     4. a static function in whatever files, if it is the only function of that name on both sides:
        its file was renamed or copied, or it has moved;
     5. the same name where one side does not know the file, if it is the only function of that name
        on both sides.

   What is left over then pairs by the same rules, with names as all compilers spell them
   (spelling.h).

   Of functions with a hundredth of the time or more, one that is gone and one that is new are the
   same under another name if most of the time of both is below the same caller, no other two there
   are as much alike, and their times are about the same: a quarter less or more, or chance.

   Where no file is known, functions of one name share a row, and it pairs only if both sides have
   equally many.  Other static functions of two known files never pair.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_PAIRING_H
#define REGPROF_COMPARE_PAIRING_H

#include "model/comparison.h"

/* The functions of both snapshots in rows: in the order of the first snapshot, then those that only
   the second one has.  Ids are those of functions, and behind them of idle functions.  */
struct pairing {
    size_t row_count;
    uint32_t *rows[SIDES];  /* by id: its row */
    uint32_t *first[SIDES]; /* by row: id of the first function there; NO_ID: none */
    bool *is_ambiguous;     /* by row: another row has the same name */
    bool *needs_path;       /* by row: and the same base name of the file */
    bool *has_moved;        /* by row: to another file */
    bool *is_renamed;       /* by row: it had another name */
};

/* Pairs the functions of the sides of COMPARISON, which has no rows yet.  Takes linear time.  */
void pairing_build(struct pairing *pairing, const struct comparison *comparison);
void pairing_free(struct pairing *pairing);

/* The function ID of SNAPSHOT; of an idle one only what is known of it.  */
struct snapshot_function pairing_function(const struct snapshot *snapshot, size_t id);

#endif
