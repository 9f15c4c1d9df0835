/* name_pattern.c - regular expressions of names that a file brings.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/name_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LONGEST_PATTERN = 1 << 12, LONGEST_MATCHED = 1 << 12 }; /* bytes */

/* Whether TEXT can be matched in time and memory that grow with its size: nothing is repeated by
   number, nor more than one character at once, and nothing refers back.  */
static bool is_simple(const char *text)
{
    char last = '(';
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '{' || (*at == '\\' && (at[1] == '\0' || strchr("0123456789", at[1]) != NULL)))
            return false;
        if (strchr("*+?", *at) != NULL && strchr(*at == '?' ? "(|?" : "(|)*+?", last) != NULL)
            return false;
        last = *at;
        if (*at == '\\') {
            at++;
            last = 'x';
        } else if (*at == '[') {
            at += at[1] == '^';
            at = at[1] != '\0' ? strchr(at + 2, ']') : NULL;
            if (at == NULL)
                return false;
            last = 'x';
        }
    }
    return strlen(text) <= LONGEST_PATTERN;
}

/* Compiles PATTERN.  If that fails, there is none.  */
static void compile(struct name_pattern *pattern)
{
    pattern->seen = 0;
    if (regcomp(&pattern->compiled, pattern->whole, REG_EXTENDED | REG_NOSUB) == 0)
        return;
    free(pattern->whole);
    pattern->whole = NULL;
}

void name_pattern_free(struct name_pattern *pattern)
{
    if (pattern->whole != NULL)
        regfree(&pattern->compiled);
    free(pattern->whole);
    *pattern = (struct name_pattern){0};
}

bool name_pattern_make(struct name_pattern *pattern, const char *text)
{
    struct arena arena = {0};
    if (!is_simple(text))
        return false;
    const char *whole = arena_join(&arena, "^(", text, ")$");
    pattern->whole = mem_copy(whole, strlen(whole));
    arena_free(&arena);
    compile(pattern);
    return pattern->whole != NULL;
}

bool name_pattern_matches(struct name_pattern *pattern, const char *text)
{
    size_t size = strlen(text);
    if (pattern->whole != NULL && pattern->seen + size > LONGEST_MATCHED) {
        regfree(&pattern->compiled);
        compile(pattern);
    }
    pattern->seen += size;
    return pattern->whole != NULL && size <= LONGEST_MATCHED &&
           regexec(&pattern->compiled, text, 0, NULL, 0) == 0;
}
