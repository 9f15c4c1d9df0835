#include "config.h"

#include "image.h"

#include <bfd.h>
#include <demangle.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_lines.h"
#include "messages.h"

struct image {
    bfd *bfd;
    char *path;
    asection *text;
    unsigned char *text_bytes; /* NULL until asked for */
    asymbol **table;           /* of the image; the line look-up reads them */
    size_t table_count;
    asymbol *synthetic;
    struct raw_symbol *symbols; /* those that could be functions */
    size_t symbol_count, symbol_room;
    struct text_symbol *in_text; /* by address; NULL until asked for */
    size_t in_text_count;
    struct dwarf_lines *dwarf; /* NULL unless it can be read by that way; see image_dwarf */
    bool has_tried_dwarf;
    struct arena names; /* of functions, where BFD was asked for them */
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
    free(image->in_text);
    dwarf_lines_close(image->dwarf);
    arena_free(&image->names);
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
        size_t static_count = image->table_count = read_table(image);
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

/* A symbol of the text, and its place in the table.  */
struct text_symbol {
    asymbol *symbol;
    size_t place;
};

static int compare_addresses(const void *a, const void *b)
{
    const struct text_symbol *left = a, *right = b;
    vma left_addr = bfd_asymbol_value(left->symbol), right_addr = bfd_asymbol_value(right->symbol);
    if (left_addr != right_addr)
        return left_addr < right_addr ? -1 : 1;
    return left->place < right->place ? -1 : left->place > right->place;
}

static void list_text_symbols(struct image *image)
{
    size_t count;
    image_symbols(image, &count);
    image->in_text = mem_array(image->table_count, sizeof *image->in_text);
    for (size_t i = 0; i < image->table_count; i++)
        if (image->table[i]->section == image->text &&
            (image->table[i]->flags & (BSF_SECTION_SYM | BSF_DEBUGGING)) == 0)
            image->in_text[image->in_text_count++] = (struct text_symbol){image->table[i], i};
    qsort(image->in_text, image->in_text_count, sizeof *image->in_text, compare_addresses);
}

/* How many symbols of the text begin at or before ADDR.  */
static size_t symbols_upto(struct image *image, vma addr)
{
    if (image->in_text == NULL)
        list_text_symbols(image);
    size_t low = 0, high = image->in_text_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bfd_asymbol_value(image->in_text[middle].symbol) <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum { NEIGHBOURS = 16 };

/* Asks BFD with the last COUNT of the first UPTO symbols, in the order of the table, which decides
   among equals.  The answer may lack a function.  */
static bool ask(struct image *image, vma addr, size_t upto, size_t count, struct source_pos *pos)
{
    struct text_symbol window[NEIGHBOURS];
    asymbol *symbols[NEIGHBOURS + 1];
    for (size_t i = 0; i < count; i++) { /* there are too few for anything but an insertion sort */
        struct text_symbol next = image->in_text[upto - count + i];
        size_t at = i;
        for (; at > 0 && window[at - 1].place > next.place; at--)
            window[at] = window[at - 1];
        window[at] = next;
    }
    for (size_t i = 0; i < count; i++)
        symbols[i] = window[i].symbol;
    symbols[count] = NULL;
    *pos = (struct source_pos){0};
    return bfd_find_nearest_line(image->bfd, image->text, symbols,
                                 addr - bfd_section_vma(image->text), &pos->file, &pos->function,
                                 &pos->line) &&
           pos->file != NULL && pos->line != 0;
}

/* BFD takes the name of a function from a symbol that begins where the function does and, where the
   debug information has lines and no functions, as an assembler's has, from a symbol before the
   address.  It walks all symbols it is given for each question, so it is given the nearest, and
   none where none can matter.  (Without a table, not even an empty one, it does not read compressed
   sections.)  */
static bool ask_line(struct image *image, vma addr, struct source_pos *pos)
{
    size_t upto = symbols_upto(image, addr), near = upto < NEIGHBOURS ? upto : NEIGHBOURS;
    bool is_symbol = upto > 0 && bfd_asymbol_value(image->in_text[upto - 1].symbol) == addr;
    if (!ask(image, addr, upto, is_symbol ? near : 0, pos))
        return false;
    if (pos->function == NULL && !is_symbol)
        ask(image, addr, upto, near, pos);
    return pos->function != NULL;
}

/* The quick way to the debug information, for ELF files that have it in themselves; NULL if it
   cannot be gone.  */
static struct dwarf_lines *dwarf_of(struct image *image)
{
    if (!image->has_tried_dwarf && bfd_get_flavour(image->bfd) == bfd_target_elf_flavour &&
        bfd_get_section_by_name(image->bfd, ".debug_line") != NULL &&
        bfd_get_section_by_name(image->bfd, ".gnu_debugaltlink") == NULL)
        image->dwarf = dwarf_lines_open(image->path);
    image->has_tried_dwarf = true;
    return image->dwarf;
}

bool image_position(struct image *image, vma addr, struct source_pos *pos)
{
    struct dwarf_lines *dwarf = dwarf_of(image);
    enum dwarf_status status =
        dwarf != NULL ? dwarf_lines_find(dwarf, addr, &pos->file, &pos->line) : DWARF_UNSURE;
    return status == DWARF_FOUND || (status == DWARF_UNSURE && ask_line(image, addr, pos));
}

/* The name of the function around ADDR, by libbfd where the debug information alone does not say.
 */
static const char *function_name(struct image *image, vma addr)
{
    struct dwarf_function *function = dwarf_lines_function(image->dwarf, addr);
    struct source_pos asked;
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
    struct dwarf_lines *dwarf = dwarf_of(image);
    enum dwarf_status status =
        dwarf != NULL ? dwarf_lines_find(dwarf, addr, &pos->file, &pos->line) : DWARF_UNSURE;
    if (status == DWARF_UNSURE)
        return ask_line(image, addr, pos);
    if (status == DWARF_FOUND)
        pos->function = function_name(image, addr);
    return status == DWARF_FOUND && pos->function != NULL;
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
        struct dwarf_lines *dwarf = dwarf_of(image);
        if (dwarf != NULL)
            dwarf_lines_addresses(dwarf, &list);
        else /* there is no other way than to ask everywhere */
            for (vma addr = text.start; addr < text.end; addr++)
                vma_list_add(&list, addr);
        for (size_t i = 0; i < symbol_count; i++)
            vma_list_add(&list, symbols[i].addr);
    }
    tidy(&list, text, image_arch(image) == ARCH_ALPHA ? 4 : 1);
    *count = list.count;
    return list.addrs;
}

void image_settle_lines(struct image *image, const vma *addrs, size_t count)
{
    struct dwarf_lines *dwarf = dwarf_of(image);
    struct source_pos pos;
    for (size_t i = 0; i < count; i++)
        if (dwarf == NULL ||
            dwarf_lines_find(dwarf, addrs[i], &pos.file, &pos.line) == DWARF_UNSURE)
            ask_line(image, addrs[i], &pos);
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
