/* table.h - calls and samples of a thread, by caller and callee.
   SPDX-License-Identifier: MIT

   Only the thread that owns a table changes it, and its signal handlers, also in the middle of a
   change. Others read it at the same time.  A table is never moved and never freed.  One that is
   too full is followed by a larger one, in which the same arc may appear again; readers add them
   up. */
#ifndef REGMON_TABLE_H
#define REGMON_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"

/* The `from' of a sample; `self' is where the program was. */
#define SAMPLE UINTPTR_MAX

struct slot {
    uintptr_t from;
    uintptr_t self; /* 0: free; SLOT_BUSY: being taken; else, from is valid */
    uint64_t count;
    uint64_t aside; /* part of count that does not belong to the profile any more */
};

#define SLOT_BUSY 1

struct table {
    uint64_t mask; /* of the offset of a group; 0: the kernel has wiped this table in a child */
    struct table *next;   /* in process->tables */
    uint64_t capacity;    /* slots */
    uint64_t used;        /* slots in use, approximately */
    uint64_t detours;     /* calls that the entry point did not find */
    struct table *larger; /* that follows this one, which was too full; NULL: none */
    int owner;            /* thread id; of the first table of a thread only */
    int has_timer;
    int timer;
    void *perf_clock;     /* NULL: none */
    void *signal_stack;   /* NULL: none */
    struct table *stacks; /* of the first table of a thread: that of its stacks; NULL: none */
    uintptr_t *frames;    /* memory for one call stack; NULL: none so far */
    int is_first;         /* of a thread */
    int is_of_stacks;
    uint64_t spare[3];
    struct slot slots[];
};

/* Of a thread that has none: one group of free slots, which stay free, because the mask is 0. */
#define NO_TABLE ((struct table *)regmon_no_table)
extern char regmon_no_table[TABLE_SLOTS + GROUP_SIZE];

/* A first table for the thread: one of a thread that has ended, or a new one. NULL if memory is
 * exhausted. */
struct table *table_of_thread(int tid);

/* The table that is in use of those that begin with this first one. */
struct table *table_largest(struct table *first);

/* Adds n calls, or samples, to the arc, in a larger table if this one is full; to process->lost if
 * memory is exhausted. */
void table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n);

/* Adds n samples to the stack of the thread that FIRST belongs to: COUNT addresses, innermost
   first.

   A table of stacks is a tree.  The slot of a frame has the address of its caller's slot, or 0, as
   `from', and its own address as `self'.  The samples are in the slot of the innermost frame. */
void table_add_stack(struct table *first, const uintptr_t *frames, size_t count, uint64_t n);

/* The calls of a slot that belong to the profile, 0 if the slot is free. */
static inline uint64_t slot_calls(const struct slot *slot)
{
    if (__atomic_load_n(&slot->self, __ATOMIC_ACQUIRE) <= SLOT_BUSY)
        return 0;
    return __atomic_load_n(&slot->count, __ATOMIC_RELAXED) - slot->aside;
}

#endif
