/* notes.c - prints what helps to judge reports in which nothing is wrong.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/notes.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/messages.h"
#include "input/image_traits.h"

enum { REPORTS_OF_TIMES = REPORT_FLAT | REPORT_GRAPH };

/* The first profile that was written before the image was changed, or NULL.  That does not prove
   another build: copying the image changes its time.  */
static const char *find_older(const struct run *run)
{
    const struct profile *profile = &run->profile;
    struct stat status;
    for (size_t i = 0; i < profile->info_count; i++) {
        const char *path = profile->infos[i].path;
        if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
            image_modified(run->image) > status.st_mtime)
            return path;
    }
    return NULL;
}

static void note_age(const struct run *run)
{
    const char *older = find_older(run);
    if (older != NULL)
        note(run->diagnostics, MSG_IMAGE_NEWER, image_path(run->image), older);
}

static bool has_calls(const struct profile *profile)
{
    for (uint32_t s = 0; s < profile->symtab.count; s++)
        if ((profile->arcs.calls[s] | profile->arcs.self_calls[s]) != 0)
            return true;
    return false;
}

/* Whether some profile with calls has no mark that these were counted exactly.  */
static bool may_lack_calls(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].arcs > 0 && !profile->infos[i].is_exact)
            return true;
    return false;
}

static void note_threads(const struct run *run)
{
    if ((run->reports & ~(unsigned)REPORT_INFO) != 0 && has_calls(&run->profile) &&
        may_lack_calls(&run->profile) && image_traits(run->image).can_start_threads)
        note(run->diagnostics, MSG_THREADS, image_path(run->image));
}

/* By default, a call graph is printed only if calls were counted.  */
static void note_no_calls(const struct run *run)
{
    if (run->options->reports_named != 0 || run->reports != REPORT_FLAT)
        return;
    struct image_traits traits = image_traits(run->image);
    if (image_profiling_gap(&traits) == GAP_COMPILING)
        note(run->diagnostics, MSG_ONLY_LINKED, image_path(run->image));
}

/* The next whole number; ceil would need libm with some compilers.  */
static double round_up(double number)
{
    double whole = (double)(uint64_t)number;
    return whole < number ? whole + 1 : whole;
}

/* The error of N samples is their root, so that 10,000 samples know the total to 1 %.  */
static void note_length(const struct run *run)
{
    const double few = 100, enough = 100 * 100;
    double samples = run->profile.hist.samples;
    if (samples > 0 && samples < few)
        note(run->diagnostics, MSG_RUN_LONGER, samples, 100 / sqrt(samples),
             round_up(enough / samples));
}

/* A function with the share P of N samples has N * P of them, plus or minus sqrt (N * P * (1 - P)),
   which is at most half the root of N.  */
static void note_few_samples(const struct run *run)
{
    const double enough = 100;
    double samples = run->profile.hist.samples;
    if ((run->reports & REPORTS_OF_TIMES) != 0 && samples > 0 && samples < enough &&
        isatty(STDERR_FILENO))
        note(run->diagnostics, MSG_FEW_SAMPLES, samples, 50 / sqrt(samples));
}

void notes_print(const struct run *run)
{
    if (run->diagnostics->is_quiet)
        return;
    note_age(run);
    note_threads(run);
    note_no_calls(run);
    if ((run->reports & REPORT_TOP) != 0)
        note_length(run);
    else
        note_few_samples(run);
}
