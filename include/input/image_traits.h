/* image_traits.h - what the names of an image's symbols tell about the program.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_IMAGE_TRAITS_H
#define REGPROF_INPUT_IMAGE_TRAITS_H

#include "input/image.h"

struct image_traits {
    bool has_symbols;
    bool is_program;      /* has the start-up code of a complete program */
    bool is_static;       /* a complete program that imports nothing: it needs no shared library */
    bool imports_counter; /* calls mcount or __fentry__ of a library */
    bool has_counter;     /* contains mcount or __fentry__ */
    bool is_instrumented; /* has or calls __cyg_profile_func_enter: -finstrument-functions */
    bool writes_profiles; /* has, or calls, what writes gmon.out: linked with -pg or libregmon */
    bool has_writer;      /* contains a function that writes gmon.out, called or not */
    bool has_gnu_writer;  /* contains that of the GNU C library, which only __gmon_start__ calls */
    bool is_for_musl;     /* runs with musl, whose C library does not know -pg */
    bool can_start_threads; /* by pthread_create, C11, C++ or OpenMP */
};

/* The traits of IMAGE, by the names of its symbols.  */
struct image_traits image_traits(struct image *image);

/* Whether the name of some symbol contains that of a function for profiling.  */
bool image_mentions_profiling(struct image *image);

/* What a complete program was made without: -pg for compiling, so that it counts no calls; -pg for
   linking, so that it writes no profile; or both.  GAP_NONE if nothing is missing or that is not
   known.  */
enum profiling_gap { GAP_NONE, GAP_COMPILING, GAP_LINKING, GAP_BOTH };
enum profiling_gap image_profiling_gap(const struct image_traits *traits);

/* Whether the functions of the image count calls; unknown for what is neither a complete program
   nor imports the function that -pg makes them call.  */
enum image_profiling { PROFILING_UNKNOWN, PROFILING_OFF, PROFILING_ON };
enum image_profiling image_profiling(const struct image_traits *traits);

/* Whether IMAGE was built without -pg.  */
bool image_counts_no_calls(struct image *image);

#endif
