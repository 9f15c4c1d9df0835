/* spelling.c - names of C++ functions without what only compilers and demanglers change.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/spelling.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/common.h"
#include "base/text.h"

/* The rest of a name, and what has been written of its spelling.  */
struct speller {
    const char *at, *end;
    char *to;
    size_t used;
};

/* ---- Words ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || ((unsigned char)c & 0x80) != 0;
}

/* The length of the word at TEXT; 0: there is none.  */
static size_t word_length(const char *text, const char *end)
{
    const char *start = text;
    while (text < end && is_word(*text))
        text++;
    return (size_t)(text - start);
}

static bool is_text(const char *text, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(text, other, length) == 0;
}

/* Whether the rest begins with TEXT: then passes over it.  */
static bool skip(struct speller *s, const char *text)
{
    return text_skip(&s->at, s->end, text);
}

static bool ends_with(const struct speller *s, const char *text)
{
    size_t length = strlen(text);
    return s->used >= length && memcmp(s->to + s->used - length, text, length) == 0;
}

/* Writes a word, with a blank only between it and another one.  */
static void write_word(struct speller *s, const char *word, size_t length)
{
    if (s->used > 0 && is_word(s->to[s->used - 1]))
        s->to[s->used++] = ' ';
    memcpy(s->to + s->used, word, length);
    s->used += length;
}

/* ---- Integer types ---- */

enum { UNSIGNED, SIGNED, LONG, SHORT, CHAR, INT, INTEGER_WORDS };

static const char *const integer_words[INTEGER_WORDS] = {"unsigned", "signed", "long",
                                                         "short",    "char",   "int"};

/* Counts the words of an integer type that the rest begins with, and passes over them.  */
static bool skip_integer(struct speller *s, unsigned counts[INTEGER_WORDS])
{
    const char *at = s->at;
    bool found = false;
    for (;;) {
        size_t length = word_length(at, s->end), i = 0;
        while (i < INTEGER_WORDS && !is_text(at, length, integer_words[i]))
            i++;
        if (i == INTEGER_WORDS)
            return found;
        counts[i]++;
        found = true;
        at += length;
        s->at = at;
        while (at < s->end && *at == ' ')
            at++;
    }
}

static void write_integer(struct speller *s, const unsigned counts[INTEGER_WORDS])
{
    bool has_size = counts[LONG] + counts[SHORT] + counts[CHAR] > 0;
    unsigned shown[INTEGER_WORDS] = {
        [UNSIGNED] = counts[UNSIGNED], [SIGNED] = counts[CHAR] > 0 ? counts[SIGNED] : 0,
        [LONG] = counts[LONG],         [SHORT] = counts[SHORT],
        [CHAR] = counts[CHAR],         [INT] = !has_size && counts[UNSIGNED] == 0};
    for (size_t i = 0; i < INTEGER_WORDS; i++)
        for (unsigned n = 0; n < shown[i]; n++)
            write_word(s, integer_words[i], strlen(integer_words[i]));
}

/* ---- Parts of names ---- */

static void spell_word(struct speller *s)
{
    size_t length = word_length(s->at, s->end);
    const char *word = s->at;
    unsigned counts[INTEGER_WORDS] = {0};
    if (skip_integer(s, counts)) {
        write_integer(s, counts);
        return;
    }
    s->at += length;
    bool is_version = is_text(word, length, "__cxx11") || is_text(word, length, "__1");
    if (is_version && ends_with(s, "std::") && skip(s, "::"))
        return;
    if (is_text(word, length, "_GLOBAL__N_1"))
        write_word(s, "{anonymous}", strlen("{anonymous}"));
    else
        write_word(s, word, length);
}

/* Passes over `[abi:cxx11]'.  */
static bool skip_tag(struct speller *s)
{
    const char *start = s->at;
    if (!skip(s, "[abi:"))
        return false;
    const char *close = memchr(s->at, ']', (size_t)(s->end - s->at));
    s->at = close != NULL ? close + 1 : start;
    return close != NULL;
}

static void spell_part(struct speller *s)
{
    if (skip_tag(s))
        return;
    if (skip(s, "(anonymous namespace)"))
        write_word(s, "{anonymous}", strlen("{anonymous}"));
    else if (skip(s, "(bool)1"))
        write_word(s, "true", strlen("true"));
    else if (skip(s, "(bool)0"))
        write_word(s, "false", strlen("false"));
    else if (is_word(*s->at))
        spell_word(s);
    else if (*s->at == ' ')
        s->at++;
    else
        s->to[s->used++] = *s->at++;
}

/* Shortens the name of strings at the end of what was written.  */
static void shorten_string(struct speller *s)
{
    static const char name[] =
        "std::basic_string<char,std::char_traits<char>,std::allocator<char>>";
    if (ends_with(s, name)) {
        s->used -= sizeof name - 1;
        write_word(s, "std::string", strlen("std::string"));
    }
}

/* The length of NAME without a hash of Rust.  */
static size_t without_hash(const char *name, size_t length)
{
    enum { DIGITS = 16, SIZE = 3 + DIGITS };
    if (length <= SIZE || memcmp(name + length - SIZE, "::h", 3) != 0)
        return length;
    for (size_t i = length - DIGITS; i < length; i++)
        if (!isxdigit((unsigned char)name[i]))
            return length;
    return length - SIZE;
}

void spell(char *to, const char *name, size_t length)
{
    struct speller s = {name, name + without_hash(name, length), to, 0};
    while (s.at < s.end) {
        spell_part(&s);
        shorten_string(&s);
    }
    to[s.used] = '\0';
}
