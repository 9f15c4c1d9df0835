/* combinations.c - which options require, exclude or imply others: a table and its check.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/combinations.h"

#include <stdio.h>
#include <string.h>

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "compare/compare_table.h"
#include "export/formats.h"
#include "options/option_rows.h"
#include "tables/make_top.h"

/* ---- The rules ---- */

static const struct combination rows[] = {
    /* Nothing that is implied is in an `unless': so the order of the rows decides nothing but which
       broken one is named.  */
    {{FACT_TABLE_FORMAT}, IMPLIES, .others = {FACT_TOP}, .unless = {FACT_PER_FILE}},
    {{FACT_BY},
     IMPLIES,
     .others = {FACT_TOP},
     .unless = {FACT_STACKS_FORMAT, FACT_BASE, FACT_PER_FILE}},
    {{FACT_LINE}, IMPLIES, .others = {FACT_SOURCE}, .where = {FACT_PAGE_FORMAT}},
    {{FACT_LINE}, IMPLIES, .others = {FACT_SPLIT}, .unless = {FACT_PAGE_FORMAT, FACT_LINES_FORMAT}},
    {{FACT_BY_LINE}, IMPLIES, .others = {FACT_SPLIT}},
    /* With -s, GNU gprof prints reports, and excludes calls from the sum, as with -l.  */
    {{FACT_SUM}, IMPLIES, .others = {FACT_SPLIT}, .where = {FACT_ARC_SPECS, FACT_REPORTS}},
    {{FACT_SPLIT}, IMPLIES, .others = {FACT_BY_LINE}, .unless = {FACT_BY}},
    {{FACT_TOTAL_ERROR}, IMPLIES, .others = {FACT_STACKS}},

    {{FACT_FUNCTION_ORDERING}, EXCLUDES, .others = {FACT_FILE_ORDERING}},
    {{FACT_NULL}, REQUIRES, .others = {FACT_FILES_FROM}},
    {{FACT_SUM}, EXCLUDES, .others = {FACT_PER_FILE, FACT_WHOLE_FORMAT, FACT_CODE}},
    {{FACT_SUM_PRINTED}, EXCLUDES, .others = {FACT_REPORTS, FACT_TOP, FACT_DEBUG}},
    {{FACT_STRICT}, EXCLUDES, .others = {FACT_DEBUG}},

    {{FACT_SIDES, FACT_FAIL_ABOVE, FACT_FAIL_CALLS, FACT_FAIL_SCOPE, FACT_FAIL_INCONCLUSIVE,
      FACT_ALLOW},
     REQUIRES,
     .others = {FACT_BASE}},
    {{FACT_ALLOW}, REQUIRES, .others = {FACT_FAIL_ABOVE, FACT_FAIL_CALLS}},
    {{FACT_FAIL_INCONCLUSIVE}, REQUIRES, .others = {FACT_FAIL_ABOVE}},
    {{FACT_BASE},
     EXCLUDES,
     .others = {FACT_SUM, FACT_LINE, FACT_REPORTS, FACT_PER_FILE, FACT_BY, FACT_SELECTION,
                FACT_STACKS_FILE, FACT_ONE_SIDE_FORMAT, FACT_CODE}},
    /* They change the call graph and times in it, which comparisons do not have.  */
    {{FACT_BASE}, EXCLUDES, .others = {FACT_ENTRY_SPECS, FACT_TIME_SPECS}},

    {{FACT_STACKS_FORMAT}, EXCLUDES, .others = {FACT_TOP}, .where = {FACT_BASE}},

    {{FACT_COLUMNS}, REQUIRES, .others = {FACT_TOP, FACT_BASE}},
    {{FACT_CALLEES}, EXCLUDES, .others = {FACT_CALLERS}},
    {{FACT_THREAD}, EXCLUDES, .others = {FACT_PROGRAM}},
    {{FACT_DEPTH}, REQUIRES, .others = {FACT_TREE}},
    {{FACT_OPEN}, REQUIRES, .others = {FACT_PAGE_FORMAT}},
    {{FACT_MIN_SHARE},
     REQUIRES,
     .others = {FACT_TOP, FACT_BASE, FACT_SHARES_FORMAT, FACT_TREE, FACT_CODE}},
    {{FACT_SELECTION}, REQUIRES, .others = {FACT_TOP, FACT_VIEW_FORMAT, FACT_TREE, FACT_CODE}},
    {{FACT_NAMES},
     REQUIRES,
     .others = {FACT_TOP, FACT_PER_FILE, FACT_BASE, FACT_VIEW_FORMAT, FACT_TREE, FACT_CODE}},
    /* Programs read whole names.  */
    {{FACT_NAMES},
     EXCLUDES,
     .others = {FACT_BASE},
     .where = {FACT_TABLE_FORMAT, FACT_WHOLE_FORMAT}},
    {{FACT_NAMES},
     EXCLUDES,
     .others = {FACT_PER_FILE},
     .where = {FACT_TABLE_FORMAT, FACT_WHOLE_FORMAT},
     .unless = {FACT_INPUTS_FORMAT}},
    {{FACT_STACKS},
     REQUIRES,
     .others = {FACT_TOP, FACT_PER_FILE, FACT_WHOLE_FORMAT, FACT_TIMES, FACT_TREE, FACT_CODE},
     .unless = {FACT_BASE}},
    /* Its stacks are of functions.  -e and -f select entries of the call graph.  */
    {{FACT_TREE}, EXCLUDES, .others = {FACT_ENTRY_SPECS, FACT_PER_FILE, FACT_SPLIT}},
    /* Lines of lines do not exist.  Of -e and -f only the entries of the call graph know.  */
    {{FACT_CODE}, EXCLUDES, .others = {FACT_ENTRY_SPECS, FACT_PER_FILE, FACT_SPLIT}},
    {{FACT_CODE}, EXCLUDES, .others = {FACT_WHOLE_FORMAT}, .unless = {FACT_CODE_FORMAT}},
    {{FACT_SELECTION, FACT_NAMES}, EXCLUDES, .others = {FACT_CODE_FORMAT}, .unless = {FACT_BASE}},
    /* An order for linkers has all calls.  */
    {{FACT_ORDER_FORMAT}, EXCLUDES, .others = {FACT_ENTRY_SPECS, FACT_TIME_SPECS}},
    {{FACT_SORT}, REQUIRES, .others = {FACT_TOP, FACT_PER_FILE, FACT_BASE}},
    {{FACT_STACKS}, EXCLUDES, .others = {FACT_NO_STACKS}},
    {{FACT_COLUMNS, FACT_TOTAL_ERROR, FACT_MIN_SHARE, FACT_STACKS_FILE},
     EXCLUDES,
     .others = {FACT_PER_FILE}},
    {{FACT_BY, FACT_SELECTION},
     EXCLUDES,
     .others = {FACT_PER_FILE},
     .unless = {FACT_INPUTS_FORMAT}},
    {{FACT_STACKS}, EXCLUDES, .others = {FACT_ARC_SPECS, FACT_TIME_SPECS, FACT_BOUNDS}},
    /* The table has totals of lines; the call graph has calls of their first lines.  */
    {{FACT_STACKS}, EXCLUDES, .others = {FACT_SPLIT}, .unless = {FACT_TOP}},
    {{FACT_STACKS}, EXCLUDES, .others = {FACT_REPORTS}, .where = {FACT_SPLIT}},
    {{FACT_STACKS}, EXCLUDES, .others = {FACT_LINE}, .where = {FACT_LINES_FORMAT}},
    /* Functions that vary are beside profiles only in text and Markdown.  */
    {{FACT_STACKS},
     EXCLUDES,
     .others = {FACT_ROWS_FORMAT, FACT_WHOLE_FORMAT, FACT_SPLIT},
     .where = {FACT_PER_FILE}},
    {{FACT_BY_FUNCTION}, EXCLUDES, .others = {FACT_SPLIT}},

    {{FACT_TABLE_FORMAT}, EXCLUDES, .others = {FACT_REPORTS, FACT_CODE}},
    {{FACT_FIGURES_FORMAT}, EXCLUDES, .others = {FACT_NO_TIMES}},
    {{FACT_WHOLE_FORMAT}, EXCLUDES, .others = {FACT_TOP}, .unless = {FACT_BASE}},
    {{FACT_WHOLE_FORMAT},
     EXCLUDES,
     .others = {FACT_PER_FILE},
     .unless = {FACT_INPUTS_FORMAT, FACT_PAGE_FORMAT}},
    {{FACT_WHOLE_FORMAT}, EXCLUDES, .others = {FACT_REPORTS}, .unless = {FACT_PAGE_FORMAT}},
    {{FACT_WHOLE_FORMAT}, EXCLUDES, .others = {FACT_SORT, FACT_BY_FILE, FACT_BY_OBJECT}},
    {{FACT_WHOLE_FORMAT}, EXCLUDES, .others = {FACT_COLUMNS, FACT_MIN_SHARE}, .where = {FACT_BASE}},
    {{FACT_ORDER_FORMAT}, EXCLUDES, .others = {FACT_LINE}},
    {{FACT_PAGE_FORMAT}, EXCLUDES, .others = {FACT_SEPARATE_FILES, FACT_MORE_REPORTS}},
};

/* ---- Facts ---- */

const struct export_format *format_of(const struct options *options)
{
    if (options->given[OPT_FORMAT] || options->sum.is_on)
        return options->output.format;
    const struct export_format *implied =
        options->output.path != NULL ? export_format_of_path(options->output.path) : NULL;
    return implied == NULL && options->output.opens ? export_format_find("html") : implied;
}

enum { SOURCES = REPORT_SOURCE, TABLES = REPORT_TOP | REPORT_PER_FILE, CODE = REPORT_CODE };

static bool has_arc_specs(const struct options *options)
{
    return symspecs_name_arcs(&options->analysis.specs);
}

/* Whether reports with inclusive times may be printed: those that are named, or by default.  */
static bool has_times(const struct options *options)
{
    bool is_whole = export_has_snapshot(format_of(options));
    unsigned reports = options->reports_on;
    return !is_whole &&
           (reports != 0 ? (reports & (REPORT_FLAT | REPORT_GRAPH)) != 0 : !options->sum.is_on);
}

/* Whether --callers, or --tree with an argument, is given.  */
static bool has_callers(const struct options *options)
{
    const struct symspecs *specs = &options->analysis.specs;
    bool has_any = false;
    for (size_t i = 0; i < specs->count; i++)
        has_any |= specs->specs[i].target == SPEC_TREE && specs->specs[i].option != OPT_CALLEES;
    return has_any;
}

static bool is_tracing(const struct options *options)
{
    return options->trace.stages != 0;
}

static bool is_sum_printed(const struct options *options)
{
    const char *path = options->output.path;
    return options->sum.is_on && path != NULL && strcmp(path, "-") == 0;
}

/* The columns in TEXT; none if it is NULL or wrong.  */
static struct column_list columns_in(const struct options *options, const char *text)
{
    bool is_comparing = options->compare.base != NULL;
    struct column_list list = {0};
    const char *unknown;
    size_t length;
    if (text == NULL || !column_list_parse(&list, is_comparing ? &comparison_columns : &top_columns,
                                           text, true, &unknown, &length))
        list.count = 0;
    return list;
}

/* Whether the table of functions has, or is sorted by, the column NAME.  */
static bool uses_column(const struct options *options, const char *name)
{
    struct column_list columns = columns_in(options, options->top.columns);
    struct column_list sort = columns_in(options, options->top.sort);
    return options->compare.base == NULL &&
           (column_list_has(&columns, name) || column_list_has(&sort, name));
}

static bool has_total_error(const struct options *options)
{
    return uses_column(options, "total-error");
}

static bool has_bounds(const struct options *options)
{
    return uses_column(options, "least") || uses_column(options, "most");
}

static bool has_stacks_file(const struct options *options)
{
    return options->inputs.stacks != NULL && *options->inputs.stacks != '\0';
}

static bool has_no_times(const struct options *options)
{
    struct column_list columns = columns_in(options, options->top.columns);
    for (size_t i = 0; i < columns.count; i++)
        if (columns.columns[i]->unit == UNIT_TIME)
            return false;
    return columns.count > 0;
}

static bool is_by_function(const struct options *options)
{
    return options->given[OPT_BY] &&
           (options->top.by == TOP_FUNCTIONS || options->top.by >= TOP_OBJECTS);
}

/* With --tree, threads need no table.  */
static bool is_by(const struct options *options)
{
    return options->given[OPT_BY] && (options->top.by != TOP_THREADS || !options->given[OPT_TREE]);
}

static bool is_by_line(const struct options *options)
{
    return options->top.by == TOP_LINES;
}

static bool is_by_file(const struct options *options)
{
    return options->top.by == TOP_FILES;
}

static bool is_by_object(const struct options *options)
{
    return options->top.by == TOP_OBJECTS;
}

static bool has_table(const struct export_format *format)
{
    return format->write_table != NULL;
}

static bool has_rows(const struct export_format *format)
{
    return format->write_table != NULL && !format->is_for_people;
}

static bool is_page(const struct export_format *format)
{
    return format->is_page;
}

static bool has_one_side(const struct export_format *format)
{
    return export_has_snapshot(format) && format->write_comparison == NULL;
}

/* The name of a fact, and when it holds: one of the other members is set.  */
struct fact_row {
    const char *name; /* NULL: that of the option or format */
    int id;           /* the option is given */
    int ids[5];       /* one of these options is given; they end in 0 */
    unsigned reports; /* one of these is on */
    unsigned traits;  /* the format has one of these */
    bool (*is_said)(const struct options *options);
    bool (*is_true_of)(const struct export_format *format);
};

static const struct fact_row fact_rows[FACT_COUNT] = {
    [FACT_SUM] = {.id = 's'},
    [FACT_ARC_SPECS] = {.name = "-k", .is_said = has_arc_specs},
    [FACT_ENTRY_SPECS] = {.name = "-e or -f", .ids = {'e', 'f'}},
    [FACT_TIME_SPECS] = {.name = "-E, -F, -n or -N", .ids = {'E', 'F', 'n', 'N'}},
    [FACT_LINE] = {.id = 'l'},
    [FACT_FUNCTION_ORDERING] = {.id = 'r'},
    [FACT_FILE_ORDERING] = {.id = 'R'},
    [FACT_SOURCE] = {.name = "--annotated-source", .reports = SOURCES},
    [FACT_SEPARATE_FILES] = {.id = 'y'},
    [FACT_REPORTS] = {.name = "reports", .reports = ~(unsigned)(TABLES | CODE)},
    [FACT_MORE_REPORTS] = {.name = "reports except -A",
                           .reports = ~(unsigned)(TABLES | CODE | SOURCES)},
    [FACT_PER_FILE] = {.id = OPT_PER_FILE},
    [FACT_TOP] = {.id = OPT_TOP},
    [FACT_TREE] = {.id = OPT_TREE},
    [FACT_PROGRAM] = {.id = OPT_PROGRAM},
    [FACT_THREAD] = {.id = OPT_THREAD},
    [FACT_CALLERS] = {.name = "--callers", .is_said = has_callers},
    [FACT_CALLEES] = {.id = OPT_CALLEES},
    [FACT_DEPTH] = {.id = OPT_DEPTH},
    [FACT_CODE] = {.name = "--code", .reports = REPORT_CODE},
    [FACT_OPEN] = {.id = OPT_OPEN},
    [FACT_COLUMNS] = {.id = OPT_COLUMNS},
    [FACT_NO_TIMES] = {.name = "--columns without a time", .is_said = has_no_times},
    [FACT_TOTAL_ERROR] = {.name = "--columns=total-error", .is_said = has_total_error},
    [FACT_BOUNDS] = {.name = "--columns=least|most", .is_said = has_bounds},
    [FACT_SORT] = {.id = OPT_SORT},
    [FACT_BY] = {.name = "--by", .is_said = is_by},
    [FACT_BY_FUNCTION] = {.name = "--by=function, object or thread", .is_said = is_by_function},
    [FACT_BY_LINE] = {.name = "--by=line", .is_said = is_by_line},
    [FACT_BY_FILE] = {.name = "--by=file", .is_said = is_by_file},
    [FACT_BY_OBJECT] = {.name = "--by=object", .is_said = is_by_object},
    [FACT_MIN_SHARE] = {.id = OPT_MIN_SHARE},
    [FACT_SELECTION] = {.name = "--focus or --hide", .ids = {OPT_FOCUS, OPT_HIDE}},
    [FACT_NAMES] = {.id = OPT_NAMES},
    [FACT_STACKS] = {.id = OPT_STACKS},
    [FACT_STACKS_FILE] = {.name = "--stacks=FILE", .is_said = has_stacks_file},
    [FACT_NO_STACKS] = {.id = OPT_NO_STACKS},
    [FACT_FILES_FROM] = {.id = OPT_FILES_FROM},
    [FACT_NULL] = {.id = OPT_NULL},
    [FACT_SUM_PRINTED] = {.name = "--sum --output=-", .is_said = is_sum_printed},
    [FACT_STRICT] = {.id = OPT_STRICT},
    [FACT_DEBUG] = {.name = "--debug", .is_said = is_tracing},
    [FACT_BASE] = {.id = OPT_BASE},
    [FACT_SIDES] = {.name = "--base-profile, --base-runs, --one-run or --alpha",
                    .ids = {OPT_BASE_PROFILE, OPT_BASE_RUNS, OPT_ONE_RUN, OPT_ALPHA}},
    [FACT_FAIL_ABOVE] = {.id = OPT_FAIL_ABOVE},
    [FACT_FAIL_CALLS] = {.id = OPT_FAIL_CALLS},
    [FACT_FAIL_SCOPE] = {.id = OPT_FAIL_SCOPE},
    [FACT_FAIL_INCONCLUSIVE] = {.id = OPT_FAIL_INCONCLUSIVE},
    [FACT_ALLOW] = {.id = OPT_ALLOW},
    [FACT_TABLE_FORMAT] = {.is_true_of = has_table},
    [FACT_ROWS_FORMAT] = {.is_true_of = has_rows},
    [FACT_WHOLE_FORMAT] = {.is_true_of = export_has_snapshot},
    [FACT_PAGE_FORMAT] = {.is_true_of = is_page},
    [FACT_LINES_FORMAT] = {.traits = EXPORT_LINES},
    [FACT_VIEW_FORMAT] = {.traits = EXPORT_SHOWN},
    [FACT_SHARES_FORMAT] = {.traits = EXPORT_SHARES},
    [FACT_STACKS_FORMAT] = {.traits = EXPORT_STACKS},
    [FACT_TIMES] = {.name = "--flat-profile|graph", .is_said = has_times},
    [FACT_INPUTS_FORMAT] = {.traits = EXPORT_INPUTS},
    [FACT_FIGURES_FORMAT] = {.traits = EXPORT_FIGURES},
    [FACT_ONE_SIDE_FORMAT] = {.is_true_of = has_one_side},
    [FACT_CODE_FORMAT] = {.traits = EXPORT_CODE},
    [FACT_ORDER_FORMAT] = {.traits = EXPORT_ORDER},
    [FACT_SPLIT] = {.name = "lines instead of functions"},
};

/* The first of the options of ROW that is given; 0: none.  */
static int given_id(const struct fact_row *row, const struct options *options)
{
    for (const int *id = row->ids; *id != 0; id++)
        if (options->given[*id])
            return *id;
    return 0;
}

static bool is_of_format(const struct fact_row *row)
{
    return row->traits != 0 || row->is_true_of != NULL;
}

static bool is_format(const struct fact_row *row, const struct export_format *format)
{
    return row->traits != 0 ? (format->traits & row->traits) != 0 : row->is_true_of(format);
}

static bool is_fact(const struct fact_row *row, const struct options *options)
{
    const struct export_format *format = format_of(options);
    if (row->is_said != NULL)
        return row->is_said(options);
    if (is_of_format(row))
        return format != NULL && is_format(row, format);
    if (row->ids[0] != 0)
        return given_id(row, options) != 0;
    return row->id != 0 ? options->given[row->id] : (options->reports_on & row->reports) != 0;
}

/* The first of LIST that FACTS have, or that they lack; FACT_NONE if there is none.  */
static enum fact first_of(const enum fact *list, const struct facts *facts, bool has_it)
{
    while (*list != FACT_NONE && facts->has[*list] != has_it)
        list++;
    return *list;
}

static bool applies(const struct combination *row, const struct facts *facts)
{
    return (row->where[0] == FACT_NONE || first_of(row->where, facts, true) != FACT_NONE) &&
           first_of(row->unless, facts, true) == FACT_NONE;
}

/* Whether ROW implied a fact that was not there.  */
static bool add_implied(struct facts *facts, const struct combination *row)
{
    enum fact reason = first_of(row->options, facts, true);
    if (row->relation != IMPLIES || reason == FACT_NONE || !applies(row, facts) ||
        first_of(row->others, facts, false) == FACT_NONE)
        return false;
    for (const enum fact *other = row->others; *other != FACT_NONE; other++)
        if (!facts->has[*other]) {
            facts->has[*other] = true;
            facts->causes[*other] = facts->causes[reason];
        }
    return true;
}

struct facts facts_of(const struct options *options)
{
    struct facts facts = {.has = {false}};
    for (int fact = FACT_NONE + 1; fact < FACT_COUNT; fact++) {
        facts.causes[fact] = (enum fact)fact;
        facts.has[fact] = is_fact(&fact_rows[fact], options);
    }
    if (options->top.by >= TOP_OBJECTS && !facts.has[FACT_STACKS]) {
        facts.has[FACT_STACKS] = true;
        facts.causes[FACT_STACKS] = FACT_BY;
    }
    bool has_more = true;
    while (has_more) {
        has_more = false;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
            has_more |= add_implied(&facts, &rows[i]);
    }
    return facts;
}

/* ---- Checking ---- */

const struct combination *combinations(size_t *count)
{
    *count = ARRAY_LENGTH(rows);
    return rows;
}

const struct combination *combinations_broken(const struct facts *facts, enum fact *option,
                                              enum fact *other)
{
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const struct combination *row = &rows[i];
        *option = first_of(row->options, facts, true);
        *other = first_of(row->others, facts, true);
        if (row->relation == IMPLIES || *option == FACT_NONE || !applies(row, facts) ||
            (row->relation == REQUIRES) == (*other != FACT_NONE))
            continue;
        return row;
    }
    return NULL;
}

void fact_name(enum fact fact, char *text)
{
    const struct fact_row *row = &fact_rows[fact];
    struct name_list formats = {0};
    const char *const names = export_format_names(&formats);
    size_t used = 0;
    if (!is_of_format(row) && row->name != NULL) {
        snprintf(text, FACT_NAME_SIZE, "%s", row->name);
        return;
    }
    if (!is_of_format(row)) {
        option_row_name(option_row_find(row->id), text, FACT_NAME_SIZE);
        return;
    }
    for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
        char name[FACT_NAME_SIZE];
        size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (is_format(row, export_format_find(name)))
            used += (size_t)snprintf(text + used, FACT_NAME_SIZE - used, "%s%s",
                                     used == 0 ? "--format=" : "|", name);
        at += length;
    }
}

/* Writes the name of FACT, which OPTIONS have, into TEXT: the format or letter that was given, or
   the option of the first report.  */
static void given_name(enum fact fact, const struct options *options, char *text)
{
    const struct fact_row *row = &fact_rows[fact];
    const struct option_row *option =
        row->ids[0] != 0 ? option_row_find(given_id(row, options))
                         : option_row_of_report(options->reports_on & row->reports);
    const struct export_format *format = is_of_format(row) ? format_of(options) : NULL;
    if (format != NULL && options->given[OPT_FORMAT])
        snprintf(text, FACT_NAME_SIZE, "--format=%s", format->name);
    else if (format != NULL) /* implied */
        snprintf(text, FACT_NAME_SIZE,
                 format->is_page && options->output.opens ? "--open" : "--output=NAME%s",
                 format->suffixes[0]);
    else if (option != NULL)
        option_row_name(option, text, FACT_NAME_SIZE);
    else
        fact_name(fact, text);
}

/* Writes the names of the first one or two facts of LIST into TEXT: `A', or `A or B'.  */
static void alternatives(const enum fact *list, char *text, size_t size)
{
    char first[FACT_NAME_SIZE], second[FACT_NAME_SIZE];
    fact_name(list[0], first);
    if (list[1] != FACT_NONE)
        fact_name(list[1], second);
    snprintf(text, size, list[1] != FACT_NONE ? _(EITHER_OPTION) : "%s", first, second);
}

bool combinations_forbid_stacks(const struct facts *facts, const struct options *options,
                                char *text)
{
    struct facts with = *facts;
    enum fact option, other;
    with.has[FACT_STACKS] = true;
    const struct combination *broken = combinations_broken(&with, &option, &other);
    if (broken == NULL)
        return false;
    if (other == FACT_NONE) /* what could have them is missing */
        option = facts->has[FACT_WHOLE_FORMAT] ? FACT_WHOLE_FORMAT : FACT_PER_FILE;
    else if (option == FACT_STACKS)
        option = other;
    given_name(facts->causes[option], options, text);
    return true;
}

bool combinations_check(const struct facts *facts, const struct options *options)
{
    char name[FACT_NAME_SIZE], needed[3 * FACT_NAME_SIZE];
    enum fact option, other;
    const struct combination *broken = combinations_broken(facts, &option, &other);
    if (broken == NULL)
        return true;
    given_name(facts->causes[option], options, name);
    if (broken->relation == REQUIRES) {
        alternatives(broken->others, needed, sizeof needed);
        return problem(MSG_NEEDS, name, needed);
    }
    given_name(facts->causes[other], options, needed);
    return problem(MSG_NOT_TOGETHER, name, needed);
}
