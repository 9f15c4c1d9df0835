/* debug_info.h - readers of debug information: which file, line and function an address comes from.

   A reader is a table of operations and names no library; image_bfd.c opens the first that can read
   an image, and it alone gives all the answers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DEBUG_INFO_H
#define REGPROF_INPUT_DEBUG_INFO_H

#include "input/image.h"

/* A growing list of addresses.  Zeroed = empty; free `addrs' with free.  */
struct vma_list {
    vma *addrs;
    size_t count, capacity;
};
void vma_list_add(struct vma_list *list, vma addr);
/* Sorts LIST and keeps one of each address from START to before END, rounded up to whole
   instructions of STEP bytes.  */
void vma_list_unique(struct vma_list *list, vma start, vma end, unsigned step);

enum position_parts { POSITION_LINE, POSITION_FUNCTION };

struct debug_info_ops {
    /* Reads enough of the debug information of IMAGE, which outlives the result, to answer
       questions.  NULL if it is not in a form that this reader knows.  */
    void *(*open)(struct image *image);

    /* Whether file and line of ADDR are known and, for POSITION_FUNCTION, the function.  Sets *POS;
       what it points to lives until the next call.  */
    bool (*position)(void *info, vma addr, enum position_parts parts, struct source_pos *pos);

    /* Adds to LIST every address at which the answer of `position' can change, perhaps with
       others.  */
    void (*boundaries)(void *info, struct vma_list *list);

    void (*close)(void *info);
};

/* ---- What readers need of the image ---- */

/* The file that holds its debug information: its own path or, where it has none, that of a file
   that belongs to it by build id, by .gnu_debuglink or by its name; NULL if there is none.  */
const char *image_debug_path(struct image *image);

/* Whether it is an ELF file that has been linked, so that its debug information needs no
   relocation.  */
bool image_is_linked_elf(struct image *image);

/* The name of the function symbol at ADDR, PREFERRED if that is one of several; NULL if there is
   none.  */
const char *image_function_at(struct image *image, vma addr, const char *preferred);

/* Warns, once per image, that its debug information is damaged.  MESSAGE is a format for the path
   of the image.  */
void image_warn_of_damage(struct image *image, const char *message);

#endif
