/* main.c - runs the program and returns its exit status.  */
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
#include "base/message_list.h"
#include "base/messages.h"
#include "options/parse_options.h"
#include "program/compare_runs.h"
#include "program/fatal_signals.h"
#include "program/pipeline.h"
#include "program/run_objects.h"

enum { EXIT_REGRESSION = 3, EXIT_BLIND = 4 };

/* The exit status of a run that has finished.  */
static int status_of(const struct run *run)
{
    if (run->gate == GATE_REGRESSION)
        return EXIT_REGRESSION;
    return run->gate == GATE_BLIND && run->options->compare.fail_blind ? EXIT_BLIND : EXIT_SUCCESS;
}

/* Returns the exit status.  */
static int run_program(const struct options *options)
{
    struct diagnostics diagnostics = {.is_quiet = options->inputs.is_quiet,
                                      .is_strict = options->is_strict};
    if (options->inputs.has_objects)
        return run_objects(options, &diagnostics) ? EXIT_SUCCESS : EXIT_FAILURE;
    struct message_list messages = {0};
    if (options->output.format != NULL && options->output.format->is_page)
        message_list_attach(&messages, &diagnostics);
    struct run *run = mem_array(1, sizeof *run); /* too large for the smallest stacks */
    run->options = options;
    run->image = image_open(options->inputs.image, &diagnostics);
    run->diagnostics = &diagnostics;
    run->messages = &messages;
    run->out = stdout;
    bool is_comparing = options->compare.base != NULL;
    bool ok = run->image != NULL && (is_comparing ? compare_runs(run) : run_all(run));
    int status = ok ? status_of(run) : EXIT_FAILURE;
    run_free(run);
    image_close(run->image);
    free(run);
    message_list_free(&messages);
    return status;
}

/* Opens each standard stream that is closed, so that no file opened later gets its number.  Each is
   opened in the wrong direction, so that using it fails.  */
static void fill_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            exit(EXIT_FAILURE);
}

/* Closes standard output.  False after a message if some of the output was not written.  */
static bool close_output(void)
{
    bool has_failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) == 0 && !has_failed)
        return true;
    return errno != 0 ? problem(MSG_OUTPUT_FAILED, strerror(errno)) : problem(MSG_OUTPUT_LOST);
}

/* Bytes; the help fits, so that it is written when standard output is closed, where the reason of a
   failure is known.  */
enum { OUTPUT_BUFFER = 65536 };

int main(int argc, char **argv)
{
    struct options options;
    mem_begin();
    fill_streams();
    struct fatal_signals *signals = fatal_signals_begin();
    char *buffer = mem_uninitialised(OUTPUT_BUFFER, 1);
    setvbuf(stdout, buffer, _IOFBF, OUTPUT_BUFFER);
    signal(SIGXFSZ, SIG_IGN); /* writing beyond the limit then fails with EFBIG */
    int status = EXIT_FAILURE;
    switch (parse_options(&options, argc, argv)) {
    case OPTIONS_RUN:
        status = run_program(&options);
        break;
    case OPTIONS_DONE:
        status = EXIT_SUCCESS;
        break;
    case OPTIONS_BAD:
        break;
    }
    free_options(&options);
    if (!close_output())
        status = EXIT_FAILURE;
    free(buffer);
    fatal_signals_end(signals);
    return status;
}
