/* debug_bfd.c - reads debug information by libbfd.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "base/common.h"
#include "base/messages.h"
#include "debug/debug_image.h"
#include "debug/libbfd_files.h"

enum { NEIGHBOURS = 16 };

/* Whether libbfd relocates the debug information as it reads it.  It then looks symbols up by
   number, so it needs the whole table of symbols.  */
static bool is_relocated(const struct libbfd_files *files)
{
    return (bfd_get_file_flags(files->bfd) & (HAS_RELOC | EXEC_P | DYNAMIC)) == HAS_RELOC;
}

static bool has_line_numbers(const struct libbfd_files *files)
{
    static const char *const sections[] = {".debug_line", ".zdebug_line", ".debug",
                                           ".mdebug",     ".stab",        ".gnu_debugaltlink"};
    for (size_t i = 0; i < ARRAY_LENGTH(sections); i++)
        if (bfd_get_section_by_name(files->bfd, sections[i]) != NULL)
            return true;
    return bfd_get_flavour(files->bfd) != bfd_target_elf_flavour;
}

static void *open_info(struct debug_image *image)
{
    struct libbfd_files *files = image->files;
    bool is_elsewhere = image->debug_path != NULL && strcmp(image->debug_path, files->path) != 0;
    if (is_elsewhere && files->is_separate_beside)
        libbfd_separate_open(files);
    return has_line_numbers(files) || is_elsewhere ? image : NULL;
}

static void close_info(void *info)
{
    (void)info; /* libbfd owns it */
}

/* Fills WINDOW with the last COUNT of the first UPTO symbols of the text, in the order of the
   table: of symbols that fit equally well, libbfd takes the first.  */
static void select_window(const struct debug_image *image, size_t upto, size_t count,
                          asymbol **window)
{
    uint32_t numbers[NEIGHBOURS];
    for (size_t i = 0; i < count; i++) { /* an insertion sort: there are few */
        uint32_t next = image->symbols.symbols[upto - count + i].number;
        size_t at = i;
        for (; at > 0 && numbers[at - 1] > next; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = next;
    }
    for (size_t i = 0; i < count; i++)
        window[i] = image->files->table[numbers[i]];
    window[count] = NULL;
}

/* The file whose lines libbfd reads, and its section at ADDR or, if that is not in the text, its
   text section.  libbfd follows build ids and .gnu_debuglink itself.  */
static bfd *line_file(const struct debug_image *image, vma addr, asection **section)
{
    const struct libbfd_files *files = image->files;
    const struct text_range *range = text_range_at(&image->text, addr);
    bool is_beside = files->is_separate_beside && files->separate != NULL;
    *section = range != NULL ? files->code[range - image->text.ranges] : files->text;
    if (is_beside)
        *section = libbfd_separate_section(files, *section);
    return is_beside ? files->separate : files->bfd;
}

/* Calls libbfd's line reader with SYMBOLS, within the memory limit.  If the limit is passed, warns,
   and no line is found from then on.  */
static bool find_nearest(struct debug_image *image, vma addr, asymbol **symbols,
                         struct source_pos *pos)
{
    asection *section;
    struct libbfd_files *files = image->files;
    bfd *file = line_file(image, addr, &section);
    *pos = (struct source_pos){0};
    if (files->is_broken || section == NULL)
        return false;
    libbfd_call_begin();
    if (MEMORY_LIMIT_PASSED(&files->line_memory)) {
        *pos = (struct source_pos){0};
        files->is_broken = true;
        debug_image_warn(image, MSG_DEBUG_TOO_LARGE);
        return false;
    }
    bool is_found = bfd_find_nearest_line(file, section, symbols, addr - bfd_section_vma(section),
                                          &pos->file, &pos->function, &pos->line);
    memory_limit_end();
    if (libbfd_call_end(files->path, READING_DEBUG))
        debug_image_warn(image, MSG_DAMAGED_DEBUG);
    return is_found && pos->file != NULL && pos->line != 0;
}

/* Asks libbfd with the last COUNT of the first UPTO symbols.  The answer may lack a function.  */
static bool find_line(struct debug_image *image, vma addr, size_t upto, size_t count,
                      struct source_pos *pos)
{
    asymbol *window[NEIGHBOURS + 1];
    select_window(image, upto, count, window);
    return find_nearest(image, addr, is_relocated(image->files) ? image->files->table : window,
                        pos);
}

/* libbfd names a function after a symbol at its start.  Where the debug information has lines and
   no functions, as an assembler's has, it takes a symbol before the address.  For each address it
   walks all symbols that it gets, so it gets the nearest ones, and none where none can matter.
   (Without a table, not even an empty one, it does not read compressed sections.)
 */
static bool position(void *info, vma addr, enum position_parts parts, struct source_pos *pos)
{
    struct debug_image *image = info;
    size_t upto = text_symbols_upto(&image->symbols, addr),
           near = upto < NEIGHBOURS ? upto : NEIGHBOURS;
    bool is_symbol = upto > 0 && image->symbols.symbols[upto - 1].addr == addr;
    (void)parts; /* an address without a function counts as unknown */
    if (!find_line(image, addr, upto, is_symbol ? near : 0, pos))
        return false;
    if (pos->function == NULL && !is_symbol)
        find_line(image, addr, upto, near, pos);
    return pos->function != NULL;
}

/* Adds every address of the text, and looks each up once, because libbfd's first answer for an
   inlined function can be wrong; its later answers are right.  */
static void boundaries(void *info, vma low, vma high, struct vma_list *list)
{
    struct debug_image *image = info;
    struct source_pos pos;
    for (size_t i = 0; i < image->text.count; i++) {
        vma start = image->text.ranges[i].start;
        uint64_t size = libbfd_section_limit(image->files, image->files->code[i]);
        for (uint64_t offset = low > start ? low - start : 0;
             offset < size && start + offset < high; offset++) {
            position(image, start + offset, POSITION_FUNCTION, &pos);
            vma_list_add(list, start + offset, low, high);
        }
    }
}

const struct debug_reader debug_bfd = {open_info, position, NULL, boundaries, close_info};
