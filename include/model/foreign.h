/* foreign.h - profiles of other profilers: functions, places and stacks by name.

   A format is recognised by the contents of a file.  What all files of a run say is one program:
   its functions become the code of an image (model/listed_code.h), its samples stacks of that
   image.  Formats differ only in how they are read: src/foreign has one file for each.

   A sample has a weight: nanoseconds, bytes, events.  Where all weights are the same, one sample is
   one.  Where they differ, their sum has the relative error of
   (sum of weights)^2 / (sum of their squares) samples of one weight.  That many are counted, as
   numbers with fractions, so that shares are those of the weights.  Where nothing was sampled, a
   sample is a unit of what was counted, and has no error.

   Most formats have stacks, which tell inclusive times and callers.  Some state these themselves:
   the times of functions and of calls from one function to another, and how many calls there
   were.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_FOREIGN_H
#define REGPROF_MODEL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/common.h"
#include "model/listed_code.h"
#include "model/recorded_stacks.h"

/* An address in the code of a file.  */
struct code_address {
    const char *path; /* of the file, as it was recorded; of the program, NULL if it was not */
    bool is_program;  /* the file is the program, whose executable may have been named */
    bool is_offset;   /* where it is in the file; else for which address it was linked */
    uint64_t at;
};

/* What is at an address.  Texts live until the next question.  */
struct code_name {
    const char *function;
    const char *file,
        *first_file;           /* of the address, and of the function's start; NULL: not known */
    uint32_t line, first_line; /* 0: not known */
};

enum code_found { CODE_FOUND, CODE_NO_SYMBOL, CODE_NO_FILE, CODE_FAILED /* after a message */ };

/* Names addresses by symbols, which profiles with addresses lack.  Whoever calls the readers knows
   executables, and embeds this struct.  */
struct address_names {
    const char *image; /* path of the executable in front of the profiles; NULL: there is none */
    enum code_found (*find)(struct address_names *names, const struct code_address *address,
                            struct code_name *name);
};

/* Which negative weights can be shown.  */
enum sign_rule {
    SIGNS_ANY,
    SIGNS_OF_STACKS /* not those of times that a profile states */,
    SIGNS_NONE
};

/* How profiles are read.  */
struct foreign_rules {
    struct address_names *names; /* NULL: addresses have no names */
    bool counts_weights;         /* nothing was sampled: weights are counts */
    enum sign_rule signs;
    bool has_small_units; /* events of a processor are in millions only if there is a million: what
                             is compared, now or later, has one unit */
    bool keeps_threads;   /* which thread samples are of is kept, where a format knows it */
    bool folds_libraries; /* all code of a shared library has one name */
    const char *format;   /* its name; NULL: as the contents of each file say */
    const char *value;    /* of several that each sample has; NULL: the format's own choice */
    const char *program;  /* of several in one recording; NULL: the one with most samples.  Or
                             `KEY=VALUE', a label of samples: only those that have it are read */
};

/* Samples of one input that end in one place.  */
struct foreign_leaf {
    uint32_t place; /* of the code */
    int64_t parts;
};

/* A file that was read.  */
struct foreign_input {
    const char *path;          /* not owned */
    size_t leaf_end, call_end; /* its last leaf, and its last call, plus 1 */
};

/* What is known about callers and inclusive times.  */
enum foreign_times {
    FOREIGN_STACKS,   /* from stacks */
    FOREIGN_STATED,   /* as the profile states them */
    FOREIGN_ESTIMATED /* from the numbers of `calls', as for gmon.out */
};

/* Calls from one place to another, with samples of the callee that are charged to the caller.  */
struct foreign_call {
    uint32_t caller, callee; /* of the code */
    uint64_t calls;
    double self, total; /* that end in the callee, NaN: not known; all */
};

/* What profiles say of calls and inclusive times.  */
struct foreign_stated {
    enum foreign_times times;
    struct foreign_call *calls; /* input after input; the same ones can be there several times */
    double *totals; /* by function: inclusive samples; NaN: what it calls has them all */
    size_t call_count, call_capacity, total_count, total_capacity;
};

struct foreign_builder;
struct stream;

/* All files of a program.  Start with a zeroed struct; free with foreign_free.  */
struct foreign {
    struct listed_code code;
    struct recorded_stacks stacks; /* of the program (object 0), at addresses of the code; keeps
                                      files; moved by who analyses them */
    const struct foreign_input *inputs;
    struct foreign_leaf *leaves; /* input after input */
    size_t input_count;
    struct foreign_stated stated;
    enum figures figures;
    bool is_json;         /* the first file is one of our own, in JSON */
    double rate;          /* samples per unit */
    double fineness;      /* what leaves count is one of so many parts of a sample; 1: a sample */
    char unit[UNIT_SIZE]; /* "seconds", "samples", "MB", ... */
    const char *value;    /* which of several values in that unit: `alloc_space'; NULL: not known */
    const char *image;    /* path of the executable in front of them, not owned; or NULL */
    struct stream *first; /* what foreign_find has opened and foreign_read not used; or NULL */
    struct foreign_builder *builder;   /* owns names, inputs and what is stated */
    struct listed_function *functions; /* of the code */
    struct listed_place *places;
};

#endif
