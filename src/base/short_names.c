/* short_names.c - shortens C++ names, and keeps them apart.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/short_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/text.h"

/* ---- Parts of a name ---- */

static bool begins_with(const char *s, const char *word)
{
    return strncmp(s, word, strlen(word)) == 0;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Length of the `operator...' at S, which follows the character BEFORE, without parameters; 0 if
   there is none.  */
static size_t operator_at(const char *s, char before)
{
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    if (!begins_with(s, word) || is_name_char(before) || is_name_char(s[length]))
        return 0;
    if (begins_with(s + length, "()"))
        return length + 2;
    return length + strspn(s + length, "<>=+-*/%^&|~!,[]");
}

/* Brackets of a name, found in one pass, however deep they are nested.  */
struct brackets {
    const char *name;
    uint32_t *lengths; /* by offset: from an opening bracket to the end of its partner; or 0 */
    uint32_t *stack;   /* offsets of the open ones, `depth' of them */
    size_t depth;
    size_t open['{' + 1]; /* by character: how many of these are open */
};

static void open_bracket(struct brackets *brackets, uint32_t at)
{
    brackets->stack[brackets->depth++] = at;
    brackets->open[(unsigned char)brackets->name[at]]++;
}

/* Closes the innermost open bracket OPEN, if any, and drops those inside of it that are not
   closed.  */
static void close_bracket(struct brackets *brackets, char open, uint32_t at)
{
    char closed = '\0';
    while (brackets->open[(unsigned char)open] > 0 && closed != open) {
        uint32_t start = brackets->stack[--brackets->depth];
        closed = brackets->name[start];
        brackets->open[(unsigned char)closed]--;
        brackets->lengths[start] = closed == open ? at + 1 - start : 0;
    }
}

/* A `>' closes nothing in parentheses and in `->'.  */
static void read_bracket(struct brackets *brackets, uint32_t at)
{
    const char *s = brackets->name + at;
    if (*s == '<' || *s == '(' || *s == '{')
        open_bracket(brackets, at);
    else if (*s == ')')
        close_bracket(brackets, '(', at);
    else if (*s == '}')
        close_bracket(brackets, '{', at);
    else if (*s == '>' && brackets->depth > 0 && s[-1] != '-' &&
             brackets->name[brackets->stack[brackets->depth - 1]] == '<')
        close_bracket(brackets, '<', at);
}

/* The characters of an operator's name are no brackets.  */
static void find_brackets(struct brackets *brackets, const char *name)
{
    size_t length = strlen(name), i = 0;
    *brackets = (struct brackets){name,
                                  mem_array(length + 1, sizeof *brackets->lengths),
                                  mem_uninitialised(length + 1, sizeof *brackets->stack),
                                  0,
                                  {0}};
    while (i < length) {
        size_t skipped = operator_at(name + i, i > 0 ? name[i - 1] : ' ');
        if (skipped == 0)
            read_bracket(brackets, (uint32_t)i);
        i += skipped > 0 ? skipped : 1;
    }
}

static void free_brackets(struct brackets *brackets)
{
    free(brackets->lengths);
    free(brackets->stack);
}

/* Length of the bracketed text at S with both brackets; 0 if there is none.  */
static size_t bracketed(const struct brackets *brackets, const char *s)
{
    return brackets->lengths[s - brackets->name];
}

/* Length of `(anonymous namespace)' at S; 0 if S begins otherwise.  */
static size_t anonymous_at(const char *s)
{
    static const char word[] = "(anonymous namespace)";
    return begins_with(s, word) ? sizeof word - 1 : 0;
}

/* Length of `decltype (...)' at S, or of its beginning if it is not closed; 0 if S begins
 * otherwise.
 */
static size_t decltype_at(const struct brackets *brackets, const char *s)
{
    if (!begins_with(s, "decltype"))
        return 0;
    size_t length = strcspn(s, "(");
    return length + bracketed(brackets, s + length);
}

/* Where the name proper begins: after the type of the result, which only names with parameters
   have, or after words such as `vtable for'.  *KEPT is set to the length of such words.  NULL for a
   declarator such as `int (*get(int))(char)'.  */
static const char *without_result(const struct brackets *brackets, size_t *kept)
{
    const char *name = brackets->name, *start = name, *words_end = name, *s = name;
    while (*s != '\0' && operator_at(s, s == name ? ' ' : s[-1]) == 0) {
        size_t skipped = anonymous_at(s) + decltype_at(brackets, s);
        if (skipped == 0 && *s == '(')
            break;
        if (skipped == 0)
            skipped = bracketed(brackets, s);
        if (begins_with(s, " for ") || begins_with(s, " to "))
            words_end = strchr(s + 1, ' ') + 1;
        if (*s == ' ')
            start = s + 1;
        s += skipped > 0 ? skipped : 1;
    }
    if (*s == '(' && s > name && s[-1] == ' ')
        return NULL;
    *kept = (size_t)(words_end - name);
    return *s == '\0' ? words_end : start;
}

/* ---- Shortening ---- */

struct shortening {
    struct brackets brackets;
    const char *start, *from;  /* the name, and how far it has been read */
    const char *qualifier_end; /* of a leading `<T as Trait>' of Rust */
    char *to;
    bool keeps_parameters, keeps_arguments, drops_brackets;
};

static void copy(struct shortening *name, size_t length)
{
    memcpy(name->to, name->from, length);
    name->to += length;
    name->from += length;
}

static void put(struct shortening *name, const char *text, size_t skipped)
{
    memcpy(name->to, text, strlen(text));
    name->to += strlen(text);
    name->from += skipped;
}

/* Puts what stands for template arguments.  */
static void put_arguments(struct shortening *name, size_t length)
{
    if (name->drops_brackets && name->from[-1] == ' ')
        name->to--; /* of `operator< <int>' */
    put(name, name->drops_brackets ? "" : "<...>", length);
}

/* `{lambda(int)#1}' becomes `{lambda#1}'.  */
static void copy_braces(struct shortening *name, size_t length)
{
    const char *end = name->from + length;
    while (name->from < end)
        if (*name->from == '(' && !name->keeps_parameters &&
            bracketed(&name->brackets, name->from) > 0)
            name->from += bracketed(&name->brackets, name->from);
        else
            copy(name, 1);
}

/* Skips parameters and what qualifies the function.  Returns whether a part of the name follows:
   one that is local to the function, or the number of a clone.  */
static bool skip_parameters(struct shortening *name, size_t length)
{
    static const char *const qualifiers[] = {" const", " volatile", " &&", " &", " noexcept"};
    name->from += length;
    for (size_t i = 0; i < ARRAY_LENGTH(qualifiers); i++)
        if (begins_with(name->from, qualifiers[i]))
            name->from += strlen(qualifiers[i]);
    return begins_with(name->from, "::") || begins_with(name->from, " [clone ");
}

/* Reads the next part of the name; false at the end.  */
static bool step(struct shortening *name)
{
    const char *s = name->from;
    char before = s == name->start ? '\0' : s[-1];
    size_t fixed = operator_at(s, before), length = bracketed(&name->brackets, s);
    bool is_qualifier = s < name->qualifier_end;
    if (*s == '\0')
        return false;
    if (fixed == 0)
        fixed = anonymous_at(s);
    bool is_kept = (*s == '<' && s != name->start && name->keeps_arguments) ||
                   (*s == '(' && before == '.'); /* the type of a method in Go */
    if (fixed > 0)
        copy(name, fixed);
    else if (is_kept && length > 0)
        copy(name, length);
    else if (*s == '<' && length > 0 && s != name->start)
        put_arguments(name, length);
    else if (*s == '{' && length > 0)
        copy_braces(name, length);
    else if (*s == '(' && length > 0 && before != ' ' && !name->keeps_parameters && !is_qualifier)
        return skip_parameters(name, length);
    else
        copy(name, 1);
    return true;
}

static const char *shorten(struct arena *arena, const char *name, unsigned parts)
{
    static const char dots[] = "<...>";
    size_t kept = 0;
    struct shortening part = {.keeps_parameters = (parts & KEEP_PARAMETERS) != 0,
                              .keeps_arguments = (parts & KEEP_ARGUMENTS) != 0,
                              .drops_brackets = (parts & NO_BRACKETS) != 0};
    find_brackets(&part.brackets, name);
    part.start = part.from = part.qualifier_end = without_result(&part.brackets, &kept);
    if (part.start != NULL) {
        char *text = mem_uninitialised(strlen(name) * sizeof dots + 1, 1);
        if (*part.start == '<')
            part.qualifier_end += bracketed(&part.brackets, part.start);
        memcpy(text, name, kept);
        part.to = text + kept;
        while (step(&part)) {
        }
        if (part.to > text)
            name = arena_copy(arena, text, (size_t)(part.to - text));
        free(text);
    }
    free_brackets(&part.brackets);
    return name;
}

/* The bytes of NAME, of SIZE, before the version of a symbol: `memcpy' of `memcpy@@GLIBC_2.14'.  A
   version begins with a capital, unless it is the default one, which has `@@'; `puts@plt' has
   none.  */
static size_t size_without_version(const char *name, size_t size)
{
    size_t at = size;
    while (at > 0 && (is_name_char(name[at - 1]) || name[at - 1] == '.' || name[at - 1] == '-'))
        at--;
    if (at == size || at < 2 || name[at - 1] != '@')
        return size;
    if (name[at - 2] == '@' && at > 2)
        return at - 2;
    return name[at - 2] != '@' && isupper((unsigned char)name[at]) ? at - 1 : size;
}

const char *shorten_name(struct arena *arena, const char *name, unsigned parts)
{
    const char *object = name_object(name);
    size_t size = object != NULL ? (size_t)(object - name) : strlen(name);
    size_t kept = size_without_version(name, size);
    if (object == NULL && kept == size)
        return shorten(arena, name, parts);
    const char *function = arena_copy(arena, name, kept);
    return arena_join(arena, shorten(arena, function, parts), object != NULL ? object : "");
}

/* ---- Objects ---- */

const char *name_object(const char *name)
{
    static const char clone[] = " [clone ";
    size_t length = strlen(name);
    if (length == 0 || name[length - 1] != ']')
        return NULL;
    while (length > 1 && (name[length - 1] != '[' || name[length - 2] != ' '))
        length--;
    bool is_object = length > 2 && !begins_with(name + length - 2, clone);
    return is_object ? name + length - 2 : NULL;
}

/* ---- Matching ---- */

static bool matches(const regex_t *expression, const char *name)
{
    return regexec(expression, name, 0, NULL, 0) == 0;
}

bool name_matches(const regex_t *expression, const char *name, const char *file)
{
    const char *object = name_object(name);
    if (matches(expression, name))
        return true;
    if (file == NULL && object == NULL)
        return false;
    struct arena scratch = {0};
    bool ok = (file != NULL && matches(expression, arena_join(&scratch, file, ":", name))) ||
              (object != NULL &&
               matches(expression, arena_copy(&scratch, name, (size_t)(object - name))));
    arena_free(&scratch);
    return ok;
}

bool name_form_matches(const regex_t *expression, const char *name, const char *file)
{
    struct arena scratch = {0};
    bool ok = name_matches(expression, name, file) ||
              name_matches(expression, shorten_name(&scratch, name, KEEP_NOTHING), file) ||
              name_matches(expression, shorten_name(&scratch, name, NO_BRACKETS), file);
    arena_free(&scratch);
    return ok;
}

/* ---- Sets of names ---- */

static void count_form(struct string_map *forms, uint32_t **counts, size_t *capacity,
                       const char *form)
{
    uint32_t number = string_map_number(forms, form);
    *counts = mem_grow_zeroed(*counts, capacity, forms->count, sizeof **counts);
    (*counts)[number]++;
}

void short_names_add(struct short_names *names, const char *name)
{
    struct arena scratch = {0};
    size_t known = names->whole.count;
    string_map_number(&names->whole, name);
    if (names->whole.count > known) {
        count_form(&names->bare, &names->bare_counts, &names->bare_capacity,
                   shorten_name(&scratch, name, KEEP_NOTHING));
        count_form(&names->with_parameters, &names->parameter_counts, &names->parameter_capacity,
                   shorten_name(&scratch, name, KEEP_PARAMETERS));
    }
    arena_free(&scratch);
}

const char *short_names_of(struct short_names *names, struct arena *arena, const char *name)
{
    const char *form = shorten_name(arena, name, KEEP_NOTHING);
    if (names->bare_counts[string_map_number(&names->bare, form)] == 1)
        return form;
    form = shorten_name(arena, name, KEEP_PARAMETERS);
    return names->parameter_counts[string_map_number(&names->with_parameters, form)] == 1 ? form
                                                                                          : name;
}

void short_names_free(struct short_names *names)
{
    string_map_free(&names->whole);
    string_map_free(&names->bare);
    string_map_free(&names->with_parameters);
    free(names->bare_counts);
    free(names->parameter_counts);
    *names = (struct short_names){0};
}

/* ---- Parts of a name that is cut ---- */

/* Length of the separator at S, in a name whose parts are separated by `::' or, without them, as in
   Go, by slashes.  */
static size_t separator_at(const char *s, bool has_colons)
{
    if (has_colons)
        return begins_with(s, "::") ? 2 : 0;
    return *s == '/';
}

struct divisions name_divide(const char *name, size_t most)
{
    struct brackets brackets;
    struct divisions found = {NULL, name, NULL};
    const char *fits = text_character(name, text_width(name) - most), *s = name;
    bool has_colons = strstr(name, "::") != NULL;
    find_brackets(&brackets, name);
    while (*s != '\0') {
        size_t fixed = operator_at(s, s > name ? s[-1] : ' ');
        size_t inside = fixed == 0 ? bracketed(&brackets, s) : 0;
        size_t separator = fixed + inside == 0 ? separator_at(s, has_colons) : 0;
        if (separator > 0)
            found = (struct divisions){found.fitting == NULL && s >= fits ? s : found.fitting,
                                       s + separator, NULL};
        if (inside > 0 && *s != '{' && s > found.last && found.word_end == NULL)
            found.word_end = s;
        s += fixed + inside + separator > 0 ? fixed + inside + separator : 1;
        if (fixed > 0 && *s == ' ') /* a conversion: `::' may be part of its type */
            break;
    }
    if (found.word_end == NULL)
        found.word_end = name + strlen(name);
    free_brackets(&brackets);
    return found;
}

const char *last_word(const char *name, size_t *size)
{
    const struct divisions found = name_divide(name, 0);
    *size = (size_t)(found.word_end - found.last);
    return found.last;
}
