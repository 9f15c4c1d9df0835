/* listed_code.c - symbols and source lines of an image that consists of names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/listed_code.h"

#include "base/memory.h"

struct raw_symbol *listed_symbols(const struct listed_code *code, size_t *count)
{
    struct raw_symbol *symbols = mem_array(code->function_count, sizeof *symbols);
    for (size_t i = 0; i < code->function_count; i++)
        symbols[i] = (struct raw_symbol){.addr = listed_address(code->functions[i].first),
                                         .name = code->functions[i].name,
                                         .is_func = true,
                                         .has_function_mark = true};
    *count = code->function_count;
    return symbols;
}

static bool find_position(void *info, vma addr, enum position_parts parts, struct source_pos *pos)
{
    const struct listed_code *code = info;
    size_t place = addr >= LISTED_START ? (addr - LISTED_START) / LISTED_STEP : code->place_count;
    (void)parts; /* both cost nothing */
    if (place >= code->place_count || code->places[place].file == NULL ||
        code->places[place].line == 0)
        return false;
    pos->file = code->places[place].file;
    pos->line = code->places[place].line;
    pos->function = code->functions[code->places[place].function].name;
    return true;
}

static void list_boundaries(void *info, struct vma_list *list)
{
    const struct listed_code *code = info;
    for (size_t i = 0; i < code->place_count; i++)
        vma_list_add(list, listed_address(i));
}

static void close_nothing(void *info)
{
    (void)info;
}

const struct debug_reader listed_reader = {
    .position = find_position, .boundaries = list_boundaries, .close = close_nothing};
