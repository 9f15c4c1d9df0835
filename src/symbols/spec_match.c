/* spec_match.c - finds the symbols that a spec matches, or else similar names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "symbols/spec_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/short_names.h"
#include "base/suffixes.h"
#include "base/text.h"

/* ---- Names of symbols ---- */

void spec_names_free(struct spec_names *names)
{
    printed_names_free(&names->printed);
}

/* ---- Parsing ---- */

static const char *last_colon(const char *text, size_t size)
{
    while (size > 0)
        if (text[--size] == ':')
            return text + size;
    return NULL;
}

struct spec_parts spec_parse(const char *text, size_t size)
{
    struct spec_parts spec = {0};
    const char *colon = last_colon(text, size), *rest = text;
    if (colon != NULL) {
        if (colon > text)
            spec.file = text, spec.file_size = (size_t)(colon - text);
        rest = colon + 1;
    } else if (memchr(text, '.', size) != NULL) {
        spec.file = text, spec.file_size = size;
        return spec;
    }
    size_t rest_size = size - (size_t)(rest - text);
    if (rest_size > 0 && isdigit((unsigned char)*rest))
        spec.line = strtoul(rest, NULL, 10);
    else if (rest_size > 0)
        spec.function = rest, spec.function_size = rest_size;
    return spec;
}

/* The first colon without another one beside it, or NULL.  */
static const char *single_colon(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] != ':')
            continue;
        if (i + 1 == size || text[i + 1] != ':')
            return text + i;
        while (i + 1 < size && text[i + 1] == ':')
            i++;
    }
    return NULL;
}

/* The parts of a spec of SIZE bytes with a printed name: FILE:NAME, divided at the first colon that
   is not part of `::', or, if IS_WHOLE, all of it as a name.  Printed names may have colons and
   dots.  */
static struct spec_parts spec_parse_printed(const char *text, size_t size, bool is_whole)
{
    struct spec_parts spec = {.function = text, .function_size = size};
    const char *colon = is_whole ? NULL : single_colon(text, size);
    if (colon == NULL || colon + 1 == text + size)
        return spec;
    if (colon > text)
        spec.file = text, spec.file_size = (size_t)(colon - text);
    spec.function = colon + 1;
    spec.function_size = size - (size_t)(spec.function - text);
    return spec;
}

/* ---- Comparing ---- */

/* What names a spec is compared with, and how.  COPIES: those that the compiler made of functions.
 */
enum comparison { RAW_NAMES, PRINTED_NAMES, ENDS, WILDCARDS, COPIES };

static bool is_equal(const char *name, const char *part, size_t size)
{
    return size > 0 && name[0] == part[0] && strncmp(name, part, size) == 0 && name[size] == '\0';
}

/* Whether the brackets in PART are closed in it, those of parameters at least.  */
static bool has_whole_brackets(const char *part, size_t size)
{
    long depth = 0;
    for (size_t i = 0; i < size && depth >= 0; i++)
        depth += (part[i] == '(') - (part[i] == ')');
    return depth == 0;
}

/* Whether NAME ends in PART, or PART and ` const', behind what separates the parts of a name in
   some language.  */
static bool is_end(const char *name, const char *part, size_t size)
{
    size_t length = strlen(name), qualifier = strlen(" const");
    if (size > 0 && part[size - 1] == ')' && length > qualifier &&
        strcmp(name + length - qualifier, " const") == 0)
        length -= qualifier;
    return size > 0 && length > size && memcmp(name + length - size, part, size) == 0 &&
           strchr(":./#", name[length - size - 1]) != NULL && has_whole_brackets(part, size);
}

static bool matches_text(const char *name, const char *part, size_t size, enum comparison how)
{
    if (how == ENDS)
        return is_end(name, part, size);
    return how == WILDCARDS ? text_matches(part, size, name) : is_equal(name, part, size);
}

/* Whether NAME matches PART, or is PART and ` const'.  */
static bool matches_signature(const char *name, const char *part, size_t size, enum comparison how)
{
    return matches_text(name, part, size, how) ||
           (how != ENDS && size > 0 && part[size - 1] == ')' && strncmp(name, part, size) == 0 &&
            strcmp(name + size, " const") == 0);
}

/* Whether NAME is PART, but for what says that the compiler made a copy of the function.  */
static bool is_original(const char *name, const char *part, size_t size)
{
    return name_original_length(name) == size && memcmp(name, part, size) == 0;
}

/* Whether NAME, or a short form of it, ends in PART, or is PART without template arguments or the
   version of a symbol.  What says that the compiler made a copy of the function does not matter.
 */
static bool matches_short_end(const char *name, const char *part, size_t size)
{
    struct arena scratch = {0};
    if (is_original(name, part, size))
        return true;
    const char *clone = strstr(name, " [clone ");
    if (strpbrk(name, "(<@") == NULL)
        return false;
    if (clone != NULL)
        name = arena_copy(&scratch, name, (size_t)(clone - name));
    const char *words = shorten_name(&scratch, name, NO_BRACKETS);
    bool ok = is_end(words, part, size) || is_equal(words, part, size) ||
              (clone != NULL && is_end(name, part, size)) ||
              is_end(shorten_name(&scratch, name, KEEP_ARGUMENTS), part, size) ||
              is_end(shorten_name(&scratch, name, KEEP_NOTHING), part, size);
    arena_free(&scratch);
    return ok;
}

/* The size of PART without OBJECT, which it may end in; NULL: none.  */
static size_t without_object(const char *part, size_t size, const char *object)
{
    size_t length = object != NULL ? strlen(object) : 0;
    bool has_object =
        length > 0 && size > length && memcmp(part + size - length, object, length) == 0;
    return has_object ? size - length : size;
}

static bool matches_function(const struct spec_names *names, const struct spec_parts *spec,
                             size_t symbol, enum comparison how)
{
    const char *part = spec->function, *raw = names->symtab->symbols[symbol].name;
    const char *object = name_object(raw);
    size_t size = without_object(part, spec->function_size, object);
    if (how == RAW_NAMES)
        return object == NULL ? is_equal(raw, part, size)
                              : size == (size_t)(object - raw) && memcmp(raw, part, size) == 0;
    if (how == COPIES && names->printed.names == NULL)
        return is_original(raw, part, size);
    const struct printed_name *name = printed_name_of(&names->printed, symbol);
    if (how == COPIES)
        return is_original(name->whole, part, size);
    if (matches_text(name->raw, part, size, how))
        return true;
    if (how == ENDS && matches_short_end(name->whole, part, size))
        return true;
    return name->brief != name->raw && (matches_signature(name->whole, part, size, how) ||
                                        matches_signature(name->signature, part, size, how) ||
                                        matches_text(name->bare, part, size, how) ||
                                        matches_text(name->brief, part, size, how));
}

static bool matches(const struct spec_names *names, const struct spec_parts *spec, size_t symbol,
                    enum comparison how)
{
    const struct symbol *known = &names->symtab->symbols[symbol];
    if (spec->file != NULL &&
        (known->file == NO_ID ||
         !matches_text(path_base(names->files->paths[known->file]), spec->file, spec->file_size,
                       how == ENDS ? PRINTED_NAMES : how)))
        return false;
    if (spec->line != 0 && known->line != spec->line)
        return false;
    return spec->function == NULL || matches_function(names, spec, symbol, how);
}

static bool *find(const struct spec_names *names, const struct spec_parts *spec,
                  enum comparison how)
{
    bool *has = NULL;
    for (size_t s = 0; s < names->symtab->count; s++) {
        if (!matches(names, spec, s, how))
            continue;
        if (has == NULL)
            has = mem_array(names->symtab->count, sizeof *has);
        has[s] = true;
    }
    return has;
}

/* Adds copies of functions to those that HAS marks, as comparisons have one row for both.  */
static void add_copies(bool *has, const struct spec_names *names, const struct spec_parts *spec)
{
    for (size_t s = 0; s < names->symtab->count && spec->function != NULL; s++)
        has[s] |= matches(names, spec, s, COPIES);
}

bool *spec_match(struct spec_names *names, const char *text, size_t size, bool may_be_end)
{
    const struct spec_parts readings[] = {spec_parse(text, size),
                                          spec_parse_printed(text, size, true),
                                          spec_parse_printed(text, size, false)};
    enum { READINGS = sizeof readings / sizeof *readings };
    bool *has = find(names, &readings[0], RAW_NAMES);
    if (has == NULL)
        printed_names_compute(&names->printed, names->symtab, names->demangler);
    enum comparison last = text_has_wildcards(text, size) ? WILDCARDS : ENDS;
    for (enum comparison how = PRINTED_NAMES; how <= last && has == NULL; how++)
        for (size_t i = 0; i < READINGS && has == NULL && (how != ENDS || may_be_end); i++)
            has = find(names, &readings[i], how);
    for (size_t i = 0; i < READINGS && has != NULL && may_be_end; i++)
        add_copies(has, names, &readings[i]);
    return has;
}

bool spec_has_position(const char *text, size_t size)
{
    struct spec_parts plain = spec_parse(text, size);
    return plain.line != 0 || (plain.file != NULL && plain.function == NULL) ||
           spec_parse_printed(text, size, false).file != NULL;
}

/* Whether a file with this base name has symbols.  */
static bool spec_knows_file(const struct spec_names *names, const char *file, size_t size)
{
    for (size_t i = 0; i < names->files->count; i++)
        if (is_equal(path_base(names->files->paths[i]), file, size))
            return true;
    return false;
}

/* ---- Similar names ---- */

/* Bytes; longer names are not listed, because nobody types them.  */
enum { LONGEST_NAME = 100 };

/* What names are compared with.  */
struct wanted {
    const char *text;
    size_t size;
    size_t most; /* largest edit distance that counts as similar */
};

/* Allows one error for three characters.  */
static struct wanted wanted_text(const char *text, size_t size)
{
    enum { MOST = 8 };
    size_t most = (size + 1) / 3;
    return (struct wanted){text, size, most < MOST ? most : MOST};
}

/* The best names so far: smallest rank, then in alphabetical order.  */
struct ranking {
    struct wanted part; /* of the spec */
    struct wanted word; /* the last one in it */
    const char *names[SPEC_NEAREST];
    size_t ranks[SPEC_NEAREST];
    size_t count;
};

/* Names that contain a part of three characters or more rank after similar ones.  The word of the
   part is in ARENA.  */
static struct ranking ranking_for(const char *part, size_t size, struct arena *arena)
{
    size_t word_size;
    const char *word = last_word(arena_copy(arena, part, size), &word_size);
    return (struct ranking){.part = wanted_text(part, size), .word = wanted_text(word, word_size)};
}

static bool contains(const char *name, const char *part, size_t size)
{
    for (const char *at = name; size >= 3 && *at != '\0'; at++)
        if (strncasecmp(at, part, size) == 0)
            return true;
    return false;
}

static bool is_better(const struct ranking *ranking, size_t i, size_t rank, const char *name)
{
    return rank < ranking->ranks[i] ||
           (rank == ranking->ranks[i] && strcmp(name, ranking->names[i]) < 0);
}

/* Whether NAME is in the list: overloaded functions have one bare name.  */
static bool is_listed(const struct ranking *ranking, const char *name)
{
    for (size_t i = 0; i < ranking->count; i++)
        if (strcmp(ranking->names[i], name) == 0)
            return true;
    return false;
}

static void insert(struct ranking *ranking, const char *name, size_t rank)
{
    size_t at = ranking->count;
    if (is_listed(ranking, name))
        return;
    while (at > 0 && is_better(ranking, at - 1, rank, name))
        at--;
    if (at == SPEC_NEAREST)
        return;
    if (ranking->count < SPEC_NEAREST)
        ranking->count++;
    for (size_t i = ranking->count - 1; i > at; i--) {
        ranking->names[i] = ranking->names[i - 1];
        ranking->ranks[i] = ranking->ranks[i - 1];
    }
    ranking->names[at] = name;
    ranking->ranks[at] = rank;
}

/* The edit distance of SIZE bytes at NAME from WANTED; SIZE_MAX if they are not similar.  */
static size_t rank_of(const struct wanted *wanted, const char *name, size_t size)
{
    size_t rank = text_distance(wanted->text, wanted->size, name, size, wanted->most);
    return rank <= wanted->most ? rank : SIZE_MAX;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The rank of the last word of NAME, behind what separates words in some language.  */
static size_t rank_of_word(const struct ranking *ranking, const char *name)
{
    size_t size;
    const char *word = last_word(name, &size);
    size_t rank = rank_of(&ranking->word, word, size);
    for (size_t i = 0; i < size; i++)
        if (strchr(".#", word[i]) != NULL)
            rank = smaller(rank, rank_of(&ranking->word, word + i + 1, size - i - 1));
    return rank;
}

/* Adds NAME if it, its last word, or its raw form RAW, resembles the part.  */
static void consider(struct ranking *ranking, const char *name, const char *raw)
{
    const struct wanted *part = &ranking->part;
    size_t size = strnlen(name, LONGEST_NAME + 1), raw_size = strnlen(raw, LONGEST_NAME + 1);
    if (size > LONGEST_NAME)
        return;
    size_t rank = smaller(rank_of(part, name, size), rank_of_word(ranking, name));
    if (raw != name && raw_size <= LONGEST_NAME)
        rank = smaller(rank, rank_of(part, raw, raw_size));
    if (rank != SIZE_MAX || contains(name, part->text, part->size))
        insert(ranking, name, smaller(rank, part->most + 1));
}

static void rank_files(struct ranking *ranking, const struct files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const char *base = path_base(files->paths[i]);
        consider(ranking, base, base);
    }
}

static void rank_functions(struct ranking *ranking, const struct printed_names *printed)
{
    for (size_t i = 0; i < printed->count; i++)
        consider(ranking,
                 strlen(printed->names[i].bare) > LONGEST_NAME ? printed->names[i].brief
                                                               : printed->names[i].bare,
                 printed->names[i].raw);
}

/* The part of the spec that is wrong: the file if it is not known, else the name.  */
size_t spec_nearest(struct spec_names *names, const char *text, size_t size, struct arena *arena,
                    const char *nearest[SPEC_NEAREST])
{
    struct spec_parts spec = spec_parse_printed(text, size, false);
    struct spec_parts plain = spec_parse(text, size);
    struct arena scratch = {0};
    if (plain.line != 0)
        return 0;
    printed_names_compute(&names->printed, names->symtab, names->demangler);
    bool is_file = spec.file != NULL && !spec_knows_file(names, spec.file, spec.file_size);
    if (spec.file == NULL && plain.file != NULL && plain.function == NULL)
        is_file = true, spec.file = plain.file, spec.file_size = plain.file_size;
    struct ranking ranking = is_file ? ranking_for(spec.file, spec.file_size, &scratch)
                                     : ranking_for(spec.function, spec.function_size, &scratch);
    if (is_file)
        rank_files(&ranking, names->files);
    if (!is_file || plain.file_size == size) /* a word with a dot may also be a name */
        rank_functions(&ranking, &names->printed);
    for (size_t i = 0; i < ranking.count; i++)
        nearest[i] = arena_copy(arena, ranking.names[i], strlen(ranking.names[i]));
    arena_free(&scratch);
    return ranking.count;
}
