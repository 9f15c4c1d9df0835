/* formats.h - the formats that --format names, and what each can show.

   An exporter is a file in src/export, a row in formats.c, a test with a real reader, and an entry
   in the manual.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_FORMATS_H
#define REGPROF_EXPORT_FORMATS_H

#include "base/message.h"
#include "export/exporters.h"

/* What a format of snapshots needs or can show.  The first are those that rules for options are
   about (GROUP_OF_FORMAT).  */
enum {
    EXPORT_SHOWN = 1,    /* unique names; --names, --focus and --hide */
    EXPORT_STACKS = 2,   /* estimated stacks, or lines */
    EXPORT_SHARES = 4,   /* --min-share */
    EXPORT_LINES = 8,    /* with -l: lines of functions, not lines instead of functions */
    EXPORT_INPUTS = 16,  /* --per-file: the stacks of each profile */
    EXPORT_FIGURES = 32, /* a table only with a time */
    EXPORT_CODE = 64,    /* --code */
    EXPORT_ORDER = 128,  /* functions of the image in an order for linkers */
    EXPORT_BOUNDS = 256, /* least and most */
    EXPORT_BINARY = 512,
    EXPORT_IDLE = 1024,          /* functions without time and calls */
    EXPORT_ORDERED_CALLS = 2048, /* an order that follows calls */
    EXPORT_THREADS = 4096,       /* the stacks of each thread */
    EXPORT_WHOLE = 8192,         /* stacks also where they are rare */
    EXPORT_SIGNED = 16384        /* negative numbers */
};

struct export_format {
    const char *name;
    const char *suffixes[4]; /* of files that have it unless another format is named; NULL: none */
    bool is_for_people;      /* several tables can follow each other */
    bool is_page;            /* a snapshot has short names and messages, too */
    /* What the format can write; all NULL for text, which reports print.  Without write_comparison,
       a comparison is written as a table.  */
    void (*write_table)(const struct table *table, struct out *out);
    void (*write_snapshot)(const struct snapshot *snapshot, struct out *out);
    void (*write_comparison)(const struct comparison *comparison, struct out *out);
    const struct exporter *exporter; /* in place of write_snapshot, with memory; or NULL */
    unsigned traits;                 /* of snapshots */
};

/* Whether FORMAT, which may be NULL, writes snapshots.  */
bool export_has_snapshot(const struct export_format *format);

/* The format called NAME, or NULL.  */
const struct export_format *export_format_find(const char *name);

/* The format that the end of PATH names: `.html', `.csv'; or NULL.  */
const struct export_format *export_format_of_path(const char *path);

/* Whether the end of PATH names a kind of picture or document, which no format is.  */
bool export_is_picture(const char *path);

/* Whether the end of PATH names a compression: `.gz'.  */
bool export_is_packed(const char *path);

/* Fills NAMES with all names; returns their text.  */
const char *export_format_names(struct name_list *names);

#endif
