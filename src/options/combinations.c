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

#define BASE_NEEDED                                                                                \
    FACT(SIDES) | FACT(FAIL_ABOVE) | FACT(FAIL_CALLS) | FACT(FAIL_BLIND) | FACT(FAIL_SCOPE) |      \
        FACT(ALLOW)

static const struct combination rows[] = {
    /* Implications; a row uses the facts of the rows before it.  */
    {FACT(TABLE_FORMAT), IMPLIES, FACT(TOP), 0, FACT(PER_FILE)},
    {FACT(BY_OBJECT), IMPLIES, FACT(OBJECTS) | FACT(TOP), 0, 0},
    {FACT(LINE), IMPLIES, FACT(SOURCE), FACT(PAGE_FORMAT), 0},
    {FACT(LINE), IMPLIES, FACT(SPLIT), 0, FACT(PAGE_FORMAT) | FACT(LINES_FORMAT)},
    {FACT(BY_LINE), IMPLIES, FACT(SPLIT), 0, 0},
    /* With -s, GNU gprof prints reports, and excludes calls from the sum, as with -l.  */
    {FACT(SUM), IMPLIES, FACT(SPLIT), FACT(REPORTS) | FACT(ARC_SPECS), 0},
    {FACT(SPLIT), IMPLIES, FACT(BY_LINE), 0, FACT(BY)},
    {FACT(TOTAL_ERROR), IMPLIES, FACT(STACKS), 0, 0},

    {FACT(FUNCTION_ORDERING), EXCLUDES, FACT(FILE_ORDERING), 0, 0},
    {FACT(SUBTRACT), REQUIRES, FACT(SUM), 0, 0},
    {FACT(NULL), REQUIRES, FACT(FILES_FROM), 0, 0},
    {FACT(SUM), EXCLUDES, FACT(PER_FILE) | FACT(OBJECTS) | FACT(WHOLE_FORMAT) | FACT(CODE), 0, 0},
    {FACT(SUM_PRINTED), EXCLUDES, FACT(REPORTS) | FACT(TOP) | FACT(DEBUG), 0, 0},
    {FACT(STRICT), EXCLUDES, FACT(DEBUG), 0, 0},

    {BASE_NEEDED, REQUIRES, FACT(BASE), 0, 0},
    {FACT(ALLOW), REQUIRES, FACT(FAIL_ABOVE) | FACT(FAIL_CALLS), 0, 0},
    {FACT(FAIL_BLIND), REQUIRES, FACT(FAIL_ABOVE), 0, 0},
    {FACT(BASE), EXCLUDES,
     FACT(CODE) | FACT(OBJECTS) | FACT(STACKS_FILE) | FACT(REPORTS) | FACT(PER_FILE) | FACT(SUM) |
         FACT(LINE) | FACT(ONE_SIDE_FORMAT) | FACT(BY) | FACT(SELECTION),
     0, 0},
    /* They change the call graph and times in it, which comparisons do not have.  */
    {FACT(BASE), EXCLUDES, FACT(ENTRY_SPECS) | FACT(TIME_SPECS), 0, 0},

    {FACT(STACKS_FORMAT), EXCLUDES, FACT(TOP), FACT(BASE), 0},

    {FACT(COLUMNS), REQUIRES, FACT(TOP) | FACT(BASE), 0, 0},
    {FACT(BY), REQUIRES, FACT(TOP) | FACT(STACKS_FORMAT), 0, 0},
    {FACT(DEPTH), REQUIRES, FACT(TREE), 0, 0},
    {FACT(OPEN), REQUIRES, FACT(PAGE_FORMAT), 0, 0},
    {FACT(MIN_SHARE), REQUIRES,
     FACT(TOP) | FACT(TREE) | FACT(CODE) | FACT(SHARES_FORMAT) | FACT(BASE), 0, 0},
    {FACT(SELECTION), REQUIRES, FACT(TOP) | FACT(TREE) | FACT(CODE) | FACT(VIEW_FORMAT), 0, 0},
    {FACT(NAMES), REQUIRES,
     FACT(TOP) | FACT(TREE) | FACT(CODE) | FACT(VIEW_FORMAT) | FACT(BASE) | FACT(PER_FILE), 0, 0},
    /* Programs read whole names.  */
    {FACT(NAMES), EXCLUDES, FACT(BASE), FACT(TABLE_FORMAT) | FACT(WHOLE_FORMAT), 0},
    {FACT(NAMES), EXCLUDES, FACT(PER_FILE), FACT(TABLE_FORMAT) | FACT(WHOLE_FORMAT),
     FACT(INPUTS_FORMAT)},
    {FACT(STACKS), REQUIRES,
     FACT(TOP) | FACT(PER_FILE) | FACT(TREE) | FACT(CODE) | FACT(SAMPLES_FORMAT) | FACT(TIMES), 0,
     FACT(BASE)},
    /* Its stacks are of functions.  -e and -f select entries of the call graph.  */
    {FACT(TREE), EXCLUDES, FACT(SPLIT) | FACT(PER_FILE) | FACT(ENTRY_SPECS), 0, 0},
    /* Lines of lines do not exist.  Of -e and -f only the entries of the call graph know.  */
    {FACT(CODE), EXCLUDES, FACT(SPLIT) | FACT(PER_FILE) | FACT(ENTRY_SPECS) | FACT(OBJECTS), 0, 0},
    {FACT(CODE), EXCLUDES, FACT(WHOLE_FORMAT), 0, FACT(CODE_FORMAT)},
    {FACT(SELECTION) | FACT(NAMES), EXCLUDES, FACT(CODE_FORMAT), 0, FACT(BASE)},
    /* An order for linkers has all calls.  */
    {FACT(ORDER_FORMAT), EXCLUDES, FACT(ENTRY_SPECS) | FACT(TIME_SPECS), 0, 0},
    {FACT(SORT), REQUIRES, FACT(TOP) | FACT(PER_FILE) | FACT(BASE), 0, 0},
    {FACT(STACKS), EXCLUDES, FACT(NO_STACKS), 0, 0},
    {FACT(COLUMNS) | FACT(TOTAL_ERROR) | FACT(MIN_SHARE) | FACT(STACKS_FILE), EXCLUDES,
     FACT(PER_FILE), 0, 0},
    {FACT(BY) | FACT(SELECTION), EXCLUDES, FACT(PER_FILE), 0, FACT(INPUTS_FORMAT)},
    {FACT(STACKS), EXCLUDES, FACT(BOUNDS) | FACT(BY_OBJECT) | FACT(ARC_SPECS) | FACT(TIME_SPECS), 0,
     0},
    /* The table has totals of lines; the call graph has calls of their first lines.  */
    {FACT(STACKS), EXCLUDES, FACT(SPLIT), 0, FACT(TOP)},
    {FACT(STACKS), EXCLUDES, FACT(REPORTS), FACT(SPLIT), 0},
    {FACT(STACKS), EXCLUDES, FACT(LINE), FACT(LINES_FORMAT), 0},
    /* Functions that vary are beside profiles only in text and Markdown.  */
    {FACT(STACKS), EXCLUDES, FACT(SPLIT) | FACT(ROWS_FORMAT) | FACT(WHOLE_FORMAT), FACT(PER_FILE),
     0},
    {FACT(BY_FUNCTION), EXCLUDES, FACT(SPLIT), 0, 0},

    {FACT(TABLE_FORMAT), EXCLUDES, FACT(REPORTS) | FACT(CODE), 0, 0},
    {FACT(FIGURES_FORMAT), EXCLUDES, FACT(NO_TIMES), 0, 0},
    {FACT(WHOLE_FORMAT), EXCLUDES, FACT(TOP), 0, FACT(BASE)},
    {FACT(WHOLE_FORMAT), EXCLUDES, FACT(PER_FILE), 0, FACT(INPUTS_FORMAT)},
    {FACT(WHOLE_FORMAT), EXCLUDES, FACT(REPORTS), 0, FACT(PAGE_FORMAT)},
    {FACT(WHOLE_FORMAT), EXCLUDES, FACT(SORT) | FACT(BY_FILE) | FACT(OBJECTS), 0, 0},
    {FACT(WHOLE_FORMAT), EXCLUDES, FACT(COLUMNS) | FACT(MIN_SHARE), FACT(BASE), 0},
    {FACT(ORDER_FORMAT), EXCLUDES, FACT(LINE), 0, 0},
    {FACT(PAGE_FORMAT), EXCLUDES, FACT(MORE_REPORTS) | FACT(SEPARATE_FILES), 0, 0},
    {FACT(BY_OBJECT), EXCLUDES, FACT(REPORTS), 0, 0},
    {FACT(OBJECTS), EXCLUDES, FACT(OUTPUT) | FACT(TABLE_FORMAT), 0, FACT(BY_OBJECT)},
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
           (options->top.by == TOP_FUNCTIONS || options->top.by == TOP_THREADS);
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

static bool has_lines(const struct export_format *format)
{
    return (format->traits & EXPORT_LINES) != 0;
}

static bool has_view(const struct export_format *format)
{
    return (format->traits & EXPORT_SHOWN) != 0;
}

static bool has_shares(const struct export_format *format)
{
    return (format->traits & EXPORT_SHARES) != 0;
}

static bool has_stacks(const struct export_format *format)
{
    return (format->traits & EXPORT_STACKS) != 0;
}

static bool has_samples(const struct export_format *format)
{
    return has_stacks(format) || format->is_page || (format->traits & EXPORT_MEASURED) != 0;
}

static bool has_inputs(const struct export_format *format)
{
    return (format->traits & EXPORT_INPUTS) != 0;
}

static bool has_figures(const struct export_format *format)
{
    return (format->traits & EXPORT_FIGURES) != 0;
}

static bool has_code(const struct export_format *format)
{
    return (format->traits & EXPORT_CODE) != 0;
}

static bool has_one_side(const struct export_format *format)
{
    return export_has_snapshot(format) && format->write_comparison == NULL;
}

static bool is_order(const struct export_format *format)
{
    return (format->traits & EXPORT_ORDER) != 0;
}

_Static_assert(FACT_COUNT <= 64, "a set of facts is one number");

/* The name of a fact, and when it holds: one of the other members is set.  */
struct fact_row {
    const char *name; /* NULL: that of the option or format */
    int id;           /* the option is given */
    int ids[5];       /* one of these options is given; they end in 0 */
    unsigned reports; /* one of these is on */
    bool (*is_said)(const struct options *options);
    bool (*is_true_of)(const struct export_format *format);
};

static const struct fact_row fact_rows[FACT_COUNT] = {
    [FACT_SUM] = {.id = 's'},
    [FACT_SUBTRACT] = {.id = OPT_SUBTRACT},
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
    [FACT_DEPTH] = {.id = OPT_DEPTH},
    [FACT_CODE] = {.name = "--code", .reports = REPORT_CODE},
    [FACT_OPEN] = {.id = OPT_OPEN},
    [FACT_COLUMNS] = {.id = OPT_COLUMNS},
    [FACT_NO_TIMES] = {.name = "--columns without a time", .is_said = has_no_times},
    [FACT_TOTAL_ERROR] = {.name = "--columns=total-error", .is_said = has_total_error},
    [FACT_BOUNDS] = {.name = "--columns=least|most", .is_said = has_bounds},
    [FACT_SORT] = {.id = OPT_SORT},
    [FACT_BY] = {.name = "--by", .is_said = is_by},
    [FACT_BY_FUNCTION] = {.name = "--by=function or thread", .is_said = is_by_function},
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
    [FACT_OBJECTS] = {.id = OPT_OBJECTS},
    [FACT_OUTPUT] = {.id = 'o'},
    [FACT_SUM_PRINTED] = {.name = "--sum --output=-", .is_said = is_sum_printed},
    [FACT_STRICT] = {.id = OPT_STRICT},
    [FACT_DEBUG] = {.name = "--debug", .is_said = is_tracing},
    [FACT_BASE] = {.id = OPT_BASE},
    [FACT_SIDES] = {.name = "--base-profile, --base-runs or --alpha",
                    .ids = {OPT_BASE_PROFILE, OPT_BASE_RUNS, OPT_ALPHA}},
    [FACT_FAIL_ABOVE] = {.id = OPT_FAIL_ABOVE},
    [FACT_FAIL_CALLS] = {.id = OPT_FAIL_CALLS},
    [FACT_FAIL_SCOPE] = {.id = OPT_FAIL_SCOPE},
    [FACT_FAIL_BLIND] = {.id = OPT_FAIL_BLIND},
    [FACT_ALLOW] = {.id = OPT_ALLOW},
    [FACT_TABLE_FORMAT] = {.is_true_of = has_table},
    [FACT_ROWS_FORMAT] = {.is_true_of = has_rows},
    [FACT_WHOLE_FORMAT] = {.is_true_of = export_has_snapshot},
    [FACT_PAGE_FORMAT] = {.is_true_of = is_page},
    [FACT_LINES_FORMAT] = {.is_true_of = has_lines},
    [FACT_VIEW_FORMAT] = {.is_true_of = has_view},
    [FACT_SHARES_FORMAT] = {.is_true_of = has_shares},
    [FACT_STACKS_FORMAT] = {.is_true_of = has_stacks},
    [FACT_SAMPLES_FORMAT] = {.is_true_of = has_samples},
    [FACT_TIMES] = {.name = "--flat-profile|graph", .is_said = has_times},
    [FACT_INPUTS_FORMAT] = {.is_true_of = has_inputs},
    [FACT_FIGURES_FORMAT] = {.is_true_of = has_figures},
    [FACT_ONE_SIDE_FORMAT] = {.is_true_of = has_one_side},
    [FACT_CODE_FORMAT] = {.is_true_of = has_code},
    [FACT_ORDER_FORMAT] = {.is_true_of = is_order},
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

static bool is_fact(const struct fact_row *row, const struct options *options)
{
    const struct export_format *format = format_of(options);
    if (row->is_said != NULL)
        return row->is_said(options);
    if (row->is_true_of != NULL)
        return format != NULL && row->is_true_of(format);
    if (row->ids[0] != 0)
        return given_id(row, options) != 0;
    return row->id != 0 ? options->given[row->id] : (options->reports_on & row->reports) != 0;
}

static bool applies(const struct combination *row, const struct facts *facts)
{
    return (row->where == 0 || (facts->set & row->where) != 0) && (facts->set & row->unless) == 0;
}

/* The first fact of SET, which is not empty.  */
static enum fact first_of(uint64_t set)
{
    int fact = 0;
    while ((set >> fact & 1) == 0)
        fact++;
    return (enum fact)fact;
}

static void add_implied(struct facts *facts, const struct combination *row)
{
    uint64_t reasons = facts->set & row->options, added = row->others & ~facts->set;
    if (row->relation != IMPLIES || reasons == 0 || added == 0 || !applies(row, facts))
        return;
    enum fact reason = (enum fact)facts->causes[first_of(reasons)];
    for (int fact = 0; fact < FACT_COUNT; fact++)
        if ((added >> fact & 1) != 0)
            facts->causes[fact] = (unsigned char)reason;
    facts->set |= added;
}

struct facts facts_of(const struct options *options)
{
    struct facts facts = {.set = 0};
    for (int fact = 0; fact < FACT_COUNT; fact++) {
        facts.causes[fact] = (unsigned char)fact;
        if (is_fact(&fact_rows[fact], options))
            facts.set |= UINT64_C(1) << fact;
    }
    if (options->top.by == TOP_THREADS && !facts_have(&facts, FACT_STACKS)) {
        facts.set |= FACT(STACKS);
        facts.causes[FACT_STACKS] = FACT_BY;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        add_implied(&facts, &rows[i]);
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
        uint64_t given = facts->set & row->options, others = facts->set & row->others;
        if (row->relation == IMPLIES || given == 0 || !applies(row, facts) ||
            (row->relation == REQUIRES) == (others != 0))
            continue;
        *option = first_of(given);
        *other = others != 0 ? first_of(others) : FACT_COUNT;
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
    if (row->is_true_of == NULL && row->name != NULL) {
        snprintf(text, FACT_NAME_SIZE, "%s", row->name);
        return;
    }
    if (row->is_true_of == NULL) {
        option_row_name(option_row_find(row->id), text, FACT_NAME_SIZE);
        return;
    }
    for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
        char name[FACT_NAME_SIZE];
        size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (row->is_true_of(export_format_find(name)))
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
    const struct export_format *format = row->is_true_of != NULL ? format_of(options) : NULL;
    if (format != NULL && options->given[OPT_FORMAT])
        snprintf(text, FACT_NAME_SIZE, "--format=%s", format->name);
    else if (format != NULL) /* implied */
        snprintf(text, FACT_NAME_SIZE,
                 format->is_page && options->output.opens ? "--open" : "--output=NAME%s",
                 format->suffix);
    else if (option != NULL)
        option_row_name(option, text, FACT_NAME_SIZE);
    else
        fact_name(fact, text);
}

/* Writes the names of one or two facts into TEXT: `A', or `A or B'.  */
static void alternatives(uint64_t set, char *text, size_t size)
{
    char first[FACT_NAME_SIZE], second[FACT_NAME_SIZE];
    enum fact fact = first_of(set);
    fact_name(fact, first);
    set &= ~(UINT64_C(1) << fact);
    if (set != 0)
        fact_name(first_of(set), second);
    snprintf(text, size, set != 0 ? _(EITHER_OPTION) : "%s", first, second);
}

bool combinations_forbid_stacks(const struct facts *facts, const struct options *options,
                                char *text)
{
    struct facts with = *facts;
    enum fact option, other;
    with.set |= FACT(STACKS);
    const struct combination *broken = combinations_broken(&with, &option, &other);
    if (broken == NULL)
        return false;
    if (other == FACT_COUNT) /* what could have them is missing */
        option = facts_have(facts, FACT_WHOLE_FORMAT) ? FACT_WHOLE_FORMAT : FACT_PER_FILE;
    else if (option == FACT_STACKS)
        option = other;
    given_name((enum fact)facts->causes[option], options, text);
    return true;
}

bool combinations_check(const struct facts *facts, const struct options *options)
{
    char name[FACT_NAME_SIZE], needed[3 * FACT_NAME_SIZE];
    enum fact option, other;
    const struct combination *broken = combinations_broken(facts, &option, &other);
    if (broken == NULL)
        return true;
    given_name((enum fact)facts->causes[option], options, name);
    if (broken->relation == REQUIRES) {
        alternatives(broken->others, needed, sizeof needed);
        return problem(MSG_NEEDS, name, needed);
    }
    given_name((enum fact)facts->causes[other], options, needed);
    return problem(MSG_NOT_TOGETHER, name, needed);
}
