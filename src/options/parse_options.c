/* parse_options.c - reads the command line, and says what is wrong with it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/parse_options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <libiberty.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "export/formats.h"
#include "options/help.h"
#include "options/option_rows.h"

/* ---- Similar options ---- */

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

/* Lists the options that differ from NAME by the fewest typing errors, if that is few enough.  */
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
    char format[20];
    snprintf(format, sizeof format, "%.*s", (int)size, name);
    list_beginning(&list, name, size);
    if (export_format_find(format) != NULL) {
        problem(MSG_FORMAT_OPTION, word, format);
        return;
    }
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

/* Prints a message about an error that getopt_long found, with the options that may have been
   meant, and how to get help.  ID is `:' if an argument is missing.  OPTION is optopt: the letter;
   0 for a long name that is unknown or ambiguous; or the id of an option without argument that was
   given one.  WORD is the last word that getopt_long has read to its end: not the current word if
   more letters follow in it.  */
static void option_error(int id, int option, const char *word)
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

/* ---- Detached arguments ---- */

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

/* Whether WORD may be the argument of ROW.  */
static bool is_possible(const char *word, const struct option_row *row)
{
    bool is_number = strcmp(row->argument_name, "N") == 0 || row->id == 'd';
    return !is_number || isdigit((unsigned char)word[0]) || word[0] == '-';
}

/* Whether WORD ends with an option whose argument is optional, missing, and may be NEXT.  */
static bool may_have_argument(const char *word, const char *next)
{
    const struct option_row *row = NULL;
    if (strncmp(word, "--", 2) == 0)
        row = word[2] != '\0' && strchr(word, '=') == NULL ? find_long(word + 2) : NULL;
    else if (word[0] == '-' && word[1] != '\0')
        row = find_last_letter(word + 1);
    return row != NULL && row->argument == OPTIONAL && is_possible(next, row);
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

/* Checks that no operand is a missing file that may be the argument of the option before it, as in
   `-p main': an optional argument must be attached.  WORDS is the command line, which ends with
   NULL; its elements include the COUNT OPERANDS.  False after a message.  */
static bool check_operands(char *const *words, char *const *operands, size_t count)
{
    for (size_t i = 1; count > 0 && words[0] != NULL && words[i] != NULL; i++) {
        const char *word = words[i], *before = words[i - 1];
        if (i == 1 || !may_have_argument(before, word) || is_operand(before, operands, count) ||
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

/* ---- Parsing ---- */

/* The rows as getopt_long reads them: a string of letters and a list of long names.  */
struct getopt_tables {
    char letters[3 * MAX_OPTIONS + 2];
    struct option names[2 * MAX_OPTIONS + 1];
    size_t name_count;
    struct arena arena; /* for abbreviations */
};

static void add_name(struct getopt_tables *tables, const char *name, const struct option_row *row)
{
    if (tables->name_count == 2 * MAX_OPTIONS)
        bug("too many names of options");
    tables->names[tables->name_count++] = (struct option){name, (int)row->argument, NULL, row->id};
}

/* The only one of GNU gprof's options whose name begins with the first LENGTH bytes of WORD; NULL
   if there is none or more than one.  */
static const struct option_row *abbreviated(const char *word, size_t length)
{
    size_t count;
    const struct option_row *rows = option_rows(&count), *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].long_name == NULL || !option_row_is_gnu(&rows[i]) ||
            strncmp(rows[i].long_name, word, length) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = &rows[i];
    }
    return found;
}

/* Adds the abbreviations that GNU gprof accepts and that also begin an option of our own, as names
   that mean GNU's option: getopt_long prefers whole names.  */
static void add_abbreviations(struct getopt_tables *tables, const char *own_name)
{
    for (size_t length = 1; own_name[length - 1] != '\0'; length++) {
        const struct option_row *row = abbreviated(own_name, length);
        if (row != NULL)
            add_name(tables, arena_copy(&tables->arena, own_name, length), row);
    }
}

static void build_tables(struct getopt_tables *tables)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    char *letter = tables->letters;
    *letter++ = ':'; /* getopt prints no messages */
    for (size_t i = 0; i < count; i++) {
        const struct option_row *row = &rows[i];
        if (row->id > 0 && row->id < 256) {
            *letter++ = (char)row->id;
            for (enum argument colons = row->argument; colons > 0; colons--)
                *letter++ = ':';
        }
        if (row->long_name != NULL)
            add_name(tables, row->long_name, row);
    }
    for (size_t i = 0; i < count; i++)
        if (rows[i].long_name != NULL && !option_row_is_gnu(&rows[i]))
            add_abbreviations(tables, rows[i].long_name);
    *letter = '\0';
    tables->names[tables->name_count] = (struct option){0};
}

static enum options_status parse_all(struct options *options, const struct getopt_tables *tables,
                                     int argc, char **argv)
{
    opterr = 0;
    for (;;) {
        int id = getopt_long(argc, argv, tables->letters, tables->names, NULL);
        if (id == -1)
            return OPTIONS_RUN;
        if (id == '?' || id == ':') {
            option_error(id, optopt, argv[optind - 1]);
            return OPTIONS_BAD;
        }
        if (id == 'h' || id == 'v' || id == 'V') {
            if (id == 'h')
                help_print(stdout);
            else
                help_print_version();
            return OPTIONS_DONE;
        }
        const struct option_row *row = option_row_find(id);
        unsigned reports = (unsigned)(row->group & GROUP_REPORTS);
        options->given[id] = true;
        options->reports_named |= reports;
        options->reports_on |= reports;
        if (row->action != NULL && !row->action(options, row, optarg))
            return OPTIONS_BAD;
    }
}

static void set_operands(struct options *options, char **operands, int count)
{
    static const char *const default_profiles[] = {"gmon.out"};
    options->inputs.image = count > 0 ? operands[0] : "a.out";
    options->inputs.operands = (const char *const *)operands;
    options->inputs.operand_count = (size_t)count;
    if (count > 1) {
        options->inputs.profiles = (const char *const *)(operands + 1);
        options->inputs.profile_count = (size_t)count - 1;
    } else if (options->inputs.list == NULL) {
        options->inputs.profiles = default_profiles;
        options->inputs.profile_count = ARRAY_LENGTH(default_profiles);
    }
}

static bool reads_stdin(const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], "-") == 0)
            return true;
    return false;
}

/* Checks that at most one of base and profiles is standard input.  False after a message.  */
static bool check_stdin(const struct options *options)
{
    const struct compare_options *compare = &options->compare;
    const struct input_options *inputs = &options->inputs;
    if (compare->base == NULL)
        return true;
    bool is_base = strcmp(compare->base, "-") == 0 ||
                   reads_stdin(compare->profiles.texts, compare->profiles.count);
    bool is_profile = reads_stdin(inputs->profiles, inputs->profile_count) ||
                      (inputs->list != NULL && strcmp(inputs->list, "-") == 0);
    return !is_base || !is_profile || problem(MSG_STDIN_TWICE);
}

/* The words in their order on the command line, before getopt_long moves the operands to the end.
   Ends with NULL; on the heap.  */
static char **copy_words(int argc, char **argv)
{
    char **words = mem_array((size_t)argc + 1, sizeof *words);
    for (int i = 0; i < argc; i++)
        words[i] = argv[i];
    return words;
}

enum options_status parse_options(struct options *options, int argc, char **argv)
{
    char **given = argv;
    *options =
        (struct options){.style = {.width = 80, .table_length = 10, .min_count = 1},
                         .inputs = {.recurses = true},
                         .analysis = {.is_demangled = true},
                         .top = {.min_share = -1},
                         .compare = {.rules = {.alpha = 0.05},
                                     .gate = {.seconds = NAN, .alpha = 0.05, .scope = SCOPE_BOTH}}};
    expandargv(&argc, &argv);
    if (argv != given)
        options->arguments = argv;
    struct getopt_tables tables = {0};
    build_tables(&tables);
    char **words = copy_words(argc, argv);
    enum options_status status = parse_all(options, &tables, argc, argv);
    arena_free(&tables.arena);
    if (status == OPTIONS_RUN)
        set_operands(options, argv + optind, argc - optind);
    if (status == OPTIONS_RUN && !check_stdin(options))
        status = OPTIONS_BAD;
    if (status == OPTIONS_RUN && !options->inputs.skip_bad &&
        !check_operands(words, argv + optind, (size_t)(argc - optind)))
        status = OPTIONS_BAD;
    free(words);
    const char *path = getenv("GPROF_PATH");
    if (path != NULL)
        search_path_add(&options->analysis.source_path, path);
    return status;
}

void free_options(struct options *options)
{
    symspecs_free(&options->analysis.specs);
    search_path_free(&options->analysis.source_path);
    source_map_free(&options->analysis.source_map);
    free(options->inputs.thread);
    free(options->compare.profiles.texts);
    free(options->compare.allowed.texts);
    freeargv(options->arguments);
    *options = (struct options){0};
}
