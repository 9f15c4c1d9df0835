/* worker_result.h - what one process has read of the profiles, for another to add to its own.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_WORKER_RESULT_H
#define REGPROF_PROGRAM_WORKER_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/address_totals.h"

/* Histograms, file infos, calls and executions.  Zeroed = nothing.  */
struct worker_result {
    struct hist_set hist;
    struct file_info *infos;
    size_t info_count;
    struct address_totals sum; /* to be read only: its maps find nothing */
};

/* Writes what PROFILE and SUM hold onto OUT as it is in memory.  False with an error in OUT.  */
bool worker_result_write(FILE *out, const struct profile *profile,
                         const struct address_totals *sum);

/* Reads into SHARE (empty before) what another process of this very run has written to IN; paths
   are those of the run.  False if not all of it is there.  */
bool worker_result_read(struct worker_result *share, FILE *in);

void worker_result_free(struct worker_result *share);

#endif
