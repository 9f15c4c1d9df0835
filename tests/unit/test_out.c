/* test_out.c - numbers, blanks and text, compared with printf, and with buffers that fill up at any
   position.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/common.h"
#include "base/out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

static struct out out;

/* ---- Numbers ---- */

static bool is_written(const char *expected)
{
    bool is_same = out.used == strlen(expected) && memcmp(out.text, expected, out.used) == 0;
    if (!is_same)
        printf("# `%.*s' instead of `%s'\n", (int)out.used, out.text, expected);
    out.used = 0;
    return is_same;
}

/* Alone, and in a cell.  */
static bool is_printed_fixed(double value, int width, int decimals)
{
    char expected[512];
    snprintf(expected, sizeof expected, " %*.*f", width, decimals, value);
    out_fixed(&out, value, width, decimals);
    bool ok = is_written(expected + 1);
    out_cell_fixed(&out, value, width, decimals);
    return is_written(expected) && ok;
}

static bool is_printed_in_all_widths(double value)
{
    bool ok = true;
    for (int decimals = 1; decimals <= 2; decimals++)
        for (int width = -17; width <= 33 && ok; width += 5)
            ok = is_printed_fixed(value, width, decimals);
    return ok;
}

/* Value number I is printed in one of the widths, with one or two decimals.  */
static bool is_printed_in_some_width(double value, int i)
{
    return is_printed_fixed(value, -17 + 5 * (i % 11), 1 + i / 11 % 2);
}

static uint64_t random_bits(uint64_t *state)
{
    uint64_t high = next_random(state), middle = next_random(state);
    return high << 42 ^ middle << 21 ^ next_random(state);
}

/* The double whose bits, as an integer, are BY more.  */
static double neighbour(double value, uint64_t by)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += by;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Doubles with random bits, NaN and infinity included.  */
static void test_any_fraction(void)
{
    uint64_t state = 1;
    bool ok = true;
    for (int i = 0; i < 20000 && ok; i++) {
        uint64_t bits = random_bits(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        ok = is_printed_in_some_width(value, i);
    }
    is_true(ok, "doubles of any bits");
}

/* Typical values of profiles, and values halfway between two numbers with two decimals.  */
static void test_usual_fractions(void)
{
    uint64_t state = 2;
    bool ok = true;
    for (int i = 0; i < 20000 && ok; i++) {
        double ticks = next_random(&state) % 100000;
        ok = is_printed_in_some_width(ticks / 100, i) && is_printed_in_some_width(ticks / 64, i) &&
             is_printed_in_some_width(ticks / 30000, i) && is_printed_in_some_width(1 / ticks, i);
    }
    is_true(ok, "times and shares");
}

static void test_edges(void)
{
    const double edges[] = {0,     -0.0,  0.005, 0.015, 0.025,   0.05,          0.25,   0.75,
                            0.995, 9.995, 99.95, 1e-9,  0x1p-11, 0x1p52 - 0.25, 0x1p52, 0x1p53 - 1};
    bool ok = true;
    for (size_t i = 0; i < ARRAY_LENGTH(edges); i++)
        ok = is_printed_in_all_widths(edges[i]) && is_printed_in_all_widths(-edges[i]) &&
             is_printed_in_all_widths(neighbour(edges[i], UINT64_MAX)) &&
             is_printed_in_all_widths(neighbour(edges[i], 1)) && ok;
    is_true(ok, "halves, ends and their neighbours");
    ok = is_printed_in_all_widths(INFINITY) && is_printed_in_all_widths(-INFINITY) &&
         is_printed_in_all_widths(1e308) && is_printed_in_all_widths(5e-324);
    is_true(ok, "the largest and the smallest");
}

static bool is_printed_count(uint64_t value)
{
    bool ok = true;
    char expected[64];
    for (int width = -25; width <= 45 && ok; width += 5) {
        snprintf(expected, sizeof expected, " %*" PRIu64, width, value);
        out_count(&out, value, width);
        ok = is_written(expected + 1);
        out_cell_count(&out, value, width);
        ok = is_written(expected) && ok;
    }
    return ok;
}

static void test_counts(void)
{
    uint64_t state = 3, power = 1;
    bool ok = is_printed_count(0) && is_printed_count(UINT64_MAX);
    for (int i = 0; i < 20; i++, power *= 10)
        ok = is_printed_count(power) && is_printed_count(power - 1) && ok;
    is_true(ok, "counts of any number of digits");
    for (int i = 0; i < 20000 && ok; i++)
        ok = is_printed_count(random_bits(&state) >> next_random(&state) % 64);
    is_true(ok, "counts of any size");
}

/* ---- Full buffers ---- */

enum { ROOM = 400000 };

static char *expected, *at;

/* Writes a piece of text that depends on I to the buffer and to the expected text.  */
static void write_both(uint64_t *state, int i)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    size_t length = next_random(state) % sizeof text;
    int width = (int)(next_random(state) % 90);
    switch (i % 5) {
    case 0:
        out_bytes(&out, text, length);
        at += sprintf(at, "%.*s", (int)length, text);
        break;
    case 1:
        out_blanks(&out, (size_t)width);
        at += sprintf(at, "%*s", width, "");
        break;
    case 2:
        out_count(&out, (uint64_t)i, width);
        at += sprintf(at, "%*d", width, i);
        break;
    case 3:
        out_fixed(&out, i / 7.0, width, 2);
        at += sprintf(at, "%*.2f", width, i / 7.0);
        break;
    default:
        out_char(&out, '\n');
        at += sprintf(at, "\n");
    }
}

static void test_full_buffers(void)
{
    FILE *file = tmpfile();
    char *written = calloc(ROOM, 1);
    uint64_t state = 4;
    at = expected = calloc(ROOM, 1);
    out_begin(&out, file);
    for (int i = 0; at - expected < ROOM - 1000; i++)
        write_both(&state, i);
    is_equal(out_position(&out), (unsigned long long)(at - expected), "the position");
    out_end(&out);
    rewind(file);
    size_t size = fread(written, 1, ROOM, file);
    is_equal(size, (unsigned long long)(at - expected), "all is written");
    is_true(memcmp(written, expected, size) == 0, "and right, wherever a buffer was full");
    fclose(file);
    free(written);
    free(expected);
}

/* ---- Exact numbers and JSON ---- */

static bool is_exact(double value)
{
    char text[64];
    out_exact(&out, value);
    memcpy(text, out.text, out.used);
    text[out.used] = '\0';
    out.used = 0;
    double read = strtod(text, NULL);
    bool is_same = memcmp(&read, &value, sizeof value) == 0;
    if (!is_same)
        printf("# `%s' instead of %.17g\n", text, value);
    return is_same;
}

static void test_exact(void)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},
                {1, "1"},
                {0.1, "0.1"},
                {0.01, "0.01"},
                {-2.5, "-2.5"},
                {1.45, "1.45"},
                {123456.789, "123456.789"},
                {1e-9, "0.000000001"},
                {999999999999999, "999999999999999"},
                {0.30000000000000004, "0.30000000000000004"},
                {1e15, "1000000000000000"},
                {1e300, "1e+300"}};
    uint64_t state = 11;
    bool ok = true;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        out_exact(&out, rows[i].value);
        is_true(is_written(rows[i].text), rows[i].text);
    }
    for (size_t i = tap_size(30000, 300000); i > 0; i--) {
        uint64_t bits = next_random_64(&state);
        double any,
            ratio = (double)next_random(&state) / (double)(next_random(&state) % 100000 + 1);
        memcpy(&any, &bits, sizeof any);
        ok = (!isfinite(any) || is_exact(any)) && is_exact(ratio) && ok;
        ok = is_exact((double)(next_random(&state) % 1000000) / 1000) && ok;
    }
    is_true(ok, "what is written reads back as the same number");
}

static void test_json(void)
{
    static const struct {
        const char *text, *json;
    } rows[] = {{"main", "\"main\""},
                {NULL, "null"},
                {"", "\"\""},
                {"say \"x\"\\", "\"say \\\"x\\\"\\\\\""},
                {"a\nb\x1f\x7f", "\"a\\u000ab\\u001f\\u007f\""},
                {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
                 "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
                {"\xe9", "\"\xc3\xa9\""},                        /* Latin-1 */
                {"\x80", "\"\\u0080\""},                         /* a lone continuation byte */
                {"\xc2\x80", "\"\\u0080\""},                     /* C1 */
                {"\xc0\xaf", "\"\xc3\x80\xc2\xaf\""},            /* overlong */
                {"\xe2\x82", "\"\xc3\xa2\\u0082\""},             /* cut */
                {"\xed\xa0\x80", "\"\xc3\xad\xc2\xa0\\u0080\""}, /* a surrogate */
                {"\xf5\x80\x80\x80", "\"\xc3\xb5\\u0080\\u0080\\u0080\""},
                {"\xe2\x80\xa8", "\"\\u2028\""}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        json_write_string(&out, rows[i].text);
        is_true(is_written(rows[i].json), rows[i].json);
    }
    json_write_number(&out, NAN);
    is_true(is_written("null"), "NaN");
    json_write_number(&out, INFINITY);
    is_true(is_written("null"), "infinity");
    json_write_count(&out, UINT64_MAX);
    is_true(is_written("9223372036854775807"), "counts end at 2^63 - 1");
}

int main(void)
{
    out_begin(&out, NULL);
    test_exact();
    test_json();
    test_any_fraction();
    test_usual_fractions();
    test_edges();
    test_counts();
    out_end(&out);
    test_full_buffers();
    return tap_done();
}
