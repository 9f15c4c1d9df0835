/* check_image.h - whether the executable is the one that wrote the profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_CHECK_IMAGE_H
#define REGPROF_PROGRAM_CHECK_IMAGE_H

#include "analysis/call_sites.h"
#include "base/hash.h"
#include "program/run.h"

/* Set the first four; the rest is zero at the start.  */
struct image_check {
    struct image *image;
    struct text_range text; /* the image's */
    struct diagnostics *diagnostics;
    const struct symtab *symtab; /* of the image's functions; NULL: they have not been read */
    struct callee_sample sample; /* of the profile being read */
    struct pair_map known;       /* callees that were looked at: (address, 0) */
    bool *matches;               /* by their number: whether they can be callees in the image */
    size_t match_count, match_capacity;
    vma *symbols; /* addresses of symbols, ascending; NULL until they are needed */
    size_t symbol_count;
    size_t foreign; /* profiles that another executable wrote */
};

/* An arc of the profile being read leads to SELF.  */
void image_check_callee(struct image_check *check, vma self);

/* The profile at PATH is read to its end: warns if another executable wrote it and it is the first
   such one.  */
void image_check_profile(struct image_check *check, const char *path);

/* All profiles are read: warns if there were more such ones.  Frees what the check holds.  */
void image_check_end(struct image_check *check);

#endif
