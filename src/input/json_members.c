/* json_members.c - members of a document in JSON, by libjansson.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/message.h"
#include "base/messages.h"

#ifdef HAVE_JANSSON

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "input/json_members.h"

/* ---- Memory ----

   A document of a few bytes, `[],[],[],...', takes a hundred times as much memory.  Those that are
   read take it in proportion to what the file has on disk.  */

static struct memory {
    size_t used, most;
    bool is_full; /* more was asked for */
} memory;

/* What stands before each block: its size, in a space that keeps what follows aligned.  */
union head {
    size_t size;
    max_align_t alignment;
};

static void *allocate(size_t wanted)
{
    const size_t kept = 16; /* by malloc, for itself */
    size_t size = wanted + sizeof(union head) + kept;
    memory.is_full = memory.is_full || size > memory.most - memory.used;
    union head *head = memory.is_full ? NULL : malloc(sizeof *head + wanted);
    if (head == NULL)
        return NULL;
    head->size = size;
    memory.used += size;
    return head + 1;
}

static void give_back(void *block)
{
    if (block == NULL)
        return;
    union head *head = (union head *)block - 1;
    memory.used -= head->size;
    free(head);
}

json_t *json_document(const char *bytes, size_t size, uint64_t stored, const char *path)
{
    enum { FREE = 250000000, PER_BYTE = 200 };
    json_error_t error;
    json_set_alloc_funcs(allocate, give_back);
    memory.is_full = false;
    memory.most = memory.used + FREE + PER_BYTE * (size_t)stored;
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && memory.is_full)
        problem(MSG_JSON_LARGE, path);
    else if (root == NULL)
        problem(MSG_BAD_JSON, path, error.line, error.text);
    return root;
}

/* ---- Members ---- */

void json_refuse(struct json_reader *reader, const char *name)
{
    if (reader->ok && reader->list != NULL)
        problem(MSG_JSON_ITEM, reader->path, reader->list, reader->index, name);
    else if (reader->ok)
        problem(MSG_JSON_MEMBER, reader->path, name);
    reader->ok = false;
}

json_t *json_member(struct json_reader *reader, const json_t *object, const char *name,
                    json_type type)
{
    json_t *value = json_object_get(object, name);
    if (value != NULL && json_typeof(value) == type)
        return value;
    json_refuse(reader, name);
    return NULL;
}

uint64_t json_member_count(struct json_reader *reader, const json_t *object, const char *name,
                           uint64_t most)
{
    json_t *value = json_member(reader, object, name, JSON_INTEGER);
    json_int_t number = json_integer_value(value);
    if (value != NULL && (number < 0 || (uint64_t)number > most))
        json_refuse(reader, name);
    return number < 0 ? 0 : (uint64_t)number;
}

double json_member_number(struct json_reader *reader, const json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (value == NULL || !(json_is_number(value) || json_is_null(value)))
        json_refuse(reader, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

json_t *json_member_list(struct json_reader *reader, const json_t *object, const char *name,
                         size_t *count)
{
    json_t *list = json_member(reader, object, name, JSON_ARRAY);
    *count = list != NULL ? json_array_size(list) : 0;
    if (*count >= UINT32_MAX)
        json_refuse(reader, name);
    reader->list = list != NULL ? name : NULL;
    return list;
}

#endif
