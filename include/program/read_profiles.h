/* read_profiles.h - what becomes of the profiles' records: a sum, or arcs and blocks between
 * symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_PROFILES_H
#define REGPROF_PROGRAM_READ_PROFILES_H

#include "program/run.h"

/* Adds the profiles of RUN up by address and writes the sum (-s): histograms and file infos into
   its profile, the rest into its sum.  Symbols are used only if some arcs are to be left out. False
   after a message.  */
bool read_profiles_sum(struct run *run);

/* Reads the records of the profiles of RUN, or of its sum with -s, into arcs and blocks between
   symbols, and the calls found in the text (-c).  False after a message.  */
bool read_profiles(struct run *run);

#endif
