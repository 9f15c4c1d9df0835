/* mode_compare.c - compares profiles with a base (--base), prints the comparison and the verdict.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compress.h"
#include "base/message.h"
#include "base/messages.h"
#include "compare/compare.h"
#include "compare/compare_lines.h"
#include "compare/compare_table.h"
#include "input/image.h"
#include "input/json_read.h"
#include "program/analyse.h"
#include "program/find_record.h"
#include "program/hints.h"
#include "program/modes.h"
#include "program/output.h"
#include "program/read_profiles.h"
#include "stacks/make_stack_tree.h"
#include "stacks/stack_runs.h"

/* ---- The base ---- */

/* The base: a snapshot from a file, or one of an image and its profiles.  */
struct base {
    struct image *image;
    struct foreign foreign;
    struct found_run run; /* if files of stacks are the profiles */
    struct snapshot read;
    struct profile_list inputs;
    struct analysis analysis;
    struct stacks runs;
};

/* Makes the snapshot of one side, which FORMAT shows, or NULL.  RUNS gets the stacks of each
   profile, if they were recorded.  NULL after a message.  */
static const struct snapshot *read_side(const struct request *request, struct analysis *analysis,
                                        const struct export_format *format, struct stacks *runs)
{
    if (!analyse(request, analysis))
        return NULL;
    analyse_snapshot(request, analysis, format);
    hints_print(request, analysis, 0);
    hints_print_notes(request, analysis);
    if (recorded_has_stacks(&analysis->profile.recorded)) {
        *runs = stacks_list_runs(&analysis->profile.recorded, analysis->snapshot.ids);
        analysis->snapshot.snapshot.runs.stacks = runs;
    }
    return &analysis->snapshot.snapshot;
}

/* Whether to read the file at PATH as JSON: it begins like JSON, is compressed, or cannot be opened
   (the reader of JSON prints the message).  */
static bool looks_like_json(const char *path)
{
    unsigned char start[16];
    size_t i = 0;
    FILE *file = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return true;
    size_t size = fread(start, 1, sizeof start, file);
    fclose(file);
    while (i < size && isspace(start[i]))
        i++;
    return compression_of(start, size) != COMPRESSION_NONE ||
           (i < size && (start[i] == '{' || start[i] == '['));
}

/* The snapshot of the image and the profiles of BASE.  NULL after a message.  */
static const struct snapshot *read_before(struct base *base, const struct request *request)
{
    struct request of_base = *request;
    of_base.image = base->image;
    of_base.foreign = &base->foreign;
    of_base.inputs = &base->inputs;
    of_base.run = &base->run;
    of_base.messages = NULL;
    base->analysis.reports = REPORT_SNAPSHOT;
    return read_side(&of_base, &base->analysis, NULL, &base->runs);
}

/* Reads the COUNT names of the base at PATHS: profiles of another profiler, perhaps behind the
   executable that names their addresses.  NULL after a message.  */
static const struct snapshot *read_foreign_base(struct base *base, const struct request *request,
                                                const char *const *paths, size_t count)
{
    const struct operands operands = {.paths = paths, .count = count, .is_foreign = true};
    base->image = read_foreign(&base->foreign, &base->inputs, request, &operands);
    return base->image != NULL ? read_before(base, request) : NULL;
}

/* The same if they are files of stacks.  */
static const struct snapshot *read_records(struct base *base, const struct request *request,
                                           const char *const *paths, size_t count)
{
    struct operands operands = {0};
    if (!open_records(&base->run, request, paths, count))
        return NULL;
    operands.paths = base->run.profiles;
    operands.count = base->run.count;
    base->image = image_open(base->run.image, request->diagnostics);
    if (base->image == NULL || !list_profiles(&base->inputs, request, &operands))
        return NULL;
    return read_before(base, request);
}

static const struct snapshot *read_base_profiles(struct base *base, const struct request *request)
{
    const struct compare_options *compare = &request->options->compare;
    const struct operands operands = {.paths = compare->profiles.texts,
                                      .count = compare->profiles.count,
                                      .sum_path = request->plan->sum_path};
    if (compare->profiles.count == 0) {
        problem(MSG_BASE_PROFILE_NEEDED, compare->base);
        return NULL;
    }
    if (request->options->analysis.symbol_table != NULL) {
        problem(MSG_BASE_SYMBOLS, compare->base);
        return NULL;
    }
    base->image = image_open(compare->base, request->diagnostics);
    if (base->image == NULL || !list_profiles(&base->inputs, request, &operands))
        return NULL;
    skip_others(&base->inputs, request, base->image);
    return read_before(base, request);
}

/* Reads the file at PATH, which is in JSON, as it is: of several runs, it knows how they vary.  */
static const struct snapshot *read_json(struct snapshot *read, const char *path)
{
    return json_read(read, path) ? read : NULL;
}

/* Whether REQUEST's only profile is in JSON, and not on a pipe, which was read.  */
static bool is_json(const struct request *request)
{
    return request->foreign->is_json && request->inputs->count == 1 &&
           strcmp(request->inputs->paths[0], "-") != 0;
}

/* Reads the base of REQUEST.  NULL after a message.  */
static const struct snapshot *read_base(struct base *base, const struct request *request)
{
    const struct compare_options *compare = &request->options->compare;
    size_t count = compare->profiles.count + 1;
    const char **paths = mem_array(count, sizeof *paths);
    const struct snapshot *snapshot = NULL;
    bool is_input = strcmp(compare->base, "-") == 0; /* JSON */
    paths[0] = compare->base;
    for (size_t i = 1; i < count; i++)
        paths[i] = compare->profiles.texts[i - 1];
    bool is_record = !is_input && are_records(paths, count);
    enum foreign_found found =
        is_input || is_record
            ? FOREIGN_NO
            : foreign_find(&base->foreign, NULL, paths, count, &request->options->inputs.foreign);
    bool is_json = base->foreign.is_json && count == 1;
    if (is_record)
        snapshot = read_records(base, request, paths, count);
    else if (found == FOREIGN_YES && !is_json)
        snapshot = read_foreign_base(base, request, paths, count);
    else if (found != FOREIGN_UNREADABLE && !is_json &&
             (count > 1 || !looks_like_json(compare->base)))
        snapshot = read_base_profiles(base, request);
    else if (found != FOREIGN_UNREADABLE)
        snapshot = read_json(&base->read, compare->base);
    free(paths);
    return snapshot;
}

static void free_base(struct base *base)
{
    snapshot_free(&base->read);
    stacks_free_runs(&base->runs);
    analysis_free(&base->analysis);
    profile_list_free(&base->inputs);
    image_close(base->image);
    foreign_free(&base->foreign);
    found_run_free(&base->run);
}

/* ---- Checks ---- */

static bool has_figures(const struct snapshot *snapshot)
{
    return snapshot->totals.samples > 0 || snapshot->totals.calls > 0 ||
           snapshot->self_samples > 0 || problem(MSG_NOTHING_TO_COMPARE, snapshot->image.path);
}

/* Whether OPTION chose whose samples were read: those of a thread, say.  */
static bool is_choice(const char *option)
{
    static const char choice[] = "--program="; /* --thread=NAME is --program=thread=NAME */
    return strncmp(option, choice, sizeof choice - 1) == 0;
}

/* The option of SNAPSHOT that is a choice, or `none'.  */
static const char *choice_of(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->options.count; i++)
        if (is_choice(snapshot->options.texts[i]))
            return snapshot->options.texts[i];
    return _(NO_OPTIONS);
}

/* The first option of SNAPSHOT from *AT on that is no choice; NULL: all are.  */
static const char *next_option(const struct snapshot *snapshot, size_t *at)
{
    while (*at < snapshot->options.count) {
        const char *option = snapshot->options.texts[(*at)++];
        if (!is_choice(option))
            return option;
    }
    return NULL;
}

/* The options of SNAPSHOT that are no choice, separated by commas; of very many, as a file can say,
   the first ones.  */
static const char *option_list(const struct snapshot *snapshot, struct arena *arena)
{
    enum { MOST = 20 };
    size_t at = 0, count = 1;
    const char *list = next_option(snapshot, &at), *option;
    while (list != NULL && (option = next_option(snapshot, &at)) != NULL)
        if (count++ <= MOST)
            list = arena_join(arena, list, ", ", count <= MOST ? option : "...");
    return list != NULL ? list : _(NO_OPTIONS);
}

/* Whether the same options say what was counted.  False after a message.  */
static bool are_counted_alike(const struct snapshot *before, const struct snapshot *after)
{
    struct arena arena = {0};
    size_t at[SIDES] = {0};
    const char *x, *y;
    bool ok = true;
    do {
        x = next_option(before, &at[BEFORE]);
        y = next_option(after, &at[AFTER]);
        ok = x != NULL && y != NULL ? strcmp(x, y) == 0 : x == y;
    } while (ok && x != NULL);
    if (!ok)
        problem(MSG_BASE_OPTIONS, before->image.path, option_list(before, &arena),
                option_list(after, &arena));
    arena_free(&arena);
    return ok;
}

static double rate_of(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->input_count; i++)
        if (snapshot->inputs[i].rate != 0)
            return snapshot->inputs[i].rate;
    return 0;
}

/* Whether the rate of SNAPSHOT is one that a profiler was told: samples of unequal weights, which
   some other profilers have, only have an average, another one in each run.  */
static bool has_rate(const struct snapshot *snapshot)
{
    return rate_of(snapshot) != 0 && figures_traits(snapshot->figures)->has_samples &&
           (snapshot_has_image(snapshot) || !snapshot->has_weights);
}

/* Warns where figures of BEFORE and AFTER may mean different things.  */
static void warn_about_differences(struct diagnostics *diagnostics, const struct snapshot *before,
                                   const struct snapshot *after)
{
    const double much = 2; /* programs grow by less */
    const struct snapshot_image *old = &before->image, *new = &after->image;
    double size_before = (double)(old->high - old->low);
    double size_after = (double)(new->high - new->low);
    const char *choice_before = choice_of(before), *choice_after = choice_of(after);
    if (strcmp(choice_before, choice_after) != 0)
        warning(diagnostics, MSG_BASE_CHOICE, old->path, choice_before, choice_after);
    if (has_rate(before) && has_rate(after) && rate_of(before) != rate_of(after))
        warning(diagnostics, MSG_BASE_RATE, old->path, rate_of(before), rate_of(after));
    if (!snapshot_has_image(before) || !snapshot_has_image(after))
        return;
    if (size_before > 0 && size_after > 0 &&
        (size_before > much * size_after || size_after > much * size_before))
        warning(diagnostics, MSG_BASE_RANGE, old->path, (unsigned long long)(old->high - old->low),
                (unsigned long long)(new->high - new->low));
    if (strcmp(old->machine, new->machine) != 0)
        warning(diagnostics, MSG_BASE_MACHINE, old->path, old->machine, new->machine);
}

/* Checks that the sides have functions in common: warns of few.  False after a message: none.  */
static bool have_functions_in_common(const struct comparison *comparison,
                                     struct diagnostics *diagnostics)
{
    const struct snapshot *before = comparison->snapshots[BEFORE];
    const struct snapshot *after = comparison->snapshots[AFTER];
    const size_t *kinds = comparison->kinds;
    size_t fewer =
        kinds[COMPARED_NEW] < kinds[COMPARED_GONE] ? kinds[COMPARED_NEW] : kinds[COMPARED_GONE];
    if (kinds[COMPARED_BOTH] == 0)
        return problem(MSG_BASE_OTHER_PROGRAM, before->image.path, after->image.path);
    if (kinds[COMPARED_BOTH] < fewer)
        warning(diagnostics, MSG_BASE_FEW_IN_COMMON, before->image.path, kinds[COMPARED_BOTH],
                fewer + kinds[COMPARED_BOTH], after->image.path);
    return true;
}

/* Says why inclusive times are not compared, if one side has stacks.  False if they are to be
   judged or shown.  */
static bool check_stacks(const struct request *request, const struct comparison *comparison)
{
    const struct snapshot *const *snapshots = comparison->snapshots;
    bool is_judged = request->plan->gate.scope == SCOPE_INCLUSIVE;
    bool is_named = compare_needs_inclusive(&request->plan->compared.columns) ||
                    compare_needs_inclusive(&request->plan->compared.sort);
    if (comparison->measure_count == MEASURES)
        return true;
    const bool has_error[] = {
        [BEFORE] = origin_traits(snapshots[BEFORE]->origin)->has_error,
        [AFTER] = origin_traits(snapshots[AFTER]->origin)->has_error,
    };
    const char *path = snapshots[has_error[BEFORE] ? AFTER : BEFORE]->image.path;
    if (is_judged)
        return problem(MSG_BASE_UNJUDGED, path);
    if (is_named)
        return problem(MSG_BASE_UNMEASURED, path);
    if (has_error[BEFORE] != has_error[AFTER])
        note(request->diagnostics, MSG_BASE_UNMEASURED, path);
    return true;
}

/* ---- The verdict ---- */

enum { FIGURE = 64 };

/* `+34 %', or `new' where there was nothing before.  */
static void describe_growth(char *text, size_t size, const double values[SIDES])
{
    if (values[BEFORE] > 0)
        snprintf(text, size, "%+.3g %%", compared_growth(values));
    else
        snprintf(text, size, "new");
}

/* The change of a row's time, of the measure that the verdict is about.  */
struct change_texts {
    char before[FIGURE], after[FIGURE]; /* `1.20 s' */
    char change[2 * FIGURE]; /* `+34 % ± 9, p = 0.0004'; `+34 %' or `new' of counts that have no
                                error, and of one run */
};

static struct change_texts describe_change(const struct comparison *comparison,
                                           const struct compared *row)
{
    const struct compared_time *time = &row->times[comparison->verdict.measure];
    const char *unit = compared_unit(comparison);
    int decimals = comparison->table.time_decimals;
    struct change_texts texts;
    char growth[FIGURE] = "", p[COMPARED_P_SIZE];
    snprintf(texts.before, sizeof texts.before, "%.*f %.20s", decimals, time->time[BEFORE], unit);
    snprintf(texts.after, sizeof texts.after, "%.*f %.20s", decimals, time->time[AFTER], unit);
    if (!compared_chance(comparison, comparison->verdict.measure)->shows_errors) {
        describe_growth(texts.change, sizeof texts.change, time->time);
        return texts;
    }
    if (time->time[BEFORE] > 0)
        snprintf(growth, sizeof growth, "%+.0f %% ± %.0f, ",
                 100 * time->change / time->time[BEFORE], 100 * time->error / time->time[BEFORE]);
    snprintf(texts.change, sizeof texts.change, "%s%s", growth, compared_p_text(p, time->p));
    return texts;
}

static void say_slower(const struct comparison *comparison, const struct compared *row,
                       const struct change_texts *texts)
{
    size_t regressions = comparison->verdict.regression_count;
    size_t functions = comparison->kinds[COMPARED_BOTH];
    if (row->gone_callees != NULL)
        announce(MSG_REGRESSION_GONE, row->name, texts->before, texts->after, texts->change,
                 regressions, functions, row->gone_callees);
    else
        announce(comparison->verdict.measure == INCLUSIVE ? MSG_REGRESSION_INCLUSIVE
                                                          : MSG_REGRESSION,
                 row->name, texts->before, texts->after, texts->change, regressions, functions);
}

static void say_called_more(const struct comparison *comparison, const struct compared *row)
{
    char growth[FIGURE], before[COMPARED_CALLS_SIZE], after[COMPARED_CALLS_SIZE];
    describe_growth(growth, sizeof growth, row->calls);
    announce(MSG_REGRESSION_CALLS, row->name, compared_calls_text(before, row, BEFORE),
             compared_calls_text(after, row, AFTER), growth, comparison->verdict.regression_count,
             comparison->kinds[COMPARED_BOTH]);
}

/* Appends the change of NAME that the gate can see.  */
static void append_visible(char *text, size_t size, double percent, const char *name)
{
    size_t length = strlen(text);
    if (length > 0)
        length += (size_t)snprintf(text + length, size - length, ", ");
    if (isnan(percent))
        snprintf(text + length, size - length, _(VISIBLE_UNKNOWN), name);
    else if (percent == 0)
        snprintf(text + length, size - length, _(VISIBLE_ANY), name);
    else if (isfinite(percent))
        snprintf(text + length, size - length, _(VISIBLE_CHANGE), percent, name);
    else
        snprintf(text + length, size - length, _(VISIBLE_NONE), name);
}

/* What GATE can see.  With a floor of more than all of the base, which is FLOOR, that is growth to
   many times the base, which tells nothing: then, what the gate can see without a floor.  */
static void describe_visible(char *text, size_t size, const struct comparison *comparison,
                             struct gate_rules gate, const char *floor)
{
    const struct compared_measure *judged = &comparison->measures[gate_measure(&gate)];
    const struct compared *largest = judged->largest, *total = compared_total(comparison);
    double time = total->times[gate_measure(&gate)].time[BEFORE];
    bool is_below_floor = time > 0 && time < gate.seconds;
    text[0] = '\0';
    if (is_below_floor)
        gate.seconds = 0;
    if (gate_judges_total(gate.scope))
        append_visible(text, size, gate_visible(comparison, total, &gate), _(VISIBLE_TOTAL));
    if (gate.scope != SCOPE_TOTAL)
        append_visible(text, size, gate_visible(comparison, largest, &gate),
                       largest != NULL ? largest->name : _(VISIBLE_FUNCTION));
    if (judged->chance == CHANCE_OF_SAMPLING || judged->chance == CHANCE_OF_ONE_RUN)
        snprintf(text + strlen(text), size - strlen(text), "%s", _(VISIBLE_BY_CHANCE));
    if (is_below_floor)
        snprintf(text + strlen(text), size - strlen(text), _(VISIBLE_NO_FLOOR), gate.percent,
                 floor);
}

/* The side that is of several runs, between which nobody knows how inclusive times vary.  */
static const struct snapshot *side_without_spread(const struct comparison *comparison)
{
    const struct compared_side *before = &comparison->measures[INCLUSIVE].sides[BEFORE];
    bool is_before = before->runs > 1 && !(before->profiles > 1);
    return comparison->snapshots[is_before ? BEFORE : AFTER];
}

/* Prints the verdict of a gate.  If the gate judges times and calls, calls have a message only if
   they regressed most.  */
static void print_verdict(const struct comparison *comparison, const struct gate_rules *gate,
                          bool fails_inconclusive)
{
    const struct verdict *result = &comparison->verdict;
    enum chance own = comparison->measures[OWN].chance;
    enum chance judged = comparison->measures[gate_measure(gate)].chance;
    const struct compared *row = result->worst != NULL        ? result->worst
                                 : result->below != NULL      ? result->below
                                 : result->taken_over != NULL ? result->taken_over
                                                              : compared_total(comparison);
    const struct change_texts texts = describe_change(comparison, row);
    char visible[1000], floor[FIGURE];
    if (result->status == GATE_NONE)
        return;
    snprintf(floor, sizeof floor, "%g %.20s", gate->seconds, compared_unit(comparison));
    describe_visible(visible, sizeof visible, comparison, *gate, floor);
    if (result->status == GATE_REGRESSION && result->is_about_calls)
        say_called_more(comparison, row);
    else if (result->status == GATE_REGRESSION)
        say_slower(comparison, row, &texts);
    else if (!gate->has_time && result->unjudged_count > 0)
        announce(MSG_NO_MORE_CALLS_OF, gate->calls_percent, result->unjudged_count,
                 comparison->kinds[COMPARED_BOTH]);
    else if (!gate->has_time)
        announce(MSG_NO_MORE_CALLS, gate->calls_percent);
    else if (result->worst != NULL)
        announce(MSG_ONE_RUN, row->name, texts.before, texts.after, texts.change);
    else if (own == CHANCE_OF_ONE_RUN && fails_inconclusive)
        announce(MSG_ONE_RUN_BLIND);
    else if (own == CHANCE_UNSTATED)
        announce(MSG_BLIND_STATED, comparison->snapshots[AFTER]->image.path);
    else if (!chance_traits(judged)->has_p)
        announce(MSG_BLIND_SPREAD, side_without_spread(comparison)->image.path);
    else if (result->status == GATE_BLIND_FLOOR && fails_inconclusive)
        announce(MSG_BLIND_FLOOR, gate->percent, floor, visible, gate->percent);
    else if (result->status == GATE_BLIND_RUNS && fails_inconclusive)
        announce(MSG_BLIND_RUNS, gate->percent, visible);
    else if (result->status == GATE_BLIND_SAMPLES && fails_inconclusive)
        announce(MSG_BLIND, gate->percent, visible);
    else if (result->below != NULL)
        announce(MSG_BELOW_FLOOR, gate->percent, row->name, texts.before, texts.after, texts.change,
                 floor, visible);
    else if (result->taken_over != NULL)
        announce(MSG_TOOK_OVER, gate->percent, row->name, row->gone_callees, texts.before,
                 texts.after, texts.change, visible);
    else
        announce(MSG_NO_REGRESSION, gate->percent, visible);
}

/* ---- Stacks ---- */

/* Whether SNAPSHOT has what stacks are estimated from.  False after a message.  */
static bool can_have_stacks(const struct snapshot *snapshot)
{
    if (isnan(snapshot->totals.samples))
        return problem(MSG_BASE_STACKS, snapshot->image.path, _(STACKS_NEED_SAMPLES));
    if (origin_traits(snapshot->origin)->has_error) /* from old JSON, which has no stacks */
        return problem(MSG_BASE_STACKS, snapshot->image.path, _(STACKS_NEED_ESTIMATES));
    return snapshot->arc_count > 0 ||
           problem(MSG_BASE_STACKS, snapshot->image.path, _(STACKS_NEED_CALLS));
}

/* Makes the estimated stacks of COMPARISON.  False after a message.  */
static bool compare_estimates(struct comparison *comparison)
{
    const struct snapshot *const *snapshots = comparison->snapshots;
    struct stack_tree trees[SIDES];
    if (!can_have_stacks(snapshots[BEFORE]) || !can_have_stacks(snapshots[AFTER]))
        return false;
    for (enum side side = BEFORE; side < SIDES; side++)
        stack_tree_build(&trees[side], snapshots[side]);
    compare_add_estimates(comparison, trees);
    stack_tree_free(&trees[BEFORE]);
    stack_tree_free(&trees[AFTER]);
    return true;
}

/* ---- The mode ---- */

/* The rules of the gate for times in the unit of SNAPSHOT: unless the user says otherwise, a
   regression is of more than a twentieth of a second, and of another unit it is of any size.  */
static struct gate_rules gate_rules_of(const struct plan *plan, const struct snapshot *snapshot)
{
    const double least = 0.05;
    struct gate_rules gate = plan->gate;
    if (isnan(gate.seconds))
        gate.seconds = is_in_seconds(&snapshot->unit) ? least : 0;
    return gate;
}

/* Judges COMPARISON by GATE.  If that judges nothing, the judgement is what the usual gate, of 10
   %, would say about SUBJECT.  */
static struct judgement judge(struct comparison *comparison, const struct gate_rules *gate,
                              enum compare_subject subject)
{
    const double usual = 10;
    struct judgement judgement = {.rules = *gate, .is_asked = gate->has_time || gate->has_calls};
    if (!judgement.is_asked) {
        judgement.rules.has_time = true;
        judgement.rules.percent = usual;
        if (subject == OF_INCLUSIVE)
            judgement.rules.scope = SCOPE_INCLUSIVE;
    }
    gate_judge(comparison, &judgement.rules);
    judgement.verdict = comparison->verdict;
    if (!judgement.is_asked)
        gate_judge(comparison, gate); /* which has no verdict */
    return judgement;
}

/* Compares AFTER with BEFORE, and prints the comparison, as OUTPUT, and the verdict.  False after a
   message.  */
static bool compare(const struct request *request, struct comparison *comparison,
                    const struct snapshot *before, const struct snapshot *after,
                    const struct output *output)
{
    const struct compare_options *options = &request->options->compare;
    const struct export_format *format = request->plan->format;
    const struct gate_rules gate = gate_rules_of(request->plan, after);
    bool has_stacks = format != NULL && (format->traits & EXPORT_STACKS) != 0;
    if (gate.has_calls && (before->is_uncounted || after->is_uncounted))
        return problem(MSG_CALLS_UNJUDGED, (before->is_uncounted ? before : after)->image.path);
    if (figures_traits(before->figures)->has_signs)
        return problem(MSG_NEGATIVE, before->image.path);
    if (!are_counted_alike(before, after) || !has_figures(before) || !has_figures(after))
        return false;
    if (!isnan(before->totals.samples) && !isnan(after->totals.samples) &&
        strcmp(before->unit.name, after->unit.name) != 0)
        return problem(MSG_BASE_UNIT, before->image.path, before->unit.name, after->unit.name);
    if (before->unit.value != NULL && after->unit.value != NULL &&
        strcmp(before->unit.value, after->unit.value) != 0)
        return problem(MSG_BASE_VALUE, before->image.path, before->unit.value, after->unit.value);
    if (figures_traits(before->figures)->chance != figures_traits(after->figures)->chance)
        return problem(MSG_BASE_EXACT, before->image.path, after->image.path);
    warn_about_differences(request->diagnostics, before, after);
    struct compare_rules rules = options->rules;
    rules.has_paths = has_stacks || (format != NULL && format->is_page);
    compare_build(comparison, before, after, &rules);
    bool ok = have_functions_in_common(comparison, request->diagnostics) &&
              check_stacks(request, comparison) &&
              (!has_stacks || comparison->paths != NULL || compare_estimates(comparison));
    if (ok) {
        struct compare_table_rules table = request->plan->compared;
        judge(comparison, &gate,
              OF_TIME); /* marks what only took over, which decides the subject */
        table.subject = compare_subject(comparison, &gate);
        const struct judgement judgement = judge(comparison, &gate, table.subject);
        table.has_calls = table.subject == OF_TIME && gate.has_calls;
        compare_table(comparison, &table);
        if (table.is_for_people)
            compare_add_headline(comparison, table.subject, &judgement);
        compare_add_notes(comparison, table.subject, &judgement);
        ok = may_write_output(request->diagnostics) && output_print(request, output);
    }
    if (ok)
        print_verdict(comparison, &gate, options->fails_inconclusive);
    return ok;
}

int mode_compare(const struct request *request)
{
    enum { REGRESSION = 3, BLIND = 4 }; /* exit statuses */
    const struct export_format *format = request->plan->format;
    struct base *base = mem_array(1, sizeof *base);
    struct analysis analysis = {.reports = request->plan->reports};
    struct comparison *comparison = mem_array(1, sizeof *comparison);
    struct stacks runs = {0};
    struct snapshot read = {0};
    const struct snapshot *before = read_base(base, request), *after = NULL;
    if (before != NULL && is_json(request) && (format == NULL || !format->is_page))
        after = read_json(&read, request->inputs->paths[0]);
    else if (before != NULL)
        after =
            read_side(request, &analysis, format != NULL && format->is_page ? format : NULL, &runs);
    const struct output output = {
        .sources = &analysis.profile.annotation, .comparison = comparison, .base = &base->inputs};
    bool ok = after != NULL && compare(request, comparison, before, after, &output) &&
              base->analysis.profile.bad_count + analysis.profile.bad_count == 0;
    enum gate_status gate = comparison->verdict.status;
    bool is_told_blind = gate >= GATE_BLIND && (request->options->compare.fails_inconclusive ||
                                                comparison->verdict.worst != NULL);
    stacks_free_runs(&runs);
    snapshot_free(&read);
    compare_free(comparison);
    free(comparison);
    free_base(base);
    free(base);
    analysis_free(&analysis);
    if (!ok)
        return EXIT_FAILURE;
    if (gate == GATE_REGRESSION)
        return REGRESSION;
    return is_told_blind ? BLIND : EXIT_SUCCESS;
}
