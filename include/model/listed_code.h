/* listed_code.h - the functions that a profile names by itself, as the code of an image.

   A profile of another profiler has names where profiles of -pg have addresses.  Each place that it
   names, a function or a line of one, gets LISTED_STEP bytes of code that does not exist.  Those of
   one function follow each other, the function as a whole first:

       address   0x1000   0x1010   0x1020   0x1030   0x1040
       place     work     work:12  work:14  main     main:30

   So one symbol is one function, and one bin of LISTED_STEP bytes one place.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_LISTED_CODE_H
#define REGPROF_MODEL_LISTED_CODE_H

#include <stddef.h>
#include <stdint.h>

enum { LISTED_START = 0x1000, LISTED_STEP = 16 }; /* address of the first place; bytes of each */
#define LISTED_ARCH "none"                        /* the processor that such code is for */

struct listed_function {
    const char *name, *object; /* object: what it is in; NULL: not known */
    uint32_t first;            /* place */
};

struct listed_place {
    uint32_t function;
    const char *file; /* NULL: not known */
    uint32_t line;    /* 0: not known; of a function as a whole, where it begins */
};

/* Owns nothing.  */
struct listed_code {
    const struct listed_function *functions;
    const struct listed_place *places;
    size_t function_count, place_count;
};

static inline uint64_t listed_address(size_t place)
{
    return LISTED_START + (uint64_t)LISTED_STEP * place;
}

/* The place at ADDR, or NULL.  */
static inline const struct listed_place *listed_place_at(const struct listed_code *code,
                                                         uint64_t addr)
{
    uint64_t place = addr >= LISTED_START ? (addr - LISTED_START) / LISTED_STEP : code->place_count;
    return place < code->place_count ? &code->places[place] : NULL;
}

#endif
