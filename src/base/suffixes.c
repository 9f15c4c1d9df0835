/* suffixes.c - what compilers append to names of functions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/suffixes.h"

#include <stdbool.h>
#include <string.h>

#include "base/common.h"

/* Words that compilers append to names, with a number or without.  */
static const struct suffix_word {
    const char *word;
    bool is_copy;      /* of another function of the program; else, a function of its own */
    bool stands_alone; /* can be without a number */
} suffix_words[] = {
    {"constprop", true, false}, {"isra", true, false},        {"part", true, false},
    {"clone", true, false},     {"cold", true, true},         {"localalias", true, true},
    {"_omp_fn", true, false},   {"omp_outlined", true, true}, {"lto_priv", false, true},
    {"llvm", false, false},     {"__uniq", false, false},
};

static bool is_number(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789") >= length;
}

static const struct suffix_word *find_word(const char *text, size_t length)
{
    for (size_t i = 0; i < ARRAY_LENGTH(suffix_words); i++)
        if (strlen(suffix_words[i].word) == length &&
            memcmp(suffix_words[i].word, text, length) == 0)
            return &suffix_words[i];
    return NULL;
}

/* The offset of the last dot in the first LENGTH bytes of TEXT, or LENGTH.  */
static size_t last_dot(const char *text, size_t length)
{
    for (size_t i = length; i-- > 0;)
        if (text[i] == '.')
            return i;
    return length;
}

/* The length of the first LENGTH bytes of NAME without the last suffix: `.WORD.N', `.WORD' or `.N',
   the last of which nested functions have, too.  LENGTH if there is none.  */
static size_t without_plain_suffix(const char *name, size_t length, bool *is_copy)
{
    size_t dot = last_dot(name, length), start = dot;
    if (dot == length)
        return length;
    const struct suffix_word *word = find_word(name + dot + 1, length - dot - 1);
    bool has_number = is_number(name + dot + 1, length - dot - 1);
    if (!has_number && (word == NULL || !word->stands_alone))
        return length;
    if (has_number) {
        size_t before = last_dot(name, dot);
        word = before < dot ? find_word(name + before + 1, dot - before - 1) : NULL;
        start = word != NULL ? before : dot;
    }
    *is_copy = word != NULL && word->is_copy;
    return start;
}

/* The length of NAME, of LENGTH bytes, without ` [clone .part.0]', as demanglers print a suffix, or
   LENGTH.  */
static size_t without_clone(const char *name, size_t length, bool *is_copy)
{
    static const char opening[] = " [clone ";
    size_t start = length - 1, size = sizeof opening - 1;
    while (start > 0 && name[start] != '[')
        start--;
    if (start == 0 || start - 1 + size >= length || memcmp(name + start - 1, opening, size) != 0)
        return length;
    const char *inside = name + start - 1 + size;
    size_t inside_length = length - 1 - (size_t)(inside - name);
    return without_plain_suffix(inside, inside_length, is_copy) == 0 ? start - 1 : length;
}

/* The length of NAME, raw or demangled, of LENGTH bytes, without its suffix; never 0 unless LENGTH
   is.  */
static size_t without_suffix(const char *name, size_t length, bool *is_copy)
{
    size_t rest = length;
    if (length > 0 && name[length - 1] == ']')
        rest = without_clone(name, length, is_copy);
    else if (length > 0)
        rest = without_plain_suffix(name, length, is_copy);
    return rest > 0 ? rest : length;
}

size_t name_original_length(const char *name)
{
    bool is_copy = true;
    for (size_t length = strlen(name);;) {
        size_t rest = without_suffix(name, length, &is_copy);
        if (rest == length || !is_copy)
            return length;
        length = rest;
    }
}

size_t name_plain_length(const char *name)
{
    bool is_copy;
    size_t length = strlen(name), rest;
    while ((rest = without_suffix(name, length, &is_copy)) < length)
        length = rest;
    return length;
}
