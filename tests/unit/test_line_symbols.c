/* test_line_symbols.c - source lines as symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/lines.h"

#include <stdlib.h>

#include "base/memory.h"
#include "symbols/symtab.h"
#include "tap.h"

enum { TEXT_END = 0x1100 };

/* Functions f, static g, f2 at 0x1000, 0x1040, 0x1080.  */
static void make(struct symtab *table)
{
    struct symbol *symbols = mem_array(3, sizeof *symbols);
    static const char *const names[] = {"f", "g", "f2"};
    for (size_t i = 0; i < 3; i++)
        symbols[i] = (struct symbol){.addr = 0x1000 + 0x40 * i,
                                     .name = names[i],
                                     .file = NO_ID,
                                     .is_func = true,
                                     .is_static = i == 1};
    *table = (struct symtab){0};
    symtab_build_from(table, symbols, 3, TEXT_END);
}

/* Compares the table with a text: "f:10 " for a line, "f " for a function, with a star if
   static.  */
static void check(struct symtab *table, const char *expected, const char *what)
{
    char text[300];
    size_t used = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct symbol *s = &table->symbols[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", s->name,
                                 s->is_static ? "*" : "");
        if (s->is_line)
            used += (size_t)snprintf(text + used, sizeof text - used, ":%u", s->line);
        text[used++] = i + 1 < table->count ? ' ' : 0;
    }
    text[used] = 0;
    is_same_text(text, expected, what);
    symtab_free(table);
}

static void test_split(void)
{
    struct symtab table;
    static const struct line_row rows[] = {{0x1010, 0, 11, "f"}, {0x1020, 0, 11, "f"},
                                           {0x1028, 0, 12, "f"}, {0x1040, 0, 20, "g"},
                                           {0x1050, 0, 21, "g"}, {0x1060, 0, 20, "g"}};
    make(&table);
    line_symbols_split(&table, rows, 6);
    is_equal(table.symbols[1].end, 0x1027, "a run of one line is one symbol");
    check(&table, "f f:11 f:12 g* g*:21 g*:20 f2",
          "lines stand beside functions, and give way to one at their address");
}

static void test_globals(void)
{
    struct symtab table;
    static const struct line_row rows[] = {{0x1000, 0, 10, "f"}, {0x1020, 0, 11, "f"}};
    make(&table);
    line_symbols_split(&table, rows, 2);
    check(&table, "f f:11 g* f2", "a function's first line gives way to the function");
}

static void test_inherited_static(void)
{
    struct symtab table;
    static const struct line_row rows[] = {
        {0x1048, 1, 5, "inlined"}, {0x1090, 1, 6, "inlined"}, {0x1098, 1, 7, "other"}};
    make(&table);
    line_symbols_split(&table, rows, 3);
    check(&table, "f g* inlined*:5 f2 inlined*:6 other:7",
          "a line is static as the line before it of the same function is, else as what covers it");
}

static void test_none(void)
{
    struct symtab table;
    make(&table);
    line_symbols_split(&table, NULL, 0);
    check(&table, "f g* f2", "without lines the functions are left");
}

static void test_after_text(void)
{
    const struct line_row row = {0x1000, 0, 10, "f"};
    for (size_t count = 0; count < 2; count++) {
        struct symtab table = {0};
        struct symbol *symbols = mem_array(1, sizeof *symbols);
        *symbols = (struct symbol){.addr = TEXT_END + 8, .name = "data", .is_func = true};
        symtab_build_from(&table, symbols, 1, TEXT_END);
        line_symbols_split(&table, &row, count);
        check(&table, count == 0 ? "data" : "f:10",
              "a symbol after the text gives way to lines, and is left if there are none");
    }
}

int main(void)
{
    test_split();
    test_globals();
    test_inherited_static();
    test_none();
    test_after_text();
    return tap_done();
}
