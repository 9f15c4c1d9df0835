/* narrow_names.c - cuts names to a width, and keeps them apart.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/narrow_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/short_names.h"
#include "base/text.h"

/* ---- Cutting ---- */

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The last MOST characters of NAME, which has more.  */
static const char *end_of(const char *name, size_t most)
{
    return text_character(name, text_width(name) - most);
}

/* The characters of TEXT from number FIRST to number END, or to its own.  */
static const char *part_of(struct arena *arena, const char *text, size_t first, size_t end)
{
    const char *start = text_character(text, first);
    return arena_copy(arena, start, (size_t)(text_character(text, end) - start));
}

/* The beginning and the end of NAME, with MOST characters of it.  */
static const char *cut_middle(struct arena *arena, const char *name, size_t most, const char *dots)
{
    return arena_join(arena, part_of(arena, name, 0, most - most / 2), dots,
                      end_of(name, most / 2));
}

/* As much of the end of a name as fits.  If its last part is too long by itself and has parameters,
   the gap is in these; in a name that has no parts, it is in the middle, before the object.  */
static const char *cut_by_width(struct arena *arena, const struct narrow_name *cut,
                                const char *dots)
{
    enum { LEAST = 4 };
    size_t kept = cut->width - text_width(dots);
    struct divisions found = name_divide(cut->name, kept);
    const char *object = name_object(cut->name);
    size_t behind = object != NULL ? text_width(object) : 0;
    if (found.last == cut->name && *found.word_end == '\0' && kept >= behind + LEAST) {
        const char *function =
            arena_copy(arena, cut->name, strlen(cut->name) - (object != NULL ? strlen(object) : 0));
        return arena_join(arena, cut_middle(arena, function, kept - behind, dots),
                          object != NULL ? object : "");
    }
    if (*found.word_end != '\0' && text_width(found.last) > kept)
        return arena_join(arena, part_of(arena, found.last, 0, kept - kept / 2), dots,
                          end_of(cut->name, kept / 2));
    return arena_join(arena, dots, end_of(cut->name, kept));
}

/* The text of a name that does not fit: its end, from a division on.  */
static const char *cut_name(struct arena *arena, const struct narrow_name *cut, const char *dots)
{
    size_t kept = cut->width - text_width(dots);
    struct divisions found = name_divide(cut->name, kept);
    if (found.fitting == NULL && text_width(found.last) <= kept)
        found.fitting = found.last;
    return found.fitting != NULL ? arena_join(arena, dots, found.fitting)
                                 : cut_by_width(arena, cut, dots);
}

/* Where a name differs from others: offsets of bytes, ascending.  */
enum { MOST_DIFFERENCES = 6 };
struct differences {
    size_t at[MOST_DIFFERENCES], count;
};

static void add_difference(struct differences *differences, size_t at)
{
    size_t i = differences->count++;
    for (; i > 0 && differences->at[i - 1] > at; i--)
        differences->at[i] = differences->at[i - 1];
    differences->at[i] = at;
}

/* Pieces of a name, in its order.  */
struct pieces {
    struct arena *arena;
    const char *text;  /* of all so far */
    const char *shown; /* the end of the last one in the name */
    const char *dots;  /* stand for what is between two */
};

/* Adds what is from START to END, without what is shown already.  A gap that is no wider than the
   dots is filled.  */
static void add_piece(struct pieces *pieces, const char *start, const char *end)
{
    bool is_near = start <= text_character(pieces->shown, text_width(pieces->dots));
    start = is_near ? pieces->shown : start;
    end = end > start ? end : start;
    pieces->text = arena_join(pieces->arena, pieces->text, is_near ? "" : pieces->dots,
                              arena_copy(pieces->arena, start, (size_t)(end - start)));
    pieces->shown = end;
}

/* Adds at most WIDTH characters with the DIFFERENCE in NAME, and none from END on: with the
   beginning of its word, if half of them are enough for that.  */
static void add_difference_piece(struct pieces *pieces, const char *name, const char *difference,
                                 const char *end, size_t width)
{
    const char *start = difference;
    while (start > name && ((unsigned char)*start & 0xC0) == 0x80)
        start--;
    while (start > name && is_name_char(start[-1]) && (size_t)(difference - start) < width / 2)
        start--;
    const char *stop = text_character(start > pieces->shown ? start : pieces->shown, width);
    add_piece(pieces, start, stop < end ? stop : end);
}

/* The text of a name with all its differences from others: the end of what is before its
   parameters, if they are there; else a piece for each, and one of the last word.  The whole name,
   if there is no room for so many.  */
static const char *cut_at_differences(struct arena *arena, const struct narrow_name *cut,
                                      const struct differences *differences, const char *dots)
{
    enum { LEAST_PIECE = 2 };
    const char *name = cut->name;
    size_t gap = text_width(dots), kept = cut->width - gap, count = differences->count;
    struct divisions found = name_divide(name, 0);
    bool has_before = name + differences->at[0] < found.last;
    bool has_behind = name + differences->at[count - 1] >= found.word_end;
    const char *with_word = arena_copy(arena, name, (size_t)(found.word_end - name));
    const char *word = with_word + (found.last - name);
    const char *fitting = text_width(with_word) > kept ? end_of(with_word, kept) : with_word;
    if (!has_behind && differences->at[0] >= (size_t)(fitting - with_word))
        return arena_join(arena, fitting > with_word ? dots : "", fitting);

    size_t gaps = gap * (count + 1 + (has_before && has_behind)), width = text_width(word);
    if (cut->width < gaps + LEAST_PIECE * (count + 1))
        return name;
    size_t room = cut->width - gaps, kept_word = room / (count + 1);
    kept_word = kept_word < width ? kept_word : width;
    room -= kept_word;
    const char *end = has_behind ? name + strlen(name) : found.word_end;
    struct pieces pieces = {arena, "", has_behind && !has_before ? found.last : name, dots};
    for (size_t i = 0; i < count; i++) {
        const char *difference = name + differences->at[i];
        if (has_behind && difference >= found.last)
            add_piece(&pieces, found.last, text_character(found.last, kept_word));
        if (difference >= pieces.shown) {
            add_difference_piece(&pieces, name, difference, end, room / (count - i));
            room -= room / (count - i);
        }
    }
    add_piece(&pieces, has_behind ? end : text_character(found.last, width - kept_word), end);
    return pieces.text;
}

/* ---- Objects of cut names ---- */

static bool fits(const struct narrow_name *name)
{
    return text_width(name->name) <= name->width;
}

/* ` [libpython3.11]' of ` [libpython3.11.so.1.0]'.  */
static const char *bare_object(struct arena *arena, const char *object)
{
    const char *end = strstr(object, ".so");
    bool is_version = end != NULL && (end[3] == '.' || end[3] == ']') && end > object + 2;
    return is_version ? arena_join(arena, arena_copy(arena, object, (size_t)(end - object)), "]")
                      : object;
}

/* Texts that stand for others: by number, the first of these, and whether there are more.  */
struct standing {
    struct string_map map;
    const char **firsts;
    bool *are_shared;
    size_t capacity, shared_capacity;
};

static void add_standing(struct standing *standing, const char *text, const char *whole)
{
    size_t known = standing->map.count;
    uint32_t n = string_map_number(&standing->map, text);
    standing->firsts = mem_grow(standing->firsts, &standing->capacity, standing->map.count,
                                sizeof *standing->firsts);
    standing->are_shared = mem_grow(standing->are_shared, &standing->shared_capacity,
                                    standing->map.count, sizeof *standing->are_shared);
    if (standing->map.count > known) {
        standing->firsts[n] = whole;
        standing->are_shared[n] = false;
    }
    standing->are_shared[n] |= strcmp(standing->firsts[n], whole) != 0;
}

static bool is_sole(struct standing *standing, const char *text)
{
    return !standing->are_shared[string_map_number(&standing->map, text)];
}

static void free_standing(struct standing *standing)
{
    string_map_free(&standing->map);
    free(standing->firsts);
    free(standing->are_shared);
}

/* NAME without its OBJECT; NULL: it has none.  */
static const char *without_object(struct arena *arena, const char *name, const char *object)
{
    return object != NULL ? arena_copy(arena, name, (size_t)(object - name)) : name;
}

/* NAME with as much of its OBJECT as fits, or without it.  */
static const char *cut_object(struct arena *arena, const struct narrow_name *name,
                              const char *function, const char *object, const char *dots)
{
    enum { LEAST = 3, BRACKETS = 3 }; /* characters; with a blank */
    size_t used = text_width(function) + BRACKETS + text_width(dots);
    if (used + LEAST > name->width)
        return function;
    const char *end = text_character(object + 2, name->width - used);
    const char *kept = arena_copy(arena, object, (size_t)(end - object));
    return arena_join(arena, function, kept, arena_join(arena, dots, "]"));
}

/* What is between the functions of NAME, if it is a chain.  */
static const char *separator_of(const char *name, const char *dots)
{
    bool is_ascii = strcmp(dots, "...") == 0;
    const char *down = is_ascii ? CHAIN_ASCII : CHAIN_UTF8;
    const char *up = is_ascii ? CHAIN_UP_ASCII : CHAIN_UP_UTF8;
    return strstr(name, up) != NULL ? up : down;
}

/* Where the last function of the chain NAME begins; NAME itself if it is none.  */
static const char *last_of_chain(const char *name, const char *dots)
{
    const char *separator = separator_of(name, dots), *next;
    while ((next = strstr(name, separator)) != NULL)
        name = next + strlen(separator);
    return name;
}

/* The first COUNT of PARTS, with SEPARATOR behind each, and how many functions follow.  */
static const char *join_chain(struct arena *arena, const char *const *parts, size_t count,
                              const char *separator, size_t left_out)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = arena_join(arena, text, parts[i], separator);
    return arena_join(arena, text, arena_format(arena, "(%zu)", left_out));
}

/* Leaves functions of the chain NAME out until it fits.  Of calls, the last one stays: `a > b > (4)
   > z' becomes `a > (5) > z', then `(6) > z'; of callers, the first one: `a < b < (5)', `a < (6)'.
 */
static void shorten_chain(struct narrow_name *name, const char *dots, struct arena *arena)
{
    enum { MOST = 4 };
    const char *separator = separator_of(name->name, dots), *parts[MOST], *at = name->name, *end;
    bool is_up = strcmp(separator, CHAIN_UP_ASCII) == 0 || strcmp(separator, CHAIN_UP_UTF8) == 0;
    size_t count = 0, left_out = 0, size = strlen(separator);
    for (; count + 1 < MOST && (end = strstr(at, separator)) != NULL; at = end + size)
        parts[count++] = arena_copy(arena, at, (size_t)(end - at));
    if (count > 0 && parts[count - 1][0] == '(') {
        char *close;
        left_out = strtoul(parts[count - 1] + 1, &close, 10);
        if (strcmp(close, ")") == 0)
            count--;
        else
            left_out = 0;
    }
    while (count > 0 && !is_up && !fits(name)) {
        const char *text = join_chain(arena, parts, --count, separator, ++left_out);
        name->name = arena_join(arena, text, separator, at);
    }
    if (!is_up || count == 0 || fits(name))
        return;
    name->name = join_chain(arena, parts, count, separator, ++left_out);
    while (count > 1 && !fits(name))
        name->name = join_chain(arena, parts, --count, separator, ++left_out);
}

/* Shortens NAME, which has an OBJECT; MAY_GO: no other function has this name without it.  In a
   chain, the object goes before functions do.  */
static void shorten_whole(struct narrow_name *name, const char *object, bool may_go,
                          const char *dots, struct arena *arena)
{
    const char *function = without_object(arena, name->name, name_object(name->name));
    bool is_chain = last_of_chain(function, dots) != function;
    name->name = arena_join(arena, function, object);
    if (fits(name))
        return;
    if (may_go)
        name->name = is_chain ? function : cut_object(arena, name, function, object, dots);
    if (is_chain)
        shorten_chain(name, dots, arena);
}

/* Shortens objects and chains, as narrow_names says.  */
static void shorten_wholes(struct narrow_name *names, size_t count, const char *dots,
                           struct arena *arena)
{
    struct standing objects = {{0}, NULL, NULL, 0, 0}, functions = {{0}, NULL, NULL, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const char *object = name_object(names[i].name);
        const char *last = last_of_chain(names[i].name, dots);
        add_standing(&functions, without_object(arena, last, object), last);
        if (object != NULL)
            add_standing(&objects, bare_object(arena, object), object);
    }
    for (size_t i = 0; i < count; i++) {
        const char *object = name_object(names[i].name);
        const char *last = last_of_chain(names[i].name, dots);
        bool may_go = is_sole(&functions, without_object(arena, last, object));
        if (object == NULL) {
            shorten_chain(&names[i], dots, arena);
            continue;
        }
        const char *bare = bare_object(arena, object);
        shorten_whole(&names[i], is_sole(&objects, bare) ? bare : object, may_go, dots, arena);
    }
    free_standing(&objects);
    free_standing(&functions);
}

/* ---- Sets of cut names ---- */

/* The names that have one text.  */
struct same_text {
    const char *name; /* of the first */
    size_t prefix;    /* bytes that all begin with */
    bool is_shared;   /* by different names */
};

static size_t common_prefix(const char *a, const char *b, size_t most)
{
    size_t i = 0;
    while (i < most && a[i] == b[i])
        i++;
    return i;
}

/* Cuts names whose texts others have, too, in another way: in round 0, to as much of the end as
   fits; then at one more difference from one other at least, with those before; at last, not at
   all. Returns whether there were any.  */
static bool cut_shared(struct narrow_name *names, size_t count, struct differences *differences,
                       size_t round, const char *dots, struct arena *arena)
{
    struct string_map map = {0};
    struct same_text *texts = NULL;
    size_t capacity = 0;
    bool has_any = false;
    uint32_t *numbers = mem_uninitialised(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        size_t known = map.count;
        uint32_t n = numbers[i] = string_map_number(&map, names[i].text);
        texts = mem_grow(texts, &capacity, map.count, sizeof *texts);
        if (map.count > known)
            texts[n] = (struct same_text){names[i].name, strlen(names[i].name), false};
        else if (strcmp(texts[n].name, names[i].name) != 0) {
            texts[n].prefix = common_prefix(texts[n].name, names[i].name, texts[n].prefix);
            has_any = texts[n].is_shared = true;
        }
    }
    for (size_t i = 0; i < count && has_any; i++) {
        if (!texts[numbers[i]].is_shared || names[i].text == names[i].name)
            continue;
        if (round > 0 && round <= MOST_DIFFERENCES)
            add_difference(&differences[i], texts[numbers[i]].prefix);
        names[i].text = round == 0 ? cut_by_width(arena, &names[i], dots)
                        : round <= MOST_DIFFERENCES
                            ? cut_at_differences(arena, &names[i], &differences[i], dots)
                            : names[i].name;
    }
    string_map_free(&map);
    free(texts);
    free(numbers);
    return has_any;
}

void narrow_names(struct narrow_name *names, size_t count, const char *dots, struct arena *arena)
{
    struct differences *differences = mem_array(count, sizeof *differences);
    bool all_fit = true;
    for (size_t i = 0; i < count; i++)
        all_fit = all_fit && fits(&names[i]);
    if (!all_fit)
        shorten_wholes(names, count, dots, arena);
    for (size_t i = 0; i < count; i++)
        names[i].text = fits(&names[i]) ? names[i].name : cut_name(arena, &names[i], dots);
    for (size_t round = 0; cut_shared(names, count, differences, round, dots, arena); round++) {
    }
    free(differences);
}
