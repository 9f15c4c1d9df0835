/* formats.h - the formats that --format names, and what each can show.

   An exporter is a file in src/export, a row in formats.c, a test with a real reader, and an entry
   in the manual.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_FORMATS_H
#define REGPROF_EXPORT_FORMATS_H

#include "base/message.h"
#include "base/out.h"
#include "model/comparison.h"
#include "model/snapshot.h"
#include "model/stack_tree.h"
#include "model/table.h"

/* What a format of snapshots needs or can show.  */
enum {
    EXPORT_BOUNDS = 1, /* least and most */
    EXPORT_SHOWN = 2,   /* unique names; --names, --focus and --hide */
    EXPORT_STACKS = 4, /* estimated stacks, or lines */
    EXPORT_SHARES = 8, /* --min-share */
    EXPORT_BINARY = 16,
    EXPORT_LINES = 32, /* with -l: lines of functions, not lines instead of functions */
    EXPORT_INPUTS = 64 /* --per-file: the stacks of each profile */
};

/* How a format of snapshots is written.  All memory is allocated before the file is created.  */
struct exporter {
    void *(*prepare)(const struct snapshot *snapshot); /* with what write needs */
    void (*write)(const struct snapshot *snapshot, void *prepared, struct out *out);
    void (*release)(void *prepared);
};

struct export_format {
    const char *name;
    bool is_for_people; /* several tables can follow each other */
    bool is_page;       /* a snapshot has short names and messages, too */
    /* What it can write; all NULL for text, which reports print.  A comparison is written as a
       table where there is no function for it.  */
    void (*write_table)(const struct table *table, struct out *out);
    void (*write_snapshot)(const struct snapshot *snapshot, struct out *out);
    void (*write_comparison)(const struct comparison *comparison, struct out *out);
    const struct exporter *exporter; /* or the same for what needs memory; or NULL */
    unsigned traits;                 /* of snapshots */
};

/* Whether FORMAT, which may be NULL, writes snapshots.  */
bool export_has_snapshot(const struct export_format *format);

/* The format called NAME, or NULL.  */
const struct export_format *export_format_find(const char *name);

/* All names, and those of formats that can show each profile by itself; they fill NAMES.  */
const char *export_format_names(struct name_list *names);

void export_tsv(const struct table *table, struct out *out);
void export_csv(const struct table *table, struct out *out);
void export_markdown(const struct table *table, struct out *out);
void export_benchmark(const struct table *table, struct out *out);
void export_json(const struct snapshot *snapshot, struct out *out);
void export_html(const struct snapshot *snapshot, struct out *out);
void export_html_comparison(const struct comparison *comparison, struct out *out);
void export_json_comparison(const struct comparison *comparison, struct out *out);
extern const struct exporter exporter_callgrind, exporter_dot, exporter_folded, exporter_pprof,
    exporter_speedscope;

/* ---- For exporters ---- */

/* A finite number as machines read it: a decimal that reads back as the same double; nothing for
   others.  */
void export_number(struct out *out, double number);

/* A cell as machines read it, without quotes; nothing for an empty one.  */
void export_cell(struct out *out, const struct table_column *column, const struct cell *cell);

/* What formats say of stacks that are estimated, and that were recorded.  */
#define EXPORT_ESTIMATED "estimated from call counts"
#define EXPORT_RECORDED "sampled stacks"
const char *export_origin(const struct stack_tree *tree);

/* What a node of TREE is called that is no function: `[cycle 2]', `[others]', `[libc.so.6]'.  TEXT
   has STACK_NAME_SIZE bytes; the result is in it or owned by the tree.  */
enum { STACK_NAME_SIZE = 24 };
const char *export_stack_name(const struct stack_tree *tree, const struct stack_node *node,
                              char *text);

#endif
