/* objects.h - the main program and its shared objects: which addresses they have in memory and in
   their files. SPDX-License-Identifier: MIT */
#ifndef REGMON_OBJECTS_H
#define REGMON_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBJECT_NAME_BYTES 128
#define BUILD_ID_BYTES 32

/* Addresses are those of the file; in memory they are larger by `bias'. */
struct object {
    uintptr_t bias;
    uintptr_t low;  /* of code; even */
    uintptr_t high; /* behind code; even */
    uintptr_t init; /* _init, or low if there is none */
    uint64_t inode; /* with device, and low and high, tells whether two objects are the same */
    uint64_t device;
    bool is_main;
    bool is_leaving;       /* for entries_take */
    bool had_calls;        /* also if they were set aside: see entries_read */
    size_t same;           /* number of the first object of the list that is the same file */
    size_t build_id_bytes; /* of the main program; 0: it has none */
    unsigned char build_id[BUILD_ID_BYTES];
    char name[OBJECT_NAME_BYTES]; /* soname, or else the last part of its path */
};

struct objects {
    size_t mapped; /* the first of the list, by address in memory; the others were unloaded */
    size_t count;
    size_t capacity;
    bool is_program_only; /* the others are not known */
    struct object *list;
};

/* Reads the objects in memory from /proc/self/maps, without any lock of the C library.  BUFFER
   is memory for the lines.  Without /proc, only the main program is known.  False if there is none.
   Objects that do not fit are left out.  A file that is only read, not executed, is no object. */
bool objects_read(struct objects *objects, char *buffer, size_t bytes);

/* Number of the object that has code at the address; objects->count if none has it. */
size_t objects_find(const struct objects *objects, uintptr_t address);

/* The number of the same object, or of this one, appended.  objects->capacity if it does not fit.
 */
size_t objects_add(struct objects *objects, const struct object *object);

bool object_is_same(const struct object *a, const struct object *b);

#endif
