/* test_dwarf.c - what is read from debug information is read once.  The image is this program.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <stdlib.h>

#include "tap.h"

#ifdef HAVE_LIBDW

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "debug/dwarf_symbols.h"
#include "debug/dwarf_unit.h"
#include "input/image.h"

/* The images' symbols, and the reader of its debug information.  */
struct subject {
    struct image *image;
    struct debug_image described;
    void *info;
    struct raw_symbol *symbols;
    size_t symbol_count;
};

static bool open_subject(struct subject *s, struct diagnostics *diagnostics)
{
    s->image = image_open("/proc/self/exe", diagnostics);
    if (s->image == NULL)
        return false;
    s->symbols = image_symbols(s->image, &s->symbol_count);
    s->described = (struct debug_image){.path = "/proc/self/exe",
                                        .debug_path = "/proc/self/exe",
                                        .is_linked_elf = true,
                                        .diagnostics = diagnostics};
    s->info = dwarf_reader.open(&s->described);
    return s->info != NULL;
}

static void close_subject(struct subject *s)
{
    if (s->info != NULL)
        dwarf_reader.close(s->info);
    free(s->symbols);
    if (s->image != NULL)
        image_close(s->image);
}

static vma addr_of(const struct subject *s, const char *name)
{
    for (size_t i = 0; i < s->symbol_count; i++)
        if (strcmp(s->symbols[i].name, name) == 0)
            return s->symbols[i].addr;
    return 0;
}

static bool find(const struct subject *s, vma addr, enum position_parts parts,
                 struct source_pos *pos)
{
    return dwarf_reader.position(s->info, addr, parts, pos);
}

/* Functions of two sources of the program's own.  */
static const char one[] = "vma_list_add", same_unit[] = "vma_list_unique", other[] = "mem_grow";

static void test_units(const struct subject *s)
{
    struct source_pos pos;
    struct dwarf_work work = dwarf_work_done(s->info);
    is_true(work.units > 20, "a unit for each source");
    size_t opening = work.line_tables;
    is_true(opening < 4, "few are read to open the image: most units state where their code is");
    is_true(find(s, addr_of(s, one), POSITION_LINE, &pos), "a line is found");
    is_true(strstr(pos.file, "debug_image.c") != NULL, "in this file");
    is_equal(dwarf_work_done(s->info).line_tables, opening + 1, "one line table is read");
    is_equal(dwarf_work_done(s->info).function_lists, 0, "but no functions");
    is_true(find(s, addr_of(s, same_unit), POSITION_LINE, &pos), "a line of the same unit");
    is_equal(dwarf_work_done(s->info).line_tables, opening + 1, "the table is not read again");
    is_true(find(s, addr_of(s, one), POSITION_FUNCTION, &pos), "a function is found");
    is_same_text(pos.function, one, "this one");
    is_true(find(s, addr_of(s, same_unit), POSITION_FUNCTION, &pos), "another in the unit");
    is_same_text(pos.function, same_unit, "that one");
    is_equal(dwarf_work_done(s->info).function_lists, 1, "its functions are read once");
    is_true(find(s, addr_of(s, other), POSITION_FUNCTION, &pos), "a function of another unit");
    work = dwarf_work_done(s->info);
    is_equal(work.line_tables, opening + 2, "whose line table is read");
    is_equal(work.function_lists, 2, "and its functions");
    is_equal(work.symbol_tables, 0, "no symbols are needed");
    is_equal(work.claims, 0, "and no units but these");
}

/* Addresses mostly come in ascending order.  */
static void test_searches(const struct subject *s)
{
    struct source_pos pos;
    vma start = addr_of(s, one);
    find(s, start, POSITION_LINE, &pos);
    size_t before = dwarf_work_done(s->info).searches;
    find(s, start, POSITION_LINE, &pos);
    is_equal(dwarf_work_done(s->info).searches, before, "the same address: no search");
    for (vma addr = start; addr < start + 60; addr++)
        find(s, addr, POSITION_LINE, &pos);
    is_equal(dwarf_work_done(s->info).searches, before, "one address after the other: no search");
    find(s, start, POSITION_LINE, &pos);
    is_equal(dwarf_work_done(s->info).searches, before + 1, "back again: a search");
}

/* A unit has thousands of rows and few files.  */
static void test_paths(const struct subject *s)
{
    struct vma_list list = {0};
    dwarf_reader.boundaries(s->info, 0, UINT64_MAX, &list);
    struct dwarf_work work = dwarf_work_done(s->info);
    is_equal(work.line_tables, work.units, "every line table is read once");
    is_true(work.function_lists <= work.units && work.function_lists + 4 > work.units,
            "and the functions of each unit that has code");
    is_true(work.paths >= work.units && work.paths < list.count / 10,
            "a path is made once for each file");
    dwarf_reader.boundaries(s->info, 0, UINT64_MAX, &list);
    is_equal(dwarf_work_done(s->info).paths, work.paths, "nothing is made again");
    is_equal(dwarf_work_done(s->info).line_tables, work.line_tables, "nor read again");
    is_equal(dwarf_work_done(s->info).function_lists, work.function_lists, "functions neither");
    free(list.addrs);
}

/* Code that no unit states as its own may be in a line table all the same.  */
static void test_nobody(const struct subject *s)
{
    struct source_pos pos;
    for (int i = 0; i < 3; i++)
        is_true(!find(s, image_text(s->image)->all.end + 4096, POSITION_LINE, &pos),
                "no unit has an address outside of the text");
    is_equal(dwarf_work_done(s->info).claims, 1, "all line tables are searched once");
}

/* The symbol table is sorted once.  */
static void test_symbols(const struct subject *s)
{
    struct dw_symbols symbols = {0};
    struct dwarf_work work = {0};
    int fd = open("/proc/self/exe", O_RDONLY);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    is_same_text(dw_symbols_name(&symbols, elf, addr_of(s, one), &work), one, "a symbol is found");
    is_same_text(dw_symbols_name(&symbols, elf, addr_of(s, other), &work), other, "and another");
    is_equal(work.symbol_tables, 1, "the table is read once");
    dw_symbols_free(&symbols);
    elf_end(elf);
    close(fd);
}

static bool has_debug_information(const struct subject *s)
{
    struct source_pos pos;
    return dwarf_work_done(s->info).units > 0 && addr_of(s, one) != 0 &&
           (dwarf_work_done(s->info).line_tables > 0 ||
            find(s, addr_of(s, one), POSITION_LINE, &pos));
}

int main(void)
{
    struct diagnostics diagnostics = {0};
    struct subject probe = {0}, s = {0};
    bool can_test = open_subject(&probe, &diagnostics) && has_debug_information(&probe);
    close_subject(&probe);
    if (!can_test || !open_subject(&s, &diagnostics)) {
        puts("1..0 # SKIP the program has no debug information");
        return 0;
    }
    test_units(&s);
    test_searches(&s);
    test_paths(&s);
    test_nobody(&s);
    test_symbols(&s);
    close_subject(&s);
    return tap_done();
}

#else

int main(void)
{
    puts("1..0 # SKIP built without libdw");
    return 0;
}

#endif
