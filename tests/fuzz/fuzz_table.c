/* fuzz_table.c - the symbol table from a file (-S), and look-ups in it.  The first nine bytes
   select the end of the text and whether static functions are included.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

#include "base/memory.h"
#include "fuzz.h"
#include "input/symbol_files.h"
#include "symbols/symtab.h"

static void check_look_ups(const struct symtab *symtab)
{
    for (uint32_t i = 0; i < symtab->count; i++) {
        const struct symbol *symbol = &symtab->symbols[i];
        FUZZ_CHECK(i == 0 || symtab->symbols[i - 1].addr < symbol->addr);
        FUZZ_CHECK(symtab_find(symtab, symbol->addr) == (symbol->end < symbol->addr ? NO_ID : i));
        if (symbol->end > symbol->addr)
            FUZZ_CHECK(symtab_find(symtab, symbol->end) == i);
        if (symbol->addr > 0) {
            uint32_t before = symtab_find(symtab, symbol->addr - 1);
            FUZZ_CHECK(before == NO_ID || before == i - 1);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct symtab_rules rules = {.text_end = input_number(&input, 8)};
    struct symbol_list list = {0};
    struct symtab symtab = {0};
    struct arena names = {0};
    rules.no_static = input_byte(&input) & 1;
    if (symbol_files_read_symbols(&list, &names, fuzz_file(input.at, input.left))) {
        symtab_build(&symtab, list.symbols, list.count, NULL, &rules);
        check_look_ups(&symtab);
        if (symtab.count > 0) {
            uint32_t nowhere = symtab_add_indirect_target(&symtab, "nowhere");
            FUZZ_CHECK(nowhere == symtab.count - 1);
            FUZZ_CHECK(symtab_find(&symtab, symtab.symbols[nowhere].addr) == NO_ID);
        }
    }
    free(list.symbols);
    symtab_free(&symtab);
    arena_free(&names);
    return 0;
}
