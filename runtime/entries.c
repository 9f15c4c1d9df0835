/* entries.c - the counts of all threads, added up by object, caller and callee.
   SPDX-License-Identifier: MIT

   Other threads go on counting meanwhile.  Each slot is read once. */
#include "entries.h"

#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"

#define FIRST_CAPACITY 4096

static struct table *first_table(void)
{
    return __atomic_load_n(&regmon_state.process->tables, __ATOMIC_ACQUIRE);
}

static size_t bytes_of(size_t count)
{
    return count * sizeof(struct entry);
}

void entries_open(struct entries *entries)
{
    clear_bytes(entries, sizeof *entries);
}

void entries_close(struct entries *entries)
{
    if (entries->list)
        sys_unmap(entries->list, bytes_of(entries->capacity));
    clear_bytes(entries, sizeof *entries);
}

/* Doubles the list; false if memory is exhausted. */
static bool grow(struct entries *entries)
{
    const size_t capacity = entries->capacity ? 2 * entries->capacity : FIRST_CAPACITY;
    struct entry *list = sys_map(bytes_of(capacity));

    if (!list)
        return false;
    for (size_t i = 0; i < entries->count; i++)
        list[i] = entries->list[i];
    if (entries->list)
        sys_unmap(entries->list, bytes_of(entries->capacity));
    entries->list = list;
    entries->capacity = capacity;
    return true;
}

bool entries_add(struct entries *entries, const struct entry *entry)
{
    if (entries->count == entries->capacity && !grow(entries)) {
        entries->dropped += entry->count;
        return false;
    }
    entries->list[entries->count++] = *entry;
    return true;
}

/* The caller's address in the object's file; see struct entry. */
static uintptr_t caller_in(const struct object *object, uintptr_t from)
{
    const uintptr_t address = from - object->bias;

    if (from == SAMPLE || (address >= object->low && address < object->high))
        return from == SAMPLE ? SAMPLE : address;
    return regmon_state.config.outside_is_init ? object->init : 0;
}

enum reading { READ, TAKE, TAKE_LEAVING };

static void add_slot(struct entries *entries, struct objects *objects, struct slot *slot,
                     enum reading how)
{
    const uint64_t calls = slot_calls(slot);
    const uintptr_t from = __atomic_load_n(&slot->from, __ATOMIC_RELAXED);
    const uintptr_t self = __atomic_load_n(&slot->self, __ATOMIC_RELAXED);
    const size_t number = self > SLOT_BUSY ? objects_find(objects, self) : objects->count;
    struct object *object = &objects->list[number];

    if (how == TAKE && from != SAMPLE && number < objects->count &&
        __atomic_load_n(&slot->count, __ATOMIC_RELAXED))
        objects->list[object->same].had_calls = true;
    if (calls == 0 || (how == TAKE_LEAVING && (number == objects->count || !object->is_leaving)))
        return;
    if (number == objects->count) {
        entries->nowhere += calls;
        return;
    }
    if (entries_add(entries, &(struct entry){object->same, caller_in(object, from),
                                             self - object->bias, calls}) &&
        how != READ)
        slot->aside += calls;
}

static void add_tables(struct entries *entries, struct objects *objects, enum reading how)
{
    for (struct table *t = first_table(); t; t = t->next)
        for (uint64_t i = 0; i < table_capacity(t) && !t->is_of_stacks; i++)
            add_slot(entries, objects, &t->slots[i], how);
}

void entries_read(struct entries *entries, struct objects *objects, bool takes)
{
    add_tables(entries, objects, takes ? TAKE : READ);
}

void entries_take(struct entries *entries, struct objects *objects)
{
    add_tables(entries, objects, TAKE_LEAVING);
}

/* ---- Of unloaded objects ---- */

size_t retired_bytes(size_t count)
{
    return sizeof(struct retired) + count * sizeof(struct entry);
}

uint64_t entries_total(const struct entry *entries, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += entries[i].count;
    return sum;
}

void entries_lose(uint64_t count)
{
    (void)__atomic_fetch_add(&regmon_state.process->lost, count, __ATOMIC_RELAXED);
}

void retired_keep(const struct object *object, const struct entry *entries, size_t count)
{
    struct process *process = regmon_state.process;
    struct retired *r = sys_map(retired_bytes(count));

    if (!r) {
        entries_lose(entries_total(entries, count));
        return;
    }
    (void)SYS3(__NR_madvise, r, retired_bytes(count), MADV_WIPEONFORK);
    copy_bytes(&r->object, object, sizeof *object); /* an assignment may call memcpy */
    r->count = count;
    for (size_t i = 0; i < count; i++)
        r->entries[i] = entries[i];
    r->next = process->retired;
    process->retired = r;
}

void retired_drop(void)
{
    struct process *process = regmon_state.process;

    while (process->retired) {
        struct retired *r = process->retired;

        process->retired = r->next;
        sys_unmap(r, retired_bytes(r->count));
    }
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

/* Merges the sorted lists from A up to B and from B up to END. */
static void merge(const struct entry *list, size_t a, size_t b, size_t end, struct entry *to)
{
    const size_t middle = b;

    for (size_t i = a; i < end; i++)
        *to++ =
            a < middle && (b == end || compare(&list[a], &list[b]) <= 0) ? list[a++] : list[b++];
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* False if memory is exhausted. */
static bool sort(struct entries *entries)
{
    struct entry *other = sys_map(bytes_of(entries->capacity));

    if (!other)
        return false;
    for (size_t width = 1; width < entries->count; width *= 2) {
        struct entry *list = entries->list;

        for (size_t i = 0; i < entries->count; i += 2 * width)
            merge(list, i, smaller(i + width, entries->count),
                  smaller(i + 2 * width, entries->count), other + i);
        entries->list = other;
        other = list;
    }
    sys_unmap(other, bytes_of(entries->capacity));
    return true;
}

bool entries_sum(struct entries *entries)
{
    size_t kept = 0;

    if (entries->count > 1 && !sort(entries))
        return false;
    for (size_t i = 0; i < entries->count; i++)
        if (kept && compare(&entries->list[kept - 1], &entries->list[i]) == 0)
            entries->list[kept - 1].count += entries->list[i].count;
        else
            entries->list[kept++] = entries->list[i];
    entries->count = kept;
    return true;
}

size_t entries_end_of_object(const struct entries *entries, size_t first)
{
    size_t end = first;

    while (end < entries->count && entries->list[end].object == entries->list[first].object)
        end++;
    return end;
}
