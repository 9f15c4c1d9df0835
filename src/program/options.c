/* options.c - the table of options, and what reads the command line by it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/options.h"

#include <errno.h>
#include <getopt.h>
#include <libiberty.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/i18n.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/image.h"

/* ---- The table: everything that is said of an option anywhere else is made from its row ---- */

/* getopt_long's numbers, which are also how many colons a letter has behind it.  */
enum argument { NONE = no_argument, REQUIRED = required_argument, OPTIONAL = optional_argument };

/* Options without a letter, and letters' twins that differ from them.  */
enum {
    OPT_DEMANGLE = 256,
    OPT_NO_DEMANGLE,
    OPT_INLINE_FILE_NAMES,
    OPT_FILES_FROM,
    OPT_NULL,
    OPT_SKIP_BAD,
    OPT_JOBS,
    OPT_PER_FILE,
    OPT_QUIET
};

struct option_row {
    int id;                /* the letter, or one of the above; 0 heads a group */
    const char *long_name; /* NULL: letter only */
    enum argument argument;
    const char *argument_name;
    const char *help; /* or the heading */
};

static const struct option_row rows[] = {
    {0, NULL, NONE, NULL, N_("Reports")},
    {'p', "flat-profile", OPTIONAL, N_("SPEC"), N_("print the flat profile [of SPEC]")},
    {'P', "no-flat-profile", OPTIONAL, N_("SPEC"), N_("print none [or one without SPEC]")},
    {'q', "graph", OPTIONAL, N_("SPEC"), N_("print the call graph [of SPEC or FROM/TO]")},
    {'Q', "no-graph", OPTIONAL, N_("SPEC"), N_("print none [or one without SPEC or FROM/TO]")},
    {'B', NULL, NONE, NULL, N_("print the call graph")},
    {'r', "function-ordering", NONE, NULL, N_("suggest an order to link functions in")},
    {'R', "file-ordering", REQUIRED, N_("MAP"), N_("suggest an order for the objects in MAP")},
    {'s', "sum", NONE, NULL, N_("add the profiles up into gmon.sum")},
    {'C', "exec-counts", OPTIONAL, N_("SPEC"), N_("print execution counts [of SPEC]")},
    {'Z', "no-exec-counts", OPTIONAL, N_("SPEC"), N_("print none [or those without SPEC]")},
    {'A', "annotated-source", OPTIONAL, N_("SPEC"), N_("print sources with counts [of SPEC]")},
    {'J', "no-annotated-source", OPTIONAL, N_("SPEC"), N_("print none [or those without SPEC]")},
    {'i', "file-info", NONE, NULL, N_("print what each profile holds")},

    {0, NULL, NONE, NULL, N_("What is counted")},
    {'l', "line", NONE, NULL, N_("count source lines instead of functions")},
    {'a', "no-static", NONE, NULL, N_("leave out static functions")},
    {'D', "ignore-non-functions", NONE, NULL, N_("leave out what is not known as a function")},
    {'c', "static-call-graph", NONE, NULL, N_("show calls that were never made, too")},
    {'k', NULL, REQUIRED, N_("FROM/TO"), N_("leave out the calls from FROM to TO")},
    {'n', "time", REQUIRED, N_("SPEC"), N_("count only the time of SPEC and its callees")},
    {'N', "no-time", REQUIRED, N_("SPEC"), N_("do not count the time of SPEC")},
    {'e', NULL, REQUIRED, N_("FUNCTION"), N_("leave FUNCTION out of the call graph")},
    {'E', NULL, REQUIRED, N_("FUNCTION"), N_("as -e, and leave out its time")},
    {'f', NULL, REQUIRED, N_("FUNCTION"), N_("print FUNCTION and what it calls only")},
    {'F', NULL, REQUIRED, N_("FUNCTION"), N_("as -f, and count only its time")},
    {'z', "display-unused-functions", NONE, NULL, N_("list functions without calls and time too")},

    {0, NULL, NONE, NULL, N_("How it is printed")},
    {'b', "brief", NONE, NULL, N_("print no explanations")},
    {'T', "traditional", NONE, NULL, N_("use the layout of BSD gprof")},
    {'L', "print-path", NONE, NULL, N_("print whole paths of source files")},
    {OPT_INLINE_FILE_NAMES, "inline-file-names", NONE, NULL,
     N_("print file and line after each function")},
    {'w', "width", REQUIRED, N_("COLUMNS"), N_("width of the function index (80)")},
    {'I', "directory-path", REQUIRED, N_("DIRS"), N_("look for sources in DIRS, a list with :")},
    {'x', "all-lines", NONE, NULL, N_("source: counts on all lines with code")},
    {'y', "separate-files", NONE, NULL, N_("source: write each to a file, NAME-ann")},
    {'t', "table-length", REQUIRED, N_("N"), N_("source: list the N busiest lines (10)")},
    {'m', "min-count", REQUIRED, N_("N"), N_("source: show fewer than N (1) as #####")},
    {OPT_DEMANGLE, "demangle", OPTIONAL, N_("STYLE"),
     N_("print names as written [mangled in STYLE]")},
    {OPT_NO_DEMANGLE, "no-demangle", NONE, NULL, N_("print names as the linker sees them")},

    {0, NULL, NONE, NULL, N_("Many profiles")},
    {OPT_PER_FILE, "per-file", NONE, NULL, N_("compare the profiles with each other")},
    {'o', "output", REQUIRED, N_("FILE"), N_("with -s: name of the sum (gmon.sum)")},
    {OPT_FILES_FROM, "files-from", REQUIRED, N_("FILE"),
     N_("read the names of profiles from FILE")},
    {OPT_NULL, "null", NONE, NULL, N_("names in FILE end in NUL, not in newlines")},
    {OPT_SKIP_BAD, "skip-bad", NONE, NULL, N_("leave out profiles that cannot be used")},
    {OPT_JOBS, "jobs", REQUIRED, N_("N"), N_("with -s: read with N processes")},
    {OPT_QUIET, "quiet", NONE, NULL, N_("show no progress")},

    {0, NULL, NONE, NULL, N_("Other")},
    {'S', "external-symbol-table", REQUIRED, N_("FILE"),
     N_("take symbols from FILE, as nm prints them")},
    {'O', "file-format", REQUIRED, N_("FORMAT"), N_("format: auto, magic, bsd, 4.4bsd")},
    {'d', "debug", OPTIONAL, N_("STAGES"), N_("trace what is worked out [STAGES of it]")},
    {'h', "help", NONE, NULL, N_("print this text")},
    {'v', "version", NONE, NULL, N_("print the version")},
};

/* ---- Help ---- */

enum { HELP_COLUMN = 36 };

/* Returns how many columns that takes, as print_row does.  */
static int print_argument(FILE *out, const char *before, const struct option_row *row,
                          const char *after)
{
    const char *name = _(row->argument_name);
    fprintf(out, "%s%s%s", before, name, after);
    return (int)(strlen(before) + i18n_columns(name) + strlen(after));
}

static int print_row(FILE *out, const struct option_row *row)
{
    int used = row->id < 256 ? fprintf(out, "  -%c", row->id) : fprintf(out, "    ");
    const char *close = row->argument == OPTIONAL ? "]" : "";
    if (row->long_name == NULL && row->argument != NONE)
        used += print_argument(out, row->argument == OPTIONAL ? "[" : " ", row, close);
    if (row->long_name != NULL) {
        used += fprintf(out, "%s--%s", row->id < 256 ? ", " : "  ", row->long_name);
        if (row->argument != NONE)
            used += print_argument(out, row->argument == OPTIONAL ? "[=" : "=", row, close);
    }
    return used;
}

static void print_help(FILE *out)
{
    fputs(_("Usage: gprof [OPTION]... [IMAGE [PROFILE]...]\n"
            "Tell where a program spent its time and who called whom: from IMAGE (a.out) and\n"
            "the PROFILE (gmon.out) that it wrote because it was built with -pg.  A PROFILE\n"
            "may be a directory, or - for standard input.\n"),
          out);
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        if (rows[i].id == 0) {
            fprintf(out, "\n%s:\n", _(rows[i].help));
            continue;
        }
        int used = print_row(out, &rows[i]);
        if (used >= HELP_COLUMN)
            used = 0, fputc('\n', out);
        fprintf(out, "%*s%s\n", HELP_COLUMN - used, "", _(rows[i].help));
    }
    fputs(_("\n"
            "Without options: the flat profile and the call graph.  SPEC is FILE:FUNCTION,\n"
            "FILE:LINE, FILE:, :FUNCTION, :LINE, FILE.C, FUNCTION or LINE.  @FILE stands for\n"
            "the arguments in FILE.  The manual: info regprof.\n"),
          out);
}

static void print_version(void)
{
    puts("gprof (" PACKAGE_NAME ") " PACKAGE_VERSION);
    puts(_("License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>.\n"
           "This is free software: you are free to change and redistribute it.\n"
           "There is NO WARRANTY, to the extent permitted by law."));
}

/* ---- Parsing ---- */

static bool parse_number(const char *option, const char *text, long lowest, long *number)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE)
        return problem(MSG_BAD_NUMBER, option, text);
    *number = value < lowest ? lowest : value;
    return true;
}

static bool parse_width(struct options *options, const char *text)
{
    long width = 0;
    if (!parse_number("-w", text, 1, &width))
        return false;
    options->style.width = width > INT_MAX ? INT_MAX : (unsigned)width;
    return true;
}

static bool parse_jobs(struct options *options, const char *text)
{
    enum { MOST_JOBS = 1024 };
    long jobs = 0;
    if (!parse_number("--jobs", text, 1, &jobs))
        return false;
    options->jobs = jobs > MOST_JOBS ? MOST_JOBS : (unsigned)jobs;
    return true;
}

static bool parse_table_length(struct options *options, const char *text)
{
    long length = 0;
    if (!parse_number("-t", text, 0, &length))
        return false;
    options->style.table_length = length > INT_MAX ? INT_MAX : (unsigned)length;
    return true;
}

/* A count below 0 is above all others.  */
static bool parse_min_count(struct options *options, const char *text)
{
    long count = 0;
    if (!parse_number("-m", text, LONG_MIN, &count))
        return false;
    options->style.min_count = (uint64_t)count;
    return true;
}

static bool parse_stages(struct options *options, const char *text)
{
    long stages = TRACE_ALL;
    if (text != NULL && !parse_number("-d", text, LONG_MIN, &stages))
        return false;
    options->trace = (struct trace){(unsigned)stages & TRACE_ALL, stdout}; /* -1 is all */
    return true;
}

static bool parse_format(struct options *options, const char *text)
{
    switch (text[0]) {
    case 'a':
        options->format = GMON_AUTO;
        return true;
    case 'm':
        options->format = GMON_MAGIC;
        return true;
    case 'b':
        options->format = GMON_BSD;
        return true;
    case '4':
        options->format = GMON_BSD44;
        return true;
    case 'p':
        return problem(MSG_PROF_FORMAT);
    default:
        return problem(MSG_UNKNOWN_FORMAT, text);
    }
}

/* An option that switches a report on, and with an argument says of what.  */
static void switch_on(struct options *options, enum report_kind kind, enum symspec_target include,
                      const char *spec)
{
    options->reports_named |= kind;
    options->reports_on |= kind;
    if (spec != NULL)
        symspecs_add(&options->specs, include, spec);
}

/* Its twin: switches the report off, or with an argument on and says of what not.  */
static void switch_off(struct options *options, enum report_kind kind, enum symspec_target exclude,
                       const char *spec)
{
    if (spec != NULL) {
        switch_on(options, kind, exclude, spec);
        return;
    }
    options->reports_named |= kind;
    options->reports_on &= ~(unsigned)kind;
}

static bool has_slash(const char *spec)
{
    return spec != NULL && strchr(spec, '/') != NULL;
}

/* Takes one option; false after a message.  One switch with a case for each of them, which nothing
   would be gained by dividing: hence its length.  */
static bool take_option(struct options *options, int id, const char *argument)
{
    struct style *style = &options->style;
    struct symspecs *specs = &options->specs;
    switch (id) {
    case 'A':
        switch_on(options, REPORT_SOURCE, SPEC_INCLUDE_ANNOTATE, argument);
        break;
    case 'a':
        options->no_static = true;
        break;
    case 'b':
        style->is_brief = true;
        break;
    case 'B':
        switch_on(options, REPORT_GRAPH, SPEC_INCLUDE_GRAPH, NULL);
        break;
    case 'c':
        options->has_static_calls = true;
        break;
    case 'C':
        switch_on(options, REPORT_COUNTS, SPEC_INCLUDE_COUNTS, argument);
        break;
    case 'd':
        return parse_stages(options, argument);
    case 'D':
        options->functions_only = true;
        break;
    case 'E':
        symspecs_add(specs, SPEC_EXCLUDE_TIME, argument);
        symspecs_add(specs, SPEC_EXCLUDE_GRAPH, argument);
        break;
    case 'e':
        symspecs_add(specs, SPEC_EXCLUDE_GRAPH, argument);
        break;
    case 'F':
        symspecs_add(specs, SPEC_INCLUDE_TIME, argument);
        symspecs_add(specs, SPEC_INCLUDE_GRAPH, argument);
        break;
    case 'f':
        symspecs_add(specs, SPEC_INCLUDE_GRAPH, argument);
        break;
    case 'i':
        switch_on(options, REPORT_INFO, SPEC_INCLUDE_FLAT, NULL);
        break;
    case 'I':
        search_path_add(&options->source_path, argument);
        break;
    case 'J':
        switch_off(options, REPORT_SOURCE, SPEC_EXCLUDE_ANNOTATE, argument);
        break;
    case 'k':
        symspecs_add(specs, SPEC_EXCLUDE_ARCS, argument);
        break;
    case 'L':
        style->print_path = true;
        break;
    case 'l':
        style->has_lines = true;
        break;
    case 'm':
        return parse_min_count(options, argument);
    case 'N':
        symspecs_add(specs, SPEC_EXCLUDE_TIME, argument);
        break;
    case 'n':
        symspecs_add(specs, SPEC_INCLUDE_TIME, argument);
        break;
    case 'O':
        return parse_format(options, argument);
    case 'P':
        switch_off(options, REPORT_FLAT, SPEC_EXCLUDE_FLAT, argument);
        break;
    case 'p':
        switch_on(options, REPORT_FLAT, SPEC_INCLUDE_FLAT, argument);
        break;
    case 'Q':
        switch_off(options, REPORT_GRAPH,
                   has_slash(argument) ? SPEC_EXCLUDE_ARCS : SPEC_EXCLUDE_GRAPH, argument);
        break;
    case 'q':
        switch_on(options, REPORT_GRAPH,
                  has_slash(argument) ? SPEC_INCLUDE_ARCS : SPEC_INCLUDE_GRAPH, argument);
        break;
    case 'R':
        switch_on(options, REPORT_FILE_ORDER, SPEC_INCLUDE_FLAT, NULL);
        options->object_map = argument;
        break;
    case 'r':
        switch_on(options, REPORT_FUNCTION_ORDER, SPEC_INCLUDE_FLAT, NULL);
        break;
    case 'S':
        options->symbol_table = argument;
        break;
    case 'o':
        options->sum_path = argument;
        break;
    case 's':
        options->is_summing = true;
        break;
    case 'T':
        style->is_traditional = true;
        break;
    case 't':
        return parse_table_length(options, argument);
    case 'w':
        return parse_width(options, argument);
    case 'x':
        style->has_all_lines = true;
        break;
    case 'y':
        style->has_separate_files = true;
        break;
    case 'Z':
        switch_off(options, REPORT_COUNTS, SPEC_EXCLUDE_COUNTS, argument);
        break;
    case 'z':
        style->has_zeros = true;
        break;
    case OPT_FILES_FROM:
        options->list = argument;
        break;
    case OPT_NULL:
        options->is_null_separated = true;
        break;
    case OPT_SKIP_BAD:
        options->skip_bad = true;
        break;
    case OPT_JOBS:
        return parse_jobs(options, argument);
    case OPT_PER_FILE:
        switch_on(options, REPORT_PER_FILE, SPEC_INCLUDE_FLAT, NULL);
        break;
    case OPT_QUIET:
        options->is_quiet = true;
        break;
    case OPT_DEMANGLE:
        options->is_demangled = true;
        return argument == NULL ||
               image_find_demangling_style(argument, &options->demangling_style) ||
               problem(MSG_UNKNOWN_STYLE, argument);
    case OPT_NO_DEMANGLE:
        options->is_demangled = false;
        break;
    case OPT_INLINE_FILE_NAMES:
        style->inline_file_names = true;
        break;
    default:
        bug("an option without an action");
    }
    return true;
}

/* What getopt_long wants: the rows as a string of letters and as a list of long names.  */
struct getopt_tables {
    char letters[3 * ARRAY_LENGTH(rows) + 2];
    struct option names[ARRAY_LENGTH(rows) + 2];
};

static void build_tables(struct getopt_tables *tables)
{
    char *letter = tables->letters;
    *letter++ = ':'; /* getopt tells what is wrong, and says nothing */
    struct option *name = tables->names;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const struct option_row *row = &rows[i];
        if (row->id > 0 && row->id < 256) {
            *letter++ = (char)row->id;
            for (enum argument colons = row->argument; colons > 0; colons--)
                *letter++ = ':';
        }
        if (row->long_name != NULL)
            *name++ = (struct option){row->long_name, (int)row->argument, NULL, row->id};
    }
    /* What was short for --print-path before there was --per-file.  */
    *name++ = (struct option){"p", no_argument, NULL, 'L'};
    *letter = '\0';
    *name = (struct option){0};
}

/* Whether WORD is the beginning of some long name.  */
static bool begins_name(const char *word)
{
    size_t size = strcspn(word + 2, "=");
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        if (rows[i].long_name != NULL && strncmp(rows[i].long_name, word + 2, size) == 0)
            return true;
    return false;
}

static bool is_option(int id)
{
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        if (rows[i].id == id)
            return true;
    return false;
}

/* Says what getopt found wrong, which it tells in an odd way: ID is `:' where an argument is
   missing; optopt is the letter, 0 for a long name that there is not or that is short for several,
   and the id of an option for one that takes no argument and was given one.  WORD is the last that
   getopt is done with: not yet the one of a letter that others follow.  */
static void complain(int id, const char *word)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    bool is_long = strncmp(word, "--", 2) == 0;
    if (id == ':')
        problem(MSG_NO_ARGUMENT, is_long ? word : letter);
    else if (optopt == 0 && is_long)
        problem(begins_name(word) ? MSG_AMBIGUOUS_OPTION : MSG_UNKNOWN_OPTION, word);
    else if (is_option(optopt))
        problem(MSG_HAS_ARGUMENT, word);
    else
        problem(MSG_INVALID_OPTION, letter);
}

static enum options_status parse_all(struct options *options, int argc, char **argv)
{
    struct getopt_tables tables;
    build_tables(&tables);
    opterr = 0;
    for (;;) {
        int id = getopt_long(argc, argv, tables.letters, tables.names, NULL);
        if (id == -1)
            return OPTIONS_RUN;
        if (id == '?' || id == ':') {
            complain(id, argv[optind - 1]);
            print_help(stderr);
            return OPTIONS_BAD;
        }
        if (id == 'h' || id == 'v') {
            if (id == 'h')
                print_help(stdout);
            else
                print_version();
            return OPTIONS_DONE;
        }
        if (!take_option(options, id, optarg))
            return OPTIONS_BAD;
    }
}

static void take_operands(struct options *options, char **operands, int count)
{
    static const char *const usual_profiles[] = {"gmon.out"};
    options->image = count > 0 ? operands[0] : "a.out";
    if (count > 1) {
        options->profiles = (const char *const *)(operands + 1);
        options->profile_count = (size_t)count - 1;
    } else if (options->list == NULL) {
        options->profiles = usual_profiles;
        options->profile_count = ARRAY_LENGTH(usual_profiles);
    }
}

/* Whether options that only say more about another one have that one, and none are there that do
   not go together; false after a message.  */
static bool check_combinations(const struct options *options)
{
    const unsigned orders = REPORT_FUNCTION_ORDER | REPORT_FILE_ORDER;
    bool is_sum_printed = options->sum_path != NULL && strcmp(options->sum_path, "-") == 0;
    if ((options->reports_on & orders) == orders)
        return problem(MSG_BOTH_ORDERINGS);
    if (options->sum_path != NULL && !options->is_summing)
        return problem(MSG_NEEDS, "--output", "--sum");
    if (options->jobs != 0 && !options->is_summing)
        return problem(MSG_NEEDS, "--jobs", "--sum");
    if (options->is_null_separated && options->list == NULL)
        return problem(MSG_NEEDS, "--null", "--files-from");
    if (options->is_summing && (options->reports_on & REPORT_PER_FILE) != 0)
        return problem(MSG_NOT_TOGETHER, "--per-file", "--sum");
    if (is_sum_printed && options->reports_on != 0)
        return problem(MSG_NOT_WITH_REPORTS, "--output=-");
    if (is_sum_printed && options->trace.stages != 0)
        return problem(MSG_NOT_TOGETHER, "--output=-", "--debug");
    return true;
}

enum options_status options_parse(struct options *options, int argc, char **argv)
{
    char **given = argv;
    *options = (struct options){.style = {.width = 80, .table_length = 10, .min_count = 1},
                                .is_demangled = true};
    expandargv(&argc, &argv);
    if (argv != given)
        options->arguments = argv;
    enum options_status status = parse_all(options, argc, argv);
    if (status == OPTIONS_RUN && !check_combinations(options))
        status = OPTIONS_BAD;
    if (status == OPTIONS_RUN)
        take_operands(options, argv + optind, argc - optind);
    if (options->sum_path == NULL)
        options->sum_path = "gmon.sum";
    if (options->is_summing) /* reports beside a sum are by line */
        options->style.has_lines = true;
    const char *path = getenv("GPROF_PATH");
    if (path != NULL)
        search_path_add(&options->source_path, path);
    return status;
}

void options_free(struct options *options)
{
    symspecs_free(&options->specs);
    search_path_free(&options->source_path);
    freeargv(options->arguments);
    *options = (struct options){0};
}

unsigned options_kinds(const struct options *options, const struct profile *profile)
{
    if (options->reports_on != 0)
        return options->reports_on;
    unsigned kinds = (report_has(profile, NEEDS_HISTOGRAM) ? REPORT_FLAT : 0) |
                     (report_has(profile, NEEDS_ARCS) ? REPORT_GRAPH : 0);
    if (kinds == 0)
        kinds = REPORT_COUNTS;
    return kinds & ~options->reports_named;
}
