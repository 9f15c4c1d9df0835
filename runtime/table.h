/* table.h - calls and samples of a thread, by caller and callee.
   SPDX-License-Identifier: MIT

   Only the thread that owns a table changes it, and its signal handlers, also in the middle of a
   change. Others read it at the same time.  A table is never moved and never freed.  It grows into
   memory that is reserved behind it.  An arc may then get a second slot; readers add them up. */
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
#define SLOT_UNLOADED 3 /* a frame in an object that is not there any more */

struct table {
    uint64_t mask; /* of the offset of a group; 0: the kernel has wiped this table in a child */
    struct table *next; /* in process->tables */
    uint64_t capacity;  /* slots */
    uint64_t most;      /* slots for which there are addresses */
    uint64_t used;      /* slots in use, approximately */
    uint64_t distinct;  /* arcs or frames, without second slots */
    int owner;          /* thread id; 0 for a table of stacks */
    int has_timer;
    int timer;
    int is_of_stacks;
    void *perf_clock;                /* NULL: none */
    struct table *stacks;            /* of the same thread; NULL: none */
    struct stack_space *stack_space; /* of the handler of samples; NULL: none */
    uint64_t spare[5];
    struct slot slots[];
};

/* Of a thread that has none: one group of free slots, which stay free, because the mask is 0. */
#define NO_TABLE ((struct table *)regmon_no_table)
extern char regmon_no_table[TABLE_SLOTS + GROUP_SIZE];

/* A table for the thread: that of one that has ended, or a new one.  NULL if memory is exhausted,
   or as much of it is in use as REGMON_MEMORY allows. */
struct table *table_of_thread(int tid);

/* Adds n calls, or samples, to the arc; to process->lost if the table is full and cannot grow. */
void table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n);

/* Slots of the table, for readers. */
static inline uint64_t table_capacity(const struct table *table)
{
    return __atomic_load_n(&table->capacity, __ATOMIC_ACQUIRE);
}

/* Adds n samples to the stack of the thread that TABLE belongs to: COUNT addresses, innermost
   first.

   A table of stacks is a tree.  The slot of a frame has the address of its caller's slot, or 0, as
   `from', and its own address as `self'.  The samples are in the slot of the innermost frame. */
void table_add_stack(struct table *table, const uintptr_t *frames, size_t count, uint64_t n);

/* The calls of a slot that belong to the profile, 0 if the slot is free. */
static inline uint64_t slot_calls(const struct slot *slot)
{
    if (__atomic_load_n(&slot->self, __ATOMIC_ACQUIRE) <= SLOT_BUSY)
        return 0;
    return __atomic_load_n(&slot->count, __ATOMIC_RELAXED) - slot->aside;
}

#endif
