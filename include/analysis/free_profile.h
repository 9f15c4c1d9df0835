/* free_profile.h - frees a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_FREE_PROFILE_H
#define REGPROF_ANALYSIS_FREE_PROFILE_H

#include "model/model.h"

/* Frees everything and leaves an empty profile.  */
void profile_free(struct profile *profile);

#endif
