/* memory.c - checked allocation and arenas.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/memory.h"

#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"

/* ---- Memory ---- */

static _Noreturn void die_without_memory(size_t n, size_t size)
{
    die(MSG_NO_MEMORY, n, size);
}

void mem_begin(void)
{
#ifdef HAVE_MALLOPT
    enum { LARGE_ARRAY = 4 * 1024 * 1024 }; /* bytes */
    mallopt(M_MMAP_THRESHOLD, LARGE_ARRAY);
    mallopt(M_TRIM_THRESHOLD, LARGE_ARRAY);
#endif
}

void *mem_array(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (p == NULL)
        die_without_memory(n, size);
    return p;
}

void *mem_uninitialised(size_t n, size_t size)
{
    if (n > SIZE_MAX / 2 / size)
        die_without_memory(n, size);
    void *p = malloc(n ? n * size : 1);
    if (p == NULL)
        die_without_memory(n, size);
    return p;
}

void *mem_resize(void *base, size_t n, size_t size)
{
    void *p = n > 0 && size <= SIZE_MAX / 2 / n ? realloc(base, n * size) : NULL;
    if (p == NULL)
        die_without_memory(n, size);
    return p;
}

void *mem_reorder(void *base, uint32_t *order, size_t n, size_t size)
{
    char *sorted = mem_uninitialised(n, size);
    for (size_t i = 0; i < n; i++)
        memcpy(sorted + i * size, (const char *)base + order[i] * size, size);
    free(base);
    free(order);
    return sorted;
}

char *mem_copy(const char *p, size_t n)
{
    if (n == SIZE_MAX)
        die_without_memory(n, 1);
    char *copy = malloc(n + 1);
    if (copy == NULL)
        die_without_memory(n + 1, 1);
    if (n > 0)
        memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

void *mem_grow(void *base, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return base;
    size_t larger = *capacity + *capacity / 2;
    if (larger < need)
        larger = need;
    if (larger < 16)
        larger = 16;
    if (larger > SIZE_MAX / 2 / size)
        die_without_memory(larger, size);
    void *p = realloc(base, larger * size);
    if (p == NULL)
        die_without_memory(larger, size);
    *capacity = larger;
    return p;
}

void *mem_grow_zeroed(void *base, size_t *capacity, size_t need, size_t size)
{
    size_t known = *capacity;
    char *grown = mem_grow(base, capacity, need, size);
    memset(grown + known * size, 0, (*capacity - known) * size);
    return grown;
}

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

enum { CHUNK_BYTES = 64 * 1024 - 64 };

/* Adds a chunk of SIZE bytes in front of the others.  */
static struct arena_chunk *add_chunk(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk = mem_uninitialised(sizeof *chunk + size, 1);
    *chunk = (struct arena_chunk){.next = arena->chunks, .size = size};
    arena->chunks = chunk;
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t align = _Alignof(max_align_t);
    struct arena_chunk *chunk = arena->chunks;
    if (size > SIZE_MAX / 2)
        die_without_memory(size, 1);
    size = (size + align - 1) & ~(align - 1);
    if (chunk == NULL || chunk->size - chunk->used < size)
        chunk = add_chunk(arena, size > CHUNK_BYTES ? size : CHUNK_BYTES);
    void *p = chunk->bytes + chunk->used;
    chunk->used += size;
    return p;
}

char *arena_copy(struct arena *arena, const char *p, size_t n)
{
    char *copy = arena_alloc(arena, n + 1);
    memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

char *arena_join_all(struct arena *arena, const char *const *texts)
{
    size_t size = 1;
    for (size_t i = 0; texts[i] != NULL; i++)
        size += strlen(texts[i]);
    char *joined = arena_alloc(arena, size), *at = joined;
    for (size_t i = 0; texts[i] != NULL; i++) {
        size_t length = strlen(texts[i]);
        memcpy(at, texts[i], length);
        at += length;
    }
    *at = '\0';
    return joined;
}

static bool is_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s != '\0') {
        const unsigned char *before = s;
        if (utf8_next(&s) >= 0x80 && s == before + 1)
            return false;
    }
    return true;
}

enum { ESCAPED = 4 }; /* bytes of `\x80' */

/* Writes a character; one that is a control character in Latin-1 with its number.  */
static size_t put_visible(char *to, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    if (code < 0x80 || code >= 0xA0)
        return utf8_put(to, code);
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[code / 16];
    to[3] = digits[code % 16];
    return ESCAPED;
}

const char *arena_utf8(struct arena *arena, const char *text)
{
    if (is_utf8(text))
        return text;
    const unsigned char *s = (const unsigned char *)text;
    char *copy = arena_alloc(arena, ESCAPED * strlen(text) + 1);
    size_t used = 0;
    while (*s != '\0')
        used += put_visible(copy + used, utf8_next(&s));
    copy[used] = '\0';
    return copy;
}

const char *arena_escape(struct arena *arena, const char *s)
{
    if (is_printable(s))
        return arena_copy(arena, s, strlen(s));
    size_t capacity = escaped_size(s) + LONGEST_ESCAPE;
    char *escaped = arena_alloc(arena, capacity);
    escaped[escape(escaped, capacity, &s)] = '\0';
    return escaped;
}

const char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = length > 0 ? (size_t)length + 1 : 1;
    char *text = arena_alloc(arena, size);
    text[0] = '\0';
    vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks != NULL) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}
