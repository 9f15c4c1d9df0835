/* parallel_read.h - many profiles into one (-s).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PARALLEL_READ_H
#define REGPROF_PROGRAM_PARALLEL_READ_H

#include <stdbool.h>

#include "analysis/address_totals.h"
#include "input/profile_load.h"

/* Reads all INPUTS with LOADER, whose sink fills SUM (both empty before).  With JOBS > 1 and enough
   files, all of them regular, as many processes read a share each; what comes out, messages
   included, is what one process makes of them.  JOBS 0: as many as there are processors.  False
   after a message.  */
bool parallel_read(struct loader *loader, struct address_totals *sum,
                   const struct profile_list *inputs, unsigned jobs);

#endif
