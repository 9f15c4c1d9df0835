/* stack_lines.c - source lines as stacks of one frame.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/memory.h"
#include "stacks/make_stack_tree.h"
#include "stacks/stack_flow.h"

void stack_tree_of_lines(struct stack_tree *tree, const struct snapshot *snapshot)
{
    struct snapshot_function line;
    double sum = 0;
    tree->nodes = mem_uninitialised(snapshot->function_count, sizeof *tree->nodes);
    for (size_t f = 0; f < snapshot->function_count; f++) {
        uint64_t before = tree->samples;
        snapshot->function(snapshot, f, &line);
        sum += flow_own(&line);
        tree->samples = stack_rounded(sum);
        if (tree->samples > before)
            tree->nodes[tree->count++] = (struct stack_node){.function = (uint32_t)f,
                                                             .parent = UINT32_MAX,
                                                             .self = tree->samples - before,
                                                             .total = tree->samples - before,
                                                             .own = flow_own(&line)};
    }
}
