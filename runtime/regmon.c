/* regmon.c - the command that runs a program with the library that counts its calls.
   SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "collector.h"
#include "config.h"
#include "options.h"
#include "pool.h"
#include "profile.h"
#include "run.h"
#include "say.h"
#include "trusted.h"

#define SECOND 1e9                   /* in nanoseconds */
#define LEAST_UNSEEN (SECOND / 10)   /* that is worth a line */
#define MOST_OF_START (SECOND / 100) /* before a program has loaded the library */

enum { NAME_ROOM = 4096 };

/* ---- What to do with the profile ---- */

/* Whether a file was written since a moment, in nanoseconds. */
static bool is_newer(const char *name, int64_t moment)
{
    struct stat state;

    return !stat(name, &state) && S_ISREG(state.st_mode) &&
           (int64_t)state.st_mtim.tv_sec * 1000000000 + state.st_mtim.tv_nsec >= moment;
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

/* The record as an operand of gprof: nothing if gprof finds it without. */
static void quote_record(char *out, size_t room, const char *prefix, const char *file)
{
    char path[NAME_ROOM];
    const char *end = strrchr(prefix, '/');

    (void)snprintf(path, sizeof path, "%.*s%s", end ? (int)(end + 1 - prefix) : 0, prefix, file);
    *out = 0;
    if (strcmp(path, "gmon.out.stacks") != 0)
        write_word(out, room, path);
}

/* On a terminal: what to type next.  Files of the run are not older than SINCE; the header has what
   the name of the profile depends on. */
static void say_next(const struct found_program *program, const struct pool_header *header,
                     const struct record_sum *sum, int64_t since)
{
    char name[NAME_ROOM], quoted[NAME_ROOM], image[NAME_ROOM], record[NAME_ROOM];
    struct text text = text_in(name, sizeof name);

    quote_record(record, sizeof record, header->config.prefix, sum->file);
    if (isatty(STDERR_FILENO) && sum->programs > 1)
        say(_("%u programs, %.2f of %.2f s in %s; to see the profile: %s --top%s%s"), sum->programs,
            (double)sum->most / 1000, (double)sum->all / 1000, sum->name, REGMON_GPROF,
            *record ? " " : "", record);
    else if (isatty(STDERR_FILENO) && sum->programs > 0)
        say(_("to see the profile: %s --top%s%s"), REGMON_GPROF, *record ? " " : "", record);
    if (!isatty(STDERR_FILENO) || !program->is_executable || sum->programs > 0)
        return;
    profile_add_stem(&text, header);
    if (!is_newer(name, since))
        return;
    write_word(image, sizeof image, program->path);
    write_word(quoted, sizeof quoted, name);
    if (!strcmp(name, "gmon.out"))
        say(_("to see the profile: %s --top %s"), REGMON_GPROF, image);
    else
        say(_("to see the profile: %s --top %s %s"), REGMON_GPROF, image, quoted);
}

/* Where nothing has a sample. */
static void say_nothing(const struct collected *collected)
{
    if (collected->alive)
        say(_("processes that go on: %u; their samples are written when they end, and 'regmon "
              "--wait' waits for that"),
            collected->alive);
    else if ((double)collected->waited < LEAST_UNSEEN)
        say(_("no samples in %.3f s of CPU time: a longer run has some, and so may a higher rate "
              "(-F)"),
            (double)collected->waited / SECOND);
    else
        say(_("no samples in %.3f s of CPU time"), (double)collected->waited / SECOND);
}

/* Says how much time of the run regmon has not seen, if that is a tenth of all, and of a second (a
   hundredth if nothing has samples); and that nothing has samples.  What is missing of profiled
   processes, these have said. */
static void say_missing(const struct collected *collected, const struct options *options,
                        const struct pool_header *header, int64_t since)
{
    const double waited = (double)collected->waited, profiled = (double)collected->profiled;
    const double sampled = (double)collected->sum.all * 1e6;
    const double unseen = waited - (profiled > sampled ? profiled : sampled);
    const bool has_samples = collected->sum.programs > 0;
    const struct config *config = &header->config;
    char record[NAME_ROOM];
    struct text name = text_in(record, sizeof record);

    if (!collected->is_known || collected->has_failed || options->is_limited || !config->hz ||
        !config->has_stacks || config->is_series || !collected->has_record)
        return;
    profile_add_stem(&name, header);
    text_add(&name, ".stacks");
    if (!has_samples && is_newer(record, 0) && !is_newer(record, since))
        say(_("no samples: %s is of an earlier run"), record);
    if (!collected->is_used ||
        (unseen >= (has_samples ? LEAST_UNSEEN : MOST_OF_START) && unseen >= waited / 10))
        say(collected->is_vague
                ? _("%.2f of %.2f s have no samples")
                : _("%.2f of %.2f s have no samples: programs that did not load the library (an "
                    "emptied environment, static, set-user-ID, another root, a filter), that were "
                    "starting, or children of vfork"),
            unseen / SECOND, waited / SECOND);
    else if (!has_samples)
        say_nothing(collected);
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

/* Reads the environment, which has the options, and says what the library cannot do as it asks.
   Programs do not find what was refused, so that they complain only of what they are given. */
static void read_environment(struct config *config, const char *program)
{
    config_read(config, environ, program);
    config_complain(config);
    for (unsigned i = 0; i < config->refused_count; i++) {
        char *name = strndup(config->refused[i], strcspn(config->refused[i], "="));

        if (!name || unsetenv(name))
            say_failure("%s", strerror(errno));
        free(name);
    }
}

/* Whether the program was executed at all: else, a message has said why not. */
static bool has_run(const struct collected *collected, int status)
{
    return collected->is_used || !WIFEXITED(status) ||
           (WEXITSTATUS(status) != STATUS_NOT_FOUND && WEXITSTATUS(status) != STATUS_CANNOT_RUN);
}

/* Process 1 of a container ends all others with it, and so a collector. */
static bool can_have_collector(const struct options *options)
{
    return !options->is_detached || getpid() != 1;
}

/* The run of the regmon that has started this one, as a program or below a program, has its
   program, too.  Sets the time of its start; 0: it is no program that the other one runs itself. */
static bool joins(const struct options *options, int64_t *since)
{
    const char *directory = getenv(POOL_DIRECTORY), *program = getenv(POOL_PROGRAM);
    char *end;

    if (options->is_apart || !directory || !program || !collector_is_alive(directory))
        return false;
    *since = strtol(program, &end, 10) == getpid() ? strtoll(end, NULL, 10) : 0;
    say(_("the samples are in the record of the regmon that has started this one"));
    return true;
}

static int run(const struct options *options)
{
    char *library = check_library();
    struct found_program program = check_program(options->words[0], library);
    char *prefix = NULL;
    struct collector collector = {.socket = -1, .since = trusted_now(CLOCK_REALTIME_COARSE) + 1};
    struct pool_header header = {.is_program = 1};
    struct collected collected;
    sigset_t former;

    sigprocmask(SIG_SETMASK, NULL, &former);
    read_environment(&header.config, program.path);
    check_directory(header.config.prefix);
    /* As the C library does. */
    if (asprintf(&prefix, "%s%s", header.config.prefix,
                 *header.config.prefix && !options->has_output && !header.config.is_pattern
                     ? ".%p"
                     : "") < 0)
        say_failure("%s", strerror(errno));
    if (options->interval && !can_have_collector(options))
        say_failure("%s", _("process 1 of a container makes no snapshots with -D"));
    const bool is_joined = joins(options, &collector.since);
    const bool has_collector =
        !is_joined && can_have_collector(options) &&
        !collector_start(&collector, program.path, prefix, options->interval, options->is_detached);
    if (!has_collector && !is_joined)
        unsetenv(POOL_DIRECTORY); /* of another regmon */
    preload(library);
    free(library);
    if (options->is_detached)
        run_execute(options->words, collector.since);
    const struct ended ended = run_program(options->words, options->signal, &collector);
    permit_keyboard(&former);
    collected = collector_end(&collector);
    if (collected.is_known && !collected.is_used && options->is_limited)
        say(_("nothing was profiled: no program that --only names was run"));
    header.pid = ended.process;
    header.config.is_pattern |= options->has_output;
    if (!is_joined && has_run(&collected, ended.status)) {
        say_missing(&collected, options, &header, collector.since);
        say_next(&program, &header, &collected.sum, collector.since);
    }
    free(prefix);
    free(program.path);
    return run_end(ended.status);
}

/* ---- Without a program ---- */

static int finish(void)
{
    unsigned left;
    const unsigned count = collector_finish(&left);

    say(_("profiles written: %u"), count);
    return left ? STATUS_REGMON : EXIT_SUCCESS;
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
