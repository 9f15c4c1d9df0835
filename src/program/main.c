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
#include "program/parse_options.h"
#include "program/pipeline.h"

/* Returns the exit status.  */
static int run_program(const struct options *options)
{
    struct run run = {
        .options = options, .image = image_open(options->inputs.image), .out = stdout};
    bool ok = run.image != NULL && run_all(&run);
    run_free(&run);
    image_close(run.image);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
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
    return close_output() ? status : EXIT_FAILURE;
}
