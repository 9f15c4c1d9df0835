/* debug_dw_none.c - what stands for input/debug_dw.c where the program is built without libdw:
   nothing is known.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/debug_dw.h"

#ifndef HAVE_LIBDW

struct dwarf_lines *dwarf_lines_open(const char *path)
{
    (void)path;
    return NULL;
}

bool dwarf_lines_are_damaged(const struct dwarf_lines *lines)
{
    (void)lines;
    return false;
}

void dwarf_lines_close(struct dwarf_lines *lines)
{
    (void)lines;
}

enum dwarf_status dwarf_lines_find(struct dwarf_lines *lines, vma addr, const char **file,
                                   unsigned *line)
{
    (void)lines, (void)addr, (void)file, (void)line;
    return DWARF_UNSURE;
}

struct dwarf_function *dwarf_lines_function(struct dwarf_lines *lines, vma addr)
{
    (void)lines, (void)addr;
    return NULL;
}

void dwarf_lines_addresses(struct dwarf_lines *lines, struct vma_list *list)
{
    (void)lines, (void)list;
}

bool dwarf_lines_are_sure(const struct dwarf_lines *lines)
{
    (void)lines;
    return false;
}

#endif
