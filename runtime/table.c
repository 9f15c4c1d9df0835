/* table.c - arc tables: finding and taking slots, growth, threads that have ended.
   SPDX-License-Identifier: MIT */
#include "table.h"

#include "state.h"
#include "sys.h"
#include "text.h"

#define FIRST_CAPACITY 256
#define MOST_CAPACITY ((uint64_t)1 << 21)
#define GROWTH 2
#define DEAD_CANDIDATES 8 /* threads that are checked for their end when another one begins */

_Static_assert(offsetof(struct slot, from) == SLOT_FROM, "layout.h");
_Static_assert(offsetof(struct slot, self) == SLOT_SELF, "layout.h");
_Static_assert(offsetof(struct slot, count) == SLOT_COUNT, "layout.h");
_Static_assert(sizeof(struct slot) == SLOT_SIZE, "layout.h");
_Static_assert(offsetof(struct table, mask) == TABLE_MASK, "layout.h");
_Static_assert(offsetof(struct table, slots) == TABLE_SLOTS, "layout.h");
_Static_assert(GROUP_SLOTS *SLOT_SIZE == GROUP_SIZE, "layout.h");

/* ---- Slots ---- */

/* The number of the first slot of the arc's own group.  The entry points compute the same. */
static size_t own_group(uint64_t mask, uintptr_t from, uintptr_t self)
{
    const uint64_t hash = from * (uint64_t)HASH_FROM + self * (uint64_t)HASH_SELF;

    return ((hash >> HASH_SHIFT) & mask) / SLOT_SIZE;
}

/* Tells where the search goes on when the own group is full: all bits depend on both addresses. */
static uint64_t mix(uintptr_t from, uintptr_t self)
{
    uint64_t hash = from ^ (self << 32 | self >> 32);

    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccd;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53;
    return hash ^ hash >> 33;
}

/* Takes the slot for the arc if it is free.  `self' comes last, because with it the slot matches.
 */
static bool take_slot(struct table *table, struct slot *slot, uintptr_t from, uintptr_t self)
{
    uintptr_t expected = 0;

    if (!__atomic_compare_exchange_n(&slot->self, &expected, SLOT_BUSY, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return false;
    __atomic_store_n(&slot->from, from, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->self, self, __ATOMIC_RELEASE);
    __atomic_fetch_add(&table->used, 1, __ATOMIC_RELAXED);
    return true;
}

static bool is_slot_of(const struct slot *slot, uintptr_t from, uintptr_t self)
{
    return __atomic_load_n(&slot->self, __ATOMIC_RELAXED) == self &&
           __atomic_load_n(&slot->from, __ATOMIC_RELAXED) == from;
}

/* Looks at a group.  Returns the arc's slot, or, if TAKES, a free one that now is; NULL if there is
   none.  *IS_FULL tells whether the arc may be in the next group. */
static struct slot *look_in_group(struct table *table, size_t first, uintptr_t from, uintptr_t self,
                                  bool takes, bool *is_full)
{
    *is_full = true;
    for (struct slot *slot = &table->slots[first]; slot < &table->slots[first + GROUP_SLOTS];
         slot++) {
        if (is_slot_of(slot, from, self) || (takes && take_slot(table, slot, from, self)))
            return slot;
        *is_full = *is_full && __atomic_load_n(&slot->self, __ATOMIC_RELAXED) != 0;
    }
    return NULL;
}

/* The arc's slot as the mask says: in its own group, or, if that is full, in one where the entry
   point does not look.  The first group that is not full ends the search: an arc that is behind one
   from which slots were given back gets another slot. */
static struct slot *look(struct table *table, uint64_t mask, uintptr_t from, uintptr_t self,
                         bool takes)
{
    const size_t groups = (size_t)(mask / GROUP_SIZE) + 1;
    bool is_full;
    struct slot *slot =
        look_in_group(table, own_group(mask, from, self), from, self, takes, &is_full);

    if (!slot && is_full) {
        const uint64_t hash = mix(from, self);
        const size_t step = (size_t)(hash >> 32) | 1; /* odd: it reaches every group */
        size_t group = (size_t)hash;

        for (size_t i = 0; !slot && is_full && i < groups; i++, group += step)
            slot = look_in_group(table, group % groups * GROUP_SLOTS, from, self, takes, &is_full);
    }
    return slot;
}

/* ---- Tables ---- */

static uint64_t mask_of(uint64_t capacity)
{
    return (capacity * SLOT_SIZE - 1) & ~(uint64_t)(GROUP_SIZE - 1);
}

/* Others see a table only after it is complete. */
static struct table *make_table(uint64_t capacity, const struct thread *thread, bool is_of_stacks)
{
    struct pool *pool = &regmon_process.pool;
    uint64_t offset;
    struct table *table =
        pool_take(pool, offsetof(struct table, slots) + capacity * SLOT_SIZE, &offset);

    if (!table)
        return NULL;
    table->offset = offset;
    table->capacity = capacity;
    table->thread = thread ? thread->offset : 0;
    table->is_of_stacks = is_of_stacks;
    table->mask = mask_of(capacity);
    pool_push(&pool->header->tables, &table->next, offset);
    return table;
}

/* ---- Threads ---- */

/* Makes the record this thread's if the thread that had it has ended. */
static bool take_over(struct thread *thread, int tid, const char *name)
{
    int owner = __atomic_load_n(&thread->owner, __ATOMIC_RELAXED);

    if (thread->stacks && !text_is(thread->name, name))
        return false; /* its stacks are those of another thread */
    /* A thread that has no record yet cannot be the owner: its number was used before. */
    if (owner != tid && sys_is_thread(regmon_process.pid, owner))
        return false;
    return __atomic_compare_exchange_n(&thread->owner, &owner, tid, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/* Looks at a few threads, at others each time. */
static struct thread *find_ended(int tid, const char *name)
{
    const struct pool *pool = &regmon_process.pool;
    uint64_t next = __atomic_load_n(&regmon_process.cursor, __ATOMIC_RELAXED);
    struct thread *found = NULL, *thread;

    if (!next)
        next = __atomic_load_n(&pool->header->threads, __ATOMIC_ACQUIRE);
    for (int i = 0; !found && i < DEAD_CANDIDATES && (thread = pool_at(pool, next, sizeof *thread));
         i++) {
        if (take_over(thread, tid, name))
            found = thread;
        next = thread->next;
    }
    __atomic_store_n(&regmon_process.cursor, next, __ATOMIC_RELAXED);
    return found;
}

static struct thread *make_thread(int tid)
{
    struct pool *pool = &regmon_process.pool;
    uint64_t offset;
    struct thread *thread = pool_take(pool, sizeof *thread, &offset);

    if (!thread)
        return NULL;
    thread->offset = offset;
    thread->owner = tid;
    pool_push(&pool->header->threads, &thread->next, offset);
    return thread;
}

struct thread *table_thread(int tid, const char *name)
{
    struct thread *thread = find_ended(tid, name);

    if (!thread)
        thread = make_thread(tid);
    if (thread)
        copy_bytes(thread->name, name, THREAD_NAME_BYTES);
    return thread;
}

/* The record of a thread; NULL if it has none so far.  One that has ended may have had its number:
   the current thread, which most often is meant, knows its own. */
static struct thread *find_thread(int tid)
{
    const struct pool *pool = &regmon_process.pool;
    struct thread *thread = regmon_thread.self;
    uint64_t next;

    if (thread && thread->owner == tid)
        return thread;
    next = pool->header ? __atomic_load_n(&pool->header->threads, __ATOMIC_ACQUIRE) : 0;
    for (; next && (thread = pool_at(pool, next, sizeof *thread)); next = thread->next)
        if (thread->owner == tid)
            return thread;
    return NULL;
}

void table_rename(int tid, const char *name)
{
    struct thread *thread = find_thread(tid);
    struct text text;

    if (!thread)
        return;
    text = text_in(thread->name, sizeof thread->name);
    for (size_t i = 0; name[i] && i + 1 < sizeof thread->name; i++)
        text_add_bytes(&text, &name[i], 1);
}

/* ---- Growth ---- */

static bool is_crowded(const struct table *table)
{
    return __atomic_load_n(&table->used, __ATOMIC_RELAXED) >= table->capacity / 2;
}

/* The next table of the same kind, larger; the same one if there can be none.  The arcs of this one
   get slots there at their next call.  *NEWEST is the thread's; a signal handler may do the same in
   the middle of it. */
static struct table *grow(struct table **newest, struct table *table)
{
    struct pool *pool = &regmon_process.pool;
    struct table *larger = NULL;

    if (table->capacity < MOST_CAPACITY)
        larger = make_table(
            table->capacity * GROWTH < MOST_CAPACITY ? table->capacity * GROWTH : MOST_CAPACITY,
            pool_at(pool, table->thread, sizeof(struct thread)), table->is_of_stacks);
    if (!larger)
        return table;
    __atomic_store_n(newest, larger, __ATOMIC_RELEASE);
    return larger;
}

/* A slot of the newest table; NULL if there is no room. */
static struct slot *slot_of(struct table **newest, uintptr_t from, uintptr_t self)
{
    struct table *table = __atomic_load_n(newest, __ATOMIC_RELAXED);
    struct slot *slot = look(table, table->mask, from, self, false);

    if (slot)
        return slot;
    if (!(self & UNLOADED))
        objects_note_at(self);
    if (is_crowded(table))
        table = grow(newest, table);
    if (__atomic_load_n(&table->used, __ATOMIC_RELAXED) > table->capacity / 8 * 7)
        return NULL;
    return look(table, table->mask, from, self, true);
}

/* ---- Counting ---- */

bool table_add(struct table **newest, const struct thread *thread, uintptr_t from, uintptr_t self,
               uint64_t n)
{
    struct slot *slot;
    uint64_t *count;

    if (!*newest)
        *newest = make_table(FIRST_CAPACITY, thread, false);
    slot = *newest ? slot_of(newest, from, self) : NULL;
    count = slot ? &slot->count : &regmon_process.pool.header->lost;

    __atomic_fetch_add(count, n, __ATOMIC_RELAXED);
    return slot != NULL;
}

/* The offset of a slot in the pool. */
static uintptr_t offset_of(const struct table *table, const struct slot *slot)
{
    return table->offset + (uintptr_t)((const char *)slot - (const char *)table);
}

/* When the table has grown in the middle, the rest of the stack goes on in the new one: frames
   refer to slots of the pool, not of a table. */
bool table_add_stack(struct table **newest, const struct thread *thread, const uintptr_t *frames,
                     size_t count, uint64_t n)
{
    struct slot *slot = NULL;
    uintptr_t caller = 0;

    if (!*newest)
        *newest = make_table(FIRST_CAPACITY, thread, true);
    for (size_t i = count; *newest && i-- > 0;) {
        slot = slot_of(newest, caller, frames[i]);
        if (!slot)
            break;
        caller = offset_of(*newest, slot);
    }
    if (slot)
        __atomic_fetch_add(&slot->count, n, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add(&regmon_process.pool.header->without_stack, n, __ATOMIC_RELAXED);
    return slot != NULL;
}
