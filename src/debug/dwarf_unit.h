/* dwarf_unit.h - lines and functions of one unit of compilation.  For dwarf.c alone.

   What is read is kept in arrays of our own, and all strings in one map.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_DWARF_UNIT_H
#define REGPROF_DEBUG_DWARF_UNIT_H

#include <elfutils/libdw.h>

#include "base/hash.h"
#include "base/interval_map.h"
#include "debug/debug_image.h"
#include "debug/dwarf_line_table.h"

/* How often the reader has done what takes long.  Tests check that it does each step at most once
   for a unit, a file or a symbol table.  */
struct dwarf_work {
    size_t units;          /* all of them */
    size_t line_tables;    /* read */
    size_t function_lists; /* read */
    size_t symbol_tables;  /* read */
    size_t paths;          /* made of the names in line tables */
    size_t searches;       /* in a line table, for other rows than the last found and the next */
    size_t claims;         /* of all code that lines cover, beyond what units state */
};

/* Data that all units share.  */
struct dw_context {
    struct debug_image *image;
    struct line_sections sections;
    struct line_table table;   /* memory to decode one */
    struct string_map strings; /* paths and names */
    uint64_t budget;           /* what dw_spend may still take */
    struct dwarf_work work;    /* done so far */
    bool is_damaged;
};

/* Subtracts AMOUNT (bytes of line tables and paths, or ranges) from the budget.  The budget is in
   proportion to the file.  It runs out only if many units share one table, or many functions one
   list of ranges, as in damaged files; then sets `is_damaged' and returns false.  */
bool dw_spend(struct dw_context *context, uint64_t amount);

/* From `addr' on, code comes from this line.  Rows ascend by address.  */
struct dw_row {
    vma addr;
    uint32_t line; /* 0: unknown, or there is no code */
    uint32_t file; /* number of the path in `strings' */
};

/* Zeroed = none.  */
struct dw_lines {
    struct dw_row *rows;
    size_t count;
    size_t last; /* row of the last look-up: addresses come in ascending order mostly */
};

/* Where a function was inlined.  */
struct dw_site {
    Dwarf_Word file, line; /* of the call; FILE is a number of the line table */
    uint32_t path;         /* number of the path in `strings', or NO_ID; see dw_sites_locate */
};

/* The functions of a unit.  Zeroed = none; free with dw_functions_free.  */
struct dw_functions {
    /* The owner of an address is the number, in `strings', of the linkage name of the innermost
       function, inlined or not.  */
    struct interval_map names;
    uint32_t *site_of; /* by span of `names': the site of its code, plus 1; 0: it was not inlined */
    struct dw_site *sites; /* of outermost inlined functions */
    size_t site_count;
    bool has_site_paths;
    /* The functions that reports show of several at their address, ascending by it.  */
    struct dw_shown {
        vma low;
        Dwarf_Word file, line; /* of the declaration; FILE is a number of the line table */
    } * shown;
    size_t shown_count, shown_capacity;
};

/* Reads the line table of UNIT.  Of several sequences with lines for one address, the one that
   belongs to the function that FUNCTIONS show there counts, or else the first; FUNCTIONS may be
   NULL.  */
void dw_lines_read(struct dw_lines *lines, Dwarf_Die *unit, const struct dw_functions *functions,
                   struct dw_context *context);
/* The row that ADDR belongs to, or NULL.  */
const struct dw_row *dw_lines_find(struct dw_lines *lines, vma addr, struct dwarf_work *work);
void dw_lines_free(struct dw_lines *lines);

void dw_functions_read(struct dw_functions *functions, Dwarf_Die *unit, struct dw_context *context);
/* The function at ADDR that reports show, if there are several and the unit has it; else NULL.  */
const struct dw_shown *dw_functions_shown(const struct dw_functions *functions, vma addr);
/* Sets the paths of the sites in FUNCTIONS, those of UNIT.  Reads its line table again.  */
void dw_sites_locate(struct dw_functions *functions, Dwarf_Die *unit, struct dw_context *context);
/* The call by which the code at ADDR was inlined, in a function that was not inlined itself; NULL
   if it was not.  */
const struct dw_site *dw_functions_site(struct dw_functions *functions, vma addr);
void dw_functions_free(struct dw_functions *functions);

/* What INFO, which the reader opened, has done so far; for tests.  */
struct dwarf_work dwarf_work_done(const void *info);

#endif
