/* gmon_write.c - writes profile data files of every format; the mirror image of gmon_read.c.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/common.h"
#include "input/gmon.h"

#include <string.h>

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

static void put_spare(const struct writer *w, bool is_exact)
{
    static const char spare[GMON_SPARE], exact[GMON_SPARE] = GMON_EXACT;
    put(w, is_exact ? exact : spare, GMON_SPARE);
}

/* ---- Histograms ---- */

/* Writes part PART (from 0) of each bin, whose samples are split into parts of GMON_LARGEST_BIN. */
static void put_bins(const struct writer *w, const struct histogram *h, uint64_t part)
{
    enum { AT_ONCE = 2048 }; /* bins */
    unsigned char bytes[2 * AT_ONCE], *at = bytes;
    bool is_big = w->layout->is_big_endian;
    uint64_t before = part * GMON_LARGEST_BIN;
    for (uint32_t i = 0; i < h->bin_count; i++) {
        uint64_t rest = bin_of(h, i) > before ? bin_of(h, i) - before : 0;
        unsigned piece = rest > GMON_LARGEST_BIN ? GMON_LARGEST_BIN : (unsigned)rest;
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
    put_u32(w, set->rate);
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
        put_u32(w, set->rate);
        put_spare(w, false);
    }
}

uint64_t gmon_parts(const struct histogram *histogram)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < histogram->bin_count; i++)
        if (bin_of(histogram, i) > largest)
            largest = bin_of(histogram, i);
    return largest == 0 ? 1 : (largest - 1) / GMON_LARGEST_BIN + 1;
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

/* ---- The rest ---- */

void gmon_write_start(FILE *out, const struct gmon_layout *layout, enum gmon_format format,
                      bool is_exact)
{
    const struct writer w = {out, layout};
    if (format != GMON_MAGIC)
        return;
    put(&w, "gmon", 4);
    put_u32(&w, 1);
    put_spare(&w, is_exact);
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
