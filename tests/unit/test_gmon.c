/* test_gmon.c - profile data: written files are read back, in every layout; truncated files are
   rejected.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/gmon.h"

#include <stdlib.h>

#include "tap.h"

enum { MOST_RECORDS = 64, BINS = 5 };

/* ---- A file in memory, and the ends of its records ---- */

struct file {
    char *bytes;
    size_t size;
    FILE *out;
    size_t ends[MOST_RECORDS];
    size_t end_count;
};

static void file_open(struct file *file)
{
    *file = (struct file){0};
    file->out = open_memstream(&file->bytes, &file->size);
}

static void file_mark(struct file *file)
{
    fflush(file->out);
    file->ends[file->end_count++] = file->size;
}

static bool is_end(const struct file *file, size_t size)
{
    for (size_t i = 0; i < file->end_count; i++)
        if (file->ends[i] == size)
            return true;
    return false;
}

static void file_close(struct file *file)
{
    fclose(file->out);
    free(file->bytes);
}

/* ---- The records that a reader has read, as text ---- */

struct seen {
    char text[4000];
    size_t used;
};

static void see(struct seen *seen, const char *what, uint64_t a, uint64_t b, uint64_t c)
{
    seen->used += (size_t)snprintf(seen->text + seen->used, sizeof seen->text - seen->used,
                                   "%s %llx %llx %llu;", what, (unsigned long long)a,
                                   (unsigned long long)b, (unsigned long long)c);
}

static bool see_histogram(void *context, const struct hist_record *histogram)
{
    struct seen *seen = context;
    const struct hist_header *h = &histogram->header;
    see(seen, h->dimension, h->low, h->high, h->rate);
    for (uint32_t i = 0; i < h->bin_count; i++)
        see(seen, "bin", i, (unsigned char)h->abbreviation, hist_record_bin(histogram, i));
    return true;
}

static bool see_arc(void *context, vma from, vma self, uint64_t count)
{
    see(context, "arc", from, self, count);
    return true;
}

static bool see_block(void *context, vma addr, uint64_t count)
{
    see(context, "block", addr, 0, count);
    return true;
}

static bool read_back(const char *bytes, size_t size, enum gmon_format format,
                      const struct gmon_layout *layout, struct seen *seen, struct file_info *info)
{
    const struct gmon_visitor visitor = {
        .context = seen, .histogram = see_histogram, .arc = see_arc, .block = see_block};
    const struct gmon_bytes file = {
        .path = "memory", .bytes = (const unsigned char *)bytes, .size = size};
    *seen = (struct seen){{0}, 0};
    *info = (struct file_info){0};
    return gmon_read(&file, format, layout, &visitor, info);
}

/* ---- Round trips ---- */

static const struct gmon_layout layouts[] = {
    {false, false, 4}, {false, false, 8}, {true, false, 4},
    {true, false, 8},  {false, true, 4},  {true, true, 4},
};
static const enum gmon_format formats[] = {GMON_MAGIC, GMON_BSD, GMON_BSD44};
static const char *const format_names[] = {"auto", "magic", "bsd", "bsd44"};

static vma base_of(const struct gmon_layout *layout)
{
    return layout->sign_extends        ? 0xffffffff80001000
           : layout->pointer_size == 8 ? 0xffff800012345670
                                       : 0xfedc1000;
}

static void write_all(struct file *file, enum gmon_format format, const struct gmon_layout *layout,
                      struct seen *expected)
{
    uint32_t bins[BINS] = {0, 1, 255, 256, 65535};
    vma base = base_of(layout);
    struct hist_set set = {
        .rate = format == GMON_BSD ? 100 : 1234, .dimension = "seconds", .abbreviation = 's'};
    struct histogram histogram = {.low = base, .high = base + 40, .bin_count = BINS, .bins = bins};
    *expected = (struct seen){{0}, 0};
    file_open(file);
    gmon_write_start(file->out, layout, format, false);
    if (format == GMON_MAGIC)
        file_mark(file);
    gmon_write_histogram(file->out, layout, format, &set, &histogram);
    file_mark(file);
    see(expected, "seconds", base, base + 40, (uint64_t)set.rate);
    for (uint32_t i = 0; i < BINS; i++)
        see(expected, "bin", i, 's', bins[i]);
    for (uint64_t i = 0; i < 5; i++) {
        uint64_t count = i == 3 ? UINT32_MAX : i * 77;
        gmon_write_arc(file->out, layout, format, base + i, base + 3 * i, count);
        file_mark(file);
        see(expected, "arc", base + i, base + 3 * i, count);
    }
    if (format == GMON_MAGIC) {
        struct gmon_block blocks[] = {{base, 5}, {base + 4, 0}, {base + 8, UINT32_MAX}};
        for (size_t i = 0; i < 3; i++)
            see(expected, "block", blocks[i].addr, 0, blocks[i].count);
        gmon_write_blocks(file->out, layout, blocks, 3);
        file_mark(file);
    }
}

static void test_round_trip(enum gmon_format format, const struct gmon_layout *layout)
{
    struct file file;
    struct seen expected, seen;
    struct file_info info;
    char what[100];
    snprintf(what, sizeof what, "%s, %u bits, %s-endian%s", format_names[format],
             8 * layout->pointer_size, layout->is_big_endian ? "big" : "little",
             layout->sign_extends ? ", signed" : "");
    write_all(&file, format, layout, &expected);
    bool ok = read_back(file.bytes, file.size, format, layout, &seen, &info);
    is_true(ok && strcmp(seen.text, expected.text) == 0, what);
    ok = read_back(file.bytes, file.size, GMON_AUTO, layout, &seen, &info);
    strcat(what, ": recognised");
    is_true(ok && strcmp(seen.text, expected.text) == 0, what);
    bool counts = info.histograms == 1 && info.arcs == 5 && info.blocks == (format == GMON_MAGIC);
    is_true(counts, "its records are counted");
    file_close(&file);
}

/* Reads a copy of exactly SIZE bytes, so that a sanitizer detects reading beyond.  */
static bool reads_cut(const struct file *file, size_t size, enum gmon_format format,
                      const struct gmon_layout *layout, struct seen *seen)
{
    struct file_info info;
    char *cut = malloc(size ? size : 1);
    if (!cut)
        return false;
    memcpy(cut, file->bytes, size);
    bool is_read = read_back(cut, size, format, layout, seen, &info);
    free(cut);
    return is_read;
}

static void test_cuts(enum gmon_format format, const struct gmon_layout *layout)
{
    struct file file;
    struct seen expected, seen;
    char what[100];
    size_t wrong = 0, told = 0;
    write_all(&file, format, layout, &expected);
    for (size_t size = 0; size <= file.size; size++) {
        bool is_read = reads_cut(&file, size, format, layout, &seen);
        wrong += is_read != is_end(&file, size);
        told += !is_read && seen.used > 0;
    }
    snprintf(what, sizeof what,
             "%s, %u bits: cut inside a record it is refused, between records not",
             format_names[format], 8 * layout->pointer_size);
    is_equal(wrong, 0, what);
    is_equal(told, 0, "nothing is told of what is refused");
    file_close(&file);
}

/* ---- Sums that exceed a field ---- */

static bool add_histogram(void *context, const struct hist_record *h)
{
    uint64_t *totals = context;
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        totals[0] += hist_record_bin(h, i) * (uint64_t)(i + 1);
    return true;
}

static bool add_arc(void *context, vma from, vma self, uint64_t count)
{
    uint64_t *totals = context;
    totals[1] += count;
    return from == 1 && self == 2;
}

static bool add_block(void *context, vma addr, uint64_t count)
{
    uint64_t *totals = context;
    totals[2] += count * addr;
    return true;
}

static void test_large_sums(void)
{
    const struct gmon_layout layout = {false, false, 4};
    uint64_t totals[3] = {0};
    uint32_t bins[] = {65536, 200000, 0};
    struct hist_set set = {.rate = 100, .dimension = "seconds", .abbreviation = 's'};
    struct histogram histogram = {.low = 0x1000, .high = 0x1006, .bin_count = 3, .bins = bins};
    struct gmon_block blocks[] = {{1, 3}, {2, 10000000000}, {3, UINT32_MAX}};
    const struct gmon_visitor visitor = {
        .context = totals, .histogram = add_histogram, .arc = add_arc, .block = add_block};
    struct file file;
    file_open(&file);
    gmon_write_start(file.out, &layout, GMON_MAGIC, false);
    gmon_write_histogram(file.out, &layout, GMON_MAGIC, &set, &histogram);
    gmon_write_arc(file.out, &layout, GMON_MAGIC, 1, 2, 10000000000);
    gmon_write_blocks(file.out, &layout, blocks, 3);
    fflush(file.out);
    const struct gmon_bytes bytes = {
        .path = "memory", .bytes = (const unsigned char *)file.bytes, .size = file.size};
    is_true(gmon_read(&bytes, GMON_AUTO, &layout, &visitor, NULL), "what does not fit is spread");
    is_equal(totals[0], 65536 + 2 * 200000, "samples add up");
    is_equal(totals[1], 10000000000, "calls add up");
    is_equal(totals[2], 3 + 2 * 10000000000 + 3 * (uint64_t)UINT32_MAX, "executions add up");
    is_equal(gmon_parts(&histogram), 4, "as few records as will do");
    file_close(&file);
}

/* ---- Damage ---- */

static bool reads(const void *bytes, size_t size, enum gmon_format format)
{
    static const struct gmon_layout layout = {false, false, 8};
    struct seen seen;
    struct file_info info;
    return read_back(bytes, size, format, &layout, &seen, &info);
}

#define HEADER "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define RANGE "\0\x10\0\0\0\0\0\0\x10\x10\0\0\0\0\0\0"
#define DIMENSION "seconds\0\0\0\0\0\0\0\0s"

static void test_damage(void)
{
    static const char none[] = HEADER "\0" RANGE "\0\0\0\0\x64\0\0\0" DIMENSION;
    static const char back[] =
        HEADER "\0\x10\x10\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\1\0\0\0\x64\0\0\0" DIMENSION "\1\0";
    static const char claim[] = HEADER "\0" RANGE "\xff\xff\xff\xff\x64\0\0\0" DIMENSION "\1\0";
    static const char blocks[] = HEADER "\2\xff\xff\xff\xff\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0";
    static const char tag[] = HEADER "\3";
    static const char version[] = "gmon\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    static const char bsd[] = RANGE "\xff\xff\xff\xff\0\0";
    static const char bsd_small[] = RANGE "\x10\0\0\0\0\0";
    is_true(!reads(none, sizeof none - 1, GMON_AUTO), "no bins");
    is_true(!reads(back, sizeof back - 1, GMON_AUTO), "a range that ends before it begins");
    is_true(!reads(claim, sizeof claim - 1, GMON_AUTO), "more bins than bytes");
    is_true(!reads(blocks, sizeof blocks - 1, GMON_AUTO), "more blocks than bytes");
    is_true(!reads(tag, sizeof tag - 1, GMON_AUTO), "an unknown tag");
    is_true(!reads(version, sizeof version - 1, GMON_AUTO), "an unknown version");
    is_true(!reads("gmoo", 4, GMON_MAGIC), "no magic where magic is asked for");
    is_true(!reads(bsd, sizeof bsd - 1, GMON_AUTO), "BSD: a size beyond the file");
    is_true(!reads(bsd_small, sizeof bsd_small - 1, GMON_AUTO), "BSD: a size below the header's");
    is_true(!reads("", 0, GMON_AUTO), "nothing");
    is_true(reads(HEADER, sizeof HEADER - 1, GMON_AUTO), "a header alone is a profile");
}

/* Random bytes are changed: no crash, and no reading past the end.  */
static void test_noise(const struct gmon_layout *layout)
{
    struct file file;
    struct seen expected, seen;
    size_t refused = 0;
    write_all(&file, GMON_MAGIC, layout, &expected);
    for (size_t i = 0; i < file.size; i++) {
        char before = file.bytes[i];
        for (int value = 1; value < 256; value += 50) {
            file.bytes[i] = (char)(before ^ value);
            refused += !reads_cut(&file, file.size, GMON_AUTO, layout, &seen);
        }
        file.bytes[i] = before;
    }
    is_true(refused > 0, "noise is survived");
    file_close(&file);
}

/* Whether a file in FORMAT is recognised by its beginning.  */
static bool is_known(enum gmon_format format, const struct gmon_layout *layout)
{
    struct file file;
    struct seen seen;
    write_all(&file, format, layout, &seen);
    bool is_known = gmon_may_be_profile((const unsigned char *)file.bytes,
                                        file.size < GMON_START ? file.size : GMON_START);
    file_close(&file);
    return is_known;
}

static void test_beginnings(void)
{
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        is_true(is_known(GMON_MAGIC, &layouts[l]), "a beginning of the magic format");
        is_true(is_known(GMON_BSD44, &layouts[l]), "of 4.4BSD's");
        is_true(!is_known(GMON_BSD, &layouts[l]), "the oldest has none to be known by");
    }
    is_true(gmon_may_be_profile((const unsigned char *)"gmo", 3), "the magic number, cut short");
    is_true(gmon_may_be_profile((const unsigned char *)"", 0), "nothing: a file that was cut to 0");
    is_true(!gmon_may_be_profile((const unsigned char *)"gm.", 3), "a short file of another kind");
    is_true(!gmon_may_be_profile((const unsigned char *)"go\n", 3), "and another");
}

int main(void)
{
    /* Messages are tested elsewhere.  */
    if (!freopen("/dev/null", "w", stderr))
        return 1;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
            test_round_trip(formats[f], &layouts[l]);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t l = 0; l < 4; l++)
            test_cuts(formats[f], &layouts[l]);
    test_large_sums();
    test_damage();
    test_beginnings();
    test_noise(&layouts[0]);
    test_noise(&layouts[3]);
    return tap_done();
}
