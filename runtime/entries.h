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
    uint64_t object;
    uintptr_t from;
    uintptr_t self;
    uint64_t count;
};

struct entries {
    size_t count;
    size_t capacity;
    struct entry *list;
    uint64_t nowhere; /* calls and samples in no object */
    uint64_t dropped; /* for want of memory */
};

/* Counts that are not in the tables any more, in process->retired: of an object that has been
   unloaded, or of a part of a series that could not be written. */
struct retired {
    struct retired *next;
    size_t count;
    struct object object;
    struct entry entries[];
};

void entries_open(struct entries *entries);
void entries_close(struct entries *entries);

/* Adds what is in the tables of all threads.  TAKES sets it aside there, and notes which objects
   have had calls. */
void entries_read(struct entries *entries, struct objects *objects, bool takes);

uint64_t entries_total(const struct entry *entries, size_t count);

/* Notes that so many calls and samples are lost for want of memory. */
void entries_lose(uint64_t count);

/* Keeps a copy of the object's entries in process->retired. */
void retired_keep(const struct object *object, const struct entry *entries, size_t count);

/* The size of one in memory that sys_map has given. */
size_t retired_bytes(size_t count);

/* Removes all of them, or those of which all counts are 0. */
void retired_drop(bool is_all);

/* Adds only the counts of objects that are marked as leaving, and sets them aside in the tables. */
void entries_take(struct entries *entries, struct objects *objects);

/* False if memory is exhausted: then its count is added to `dropped'. */
bool entries_add(struct entries *entries, const struct entry *entry);

/* Sorts by object, caller and callee, and adds up equal ones. */
void entries_sum(struct entries *entries);

/* The end of the entries from FIRST that are of the same object. */
size_t entries_end_of_object(const struct entries *entries, size_t first);

#endif
