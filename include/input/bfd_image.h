/* bfd_image.h - an image as libbfd has it.  For image_bfd.c and debug_bfd.c alone.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_BFD_IMAGE_H
#define REGPROF_INPUT_BFD_IMAGE_H

#include "config.h"

#include <bfd.h>

#include "base/memory_limit.h"
#include "base/message.h"
#include "input/debug_info.h"
#include "input/places.h"

struct image {
    bfd *bfd;
    char *path;
    struct diagnostics *diagnostics; /* not owned */
    asection *text;
    unsigned char *text_bytes; /* NULL until they are read */
    asymbol **table;           /* NULL until it is read */
    size_t table_count;
    asymbol *synthetic;
    size_t synthetic_count;
    struct places in_text;              /* see image_symbols_upto */
    const struct debug_info_ops *debug; /* NULL: there is no debug information */
    void *debug_info;                   /* of that reader */
    char *debug_path;                   /* NULL if there is none */
    bool has_debug, has_debug_path;     /* the members above are set */
    bool is_known_damaged;              /* the debug information, and the user has been told */
    bool has_broken_bfd;                /* passed `line_memory': not for lines, not to be closed */
    struct memory_limit line_memory;    /* for all calls of libbfd's line reader */
    int64_t modified;                   /* seconds since 1970 */
};

/* Surround a call of libbfd.  Trouble in there shows in errno, which it leaves alone otherwise.  */
void bfd_call_begin(void);
/* Whether libbfd complained of the file.  If memory was exhausted, ends the program with a message
   that says WHAT was being read.  */
bool bfd_call_end(const struct image *image, const char *what);

/* The number of symbols of the text at or before ADDR: they come first in `in_text'.  */
size_t image_symbols_upto(struct image *image, vma addr);

/* A size that the text cannot exceed, whatever the headers say.  */
uint64_t image_text_limit(const struct image *image);

#endif
