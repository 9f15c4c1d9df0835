/* image_bfd.c - reads executables by libbfd.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/image.h"

#include <bfd.h>
#include <ctype.h>
#include <demangle.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/i18n.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/stderr_capture.h"
#include "input/debug_dw.h"
#include "input/places.h"

struct image {
    bfd *bfd;
    char *path;
    asection *text;
    unsigned char *text_bytes; /* NULL until asked for */
    asymbol **table;           /* of the image; the line look-up reads them */
    size_t table_count;
    asymbol *synthetic;
    size_t synthetic_count;
    struct places in_text;     /* none until asked for */
    struct dwarf_lines *dwarf; /* NULL unless it can be read by that way; see image_dwarf */
    bool has_tried_dwarf, has_looked_for_lines, may_have_lines;
    bool is_known_damaged; /* the debug information, and the user has been told */
    int64_t modified;      /* seconds since 1970 */
    struct arena names;    /* of functions, where BFD was asked for them */
};

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
static void begin_asking(void)
{
    bfd_set_error(bfd_error_no_error);
    errno = 0;
}

/* After a call of libbfd: whether it reported damage.  Dies, naming WHAT, if memory ran out.  */
static bool end_asking(const struct image *image, const char *what)
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

/* Says once that the debug information of IMAGE cannot be trusted.  */
static void note_damage(struct image *image)
{
    if (!image->is_known_damaged)
        warning(MSG_DAMAGED_DEBUG, image->path);
    image->is_known_damaged = true;
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
    return true;
}

static bool open_bfd(struct image *image)
{
    begin_asking();
    image->bfd = bfd_openr(image->path, NULL);
    end_asking(image, READING_ALL);
    if (image->bfd == NULL)
        return problem(MSG_FILE_REASON, image->path, reason());
    image->bfd->flags |= BFD_DECOMPRESS;
    struct stderr_capture capture;
    char said[200]; /* libbfd writes some messages here past its error handler */
    stderr_capture_begin(&capture, said, sizeof said);
    bool is_known = bfd_check_format(image->bfd, bfd_object);
    stderr_capture_end(&capture, said);
    end_asking(image, READING_ALL);
    if (is_known && said[0] != '\0')
        warning(MSG_LOOKS_DAMAGED, image->path, said);
    if (!is_known)
        return problem(MSG_NOT_EXECUTABLE, image->path, reason());
    image->text = bfd_get_section_by_name(image->bfd, ".text");
    if (image->text == NULL)
        image->text = bfd_get_section_by_name(image->bfd, "$CODE$");
    if (image->text == NULL)
        return problem(MSG_NO_TEXT, image->path);
    return true;
}

struct image *image_open(const char *path)
{
    struct image *image = mem_array(1, sizeof *image);
    begin_asking();
    bfd_init();
    bfd_set_error_handler(complain);
    image->path = mem_copy(path, strlen(path));
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
    if (image->bfd != NULL)
        bfd_close(image->bfd);
    free(image->path);
    free(image->text_bytes);
    free(image->table);
    free(image->synthetic);
    free(image->in_text.places);
    dwarf_lines_close(image->dwarf);
    arena_free(&image->names);
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

/* How many bytes of text there can be, whatever the headers say.  */
static uint64_t text_size(const struct image *image)
{
    struct stat status;
    uint64_t size = bfd_section_size(image->text);
    if (bfd_stat(image->bfd, &status) != 0 || status.st_size < 0)
        return 0;
    return size < (uint64_t)status.st_size ? size : (uint64_t)status.st_size;
}

const unsigned char *image_text_bytes(struct image *image)
{
    if (image->text_bytes != NULL)
        return image->text_bytes;
    bfd_byte *bytes = NULL;
    if ((bfd_section_flags(image->text) & SEC_HAS_CONTENTS) == 0 ||
        text_size(image) < bfd_section_size(image->text)) {
        problem(MSG_TEXT_NOT_THERE, image->path);
        return NULL;
    }
    begin_asking();
    bool is_read = bfd_malloc_and_get_section(image->bfd, image->text, &bytes);
    end_asking(image, READING_TEXT);
    if (is_read)
        return image->text_bytes = bytes;
    free(bytes);
    problem(MSG_TEXT_UNREADABLE, image->path, reason());
    return NULL;
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

/* Replaces the table by that of all symbols or, if IS_DYNAMIC, of those that the loader knows.  */
static void read_table(struct image *image, bool is_dynamic)
{
    begin_asking();
    long bytes = is_dynamic ? bfd_get_dynamic_symtab_upper_bound(image->bfd)
                            : bfd_get_symtab_upper_bound(image->bfd);
    long count = bytes;
    free(image->table);
    image->table = mem_array(bytes > 0 ? (size_t)bytes : sizeof(asymbol *), 1);
    if (bytes > 0)
        count = is_dynamic ? bfd_canonicalize_dynamic_symtab(image->bfd, image->table)
                           : bfd_canonicalize_symtab(image->bfd, image->table);
    image->table_count = count > 0 ? (size_t)count : 0;
    bool is_damaged = count < 0 && !(is_dynamic && bfd_get_error() == bfd_error_invalid_operation);
    end_asking(image, READING_SYMBOLS);
    if (is_damaged)
        warning(MSG_SYMBOLS_UNREADABLE, image->path, reason());
}

/* From the symbol table alone (PowerPC's function entries), so without `puts@plt'.  */
static void read_synthetic(struct image *image)
{
    long count = bfd_get_synthetic_symtab(image->bfd, (long)image->table_count, image->table, 0,
                                          NULL, &image->synthetic);
    image->synthetic_count = count > 0 ? (size_t)count : 0;
    end_asking(image, READING_SYMBOLS);
}

/* Where `strip' has been at work, the symbols are left by which the loader finds functions.  */
static void read_symbols(struct image *image)
{
    if (image->table != NULL)
        return;
    read_table(image, false);
    read_synthetic(image);
    if (image->table_count + image->synthetic_count == 0)
        read_table(image, true);
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
    if (is_first && made > 0 && image->table_count > 0 &&
        (image->table[0]->flags & BSF_DYNAMIC) != 0)
        warning(MSG_STRIPPED, image->path);
    *count = made;
    return symbols;
}

bool image_lacks_profiling(const struct image *image)
{
    for (size_t i = 0; i < image->table_count; i++) {
        const char *name = bfd_asymbol_name(image->table[i]);
        if (strstr(name, "mcount") != NULL || strstr(name, "monstartup") != NULL ||
            strstr(name, "__fentry__") != NULL)
            return false;
    }
    return image->table != NULL;
}

/* ---- Source lines ---- */

static void list_text_symbols(struct image *image)
{
    read_symbols(image);
    for (size_t i = 0; i < image->table_count; i++)
        if (image->table[i]->section == image->text &&
            (image->table[i]->flags & (BSF_SECTION_SYM | BSF_DEBUGGING)) == 0)
            places_add(&image->in_text, bfd_asymbol_value(image->table[i]), (uint32_t)i);
    places_sort(&image->in_text);
}

/* How many symbols of the text begin at or before ADDR.  */
static size_t symbols_upto(struct image *image, vma addr)
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

enum { NEIGHBOURS = 16 };

/* Whether BFD relocates what it reads, for which it goes by the numbers of the symbols it is given:
   an object file has to be asked with all of them, and none of its own.  */
static bool is_relocatable(const struct image *image)
{
    return (bfd_get_file_flags(image->bfd) & (HAS_RELOC | EXEC_P | DYNAMIC)) == HAS_RELOC;
}

/* Asks BFD with the last COUNT of the first UPTO symbols, in the order of the table, which decides
   among equals.  The answer may lack a function.  */
static bool ask(struct image *image, vma addr, size_t upto, size_t count, struct source_pos *pos)
{
    uint32_t window[NEIGHBOURS];
    asymbol *symbols[NEIGHBOURS + 1];
    for (size_t i = 0; i < count; i++) { /* there are too few for anything but an insertion sort */
        uint32_t next = image->in_text.places[upto - count + i].number;
        size_t at = i;
        for (; at > 0 && window[at - 1] > next; at--)
            window[at] = window[at - 1];
        window[at] = next;
    }
    for (size_t i = 0; i < count; i++)
        symbols[i] = image->table[window[i]];
    symbols[count] = NULL;
    *pos = (struct source_pos){0};
    begin_asking();
    bool is_found = bfd_find_nearest_line(
        image->bfd, image->text, is_relocatable(image) ? image->table : symbols,
        addr - bfd_section_vma(image->text), &pos->file, &pos->function, &pos->line);
    if (end_asking(image, READING_DEBUG))
        note_damage(image);
    return is_found && pos->file != NULL && pos->line != 0;
}

/* Whether there may be line numbers at all, in the image or in a file it refers to.  */
static bool has_line_numbers(const struct image *image)
{
    static const char *const sections[] = {
        ".debug_line", ".zdebug_line", ".gnu_debuglink", ".gnu_debugaltlink",
        ".debug",      ".mdebug",      ".stab"};
    for (size_t i = 0; i < ARRAY_LENGTH(sections); i++)
        if (bfd_get_section_by_name(image->bfd, sections[i]) != NULL)
            return true;
    return bfd_get_flavour(image->bfd) != bfd_target_elf_flavour;
}

/* Whether it makes sense to ask for lines: a build id may lead libbfd to a file that has them.  */
static bool may_have_lines(struct image *image)
{
    if (!image->has_looked_for_lines)
        image->may_have_lines = has_line_numbers(image) || image->bfd->build_id != NULL;
    image->has_looked_for_lines = true;
    return image->may_have_lines;
}

/* BFD takes the name of a function from a symbol that begins where the function does and, where the
   debug information has lines and no functions, as an assembler's has, from a symbol before the
   address.  It walks all symbols it is given for each question, so it is given the nearest, and
   none where none can matter.  (Without a table, not even an empty one, it does not read compressed
   sections.)  */
static bool ask_line(struct image *image, vma addr, struct source_pos *pos)
{
    if (!may_have_lines(image))
        return false;
    size_t upto = symbols_upto(image, addr), near = upto < NEIGHBOURS ? upto : NEIGHBOURS;
    bool is_symbol = upto > 0 && image->in_text.places[upto - 1].addr == addr;
    if (!ask(image, addr, upto, is_symbol ? near : 0, pos))
        return false;
    if (pos->function == NULL && !is_symbol)
        ask(image, addr, upto, near, pos);
    return pos->function != NULL;
}

/* The quick way to the debug information, for linked ELF files that have it in themselves; NULL if
   it cannot be gone.  */
static struct dwarf_lines *dwarf_of(struct image *image)
{
    if (!image->has_tried_dwarf && bfd_get_flavour(image->bfd) == bfd_target_elf_flavour &&
        !is_relocatable(image) && bfd_get_section_by_name(image->bfd, ".debug_line") != NULL &&
        bfd_get_section_by_name(image->bfd, ".gnu_debugaltlink") == NULL)
        image->dwarf = dwarf_lines_open(image->path);
    image->has_tried_dwarf = true;
    return image->dwarf;
}

/* What the quick way knows of file and line of ADDR.  */
static enum dwarf_status find_line(struct image *image, vma addr, struct source_pos *pos)
{
    struct dwarf_lines *dwarf = dwarf_of(image);
    if (dwarf == NULL)
        return DWARF_UNSURE;
    enum dwarf_status status = dwarf_lines_find(dwarf, addr, &pos->file, &pos->line);
    if (dwarf_lines_are_damaged(dwarf))
        note_damage(image);
    return status;
}

bool image_position(struct image *image, vma addr, struct source_pos *pos)
{
    enum dwarf_status status = find_line(image, addr, pos);
    return status == DWARF_FOUND || (status == DWARF_UNSURE && ask_line(image, addr, pos));
}

/* The only symbol of the text at ADDR, if it is a function.  *COUNT is how many there are.  */
static const char *symbol_at(struct image *image, vma addr, size_t *count)
{
    size_t upto = symbols_upto(image, addr);
    *count = 0;
    while (*count < upto && image->in_text.places[upto - 1 - *count].addr == addr)
        ++*count;
    if (*count != 1 || (text_symbol(image, upto - 1)->flags & BSF_FUNCTION) == 0)
        return NULL;
    return bfd_asymbol_name(text_symbol(image, upto - 1));
}

/* What libbfd would call a function whose debug information has no name for the linker: by the
   symbol at its start, else as the source does.  NULL where that is not the whole story.  */
static const char *name_by_symbol(struct image *image, const struct dwarf_function *function)
{
    size_t count;
    const char *name = symbol_at(image, function->low, &count);
    if (!function->is_inlined && !function->is_split)
        return name;
    return function->is_inlined && count == 0 ? function->source_name : NULL;
}

/* The name of the function around ADDR, by libbfd where nothing else says for sure.  */
static const char *function_name(struct image *image, vma addr)
{
    struct dwarf_function *function = dwarf_lines_function(image->dwarf, addr);
    struct source_pos asked;
    if (function != NULL && function->name == NULL)
        function->name = name_by_symbol(image, function);
    if (function != NULL && function->name != NULL)
        return function->name;
    if (!ask_line(image, addr, &asked))
        return NULL;
    const char *name = arena_copy(&image->names, asked.function, strlen(asked.function));
    if (function != NULL)
        function->name = name;
    return name;
}

bool image_line(struct image *image, vma addr, struct source_pos *pos)
{
    enum dwarf_status status = find_line(image, addr, pos);
    if (status == DWARF_UNSURE)
        return ask_line(image, addr, pos);
    if (status == DWARF_FOUND)
        pos->function = function_name(image, addr);
    return status == DWARF_FOUND && pos->function != NULL;
}

/* Whether some of SYMBOLS has a line.  Most build ids lead to no debug file.  */
static bool has_lines(struct image *image, const struct raw_symbol *symbols, size_t count)
{
    struct source_pos pos;
    bool is_found = has_line_numbers(image);
    for (size_t i = 0; i < count && !is_found; i++)
        is_found = ask_line(image, symbols[i].addr, &pos);
    return is_found;
}

vma *image_line_addresses(struct image *image, size_t *count)
{
    struct text_range text = image_text(image);
    struct vma_list list = {0};
    size_t symbol_count = 0;
    struct raw_symbol *symbols = may_have_lines(image) ? image_symbols(image, &symbol_count) : NULL;
    struct dwarf_lines *dwarf = dwarf_of(image);
    if (dwarf != NULL)
        dwarf_lines_addresses(dwarf, &list);
    else if (has_lines(image, symbols, symbol_count)) /* no table lists where lines begin */
        for (uint64_t offset = 0, size = text_size(image); offset < size; offset++)
            vma_list_add(&list, text.start + offset);
    for (size_t i = 0; i < symbol_count && list.count > 0; i++)
        vma_list_add(&list, symbols[i].addr);
    free(symbols);
    vma_list_tidy(&list, text.start, text.end, image_arch(image) == ARCH_ALPHA ? 4 : 1);
    *count = list.count;
    return list.addrs;
}

void image_settle_lines(struct image *image, const vma *addrs, size_t count)
{
    struct dwarf_lines *dwarf = dwarf_of(image);
    struct source_pos pos;
    if (dwarf != NULL && dwarf_lines_are_sure(dwarf))
        return;
    for (size_t i = 0; i < count; i++)
        if (dwarf == NULL ||
            dwarf_lines_find(dwarf, addrs[i], &pos.file, &pos.line) == DWARF_UNSURE)
            ask_line(image, addrs[i], &pos);
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
    begin_asking();
    char *demangled = bfd_demangle(image->bfd, name, DMGL_ANSI | DMGL_PARAMS | style);
    end_asking(image, READING_NAME);
    return demangled;
}
