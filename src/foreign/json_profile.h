/* json_profile.h - what readers of profiles in JSON share.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_JSON_PROFILE_H
#define REGPROF_FOREIGN_JSON_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foreign/formats.h"

struct json_reader;
struct json_t;

/* Whether the document in JSON that begins with the SIZE bytes at BYTES has a member at PATH there:
   its name behind those of the members that it is in, each behind a slash, of which lists have no
   names.  "/nodes//callFrame": of an object in the list "nodes".  */
bool json_start_has(const char *bytes, size_t size, const char *path);

/* Reads a document to its end, and its samples by READ.  False after a message.  */
bool json_profile_read(struct foreign_reader *reader,
                       void (*read)(struct foreign_reader *reader, struct json_reader *json,
                                    const struct json_t *root));

/* The member NAME, a text; NULL if it is missing, null or empty.  Others are refused.  */
const char *json_known_text(struct json_reader *json, const struct json_t *object,
                            const char *name);

/* The member NAME, a line, of which the first has number FIRST; 0 if it is missing, null, or not a
   line of a file.  Others are refused.  */
uint32_t json_known_line(struct json_reader *json, const struct json_t *object, const char *name,
                         int first);

/* The member NAME, a number; others are refused.  */
double json_real_member(struct json_reader *json, const struct json_t *object, const char *name);

/* Item I of LIST, a number.  NaN for others, and NAME[I] is refused.  */
double json_number_at(struct json_reader *json, const struct json_t *list, size_t i,
                      const char *name);

/* Refuses item I of the list NAME.  */
void json_refuse_item(struct json_reader *json, const char *name, size_t i);

#endif
