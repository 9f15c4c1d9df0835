/* profile_totals.h - what the histograms of a profile add up to, to find the stacks that were
   written with it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_PROFILE_TOTALS_H
#define REGPROF_INPUT_PROFILE_TOTALS_H

#include "input/gmon.h"
#include "model/hist_set.h"

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

#endif
