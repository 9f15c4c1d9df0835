#include "config.h"

#include "image.h"

#include <bfd.h>
#include <demangle.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_rows.h"
#include "messages.h"

struct image {
    bfd *bfd;
    char *path;
    asection *text;
    unsigned char *text_bytes; /* NULL until asked for */
    asymbol **table;           /* of the image; the line look-up reads them */
    asymbol *synthetic;
    struct raw_symbol *symbols; /* those that could be functions */
    size_t symbol_count, symbol_room;
    const struct raw_symbol **functions; /* marked functions by address; NULL until asked for */
    size_t function_count;
};

/* ---- Opening ---- */

static bool open_bfd(struct image *image)
{
    image->bfd = bfd_openr(image->path, NULL);
    if (image->bfd == NULL)
        return problem(MSG_FILE_REASON, image->path,
                       bfd_get_error() == bfd_error_system_call ? strerror(errno)
                                                                : bfd_errmsg(bfd_get_error()));
    image->bfd->flags |= BFD_DECOMPRESS;
    if (!bfd_check_format(image->bfd, bfd_object))
        return problem(MSG_NOT_EXECUTABLE, image->path, bfd_errmsg(bfd_get_error()));
    image->text = bfd_get_section_by_name(image->bfd, ".text");
    if (image->text == NULL)
        image->text = bfd_get_section_by_name(image->bfd, "$CODE$");
    if (image->text == NULL)
        return problem(MSG_NO_TEXT, image->path);
    return true;
}

static void silent(const char *format, va_list args)
{
    (void)format;
    (void)args;
}

struct image *image_open(const char *path)
{
    struct image *image = mem_array(1, sizeof *image);
    bfd_init();
    bfd_set_error_handler(silent);
    image->path = mem_copy(path, strlen(path));
    if (!open_bfd(image)) {
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
    free(image->symbols);
    free(image->functions);
    free(image);
}

const char *image_path(const struct image *image)
{
    return image->path;
}

/* ---- Text and layout ---- */

struct text_range image_text(const struct image *image)
{
    vma start = bfd_section_vma(image->text);
    return (struct text_range){start, start + bfd_section_size(image->text)};
}

const unsigned char *image_text_bytes(struct image *image)
{
    if (image->text_bytes == NULL) {
        bfd_byte *bytes = NULL;
        if (!bfd_malloc_and_get_section(image->bfd, image->text, &bytes)) {
            free(bytes);
            problem(MSG_TEXT_UNREADABLE, image->path, bfd_errmsg(bfd_get_error()));
            return NULL;
        }
        image->text_bytes = bytes;
    }
    return image->text_bytes;
}

struct gmon_layout image_layout(const struct image *image)
{
    return (struct gmon_layout){
        .is_big_endian = bfd_big_endian(image->bfd),
        .sign_extends = bfd_get_sign_extend_vma(image->bfd) > 0,
        .pointer_size = bfd_arch_bits_per_address(image->bfd) > 32 ? 8 : 4,
    };
}

enum image_arch image_arch(const struct image *image)
{
    switch (bfd_get_arch(image->bfd)) {
    case bfd_arch_i386:
        return ARCH_X86;
    case bfd_arch_aarch64:
        return ARCH_AARCH64;
    case bfd_arch_mips:
        return ARCH_MIPS;
    case bfd_arch_sparc:
        return ARCH_SPARC;
    case bfd_arch_alpha:
        return ARCH_ALPHA;
    case bfd_arch_vax:
        return ARCH_VAX;
    case bfd_arch_arm:
        return ARCH_ARM;
    case bfd_arch_powerpc:
        return ARCH_POWERPC;
    case bfd_arch_riscv:
        return ARCH_RISCV;
    case bfd_arch_s390:
        return ARCH_S390;
    default:
        return ARCH_OTHER;
    }
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

/* Takes SYMBOL in if nm would class it T, W or t.  */
static void consider(struct image *image, asymbol *symbol, bool are_marked)
{
    if ((symbol->flags & BSF_DEBUGGING) != 0 || symbol->section == NULL)
        return;
    int class = bfd_decode_symclass(symbol);
    if (class != 'T' && class != 'W' && class != 't')
        return;
    bool has_mark = (symbol->flags & BSF_FUNCTION) != 0;
    image->symbols = mem_grow(image->symbols, &image->symbol_room, image->symbol_count + 1,
                              sizeof *image->symbols);
    image->symbols[image->symbol_count++] = (struct raw_symbol){.addr = bfd_asymbol_value(symbol),
                                                                .name = bfd_asymbol_name(symbol),
                                                                .is_static = class == 't',
                                                                .is_func = has_mark || !are_marked,
                                                                .has_function_mark = has_mark};
}

static size_t read_table(struct image *image)
{
    long bytes = bfd_get_symtab_upper_bound(image->bfd);
    if (bytes <= 0)
        return 0;
    image->table = mem_array((size_t)bytes, 1);
    long count = bfd_canonicalize_symtab(image->bfd, image->table);
    return count < 0 ? 0 : (size_t)count;
}

const struct raw_symbol *image_symbols(struct image *image, size_t *count)
{
    if (image->symbols == NULL) {
        bool are_marked = marks_functions(image);
        size_t static_count = read_table(image);
        /* Without the dynamic symbols: those that BFD finds in the symbol table alone, PowerPC's
           function entries for instance, and no `puts@plt'.  */
        long synthetic_count = bfd_get_synthetic_symtab(image->bfd, (long)static_count,
                                                        image->table, 0, NULL, &image->synthetic);
        for (size_t i = 0; i < static_count; i++)
            consider(image, image->table[i], are_marked);
        for (long i = 0; i < synthetic_count; i++)
            consider(image, &image->synthetic[i], are_marked);
    }
    *count = image->symbol_count;
    return image->symbols;
}

/* ---- Source lines ---- */

static int compare_functions(const void *a, const void *b)
{
    const struct raw_symbol *left = *(const struct raw_symbol *const *)a;
    const struct raw_symbol *right = *(const struct raw_symbol *const *)b;
    if (left->addr != right->addr)
        return left->addr < right->addr ? -1 : 1;
    return left < right ? -1 : left > right;
}

static void list_functions(struct image *image)
{
    size_t count;
    const struct raw_symbol *symbols = image_symbols(image, &count);
    image->functions = mem_array(count, sizeof *image->functions);
    for (size_t i = 0; i < count; i++)
        if (symbols[i].is_func)
            image->functions[image->function_count++] = &symbols[i];
    qsort(image->functions, image->function_count, sizeof *image->functions, compare_functions);
}

/* The function symbol at or before ADDR: the function's name where the debug information has lines
   and no functions, as an assembler's has.  Asking BFD for it costs a walk of all symbols each
   time.  */
static const char *function_before(struct image *image, vma addr)
{
    if (image->functions == NULL)
        list_functions(image);
    size_t low = 0, high = image->function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->functions[middle]->addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? image->functions[low - 1]->name : NULL;
}

bool image_line(struct image *image, vma addr, struct source_pos *pos)
{
    const char *file = NULL, *function = NULL;
    unsigned line = 0;
    vma offset = addr - bfd_section_vma(image->text);
    if (!bfd_find_nearest_line(image->bfd, image->text, NULL, offset, &file, &function, &line) ||
        file == NULL || line == 0)
        return false;
    if (function == NULL)
        function = function_before(image, addr);
    if (function == NULL)
        return false;
    *pos = (struct source_pos){file, function, line};
    return true;
}

/* Whether there may be line numbers at all, in the image or in a file it refers to.  */
static bool has_line_numbers(const struct image *image)
{
    static const char *const sections[] = {".debug_line",       ".zdebug_line", ".gnu_debuglink",
                                           ".gnu_debugaltlink", ".debug",       ".stab"};
    for (size_t i = 0; i < ARRAY_LENGTH(sections); i++)
        if (bfd_get_section_by_name(image->bfd, sections[i]) != NULL)
            return true;
    return bfd_get_flavour(image->bfd) != bfd_target_elf_flavour;
}

static int compare_vmas(const void *a, const void *b)
{
    vma left = *(const vma *)a, right = *(const vma *)b;
    return left < right ? -1 : left > right;
}

/* Sorts LIST and keeps one of each address of the text, which is STEP bytes from one instruction to
   the next.  */
static void tidy(struct vma_list *list, struct text_range text, unsigned step)
{
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->addrs, list->count, sizeof *list->addrs, compare_vmas);
    for (size_t i = 0; i < list->count; i++) {
        vma addr = text.start + (list->addrs[i] - text.start + step - 1) / step * step;
        if (addr >= text.start && addr < text.end && (kept == 0 || list->addrs[kept - 1] != addr))
            list->addrs[kept++] = addr;
    }
    list->count = kept;
}

vma *image_line_addresses(struct image *image, size_t *count)
{
    struct text_range text = image_text(image);
    struct vma_list list = {0};
    size_t symbol_count;
    const struct raw_symbol *symbols = image_symbols(image, &symbol_count);
    if (has_line_numbers(image)) {
        if (!dwarf_rows(image->path, &list)) /* then there is no other way than to ask everywhere */
            for (vma addr = text.start; addr < text.end; addr++)
                vma_list_add(&list, addr);
        for (size_t i = 0; i < symbol_count; i++)
            vma_list_add(&list, symbols[i].addr);
    }
    tidy(&list, text, image_arch(image) == ARCH_ALPHA ? 4 : 1);
    *count = list.count;
    return list.addrs;
}

/* ---- Names ---- */

bool image_set_demangling(const char *style)
{
    enum demangling_styles known = cplus_demangle_name_to_style(style);
    if (known == unknown_demangling)
        return false;
    cplus_demangle_set_style(known);
    return true;
}

char *image_demangle(const struct image *image, const char *name)
{
    return bfd_demangle(image->bfd, name, DMGL_ANSI | DMGL_PARAMS);
}
