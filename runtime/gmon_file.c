/* gmon_file.c - the profile of one object in the format of gmon.out.
   SPDX-License-Identifier: MIT

   The histogram has bins of 2 bytes, or of 16 in a large program, that divide its range evenly:
   then readers find each sample where it was taken.  A bin holds 65,535 samples, an arc 2^32 - 1
   calls; what is more goes into further records of the same range and arc, which readers add up. */
#include "gmon_file.h"

#include <errno.h>

#include "sys.h"
#include "table.h"
#include "text.h"

#define LARGE_TEXT ((uintptr_t)16 << 20)
#define SMALL_BIN 2
#define LARGE_BIN 16
#define USUAL_RATE 100

enum tag { TAG_HISTOGRAM, TAG_ARC };

struct histogram {
    uintptr_t low;
    uintptr_t high;
    uintptr_t bin_bytes;
    size_t bins;
    uint64_t *samples; /* NULL: none anywhere */
};

static void put_u32(struct out_file *out, uint32_t number)
{
    out_bytes(out, &number, sizeof number);
}

static void put_address(struct out_file *out, uintptr_t address)
{
    out_bytes(out, &address, sizeof address);
}

static void put_tag(struct out_file *out, enum tag tag)
{
    const char byte = (char)tag;

    out_bytes(out, &byte, 1);
}

static void put_header(struct out_file *out)
{
    out_bytes(out, "gmon", 4);
    put_u32(out, 1);
    /* Unused by other writers: readers see that counts of threads are exact. */
    out_bytes(out, "regmon\0\0\0\0\0", 12);
}

/* ---- Histogram ---- */

static uintptr_t bin_bytes_of(const struct object *object)
{
    return object->high - object->low > LARGE_TEXT ? LARGE_BIN : SMALL_BIN;
}

struct range gmon_range(const struct object *object)
{
    const uintptr_t bin_bytes = bin_bytes_of(object);

    return (struct range){object->low & ~(bin_bytes - 1),
                          (object->high + bin_bytes - 1) & ~(bin_bytes - 1)};
}

uint64_t gmon_checksum(const struct object *object, const struct entry *sample)
{
    const uint64_t odd = 0x9e3779b97f4a7c15;
    const uintptr_t low = gmon_range(object).low;
    uint64_t mixed = (low + (sample->self - low) / bin_bytes_of(object)) * odd;

    mixed ^= mixed >> 32;
    return mixed * odd * sample->count;
}

static struct histogram histogram_of(const struct object *object)
{
    const struct range range = gmon_range(object);
    struct histogram h;

    h.bin_bytes = bin_bytes_of(object);
    h.low = range.low;
    h.high = range.high;
    h.bins = (h.high - h.low) / h.bin_bytes;
    h.samples = NULL;
    return h;
}

/* False if there is no memory. */
static bool add_samples(struct histogram *h, const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (entries[i].from != SAMPLE)
            continue;
        if (!h->samples)
            h->samples = sys_map(h->bins * sizeof *h->samples);
        if (!h->samples)
            return false;
        if (entries[i].self - h->low < h->high - h->low)
            h->samples[(entries[i].self - h->low) / h->bin_bytes] += entries[i].count;
    }
    return true;
}

/* Puts as much as a record holds.  Returns whether something is left. */
static bool put_record(struct out_file *out, struct histogram *h, unsigned hz)
{
    bool is_left = false;

    put_tag(out, TAG_HISTOGRAM);
    put_address(out, h->low);
    put_address(out, h->high);
    put_u32(out, (uint32_t)h->bins);
    put_u32(out, hz ? hz : USUAL_RATE);
    out_bytes(out, "seconds\0\0\0\0\0\0\0\0s", 16);
    for (size_t i = 0; i < h->bins; i++) {
        const uint64_t samples = h->samples ? h->samples[i] : 0;
        const uint16_t bin = samples < UINT16_MAX ? (uint16_t)samples : UINT16_MAX;

        out_bytes(out, &bin, sizeof bin);
        if (samples > UINT16_MAX)
            is_left = true;
        if (bin) /* else a page of zeros stays untouched */
            h->samples[i] -= bin;
    }
    return is_left;
}

static long put_histogram(struct out_file *out, const struct object *object, unsigned hz,
                          const struct entry *entries, size_t count)
{
    struct histogram h = histogram_of(object);

    if (!add_samples(&h, entries, count))
        return -ENOMEM;
    while (put_record(out, &h, hz))
        ;
    if (h.samples)
        sys_unmap(h.samples, h.bins * sizeof *h.samples);
    return 0;
}

/* ---- Arcs ---- */

static void put_arc(struct out_file *out, const struct entry *entry)
{
    uint64_t left = entry->count;

    while (left) {
        const uint32_t count = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

        put_tag(out, TAG_ARC);
        put_address(out, entry->from);
        put_address(out, entry->self);
        put_u32(out, count);
        left -= count;
    }
}

long gmon_write(struct out_file *out, const char *path, const struct object *object, unsigned hz,
                const struct entry *entries, size_t count)
{
    long error = out_open(out, path);

    if (error)
        return error;
    put_header(out);
    error = put_histogram(out, object, hz, entries, count);
    if (error)
        out->error = error;
    for (size_t i = 0; i < count; i++)
        if (entries[i].from != SAMPLE)
            put_arc(out, &entries[i]);
    return out_close(out);
}
