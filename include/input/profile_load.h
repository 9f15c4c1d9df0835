/* profile_load.h - reads profiles, checks that they are compatible, and adds up their records.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_PROFILE_LOAD_H
#define REGPROF_INPUT_PROFILE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/read_file.h"
#include "input/gmon.h"
#include "input/image.h"
#include "input/profile_list.h"

/* Functions that receive the records of a profile, in file order.  `histogram' must add the
   histogram to those of the loader's profile: later histograms are checked against these.  */
struct profile_sink {
    void *context;
    void (*histogram)(void *context, const struct gmon_histogram *histogram);
    void (*arc)(void *context, vma from, vma self, uint64_t count);
    void (*block)(void *context, vma addr, uint64_t count);
    void (*end)(void *context, const char *path); /* the profile at PATH has been read to its end */
};

struct load_rules {
    enum gmon_format format;
    bool skip_bad; /* skip profiles that cannot be used, and continue */
};

/* The state of reading.  Set the first six members, and has_read_stdin if standard input has been
   read before; the rest is zero before the first profile.  */
struct loader {
    struct profile *profile;
    struct image *image;
    const struct profile_sink *sink;
    const struct load_rules *rules;
    struct diagnostics *diagnostics;
    struct progress *progress; /* NULL: none */
    size_t bad;                /* profiles skipped */
    /* About the current file: */
    const char *path;
    struct text_range text;
    bool has_own_arcs; /* a callee is in the text */
    bool has_read_stdin;
    struct file_buffer buffer;
};

/* Reads all INPUTS in order, passes their records to the sink, and adds a file_info of each to the
   loader's profile, which keeps the path ("-" is standard input).  Warns if a profile looks wrong.
   One that cannot be used causes a message and increments loader->bad.  Then the result is false;
   with rules->skip_bad, none of its records is passed to the sink and the next one is read.  */
bool profile_load_all(struct loader *loader, const struct profile_list *inputs);

void loader_free(struct loader *loader);

#endif
