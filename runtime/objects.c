/* objects.c - the main program and its shared objects, from /proc/self/maps and their own headers.
   SPDX-License-Identifier: MIT */
#include "objects.h"

#include <elf.h>
#include <link.h>

#include "memory.h"
#include "state.h"
#include "sys.h"
#include "text.h"

#define MOST_DYNAMIC 256

/* A line of /proc/self/maps. */
struct mapping {
    uint64_t start;
    uint64_t end;
    uint64_t offset;
    uint64_t inode;
    uint64_t device;
    bool is_executable;
    const char *path;
};

static bool read_memory(void *to, uintptr_t from, size_t bytes)
{
    return memory_copy(to, from, bytes) == bytes;
}

/* ---- Headers ---- */

static bool read_program_header(const ElfW(Ehdr) * elf, uintptr_t base, unsigned i, ElfW(Phdr) * p)
{
    return read_memory(p, base + elf->e_phoff + i * sizeof *p, sizeof *p);
}

/* Takes the last part of a soname, which may be a path, as name. */
static void read_name(struct object *object, uintptr_t soname)
{
    char name[OBJECT_NAME_BYTES];
    size_t length = 0;

    while (length < sizeof name - 1 && read_memory(&name[length], soname, 1) && name[length]) {
        length = name[length] == '/' ? 0 : length + 1;
        soname++;
    }
    name[length] = 0;
    if (length)
        copy_bytes(object->name, name, length + 1);
}

/* Reads soname and _init from the dynamic section. Some C libraries have added the bias to
 * addresses in it. */
static void read_dynamic(struct object *object, uintptr_t section)
{
    uintptr_t strings = 0, soname = 0;
    bool has_soname = false;
    ElfW(Dyn) d;

    for (int i = 0; i < MOST_DYNAMIC; i++) {
        if (!read_memory(&d, section + (size_t)i * sizeof d, sizeof d) || d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_STRTAB)
            strings = d.d_un.d_ptr < object->bias ? d.d_un.d_ptr + object->bias : d.d_un.d_ptr;
        if (d.d_tag == DT_SONAME)
            soname = d.d_un.d_val, has_soname = true;
        if (d.d_tag == DT_INIT)
            object->init = d.d_un.d_ptr;
    }
    if (strings && has_soname)
        read_name(object, strings + soname);
}

/* The range of code, and the bias, which the mapping of the header at BASE shows. */
static bool read_segments(struct object *object, const ElfW(Ehdr) * elf, uintptr_t base)
{
    uintptr_t low = UINTPTR_MAX, high = 0, first = UINTPTR_MAX;
    ElfW(Phdr) p;

    for (unsigned i = 0; i < elf->e_phnum && read_program_header(elf, base, i, &p); i++) {
        if (p.p_type != PT_LOAD)
            continue;
        if (p.p_offset == 0)
            first = p.p_vaddr;
        if (!(p.p_flags & PF_X))
            continue;
        low = p.p_vaddr < low ? p.p_vaddr : low;
        high = p.p_vaddr + p.p_memsz > high ? p.p_vaddr + p.p_memsz : high;
    }
    if (first == UINTPTR_MAX || low >= high)
        return false;
    object->bias = base - first;
    object->low = low & ~(uintptr_t)1;
    object->high = (high + 1) & ~(uintptr_t)1;
    object->init = object->low;
    return true;
}

/* Finds the build id, which linkers make of a file's contents, among the notes of a segment. */
static void read_notes(struct object *object, uintptr_t at, uintptr_t end)
{
    ElfW(Nhdr) note;
    char name[4];

    while (at < end && end - at >= sizeof note && read_memory(&note, at, sizeof note)) {
        const uint64_t name_bytes = ((uint64_t)note.n_namesz + 3) & ~(uint64_t)3;
        const uint64_t bytes =
            sizeof note + name_bytes + (((uint64_t)note.n_descsz + 3) & ~(uint64_t)3);

        if (bytes > end - at)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name &&
            note.n_descsz <= BUILD_ID_BYTES && read_memory(name, at + sizeof note, sizeof name) &&
            name[0] == 'G' && name[1] == 'N' && name[2] == 'U' && name[3] == 0 &&
            read_memory(object->build_id, at + sizeof note + name_bytes, note.n_descsz))
            object->build_id_bytes = note.n_descsz;
        at += bytes;
    }
}

static bool read_headers(struct object *object, uintptr_t base)
{
    ElfW(Ehdr) elf;
    ElfW(Phdr) p;

    if (!read_memory(&elf, base, sizeof elf) || elf.e_ident[0] != ELFMAG0 ||
        elf.e_ident[1] != 'E' || elf.e_ident[2] != 'L' || elf.e_ident[3] != 'F' ||
        elf.e_phentsize != sizeof p || !read_segments(object, &elf, base))
        return false;
    object->is_main = regmon_state.main_headers == base + elf.e_phoff;
    for (unsigned i = 0; i < elf.e_phnum && read_program_header(&elf, base, i, &p); i++) {
        const uintptr_t start = p.p_vaddr + object->bias;

        if (p.p_type == PT_DYNAMIC)
            read_dynamic(object, start);
        else if (p.p_type == PT_NOTE && object->is_main)
            read_notes(object, start, start + p.p_memsz);
    }
    return true;
}

/* ---- Lines ---- */

/* "start-end perms offset device:minor inode   path".  False if the line has another form. */
static bool read_line(const char *line, struct mapping *m)
{
    uint64_t minor;
    unsigned long inode;

    if (!text_read_hex(&line, &m->start) || *line++ != '-' || !text_read_hex(&line, &m->end) ||
        *line != ' ')
        return false;
    m->is_executable = line[3] == 'x';
    line += 6;
    if (!text_read_hex(&line, &m->offset) || *line++ != ' ' || !text_read_hex(&line, &m->device) ||
        *line++ != ':' || !text_read_hex(&line, &minor) || *line++ != ' ' ||
        !text_read_number(&line, &inode))
        return false;
    m->device = m->device << 32 | minor;
    m->inode = inode;
    while (*line == ' ')
        line++;
    m->path = line;
    return true;
}

static void set_name(struct object *object, const char *path)
{
    struct text name = text_in(object->name, sizeof object->name);
    const char *last = path;

    for (; *path; path++)
        if (*path == '/')
            last = path + 1;
    text_add(&name, last);
}

static void begin_object(struct object *object, const struct mapping *m)
{
    clear_bytes(object, sizeof *object);
    set_name(object, m->path);
    object->inode = m->inode;
    object->device = m->device;
    if (!read_headers(object, m->start))
        object->high = 0;
}

static void end_object(struct objects *objects)
{
    struct object *object = &objects->list[objects->count];

    object->same = 0;
    while (!object_is_same(&objects->list[object->same], object))
        object->same++;
    objects->count++;
    if (objects->count < objects->capacity)
        objects->list[objects->count].high = 0;
}

/* Whether the mapping belongs to an object that began before: in a small program of lld, several
   segments share the first page of the file. */
static bool is_part(const struct mapping *m, const struct object *object)
{
    return object->high && object->inode == m->inode && object->device == m->device &&
           m->start < object->bias + object->high;
}

/* An object begins where the start of a file is mapped, and is one when code of that file is
   mapped, too. Until then it is at the end of the list, uncounted. */
static void add_mapping(struct objects *objects, const struct mapping *m)
{
    struct object *object = &objects->list[objects->count];

    if (objects->count == objects->capacity || (m->inode == 0 && !text_is(m->path, "[vdso]")))
        return;
    if (m->offset == 0 && !is_part(m, object) && !(objects->count > 0 && is_part(m, object - 1)))
        begin_object(object, m);
    if (m->is_executable && object->high && object->inode == m->inode &&
        object->device == m->device)
        end_object(objects);
}

/* Reads the lines that are whole; returns how many bytes they have. */
static size_t read_lines(struct objects *objects, char *buffer, size_t bytes)
{
    size_t start = 0;
    struct mapping m;

    for (size_t i = 0; i < bytes; i++)
        if (buffer[i] == '\n') {
            buffer[i] = 0;
            if (read_line(buffer + start, &m))
                add_mapping(objects, &m);
            start = i + 1;
        }
    return start;
}

static void read_maps(struct objects *objects, const char *path, char *buffer, size_t bytes)
{
    const long fd = sys_open(path, O_RDONLY, 0);
    size_t kept = 0;
    long got;

    objects->count = 0;
    objects->list[0].high = 0;
    if (fd < 0)
        return;
    while (kept < bytes && (got = sys_read(fd, buffer + kept, bytes - kept)) > 0) {
        const size_t used = read_lines(objects, buffer, kept + (size_t)got);

        kept += (size_t)got - used;
        copy_bytes(buffer, buffer + used, kept);
    }
    sys_close(fd);
}

/* Without /proc: the main program, whose program headers follow the header of the file. */
static void add_program(struct objects *objects)
{
    struct object *object = &objects->list[0];

    clear_bytes(object, sizeof *object);
    set_name(object, "program");
    if (!regmon_state.main_headers ||
        !read_headers(object, regmon_state.main_headers - sizeof(ElfW(Ehdr))) || !object->is_main)
        return;
    end_object(objects);
    objects->is_program_only = true;
}

/* Where the main thread has ended before others, only /proc/thread-self has lines. */
bool objects_read(struct objects *objects, char *buffer, size_t bytes)
{
    objects->is_program_only = false;
    read_maps(objects, "/proc/self/maps", buffer, bytes);
    if (objects->count == 0)
        read_maps(objects, "/proc/thread-self/maps", buffer, bytes);
    if (objects->count == 0)
        add_program(objects);
    objects->mapped = objects->count;
    return objects->count > 0;
}

size_t objects_find(const struct objects *objects, uintptr_t address)
{
    size_t low = 0, high = objects->mapped;

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

bool object_is_same(const struct object *a, const struct object *b)
{
    return a->inode == b->inode && a->device == b->device && a->low == b->low && a->high == b->high;
}

size_t objects_add(struct objects *objects, const struct object *object)
{
    for (size_t i = 0; i < objects->count; i++)
        if (object_is_same(&objects->list[i], object))
            return i;
    if (objects->count == objects->capacity)
        return objects->capacity;
    copy_bytes(&objects->list[objects->count], object, sizeof *object);
    objects->list[objects->count].same = objects->count;
    return objects->count++;
}
