/* exporters.h - the exporters, one for each format, and what they have in common.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_EXPORTERS_H
#define REGPROF_EXPORT_EXPORTERS_H

#include "base/out.h"
#include "model/comparison.h"
#include "model/snapshot.h"
#include "model/stack_tree.h"
#include "model/table.h"

/* How a format of snapshots is written.  All memory is allocated before the file is created.  */
struct exporter {
    void *(*prepare)(const struct snapshot *snapshot); /* returns what `write' needs */
    void (*write)(const struct snapshot *snapshot, void *prepared, struct out *out);
    void (*release)(void *prepared);
};

void export_tsv(const struct table *table, struct out *out);
void export_csv(const struct table *table, struct out *out);
void export_markdown(const struct table *table, struct out *out);
void export_benchmark(const struct table *table, struct out *out);
void export_json(const struct snapshot *snapshot, struct out *out);
void export_html(const struct snapshot *snapshot, struct out *out);
void export_html_comparison(const struct comparison *comparison, struct out *out);
void export_folded_comparison(const struct comparison *comparison, struct out *out);
void export_json_comparison(const struct comparison *comparison, struct out *out);
void export_call_graph_order(const struct snapshot *snapshot, struct out *out);
void export_symbol_order(const struct snapshot *snapshot, struct out *out);
void export_section_order(const struct snapshot *snapshot, struct out *out);
extern const struct exporter exporter_callgrind, exporter_dot, exporter_folded, exporter_pprof,
    exporter_speedscope;

/* ---- What they call ---- */

/* What formats say about the stacks of TREE, of SNAPSHOT: one of STACK_TREE_...  */
const char *export_origin(const struct snapshot *snapshot, const struct stack_tree *tree);

/* What formats say about inclusive times: estimated; measured; of what was not sampled, how they
   are known.  */
const char *export_inclusive(const struct snapshot *snapshot);

/* What is counted in place of the snapshot's unit, in whole numbers.  */
struct export_unit {
    const char *what,
        *unit;   /* "cpu", "nanoseconds"; "cycles:u", "count"; "samples" if neither is known */
    double size; /* how many one of the snapshot's unit is */
};
struct export_unit export_unit(const struct snapshot_unit *unit);

/* What a node of TREE with this LABEL is called that is no function: `[cycle 2]', `[libc.so.6]'; of
   LEFT_OUT subtrees, `[4,700 others]'.  TEXT has STACK_NAME_SIZE bytes; the result is in it or
   owned by the tree.  */
enum { STACK_NAME_SIZE = 24 };
const char *export_stack_name(const struct stack_tree *tree, uint32_t label, uint32_t left_out,
                              char *text);

/* The frame above functions in stacks of their own, which have what is in `rests' of a tree.  */
#define EXPORT_OTHER_STACKS "[other stacks]"

/* Whether TREE has one root, the node 0, below which are the `rests', too.  */
bool export_has_one_root(const struct stack_tree *tree);

#endif
