/* retire.c - keeps the counts of objects that are unloaded, and forgets all.
   SPDX-License-Identifier: MIT

   The counts go into tables of their own, calls into one of the process, stacks into one of their
   thread; there, an address is the number of its object and the address in the object's file.  In
   the table of the thread they are set aside, and its slot becomes free: a call at this address
   finds none, so that the object that it is in is noted. */
#include "retire.h"

#include "entries.h"
#include "process.h"
#include "rules.h"
#include "snapshot.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"

struct leaving {
    bool is_there[MOST_OBJECTS]; /* by number */
    size_t count;
    const struct object *objects[MOST_OBJECTS]; /* those that leave, or may leave */
    uintptr_t frames[MOST_FRAMES];
};

/* The object that leaves the address; NULL if there is none. */
static const struct object *find_leaving(const struct leaving *leaving, uintptr_t address)
{
    for (size_t i = 0; i < leaving->count; i++) {
        const struct object *o = leaving->objects[i];

        if (address - o->bias >= o->low && address - o->bias < o->high)
            return o;
    }
    return NULL;
}

/* The address in an object that leaves becomes its number and the address in its file. */
static uintptr_t without_place(const struct leaving *leaving, uintptr_t address, bool is_return)
{
    const struct object *object =
        address & UNLOADED ? NULL : find_leaving(leaving, address - is_return);

    return object ? unloaded_address(object, address) : address;
}

static void retire_calls(const struct leaving *leaving, struct slot *slot)
{
    const uint64_t calls = slot_calls(slot);
    const struct object *object =
        calls && !(slot->self & UNLOADED) ? find_leaving(leaving, slot->self) : NULL;

    if (!object)
        return;
    if (table_add(&regmon_process.retired, NULL,
                  entries_caller(object, slot->from, regmon_state.config.outside_is_init),
                  unloaded_address(object, slot->self), calls))
        slot->aside += calls;
}

/* Other threads may change the record, but not its table of these stacks. */
static void retire_stack(struct leaving *leaving, struct thread *thread, struct slot *slot)
{
    const struct pool *pool = &regmon_process.pool;
    const uint64_t samples = slot_calls(slot);
    bool is_leaving = false;
    size_t count = 0;

    for (const struct slot *s = slot; samples && s && count < MOST_FRAMES;
         s = pool_at(pool, s->from, sizeof *s)) {
        leaving->frames[count] = without_place(leaving, s->self, count > 0);
        is_leaving = is_leaving || leaving->frames[count] != s->self;
        count++;
    }
    if (is_leaving &&
        table_add_stack(&thread->retired_stacks, thread, leaving->frames, count, samples))
        slot->aside += samples;
}

static bool retire_all(struct leaving *leaving)
{
    const struct pool *pool = &regmon_process.pool;
    struct sys_quiet quiet;
    struct table *t;

    if (!leaving->count || !writer_begin(&quiet))
        return false;
    for (struct table_walk walk = table_walk_begin(pool); (t = table_walk_next(&walk));)
        for (uint64_t i = 0; i < walk.slots; i++)
            if (t->is_of_stacks)
                retire_stack(leaving, pool_at(pool, t->thread, sizeof(struct thread)),
                             &t->slots[i]);
            else
                retire_calls(leaving, &t->slots[i]);
    regmon_writer_end(&quiet);
    return true;
}

/* Those that were loaded after the start. */
struct leaving *retire_before(void)
{
    struct leaving *leaving;

    if (!process_has_begun())
        return NULL;
    if (!regmon_state.next.find_object)
        objects_note_all();
    if (regmon_state.objects.count == regmon_state.first_later ||
        !(leaving = sys_map(sizeof *leaving)))
        return NULL;
    for (size_t i = regmon_state.first_later; i < regmon_state.objects.count; i++)
        if (objects_noted(i)->is_noted && !objects_noted(i)->is_gone)
            leaving->objects[leaving->count++] = objects_noted(i);
    (void)retire_all(leaving);
    return leaving;
}

/* Whether another object has some of its addresses by now. */
static bool is_covered(const struct leaving *leaving, const struct object *object)
{
    const uintptr_t low = object->bias + object->low, high = object->bias + object->high;

    for (size_t i = 0; i < regmon_state.objects.count; i++) {
        const struct object *o = objects_noted(i);

        if (leaving->is_there[i] && o->bias + o->low < high && low < o->bias + o->high)
            return true;
    }
    return false;
}

/* All stacks with frames in what has left are set aside, so that a slot of a frame is free, too,
   whatever refers to it. */
static void free_slots(const struct leaving *leaving)
{
    const struct pool *pool = &regmon_process.pool;
    struct table *t;

    for (struct table_walk walk = table_walk_begin(pool); (t = table_walk_next(&walk));)
        for (uint64_t i = 0; i < walk.slots; i++) {
            struct slot *slot = &t->slots[i];
            const uintptr_t self = __atomic_load_n(&slot->self, __ATOMIC_RELAXED);

            if (self <= SLOT_BUSY || self & UNLOADED ||
                !find_leaving(leaving, self - (t->is_of_stacks && slot->from)) || slot_calls(slot))
                continue;
            __atomic_store_n(&slot->self, 0, __ATOMIC_RELEASE);
            (void)__atomic_fetch_sub(&t->used, 1, __ATOMIC_RELAXED);
        }
}

/* Destructors may have counted in between. */
void retire_after(struct leaving *leaving)
{
    size_t left = 0;

    if (!leaving)
        return;
    objects_note_unloaded(leaving->is_there);
    for (size_t i = 0; i < leaving->count; i++)
        if (leaving->objects[i]->is_gone && !is_covered(leaving, leaving->objects[i]))
            leaving->objects[left++] = leaving->objects[i];
    leaving->count = left;
    if (retire_all(leaving))
        free_slots(leaving);
    rules_forget();
    sys_unmap(leaving, sizeof *leaving);
}

/* ---- Reset ---- */

/* Sets aside what every slot has counted so far; its owner may be counting on. */
void retire_reset(void)
{
    const struct pool *pool = &regmon_process.pool;
    struct pool_header *header = pool->header;
    struct sys_quiet quiet;
    struct table *t;

    if (!process_has_begun())
        return;
    if (!writer_begin(&quiet)) {
        message("no reset: a file is being written", NULL, 0);
        return;
    }
    for (struct table_walk walk = table_walk_begin(pool); (t = table_walk_next(&walk));)
        for (uint64_t i = 0; i < walk.slots; i++)
            t->slots[i].aside += slot_calls(&t->slots[i]);
    header->files.calls_before = header->files.samples_before = 0;
    header->files.written = 0; /* equal sums are of other calls now */
    __atomic_store_n(&header->lost, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&header->without_stack, 0, __ATOMIC_RELAXED);
    regmon_writer_end(&quiet);
}
