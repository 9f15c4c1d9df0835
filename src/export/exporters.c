/* exporters.c - what exporters say about times and stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/exporters.h"

#include <stdio.h>

const char *export_origin(const struct stack_tree *tree)
{
    return tree->is_recorded ? STACK_TREE_RECORDED : STACK_TREE_ESTIMATED;
}

const char *export_inclusive(const struct snapshot *snapshot)
{
    return snapshot->origin == ORIGIN_MEASURED ? EXPORT_MEASURED_TIMES : STACK_TREE_ESTIMATED;
}

const char *export_stack_name(const struct stack_tree *tree, const struct stack_node *node,
                              char *text)
{
    if (node->kind == STACK_NAMED)
        return tree->names[node->function];
    if (node->kind == STACK_OTHERS)
        return "[others]";
    snprintf(text, STACK_NAME_SIZE, "[cycle %lu]", (unsigned long)node->function);
    return text;
}
