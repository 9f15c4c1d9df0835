/* protobuf.h - writes messages of Protocol Buffers, field by field.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_PROTOBUF_H
#define REGPROF_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* A message under construction.  Zeroed = empty.  */
struct protobuf {
    unsigned char *bytes;
    size_t size, capacity;
};

/* Each appends a field with the number FIELD.  */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t number);
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size);
void protobuf_text(struct protobuf *message, unsigned field, const char *text);
void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *part);

/* Appends a number of a packed field.  */
void protobuf_packed(struct protobuf *numbers, uint64_t number);

void protobuf_free(struct protobuf *message);

#endif
