/* debug_list.c - what a list of functions says of them, as debug information.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "debug/debug_image.h"
#include "model/listed_code.h"

static bool find_position(void *info, vma addr, enum position_parts parts, struct source_pos *pos)
{
    const struct listed_code *code = info;
    const struct listed_place *place = listed_place_at(code, addr);
    (void)parts; /* both cost nothing */
    if (place == NULL || place->file == NULL || place->line == 0)
        return false;
    pos->file = place->file;
    pos->line = place->line;
    pos->function = code->functions[place->function].name;
    return true;
}

static void list_boundaries(void *info, vma low, vma high, struct vma_list *list)
{
    const struct listed_code *code = info;
    for (size_t i = 0; i < code->place_count; i++)
        vma_list_add(list, listed_address(i), low, high);
}

static void close_nothing(void *info)
{
    (void)info;
}

const struct debug_reader debug_list = {
    .position = find_position, .boundaries = list_boundaries, .close = close_nothing};
