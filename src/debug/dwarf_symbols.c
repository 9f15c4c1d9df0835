/* dwarf_symbols.c - finds symbols of a file with debug information by address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#ifdef HAVE_LIBDW

#include "debug/dwarf_symbols.h"

#include <gelf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "debug/dwarf_unit.h"

static bool can_name_code(const GElf_Sym *symbol)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE &&
           (type == STT_NOTYPE || type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* MASK: of the bits of a function's address.  */
static void add_symbol(struct dw_symbols *symbols, const GElf_Sym *symbol, const char *name,
                       vma mask)
{
    bool is_function = GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE;
    symbols->all =
        mem_grow(symbols->all, &symbols->capacity, symbols->count + 1, sizeof *symbols->all);
    symbols->all[symbols->count++] =
        (struct dw_symbol){.addr = is_function ? symbol->st_value & mask : symbol->st_value,
                           .size = symbol->st_size > 0 ? symbol->st_size : 1,
                           .name = name,
                           .is_function = is_function};
}

static void read_table(struct dw_symbols *symbols, Elf *elf, Elf_Scn *section,
                       const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    GElf_Ehdr file;
    /* On ARM, bit 0 tells the instruction set of a function.  */
    bool is_arm = gelf_getehdr(elf, &file) != NULL && file.e_machine == EM_ARM;
    vma mask = is_arm ? ~(vma)1 : ~(vma)0;
    for (int i = 1; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name != NULL && name[0] != '\0' && can_name_code(&symbol))
            add_symbol(symbols, &symbol, name, mask);
    }
}

static uint64_t addr_of(const void *context, uint32_t id, unsigned level)
{
    (void)level;
    return ((const struct dw_symbol *)context)[id].addr;
}

static void sort_symbols(struct dw_symbols *symbols)
{
    static const struct id_order by_addr = {.key = addr_of, .levels = 1};
    uint32_t *order = identity_ids(symbols->count);
    sort_by_order(order, symbols->count, &by_addr, symbols->all);
    symbols->all = mem_reorder(symbols->all, order, symbols->count, sizeof *symbols->all);
    symbols->capacity = symbols->count;
}

/* Reads the symbol table or, of a stripped file, that of the dynamic symbols.  */
static void read_symbols(struct dw_symbols *symbols, Elf *elf)
{
    static const unsigned kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
    GElf_Shdr header;
    for (size_t k = 0; k < 2 && symbols->count == 0; k++)
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
            if (gelf_getshdr(section, &header) != NULL && header.sh_type == kinds[k])
                read_table(symbols, elf, section, &header);
    sort_symbols(symbols);
    symbols->is_read = true;
}

/* Whether B names the code at ADDR better than A, which is before B in the table: a symbol that
   reaches ADDR is better than one that does not, then a function than a label, then a smaller one.
 */
static bool is_better(const struct dw_symbol *a, const struct dw_symbol *b, vma addr)
{
    if (addr - a->addr >= a->size)
        return b->size > a->size;
    if (addr - b->addr >= b->size)
        return false;
    if (a->is_function != b->is_function)
        return b->is_function;
    return b->size > a->size;
}

const char *dw_symbols_name(struct dw_symbols *symbols, Elf *elf, vma addr, struct dwarf_work *work)
{
    if (!symbols->is_read) {
        read_symbols(symbols, elf);
        work->symbol_tables++;
    }
    const struct dw_symbol *all = symbols->all, *best;
    size_t upto =
        count_at_most(all, symbols->count, sizeof *all, offsetof(struct dw_symbol, addr), addr);
    if (upto == 0)
        return NULL;
    size_t first = upto - 1;
    while (first > 0 && all[first - 1].addr == all[upto - 1].addr)
        first--;
    best = &all[first];
    for (size_t i = first + 1; i < upto; i++)
        if (is_better(best, &all[i], addr))
            best = &all[i];
    return best->name;
}

void dw_symbols_free(struct dw_symbols *symbols)
{
    free(symbols->all);
    *symbols = (struct dw_symbols){0};
}

#endif
