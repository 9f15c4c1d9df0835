/* analyse.h - reads an image and its profiles, and computes what reports need of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_ANALYSE_H
#define REGPROF_PROGRAM_ANALYSE_H

#include "program/request.h"

/* Reads the symbols, the stacks that name them, and resolves the symspecs.  False after a
   message.  */
bool analyse_symbols(const struct request *request, struct analysis *analysis);

/* Adds to MISS, of an expression that matches nothing, names of functions that resemble it, if it
   is a word.  ARENA gets the names.  */
void find_similar(const struct request *request, const struct analysis *analysis,
                  struct symspec_miss *miss, struct arena *arena);

/* Runs all stages up to the labels of symbols.  False after a message.  */
bool analyse(const struct request *request, struct analysis *analysis);

/* Makes the snapshot, with what FORMAT shows beside the profile itself; NULL: no format shows
   it.  */
void analyse_snapshot(const struct request *request, struct analysis *analysis,
                      const struct export_format *format);

void analysis_free(struct analysis *analysis);

#endif
