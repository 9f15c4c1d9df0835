/* worker_result.h - passes the records that a worker process has read to the first process.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_WORKER_RESULT_H
#define REGPROF_PROGRAM_WORKER_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/address_totals.h"

/* Histograms, file infos, calls and executions.  Start with a zeroed struct.  */
struct worker_result {
    struct hist_set hist;
    struct file_info *infos;
    size_t info_count;
    struct address_totals
        sum; /* its maps have no slots: nothing can be found in or added to them */
};

/* Writes SUM and the histograms and file infos of PROFILE to OUT as they are in memory.  False if
   writing failed.  */
bool worker_result_write(FILE *out, const struct profile *profile,
                         const struct address_totals *sum);

/* Reads into RESULT (zeroed before) what a process forked by this one wrote to IN.  Paths are not
   copied.  False if IN is incomplete; free RESULT in both cases.  */
bool worker_result_read(struct worker_result *result, FILE *in);

void worker_result_free(struct worker_result *result);

#endif
