/* skewed_stacks.h - one run of tests/programs/skewed.c: own times, calls, and stacks of samples. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_SKEWED_STACKS_H
#define TESTS_SKEWED_STACKS_H

#include <stdint.h>

/* From the profile: own time in ticks, calls.  */
static const struct {
    const char *name;
    double ticks;
} skewed_functions[] = {
    {"work", 894},          {"cheap", 1}, {"dear", 0}, {"inner", 251},
    {"outer", 1},           {"odd", 67},  {"even", 0}, {"quiet", 120},
    {"caller_of_quiet", 0}, {"all", 0},   {"main", 0},
};

static const struct {
    const char *caller, *callee;
    uint64_t count;
} skewed_calls[] = {
    {"cheap", "work", 6000000}, {"dear", "work", 60000},          {"inner", "work", 120000},
    {"outer", "inner", 120000}, {"odd", "even", 12000},           {"even", "work", 15000},
    {"even", "odd", 9000},      {"quiet", "work", 30000},         {"all", "cheap", 3000},
    {"all", "dear", 3000},      {"all", "outer", 3000},           {"all", "odd", 3000},
    {"all", "even", 3000},      {"all", "caller_of_quiet", 3000}, {"main", "all", 3000},
};

/* From the frame pointers at each sample, the outermost function first.  */
static const struct {
    const char *stack;
    unsigned samples;
} skewed_stacks[] = {
    {"main;all;caller_of_quiet;quiet", 120},
    {"main;all;caller_of_quiet;quiet;work", 31},
    {"main;all;cheap;work", 74},
    {"main;all;dear;work", 748},
    {"main;all;even;odd", 21},
    {"main;all;even;odd;even;odd", 10},
    {"main;all;even;work", 1},
    {"main;all;odd", 26},
    {"main;all;odd;even;odd", 10},
    {"main;all;outer", 1},
    {"main;all;outer;inner", 251},
    {"main;all;outer;inner;work", 38},
    {"main;all;outer;work", 1},
};

#endif
