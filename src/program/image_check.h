/* image_check.h - whether the executable wrote a profile, and by how much the addresses of the
   profile are shifted.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_IMAGE_CHECK_H
#define REGPROF_PROGRAM_IMAGE_CHECK_H

#include "analysis/callscan.h"
#include "base/hash.h"
#include "base/message.h"
#include "input/gmon.h"
#include "input/image.h"
#include "input/profile_list.h"

/* Set the members up to `symtab'; the rest is zero at the start.  */
struct image_check {
    struct image *image;
    struct diagnostics *diagnostics; /* NULL: only problems are said */
    enum gmon_format format;
    bool refuses;       /* profiles that another executable wrote, with a problem, not a warning */
    bool refuses_names; /* profiles of another build by their names, also where `refuses' is not set
                         */
    bool checks_builds; /* by the stacks beside profiles, which nobody else reads */
    bool has_slide;     /* the slide is `given', and not looked for */
    vma given;
    const struct symtab *symtab; /* of the image's functions; NULL: they have not been read */
    vma slide;                   /* the number to subtract from the addresses of the profile */
    struct callee_sample sample; /* of the profile being read */
    struct pair_map known;       /* callees that were looked at: (address, 0) */
    bool *matches;               /* by number in `known': whether it can be a callee in the image */
    size_t match_count, match_capacity;
    vma *symbols; /* addresses of symbols, ascending; NULL until they are needed */
    size_t symbol_count;
    bool is_refused; /* one of them was refused */
    size_t foreign;  /* profiles that another executable wrote */
    vma warned;      /* the slide of the last warning; 0: none */
};

/* Reads the calls of a profile, and sets the slide: that of the options or, if most callees are not
   where the image counts calls, one that is found, with a warning.  Marks FILE as checked; false
   after a message if it is malformed.  */
bool image_check_begin(struct image_check *check, struct gmon_bytes *file);

/* Sets the slide of a profile that has the ARCS of a sum and HISTOGRAMS.  */
void image_check_sum(struct image_check *check, const struct pair_map *arcs,
                     const struct hist_set *histograms);

/* Called for each arc of the profile being read; SELF is its callee, without the slide.  */
void image_check_callee(struct image_check *check, vma self);

/* Called when the profile at PATH has been read.  Warns of the first profile that another
   executable wrote.  */
void image_check_profile(struct image_check *check, const char *path);

/* Called when all profiles have been read.  Warns if another executable wrote several.  Frees what
   the check holds.  False if some are refused.  */
bool image_check_end(struct image_check *check);

/* Takes the profiles that another executable wrote out of LIST, after a message for each, before
   any is read.  CHECK refuses them; frees what it holds.  */
void image_check_skip(struct image_check *check, struct profile_list *list);

#endif
