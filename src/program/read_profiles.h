/* read_profiles.h - reads profiles into a sum, or into arcs and blocks of symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_PROFILES_H
#define REGPROF_PROGRAM_READ_PROFILES_H

#include "program/run.h"

/* Adds up the profiles of RUN by address and writes the sum (-s).  Histograms and file infos are
   added to run->profile, arcs and blocks to run->sum.  Symbols are used only if options select
   arcs.  False after a message.  */
bool read_profiles_sum(struct run *run);

/* Reads the profiles of RUN (with -s, run->sum) into the histograms, arcs and blocks of its
   profile, and adds the calls found in the text (-c).  False after a message.  */
bool read_profiles(struct run *run);

#endif
