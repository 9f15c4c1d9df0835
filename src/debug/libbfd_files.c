/* libbfd_files.c - opens files for libbfd, and finds separate files of stripped images.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "debug/libbfd_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"

/* ---- Errors of libbfd ----

   When libbfd gets no memory, or cannot read or open a file, it tries another way, which may give
   wrong results; it reports damage each time it meets it.  errno shows all of these: libbfd leaves
   it alone when all goes well.  */

static void complain(const char *format, va_list args)
{
    (void)format;
    (void)args;
    if (errno != ENOMEM && errno != EIO && errno != EMFILE && errno != ENFILE)
        errno = EBADMSG;
}

void libbfd_files_begin(void)
{
    libbfd_call_begin();
    bfd_init();
    bfd_set_error_handler(complain);
}

void libbfd_call_begin(void)
{
    bfd_set_error(bfd_error_no_error);
    errno = 0;
}

bool libbfd_call_end(const char *path, const char *what)
{
    if (errno == ENOMEM || bfd_get_error() == bfd_error_no_memory)
        die(MSG_NO_MEMORY_IN, path, _(what));
    if (errno == EIO || errno == EMFILE || errno == ENFILE)
        die(MSG_READ_FAILED, path, _(what), strerror(errno));
    return errno == EBADMSG;
}

bool libbfd_is_object(bfd *file, char *said, size_t size)
{
    file->flags |= BFD_DECOMPRESS;
    memset(said, '\0', size);
#ifdef HAVE_ASSIGNABLE_STDERR
    FILE *real = stderr, *captured = fmemopen(said, size - 1, "w");
    if (captured != NULL)
        stderr = captured;
#endif
    bool is_object = bfd_check_format(file, bfd_object);
#ifdef HAVE_ASSIGNABLE_STDERR
    int reason = errno;
    stderr = real;
    if (captured != NULL)
        fclose(captured);
    errno = reason;
#endif
    said[strcspn(said, "\n")] = '\0';
    return is_object;
}

/* ---- Files ---- */

void libbfd_files_close(struct libbfd_files *files)
{
    if (files->bfd != NULL && !files->is_broken)
        bfd_close(files->bfd);
    if (files->separate != NULL && !files->is_broken)
        bfd_close(files->separate);
    free(files->code);
    free(files->table);
    free(files->stubs);
    arena_free(&files->stub_names);
    free(files->separate_path);
    free(files->unpacked.memory);
    free(files->path);
}

uint64_t libbfd_section_limit(const struct libbfd_files *files, asection *section)
{
    return min_u64(bfd_section_size(section), files->size);
}

/* ---- Sections with code ---- */

/* Whether a section comes from the linker or, like glibc's `__libc_freeres_fn', from the C library,
   and not from the program: GNU gprof's reports are right without it.  */
static bool is_of_toolchain(const char *name)
{
    static const char *const names[] = {".init",
                                        ".fini",
                                        ".plt",
                                        ".plt.got",
                                        ".plt.sec",
                                        ".plt.bnd",
                                        ".iplt",
                                        ".MIPS.stubs",
                                        ".stub",
                                        ".glink",
                                        ".got",
                                        "__libc_freeres_fn",
                                        "__libc_thread_freeres_fn"};
    return text_is_one_of(name, names, ARRAY_LENGTH(names));
}

static struct text_range range_of(asection *section)
{
    vma start = bfd_section_vma(section);
    return (struct text_range){start, sum_u64(start, bfd_section_size(section))};
}

/* Whether SECTION has code and does not overlap the section TEXT, which may be NULL.  */
static bool is_more_code(asection *section, asection *text)
{
    const flagword wanted = SEC_ALLOC | SEC_CODE;
    const struct text_range range = range_of(section);
    if ((bfd_section_flags(section) & wanted) != wanted || range.start >= range.end ||
        is_of_toolchain(bfd_section_name(section)))
        return false;
    return text == NULL || range.end <= range_of(text).start || range.start >= range_of(text).end;
}

static int compare_sections(const void *a, const void *b)
{
    asection *const *left = a, *const *right = b;
    vma x = bfd_section_vma(*left), y = bfd_section_vma(*right);
    return x != y ? (x < y ? -1 : 1) : ((*left)->index > (*right)->index) * 2 - 1;
}

/* Removes sections that overlap those before them, which overlays do.  */
static size_t remove_overlays(asection **sections, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || bfd_section_vma(sections[i]) >= range_of(sections[kept - 1]).end)
            sections[kept++] = sections[i];
    return kept;
}

bool libbfd_find_code(struct libbfd_files *files, struct text_ranges *text)
{
    /* The sections of an object file all begin at 0.  */
    bool is_linked = (bfd_get_file_flags(files->bfd) & (EXEC_P | DYNAMIC)) != 0;
    size_t count = 0;
    files->text = bfd_get_section_by_name(files->bfd, ".text");
    if (files->text == NULL)
        files->text = bfd_get_section_by_name(files->bfd, "$CODE$");
    files->code = mem_array(bfd_count_sections(files->bfd), sizeof(asection *));
    for (asection *s = files->bfd->sections; s != NULL; s = s->next)
        if (s == files->text || (is_linked && is_more_code(s, files->text)))
            files->code[count++] = s;
    if (count == 0)
        return false;
    qsort(files->code, count, sizeof(asection *), compare_sections);
    count = remove_overlays(files->code, count);
    if (files->text == NULL)
        files->text = files->code[0];
    text->ranges = mem_array(count, sizeof *text->ranges);
    text->count = count;
    for (size_t i = 0; i < count; i++)
        text->ranges[i] = range_of(files->code[i]);
    text->all = (struct text_range){text->ranges[0].start, text->ranges[count - 1].end};
    return true;
}

/* ---- Other sections ---- */

char *libbfd_read_section(const struct libbfd_files *files, const char *name, size_t *size,
                          vma *addr)
{
    asection *section = bfd_get_section_by_name(files->bfd, name);
    struct stat status;
    if (section == NULL || (bfd_section_flags(section) & SEC_HAS_CONTENTS) == 0 ||
        bfd_stat(files->bfd, &status) != 0 || status.st_size < 0 ||
        bfd_section_size(section) > (uint64_t)status.st_size)
        return NULL;
    *size = bfd_section_size(section);
    *addr = bfd_section_vma(section);
    char *bytes = mem_array(*size + 1, 1);
    libbfd_call_begin();
    bool ok = bfd_get_section_contents(files->bfd, section, bytes, 0, *size);
    libbfd_call_end(files->path, READING_ALL);
    if (ok)
        return bytes;
    free(bytes);
    return NULL;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct named_range *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

static int compare_values(const void *a, const void *b)
{
    bfd_vma x = bfd_asymbol_value(*(asymbol *const *)a),
            y = bfd_asymbol_value(*(asymbol *const *)b);
    return (x > y) - (x < y);
}

/* Names STUB, which jumps to a function of this object: libbfd calls it `*ABS*+0x9d670@plt'.  Of
   the functions at that address in TABLE, ascending, the name is one without underscores, and
   without its version.  */
static void name_inner_stub(struct libbfd_files *files, asymbol *stub, asymbol *const *table,
                            size_t count)
{
    const char *plus = strchr(stub->name, '+'), *found = NULL;
    bfd_vma addr = plus != NULL ? strtoull(plus + 1, NULL, 16) : 0;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bfd_asymbol_value(table[middle]) < addr)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && bfd_asymbol_value(table[low]) == addr; low++) {
        const char *name = bfd_asymbol_name(table[low]);
        bool is_code = plus != NULL && (table[low]->section->flags & SEC_CODE) != 0;
        if (is_code && (found == NULL || (found[0] == '_' && name[0] != '_')))
            found = name;
    }
    stub->name = found != NULL
                     ? arena_format(&files->stub_names, "%.*s@plt", (int)strcspn(found, "@"), found)
                     : "[plt]";
}

/* Reads the synthetic symbols of the dynamic table.  */
static void read_stubs(struct libbfd_files *files)
{
    libbfd_call_begin();
    long bytes = bfd_get_dynamic_symtab_upper_bound(files->bfd), count = 0;
    asymbol **table = mem_array(bytes > 0 ? (size_t)bytes : sizeof(asymbol *), 1);
    if (bytes > 0)
        count = bfd_canonicalize_dynamic_symtab(files->bfd, table);
    size_t symbol_count = count > 0 ? (size_t)count : 0;
    if (count > 0)
        count = bfd_get_synthetic_symtab(files->bfd, 0, NULL, count, table, &files->stubs);
    libbfd_call_end(files->path, READING_SYMBOLS);
    files->stub_count = count > 0 ? (size_t)count : 0;
    if (files->stub_count > 0)
        qsort(table, symbol_count, sizeof *table, compare_values);
    for (size_t i = 0; i < files->stub_count; i++)
        if (strncmp(files->stubs[i].name, "*ABS*", 5) == 0)
            name_inner_stub(files, &files->stubs[i], table, symbol_count);
    free(table);
}

struct named_range *libbfd_stubs(struct libbfd_files *files, size_t *count)
{
    size_t kept = 0;
    if (files->stubs == NULL)
        read_stubs(files);
    struct named_range *ranges = mem_array(files->stub_count, sizeof *ranges);
    for (size_t i = 0; i < files->stub_count; i++) {
        const asymbol *symbol = &files->stubs[i];
        uint64_t end = range_of(symbol->section).end;
        if (bfd_asymbol_value(symbol) < end)
            ranges[kept++] =
                (struct named_range){bfd_asymbol_value(symbol), end, bfd_asymbol_name(symbol), 0};
    }
    qsort(ranges, kept, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i + 1 < kept; i++)
        ranges[i].end = min_u64(ranges[i].end, ranges[i + 1].start);
    *count = kept;
    return ranges;
}

/* ---- The symbol table ---- */

bool libbfd_add_table(struct libbfd_files *files, bfd *file, bool is_dynamic)
{
    libbfd_call_begin();
    long bytes =
        is_dynamic ? bfd_get_dynamic_symtab_upper_bound(file) : bfd_get_symtab_upper_bound(file);
    long count = bytes;
    size_t known = files->table_count, room = bytes > 0 ? (size_t)bytes / sizeof(asymbol *) : 0;
    asymbol **table = mem_array(known + room + 1, sizeof *table);
    if (known > 0)
        memcpy(table, files->table, known * sizeof *table);
    free(files->table);
    files->table = table;
    if (bytes > 0)
        count = is_dynamic ? bfd_canonicalize_dynamic_symtab(file, table + known)
                           : bfd_canonicalize_symtab(file, table + known);
    files->table_count += count > 0 ? (size_t)count : 0;
    bool is_damaged = count < 0 && !(is_dynamic && bfd_get_error() == bfd_error_invalid_operation);
    libbfd_call_end(files->path, READING_SYMBOLS);
    return !is_damaged;
}

/* Searched after the image's own directory.  */
static const char global_directory[] = "/usr/lib/debug";

/* ---- Build ids ---- */

/* The description of the note at DATA, of type 3 and with the name `GNU', in hexadecimal.  */
static char *parse_build_id(bfd *file, const bfd_byte *data, size_t size)
{
    enum { HEAD = 12, NAME = 4, TYPE = 3 };
    static const char digits[] = "0123456789abcdef";
    if (size < HEAD + NAME || bfd_get_32(file, data) != NAME ||
        bfd_get_32(file, data + 8) != TYPE || memcmp(data + HEAD, "GNU", NAME) != 0)
        return NULL;
    size_t length = bfd_get_32(file, data + 4);
    if (length == 0 || length > size - HEAD - NAME)
        return NULL;
    char *text = mem_array(2 * length + 1, 1);
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digits[data[HEAD + NAME + i] >> 4];
        text[2 * i + 1] = digits[data[HEAD + NAME + i] & 15];
    }
    return text;
}

static char *read_build_id(const struct libbfd_files *files, bfd *file)
{
    enum { MOST = 4096 }; /* bytes of a section; a larger one is damaged */
    bfd_byte data[MOST];
    asection *section = bfd_get_section_by_name(file, ".note.gnu.build-id");
    if (section == NULL || bfd_section_size(section) > MOST)
        return NULL;
    size_t size = bfd_section_size(section);
    libbfd_call_begin();
    bool ok = bfd_get_section_contents(file, section, data, 0, size);
    libbfd_call_end(files->path, READING_DEBUG);
    return ok ? parse_build_id(file, data, size) : NULL;
}

char *libbfd_build_id(const struct libbfd_files *files)
{
    return read_build_id(files, files->bfd);
}

/* ---- The separate file ---- */

/* FILE, which belongs to the image, if it is an object file; else closes it and returns NULL.  */
static bfd *check_object(const struct libbfd_files *files, bfd *file)
{
    char said[200];
    if (file == NULL)
        return NULL;
    libbfd_call_begin();
    bool is_known = libbfd_is_object(file, said, sizeof said);
    libbfd_call_end(files->path, READING_DEBUG);
    if (is_known)
        return file;
    bfd_close(file);
    return NULL;
}

/* Opens the object file at PATH, which belongs to the image; NULL if it is none.  */
static bfd *open_object(const struct libbfd_files *files, const char *path)
{
    if (!is_plain_file(path))
        return NULL;
    libbfd_call_begin();
    bfd *file = bfd_openr(path, bfd_get_target(files->bfd));
    libbfd_call_end(files->path, READING_DEBUG);
    return check_object(files, file);
}

/* The section of FILE that corresponds to SECTION of the image, or NULL.  */
static asection *find_twin(bfd *file, asection *section)
{
    asection *twin = bfd_get_section_by_name(file, bfd_section_name(section));
    bool is_same = twin != NULL && bfd_section_vma(twin) == bfd_section_vma(section) &&
                   bfd_section_size(twin) == bfd_section_size(section);
    return is_same ? twin : NULL;
}

/* The path of NAME.debug, on the heap.  */
static char *path_beside(const struct libbfd_files *files)
{
    static const char suffix[] = ".debug";
    size_t size = strlen(files->path);
    char *path = mem_array(size + sizeof suffix, 1);
    memcpy(path, files->path, size);
    memcpy(path + size, suffix, sizeof suffix);
    return path;
}

static bool belongs(const struct libbfd_files *files, bfd *file)
{
    char *own = libbfd_build_id(files), *other = read_build_id(files, file);
    bool is_same = own == NULL || other == NULL ? own == other : strcmp(own, other) == 0;
    free(own);
    free(other);
    return is_same && find_twin(file, files->text) != NULL;
}

static char *find_beside(const struct libbfd_files *files)
{
    char *path = path_beside(files);
    bfd *file = open_object(files, path);
    bool is_found = file != NULL && belongs(files, file);
    if (file != NULL)
        bfd_close(file);
    if (is_found)
        return path;
    free(path);
    return NULL;
}

/* The path that libbfd finds by build id or .gnu_debuglink, on the heap, or NULL.  */
static char *find_linked(const struct libbfd_files *files)
{
    libbfd_call_begin();
    char *path = bfd_follow_build_id_debuglink(files->bfd, global_directory);
    if (path == NULL)
        path = bfd_follow_gnu_debuglink(files->bfd, global_directory);
    libbfd_call_end(files->path, READING_DEBUG);
    return path;
}

/* The path of a file that belongs to the image: by its build id, by .gnu_debuglink, or because it
   is NAME.debug beside the image NAME and has the same build id or, if neither has one, the same
   text section.  NULL if there is none.  */
static const char *libbfd_separate_path(struct libbfd_files *files)
{
    if (files->has_separate_path)
        return files->separate_path;
    files->has_separate_path = true;
    files->separate_path = find_linked(files);
    if (files->separate_path == NULL) {
        files->separate_path = find_beside(files);
        files->is_separate_beside = files->separate_path != NULL;
    }
    return files->separate_path;
}

bool libbfd_separate_open(struct libbfd_files *files)
{
    const char *path = libbfd_separate_path(files);
    if (files->separate == NULL && path != NULL)
        files->separate = open_object(files, path);
    return files->separate != NULL;
}

asection *libbfd_separate_section(const struct libbfd_files *files, asection *section)
{
    return find_twin(files->separate, section);
}

const char *libbfd_debug_path(struct libbfd_files *files)
{
    bool is_inside = bfd_get_section_by_name(files->bfd, ".debug_info") != NULL ||
                     bfd_get_section_by_name(files->bfd, ".zdebug_info") != NULL;
    return is_inside ? files->path : libbfd_separate_path(files);
}

/* ---- Compressed symbols ---- */

#ifdef HAVE_LZMA
/* A file in memory, for libbfd.  */

static void *open_unpacked(bfd *file, void *unpacked)
{
    (void)file;
    return unpacked;
}

static file_ptr read_unpacked(bfd *file, void *unpacked, void *to, file_ptr size, file_ptr at)
{
    const struct decompressed *bytes = unpacked;
    (void)file;
    if (size < 0 || at < 0 || (uint64_t)at > bytes->size)
        return 0;
    size_t count = (size_t)min_u64((uint64_t)size, bytes->size - (uint64_t)at);
    memcpy(to, bytes->memory + at, count);
    return (file_ptr)count;
}

static int describe_unpacked(bfd *file, void *unpacked, struct stat *status)
{
    const struct decompressed *bytes = unpacked;
    (void)file;
    *status = (struct stat){.st_mode = S_IFREG, .st_size = (off_t)bytes->size};
    return 0;
}

bool libbfd_compressed_open(struct libbfd_files *files, bool *is_damaged)
{
    size_t size;
    vma addr;
    char *packed = libbfd_read_section(files, ".gnu_debugdata", &size, &addr);
    if (files->separate == NULL && packed != NULL &&
        xz_unpack(&files->unpacked, (unsigned char *)packed, size, files->path)) {
        libbfd_call_begin();
        bfd *file = bfd_openr_iovec(files->path, bfd_get_target(files->bfd), open_unpacked,
                                    &files->unpacked, read_unpacked, NULL, describe_unpacked);
        libbfd_call_end(files->path, READING_SYMBOLS);
        files->separate = check_object(files, file);
    }
    *is_damaged = packed != NULL && files->separate == NULL;
    free(packed);
    return packed != NULL && files->separate != NULL;
}
#else
bool libbfd_compressed_open(struct libbfd_files *files, bool *is_damaged)
{
    (void)files;
    return *is_damaged = false;
}
#endif

/* ---- Where it is searched for ---- */

/* The name in .gnu_debuglink, on the heap, or NULL.  */
static char *linked_name(const struct libbfd_files *files)
{
    unsigned long checksum;
    libbfd_call_begin();
    char *name = bfd_get_debug_link_info(files->bfd, &checksum);
    libbfd_call_end(files->path, READING_DEBUG);
    return name;
}

char *libbfd_debug_places(const struct libbfd_files *files)
{
    char *beside = path_beside(files), *name = linked_name(files), *id = libbfd_build_id(files);
    int length = (int)(path_base(files->path) - files->path);
    size_t size = 2 * strlen(beside) + (name != NULL ? strlen(name) : 0) +
                  (id != NULL ? strlen(id) : 0) + sizeof global_directory + 40;
    char *places = mem_array(size, 1);
    int used = name != NULL ? snprintf(places, size, "%.*s%s", length, files->path, name)
                            : snprintf(places, size, "%s", beside);
    if (id != NULL && strlen(id) > 2)
        snprintf(places + used, size - (size_t)used, ", %s/.build-id/%.2s/%s.debug",
                 global_directory, id, id + 2);
    free(beside);
    free(name);
    free(id);
    return places;
}
