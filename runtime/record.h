/* record.h - the record of a run: one file with the call stacks of all its processes.
   SPDX-License-Identifier: MIT

   What has ended has a section (stacks_file.c), a file of its own in the directory of the pool,
   that is there as a whole or not at all.  The record is a head and these sections:

       # regmon stacks 3
       # run regmon-Xa81Kd
       # waited 1170000000

   `run' is a name that no other run has; `waited', the processor time, in nanoseconds, of all
   processes that regmon has waited for, profiled or not. */
#ifndef REGMON_RECORD_H
#define REGMON_RECORD_H

#include <stdint.h>

#define RECORD_NAME_BYTES 256

/* What a record has: programs, their samples in thousandths of seconds, those of the program with
   the most, and its name. */
struct record_sum {
    unsigned programs;
    uint64_t all, most;
    char name[RECORD_NAME_BYTES];
    char file[RECORD_NAME_BYTES + 16]; /* the name of the record, without directories */
};

struct record {
    const char *name; /* without `.stacks' */
    const char *run;
    int sections;    /* the directory that has them */
    int64_t since;   /* real time: older files are not of this run */
    uint64_t waited; /* 0: not known */
    uint64_t room;   /* bytes of the files that are written */
};

/* Writes NAME.stacks in a directory, unless there are no sections.  Beside it, NAME gets the
   samples of all processes of the program that regmon runs, if that has no profile of its own: it
   counted nothing.  Another run may have written files of these names since this one began: then
   the names are NAME-2.stacks and NAME-2.  *SUM: what was written; no programs: nothing.  Returns
   0, or a negative number of an error, after a message. */
long record_write(const struct record *record, int place, struct record_sum *sum);

#endif
