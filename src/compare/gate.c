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

static bool judges_total(enum gate_scope scope)
{
    return scope == SCOPE_TOTAL || scope == SCOPE_BOTH;
}

static bool is_judged(const struct compared *row, enum gate_scope scope)
{
    if (row->kind == COMPARED_TOTAL)
        return judges_total(scope);
    return row->kind == COMPARED_BOTH && scope != SCOPE_TOTAL && !row->is_allowed;
}

/* Whether the time of ROW grew significantly, and by more than the percent of RULES.  */
static bool has_grown(const struct compared *row, const struct gate_rules *rules)
{
    return rules->has_time && 100 * row->change > rules->percent * row->time[BEFORE] &&
           row->p < rules->alpha;
}

/* Whether ROW, whose inclusive times are those of WHOLE, only took over what callees did that are
   gone: these had most of what it grew by, and with its callees it has not grown.  */
static bool has_taken_over(const struct compared *row, const struct compared *whole,
                           const struct gate_rules *rules)
{
    return compared_may_take_over(row) && has_grown(row, rules) && isfinite(whole->p) &&
           !has_grown(whole, rules);
}

/* Whether ROW, whose inclusive times are those of WHOLE, only lost what new callees do: the same
   the other way round.  */
static bool has_given(const struct compared *row, const struct compared *whole,
                      const struct gate_rules *rules)
{
    return compared_may_take_over(row) && row->change < 0 && row->p < rules->alpha &&
           isfinite(whole->p) && !(whole->change < 0 && whole->p < rules->alpha);
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

/* How bad a regression is: by what it adds to the time, or to the calls.  What adds to an inclusive
   time adds as much to those of all callers, which are larger and have larger errors.  */
static double badness(const struct compared *row, bool is_about_calls, bool is_inclusive)
{
    if (is_about_calls)
        return row->calls[AFTER] - row->calls[BEFORE];
    return is_inclusive ? row->change / row->error : row->change;
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
    return badness(row, is_about_calls, verdict->is_inclusive) >
           badness(worst, is_about_calls, verdict->is_inclusive);
}

/* Notes that ROW has grown, but by too little for a regression: of several, the function with the
   largest change, or else the total, which is the last row.  */
static void note_below(struct verdict *verdict, const struct compared *row)
{
    const struct compared *below = verdict->below;
    if (below == NULL || (row->kind != COMPARED_TOTAL && row->change > below->change))
        verdict->below = row;
}

/* Marks the rows that only took over what gone callees did, and notes the largest of them.  */
static void mark_taken_over(struct comparison *comparison, const struct gate_rules *rules)
{
    struct verdict *verdict = &comparison->verdict;
    for (size_t i = 0; i < comparison->row_count && comparison->inclusive != NULL; i++) {
        struct compared *row = &comparison->rows[i];
        const struct compared *whole = &comparison->inclusive->rows[i];
        row->has_taken_over = has_taken_over(row, whole, rules) || has_given(row, whole, rules);
        if (row->has_taken_over && row->change > 0 && is_judged(row, rules->scope) &&
            (verdict->taken_over == NULL || row->change > verdict->taken_over->change))
            verdict->taken_over = row;
    }
}

/* ---- Visibility ---- */

double gate_visible(const struct visibility *visibility, double time,
                    const struct gate_rules *rules)
{
    if (isnan(visibility->percent))
        return NAN;
    double least = time > 0 ? 100 * rules->seconds / time : (double)INFINITY;
    return visibility->percent > least ? visibility->percent : least;
}

static bool is_blind(const struct comparison *comparison, const struct gate_rules *rules)
{
    const struct compared *total = compared_total(comparison), *largest = comparison->largest;
    if ((comparison->is_spread_unknown || comparison->is_one_run) && rules->has_time)
        return true;
    bool sees_total =
        gate_visible(&comparison->total_visibility, total->time[BEFORE], rules) <= rules->percent;
    bool sees_function =
        largest != NULL && gate_visible(&comparison->largest_visibility, largest->time[BEFORE],
                                        rules) <= rules->percent;
    return rules->has_time && ((judges_total(rules->scope) && !sees_total) ||
                               (rules->scope != SCOPE_TOTAL && !sees_function));
}

const struct comparison *gate_judged(const struct comparison *comparison,
                                     const struct gate_rules *rules)
{
    return rules->scope == SCOPE_INCLUSIVE ? comparison->inclusive : comparison;
}

/* Sets what VERDICT says of the rows of JUDGED by RULES.  */
static void judge_rows(struct verdict *verdict, const struct comparison *judged,
                       const struct gate_rules *rules)
{
    for (size_t i = 0; i < judged->row_count; i++) {
        const struct compared *row = &judged->rows[i];
        if (!is_judged(row, rules->scope))
            continue;
        bool grown = has_grown(row, rules) && !row->has_taken_over;
        bool slower = grown && row->change > rules->seconds, more = is_called_more(row, rules);
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
    struct comparison *judged =
        rules->scope == SCOPE_INCLUSIVE ? comparison->inclusive : comparison;
    *verdict = (struct verdict){.status = GATE_NONE, .is_inclusive = judged != comparison};
    for (size_t i = 0; i < rules->allow_count; i++)
        allow_matching(judged, &rules->allow[i]);
    if (!rules->has_time && !rules->has_calls)
        return;
    if (judged == comparison)
        mark_taken_over(comparison, rules);
    struct gate_rules of_calls = *rules;
    of_calls.has_time = false;
    if (judged->is_one_run)
        judge_rows(verdict, judged, &of_calls);
    bool has_verdict = verdict->worst != NULL;
    if (!has_verdict)
        judge_rows(verdict, judged, rules);
    bool is_regression = verdict->worst != NULL && (has_verdict || !judged->is_one_run);
    verdict->status = is_regression                                       ? GATE_REGRESSION
                      : verdict->worst != NULL || is_blind(judged, rules) ? GATE_BLIND
                                                                          : GATE_PASSED;
}
