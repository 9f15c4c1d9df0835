/* json_members.h - members of a document in JSON, and the place of one that is missing or wrong.

   Only for programs that are built with libjansson.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_JSON_MEMBERS_H
#define REGPROF_INPUT_JSON_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* The place in the document, for messages, and whether all values so far were right.  */
struct json_reader {
    const char *path; /* of the file */
    const char *list; /* "functions"; NULL outside of lists */
    size_t index;     /* in the list */
    bool ok;
    struct arena *arena; /* for copies; NULL: none are made */
};

/* The document of SIZE bytes in a file at PATH that has STORED bytes on disk.  NULL after a
   message: it is not JSON, or needs too much memory for so small a file.  Free with json_decref. */
json_t *json_document(const char *bytes, size_t size, uint64_t stored, const char *path);

/* Says that member NAME at this place is missing or wrong, unless something was wrong before.  */
void json_refuse(struct json_reader *reader, const char *name);

/* Member NAME of OBJECT if it is of TYPE; else NULL, and refused.  */
json_t *json_member(struct json_reader *reader, const json_t *object, const char *name,
                    json_type type);

/* The member NAME, a whole number of at most MOST; others are refused.  */
uint64_t json_member_count(struct json_reader *reader, const json_t *object, const char *name,
                           uint64_t most);

/* The member NAME, a number, or NaN for null; others are refused.  */
double json_member_number(struct json_reader *reader, const json_t *object, const char *name);

/* The list NAME, which becomes the place for messages; *COUNT is the number of its items.  */
json_t *json_member_list(struct json_reader *reader, const json_t *object, const char *name,
                         size_t *count);

#endif
