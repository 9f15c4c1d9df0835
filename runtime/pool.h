/* pool.h - the memory in which a process counts, and which outlives it.
   SPDX-License-Identifier: MIT

   Under `regmon' it is a file of the directory that REGMON_POOL names, which the process maps and
   closes.  While the mapping is there, the file is locked (flock): so the collector knows a process
   that has ended from one that has not.  Without regmon it is private memory.

   A pool is read by its offsets, because a process and the collector have it at different
   addresses.  It is mapped in parts, each as large as all before it, and is never moved: so a
   process may have addresses of what is in it.  Nothing in it is freed. */
#ifndef REGMON_POOL_H
#define REGMON_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"

#define POOL_MAGIC 0x372d6e6f6d676572 /* "regmon-7": changes with every struct in it */
#define POOL_PARTS 18
#define POOL_DIRECTORY "REGMON_POOL"
/* The number of the process that regmon runs, and when it was started, in nanoseconds. */
#define POOL_PROGRAM "REGMON_PROGRAM"

/* A file in the directory: a process has complained of values that were set below regmon. */
#define POOL_REFUSED "refused"

#define POOL_ONLY "REGMON_ONLY" /* which programs are meant: patterns with a / between them */

/* What the writer of the files has to know the next time. */
struct pool_files {
    uint64_t written;      /* calls and samples in the files; 0: there is none of them */
    uint64_t calls_before; /* of a series: in the files before this one */
    uint64_t samples_before;
    unsigned part;      /* of a series: number of the file */
    unsigned namesakes; /* other files have the names with smaller numbers */
    int is_named;       /* its files have their names */
    int is_late;        /* it had no room, and is written after the end of the run */
};

/* At offset 0.  Times are nanoseconds.  The process can write all of it: under regmon, the
   collector believes only numbers, and takes the rest from regmon (trusted.h). */
struct pool_header {
    uint64_t magic;   /* 0 until the rest is valid */
    uint64_t used;    /* bytes */
    uint64_t first;   /* bytes of the first part */
    uint64_t tables;  /* the newest table; 0: none */
    uint64_t threads; /* the newest struct thread */
    uint64_t objects; /* the newest struct pool_object */
    int pid;
    int parent;      /* the process that has started it; 0: a filter may forbid to ask */
    int is_child;    /* of fork: another process of the program has begun before it */
    int is_program;  /* without regmon, or in the process that it runs; else another has started it
                      */
    int begun;       /* a profiled call has been made, or samples are taken */
    int has_pg;      /* the program is linked with -pg */
    int is_replaced; /* by another program, which the process executes */
    int writer;      /* the thread that holds the lock of the writer, or WRITER_OUTSIDE; 0: none */
    int is_sampled;  /* the library has installed the handler of samples */
    int has_other_handler;  /* at the end, the program has set another one */
    int has_split_stacks;   /* the program is compiled with -fsplit-stack */
    int64_t program_start;  /* real time of its first process */
    int64_t process_start;  /* of the process, or of the first one below regmon: not after any file
                               that this process has written; INT64_MAX: not known */
    int64_t opened;         /* real time when the process made the pool */
    uint64_t cpu_before;    /* processor time of the process when it began */
    uint64_t cpu_time;      /* since then; 0: not known */
    uint64_t lost;          /* calls and samples dropped: no memory, or no thread id */
    uint64_t weighed;       /* samples that clocks have taken, wherever they went */
    uint64_t ticks;         /* that have taken samples */
    uint64_t crowded;       /* samples dropped because the program's signal stack was full */
    uint64_t without_stack; /* samples whose call stack was dropped: memory was exhausted */
    struct pool_files files;
    struct config config;
    char directory[REGMON_PATH_BYTES]; /* in which the process began; empty: not known */
};

#define WRITER_OUTSIDE (-1)

/* What a pool can hold, and its files: more is damage.  A process has no limit for its own. */
struct pool_most {
    uint64_t calls;
    uint64_t samples;
    uint64_t bytes;  /* of all its files */
    uint64_t memory; /* bytes that are not holes, or more */
};

struct pool {
    struct pool_header *header; /* NULL: there is none */
    bool is_file;               /* the collector writes the profile */
    uint64_t bytes;             /* that may be read, however many are in use by then */
    uint64_t first;             /* bytes of the first part, as the header says */
    char *parts[POOL_PARTS];    /* NULL: not mapped */
    uint64_t present;           /* memory before this offset is there */
    struct pool_most most;
    bool is_fixed; /* no more can be made: a filter forbids system calls */
};

/* Takes COUNT off what may be left; false if it is more. */
static inline bool pool_may_hold(uint64_t *left, uint64_t count)
{
    if (count > *left)
        return false;
    *left -= count;
    return true;
}

/* Bytes that are in use, and may be read. */
static inline uint64_t pool_used(const struct pool *pool)
{
    const uint64_t used = __atomic_load_n(&pool->header->used, __ATOMIC_ACQUIRE);

    return used < pool->bytes ? used : pool->bytes;
}

/* Makes the pool of this process.  DIRECTORY may be NULL: private memory.  False if there is no
   memory. */
bool pool_open(struct pool *pool, const char *directory, int pid);

/* Zeroed bytes, at a multiple of 128; *OFFSET is their place.  NULL if there is no memory, or
   REGMON_MEMORY does not allow it.  May be called in a signal handler. */
void *pool_take(struct pool *pool, size_t bytes, uint64_t *offset);

/* Puts a complete piece at OFFSET, whose link is *NEXT, before the others of a list. */
static inline void pool_push(uint64_t *list, uint64_t *next, uint64_t offset)
{
    *next = __atomic_load_n(list, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(list, next, offset, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
}

/* One at a time reads all tables, or changes what belongs to the profile: HOLDER, a thread or
   WRITER_OUTSIDE.  Waits for others, up to 10 s.  False if HOLDER has the lock already, or another
   one keeps it. */
bool pool_lock(struct pool_header *header, int holder);
void pool_unlock(struct pool_header *header);

/* Before a filter of system calls: makes 4 MB present for what is taken later, without any. */
void pool_fix(struct pool *pool);

/* So many bytes at an offset; NULL for 0 and if they are not in the pool. */
void *pool_at(const struct pool *pool, uint64_t offset, size_t bytes);

#endif
