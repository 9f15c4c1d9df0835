/* spec_nearest.c - finds names that resemble a spec.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/spec_nearest.h"

#include <string.h>

#include "base/text_match.h"

/* Bytes; longer names are not listed, because nobody types them.  */
enum { LONGEST_NAME = 100 };

/* The best names so far: smallest rank, then in alphabetical order.  */
struct ranking {
    const char *part; /* of the spec: what names are compared with */
    size_t part_size;
    size_t most; /* largest edit distance that counts as similar */
    const char *names[SPEC_NEAREST];
    size_t ranks[SPEC_NEAREST];
    size_t count;
};

/* One error for three characters; one that contains a part of three or more comes after these.  */
static struct ranking ranking_for(const char *part, size_t size)
{
    enum { MOST = 8 };
    size_t most = (size + 1) / 3;
    return (struct ranking){.part = part, .part_size = size, .most = most < MOST ? most : MOST};
}

static bool contains(const char *name, const char *part, size_t size)
{
    for (const char *at = name; size >= 3 && (at = strchr(at, part[0])) != NULL; at++)
        if (strncmp(at, part, size) == 0)
            return true;
    return false;
}

static bool is_better(const struct ranking *ranking, size_t i, size_t rank, const char *name)
{
    return rank < ranking->ranks[i] ||
           (rank == ranking->ranks[i] && strcmp(name, ranking->names[i]) < 0);
}

/* Overloaded functions have one bare name.  */
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

/* Adds NAME if it, or its raw form RAW, resembles the part.  */
static void consider(struct ranking *ranking, const char *name, const char *raw)
{
    size_t size = strnlen(name, LONGEST_NAME + 1), raw_size = strnlen(raw, LONGEST_NAME + 1);
    if (size > LONGEST_NAME)
        return;
    size_t rank = text_distance(ranking->part, ranking->part_size, name, size, ranking->most);
    if (raw != name && raw_size <= LONGEST_NAME && rank > 0) {
        size_t other =
            text_distance(ranking->part, ranking->part_size, raw, raw_size, ranking->most);
        rank = other < rank ? other : rank;
    }
    if (rank <= ranking->most || contains(name, ranking->part, ranking->part_size))
        insert(ranking, name, rank);
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
        consider(ranking, printed->names[i].bare, printed->names[i].raw);
}

/* The part of the spec that is wrong: the file if it is not known, else the name.  */
size_t spec_nearest(struct spec_names *names, const char *text, size_t size, struct arena *arena,
                    const char *nearest[SPEC_NEAREST])
{
    struct spec_parts spec = spec_parse_printed(text, size, false);
    struct spec_parts plain = spec_parse(text, size);
    if (plain.line != 0)
        return 0;
    printed_names_compute(&names->printed, names->symtab, names->demangler);
    bool is_file = spec.file != NULL && !spec_knows_file(names, spec.file, spec.file_size);
    if (spec.file == NULL && plain.file != NULL && plain.function == NULL)
        is_file = true, spec.file = plain.file, spec.file_size = plain.file_size;
    struct ranking ranking = is_file ? ranking_for(spec.file, spec.file_size)
                                     : ranking_for(spec.function, spec.function_size);
    if (is_file)
        rank_files(&ranking, names->files);
    if (!is_file || plain.file_size == size) /* a word with a dot may also be a name */
        rank_functions(&ranking, &names->printed);
    for (size_t i = 0; i < ranking.count; i++)
        nearest[i] = arena_copy(arena, ranking.names[i], strlen(ranking.names[i]));
    return ranking.count;
}
