/* protobuf.h - reads messages of protocol buffers, field by field.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_PROTOBUF_H
#define REGPROF_FOREIGN_PROTOBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile_proto.h"

/* The rest of a message.  */
struct message {
    const unsigned char *at, *end;
};

struct field {
    unsigned number;
    enum wire_type type;
    uint64_t value;       /* of a number */
    struct message bytes; /* of WIRE_BYTES */
};

/* Reads a number of 7 bits a byte, the lowest first.  False if it is damaged.  */
bool protobuf_number(struct message *message, uint64_t *value);

/* Reads the next field; false if it is damaged.  */
bool protobuf_field(struct message *message, struct field *field);

#endif
