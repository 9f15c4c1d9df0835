/* foreign.h - profiles of other profilers: functions, places and stacks by name.

   A format is recognised by the contents of a file.  What all files of a run say is one program:
   its functions become the code of an image (model/listed_code.h), its samples stacks of that
   image.  Formats differ only in how they are read: src/foreign has one file for each.

   A sample has a weight: nanoseconds, bytes, events.  Reports count samples.  Where all weights are
   the same, one sample is one.  Where they differ, their sum has the relative error of
   (sum of weights)^2 / (sum of their squares) samples of one weight, and that many are counted.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_FOREIGN_H
#define REGPROF_MODEL_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#include "model/listed_code.h"
#include "model/recorded_stacks.h"

/* How profiles are read.  */
struct foreign_rules {
    const char *format;  /* its name; NULL: as the contents of each file say */
    const char *value;   /* of several that each sample has; NULL: the format's own choice */
    const char *program; /* of several in one recording; NULL: the one with most samples */
};

/* Samples of one input that end in one place.  */
struct foreign_leaf {
    uint32_t place; /* of the code */
    uint64_t samples;
};

/* A file that was read.  */
struct foreign_input {
    const char *path; /* not owned */
    size_t leaf_end;  /* its last leaf, plus 1 */
};

struct foreign_builder;
struct stream;

/* All files of a program.  Start with a zeroed struct; free with foreign_free.  */
struct foreign {
    struct listed_code code;
    struct recorded_stacks stacks; /* of the program (object 0), at addresses of the code; keeps
                                      files; moved by who analyses them */
    struct foreign_input *inputs;
    struct foreign_leaf *leaves; /* input after input */
    size_t input_count;
    double rate;          /* samples per unit */
    char unit[16];        /* "seconds", "samples", "MB", ... */
    struct stream *first; /* what foreign_find has opened and foreign_read not used; or NULL */
    struct foreign_builder *builder;   /* owns names */
    struct listed_function *functions; /* of the code */
    struct listed_place *places;
};

#endif
