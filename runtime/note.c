/* note.c - notes the objects of the process.
   SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "next.h"
#include "objects.h"
#include "rules.h"
#include "state.h"
#include "sys.h"
#include "text.h"

/* What is known of an object before it is noted. */
struct found {
    uintptr_t bias;
    const ElfW(Phdr) * headers;
    size_t count;
    const char *path; /* as the dynamic linker names it; empty for the main program */
    bool is_main;
    struct range code; /* in the file; low is not below high if there is none */
};

/* ---- Its headers, in memory ---- */

static void set_name(struct object *object, const char *path)
{
    struct text name = text_in(object->name, sizeof object->name);
    const char *last = path;

    for (; *path; path++)
        if (*path == '/' && path[1])
            last = path + 1;
    text_add(&name, last);
}

/* Some C libraries have added the bias to addresses in the dynamic section. */
static void read_dynamic(struct object *object, const ElfW(Dyn) * d)
{
    uintptr_t strings = 0, soname = 0;

    for (; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB)
            strings = d->d_un.d_ptr + (d->d_un.d_ptr < object->bias ? object->bias : 0);
        if (d->d_tag == DT_SONAME)
            soname = d->d_un.d_val;
        if (d->d_tag == DT_INIT)
            object->init = d->d_un.d_ptr;
    }
    if (strings && soname && *(const char *)(strings + soname))
        set_name(object, (const char *)(strings + soname));
}

/* Finds the build id, which linkers make of a file's contents, among the notes of a segment. */
static void read_notes(struct object *object, const char *at, size_t left)
{
    while (left >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
        const uint64_t name = ((uint64_t)note->n_namesz + 3) & ~(uint64_t)3;
        const uint64_t bytes =
            sizeof *note + name + (((uint64_t)note->n_descsz + 3) & ~(uint64_t)3);

        if (bytes > left)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            note->n_descsz <= BUILD_ID_BYTES && text_is(at + sizeof *note, "GNU")) {
            copy_bytes(object->build_id, at + sizeof *note + name, note->n_descsz);
            object->build_id_bytes = note->n_descsz;
        }
        at += bytes;
        left -= bytes;
    }
}

static struct range code_of(const ElfW(Phdr) * headers, size_t count)
{
    struct range code = {UINTPTR_MAX, 0};

    for (size_t i = 0; i < count; i++) {
        const ElfW(Phdr) *p = &headers[i];

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        code.low = p->p_vaddr < code.low ? p->p_vaddr : code.low;
        code.high = p->p_vaddr + p->p_memsz > code.high ? p->p_vaddr + p->p_memsz : code.high;
    }
    return (struct range){code.low & ~(uintptr_t)1, (code.high + 1) & ~(uintptr_t)1};
}

static struct found found_of(uintptr_t bias, const ElfW(Phdr) * headers, size_t count,
                             const char *path, bool is_main)
{
    return (struct found){bias, headers, count, path ? path : "", is_main, code_of(headers, count)};
}

static void read_headers(struct object *object, const struct found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const ElfW(Phdr) *p = &found->headers[i];
        const uintptr_t start = found->bias + p->p_vaddr;

        if (p->p_type == PT_DYNAMIC)
            read_dynamic(object, (const ElfW(Dyn) *)start);
        else if (p->p_type == PT_NOTE)
            read_notes(object, (const char *)start, p->p_memsz);
    }
}

/* ---- Paths ---- */

/* The file of the program, without what the kernel adds to the name of one that is removed. */
static void read_program_path(char *path, size_t bytes)
{
    static const char removed[] = " (deleted)";
    const long length = SYS4(__NR_readlinkat, AT_FDCWD, "/proc/self/exe", path, bytes);
    const size_t end = length < 0 ? 0 : (size_t)length, more = sizeof removed - 1;

    path[end < bytes ? end : bytes - 1] = 0;
    if (end > more && end < bytes && text_is(path + end - more, removed))
        path[end - more] = 0;
}

static void set_path(struct object *object, const struct found *found)
{
    struct text path = text_in(object->path, sizeof object->path);

    if (found->is_main)
        read_program_path(object->path, sizeof object->path);
    else
        text_add(&path, found->path);
    object->has_long_path =
        !text_is_whole(&path) || text_length(object->path) == sizeof object->path - 1;
    if (object->has_long_path)
        object->path[0] = 0;
    set_name(object, *object->path    ? object->path
                     : *found->path   ? found->path
                     : found->is_main ? regmon_state.config.program
                                      : "object");
}

/* ---- The list ---- */

/* Another file may have the place of one that was unloaded. */
static bool is_file_at(const struct object *object, const struct found *found)
{
    return object->bias == found->bias && object->low == found->code.low &&
           object->high == found->code.high &&
           (object->is_main || !*object->path || text_is(object->path, found->path));
}

/* Whether it is noted, and now in memory, or now unloaded. */
static bool is_noted(const struct object *object, const struct found *found, bool is_gone)
{
    return __atomic_load_n(&object->is_noted, __ATOMIC_ACQUIRE) && !object->is_gone != is_gone &&
           is_file_at(object, found);
}

static size_t count_objects(void)
{
    return __atomic_load_n(&regmon_state.objects.count, __ATOMIC_ACQUIRE);
}

/* The part that has a number, and the first one that it has. */
static unsigned part_of(size_t number, size_t *start)
{
    unsigned part = 0;

    while (number >= (size_t)FIRST_NOTED << part)
        part++;
    *start = part ? (size_t)FIRST_NOTED << (part - 1) : 0;
    return part;
}

struct object *objects_noted(size_t number)
{
    size_t start;
    struct object *const *part = &regmon_state.objects.parts[part_of(number, &start)];

    return __atomic_load_n(part, __ATOMIC_ACQUIRE) + (number - start);
}

/* Another thread, or a signal handler, may get the same memory meanwhile. */
static bool has_place(size_t number)
{
    size_t start;
    struct object **part, *none = NULL, *memory;

    if (number >= MOST_OBJECTS)
        return false;
    part = &regmon_state.objects.parts[part_of(number, &start)];
    if (__atomic_load_n(part, __ATOMIC_ACQUIRE))
        return true;
    if (regmon_state.filter == FILTER_OWN)
        return false;
    memory = sys_map((start ? start : FIRST_NOTED) * sizeof *memory);
    if (memory && !__atomic_compare_exchange_n(part, &none, memory, false, __ATOMIC_ACQ_REL,
                                               __ATOMIC_ACQUIRE))
        sys_unmap(memory, (start ? start : FIRST_NOTED) * sizeof *memory);
    return memory != NULL;
}

bool objects_prepare(void)
{
    return has_place(0);
}

/* MOST_OBJECTS if there is none. */
static size_t take_number(void)
{
    size_t number = count_objects();

    do
        if (!has_place(number))
            return MOST_OBJECTS;
    while (!__atomic_compare_exchange_n(&regmon_state.objects.count, &number, number + 1, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return number;
}

static void copy_to_pool(const struct object *object)
{
    struct pool *pool = &regmon_process.pool;
    uint64_t offset;
    struct pool_object *copy = pool->header ? pool_take(pool, sizeof *copy, &offset) : NULL;

    if (!copy)
        return;
    copy_bytes(&copy->object, object, sizeof *object);
    pool_push(&pool->header->objects, &copy->next, offset);
}

static void set_gone(size_t number, int is_gone)
{
    const struct pool *pool = &regmon_process.pool;
    uint64_t next = pool->header ? pool->header->objects : 0;
    struct pool_object *o;

    objects_noted(number)->is_gone = is_gone;
    while (next && (o = pool_at(pool, next, sizeof *o))) {
        if (o->object.number == number)
            o->object.is_gone = is_gone;
        next = o->next;
    }
}

/* A program that loads and unloads the same file again and again does not fill the list.  Two
   threads, or a thread and its signal handler, may note the same: then it is noted twice.  Returns
   its number; MOST_OBJECTS if it is not noted. */
static size_t note(const struct found *found)
{
    const struct range code = found->code;
    const uintptr_t here = (uintptr_t)note - found->bias;
    struct object *object;
    size_t number;

    if (code.low >= code.high)
        return MOST_OBJECTS;
    for (number = regmon_state.first_later; number < count_objects(); number++)
        if (is_noted(objects_noted(number), found, true)) {
            set_gone(number, 0);
            return number;
        }
    number = take_number();
    if (number == MOST_OBJECTS)
        return MOST_OBJECTS;
    object = objects_noted(number);
    object->number = number;
    object->bias = found->bias;
    object->low = object->init = code.low;
    object->high = code.high;
    object->is_main = found->is_main;
    object->is_library = !found->is_main && is_in_range(code, here);
    set_path(object, found);
    read_headers(object, found);
    __atomic_store_n(&object->is_noted, 1, __ATOMIC_RELEASE);
    copy_to_pool(object);
    return number;
}

/* ---- All of them ---- */

/* One of the objects that are in memory now. */
static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    bool *is_there = data;
    const struct found found = found_of(info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum,
                                        info->dlpi_name, regmon_state.objects.count == 0);
    size_t number = 0;

    (void)size;
    while (number < count_objects() && !is_noted(objects_noted(number), &found, false))
        number++;
    if (number == count_objects())
        number = note(&found);
    if (is_there && number < MOST_OBJECTS)
        is_there[number] = true;
    return 0;
}

void objects_note_all(void)
{
    next_iterate_objects(visit, NULL);
}

void objects_note_unloaded(bool *is_there)
{
    const size_t count = count_objects(); /* not those that are noted now */

    next_iterate_objects(visit, is_there);
    for (size_t i = 0; i < count; i++)
        if (!is_there[i] && objects_noted(i)->is_noted)
            set_gone(i, 1);
}

void objects_note_again(void)
{
    for (size_t i = 0; i < count_objects(); i++)
        if (objects_noted(i)->is_noted)
            copy_to_pool(objects_noted(i));
}

/* ---- One, by an address ---- */

static bool is_known(uintptr_t address)
{
    for (size_t i = count_objects(); i-- > 0;) {
        const struct object *o = objects_noted(i);

        if (__atomic_load_n(&o->is_noted, __ATOMIC_ACQUIRE) && !o->is_gone &&
            address - o->bias >= o->low && address - o->bias < o->high)
            return true;
    }
    return false;
}

/* Where the C library has no function that takes no lock (glibc before 2.35, musl), such objects
   are noted later. */
void objects_note_at(uintptr_t address)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct dl_find_object there;
    struct found found;
    const ElfW(Ehdr) * elf;

    if (!regmon_state.next.find_object || !regmon_state.objects.count || is_known(address) ||
        regmon_state.next.find_object((void *)address, &there) != 0)
        return;
    elf = there.dlfo_map_start;
    if (elf->e_ident[0] != ELFMAG0 || !text_starts((const char *)elf->e_ident + 1, "ELF"))
        return;
    found = found_of(there.dlfo_link_map->l_addr,
                     (const ElfW(Phdr) *)((const char *)elf + elf->e_phoff), elf->e_phnum,
                     there.dlfo_link_map->l_name, false);
    (void)note(&found);
#else
    (void)is_known;
    (void)address;
#endif
}
