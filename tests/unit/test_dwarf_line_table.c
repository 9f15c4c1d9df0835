/* test_dwarf_line_table.c - line tables: sequences, the header of each version, and damage.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "debug/dwarf_line_table.h"

#include <string.h>

#include "tap.h"

enum { OPCODE_BASE = 13, LINE_BASE = 0xfb /* -5 */, LINE_RANGE = 14 };

/* The bytes of a table as they are put together, little-endian.  */
struct builder {
    unsigned char bytes[1024];
    size_t size;
};

static void put(struct builder *b, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        b->bytes[b->size++] = (unsigned char)(number >> 8 * i);
}

static void put_text(struct builder *b, const char *text)
{
    memcpy(b->bytes + b->size, text, strlen(text) + 1);
    b->size += strlen(text) + 1;
}

static void set(struct builder *b, size_t at, uint64_t number)
{
    for (size_t i = 0; i < 4; i++)
        b->bytes[at + i] = (unsigned char)(number >> 8 * i);
}

static void put_names(struct builder *b, unsigned version)
{
    if (version < 5) {
        put_text(b, "include");
        put(b, 0, 1);
        put_text(b, "one.c");
        put(b, 0, 3); /* directory, time, size */
        put_text(b, "two.h");
        put(b, 1, 3);
        put(b, 0, 1);
        return;
    }
    put(b, 0x080101, 3); /* one field: a path, as a string */
    put(b, 2, 1);
    put_text(b, "/work");
    put_text(b, "include");
    put(b, 0x0b02080102, 5); /* a path, and a directory as a byte */
    put(b, 3, 1);
    put_text(b, "one.c");
    put(b, 0, 1);
    put_text(b, "one.c");
    put(b, 0, 1);
    put_text(b, "two.h");
    put(b, 1, 1);
}

/* Begins a table up to its program.  */
static void begin(struct builder *b, unsigned version)
{
    static const unsigned char operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    *b = (struct builder){.size = 4};
    put(b, version, 2);
    if (version == 5)
        put(b, 8, 2); /* bytes of an address, none of a segment */
    size_t length = b->size;
    put(b, 0, 4);
    put(b, 1, 1); /* bytes of an instruction */
    if (version >= 4)
        put(b, 1, 1); /* operations of an instruction */
    put(b, 1, 1);
    put(b, LINE_BASE, 1);
    put(b, LINE_RANGE, 1);
    put(b, OPCODE_BASE, 1);
    for (size_t i = 0; i < sizeof operands; i++)
        put(b, operands[i], 1);
    put_names(b, version);
    set(b, length, b->size - length - 4);
}

static void set_address(struct builder *b, uint64_t addr)
{
    put(b, 0x020900, 3);
    put(b, addr, 8);
}

/* Adds LINES to the line and BYTES to the address, and a row.  */
static void put_row(struct builder *b, int lines, unsigned bytes)
{
    put(b, (unsigned)(lines + 5) + LINE_RANGE * bytes + OPCODE_BASE, 1);
}

static void end_sequence(struct builder *b, unsigned bytes)
{
    put(b, 2, 1);
    put(b, bytes, 1);
    put(b, 0x010100, 3);
}

static struct line_sections sections_of(struct builder *b)
{
    set(b, 0, b->size - 4);
    return (struct line_sections){.line = {b->bytes, b->size}};
}

static bool read_into(struct line_table *table, struct builder *b)
{
    struct line_sections sections = sections_of(b);
    return line_table_read(table, &sections, 0);
}

static void test_version(unsigned version)
{
    struct builder b;
    struct line_table table = {0};
    begin(&b, version);
    set_address(&b, 0x1000);
    put_row(&b, 2, 0);  /* line 3 */
    put_row(&b, 0, 4);  /* the same */
    put(&b, 0x0204, 2); /* file 2 */
    put_row(&b, 8, 3);
    end_sequence(&b, 5);
    struct line_sections sections = sections_of(&b);
    is_equal(line_table_size(&sections, 0), b.size, "the size");
    is_true(line_table_read(&table, &sections, 0), "a table is read");
    is_equal(table.version, version, "its version");
    is_equal(table.row_count, 3, "rows that repeat a line are left out");
    is_equal(table.rows[0].addr, 0x1000, "the first address");
    is_equal(table.rows[0].line, 3, "the first line");
    is_equal(table.rows[0].file, 1, "the first file");
    is_equal(table.rows[1].addr, 0x1007, "the second address");
    is_equal(table.rows[1].line, 11, "the second line");
    is_equal(table.rows[1].file, 2, "the second file");
    is_equal(table.rows[2].addr, 0x100c, "the end");
    is_equal(table.rows[2].line, 0, "where there is no line");
    is_equal(table.sequence_count, 1, "one sequence");
    is_equal(table.file_count, 3, "files");
    is_true(strcmp(table.files[2].name, "two.h") == 0, "the name of a file");
    is_true(strcmp(table.directories[table.files[2].directory], "include") == 0, "its directory");
    is_true(version == 5 || table.directories[0] == NULL, "the directory of compilation");
    is_true(version == 5 || table.files[0].name == NULL, "no file 0 before DWARF 5");
    line_table_free(&table);
}

/* What libdw does not tell apart: the last row of the second sequence has no code and stands at the
   address where the first begins.  */
static void test_sequences(void)
{
    struct builder b;
    struct line_table table = {0};
    begin(&b, 4);
    set_address(&b, 0x2000);
    put_row(&b, 1, 0);
    end_sequence(&b, 8);
    set_address(&b, 0x1ff0);
    put_row(&b, 5, 0);
    put_row(&b, 7, 16);
    end_sequence(&b, 0);
    set_address(&b, 0x3000);
    put_row(&b, 1, 0);
    end_sequence(&b, 0); /* no code at all */
    is_true(read_into(&table, &b), "sequences are read");
    is_equal(table.sequence_count, 2, "those with code");
    is_equal(table.rows[table.sequences[0].first].line, 2, "the first row of one");
    is_equal(table.rows[table.sequences[1].first].line, 6, "and of the other");
    is_equal(table.rows[table.sequences[1].end - 1].addr, 0x2000, "where that ends");
    is_equal(table.rows[table.sequences[1].end - 1].line, 0, "without its last line");
    line_table_free(&table);
}

static void test_odd_programs(void)
{
    struct builder b;
    struct line_table table = {0};
    begin(&b, 3);
    set_address(&b, 0x1000);
    put_row(&b, 1, 0);
    put_row(&b, 1, 0);  /* the last of one address counts */
    put(&b, 0x0903, 2); /* lines: + 9 */
    put(&b, 1, 1);
    put(&b, 0x001009, 3); /* addresses: + 16 */
    put_row(&b, 0, 0);
    put(&b, 8, 1); /* as opcode 255 advances: by 17 */
    put(&b, 0x6304, 2);
    put_row(&b, 0, 0); /* file 99, which is not there */
    set_address(&b, 0x800);
    put(&b, 0x0104, 2);
    put_row(&b, 0, 0); /* back: another sequence */
    end_sequence(&b, 4);
    is_true(read_into(&table, &b), "odd programs are read");
    is_equal(table.rows[0].line, 12, "rows at one address");
    is_equal(table.rows[1].addr, 0x1021, "constant and fixed advances");
    is_equal(table.rows[1].line, 0, "a file that is not there has no lines");
    is_equal(table.sequence_count, 2, "addresses that descend begin a sequence");
    is_equal(table.rows[table.sequences[1].first].addr, 0x800, "there");
    line_table_free(&table);
}

/* Whatever is cut or changed, reading ends inside of the bytes, and a table that is cut is damaged.
 */
static void test_damage(unsigned version)
{
    struct builder b;
    struct line_table table = {0};
    bool is_noticed = true;
    begin(&b, version);
    set_address(&b, 0x1000);
    put_row(&b, 2, 0);
    end_sequence(&b, 5);
    struct line_sections whole = sections_of(&b);
    for (size_t size = 0; size < b.size; size++) {
        struct line_sections sections = {.line = {b.bytes, size}};
        is_noticed = is_noticed && !line_table_read(&table, &sections, 0) &&
                     line_table_size(&sections, 0) == 0;
    }
    is_true(is_noticed, "a table that is cut");
    for (size_t i = 0; i < b.size; i++)
        for (unsigned change = 1; change < 256; change++) {
            b.bytes[i] ^= (unsigned char)change;
            line_table_read(&table, &whole, 0);
            b.bytes[i] ^= (unsigned char)change;
        }
    is_true(line_table_read(&table, &whole, 0), "the same table again");
    is_equal(table.row_count, 2, "has its rows");
    is_true(!line_table_read(&table, &whole, b.size), "there is none behind the end");
    line_table_free(&table);
}

int main(void)
{
    for (unsigned version = 2; version <= 5; version++) {
        test_version(version);
        test_damage(version);
    }
    test_sequences();
    test_odd_programs();
    return tap_done();
}
