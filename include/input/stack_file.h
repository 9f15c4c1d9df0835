/* stack_file.h - files of call stacks: libregmon writes PROFILE.stacks beside each profile, and -s
   one beside the sum.

       # regmon stacks 3
       # rate 1000
       # build-id 1f6e40a8d5e1b7c0
       # histogram 1000 5f40 57
       # checksum 5ad0e5f1c87b3a91
       # ticks 57
       # program 0 prog
       # file 0 1f6e40a8d5e1b7c0 /home/u/prog
       # object 3 libfoo.so.1
       # file 3 - /usr/lib/libfoo.so.1
       # calls 3 1200
       # object 4 [generated code]
       # generated 1 LazyCompile:*find search.js:7
       # thread 4711 worker 1
       0:1139;0:1180;3:1120 12
       0:1139;4:1;4:0 12
       # samples 24

   Each line without # is a stack: frames, outermost first, then samples.  A frame is the number of
   an object and an address in its file, in hexadecimal, or `?', which is not known.  A stack whose
   first frame is `?' is cut: its callers are not known.

   `ticks' says how many interruptions the samples are of, which may count for several; without the
   line, each for one.  `file' has the build id of an object, or `-', and the path of its file.
   `calls' says how many calls an object counted; they are in a profile of its own.
   The object [generated code] has no file: its addresses are numbers that `generated' gives to
   functions of this file, or 0.  `thread' has number and name of the thread whose stacks follow.

   Names and paths are escaped, so that none begins a line: `\\' is a backslash, `\n' a newline, and
   `\x07' another control character.

   `histogram' has the range and the samples of the profile that was written with the file, and
   `build-id' is that of the program.  `checksum' is that of the histogram: of its samples and their
   bins.  Files of earlier versions have none.  `samples' are those of the lines above, since the
   last such line.  Other lines with # are skipped.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_STACK_FILE_H
#define REGPROF_INPUT_STACK_FILE_H

#include "base/files.h"
#include "base/memory.h"
#include "input/profile_totals.h"
#include "model/recorded_stacks.h"

/* How a file of any version begins, and of the version that is written.  Version 2 is read, too:
   its files have one section.  */
#define STACKS_FORMAT "# regmon stacks"
#define STACKS_START STACKS_FORMAT " 3"

/* ---- Origin ---- */

/* What a file of stacks says about its origin.  */
struct stacks_origin {
    char build_id[2 * 32 + 1];    /* in hexadecimal; empty: none */
    struct profile_totals totals; /* of the profile; high 0: the file does not say */
    bool has_checksum;            /* in TOTALS */
    uint64_t in_program; /* samples of stacks that end in the program, as those of TOTALS */
    uint64_t code_low, code_high; /* of the program's code; code_high 0: not known */
};

/* ---- Names ---- */

/* The name of the file of stacks of the profile at PATH: PATH.stacks, where PATH is taken without
   the ending .gz or .zst.  */
const char *stack_file_path(struct arena *arena, const char *path);

/* The regular file with the stacks of the profile at PATH: of that name, or of that name with .gz
   or .zst; else that of the run, whose profile has the name without the number of a process.  PATH,
   if it is named so itself.  NULL if there is none.  */
const char *stack_file_beside(struct arena *arena, const char *path);

/* Whether the name of a file says that it is one of stacks.  */
bool stack_file_is_named(const char *path);

/* Whether PATH is a regular file, not a link, that begins as files of stacks do.  */
bool stack_file_is_written(const char *path);

/* ---- Contents ---- */

/* The stacks of a process: the section of a file, or all of it.  Texts are the file's.  */
struct stack_section {
    const char *start, *end; /* its lines; the first one is that with the version */
    size_t line;             /* number of this one */
    struct stacks_origin origin;
    uint64_t process,
        parent;          /* numbers of the process, and of that which started it; 0: not known */
    uint64_t began;      /* nanoseconds since 1970; 0: not known */
    bool is_first;       /* regmon ran it */
    const char *command; /* the name by which it was executed; NULL: not known */
    const char *program; /* its name; NULL: it is damaged */
    const char *path;    /* of its executable; NULL: not known */
    const char *profile; /* the name of the file with what it counted; NULL: nothing */
    uint64_t samples;
    uint64_t library; /* the number of the object that counts calls; 0: none */
    bool is_chosen;   /* to be read */
};

/* A file of stacks.  Zeroed = closed.  */
struct stack_file {
    const char *path;   /* not owned */
    const char *thread; /* `thread=NAME' or `tid=NUMBER': what is read of the chosen sections; NULL:
                           all.  Not owned */
    struct string_map threads; /* if so: those that there are */
    bool has_thread;           /* ... and this is one of them */
    struct file_buffer buffer;
    struct arena arena;
    struct stack_section *sections;
    size_t count;
    uint64_t waited; /* processor time of the processes that regmon waited for, in nanoseconds; 0:
                        not known */
};

/* An executable; either may be NULL: not known.  CALLED: only processes that people call so; NULL:
   all.  */
struct program_file {
    const char *build_id, *path, *called;
};

/* Opens the file at PATH, which may be compressed, and reads what the heads of its sections say;
   none is chosen.  Close it also if the result is false, after a message.  */
bool stack_file_open(struct stack_file *file, const char *path);
void stack_file_close(struct stack_file *file);

/* The program of SECTION, and whether it is PROGRAM: by build ids if both are known, else by the
   last parts of the paths.  */
struct program_file stack_section_program(const struct stack_section *section);
bool stack_section_is_of(const struct stack_section *section, const struct program_file *program);

/* How people call it: the last part of the path; `?' if the section is damaged.  It is also called
   by the whole path, and by the name by which it was executed.  */
const char *stack_section_name(const struct stack_section *section);
bool stack_section_is_called(const struct stack_section *section, const char *name);

/* The samples of SECTION, without those of counting calls.  */
uint64_t stack_section_own_samples(const struct stack_section *section);

/* A profile, to find its stacks.  */
struct profile_file {
    const char *path;
    struct profile_totals totals;
};

/* Chooses sections: if PROFILE is not NULL, the section that was written with it, or all sections
   of a program, preferably PROGRAM, that were written with it together; else, and if none were,
   those of PROGRAM; if there are none, those of the first program.  */
void stack_file_choose(struct stack_file *file, const struct program_file *program,
                       const struct profile_file *profile);

/* Chooses those of PROGRAM; returns how many.  */
size_t stack_file_choose_program(struct stack_file *file, const struct program_file *program);

/* Whether these are the first bytes of such a file.  */
bool stack_file_begins(const unsigned char *bytes, size_t size);

/* Adds what ORIGIN says to SUM, which at first has a checksum and nothing else.  */
void stacks_origin_add(struct stacks_origin *sum, const struct stacks_origin *origin);

/* What the sections that are chosen say, added up.  */
struct stacks_origin stack_file_origin(const struct stack_file *file);

/* Whether stacks that say ORIGIN were written with a profile that has the totals FOUND.  */
bool stacks_are_of_profile(const struct stacks_origin *origin, const struct profile_totals *found);

/* Adds the stacks of the chosen sections to STACKS, and sets *ORIGIN; adds where they end in the
   program to LEAVES, unless it is NULL.  False after a message.  */
bool stack_file_read(struct recorded_stacks *stacks, struct stacks_origin *origin,
                     struct stack_leaves *leaves, struct stack_file *file);

#endif
