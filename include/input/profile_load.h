/* profile_load.h - profiles into the model: reads files, checks that they fit together, adds them
 * up.  */
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

/* Where the records of a profile go, in file order.  File infos go into the loader's profile, whose
   histograms decide which others are compatible: `histogram' adds to them.  */
struct profile_sink {
    void *context;
    void (*histogram)(void *context, const struct gmon_histogram *histogram);
    void (*arc)(void *context, vma from, vma self, uint64_t count);
    void (*block)(void *context, vma addr, uint64_t count);
    void (*end)(void *context); /* a profile has been read to its end */
};

struct load_rules {
    enum gmon_format format;
    bool skip_bad; /* go on after a profile that cannot be used, which then counts for nothing */
};

/* What reading goes on with.  Set the first five, and has_read_stdin if standard input has gone
   into something else; the rest is zero at the start.  */
struct loader {
    struct profile *profile;
    const struct image *image;
    const struct profile_sink *sink;
    const struct load_rules *rules;
    struct progress *progress; /* NULL: none */
    size_t bad;                /* profiles skipped */
    /* Of the file being read: */
    const char *path;
    struct text_range text;
    bool has_own_arcs; /* some call enters the text */
    bool has_read_stdin;
    bool warned_image_newer; /* that the image is newer */
    struct file_buffer buffer;
};

/* Reads the profile at PATH ("-" is standard input) and adds it to the loader's profile:
   histograms, one file_info, and the rest through the sink.  Says what is wrong and returns false
   if it cannot be used; warns of what looks wrong and can.  With rules->skip_bad a profile that
   cannot be used leaves no trace but its message and loader->bad.  */
bool profile_load(struct loader *loader, const char *path);

/* Reads all INPUTS one after the other.  False if that ended early, after a message.  */
bool profile_load_all(struct loader *loader, const struct profile_list *inputs);

void loader_free(struct loader *loader);

#endif
