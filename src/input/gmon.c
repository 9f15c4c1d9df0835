/* gmon.c - reads and writes profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/gmon.h"

/* ---- The reader ---- */

/* A file, and the offset up to which it has been read.  */
struct reader {
    const struct gmon_bytes *file;
    const struct gmon_layout *layout;
    const struct gmon_visitor *visitor;
    struct file_info *info;
    size_t at;
};

/* Prints a message about the file of R, unless it has no path.  False.  */
#define bad_file(r, ...) ((r)->file->path != NULL && problem(__VA_ARGS__))

/* ---- Bytes and numbers ---- */

static size_t left(const struct reader *r)
{
    return r->file->size - r->at;
}

/* Returns the next SIZE bytes and moves behind them.  NULL after a message, with the name WHAT of
   the piece of the file, if fewer are left.  */
static const unsigned char *next_bytes(struct reader *r, uint64_t size, const char *what)
{
    if (size > left(r)) {
        (void)bad_file(r, MSG_UNEXPECTED_END, r->file->path, _(what), r->at,
                       (unsigned long long)size, left(r));
        return NULL;
    }
    const unsigned char *p = r->file->bytes + r->at;
    r->at += (size_t)size;
    return p;
}

static uint32_t u32_at(const unsigned char *p, bool is_big)
{
    return is_big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                  : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* The number of SIZE bytes, 4 or 8, at P.  Without a loop, because reading spends most of its time
   here.  */
static uint64_t number_at(const struct reader *r, const unsigned char *p, unsigned size)
{
    bool is_big = r->layout->is_big_endian;
    uint64_t first = u32_at(p, is_big);
    if (size == 4)
        return first;
    uint64_t second = u32_at(p + 4, is_big);
    return is_big ? first << 32 | second : second << 32 | first;
}

static bool read_u32(struct reader *r, uint32_t *value, const char *what)
{
    const unsigned char *p = next_bytes(r, 4, what);
    if (p != NULL)
        *value = (uint32_t)number_at(r, p, 4);
    return p != NULL;
}

static bool read_vma(struct reader *r, vma *value, const char *what)
{
    const unsigned char *p = next_bytes(r, r->layout->pointer_size, what);
    if (p == NULL)
        return false;
    *value = number_at(r, p, r->layout->pointer_size);
    if (r->layout->pointer_size == 4 && r->layout->sign_extends && (*value & 0x80000000u) != 0)
        *value |= 0xFFFFFFFF00000000u;
    return true;
}

/* A count of SIZE bytes.  */
static bool read_count(struct reader *r, uint64_t *value, unsigned size, const char *what)
{
    const unsigned char *p = next_bytes(r, size, what);
    if (p != NULL)
        *value = number_at(r, p, size);
    return p != NULL;
}

/* Moves behind the next NUL-terminated string.  */
static bool skip_string(struct reader *r, const char *what)
{
    const void *nul = memchr(r->file->bytes + r->at, '\0', left(r));
    size_t size =
        nul ? (size_t)((const unsigned char *)nul - (r->file->bytes + r->at)) + 1 : left(r) + 1;
    return next_bytes(r, size, what) != NULL;
}

/* ---- Records of all formats ---- */

static bool check_histogram(const struct reader *r, const struct hist_record *h)
{
    const struct hist_header *header = &h->header;
    if (header->bin_count == 0)
        return bad_file(r, MSG_NO_BINS, r->file->path, h->offset);
    if (header->low >= header->high)
        return bad_file(r, MSG_EMPTY_RANGE, r->file->path, h->offset,
                        (unsigned long long)header->low, (unsigned long long)header->high);
    return true;
}

static bool read_bins(struct reader *r, struct hist_record *h)
{
    if (!check_histogram(r, h))
        return false;
    h->is_big_endian = r->layout->is_big_endian;
    h->bins = next_bytes(r, 2 * (uint64_t)h->header.bin_count, PIECE_HISTOGRAM);
    if (h->bins == NULL)
        return false;
    if (r->info != NULL)
        r->info->histograms++;
    return r->visitor->histogram == NULL || r->visitor->histogram(r->visitor->context, h);
}

static bool read_arc(struct reader *r, unsigned count_size)
{
    static const char what[] = PIECE_ARC;
    size_t size = 2 * (size_t)r->layout->pointer_size + count_size;
    vma from = 0, self = 0;
    uint64_t count = 0;
    if (r->visitor->arc == NULL && r->info == NULL && left(r) >= size) { /* only checking */
        r->at += size;
        return true;
    }
    if (!read_vma(r, &from, what) || !read_vma(r, &self, what) ||
        !read_count(r, &count, count_size, what))
        return false;
    if (r->info != NULL)
        r->info->arcs++;
    return r->visitor->arc == NULL || r->visitor->arc(r->visitor->context, from, self, count);
}

/* ---- The magic format ---- */

enum { TAG_HISTOGRAM = 0, TAG_ARC = 1, TAG_BLOCKS = 2 };

static bool read_magic_histogram(struct reader *r)
{
    struct hist_record h = {.offset = r->at - 1};
    const unsigned char *dimension;
    if (!read_vma(r, &h.header.low, PIECE_HISTOGRAM_HEADER) ||
        !read_vma(r, &h.header.high, PIECE_HISTOGRAM_HEADER) ||
        !read_u32(r, &h.header.bin_count, PIECE_HISTOGRAM_HEADER) ||
        !read_u32(r, &h.header.rate, PIECE_HISTOGRAM_HEADER))
        return false;
    dimension = next_bytes(r, GMON_DIMENSION_SIZE + 1, PIECE_HISTOGRAM_HEADER);
    if (dimension == NULL)
        return false;
    memcpy(h.header.dimension, dimension, GMON_DIMENSION_SIZE);
    h.header.abbreviation = (char)dimension[GMON_DIMENSION_SIZE];
    return read_bins(r, &h);
}

/* Reads a block.  Skips the two strings and the line number that a block of version 0 also has.  */
static bool read_block(struct reader *r, int version, vma *addr, uint64_t *count)
{
    static const char what[] = PIECE_BLOCK;
    unsigned size = r->layout->pointer_size;
    uint32_t line;
    if (version != 0)
        return read_vma(r, addr, what) && read_count(r, count, size, what);
    return read_count(r, count, size, what) && read_vma(r, addr, what) && skip_string(r, what) &&
           skip_string(r, what) && read_u32(r, &line, what);
}

static bool read_blocks(struct reader *r, int version)
{
    uint32_t blocks = 0;
    if (!read_u32(r, &blocks, PIECE_BLOCK_HEADER) ||
        (version == 0 && !skip_string(r, PIECE_BLOCK_HEADER)))
        return false;
    for (uint32_t i = 0; i < blocks; i++) {
        vma addr = 0;
        uint64_t count = 0;
        if (!read_block(r, version, &addr, &count))
            return false;
        if (r->visitor->block != NULL && !r->visitor->block(r->visitor->context, addr, count))
            return false;
    }
    if (r->info != NULL)
        r->info->blocks++;
    return true;
}

static bool read_magic(struct reader *r)
{
    uint32_t version = 0;
    if (next_bytes(r, 4, PIECE_HEADER) == NULL || !read_u32(r, &version, PIECE_HEADER))
        return false;
    if (version > 1)
        return bad_file(r, MSG_BAD_VERSION, r->file->path, (unsigned long)version, (size_t)4);
    const unsigned char *spare = next_bytes(r, GMON_SPARE, PIECE_HEADER);
    if (spare == NULL)
        return false;
    if (r->info != NULL) {
        r->info->version = (int)version;
        r->info->counts_all_threads = memcmp(spare, GMON_EXACT, strlen(GMON_EXACT)) == 0;
    }
    while (left(r) > 0) {
        unsigned tag = r->file->bytes[r->at++];
        bool ok = false;
        switch (tag) {
        case TAG_HISTOGRAM:
            ok = read_magic_histogram(r);
            break;
        case TAG_ARC:
            ok = read_arc(r, 4);
            break;
        case TAG_BLOCKS:
            ok = read_blocks(r, (int)version);
            break;
        default:
            (void)bad_file(r, MSG_BAD_TAG, r->file->path, tag, r->at - 1);
            break;
        }
        if (!ok)
            return false;
    }
    return true;
}

/* ---- BSD formats ---- */

/* Whether the file has the version of GMON_BSD44 after the fields of the GMON_BSD header.  */
static bool is_bsd44(const struct reader *r)
{
    size_t at = gmon_bsd_header_size(r->layout, false);
    return r->file->size >= at + 4 && number_at(r, r->file->bytes + at, 4) == GMON_BSD44_VERSION;
}

static bool read_bsd(struct reader *r)
{
    struct hist_record h = {.header = {.dimension = "seconds", .abbreviation = 's'}};
    bool has_rate = is_bsd44(r);
    size_t header_size = gmon_bsd_header_size(r->layout, has_rate);
    uint32_t bytes = 0;
    if (r->file->size < header_size)
        return bad_file(r, MSG_TOO_SHORT, r->file->path);
    if (r->info != NULL)
        r->info->is_bsd = true;
    if (!read_vma(r, &h.header.low, PIECE_HEADER) || !read_vma(r, &h.header.high, PIECE_HEADER) ||
        !read_u32(r, &bytes, PIECE_HEADER))
        return false;
    h.header.rate = GMON_BSD_RATE;
    if (has_rate &&
        (next_bytes(r, 4, PIECE_HEADER) == NULL || !read_u32(r, &h.header.rate, PIECE_HEADER) ||
         next_bytes(r, GMON_SPARE, PIECE_HEADER) == NULL))
        return false;
    if (h.header.rate == 0)
        h.header.rate = GMON_BSD_RATE;
    if (bytes < header_size || bytes > r->file->size)
        return bad_file(r, MSG_BAD_BSD_SIZE, r->file->path, (unsigned long)bytes, r->file->size,
                        2 * (size_t)r->layout->pointer_size);
    h.header.bin_count = (uint32_t)(bytes - header_size) / 2;
    if (!read_bins(r, &h))
        return false;
    while (left(r) > 0)
        if (!read_arc(r, r->layout->pointer_size))
            return false;
    return true;
}

/* ---- Detection of the format ---- */

static bool has_magic(const struct gmon_bytes *file)
{
    return file->size >= 4 && memcmp(file->bytes, "gmon", 4) == 0;
}

bool gmon_may_be_profile(const unsigned char *start, size_t size)
{
    const struct gmon_bytes file = {"", start, size, false};
    if (size < 4)
        return memcmp(start, "gmon", size) == 0;
    for (int i = 0; i < 4; i++) {
        const struct gmon_layout layout = {.is_big_endian = i % 2 != 0,
                                           .pointer_size = i < 2 ? 4 : 8};
        const struct reader r = {.file = &file, .layout = &layout};
        if (is_bsd44(&r))
            return true;
    }
    return has_magic(&file);
}

bool gmon_is_bsd(const struct gmon_bytes *file, const struct gmon_layout *layout)
{
    enum { MAX_BIN_WIDTH = 1 << 17 }; /* bytes; the scale of profil(3) allows no more */
    const struct reader r = {.file = file, .layout = layout};
    const unsigned size = layout->pointer_size;
    uint32_t header_size = gmon_bsd_header_size(layout, is_bsd44(&r));
    if (file->size < header_size)
        return false;
    uint64_t low = number_at(&r, file->bytes, size);
    uint64_t high = number_at(&r, file->bytes + size, size);
    uint64_t bytes = number_at(&r, file->bytes + 2 * (size_t)size, 4);
    if (low >= high || bytes < header_size + 2 || bytes > file->size)
        return false;
    uint64_t bins = (bytes - header_size) / 2;
    return (bytes - header_size) % 2 == 0 && (high - low) / bins <= MAX_BIN_WIDTH &&
           (file->size - bytes) % (3 * (size_t)size) == 0;
}

static bool read_any(struct reader *r, enum gmon_format format)
{
    if (format == GMON_AUTO)
        format = has_magic(r->file) ? GMON_MAGIC : GMON_BSD;
    if (format == GMON_MAGIC && r->file->size < 4)
        return bad_file(r, MSG_TOO_SHORT, r->file->path);
    if (format == GMON_MAGIC && !has_magic(r->file))
        return bad_file(r, MSG_BAD_MAGIC, r->file->path);
    return format == GMON_MAGIC ? read_magic(r) : read_bsd(r);
}

bool gmon_read(const struct gmon_bytes *file, enum gmon_format format,
               const struct gmon_layout *layout, const struct gmon_visitor *visitor,
               struct file_info *info)
{
    static const struct gmon_visitor no_callbacks = {0};
    struct reader check = {file, layout, &no_callbacks, NULL, 0};
    struct reader reader = {file, layout, visitor, info, 0};
    return (file->is_checked || read_any(&check, format)) && read_any(&reader, format);
}

/* ---- The writer ---- */

struct writer {
    FILE *out;
    const struct gmon_layout *layout;
};

static void put(const struct writer *w, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, w->out);
}

static void put_number(const struct writer *w, uint64_t value, unsigned size)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[w->layout->is_big_endian ? size - 1 - i : i] = (unsigned char)(value >> 8 * i);
    put(w, bytes, size);
}

static void put_u32(const struct writer *w, uint32_t value)
{
    put_number(w, value, 4);
}

static void put_vma(const struct writer *w, vma value)
{
    put_number(w, value, w->layout->pointer_size);
}

static void put_spare(const struct writer *w, bool counts_all_threads)
{
    static const char spare[GMON_SPARE], exact[GMON_SPARE] = GMON_EXACT;
    put(w, counts_all_threads ? exact : spare, GMON_SPARE);
}

/* ---- Written histograms ---- */

/* Writes part PART (from 0) of each bin, whose samples are split into parts of HIST_LARGEST_BIN. */
static void put_bins(const struct writer *w, const struct histogram *h, uint64_t part)
{
    enum { AT_ONCE = 2048 }; /* bins */
    unsigned char bytes[2 * AT_ONCE], *at = bytes;
    bool is_big = w->layout->is_big_endian;
    uint64_t before = part * HIST_LARGEST_BIN;
    for (uint32_t i = 0; i < h->bin_count; i++) {
        uint64_t rest = bin_of(h, i) > before ? bin_of(h, i) - before : 0;
        unsigned piece = rest > HIST_LARGEST_BIN ? HIST_LARGEST_BIN : (unsigned)rest;
        *at++ = (unsigned char)(is_big ? piece >> 8 : piece);
        *at++ = (unsigned char)(is_big ? piece : piece >> 8);
        if (at == bytes + sizeof bytes || i + 1 == h->bin_count) {
            put(w, bytes, (size_t)(at - bytes));
            at = bytes;
        }
    }
}

static void put_magic_header(const struct writer *w, const struct hist_set *set,
                             const struct histogram *h)
{
    put(w, "\0", 1);
    put_vma(w, h->low);
    put_vma(w, h->high);
    put_u32(w, h->bin_count);
    put_u32(w, (uint32_t)set->rate);
    put(w, set->dimension, GMON_DIMENSION_SIZE);
    put(w, &set->abbreviation, 1);
}

static void put_bsd_header(const struct writer *w, enum gmon_format format,
                           const struct hist_set *set, const struct histogram *h)
{
    bool is_bsd44 = format == GMON_BSD44;
    put_vma(w, h->low);
    put_vma(w, h->high);
    put_u32(w, gmon_bsd_header_size(w->layout, is_bsd44) + 2 * h->bin_count);
    if (is_bsd44) {
        put_u32(w, GMON_BSD44_VERSION);
        put_u32(w, (uint32_t)set->rate);
        put_spare(w, false);
    }
}

uint64_t gmon_parts(const struct histogram *histogram)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < histogram->bin_count; i++)
        if (bin_of(histogram, i) > largest)
            largest = bin_of(histogram, i);
    return largest == 0 ? 1 : (largest - 1) / HIST_LARGEST_BIN + 1;
}

void gmon_write_histogram(FILE *out, const struct gmon_layout *layout, enum gmon_format format,
                          const struct hist_set *set, const struct histogram *histogram)
{
    const struct writer w = {out, layout};
    uint64_t parts = gmon_parts(histogram);
    for (uint64_t part = 0; part < parts && !ferror(out); part++) {
        if (format == GMON_MAGIC)
            put_magic_header(&w, set, histogram);
        else
            put_bsd_header(&w, format, set, histogram);
        put_bins(&w, histogram, part);
    }
}

/* ---- Other written records ---- */

void gmon_write_start(FILE *out, const struct gmon_layout *layout, enum gmon_format format,
                      bool counts_all_threads)
{
    const struct writer w = {out, layout};
    if (format != GMON_MAGIC)
        return;
    put(&w, "gmon", 4);
    put_u32(&w, 1);
    put_spare(&w, counts_all_threads);
}

void gmon_write_arc(FILE *out, const struct gmon_layout *layout, enum gmon_format format, vma from,
                    vma self, uint64_t count)
{
    const struct writer w = {out, layout};
    unsigned count_size = format == GMON_MAGIC ? 4 : layout->pointer_size;
    uint64_t largest = count_size == 4 ? UINT32_MAX : UINT64_MAX;
    do {
        uint64_t piece = min_u64(count, largest);
        if (format == GMON_MAGIC)
            put(&w, "\1", 1);
        put_vma(&w, from);
        put_vma(&w, self);
        put_number(&w, piece, count_size);
        count -= piece;
    } while (count > 0 && !ferror(out));
}

/* Writes a record of COUNT blocks.  Blocks whose counts exceed their field are moved to the front,
   with the rest of their counts, for the next record; returns their number.  */
static size_t put_blocks(const struct writer *w, struct gmon_block *blocks, size_t count)
{
    uint64_t largest = w->layout->pointer_size == 4 ? UINT32_MAX : UINT64_MAX;
    size_t left = 0;
    put(w, "\2", 1);
    put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        uint64_t piece = min_u64(blocks[i].count, largest);
        put_vma(w, blocks[i].addr);
        put_number(w, piece, w->layout->pointer_size);
        if (blocks[i].count > piece)
            blocks[left++] = (struct gmon_block){blocks[i].addr, blocks[i].count - piece};
    }
    return left;
}

void gmon_write_blocks(FILE *out, const struct gmon_layout *layout, struct gmon_block *blocks,
                       size_t count)
{
    const struct writer w = {out, layout};
    while (count > 0 && !ferror(out))
        count = put_blocks(&w, blocks, count);
}
