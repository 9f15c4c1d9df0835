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

    if (how != READ && from != SAMPLE && number < objects->count &&
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

void retired_drop(bool is_all)
{
    struct retired **at = &regmon_state.process->retired;

    while (*at) {
        struct retired *r = *at;

        if (is_all || !entries_total(r->entries, r->count)) {
            *at = r->next;
            sys_unmap(r, retired_bytes(r->count));
        } else
            at = &r->next;
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

/* A heapsort, which needs no memory: what has been taken out of the tables must not be lost. */
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
