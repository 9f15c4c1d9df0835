/* image_bfd.c - reads executables by libbfd.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/bfd_image.h"

#include <ctype.h>
#include <demangle.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/i18n.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/stderr_capture.h"
#include "input/debug_bfd.h"
#include "input/debug_dw.h"

/* ---- Trouble in the library ----

   When libbfd gets no memory it tries another way, which may be wrong; it reports damage each time
   it meets it.  Both are noticed by errno, which it leaves alone when all goes well.  */

static void complain(const char *format, va_list args)
{
    (void)format;
    (void)args;
    if (errno != ENOMEM)
        errno = EBADMSG;
}

/* Before a call of libbfd.  */
void bfd_call_begin(void)
{
    bfd_set_error(bfd_error_no_error);
    errno = 0;
}

/* After a call of libbfd: whether it reported damage.  Dies, naming WHAT, if memory ran out.  */
bool bfd_call_end(const struct image *image, const char *what)
{
    if (errno == ENOMEM || bfd_get_error() == bfd_error_no_memory)
        die(MSG_NO_MEMORY_IN, image->path, _(what));
    return errno == EBADMSG;
}

/* Why libbfd could not do what it was asked for.  */
static const char *reason(void)
{
    return bfd_get_error() == bfd_error_system_call ? strerror(errno) : bfd_errmsg(bfd_get_error());
}

/* ---- Opening ---- */

/* Whether the image is a file, which can be read without waiting for anyone.  */
static bool check_kind(struct image *image)
{
    struct stat status;
    if (stat(image->path, &status) != 0)
        return problem(errno == ENOENT ? MSG_NO_IMAGE : MSG_FILE_REASON, image->path,
                       strerror(errno));
    if (S_ISDIR(status.st_mode))
        return problem(MSG_IS_DIRECTORY, image->path);
    if (!S_ISREG(status.st_mode))
        return problem(MSG_IS_DEVICE, image->path);
    image->modified = status.st_mtime;
    image->file_size = (uint64_t)status.st_size;
    memory_limit_set(&image->line_memory, image->file_size);
    return true;
}

/* A file that libbfd does not know; returns false.  */
static bool reject_format(const struct image *image, const char *why)
{
    unsigned char start[GMON_START];
    int fd = open(image->path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, start, sizeof start) : -1;
    if (fd >= 0)
        close(fd);
    if (got > 0 && gmon_may_be_profile(start, (size_t)got))
        return problem(MSG_PROFILE_AS_IMAGE, image->path);
    return problem(MSG_NOT_EXECUTABLE, image->path, why);
}

static bool open_bfd(struct image *image)
{
    bfd_call_begin();
    image->bfd = bfd_file_open(image->path, NULL);
    bfd_call_end(image, READING_ALL);
    if (image->bfd == NULL)
        return problem(MSG_FILE_REASON, image->path, reason());
    image->bfd->flags |= BFD_DECOMPRESS;
    struct stderr_capture capture;
    char said[200]; /* libbfd writes some messages here past its error handler */
    stderr_capture_begin(&capture, said, sizeof said);
    bool is_known = bfd_check_format(image->bfd, bfd_object);
    stderr_capture_end(&capture, said);
    bfd_call_end(image, READING_ALL);
    if (is_known && said[0] != '\0')
        warning(image->diagnostics, MSG_LOOKS_DAMAGED, image->path, said);
    if (!is_known)
        return reject_format(image, reason());
    image->text = bfd_get_section_by_name(image->bfd, ".text");
    if (image->text == NULL)
        image->text = bfd_get_section_by_name(image->bfd, "$CODE$");
    if (image->text == NULL)
        return problem(MSG_NO_TEXT, image->path);
    return true;
}

struct image *image_open(const char *path, struct diagnostics *diagnostics)
{
    struct image *image = mem_array(1, sizeof *image);
    bfd_call_begin();
    bfd_init();
    bfd_set_error_handler(complain);
    image->path = mem_copy(path, strlen(path));
    image->diagnostics = diagnostics;
    if (!check_kind(image) || !open_bfd(image)) {
        image_close(image);
        return NULL;
    }
    return image;
}

void image_close(struct image *image)
{
    if (image == NULL)
        return;
    if (image->bfd != NULL && !image->has_broken_bfd)
        bfd_close(image->bfd);
    free(image->path);
    free(image->text_bytes);
    free(image->table);
    free(image->synthetic);
    free(image->in_text.places);
    if (image->debug != NULL)
        image->debug->close(image->debug_info);
    if (image->separate != NULL && !image->has_broken_bfd)
        bfd_close(image->separate);
    free(image->separate_path);
    free(image);
}

const char *image_path(const struct image *image)
{
    return image->path;
}

/* ---- Text and layout ---- */

int64_t image_modified(const struct image *image)
{
    return image->modified;
}

struct text_range image_text(const struct image *image)
{
    vma start = bfd_section_vma(image->text);
    return (struct text_range){start, sum_u64(start, bfd_section_size(image->text))};
}

uint64_t image_text_limit(const struct image *image)
{
    return min_u64(bfd_section_size(image->text), image->file_size);
}

/* Whether the text has bytes, which a damaged file may lack.  */
static bool has_text_bytes(const struct image *image)
{
    return (bfd_section_flags(image->text) & SEC_HAS_CONTENTS) != 0 &&
           image_text_limit(image) >= bfd_section_size(image->text);
}

const unsigned char *image_text_bytes(struct image *image)
{
    if (image->text_bytes != NULL)
        return image->text_bytes;
    bool has_bytes = has_text_bytes(image);
    bfd_call_begin();
    bool is_read =
        has_bytes && bfd_malloc_and_get_section(image->bfd, image->text, &image->text_bytes);
    bfd_call_end(image, READING_TEXT);
    if (is_read)
        return image->text_bytes;
    if (!has_bytes)
        problem(MSG_TEXT_NOT_THERE, image->path);
    else
        problem(MSG_TEXT_UNREADABLE, image->path, reason());
    free(image->text_bytes);
    return image->text_bytes = NULL;
}

bool image_read_text(struct image *image, vma addr, unsigned char *bytes, size_t size)
{
    const struct text_range text = image_text(image);
    if (!has_text_bytes(image) || addr < text.start || addr >= text.end || size > text.end - addr)
        return false;
    bfd_call_begin();
    bool is_read = bfd_get_section_contents(image->bfd, image->text, bytes,
                                            (file_ptr)(addr - text.start), size);
    bfd_call_end(image, READING_TEXT);
    return is_read;
}

/* The size of pointers in bits: what the format says (ELF does), else the architecture.  */
static int pointer_bits(const struct image *image)
{
    int bits = bfd_get_arch_size(image->bfd);
    return bits > 0 ? bits : (int)bfd_arch_bits_per_address(image->bfd);
}

struct gmon_layout image_layout(const struct image *image)
{
    return (struct gmon_layout){
        .is_big_endian = bfd_big_endian(image->bfd),
        .sign_extends = bfd_get_sign_extend_vma(image->bfd) > 0,
        .pointer_size = pointer_bits(image) > 32 ? 8 : 4,
    };
}

enum image_arch image_arch(const struct image *image)
{
    static const struct {
        enum bfd_architecture known;
        enum image_arch arch;
    } all[] = {{bfd_arch_i386, ARCH_X86},    {bfd_arch_aarch64, ARCH_AARCH64},
               {bfd_arch_mips, ARCH_MIPS},   {bfd_arch_sparc, ARCH_SPARC},
               {bfd_arch_alpha, ARCH_ALPHA}, {bfd_arch_vax, ARCH_VAX},
               {bfd_arch_arm, ARCH_ARM},     {bfd_arch_powerpc, ARCH_POWERPC},
               {bfd_arch_riscv, ARCH_RISCV}, {bfd_arch_s390, ARCH_S390}};
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
        if (bfd_get_arch(image->bfd) == all[i].known)
            return all[i].arch;
    return ARCH_OTHER;
}

unsigned image_entry_units(const struct image *image)
{
    return image_arch(image) == ARCH_VAX ? 1 : 0; /* the mask of registers to save */
}

const char *image_arch_name(const struct image *image)
{
    return bfd_printable_name(image->bfd);
}

char *image_section(struct image *image, const char *name, size_t *size)
{
    asection *section = bfd_get_section_by_name(image->bfd, name);
    struct stat status;
    if (section == NULL || (bfd_section_flags(section) & SEC_HAS_CONTENTS) == 0 ||
        bfd_stat(image->bfd, &status) != 0 || status.st_size < 0 ||
        bfd_section_size(section) > (uint64_t)status.st_size)
        return NULL;
    *size = bfd_section_size(section);
    char *bytes = mem_array(*size + 1, 1);
    bfd_call_begin();
    bool ok = bfd_get_section_contents(image->bfd, section, bytes, 0, *size);
    bfd_call_end(image, READING_ALL);
    if (ok)
        return bytes;
    free(bytes);
    return NULL;
}

char image_leading_char(const struct image *image)
{
    return bfd_get_symbol_leading_char(image->bfd);
}

/* ---- Symbols ---- */

/* Formats whose symbols say whether they are functions; elsewhere every symbol counts as one.  */
static bool marks_functions(const struct image *image)
{
    switch (bfd_get_flavour(image->bfd)) {
    case bfd_target_elf_flavour:
    case bfd_target_coff_flavour:
    case bfd_target_xcoff_flavour:
    case bfd_target_ecoff_flavour:
    case bfd_target_som_flavour:
        return true;
    default:
        return false;
    }
}

/* Whether nm would class SYMBOL T, W or t; then *RAW is what is known of it.  */
static bool describe(asymbol *symbol, bool are_marked, struct raw_symbol *raw)
{
    if ((symbol->flags & BSF_DEBUGGING) != 0 || symbol->section == NULL)
        return false;
    int class = bfd_decode_symclass(symbol);
    if (class != 'T' && class != 'W' && class != 't')
        return false;
    bool has_mark = (symbol->flags & BSF_FUNCTION) != 0;
    *raw = (struct raw_symbol){.addr = bfd_asymbol_value(symbol),
                               .name = bfd_asymbol_name(symbol),
                               .is_static = class == 't',
                               .is_func = has_mark || !are_marked,
                               .has_function_mark = has_mark};
    return true;
}

/* Replaces the table by that of all symbols in FILE or, if IS_DYNAMIC, of those that the loader
   knows.  */
static void read_table(struct image *image, bfd *file, bool is_dynamic)
{
    bfd_call_begin();
    long bytes =
        is_dynamic ? bfd_get_dynamic_symtab_upper_bound(file) : bfd_get_symtab_upper_bound(file);
    long count = bytes;
    free(image->table);
    image->table = mem_array(bytes > 0 ? (size_t)bytes : sizeof(asymbol *), 1);
    if (bytes > 0)
        count = is_dynamic ? bfd_canonicalize_dynamic_symtab(file, image->table)
                           : bfd_canonicalize_symtab(file, image->table);
    image->table_count = count > 0 ? (size_t)count : 0;
    bool is_damaged = count < 0 && !(is_dynamic && bfd_get_error() == bfd_error_invalid_operation);
    bfd_call_end(image, READING_SYMBOLS);
    if (is_damaged)
        warning(image->diagnostics, MSG_SYMBOLS_UNREADABLE, bfd_get_filename(file), reason());
}

/* From the symbol table alone (PowerPC's function entries), so without `puts@plt'.  */
static void read_synthetic(struct image *image)
{
    long count = bfd_get_synthetic_symtab(image->bfd, (long)image->table_count, image->table, 0,
                                          NULL, &image->synthetic);
    image->synthetic_count = count > 0 ? (size_t)count : 0;
    bfd_call_end(image, READING_SYMBOLS);
}

/* The path of the file with what was split off the image; NULL if there is none.  */
static const char *separate_path(struct image *image)
{
    if (!image->has_separate_path)
        image->separate_path = debug_file_find(image);
    image->has_separate_path = true;
    return image->separate_path;
}

/* A stripped image: reads the symbols that were split off.  False if they are not found.  */
static bool read_separate(struct image *image)
{
    const char *path = separate_path(image);
    if (path == NULL)
        return false;
    if (image->separate == NULL)
        image->separate = debug_file_open(image, path);
    if (image->separate == NULL)
        return false;
    read_table(image, image->separate, false);
    image->symbol_text = debug_file_text(image, image->separate);
    return image->table_count > 0 && image->symbol_text != NULL;
}

/* The symbols of a stripped image are read from its debug file; if there is none, those are left by
   which the loader finds functions.  */
static void read_symbols(struct image *image)
{
    if (image->table != NULL)
        return;
    image->symbol_text = image->text;
    read_table(image, image->bfd, false);
    read_synthetic(image);
    image->is_stripped = image->table_count + image->synthetic_count == 0;
    if (image->is_stripped && !read_separate(image)) {
        image->symbol_text = image->text;
        read_table(image, image->bfd, true);
    }
}

bool image_is_stripped(struct image *image)
{
    read_symbols(image);
    return image->is_stripped;
}

/* Whether the symbols have been split off, and are not found.  */
static bool lacks_symbols(const struct image *image)
{
    return image->is_stripped && image->symbol_text == image->text;
}

static void warn_of_strip(struct image *image)
{
    char *places = image_debug_places(image);
    warning(image->diagnostics, MSG_STRIPPED, image->path, places);
    free(places);
}

struct raw_symbol *image_symbols(struct image *image, size_t *count)
{
    bool are_marked = marks_functions(image), is_first = image->table == NULL;
    read_symbols(image);
    size_t made = 0;
    struct raw_symbol *symbols =
        mem_array(image->table_count + image->synthetic_count, sizeof *symbols);
    for (size_t i = 0; i < image->table_count; i++)
        made += describe(image->table[i], are_marked, &symbols[made]);
    for (size_t i = 0; i < image->synthetic_count; i++)
        made += describe(&image->synthetic[i], are_marked, &symbols[made]);
    if (is_first && made > 0 && lacks_symbols(image))
        warn_of_strip(image);
    *count = made;
    return symbols;
}

const char *image_symbol_name(struct image *image, size_t number, enum symbol_kind *kind)
{
    read_symbols(image);
    if (number >= image->table_count)
        return NULL;
    const asymbol *symbol = image->table[number];
    bool is_weak = (symbol->flags & BSF_WEAK) != 0;
    *kind = !bfd_is_und_section(symbol->section) ? SYMBOL_DEFINED : SYMBOL_IMPORTED + is_weak;
    return bfd_asymbol_name(symbol);
}

/* ---- Symbols by address ---- */

static void list_text_symbols(struct image *image)
{
    read_symbols(image);
    for (size_t i = 0; i < image->table_count; i++)
        if (image->table[i]->section == image->symbol_text &&
            (image->table[i]->flags & (BSF_SECTION_SYM | BSF_DEBUGGING)) == 0)
            places_add(&image->in_text, bfd_asymbol_value(image->table[i]), (uint32_t)i);
    places_sort(&image->in_text);
}

size_t image_symbols_upto(struct image *image, vma addr)
{
    if (image->in_text.places == NULL)
        list_text_symbols(image);
    return places_upto(&image->in_text, addr);
}

/* The symbol of the text that is number AT by address.  */
static const asymbol *text_symbol(const struct image *image, size_t at)
{
    return image->table[image->in_text.places[at].number];
}

const char *image_function_at(struct image *image, vma addr, const char *preferred)
{
    const char *found = NULL;
    for (size_t i = image_symbols_upto(image, addr); i > 0; i--) {
        const asymbol *symbol = text_symbol(image, i - 1);
        if (image->in_text.places[i - 1].addr != addr)
            break;
        if ((symbol->flags & BSF_FUNCTION) == 0)
            continue;
        found = bfd_asymbol_name(symbol);
        if (preferred != NULL && strcmp(found, preferred) == 0)
            break;
    }
    return found;
}

/* ---- Debug information ---- */

void image_warn_of_damage(struct image *image, const char *message)
{
    if (!image->is_known_damaged)
        warning(image->diagnostics, message, image->path);
    image->is_known_damaged = true;
}

bool image_has_damaged_lines(const struct image *image)
{
    return image->is_known_damaged;
}

bool image_is_linked_elf(struct image *image)
{
    enum { TYPE_OFFSET = 16, RELOCATABLE = 1 }; /* in the header of an ELF file of any size */
    bfd_byte type[2];
    if (bfd_get_flavour(image->bfd) != bfd_target_elf_flavour)
        return false;
    bfd_call_begin();
    bool is_read = bfd_seek(image->bfd, TYPE_OFFSET, SEEK_SET) == 0 &&
                   bfd_bread(type, sizeof type, image->bfd) == sizeof type;
    bfd_call_end(image, READING_ALL);
    return is_read && bfd_get_16(image->bfd, type) != RELOCATABLE;
}

static bool has_section(const struct image *image, const char *name)
{
    return bfd_get_section_by_name(image->bfd, name) != NULL;
}

const char *image_debug_path(struct image *image)
{
    bool is_inside = has_section(image, ".debug_info") || has_section(image, ".zdebug_info");
    return is_inside ? image->path : separate_path(image);
}

/* The reader of the debug information; NULL if there is none.  */
static const struct debug_info_ops *debug_of(struct image *image)
{
    static const struct debug_info_ops *const readers[] = {
#ifdef HAVE_LIBDW
        &debug_dw,
#endif
        &debug_bfd};
    for (size_t i = 0; i < ARRAY_LENGTH(readers) && !image->has_debug; i++) {
        image->debug_info = readers[i]->open(image);
        image->has_debug = image->debug_info != NULL;
        image->debug = image->has_debug ? readers[i] : NULL;
    }
    image->has_debug = true;
    return image->debug;
}

bool image_line(struct image *image, vma addr, struct source_pos *pos)
{
    const struct debug_info_ops *debug = debug_of(image);
    return debug != NULL && debug->position(image->debug_info, addr, POSITION_FUNCTION, pos);
}

bool image_position(struct image *image, vma addr, struct source_pos *pos)
{
    const struct debug_info_ops *debug = debug_of(image);
    return debug != NULL && debug->position(image->debug_info, addr, POSITION_LINE, pos);
}

vma *image_line_addresses(struct image *image, size_t *count)
{
    struct text_range text = image_text(image);
    struct vma_list list = {0};
    size_t symbol_count = 0;
    const struct debug_info_ops *debug = debug_of(image);
    struct raw_symbol *symbols = debug != NULL ? image_symbols(image, &symbol_count) : NULL;
    if (debug != NULL)
        debug->boundaries(image->debug_info, &list);
    for (size_t i = 0; i < symbol_count && list.count > 0; i++)
        vma_list_add(&list, symbols[i].addr);
    free(symbols);
    vma_list_unique(&list, text.start, text.end, image_arch(image) == ARCH_ALPHA ? 4 : 1);
    *count = list.count;
    return list.addrs;
}

/* ---- Names ---- */

bool image_find_demangling_style(const char *name, int *style)
{
    *style = cplus_demangle_name_to_style(name);
    return *style != (int)unknown_demangling;
}

bool image_may_be_mangled(const char *name, int style)
{
    /* The names of all schemes that style auto tries begin with another character.  */
    return !isalpha((unsigned char)name[0]) || (style != DEMANGLE_AUTO && style != auto_demangling);
}

char *image_demangle(const struct image *image, const char *name, int style)
{
    if (style == no_demangling)
        return NULL;
    bfd_call_begin();
    char *demangled = bfd_demangle(image->bfd, name, DMGL_ANSI | DMGL_PARAMS | style);
    bfd_call_end(image, READING_NAME);
    return demangled;
}
