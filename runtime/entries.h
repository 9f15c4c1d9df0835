/* entries.h - the counts of all threads, added up by object, caller and callee.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_ENTRIES_H
#define REGMON_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"

/* Addresses are those of the object's file.  The caller is SAMPLE for samples, and 0 (or _init,
 * with REGMON_OUTSIDE=init) for calls from outside of the object. */
struct entry {
    uint64_t object; /* its place in the list of objects */
    uintptr_t from;
    uintptr_t self;
    uint64_t count;
};

/* What was read of a slot. */
struct taken {
    struct slot *slot;
    uint64_t count;
    uint64_t object;
};

struct entries {
    size_t count;
    size_t capacity;
    struct entry *list;
    bool takes; /* of a series */
    size_t read;
    struct taken *taken; /* of a series, for each entry that was read */
    uint64_t nowhere;    /* calls and samples in no object */
    uint64_t dropped;    /* for want of memory */
    uint64_t damaged;    /* slots with more than there can be */
    struct pool_most left;
};

/* Reads the tables of all threads. */
void entries_read(struct entries *entries, struct objects *objects, const struct pool *pool);
void entries_close(struct entries *entries);

/* Adds one, that of a slot or, if nothing is to be set aside, of none (NULL).  False, and counts it
   as dropped, if memory is exhausted. */
bool entries_add(struct entries *entries, const struct entry *entry, struct slot *slot);

/* Sets aside what was read of an object: it is in a file of the series. */
void entries_take(const struct entries *entries, size_t object);

/* Of calls, or of samples. */
uint64_t entries_total(const struct entry *entries, size_t count, bool of_samples);

/* The caller's address in the object's file; see struct entry. */
uintptr_t entries_caller(const struct object *object, uintptr_t from, bool outside_is_init);

/* Sorts by object, caller and callee, and adds up equal ones. */
void entries_sum(struct entries *entries);

/* The end of the entries from FIRST that are of the same object. */
size_t entries_end_of_object(const struct entries *entries, size_t first);

#endif
