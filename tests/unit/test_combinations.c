/* test_combinations.c - pairs of options, and draws of more, are accepted, and then nothing is
   ignored, or refused by a message that names those given.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "options/parse_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "export/formats.h"
#include "options/option_rows.h"
#include "options/plan.h"
#include "tap.h"

/* ---- Words of the command line ---- */

enum { MOST_WORDS = 200, WORD_SIZE = 60 };

struct words {
    char words[MOST_WORDS][WORD_SIZE];
    size_t count;
};

/* Arguments to try, separated by blanks; `1' for other options.  May fill FORMATS.  */
static const char *arguments_of(int id, struct name_list *formats)
{
    static const struct {
        int id;
        const char *arguments;
    } known[] = {
        {'O', "magic"},
        {'d', "0 4"},
        {'k', "a/b"},
        {'o', "- file x.csv x.html"},
        {'q', "a/b main"},
        {OPT_ALPHA, "0.1"},
        {OPT_BASE, "- file"},
        {OPT_CODE, "3 main"},
        {OPT_DISASSEMBLER_OPTIONS, "intel"},
        {OPT_BY, "function line file object"},
        {OPT_COLOR, "always never"},
        {OPT_COLUMNS, "name file total-error least"},
        {OPT_DEMANGLE, "auto"},
        {OPT_FAIL_SCOPE, "total"},
        {OPT_NAMES, "full short"},
        {OPT_FROM, "perf pprof folded"},
        {OPT_SORT, "calls -total-error"},
        {OPT_SOURCE_MAP, "a=b"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
        if (known[i].id == id)
            return known[i].arguments;
    return id == OPT_FORMAT ? export_format_names(formats) : "1";
}

static void add_word(struct words *words, const struct option_row *row, const char *argument,
                     size_t length)
{
    char *word = words->words[words->count++];
    const char *sign = length > 0 && row->long_name != NULL ? "=" : "";
    if (row->long_name != NULL)
        snprintf(word, WORD_SIZE, "--%s%s%.*s", row->long_name, sign, (int)length, argument);
    else
        snprintf(word, WORD_SIZE, "-%c%.*s", row->id, (int)length, argument);
}

/* Every option, with each of its arguments, except those that print and exit.  */
static struct words *all_words(void)
{
    struct words *words = mem_array(1, sizeof *words);
    size_t count;
    const struct option_row *rows = option_rows(&count);
    for (size_t i = 0; i < count; i++) {
        int id = rows[i].id;
        if (id == 0 || id == 'h' || id == 'v' || id == 'V')
            continue;
        if (rows[i].argument != REQUIRED)
            add_word(words, &rows[i], "", 0);
        struct name_list formats = {0};
        const char *argument = rows[i].argument != NONE ? arguments_of(rows[i].id, &formats) : "";
        for (; *argument != '\0'; argument += strspn(argument, " ")) {
            size_t length = strcspn(argument, " ");
            add_word(words, &rows[i], argument, length);
            argument += length;
        }
    }
    return words;
}

/* ---- Standard error ---- */

static FILE *begin_errors(void)
{
    FILE *errors = tmpfile();
    if (errors != NULL)
        dup2(fileno(errors), STDERR_FILENO);
    return errors;
}

/* What was written since the last call.  */
static const char *written(FILE *errors, char *text, size_t size)
{
    ssize_t length = pread(fileno(errors), text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    if (ftruncate(fileno(errors), 0) != 0 || lseek(STDERR_FILENO, 0, SEEK_SET) != 0)
        return "cannot be read";
    return text;
}

/* ---- Draws ---- */

/* Some words, and what came of them; `wrong' says what is wrong with that, or is NULL.  */
struct draw {
    char *words[6];
    int count;
    bool is_accepted;
    const char *wrong;
};

static bool has_one_table(unsigned reports)
{
    return reports == REPORT_TOP || reports == REPORT_PER_FILE ||
           reports == (REPORT_COMPARISON | REPORT_SNAPSHOT);
}

/* What OPTIONS say that PLAN ignores, or NULL.  */
static const char *ignored(const struct plan *plan, const struct options *options)
{
    const bool *given = options->given;
    unsigned reports = plan->reports;
    bool is_whole = export_has_snapshot(plan->format), is_comparing = options->compare.base != NULL;
    bool has_selection = given[OPT_FOCUS] || given[OPT_HIDE];
    unsigned timed = REPORT_TOP | REPORT_FLAT | REPORT_GRAPH | REPORT_TREE | REPORT_CODE |
                     REPORT_COMPARISON | REPORT_PER_FILE;
    if (given[OPT_BY] && (reports & REPORT_TOP) == 0 && !is_whole)
        return "an option of a table that is not printed";
    if (given[OPT_COLUMNS] && (reports & (REPORT_TOP | REPORT_COMPARISON)) == 0 && !is_whole)
        return "columns of a table that is not printed";
    if (has_selection && (reports & (REPORT_TOP | REPORT_TREE | REPORT_CODE)) == 0 && !is_whole)
        return "an option of rows that are not printed";
    if (given[OPT_NAMES] && !is_whole &&
        (reports &
         (REPORT_TOP | REPORT_TREE | REPORT_CODE | REPORT_PER_FILE | REPORT_COMPARISON)) == 0)
        return "a style of names that are not printed";
    if (given[OPT_MIN_SHARE] && !is_whole &&
        (reports & (REPORT_TOP | REPORT_TREE | REPORT_CODE | REPORT_COMPARISON)) == 0)
        return "a share of rows that are not printed";
    if ((given[OPT_TREE] || given[OPT_DEPTH]) && (reports & REPORT_TREE) == 0)
        return "no tree of calls";
    if ((given[OPT_CODE] || given[OPT_ASM] || given[OPT_DISASSEMBLER_OPTIONS]) &&
        (reports & REPORT_CODE) == 0)
        return "no code";
    if (given[OPT_STACKS] && reports != 0 && (reports & timed) == 0 && !is_whole)
        return "stacks for reports without inclusive times";
    if ((given[OPT_COLUMNS] || given[OPT_SORT]) && is_whole)
        return "columns without a table";
    if (given[OPT_MIN_SHARE] && is_whole && is_comparing)
        return "a share of rows that are all printed";
    if (given[OPT_SORT] && (reports & (REPORT_TOP | REPORT_PER_FILE | REPORT_COMPARISON)) == 0)
        return "an order without a table";
    if ((plan->gate.has_time || plan->gate.has_calls || given[OPT_ALPHA] || given[OPT_BASE_RUNS] ||
         given[OPT_FAIL_INCONCLUSIVE] || given[OPT_BASE_PROFILE]) &&
        !is_comparing)
        return "an option of comparisons without a base";
    if (given[OPT_FAIL_SCOPE] && !is_comparing)
        return "the scope of nothing";
    if (given[OPT_ALLOW] && !plan->gate.has_time && !plan->gate.has_calls)
        return "an option of gates without one";
    if (given[OPT_FAIL_INCONCLUSIVE] && !plan->gate.has_time)
        return "an option of gates of times without one";
    if (given[OPT_NULL] && options->inputs.list == NULL)
        return "an option of lists without one";
    if (given[OPT_PER_FILE] && (reports & REPORT_PER_FILE) == 0 &&
        (!plan->shows_profiles || (plan->format->traits & EXPORT_INPUTS) == 0) &&
        (plan->format == NULL || !plan->format->is_page))
        return "no single profiles";
    if (given['l'] && !plan->by_line && !plan->has_lines && (reports & REPORT_SOURCE) == 0)
        return "no lines";
    if (given[OPT_BY] && options->top.by == TOP_OBJECTS && (reports & REPORT_TOP) == 0)
        return "objects without a table";
    return options->style.has_separate_files && is_whole && plan->format->is_page
               ? "separate files of a page"
               : NULL;
}

/* What cannot be done in PLAN, or NULL.  */
static const char *contradiction(const struct plan *plan, const struct options *options)
{
    const struct export_format *format = plan->format;
    bool is_whole = export_has_snapshot(format), is_comparing = options->compare.base != NULL;
    if (format != NULL && !is_whole && !has_one_table(plan->reports))
        return "a format of tables with other reports";
    if (is_whole && (plan->reports & REPORT_SNAPSHOT) == 0)
        return "a format of everything without it";
    if (is_whole && !format->is_page &&
        (plan->reports & ~(unsigned)(REPORT_COMPARISON | REPORT_CODE)) != REPORT_SNAPSHOT)
        return "a format of everything with other reports";
    if (is_whole && is_comparing && format->write_comparison == NULL)
        return "a format without comparisons";
    if (is_whole && plan->sum_path != NULL)
        return "single profiles of a sum";
    if (plan->sum_path != NULL && strcmp(plan->sum_path, "-") == 0 && plan->reports != 0)
        return "a sum and reports on standard output";
    if (plan->by_line && (plan->reports & REPORT_TOP) != 0 && plan->top.by == TOP_FUNCTIONS)
        return "functions of lines";
    if (plan->stacks.source == STACKS_FILE && options->given[OPT_PER_FILE])
        return "one file of stacks for several profiles";
    if (plan->stacks.source != STACKS_NONE && options->given[OPT_PER_FILE] &&
        (plan->by_line || (format != NULL && !format->is_for_people)))
        return "stacks for a table of profiles without functions";
    if ((plan->reports & REPORT_TREE) != 0 && plan->by_line)
        return "a tree of lines";
    if ((plan->reports & REPORT_CODE) != 0 && plan->by_line)
        return "code of lines";
    if (plan->by_line && is_comparing)
        return "a comparison of lines";
    if ((options->top.focus != NULL) != (plan->top.focus != NULL))
        return "an expression is missing";
    if (options->given['r'] && options->given['R'])
        return "two orders";
    if (options->is_strict && options->trace.stages != 0)
        return "traces before the last warning";
    if (plan->sum_path != NULL && !plan->by_line && (plan->reports & REPORT_FLAT) != 0)
        return "functions of a sum";
    return NULL;
}

/* Whether DRAW has the option at the start of TEXT.  */
static bool is_drawn(const struct draw *draw, const char *text)
{
    size_t length = strcspn(text, "= \n");
    for (int i = 0; i < draw->count; i++) {
        const char *word = draw->words[i];
        size_t size = word[1] == '-' ? strcspn(word, "=") : 2;
        if (size == length && strncmp(word, text, size) == 0)
            return true;
    }
    return false;
}

/* What is wrong with MESSAGE, which refuses DRAW: `option A requires B', where A is drawn, or `A
   and B cannot be used together', where both are.  */
static const char *bad_message(const struct draw *draw, const char *message)
{
    const char *end = strchr(message, '\n'), *text = strchr(message, ' ');
    if (end == NULL || end[1] != '\0' || text == NULL)
        return "the message is not one line";
    const char *needed = strstr(text, " requires --"), *both = strstr(text, " and -");
    if (strstr(text, " needs a profile from another profiler, ") != NULL)
        return is_drawn(draw, text + 1) ? NULL : "the message names what was not given";
    if (needed != NULL && strncmp(text, " option ", 8) == 0)
        return is_drawn(draw, text + 8) ? NULL : "the message names what was not given";
    if (both == NULL || strstr(both, " cannot be used together\n") == NULL)
        return "the message is of another kind";
    return is_drawn(draw, text + 1) && is_drawn(draw, both + 5)
               ? NULL
               : "the message names what was not given";
}

static void plan_draw(struct draw *draw, const struct options *options, FILE *errors)
{
    const struct terminal terminal = {.is_one = false};
    struct plan plan;
    char text[1000];
    draw->is_accepted = plan_make(&plan, options, &terminal, NULL);
    const char *message = written(errors, text, sizeof text);
    if (strstr(message, "`least' is not a column; ") != NULL) /* of a comparison */
        draw->is_accepted = false;
    else if (draw->is_accepted && message[0] != '\0')
        draw->wrong = "a message";
    else if (draw->is_accepted && ignored(&plan, options) != NULL)
        draw->wrong = ignored(&plan, options);
    else if (draw->is_accepted)
        draw->wrong = contradiction(&plan, options);
    else
        draw->wrong = bad_message(draw, message);
    plan_free(&plan);
}

static void make_draw(struct draw *draw, FILE *errors)
{
    char *arguments[12] = {"gprof", "image", "profile"};
    struct options options;
    for (int i = 0; i < draw->count; i++)
        arguments[3 + i] = draw->words[i];
    optind = 0;
    if (parse_options(&options, draw->count + 3, arguments) == OPTIONS_RUN)
        plan_draw(draw, &options, errors);
    else
        draw->wrong = "an argument is refused";
    free_options(&options);
}

/* Whether a word switches a report off, so that the last word decides.  */
static bool has_order(const struct draw *draw)
{
    for (int i = 0; i < draw->count; i++)
        if (strncmp(draw->words[i], "--no-", 5) == 0)
            return true;
    return false;
}

/* The same options, the other way round, are treated in the same way.  */
static void check_draw(struct draw *draw, FILE *errors, size_t *wrong_count)
{
    struct draw reverse = {.count = draw->count};
    for (int i = 0; i < draw->count; i++)
        reverse.words[i] = draw->words[draw->count - 1 - i];
    make_draw(draw, errors);
    make_draw(&reverse, errors);
    if (draw->wrong == NULL && draw->is_accepted != reverse.is_accepted && !has_order(draw))
        draw->wrong = "the order matters";
    if (draw->wrong == NULL)
        return;
    ++*wrong_count;
    printf("# %s:", draw->wrong);
    for (int i = 0; i < draw->count; i++)
        printf(" %s", draw->words[i]);
    printf("\n");
}

/* Whether two words are different options.  */
static bool are_apart(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    return strcspn(b, "=") != length || strncmp(a, b, length) != 0;
}

static void test_pairs(struct words *words, FILE *errors)
{
    size_t wrong_count = 0;
    for (size_t i = 0; i < words->count; i++)
        for (size_t j = 0; j < i; j++) {
            struct draw draw = {.words = {words->words[i], words->words[j]}, .count = 2};
            if (are_apart(words->words[i], words->words[j]))
                check_draw(&draw, errors, &wrong_count);
        }
    is_equal(wrong_count, 0, "all pairs of options");
}

static void test_draws(struct words *words, FILE *errors)
{
    uint64_t state = 1;
    size_t wrong_count = 0;
    for (int i = 0; i < 3000; i++) {
        struct draw draw = {.count = 0};
        int most = 3 + (int)(next_random(&state) % 4);
        while (draw.count < most) {
            char *word = words->words[next_random(&state) % words->count];
            bool ok = true;
            for (int k = 0; k < draw.count; k++)
                ok = ok && are_apart(word, draw.words[k]);
            if (ok)
                draw.words[draw.count++] = word;
        }
        check_draw(&draw, errors, &wrong_count);
    }
    is_equal(wrong_count, 0, "draws of three to six options");
}

int main(void)
{
    FILE *errors = begin_errors();
    struct words *words = all_words();
    if (!is_true(errors != NULL, "a file for messages"))
        return tap_done();
    test_pairs(words, errors);
    test_draws(words, errors);
    free(words);
    fclose(errors);
    return tap_done();
}
