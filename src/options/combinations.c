/* combinations.c - which options go together: what each report and format takes, and rules.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/combinations.h"

#include <stdio.h>
#include <string.h>

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "compare/compare_table.h"
#include "options/option_rows.h"
#include "tables/make_top.h"

/* ---- The rules ---- */

#define FORMAT(traits) GROUP_OF_FORMAT(traits)
#define BASE REPORT_COMPARISON
#define WHOLE REPORT_SNAPSHOT
#define TABLES (REPORT_TOP | REPORT_PER_FILE | REPORT_CODE | WHOLE | BASE)
#define PRINTED (GROUP_REPORTS & ~(uint64_t)TABLES) /* reports that are only text */
#define OF_FORMATS                                                                                 \
    (FORMAT(~0U) | WHOLE | GROUP_TABLE | GROUP_ROWS | GROUP_PAGE | GROUP_ONE_SIDE | GROUP_TEXT)

struct rule {
    uint64_t of;            /* one of these groups is given */
    uint64_t takes;         /* then these may be */
    uint64_t excludes;      /* then these may not be */
    uint64_t implies;       /* then these are, too */
    uint64_t where, unless; /* if one of these is (0: always), and none of these */
};

/* A group that a row takes needs one that applies: --columns, as of GROUP_COLUMNS, needs --top, or
   --base without --format=json.  */
static const struct rule rules[] = {
    /* What is implied, in an order in which one may follow from another.  */
    {GROUP_TABLE, .implies = REPORT_TOP, .unless = REPORT_PER_FILE},
    {GROUP_BY, .implies = REPORT_TOP,
     .unless = FORMAT(EXPORT_STACKS) | BASE | REPORT_PER_FILE | REPORT_TREE | REPORT_CODE},
    {GROUP_LINES, .implies = REPORT_SOURCE, .where = GROUP_PAGE},
    {GROUP_LINES, .implies = GROUP_SPLIT, .unless = GROUP_PAGE | FORMAT(EXPORT_LINES)},
    /* With -s, GNU gprof prints reports, and excludes calls from the sum, as with -l.  */
    {GROUP_SUM, .implies = GROUP_SPLIT, .where = GROUP_ARCS | PRINTED},
    {GROUP_BY_LINE, .implies = GROUP_SPLIT},
    {GROUP_TOTAL_ERROR | GROUP_BY_STACKS, .implies = GROUP_STACKS},

    /* Reports.  With --per-file or --base, --top is only a number of rows.  */
    {REPORT_TOP,
     .takes = GROUP_COLUMNS | GROUP_SORT | GROUP_BY | GROUP_SHARE | GROUP_SELECTION | GROUP_NAMES |
              GROUP_STACKS,
     .unless = REPORT_PER_FILE | BASE},
    {BASE, .takes = GROUP_COMPARING | GROUP_STACKS,
     .excludes = PRINTED | REPORT_PER_FILE | REPORT_CODE | GROUP_SUM | GROUP_LINES | GROUP_ENTRIES |
                 GROUP_TIMES | GROUP_STACKS_FILE | GROUP_ONE_SIDE},
    {BASE, .takes = GROUP_COLUMNS | GROUP_SORT | GROUP_SHARE, .unless = WHOLE},
    {REPORT_PER_FILE, .takes = GROUP_STACKS, .excludes = GROUP_STACKS_FILE | GROUP_TOTAL_ERROR},
    {REPORT_PER_FILE, .takes = GROUP_SORT, .unless = WHOLE},
    /* Programs read whole names.  */
    {REPORT_PER_FILE | BASE, .takes = GROUP_NAMES, .unless = GROUP_TABLE | WHOLE},
    /* Stacks and code are those of functions.  -e and -f are about entries of the call graph.  */
    {REPORT_TREE | REPORT_CODE, .takes = GROUP_SHARE | GROUP_STACKS,
     .excludes = REPORT_PER_FILE | GROUP_ENTRIES | GROUP_SPLIT},
    {REPORT_TREE | REPORT_CODE, .takes = GROUP_SELECTION | GROUP_NAMES, .unless = WHOLE},
    {REPORT_TREE, .takes = GROUP_DEPTH},
    {REPORT_FLAT | REPORT_GRAPH, .takes = GROUP_STACKS},

    /* Formats.  */
    {GROUP_TABLE, .excludes = PRINTED | REPORT_CODE},
    {WHOLE, .takes = GROUP_STACKS, .excludes = REPORT_TOP, .unless = BASE},
    {WHOLE, .excludes = PRINTED, .unless = GROUP_PAGE},
    {WHOLE, .excludes = REPORT_CODE, .unless = FORMAT(EXPORT_CODE)},
    {WHOLE, .excludes = REPORT_PER_FILE, .unless = GROUP_PAGE | FORMAT(EXPORT_INPUTS)},
    {GROUP_PAGE, .excludes = (PRINTED & ~(uint64_t)REPORT_SOURCE) | GROUP_SEPARATE},
    {FORMAT(EXPORT_SHOWN), .takes = GROUP_SELECTION | GROUP_NAMES, .unless = BASE},
    {FORMAT(EXPORT_SHARES), .takes = GROUP_SHARE},
    {FORMAT(EXPORT_STACKS), .takes = GROUP_BY, .excludes = GROUP_BY_TABLE, .unless = BASE},
    {FORMAT(EXPORT_STACKS), .excludes = REPORT_TOP, .where = BASE},
    {FORMAT(EXPORT_ORDER), .excludes = GROUP_ENTRIES | GROUP_TIMES | GROUP_LINES},
    {FORMAT(EXPORT_FIGURES), .excludes = GROUP_NO_TIMES},

    /* Options.  */
    {GROUP_SUM, .excludes = REPORT_PER_FILE | REPORT_CODE | WHOLE},
    {GROUP_SUM_PRINTED, .excludes = PRINTED | REPORT_TOP | GROUP_DEBUG},
    {GROUP_STRICT, .excludes = GROUP_DEBUG},
    {GROUP_OPEN, .excludes = OF_FORMATS | GROUP_SUM, .unless = GROUP_PAGE},
    {GROUP_CALLEES, .excludes = GROUP_CALLERS},
    {GROUP_BY_FUNCTION, .excludes = GROUP_SPLIT},
    {GROUP_STACKS, .excludes = GROUP_NO_STACKS | GROUP_ARCS | GROUP_TIMES | GROUP_BOUNDS},
    /* The table has totals of lines; the call graph has calls of their first lines.  */
    {GROUP_STACKS, .excludes = GROUP_SPLIT, .unless = REPORT_TOP},
    {GROUP_STACKS, .excludes = PRINTED, .where = GROUP_SPLIT},
    {GROUP_STACKS, .excludes = GROUP_LINES, .where = FORMAT(EXPORT_LINES)},
    /* Functions that vary are beside profiles only in text and Markdown.  */
    {GROUP_STACKS, .excludes = GROUP_ROWS | WHOLE | GROUP_SPLIT, .where = REPORT_PER_FILE},
};

/* Options that require one of two others, or exclude them.  */
static const struct option_pair {
    enum { REQUIRES, EXCLUDES } relation;
    int option, others[2];
} pairs[] = {
    {REQUIRES, OPT_NULL, {OPT_FILES_FROM}},
    {REQUIRES, OPT_ALLOW, {OPT_FAIL_ABOVE, OPT_FAIL_CALLS}},
    {REQUIRES, OPT_FAIL_INCONCLUSIVE, {OPT_FAIL_ABOVE}},
    {EXCLUDES, OPT_THREAD, {OPT_PROGRAM}},
    {EXCLUDES, 'r', {'R'}},
};

/* ---- Arguments ---- */

/* The columns in TEXT; none if it is NULL or wrong.  */
static struct column_list columns_in(const struct options *options, const char *text)
{
    const struct column_set *set =
        options->compare.base != NULL ? &comparison_columns : &top_columns;
    struct column_list list = {0};
    const char *unknown;
    size_t length;
    if (text == NULL || !column_list_parse(&list, set, text, true, &unknown, &length))
        list.count = 0;
    return list;
}

/* The option by which the table of functions has, or is sorted by, the column NAME; or 0.  */
static int column_option(const struct options *options, const char *name)
{
    struct column_list columns = columns_in(options, options->top.columns);
    struct column_list sort = columns_in(options, options->top.sort);
    bool has_column = column_list_has(&columns, name);
    if (options->compare.base != NULL || (!has_column && !column_list_has(&sort, name)))
        return 0;
    return has_column ? OPT_COLUMNS : OPT_SORT;
}

static bool has_no_times(const struct options *options)
{
    struct column_list columns = columns_in(options, options->top.columns);
    size_t i = 0;
    while (i < columns.count && columns.columns[i]->unit != UNIT_TIME)
        i++;
    return columns.count > 0 && i == columns.count;
}

/* --callers, or --tree with an argument; or 0.  */
static int callers_option(const struct symspecs *specs)
{
    for (size_t i = 0; i < specs->count; i++)
        if (specs->specs[i].target == SPEC_TREE && specs->specs[i].option != OPT_CALLEES)
            return specs->specs[i].option;
    return 0;
}

/* The groups of the arguments of --by.  */
static const uint64_t groups_by[] = {
    [TOP_FUNCTIONS] = GROUP_BY_FUNCTION,
    [TOP_LINES] = GROUP_BY_LINE,
    [TOP_FILES] = GROUP_BY_LINE | GROUP_BY_TABLE, /* inlined lines are in files of their own */
    [TOP_OBJECTS] = GROUP_BY_FUNCTION | GROUP_BY_TABLE | GROUP_BY_STACKS,
    [TOP_THREADS] = GROUP_BY_FUNCTION | GROUP_BY_STACKS,
    [TOP_PROGRAMS] = GROUP_BY_FUNCTION | GROUP_BY_TABLE | GROUP_BY_STACKS,
    [TOP_PROCESSES] = GROUP_BY_FUNCTION | GROUP_BY_TABLE | GROUP_BY_STACKS,
};

/* Groups that the argument of an option gives, and how it is named.  */
struct said {
    uint64_t groups;
    int option; /* 0: it is not given */
    const char *sign, *text;
};

struct arguments {
    struct said list[10];
};

static struct arguments arguments_of(const struct options *options)
{
    const struct symspecs *specs = &options->analysis.specs;
    const char *stacks = options->inputs.stacks, *output = options->output.path;
    bool is_printed = options->given['s'] && output != NULL && strcmp(output, "-") == 0;
    return (struct arguments){{
        {GROUP_ARCS, symspecs_arc_option(specs), "", ""},
        {GROUP_CALLERS, callers_option(specs), "", ""},
        {GROUP_NO_TIMES, has_no_times(options) ? OPT_COLUMNS : 0, " ", "without a time"},
        {GROUP_TOTAL_ERROR, column_option(options, "total-error"), "=", "total-error"},
        {GROUP_BOUNDS, column_option(options, "least"), "=", "least"},
        {GROUP_BOUNDS, column_option(options, "most"), "=", "most"},
        {GROUP_STACKS_FILE, stacks != NULL && *stacks != '\0' ? OPT_STACKS : 0, "=", "FILE"},
        {GROUP_SUM_PRINTED, is_printed ? 's' : 0, " ", "--output=-"},
        {GROUP_DEBUG, options->trace.stages != 0 ? 'd' : 0, "", ""},
        {GROUP_BY | groups_by[options->top.by], options->given[OPT_BY] ? OPT_BY : 0, "=",
         options->top.by_name},
    }};
}

/* ---- Facts ---- */

/* The format of the output: the one that is named, else that of the file's name, else that of a
   page to be opened; NULL: text.  A sum is a profile, whatever its name; one that is no GROUP_SUM
   is JSON unless another format is named.  */
static const struct export_format *format_of(const struct options *options, uint64_t has)
{
    const char *path = options->output.path;
    if (options->given[OPT_FORMAT] || (has & GROUP_SUM) != 0)
        return options->output.format;
    const struct export_format *implied = path != NULL ? export_format_of_path(path) : NULL;
    return implied != NULL         ? implied
           : options->given['s']   ? export_format_find("json")
           : options->output.opens ? export_format_find("html")
                                   : NULL;
}

/* The groups of FORMAT.  */
static uint64_t groups_of(const struct export_format *format)
{
    uint64_t groups = GROUP_OF_FORMAT(format->traits);
    if (format->write_table != NULL)
        groups |= format->is_for_people ? GROUP_TABLE : GROUP_TABLE | GROUP_ROWS;
    if (export_has_snapshot(format))
        groups |= WHOLE | (format->write_comparison == NULL ? GROUP_ONE_SIDE : 0);
    else if (format->write_table == NULL)
        groups |= GROUP_TEXT;
    return format->is_page ? groups | GROUP_PAGE : groups;
}

static bool applies(const struct rule *rule, uint64_t has)
{
    return (has & rule->of) != 0 && (rule->where == 0 || (has & rule->where) != 0) &&
           (has & rule->unless) == 0;
}

/* HAS and what it implies.  */
static uint64_t with_implied(uint64_t has)
{
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
        if (applies(&rules[i], has))
            has |= rules[i].implies;
    return has;
}

struct facts facts_of(const struct options *options, uint64_t unused)
{
    size_t count;
    const struct option_row *rows = option_rows(&count);
    const struct arguments arguments = arguments_of(options);
    struct facts facts = {0};
    uint64_t off = options->reports_named & ~options->reports_on;
    for (size_t i = 0; i < count; i++)
        if (options->given[rows[i].id])
            facts.has |= rows[i].group & ~off;
    for (size_t i = 0; i < ARRAY_LENGTH(arguments.list); i++)
        if (arguments.list[i].option != 0)
            facts.has |= arguments.list[i].groups;
    facts.has &= ~unused;
    facts.format = format_of(options, facts.has);
    if (facts.format != NULL)
        facts.has |= groups_of(facts.format);
    if (options->top.by == TOP_THREADS && (facts.has & REPORT_TREE) != 0) /* needs no table */
        facts.has &= ~GROUP_BY;
    facts.has = with_implied(facts.has);
    return facts;
}

/* ---- Names ---- */

/* Writes the format of FACTS as OPTIONS name it.  */
static void format_name(const struct facts *facts, const struct options *options, char *text)
{
    const struct export_format *format = facts->format;
    const char *path = options->output.path;
    if (options->given[OPT_FORMAT])
        snprintf(text, GROUP_NAME_SIZE, "--format=%s", format->name);
    else if (path != NULL && export_format_of_path(path) != NULL)
        snprintf(text, GROUP_NAME_SIZE, "--output=NAME%s", format->suffixes[0]);
    else
        snprintf(text, GROUP_NAME_SIZE, "--%s", options->given['s'] ? "sum" : "open");
}

void combinations_name(const struct facts *facts, const struct options *options, uint64_t groups,
                       char *text)
{
    const struct arguments arguments = arguments_of(options);
    char name[64];
    groups &= facts->has;
    if ((groups & OF_FORMATS) != 0) {
        format_name(facts, options, text);
        return;
    }
    if (option_row_given(options, groups, text, GROUP_NAME_SIZE))
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(arguments.list); i++) {
        const struct said *said = &arguments.list[i];
        if ((said->groups & groups) == 0 || said->option == 0)
            continue;
        option_row_name(option_row_find(said->option), name, sizeof name);
        snprintf(text, GROUP_NAME_SIZE, "%s%s%s", name, said->sign, said->text);
        return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
        if ((rules[i].implies & groups) != 0 && applies(&rules[i], facts->has)) {
            combinations_name(facts, options, rules[i].of, text);
            return;
        }
    bug("a group that nothing gives");
}

/* ---- Checking ---- */

/* The first rule that HAS breaks because it excludes something, or NULL.  */
static const struct rule *excluding(uint64_t has)
{
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
        if (applies(&rules[i], has) && (has & rules[i].excludes) != 0)
            return &rules[i];
    return NULL;
}

/* The groups of HAS that need something to take them, and have nothing.  */
static uint64_t not_taken(uint64_t has)
{
    uint64_t taken = 0, all = 0;
    if ((has & (GROUP_REPORTS | GROUP_SUM)) == 0) /* the flat profile and the call graph */
        taken = GROUP_STACKS;
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        all |= rules[i].takes;
        if (applies(&rules[i], has))
            taken |= rules[i].takes;
    }
    return has & all & ~taken;
}

/* Whether GROUPS would be taken from HAS if ADDED were given, too.  */
static bool would_take(uint64_t has, uint64_t added, uint64_t groups)
{
    has = with_implied(has | added);
    return excluding(has) == NULL && (not_taken(has) & groups) == 0;
}

/* Adds the name of ROW to TEXT, of 2 * GROUP_NAME_SIZE bytes: `A or B'.  */
static void add_alternative(char *text, const struct option_row *row)
{
    char first[GROUP_NAME_SIZE], name[64];
    option_row_name(row, name, sizeof name);
    snprintf(first, sizeof first, "%s", text);
    snprintf(text, 2 * GROUP_NAME_SIZE, first[0] != '\0' ? _(EITHER_OPTION) : "%s%s", first, name);
}

/* Writes the first two reports that can be added to HAS and take GROUPS of it into TEXT.  False if
   there is none.  */
static bool find_takers(uint64_t has, uint64_t groups, char *text)
{
    size_t count, found = 0;
    const struct option_row *rows = option_rows(&count);
    uint64_t seen = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && found < 2; i++) {
        uint64_t report = rows[i].group & GROUP_REPORTS & ~seen;
        bool needs_spec = rows[i].spec != 0 && rows[i].argument == REQUIRED; /* --tree does not */
        if (report == 0 || needs_spec || !would_take(has, rows[i].group, groups))
            continue;
        add_alternative(text, &rows[i]);
        seen |= report;
        found++;
    }
    return found > 0;
}

/* Checks the pairs.  False after a message.  */
static bool check_pairs(const struct options *options)
{
    for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
        const int *others = pairs[i].others;
        bool has_other = options->given[others[0]] || options->given[others[1]];
        char name[GROUP_NAME_SIZE], needed[2 * GROUP_NAME_SIZE] = "";
        if (!options->given[pairs[i].option] || has_other == (pairs[i].relation == REQUIRES))
            continue;
        option_row_name(option_row_find(pairs[i].option), name, sizeof name);
        for (size_t k = 0; k < 2 && others[k] != 0; k++)
            add_alternative(needed, option_row_find(others[k]));
        return has_other ? problem(MSG_NOT_TOGETHER, name, needed)
                         : problem(MSG_NEEDS, name, needed);
    }
    return true;
}

/* Refuses two groups of FACTS.  */
static bool refuse_both(const struct facts *facts, const struct options *options, uint64_t group,
                        uint64_t other)
{
    char names[2][GROUP_NAME_SIZE];
    combinations_name(facts, options, group, names[0]);
    combinations_name(facts, options, other, names[1]);
    return problem(MSG_NOT_TOGETHER, names[0], names[1]);
}

bool combinations_forbid_stacks(const struct facts *facts, const struct options *options,
                                char *text)
{
    const struct rule *broken = excluding(facts->has | GROUP_STACKS);
    if (broken != NULL)
        combinations_name(facts, options, broken->excludes, text);
    return broken != NULL;
}

bool combinations_check(const struct facts *facts, const struct options *options)
{
    const uint64_t modes = BASE | REPORT_PER_FILE | WHOLE | GROUP_TABLE;
    const struct rule *broken = excluding(facts->has);
    uint64_t left = not_taken(facts->has), group = left & (0 - left); /* one of them */
    char name[GROUP_NAME_SIZE], needed[2 * GROUP_NAME_SIZE];
    if (left == 0 && broken == NULL)
        return check_pairs(options);
    bool has_takers = left != 0 && find_takers(facts->has, group, needed);
    if (!has_takers && broken != NULL)
        return refuse_both(facts, options, broken->of, broken->excludes);
    if (!has_takers && (facts->has & modes) != 0)
        return refuse_both(facts, options, group, modes);
    if (!has_takers)
        find_takers(group, group, needed);
    combinations_name(facts, options, group, name);
    return problem(MSG_NEEDS, name, needed);
}
