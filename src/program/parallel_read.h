/* parallel_read.h - reads many profiles into a sum, in several processes (-s).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PARALLEL_READ_H
#define REGPROF_PROGRAM_PARALLEL_READ_H

#include <stdbool.h>

#include "analysis/address_totals.h"
#include "input/profile_load.h"

/* Reads all INPUTS with LOADER, whose sink fills SUM; its profile and SUM are empty before.  If
   there are enough INPUTS, all of them regular files, up to JOBS processes (0: one per processor)
   read a part of them each.  The sum and the messages do not depend on the number of processes.
   False after a message.  */
bool parallel_read(struct loader *loader, struct address_totals *sum,
                   const struct profile_list *inputs, unsigned jobs);

#endif
