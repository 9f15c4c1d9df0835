/* exporters.c - what exporters say about times and stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/exporters.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/profile_proto.h"

const char *export_origin(const struct snapshot *snapshot, const struct stack_tree *tree)
{
    return tree->is_recorded                            ? STACK_TREE_RECORDED
           : origin_traits(snapshot->origin)->has_error ? STACK_TREE_OF_TIMES
                                                        : STACK_TREE_ESTIMATED;
}

struct export_unit export_unit(const struct snapshot_unit *unit)
{
    const char *value = unit->value;
    if (is_in_seconds(unit))
        return (struct export_unit){value != NULL ? value : "cpu", "nanoseconds", 1e9};
    if (strcmp(unit->name, "MB") == 0)
        return (struct export_unit){value != NULL ? value : PROFILE_SPACE, "bytes", 1e6};
    if (strncmp(unit->name, "M ", 2) == 0)
        return (struct export_unit){value != NULL ? value : unit->name + 2, "count", 1e6};
    if (strcmp(unit->name, "samples") != 0 && strcmp(unit->name, "ticks") != 0)
        return (struct export_unit){value != NULL ? value : unit->name, "count", 1};
    return (struct export_unit){"samples", "count", 1};
}

const char *export_inclusive(const struct snapshot *snapshot)
{
    return origin_traits(snapshot->origin)->has_error ? figures_traits(snapshot->figures)->stacked
                                                      : STACK_TREE_ESTIMATED;
}

const char *export_stack_name(const struct stack_tree *tree, uint32_t label, uint32_t left_out,
                              char *text)
{
    char count[GROUPED_SIZE];
    if (stacks_is_numbered(label))
        return tree->names[label - tree->function_count];
    if (left_out == 0)
        return "[others]";
    snprintf(text, STACK_NAME_SIZE, "[%s others]", group_digits(count, left_out));
    return text;
}

bool export_has_one_root(const struct stack_tree *tree)
{
    size_t roots = 0;
    for (size_t i = 0; i < tree->stacks.count; i++)
        roots += tree->stacks.parent[i] == UINT32_MAX;
    return roots == 1;
}
