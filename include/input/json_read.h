/* json_read.h - reads back what --format=json wrote.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_JSON_READ_H
#define REGPROF_INPUT_JSON_READ_H

#include "base/memory.h"
#include "model/snapshot.h"

/* A snapshot and the memory that it needs.  */
struct read_snapshot {
    struct snapshot snapshot; /* valid while this struct stays where it is */
    const char **options;
    struct snapshot_input *inputs;
    struct snapshot_function *functions;
    struct snapshot_idle *idle;
    struct snapshot_arc *arcs;
    struct snapshot_cycle *cycles;
    struct arena arena; /* owns the texts and the members of cycles */
};

/* Reads the file at PATH ("-" is standard input; gzip is decompressed).  False after a message if
   it cannot be read, is not a profile in JSON, or contradicts itself; or if this program was built
   without libjansson.  Free in any case.  */
bool json_read(struct read_snapshot *read, const char *path);

/* Reads a profile in JSON from SIZE bytes, which messages call NAME.  False after a message, for
   the reasons of json_read.  */
bool json_read_bytes(struct read_snapshot *read, const char *bytes, size_t size, const char *name);

void json_read_free(struct read_snapshot *read);

#endif
