/* read_profiles.h - what becomes of the profiles' records: a sum, or arcs and blocks between
 * symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_PROFILES_H
#define REGPROF_PROGRAM_READ_PROFILES_H

#include <stdbool.h>

#include "analysis/address_totals.h"
#include "input/image.h"
#include "program/options.h"

/* Adds the profiles up by address and writes the sum (-s); histograms and file infos stay in
   PROFILE, the rest in SUM (empty before).  Symbols are needed only if some arcs are to be left
   out.  False after a message.  */
bool read_profiles_sum(struct profile *profile, struct address_totals *sum,
                       const struct image *image, const struct options *options);

/* Takes in the profiles' records, from the files, or from SUM if that is not NULL, and the calls
   that stand in the text if they are asked for (-c).  False after a message.  */
bool read_profiles(struct profile *profile, struct image *image, const struct options *options,
                   const struct address_totals *sum);

#endif
