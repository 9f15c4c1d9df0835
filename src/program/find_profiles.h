/* find_profiles.h - lists the profiles of a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_FIND_PROFILES_H
#define REGPROF_PROGRAM_FIND_PROFILES_H

#include "program/run.h"

/* Lists the profiles of the options in run->inputs, once.  False after a message.  */
bool find_profiles(struct run *run);

#endif
