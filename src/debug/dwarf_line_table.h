/* dwarf_line_table.h - line tables of DWARF 2 to 5, decoded in the order of their sequences.

   libdw decodes line tables, too, but sorts the rows of all sequences by address.  That loses which
   rows at one address end a sequence and which begin the next: a row without code at the end of one
   function would be taken for the beginning of another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_DWARF_LINE_TABLE_H
#define REGPROF_DEBUG_DWARF_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_section {
    const unsigned char *data; /* NULL = there is none */
    size_t size;
};

/* The sections with line tables and the strings that these refer to.  */
struct line_sections {
    struct line_section line, line_str, str; /* .debug_line, .debug_line_str, .debug_str */
    bool is_big_endian;
};

struct line_file {
    const char *name; /* in a section; NULL if the number is not used */
    uint64_t directory;
};

/* Code from `addr' to the address of the next row comes from this line.  */
struct line_entry {
    uint64_t addr;
    uint32_t line; /* 0: none */
    uint32_t file; /* number, 0 without a line */
};

/* Rows [first, end) by ascending address.  The last says where the code ends.  */
struct line_sequence {
    size_t first, end;
};

/* Zeroed = new.  */
struct line_table {
    unsigned version;
    const char **directories; /* by number; 0: of compilation, NULL if the table lacks it */
    size_t directory_count, directory_capacity;
    struct line_file *files; /* by number */
    size_t file_count, file_capacity;
    struct line_entry *rows; /* no two of a sequence at one address */
    size_t row_count, row_capacity;
    struct line_sequence *sequences;
    size_t sequence_count, sequence_capacity;
};

/* The size in bytes of the table at OFFSET of .debug_line; 0 if it does not fit.  Decoding takes
   time and memory in proportion.  */
uint64_t line_table_size(const struct line_sections *sections, uint64_t offset);

/* Decodes the table at OFFSET of .debug_line.  Replaces what was in TABLE, and reuses its memory.
   False if it is damaged; TABLE then has what comes before the damage.  */
bool line_table_read(struct line_table *table, const struct line_sections *sections,
                     uint64_t offset);

void line_table_free(struct line_table *table);

#endif
