/* protobuf.c - reads messages of protocol buffers, field by field.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/protobuf.h"

bool protobuf_number(struct message *message, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && message->at < message->end; shift += 7) {
        unsigned char byte = *message->at++;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

/* Steps over SIZE bytes, which BYTES gets.  False if there are not so many.  */
static bool take(struct message *message, uint64_t size, struct message *bytes)
{
    if (size > (uint64_t)(message->end - message->at))
        return false;
    *bytes = (struct message){message->at, message->at + size};
    message->at += size;
    return true;
}

bool protobuf_field(struct message *message, struct field *field)
{
    uint64_t key, size;
    if (!protobuf_number(message, &key) || key >> 3 == 0 || key >> 3 > 1 << 29)
        return false;
    *field = (struct field){.number = (unsigned)(key >> 3), .type = (enum wire_type)(key & 7)};
    switch (field->type) {
    case WIRE_VARINT:
        return protobuf_number(message, &field->value);
    case WIRE_FIXED64:
        return take(message, 8, &field->bytes);
    case WIRE_FIXED32:
        return take(message, 4, &field->bytes);
    case WIRE_BYTES:
        return protobuf_number(message, &size) && take(message, size, &field->bytes);
    }
    return false;
}
