/* compare_options.c - the options that compare profiles and judge the comparison.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "options/compare_options.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* ---- Actions ---- */

static void add_text(struct text_list *list, const char *text)
{
    list->texts = mem_grow(list->texts, &list->capacity, list->count + 1, sizeof *list->texts);
    list->texts[list->count++] = text;
}

/* A finite number from LEAST to MOST at the start of TEXT; *END is behind it.  */
static bool parse_figure(const char *text, double least, double most, double *figure, char **end)
{
    *figure = strtod(text, end);
    return *end != text && *figure >= least && *figure <= most;
}

bool compare_set_base(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    options->compare.base = argument;
    return true;
}

bool compare_add_profile(struct options *options, const struct option_row *row,
                         const char *argument)
{
    (void)row;
    options->compare.modifier = "base-profile";
    add_text(&options->compare.profiles, argument);
    return true;
}

bool compare_set_runs(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    char *end;
    double runs;
    options->compare.modifier = "base-runs";
    if (!parse_figure(argument, 1, 1e9, &runs, &end) || *end != '\0' ||
        runs != (double)(unsigned)runs)
        return problem(MSG_BAD_RUNS, "base-runs", argument);
    options->compare.rules.base_runs = runs;
    return true;
}

/* PERCENT, or PERCENT,SECONDS.  */
bool compare_fail_above(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    struct gate_rules *gate = &options->compare.gate;
    char *end;
    bool ok = parse_figure(argument, 0, HUGE_VAL, &gate->percent, &end);
    if (ok && *end == ',')
        ok = parse_figure(end + 1, 0, HUGE_VAL, &gate->seconds, &end);
    options->compare.modifier = "fail-above";
    gate->has_time = true;
    return (ok && *end == '\0') || problem(MSG_BAD_THRESHOLD, "fail-above", argument);
}

bool compare_fail_calls(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    struct gate_rules *gate = &options->compare.gate;
    char *end;
    options->compare.modifier = "fail-calls";
    gate->has_calls = true;
    return (parse_figure(argument, 0, HUGE_VAL, &gate->calls_percent, &end) && *end == '\0') ||
           problem(MSG_BAD_THRESHOLD, "fail-calls", argument);
}

bool compare_set_scope(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    static const char *const names[] = {
        [SCOPE_TOTAL] = "total", [SCOPE_FUNCTION] = "function", [SCOPE_BOTH] = "both"};
    options->compare.gate_modifier = "fail-scope";
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        if (strcmp(names[i], argument) == 0) {
            options->compare.gate.scope = (enum gate_scope)i;
            return true;
        }
    return problem(MSG_UNKNOWN_CHOICE, "fail-scope", argument, "total function both");
}

bool compare_fail_blind(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    options->compare.modifier = "fail-blind";
    options->compare.fail_blind = true;
    return true;
}

bool compare_set_alpha(struct options *options, const struct option_row *row, const char *argument)
{
    (void)row;
    char *end;
    double alpha;
    options->compare.modifier = "alpha";
    if (!parse_figure(argument, 1e-12, 0.5, &alpha, &end) || *end != '\0')
        return problem(MSG_BAD_ALPHA, "alpha", argument);
    options->compare.rules.alpha = options->compare.gate.alpha = alpha;
    return true;
}

bool compare_add_allowed(struct options *options, const struct option_row *row,
                         const char *argument)
{
    (void)row;
    regex_t expression;
    char reason[200];
    int status = regcomp(&expression, argument, REG_EXTENDED | REG_NOSUB);
    if (status != 0) {
        regerror(status, &expression, reason, sizeof reason);
        return problem(MSG_BAD_EXPRESSION, "allow", argument, reason);
    }
    regfree(&expression);
    options->compare.gate_modifier = "allow";
    add_text(&options->compare.allowed, argument);
    return true;
}

/* ---- Combinations ---- */

/* Options that require others.  */
static bool check_needs(const struct compare_options *compare)
{
    const struct gate_rules *gate = &compare->gate;
    char option[40];
    const char *needing = compare->base != NULL            ? NULL
                          : compare->gate_modifier != NULL ? compare->gate_modifier
                                                           : compare->modifier;
    snprintf(option, sizeof option, "--%s",
             needing != NULL ? needing
                             : (compare->gate_modifier != NULL ? compare->gate_modifier : ""));
    if (needing != NULL)
        return problem(MSG_NEEDS, option, "--base");
    if (compare->gate_modifier != NULL && !gate->has_time && !gate->has_calls)
        return problem(MSG_NEEDS, option, "--fail-above");
    return !compare->fail_blind || gate->has_time ||
           problem(MSG_NEEDS, "--fail-blind", "--fail-above");
}

static bool reads_stdin(const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], "-") == 0)
            return true;
    return false;
}

/* Options that exclude each other.  --top limits the rows of the comparison.  */
static bool check_exclusions(const struct options *options)
{
    const struct compare_options *compare = &options->compare;
    char option[40];
    if (options->top.sort != NULL)
        return problem(MSG_NOT_TOGETHER, "--base", "--sort");
    if (options->inputs.has_objects || options->inputs.stacks != NULL)
        return problem(MSG_NOT_TOGETHER, "--base",
                       options->inputs.has_objects ? "--objects" : "--stacks");
    if ((options->reports_on & ~(unsigned)REPORT_TOP) != 0)
        return problem(MSG_NOT_WITH_REPORTS, "--base");
    if (options->sum.is_on || options->analysis.by_line)
        return problem(MSG_NOT_TOGETHER, "--base", options->sum.is_on ? "--sum" : "--line");
    if (export_has_snapshot(options->output.format) &&
        options->output.format->write_comparison == NULL) {
        snprintf(option, sizeof option, "--format=%s", options->output.format->name);
        return problem(MSG_NOT_TOGETHER, "--base", option);
    }
    bool is_base_stdin = strcmp(compare->base, "-") == 0 ||
                         reads_stdin(compare->profiles.texts, compare->profiles.count);
    bool is_stdin = reads_stdin(options->inputs.profiles, options->inputs.profile_count) ||
                    (options->inputs.list != NULL && strcmp(options->inputs.list, "-") == 0);
    return !is_base_stdin || !is_stdin || problem(MSG_STDIN_TWICE);
}

bool compare_apply(struct options *options)
{
    struct compare_options *compare = &options->compare;
    compare->gate.allow = compare->allowed.texts;
    compare->gate.allow_count = compare->allowed.count;
    if (!check_needs(compare))
        return false;
    if (compare->base == NULL)
        return true;
    if (!check_exclusions(options))
        return false;
    compare->limit = options->top.has_limit ? options->top.rules.limit : 20;
    compare->has_limit = options->top.has_limit;
    options->reports_on = REPORT_COMPARISON | REPORT_SNAPSHOT;
    return true;
}

void compare_options_free(struct compare_options *compare)
{
    free(compare->profiles.texts);
    free(compare->allowed.texts);
}
