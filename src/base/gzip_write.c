/* gzip_write.c - compresses bytes with zlib, quickly rather than small.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/gzip_write.h"

#include <limits.h>
#include <stdint.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, PIECE = 65536 };

struct packed {
    unsigned char *bytes;
    size_t size, capacity;
};

/* Compresses what the stream has; FLUSH is Z_NO_FLUSH or, at the end, Z_FINISH.  */
static void pack_input(z_stream *z, struct packed *packed, int flush)
{
    do {
        packed->bytes = mem_grow(packed->bytes, &packed->capacity, packed->size + PIECE, 1);
        z->next_out = packed->bytes + packed->size;
        z->avail_out = PIECE;
        if (deflate(z, flush) == Z_STREAM_ERROR)
            bug("zlib refuses to compress");
        packed->size += PIECE - z->avail_out;
    } while (z->avail_out == 0);
}

void *gzip_pack(const void *bytes, size_t size, size_t *packed_size)
{
    const size_t state_size = (size_t)1 << 18;
    struct packed packed = {0};
    z_stream z = {0};
    if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        die(MSG_NO_MEMORY, (size_t)1, state_size);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    for (; size > UINT_MAX; size -= UINT_MAX) {
        z.avail_in = UINT_MAX;
        pack_input(&z, &packed, Z_NO_FLUSH);
    }
    z.avail_in = (uInt)size;
    pack_input(&z, &packed, Z_FINISH);
    deflateEnd(&z);
    *packed_size = packed.size;
    return packed.bytes;
}
