/* worker_result.h - what one process has read of the profiles, for another to add to its own.  */

#ifndef REGPROF_PROGRAM_WORKER_RESULT_H
#define REGPROF_PROGRAM_WORKER_RESULT_H

#include <stdio.h>

#include "analysis/address_totals.h"

/* Histograms, file infos, calls and executions.  Zeroed = nothing.  */
struct share {
    struct hist_set hist;
    struct file_info *infos;
    size_t info_count;
    struct sum sum; /* to be read only: its maps find nothing */
};

/* Writes what PROFILE and SUM hold onto OUT as it is in memory.  False with an error in OUT.  */
bool share_write(FILE *out, const struct profile *profile, const struct sum *sum);

/* Reads into SHARE (empty before) what another process of this very run has written to IN; paths
   are those of the run.  False if not all of it is there.  */
bool share_read(struct share *share, FILE *in);

void share_free(struct share *share);

#endif
