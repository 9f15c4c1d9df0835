/* fuzz.h - what the fuzz targets share.

   A target is one function that is given bytes and must come back, whatever they are.  libFuzzer
   calls it with inputs that it makes up (scripts/fuzz); replay.c calls it with files that are there
   (tests/fuzz.py), so that no finding comes back.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes that are taken from the front of an input; zeros when it is at its end.  */
struct input {
    const uint8_t *at;
    size_t left;
};
unsigned input_byte(struct input *input);
uint64_t input_number(struct input *input, unsigned size);

/* A file that holds these bytes, as a path that is good until the next call.  */
const char *fuzz_file(const void *data, size_t size);

/* Ends the process, as something that must not be is.  */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fail(#condition))
_Noreturn void fuzz_fail(const char *what);

#endif
