/* protobuf.c - writes messages of Protocol Buffers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { VARINT = 0, LENGTH_DELIMITED = 2, LONGEST_VARINT = 10 };

static unsigned char *extend(struct protobuf *message, size_t size)
{
    message->bytes = mem_grow(message->bytes, &message->capacity, message->size + size, 1);
    return message->bytes + message->size;
}

void protobuf_packed(struct protobuf *numbers, uint64_t number)
{
    unsigned char *to = extend(numbers, LONGEST_VARINT);
    for (; number >= 0x80; number >>= 7) {
        *to++ = (unsigned char)(0x80 | (number & 0x7F));
        numbers->size++;
    }
    *to = (unsigned char)number;
    numbers->size++;
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t number)
{
    protobuf_packed(message, field << 3 | VARINT);
    protobuf_packed(message, number);
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size)
{
    protobuf_packed(message, field << 3 | LENGTH_DELIMITED);
    protobuf_packed(message, size);
    memcpy(extend(message, size + 1), bytes, size);
    message->size += size;
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
    protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *part)
{
    protobuf_packed(message, field << 3 | LENGTH_DELIMITED);
    protobuf_packed(message, part->size);
    if (part->size > 0)
        memcpy(extend(message, part->size), part->bytes, part->size);
    message->size += part->size;
}

void protobuf_free(struct protobuf *message)
{
    free(message->bytes);
    *message = (struct protobuf){0};
}
