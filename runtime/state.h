/* state.h - all mutable data: one struct for the program, one for the process, one for each thread.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_STATE_H
#define REGMON_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys.h"

#define REGMON_PATH_BYTES 4096
#define REGMON_NAME_BYTES 256

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
    uint64_t memory;                /* most bytes of tables and signal stacks; 0: no limit */
    char prefix[REGMON_PATH_BYTES]; /* of GMON_OUT_PREFIX; empty: none */
    bool is_pattern;                /* the prefix has a %: it is the whole name */
    bool names_process;             /* it has %p, or lacks a rank */
    bool lacks_rank;                /* it has %r, and there is none */
    bool has_rank;                  /* of a parallel program */
    unsigned long rank;
    const char *prefix_read;         /* last, in the environment; only compared */
    char program[REGMON_NAME_BYTES]; /* the last part of its path */
    char host[REGMON_NAME_BYTES];
    char start_dir[REGMON_PATH_BYTES]; /* where the program was when it made its first profiled call
                                        */
};

#define BEGUN (-1)

/* See confined.c. */
enum regmon_filter { FILTER_NONE, FILTER_INHERITED, FILTER_OWN };

/* Of this process.  The kernel fills it with zeros in a child of fork, whichever function created
 * it, so that the child starts without its parent's counts. */
struct process {
    int pid;                 /* 0: a child of clone that has made no profiled call */
    int begun;               /* 0; the thread that begins it; BEGUN: profiled code has run in it */
    int writer;              /* the thread that holds the lock of the writer; 0: none */
    unsigned threads;        /* begun so far */
    struct table *tables;    /* of all threads, also of those that ended; never shrinks */
    struct table *cursor;    /* where the search for one without an owner continues */
    struct retired *retired; /* counts of objects that were unloaded; the writer's */
    uint64_t lost;           /* calls and samples dropped: no memory, or no thread id */
    uint64_t memory;         /* bytes of tables and signal stacks */
    uint64_t crowded;        /* samples dropped because the program's signal stack was full */
    uint64_t weighed;        /* samples that clocks have taken, wherever they went */
    uint64_t cpu_before;     /* CPU time of the process when it began, in nanoseconds */
    uint64_t without_stack;  /* samples whose call stack was dropped: memory was exhausted */
    uint64_t written;        /* calls and samples in the files; 0: there is none of them */
    uint64_t calls_before;   /* of a series: in the files before this one */
    uint64_t samples_before;
    unsigned part;      /* of a series: number of the file */
    unsigned namesakes; /* that have written files of its number, or of an equal prefix */
    bool is_named;      /* its files have their names */
    int is_ending;      /* the last snapshot has been written */
};

/* The functions that this library's have taken the place of; NULL where there are none: see next.c.
 */
struct next {
    int (*pthread_sigmask)(int how, const sigset_t *restrict set, sigset_t *restrict old_set);
    int (*sigprocmask)(int how, const sigset_t *restrict set, sigset_t *restrict old_set);
    int (*dlclose)(void *handle);
    int (*execve)(const char *file, char *const *arguments, char *const *environment);
    int (*execv)(const char *file, char *const *arguments);
    int (*execvpe)(const char *file, char *const *arguments, char *const *environment);
    int (*execvp)(const char *file, char *const *arguments);
    int (*execveat)(int dir, const char *file, char *const *arguments, char *const *environment,
                    int flags);
    int (*fexecve)(int fd, char *const *arguments, char *const *environment);
    int (*sigaction)(int number, const struct sigaction *restrict new_action,
                     struct sigaction *restrict old_action);
    void (*(*signal)(int number, void (*handler)(int number)))(int number);
    void (*(*sysv_signal)(int number, void (*handler)(int number)))(int number);
    int (*sigtimedwait)(const sigset_t *restrict set, siginfo_t *restrict info,
                        const struct timespec *restrict timeout);
    int (*signalfd)(int fd, const sigset_t *set, int flags);
    int (*sigaltstack)(const stack_t *restrict new_stack, stack_t *restrict old_stack);
    int (*prctl)(int option, ...);
    int (*pthread_create)(unsigned long *thread, const void *attributes,
                          void *(*function)(void *argument), void *argument);
    long (*syscall)(long number, ...);
    int (*find_object)(void *address, void *found); /* _dl_find_object; its own, not taken */
};

/* Which file a descriptor is. */
struct file_id {
    uint64_t type;
    uint64_t device;
    uint64_t inode;
};

/* Addresses in memory: [low, high). */
struct range {
    uintptr_t low;
    uintptr_t high;
};

static inline bool is_in_range(struct range range, uintptr_t address)
{
    return address >= range.low && address < range.high;
}

/* Where an object has its code, and its table of functions for unwinding (.eh_frame_hdr). */
struct object_rules {
    struct range code;
    uintptr_t table;     /* 0: none */
    struct range tables; /* the segment that has it */
};

/* See rules.c. */
struct rule_entry {
    uint64_t check;
    uint64_t rule;
};

#define MOST_START_OBJECTS 64
#define MOST_RULES 4096

/* Of the program, from its start to exec.  It survives fork. */
struct regmon_state {
    unsigned char counting; /* first: the entry points test it before anything else */
    bool has_begun;         /* profiled code has run */
    bool is_started_early;  /* __monstartup was called before `environ' was set */
    int has_perf_failed;    /* int: some processors exchange no bytes */
    int has_timers_failed;
    bool is_sampling;           /* the handler of SAMPLE_SIGNAL was installed */
    bool has_small_stacks;      /* alternate signal stacks of the program are too small for it */
    bool is_go;                 /* the program has a runtime of Go, which takes all signals */
    bool has_split_stacks;      /* the program is compiled with -fsplit-stack */
    sys_handler *sample;        /* it; of a module above those that install it */
    struct sys_sigaction shown; /* what the program has set instead: see actions.c */
    enum regmon_filter filter;  /* of system calls */
    size_t least_stack;         /* bytes of the smallest stack of a thread; 0: not known */
    int first_pid;              /* of the process that was started; others are its children */
    struct process *process;    /* NULL: no memory, nothing is counted */
    uintptr_t main_headers;     /* address of the program headers of the main program */
    struct object_rules objects[MOST_START_OBJECTS]; /* at the start; first, the main program */
    unsigned object_count;
    struct rule_entry rules[MOST_RULES]; /* of addresses in use */
    struct next next;
    struct timespec started; /* when the program was, in real time */
    struct file_id errors;   /* standard error as it was at the start */
    char **environment;
    struct config config;
};

/* Of a thread; in the static part of its thread-local storage, so that reading it calls nothing. */
struct regmon_thread {
    struct table *table;   /* first: the entry points look here; NO_TABLE: none so far */
    int refused;           /* process id, if there was no memory for a table, or no thread id */
    bool blocks_sample;    /* the program has blocked SAMPLE_SIGNAL; the kernel does not */
    bool child_blocks;     /* the same of the last child of vfork */
    int child;             /* its process number */
    bool is_sampled;       /* the handler of samples is running */
    struct range stack;    /* memory that is certainly the thread's stack, if it is in use */
    struct range readable; /* while the handler runs: the part of it that is in use */
    bool is_paused;        /* its perf clock, by clock_pause */
    int sampled;           /* thread id for which sampling has begun */
    int64_t uncounted;     /* with a perf clock: periods of CPU time that have no samples */
};

extern struct regmon_state regmon_state;
extern _Thread_local struct regmon_thread regmon_thread;

#endif
