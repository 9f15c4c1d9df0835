/* gate.c - judges a comparison.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/gate.h"

#include <math.h>

#include "base/short_names.h"

/* ---- Allowed functions ---- */

static void allow_matching(struct comparison *comparison, const regex_t *expression)
{
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        if (row->kind != COMPARED_TOTAL && (name_matches(expression, row->name, NULL) ||
                                            name_matches(expression, row->function, NULL)))
            row->is_allowed = true;
    }
}

/* ---- Regressions ---- */

static bool is_judged(const struct compared *row, enum gate_scope scope)
{
    if (row->kind == COMPARED_TOTAL)
        return gate_judges_total(scope);
    return row->kind == COMPARED_BOTH && scope != SCOPE_TOTAL && !row->is_allowed;
}

/* Whether TIME grew significantly, and by more than the percent of RULES.  */
static bool has_grown(const struct compared_time *time, const struct gate_rules *rules)
{
    return rules->has_time && 100 * time->change > rules->percent * time->time[BEFORE] &&
           time->p < rules->alpha;
}

/* Whether ROW only took over what callees did that are gone: these had most of what it grew by, and
   with its callees it has not grown.  Or it only lost what new callees do: it shrank, and with its
   callees it has not shrunk.  */
static bool has_taken_over(const struct compared *row, const struct gate_rules *rules)
{
    const struct compared_time *own = &row->times[OWN], *inclusive = &row->times[INCLUSIVE];
    if (!compared_may_take_over(row) || !isfinite(inclusive->p))
        return false;
    return (has_grown(own, rules) && !has_grown(inclusive, rules)) ||
           (own->change < 0 && own->p < rules->alpha &&
            !(inclusive->change < 0 && inclusive->p < rules->alpha));
}

static bool are_more_calls(double before, double after, const struct gate_rules *rules)
{
    return rules->has_calls && 100 * (after - before) > rules->calls_percent * before;
}

/* Where runs disagree, all of those after must call more than all before.  */
static bool is_called_more(const struct compared *row, const struct gate_rules *rules)
{
    if (row->lacks_calls)
        return false;
    if (row->has_varying_calls)
        return are_more_calls(row->run_calls[BEFORE].highest, row->run_calls[AFTER].lowest, rules);
    return are_more_calls(row->calls[BEFORE], row->calls[AFTER], rules);
}

/* Whether the calls of ROW may have grown, as some of its runs say.  */
static bool are_calls_unjudged(const struct compared *row, const struct gate_rules *rules)
{
    return row->kind == COMPARED_BOTH && row->has_varying_calls && !row->lacks_calls &&
           !is_called_more(row, rules) &&
           are_more_calls(row->run_calls[BEFORE].lowest, row->run_calls[AFTER].highest, rules);
}

static double badness(const struct compared *row, bool is_about_calls, enum measure measure)
{
    return is_about_calls ? row->calls[AFTER] - row->calls[BEFORE] : compared_weight(row, measure);
}

/* Whether ROW is to be reported instead of the worst regression so far: a function before the
   total, time before calls.  */
static bool is_worse(const struct verdict *verdict, const struct compared *row, bool is_about_calls)
{
    const struct compared *worst = verdict->worst;
    if (worst == NULL)
        return true;
    if (verdict->is_about_calls != is_about_calls)
        return verdict->is_about_calls;
    if ((worst->kind == COMPARED_TOTAL) != (row->kind == COMPARED_TOTAL))
        return worst->kind == COMPARED_TOTAL;
    return badness(row, is_about_calls, verdict->measure) >
           badness(worst, is_about_calls, verdict->measure);
}

/* Notes that ROW has grown, but by too little for a regression: of several, the function with the
   largest change, or else the total, which is the last row.  */
static void note_below(struct verdict *verdict, const struct compared *row)
{
    const struct compared *below = verdict->below;
    enum measure measure = verdict->measure;
    if (below == NULL ||
        (row->kind != COMPARED_TOTAL && row->times[measure].change > below->times[measure].change))
        verdict->below = row;
}

/* Marks the rows that only took over what gone callees did, and notes the largest of them.  */
static void mark_taken_over(struct comparison *comparison, const struct gate_rules *rules)
{
    struct verdict *verdict = &comparison->verdict;
    for (size_t i = 0; i < comparison->row_count && comparison->measure_count == MEASURES; i++) {
        struct compared *row = &comparison->rows[i];
        struct compared_time *own = &row->times[OWN];
        const struct compared *most = verdict->taken_over;
        own->has_taken_over = has_taken_over(row, rules);
        if (own->has_taken_over && own->change > 0 && is_judged(row, rules->scope) &&
            (most == NULL || own->change > most->times[OWN].change))
            verdict->taken_over = row;
    }
}

/* ---- Visibility ---- */

enum measure gate_measure(const struct gate_rules *rules)
{
    return rules->scope == SCOPE_INCLUSIVE ? INCLUSIVE : OWN;
}

double gate_visible(const struct comparison *comparison, const struct compared *row,
                    const struct gate_rules *rules)
{
    const struct compared_measure *measure = &comparison->measures[gate_measure(rules)];
    if (row == NULL)
        return INFINITY;
    double visible = row->kind == COMPARED_TOTAL ? measure->total_visibility.percent
                                                 : measure->largest_visibility.percent;
    double time = row->times[gate_measure(rules)].time[BEFORE];
    double least = time > 0 ? 100 * rules->seconds / time : (double)INFINITY;
    return isnan(visible) || visible > least ? visible : least;
}

/* Whether the gate sees a regression of the percent of RULES, and of more than SECONDS, in all that
   it judges.  */
static bool sees(const struct comparison *comparison, struct gate_rules rules, double seconds)
{
    const struct compared *largest = comparison->measures[gate_measure(&rules)].largest;
    rules.seconds = seconds;
    return (!gate_judges_total(rules.scope) ||
            gate_visible(comparison, compared_total(comparison), &rules) <= rules.percent) &&
           (rules.scope == SCOPE_TOTAL ||
            gate_visible(comparison, largest, &rules) <= rules.percent);
}

/* What the gate says of times if none has regressed.  Runs differ too much for it where what it
   judges varies much more between them than by chance: more samples in each would not help.  */
static enum gate_status status_of_times(const struct comparison *comparison,
                                        const struct gate_rules *rules)
{
    const double much = 2;
    const struct compared_measure *judged = &comparison->measures[gate_measure(rules)];
    double dispersion = rules->scope == SCOPE_TOTAL ? judged->total_dispersion : judged->dispersion;
    if (!chance_traits(judged->chance)->is_tested)
        return GATE_BLIND;
    if (sees(comparison, *rules, rules->seconds))
        return GATE_PASSED;
    return sees(comparison, *rules, 0) ? GATE_BLIND_FLOOR
           : dispersion > much         ? GATE_BLIND_RUNS
                                       : GATE_BLIND_SAMPLES;
}

/* Sets what the verdict says of the rows by RULES.  */
static void judge_rows(struct comparison *comparison, const struct gate_rules *rules)
{
    struct verdict *verdict = &comparison->verdict;
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct compared *row = &comparison->rows[i];
        const struct compared_time *time = &row->times[verdict->measure];
        if (!is_judged(row, rules->scope))
            continue;
        bool grown = has_grown(time, rules) && !time->has_taken_over;
        bool slower = grown && time->change > rules->seconds, more = is_called_more(row, rules);
        verdict->unjudged_count += are_calls_unjudged(row, rules);
        if (grown && !slower)
            note_below(verdict, row);
        if (!slower && !more)
            continue;
        verdict->regression_count += row->kind == COMPARED_BOTH;
        if (is_worse(verdict, row, !slower)) {
            verdict->worst = row;
            verdict->is_about_calls = !slower;
        }
    }
}

void gate_judge(struct comparison *comparison, const struct gate_rules *rules)
{
    struct verdict *verdict = &comparison->verdict;
    *verdict = (struct verdict){.status = GATE_NONE, .measure = gate_measure(rules)};
    for (size_t i = 0; i < rules->allow_count; i++)
        allow_matching(comparison, &rules->allow[i]);
    if (!rules->has_time && !rules->has_calls)
        return;
    if (verdict->measure == OWN)
        mark_taken_over(comparison, rules);
    struct gate_rules of_calls = *rules;
    of_calls.has_time = false;
    bool is_one_run = comparison->measures[OWN].chance == CHANCE_OF_ONE_RUN;
    if (is_one_run)
        judge_rows(comparison, &of_calls);
    bool has_verdict = verdict->worst != NULL;
    if (!has_verdict)
        judge_rows(comparison, rules);
    if (verdict->worst != NULL)
        verdict->status = has_verdict || !is_one_run ? GATE_REGRESSION : GATE_BLIND;
    else
        verdict->status = rules->has_time ? status_of_times(comparison, rules) : GATE_PASSED;
}
