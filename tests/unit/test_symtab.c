/* test_symtab.c - the symbol table: its symbols, their order, and look-up by address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/memory.h"
#include "symbols/symtab.h"

#include <stdlib.h>

#include "tap.h"

enum { TEXT_END = 0x2000 };
static const struct symtab_rules plain = {.text_end = TEXT_END};

static bool is_wanted(const char *name, bool has_function_mark, struct symtab_rules rules)
{
    struct raw_symbol raw = {
        .name = name, .is_static = true, .has_function_mark = has_function_mark};
    return symtab_is_wanted(&raw, &rules);
}

static void test_names(void)
{
    static const struct {
        const char *name;
        bool is_wanted;
    } names[] = {
        {"f", true},
        {"", false},
        {"f.0", true},
        {"f.12.3", true},
        {"f.clone.1", true},
        {"f.constprop.2", true},
        {"f.clone.1.2", true},
        {"f.isra.0", false},
        {"f.cold", false},
        {"f.", true},
        {"f.12.", true},
        {"f..", false},
        {"f.1x", false},
        {"f.clone.", false},
        {"f$g", false},
        {".text", false},
        {"__gnu_compiled_c", false},
        {"___gnu_compiled", false},
        {"__gnu", true},
        {"_f", true},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char what[80];
        snprintf(what, sizeof what, "a label `%s' is %sa symbol", names[i].name,
                 names[i].is_wanted ? "" : "not ");
        is_true(is_wanted(names[i].name, false, plain) == names[i].is_wanted, what);
    }
    is_true(is_wanted("f.isra.0", true, plain), "a static function counts whatever its name");
}

static void test_rules(void)
{
    struct raw_symbol global = {.name = "x$y"};
    struct symtab_rules no_static = {.no_static = true}, functions_only = {.functions_only = true};
    struct symtab_rules leading = {.leading_char = '_'};
    is_true(symtab_is_wanted(&global, &no_static), "-a keeps globals of any name");
    is_true(!is_wanted("f", true, no_static), "-a drops static functions");
    is_true(!is_wanted("f", false, functions_only), "-D drops static labels");
    is_true(is_wanted("f", true, functions_only), "-D keeps static functions");
    is_true(symtab_is_wanted(&global, &functions_only), "-D keeps global labels");
    is_true(!is_wanted("f", false, leading) && is_wanted("_f", false, leading),
            "a static label bears the leading character");
}

/* ---- Order, and symbols at one address ---- */

static void build(struct symtab *table, const struct raw_symbol *raw, size_t count)
{
    *table = (struct symtab){0};
    symtab_build(table, raw, count, NULL, &plain);
}

/* Builds a table from two symbols at one address; returns the name of the one that is kept.  */
static const char *survivor(struct raw_symbol first, struct raw_symbol second)
{
    struct raw_symbol raw[] = {first, second};
    struct symtab table;
    raw[0].addr = raw[1].addr = 0x1000;
    build(&table, raw, 2);
    const char *name = table.count == 1 ? table.symbols[0].name : "(not one)";
    symtab_free(&table);
    return name;
}

static struct raw_symbol function(const char *name)
{
    return (struct raw_symbol){.name = name, .is_func = true, .has_function_mark = true};
}

static struct raw_symbol label(const char *name)
{
    return (struct raw_symbol){.name = name};
}

static struct raw_symbol local(struct raw_symbol symbol)
{
    symbol.is_static = true;
    return symbol;
}

static void test_survivors(void)
{
    is_same_text(survivor(function("a"), function("b")), "a", "of equals the first survives");
    is_same_text(survivor(local(function("a")), function("b")), "b", "a global beats a static");
    is_same_text(survivor(function("a"), local(function("b"))), "a", "... in either order");
    is_same_text(survivor(label("a"), function("b")), "b", "a function beats a label");
    is_same_text(survivor(local(function("a")), label("b")), "b",
                 "a global label beats a static function");
    is_same_text(survivor(function("_a"), function("b")), "b", "no underscore beats one");
    is_same_text(survivor(function("__a"), function("_b")), "_b", "one underscore beats two");
    is_same_text(survivor(function("_a"), function("__b")), "_a", "two do not beat one");
    is_same_text(survivor(function("_a"), function("_b")), "_a", "of one each the first survives");
    is_same_text(survivor(function("__a"), function("b")), "b", "none beats two");
}

static void test_order(void)
{
    struct raw_symbol raw[] = {function("c"), function("a"), label("l"), function("b")};
    struct symtab table;
    raw[0].addr = 0x1fff;
    raw[1].addr = 0x1000;
    raw[2].addr = 0x1001;
    raw[3].addr = 0x1800;
    build(&table, raw, 4);
    is_equal(table.count, 4, "all of them");
    is_same_text(table.symbols[0].name, "a", "by address");
    is_same_text(table.symbols[3].name, "c", "to the last");
    is_equal(table.symbols[0].end, 0x1000, "a symbol ends before the next");
    is_equal(table.symbols[2].end, 0x1ffe, "however far that is");
    is_equal(table.symbols[3].end, TEXT_END - 1, "the last ends with the text");
    is_equal(symtab_function(&table, 1), 0, "a label belongs to the function before it");
    is_equal(symtab_function(&table, 2), 2, "a function to itself");
    symtab_free(&table);
}

static void test_no_function(void)
{
    struct raw_symbol raw[] = {label("l"), function("f")};
    struct symtab table;
    raw[0].addr = 0x1000;
    raw[1].addr = 0x1010;
    build(&table, raw, 2);
    is_equal(symtab_function(&table, 0), NO_ID, "a label before all functions has none");
    symtab_free(&table);
}

static void test_leading_char(void)
{
    struct raw_symbol raw[] = {function("_main"), function("plain")};
    struct symtab_rules rules = {.text_end = TEXT_END, .leading_char = '_'};
    struct symtab table = {0};
    raw[0].addr = 0x1000;
    raw[1].addr = 0x1010;
    symtab_build(&table, raw, 2, NULL, &rules);
    is_same_text(table.symbols[0].name, "main", "the leading character is taken off");
    is_same_text(table.symbols[1].name, "plain", "where it is");
    symtab_free(&table);
}

/* ---- Look-up ---- */

static uint32_t find_plainly(const struct symtab *table, vma addr)
{
    uint32_t found = NO_ID;
    for (uint32_t i = 0; i < table->count; i++)
        if (table->symbols[i].addr <= addr && addr <= table->symbols[i].end)
            found = i;
    return found;
}

/* Symbols for callers outside and for indirect callees: look-ups are as before, up to the end of
   the last symbol, which is longer than a bucket.  */
static void test_pseudo(void)
{
    for (size_t count = 1; count < 20; count++) {
        struct symbol *symbols = mem_array(count, sizeof *symbols);
        struct symtab table = {0};
        for (size_t i = 0; i < count; i++)
            symbols[i] = (struct symbol){.addr = 0x100 + 8 * i, .name = "f", .is_func = i % 2 == 0};
        vma end = 0x100 + 8 * count + 0x101;
        symtab_build_from(&table, symbols, count, end);
        bool ok = symtab_outside(&table) == NO_ID && symtab_indirect_target(&table) == NO_ID;
        ok = ok && symtab_add_indirect_target(&table, "indirect") == count;
        symtab_add_outside(&table);
        ok = ok && table.count == count + 2 && symtab_outside(&table) == count + 1 &&
             symtab_indirect_target(&table) == count;
        for (vma a = 0xf0; a < end + 0x20; a++)
            ok = ok && symtab_find(&table, a) == find_plainly(&table, a) &&
                 (a < end || symtab_find(&table, a) == NO_ID);
        ok = ok && symtab_function(&table, (uint32_t)count) == count &&
             symtab_function(&table, (uint32_t)count + 1) == count + 1;
        is_true(ok, "pseudo symbols are not found by address");
        symtab_free(&table);
    }
}

static void test_look_up(void)
{
    enum { COUNT = 500 };
    struct symbol *symbols = mem_array(COUNT, sizeof *symbols);
    struct symtab table = {0};
    vma addr = 0x100;
    for (size_t i = 0; i < COUNT; i++) {
        symbols[i] = (struct symbol){.addr = addr, .name = "f", .is_func = true};
        addr += i % 7 == 0 ? 1 : i % 50 == 3 ? 3000 : i % 13 + 1;
    }
    symtab_build_from(&table, symbols, COUNT, addr);
    bool ok = true;
    for (vma a = 0; a < addr + 100; a++)
        ok = ok && symtab_find(&table, a) == find_plainly(&table, a);
    is_true(ok, "every address is looked up right");
    is_equal(symtab_find(&table, UINT64_MAX), NO_ID, "nobody covers the last address");
    symtab_free(&table);
}

static void test_extremes(void)
{
    struct symtab table = {0};
    symtab_build_from(&table, mem_array(0, sizeof(struct symbol)), 0, TEXT_END);
    is_equal(symtab_find(&table, 5), NO_ID, "an empty table covers nothing");
    symtab_free(&table);
    struct symbol *symbols = mem_array(2, sizeof *symbols);
    symbols[0] = (struct symbol){.addr = 0, .name = "low"};
    symbols[1] = (struct symbol){.addr = 0xffffffffffff0000, .name = "high"};
    symtab_build_from(&table, symbols, 2, 0xffffffffffff1000);
    is_equal(symtab_find(&table, 0), 0, "the first address has a symbol");
    is_equal(symtab_find(&table, 0x7fffffffffffffff), 0, "and so has one far from it");
    is_equal(symtab_find(&table, 0xffffffffffff0fff), 1, "and one near the end");
    is_equal(symtab_find(&table, 0xffffffffffff1000), NO_ID, "but not one behind it");
    symtab_free(&table);
}

int main(void)
{
    test_names();
    test_rules();
    test_survivors();
    test_order();
    test_no_function();
    test_leading_char();
    test_pseudo();
    test_look_up();
    test_extremes();
    return tap_done();
}
