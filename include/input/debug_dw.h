/* debug_dw.h - the line tables and functions of an ELF file, by libdw.

   libbfd answers the same questions, but reads all debug information for the first of them, and
   does not tell where its answers change.  Where libdw is there and can read the file,
   input/image_bfd.c asks this module, and libbfd only for what the debug information leaves open.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DEBUG_DW_H
#define REGPROF_INPUT_DEBUG_DW_H

#include "model/model.h"

struct dwarf_lines; /* opaque */

/* The debug information of the file at PATH; NULL if there is none that could be read, or the
   program was built without libdw.  */
struct dwarf_lines *dwarf_lines_open(const char *path);
void dwarf_lines_close(struct dwarf_lines *lines);

/* Whether some of it could not be read, as far as it has been asked for.  */
bool dwarf_lines_are_damaged(const struct dwarf_lines *lines);

/* The source line that ADDR comes from.  DWARF_UNSURE: libbfd may answer another way and has to be
   asked.  FILE is owned by LINES.  */
enum dwarf_status { DWARF_FOUND, DWARF_NONE, DWARF_UNSURE };
enum dwarf_status dwarf_lines_find(struct dwarf_lines *lines, vma addr, const char **file,
                                   unsigned *line);

/* A function, or a function inlined there.  */
struct dwarf_function {
    vma low, high;           /* [low, high) is one of its ranges */
    const char *name;        /* as the linker sees it; NULL if the debug information does not say */
    const char *source_name; /* as the source has it, or NULL */
    bool is_inlined;
    bool is_split; /* it has other ranges, too */
};

/* The innermost function around ADDR, for which dwarf_lines_find found a line, or NULL.  The caller
   may fill in the name.  */
struct dwarf_function *dwarf_lines_function(struct dwarf_lines *lines, vma addr);

struct vma_list {
    vma *addrs;
    size_t count, capacity;
};
void vma_list_add(struct vma_list *list, vma addr);
/* Sorts LIST and keeps one of each address from START to before END, where instructions are STEP
   bytes from one to the next.  */
void vma_list_tidy(struct vma_list *list, vma start, vma end, unsigned step);

/* Adds to LIST every address at which an answer of the other two can change.  */
void dwarf_lines_addresses(struct dwarf_lines *lines, struct vma_list *list);

/* After dwarf_lines_addresses: whether no look-up is DWARF_UNSURE.  */
bool dwarf_lines_are_sure(const struct dwarf_lines *lines);

#endif
