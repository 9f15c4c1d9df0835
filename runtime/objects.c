/* objects.c - the main program and its shared objects: reading them from a pool.
   SPDX-License-Identifier: MIT */
#include "objects.h"

#include "sys.h"

/* Of one build, wherever it was loaded from; or one file, if that has no build id. */
static bool is_same(const struct object *a, const struct object *b)
{
    if (a->low != b->low || a->high != b->high || a->build_id_bytes != b->build_id_bytes ||
        !text_is(a->name, b->name))
        return false;
    for (size_t i = 0; i < a->build_id_bytes; i++)
        if (a->build_id[i] != b->build_id[i])
            return false;
    return a->build_id_bytes || text_is(a->path, b->path);
}

/* Loaded ones by address, then the others. */
static bool is_before(const struct object *a, const struct object *b)
{
    if (a->is_gone != b->is_gone)
        return b->is_gone;
    return a->bias + a->low < b->bias + b->low;
}

static bool is_sound(const struct object *object)
{
    for (const char *at = object->name; at < object->name + OBJECT_NAME_BYTES && *at; at++)
        if (*at == '/') /* it is a part of a file's name */
            return false;
    return object->is_noted && object->number < MOST_OBJECTS && object->low < object->high &&
           object->high - object->low <= UINT32_MAX && object->build_id_bytes <= BUILD_ID_BYTES &&
           !object->name[OBJECT_NAME_BYTES - 1] && !object->path[OBJECT_PATH_BYTES - 1];
}

/* Inserts a copy, which no process can change any more, if it is sound. */
static void insert(struct objects *objects, struct object *stored)
{
    struct object *copy = &objects->list[objects->capacity - 1];
    size_t at = objects->count;

    copy_bytes(copy, stored, sizeof *copy);
    copy->stored = stored;
    if (!is_sound(copy))
        return;
    for (; at > 0 && is_before(copy, &objects->list[at - 1]); at--)
        copy_bytes(&objects->list[at], &objects->list[at - 1], sizeof *copy);
    copy_bytes(&objects->list[at], copy, sizeof *copy);
    objects->count++;
}

/* The object at *NEXT, which becomes that of the one behind it; NULL if there is none. */
static struct object *next_object(const struct pool *pool, uint64_t *next)
{
    struct pool_object *o = pool_at(pool, *next, sizeof *o);

    *next = o ? o->next : 0;
    return o ? &o->object : NULL;
}

bool objects_read(struct objects *objects, const struct pool *pool)
{
    const uint64_t first = __atomic_load_n(&pool->header->objects, __ATOMIC_ACQUIRE);
    struct object *o;
    uint64_t next = first;

    objects->count = objects->loaded = 0;
    while (objects->count < MOST_OBJECTS && next_object(pool, &next))
        objects->count++;
    objects->capacity = objects->count + 1;
    objects->list = sys_map(objects->capacity * sizeof *objects->list);
    if (!objects->list)
        return false;
    next = first;
    objects->count = 0;
    for (size_t i = 1; i < objects->capacity && (o = next_object(pool, &next)); i++)
        insert(objects, o);
    for (size_t i = 0; i < objects->count; i++) {
        struct object *object = &objects->list[i];

        objects->loaded += !object->is_gone;
        objects->places[object->number] = (uint16_t)i;
        object->is_in_parts = !pool->header->has_pg;
        object->same = 0;
        while (!is_same(&objects->list[object->same], object))
            object->same++;
        if (object->had_calls)
            objects->list[object->same].had_calls = true;
    }
    return true;
}

void objects_close(struct objects *objects)
{
    sys_unmap(objects->list, objects->capacity * sizeof *objects->list);
}

static size_t find_unloaded(const struct objects *objects, uintptr_t address)
{
    const uintptr_t number = (address & ~UNLOADED) >> UNLOADED_SHIFT;
    const size_t place = number < MOST_OBJECTS ? objects->places[number] : objects->count;

    return place < objects->count && objects->list[place].number == number ? place : objects->count;
}

size_t objects_find(const struct objects *objects, uintptr_t address)
{
    size_t low = 0, high = objects->loaded;

    if (address & UNLOADED)
        return find_unloaded(objects, address);
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct object *o = &objects->list[middle];

        if (address < o->bias + o->low)
            high = middle;
        else if (address >= o->bias + o->high)
            low = middle + 1;
        else
            return middle;
    }
    return objects->count;
}

uintptr_t object_address(const struct object *object, uintptr_t address)
{
    return address & UNLOADED ? address & (((uintptr_t)1 << UNLOADED_SHIFT) - 1)
                              : address - object->bias;
}

void object_add_build_id(struct text *text, const struct object *object, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < bytes && i < object->build_id_bytes; i++) {
        text_add_bytes(text, &digits[object->build_id[i] >> 4], 1);
        text_add_bytes(text, &digits[object->build_id[i] & 15], 1);
    }
}
