/* symbol_files.c - reads the map of -R and the symbol table of -S.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/symbol_files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"

/* ---- Lines ---- */

/* Reads a file line by line.  */
struct line_reader {
    struct file_buffer file;
    size_t next;      /* offset of the next line */
    size_t number;    /* of the current line, from 1 */
    const char *line; /* without its newline; not terminated */
    size_t size;
};

/* Moves to the next line; false at the end of the file.  */
static bool next_line(struct line_reader *reader)
{
    if (reader->next >= reader->file.size)
        return false;
    const char *start = (const char *)reader->file.bytes + reader->next;
    size_t left = reader->file.size - reader->next;
    const char *end = memchr(start, '\n', left);
    reader->line = start;
    reader->size = end != NULL ? (size_t)(end - start) : left;
    reader->next += reader->size + 1;
    reader->number++;
    return true;
}

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

static bool is_blank_line(const struct line_reader *reader)
{
    for (size_t i = 0; i < reader->size; i++)
        if (!is_space(reader->line[i]))
            return false;
    return true;
}

/* ---- The map of object files ---- */

static const char *last_blank(const char *text, size_t size)
{
    while (size > 0)
        if (text[--size] == ' ')
            return text + size;
    return NULL;
}

/* Whether NAME equals the SIZE bytes at TEXT.  */
static bool is_equal(const char *name, const char *text, size_t size)
{
    return strlen(name) == size && memcmp(name, text, size) == 0;
}

/* Adds the function of the current line and its object.  False if the line lacks one of them.  */
static bool add_object(struct object_map *map, struct arena *names,
                       const struct line_reader *reader)
{
    const char *end = reader->line + reader->size;
    const char *colon = memchr(reader->line, ':', reader->size);
    const char *blank = colon != NULL ? last_blank(colon, (size_t)(end - colon)) : NULL;
    if (blank == NULL || colon == reader->line)
        return false;
    size_t size = (size_t)(colon - reader->line);
    const char *previous = map->count > 0 ? map->entries[map->count - 1].object : "";
    bool is_same = is_equal(previous, reader->line, size);
    map->entries = mem_grow(map->entries, &map->capacity, map->count + 1, sizeof *map->entries);
    map->entries[map->count++] =
        (struct object_entry){.function = arena_copy(names, blank + 1, (size_t)(end - blank - 1)),
                              .object = is_same ? previous : arena_copy(names, reader->line, size),
                              .is_first = !is_same};
    return true;
}

static int compare_entries(const void *context, uint32_t a, uint32_t b)
{
    const struct object_map *map = context;
    return strcmp(map->entries[a].function, map->entries[b].function);
}

static void sort_objects(struct object_map *map)
{
    uint32_t *order = identity_ids(map->count);
    sort_ids(order, map->count, compare_entries, map);
    map->entries = mem_reorder(map->entries, order, map->count, sizeof *map->entries);
    map->capacity = map->count;
}

static bool read_objects(struct object_map *map, struct arena *names, struct line_reader *reader,
                         const char *path)
{
    while (next_line(reader))
        if (!is_blank_line(reader) && !add_object(map, names, reader))
            return problem(MSG_BAD_MAP_LINE, path, reader->number);
    if (map->count == 0)
        return problem(MSG_EMPTY_MAP, path);
    sort_objects(map);
    return true;
}

bool symbol_files_read_objects(struct object_map *map, struct arena *names, const char *path)
{
    struct line_reader reader = {0};
    bool ok = read_file(&reader.file, path) && read_objects(map, names, &reader, path);
    file_buffer_free(&reader.file);
    return ok;
}

/* ---- The symbol table ---- */

/* A position in a line.  */
struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && is_space(*c->at))
        c->at++;
}

/* The value of a hexadecimal digit; 16 if C is none.  */
static unsigned hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A' + 10);
    return 16;
}

/* Reads a hexadecimal address, with or without 0x, that is followed by a blank.  */
static bool read_address(struct cursor *c, vma *addr)
{
    *addr = 0;
    skip_blanks(c);
    if (c->end - c->at > 2 && c->at[0] == '0' && (c->at[1] == 'x' || c->at[1] == 'X'))
        c->at += 2;
    const char *start = c->at;
    for (; c->at < c->end && hex_digit(*c->at) < 16; c->at++) {
        if (*addr >> 60 != 0)
            return false;
        *addr = *addr << 4 | hex_digit(*c->at);
    }
    return c->at > start && c->at < c->end && is_space(*c->at);
}

/* Reads the text up to the next blank and copies it into NAMES.  False if it is empty.  */
static bool read_name(struct cursor *c, struct arena *names, const char **name)
{
    skip_blanks(c);
    const char *start = c->at;
    while (c->at < c->end && !is_space(*c->at))
        c->at++;
    if (c->at == start)
        return false;
    *name = arena_copy(names, start, (size_t)(c->at - start));
    return true;
}

static void add_symbol(struct symbol_list *list, struct arena *names,
                       const struct line_reader *reader)
{
    struct cursor c = {reader->line, reader->line + reader->size};
    struct raw_symbol symbol = {.is_func = true, .has_function_mark = true};
    if (!read_address(&c, &symbol.addr))
        return;
    skip_blanks(&c);
    if (c.at == c.end || (*c.at != 'T' && *c.at != 't'))
        return;
    symbol.is_static = *c.at++ == 't';
    if (!read_name(&c, names, &symbol.name))
        return;
    list->symbols =
        mem_grow(list->symbols, &list->capacity, list->count + 1, sizeof *list->symbols);
    list->symbols[list->count++] = symbol;
}

bool symbol_files_read_symbols(struct symbol_list *list, struct arena *names, const char *path)
{
    struct line_reader reader = {0};
    bool ok = read_file(&reader.file, path);
    while (ok && next_line(&reader))
        add_symbol(list, names, &reader);
    file_buffer_free(&reader.file);
    if (ok && list->count == 0)
        return problem(MSG_NO_LISTED_SYMBOLS, path);
    return ok;
}
