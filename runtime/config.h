/* config.h - reads the environment variables.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_CONFIG_H
#define REGMON_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define REGMON_PATH_BYTES 4096
#define REGMON_NAME_BYTES 256
#define MOST_REFUSED 10

enum regmon_clock { CLOCK_OF_THREAD, CLOCK_OF_PERF };
enum regmon_objects { OBJECTS_WITH_CALLS, OBJECTS_ALL, OBJECTS_MAIN };

/* What the environment variables say: see config.c. */
struct config {
    enum regmon_clock clock;
    enum regmon_objects objects;
    unsigned hz;          /* samples per second of CPU time; 0: none */
    unsigned refused_hz;  /* what was asked for, if the kernel's tick is slower; else 0 */
    bool lacks_perf;      /* CLOCK_OF_PERF was asked for, and is not permitted */
    bool keeps_objects;   /* dlclose does nothing */
    bool outside_is_init; /* calls from outside of an object come from its _init, not from 0 */
    bool has_stacks;      /* samples are recorded with their call stacks */
    bool has_clock;       /* the clock is the one that was asked for */
    bool is_series;       /* each snapshot has its own file, with what came after the one before */
    bool verbose;
    uint64_t memory;    /* most bytes of the pool; 0: no limit */
    bool is_pattern;    /* the prefix has a %: it is the whole name */
    bool names_process; /* it has %p, or lacks a rank */
    bool lacks_rank;    /* it has %r, and there is none */
    bool has_rank;      /* of a parallel program */
    unsigned long rank;
    const char *prefix_read;           /* last, in the environment; only compared */
    const char *refused[MOST_REFUSED]; /* entries of the environment with invalid values */
    unsigned refused_count;
    char program[REGMON_NAME_BYTES]; /* the last part of its path */
    char host[REGMON_NAME_BYTES];
    char prefix[REGMON_PATH_BYTES]; /* of GMON_OUT_PREFIX; empty: none.  Last, as it is often short
                                     */
};

/* Reads the variables into *CONFIG.  ENVIRONMENT may be NULL: all have their defaults.  PROGRAM is
   the path of the program, or NULL. */
void config_read(struct config *config, char **environment, const char *program);

/* Reads GMON_OUT_PREFIX again, since programs set it while they run; prints a message if its value
   is invalid.  Not in a signal handler. */
void config_read_prefix(struct config *config, char **environment);

/* Makes names of files that of a process be what a writer outside of it wants: by this prefix and
   its own host, and with a program's name that is a part of a path. */
void config_set_names(struct config *config, const char *prefix);

/* Prints a message for each variable whose value was invalid. */
void config_complain_of_values(const struct config *config);

/* The same, and for what the kernel refuses. */
void config_complain(const struct config *config);

#endif
