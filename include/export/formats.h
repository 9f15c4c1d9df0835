/* formats.h - the formats that --format names, and what each can show.

   An exporter is a file in src/export, a row in formats.c, a test with a real reader, and an entry
   in the manual.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_FORMATS_H
#define REGPROF_EXPORT_FORMATS_H

#include "base/out.h"
#include "model/snapshot.h"
#include "model/table.h"

struct export_format {
    const char *name;
    bool is_for_people; /* several tables can follow each other */
    bool is_page;       /* a snapshot has short names and messages, too */
    /* What it can write; both NULL for text, which reports print.  */
    void (*write_table)(const struct table *table, struct out *out);
    void (*write_snapshot)(const struct snapshot *snapshot, struct out *out);
};

/* The format called NAME, or NULL.  */
const struct export_format *export_format_find(const char *name);

/* All names, separated by blanks.  */
const char *export_format_names(void);

void export_tsv(const struct table *table, struct out *out);
void export_csv(const struct table *table, struct out *out);
void export_markdown(const struct table *table, struct out *out);
void export_json(const struct snapshot *snapshot, struct out *out);
void export_html(const struct snapshot *snapshot, struct out *out);

/* ---- For exporters ---- */

/* A finite number as machines read it: a decimal that reads back as the same double; nothing for
   others.  */
void export_number(struct out *out, double number);

/* A cell as machines read it, without quotes; nothing for an empty one.  */
void export_cell(struct out *out, const struct table_column *column, const struct cell *cell);

#endif
