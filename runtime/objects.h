/* objects.h - the main program and its shared objects: which addresses they have in memory and in
   their files. SPDX-License-Identifier: MIT

   A process notes them at its start, when a slot is taken for an address that is in none, and when
   dlclose has unloaded some.  A copy of each is in the pool. */
#ifndef REGMON_OBJECTS_H
#define REGMON_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pool.h"
#include "text.h"

#define MOST_OBJECTS 4096
#define OBJECT_NAME_BYTES 128
#define OBJECT_PATH_BYTES 512
#define BUILD_ID_BYTES 32

/* Addresses: [low, high). */
struct range {
    uintptr_t low;
    uintptr_t high;
};

static inline bool is_in_range(struct range range, uintptr_t address)
{
    return address >= range.low && address < range.high;
}

/* Addresses are those of the file; in memory they are larger by `bias'. */
struct object {
    uintptr_t bias;
    uintptr_t low;   /* of code; even */
    uintptr_t high;  /* behind code; even */
    uintptr_t init;  /* _init, or low if there is none */
    uint64_t number; /* in the order in which they were noted */
    int is_noted;    /* the rest is valid */
    int is_gone;     /* unloaded: its addresses are numbers of another object, or of none */
    int is_main;
    int is_library;        /* libregmon, if it is an object of its own */
    size_t build_id_bytes; /* 0: it has none */
    unsigned char build_id[BUILD_ID_BYTES];
    char name[OBJECT_NAME_BYTES]; /* soname, or else the last part of its path */
    char path[OBJECT_PATH_BYTES]; /* as it was loaded; empty: not known, or too long */
    int has_long_path;            /* too long for `path' */
    int had_calls;                /* also if they were set aside: see entries_read */
    /* Of readers: */
    int is_in_parts;       /* its histogram has only the parts of the code with samples */
    int is_written;        /* its file, by this writer */
    uint64_t calls;        /* in this file; 0 until it is written */
    size_t same;           /* place in the list of the first object that is the same file */
    struct object *stored; /* in the pool */
};

/* A reader's list of objects, by address; those that were unloaded are last. */
struct objects {
    size_t count;
    size_t loaded; /* those before were not unloaded */
    size_t capacity;
    struct object *list;
    uint16_t *places; /* in the list, by number */
};

/* An address in an object that has been unloaded is kept as the object's number and the address in
   its file. */
#define UNLOADED ((uintptr_t)1 << 63)
#define UNLOADED_SHIFT 40

static inline uintptr_t unloaded_address(const struct object *object, uintptr_t address)
{
    return UNLOADED | object->number << UNLOADED_SHIFT |
           ((address - object->bias) & (((uintptr_t)1 << UNLOADED_SHIFT) - 1));
}

/* ---- In the process ---- */

/* Gets memory for the first objects; false if there is none. */
bool objects_prepare(void);

/* The object of a number below regmon_state.objects.count. */
struct object *objects_noted(size_t number);

/* Notes all objects that are in memory.  Calls the C library, as the next one does. */
void objects_note_all(void);

/* Notes which objects have been unloaded.  IS_THERE, of MOST_OBJECTS, is false at first, and gets
   true for the number of each object that is in memory. */
void objects_note_unloaded(bool *is_there);

/* Notes the object that the address is in, if it is not known.  May be called in a signal handler.
 */
void objects_note_at(uintptr_t address);

/* Copies all that are known into the pool of a child of fork. */
void objects_note_again(void);

/* ---- In a reader ---- */

struct pool_object {
    uint64_t next;
    struct object object;
};

/* Reads those of a pool.  OBJECTS has `places' for MOST_OBJECTS.  False if there is no memory. */
bool objects_read(struct objects *objects, const struct pool *pool);
void objects_close(struct objects *objects);

/* Place of the object that has code at the address; objects->count if none has it. */
size_t objects_find(const struct objects *objects, uintptr_t address);

/* Adds the first bytes of its build id, BYTES at most, in hexadecimal. */
void object_add_build_id(struct text *text, const struct object *object, size_t bytes);

/* The address in the object's file. */
uintptr_t object_address(const struct object *object, uintptr_t address);

#endif
