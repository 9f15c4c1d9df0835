/* main.c - runs everything and exits.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/message_list.h"
#include "base/messages.h"
#include "foreign/foreign.h"
#include "options/parse_options.h"
#include "program/find_record.h"
#include "program/modes.h"
#include "program/open_page.h"
#include "program/read_profiles.h"

/* ---- Fatal signals ---- */

/* SIGSEGV: the stack cannot grow, because of `ulimit -s' or (the stack counts as memory) of
   `ulimit -v'.  Some systems raise SIGBUS for this.  SIGBUS: this program and libdw map large files
   into memory, and the page that was read is now behind the end of its file.  */
static const int fatal[] = {SIGSEGV, SIGBUS};

/* `bytes' is the stack of the handler.  The handler finds this struct by the address of that stack,
   so no variable at file scope is needed.  */
struct fatal_signals {
    uintptr_t stack; /* the stack of main is mapped from this address upwards */
    struct sigaction former_actions[ARRAY_LENGTH(fatal)];
    stack_t former_stack;
    _Alignas(max_align_t) char bytes[];
};

enum {
    HANDLER_STACK = 64 * 1024,   /* bytes: mostly the saved registers */
    LARGEST_FRAME = 1024 * 1024, /* bytes: a function can touch its frame at any address */
    LARGEST_STACK = 1 << 30,     /* bytes, if there is no limit */
};

/* A fault at most this many bytes below the mapped part of the stack is a fault of the stack.  */
static uintptr_t stack_reach(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > LARGEST_STACK)
        return LARGEST_STACK;
    return (uintptr_t)limit.rlim_cur + LARGEST_FRAME;
}

static bool is_in_stack(const struct fatal_signals *signals, const siginfo_t *info)
{
    uintptr_t addr = (uintptr_t)info->si_addr;
    bool is_fault = info->si_code > 0; /* not sent by another process */
    return is_fault && addr < signals->stack && signals->stack - addr < stack_reach();
}

/* Ends the program with a message if the stack or a file is the cause.  For any other fault,
   restores the former action; the fault is then raised again.  */
static void handle(int number, siginfo_t *info, void *context)
{
    stack_t own;
    (void)context;
    sigaltstack(NULL, &own);
    struct fatal_signals *signals =
        (void *)((char *)own.ss_sp - offsetof(struct fatal_signals, bytes));
    bool is_stack = is_in_stack(signals, info);
    if (is_stack || number == SIGBUS) {
        problem_in_handler(is_stack ? MSG_NO_STACK : MSG_FILE_SHRANK);
        atomic_file_abandon();
        _exit(EXIT_FAILURE);
    }
    sigaction(SIGSEGV, &signals->former_actions[0], NULL);
    if (info->si_code <= 0)
        raise(number); /* a signal from another process does not come again */
}

/* Installs the handlers, for this process and those that it forks; dies if memory is exhausted.
   After that, a stack that cannot grow, or a mapped file that was truncated, ends the program with
   a message and status 1.  */
static struct fatal_signals *fatal_signals_begin(void)
{
    struct fatal_signals *signals = mem_uninitialised(1, sizeof *signals + HANDLER_STACK);
    stack_t own = {.ss_sp = signals->bytes, .ss_size = HANDLER_STACK};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    signals->stack = (uintptr_t)&own;
    sigaltstack(&own, &signals->former_stack);
    for (size_t i = 0; i < ARRAY_LENGTH(fatal); i++)
        sigaction(fatal[i], &action, &signals->former_actions[i]);
    return signals;
}

/* Restores the former handlers and frees SIGNALS.  */
static void fatal_signals_end(struct fatal_signals *signals)
{
    for (size_t i = 0; i < ARRAY_LENGTH(fatal); i++)
        sigaction(fatal[i], &signals->former_actions[i], NULL);
    sigaltstack(&signals->former_stack, NULL);
    free(signals);
}

/* ---- The program ---- */

/* The modes, by enum mode.  */
static int (*const modes[])(const struct request *request) = {
    [MODE_REPORT] = mode_report,
    [MODE_SUM] = mode_sum,
    [MODE_COMPARE] = mode_compare,
};

/* Reads the profiles of other profilers, of which the image is made.  NULL after a message.  */
static struct image *open_foreign(const struct request *request, struct profile_list *profiles)
{
    const struct input_options *inputs = &request->options->inputs;
    const struct operands operands = {.paths = inputs->operands,
                                      .count = inputs->operand_count,
                                      .list = inputs->list,
                                      .is_foreign = true};
    return read_foreign(request->foreign, profiles, request, &operands);
}

/* Opens the executable, and lists its profiles.  NULL after a message.  */
static struct image *open_executable(const struct request *request, struct profile_list *profiles,
                                     struct found_run *run)
{
    const struct input_options *inputs = &request->options->inputs;
    struct operands operands;
    if (!find_record(run, request))
        return NULL;
    struct image *image = image_open_at(run->image, open_files_take(request->opened, run->image),
                                        request->diagnostics);
    if (image != NULL)
        found_run_list(run, request, image);
    operands =
        (struct operands){.paths = run->profiles != NULL ? run->profiles : inputs->profiles,
                          .count = run->profiles != NULL ? run->count : inputs->profile_count,
                          .list = inputs->list,
                          .sum_path = request->plan->sum_path};
    if (image != NULL && list_profiles(profiles, request, &operands)) {
        skip_others(profiles, request, image);
        return image;
    }
    image_close(image);
    return NULL;
}

/* What the first operands are, and what looking at them has opened.  */
struct found_inputs {
    enum foreign_found kind;
    struct foreign foreign;
    struct open_files opened;
};

/* Reads what the plan says of FOUND, and runs the mode of the plan.  Returns the exit status.  */
static int run_program(const struct options *options, const struct plan *plan,
                       struct found_inputs *found)
{
    const struct input_options *inputs = &options->inputs;
    struct diagnostics diagnostics = {.is_quiet = inputs->is_quiet,
                                      .is_strict = options->is_strict};
    struct message_list messages = {0};
    struct profile_list profiles = {0};
    struct found_run run = {0};
    if (plan->format != NULL && plan->format->is_page)
        message_list_attach(&messages, &diagnostics);
    struct request request = {.options = options,
                              .plan = plan,
                              .foreign = &found->foreign,
                              .opened = &found->opened,
                              .diagnostics = &diagnostics,
                              .messages = &messages,
                              .out = stdout,
                              .run = &run,
                              .inputs = &profiles,
                              .stacks = &plan->stacks,
                              .has_slide = inputs->has_slide,
                              .slide = inputs->slide};
    request.image = found->kind == FOREIGN_YES ? open_foreign(&request, &profiles)
                                               : open_executable(&request, &profiles, &run);
    int status = request.image != NULL ? modes[plan->mode](&request) : EXIT_FAILURE;
    profile_list_free(&profiles);
    image_close(request.image);
    found_run_free(&run);
    message_list_free(&messages);
    return status;
}

/* Runs the program, and shows the page that it writes, in a new file unless one is named.  Returns
   the exit status.  */
static int run_and_open(const struct options *options, struct plan *plan,
                        struct found_inputs *found)
{
    char *created = plan->output_path == NULL ? page_create() : NULL;
    if (created != NULL)
        plan->output_path = created;
    int status = plan->output_path != NULL ? run_program(options, plan, found) : EXIT_FAILURE;
    if (status == EXIT_FAILURE && created != NULL)
        unlink(created);
    else if (status != EXIT_FAILURE && !page_open(plan->output_path))
        status = EXIT_FAILURE;
    free(created);
    return status;
}

/* Plans what the options say, and does it.  Returns the exit status.  */
static int plan_and_run(const struct options *options)
{
    struct found_inputs found = {.kind = FOREIGN_NO};
    struct plan plan;
    const struct input_options *inputs = &options->inputs;
    bool has_operands = inputs->operand_count > 0;
    const char *const *operands = has_operands ? inputs->operands : &inputs->image;
    if (!are_records(inputs->operands, inputs->operand_count))
        found.kind = foreign_find(&found.foreign, &found.opened, operands,
                                  has_operands ? inputs->operand_count : 1, &inputs->foreign);
    int status = EXIT_FAILURE;
    if (found.kind == FOREIGN_UNREADABLE)
        return status;
    const struct terminal terminal = terminal_of_output();
    const char *first = found.kind == FOREIGN_YES ? operands[found.foreign.image != NULL] : NULL;
    if (plan_make(&plan, options, &terminal, first))
        status = options->output.opens ? run_and_open(options, &plan, &found)
                                       : run_program(options, &plan, &found);
    plan_free(&plan);
    foreign_free(&found.foreign);
    open_files_close(&found.opened);
    return status;
}

/* Opens each standard stream that is closed, so that no file opened later gets its number.  Using
   one fails, also by the name /dev/stdout: outputs are a directory.  */
static void fill_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && (fd == STDIN_FILENO ? open("/dev/null", O_WRONLY)
                                                          : open("/", O_RDONLY | O_DIRECTORY)) < 0)
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

/* Bytes.  The help fits: it is written when standard output is closed, and close_output prints why
   that failed.  */
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
        status = plan_and_run(&options);
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
