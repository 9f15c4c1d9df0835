/* stack_file.h - files of call stacks: libregmon writes PROFILE.stacks beside each profile, and -s
   one beside the sum.

       # regmon stacks 1
       # rate 1000
       # build-id 1f6e40a8d5e1b7c0
       # histogram 1000 5f40 57
       # checksum 5ad0e5f1c87b3a91
       # program 0 prog
       # object 3 libfoo.so.1
       0:1139;0:1180;3:1120 12
       # samples 12

   Each line without # is a stack: frames, outermost first, then samples.  A frame is the number of
   an object and an address in its file, in hexadecimal, or `?', which is not known.  A stack whose
   first frame is `?' is cut: its callers are not known.

   `histogram' has the range and the samples of the profile that was written with the file, and
   `build-id' is that of the program.  `checksum' is that of the histogram: of its samples and their
   bins.  Files of earlier versions have none.  `samples' are those of the lines above, since the
   last such line.  Other lines with # are skipped.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_STACK_FILE_H
#define REGPROF_INPUT_STACK_FILE_H

#include "base/memory.h"
#include "input/gmon.h"
#include "model/hist_set.h"
#include "model/recorded_stacks.h"

/* ---- Which profile a file belongs to ---- */

/* The histograms of a profile.  */
struct profile_totals {
    uint64_t low, high; /* range of the first one; high is 0 if there is none */
    uint64_t samples;
    uint64_t checksum; /* of samples and their bins; that of a sum is the sum */
    uint32_t rate;     /* samples per second */
};

/* Sums up the histograms of the profile at PATH, and adds them to SET without their samples.
   False, without a message and with SET unchanged, if the profile is no regular file, cannot be
   read, or has histograms that cannot be added to those in SET.  */
bool profile_totals_read(struct profile_totals *totals, struct hist_set *set, const char *path,
                         enum gmon_format format, const struct gmon_layout *layout);

/* The totals of the profile that is written with SET.  */
struct profile_totals profile_totals_of(const struct hist_set *set);

/* What a file of stacks says about its origin.  */
struct stacks_origin {
    char build_id[2 * 32 + 1];    /* in hexadecimal; empty: none */
    struct profile_totals totals; /* of the profile; high 0: the file does not say */
    bool has_checksum;            /* in TOTALS */
    uint64_t in_program; /* samples of stacks that end in the program, as those of TOTALS */
};

/* Where the stacks of a file without a checksum end in the program.  Zeroed = empty; free with
   stack_leaves_free.  */
struct stack_leaves {
    struct pair_map addrs; /* (address, 0) */
    uint64_t *samples;     /* by number of the address */
    size_t capacity;
};
void stack_leaves_free(struct stack_leaves *leaves);

/* Where the functions of the image begin, ascending; not owned.  */
struct function_starts {
    const vma *starts;
    size_t count;
};

/* Whether LEAVES are those of the samples in the profile at PATH, which profile_totals_read has
   read: as many in each of FUNCTIONS, or in each bin if none are known.  libregmon writes the
   stacks after the profile: other threads may add samples meanwhile, or memory was short, so that
   some lack stacks; but not both, but for 1 % of the samples.  */
bool stack_leaves_fit(const struct stack_leaves *leaves, const struct function_starts *functions,
                      const char *path, enum gmon_format format, const struct gmon_layout *layout);

/* ---- Names ---- */

/* The name of the file of stacks of the profile at PATH: PATH.stacks, where PATH is taken without
   the ending .gz or .zst.  */
const char *stack_file_path(struct arena *arena, const char *path);

/* The regular file of that name, or of that name with .gz or .zst; NULL if there is none.  */
const char *stack_file_beside(struct arena *arena, const char *path);

/* Whether the name of a file says that it is one of stacks.  */
bool stack_file_is_named(const char *path);

/* Whether PATH is a regular file, not a link, that begins as files of stacks do.  */
bool stack_file_is_written(const char *path);

/* ---- Contents ---- */

/* Adds the stacks in the file at PATH, which may be compressed, to STACKS, and sets *ORIGIN; if the
   file has no checksum, adds where they end to LEAVES, unless it is NULL.  False after a message.
 */
bool stack_file_read(struct recorded_stacks *stacks, struct stacks_origin *origin,
                     struct stack_leaves *leaves, const char *path);

/* Writes STACKS, which are not named yet.  Check ferror(OUT) afterwards.  */
void stack_file_write(FILE *out, const struct recorded_stacks *stacks,
                      const struct stacks_origin *origin);

#endif
