/* state.h - all mutable data: one struct for the program, one for the process, one for each thread.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_STATE_H
#define REGMON_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel_time.h"
#include "objects.h"
#include "pool.h"
#include "sys.h"

#define BEGUN (-1)

/* See confined.c. */
enum regmon_filter { FILTER_NONE, FILTER_INHERITED, FILTER_OWN };

/* Of this process, in pages of their own, which the kernel fills with zeros in a child of fork,
   whichever function created it: so a child starts without its parent's counts.  See process.c. */
struct process {
    unsigned char counting; /* first: the entry points test it before anything else */
    int pid;                /* 0: a child of clone that has made no profiled call */
    int begun;              /* 0; the thread that begins it; BEGUN: profiled code has run in it */
    unsigned threads;       /* begun so far */
    unsigned short_threads; /* more, the more of the last ones have ended without a sample */
    uint64_t cursor;        /* where the search for a thread that has ended continues */
    struct table *retired;  /* calls and samples of objects that were unloaded; NULL: none */
    struct pool pool;
} __attribute__((aligned(MACHINE_PAGE)));

struct dl_phdr_info;
typedef int object_visitor(struct dl_phdr_info *info, size_t size, void *data);

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
    int (*pthread_setname_np)(unsigned long thread, const char *name);
    long (*syscall)(long number, ...);
    /* Those of the C library that are not taken, but called. */
    int (*pthread_getcpuclockid)(unsigned long thread, int *clock);
    int (*find_object)(void *address, void *found);            /* _dl_find_object */
    int (*iterate_objects)(object_visitor *visit, void *data); /* dl_iterate_phdr */
};

/* Which file a descriptor is. */
struct file_id {
    uint64_t type;
    uint64_t device;
    uint64_t inode;
};

/* Where an object has its code, and its table of functions for unwinding (.eh_frame_hdr). */
struct object_rules {
    struct range code;
    uintptr_t table;     /* 0: none */
    struct range tables; /* the segment that has it */
    bool is_readable;    /* its code can be read, not only executed */
};

/* See rules.c. */
struct rule_entry {
    uint64_t check;
    uint64_t rule;
};

#define NOTED_PARTS 5
#define FIRST_NOTED 256

/* Objects by number, in parts, each as large as all before it: most programs need the first one. */
struct noted {
    size_t count;
    struct object *parts[NOTED_PARTS]; /* NULL: none of its numbers is below count */
};

_Static_assert(FIRST_NOTED << (NOTED_PARTS - 1) == MOST_OBJECTS, "parts");

#define MOST_START_OBJECTS 64
#define MOST_RULES 4096

/* Of the program, from its start to exec.  It survives fork. */
struct regmon_state {
    bool is_prepared;
    bool counting;       /* unless moncontrol has stopped it */
    bool has_begun;      /* profiled code has run */
    bool has_pg;         /* the program is linked with -pg */
    bool is_below;       /* regmon: it is sampled from its start */
    bool is_program;     /* see pool.h */
    int has_perf_failed; /* int: some processors exchange no bytes */
    int has_timers_failed;
    bool is_sampling;           /* the handler of SAMPLE_SIGNAL was installed */
    bool has_small_stacks;      /* alternate signal stacks of the program are too small for it */
    bool is_go;                 /* the program has a runtime of Go, which takes all signals */
    bool has_split_stacks;      /* the program is compiled with -fsplit-stack */
    sys_handler *sample;        /* it; of a module above those that install it */
    void (*child)(void);        /* begins a child of fork; of such a module, too */
    struct sys_sigaction shown; /* what the program has set instead: see actions.c */
    enum regmon_filter filter;  /* of system calls */
    size_t least_stack;         /* bytes of the smallest stack of a thread; 0: not known */
    int first_pid;              /* of the process that was started; others are its children */
    struct noted objects;       /* of the process, so far; a child of fork has them, too */
    size_t first_later;         /* number of the first object that was not there at the start */
    struct object_rules start_objects[MOST_START_OBJECTS]; /* first, the main program */
    unsigned start_count;
    struct rule_entry rules[MOST_RULES]; /* of addresses in use */
    struct next next;
    int64_t started;                        /* real time in nanoseconds */
    int64_t process_start;                  /* before any file of this process: see pool.h */
    char pool_directory[REGMON_PATH_BYTES]; /* empty: none; programs overwrite their environment */
    struct file_id errors;                  /* standard error as it was at the start */
    char **environment;
    struct config config; /* of the next process that begins; what counts is in its pool */
};

/* Of a thread; in the static part of its thread-local storage, so that reading it calls nothing. */
struct regmon_thread {
    struct table *table;   /* first: the entry points look here; NO_TABLE: none so far */
    struct thread *self;   /* NULL: none so far */
    int refused;           /* process id, if there was no memory for a table, or no thread id */
    bool blocks_sample;    /* the program has blocked SAMPLE_SIGNAL; the kernel does not */
    bool child_blocks;     /* the same of the last child of vfork */
    int child;             /* its process number */
    bool is_sampled;       /* the handler of samples is running */
    struct range stack;    /* memory that is certainly the thread's stack, if it is in use */
    struct range readable; /* while the handler runs: the part of it that is in use */
    bool is_paused;        /* its perf clock, by clock_pause */
    int sampled;           /* thread id for which sampling has begun */
    bool is_brief;         /* it began without a perf clock, which it gets at its first signal */
    struct kernel_time kernel_time; /* with a perf clock */
    uint64_t user_time;             /* at the last tick, as ticks count it: in code of its own */
    uint64_t all_time;              /* also in the kernel */
    uint64_t sampled_registers;     /* at its last sample */
};

extern struct regmon_state regmon_state;
extern struct process regmon_process;
extern _Thread_local struct regmon_thread regmon_thread;

#endif
