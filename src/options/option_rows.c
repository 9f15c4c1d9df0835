/* option_rows.c - one row for each option (letter, name, argument, help, action, target).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/option_rows.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "foreign/foreign.h"
#include "input/disassemble.h"
#include "input/image.h"

/* ---- Actions ---- */

static void *target_of(struct options *options, const struct option_row *row)
{
    return (char *)options + row->target;
}

static bool set_flag(struct options *options, const struct option_row *row, const char *argument)
{
    (void)argument;
    *(bool *)target_of(options, row) = true;
    return true;
}

static bool clear_flag(struct options *options, const struct option_row *row, const char *argument)
{
    (void)argument;
    *(bool *)target_of(options, row) = false;
    return true;
}

static bool set_text(struct options *options, const struct option_row *row, const char *argument)
{
    *(const char **)target_of(options, row) = argument;
    return true;
}

/* Whether ROW's option has the same argument as BEFORE, unless that is NULL; else prints a message.
 */
static bool is_only(const struct option_row *row, const char *before, const char *argument)
{
    if (before == NULL || strcmp(before, argument) == 0)
        return true;
    struct arena arena = {0};
    problem(MSG_NOT_TOGETHER, arena_format(&arena, "--%s=%s", row->long_name, before),
            arena_format(&arena, "--%s=%s", row->long_name, argument));
    arena_free(&arena);
    return false;
}

static bool set_program(struct options *options, const struct option_row *row, const char *argument)
{
    const char *before = options->inputs.foreign.program; /* or a thread, which excludes it */
    return is_only(row, before != options->inputs.thread ? before : NULL, argument) &&
           set_text(options, row, argument);
}

/* Chooses a thread: --thread=NAME is --program=thread=NAME.  */
static bool set_thread(struct options *options, const struct option_row *row, const char *argument)
{
    static const char key[] = "thread=";
    size_t length = strlen(argument);
    const char *before = options->inputs.thread;
    if (!is_only(row, before != NULL ? before + sizeof key - 1 : NULL, argument))
        return false;
    free(options->inputs.thread);
    options->inputs.thread = mem_array(sizeof key + length, 1);
    memcpy(options->inputs.thread, key, sizeof key - 1);
    memcpy(options->inputs.thread + sizeof key - 1, argument, length);
    return set_text(options, row, options->inputs.thread);
}

/* Sets the name of a format of other profilers.  */
static bool set_from(struct options *options, const struct option_row *row, const char *argument)
{
    struct name_list names = {0};
    return foreign_is_format(argument)
               ? set_text(options, row, argument)
               : problem(MSG_UNKNOWN_FOREIGN, argument, foreign_format_names(&names));
}

static bool add_text(struct options *options, const struct option_row *row, const char *argument)
{
    struct text_list *list = target_of(options, row);
    list->texts = mem_grow(list->texts, &list->capacity, list->count + 1, sizeof *list->texts);
    list->texts[list->count++] = argument;
    return true;
}

/* Negative numbers are for the options that GNU gprof has, too, which have a letter.  */
static bool parse_number(const struct option_row *row, const char *text, long *number)
{
    char *end, name[32];
    errno = 0;
    *number = strtol(text, &end, 10);
    if (end != text && *end == '\0' && errno != ERANGE && (*number >= 0 || row->id < 256))
        return true;
    if (row->id < 256)
        snprintf(name, sizeof name, "-%c", row->id);
    else
        snprintf(name, sizeof name, "--%s", row->long_name);
    return problem(MSG_BAD_NUMBER, name, text);
}

/* Sets a number; one below the row's value counts as that value.  */
static bool set_number(struct options *options, const struct option_row *row, const char *argument)
{
    long number;
    if (!parse_number(row, argument, &number))
        return false;
    if (number < (long)row->value)
        number = (long)row->value;
    *(unsigned *)target_of(options, row) = number > INT_MAX ? INT_MAX : (unsigned)number;
    return true;
}

/* Sets a count; a negative one is larger than all others.  */
static bool set_count(struct options *options, const struct option_row *row, const char *argument)
{
    long number;
    if (!parse_number(row, argument, &number))
        return false;
    *(uint64_t *)target_of(options, row) = (uint64_t)number;
    return true;
}

static bool set_stages(struct options *options, const struct option_row *row, const char *argument)
{
    long stages = TRACE_ALL; /* like -1 */
    if (argument != NULL && !parse_number(row, argument, &stages))
        return false;
    options->trace = (struct trace){(unsigned)stages & TRACE_ALL, stdout};
    return true;
}

/* Sets a difference of addresses, decimal or hexadecimal.  */
static bool set_slide(struct options *options, const struct option_row *row, const char *argument)
{
    const char *digits = argument + (argument[0] == '-');
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    options->inputs.has_slide = true;
    errno = 0;
    uint64_t number = strtoull(digits, &end, is_hex ? 16 : 10);
    options->inputs.slide = digits == argument ? number : 0 - number;
    return (digits[0] >= '0' && digits[0] <= '9' && *end == '\0' && errno != ERANGE) ||
           problem(MSG_BAD_SLIDE, row->long_name, argument);
}

static bool set_format(struct options *options, const struct option_row *row, const char *argument)
{
    static const struct {
        char letter;
        enum gmon_format format;
    } formats[] = {{'a', GMON_AUTO}, {'m', GMON_MAGIC}, {'b', GMON_BSD}, {'4', GMON_BSD44}};
    (void)row;
    if (argument[0] == 'p')
        return problem(MSG_PROF_FORMAT);
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        if (formats[i].letter == argument[0]) {
            options->inputs.format = formats[i].format;
            return true;
        }
    return problem(MSG_UNKNOWN_FORMAT, argument);
}

static bool set_demangling(struct options *options, const struct option_row *row,
                           const char *argument)
{
    (void)row;
    options->analysis.is_demangled = true;
    options->analysis.demangling = argument;
    return argument == NULL ||
           image_find_demangling_style(argument, &options->analysis.demangling_style) ||
           problem(MSG_UNKNOWN_STYLE, argument);
}

static bool add_directories(struct options *options, const struct option_row *row,
                            const char *argument)
{
    search_path_add(target_of(options, row), argument);
    return true;
}

static bool add_source_map(struct options *options, const struct option_row *row,
                           const char *argument)
{
    (void)row;
    return source_map_add(&options->analysis.source_map, argument) ||
           problem(MSG_BAD_SOURCE_MAP, argument);
}

static bool has_slash(const char *spec)
{
    return strchr(spec, '/') != NULL;
}

static bool add_spec(struct options *options, const struct option_row *row, const char *argument)
{
    symspecs_add(&options->analysis.specs, row->spec, row->id, argument);
    return true;
}

/* Adds a spec of -E or -F, which select time, and the entries that -e and -f select.  */
static bool add_spec_and_time(struct options *options, const struct option_row *row,
                              const char *argument)
{
    symspecs_add(&options->analysis.specs,
                 row->spec == SPEC_INCLUDE_GRAPH ? SPEC_INCLUDE_TIME : SPEC_EXCLUDE_TIME, row->id,
                 argument);
    return add_spec(options, row, argument);
}

/* Adds the spec of a report.  For the call graph, one with a slash selects arcs.  */
static bool add_report(struct options *options, const struct option_row *row, const char *argument)
{
    enum symspec_target spec = row->spec;
    if (argument == NULL)
        return true;
    if (spec == SPEC_INCLUDE_GRAPH && has_slash(argument))
        spec = SPEC_INCLUDE_ARCS;
    if (spec == SPEC_EXCLUDE_GRAPH && has_slash(argument))
        spec = SPEC_EXCLUDE_ARCS;
    symspecs_add(&options->analysis.specs, spec, row->id, argument);
    return true;
}

/* Switches a report off.  With an argument, it is on, without what the argument names.  */
static bool drop_report(struct options *options, const struct option_row *row, const char *argument)
{
    if (argument != NULL)
        return add_report(options, row, argument);
    options->reports_on &= ~(unsigned)row->group;
    return true;
}

/* Adds the name of a function: an empty one, as of an unset variable, is none.  */
static bool add_function(struct options *options, const struct option_row *row,
                         const char *argument)
{
    char option[OPTION_NAME_SIZE];
    if (argument[0] != '\0')
        return add_spec(options, row, argument);
    option_name(row->id, option);
    return problem(MSG_SPEC_NOT_FOUND, option, 0, "");
}

static bool set_tree(struct options *options, const struct option_row *row, const char *argument)
{
    return argument == NULL || add_function(options, row, argument);
}

/* Names a function of the tree of callers or of callees.  */
static bool set_callers(struct options *options, const struct option_row *row, const char *argument)
{
    options->top.is_down |= row->id == OPT_CALLEES;
    return set_tree(options, row, argument);
}

/* Reads the number of functions, or names one.  */
static bool set_code(struct options *options, const struct option_row *row, const char *argument)
{
    long limit;
    if (argument == NULL)
        return true;
    if (argument[0] == '\0' || argument[strspn(argument, "0123456789")] != '\0')
        return add_function(options, row, argument);
    if (!parse_number(row, argument, &limit))
        return false;
    options->code.limit = limit > 0 ? (size_t)limit : SIZE_MAX;
    return true;
}

static bool set_asm(struct options *options, const struct option_row *row, const char *argument)
{
    (void)argument;
    options->code.has_instructions = true;
    return can_disassemble() || problem(MSG_NO_OPCODES, row->long_name);
}

static bool set_disassembler(struct options *options, const struct option_row *row,
                             const char *argument)
{
    options->code.disassembler_options = argument;
    if (!set_asm(options, row, NULL))
        return false;
    return knows_disassembler_options(argument) ||
           problem(MSG_UNKNOWN_DISASSEMBLY, row->long_name, argument);
}

/* ---- Actions of the table of functions ---- */

static bool set_top(struct options *options, const struct option_row *row, const char *argument)
{
    long limit = 0;
    if (argument != NULL && !parse_number(row, argument, &limit))
        return false;
    options->top.has_limit = argument != NULL;
    options->top.limit = limit > 0 ? (size_t)limit : 0;
    return true;
}

/* Sets *CHOICE to the position of WORD in WORDS, which are separated by blanks.  */
static bool choose(const struct option_row *row, const char *words, const char *word, int *choice)
{
    const char *at = words;
    for (*choice = 0; *at != '\0'; ++*choice) {
        size_t length = strcspn(at, " ");
        if (strlen(word) == length && memcmp(at, word, length) == 0)
            return true;
        at += length + strspn(at + length, " ");
    }
    return problem(MSG_UNKNOWN_CHOICE, row->long_name, word, words);
}

static bool set_group(struct options *options, const struct option_row *row, const char *argument)
{
    int choice;
    if (!is_only(row, options->top.by_name, argument) ||
        !choose(row, "function line file object thread program process", argument, &choice))
        return false;
    options->top.by = (enum top_group)choice;
    options->top.by_name = argument;
    return true;
}

/* Without argument: beside each profile.  */
static bool set_stacks(struct options *options, const struct option_row *row, const char *argument)
{
    return set_text(options, row, argument != NULL ? argument : "");
}

static bool set_names(struct options *options, const struct option_row *row, const char *argument)
{
    int choice;
    if (!choose(row, "full short raw", argument, &choice))
        return false;
    options->top.names = (enum name_style)choice;
    return true;
}

static bool set_colour(struct options *options, const struct option_row *row, const char *argument)
{
    int choice = COLOUR_ALWAYS;
    if (argument != NULL && !choose(row, "auto always never", argument, &choice))
        return false;
    options->output.colour = (enum colour_choice)choice;
    return true;
}

static bool set_share(struct options *options, const struct option_row *row, const char *argument)
{
    char *end;
    double share = strtod(argument, &end);
    if (end == argument || *end != '\0' || !(share >= 0 && share <= 100))
        return problem(MSG_BAD_SHARE, row->long_name, argument);
    *(double *)target_of(options, row) = share;
    return true;
}

static bool set_output_format(struct options *options, const struct option_row *row,
                              const char *argument)
{
    struct name_list names = {0};
    options->output.format = export_format_find(argument);
    return options->output.format != NULL ||
           problem(MSG_UNKNOWN_CHOICE, row->long_name, argument, export_format_names(&names));
}

/* ---- Actions of comparisons ---- */

/* A finite number from LEAST to MOST at the start of TEXT; *END is behind it.  */
static bool parse_figure(const char *text, double least, double most, double *figure, char **end)
{
    *figure = strtod(text, end);
    return *end != text && *figure >= least && *figure <= most;
}

static bool set_base_runs(struct options *options, const struct option_row *row,
                          const char *argument)
{
    char *end;
    double runs;
    if (!parse_figure(argument, 1, 1e9, &runs, &end) || *end != '\0' ||
        runs != (double)(unsigned)runs)
        return problem(MSG_BAD_RUNS, row->long_name, argument);
    options->compare.rules.base_runs = runs;
    return true;
}

/* Reads PERCENT, or PERCENT,SECONDS.  */
static bool set_fail_above(struct options *options, const struct option_row *row,
                           const char *argument)
{
    struct gate_rules *gate = &options->compare.gate;
    char *end;
    bool ok = parse_figure(argument, 0, HUGE_VAL, &gate->percent, &end);
    if (ok && *end == ',')
        ok = parse_figure(end + 1, 0, HUGE_VAL, &gate->seconds, &end);
    gate->has_time = true;
    return (ok && *end == '\0') || problem(MSG_BAD_THRESHOLD, row->long_name, argument);
}

static bool set_fail_calls(struct options *options, const struct option_row *row,
                           const char *argument)
{
    struct gate_rules *gate = &options->compare.gate;
    char *end;
    gate->has_calls = true;
    return (parse_figure(argument, 0, HUGE_VAL, &gate->calls_percent, &end) && *end == '\0') ||
           problem(MSG_BAD_THRESHOLD, row->long_name, argument);
}

static bool set_fail_scope(struct options *options, const struct option_row *row,
                           const char *argument)
{
    int choice;
    if (!choose(row, "total function both inclusive", argument, &choice))
        return false;
    options->compare.gate.scope = (enum gate_scope)choice;
    return true;
}

static bool set_alpha(struct options *options, const struct option_row *row, const char *argument)
{
    char *end;
    double alpha;
    if (!parse_figure(argument, 1e-12, 0.5, &alpha, &end) || *end != '\0')
        return problem(MSG_BAD_ALPHA, row->long_name, argument);
    options->compare.rules.alpha = options->compare.gate.alpha = alpha;
    return true;
}

/* ---- The table ---- */

#define HEADING(heading)                                                                           \
    {                                                                                              \
        .help = heading                                                                            \
    }
#define FLAG(id, name, member, help, group)                                                        \
    {                                                                                              \
        id, name, NONE, NULL, help, set_flag, offsetof(struct options, member), 0, 0, group        \
    }
#define VALUE(id, name, argument, help, action, member, lowest, group)                             \
    {                                                                                              \
        id, name, REQUIRED, argument, help, action, offsetof(struct options, member), lowest, 0,   \
            group                                                                                  \
    }
#define REPORT(id, name, argument, argument_name, help, action, report, spec, group)               \
    {                                                                                              \
        id, name, argument, argument_name, help, action, 0, 0, spec, report | (group)              \
    }
#define SPEC(id, name, argument_name, help, action, spec, group)                                   \
    {                                                                                              \
        id, name, REQUIRED, argument_name, help, action, 0, 0, spec, group                         \
    }

/* clang-format off */
static const struct option_row rows[] = {
    HEADING(N_("Table and formats")),
    REPORT(OPT_TOP, "top", OPTIONAL, N_("N"), N_("print the table: N rows (20), or all (0)"),
           set_top, REPORT_TOP, 0, 0),
    REPORT(OPT_CALLERS, "callers", REQUIRED, "F",
           N_("print the tree of what calls F, or F calls"), set_callers, REPORT_TREE, SPEC_TREE, 0),
    REPORT(OPT_CALLEES, "callees", REQUIRED, "F", NULL, set_callers, REPORT_TREE, SPEC_TREE,
           GROUP_CALLEES),
    REPORT(OPT_TREE, "tree", OPTIONAL, N_("FUNCTION"),
           N_("print the tree of calls [up from FUNCTION]"), set_tree, REPORT_TREE, SPEC_TREE, 0),
    VALUE(OPT_DEPTH, "depth", N_("N"), N_("print only N levels of the tree"), set_number, top.depth, 0,
          GROUP_DEPTH),
    REPORT(OPT_CODE, "code", OPTIONAL, N_("FUNCTION"),
           N_("print source with time [of FUNCTION, or N]"), set_code, REPORT_CODE, SPEC_CODE, 0),
    {OPT_ASM, "asm", NONE, NULL, N_("print machine code below source lines"), set_asm, 0, 0, 0, REPORT_CODE},
    {OPT_DISASSEMBLER_OPTIONS, "disassembler-options", REQUIRED, N_("LIST"),
     N_("how to disassemble, as objdump -M says it"), set_disassembler, 0, 0, 0, REPORT_CODE},
    VALUE(OPT_FORMAT, "format", N_("FORMAT"), N_("write the table or the profile in FORMAT"),
          set_output_format, output, 0, 0),
    VALUE('o', "output", N_("FILE"), N_("write to FILE: x.html, x.csv ... in FORMAT"),
          set_text, output.path, 0, 0),
    FLAG(OPT_OPEN, "open", output.opens, N_("show the page in a browser; explain tables"),
         GROUP_OPEN),
    FLAG(OPT_EXPLAIN, "explain", style.explains, NULL, 0),
    {OPT_STACKS, "stacks", OPTIONAL, N_("FILE"), N_("measure times by call stacks [in FILE]"),
     set_stacks, offsetof(struct options, inputs.stacks), 0, 0, GROUP_STACKS | GROUP_IMAGE},
    FLAG(OPT_NO_STACKS, "no-stacks", inputs.has_no_stacks, N_("estimate times from calls"),
         GROUP_NO_STACKS),
    FLAG(OPT_FOLD_LIBRARIES, "fold-libraries", inputs.foreign.folds_libraries,
         N_("show each library as one function"), 0),
    VALUE(OPT_COLUMNS, "columns", N_("LIST"),
          N_("print, or sort by, columns: self,-name ..."), set_text, top.columns, 0,
          GROUP_COLUMNS),
    VALUE(OPT_SORT, "sort", N_("LIST"), NULL, set_text, top.sort, 0, GROUP_SORT),
    VALUE(OPT_BY, "by", N_("UNIT"), N_("by line, file, object, thread, program..."), set_group, top, 0, 0),
    VALUE(OPT_MIN_SHARE, "min-share", N_("PERCENT"), N_("omit rows with a smaller share of the time"),
          set_share, top.min_share, 0, GROUP_SHARE),
    VALUE(OPT_FOCUS, "focus", N_("REGEX"), N_("print only, or omit, matching names"),
          set_text, top.focus, 0, GROUP_SELECTION),
    VALUE(OPT_HIDE, "hide", N_("REGEX"), NULL, set_text, top.hide, 0, GROUP_SELECTION),
    VALUE(OPT_NAMES, "names", N_("STYLE"), N_("print names in this style: full, short, raw"),
          set_names, top, 0, GROUP_NAMES),
    {OPT_COLOR, "color", OPTIONAL, N_("WHEN"), N_("colour rows: auto, always or never"),
     set_colour, 0, 0, 0, 0},

    HEADING(N_("Reports (SPEC is FILE, [FILE:]FUNCTION or [FILE:]LINE)")),
    REPORT('p', "flat-profile", OPTIONAL, N_("SPEC"), N_("print the flat profile [of SPEC]"),
           add_report, REPORT_FLAT, SPEC_INCLUDE_FLAT, 0),
    REPORT('P', "no-flat-profile", OPTIONAL, N_("SPEC"), N_("no flat profile [or exclude SPEC]"),
           drop_report, REPORT_FLAT, SPEC_EXCLUDE_FLAT, 0),
    REPORT('q', "graph", OPTIONAL, N_("SPEC"), N_("print the call graph [of SPEC or FROM/TO]"),
           add_report, REPORT_GRAPH, SPEC_INCLUDE_GRAPH, 0),
    REPORT('Q', "no-graph", OPTIONAL, N_("SPEC"), N_("no call graph [or exclude SPEC or FROM/TO]"),
           drop_report, REPORT_GRAPH, SPEC_EXCLUDE_GRAPH, 0),
    REPORT('A', "annotated-source", OPTIONAL, N_("SPEC"), N_("print annotated source [of SPEC]"),
           add_report, REPORT_SOURCE, SPEC_INCLUDE_ANNOTATE, GROUP_IMAGE),
    REPORT('J', "no-annotated-source", OPTIONAL, N_("SPEC"),
           N_("no annotated source [or exclude SPEC]"),
           drop_report, REPORT_SOURCE, SPEC_EXCLUDE_ANNOTATE, GROUP_IMAGE),
    REPORT('C', "exec-counts", OPTIONAL, N_("SPEC"), N_("print execution counts [of SPEC]"),
           add_report, REPORT_COUNTS, SPEC_INCLUDE_COUNTS, GROUP_IMAGE),
    REPORT('Z', "no-exec-counts", OPTIONAL, N_("SPEC"), N_("no execution counts [or exclude SPEC]"),
           drop_report, REPORT_COUNTS, SPEC_EXCLUDE_COUNTS, GROUP_IMAGE),
    REPORT('i', "file-info", NONE, NULL, N_("list what each profile contains"),
           NULL, REPORT_INFO, 0, GROUP_IMAGE),
    FLAG('l', "line", given['l'], N_("report source lines instead of functions"),
         GROUP_LINES | GROUP_IMAGE),
    FLAG('b', "brief", style.is_brief, N_("print no explanations"), 0),
    FLAG('z', "display-unused-functions", style.has_zeros,
         N_("include functions with no calls and no time"), 0),
    SPEC('n', "time", N_("SPEC"), N_("count only the time of SPEC and its callees"),
         add_spec, SPEC_INCLUDE_TIME, GROUP_TIMES | GROUP_IMAGE),
    SPEC('N', "no-time", N_("SPEC"), N_("do not count the time of SPEC"),
         add_spec, SPEC_EXCLUDE_TIME, GROUP_TIMES | GROUP_IMAGE),
    SPEC('k', NULL, N_("FROM/TO"), N_("exclude calls from FROM to TO"), add_spec, SPEC_EXCLUDE_ARCS,
         GROUP_IMAGE),
    {OPT_DEMANGLE, "demangle", OPTIONAL, N_("STYLE"), N_("demangle names [using STYLE]"),
     set_demangling, 0, 0, 0, 0},
    {OPT_NO_DEMANGLE, "no-demangle", NONE, NULL, N_("print mangled names"),
     clear_flag, offsetof(struct options, analysis.is_demangled), 0, 0, 0},
    VALUE('I', "directory-path", N_("DIRS"), N_("search DIRS (colon-separated) for sources"),
          add_directories, analysis.source_path, 0, 0),
    VALUE(OPT_SOURCE_MAP, "source-map", N_("OLD=NEW"), N_("search sources named OLD/... as NEW/..."),
          add_source_map, analysis.source_map, 0, 0),
    FLAG('x', "all-lines", style.has_all_lines, N_("source: annotate every line with code"), 0),
    FLAG('y', "separate-files", style.has_separate_files,
         N_("source: write each file to NAME-ann"), GROUP_SEPARATE),
    VALUE('t', "table-length", N_("N"), N_("source: list the N busiest lines (10)"),
          set_number, style.table_length, 0, 0),
    VALUE('m', "min-count", N_("N"), N_("source: print ##### for counts below N (1)"),
          set_count, style.min_count, 0, GROUP_IMAGE),

    HEADING(N_("Comparing")),
    VALUE(OPT_BASE, "base", N_("FILE"), N_("compare with FILE: JSON, or an executable"),
          set_text, compare.base, 0, REPORT_COMPARISON),
    VALUE(OPT_BASE_PROFILE, "base-profile", N_("FILE"), N_("a profile of that executable"),
          add_text, compare.profiles, 0, GROUP_COMPARING),
    VALUE(OPT_BASE_RUNS, "base-runs", N_("N"), N_("the base is the sum of N runs"),
          set_base_runs, compare, 0, GROUP_COMPARING),
    VALUE(OPT_FAIL_ABOVE, "fail-above", N_("PERCENT"), N_("exit with 3 if slower by more"),
          set_fail_above, compare, 0, GROUP_COMPARING),
    VALUE(OPT_FAIL_CALLS, "fail-calls", N_("PERCENT"), N_("exit with 3 if calls grow by more"),
          set_fail_calls, compare, 0, GROUP_COMPARING),
    VALUE(OPT_FAIL_SCOPE, "fail-scope", N_("SCOPE"), N_("judge total, function, both, or inclusive"),
          set_fail_scope, compare, 0, GROUP_COMPARING),
    FLAG(OPT_FAIL_INCONCLUSIVE, "fail-inconclusive", compare.fails_inconclusive,
         N_("exit with 4 if samples are too few to judge"), GROUP_COMPARING),
    FLAG(OPT_ONE_RUN, "one-run", compare.rules.judges_one_run,
         N_("judge one run a side, by chance of sampling"), GROUP_COMPARING),
    VALUE(OPT_ALPHA, "alpha", N_("P"), N_("changes are significant below this p (0.05)"),
          set_alpha, compare, 0, GROUP_COMPARING),
    VALUE(OPT_ALLOW, "allow", N_("REGEX"), N_("functions that may get slower"),
          add_text, compare.allowed, 0, GROUP_COMPARING),

    HEADING(N_("Many profiles, and those of other profilers")),
    REPORT(OPT_PER_FILE, "per-file", NONE, NULL, N_("compare the profiles with each other"),
           NULL, REPORT_PER_FILE, 0, 0),
    FLAG('s', "sum", given['s'], N_("write the sum of the profiles to gmon.sum"), GROUP_SUM),
    VALUE(OPT_FILES_FROM, "files-from", N_("FILE"), N_("read names of profiles from FILE"),
          set_text, inputs.list, 0, 0),
    FLAG(OPT_NULL, "null", inputs.is_null_separated, N_("names in FILE end in NUL, not newline"), 0),
    VALUE(OPT_OBJECTS, "objects", N_("PATHS"), N_("look for shared objects in PATHS first"),
          set_text, inputs.object_places, 0, GROUP_IMAGE),
    {OPT_NO_RECURSE, "no-recurse", NONE, NULL, N_("skip nested directories; unusable profiles"),
     clear_flag, offsetof(struct options, inputs.recurses), 0, 0, 0},
    FLAG(OPT_SKIP_BAD, "skip-bad", inputs.skip_bad, NULL, GROUP_IMAGE),
    FLAG(OPT_FORCE, "force", inputs.is_forced, N_("use profiles of another build of IMAGE"), 0),
    VALUE(OPT_FROM, "from", N_("FORMAT"), N_("read this format: perf, pprof, callgrind ..."),
          set_from, inputs.foreign.format, 0, GROUP_FOREIGN),
    VALUE(OPT_EVENT, "event", N_("NAME"), N_("read this event or value of samples"),
          set_text, inputs.foreign.value, 0, GROUP_FOREIGN),
    VALUE(OPT_VALUE, "value", N_("NAME"), NULL, set_text, inputs.foreign.value, 0, GROUP_FOREIGN),
    VALUE(OPT_PROGRAM, "program", N_("NAME"), N_("read only this program, thread or LABEL=V"),
          set_program, inputs.foreign.program, 0, 0),
    VALUE(OPT_THREAD, "thread", N_("NAME"), NULL, set_thread, inputs.foreign.program, 0, 0),
    FLAG(OPT_EXACT, "exact", inputs.foreign.counts_weights,
         N_("read exact counts, not samples: no errors"), GROUP_FOREIGN),

    HEADING(N_("Other and older options")),
    FLAG(OPT_QUIET, "quiet", inputs.is_quiet, N_("no progress and notes; warnings are errors"), 0),
    FLAG(OPT_STRICT, "strict", is_strict, NULL, GROUP_STRICT),
    REPORT('B', NULL, NONE, NULL, N_("print the call graph"), NULL, REPORT_GRAPH, 0, 0),
    REPORT('r', "function-ordering", NONE, NULL, N_("suggest a link order for functions"),
           NULL, REPORT_FUNCTION_ORDER, 0, GROUP_IMAGE),
    VALUE('R', "file-ordering", N_("MAP"), N_("suggest a link order for the objects in MAP"),
          set_text, analysis.object_map, 0, REPORT_FILE_ORDER | GROUP_IMAGE),
    FLAG('a', "no-static", analysis.no_static, N_("ignore symbols of static functions"),
         GROUP_IMAGE),
    FLAG('D', "ignore-non-functions", analysis.functions_only,
         N_("ignore local symbols that are not functions"), GROUP_IMAGE),
    FLAG('c', "static-call-graph", analysis.has_static_calls,
         N_("include calls found but never executed"), GROUP_IMAGE),
    SPEC('e', NULL, N_("FUNCTION"), N_("call graph without, or only of, FUNCTION"),
         add_spec, SPEC_EXCLUDE_GRAPH, GROUP_ENTRIES),
    SPEC('E', NULL, N_("FUNCTION"), NULL, add_spec_and_time, SPEC_EXCLUDE_GRAPH,
         GROUP_TIMES | GROUP_IMAGE),
    SPEC('f', NULL, N_("FUNCTION"), NULL, add_spec, SPEC_INCLUDE_GRAPH, GROUP_ENTRIES),
    SPEC('F', NULL, N_("FUNCTION"), NULL, add_spec_and_time, SPEC_INCLUDE_GRAPH,
         GROUP_TIMES | GROUP_IMAGE),
    FLAG('T', "traditional", style.is_traditional, N_("use the layout of BSD gprof"), 0),
    FLAG('L', "print-path", style.print_path, N_("print full paths of source files"), 0),
    FLAG(OPT_INLINE_FILE_NAMES, "inline-file-names", style.inline_file_names,
         N_("print file and line after each function"), 0),
    VALUE('w', "width", N_("COLUMNS"), N_("width of the function index (80)"),
          set_number, style.width, 1, 0),
    VALUE('S', "external-symbol-table", N_("FILE"), N_("read symbols from FILE, the output of nm"),
          set_text, analysis.symbol_table, 0, GROUP_IMAGE),
    VALUE(OPT_SLIDE, "slide", N_("N"), N_("addresses in profiles are higher by N"),
          set_slide, inputs.slide, 0, GROUP_IMAGE),
    VALUE('O', "file-format", N_("FORMAT"), N_("profile format: auto, magic, bsd, 4.4bsd"),
          set_format, inputs.format, 0, GROUP_IMAGE),
    {'d', "debug", OPTIONAL, N_("STAGES"), N_("print debug traces [of STAGES]"),
     set_stages, 0, 0, 0, GROUP_IMAGE},
    {'v', "version", NONE, NULL, N_("print the version"), NULL, 0, 0, 0, 0},
    {'V', NULL, NONE, NULL, NULL, NULL, 0, 0, 0, 0},
    {'h', "help", NONE, NULL, N_("print this help; the manual: info regprof"), NULL, 0, 0, 0, 0},
};
/* clang-format on */

_Static_assert(ARRAY_LENGTH(rows) <= MAX_OPTIONS, "getopt's tables hold all rows");
_Static_assert(REPORT_CODE <= GROUP_REPORTS && EXPORT_ORDER <= 0xFF, "these are groups");
_Static_assert((int)OPT_END <= (int)MOST_OPTION_IDS, "options.given holds all options");

const struct option_row *option_rows(size_t *count)
{
    *count = ARRAY_LENGTH(rows);
    return rows;
}

bool option_row_is_gnu(const struct option_row *row)
{
    return row->id < OPT_FIRST_OWN && row->id != 'o';
}

const struct option_row *option_row_find(int id)
{
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

void option_row_name(const struct option_row *row, char *text, size_t size)
{
    if (row->long_name != NULL)
        snprintf(text, size, "--%s", row->long_name);
    else
        snprintf(text, size, "-%c", row->id);
}

void option_name(int id, char text[OPTION_NAME_SIZE])
{
    option_row_name(option_row_find(id), text, OPTION_NAME_SIZE);
}

bool option_row_given(const struct options *options, uint64_t groups, char *text, size_t size)
{
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        if (options->given[rows[i].id] && (rows[i].group & groups) != 0) {
            option_row_name(&rows[i], text, size);
            return true;
        }
    return false;
}
