/* json_read.h - reads back what --format=json wrote.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_JSON_READ_H
#define REGPROF_INPUT_JSON_READ_H

#include "model/snapshot.h"

/* Reads the file at PATH ("-" is standard input; gzip is decompressed).  False after a message if
   it cannot be read, is not a profile in JSON, or contradicts itself; or if this program was built
   without libjansson.  Free READ with snapshot_free in any case.  */
bool json_read(struct snapshot *read, const char *path);

/* Reads a profile in JSON from SIZE bytes, of a file of STORED bytes that messages call NAME. False
   after a message, for the reasons of json_read.  */
bool json_read_bytes(struct snapshot *read, const char *bytes, size_t size, uint64_t stored,
                     const char *name);

#endif
