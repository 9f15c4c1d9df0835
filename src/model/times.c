/* times.c - frees times, and computes their errors.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/times.h"

#include <math.h>
#include <stdlib.h>

void times_free(struct times *times)
{
    free(times->nodes);
    free(times->inclusive);
    if (times->callers != times->callees)
        free(times->callers);
    free(times->callees);
    free(times->starts);
    *times = (struct times){0};
}

double sampling_error(double samples, double rate)
{
    return sqrt(samples) / rate;
}
