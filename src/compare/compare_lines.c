/* compare_lines.c - what people read above and below the table of a comparison.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare_lines.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

/* ---- What has changed ---- */

/* The functions that have changed significantly in one direction.  */
struct changes {
    const struct compared *worst; /* the one that changed most; of no function: the total */
    size_t count;
};

/* The changes of SUBJECT: upwards and downwards.  */
struct both_changes {
    struct changes more, less;
};

static enum measure measure_of(enum compare_subject subject)
{
    return subject == OF_INCLUSIVE ? INCLUSIVE : OWN;
}

static double size_of_change(const struct compared *row, enum compare_subject subject)
{
    return subject == OF_CALLS ? row->calls[AFTER] - row->calls[BEFORE]
                               : compared_weight(row, measure_of(subject));
}

static bool has_changed(const struct comparison *comparison, const struct compared *row,
                        enum compare_subject subject)
{
    enum measure measure = measure_of(subject);
    if (subject == OF_CALLS)
        return compared_calls_differ(comparison, row);
    return compared_has_changed(comparison, row, measure) && !row->times[measure].has_taken_over;
}

static void add_change(struct changes *changes, const struct compared *row,
                       enum compare_subject subject)
{
    if (row->kind == COMPARED_TOTAL && changes->worst != NULL)
        return;
    if (changes->worst == NULL ||
        fabs(size_of_change(row, subject)) > fabs(size_of_change(changes->worst, subject)))
        changes->worst = row;
    changes->count += row->kind == COMPARED_BOTH;
}

static struct both_changes find_changes(const struct comparison *comparison,
                                        enum compare_subject subject)
{
    struct both_changes changes = {{0}, {0}};
    for (size_t i = 0; i < comparison->row_count; i++) { /* the total is the last */
        const struct compared *row = &comparison->rows[i];
        double size = size_of_change(row, subject);
        if ((row->kind == COMPARED_BOTH || row->kind == COMPARED_TOTAL) &&
            has_changed(comparison, row, subject) && size != 0)
            add_change(size > 0 ? &changes.more : &changes.less, row, subject);
    }
    return changes;
}

static size_t count_changes(const struct comparison *comparison, enum compare_subject subject)
{
    struct both_changes changes = find_changes(comparison, subject);
    return changes.more.count + changes.less.count;
}

static bool has_times(const struct comparison *comparison)
{
    return !isnan(comparison->snapshots[BEFORE]->totals.samples) &&
           !isnan(comparison->snapshots[AFTER]->totals.samples);
}

enum compare_subject compare_subject(const struct comparison *comparison,
                                     const struct gate_rules *gate)
{
    bool is_free = !gate->has_time && !gate->has_calls && gate->scope == SCOPE_BOTH;
    if (gate->scope == SCOPE_INCLUSIVE && (gate->has_time || !gate->has_calls))
        return OF_INCLUSIVE;
    if (!has_times(comparison) || (gate->has_calls && !gate->has_time))
        return OF_CALLS;
    if (is_free && comparison->measure_count == MEASURES &&
        count_changes(comparison, OF_TIME) == 0 &&
        (compared_chance(comparison, INCLUSIVE)->is_tested ||
         !compared_chance(comparison, OWN)->is_tested) &&
        count_changes(comparison, OF_INCLUSIVE) > 0)
        return OF_INCLUSIVE;
    return OF_TIME;
}

/* ---- The line above the table ---- */

static const char *percent_text(struct arena *arena, double percent)
{
    return arena_format(arena, "%.*f %%", percent < 9.95 ? 1 : 0, percent);
}

static const char *unit_of(struct arena *arena, const struct comparison *comparison)
{
    return i18n_unit(arena_escape(arena, compared_unit(comparison)));
}

/* `leaf 0.40 -> 0.60 s (+50 %, p = 0.0002)'; FLOOR: more in the parentheses.  */
static const char *change_of_time(struct arena *arena, const struct comparison *comparison,
                                  const struct compared *row, enum measure measure,
                                  const char *floor)
{
    const struct compared_time *time = &row->times[measure];
    int decimals = comparison->table.time_decimals;
    const char *growth = "";
    char p[COMPARED_P_SIZE] = "";
    double percent = 100 * time->change / time->time[BEFORE];
    if (time->time[BEFORE] > 0)
        growth = arena_format(arena, "%+.0f %%", fabs(percent) < 0.5 ? 0 : percent);
    if (compared_chance(comparison, measure)->shows_errors && !isnan(time->p))
        compared_p_text(p, time->p);
    const char *comma = *growth != '\0' && *p != '\0' ? ", " : "";
    const char *details = arena_join(arena, growth, comma, p, floor);
    return arena_format(arena, "%s %.*f -> %.*f %s%s%s%s", arena_escape(arena, row->label),
                        decimals, time->time[BEFORE], decimals, time->time[AFTER],
                        unit_of(arena, comparison), *details != '\0' ? " (" : "", details,
                        *details != '\0' ? ")" : "");
}

/* What is said of ROW if it is no regression because its growth is below the floor of the gate.  */
static const char *describe_floor(struct arena *arena, const struct comparison *comparison,
                                  const struct compared *row, const struct judgement *judgement)
{
    if (judgement->verdict.status == GATE_REGRESSION || judgement->verdict.below != row)
        return "";
    return arena_format(arena, _(", below the floor of %g %s"), judgement->rules.seconds,
                        unit_of(arena, comparison));
}

/* `leaf 100 -> 500 (+400 %)'.  */
static const char *change_of_calls(struct arena *arena, const struct compared *row)
{
    const char *growth = "";
    if (row->calls[BEFORE] > 0)
        growth = arena_format(arena, " (%+.3g %%)", compared_growth(row->calls));
    char before[COMPARED_CALLS_SIZE], after[COMPARED_CALLS_SIZE];
    return arena_format(arena, "%s %s -> %s%s", arena_escape(arena, row->label),
                        compared_calls_text(before, row, BEFORE),
                        compared_calls_text(after, row, AFTER), growth);
}

/* `slower' or `faster', or what fits SUBJECT.  */
static const char *direction(const struct comparison *comparison, enum compare_subject subject,
                             bool is_more)
{
    bool is_time = strcmp(comparison->table.time_unit, "seconds") == 0;
    if (subject == OF_CALLS)
        return is_more ? _("called more") : _("called less");
    return is_time ? (is_more ? _("slower") : _("faster")) : is_more ? _("more") : _("less");
}

/* `slower: leaf 0.40 -> 0.60 s (+50 %, p = 0.0002) and 2 more; faster: 1 function'.  */
static const char *describe_changes(struct comparison *comparison, enum compare_subject subject,
                                    const struct both_changes *changes,
                                    const struct judgement *judgement)
{
    struct arena *arena = &comparison->arena;
    bool is_more = changes->more.worst != NULL;
    const struct changes *first = is_more ? &changes->more : &changes->less;
    const char *others = "", *rest = "";
    if (first->worst->kind == COMPARED_TOTAL)
        return arena_join(arena, _("no function alone has changed"),
                          describe_floor(arena, comparison, first->worst, judgement));
    if (first->count > 1)
        others = arena_format(arena, _(" and %zu more"), first->count - 1);
    if (is_more && changes->less.count > 0)
        rest = arena_format(
            arena, changes->less.count > 1 ? _("; %s: %zu functions") : _("; %s: %zu function"),
            direction(comparison, subject, false), changes->less.count);
    return arena_join(
        arena, direction(comparison, subject, is_more),
        subject == OF_INCLUSIVE ? _(" with callees: ") : ": ",
        subject == OF_CALLS
            ? change_of_calls(arena, first->worst)
            : change_of_time(arena, comparison, first->worst, measure_of(subject),
                             describe_floor(arena, comparison, first->worst, judgement)),
        others, rest);
}

/* `; can detect 11 %', or why nothing can be said; IS_ALONE: the line does not say before that
   times have grown.  */
static const char *describe_visible(struct arena *arena, const struct comparison *comparison,
                                    enum measure measure, bool is_alone)
{
    double percent = comparison->measures[measure].total_visibility.percent;
    static const char one_run[] = N_("; one run each; whether that is chance, 5 runs say: "
                                     "gprof-gate --runs=5 ... -- regmon {}");
    static const char *const untested[] = {[CHANCE_OF_ONE_RUN] = one_run,
                                           [CHANCE_UNKNOWN] = N_("; not tested"),
                                           [CHANCE_UNSTATED] =
                                               N_("; how times vary between runs is not known")};
    bool has_tests = compared_chance(comparison, OWN)->is_tested;
    enum chance chance = comparison->measures[has_tests ? measure : OWN].chance;
    if (!chance_traits(chance)->is_tested)
        return _(untested[chance]);
    if (chance == CHANCE_NONE)
        return "";
    if (isnan(percent))
        return _("; what it can detect is not known");
    if (isinf(percent))
        return _("; too few samples to detect any growth");
    return arena_format(arena, is_alone ? _("; can detect growth of %s") : _("; can detect %s"),
                        percent_text(arena, percent));
}

/* The time of the functions of KIND, which have times on SIDE only.  */
static double time_of_kind(const struct comparison *comparison, enum compared_kind kind,
                           enum side side)
{
    double time = 0;
    for (size_t i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].kind == kind)
            time += comparison->rows[i].times[OWN].time[side];
    return time;
}

/* `new: 2 with 0.30 s': the functions of KIND.  */
static const char *describe_kind(struct comparison *comparison, enum compared_kind kind,
                                 enum side side)
{
    struct arena *arena = &comparison->arena;
    const char *name = kind == COMPARED_NEW ? _("new") : _("gone");
    double time = time_of_kind(comparison, kind, side);
    if (!(time > 0))
        return arena_format(arena, "%s: %zu", name, comparison->kinds[kind]);
    return arena_format(arena, _("%s: %zu with %.*f %s"), name, comparison->kinds[kind],
                        comparison->table.time_decimals, time, unit_of(arena, comparison));
}

/* `; new: 2 with 0.30 s', if the functions of KIND have a hundredth of the total of SIDE.  */
static const char *describe_large_kind(struct comparison *comparison, enum compared_kind kind,
                                       enum side side)
{
    const double least = 0.01;
    double total = compared_total(comparison)->times[OWN].time[side];
    return time_of_kind(comparison, kind, side) >= least * total && total > 0
               ? arena_join(&comparison->arena, "; ", describe_kind(comparison, kind, side))
               : "";
}

void compare_add_headline(struct comparison *comparison, enum compare_subject subject,
                          const struct judgement *judgement)
{
    struct arena *arena = &comparison->arena;
    const struct both_changes changes = find_changes(comparison, subject);
    bool is_same = changes.more.worst == NULL && changes.less.worst == NULL;
    const char *text =
        subject == OF_CALLS ? _("no function is called more or less") : _("no significant change");
    if (!is_same)
        text = describe_changes(comparison, subject, &changes, judgement);
    if (judgement->verdict.taken_over != NULL) {
        const struct compared *row = judgement->verdict.taken_over;
        const char *taken =
            arena_format(arena, _("%s took over %s"), arena_escape(arena, row->label),
                         arena_escape(arena, row->gone_callees));
        text = is_same ? taken : arena_join(arena, text, "; ", taken);
    }
    if (subject != OF_CALLS)
        text = arena_join(
            arena, !is_same && !compared_chance(comparison, OWN)->is_tested ? _("differs: ") : "",
            change_of_time(arena, comparison, compared_total(comparison), measure_of(subject), ""),
            "; ", text, describe_large_kind(comparison, COMPARED_NEW, AFTER),
            describe_large_kind(comparison, COMPARED_GONE, BEFORE),
            describe_visible(arena, comparison, measure_of(subject), is_same));
    comparison->table.title = text;
}

/* ---- The lines below the table ---- */

/* `2 changed (p < 0.05)'.  */
static const char *describe_count(struct comparison *comparison, enum compare_subject subject)
{
    struct arena *arena = &comparison->arena;
    size_t count = count_changes(comparison, subject);
    const struct chance_traits *chance = compared_chance(comparison, OWN);
    if (chance->shows_errors)
        return arena_format(arena, _("%zu changed (p < %g)"), count, comparison->alpha);
    return arena_format(arena,
                        chance->is_tested ? _("%zu changed")
                        : chance->has_p   ? _("%zu differ by more than chance of sampling")
                                          : _("%zu differ by more than 1 %% of all time"),
                        count);
}

static void note_functions(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    size_t hidden = comparison->row_count - comparison->shown_count;
    const size_t *kinds = comparison->kinds;
    const struct compared_measure *own = &comparison->measures[OWN];
    const char *tested = "";
    if (chance_traits(own->chance)->has_p && own->chance != CHANCE_NONE)
        tested = arena_format(arena,
                              chance_traits(own->chance)->is_stated
                                  ? _("%zu could be tested and ")
                                  : _("%zu have enough samples for a test and "),
                              own->tested_count);
    bool is_of_total = has_times(comparison) && kinds[COMPARED_NEW] + kinds[COMPARED_GONE] > 0;
    const char *text = arena_format(
        arena, _("functions in both: %zu, of which %s%s; %s; %s%s"), kinds[COMPARED_BOTH], tested,
        describe_count(comparison, OF_TIME), describe_kind(comparison, COMPARED_NEW, AFTER),
        describe_kind(comparison, COMPARED_GONE, BEFORE),
        is_of_total ? _(" (judged only as a part of the total)") : "");
    if (hidden > 0)
        text = arena_format(arena, _("%s; not shown: %zu (--top=0: all)"), text, hidden);
    table_add_note(&comparison->table, arena, text);
}

/* Whether a function of SNAPSHOT has called others: else its samples have no stacks.  */
static bool has_callers(const struct snapshot *snapshot)
{
    const double rounding = 1e-6; /* of a share */
    for (size_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (function->total_samples - function->self_samples > rounding * function->total_samples)
            return true;
    }
    return false;
}

/* Says that one side has no callers: IS_KNOWN by side.  */
static void note_callers(struct comparison *comparison, const bool is_known[SIDES])
{
    static const char *const lacks[SIDES] = {
        N_("samples before have no call stacks: their inclusive times are own times"),
        N_("samples after have no call stacks: their inclusive times are own times")};
    if (is_known[BEFORE] != is_known[AFTER])
        table_add_note(&comparison->table, &comparison->arena,
                       _(lacks[is_known[BEFORE] ? AFTER : BEFORE]));
}

/* Says of inclusive times what note_functions says of own times.  */
static void note_inclusive(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    const struct compared_measure *inclusive = &comparison->measures[INCLUSIVE];
    const double *samples = compared_total(comparison)->times[INCLUSIVE].samples;
    if (comparison->measure_count < MEASURES || chance_traits(inclusive->chance)->is_stated)
        return;
    bool is_known[SIDES];
    for (enum side side = BEFORE; side < SIDES; side++)
        is_known[side] = has_callers(comparison->snapshots[side]);
    const char *what = inclusive->chance == CHANCE_NONE      ? _("counted events")
                       : is_known[BEFORE] || is_known[AFTER] ? _("sampled stacks")
                                                             : _("samples without call stacks");
    const char *rest = _("; how they vary between runs is not known, so they are not tested");
    if (inclusive->chance == CHANCE_NONE)
        rest = arena_join(arena, "; ", describe_count(comparison, OF_INCLUSIVE));
    else if (chance_traits(inclusive->chance)->has_p)
        rest = arena_format(arena, _("; of %zu that have enough for a test, %s"),
                            inclusive->tested_count, describe_count(comparison, OF_INCLUSIVE));
    table_add_note(&comparison->table, arena,
                   arena_format(arena,
                                _("inclusive times are those of %.0f %s before and %.0f after%s%s"),
                                samples[BEFORE], what, samples[AFTER], rest,
                                table_has_column(&comparison->table, "total-after")
                                    ? ""
                                    : _("; --fail-scope=inclusive shows them")));
    note_callers(comparison, is_known);
}

/* Says that calls have changed, if the table does not show them.  */
static void note_calls(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    size_t count = count_changes(comparison, OF_CALLS);
    if (count > 0 && !table_has_column(&comparison->table, "calls") &&
        !table_has_column(&comparison->table, "calls%"))
        table_add_note(&comparison->table, arena,
                       arena_format(arena,
                                    count > 1 ? _("calls changed in %zu functions (%s)")
                                              : _("calls changed in %zu function (%s)"),
                                    count, "--columns=calls-before,calls,calls%,name"));
}

static void note_runs(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    const struct compared_measure *own = &comparison->measures[OWN];
    const char *text =
        arena_format(arena, _("times and calls are those of one run, of %g before and %g after"),
                     own->sides[BEFORE].runs, own->sides[AFTER].runs);
    if ((own->dispersion > 1 || own->total_dispersion > 1) &&
        !chance_traits(own->chance)->is_stated)
        text = arena_format(
            arena,
            _("%s; samples vary more between runs than by chance: %.1f times as much in the "
              "largest function, %.1f times in the total"),
            text, own->dispersion, own->total_dispersion);
    table_add_note(&comparison->table, arena, text);
    const double *spreads = own->unequal_spreads;
    if (spreads[BEFORE] == 0 && spreads[AFTER] == 0)
        return;
    table_add_note(
        &comparison->table, arena,
        arena_format(
            arena,
            _("runs before vary by %.1f %%, those after by %.1f %%: each side is judged by its "
              "own"),
            100 * spreads[BEFORE], 100 * spreads[AFTER]));
}

/* Says what the usual gate would say, if none was asked for.  */
static void note_gate(struct comparison *comparison, const struct judgement *judgement)
{
    static const char *const scopes[] = {[SCOPE_TOTAL] = " --fail-scope=total",
                                         [SCOPE_FUNCTION] = " --fail-scope=function",
                                         [SCOPE_BOTH] = "",
                                         [SCOPE_INCLUSIVE] = " --fail-scope=inclusive"};
    struct arena *arena = &comparison->arena;
    const struct gate_rules *rules = &judgement->rules;
    const struct verdict *verdict = &judgement->verdict;
    const char *floor = arena_format(arena, "%g %s", rules->seconds, unit_of(arena, comparison));
    const char *text = _("pass");
    if (judgement->is_asked)
        return;
    if (verdict->status == GATE_REGRESSION && rules->seconds > 0)
        text = arena_format(arena, _("fail: %s grew by more than %g %% and %s"),
                            arena_escape(arena, verdict->worst->label), rules->percent, floor);
    else if (verdict->status == GATE_REGRESSION)
        text = arena_format(arena, _("fail: %s grew by more than %g %%"),
                            arena_escape(arena, verdict->worst->label), rules->percent);
    else if (verdict->below != NULL)
        text = arena_format(arena, _("pass: %s grew by less than the floor of %s"),
                            arena_escape(arena, verdict->below->label), floor);
    else if (verdict->status >= GATE_BLIND)
        text = arena_format(arena, _("pass, but could not see growth of %g %%"), rules->percent);
    table_add_note(&comparison->table, arena,
                   arena_format(arena, _("--fail-above=%g%s would %s"), rules->percent,
                                scopes[rules->scope], text));
}

/* COUNT as `6,516'.  */
static const char *grouped(struct arena *arena, double count)
{
    char text[GROUPED_SIZE];
    return arena_format(arena, "%s", group_digits(text, (uint64_t)(count + 0.5)));
}

/* `; detecting 5 % needs 6,516 samples in the base, and 8,664 of find', if less cannot be detected.
   LARGEST, the function NAME, may be NULL.  */
static const char *describe_needs(struct arena *arena, const struct visibility *total,
                                  const struct visibility *largest, const char *name)
{
    const double least = 5, most = 1e15;
    bool is_total = total->percent > least && total->need_5 < most;
    bool is_largest = largest != NULL && largest->percent > least && largest->need_5 < most;
    if (is_total && is_largest)
        return arena_format(arena, _("; detecting 5 %% needs %s samples in the base, and %s of %s"),
                            grouped(arena, total->need_5), grouped(arena, largest->need_5), name);
    if (is_total)
        return arena_format(arena, _("; detecting 5 %% needs %s samples in the base"),
                            grouped(arena, total->need_5));
    if (is_largest)
        return arena_format(arena, _("; detecting 5 %% of %s needs %s samples of it in the base"),
                            name, grouped(arena, largest->need_5));
    return "";
}

/* Says which growth of the total and of the largest function can be detected, and what it takes to
   detect 5 %.  */
static void note_visible(struct comparison *comparison, const struct compared_measure *judged)
{
    struct arena *arena = &comparison->arena;
    const struct visibility *total = &judged->total_visibility;
    const struct visibility *largest = judged->largest != NULL ? &judged->largest_visibility : NULL;
    const char *name = largest != NULL ? arena_escape(arena, judged->largest->label) : "";
    const char *text = _("This comparison cannot detect any growth");
    if (!chance_traits(judged->chance)->shows_errors)
        return;
    if (isnan(total->percent)) {
        table_add_note(&comparison->table, arena,
                       _("Which growth this comparison can detect is not known: two runs of a "
                         "side say too little"));
        return;
    }
    if (isfinite(total->percent))
        text = arena_format(arena, _("This comparison can detect growth of %s of the total"),
                            percent_text(arena, total->percent));
    if (isfinite(total->percent) && largest != NULL && isfinite(largest->percent))
        text = arena_format(arena, _("%s and %s of %s"), text,
                            percent_text(arena, largest->percent), name);
    if (!chance_traits(judged->chance)->is_stated)
        text = arena_join(arena, text, describe_needs(arena, total, largest, name));
    table_add_note(&comparison->table, arena, text);
}

/* Whether TIME changed by FACTOR, but for its error and a hundredth.  */
static bool has_factor(const struct compared_time *time, double factor)
{
    const double errors = 3, rounding = 0.01;
    double distance = time->time[AFTER] - factor * time->time[BEFORE];
    return fabs(distance) <= errors * time->error + rounding * time->time[AFTER];
}

/* The factor of the total if all functions that are tested changed by it, and most of these
   significantly, as they do on another machine; else NaN.  */
static double common_factor(const struct comparison *comparison)
{
    const struct compared_time *total = &compared_total(comparison)->times[OWN];
    double factor = total->time[AFTER] / total->time[BEFORE];
    size_t tested = 0, changed = 0;
    bool is_common = total->p < comparison->alpha && comparison->kinds[COMPARED_NEW] == 0 &&
                     comparison->kinds[COMPARED_GONE] == 0;
    for (size_t i = 0; i < comparison->row_count && is_common; i++) {
        const struct compared_time *own = &comparison->rows[i].times[OWN];
        if (comparison->rows[i].kind != COMPARED_BOTH || isnan(own->p))
            continue;
        tested++;
        changed += own->p < comparison->alpha;
        is_common = has_factor(own, factor);
    }
    return is_common && changed >= 3 && 2 * changed > tested ? factor : (double)NAN;
}

static void note_common_factor(struct comparison *comparison)
{
    struct arena *arena = &comparison->arena;
    double factor = common_factor(comparison);
    const char *unit = comparison->snapshots[AFTER]->unit.name;
    bool is_of_work = comparison->measures[OWN].chance == CHANCE_NONE ||
                      strcmp(unit, "MB") == 0; /* on any machine */
    if (isnan(factor))
        return;
    table_add_note(
        &comparison->table, arena,
        arena_format(arena,
                     is_of_work ? _("all functions changed by one factor (%+.0f %%): another "
                                    "input, or more of it?")
                                : _("all functions changed by one factor (%+.0f %%): another "
                                    "machine or clock?  gprof-gate --base-image=OLD measures both "
                                    "sides by turns"),
                     100 * (factor - 1)));
}

void compare_add_notes(struct comparison *comparison, enum compare_subject subject,
                       const struct judgement *judgement)
{
    if (has_times(comparison))
        note_common_factor(comparison);
    if (has_times(comparison) && compared_chance(comparison, OWN)->is_tested) {
        note_gate(comparison, judgement);
        note_visible(comparison, &comparison->measures[measure_of(subject)]);
    }
    note_functions(comparison);
    note_inclusive(comparison);
    note_calls(comparison);
    note_runs(comparison);
}
