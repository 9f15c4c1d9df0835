/* compress.c - recognises, decompresses and writes compressed files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/compress.h"

#include <limits.h>
#include <string.h>
#define ZLIB_CONST /* next_in is const */
#include <zlib.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* ---- Signatures ---- */

enum { SIGNATURE_SIZE = 6 }; /* bytes, at most */

/* The bytes that a file begins with.  */
static const struct signature {
    enum compression compression;
    size_t size;
    unsigned char bytes[SIGNATURE_SIZE];
} signatures[] = {
    {COMPRESSION_GZIP, 2, {0x1F, 0x8B}},
    {COMPRESSION_ZSTD, 4, {0x28, 0xB5, 0x2F, 0xFD}},
    {COMPRESSION_XZ, 6, {0xFD, '7', 'z', 'X', 'Z', 0}},
};

/* The size of the blocks, a digit, follows `BZh'; then the first block begins, or the end.  */
static bool is_bzip2(const unsigned char *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes, "BZh", 3) == 0 && bytes[3] >= '1' && bytes[3] <= '9' &&
           ((bytes[4] == 0x31 && bytes[5] == 0x41) || (bytes[4] == 0x17 && bytes[5] == 0x72));
}

enum compression compression_of(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < ARRAY_LENGTH(signatures); i++) {
        const struct signature *s = &signatures[i];
        if (size >= s->size && memcmp(bytes, s->bytes, s->size) == 0)
            return s->compression;
    }
    return is_bzip2(bytes, size) ? COMPRESSION_BZIP2 : COMPRESSION_NONE;
}

/* ---- Decompression ---- */

enum status {
    DECOMPRESSED,
    INCOMPLETE, /* the file ends too soon */
    DAMAGED,
    TOO_LARGE,
    WINDOW_TOO_LARGE, /* the file needs too much memory while it is decompressed */
    NO_MEMORY
};

struct packed {
    const unsigned char *bytes;
    size_t size, used;
};

/* Whether decompressed data is so large, in itself and in proportion, that only a crafted file can
   explain it.  (An empty histogram, which is compressed to a thousandth, is not large in
   itself.)  */
static bool is_too_large(size_t size, size_t packed_size)
{
    const size_t harmless = (size_t)256 * 1024 * 1024, max_ratio = 200;
    return size > harmless && size / max_ratio > packed_size;
}

/* Makes room for more bytes in OUTPUT.  */
static void extend(struct decompressed *output)
{
    enum { MORE = 256 * 1024 }; /* bytes */
    output->memory = mem_grow(output->memory, &output->capacity, output->size + MORE, 1);
}

enum { GZIP_WINDOW = 15 + 16 }; /* the largest window, in a gzip wrapper */

static unsigned clamp_to_unsigned(size_t size)
{
    return size > UINT_MAX ? UINT_MAX : (unsigned)size;
}

static bool is_at_member(const struct packed *packed)
{
    return compression_of(packed->bytes + packed->used, packed->size - packed->used) ==
           COMPRESSION_GZIP;
}

/* Bytes behind the last member are ignored, as gzip does.  */
static enum status inflate_all(struct decompressed *output, struct packed *packed, z_stream *z)
{
    int status = Z_OK;
    while (status == Z_OK || (status == Z_STREAM_END && is_at_member(packed))) {
        if (status == Z_STREAM_END && inflateReset(z) != Z_OK)
            return DAMAGED;
        extend(output);
        z->next_in = packed->bytes + packed->used;
        z->avail_in = clamp_to_unsigned(packed->size - packed->used);
        z->next_out = output->memory + output->size;
        z->avail_out = clamp_to_unsigned(output->capacity - output->size);
        status = inflate(z, Z_NO_FLUSH);
        packed->used = (size_t)(z->next_in - packed->bytes);
        output->size = (size_t)(z->next_out - output->memory);
        if (is_too_large(output->size, packed->size))
            return TOO_LARGE;
    }
    return status == Z_STREAM_END  ? DECOMPRESSED
           : status == Z_BUF_ERROR ? INCOMPLETE
           : status == Z_MEM_ERROR ? NO_MEMORY
                                   : DAMAGED;
}

static enum status decompress_gzip(struct decompressed *output, struct packed *packed)
{
    z_stream z = {0};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return NO_MEMORY;
    enum status status = inflate_all(output, packed, &z);
    inflateEnd(&z);
    return status;
}

#ifdef HAVE_ZSTD
static enum status zstd_failure(size_t code)
{
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
        return NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return WINDOW_TOO_LARGE;
    default:
        return DAMAGED;
    }
}

static enum status decompress_frames(struct decompressed *output, struct packed *packed,
                                     ZSTD_DStream *stream)
{
    ZSTD_inBuffer in = {packed->bytes, packed->size, 0};
    for (;;) {
        extend(output);
        ZSTD_outBuffer out = {output->memory, output->capacity, output->size};
        size_t left = ZSTD_decompressStream(stream, &out, &in); /* of the frame; or an error */
        if (ZSTD_isError(left))
            return zstd_failure(left);
        output->size = out.pos;
        if (is_too_large(output->size, packed->size))
            return TOO_LARGE;
        if (in.pos == in.size && left == 0)
            return DECOMPRESSED;
        if (in.pos == in.size && out.pos < out.size)
            return INCOMPLETE;
    }
}

static enum status decompress_zstd(struct decompressed *output, struct packed *packed)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (stream == NULL)
        return NO_MEMORY;
    enum status status = decompress_frames(output, packed, stream);
    ZSTD_freeDStream(stream);
    return status;
}
#endif

#ifdef HAVE_LZMA
static enum status decode_xz(struct decompressed *output, const struct packed *packed,
                             lzma_stream *stream)
{
    lzma_ret status = LZMA_OK;
    stream->next_in = packed->bytes;
    stream->avail_in = packed->size;
    while (status == LZMA_OK) {
        extend(output);
        stream->next_out = output->memory + output->size;
        stream->avail_out = output->capacity - output->size;
        status = lzma_code(stream, LZMA_RUN);
        output->size = output->capacity - stream->avail_out;
        if (is_too_large(output->size, packed->size))
            return TOO_LARGE;
    }
    return status == LZMA_STREAM_END       ? DECOMPRESSED
           : status == LZMA_MEM_ERROR      ? NO_MEMORY
           : status == LZMA_MEMLIMIT_ERROR ? WINDOW_TOO_LARGE
                                           : DAMAGED;
}

static enum status decompress_xz(struct decompressed *output, const struct packed *packed)
{
    const uint64_t most_memory = (uint64_t)128 << 20; /* xz -9 needs half */
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, most_memory, 0) != LZMA_OK)
        return NO_MEMORY;
    enum status status = decode_xz(output, packed, &stream);
    lzma_end(&stream);
    return status;
}
#endif

/* ---- The beginning of a file ---- */

static size_t start_of_gzip(const unsigned char *packed, size_t size, unsigned char *start,
                            size_t capacity)
{
    z_stream z = {.next_in = packed,
                  .avail_in = clamp_to_unsigned(size),
                  .next_out = start,
                  .avail_out = clamp_to_unsigned(capacity)};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return 0;
    inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return (size_t)(z.next_out - start);
}

#ifdef HAVE_ZSTD
static size_t start_of_zstd(const unsigned char *packed, size_t size, unsigned char *start,
                            size_t capacity)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed, size, 0};
    ZSTD_outBuffer out = {start, capacity, 0};
    size_t left = stream != NULL;
    while (left != 0 && !ZSTD_isError(left) && in.pos < in.size && out.pos < out.size)
        left = ZSTD_decompressStream(stream, &out, &in);
    ZSTD_freeDStream(stream);
    return out.pos;
}
#endif

size_t decompress_start(enum compression compression, const unsigned char *packed, size_t size,
                        unsigned char *start, size_t capacity)
{
    if (compression == COMPRESSION_GZIP)
        return start_of_gzip(packed, size, start, capacity);
#ifdef HAVE_ZSTD
    if (compression == COMPRESSION_ZSTD)
        return start_of_zstd(packed, size, start, capacity);
#endif
    return 0;
}

/* ---- The interface ---- */

/* SIZE has the number of bytes that were decompressed.  */
static bool report(enum status status, const char *path, const size_t *size, size_t packed_size)
{
    switch (status) {
    case INCOMPLETE:
        return problem(MSG_COMPRESSED_SHORT, path);
    case DAMAGED:
        return problem(MSG_COMPRESSED_DAMAGED, path);
    case TOO_LARGE:
        return problem(MSG_COMPRESSED_LARGE, path, *size, packed_size);
    case WINDOW_TOO_LARGE:
        return problem(MSG_COMPRESSED_WINDOW, path);
    case NO_MEMORY:
        die(MSG_NO_MEMORY_IN, path, _(READING_ALL));
    case DECOMPRESSED:
        break;
    }
    return true;
}

bool compression_is_read(enum compression compression, const char *path)
{
    static const char *const programs[] = {"", "gzip", "zstd", "xz", "bzip2"}; /* by compression */
    bool is_read = compression <= COMPRESSION_GZIP;
#ifdef HAVE_ZSTD
    is_read |= compression == COMPRESSION_ZSTD;
#endif
    return is_read || problem(MSG_COMPRESSION, path, programs[compression], programs[compression]);
}

bool decompress(struct decompressed *output, enum compression compression,
                const unsigned char *bytes, size_t size, const char *path)
{
    struct packed packed = {bytes, size, 0};
    output->size = 0;
    if (compression == COMPRESSION_GZIP)
        return report(decompress_gzip(output, &packed), path, &output->size, size);
#ifdef HAVE_ZSTD
    if (compression == COMPRESSION_ZSTD)
        return report(decompress_zstd(output, &packed), path, &output->size, size);
#endif
    return compression_is_read(compression, path);
}

#ifdef HAVE_LZMA
bool xz_unpack(struct decompressed *output, const unsigned char *packed, size_t size,
               const char *path)
{
    output->size = 0;
    enum status status = decompress_xz(output, &(struct packed){packed, size, 0});
    if (status == NO_MEMORY)
        die(MSG_NO_MEMORY_IN, path, _(READING_SYMBOLS));
    return status == DECOMPRESSED;
}
#endif

/* ---- Compression ---- */

enum { MEMORY_LEVEL = 8, PIECE = 65536 };

struct compressed {
    unsigned char *bytes;
    size_t size, capacity;
};

/* Compresses what the stream has; FLUSH is Z_NO_FLUSH or, at the end, Z_FINISH.  */
static void pack_input(z_stream *z, struct compressed *packed, int flush)
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
    struct compressed packed = {0};
    z_stream z = {0};
    if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        die(MSG_NO_MEMORY, (size_t)1, state_size);
    z.next_in = bytes;
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
