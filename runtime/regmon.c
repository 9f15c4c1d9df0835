/* regmon.c - the command that runs a program with the library that counts its calls.
   SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "collector.h"
#include "options.h"
#include "pool.h"
#include "run.h"
#include "say.h"

enum { NAME_ROOM = 4096 };

/* ---- What to do with the profile ---- */

/* The rank in a parallel program, else the number of the process. */
static const char *rank_of(const char *process)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                        "SLURM_PROCID"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rank = getenv(names[i]);
        if (rank && *rank)
            return rank;
    }
    return process;
}

/* What stands for a part of a prefix that is not text, as in the library. */
static const char *part_of_name(char letter, const char *process, const char *host,
                                const char *program)
{
    const char *slash = strrchr(program, '/');

    switch (letter) {
    case 'p':
        return process;
    case 'h':
        return host;
    case 'n':
        return slash ? slash + 1 : program;
    case 'r':
        return rank_of(process);
    default:
        return "%";
    }
}

/* The name of the profile of a process. */
static void write_profile_name(char *name, pid_t process, const char *program)
{
    const char *prefix = getenv("GMON_OUT_PREFIX");
    char number[16], host[256] = "";
    size_t size = 0;

    snprintf(number, sizeof number, "%d", (int)process);
    gethostname(host, sizeof host - 1);
    if (!prefix || !*prefix)
        prefix = "gmon.out";
    else if (!strchr(prefix, '%')) {
        snprintf(name, NAME_ROOM, "%s.%s", prefix, number);
        return;
    }
    for (; *prefix && size < NAME_ROOM; prefix++) {
        char letter[2] = {*prefix, 0};
        const char *part = letter;
        if (*prefix == '%' && prefix[1])
            part = part_of_name(*++prefix, number, host, program);
        size += (size_t)snprintf(name + size, NAME_ROOM - size, "%s", part);
    }
}

/* Whether a file was written since a moment. */
static bool is_newer(const char *name, const struct timespec *moment)
{
    struct stat state;

    if (stat(name, &state) || !S_ISREG(state.st_mode))
        return false;
    return state.st_mtim.tv_sec > moment->tv_sec ||
           (state.st_mtim.tv_sec == moment->tv_sec && state.st_mtim.tv_nsec >= moment->tv_nsec);
}

/* A word as a shell reads it. */
static void write_word(char *out, size_t room, const char *word)
{
    size_t size = 0;

    if (!word[strcspn(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!")]) {
        snprintf(out, room, "%s", word);
        return;
    }
    size += (size_t)snprintf(out, room, "'");
    for (; *word && size + 6 < room; word++)
        size += (size_t)snprintf(out + size, room - size, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(out + size, room - size, "'");
}

/* On a terminal: what to type next.  The time is that of regmon's start. */
static void say_next(const struct found_program *program, const struct ended *ended,
                     const struct timespec *start)
{
    char name[NAME_ROOM], quoted[NAME_ROOM], image[NAME_ROOM];

    if (!isatty(STDERR_FILENO) || !program->is_executable)
        return;
    write_profile_name(name, ended->process, program->path);
    if (!is_newer(name, start))
        return;
    write_word(image, sizeof image, program->path);
    write_word(quoted, sizeof quoted, name);
    if (!strcmp(name, "gmon.out"))
        say(_("to see the profile: %s --top %s"), REGMON_GPROF, image);
    else
        say(_("to see the profile: %s --top %s %s"), REGMON_GPROF, image, quoted);
}

/* ---- Run ---- */

/* Puts the library before what else is preloaded. */
static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char *value = NULL;

    if (asprintf(&value, "%s%s%s", library, others && *others ? ":" : "", others ? others : "") <
            0 ||
        setenv("LD_PRELOAD", value, true))
        say_failure("LD_PRELOAD: %s", strerror(errno));
    free(value);
    if (asprintf(&value, "%d", (int)getpid()) < 0 || setenv(POOL_STARTER, value, true))
        say_failure(POOL_STARTER ": %s", strerror(errno));
    free(value);
}

/* While the files are written, the keyboard can end regmon; other signals, which may be late copies
   of the one that has ended the program, wait. */
static void permit_keyboard(const sigset_t *former)
{
    sigset_t keyboard;
    struct timespec now = {0, 0};

    sigemptyset(&keyboard);
    if (!sigismember(former, SIGINT))
        sigaddset(&keyboard, SIGINT);
    if (!sigismember(former, SIGQUIT))
        sigaddset(&keyboard, SIGQUIT);
    while (sigtimedwait(&keyboard, NULL, &now) > 0)
        ;
    sigprocmask(SIG_UNBLOCK, &keyboard, NULL);
}

static int run(const struct options *options)
{
    char *library = check_library();
    struct found_program program = check_program(options->words[0], library);
    struct collector collector = {.socket = -1};
    struct timespec start;
    sigset_t former;

    clock_gettime(CLOCK_REALTIME_COARSE, &start); /* as files have it */
    sigprocmask(SIG_SETMASK, NULL, &former);
    const bool has_collector =
        !collector_start(&collector, options->interval, options->is_detached);
    preload(library);
    free(library);
    if (options->is_detached)
        run_execute(options->words);
    const struct ended ended =
        run_program(options->words, options->signal, has_collector ? &collector : NULL);
    permit_keyboard(&former);
    if (has_collector)
        collector_end(&collector);
    say_next(&program, &ended, &start);
    free(program.path);
    return run_end(ended.status);
}

/* ---- Without a program ---- */

static int finish(void)
{
    const int count = collector_finish();

    say(_("profiles written: %d"), count);
    return EXIT_SUCCESS;
}

int main(int count, char **words)
{
    const struct options options = options_read(count, words);

    switch (options.task) {
    case TASK_WAIT:
        collector_wait();
        return EXIT_SUCCESS;
    case TASK_FINISH:
        return finish();
    default:
        return run(&options);
    }
}
