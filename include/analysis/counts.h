/* counts.h - the order of execution counts.  */

#ifndef REGPROF_ANALYSIS_COUNTS_H
#define REGPROF_ANALYSIS_COUNTS_H

#include "model/model.h"

/* Computes views->counts: the symbols that the profile's filter for counts accepts, by file, line
   and address, those without a file by address.  Positions must be known.  */
void counts_order(struct views *views, const struct profile *profile);

#endif
