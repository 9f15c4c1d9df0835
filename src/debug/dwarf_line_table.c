/* dwarf_line_table.c - decodes line tables of DWARF 2 to 5.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "debug/dwarf_line_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"

enum {
    MOST_NAME = 1 << 14, /* bytes of a name; a longer one is damaged */
    MOST_FORMATS = 255
};

/* Numbers of the DWARF standard, sections 6.2 and 7.5.  */
enum {
    OP_EXTENDED,
    OP_COPY,
    OP_ADVANCE_PC,
    OP_ADVANCE_LINE,
    OP_SET_FILE,
    OP_CONST_ADD_PC = 8,
    OP_FIXED_ADVANCE_PC
};
enum { EXTENDED_END_SEQUENCE = 1, EXTENDED_SET_ADDRESS, EXTENDED_DEFINE_FILE };
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY };
enum {
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4 = 0x04,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_BLOCK1 = 0x0a,
    FORM_DATA1 = 0x0b,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_DATA16 = 0x1e,
    FORM_LINE_STRP = 0x1f
};

/* ---- Bytes ---- */

/* What is left to read.  A read beyond the end, and all after it, return 0; `ok' is then false.  */
struct cursor {
    const unsigned char *at, *end;
    bool is_big_endian, ok;
};

static bool has_left(struct cursor *c, uint64_t size)
{
    c->ok = c->ok && size <= (uint64_t)(c->end - c->at);
    return c->ok;
}

static void skip(struct cursor *c, uint64_t size)
{
    if (has_left(c, size))
        c->at += size;
}

static uint64_t read_number(struct cursor *c, unsigned size)
{
    if (!has_left(c, size))
        return 0;
    uint64_t number = number_of_bytes(c->at, size, c->is_big_endian);
    c->at += size;
    return number;
}

/* Reads a number in groups of 7 bits (LEB128), sign-extended if IS_SIGNED.  */
static uint64_t read_leb(struct cursor *c, bool is_signed)
{
    uint64_t number = 0;
    unsigned shift = 0, byte;
    do {
        byte = (unsigned)read_number(c, 1);
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0);
    if (is_signed && shift < 64 && (byte & 0x40) != 0)
        number |= UINT64_MAX << shift;
    return number;
}

static uint64_t read_unsigned(struct cursor *c)
{
    return read_leb(c, false);
}

/* A string that ends before END; NULL if there is none.  */
static const char *string_at(const unsigned char *at, const unsigned char *end)
{
    size_t left = (size_t)(end - at);
    return memchr(at, 0, left < MOST_NAME ? left : MOST_NAME) != NULL ? (const char *)at : NULL;
}

static const char *read_string(struct cursor *c)
{
    const char *string = c->ok ? string_at(c->at, c->end) : NULL;
    if (string == NULL)
        c->ok = false;
    else
        c->at += strlen(string) + 1;
    return string;
}

static const char *read_string_of(struct cursor *c, const struct line_section *section,
                                  unsigned offset_size)
{
    uint64_t offset = read_number(c, offset_size);
    const char *string = NULL;
    if (c->ok && offset < section->size)
        string = string_at(section->data + offset, section->data + section->size);
    c->ok = string != NULL;
    return string;
}

/* ---- Header ---- */

struct header {
    struct cursor names, program; /* directories and files; opcodes */
    unsigned offset_size;         /* 4 or 8 */
    unsigned unit;                /* bytes that addresses advance by */
    unsigned operations;          /* of an instruction */
    int line_base;
    unsigned line_range, opcode_base;
    const unsigned char *operands; /* how many, by standard opcode from 1 on */
};

/* A cursor over the table at OFFSET, behind its length; not ok if it does not fit.  */
static struct cursor open_table(const struct line_sections *sections, uint64_t offset,
                                unsigned *offset_size)
{
    const struct line_section *section = &sections->line;
    bool ok = section->data != NULL && offset < section->size;
    struct cursor c = {NULL, NULL, sections->is_big_endian, ok};
    if (!ok)
        return c;
    c.at = section->data + offset;
    c.end = section->data + section->size;
    uint64_t size = read_number(&c, 4);
    *offset_size = size == UINT32_MAX ? 8 : 4;
    if (*offset_size == 8)
        size = read_number(&c, 8);
    if (has_left(&c, size))
        c.end = c.at + size;
    return c;
}

uint64_t line_table_size(const struct line_sections *sections, uint64_t offset)
{
    unsigned offset_size;
    struct cursor c = open_table(sections, offset, &offset_size);
    return c.ok ? (uint64_t)(c.end - (sections->line.data + offset)) : 0;
}

static bool read_header(struct header *header, unsigned *version,
                        const struct line_sections *sections, uint64_t offset)
{
    struct cursor c = open_table(sections, offset, &header->offset_size);
    *version = (unsigned)read_number(&c, 2);
    if (*version < 2 || *version > 5)
        return false;
    if (*version == 5)
        skip(&c, 2); /* sizes of addresses and of segment selectors */
    uint64_t size = read_number(&c, header->offset_size);
    header->program = c;
    skip(&header->program, size);
    header->unit = (unsigned)read_number(&c, 1);
    header->operations = *version >= 4 ? (unsigned)read_number(&c, 1) : 1;
    skip(&c, 1); /* whether rows are statements at first */
    header->line_base = (int)(read_number(&c, 1) ^ 0x80) - 0x80; /* one byte, signed */
    header->line_range = (unsigned)read_number(&c, 1);
    header->opcode_base = (unsigned)read_number(&c, 1);
    header->operands = c.at;
    skip(&c, header->opcode_base > 0 ? header->opcode_base - 1 : 0);
    header->names = c;
    return c.ok && header->program.ok && header->operations > 0 && header->line_range > 0;
}

/* ---- Directories and files ---- */

static void add_directory(struct line_table *table, const char *name)
{
    table->directories = mem_grow(table->directories, &table->directory_capacity,
                                  table->directory_count + 1, sizeof *table->directories);
    table->directories[table->directory_count++] = name;
}

static void add_file(struct line_table *table, const char *name, uint64_t directory)
{
    table->files =
        mem_grow(table->files, &table->file_capacity, table->file_count + 1, sizeof *table->files);
    table->files[table->file_count++] = (struct line_file){name, directory};
}

/* Reads what follows the NAME of a file in DWARF 2 to 4.  */
static void read_old_file(struct line_table *table, struct cursor *c, const char *name)
{
    uint64_t directory = read_unsigned(c);
    read_unsigned(c); /* time of the last change */
    read_unsigned(c); /* size */
    if (c->ok)
        add_file(table, name, directory);
}

static bool read_old_names(struct line_table *table, struct cursor *c)
{
    const char *name;
    add_directory(table, NULL);
    add_file(table, NULL, 0); /* numbers begin with 1 */
    while ((name = read_string(c)) != NULL && name[0] != '\0')
        add_directory(table, name);
    while ((name = read_string(c)) != NULL && name[0] != '\0')
        read_old_file(table, c, name);
    return c->ok;
}

static const char *read_name(struct cursor *c, const struct line_sections *sections,
                             unsigned offset_size, uint64_t form)
{
    switch (form) {
    case FORM_STRING:
        return read_string(c);
    case FORM_LINE_STRP:
        return read_string_of(c, &sections->line_str, offset_size);
    case FORM_STRP:
        return read_string_of(c, &sections->str, offset_size);
    default:
        c->ok = false;
        return NULL;
    }
}

/* Reads a value in FORM; returns it if it is a number, else 0.  */
static uint64_t read_value(struct cursor *c, unsigned offset_size, uint64_t form)
{
    switch (form) {
    case FORM_UDATA:
        return read_unsigned(c);
    case FORM_DATA1:
        return read_number(c, 1);
    case FORM_DATA2:
        return read_number(c, 2);
    case FORM_DATA4:
        return read_number(c, 4);
    case FORM_DATA8:
        return read_number(c, 8);
    case FORM_DATA16:
        skip(c, 16);
        break;
    case FORM_BLOCK:
        skip(c, read_unsigned(c));
        break;
    case FORM_BLOCK1:
        skip(c, read_number(c, 1));
        break;
    case FORM_BLOCK2:
        skip(c, read_number(c, 2));
        break;
    case FORM_BLOCK4:
        skip(c, read_number(c, 4));
        break;
    case FORM_STRING:
        read_string(c);
        break;
    case FORM_STRP:
    case FORM_LINE_STRP:
        skip(c, offset_size);
        break;
    default:
        c->ok = false;
    }
    return 0;
}

/* Reads the directories or files of DWARF 5: a description of the fields, then the entries.  */
static bool read_new_names(struct line_table *table, struct header *header,
                           const struct line_sections *sections, bool are_files)
{
    struct cursor *c = &header->names;
    uint64_t contents[MOST_FORMATS], forms[MOST_FORMATS];
    size_t fields = (size_t)read_number(c, 1);
    for (size_t i = 0; i < fields; i++) {
        contents[i] = read_unsigned(c);
        forms[i] = read_unsigned(c);
    }
    uint64_t count = read_unsigned(c);
    c->ok = c->ok && (fields > 0 || count == 0);
    for (uint64_t n = 0; n < count && c->ok; n++) {
        struct line_file file = {NULL, 0};
        for (size_t i = 0; i < fields; i++) {
            if (contents[i] == CONTENT_PATH)
                file.name = read_name(c, sections, header->offset_size, forms[i]);
            else if (contents[i] == CONTENT_DIRECTORY)
                file.directory = read_value(c, header->offset_size, forms[i]);
            else
                read_value(c, header->offset_size, forms[i]);
        }
        if (c->ok && are_files)
            add_file(table, file.name, file.directory);
        else if (c->ok)
            add_directory(table, file.name);
    }
    return c->ok;
}

/* ---- Rows ---- */

/* The state of the machine that runs the opcodes.  */
struct machine {
    struct line_table *table;
    const struct header *header;
    struct cursor *program;
    uint64_t addr, file;
    uint32_t line;
    unsigned operation; /* number in its instruction */
    size_t sequence;    /* its first row */
};

static void begin_sequence(struct machine *m)
{
    m->addr = 0;
    m->operation = 0;
    m->file = m->line = 1;
    m->sequence = m->table->row_count;
}

static void advance(struct machine *m, uint64_t operations)
{
    const struct header *header = m->header;
    uint64_t total = m->operation + operations;
    m->addr += header->unit * (total / header->operations);
    m->operation = (unsigned)(total % header->operations);
}

/* Adds a row to the sequence.  Of several rows at one address the last counts; a row that repeats
   the one before is left out.  */
static void add_row(struct machine *m, uint32_t line, uint32_t file)
{
    struct line_table *table = m->table;
    size_t first = m->sequence;
    table->rows =
        mem_grow(table->rows, &table->row_capacity, table->row_count + 1, sizeof *table->rows);
    if (table->row_count > first && table->rows[table->row_count - 1].addr == m->addr)
        table->row_count--;
    const struct line_entry *last =
        table->row_count > first ? &table->rows[table->row_count - 1] : NULL;
    if (last != NULL && last->line == line && last->file == file)
        return;
    table->rows[table->row_count++] = (struct line_entry){m->addr, line, file};
}

/* Ends the sequence; removes it if it has no code.  */
static void end_sequence(struct machine *m)
{
    struct line_table *table = m->table;
    add_row(m, 0, 0);
    if (table->row_count <= m->sequence + 1) {
        table->row_count = m->sequence;
        return;
    }
    table->sequences = mem_grow(table->sequences, &table->sequence_capacity,
                                table->sequence_count + 1, sizeof *table->sequences);
    table->sequences[table->sequence_count++] =
        (struct line_sequence){m->sequence, table->row_count};
    m->sequence = table->row_count;
}

/* Adds a row with the machine's state.  A lower address than before begins another sequence.  */
static void copy_row(struct machine *m)
{
    struct line_table *table = m->table;
    bool has_file = m->file < m->table->file_count && m->table->files[m->file].name != NULL;
    if (table->row_count > m->sequence && table->rows[table->row_count - 1].addr > m->addr) {
        uint64_t addr = m->addr;
        m->addr = table->rows[table->row_count - 1].addr;
        end_sequence(m);
        m->addr = addr;
    }
    if (has_file && m->line != 0)
        add_row(m, m->line, (uint32_t)m->file);
    else
        add_row(m, 0, 0);
}

static void run_extended(struct machine *m)
{
    struct cursor *c = m->program;
    uint64_t size = read_unsigned(c);
    struct cursor operand = *c;
    skip(c, size);
    if (!c->ok || size == 0)
        return;
    operand.end = c->at;
    switch (read_number(&operand, 1)) {
    case EXTENDED_END_SEQUENCE:
        end_sequence(m);
        begin_sequence(m);
        break;
    case EXTENDED_SET_ADDRESS:
        c->ok = size <= 1 + sizeof m->addr;
        m->addr = read_number(&operand, (unsigned)(size - 1));
        m->operation = 0;
        break;
    case EXTENDED_DEFINE_FILE:
        read_old_file(m->table, &operand, read_string(&operand));
        break;
    default:
        break;
    }
}

static void run_standard(struct machine *m, unsigned opcode)
{
    struct cursor *c = m->program;
    const struct header *header = m->header;
    switch (opcode) {
    case OP_COPY:
        copy_row(m);
        break;
    case OP_ADVANCE_PC:
        advance(m, read_unsigned(c));
        break;
    case OP_ADVANCE_LINE:
        m->line += (uint32_t)read_leb(c, true);
        break;
    case OP_SET_FILE:
        m->file = read_unsigned(c);
        break;
    case OP_CONST_ADD_PC:
        advance(m, (255 - header->opcode_base) / header->line_range);
        break;
    case OP_FIXED_ADVANCE_PC:
        m->addr += read_number(c, 2);
        m->operation = 0;
        break;
    default: /* not needed, or unknown */
        for (unsigned i = 0; i < header->operands[opcode - 1]; i++)
            read_unsigned(c);
    }
}

static void run_special(struct machine *m, unsigned opcode)
{
    unsigned number = opcode - m->header->opcode_base, range = m->header->line_range;
    advance(m, number / range);
    m->line += (uint32_t)(m->header->line_base + (int)(number % range));
    copy_row(m);
}

/* Runs the program.  False if it is damaged; the rows before the damage stay.  */
static bool run_program(struct line_table *table, struct header *header)
{
    struct machine m = {.table = table, .header = header, .program = &header->program};
    begin_sequence(&m);
    while (m.program->ok && m.program->at < m.program->end) {
        unsigned opcode = (unsigned)read_number(m.program, 1);
        if (opcode >= header->opcode_base)
            run_special(&m, opcode);
        else if (opcode == OP_EXTENDED)
            run_extended(&m);
        else
            run_standard(&m, opcode);
    }
    if (table->row_count >
        m.sequence) { /* the last sequence has no end: takes the last row for it */
        m.addr = table->rows[table->row_count - 1].addr;
        end_sequence(&m);
    }
    return m.program->ok;
}

bool line_table_read(struct line_table *table, const struct line_sections *sections,
                     uint64_t offset)
{
    struct header header;
    table->directory_count = table->file_count = 0;
    table->row_count = table->sequence_count = 0;
    if (!read_header(&header, &table->version, sections, offset))
        return false;
    bool has_names = table->version < 5 ? read_old_names(table, &header.names)
                                        : read_new_names(table, &header, sections, false) &&
                                              read_new_names(table, &header, sections, true);
    return has_names && run_program(table, &header);
}

void line_table_free(struct line_table *table)
{
    free(table->directories);
    free(table->files);
    free(table->rows);
    free(table->sequences);
    *table = (struct line_table){0};
}
