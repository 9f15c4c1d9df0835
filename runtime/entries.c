/* entries.c - the counts of all threads, added up by object, caller and callee.
   SPDX-License-Identifier: MIT

   Other threads go on counting meanwhile.  Each slot is read once. */
#include "entries.h"

#include "sys.h"
#include "table.h"
#include "text.h"

#define FIRST_CAPACITY 4096

static size_t bytes_of(size_t count)
{
    return count * sizeof(struct entry);
}

static size_t taken_bytes(size_t count)
{
    return count * sizeof(struct taken);
}

void entries_close(struct entries *entries)
{
    if (entries->list)
        sys_unmap(entries->list, bytes_of(entries->capacity));
    if (entries->taken)
        sys_unmap(entries->taken, taken_bytes(entries->capacity));
    clear_bytes(entries, sizeof *entries);
}

static void *move(const void *from, size_t used, size_t bytes)
{
    void *to = sys_map(bytes);

    if (to)
        copy_bytes(to, from, used);
    return to;
}

/* Doubles the lists; false if memory is exhausted. */
static bool grow(struct entries *entries)
{
    const size_t capacity = entries->capacity ? 2 * entries->capacity : FIRST_CAPACITY;
    struct entry *list = move(entries->list, bytes_of(entries->count), bytes_of(capacity));
    struct taken *taken =
        entries->takes ? move(entries->taken, taken_bytes(entries->count), taken_bytes(capacity))
                       : NULL;
    struct entries before = *entries;

    if (!list || (entries->takes && !taken)) {
        if (list)
            sys_unmap(list, bytes_of(capacity));
        return false;
    }
    entries_close(&before);
    entries->list = list;
    entries->taken = taken;
    entries->capacity = capacity;
    return true;
}

bool entries_add(struct entries *entries, const struct entry *entry, struct slot *slot)
{
    if (entries->count == entries->capacity && !grow(entries)) {
        entries->dropped += entry->count;
        return false;
    }
    if (entries->takes)
        entries->taken[entries->count] = (struct taken){slot, entry->count, entry->object};
    entries->list[entries->count++] = *entry;
    return true;
}

uintptr_t entries_caller(const struct object *object, uintptr_t from, bool outside_is_init)
{
    const uintptr_t address = from - object->bias;

    if (from == SAMPLE || (address >= object->low && address < object->high))
        return from == SAMPLE ? SAMPLE : address;
    return outside_is_init ? object->init : 0;
}

/* Those of unloaded objects have been turned into addresses of the file: see retire.c. */
static void add_slot(struct entries *entries, struct objects *objects, struct slot *slot,
                     bool outside_is_init)
{
    const uint64_t calls = slot_calls(slot);
    const uintptr_t from = __atomic_load_n(&slot->from, __ATOMIC_RELAXED);
    const uintptr_t self = __atomic_load_n(&slot->self, __ATOMIC_RELAXED);
    const size_t place = self > SLOT_BUSY ? objects_find(objects, self) : objects->count;
    const struct object *object = &objects->list[place];

    if (place == objects->count) {
        entries->nowhere += calls;
        return;
    }
    if (!is_in_range((struct range){object->low, object->high}, object_address(object, self)) ||
        !pool_may_hold(from == SAMPLE ? &entries->left.samples : &entries->left.calls, calls)) {
        entries->damaged++;
        return;
    }
    if (from != SAMPLE && __atomic_load_n(&slot->count, __ATOMIC_RELAXED))
        objects->list[object->same].had_calls = object->stored->had_calls = 1;
    if (calls)
        (void)entries_add(
            entries,
            &(struct entry){object->same,
                            self & UNLOADED ? from : entries_caller(object, from, outside_is_init),
                            object_address(object, self), calls},
            slot);
}

void entries_read(struct entries *entries, struct objects *objects, const struct pool *pool)
{
    const bool outside_is_init = pool->header->config.outside_is_init;
    struct table_walk walk;
    struct table *t;

    clear_bytes(entries, sizeof *entries);
    entries->takes = pool->header->config.is_series;
    entries->left = pool->most;
    (void)grow(entries);
    walk = table_walk_begin(pool);
    while ((t = table_walk_next(&walk)))
        for (uint64_t i = 0; i < walk.slots && !t->is_of_stacks; i++)
            add_slot(entries, objects, &t->slots[i], outside_is_init);
    entries->read = entries->count;
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* the stacks of all samples are there: see sample.c */
}

void entries_take(const struct entries *entries, size_t object)
{
    for (size_t i = 0; i < entries->read && entries->takes; i++)
        if (entries->taken[i].object == object)
            entries->taken[i].slot->aside += entries->taken[i].count;
}

uint64_t entries_total(const struct entry *entries, size_t count, bool of_samples)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        if ((entries[i].from == SAMPLE) == of_samples)
            sum += entries[i].count;
    return sum;
}

/* ---- Sums ---- */

static int compare(const struct entry *a, const struct entry *b)
{
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->self < b->self ? -1 : a->self > b->self;
}

static void swap(struct entry *a, struct entry *b)
{
    const struct entry kept = *a;

    *a = *b;
    *b = kept;
}

/* Moves the entry at TOP down, until none of the two behind it (2 * i + 1 and 2 * i + 2) is larger.
 */
static void sift(struct entry *list, size_t top, size_t count)
{
    size_t next;

    while ((next = 2 * top + 1) < count) {
        if (next + 1 < count && compare(&list[next], &list[next + 1]) < 0)
            next++;
        if (compare(&list[top], &list[next]) >= 0)
            return;
        swap(&list[top], &list[next]);
        top = next;
    }
}

/* A heapsort, which needs no memory. */
static void sort(struct entry *list, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(list, i, count);
    for (size_t i = count; i-- > 1;) {
        swap(&list[0], &list[i]);
        sift(list, 0, i);
    }
}

void entries_sum(struct entries *entries)
{
    size_t kept = 0;

    sort(entries->list, entries->count);
    for (size_t i = 0; i < entries->count; i++)
        if (kept && compare(&entries->list[kept - 1], &entries->list[i]) == 0)
            entries->list[kept - 1].count += entries->list[i].count;
        else
            entries->list[kept++] = entries->list[i];
    entries->count = kept;
}

size_t entries_end_of_object(const struct entries *entries, size_t first)
{
    size_t end = first;

    while (end < entries->count && entries->list[end].object == entries->list[first].object)
        end++;
    return end;
}
