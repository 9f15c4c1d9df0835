/* run.h - one executable and its profiles, on their way to reports.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_RUN_H
#define REGPROF_PROGRAM_RUN_H

#include <stdio.h>

#include "analysis/address_totals.h"
#include "input/image.h"
#include "program/options.h"

/* One executable and its profiles.  Set `options', `image' and `out'; the rest is zero at the
   start. Several runs can exist at once.  */
struct run {
    const struct options *options; /* not owned, as are the next two */
    struct image *image;
    FILE *out; /* where reports go */
    struct profile profile;
    struct address_totals sum; /* of the profiles, with -s */
    unsigned reports;          /* to print: or-ed report_kind */
    unsigned needs;            /* of these reports: or-ed report_need */
};

#endif
