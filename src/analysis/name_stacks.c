/* name_stacks.c - names the frames of recorded stacks, and adds them up by symbol.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/name_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/symtab.h"
#include "base/memory.h"

static void show_objects(struct stacks *stacks)
{
    struct arena *arena = &stacks->objects.arena;
    stacks->objects_shown = mem_array(stacks->objects.count + 1, sizeof *stacks->objects_shown);
    for (size_t i = 0; i < stacks->objects.count; i++)
        stacks->objects_shown[i] = arena_join(
            arena, "[", arena_escape(arena, i > 0 ? stacks->objects.strings[i] : "program"), "]");
    stacks->objects_shown[stacks->objects.count] = "[unknown]";
}

/* A return address may be the first of the next function: the call is before it.  */
static uint32_t id_of(const struct stacks *stacks, const struct symtab *symtab,
                      const struct recorded_frame *frame, bool is_innermost)
{
    uint32_t symbol = NO_ID;
    if (frame->object == 0)
        symbol = symtab_find(symtab, frame->addr - !is_innermost);
    if (symbol != NO_ID)
        return symbol;
    return (uint32_t)symtab->count +
           (frame->object != NO_OBJECT ? frame->object : (uint32_t)stacks->objects.count);
}

double stacks_name(struct stacks *stacks, const struct symtab *symtab)
{
    size_t *seen = mem_array(symtab->count, sizeof *seen); /* the last stack it was in, plus 1 */
    double nameless = 0;
    stacks->symbol_count = (uint32_t)symtab->count;
    stacks->ids = mem_uninitialised(stacks->frame_count, sizeof *stacks->ids);
    stacks->inclusive = mem_array(symtab->count, sizeof *stacks->inclusive);
    show_objects(stacks);
    for (size_t s = 0; s < stacks->count; s++) {
        const struct stack *stack = &stacks->stacks[s];
        bool has_nameless = false;
        for (size_t f = stack->start; f < stack->end; f++) {
            uint32_t id = id_of(stacks, symtab, &stacks->frames[f], f + 1 == stack->end);
            stacks->ids[f] = id;
            has_nameless |= id == symtab->count; /* object 0: the program */
            if (id >= symtab->count || seen[id] == s + 1)
                continue;
            seen[id] = s + 1;
            stacks->inclusive[id] += stack->samples;
        }
        if (has_nameless)
            nameless += stack->samples;
    }
    free(seen);
    return nameless;
}
