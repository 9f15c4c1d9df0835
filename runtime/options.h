/* options.h - the command line of regmon.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_OPTIONS_H
#define REGMON_OPTIONS_H

#include <stdbool.h>

enum task {
    TASK_RUN,
    TASK_WAIT,   /* --wait */
    TASK_FINISH, /* --finish */
};

struct options {
    enum task task;
    bool is_detached;   /* -D */
    bool is_limited;    /* --only */
    bool has_output;    /* -o */
    bool is_apart;      /* one of those that say what a collector does is given */
    int signal;         /* -s: writes a snapshot; 0: none */
    unsigned interval;  /* -i: milliseconds between snapshots; 0: none */
    char *const *words; /* the program and its arguments, then NULL */
};

/* Reads the command line.  What the program's library has to know goes into the environment.
   --help,
   --version and wrong command lines end regmon. */
struct options options_read(int count, char **words);

#endif
