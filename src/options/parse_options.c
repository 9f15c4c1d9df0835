/* parse_options.c - reads the command line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/parse_options.h"

#include <getopt.h>
#include <libiberty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "options/compare_options.h"
#include "options/help.h"
#include "options/option_errors.h"
#include "options/option_rows.h"
#include "options/terminal.h"

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

/* An abbreviation that GNU gprof accepts means its option here, even if one of our own begins in
   the same way: adds these as names of their own, which getopt_long prefers.  */
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
        if (id == 'h' || id == 'v') {
            if (id == 'h')
                help_print(stdout);
            else
                help_print_version();
            return OPTIONS_DONE;
        }
        const struct option_row *row = option_row_find(id);
        if (!row->action(options, row, optarg))
            return OPTIONS_BAD;
    }
}

static void set_operands(struct options *options, char **operands, int count)
{
    static const char *const default_profiles[] = {"gmon.out"};
    options->inputs.image = count > 0 ? operands[0] : "a.out";
    if (count > 1) {
        options->inputs.profiles = (const char *const *)(operands + 1);
        options->inputs.profile_count = (size_t)count - 1;
    } else if (options->inputs.list == NULL) {
        options->inputs.profiles = default_profiles;
        options->inputs.profile_count = ARRAY_LENGTH(default_profiles);
    }
}

/* Whether a table is written in another format than text.  */
static bool is_exporting(const struct options *options)
{
    return options->output.format != NULL && options->output.format->write_table != NULL;
}

/* Whether everything is.  */
static bool is_exporting_all(const struct options *options)
{
    return export_has_snapshot(options->output.format);
}

/* Whether it is a page: about functions, with -A or -l with sources, too.  */
static bool is_page(const struct options *options)
{
    return options->output.format != NULL && options->output.format->is_page;
}

/* Whether the format has lines beside functions.  */
static bool has_lines(const struct options *options)
{
    return options->output.format != NULL && (options->output.format->traits & EXPORT_LINES) != 0;
}

/* The report about sources if pages show it.  */
static unsigned source_report(const struct options *options)
{
    return is_page(options) ? REPORT_SOURCE : 0;
}

/* Other formats than text have one table: that of profiles, or that of functions, which is complete
   unless --top says how much.  With --per-file, some show the whole of each profile.  */
static void apply_format(struct options *options)
{
    if (is_exporting_all(options))
        options->reports_on |= REPORT_SNAPSHOT;
    if (is_exporting_all(options) && (options->reports_on & REPORT_PER_FILE) != 0 &&
        (options->output.format->traits & EXPORT_INPUTS) != 0) {
        options->reports_on &= ~(unsigned)REPORT_PER_FILE;
        options->output.is_per_file = true;
    }
    if (is_page(options) && options->analysis.by_line) {
        options->reports_on |= REPORT_SOURCE;
        options->analysis.by_line = false;
    }
    if (has_lines(options) && options->analysis.by_line) {
        options->output.has_lines = true;
        options->analysis.by_line = false;
    }
    if (!is_exporting(options))
        return;
    if ((options->reports_on & REPORT_PER_FILE) == 0)
        options->reports_on |= REPORT_TOP;
    if (!options->top.has_limit)
        options->top.rules.limit = 0;
}

/* With --per-file, --top says how many rows its tables have.  */
static void apply_per_file(struct options *options)
{
    enum { MOST_VARYING = 5 };
    struct per_file_rules *rules = &options->top.per_file;
    rules->most_functions = MOST_VARYING;
    if ((options->reports_on & REPORT_PER_FILE) == 0 || !options->top.has_limit)
        return;
    options->reports_on &= ~(unsigned)REPORT_TOP;
    rules->most_ends = rules->most_functions = options->top.rules.limit;
    if (options->top.sort == NULL)
        options->top.sort = "samples";
}

/* Reads the columns of --sort, which are those of the table that is sorted.  False after a
   message.  */
static bool parse_sort(struct options *options)
{
    const char *list = options->top.sort, *unknown;
    struct name_list names = {0};
    size_t length;
    bool is_per_file = (options->reports_on & REPORT_PER_FILE) != 0;
    if (list == NULL)
        return true;
    if (options->output.is_per_file)
        return problem(MSG_NOT_IN_FORMAT, "--sort", options->output.format->name);
    if (!is_per_file && (options->reports_on & REPORT_TOP) == 0)
        return problem(MSG_NEEDS, "--sort", "--top or --per-file");
    if (is_per_file)
        return per_file_sort_parse(&options->top.per_file.sort, list, &unknown, &length) ||
               problem(MSG_UNKNOWN_COLUMN, (int)length, unknown, per_file_column_names(&names));
    return top_columns_parse(&options->top.rules.sort, list, true, &unknown, &length) ||
           problem(MSG_UNKNOWN_COLUMN, (int)length, unknown, top_columns_names(&names));
}

/* The group that the rows of the table stand for: lines with -l, functions without, unless --by
   says otherwise.  */
static void set_group(struct options *options)
{
    struct top_rules *rules = &options->top.rules;
    if (!options->top.has_group && options->analysis.by_line)
        rules->by = TOP_LINES;
    if (rules->by == TOP_LINES)
        options->analysis.by_line = true;
}

/* The options that modify the table of functions and that the format can do with, too.  */
static unsigned exported_modifiers(const struct options *options)
{
    unsigned traits = is_exporting_all(options) ? options->output.format->traits : 0;
    return ((traits & EXPORT_VIEW) != 0 ? MODIFIER_NAMES | MODIFIER_FOCUS | MODIFIER_HIDE : 0) |
           ((traits & EXPORT_STACKS) != 0 ? MODIFIER_BY | MODIFIER_STACKS : 0) |
           (is_page(options) ? MODIFIER_STACKS : 0) |
           ((traits & EXPORT_SHARES) != 0 ? MODIFIER_MIN_SHARE : 0);
}

/* False after a message if an option modifies a table that is not printed, or the format cannot
   show what it does.  */
static bool check_modifiers(const struct options *options)
{
    static const char *const names[] = {"columns", "by",    "min-share", "focus",
                                        "hide",    "names", "stacks"};
    char name[32];
    unsigned left = options->top.modifiers & ~exported_modifiers(options);
    if ((options->reports_on & REPORT_TOP) != 0)
        return true;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if ((left >> i & 1) == 0)
            continue;
        snprintf(name, sizeof name, "--%s", names[i]);
        if (is_exporting_all(options) && options->compare.base == NULL)
            return problem(MSG_NOT_IN_FORMAT, name, options->output.format->name);
        if (!options->top.has_limit && options->compare.base == NULL)
            return problem(MSG_TOP_NEEDED, names[i]);
        /* --top is there, for something else */
        return problem(MSG_NOT_TOGETHER, name,
                       options->compare.base != NULL ? "--base" : "--per-file");
    }
    return true;
}

/* False after a message if a format is binary and would be printed on a terminal.  */
static bool check_terminal(const struct options *options)
{
    const char *path = options->output.path;
    bool is_binary =
        is_exporting_all(options) && (options->output.format->traits & EXPORT_BINARY) != 0;
    return !is_binary || (path != NULL && strcmp(path, "-") != 0) || !is_terminal() ||
           problem(MSG_BINARY_FORMAT, options->output.format->name);
}

/* Checks that options that require another one come with it, and that no two exclude each other.
   False after a message.  */
static bool check_combinations(const struct options *options)
{
    const unsigned orders = REPORT_FUNCTION_ORDER | REPORT_FILE_ORDER;
    bool is_sum_printed = options->sum.is_on && strcmp(options->sum.path, "-") == 0;
    struct name_list names = {0};
    if ((options->reports_on & orders) == orders)
        return problem(MSG_BOTH_ORDERINGS);
    if (options->sum.subtracted_count > 0 && !options->sum.is_on)
        return problem(MSG_NEEDS, "--subtract", "--sum");
    if (is_exporting(options) && options->compare.base == NULL &&
        options->reports_on != REPORT_TOP && options->reports_on != REPORT_PER_FILE)
        return problem(MSG_TABLE_ONLY, options->output.format->name);
    if (is_page(options) && options->style.has_separate_files)
        return problem(MSG_NOT_TOGETHER, "--format=html", "--separate-files");
    if (is_exporting_all(options) && options->compare.base == NULL &&
        (options->reports_on & REPORT_PER_FILE) != 0)
        return problem(MSG_NOT_PER_FILE, options->output.format->name,
                       export_per_file_names(&names));
    if (is_exporting_all(options) && options->compare.base == NULL &&
        (options->reports_on & ~source_report(options)) != REPORT_SNAPSHOT)
        return problem(MSG_NO_REPORTS_IN, options->output.format->name);
    if (is_exporting_all(options) && options->sum.is_on)
        return problem(MSG_NOT_IN_FORMAT, "--sum", options->output.format->name);
    if (is_exporting_all(options) && options->top.rules.by == TOP_FILES)
        return problem(MSG_NOT_IN_FORMAT, "--by=file", options->output.format->name);
    if (options->inputs.is_null_separated && options->inputs.list == NULL)
        return problem(MSG_NEEDS, "--null", "--files-from");
    if (options->sum.is_on && (options->reports_on & REPORT_PER_FILE) != 0)
        return problem(MSG_NOT_TOGETHER, "--per-file", "--sum");
    if (!check_modifiers(options) || !check_terminal(options))
        return false;
    if (options->top.rules.by == TOP_FUNCTIONS && options->analysis.by_line)
        return problem(MSG_NOT_TOGETHER, "--by=function", options->sum.is_on ? "--sum" : "--line");
    if (is_sum_printed && options->reports_on != 0)
        return problem(MSG_NOT_WITH_REPORTS, "--output=-");
    if (is_sum_printed && options->trace.stages != 0)
        return problem(MSG_NOT_TOGETHER, "--output=-", "--debug");
    if (options->is_strict && options->trace.stages != 0)
        return problem(MSG_NOT_TOGETHER, "--strict", "--debug");
    return true;
}

/* The same for --objects: one report follows the other on standard output, or there is one table.
 */
static bool check_objects(const struct options *options)
{
    bool is_table = options->top.rules.by == TOP_OBJECTS;
    if (!options->inputs.has_objects)
        return true;
    if (options->sum.is_on)
        return problem(MSG_NOT_TOGETHER, "--objects", "--sum");
    if (is_table && options->reports_on != REPORT_TOP)
        return problem(MSG_NOT_WITH_REPORTS, "--by=object");
    if (!is_table && options->output.path != NULL)
        return problem(MSG_NOT_TOGETHER, "--objects", "--output");
    if (!is_table && (is_exporting(options) || is_exporting_all(options)))
        return problem(MSG_NOT_TOGETHER, "--objects", "--format");
    return true;
}

/* The same for --stacks, after the columns are known.  */
static bool check_stacks(const struct options *options)
{
    const struct top_rules *rules = &options->top.rules;
    if (options->inputs.stacks == NULL &&
        (top_columns_have(&rules->columns, "sampled") || top_columns_have(&rules->sort, "sampled")))
        return problem(MSG_NEEDS, "--columns=sampled", "--stacks");
    if (options->inputs.stacks != NULL && options->output.is_per_file)
        return problem(MSG_NOT_TOGETHER, "--stacks", "--per-file");
    if (options->inputs.stacks != NULL && rules->by != TOP_FUNCTIONS)
        return problem(MSG_NOT_TOGETHER, "--stacks", options->analysis.by_line ? "--line" : "--by");
    return true;
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

/* GNU's reports beside a sum are as with -l, and so are the calls that -k excludes from it.  */
static bool needs_lines_for_sum(const struct options *options)
{
    return options->sum.is_on && ((options->reports_on & ~(unsigned)REPORT_TOP) != 0 ||
                                  symspecs_name_arcs(&options->analysis.specs));
}

enum options_status parse_options(struct options *options, int argc, char **argv)
{
    char **given = argv;
    *options = (struct options){
        .style = {.width = 80, .table_length = 10, .min_count = 1},
        .inputs = {.recurses = true},
        .analysis = {.is_demangled = true},
        .compare = {.rules = {.alpha = 0.05},
                    .gate = {.seconds = 0.05, .alpha = 0.05, .scope = SCOPE_BOTH}}};
    expandargv(&argc, &argv);
    if (argv != given)
        options->arguments = argv;
    struct getopt_tables tables = {0};
    build_tables(&tables);
    char **words = copy_words(argc, argv);
    enum options_status status = parse_all(options, &tables, argc, argv);
    arena_free(&tables.arena);
    if (options->compare.base == NULL)
        apply_format(options);
    apply_per_file(options);
    if (needs_lines_for_sum(options))
        options->analysis.by_line = true;
    options->sum.path = options->output.path != NULL ? options->output.path : "gmon.sum";
    set_group(options);
    if (status == OPTIONS_RUN)
        set_operands(options, argv + optind, argc - optind);
    if (status == OPTIONS_RUN &&
        !(compare_apply(options) && check_combinations(options) && check_objects(options) &&
          parse_sort(options) && check_stacks(options)))
        status = OPTIONS_BAD;
    if (status == OPTIONS_RUN && !options->inputs.skip_bad &&
        !check_operands(words, argv + optind, (size_t)(argc - optind)))
        status = OPTIONS_BAD;
    free(words);
    if (!options->top.is_uncut && (options->output.path == NULL || options->sum.is_on))
        options->style.terminal_width = terminal_width();
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
    compare_options_free(&options->compare);
    free(options->sum.subtracted);
    freeargv(options->arguments);
    *options = (struct options){0};
}

unsigned choose_reports(const struct options *options, const struct profile *profile)
{
    if (options->reports_on != 0)
        return options->reports_on;
    unsigned kinds =
        (has_histograms(profile) ? REPORT_FLAT : 0) | (has_arcs(profile) ? REPORT_GRAPH : 0);
    if (kinds == 0)
        kinds = REPORT_COUNTS;
    return kinds & ~options->reports_named;
}
