/* option_errors.c - messages about the command line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/option_errors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/i18n.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "options/option_rows.h"

/* ---- Options that may have been meant ---- */

/* Long options, separated by commas.  */
struct option_list {
    char text[40 * MAX_OPTIONS];
    size_t size;
};

static void list_option(struct option_list *list, const char *name)
{
    int more = snprintf(list->text + list->size, sizeof list->text - list->size, "%s--%s",
                        list->size > 0 ? ", " : "", name);
    list->size += (size_t)more;
    if (list->size >= sizeof list->text)
        bug("too many names of options");
}

static void list_beginning(struct option_list *list, const char *name, size_t size)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].long_name != NULL && strncmp(rows[i].long_name, name, size) == 0)
            list_option(list, rows[i].long_name);
}

/* Lists the options with the fewest typing errors, if these are few enough.  */
static void list_similar(struct option_list *list, const char *name, size_t size)
{
    size_t count, least = (size + 1) / 3;
    const struct option_row *rows = option_rows(&count);
    for (size_t i = 0; i < count; i++) {
        const char *known = rows[i].long_name;
        if (known == NULL)
            continue;
        size_t distance = text_distance(name, size, known, strlen(known), least);
        if (distance > least)
            continue;
        if (distance < least)
            list->size = 0;
        least = distance;
        list_option(list, known);
    }
}

static void long_name_error(const char *word)
{
    struct option_list list = {.size = 0};
    const char *name = word + 2;
    size_t size = strcspn(name, "=");
    list_beginning(&list, name, size);
    if (list.size > 0) {
        problem(MSG_AMBIGUOUS_OPTION, word, list.text);
        return;
    }
    list_similar(&list, name, size);
    if (list.size > 0)
        problem(MSG_SIMILAR_OPTIONS, word, list.text);
    else
        problem(MSG_UNKNOWN_OPTION, word);
}

void option_error(int id, int option, const char *word)
{
    const char letter[] = {'-', (char)option, '\0'};
    bool is_long = strncmp(word, "--", 2) == 0;
    if (id == ':')
        problem(MSG_NO_ARGUMENT, is_long ? word : letter);
    else if (option == 0 && is_long)
        long_name_error(word);
    else if (option_row_find(option) != NULL)
        problem(MSG_HAS_ARGUMENT, word);
    else
        problem(MSG_INVALID_OPTION, letter);
    fprintf(stderr, _("Try '%s --help' for more information.\n"), program_name());
}

/* ---- Arguments that are not attached ---- */

static const struct option_row *find_long(const char *name)
{
    size_t count;
    const struct option_row *rows = option_rows(&count), *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].long_name == NULL || strncmp(rows[i].long_name, name, strlen(name)) != 0)
            continue;
        if (strcmp(rows[i].long_name, name) == 0)
            return &rows[i];
        if (found == NULL)
            found = &rows[i];
    }
    return found;
}

/* The last option of a word of letters; NULL if an argument follows it in the word.  */
static const struct option_row *find_last_letter(const char *letters)
{
    const struct option_row *row = NULL;
    for (; *letters != '\0'; letters++) {
        row = option_row_find((unsigned char)*letters);
        if (row == NULL || (row->argument != NONE && letters[1] != '\0'))
            return NULL;
    }
    return row;
}

/* Whether WORD ends with an option whose argument is optional and missing.  */
static bool may_have_argument(const char *word)
{
    const struct option_row *row = NULL;
    if (strncmp(word, "--", 2) == 0)
        row = word[2] != '\0' && strchr(word, '=') == NULL ? find_long(word + 2) : NULL;
    else if (word[0] == '-' && word[1] != '\0')
        row = find_last_letter(word + 1);
    return row != NULL && row->argument == OPTIONAL;
}

static bool is_operand(const char *word, char *const *operands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (operands[i] == word)
            return true;
    return false;
}

static bool is_missing(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) != 0 && errno == ENOENT;
}

bool check_operands(char *const *words, char *const *operands, size_t count)
{
    for (size_t i = 1; count > 0 && words[0] != NULL && words[i] != NULL; i++) {
        const char *word = words[i], *before = words[i - 1];
        if (i == 1 || !may_have_argument(before) || is_operand(before, operands, count) ||
            !is_operand(word, operands, count) || !is_missing(word))
            continue;
        bool is_long = strncmp(before, "--", 2) == 0;
        const char letter[] = {'-', before[strlen(before) - 1], '\0'};
        const char *option = is_long ? before : letter;
        char with_sign[100];
        snprintf(with_sign, sizeof with_sign, "%.*s%s", (int)sizeof with_sign - 2, option,
                 is_long ? "=" : "");
        return problem(MSG_DETACHED, word, strerror(ENOENT), option, with_sign, word);
    }
    return true;
}
