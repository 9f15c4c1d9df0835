/* table.c - arc tables: finding and taking slots, growth, tables of threads that have ended.
   SPDX-License-Identifier: MIT */
#include "table.h"

#include "signal_stack.h"
#include "state.h"
#include "sys.h"

#define FIRST_CAPACITY 1024
#define MOST_CAPACITY ((uint64_t)1 << 22)
#define GROUPS_BEYOND 7   /* that are searched when the group of an arc is full */
#define DEAD_CANDIDATES 8 /* tables whose owner is checked when a thread begins */

_Static_assert(offsetof(struct slot, from) == SLOT_FROM, "layout.h");
_Static_assert(offsetof(struct slot, self) == SLOT_SELF, "layout.h");
_Static_assert(offsetof(struct slot, count) == SLOT_COUNT, "layout.h");
_Static_assert(sizeof(struct slot) == SLOT_SIZE, "layout.h");
_Static_assert(offsetof(struct table, mask) == TABLE_MASK, "layout.h");
_Static_assert(offsetof(struct table, slots) == TABLE_SLOTS, "layout.h");
_Static_assert(GROUP_SLOTS *SLOT_SIZE == GROUP_SIZE, "layout.h");

/* ---- Slots ---- */

/* The number of the first slot of the arc's group.  The entry points compute the same. */
static size_t hash_group(const struct table *table, uintptr_t from, uintptr_t self)
{
    const uint64_t hash = (from + 8 * self) * (uint64_t)HASH_FACTOR;

    return ((hash >> HASH_SHIFT) & table->mask) / SLOT_SIZE;
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

/* The arc's slot in a group, a free one taken for it if it has none; NULL if the group is full. */
static struct slot *slot_in_group(struct table *table, size_t first, uintptr_t from, uintptr_t self)
{
    for (size_t i = first; i < first + GROUP_SLOTS; i++)
        if (is_slot_of(&table->slots[i], from, self) ||
            take_slot(table, &table->slots[i], from, self))
            return &table->slots[i];
    return NULL;
}

/* The same in groups beyond the arc's own, where the entry point does not look.  NULL, too, if
   there have been so many such detours that a larger table is worth its memory. */
static struct slot *slot_beyond(struct table *table, size_t first, uintptr_t from, uintptr_t self)
{
    if (__atomic_fetch_add(&table->detours, 1, __ATOMIC_RELAXED) > 4 * table->capacity)
        return NULL;
    for (size_t i = 1; i <= GROUPS_BEYOND; i++) {
        const size_t group = (first + i * GROUP_SLOTS) & (table->capacity - 1);
        struct slot *slot = slot_in_group(table, group, from, self);

        if (slot)
            return slot;
    }
    return NULL;
}

static struct slot *find_slot(struct table *table, uintptr_t from, uintptr_t self)
{
    const size_t first = hash_group(table, from, self);
    struct slot *slot = slot_in_group(table, first, from, self);

    if (slot || __atomic_load_n(&table->used, __ATOMIC_RELAXED) > table->capacity / 2)
        return slot;
    return slot_beyond(table, first, from, self);
}

/* ---- Tables ---- */

static size_t table_bytes(uint64_t capacity)
{
    const size_t page = 4096;

    return (offsetof(struct table, slots) + capacity * SLOT_SIZE + page - 1) / page * page;
}

/* Others see a table only after it is complete. */
static void publish(struct table *table)
{
    struct process *process = regmon_state.process;
    struct table *first = __atomic_load_n(&process->tables, __ATOMIC_RELAXED);

    do
        table->next = first;
    while (!__atomic_compare_exchange_n(&process->tables, &first, table, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

/* The signal stack survives fork, since the child may be running on it. */
static struct table *make_table(uint64_t capacity, int tid, bool is_first, bool is_of_stacks)
{
    const size_t bytes = table_bytes(capacity);
    struct table *table = sys_map(bytes);

    if (!table)
        return NULL;
    (void)SYS3(__NR_madvise, table, bytes, MADV_WIPEONFORK);
    table->capacity = capacity;
    table->owner = tid;
    table->is_first = is_first;
    table->is_of_stacks = is_of_stacks;
    table->signal_stack = is_first ? signal_stack_map() : NULL;
    table->mask = (capacity * SLOT_SIZE - 1) & ~(uint64_t)(GROUP_SIZE - 1);
    publish(table);
    return table;
}

/* Makes the table this thread's if the thread that owned it has ended.  Larger tables follow the
   first one of a thread and change owners with it. */
static bool take_over(struct table *table, int tid)
{
    int owner = __atomic_load_n(&table->owner, __ATOMIC_RELAXED);

    /* A thread that has no table yet cannot be the owner: its number was used before. */
    if (!table->is_first || (owner != tid && sys_is_thread(regmon_state.process->pid, owner)))
        return false;
    return __atomic_compare_exchange_n(&table->owner, &owner, tid, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/* Looks at a few tables, at others each time. */
static struct table *find_abandoned(int tid)
{
    struct process *process = regmon_state.process;
    struct table *table = __atomic_load_n(&process->cursor, __ATOMIC_ACQUIRE);
    struct table *found = NULL;

    if (!table)
        table = __atomic_load_n(&process->tables, __ATOMIC_ACQUIRE);
    for (int i = 0; table && !found && i < DEAD_CANDIDATES; i++) {
        if (take_over(table, tid))
            found = table;
        table = table->next;
    }
    __atomic_store_n(&process->cursor, table, __ATOMIC_RELEASE);
    return found;
}

struct table *table_of_thread(int tid)
{
    struct table *table = find_abandoned(tid);

    return table ? table : make_table(FIRST_CAPACITY, tid, true, false);
}

/* Follows the table by a larger one.  A signal handler may do the same in the middle of it: then
   there is one more, which loses nothing. */
static struct table *grow(struct table *full)
{
    uint64_t capacity = full->capacity * (full->capacity < 65536 ? 4 : 2);
    struct table *table;

    if (capacity > MOST_CAPACITY)
        capacity = MOST_CAPACITY;
    table = make_table(capacity, 0, false, full->is_of_stacks);
    if (table) {
        __atomic_store_n(&full->larger, table, __ATOMIC_RELEASE);
        if (!table->is_of_stacks)
            __atomic_store_n(&regmon_thread.table, table, __ATOMIC_RELEASE);
    }
    return table;
}

struct table *table_largest(struct table *first)
{
    struct table *table = first, *larger = first;

    while (larger) {
        table = larger;
        larger = __atomic_load_n(&table->larger, __ATOMIC_ACQUIRE);
    }
    return table;
}

/* The arc's slot in *TABLE, or in a larger one that replaces it; NULL if memory is exhausted. */
static struct slot *slot_of(struct table **table, uintptr_t from, uintptr_t self)
{
    struct slot *slot = find_slot(*table, from, self);

    if (!slot) {
        *table = grow(*table);
        slot = *table ? find_slot(*table, from, self) : NULL;
    }
    return slot;
}

static void add_to(struct slot *slot, uint64_t n)
{
    uint64_t *count = slot ? &slot->count : &regmon_state.process->lost;

    __atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

void table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n)
{
    add_to(slot_of(&table, from, self), n);
}

/* The handler of SIGPROF, which is not interrupted by itself, is the only one that calls this. */
void table_add_stack(struct table *first, const uintptr_t *frames, size_t count, uint64_t n)
{
    struct slot *slot = NULL;
    struct table *table;

    if (!first->stacks)
        first->stacks = make_table(FIRST_CAPACITY, 0, false, true);
    table = first->stacks ? table_largest(first->stacks) : NULL;
    for (size_t i = count; table && i-- > 0;) {
        slot = slot_of(&table, (uintptr_t)slot, frames[i]);
        if (!slot)
            break;
    }
    if (count)
        add_to(slot, n);
}
