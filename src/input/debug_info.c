/* debug_info.c - lists of addresses for the readers of debug information.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/debug_info.h"

#include "base/memory.h"
#include "base/sort.h"

void vma_list_add(struct vma_list *list, vma addr)
{
    list->addrs = mem_grow(list->addrs, &list->capacity, list->count + 1, sizeof *list->addrs);
    list->addrs[list->count++] = addr;
}

void vma_list_unique(struct vma_list *list, vma start, vma end, unsigned step)
{
    size_t kept = 0;
    sort_numbers(list->addrs, list->count);
    for (size_t i = 0; i < list->count; i++) {
        vma addr = start + (list->addrs[i] - start + step - 1) / step * step;
        if (addr >= start && addr < end && (kept == 0 || list->addrs[kept - 1] != addr))
            list->addrs[kept++] = addr;
    }
    list->count = kept;
}
