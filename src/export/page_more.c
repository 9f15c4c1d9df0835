/* page_more.c - the data of a page that not every page has: stacks, and a comparison.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "base/common.h"
#include "base/json_write.h"
#include "export/page.h"
#include "model/comparison.h"
#include "model/stack_tree.h"

/* ---- Members ---- */

static void string_member(struct out *out, const char *name, const char *text)
{
    json_write_member(out, name);
    json_write_string_in_page(out, text);
}

/* ---- Stacks ---- */

/* data.js knows the numbers of the kinds.  */
static void write_kind(struct out *out, const struct stack_node *node)
{
    out_count(out, (uint64_t)node->kind, 0);
}

static void write_function(struct out *out, const struct stack_node *node)
{
    out_count(out, node->function, 0);
}

/* -1 for a root.  */
static void write_parent(struct out *out, const struct stack_node *node)
{
    if (node->parent == UINT32_MAX)
        out_text(out, "-1");
    else
        out_count(out, node->parent, 0);
}

static void write_self(struct out *out, const struct stack_node *node)
{
    out_count(out, node->self, 0);
}

static const struct node_column {
    const char *name;
    void (*write)(struct out *out, const struct stack_node *node);
} node_columns[] = {
    {"kind", write_kind},
    {"function", write_function},
    {"parent", write_parent},
    {"self", write_self},
};

static void write_nodes(struct out *out, const struct stack_tree *tree)
{
    for (size_t c = 0; c < ARRAY_LENGTH(node_columns); c++) {
        out_text(out, ",\n\"");
        out_text(out, node_columns[c].name);
        out_text(out, "\":[");
        for (size_t i = 0; i < tree->count; i++) {
            out_text(out, i > 0 ? "," : "");
            node_columns[c].write(out, &tree->nodes[i]);
        }
        out_char(out, ']');
    }
}

/* Those that nodes refer to, by index.  */
static void write_names(struct out *out, const struct stack_tree *tree)
{
    size_t count = 0;
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == STACK_NAMED && tree->nodes[i].function >= count)
            count = (size_t)tree->nodes[i].function + 1;
    out_text(out, ",\n\"names\":[");
    for (size_t i = 0; i < count; i++) {
        out_text(out, i > 0 ? "," : "");
        json_write_string_in_page(out, tree->names[i]);
    }
    out_char(out, ']');
}

void page_write_stacks(const struct snapshot *snapshot, struct out *out)
{
    const struct stack_tree *tree = snapshot->stacks;
    if (tree == NULL)
        return;
    out_text(out, ",\n\"tree\":{\"estimated\":");
    out_text(out, tree->is_recorded ? "false" : "true");
    write_nodes(out, tree);
    if (tree->is_recorded) {
        write_names(out, tree);
        json_write_number_member(out, "sample_time",
                                 tree->period > 0 ? tree->period / 1e9 : (double)NAN);
    }
    out_char(out, '}');
}

/* ---- The comparison ---- */

static void write_compared(struct out *out, const struct compared *row, double alpha)
{
    out_text(out, "{\"name\":");
    json_write_string_in_page(out, row->name);
    string_member(out, "kind", compared_kind_name(row->kind));
    json_write_number_member(out, "before", row->time[BEFORE]);
    json_write_number_member(out, "after", row->time[AFTER]);
    json_write_number_member(out, "change", row->change);
    json_write_number_member(out, "error", row->error);
    json_write_number_member(out, "p", row->p);
    out_text(out, row->p < alpha ? ",\"significant\":true" : ",\"significant\":false");
    json_write_number_member(out, "calls_before", row->calls[BEFORE]);
    json_write_number_member(out, "calls_after", row->calls[AFTER]);
    string_member(out, "callers", row->callers);
    out_char(out, '}');
}

void page_write_comparison(const struct snapshot *snapshot, struct out *out)
{
    const struct comparison *comparison = snapshot->comparison;
    if (comparison == NULL)
        return;
    out_text(out, ",\n\"comparison\":{\"base\":");
    json_write_string_in_page(out, comparison->sides[BEFORE].snapshot->image_path);
    enum gate_status status = comparison->verdict.status;
    string_member(out, "verdict", status != GATE_NONE ? gate_status_name(status) : NULL);
    json_write_number_member(out, "regressions", (double)comparison->verdict.regression_count);
    out_text(out, ",\n\"rows\":[");
    for (size_t i = 0; i < comparison->row_count; i++) {
        out_text(out, i > 0 ? ",\n" : "");
        write_compared(out, &comparison->rows[i], comparison->alpha);
    }
    out_text(out, "]}");
}
