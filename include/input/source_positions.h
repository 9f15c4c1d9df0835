/* source_positions.h - files and lines of symbols, from the debug information into the model.

   Debug information is slow to read, so callers select what a report will print.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_SOURCE_POSITIONS_H
#define REGPROF_INPUT_SOURCE_POSITIONS_H

#include "input/image.h"
#include "model/model.h"

/* The positions of the COUNT raw symbols, an array by raw symbol; NO_ID as the file of those that
   IS_WANTED does not mark or that have no position.  Adds files to FILES in the order of RAW.  Free
   with free.  */
struct raw_source *source_positions_of_raw(struct files *files, struct image *image,
                                           const struct raw_symbol *raw, const bool *is_wanted,
                                           size_t count);

/* Adds the positions of the symbols that IS_WANTED marks (by symbol id) and that lack one.  */
void source_positions_add(struct profile *profile, struct image *image, const bool *is_wanted);

/* The source lines at the COUNT addresses ADDRS, ascending, without the addresses that have none.
   An array of *ROW_COUNT; free with free.  */
struct line_row *source_positions_of_lines(struct profile *profile, struct image *image,
                                           const vma *addrs, size_t count, size_t *row_count);

#endif
