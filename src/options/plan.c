/* plan.c - what the program is to do, as it follows from the options.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/plan.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "base/text.h"
#include "input/disassemble.h"
#include "input/stack_file.h"
#include "options/combinations.h"
#include "options/option_rows.h"
#include "report/printers.h"

/* ---- The terminal ---- */

static bool is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool is = locale != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale != (locale_t)0)
        freelocale(locale);
    return is;
}

struct terminal terminal_of_output(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0};
    struct terminal terminal = {.is_one = isatty(STDOUT_FILENO) != 0};
    if (!terminal.is_one)
        return terminal;
    terminal.is_utf8 = is_utf8();
    const char *type = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    terminal.has_colour =
        type != NULL && strcmp(type, "dumb") != 0 && (no_colour == NULL || no_colour[0] == '\0');
    long width = columns != NULL ? strtol(columns, NULL, 10) : 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        terminal.width = size.ws_col;
        terminal.height = size.ws_row;
    }
    if (width > 0)
        terminal.width = width < INT_MAX ? (unsigned)width : INT_MAX;
    return terminal;
}

/* ---- Reports and output ---- */

/* Those that GNU gprof lacks.  */
enum {
    OWN_REPORTS = REPORT_PER_FILE | REPORT_TOP | REPORT_TREE | REPORT_CODE | REPORT_SNAPSHOT |
                  REPORT_COMPARISON
};

static bool has(const struct facts *facts, uint64_t groups)
{
    return (facts->has & groups) != 0;
}

static unsigned planned_reports(const struct facts *facts)
{
    unsigned reports = (unsigned)(facts->has & GROUP_REPORTS);
    if (has(facts, REPORT_COMPARISON))
        return REPORT_COMPARISON | REPORT_SNAPSHOT;
    if (has(facts, REPORT_SNAPSHOT)) /* --per-file: the format shows each profile */
        reports &= ~(unsigned)REPORT_PER_FILE;
    if (has(facts, REPORT_SOURCE) && has(facts, GROUP_PAGE))
        reports |= REPORT_CODE;
    /* With --per-file, --top is the number of rows of its tables.  */
    return (reports & REPORT_PER_FILE) != 0 ? reports & ~(unsigned)REPORT_TOP : reports;
}

/* Sets where the sum and the reports go; -o is for the sum if there is one.  */
static void plan_output(struct plan *plan, const struct options *options, const struct facts *facts,
                        const struct terminal *terminal)
{
    enum colour_choice colour = options->output.colour;
    const char *path = options->output.path;
    if (path == NULL && options->given['s'])
        path = plan->mode == MODE_SUM ? "gmon.sum"
                                      : arena_join(&plan->arena, "gmon.sum.", facts->format->name);
    if (plan->mode == MODE_SUM)
        plan->sum_path = path;
    else if (path != NULL && strcmp(path, "-") != 0)
        plan->output_path = path;
    plan->style = options->style;
    /* Only the lines of a tree go to files, too: the locale is not asked for in vain.  */
    plan->style.is_utf8 =
        terminal->is_one ? terminal->is_utf8 : (plan->reports & REPORT_TREE) != 0 && is_utf8();
    bool is_on_terminal = terminal->is_one && plan->output_path == NULL && plan->format == NULL;
    plan->style.explains |= !plan->style.is_brief && !is_on_terminal;
    plan->style.names =
        is_on_terminal && !options->given[OPT_NAMES] ? NAMES_SHORT : options->top.names;
    if (plan->output_path == NULL && plan->style.names != NAMES_FULL)
        plan->style.terminal_width = terminal->width;
    plan->style.has_colour =
        plan->output_path == NULL &&
        (colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && terminal->has_colour));
}

/* Checks that no binary format and no page would be written to a terminal.  False after a message.
 */
static bool check_terminal(const struct plan *plan, const struct options *options,
                           const struct terminal *terminal)
{
    const struct export_format *format = plan->format;
    if (format == NULL || plan->output_path != NULL || !terminal->is_one)
        return true;
    if ((format->traits & EXPORT_BINARY) != 0)
        return problem(MSG_BINARY_FORMAT, format->name);
    return !format->is_page || problem(MSG_PAGE_ON_TERMINAL, format->name,
                                       path_base(options->inputs.image), format->name);
}

/* ---- Tables ---- */

/* The columns of LIST, all of which exist.  */
static struct column_list columns_of(const char *list)
{
    struct column_list columns;
    const char *unknown;
    size_t length;
    if (!column_list_parse(&columns, &top_columns, list, true, &unknown, &length))
        bug("a default column that does not exist");
    return columns;
}

/* The default columns, of which a profile may lack some (top_rules).  Inclusive times of groups are
   left out: they would count time twice.  */
static const char *const default_columns[] = {
    [TOP_FUNCTIONS] = "self%,self,error,total%,total,total-error,least,most,calls,name",
    [TOP_LINES] = "self%,self,error,total%,total,total-error,calls,file,line,name",
    [TOP_FILES] = "self%,self,error,calls,name",
    [TOP_OBJECTS] = "self%,self,error,total%,total,name",
    [TOP_THREADS] = "self%,self,error,samples,name",
    [TOP_PROGRAMS] = "self%,self,error,samples,name",
    [TOP_PROCESSES] = "self%,self,error,samples,name",
};

enum { USUAL_ROWS = 20 }; /* of a table */

/* The rows of a table that are shown unless --top says how many: 20, or as many as fit a terminal
   with a note, the heading, an empty line, three lines below, and the prompt.  */
static size_t usual_rows(const struct plan *plan, const struct terminal *terminal)
{
    enum { LEAST = 10, OTHER_LINES = 7 };
    if (plan->style.terminal_width == 0 || terminal->height == 0)
        return USUAL_ROWS;
    return terminal->height > LEAST + OTHER_LINES ? terminal->height - OTHER_LINES : LEAST;
}

/* The rows that --top asks for, else USUAL.  */
static size_t rows_of(const struct options *options, size_t usual)
{
    return options->top.has_limit ? options->top.limit : usual;
}

/* Plans the table of functions; with -l but not --by, it has a row for each line.  */
static void plan_top(struct plan *plan, const struct options *options, const struct facts *facts,
                     const struct terminal *terminal)
{
    const struct top_options *top = &options->top;
    bool has_all = plan->format != NULL && !options->given[OPT_TOP];
    plan->top = (struct top_rules){
        .by = has(facts, GROUP_SPLIT) && !options->given[OPT_BY] ? TOP_LINES : top->by,
        .names = plan->style.names,
        .tells_apart = plan->style.names == NAMES_SHORT && plan->style.terminal_width > 0,
        .limit = rows_of(options, has_all ? 0 : usual_rows(plan, terminal)),
        .min_share = top->min_share,
        .has_zeros = options->style.has_zeros,
        .sort = columns_of("self,total,calls,name")};
    plan->top.columns = columns_of(default_columns[plan->top.by]);
    plan->has_columns = top->columns != NULL;
}

/* A page has the code of more functions, which it shows one by one: with instructions, if the user
   asked for code.  */
static void plan_code(struct plan *plan, const struct options *options)
{
    enum { PAGE_FUNCTIONS = 20 };
    plan->code = options->code;
    if (plan->format == NULL || !plan->format->is_page)
        return;
    if ((options->reports_named & REPORT_CODE) != 0 || (plan->reports & REPORT_SOURCE) != 0)
        plan->code.has_instructions = can_disassemble();
    if (plan->code.limit == 0)
        plan->code.limit = PAGE_FUNCTIONS;
}

static void plan_per_file(struct plan *plan, const struct options *options)
{
    enum { MOST_VARYING = 5 };
    plan->per_file.most_functions = MOST_VARYING;
    plan->per_file.names = plan->style.names;
    if (options->given[OPT_TOP])
        plan->per_file.most_ends = plan->per_file.most_functions = rows_of(options, USUAL_ROWS);
}

/* Rows of each kind in a comparison: as --top says, else 20 for people and all for programs.  */
static void plan_compared(struct plan *plan, const struct options *options)
{
    bool is_for_people = plan->format == NULL || plan->format->is_for_people;
    plan->compared = (struct compare_table_rules){
        .limit = rows_of(options, is_for_people || options->given[OPT_TOP] ? USUAL_ROWS : 0),
        .min_share = options->top.min_share,
        .names = plan->style.names,
        .is_for_people = is_for_people,
        .is_narrow = plan->format == NULL,
        .plus_minus = style_plus_minus(&plan->style),
        .only_changed = is_for_people && !options->given[OPT_TOP]};
}

/* Reads TEXT, columns of SET, unless it is NULL.  False after a message.  */
static bool read_columns(struct column_list *list, const struct column_set *set, const char *text,
                         bool may_reverse)
{
    const char *unknown;
    struct name_list names = {0};
    size_t length;
    return text == NULL || column_list_parse(list, set, text, may_reverse, &unknown, &length) ||
           problem(MSG_UNKNOWN_COLUMN, (int)length, unknown, column_names(set, &names));
}

/* Plans --columns and --sort, whose columns are those of the table.  False after a message.  */
static bool plan_columns(struct plan *plan, const struct options *options)
{
    const struct top_options *top = &options->top;
    const char *sort = top->sort;
    if (plan->mode == MODE_COMPARE)
        return read_columns(&plan->compared.columns, &comparison_columns, top->columns, false) &&
               read_columns(&plan->compared.sort, &comparison_columns, sort, true);
    if ((plan->reports & REPORT_PER_FILE) != 0)
        return read_columns(&plan->per_file.sort, &per_file_columns,
                            sort == NULL && options->given[OPT_TOP] ? "samples" : sort, true);
    if (!read_columns(&plan->top.columns, &top_columns, top->columns, false) ||
        !read_columns(&plan->top.sort, &top_columns, sort, true))
        return false;
    if (sort != NULL)
        plan->top.kept = plan->top.sort;
    if (top->columns != NULL)
        plan->top.kept = plan->top.columns;
    return true;
}

/* ---- Expressions ---- */

/* Compiles TEXT, the argument of OPTION, and adds it to the expressions.  False after a message. */
static bool add_expression(struct plan *plan, const char *option, const char *text)
{
    char reason[200];
    regex_t *expression = &plan->expressions[plan->expression_count];
    int status = regcomp(expression, text, REG_EXTENDED | REG_NOSUB);
    if (status != 0) {
        regerror(status, expression, reason, sizeof reason);
        return problem(MSG_BAD_EXPRESSION, option, text, reason);
    }
    plan->expression_count++;
    return true;
}

/* Adds the expression TEXT, unless it is NULL, and sets *EXPRESSION to it.  */
static bool plan_expression(struct plan *plan, const char *option, const char *text,
                            const regex_t **expression)
{
    if (text == NULL)
        return true;
    *expression = &plan->expressions[plan->expression_count];
    return add_expression(plan, option, text);
}

/* Compiles the expressions of all options.  False after a message.  */
static bool plan_expressions(struct plan *plan, const struct options *options)
{
    const struct text_list *allowed = &options->compare.allowed;
    bool ok;
    plan->expressions = mem_array(allowed->count + 2, sizeof *plan->expressions);
    ok = plan_expression(plan, "focus", options->top.focus, &plan->top.focus) &&
         plan_expression(plan, "hide", options->top.hide, &plan->top.hide);
    plan->gate = options->compare.gate;
    plan->gate.allow = plan->expressions + plan->expression_count;
    plan->gate.allow_count = allowed->count;
    for (size_t i = 0; i < allowed->count && ok; i++)
        ok = add_expression(plan, "allow", allowed->texts[i]);
    return ok;
}

/* ---- What is counted ---- */

/* Adds OPTION with its ARGUMENT as UTF-8, as in JSON.  */
static void add_counting(struct plan *plan, const char *option, const char *argument)
{
    const char *text = arena_join(&plan->arena, option, argument);
    size_t length = strlen(text);
    char *copy = arena_alloc(&plan->arena, 2 * length + 1);
    utf8_copy(copy, text, length);
    plan->counting[plan->counting_count++] = copy;
}

static void add_slide(struct plan *plan, uint64_t slide)
{
    bool is_negative = (int64_t)slide < 0;
    char text[32];
    snprintf(text, sizeof text, "%s0x%llx", is_negative ? "-" : "",
             (unsigned long long)(is_negative ? 0 - slide : slide));
    add_counting(plan, "--slide=", text);
}

/* Lists the options by which figures or names of functions differ from those of the same profiles
   without them: with these, profiles cannot be compared, or, if they choose samples, with a
   warning.  */
static void plan_counting(struct plan *plan, const struct options *options)
{
    const struct analysis_options *analysis = &options->analysis;
    const struct symspecs *specs = &analysis->specs;
    enum { MOST_OTHERS = 9 };
    plan->counting = mem_array(specs->count + MOST_OTHERS, sizeof *plan->counting);
    for (size_t i = 0; i < specs->count; i++) {
        const char option[] = {'-', (char)specs->specs[i].option, ' ', '\0'};
        if (!is_own_target(specs->specs[i].target))
            add_counting(plan, option, specs->specs[i].text);
    }
    if (analysis->no_static)
        add_counting(plan, "-a", "");
    if (analysis->functions_only)
        add_counting(plan, "-D", "");
    if (options->inputs.foreign.folds_libraries)
        add_counting(plan, "--fold-libraries", "");
    if (analysis->has_static_calls)
        add_counting(plan, "-c", "");
    if (plan->by_line)
        add_counting(plan, "-l", "");
    if (options->inputs.slide != 0)
        add_slide(plan, options->inputs.slide);
    if (options->inputs.foreign.program != NULL)
        add_counting(plan, "--program=", options->inputs.foreign.program);
    if (analysis->symbol_table != NULL) /* the files of two executables have two names */
        add_counting(plan, "-S", "");
    if (!analysis->is_demangled || options->style.is_traditional)
        add_counting(plan, "--no-demangle", "");
    else if (analysis->demangling != NULL && strcmp(analysis->demangling, "auto") != 0)
        add_counting(plan, "--demangle=", analysis->demangling);
    qsort(plan->counting, plan->counting_count, sizeof *plan->counting, compare_texts);
    size_t kept = 0;
    for (size_t i = 0; i < plan->counting_count; i++)
        if (kept == 0 || strcmp(plan->counting[kept - 1], plan->counting[i]) != 0)
            plan->counting[kept++] = plan->counting[i];
    plan->counting_count = kept;
}

/* ---- Stacks ---- */

/* Whether stacks beside the profiles are used though --stacks is not given.  Not for the reports of
   GNU gprof: scripts read these, and they stay as they are until somebody asks for measured
   times.  */
static bool uses_stacks_unasked(const struct facts *facts)
{
    return has(facts, OWN_REPORTS | GROUP_TABLE);
}

static void plan_stacks(struct plan *plan, const struct options *options, const struct facts *facts)
{
    struct stacks_plan *stacks = &plan->stacks;
    const char *path = options->inputs.stacks;
    char obstacle[GROUP_NAME_SIZE] = "";
    bool is_sum = has(facts, GROUP_SUM) && !has(facts, GROUP_SUM_PRINTED);
    if (has(facts, GROUP_NO_STACKS))
        return;
    if (has(facts, GROUP_STACKS))
        stacks->source = path != NULL && *path != '\0' ? STACKS_FILE : STACKS_BESIDE;
    else if (plan->profiles->has_stacks ||
             (uses_stacks_unasked(facts) && !combinations_forbid_stacks(facts, options, obstacle)))
        stacks->source = STACKS_FOUND;
    if (is_sum && has(facts, GROUP_ARCS))
        combinations_name(facts, options, GROUP_ARCS, obstacle);
    else
        stacks->adds = is_sum && stacks->source != STACKS_FILE;
    if (stacks->adds) /* whether a table has them or not */
        obstacle[0] = '\0';
    if (obstacle[0] != '\0')
        stacks->obstacle = mem_copy(obstacle, strlen(obstacle));
}

/* ---- What reports need ---- */

/* Whether some column or option needs the source positions of the functions.  */
static bool top_needs_positions(const struct top_rules *rules)
{
    bool is_of_places = rules->by == TOP_LINES || rules->by == TOP_FILES;
    return is_of_places || rules->focus != NULL || rules->hide != NULL ||
           column_list_has(&rules->columns, "file") || column_list_has(&rules->columns, "line") ||
           column_list_has(&rules->sort, "file") || column_list_has(&rules->sort, "line");
}

/* What REPORTS and the options need: or-ed report_need.  */
static unsigned needs_of(const struct plan *plan, const struct options *options, unsigned reports)
{
    unsigned needs = reports_needs(reports);
    if ((reports & REPORT_SNAPSHOT) != 0)
        needs |= NEEDS_GRAPH | NEEDS_ENTRIES | NEEDS_CALLERS | NEEDS_LABELS | NEEDS_POSITIONS |
                 NEEDS_PROFILE_FIGURES;
    if (options->trace.stages != 0)
        needs |= NEEDS_GRAPH | NEEDS_ENTRIES | NEEDS_ENTRY_LINES | NEEDS_CALLERS | NEEDS_LABELS;
    if (options->style.is_traditional) /* the flat profile shows the numbers of entries */
        needs |= NEEDS_ENTRIES;
    if (plan->by_line) /* calls decide which lines are symbols */
        needs |= NEEDS_CALLERS;
    if ((needs & NEEDS_TOP) != 0 && plan->top.tells_apart)
        needs |= NEEDS_STATIC_POSITIONS;
    bool is_selecting = plan->top.focus != NULL || plan->top.hide != NULL; /* file:name */
    if (((needs & NEEDS_TOP) != 0 && top_needs_positions(&plan->top)) ||
        ((needs & NEEDS_TREE) != 0 && is_selecting))
        needs |= NEEDS_POSITIONS;
    return needs;
}

/* ---- The plan ---- */

/* Those of an executable that counts, and those of other profilers.  */
static const struct profile_kind kinds[] = {
    {.refused = GROUP_FOREIGN, .on_page = REPORT_CODE},
    {.refused = GROUP_IMAGE, .unused = GROUP_SUM | GROUP_SUM_PRINTED, .has_stacks = true},
};

/* Checks that no option needs other profiles of another KIND than FOREIGN, as in plan_make.  False
   after a message.  */
static bool check_profiles(const struct profile_kind *kind, const struct options *options,
                           const char *foreign)
{
    const char *image = options->inputs.image;
    char name[GROUP_NAME_SIZE];
    if (!option_row_given(options, kind->refused, name, sizeof name))
        return true;
    if (foreign == NULL)
        return problem(MSG_NEEDS_OTHER, name, image);
    return problem(foreign != image ? MSG_NEEDS_OWN : MSG_NEEDS_IMAGE, name, foreign);
}

/* Whether the end of the name of a file that is written names what can be written.  False after a
   message.  */
static bool check_output(const struct output_options *output)
{
    const char *path = output->path;
    const struct export_format *format = output->format;
    if (path == NULL)
        return true;
    if (format == NULL && export_is_picture(path))
        return problem(MSG_PICTURE, path);
    if (format == NULL)
        format = export_format_of_path(path);
    bool is_packed = format != NULL && (format->traits & EXPORT_BINARY) != 0;
    return is_packed || !export_is_packed(path) || problem(MSG_PACKED_OUTPUT, path);
}

bool plan_make(struct plan *plan, const struct options *options, const struct terminal *terminal,
               const char *foreign)
{
    *plan = (struct plan){0};
    plan->profiles = &kinds[foreign != NULL];
    const struct facts facts = facts_of(options, plan->profiles->unused);
    if (!has(&facts, GROUP_SUM) && !check_output(&options->output))
        return false;
    if (!check_profiles(plan->profiles, options, foreign) || !combinations_check(&facts, options))
        return false;
    plan->reports = planned_reports(&facts);
    plan->by_line = has(&facts, GROUP_SPLIT);
    plan->has_lines = has(&facts, GROUP_LINES) && has(&facts, GROUP_OF_FORMAT(EXPORT_LINES));
    plan->mode = has(&facts, REPORT_COMPARISON) ? MODE_COMPARE
                 : has(&facts, GROUP_SUM)       ? MODE_SUM
                                                : MODE_REPORT;
    plan->shows_profiles =
        has(&facts, REPORT_PER_FILE) && has(&facts, GROUP_OF_FORMAT(EXPORT_INPUTS));
    plan->format = has(&facts, GROUP_TABLE | REPORT_SNAPSHOT) ? facts.format : NULL;
    plan->keeps_threads = options->top.by == TOP_THREADS ||
                          (plan->format != NULL && (plan->format->traits & EXPORT_THREADS) != 0 &&
                           plan->mode == MODE_REPORT);
    if (plan->mode == MODE_REPORT && plan->format != NULL && plan->format->is_page &&
        options->analysis.symbol_table == NULL)
        plan->reports |= plan->profiles->on_page;
    plan->has_idle = has(&facts, REPORT_COMPARISON) ||
                     (plan->format != NULL && (plan->format->traits & EXPORT_IDLE) != 0);
    plan->refuses_others = !options->inputs.is_forced && (plan->reports & OWN_REPORTS) != 0;
    plan_stacks(plan, options, &facts);
    plan->is_own = plan->reports != 0 && (plan->reports & ~(unsigned)OWN_REPORTS) == 0;
    plan->has_stubs = plan->is_own || has(&facts, GROUP_STACKS);
    plan_output(plan, options, &facts, terminal);
    plan_top(plan, options, &facts, terminal);
    plan_compared(plan, options);
    plan_per_file(plan, options);
    plan_code(plan, options);
    plan_counting(plan, options);
    if (!check_terminal(plan, options, terminal) || !plan_columns(plan, options) ||
        !plan_expressions(plan, options))
        return false;
    plan->needs =
        needs_of(plan, options, plan->reports != 0 ? plan->reports : REPORT_FLAT | REPORT_GRAPH);
    plan->has_files =
        symspecs_need_source(&options->analysis.specs) || (plan->needs & NEEDS_ANNOTATION) != 0;
    return true;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->expression_count; i++)
        regfree(&plan->expressions[i]);
    free(plan->expressions);
    free(plan->counting);
    free(plan->stacks.obstacle);
    arena_free(&plan->arena);
    *plan = (struct plan){0};
}

/* ---- After the profiles have been read ---- */

bool plan_settle_reports(const struct plan *plan, const struct options *options,
                         const struct profile *profile, unsigned *reports, unsigned *needs)
{
    bool has_stacks = profile->recorded.counted > 0, has_graph = has_arcs(profile) || has_stacks;
    if (*reports == 0) {
        *reports = (has_histograms(profile) ? REPORT_FLAT : 0) | (has_graph ? REPORT_GRAPH : 0);
        *reports = (*reports != 0 ? *reports : REPORT_COUNTS) & ~options->reports_named;
    }
    *needs = needs_of(plan, options, *reports);
    if (has_stacks) /* functions that only stacks have */
        *needs |= NEEDS_ENTRIES;
    const char *first = profile->info_count > 0 ? profile->infos[0].path : "";
    if ((*reports & REPORT_GRAPH) != 0 && !has_graph && stack_file_is_named(first))
        return problem(MSG_NO_COUNTED_CALLS, first); /* no gmon.out: GNU gprof cannot read it */
    return reports_are_possible(*reports, profile);
}
