/* test_text_symbols.c - counts of symbols up to an address, against walking all of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "debug/debug_image.h"

#include <stdlib.h>

#include "tap.h"

enum { COUNT = 500, RANGE = 700 };

/* Adds symbols at random addresses below RANGE, some of them several times.  */
static void add_symbols(struct text_symbols *symbols, uint64_t *state)
{
    for (uint32_t i = 0; i < COUNT; i++)
        text_symbols_add(symbols,
                         (struct text_symbol){.addr = next_random(state) % RANGE, .number = i});
    text_symbols_sort(symbols);
}

static size_t walk(const struct text_symbols *symbols, vma addr)
{
    size_t count = 0;
    for (size_t i = 0; i < symbols->count; i++)
        count += symbols->symbols[i].addr <= addr;
    return count;
}

static void test_order(void)
{
    struct text_symbols symbols = {0};
    uint64_t state = 1;
    bool ok = true;
    add_symbols(&symbols, &state);
    for (size_t i = 1; i < symbols.count; i++) {
        const struct text_symbol *left = &symbols.symbols[i - 1], *right = &symbols.symbols[i];
        ok &=
            left->addr < right->addr || (left->addr == right->addr && left->number < right->number);
    }
    is_equal(symbols.count, COUNT, "all are there");
    is_true(ok, "by address, and at one address as they came");
    free(symbols.symbols);
}

static void test_counts(void)
{
    struct text_symbols symbols = {0};
    uint64_t state = 2;
    bool ok = true;
    add_symbols(&symbols, &state);
    for (vma addr = 0; addr <= RANGE; addr++)
        ok &= text_symbols_upto(&symbols, addr) == walk(&symbols, addr);
    is_true(ok, "asked for in ascending order");
    for (vma addr = RANGE; addr > 0; addr--)
        ok &= text_symbols_upto(&symbols, addr) == walk(&symbols, addr);
    is_true(ok, "in descending order");
    for (int i = 0; i < 5000; i++) {
        vma addr = next_random(&state) % (RANGE + 10);
        ok &= text_symbols_upto(&symbols, addr) == walk(&symbols, addr);
    }
    is_true(ok, "in any order");
    is_equal(text_symbols_upto(&symbols, UINT64_MAX), COUNT, "behind all");
    free(symbols.symbols);
}

static void test_none(void)
{
    struct text_symbols symbols = {0};
    text_symbols_sort(&symbols);
    is_equal(text_symbols_upto(&symbols, 5), 0, "of none");
    free(symbols.symbols);
}

int main(void)
{
    test_order();
    test_counts();
    test_none();
    return tap_done();
}
