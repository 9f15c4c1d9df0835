/* json.h - a profile and a comparison as JSON.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_JSON_H
#define REGPROF_EXPORT_JSON_H

#include "base/out.h"
#include "model/comparison.h"
#include "model/snapshot.h"

/* The fields of struct snapshot_function before the runs; its address, by which the page tells
   functions apart also where it is invented; of struct snapshot: path, build id and architecture of
   the image.  */
extern const struct json_field json_function_fields[], json_address_field[], json_image_fields[];

/* The fields of struct snapshot_function after its times, and of arcs.  Calls are null where
   SNAPSHOT says that they were not counted.  */
const struct json_field *json_function_times(const struct snapshot *snapshot);
const struct json_field *json_arc_fields(const struct snapshot *snapshot);
/* The fields of `arc_times'.  */
extern const struct json_field json_arc_times[];

/* Write the members before the functions, from `"tool":' to the inputs; the cycles.  */
void json_write_head(struct out *out, const struct snapshot *snapshot);
void json_write_cycles(struct out *out, const struct snapshot *snapshot);

/* Writes the code of functions, if there is some.  */
void json_write_code(struct out *out, const struct snapshot *snapshot);

/* The object that --format=json writes of a comparison.  */
void json_write_comparison(struct out *out, const struct comparison *comparison);

/* The member NAME, a list of COUNT values, each written by WRITE, one per line.  */
void json_write_list(struct out *out, const struct snapshot *snapshot, const char *name,
                     size_t count,
                     void (*write)(struct out *out, const struct snapshot *snapshot, size_t i));

#endif
