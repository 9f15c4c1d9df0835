/* bfd_image.h - an image as libbfd has it.  For image_bfd.c, bfd_file.c, debug_bfd.c and
   debug_file.c alone.  */
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
    bfd *separate;         /* the file that has the symbols of a stripped image; or NULL */
    asection *symbol_text; /* the text section that `table' refers to */
    bool is_stripped;      /* has no symbols of its own, except for the loader */
    char *separate_path;   /* of the file with what was split off; NULL if there is none */
    bool is_debug_beside;  /* it was found by its name: libbfd does not read lines from it by itself
                            */
    bool has_debug, has_separate_path; /* the members above are set */
    bool is_known_damaged;             /* the debug information, and the user has been told */
    bool has_broken_bfd;               /* passed `line_memory': not for lines, not to be closed */
    struct memory_limit line_memory;   /* for all calls of libbfd's line reader */
    uint64_t file_size;                /* in bytes */
    int64_t modified;                  /* seconds since 1970 */
};

/* As bfd_openr, but also for a process that forks: each reads at its own offsets.  */
bfd *bfd_file_open(const char *path, const char *target);

/* Surround a call of libbfd.  Trouble in there shows in errno, which it leaves alone otherwise.  */
void bfd_call_begin(void);
/* Whether libbfd complained of the file.  If memory was exhausted, ends the program with a message
   that says WHAT was being read.  */
bool bfd_call_end(const struct image *image, const char *what);

/* The number of symbols of the text at or before ADDR: they come first in `in_text'.  */
size_t image_symbols_upto(struct image *image, vma addr);

/* A size that the text cannot exceed, whatever the headers say.  */
uint64_t image_text_limit(const struct image *image);

/* ---- debug_file.c: the file with what was split off a stripped image ---- */

/* The path, on the heap, of a file that belongs to the image: by its build id, by .gnu_debuglink,
   or because it is NAME.debug beside the image NAME and has the same build id or, if neither has
   one, the same text section.  NULL if there is none.  */
char *debug_file_find(struct image *image);

/* Opens the file at PATH.  NULL if it is not an object file.  Close with bfd_close.  */
bfd *debug_file_open(const struct image *image, const char *path);

/* The section of FILE with the name and the addresses of the image's text; NULL if there is none.
 */
asection *debug_file_text(const struct image *image, bfd *file);

#endif
