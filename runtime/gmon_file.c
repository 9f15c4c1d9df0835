/* gmon_file.c - the profile of one object in the format of gmon.out.
   SPDX-License-Identifier: MIT

   The histogram has bins of 2 bytes, or of 16 in a large program, that divide its range evenly:
   then readers find each sample where it was taken.  A bin holds 65,535 samples, an arc 2^32 - 1
   calls; what is more goes into further records of the same range and arc, which readers add up.

   A program with -pg has one range, all of its code.  Without -pg, the code is divided into parts
   of equal size, and only those with samples are written, since a build has hundreds of processes
   with a few samples in large programs.  Readers refuse ranges that overlap: the parts of an object
   depend on nothing else, so that the profiles of several processes add up. */
#include "gmon_file.h"

#include <errno.h>

#include "sys.h"
#include "table.h"
#include "text.h"

#define LARGE_TEXT ((uintptr_t)16 << 20)
#define SMALL_BIN 2
#define LARGE_BIN 16
#define USUAL_RATE 100
#define LEAST_PART ((uintptr_t)64) /* bins */
#define MOST_PARTS 8192            /* gprof reads 16,384 histograms */

enum tag { TAG_HISTOGRAM, TAG_ARC };

struct histogram {
    struct range range;
    uintptr_t bin_bytes;
    size_t bins;
    uint64_t *samples;
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

static struct range all_of(const struct object *object)
{
    const uintptr_t bin_bytes = bin_bytes_of(object);

    return (struct range){object->low & ~(bin_bytes - 1),
                          (object->high + bin_bytes - 1) & ~(bin_bytes - 1)};
}

struct range gmon_range(const struct object *object, uintptr_t address)
{
    struct range range = all_of(object);
    uintptr_t bytes = LEAST_PART * bin_bytes_of(object), start;

    if (!object->is_in_parts)
        return range;
    while ((range.high - range.low) / bytes >= MOST_PARTS)
        bytes *= 2;
    start = range.low + (address - range.low) / bytes * bytes;
    if (range.high - start > bytes)
        range.high = start + bytes;
    range.low = start;
    return range;
}

uint64_t gmon_checksum(const struct object *object, const struct entry *sample)
{
    const uint64_t odd = 0x9e3779b97f4a7c15;
    const uintptr_t low = gmon_range(object, sample->self).low;
    uint64_t mixed = (low + (sample->self - low) / bin_bytes_of(object)) * odd;

    mixed ^= mixed >> 32;
    return mixed * odd * sample->count;
}

/* Puts as much as a record holds.  Returns whether something is left. */
static bool put_record(struct out_file *out, const struct histogram *h, unsigned hz)
{
    bool is_left = false;

    put_tag(out, TAG_HISTOGRAM);
    put_address(out, h->range.low);
    put_address(out, h->range.high);
    put_u32(out, (uint32_t)h->bins);
    put_u32(out, hz ? hz : USUAL_RATE);
    out_bytes(out, "seconds\0\0\0\0\0\0\0\0s", 16);
    for (size_t i = 0; i < h->bins; i++) {
        const uint64_t samples = h->samples[i];
        const uint16_t bin = samples < UINT16_MAX ? (uint16_t)samples : UINT16_MAX;

        out_bytes(out, &bin, sizeof bin);
        if (samples > UINT16_MAX)
            is_left = true;
        if (bin) /* else a page of zeros stays untouched */
            h->samples[i] -= bin;
    }
    return is_left;
}

/* Puts the range of the first of some samples, by address, with all that are in it.  *COUNT: how
   many those are; there may be none. */
static long put_range(struct out_file *out, const struct object *object, unsigned hz,
                      const struct entry *samples, size_t *count)
{
    const uintptr_t bin_bytes = bin_bytes_of(object);
    const struct range all = all_of(object);
    struct histogram h = {gmon_range(object, *count ? samples->self : all.low), bin_bytes, 0, NULL};
    size_t i = 0;

    h.bins = (h.range.high - h.range.low) / bin_bytes;
    h.samples = sys_map(h.bins * sizeof *h.samples);
    if (!h.samples)
        return -ENOMEM;
    for (; i < *count; i++) /* one of a damaged pool may be in no range */
        if (is_in_range(h.range, samples[i].self))
            h.samples[(samples[i].self - h.range.low) / bin_bytes] += samples[i].count;
        else if (object->is_in_parts && i > 0)
            break;
    *count = i;
    while (put_record(out, &h, hz) && !out->error)
        ;
    sys_unmap(h.samples, h.bins * sizeof *h.samples);
    return 0;
}

/* Entries are sorted: samples are the last. */
static long put_histograms(struct out_file *out, const struct object *object, unsigned hz,
                           const struct entry *entries, size_t count)
{
    size_t done = 0, in_range;
    long error;

    while (done < count && entries[done].from != SAMPLE)
        done++;
    do {
        in_range = count - done;
        error = put_range(out, object, hz, entries + done, &in_range);
        done += in_range;
    } while (!error && done < count);
    return error;
}

/* ---- Arcs ---- */

static void put_arc(struct out_file *out, const struct entry *entry)
{
    uint64_t left = entry->count;

    while (left && !out->error) {
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
    error = put_histograms(out, object, hz, entries, count);
    if (error)
        out->error = error;
    for (size_t i = 0; i < count; i++)
        if (entries[i].from != SAMPLE)
            put_arc(out, &entries[i]);
    return out_close(out);
}
