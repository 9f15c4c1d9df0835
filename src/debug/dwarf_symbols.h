/* dwarf_symbols.h - finds symbols of a file with debug information by address.  For dwarf.c alone.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_DWARF_SYMBOLS_H
#define REGPROF_DEBUG_DWARF_SYMBOLS_H

#include <libelf.h>

#include "model/model.h"

struct dwarf_work;

/* The symbols of a file by address, those at one address in the order of the table.  Zeroed = not
   read.  */
struct dw_symbols {
    struct dw_symbol {
        vma addr;
        uint64_t size;
        const char *name; /* owned by libelf */
        bool is_function;
    } * all;
    size_t count, capacity;
    bool is_read;
};

/* The name of the nearest symbol at or before ADDR, or NULL.  */
const char *dw_symbols_name(struct dw_symbols *symbols, Elf *elf, vma addr,
                            struct dwarf_work *work);
void dw_symbols_free(struct dw_symbols *symbols);

#endif
