/* debug_dw_functions.h - the functions of a unit of compilation, by libdw.  For input/debug_dw.c,
   where there is libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DEBUG_DW_FUNCTIONS_H
#define REGPROF_INPUT_DEBUG_DW_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/interval_map.h"
#include "model/model.h"

/* What there can still be in a file, whose every row and range takes a byte at least.  */
struct dwarf_limits {
    uint64_t budget; /* rows and ranges */
    bool is_damaged; /* it said that there are more, or made no sense */
};

/* Takes COUNT off the budget.  False if that is more than is left: then one table is used for many
   units, or one list for many functions, which only makes work.  */
bool dwarf_spend(struct dwarf_limits *limits, uint64_t count);

/* A zeroed struct has none.  */
struct dwarf_functions {
    struct dwarf_function *functions; /* by range: ascending by low, outer ones first */
    size_t count, capacity;
    struct interval_map spans;
};

/* Reads all functions of UNIT, and those that are inlined in them.  The names are libdw's.  */
void dwarf_functions_read(struct dwarf_functions *functions, Dwarf_Die *unit,
                          struct dwarf_limits *limits);

/* The innermost one around ADDR, or NULL.  */
struct dwarf_function *dwarf_functions_at(struct dwarf_functions *functions, vma addr);

void dwarf_functions_free(struct dwarf_functions *functions);

#endif
