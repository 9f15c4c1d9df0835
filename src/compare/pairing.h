/* pairing.h - finds the functions of one snapshot in another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_PAIRING_H
#define REGPROF_COMPARE_PAIRING_H

#include "model/comparison.h"

/* The functions of both snapshots in rows: in the order of the first snapshot, then those that only
   the second one has.  */
struct pairing {
    size_t row_count;
    uint32_t *rows[SIDES];  /* by function id: its row */
    uint32_t *first[SIDES]; /* by row: the first function there; NO_ID: none */
    bool *is_ambiguous;     /* by row: another row has the same name */
};

/* Functions pair by name and file; those that remain by name and the file's base name, and then by
   name alone, if they are the only ones left of that name on both sides.  Functions of one side
   with the same name and file share a row.  Takes linear time.  */
void pairing_build(struct pairing *pairing, const struct snapshot *before,
                   const struct snapshot *after);
void pairing_free(struct pairing *pairing);

#endif
