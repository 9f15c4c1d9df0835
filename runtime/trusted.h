/* trusted.h - what the collector knows of a run from regmon, and not from the run's processes.
   SPDX-License-Identifier: MIT

   A process can write all of its pool, also after it gave up rights that the collector has.  So the
   collector believes only numbers of a pool, and names as parts of file names.  Which directory
   files are in, how their names begin, and which files are older than the run, regmon says. */
#ifndef REGMON_TRUSTED_H
#define REGMON_TRUSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "pool.h"

struct trusted {
    const char *program; /* that regmon runs: its whole path; NULL: not known */
    const char *prefix;  /* of the names of files; empty: none */
    int64_t since;       /* real time: files that are older are not of this run */
    int64_t begun;       /* the same by the clock since the system was started */
    int home;            /* the directory where regmon was started */
    int place;           /* that of the prefix, up to a part with a %; -1: it was not there */
    size_t fixed;        /* bytes of the prefix that name `place' */
    char *refused;       /* a directory that cannot be opened, as a message has said; NULL: none */
};

/* Of a clock. */
int64_t trusted_now(clockid_t clock);

/* A time that is later than those of all files that are there, and not later than those of files
   that are written from now on, for which this waits: the clock of files has ticks, on most
   kernels.  By a file in the directory. */
int64_t trusted_moment(const char *directory);

/* Opens home and place, before the program runs. */
void trusted_open(struct trusted *trusted);

/* Writes it to a file that only the user can write, for --finish and gprof: home, program, prefix,
   and both times as decimal numbers; each ends in NUL. */
bool trusted_write(const struct trusted *trusted, int fd);

/* Reads it, as far as it is there, and opens home and place.  Texts last until the next call. */
void trusted_read(struct trusted *trusted, int fd);

/* Whether a run has one file with the stacks of all processes (record.h): not where the prefix has
   the number of the process or the rank, %p or %r. */
bool trusted_has_record(const struct trusted *trusted);

/* Makes a copy of the header of a pool say what is true of names and times of files. */
void trusted_set_names(const struct trusted *trusted, struct pool_header *header);

/* Adds the processor time of a process that has ended, as its pool says, to *TIME, in nanoseconds.
   Of one that was killed, only its samples are known: sets *IS_VAGUE. */
void trusted_add_time(const struct pool_header *header, uint64_t *time, bool *is_vague);

/* What a pool with so many bytes of memory can hold. */
struct pool_most trusted_most(const struct trusted *trusted, uint64_t bytes);

/* Opens the directory of the files of a process, which the caller closes.  Parts of the prefix that
   were not opened before the program ran name no links.  -1 if that is not possible, after a
   message, which is not said again of the same directory. */
int trusted_place(struct trusted *trusted, const struct pool_header *header);

#endif
