/* gmon_file.h - the profile of one object in the format of gmon.out.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_GMON_FILE_H
#define REGMON_GMON_FILE_H

#include <stddef.h>

#include "entries.h"
#include "out_file.h"

/* The addresses of the histogram, in the object's profile, that has the address. */
struct range gmon_range(const struct object *object, uintptr_t address);

/* What the entry of a sample adds to the checksum of the histograms, which says that stacks belong
   to them.  Readers compute it from the bins: each has (low + its number) * ODD, xor 32 bits less
   of this, times ODD and its samples, modulo 2^64. */
uint64_t gmon_checksum(const struct object *object, const struct entry *sample);

/* Writes the object's entries, which are sorted; there may be none.  HZ: samples per second, or 0.
   Returns 0 or a negative error number. */
long gmon_write(struct out_file *out, const char *path, const struct object *object, unsigned hz,
                const struct entry *entries, size_t count);

#endif
