/* progress.c - a progress line on a terminal.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/i18n.h"

static const double first_after = 1.0, interval = 0.2; /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress, size_t total, bool is_quiet)
{
    *progress = (struct progress){
        .total = total, .is_shown = !is_quiet && isatty(STDERR_FILENO), .started = now()};
}

void progress_step(struct progress *progress, size_t done)
{
    if (progress == NULL || !progress->is_shown)
        return;
    double time = now(), elapsed = time - progress->started;
    if (elapsed < first_after || time - progress->printed < interval)
        return;
    double rate = (double)done / elapsed;
    double left = (double)(progress->total - done) / rate;
    fprintf(stderr, _("%zu of %zu files, %.0f/s, %.0f s left"), done, progress->total, rate, left);
    fputs("\033[K\r", stderr);
    fflush(stderr);
    progress->printed = time;
    progress->is_on_screen = true;
}

void progress_end(struct progress *progress)
{
    if (progress->is_on_screen)
        fputs("\033[K", stderr);
    progress->is_on_screen = false;
}
