/* stack_amounts.c - own samples and times of stacks in whole numbers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

#include "base/memory.h"
#include "stacks/make_stack_tree.h"
#include "stacks/stack_flow.h"

/* What the nodes of a function have had so far.  */
struct given {
    double samples;
    struct stack_amount amount;
};

/* What SAMPLES more are: the difference between sums, which are rounded, so that errors do not add
   up.  */
static struct stack_amount give(struct given *given, double samples, double period)
{
    struct stack_amount before = given->amount;
    given->samples += samples;
    given->amount = (struct stack_amount){stack_rounded(given->samples),
                                          stack_rounded(given->samples * period)};
    return (struct stack_amount){given->amount.samples - before.samples,
                                 given->amount.nanoseconds - before.nanoseconds};
}

void stack_tree_split(struct stack_tree *tree, const struct snapshot *snapshot)
{
    struct snapshot_function f;
    struct given *given = mem_array(snapshot->function_count, sizeof *given);
    tree->period =
        is_in_seconds(snapshot) && snapshot->samples > 0 ? 1e9 * snapshot->sample_time : 0;
    tree->amounts = mem_array(tree->count, sizeof *tree->amounts);
    tree->rests = mem_array(snapshot->function_count, sizeof *tree->rests);
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == STACK_FUNCTION)
            tree->amounts[i] =
                give(&given[tree->nodes[i].function], tree->nodes[i].own, tree->period);
    for (size_t i = 0; i < snapshot->function_count; i++) {
        snapshot->function(snapshot, i, &f);
        double own = flow_own(&f);
        if (own > given[i].samples)
            tree->rests[i] = give(&given[i], own - given[i].samples, tree->period);
    }
    free(given);
}
