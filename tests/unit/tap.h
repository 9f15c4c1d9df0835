/* tap.h - checks of unit tests, which print the Test Anything Protocol.

   A test calls is_true and the other checks, and ends with `return tap_done ();'.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int tap_count, tap_failures;

/* The size of a test: USUAL, or FULL with CHECK_LONG=1 in the environment.  */
static inline size_t tap_size(size_t usual, size_t full)
{
    const char *is_long = getenv("CHECK_LONG");
    return is_long != NULL && *is_long != '\0' ? full : usual;
}

/* Ends a test as failed if it hangs, or a quadratic method makes it run for hours.  Tests take a
   few seconds, also on a busy machine.  */
__attribute__((constructor)) static void limit_time(void)
{
    alarm((unsigned)tap_size(600, 1800));
}

static inline bool is_true(bool passed, const char *what)
{
    printf("%sok %d - %s\n", passed ? "" : "not ", ++tap_count, what);
    tap_failures += !passed;
    fflush(stdout);
    return passed;
}

static inline bool is_equal(unsigned long long actual, unsigned long long expected,
                            const char *what)
{
    bool passed = is_true(actual == expected, what);
    if (!passed)
        printf("# %llu instead of %llu\n", actual, expected);
    return passed;
}

/* Compares all bits, because the order of floating-point operations is tested too.  */
static inline bool is_same_double(double actual, double expected, const char *what)
{
    bool passed = is_true(memcmp(&actual, &expected, sizeof actual) == 0, what);
    if (!passed)
        printf("# %.17g instead of %.17g\n", actual, expected);
    return passed;
}

static inline bool is_same_text(const char *actual, const char *expected, const char *what)
{
    bool passed = is_true(strcmp(actual, expected) == 0, what);
    if (!passed)
        printf("# `%s' instead of `%s'\n", actual, expected);
    return passed;
}

/* EXPECTED is a list such as "3,1,2".  */
static inline bool is_same_ids(const uint32_t *ids, size_t count, const char *expected,
                               const char *what)
{
    char text[4000] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? "," : "", ids[i]);
    return is_same_text(text, expected, what);
}

/* Prints the plan and what the test has cost.  Returns the exit status: under automake's driver,
   which counts the rows, 0.  */
static inline int tap_done(void)
{
    const char *slash = strrchr(__BASE_FILE__, '/');
    printf("1..%d\n# %s: %d checks, %.1f s\n", tap_count, slash != NULL ? slash + 1 : __BASE_FILE__,
           tap_count, (double)clock() / CLOCKS_PER_SEC);
    return tap_failures > 0 && getenv("UNDER_DRIVER") == NULL;
}

/* Pseudo-random numbers, the same in each run.  */
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static inline uint64_t next_random_64(uint64_t *state)
{
    uint64_t high = next_random(state);
    return high << 32 | next_random(state);
}

#endif
