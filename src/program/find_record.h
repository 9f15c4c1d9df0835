/* find_record.h - finds what is meant where no profile is named: the record of a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_FIND_RECORD_H
#define REGPROF_PROGRAM_FIND_RECORD_H

#include "program/request.h"
#include "tables/make_top.h"

/* An executable, and its profiles.  */
struct found_run {
    const char *image;
    const char *called;    /* only its processes that are called so are read; NULL: all */
    bool has_others;       /* nobody asked for this program: the others are of the run, too */
    const char **profiles; /* COUNT of them; NULL: those of the command line */
    size_t count;
    struct profile_list listed; /* owns those found in directories */
    struct stack_file record;   /* owns the paths */
    double unsampled, seconds;  /* of all processes: without samples, and together; 0: not known */
};

/* Sets *RUN to the program that the command line names, by a path or, if there is no such file, by
   its name, and its profiles to those in the record of the run in the current directory,
   gmon.out.stacks; if none is named, to the one with the most time.  Reports of GNU gprof use a.out
   and gmon.out if these are there; others, the record, unless gmon.out is newer.  Where there is no
   record, to what the options say.  The operands may also be files of stacks alone.  False after a
   message.  */
bool find_record(struct found_run *run, const struct request *request);

/* Sets the profiles, if that has not, to those of IMAGE in the record, if it has some.  */
void found_run_list(struct found_run *run, const struct request *request, struct image *image);

/* Whether the names of the COUNT files at PATHS say that they are of stacks, which name the
   executable themselves; or they are directories with such files.  */
bool are_records(const char *const *paths, size_t count);

/* Sets *RUN to all of them, and the program that --program names or that has the most time in the
   first.  The paths outlive it.  False after a message.  */
bool open_records(struct found_run *run, const struct request *request, const char *const *paths,
                  size_t count);

/* Whether the programs or, as BY says, processes of the run are known: it has a record, and only
   one.  A sum does not tell processes apart.  */
bool found_run_is_known(const struct found_run *run, enum top_group by);

/* A program or a process of a run.  */
struct run_part {
    const char *name; /* `cc1 (2 processes)', `cc1 4711' */
    double seconds;
};

/* Lists the programs of RUN, or its processes, as BY says, of all programs or of the one that
   --program names; sets *COUNT.  Free with free; the names
   are those of ARENA and RUN.  */
struct run_part *found_run_parts(const struct found_run *run, const struct request *request,
                                 struct arena *arena, size_t *count);

void found_run_free(struct found_run *run);

#endif
