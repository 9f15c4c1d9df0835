/* main.c - starts the program, and ends it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/profile.h"
#include "base/i18n.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "program/hints.h"
#include "program/options.h"
#include "program/pipeline.h"
#include "program/read_profiles.h"

/* Adds the profiles up first if asked to.  */
static bool sum_up(const struct options *options, struct image *image, struct profile *profile,
                   struct address_totals *sum)
{
    bool needs_symbols = symspecs_name_arcs(&options->specs);
    return (!needs_symbols || pipeline_symbols(profile, image, options)) &&
           read_profiles_sum(profile, sum, image, options) &&
           (needs_symbols || options->reports_on == 0 || pipeline_symbols(profile, image, options));
}

/* From the command line to the reports; false after a message.  */
static bool run(const struct options *options, struct image *image, struct profile *profile,
                struct address_totals *sum)
{
    if (options->is_summing ? !sum_up(options, image, profile, sum)
                            : !pipeline_symbols(profile, image, options))
        return false;
    if (options->is_summing && options->reports_on == 0)
        return true;
    if (!read_profiles(profile, image, options, options->is_summing ? sum : NULL))
        return false;
    unsigned kinds = options_kinds(options, profile);
    if (!reports_are_possible(kinds, profile)) {
        reports_print(kinds & REPORT_INFO, profile, &options->style, stdout);
        return false;
    }
    pipeline_analyse(profile, image, options, kinds);
    pipeline_name(profile, image, options, kinds);
    hints_give(profile, image, options, kinds);
    reports_print(kinds, profile, &options->style, stdout);
    return !options->style.has_separate_files || pipeline_write_sources(profile, &options->style);
}

static bool run_image(struct options *options)
{
    struct profile profile = {0};
    struct address_totals sum = {0};
    struct image *image = image_open(options->image);
    bool ok = image != NULL && run(options, image, &profile, &sum) && profile.bad_count == 0;
    address_totals_free(&sum);
    profile_free(&profile);
    image_close(image);
    return ok;
}

/* A standard stream that is closed must not become the first file that is opened.  It is opened the
   wrong way round, so that using it fails.  */
static void fill_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            exit(EXIT_FAILURE);
}

/* Large files are mapped into memory, by us and by libdw.  Where one is shorter all of a sudden,
   reading it sends this signal, perhaps from amid libdw's own code.  */
static void end_by_bus_error(int number)
{
    (void)number;
    problem(MSG_FILE_SHRANK);
    _exit(EXIT_FAILURE);
}

/* Whether all that was written to standard output got there.  */
static bool close_output(void)
{
    bool has_failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) == 0 && !has_failed)
        return true;
    return errno != 0 ? problem(MSG_OUTPUT_FAILED, strerror(errno)) : problem(MSG_OUTPUT_LOST);
}

int main(int argc, char **argv)
{
    struct options options;
    mem_begin();
    fill_streams();
    signal(SIGXFSZ, SIG_IGN); /* writing then fails and says so */
    signal(SIGBUS, end_by_bus_error);
    enum options_status status = options_parse(&options, argc, argv);
    bool ok = status == OPTIONS_DONE || (status == OPTIONS_RUN && run_image(&options));
    options_free(&options);
    ok = close_output() && ok;
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
