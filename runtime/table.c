/* table.c - arc tables: finding and taking slots, growth, tables of threads that have ended.
   SPDX-License-Identifier: MIT */
#include "table.h"

#include "state.h"
#include "sys.h"

#define FIRST_CAPACITY 1024
#define FIRST_STACKS_CAPACITY 256
#define MOST_CAPACITY ((uint64_t)1 << 21)
#define LEAST_OF_LIMIT ((uint64_t)2048) /* MOST_CAPACITY / 4^n; where addresses are limited */
#define LIMIT_OF_ADDRESSES 9            /* RLIMIT_AS */
#define DEAD_CANDIDATES 8               /* tables whose owner is checked when a thread begins */

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
   point does not look.  Slots are never given back: the first group that is not full ends the
   search. */
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

/* Of the table with so many slots: a whole number of pages. */
static size_t table_bytes(uint64_t capacity)
{
    const size_t page = MACHINE_PAGE;

    return (offsetof(struct table, slots) + capacity * SLOT_SIZE + page - 1) / page * page;
}

static uint64_t mask_of(uint64_t capacity)
{
    return (capacity * SLOT_SIZE - 1) & ~(uint64_t)(GROUP_SIZE - 1);
}

/* Counts memory as in use; false if REGMON_MEMORY does not allow it. */
static bool take_memory(size_t bytes)
{
    const uint64_t most = regmon_state.config.memory;
    uint64_t *used = &regmon_state.process->memory;

    if (__atomic_add_fetch(used, bytes, __ATOMIC_RELAXED) <= most || !most)
        return true;
    __atomic_fetch_sub(used, bytes, __ATOMIC_RELAXED);
    return false;
}

static void give_back_memory(size_t bytes)
{
    (void)__atomic_fetch_sub(&regmon_state.process->memory, bytes, __ATOMIC_RELAXED);
}

/* Makes a part of what is reserved usable. */
static bool open_memory(void *start, size_t bytes)
{
    return SYS3(__NR_mprotect, start, bytes, PROT_READ | PROT_WRITE) == 0;
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

/* Slots that a table may get at most: where addresses are limited (ulimit -v), a small part of
   them, because each thread has a table, and the program needs the rest. */
static uint64_t most_capacity(void)
{
    uint64_t limits[2] = {UINT64_MAX, UINT64_MAX}; /* soft and hard, in bytes */
    uint64_t most = MOST_CAPACITY;

    (void)SYS4(__NR_prlimit64, 0, LIMIT_OF_ADDRESSES, NULL, limits);
    while (most > LEAST_OF_LIMIT && table_bytes(most) > limits[0] / 256)
        most /= 4;
    return most;
}

/* Addresses for a table that may grow, as many as there are; NULL if there are not enough. Children
   of fork find the table empty, however large it is then. */
static struct table *reserve(uint64_t *most)
{
    void *memory = NULL;

    for (*most = most_capacity(); !memory && *most >= FIRST_CAPACITY; *most /= 4)
        memory = sys_reserve(table_bytes(*most));
    *most *= 4;
    if (memory)
        (void)SYS3(__NR_madvise, memory, table_bytes(*most), MADV_WIPEONFORK);
    return memory;
}

static struct table *make_table(uint64_t capacity, int tid)
{
    const size_t bytes = table_bytes(capacity);
    uint64_t most;
    struct table *table;

    if (!take_memory(bytes))
        return NULL;
    table = reserve(&most);
    if (!table) {
        give_back_memory(bytes);
        return NULL;
    }
    if (!open_memory(table, bytes)) {
        sys_unmap(table, table_bytes(most));
        give_back_memory(bytes);
        return NULL;
    }
    table->capacity = capacity;
    table->most = most;
    table->owner = tid;
    table->is_of_stacks = !tid;
    table->mask = mask_of(capacity);
    publish(table);
    return table;
}

/* Makes the table this thread's if the thread that owned it has ended. */
static bool take_over(struct table *table, int tid)
{
    int owner = __atomic_load_n(&table->owner, __ATOMIC_RELAXED);

    /* A thread that has no table yet cannot be the owner: its number was used before. */
    if (table->is_of_stacks || (owner != tid && sys_is_thread(regmon_state.process->pid, owner)))
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

    return table ? table : make_table(FIRST_CAPACITY, tid);
}

/* All tables have at most 4 times the slots that their arcs need, and 64 KiB: this one may grow
   when it has as many. */
static bool wants_to_grow(const struct table *table)
{
    return 2 * __atomic_load_n(&table->distinct, __ATOMIC_RELAXED) + FIRST_CAPACITY / 2 >=
           table_capacity(table);
}

/* Doubles the table, if that is possible.  A signal handler may do the same in the middle of it. */
static void grow(struct table *table)
{
    uint64_t capacity = table_capacity(table);
    uint64_t mask = mask_of(capacity);
    const size_t bytes = table_bytes(capacity), more = table_bytes(2 * capacity) - bytes;

    if (2 * capacity > table->most || !take_memory(more))
        return;
    if (open_memory((char *)table + bytes, more) &&
        __atomic_compare_exchange_n(&table->capacity, &capacity, 2 * capacity, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        (void)__atomic_compare_exchange_n(&table->mask, &mask, mask_of(2 * capacity), false,
                                          __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    else
        give_back_memory(more);
}

/* A slot that the arc got when the table was smaller; NULL if there is none. */
static struct slot *look_before(struct table *table, uintptr_t from, uintptr_t self)
{
    struct slot *slot = NULL;

    for (uint64_t c = table_capacity(table) / 2; !slot && c >= FIRST_STACKS_CAPACITY; c /= 2)
        slot = look(table, mask_of(c), from, self, false);
    return slot;
}

/* A slot for an arc that has none at its place.  It may have one from before the table grew, which
   remains the only one if it is a frame of a stack, or if the table is too full to search in.  NULL
   if there is none, and no room. */
static struct slot *new_slot(struct table *table, uintptr_t from, uintptr_t self)
{
    struct slot *before = look_before(table, from, self);
    struct slot *slot;

    if (before && table->is_of_stacks)
        return before;
    if (!before && wants_to_grow(table))
        grow(table);
    if (__atomic_load_n(&table->used, __ATOMIC_RELAXED) > table_capacity(table) / 8 * 7)
        return before;
    slot = look(table, table->mask, from, self, true);
    if (slot && !before)
        __atomic_fetch_add(&table->distinct, 1, __ATOMIC_RELAXED);
    return slot ? slot : before;
}

static struct slot *slot_of(struct table *table, uintptr_t from, uintptr_t self)
{
    struct slot *slot = look(table, table->mask, from, self, false);

    return slot ? slot : new_slot(table, from, self);
}

static void add_to(struct slot *slot, uint64_t n)
{
    uint64_t *count = slot ? &slot->count : &regmon_state.process->lost;

    __atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

void table_add(struct table *table, uintptr_t from, uintptr_t self, uint64_t n)
{
    add_to(slot_of(table, from, self), n);
}

/* The handler of samples, which is not interrupted by itself, is the only one that calls this. */
void table_add_stack(struct table *table, const uintptr_t *frames, size_t count, uint64_t n)
{
    struct slot *slot = NULL;

    if (!table->stacks)
        table->stacks = make_table(FIRST_STACKS_CAPACITY, 0);
    for (size_t i = count; table->stacks && i-- > 0;) {
        slot = slot_of(table->stacks, (uintptr_t)slot, frames[i]);
        if (!slot)
            break;
    }
    if (slot)
        add_to(slot, n);
    else
        __atomic_fetch_add(&regmon_state.process->without_stack, n, __ATOMIC_RELAXED);
}
