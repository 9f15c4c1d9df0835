/* mkgmon.c - writes a profile from a readable text.

       mkgmon [-o FILE] [TEXT...]

   reads the TEXTs in order (default: standard input) and writes the bytes to FILE (default:
   standard output).  It shares no code with the program under test, so they have no errors in
   common.

   The text has one directive per line; `#' starts a comment; words with blanks are in double
   quotes. A VALUE is a sum of numbers (decimal, 0x, octal) and symbols, without blanks:
   `main+0x10-2'.

     bits 32|64               size of pointers; default 64
     order little|big         byte order; default little
     format magic [VERSION]   "gmon" files of that version; default magic 1
     format bsd               the old BSD layout: one histogram, then arcs
     format bsd44             the same with 4.4BSD's version word, rate and spare bytes
     format none              no header at all
     symbol NAME VALUE        a name for an address
     include FILE             more directives; FILE is relative to the including file
     histogram LOW HIGH COUNT [RATE [DIMENSION [ABBREVIATION]]]
                              COUNT bins between two addresses, all empty; 100 seconds s
     bin N = VALUE            samples of bin N of the last histogram
     bins VALUE...            samples of the bins after the last one that was set
     arc FROM SELF COUNT      COUNT calls of the function at SELF from FROM
     blocks                   a record of the basic blocks that follow
     block ADDRESS COUNT      one of them
     block ADDRESS COUNT FILE FUNCTION LINE
                              the same for version 0
     claim VALUE              the count that the next histogram or blocks record states (BSD: its
                              number of bytes), instead of the real one
     raw HEX...               these bytes
     times N DIRECTIVE...     the directive N times
     truncate SIZE            at the end, keep only the first SIZE bytes
     cut N                    at the end, drop the last N bytes

   The header is written before the first record, or at the end if there is none.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _POSIX_C_SOURCE 200809L /* getline */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 4096, MAX_DEPTH = 8 };
enum layout { LAYOUT_MAGIC, LAYOUT_BSD, LAYOUT_BSD44, LAYOUT_NONE };
enum { BSD44_VERSION = 0x00051879 };

struct symbol {
    char *name;
    uint64_t value;
};

struct place {
    const char *file;
    unsigned line;
};

struct block {
    uint64_t addr, count;
    char *file, *func;
    uint32_t line;
};

struct writer {
    struct place place;
    unsigned depth;
    unsigned pointer_size;
    bool is_big;
    enum layout layout;
    uint32_t version;
    bool has_header;
    struct symbol *symbols;
    size_t symbol_count;
    bool has_claim;
    uint64_t claim;
    /* The record under construction.  */
    bool in_histogram, in_blocks;
    uint64_t low, high;
    uint32_t rate;
    char dimension[15], abbreviation;
    uint16_t *bins;
    size_t bin_count, next_bin;
    struct block *blocks;
    size_t block_count;
    /* The file so far.  */
    unsigned char *bytes;
    size_t size, capacity;
    size_t limit, cut;
};

static _Noreturn void fail(const struct writer *w, const char *what, const char *detail)
{
    fprintf(stderr, "mkgmon: %s:%u: %s%s%s\n", w->place.file, w->place.line, what,
            *detail ? ": " : "", detail);
    exit(1);
}

static void *grow(const struct writer *w, void *old, size_t n, size_t size)
{
    void *p = realloc(old, (n ? n : 1) * size);
    if (!p)
        fail(w, "no memory", "");
    return p;
}

static char *copy(const struct writer *w, const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(grow(w, NULL, n, 1), s, n);
}

/* ---- Bytes ---- */

static void put_bytes(struct writer *w, const void *p, size_t n)
{
    if (w->size + n > w->capacity) {
        w->capacity = (w->size + n) * 2;
        w->bytes = grow(w, w->bytes, w->capacity, 1);
    }
    if (n)
        memcpy(w->bytes + w->size, p, n);
    w->size += n;
}

static void put_number(struct writer *w, uint64_t value, unsigned size)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[w->is_big ? size - 1 - i : i] = (unsigned char)(value >> (8 * i));
    put_bytes(w, bytes, size);
}

static void put_pointer(struct writer *w, uint64_t value)
{
    put_number(w, value, w->pointer_size);
}

static void put_tag(struct writer *w, unsigned tag)
{
    if (w->layout == LAYOUT_MAGIC)
        put_number(w, tag, 1);
}

static uint64_t claimed(struct writer *w, uint64_t count)
{
    if (w->has_claim)
        count = w->claim;
    w->has_claim = false;
    return count;
}

/* ---- Records ---- */

static void put_header(struct writer *w)
{
    static const unsigned char spare[12];
    if (w->has_header)
        return;
    w->has_header = true;
    if (w->layout != LAYOUT_MAGIC)
        return;
    put_bytes(w, "gmon", 4);
    put_number(w, w->version, 4);
    put_bytes(w, spare, sizeof spare);
}

static void put_histogram_head(struct writer *w)
{
    static const unsigned char spare[12];
    uint32_t head_size = 2 * w->pointer_size + 4 + (w->layout == LAYOUT_BSD44 ? 20 : 0);
    put_tag(w, 0);
    put_pointer(w, w->low);
    put_pointer(w, w->high);
    if (w->layout == LAYOUT_MAGIC) {
        put_number(w, claimed(w, w->bin_count), 4);
        put_number(w, w->rate, 4);
        put_bytes(w, w->dimension, sizeof w->dimension);
        put_bytes(w, &w->abbreviation, 1);
        return;
    }
    put_number(w, claimed(w, head_size + 2 * w->bin_count), 4);
    if (w->layout == LAYOUT_BSD44) {
        put_number(w, BSD44_VERSION, 4);
        put_number(w, w->rate, 4);
        put_bytes(w, spare, sizeof spare);
    }
}

static void finish_histogram(struct writer *w)
{
    put_histogram_head(w);
    for (size_t i = 0; i < w->bin_count; i++)
        put_number(w, w->bins[i], 2);
    free(w->bins);
    w->bins = NULL;
    w->in_histogram = false;
}

static void put_block(struct writer *w, const struct block *b)
{
    if (w->version != 0) {
        put_pointer(w, b->addr);
        put_pointer(w, b->count);
        return;
    }
    put_pointer(w, b->count);
    put_pointer(w, b->addr);
    put_bytes(w, b->func, strlen(b->func) + 1);
    put_bytes(w, b->file, strlen(b->file) + 1);
    put_number(w, b->line, 4);
}

static void finish_blocks(struct writer *w)
{
    put_tag(w, 2);
    put_number(w, claimed(w, w->block_count), 4);
    if (w->version == 0)
        put_bytes(w, "", 1);
    for (size_t i = 0; i < w->block_count; i++) {
        put_block(w, &w->blocks[i]);
        free(w->blocks[i].file);
        free(w->blocks[i].func);
    }
    w->block_count = 0;
    w->in_blocks = false;
}

static void finish_record(struct writer *w)
{
    if (w->in_histogram)
        finish_histogram(w);
    if (w->in_blocks)
        finish_blocks(w);
}

static void start_record(struct writer *w)
{
    finish_record(w);
    put_header(w);
}

/* ---- Values ---- */

static bool is_word_char(char c)
{
    return c && c != '+' && c != '-';
}

static uint64_t value_of_term(const struct writer *w, const char *term)
{
    char *end;
    for (size_t i = w->symbol_count; i-- > 0;) {
        if (strcmp(w->symbols[i].name, term) == 0)
            return w->symbols[i].value;
    }
    errno = 0;
    uint64_t value = strtoull(term, &end, 0);
    if (end == term || *end || errno)
        fail(w, "neither a number nor a symbol", term);
    return value;
}

static uint64_t value_of(const struct writer *w, const char *text)
{
    uint64_t sum = 0;
    const char *p = text;
    while (*p) {
        char term[256];
        size_t n = 0;
        bool is_minus = *p == '-';
        if (*p == '+' || *p == '-')
            p++;
        while (is_word_char(*p) && n < sizeof term - 1)
            term[n++] = *p++;
        term[n] = 0;
        uint64_t value = value_of_term(w, term);
        sum += is_minus ? -value : value;
    }
    return sum;
}

static uint64_t value_below(const struct writer *w, const char *text, uint64_t limit)
{
    uint64_t value = value_of(w, text);
    if (value > limit)
        fail(w, "too large", text);
    return value;
}

/* ---- Directives ---- */

static void run_file(struct writer *w, const char *path);
static void run_words(struct writer *w, char **words, size_t n);

static void do_bits(struct writer *w, char **words, size_t n)
{
    (void)n;
    w->pointer_size = value_of(w, words[1]) == 32 ? 4 : 8;
}

static void do_order(struct writer *w, char **words, size_t n)
{
    (void)n;
    w->is_big = strcmp(words[1], "big") == 0;
}

static void do_format(struct writer *w, char **words, size_t n)
{
    static const struct {
        const char *name;
        enum layout layout;
    } layouts[] = {{"magic", LAYOUT_MAGIC},
                   {"bsd", LAYOUT_BSD},
                   {"bsd44", LAYOUT_BSD44},
                   {"none", LAYOUT_NONE}};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (strcmp(words[1], layouts[i].name) == 0) {
            w->layout = layouts[i].layout;
            w->version = n > 2 ? (uint32_t)value_below(w, words[2], UINT32_MAX) : 1;
            return;
        }
    }
    fail(w, "unknown format", words[1]);
}

static void do_symbol(struct writer *w, char **words, size_t n)
{
    (void)n;
    uint64_t value = value_of(w, words[2]);
    w->symbols = grow(w, w->symbols, w->symbol_count + 1, sizeof *w->symbols);
    w->symbols[w->symbol_count++] = (struct symbol){copy(w, words[1]), value};
}

static void do_include(struct writer *w, char **words, size_t n)
{
    (void)n;
    struct place place = w->place;
    const char *slash = strrchr(place.file, '/');
    size_t dir = slash ? (size_t)(slash - place.file) + 1 : 0;
    char *path = grow(w, NULL, dir + strlen(words[1]) + 1, 1);
    memcpy(path, place.file, dir);
    strcpy(path + dir, words[1]);
    run_file(w, path);
    w->place = place;
    free(path);
}

static void do_histogram(struct writer *w, char **words, size_t n)
{
    start_record(w);
    w->in_histogram = true;
    w->low = value_of(w, words[1]);
    w->high = value_of(w, words[2]);
    w->bin_count = (size_t)value_below(w, words[3], 1u << 28);
    w->rate = n > 4 ? (uint32_t)value_below(w, words[4], UINT32_MAX) : 100;
    const char *dimension = n > 5 ? words[5] : "seconds";
    memset(w->dimension, 0, sizeof w->dimension);
    memcpy(w->dimension, dimension,
           strlen(dimension) < sizeof w->dimension ? strlen(dimension) : sizeof w->dimension);
    w->abbreviation = n > 6 ? words[6][0] : 's';
    w->bins = grow(w, NULL, w->bin_count, sizeof *w->bins);
    memset(w->bins, 0, w->bin_count * sizeof *w->bins);
    w->next_bin = 0;
}

static void set_bin(struct writer *w, uint64_t bin, const char *value)
{
    if (!w->in_histogram || bin >= w->bin_count)
        fail(w, "no such bin", "");
    w->bins[bin] = (uint16_t)value_below(w, value, UINT16_MAX);
    w->next_bin = (size_t)bin + 1;
}

static void do_bin(struct writer *w, char **words, size_t n)
{
    if (n != 4 || strcmp(words[2], "=") != 0)
        fail(w, "bin N = VALUE", "");
    set_bin(w, value_of(w, words[1]), words[3]);
}

static void do_bins(struct writer *w, char **words, size_t n)
{
    for (size_t i = 1; i < n; i++)
        set_bin(w, w->next_bin, words[i]);
}

static void do_arc(struct writer *w, char **words, size_t n)
{
    (void)n;
    start_record(w);
    put_tag(w, 1);
    put_pointer(w, value_of(w, words[1]));
    put_pointer(w, value_of(w, words[2]));
    if (w->layout == LAYOUT_MAGIC)
        put_number(w, value_below(w, words[3], UINT32_MAX), 4);
    else
        put_pointer(w, value_of(w, words[3]));
}

static void do_blocks(struct writer *w, char **words, size_t n)
{
    (void)words;
    (void)n;
    start_record(w);
    w->in_blocks = true;
}

static void do_block(struct writer *w, char **words, size_t n)
{
    if (!w->in_blocks)
        fail(w, "block outside of blocks", "");
    w->blocks = grow(w, w->blocks, w->block_count + 1, sizeof *w->blocks);
    struct block *b = &w->blocks[w->block_count++];
    b->addr = value_of(w, words[1]);
    b->count = value_of(w, words[2]);
    b->file = copy(w, n > 3 ? words[3] : "");
    b->func = copy(w, n > 4 ? words[4] : "");
    b->line = n > 5 ? (uint32_t)value_below(w, words[5], UINT32_MAX) : 0;
}

static void do_claim(struct writer *w, char **words, size_t n)
{
    (void)n;
    finish_record(w);
    w->has_claim = true;
    w->claim = value_of(w, words[1]);
}

static void do_raw(struct writer *w, char **words, size_t n)
{
    start_record(w);
    for (size_t i = 1; i < n; i++) {
        char *end;
        unsigned char byte = (unsigned char)strtoul(words[i], &end, 16);
        if (*end)
            fail(w, "not a byte", words[i]);
        put_bytes(w, &byte, 1);
    }
}

static void do_times(struct writer *w, char **words, size_t n)
{
    uint64_t times = value_of(w, words[1]);
    for (uint64_t i = 0; i < times; i++)
        run_words(w, words + 2, n - 2);
}

static void do_truncate(struct writer *w, char **words, size_t n)
{
    (void)n;
    w->limit = (size_t)value_of(w, words[1]);
}

static void do_cut(struct writer *w, char **words, size_t n)
{
    (void)n;
    w->cut = (size_t)value_of(w, words[1]);
}

static const struct directive {
    const char *name;
    size_t min_words; /* including the name */
    void (*run)(struct writer *w, char **words, size_t n);
} directives[] = {
    {"bits", 2, do_bits},     {"order", 2, do_order},     {"format", 2, do_format},
    {"symbol", 3, do_symbol}, {"include", 2, do_include}, {"histogram", 4, do_histogram},
    {"bin", 4, do_bin},       {"bins", 1, do_bins},       {"arc", 4, do_arc},
    {"blocks", 1, do_blocks}, {"block", 3, do_block},     {"claim", 2, do_claim},
    {"raw", 1, do_raw},       {"times", 3, do_times},     {"truncate", 2, do_truncate},
    {"cut", 2, do_cut},
};

static void run_words(struct writer *w, char **words, size_t n)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (strcmp(directives[i].name, words[0]) != 0)
            continue;
        if (n < directives[i].min_words)
            fail(w, "too few words", words[0]);
        directives[i].run(w, words, n);
        return;
    }
    fail(w, "unknown directive", words[0]);
}

/* Splits LINE in place; returns the number of words.  */
static size_t split(const struct writer *w, char *line, char **words)
{
    size_t n = 0;
    char *p = line;
    for (;;) {
        while (isspace((unsigned char)*p))
            p++;
        if (!*p || *p == '#')
            return n;
        if (n == MAX_WORDS)
            fail(w, "too many words", "");
        bool is_quoted = *p == '"';
        p += is_quoted;
        words[n++] = p;
        while (*p && (is_quoted ? *p != '"' : !isspace((unsigned char)*p)))
            p++;
        if (!*p)
            return n;
        *p++ = 0;
    }
}

static void run_stream(struct writer *w, FILE *in)
{
    char *line = NULL, *words[MAX_WORDS];
    size_t capacity = 0;
    while (getline(&line, &capacity, in) >= 0) {
        w->place.line++;
        size_t n = split(w, line, words);
        if (n)
            run_words(w, words, n);
    }
    free(line);
}

static void run_file(struct writer *w, const char *path)
{
    if (++w->depth > MAX_DEPTH)
        fail(w, "includes nest too deeply", path);
    FILE *in = fopen(path, "r");
    if (!in)
        fail(w, path, strerror(errno));
    w->place = (struct place){path, 0};
    run_stream(w, in);
    fclose(in);
    w->depth--;
}

static void write_out(struct writer *w, const char *path)
{
    FILE *out = path ? fopen(path, "wb") : stdout;
    if (!out)
        fail(w, path, strerror(errno));
    size_t size = w->size > w->cut ? w->size - w->cut : 0;
    if (size > w->limit)
        size = w->limit;
    size_t written = fwrite(w->bytes, 1, size, out);
    if (written != size || fclose(out) != 0)
        fail(w, "cannot write", strerror(errno));
}

static void writer_free(struct writer *w)
{
    for (size_t i = 0; i < w->symbol_count; i++)
        free(w->symbols[i].name);
    free(w->symbols);
    free(w->blocks);
    free(w->bytes);
}

int main(int argc, char **argv)
{
    struct writer w = {.place = {"<stdin>", 0},
                       .pointer_size = 8,
                       .layout = LAYOUT_MAGIC,
                       .version = 1,
                       .limit = SIZE_MAX};
    const char *path = NULL;
    int next = 1;
    if (argc > 2 && strcmp(argv[1], "-o") == 0) {
        path = argv[2];
        next = 3;
    }
    if (next == argc)
        run_stream(&w, stdin);
    for (; next < argc; next++)
        run_file(&w, argv[next]);
    start_record(&w);
    write_out(&w, path);
    writer_free(&w);
    return 0;
}
