/* json_profile.c - recognises and reads documents in JSON that are profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "foreign/json_profile.h"

#include <string.h>

#include "base/message.h"
#include "base/messages.h"

/* ---- The start of a document ---- */

enum { DEEPEST = 4 }; /* members that are searched for */

/* The names of the members that hold a place in a document.  */
struct place {
    struct name {
        const char *text;
        size_t size; /* 0: of a list */
    } names[DEEPEST];
    size_t depth; /* may be larger than DEEPEST */
};

static bool is_at(const struct place *place, const char *path)
{
    if (place->depth > DEEPEST)
        return false;
    for (size_t i = 0; i < place->depth; i++) {
        const struct name *name = &place->names[i];
        if (*path++ != '/' || strlen(path) < name->size ||
            memcmp(path, name->text, name->size) != 0)
            return false;
        path += name->size;
    }
    return *path == '\0';
}

/* The quote that ends the text behind START; END if there is none.  */
static const char *end_of_text(const char *start, const char *end)
{
    const char *at = start;
    while (at < end && *at != '"')
        at += *at == '\\' ? 2 : 1;
    return at < end ? at : end;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) != NULL)
        at++;
    return at;
}

/* Steps over the text at AT, and enters its name in PLACE.  Sets *IS_NAME if it is one.  */
static const char *take_text(const char *at, const char *end, struct place *place, bool *is_name)
{
    const char *close = end_of_text(at + 1, end);
    const char *next = skip_blanks(close + (close < end), end);
    *is_name = next < end && *next == ':' && place->depth > 0;
    if (*is_name && place->depth <= DEEPEST)
        place->names[place->depth - 1] = (struct name){at + 1, (size_t)(close - at) - 1};
    return next;
}

bool json_start_has(const char *bytes, size_t size, const char *path)
{
    const char *end = bytes + size, *at = skip_blanks(bytes, end);
    struct place place = {.depth = 0};
    bool is_name;
    if (at == end || *at != '{')
        return false;
    while (at < end)
        if (*at == '"') {
            at = take_text(at, end, &place, &is_name);
            if (is_name && is_at(&place, path))
                return true;
        } else {
            if (*at == '{' || *at == '[') {
                if (place.depth < DEEPEST)
                    place.names[place.depth] = (struct name){"", 0};
                place.depth++;
            } else if ((*at == '}' || *at == ']') && place.depth > 0) {
                place.depth--;
            }
            at++;
        }
    return false;
}

/* ---- The whole ---- */

#ifndef HAVE_JANSSON

bool json_profile_read(struct foreign_reader *reader,
                       void (*read)(struct foreign_reader *reader, struct json_reader *json,
                                    const struct json_t *root))
{
    (void)read;
    return problem(MSG_NO_JSON, reader->stream->path);
}

#else

#include <math.h>
#include <stdio.h>

#include "input/json_members.h"

bool json_profile_read(struct foreign_reader *reader,
                       void (*read)(struct foreign_reader *reader, struct json_reader *json,
                                    const struct json_t *root))
{
    const struct stream *stream = reader->stream;
    if (!stream_read_all(reader->stream))
        return false;
    json_t *root = json_document(stream->bytes + stream->start, stream->end - stream->start,
                                 stream->size, stream->path);
    if (root == NULL)
        return false;
    struct json_reader json = {.path = stream->path, .ok = true};
    read(reader, &json, root);
    json_decref(root);
    return json.ok && foreign_has_room(reader);
}

static bool is_unknown(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return value == NULL || json_is_null(value);
}

const char *json_known_text(struct json_reader *json, const json_t *object, const char *name)
{
    if (is_unknown(object, name))
        return NULL;
    const char *text = json_string_value(json_member(json, object, name, JSON_STRING));
    return text != NULL && *text != '\0' ? text : NULL;
}

uint32_t json_known_line(struct json_reader *json, const json_t *object, const char *name,
                         int first)
{
    if (is_unknown(object, name))
        return 0;
    double line = json_member_number(json, object, name) - first + 1;
    return line >= 1 && line <= INT32_MAX ? (uint32_t)line : 0;
}

double json_real_member(struct json_reader *json, const json_t *object, const char *name)
{
    double number = json_member_number(json, object, name);
    if (isnan(number))
        json_refuse(json, name);
    return number;
}

void json_refuse_item(struct json_reader *json, const char *name, size_t i)
{
    char item[80];
    snprintf(item, sizeof item, "%.40s[%zu]", name, i);
    json_refuse(json, item);
}

double json_number_at(struct json_reader *json, const json_t *list, size_t i, const char *name)
{
    const json_t *number = json_array_get(list, i);
    if (json_is_number(number))
        return json_number_value(number);
    json_refuse_item(json, name, i);
    return NAN;
}

#endif
