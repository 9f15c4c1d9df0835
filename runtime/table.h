/* table.h - calls and samples of a thread, by caller and callee.
   SPDX-License-Identifier: MIT

   Only the thread that a table belongs to counts in it, and its signal handlers, also in the middle
   of a change.  Others read it at the same time, and set aside what does not belong to the profile
   any more.  A table is never moved and never freed.  One that
   is crowded gets a larger one, in which its arcs get other slots; readers add them up. */
#ifndef REGMON_TABLE_H
#define REGMON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "pool.h"

/* The `from' of a sample; `self' is where the program was. */
#define SAMPLE UINTPTR_MAX

struct slot {
    uintptr_t from;
    uintptr_t self; /* 0: free; SLOT_BUSY: being taken; else, from is valid */
    uint64_t count;
    uint64_t aside; /* part of count that does not belong to the profile any more */
};

#define SLOT_BUSY 1

/* Frames of a stack, at most. */
#define MOST_FRAMES 512

/* In place of the outermost frame's caller, if it was not found: the stack is cut.  No code is
   there. */
#define UNKNOWN_CALLER 2

/* Offsets are of the pool; 0: none. */
struct table {
    uint64_t mask; /* of the offset of a group */
    uint64_t next; /* of all tables of the process */
    uint64_t offset;
    uint64_t capacity; /* slots */
    uint64_t used;     /* slots in use, approximately */
    uint64_t thread;
    uint64_t is_of_stacks;
    uint64_t spare[9]; /* the slots begin at TABLE_SLOTS */
    struct slot slots[];
};

#define THREAD_NAME_BYTES 16

/* Of a thread, and of those with the same name that have its tables after it has ended.  Addresses
 * are of the process.
 */
struct thread {
    uint64_t next;
    uint64_t offset;
    int owner; /* thread id */
    char name[THREAD_NAME_BYTES];
    int has_timer;
    int timer;
    void *perf_clock;                /* NULL: none */
    int is_sampled;                  /* its clock has expired */
    struct table *calls;             /* the newest one; NULL: nothing is counted so far */
    struct table *stacks;            /* NULL: none */
    struct table *retired_stacks;    /* through objects that were unloaded; NULL: none */
    struct stack_space *stack_space; /* of the handler of samples; NULL: none */
};

/* Of a thread that has none: one group of free slots, which stay free, because the mask is 0. */
#define NO_TABLE ((struct table *)regmon_no_table)
extern char regmon_no_table[TABLE_SLOTS + GROUP_SIZE];

/* The record of a thread that begins: that of one of this name that has ended, or a new one.  NULL
   if memory is exhausted, or as much of it is in use as REGMON_MEMORY allows. */
struct thread *table_thread(int tid, const char *name);

/* Notes the new name of a thread, if it has begun. */
void table_rename(int tid, const char *name);

/* Adds n calls, or samples, to the arc in the newest of a thread's tables, which may change; NULL:
   there is none so far.  THREAD may be NULL: tables of none.  Adds to the pool's `lost', and
   returns false, if there is no room. */
bool table_add(struct table **newest, const struct thread *thread, uintptr_t from, uintptr_t self,
               uint64_t n);

/* Adds n samples to a stack: COUNT addresses, innermost first.  False, and adds to the pool's
   `without_stack', if there is no room.

   A table of stacks is a tree.  The slot of a frame has the offset of its caller's slot in the
   pool, or 0, as `from', and its own address as `self'.  The samples are in the slot of the
   innermost frame. */
bool table_add_stack(struct table **newest, const struct thread *thread, const uintptr_t *frames,
                     size_t count, uint64_t n);

/* ---- Readers ---- */

/* A walk through the tables of a pool, from the newest on. */
struct table_walk {
    const struct pool *pool;
    uint64_t next;  /* offset */
    uint64_t left;  /* slots that there can be: the tables of a damaged pool may be a ring */
    uint64_t slots; /* of the table that was returned last, which the process may change */
};

static inline struct table_walk table_walk_begin(const struct pool *pool)
{
    const uint64_t newest = __atomic_load_n(&pool->header->tables, __ATOMIC_ACQUIRE);

    const uint64_t used = pool_used(pool);
    const uint64_t there = used < pool->most.memory ? used : pool->most.memory;

    return (struct table_walk){pool, newest, there / SLOT_SIZE, 0};
}

/* NULL behind the last, and for one that is damaged. */
static inline struct table *table_walk_next(struct table_walk *walk)
{
    struct table *table = (struct table *)pool_at(walk->pool, walk->next, sizeof *table);
    const uint64_t slots = table ? __atomic_load_n(&table->capacity, __ATOMIC_RELAXED) : 0;

    if (!slots || slots > walk->left ||
        !pool_at(walk->pool, walk->next, sizeof *table + slots * SLOT_SIZE))
        return NULL;
    walk->next = table->next;
    walk->left -= slots;
    walk->slots = slots;
    return table;
}

/* The calls of a slot that belong to the profile, 0 if the slot is free. */
static inline uint64_t slot_calls(const struct slot *slot)
{
    if (__atomic_load_n(&slot->self, __ATOMIC_ACQUIRE) <= SLOT_BUSY)
        return 0;
    return __atomic_load_n(&slot->count, __ATOMIC_RELAXED) - slot->aside;
}

#endif
