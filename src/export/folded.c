/* folded.c - stacks as lines `main;parse;lex 40', for flamegraph.pl and its relatives.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "export/exporters.h"
#include "model/model.h"

/* Writes NAME with the separator of frames escaped, and backslashes where they could be read as
   such an escape: names that differ stay different.  */
static void write_name(struct out *out, const char *name)
{
    static const char separator[] = "\\x3b", backslash[] = "\\x5c";
    for (; *name != '\0'; name++)
        if (*name == ';')
            out_text(out, separator);
        else if (strncmp(name, separator, strlen(separator)) == 0 ||
                 strncmp(name, backslash, strlen(backslash)) == 0)
            out_text(out, backslash);
        else
            out_char(out, *name);
}

static void write_frame(struct out *out, const struct snapshot *snapshot,
                        const struct stack_node *node)
{
    char text[STACK_NAME_SIZE];
    if (node->kind != STACK_FUNCTION) {
        write_name(out, export_stack_name(snapshot->tree, node, text));
        return;
    }
    const struct snapshot_function *function = &snapshot->functions[node->function];
    write_name(out, function->name);
    if (snapshot->is_by_line && function->file != NULL) {
        out_text(out, " (");
        struct arena scratch = {0};
        write_name(out, arena_escape(&scratch, path_base(function->file)));
        arena_free(&scratch);
        out_char(out, ':');
        out_count(out, function->line, 0);
        out_char(out, ')');
    }
}

/* The prepared memory is a list of node ids by depth.  */
static void *prepare(const struct snapshot *snapshot)
{
    return mem_uninitialised(snapshot->tree->count, sizeof(uint32_t));
}

/* The first frame says how the stacks were made, because readers show no other text.  */
static void write_stacks(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    const struct stack_tree *tree = snapshot->tree;
    uint32_t *stack = prepared;
    double sum = 0; /* samples so far: rounded, so that sums are right */
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        uint64_t samples = stack_take(&sum, (double)node->self / parts_of_sample(tree->fineness));
        stack[node->depth] = i;
        if (samples == 0)
            continue;
        if (!snapshot->is_by_line) {
            out_char(out, '[');
            out_text(out, export_origin(tree));
            out_text(out, "];");
        }
        for (uint32_t depth = 0; depth <= node->depth; depth++) {
            out_text(out, depth > 0 ? ";" : "");
            write_frame(out, snapshot, &tree->nodes[stack[depth]]);
        }
        out_char(out, ' ');
        out_count(out, samples, 0);
        out_char(out, '\n');
    }
}

/* Writes `stack before after', as difffolded.pl does.  */
void export_folded_comparison(const struct comparison *comparison, struct out *out)
{
    const struct stack_pairs *stacks = comparison->stacks;
    for (size_t i = 0; i < stacks->count; i++) {
        const struct stack_pair *pair = &stacks->pairs[i];
        size_t count = 0;
        if (pair->samples[BEFORE] == 0 && pair->samples[AFTER] == 0)
            continue;
        for (uint32_t at = (uint32_t)i; at != UINT32_MAX; at = stacks->pairs[at].parent)
            stacks->frames[count++] = stacks->pairs[at].name;
        out_text(out,
                 stacks->is_recorded ? "[" STACK_TREE_RECORDED "]" : "[" STACK_TREE_ESTIMATED "]");
        while (count-- > 0) {
            out_char(out, ';');
            write_name(out, stacks->frames[count]);
        }
        out_char(out, ' ');
        out_count(out, pair->samples[BEFORE], 0);
        out_char(out, ' ');
        out_count(out, pair->samples[AFTER], 0);
        out_char(out, '\n');
    }
}

const struct exporter exporter_folded = {prepare, write_stacks, free};
