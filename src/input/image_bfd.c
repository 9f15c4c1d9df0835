/* image_bfd.c - reads executables by libbfd.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/image.h"

#include <ctype.h>
#include <demangle.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "debug/libbfd_files.h"
#include "input/image_files.h"
#include "input/profile_load.h"

struct image {
    const struct listed_code *list; /* NULL: an executable; else there is no libbfd file */
    struct libbfd_files files;
    unsigned char **text_bytes; /* by range of the text; NULL until they are read */
    asymbol *synthetic;
    size_t synthetic_count;
    unsigned elf_type, elf_machine; /* of the header of an ELF file; else 0 */
    bool is_stripped;               /* has no symbols of its own, except for the loader */
    bool has_separate_symbols;      /* the symbols are those of the separate file */
    struct debug_image debug;
    const struct debug_reader *reader; /* NULL: there is no debug information */
    void *debug_info;                  /* owned by `reader' */
    bool has_debug;                    /* `reader' and `debug_info' are set */
    int64_t modified;                  /* seconds since 1970 */
    unsigned stopped_names;            /* whose demangling needed too much memory */
    bool has_long_name;                /* the warning of long names has been printed */
};

enum { ELF_RELOCATABLE = 1, ELF_ARM = 40, ELF_RISCV = 243 }; /* types and machines */

/* Why libbfd could not do what it was asked for.  */
static const char *reason(void)
{
    return bfd_get_error() == bfd_error_system_call ? strerror(errno) : bfd_errmsg(bfd_get_error());
}

/* ---- Opening ---- */

/* Prints that there is no file at PATH for the reason ERROR; returns false.  */
static bool explain_missing(const char *path, int error)
{
    if (strcmp(path, "-") == 0) /* standard input, which is no profile of another profiler */
        return problem(MSG_EMPTY_PROFILE, path);
    char *similar = error == ENOENT ? similar_file(path, true) : NULL;
    if (similar != NULL)
        problem(MSG_SIMILAR_FILE, path, strerror(error), similar);
    else
        problem(error == ENOENT ? MSG_NO_IMAGE : MSG_FILE_REASON, path, strerror(error));
    free(similar);
    return false;
}

/* Prints that there is a directory at PATH; returns false.  That of uftrace has a file `info'.  */
static bool explain_directory(const char *path)
{
    struct arena arena = {0};
    unsigned char start[8];
    size_t got = file_start(arena_join(&arena, path, "/info"), start, sizeof start);
    arena_free(&arena);
    if (!profile_is_unread(start, got) || !profile_is_of_other(path, start, got))
        problem(MSG_IS_DIRECTORY, path);
    return false;
}

/* Whether the image is a file, which can be read without waiting for anyone.  */
static bool check_kind(struct image *image)
{
    struct stat status;
    if (stat(image->files.path, &status) != 0)
        return explain_missing(image->files.path, errno);
    if (S_ISDIR(status.st_mode))
        return explain_directory(image->files.path);
    if (!S_ISREG(status.st_mode))
        return problem(MSG_IS_DEVICE, image->files.path);
    image->modified = status.st_mtime;
    image->files.size = (uint64_t)status.st_size;
    memory_limit_set(&image->files.line_memory, image->files.size);
    return true;
}

/* Prints WHY libbfd does not know the file; returns false.  */
static bool reject_format(const struct image *image, const char *why)
{
    unsigned char start[512]; /* enough to decompress some */
    size_t got = file_start(image->files.path, start, sizeof start);
    if (got > 0 && gmon_may_be_profile(start, got))
        return problem(MSG_PROFILE_AS_IMAGE, image->files.path);
    if (elf_type_of(start, got) == ELF_CORE)
        return problem(MSG_CORE_FILE, image->files.path);
    if (profile_is_of_other(image->files.path, start, got))
        return false;
    return problem(MSG_NOT_EXECUTABLE, image->files.path, why);
}

static void read_elf_header(struct image *image)
{
    enum { TYPE_OFFSET = 16 }; /* in the header of an ELF file of any size; the machine follows */
    bfd_byte bytes[4];
    if (bfd_get_flavour(image->files.bfd) != bfd_target_elf_flavour)
        return;
    libbfd_call_begin();
    bool is_read = bfd_seek(image->files.bfd, TYPE_OFFSET, SEEK_SET) == 0 &&
                   bfd_bread(bytes, sizeof bytes, image->files.bfd) == sizeof bytes;
    libbfd_call_end(image->files.path, READING_ALL);
    image->elf_type = is_read ? (unsigned)bfd_get_16(image->files.bfd, bytes) : 0;
    image->elf_machine = is_read ? (unsigned)bfd_get_16(image->files.bfd, bytes + 2) : 0;
}

static bool open_bfd(struct image *image)
{
    int fd = image->debug.fd >= 0 ? fcntl(image->debug.fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (image->debug.fd >= 0 && fd < 0)
        return problem(MSG_FILE_REASON, image->files.path, strerror(errno));
    libbfd_call_begin();
    image->files.bfd =
        fd >= 0 ? bfd_fdopenr(image->files.path, NULL, fd) : bfd_openr(image->files.path, NULL);
    libbfd_call_end(image->files.path, READING_ALL);
    if (image->files.bfd == NULL)
        return problem(MSG_FILE_REASON, image->files.path, reason());
    char said[200];
    bool is_known = libbfd_is_object(image->files.bfd, said, sizeof said);
    libbfd_call_end(image->files.path, READING_ALL);
    if (is_known && said[0] != '\0')
        warning(image->debug.diagnostics, MSG_LOOKS_DAMAGED, image->files.path, said);
    if (!is_known)
        return reject_format(image, reason());
    read_elf_header(image);
    if (!libbfd_find_code(&image->files, &image->debug.text))
        return problem(MSG_NO_TEXT, image->files.path);
    image->text_bytes = mem_array(image->debug.text.count, sizeof *image->text_bytes);
    return true;
}

struct image *image_open_at(const char *path, int fd, struct diagnostics *diagnostics)
{
    struct image *image = mem_array(1, sizeof *image);
    libbfd_files_begin();
    image->files.path = mem_copy(path, strlen(path));
    image->debug.diagnostics = diagnostics;
    image->debug.fd = fd;
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
    if (image->reader != NULL)
        image->reader->close(image->debug_info);
    libbfd_files_close(&image->files);
    if (image->debug.fd >= 0)
        close(image->debug.fd);
    for (size_t i = 0; image->text_bytes != NULL && i < image->debug.text.count; i++)
        free(image->text_bytes[i]);
    free(image->text_bytes);
    free(image->debug.text.ranges);
    free(image->synthetic);
    free(image->debug.symbols.symbols);
    free(image);
}

struct libbfd_files *image_files(struct image *image)
{
    return image->list == NULL ? &image->files : NULL;
}

const char *image_path(const struct image *image)
{
    return image->files.path;
}

/* ---- Images of names ---- */

/* One symbol for each function.  Free with free; CODE owns the names.  */
static struct raw_symbol *listed_symbols(const struct listed_code *code, size_t *count)
{
    struct raw_symbol *symbols = mem_array(code->function_count, sizeof *symbols);
    for (size_t i = 0; i < code->function_count; i++)
        symbols[i] = (struct raw_symbol){.addr = listed_address(code->functions[i].first),
                                         .name = code->functions[i].name,
                                         .is_func = true,
                                         .has_function_mark = true};
    *count = code->function_count;
    return symbols;
}

struct image *image_of_list(const char *path, const struct listed_code *code,
                            struct diagnostics *diagnostics)
{
    struct image *image = mem_array(1, sizeof *image);
    const struct text_range all = {LISTED_START, listed_address(code->place_count)};
    struct stat status;
    image->list = code;
    image->debug.fd = -1;
    image->files.path = mem_copy(path, strlen(path));
    image->debug.diagnostics = diagnostics;
    image->debug.text = (struct text_ranges){mem_array(1, sizeof all), 1, all};
    image->debug.text.ranges[0] = all;
    image->modified = stat(path, &status) == 0 ? status.st_mtime : INT64_MAX;
    image->reader = &debug_list;
    image->debug_info = (void *)code;
    image->has_debug = true;
    return image;
}

/* ---- Text and layout ---- */

int64_t image_modified(const struct image *image)
{
    return image->modified;
}

bool image_has_code(const struct image *image)
{
    return image->list == NULL;
}

const struct text_ranges *image_text(const struct image *image)
{
    return &image->debug.text;
}

uint64_t image_text_offset(const struct image *image, size_t number)
{
    return (uint64_t)image->files.code[number]->filepos;
}

/* Whether a section has bytes, which a damaged file may lack.  */
static bool has_bytes(const struct image *image, asection *section)
{
    return (bfd_section_flags(section) & SEC_HAS_CONTENTS) != 0 &&
           libbfd_section_limit(&image->files, section) >= bfd_section_size(section);
}

const unsigned char *image_text_bytes(struct image *image, size_t number)
{
    asection *section = image->files.code[number];
    unsigned char **bytes = &image->text_bytes[number];
    if (*bytes != NULL)
        return *bytes;
    bool is_there = has_bytes(image, section);
    libbfd_call_begin();
    bool is_read = is_there && bfd_malloc_and_get_section(image->files.bfd, section, bytes);
    libbfd_call_end(image->files.path, READING_TEXT);
    if (is_read)
        return *bytes;
    if (!is_there)
        problem(MSG_TEXT_NOT_THERE, image->files.path);
    else
        problem(MSG_TEXT_UNREADABLE, image->files.path, reason());
    free(*bytes);
    return *bytes = NULL;
}

bool image_read_text(struct image *image, vma addr, unsigned char *bytes, size_t size)
{
    const struct text_ranges *text = image_text(image);
    const struct text_range *range = text_range_at(text, addr);
    asection *section =
        range != NULL && image->list == NULL ? image->files.code[range - text->ranges] : NULL;
    if (section == NULL || !has_bytes(image, section) || size > range->end - addr)
        return false;
    libbfd_call_begin();
    bool is_read = bfd_get_section_contents(image->files.bfd, section, bytes,
                                            (file_ptr)(addr - range->start), size);
    libbfd_call_end(image->files.path, READING_TEXT);
    return is_read;
}

/* The size of pointers in bits: as the format says (ELF), else as the architecture says.  */
static int pointer_bits(const struct image *image)
{
    int bits = bfd_get_arch_size(image->files.bfd);
    return bits > 0 ? bits : (int)bfd_arch_bits_per_address(image->files.bfd);
}

struct gmon_layout image_layout(const struct image *image)
{
    if (image->list != NULL)
        return (struct gmon_layout){.pointer_size = 8};
    return (struct gmon_layout){
        .is_big_endian = bfd_big_endian(image->files.bfd),
        .sign_extends = bfd_get_sign_extend_vma(image->files.bfd) > 0,
        .pointer_size = pointer_bits(image) > 32 ? 8 : 4,
    };
}

const char *image_arch(const struct image *image)
{
    if (image->list != NULL)
        return LISTED_ARCH;
    bool is_unknown = bfd_get_arch(image->files.bfd) == bfd_arch_unknown;
    if (is_unknown && image->elf_machine == ELF_ARM)
        return "arm";
    if (is_unknown && image->elf_machine == ELF_RISCV)
        return "riscv";
    return bfd_get_arch_info(image->files.bfd)->arch_name;
}

unsigned image_entry_units(const struct image *image)
{
    bool is_vax = image->list == NULL && bfd_get_arch(image->files.bfd) == bfd_arch_vax;
    return is_vax ? 1 : 0; /* the mask of registers to save */
}

const char *image_arch_name(const struct image *image)
{
    return image->list == NULL ? bfd_printable_name(image->files.bfd) : image_arch(image);
}

char *image_section(struct image *image, const char *name, size_t *size, vma *addr)
{
    return image->list == NULL ? libbfd_read_section(&image->files, name, size, addr) : NULL;
}

char image_leading_char(const struct image *image)
{
    return image->list == NULL ? bfd_get_symbol_leading_char(image->files.bfd) : '\0';
}

/* ---- Symbols ---- */

/* Whether the format marks functions among the symbols; if not, all count as functions.  */
static bool marks_functions(const struct image *image)
{
    switch (bfd_get_flavour(image->files.bfd)) {
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

vma image_code_address(const struct image *image, vma addr)
{
    return image->elf_machine == ELF_ARM ? addr & ~(vma)1 : addr;
}

vma image_slid(const struct image *image, vma addr, vma slide)
{
    const struct gmon_layout layout = image_layout(image);
    vma slid = addr - slide;
    if (slide == 0 || layout.pointer_size != 4)
        return slid;
    return layout.sign_extends ? (vma)(int64_t)(int32_t)(uint32_t)slid : (uint32_t)slid;
}

/* Whether nm would class SYMBOL T, W or t; then sets *RAW.  */
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
                               .is_weak = class == 'W',
                               .is_func = has_mark || !are_marked,
                               .has_function_mark = has_mark};
    return true;
}

/* Adds the table of all symbols in FILE or, if IS_DYNAMIC, of those that the loader needs.  */
static void read_table(struct image *image, bfd *file, bool is_dynamic)
{
    if (!libbfd_add_table(&image->files, file, is_dynamic))
        warning(image->debug.diagnostics, MSG_SYMBOLS_UNREADABLE, bfd_get_filename(file), reason());
}

/* Reads the synthetic symbols of the symbol table alone: PowerPC's entries, not `puts@plt'.  */
static void read_synthetic(struct image *image)
{
    long count = bfd_get_synthetic_symtab(image->files.bfd, (long)image->files.table_count,
                                          image->files.table, 0, NULL, &image->synthetic);
    image->synthetic_count = count > 0 ? (size_t)count : 0;
    libbfd_call_end(image->files.path, READING_SYMBOLS);
}

/* Reads the symbols that were split off a stripped image, or compressed.  */
static void read_separate(struct image *image)
{
    struct libbfd_files *files = &image->files;
    bool is_damaged = false;
    if (!libbfd_separate_open(files) && !libbfd_compressed_open(files, &is_damaged)) {
        if (is_damaged)
            warning(image->debug.diagnostics, MSG_COMPRESSED_SYMBOLS, files->path);
        return;
    }
    read_table(image, files->separate, false);
    image->has_separate_symbols =
        files->table_count > 0 && libbfd_separate_section(files, files->text) != NULL;
    if (!image->has_separate_symbols)
        files->table_count = 0;
}

/* A libbfd that does not know ARM leaves bit 0 in the addresses of functions, and finds their lines
   by these addresses.  */
static void clear_bits(struct image *image)
{
    for (size_t i = 0; i < image->files.table_count; i++) {
        asymbol *symbol = image->files.table[i];
        if ((symbol->flags & BSF_FUNCTION) != 0)
            symbol->value = image_code_address(image, symbol->value);
    }
}

/* Reads the symbols; of a stripped image, those of its separate file or, if there is none, those
   that are compressed in it and those that the loader needs.  */
static void read_symbols(struct image *image)
{
    if (image->files.table != NULL || image->list != NULL)
        return;
    read_table(image, image->files.bfd, false);
    read_synthetic(image);
    image->is_stripped = image->files.table_count + image->synthetic_count == 0;
    if (image->is_stripped)
        read_separate(image);
    bool is_whole = image->has_separate_symbols && image->files.unpacked.size == 0;
    if (image->is_stripped && !is_whole)
        read_table(image, image->files.bfd, true);
    clear_bits(image);
}

vma image_entry(const struct image *image)
{
    return image->list == NULL ? bfd_get_start_address(image->files.bfd) : 0;
}

bool image_is_object_file(const struct image *image)
{
    return image->list == NULL && (bfd_get_file_flags(image->files.bfd) & (EXEC_P | DYNAMIC)) == 0;
}

bool image_is_stripped(struct image *image)
{
    read_symbols(image);
    return image->is_stripped;
}

bool image_lacks_symbols(struct image *image)
{
    read_symbols(image);
    return image->is_stripped && !image->has_separate_symbols;
}

const char *image_object_at(const struct image *image, vma addr)
{
    if (image->list == NULL)
        return path_base(image->files.path);
    const struct listed_place *place = listed_place_at(image->list, addr);
    return place != NULL ? image->list->functions[place->function].object : NULL;
}

struct named_range *image_stubs(struct image *image, size_t *count)
{
    *count = 0;
    return image->list == NULL ? libbfd_stubs(&image->files, count) : NULL;
}

void image_warn_of_strip(struct image *image)
{
    char *places = libbfd_debug_places(&image->files);
    warning(image->debug.diagnostics, MSG_STRIPPED, image->files.path, places);
    free(places);
}

/* Whether libbfd could read the name of a symbol; else it gives a name of its own.  */
static bool has_name(const struct raw_symbol *symbol)
{
    return strcmp(symbol->name, "(null)") != 0 && strcmp(symbol->name, "<corrupt>") != 0;
}

struct raw_symbol *image_symbols(struct image *image, size_t *count)
{
    if (image->list != NULL)
        return listed_symbols(image->list, count);
    bool are_marked = marks_functions(image), is_first = image->files.table == NULL;
    read_symbols(image);
    size_t made = 0;
    struct raw_symbol *symbols =
        mem_array(image->files.table_count + image->synthetic_count, sizeof *symbols);
    *count = 0;
    for (size_t i = 0; i < image->files.table_count; i++)
        if (describe(image->files.table[i], are_marked, &symbols[made]) &&
            !has_name(&symbols[made++])) {
            free(symbols);
            problem(MSG_NAMES_UNREADABLE, bfd_get_filename(bfd_asymbol_bfd(image->files.table[i])));
            return NULL;
        }
    for (size_t i = 0; i < image->synthetic_count; i++)
        made += describe(&image->synthetic[i], are_marked, &symbols[made]);
    if (is_first && made > 0 && image_lacks_symbols(image))
        image_warn_of_strip(image);
    *count = made;
    return symbols;
}

const char *image_symbol_name(struct image *image, size_t number, enum symbol_kind *kind)
{
    read_symbols(image);
    if (number >= image->files.table_count)
        return NULL;
    const asymbol *symbol = image->files.table[number];
    bool is_weak = (symbol->flags & BSF_WEAK) != 0;
    *kind = !bfd_is_und_section(symbol->section) ? SYMBOL_DEFINED : SYMBOL_IMPORTED + is_weak;
    return bfd_asymbol_name(symbol);
}

/* ---- Debug information ---- */

/* Whether a section of the table of symbols has code of the text.  */
static bool is_text_section(const struct image *image, asection *section)
{
    const struct text_ranges *text = image_text(image);
    const struct text_range *range = text_range_at(text, bfd_section_vma(section));
    asection *code = range != NULL ? image->files.code[range - text->ranges] : image->files.text;
    return section == code ||
           (image->has_separate_symbols && section == libbfd_separate_section(&image->files, code));
}

static void list_text_symbols(struct image *image)
{
    asection *last = NULL;
    bool is_text = false;
    read_symbols(image);
    for (size_t i = 0; i < image->files.table_count; i++) {
        const asymbol *symbol = image->files.table[i];
        bool is_function = (symbol->flags & BSF_FUNCTION) != 0;
        if (symbol->section != last) {
            last = symbol->section;
            is_text = is_text_section(image, last);
        }
        if (is_text && (symbol->flags & (BSF_SECTION_SYM | BSF_DEBUGGING)) == 0)
            text_symbols_add(&image->debug.symbols,
                             (struct text_symbol){bfd_asymbol_value(symbol),
                                                  is_function ? bfd_asymbol_name(symbol) : NULL,
                                                  (uint32_t)i, (symbol->flags & BSF_LOCAL) != 0});
    }
}

bool image_has_damaged_lines(const struct image *image)
{
    return image->debug.is_known_damaged;
}

char *image_debug_places(struct image *image)
{
    return image->list == NULL ? libbfd_debug_places(&image->files) : mem_copy("", 0);
}

char *image_build_id(struct image *image)
{
    return image->list == NULL ? libbfd_build_id(&image->files) : NULL;
}

/* Fills the struct debug_image for the readers.  */
static void describe_image(struct image *image)
{
    struct debug_image *debug = &image->debug;
    list_text_symbols(image);
    debug->path = image->files.path;
    debug->debug_path = libbfd_debug_path(&image->files);
    debug->is_linked_elf = bfd_get_flavour(image->files.bfd) == bfd_target_elf_flavour &&
                           image->elf_type != ELF_RELOCATABLE;
    debug->files = &image->files;
}

/* The reader of the debug information; NULL if there is none.  */
static const struct debug_reader *reader_of(struct image *image)
{
    static const struct debug_reader *const readers[] = {
#ifdef HAVE_LIBDW
        &dwarf_reader,
#endif
        &debug_bfd};
    if (image->has_debug)
        return image->reader;
    describe_image(image);
    for (size_t i = 0; i < ARRAY_LENGTH(readers) && image->reader == NULL; i++) {
        image->debug_info = readers[i]->open(&image->debug);
        image->reader = image->debug_info != NULL ? readers[i] : NULL;
    }
    image->has_debug = true;
    return image->reader;
}

bool image_line(struct image *image, vma addr, struct source_pos *pos)
{
    const struct debug_reader *reader = reader_of(image);
    return reader != NULL && reader->position(image->debug_info, addr, POSITION_FUNCTION, pos);
}

bool image_position(struct image *image, vma addr, struct source_pos *pos)
{
    const struct debug_reader *reader = reader_of(image);
    return reader != NULL && reader->position(image->debug_info, addr, POSITION_LINE, pos);
}

bool image_inline_site(struct image *image, vma addr, struct source_pos *pos)
{
    const struct debug_reader *reader = reader_of(image);
    return reader != NULL && reader->inline_site != NULL &&
           reader->inline_site(image->debug_info, addr, pos);
}

vma *image_line_addresses(struct image *image, vma low, vma high, size_t *count)
{
    struct vma_list list = {0};
    const struct debug_reader *reader = reader_of(image);
    if (reader != NULL)
        reader->boundaries(image->debug_info, low, high, &list);
    if (list.count > 0) {
        size_t symbol_count;
        struct raw_symbol *symbols = image_symbols(image, &symbol_count);
        for (size_t i = 0; symbols != NULL && i < symbol_count; i++)
            vma_list_add(&list, symbols[i].addr, low, high);
        free(symbols);
    }
    bool is_alpha = image->list == NULL && bfd_get_arch(image->files.bfd) == bfd_arch_alpha;
    vma_list_unique(&list, image_text(image), is_alpha ? 4 : 1);
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

/* Calls libbfd's demangler, which gets LIMIT bytes of memory.  False if it needs more; what it has
   allocated is then lost.  */
static bool demangle_within(const struct image *image, const char *name, int style, uint64_t limit,
                            char **demangled)
{
    struct memory_limit memory = {.left = limit};
    if (MEMORY_LIMIT_PASSED(&memory))
        return false;
    *demangled = bfd_demangle(image->files.bfd, name, DMGL_ANSI | DMGL_PARAMS | style);
    memory_limit_end();
    return true;
}

char *image_demangle(struct image *image, const char *name, int style)
{
    enum { LONGEST = 65536, LIMIT = 16 * LONGEST, MOST_STOPPED = 64 };
    char *demangled = NULL;
    if (style == no_demangling || image->stopped_names == MOST_STOPPED)
        return NULL;
    libbfd_call_begin();
    bool is_complete = demangle_within(image, name, style, LIMIT, &demangled);
    libbfd_call_end(image->files.path, READING_NAME);
    if (is_complete && (demangled == NULL || strlen(demangled) <= LONGEST))
        return demangled;
    free(demangled);
    image->stopped_names += !is_complete;
    if (!image->has_long_name)
        warning(image->debug.diagnostics, MSG_LONG_NAME, image->files.path, name);
    image->has_long_name = true;
    return NULL;
}
