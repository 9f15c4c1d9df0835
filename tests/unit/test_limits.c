/* test_limits.c - limits of arrays and formats: exceeding one prints a message, and the status
   is 1.

   `test_limits speak' shows the messages.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/annotate.h"
#include "base/common.h"
#include "base/hash.h"
#include "program/write_sum.h"
#include "symbols/symtab.h"
#include "tap.h"

enum { MOST = UINT32_MAX - 1 };

/* An index with 2^32 empty slots, which are only read; without slots if the address space is too
   small.  */
static struct hash_index vast_index(void)
{
    struct hash_index index = {.bits = 32, .key = 1};
    void *slots = mmap(NULL, sizeof *index.slots << index.bits, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    index.slots = slots != MAP_FAILED ? slots : NULL;
    return index;
}

static bool too_many_arcs(void)
{
    struct pair_map map = {.count = MOST, .next = MOST, .index = vast_index()};
    if (map.index.slots == NULL)
        return false;
    pair_map_number(&map, 1, 2);
    return true;
}

static bool too_many_counts(void)
{
    struct pair_counts counts = {.count = MOST, .index = vast_index()};
    if (counts.index.slots == NULL)
        return false;
    pair_counts_add(&counts, 1, 2, 3);
    return true;
}

static bool too_many_names(void)
{
    struct string_map map = {.count = MOST, .index = vast_index()};
    if (map.index.slots == NULL)
        return false;
    string_map_number(&map, "name");
    return true;
}

static bool too_many_symbols(void)
{
    struct symtab table = {0};
    symtab_build_from(&table, NULL, NO_ID, 0);
    return true;
}

static bool too_many_blocks(void)
{
    struct symbol symbol = {.is_func = true};
    struct profile profile = {.symtab = {.symbols = &symbol, .count = 1}};
    struct source_line line = {.line = 1};
    struct source source = {.line_end = 1, .text_lines = 1};
    struct annotation annotation = {
        .sources = &source, .count = 1, .lines = &line, .line_count = 1, .count_count = UINT32_MAX};
    const struct annotate_rules rules = {0};
    annotate_count(&annotation, &profile, &rules);
    return true;
}

static bool fits(uint32_t bin_count, const char *dimension, bool has_blocks)
{
    uint32_t bins[1] = {0};
    struct histogram histogram = {.high = 2, .bin_count = bin_count, .bins = bins};
    struct hist_set set = {.hists = &histogram, .count = 1, .rate = 100, .abbreviation = 's'};
    struct address_totals sum = {.blocks = {.count = has_blocks}};
    strcpy(set.dimension, dimension);
    return sum_fits(&set, &sum, GMON_BSD, "sum");
}

static bool too_large(void)
{
    exit(fits(UINT32_MAX, "seconds", false) ? 0 : 1);
}

static bool other_dimension(void)
{
    exit(fits(1, "hits", false) ? 0 : 1);
}

static bool has_blocks(void)
{
    exit(fits(1, "seconds", true) ? 0 : 1);
}

/* The calls of one arc.  */
static bool fits_calls(uint64_t count)
{
    struct pair pair = {1, 2};
    struct hist_set set = {0};
    struct address_totals sum = {.arcs = {.pairs = &pair, .count = 1}, .arc_counts = &count};
    return sum_fits(&set, &sum, GMON_MAGIC, "sum");
}

static const uint64_t most_calls = UINT64_C(1) << 52;

static bool too_many_calls(void)
{
    exit(fits_calls(most_calls + (UINT64_C(1) << 32)) ? 0 : 1);
}

/* So many elements of 4 bytes that their size wraps around to 4.  */
static const size_t wrapping = SIZE_MAX / 4 + 2;

static bool wrapping_array(void)
{
    exit(mem_uninitialised(wrapping, 4) != NULL ? 0 : 2);
}

static bool wrapping_resize(void)
{
    exit(mem_resize(NULL, wrapping, 4) != NULL ? 0 : 2);
}

static bool wrapping_growth(void)
{
    size_t capacity = 0;
    exit(mem_grow(NULL, &capacity, wrapping, 4) != NULL ? 0 : 2);
}

static bool wrapping_copy(void)
{
    exit(mem_copy("", SIZE_MAX) != NULL ? 0 : 2);
}

static bool wrapping_arena(void)
{
    struct arena arena = {0};
    exit(arena_alloc(&arena, SIZE_MAX - 3) != NULL ? 0 : 2);
}

static const struct {
    const char *what;
    bool (*ask)(void); /* exits with the status; returns only if it cannot be tested */
} limits[] = {{"arcs", too_many_arcs},
              {"counts of arcs", too_many_counts},
              {"names", too_many_names},
              {"symbols", too_many_symbols},
              {"basic blocks", too_many_blocks},
              {"bins for a BSD file", too_large},
              {"a dimension that BSD files do not have", other_dimension},
              {"blocks, which BSD files do not have", has_blocks},
              {"calls of one arc", too_many_calls},
              {"elements of an array", wrapping_array},
              {"elements of an array that is made larger", wrapping_resize},
              {"elements of a growing array", wrapping_growth},
              {"bytes of a copy", wrapping_copy},
              {"bytes in an arena", wrapping_arena}};

enum { CANNOT_ASK = 77 };

/* The exit status of a process that exceeds limit NUMBER.  */
static int ask(size_t number, bool is_silent)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (is_silent)
            (void)!freopen("/dev/null", "w", stderr);
        _exit(limits[number].ask() ? 0 : CANNOT_ASK);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return CANNOT_ASK;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    bool is_speaking = argc > 1 && strcmp(argv[1], "speak") == 0;
    for (size_t i = 0; i < ARRAY_LENGTH(limits); i++) {
        fflush(stdout);
        int status = ask(i, !is_speaking);
        if (status == CANNOT_ASK)
            printf("ok %d - %s # SKIP no room for the question\n", ++tap_count, limits[i].what);
        else
            is_equal((unsigned long long)status, EXIT_FAILURE, limits[i].what);
    }
    is_true(fits_calls(most_calls), "2^52 calls of one arc are not too many");
    return tap_done();
}
