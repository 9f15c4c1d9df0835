/* profile_load.h - reads profiles into the model.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_PROFILE_LOAD_H
#define REGPROF_INPUT_PROFILE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "base/message.h"
#include "input/gmon.h"
#include "input/image.h"
#include "input/profile_list.h"

/* Functions that receive the records of a profile, in file order.  `begin' gets the whole file
   before them, may set FILE->is_checked, and sets *SLIDE to the number that is subtracted from all
   addresses except 0, or returns false after a message.  `histogram' must add the histogram to
   those of the loader's profile: later histograms are checked against these.  */
struct profile_sink {
    void *context;
    bool (*begin)(void *context, struct gmon_bytes *file, vma *slide);
    void (*histogram)(void *context, const struct hist_record *histogram);
    void (*arc)(void *context, vma from, vma self, uint64_t count);
    void (*block)(void *context, vma addr, uint64_t count);
    void (*end)(void *context, const char *path); /* the profile at PATH has been read to its end */
};

/* How histograms of several rates are added up.  */
enum rate_rule {
    RATES_OF_FIRST, /* as if all had the first one's, with a warning */
    RATES_OWN,      /* samples at a lower rate count more ticks (hist_rate_factors) */
    RATES_EXACT     /* so, but only if the largest rate is a multiple of the others */
};

struct load_rules {
    enum gmon_format format;
    bool skip_bad;        /* skip profiles that cannot be used, and continue */
    bool keeps_addresses; /* the sink gets addresses as they were recorded */
    enum rate_rule rates;
    /* Of files of stacks: see struct stack_file, struct program_file.  */
    const char *thread, *called;
};

/* The state of reading.  Set the first five members, and has_read_stdin if standard input has been
   read before; the rest is zero before the first profile.  */
struct loader {
    struct profile *profile;
    struct image *image;
    const struct profile_sink *sink;
    const struct load_rules *rules;
    struct open_files *opened; /* takes the profiles that are there; or NULL */
    struct diagnostics *diagnostics;
    size_t bad; /* profiles skipped */
    /* The current file:  */
    const char *path;
    const struct text_ranges *text;
    vma slide;                  /* the number to subtract from addresses */
    bool has_own_arcs;          /* a callee is in the text */
    bool is_inside;             /* a histogram is in the text */
    struct hist_header outside; /* of the first one that is not; no bins: none */
    size_t outside_offset;
    bool is_of_other_rate; /* as one before: a warning was printed */
    bool has_read_stdin;
    struct file_buffer buffer;
};

/* Reads all INPUTS in order, passes their records to the sink, and adds a file_info of each to the
   loader's profile, which keeps the path ("-" is standard input).  Warns if a profile looks wrong.
   One that cannot be used causes a message and increments loader->bad.  Then the result is false;
   with rules->skip_bad, none of its records is passed to the sink and the next one is read.  */
bool profile_load_all(struct loader *loader, const struct profile_list *inputs);

/* Whether the file at PATH, which begins with the SIZE bytes at BYTES, is empty, text, or one of
   another profiler that is not read: then a message has said so, and what to use instead.  */
bool profile_is_of_other(const char *path, const unsigned char *bytes, size_t size);

/* Whether what begins with these bytes, decompressed, is of another profiler and not read.  */
bool profile_is_unread(const void *bytes, size_t size);

#endif
