/* retire.c - keeping the counts of objects that are unloaded.
   SPDX-License-Identifier: MIT

   Another object may have the same addresses soon.  So the counts are taken out of the tables while
   the addresses still mean the object. */
#include "retire.h"

#include "process.h"
#include "rules.h"
#include "snapshot.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"
#include "workspace.h"

/* Removes what is kept of the object; NULL if there is nothing. */
static struct retired *unlink_retired(const struct object *object)
{
    struct retired **at = &regmon_state.process->retired;
    struct retired *found;

    while (*at && !object_is_same(&(*at)->object, object))
        at = &(*at)->next;
    found = *at;
    if (found)
        *at = found->next;
    return found;
}

/* Adds to the entries what was kept of the same objects before. */
static void join_kept(struct workspace *w)
{
    for (size_t i = 0; i < w->objects.count; i++) {
        struct retired *r =
            w->objects.list[i].is_leaving ? unlink_retired(&w->objects.list[i]) : NULL;

        for (size_t k = 0; r && k < r->count; k++) {
            r->entries[k].object = w->objects.list[i].same;
            if (!entries_add(&w->entries, &r->entries[k]))
                entries_lose(r->entries[k].count);
        }
        if (r)
            sys_unmap(r, retired_bytes(r->count));
    }
}

/* Takes the counts of the objects that are marked as leaving. */
static void retire(struct workspace *w)
{
    entries_open(&w->entries);
    entries_take(&w->entries, &w->objects);
    join_kept(w);
    entries_sum(&w->entries);
    for (size_t at = 0; at < w->entries.count;) {
        const size_t end = entries_end_of_object(&w->entries, at);

        retired_keep(&w->objects.list[w->entries.list[at].object], &w->entries.list[at], end - at);
        at = end;
    }
    entries_close(&w->entries);
}

struct workspace *retire_before(void)
{
    struct workspace *w;
    struct sys_quiet quiet;

    if (!process_has_begun() || !writer_begin(&quiet))
        return NULL;
    w = workspace_open();
    for (size_t i = 0; w && i < w->objects.count; i++)
        w->objects.list[i].is_leaving = !w->objects.list[i].is_main;
    if (w)
        retire(w);
    else
        message("counts of a shared object that is closed are lost: no memory, or no /proc", NULL,
                0);
    writer_end(&quiet);
    return w;
}

/* Frames keep their place in stacks, but not their addresses. */
static void retire_frames(const struct objects *objects)
{
    struct table *t = __atomic_load_n(&regmon_state.process->tables, __ATOMIC_ACQUIRE);

    for (; t; t = t->next)
        for (uint64_t i = 0; i < table_capacity(t) && t->is_of_stacks; i++) {
            const uintptr_t self = __atomic_load_n(&t->slots[i].self, __ATOMIC_ACQUIRE);
            const size_t number = objects_find(objects, self - 1); /* of a return address */

            if (self > SLOT_UNLOADED && number < objects->count && objects->list[number].is_leaving)
                __atomic_store_n(&t->slots[i].self, SLOT_UNLOADED, __ATOMIC_RELEASE);
        }
}

/* Whether another object has some of its addresses now, or it is still there. */
static bool is_covered(const struct object *object, const struct objects *now)
{
    const uintptr_t low = object->bias + object->low, high = object->bias + object->high;

    for (size_t i = 0; i < now->count; i++)
        if (now->list[i].bias + now->list[i].low < high &&
            low < now->list[i].bias + now->list[i].high)
            return true;
    return false;
}

void retire_after(struct workspace *before)
{
    struct workspace *now;
    struct sys_quiet quiet;

    if (!before)
        return;
    if (writer_begin(&quiet)) {
        now = workspace_open();
        for (size_t i = 0; i < before->objects.count; i++)
            before->objects.list[i].is_leaving =
                now && !is_covered(&before->objects.list[i], &now->objects);
        if (now) {
            retire(before);
            retire_frames(&before->objects);
            rules_forget();
            workspace_close(now);
        }
        writer_end(&quiet);
    }
    workspace_close(before);
}

/* ---- Reset ---- */

/* Sets aside what every slot has counted so far; its owner may be counting on. */
static void forget_table(struct table *table)
{
    for (uint64_t i = 0; i < table_capacity(table); i++)
        table->slots[i].aside += slot_calls(&table->slots[i]);
}

void retire_reset(void)
{
    struct process *process = regmon_state.process;
    struct sys_quiet quiet;

    if (!process_has_begun())
        return;
    if (!writer_begin(&quiet)) {
        message("no reset: a file is being written", NULL, 0);
        return;
    }
    for (struct table *t = __atomic_load_n(&process->tables, __ATOMIC_ACQUIRE); t; t = t->next)
        forget_table(t);
    retired_drop(true);
    process->calls_before = process->samples_before = 0;
    process->written = 0; /* equal sums are of other calls now */
    __atomic_store_n(&process->lost, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&process->crowded, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&process->without_stack, 0, __ATOMIC_RELAXED);
    writer_end(&quiet);
}
