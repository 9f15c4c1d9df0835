/* fuzz.h - functions for several fuzz targets.

   A target is a function that receives bytes and must return normally, whatever they are. libFuzzer
   calls it with generated inputs (scripts/fuzz); replay.c calls it with files (tests/fuzz.py), so
   that fixed bugs stay fixed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads values from the front of an input; zeros after its end.  */
struct input {
    const uint8_t *at;
    size_t left;
};
unsigned input_byte(struct input *input);
uint64_t input_number(struct input *input, unsigned size);

/* The path of a file with these bytes, valid until the next call.  */
const char *fuzz_file(const void *data, size_t size);

/* Ends the process if CONDITION is false.  */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fail(#condition))
_Noreturn void fuzz_fail(const char *what);

#endif
