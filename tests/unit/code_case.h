/* code_case.h - a few instructions of a processor, and what a test expects of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_CODE_CASE_H
#define TESTS_CODE_CASE_H

#include <stdlib.h>

#include "analysis/callscan.h"
#include "base/common.h"
#include "tap.h"

enum { START = 0x1000, LITTLE = 0, BIG = 1 };

struct code_case {
    const char *what;
    const char *arch;
    unsigned pointer_size;
    bool is_big_endian;
    const char *bytes; /* hexadecimal, from START on */
    const char *expected;
};

/* The bytes of TEXT in memory of exactly that size, so that sanitizers detect reading beyond.  */
static unsigned char *parse_bytes(const char *text, size_t *size)
{
    unsigned char *bytes = malloc(strlen(text) / 2 + 1), *exact;
    unsigned value;
    int used;
    *size = 0;
    while (sscanf(text, "%2x%n", &value, &used) == 1) {
        bytes[(*size)++] = (unsigned char)value;
        text += used;
    }
    exact = malloc(*size);
    memcpy(exact, bytes, *size);
    free(bytes);
    return exact;
}

/* The code of C, for free_code.  */
static struct code code_of(const struct code_case *c)
{
    struct code code = {.arch = c->arch,
                        .is_big_endian = c->is_big_endian,
                        .pointer_size = c->pointer_size,
                        .start = START};
    code.bytes = parse_bytes(c->bytes, &code.size);
    return code;
}

static void free_code(struct code *code)
{
    free((void *)code->bytes);
}

#endif
