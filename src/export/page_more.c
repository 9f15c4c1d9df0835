/* page_more.c - the data of a page that not every page has: stacks, and a comparison.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/common.h"
#include "base/json_write.h"
#include "export/page.h"
#include "model/comparison.h"
#include "model/recorded_tree.h"
#include "model/stack_tree.h"

/* ---- Members ---- */

static void number_member(struct out *out, const char *name, double number)
{
    out_text(out, ",\"");
    out_text(out, name);
    out_text(out, "\":");
    json_write_number(out, number);
}

static void string_member(struct out *out, const char *name, const char *text)
{
    out_text(out, ",\"");
    out_text(out, name);
    out_text(out, "\":");
    json_write_string_in_page(out, text);
}

/* ---- Stacks ---- */

/* The kinds of nodes for data.js: those of enum stack_kind, and a frame with a name of its own.  */
enum { KIND_NAMED = 3 };

/* A node of either tree.  */
struct page_node {
    unsigned kind;
    uint32_t id, parent;
    double self;
};

static struct page_node estimated_node(const struct snapshot *snapshot, size_t i)
{
    const struct stack_node *node = &snapshot->stacks->nodes[i];
    return (struct page_node){(unsigned)node->kind, node->function, node->parent,
                              (double)node->self};
}

static struct page_node recorded_node(const struct snapshot *snapshot, size_t i)
{
    const struct recorded_node *node = &snapshot->recorded->nodes[i];
    return (struct page_node){node->is_named ? KIND_NAMED : STACK_FUNCTION, node->id, node->parent,
                              node->self};
}

static void write_kind(struct out *out, const struct page_node *node)
{
    out_count(out, node->kind, 0);
}

static void write_id(struct out *out, const struct page_node *node)
{
    out_count(out, node->id, 0);
}

/* -1 for a root.  */
static void write_parent(struct out *out, const struct page_node *node)
{
    if (node->parent == UINT32_MAX)
        out_text(out, "-1");
    else
        out_count(out, node->parent, 0);
}

static void write_self(struct out *out, const struct page_node *node)
{
    json_write_number(out, node->self);
}

static const struct node_column {
    const char *name;
    void (*write)(struct out *out, const struct page_node *node);
} node_columns[] = {
    {"kind", write_kind},
    {"function", write_id},
    {"parent", write_parent},
    {"self", write_self},
};

static void write_nodes(struct out *out, const struct snapshot *snapshot, size_t count,
                        struct page_node (*node_at)(const struct snapshot *snapshot, size_t i))
{
    for (size_t c = 0; c < ARRAY_LENGTH(node_columns); c++) {
        out_text(out, ",\n\"");
        out_text(out, node_columns[c].name);
        out_text(out, "\":[");
        for (size_t i = 0; i < count; i++) {
            struct page_node node = node_at(snapshot, i);
            out_text(out, i > 0 ? "," : "");
            node_columns[c].write(out, &node);
        }
        out_char(out, ']');
    }
}

static void write_names(struct out *out, const struct recorded_tree *tree)
{
    out_text(out, ",\n\"names\":[");
    for (size_t i = 0; i < tree->name_count; i++) {
        out_text(out, i > 0 ? "," : "");
        json_write_string_in_page(out, tree->names[i]);
    }
    out_char(out, ']');
}

void page_write_stacks(const struct snapshot *snapshot, struct out *out)
{
    if (snapshot->recorded != NULL) {
        out_text(out, ",\n\"tree\":{\"estimated\":false");
        write_nodes(out, snapshot, snapshot->recorded->count, recorded_node);
        write_names(out, snapshot->recorded);
        number_member(out, "sample_time", snapshot->recorded->sample_time);
        out_char(out, '}');
    } else if (snapshot->stacks != NULL) {
        out_text(out, ",\n\"tree\":{\"estimated\":true");
        write_nodes(out, snapshot, snapshot->stacks->count, estimated_node);
        out_char(out, '}');
    }
}

/* ---- The comparison ---- */

static void write_compared(struct out *out, const struct compared *row, double alpha)
{
    static const char *const kinds[] = {[COMPARED_BOTH] = "both",
                                        [COMPARED_NEW] = "new",
                                        [COMPARED_GONE] = "gone",
                                        [COMPARED_TOTAL] = "total"};
    out_text(out, "{\"name\":");
    json_write_string_in_page(out, row->name);
    string_member(out, "kind", kinds[row->kind]);
    number_member(out, "before", row->time[BEFORE]);
    number_member(out, "after", row->time[AFTER]);
    number_member(out, "change", row->change);
    number_member(out, "error", row->error);
    number_member(out, "p", row->p);
    out_text(out, row->p < alpha ? ",\"significant\":true" : ",\"significant\":false");
    number_member(out, "calls_before", row->calls[BEFORE]);
    number_member(out, "calls_after", row->calls[AFTER]);
    string_member(out, "callers", row->callers);
    out_char(out, '}');
}

void page_write_comparison(const struct snapshot *snapshot, struct out *out)
{
    static const char *const verdicts[] = {[GATE_NONE] = NULL,
                                           [GATE_PASSED] = "passed",
                                           [GATE_REGRESSION] = "regression",
                                           [GATE_BLIND] = "blind"};
    const struct comparison *comparison = snapshot->comparison;
    if (comparison == NULL)
        return;
    out_text(out, ",\n\"comparison\":{\"base\":");
    json_write_string_in_page(out, comparison->sides[BEFORE].snapshot->image_path);
    string_member(out, "verdict", verdicts[comparison->verdict.status]);
    number_member(out, "regressions", (double)comparison->verdict.regression_count);
    out_text(out, ",\n\"rows\":[");
    for (size_t i = 0; i < comparison->row_count; i++) {
        out_text(out, i > 0 ? ",\n" : "");
        write_compared(out, &comparison->rows[i], comparison->alpha);
    }
    out_text(out, "]}");
}
