/* options.c - the command line of regmon.
   SPDX-License-Identifier: MIT */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"
#include "say.h"

enum {
    MOST_HZ = 50000,
    MOST_SECONDS = 1000000,
    MOST_SIGNAL = 64,
    MOST_DIGITS = 7,
};

enum { LONG_SERIES = 256, LONG_ONLY, LONG_NO_STACKS, LONG_WAIT, LONG_FINISH };

static const char letters[] = "+:r:F:c:o:ams:i:kxSvhVDp:";

static const struct option long_names[] = {
    {"rate", required_argument, NULL, 'r'},
    {"clock", required_argument, NULL, 'c'},
    {"output", required_argument, NULL, 'o'},
    {"all", no_argument, NULL, 'a'},
    {"main", no_argument, NULL, 'm'},
    {"only", required_argument, NULL, LONG_ONLY},
    {"signal", required_argument, NULL, 's'},
    {"interval", required_argument, NULL, 'i'},
    {"series", no_argument, NULL, LONG_SERIES},
    {"keep", no_argument, NULL, 'k'},
    {"outside-init", no_argument, NULL, 'x'},
    {"stacks", no_argument, NULL, 'S'},
    {"no-stacks", no_argument, NULL, LONG_NO_STACKS},
    {"detach", no_argument, NULL, 'D'},
    {"wait", no_argument, NULL, LONG_WAIT},
    {"finish", no_argument, NULL, LONG_FINISH},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* ---- Texts ---- */

_Noreturn static void print_help(void)
{
    fputs(_("Usage: regmon [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
            "       regmon --wait\n"
            "       regmon --finish\n"
            "Run PROGRAM and record where its processor time goes; if it was compiled with\n"
            "-pg, also count its calls, exactly in all threads and processes.\n"),
          stdout);
    fputs(_("\n"
            "  -F, -r, --rate=HZ      samples per second of CPU time, 0 for none (default:\n"
            "                         1000 with the clock perf, otherwise 250; 100 with\n"
            "                         --no-stacks)\n"
            "  -c, --clock=CLOCK      sampling clock: thread or perf (default: perf if the\n"
            "                         kernel permits it; thread with --no-stacks)\n"
            "  -o, --output=NAME      write NAME.stacks and NAME in place of gmon.out.stacks\n"
            "                         and gmon.out: %h is the host, %n the program, %% a\n"
            "                         %; with %p (process) or %r (rank), each process has\n"
            "                         files of its own\n"
            "  -a, --all              also write profiles of objects with samples but no\n"
            "                         calls, such as the C library\n"
            "  -m, --main             write only the file of the main program\n"
            "      --only=NAME        profile only programs of this name, a pattern of the\n"
            "                         shell; may be given several times\n"
            "  -s, --signal=SIGNAL    write a snapshot when regmon gets this signal: USR1,\n"
            "                         USR2, HUP or a number\n"
            "  -i, --interval=SECONDS write a snapshot every SECONDS seconds\n"
            "      --series           write each snapshot to a new file, gmon.out.001, 002\n"
            "                         and so on, with only what came after the snapshot\n"
            "                         before\n"),
          stdout);
    fputs(_("  -k, --keep             keep shared objects in memory when the program closes\n"
            "                         them\n"
            "  -x, --outside-init     attribute calls from outside an object to its _init,\n"
            "                         for other tools\n"
            "  -S, --stacks           write the call stacks of samples to gmon.out.stacks\n"
            "                         (default)\n"
            "      --no-stacks        do not record call stacks\n"
            "  -D, --detach           become PROGRAM, with the same process number and\n"
            "                         parent, instead of waiting for it\n"
            "      --wait             wait for processes that go on (-D, daemons) after runs\n"
            "                         in this directory, and for their profiles\n"
            "      --finish           write the profiles that were left by a collector that\n"
            "                         was killed, and those that had no room\n"
            "  -v, --verbose          print a summary at exit\n"
            "  -h, --help             print this help\n"
            "  -V, --version          print the version\n"),
          stdout);
    fputs(_("\n"
            "Files: gmon.out for PROGRAM, gmon.out.PID for other processes, and for each\n"
            ".SONAME for its shared objects and .stacks for its call stacks.\n"),
          stdout);
    exit(EXIT_SUCCESS);
}

_Noreturn static void print_version(void)
{
    puts("regmon (regprof) " REGMON_VERSION);
    exit(EXIT_SUCCESS);
}

/* Ends regmon after a message about the command line. */
#define wrong(...) (say(__VA_ARGS__), say_failure("%s", _("try 'regmon --help'")))

/* ---- Values ---- */

static void set_variable(const char *name, const char *value)
{
    if (setenv(name, value, true))
        say_failure("%s: %s", name, strerror(errno));
}

static unsigned read_number(const char *option, const char *value, unsigned most)
{
    const size_t digits = strspn(value, "0123456789");
    const unsigned long number = strtoul(value, NULL, 10);

    if (!digits || digits > MOST_DIGITS || value[digits] || number > most)
        wrong(_("option %s requires a number up to %u"), option, most);
    return (unsigned)number;
}

/* Seconds, which may have decimals; in milliseconds. */
static unsigned read_seconds(const char *option, const char *value)
{
    char *end;
    const double seconds = strtod(value, &end);

    if (!*value || value[strspn(value, "0123456789.")] || *end || seconds > MOST_SECONDS ||
        (seconds > 0 && seconds < 0.001))
        wrong(_("option %s requires a number up to %u"), option, MOST_SECONDS);
    return (unsigned)(seconds * 1000 + 0.5);
}

static void set_clock(const char *option, const char *value)
{
    if (!strcmp(value, "itimer"))
        wrong(_("the clock 'itimer' is gone: use 'thread'"));
    if (strcmp(value, "thread") != 0 && strcmp(value, "perf") != 0)
        wrong(_("option %s requires 'thread' or 'perf'"), option);
    set_variable("REGMON_CLOCK", value);
}

/* Faults, clocks, those of the C library and of the kernel, and those that regmon itself needs. */
static bool is_taken(unsigned number)
{
    static const int taken[] = {SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,
                                SIGTRAP, SIGPROF, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN,
                                SIGTTOU, 0,       32,      33};

    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (number == (unsigned)taken[i])
            return true;
    return false;
}

static int read_signal(const char *option, const char *value)
{
    const char *name = strncmp(value, "SIG", 3) ? value : value + 3;
    unsigned number;

    if (!strcmp(name, "USR1"))
        return SIGUSR1;
    if (!strcmp(name, "USR2"))
        return SIGUSR2;
    if (!strcmp(name, "HUP"))
        return SIGHUP;
    number = read_number(option, name, MOST_SIGNAL);
    if (name[0] == '0' || is_taken(number))
        wrong(_("option %s requires a signal that is free to be handled"), option);
    return (int)number;
}

/* A prefix has no other parts with a % than those that stand for something. */
static void set_prefix(const char *option, const char *value)
{
    for (const char *at = strchr(value, '%'); at; at = strchr(at + 2, '%'))
        if (!at[1] || !strchr("phrn%", at[1]))
            wrong(_("option %s knows %%p, %%h, %%r, %%n and %%%%, and no other %% in '%s'"), option,
                  value);
    set_variable("GMON_OUT_PREFIX", value);
}

/* Adds a pattern to those of this command line. */
static void add_only(struct options *options, const char *option, const char *value)
{
    char *all = NULL;

    if (!*value || strchr(value, '/'))
        wrong(_("option %s requires the name of a program, without its directory"), option);
    if (options->is_limited && asprintf(&all, "%s/%s", getenv(POOL_ONLY), value) < 0)
        say_failure("%s", strerror(errno));
    set_variable(POOL_ONLY, all ? all : value);
    free(all);
    options->is_limited = true;
}

/* ---- The command line ---- */

#define REFUSE_PROCESS                                                                             \
    wrong(_("a process that runs already cannot be profiled: use 'perf record -p PID', then '%s "  \
            "perf.data'"),                                                                         \
          REGMON_GPROF)

/* What getopt does not know, or what lacks its argument.  WORD is the last one that it has read: an
   option of one letter may be in the next. */
_Noreturn static void refuse(int found, const char *word)
{
    const bool is_known = optopt > UCHAR_MAX || (isalpha(optopt) && strchr(letters, optopt));

    if (found == ':' && optopt == 'p')
        REFUSE_PROCESS;
    if (found == ':' && !strncmp(word, "--", 2))
        wrong(_("option %s requires an argument"), word);
    if (found == ':')
        wrong(_("option -%c requires an argument"), optopt);
    if (is_known)
        wrong(_("option %.*s takes no argument"), (int)strcspn(word, "="), word);
    if (!optopt)
        wrong(_("unknown option %s"), word);
    wrong(_("unknown option -%c"), optopt);
}

/* Options that set a variable to a value of their own. */
static const struct {
    int letter;
    const char *name, *value;
} fixed[] = {
    {'a', "REGMON_OBJECTS", "all"},         {'m', "REGMON_OBJECTS", "main"},
    {LONG_SERIES, "REGMON_SERIES", "1"},    {'k', "REGMON_KEEP", "1"},
    {'x', "REGMON_OUTSIDE", "init"},        {'S', "REGMON_STACKS", "1"},
    {LONG_NO_STACKS, "REGMON_STACKS", "0"}, {'v', "REGMON_VERBOSE", "1"},
};

/* An option, by the name under which it was given, and its value. */
static void take(struct options *options, int letter, const char *option, const char *value)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (letter == fixed[i].letter)
            set_variable(fixed[i].name, fixed[i].value);
    options->is_apart |= letter < 128 ? strchr("osiDam", letter) != NULL
                                      : letter == LONG_ONLY || letter == LONG_SERIES;
    switch (letter) {
    case 'r':
    case 'F':
        read_number(option, value, MOST_HZ);
        set_variable("REGMON_HZ", value);
        break;
    case 'c':
        set_clock(option, value);
        break;
    case 'o':
        options->has_output = true;
        set_prefix(option, value);
        break;
    case LONG_ONLY:
        add_only(options, option, value);
        break;
    case 's':
        options->signal = read_signal(option, value);
        break;
    case 'i':
        options->interval = read_seconds(option, value);
        break;
    case 'D':
        options->is_detached = true;
        break;
    case LONG_WAIT:
        options->task = TASK_WAIT;
        break;
    case LONG_FINISH:
        options->task = TASK_FINISH;
        break;
    case 'p':
        REFUSE_PROCESS;
    case 'h':
        print_help();
    case 'V':
        print_version();
    }
}

struct options options_read(int count, char **words)
{
    struct options options = {.task = TASK_RUN};
    char name[32];
    int letter, place;

    opterr = 0;
    for (;;) {
        place = -1;
        letter = getopt_long(count, words, letters, long_names, &place);
        if (letter < 0)
            break;
        if (letter == '?' || letter == ':')
            refuse(letter, words[optind - 1]);
        if (place >= 0)
            snprintf(name, sizeof name, "--%s", long_names[place].name);
        else
            snprintf(name, sizeof name, "-%c", letter);
        take(&options, letter, name, optarg);
    }
    options.words = words + optind;
    if (options.task != TASK_RUN && *options.words)
        wrong(_("--wait and --finish take no program"));
    if (options.task == TASK_RUN && !*options.words)
        wrong(_("no program"));
    if (options.is_detached && options.signal)
        wrong(
            _("-s and -D cannot be used together: with -D, regmon is gone when the signal comes"));
    return options;
}
