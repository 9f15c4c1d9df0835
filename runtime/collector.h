/* collector.h - writes the profiles of processes when they have ended, however they ended.
   SPDX-License-Identifier: MIT

   Each profiled process keeps its counts in a file of a directory in memory, the pool, which
   outlives it.  The collector is a process in a session of its own that waits for their ends. */
#ifndef REGMON_COLLECTOR_H
#define REGMON_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"

/* What has become of a run so far.  Times are processor time in nanoseconds. */
struct collected {
    bool is_known;         /* the collector has answered: else, the rest is not known */
    bool has_record;       /* the run has one file for all processes, if there is a sample */
    bool is_used;          /* there was a profiled process */
    bool has_failed;       /* something could not be written, as a message has said */
    unsigned alive;        /* profiled processes that go on */
    uint64_t waited;       /* of all processes that regmon waited for, profiled or not */
    uint64_t profiled;     /* of those that are profiled and have ended */
    bool is_vague;         /* it lacks some of processes that were killed */
    struct record_sum sum; /* of the record that was written */
};

struct collector {
    int socket;    /* to the collector; -1: none */
    int64_t since; /* real time in nanoseconds: files that are older are not of this run */
};

/* Makes the pool, names it in the environment (REGMON_POOL), and starts the collector, which is no
   child of this process when the function returns.  PROGRAM: what regmon runs.  PREFIX: of the
   names of files (GMON_OUT_PREFIX), relative to the current directory; empty: none.  INTERVAL:
   milliseconds between snapshots of the living processes, 0 for none.  IS_ALONE: nobody will wait
   for it (regmon -D): it ends when this process, whatever program it runs by then, and all profiled
   processes have ended.  Prints a message and returns -1 if there can be no pool: then profiled
   programs write by themselves. */
int collector_start(struct collector *collector, const char *program, const char *prefix,
                    unsigned interval, bool is_alone);

/* Whether the directory of a pool has a collector that lives. */
bool collector_is_alive(const char *directory);

/* Asks for a snapshot of all living processes, and does not wait for it.  May be called in a signal
 * handler. */
void collector_snapshot(const struct collector *collector);

/* Waits until the profiles of all processes that have ended are written, and prints what the
   collector has to say. */
struct collected collector_end(struct collector *collector);

/* `regmon --wait': waits until all processes of the runs that were started in this directory have
   ended, and their collectors have written the profiles. */
void collector_wait(void);

/* `regmon --finish': writes what dead collectors of this user have left, and what had no room.
   Returns how many profiles were written; *LEFT: how many still have no room. */
unsigned collector_finish(unsigned *left);

#endif
