/* compare.c - compares two snapshots.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/sort.h"
#include "base/suffixes.h"
#include "base/text.h"
#include "compare/gone_callees.h"
#include "compare/inclusive.h"
#include "compare/pairing.h"
#include "compare/paths.h"
#include "compare/significance.h"
#include "model/model.h"

/* ---- Sides ---- */

/* Samples per unit of time: the rate of the profiles, or on average if they have several.  */
static double rate_of(const struct snapshot *snapshot)
{
    double rate = 0;
    for (size_t i = 0; i < snapshot->input_count; i++) {
        const struct snapshot_input *input = &snapshot->inputs[i];
        if (rate != 0 && input->rate != 0 && input->rate != rate && snapshot->totals.time > 0)
            return snapshot->totals.samples / snapshot->totals.time;
        rate = rate == 0 ? input->rate : rate;
    }
    return rate != 0 ? rate : 1;
}

/* The samples of INPUT as if they had been taken at RATE.  */
static double samples_at(const struct snapshot_input *input, double rate, bool with_others)
{
    bool has_other_rate = input->rate != 0 && input->rate != rate;
    return ((double)input->samples + (with_others ? input->other_samples : 0)) *
           (has_other_rate ? rate / input->rate : 1);
}

static struct compared_side side_of(const struct snapshot *snapshot, double runs)
{
    if (runs == 0)
        runs = snapshot->input_count > 0 ? (double)snapshot->input_count : 1;
    return (struct compared_side){runs, runs * rate_of(snapshot), (double)snapshot->input_count};
}

/* Whether both sides know the own times of functions in other objects; else only those of the
   program are compared.  */
static bool has_others(const struct comparison *comparison)
{
    return comparison->snapshots[BEFORE]->has_others && comparison->snapshots[AFTER]->has_others;
}

/* The variance of the samples of whole profiles.  */
static double variance_of_profiles(const struct snapshot *snapshot, bool with_others)
{
    double count = (double)snapshot->input_count, sum = 0, squares = 0, rate = rate_of(snapshot);
    for (size_t i = 0; i < snapshot->input_count; i++)
        sum += samples_at(&snapshot->inputs[i], rate, with_others);
    for (size_t i = 0; i < snapshot->input_count; i++) {
        double distance = samples_at(&snapshot->inputs[i], rate, with_others) - sum / count;
        squares += distance * distance;
    }
    return count > 1 ? squares / (count - 1) : (double)NAN;
}

/* What is known of own times.  */
static enum chance chance_of(const struct snapshot *before, const struct snapshot *after,
                             const struct compare_rules *rules)
{
    const struct figures_traits *old = figures_traits(before->figures);
    const struct figures_traits *new = figures_traits(after->figures);
    bool has_runs = before->input_count > 1 || after->input_count > 1;
    bool has_times = !isnan(before->totals.samples) && !isnan(after->totals.samples);
    if (old->chance == 0 && new->chance == 0)
        return CHANCE_NONE;
    if (old->is_stated || new->is_stated)
        return has_runs ? CHANCE_OF_STATED_RUNS : CHANCE_UNSTATED;
    if (has_runs)
        return CHANCE_OF_RUNS;
    return rules->judges_one_run || !has_times ? CHANCE_OF_SAMPLING : CHANCE_OF_ONE_RUN;
}

/* ---- Rows ---- */

/* Adds the figures of the function ID; whole_calls are the sum over all runs until finish_row.  */
static void add_function(struct compared *row, enum side side, const struct snapshot *snapshot,
                         size_t id, bool has_time)
{
    const struct snapshot_function *function = &snapshot->functions[id];
    const struct function_spread *spread = &snapshot->runs.own[id];
    if (has_time) {
        row->times[OWN].samples[side] += function->samples;
        /* As if those of a row varied independently.  */
        row->times[OWN].variance[side] += spread->samples.variance;
    }
    row->whole_calls[side] =
        sum_u64(row->whole_calls[side], sum_u64(function->calls, function->self_calls));
    row->self_calls[side] += (double)function->self_calls;
    row->has_varying_calls |= spread->lowest_calls != spread->highest_calls;
    row->run_calls[side].lowest += (double)spread->lowest_calls;
    row->run_calls[side].highest += (double)spread->highest_calls;
}

/* Whether shared objects counted calls on one side only: that may be of a build without -pg, or
   have lost their files.  */
static bool lacks_calls_of_others(const struct comparison *comparison)
{
    bool has_calls[SIDES] = {false, false};
    for (enum side side = BEFORE; side < SIDES; side++) {
        const struct snapshot *snapshot = comparison->snapshots[side];
        for (size_t id = 0; id < snapshot->function_count; id++)
            has_calls[side] |=
                snapshot->functions[id].kind == FUNCTION_OTHER && snapshot->functions[id].calls > 0;
    }
    return has_calls[BEFORE] != has_calls[AFTER];
}

/* Adds up the functions of SIDE in their rows.  LACKS_CALLS is what lacks_calls_of_others returns;
   ACTIVE counts functions with time or calls, by row.  */
static void add_side(struct comparison *comparison, const struct pairing *pairing, enum side side,
                     bool lacks_calls, uint32_t *active)
{
    const struct snapshot *snapshot = comparison->snapshots[side];
    for (size_t id = 0; id < snapshot->function_count; id++) {
        uint32_t row = pairing->rows[side][id];
        const struct snapshot_function *function = &snapshot->functions[id];
        bool has_time = function->kind != FUNCTION_OTHER || has_others(comparison);
        add_function(&comparison->rows[row], side, snapshot, id, has_time);
        comparison->rows[row].lacks_calls |= function->kind == FUNCTION_OTHER && lacks_calls;
        active[row] +=
            (has_time && function->samples > 0) || function->calls > 0 || function->self_calls > 0;
    }
}

/* NAME without that of a clone.  */
static const char *plain_name(struct arena *arena, const char *name)
{
    size_t length = name_plain_length(name);
    return name[length] != '\0' ? arena_copy(arena, name, length) : name;
}

/* The function's NAME, followed by what tells it apart: `f (a.c)', `f (3 clones)', `f (a.c, 3
   clones)'.  FILE: "" if the name alone does.  */
static const char *name_row(struct arena *arena, const char *name, const char *file,
                            uint32_t clones)
{
    bool has_file = *file != '\0';
    char digits[20 + 1] = "";
    digits[out_digits(digits, clones)] = '\0';
    if (clones > 1)
        return arena_join(arena, name, " (", file, has_file ? ", " : "", digits, " clones)");
    return has_file ? arena_join(arena, name, " (", file, ")") : name;
}

/* Names the rows, as they are after if they are there.  ACTIVE: functions with time or calls, by
   row.  */
static void name_rows(struct comparison *comparison, const struct pairing *pairing,
                      uint32_t *const active[SIDES])
{
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        enum side side = pairing->first[AFTER][i] != NO_ID ? AFTER : BEFORE;
        uint32_t clones = active[active[AFTER][i] > 0 ? AFTER : BEFORE][i];
        const struct snapshot_function function =
            pairing_function(comparison->snapshots[side], pairing->first[side][i]);
        row->function = plain_name(&comparison->arena, function.name);
        row->raw = function.raw;
        row->file = function.file;
        const char *file = row->file == NULL || !pairing->is_ambiguous[i] ? ""
                           : pairing->needs_path[i]                       ? row->file
                                                                          : path_base(row->file);
        row->name = name_row(&comparison->arena, row->function, file, clones);
        if (!pairing->is_renamed[i] && !pairing->has_moved[i])
            continue;
        const struct snapshot_function before =
            pairing_function(comparison->snapshots[BEFORE], pairing->first[BEFORE][i]);
        if (pairing->is_renamed[i])
            row->name = arena_join(&comparison->arena, row->name, " (was ",
                                   plain_name(&comparison->arena, before.name), ")");
        if (pairing->has_moved[i])
            row->moved_from = before.file;
    }
    for (enum side side = BEFORE; side < SIDES; side++) {
        size_t count = comparison->snapshots[side]->function_count;
        comparison->names[side] = mem_uninitialised(count, sizeof *comparison->names[side]);
        for (size_t id = 0; id < count; id++)
            comparison->names[side][id] = comparison->rows[pairing->rows[side][id]].name;
    }
}

/* Compares A / M with B / N, exactly: negative, 0 or positive.  M and N are below 2^32.  */
static int compare_quotients(uint64_t a, uint64_t m, uint64_t b, uint64_t n)
{
    uint64_t x = a % m * n, y = b % n * m;
    if (a / m != b / n)
        return a / m < b / n ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Turns the calls of all runs into those of one run.  */
static void divide_calls(struct compared *row, const struct compared_side sides[SIDES])
{
    uint64_t runs[SIDES], all[SIDES];
    for (enum side side = BEFORE; side < SIDES; side++) {
        runs[side] = (uint64_t)sides[side].runs;
        all[side] = row->whole_calls[side];
        row->calls[side] = (double)all[side] / (double)runs[side];
        row->whole_calls[side] = all[side] / runs[side];
    }
    int order = compare_quotients(all[BEFORE], runs[BEFORE], all[AFTER], runs[AFTER]);
    if (order != 0 && row->calls[BEFORE] == row->calls[AFTER])
        row->calls[AFTER] = nextafter(row->calls[AFTER], order < 0 ? HUGE_VAL : 0);
}

/* Turns sums over all runs into own times and calls of one run.  */
static void finish_row(struct compared *row, const struct compared_measure *own)
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        double runs_of_profile = own->sides[side].runs / own->sides[side].profiles;
        row->run_calls[side].lowest /= runs_of_profile;
        row->run_calls[side].highest /= runs_of_profile;
        row->self_calls[side] /= own->sides[side].runs;
    }
    divide_calls(row, own->sides);
    compared_set_times(&row->times[OWN], own);
    row->times[OWN].p = NAN;
}

/* Adds the row of all functions together.  Its calls vary if those of one function do, and at most
   as much as if all were low or high in one run.  */
static void add_total(struct comparison *comparison)
{
    struct compared *total = &comparison->rows[comparison->row_count];
    *total = (struct compared){.kind = COMPARED_TOTAL, .name = "total"};
    for (enum side side = BEFORE; side < SIDES; side++) {
        const struct snapshot *snapshot = comparison->snapshots[side];
        bool with_others = has_others(comparison);
        total->times[OWN].samples[side] = snapshot->totals.samples;
        for (size_t i = 0; i < snapshot->input_count && with_others; i++)
            total->times[OWN].samples[side] +=
                samples_at(&snapshot->inputs[i], rate_of(snapshot), true) -
                samples_at(&snapshot->inputs[i], rate_of(snapshot), false);
        total->times[OWN].variance[side] = variance_of_profiles(snapshot, with_others);
        total->whole_calls[side] = snapshot->totals.calls;
    }
    finish_row(total, &comparison->measures[OWN]);
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct compared *row = &comparison->rows[i];
        total->has_varying_calls |= row->has_varying_calls;
        total->lacks_calls |= row->lacks_calls;
        for (enum side side = BEFORE; side < SIDES; side++) {
            total->run_calls[side].lowest += row->run_calls[side].lowest;
            total->run_calls[side].highest += row->run_calls[side].highest;
            total->self_calls[side] += row->self_calls[side];
        }
    }
    comparison->row_count++;
}

static void make_rows(struct comparison *comparison, const struct pairing *pairing)
{
    comparison->row_count = pairing->row_count;
    comparison->rows = mem_array(pairing->row_count + 1, sizeof *comparison->rows);
    uint32_t *active[SIDES];
    bool lacks_calls = lacks_calls_of_others(comparison);
    for (enum side side = BEFORE; side < SIDES; side++) {
        active[side] = mem_array(pairing->row_count, sizeof *active[side]);
        add_side(comparison, pairing, side, lacks_calls, active[side]);
    }
    name_rows(comparison, pairing, active);
    for (enum side side = BEFORE; side < SIDES; side++)
        free(active[side]);
    for (size_t i = 0; i < pairing->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        row->kind = pairing->first[BEFORE][i] == NO_ID  ? COMPARED_NEW
                    : pairing->first[AFTER][i] == NO_ID ? COMPARED_GONE
                                                        : COMPARED_BOTH;
        /* A function that a side has, but does not list, has no samples; none are known without a
           histogram.  */
        for (enum side side = BEFORE; side < SIDES && row->kind == COMPARED_BOTH; side++)
            if (isnan(comparison->snapshots[side]->totals.samples))
                row->times[OWN].samples[side] = NAN;
        finish_row(row, &comparison->measures[OWN]);
    }
}

/* ---- Callers ---- */

/* A call that only one side has, between two rows.  */
struct changed_call {
    uint32_t caller, callee;
    char sign; /* `+' or `-' */
};

struct changed_calls {
    struct changed_call *calls;
    size_t count;
};

/* The calls between functions of both sides that only one side has.  */
static struct changed_calls find_changed_calls(const struct comparison *comparison,
                                               const struct pairing *pairing)
{
    struct pair_map pairs = {0};
    struct changed_calls changed = {0};
    size_t most =
        comparison->snapshots[BEFORE]->arc_count + comparison->snapshots[AFTER]->arc_count;
    unsigned char *sides = mem_array(most, sizeof *sides);
    for (enum side side = BEFORE; side < SIDES; side++) {
        const struct snapshot *snapshot = comparison->snapshots[side];
        for (size_t i = 0; i < snapshot->arc_count; i++) {
            const struct arc *arc = &snapshot->arcs[i];
            if (arc->count > 0)
                sides[pair_map_number(&pairs, pairing->rows[side][arc->caller],
                                      pairing->rows[side][arc->callee])] |=
                    (unsigned char)(1U << side);
        }
    }
    changed.calls = mem_uninitialised(pairs.count, sizeof *changed.calls);
    for (size_t i = 0; i < pairs.count; i++) {
        uint32_t caller = (uint32_t)pairs.pairs[i].a, callee = (uint32_t)pairs.pairs[i].b;
        if (sides[i] != 3 && comparison->rows[callee].kind == COMPARED_BOTH)
            changed.calls[changed.count++] =
                (struct changed_call){caller, callee, sides[i] == 1 ? '-' : '+'};
    }
    free(sides);
    pair_map_free(&pairs);
    return changed;
}

static int compare_calls(const void *context, uint32_t a, uint32_t b)
{
    const struct changed_call *calls = context;
    if (calls[a].callee != calls[b].callee)
        return calls[a].callee < calls[b].callee ? -1 : 1;
    return calls[a].sign - calls[b].sign;
}

/* `+f, +g, -h'; of many callers, the first ones and `...'.  */
static const char *caller_text(struct comparison *comparison, const struct changed_call *calls,
                               const uint32_t *order, size_t count)
{
    enum { MOST = 4 };
    size_t size = sizeof ", ...", used = 0, named = count < MOST ? count : MOST;
    for (size_t i = 0; i < named; i++)
        size += strlen(comparison->rows[calls[order[i]].caller].name) + sizeof ", +";
    char *text = arena_alloc(&comparison->arena, size);
    for (size_t i = 0; i < named; i++) {
        const char *name = comparison->rows[calls[order[i]].caller].name;
        if (i > 0)
            text[used++] = ',', text[used++] = ' ';
        text[used++] = calls[order[i]].sign;
        memcpy(text + used, name, strlen(name));
        used += strlen(name);
    }
    const char *rest = named < count ? ", ..." : "";
    memcpy(text + used, rest, strlen(rest) + 1);
    return text;
}

/* Notes new and gone callers, if both sides have calls: else all callers would be new or gone.  */
static void compare_callers(struct comparison *comparison, const struct pairing *pairing)
{
    if (comparison->snapshots[BEFORE]->arc_count == 0 ||
        comparison->snapshots[AFTER]->arc_count == 0)
        return;
    struct changed_calls changed = find_changed_calls(comparison, pairing);
    uint32_t *order = identity_ids(changed.count);
    sort_ids(order, changed.count, compare_calls, changed.calls);
    for (size_t i = 0, end; i < changed.count; i = end) {
        uint32_t callee = changed.calls[order[i]].callee;
        for (end = i + 1; end < changed.count && changed.calls[order[end]].callee == callee;)
            end++;
        comparison->rows[callee].callers =
            caller_text(comparison, changed.calls, order + i, end - i);
    }
    free(order);
    free(changed.calls);
}

/* ---- Order ---- */

struct ordering {
    const struct compared *rows;
    double alpha;
};

static double size_of(double change)
{
    return isnan(change) ? 0 : fabs(change);
}

/* The order of rows: significant changes first, of own times, then of inclusive ones; then larger
   ones, of time or else of calls.  */
static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *ordering = context;
    const struct compared *x = &ordering->rows[a], *y = &ordering->rows[b];
    const struct compared_time *of_x = x->times, *of_y = y->times;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    for (enum measure measure = OWN; measure < MEASURES; measure++) {
        bool is_x = of_x[measure].p < ordering->alpha, is_y = of_y[measure].p < ordering->alpha;
        if (is_x != is_y)
            return is_x ? -1 : 1;
        if (is_x)
            break;
    }
    int order = compare_descending(size_of(of_x[OWN].change), size_of(of_y[OWN].change));
    if (order == 0)
        order = compare_descending(fabs(x->calls[AFTER] - x->calls[BEFORE]),
                                   fabs(y->calls[AFTER] - y->calls[BEFORE]));
    for (enum measure measure = OWN; measure < MEASURES && order == 0; measure++)
        order = compare_descending(of_x[measure].time[AFTER], of_y[measure].time[AFTER]);
    return order != 0 ? order : strcmp(x->name, y->name);
}

/* Makes the rows of COMPARISON those COUNT in ORDER, and frees that.  */
static void take_rows(struct comparison *comparison, uint32_t *order, size_t count)
{
    size_t places[MEASURES] = {0}; /* of the largest functions */
    for (size_t m = 0; m < comparison->measure_count; m++)
        for (size_t i = 0; i < count && comparison->measures[m].largest != NULL; i++)
            if (&comparison->rows[order[i]] == comparison->measures[m].largest)
                places[m] = i;
    comparison->rows = mem_reorder(comparison->rows, order, count, sizeof *comparison->rows);
    comparison->row_count = count;
    for (size_t m = 0; m < comparison->measure_count; m++)
        if (comparison->measures[m].largest != NULL)
            comparison->measures[m].largest = &comparison->rows[places[m]];
}

/* Drops rows that have neither time nor calls, such as callers that were never sampled.  */
static void drop_empty_rows(struct comparison *comparison)
{
    uint32_t *kept = mem_uninitialised(comparison->row_count, sizeof *kept);
    size_t count = 0;
    for (uint32_t i = 0; i < comparison->row_count; i++) {
        const struct compared *row = &comparison->rows[i];
        bool has_figures = row->kind == COMPARED_TOTAL;
        for (enum side side = BEFORE; side < SIDES; side++)
            has_figures |= row->times[OWN].samples[side] > 0 ||
                           row->times[INCLUSIVE].samples[side] > 0 || row->calls[side] > 0;
        if (has_figures)
            kept[count++] = i;
    }
    take_rows(comparison, kept, count);
}

/* ---- The interface ---- */

void compare_build(struct comparison *comparison, const struct snapshot *before,
                   const struct snapshot *after, const struct compare_rules *rules)
{
    struct pairing pairing;
    *comparison = (struct comparison){
        .snapshots = {before, after},
        .measure_count = 1,
        .measures[OWN].sides = {side_of(before, rules->base_runs), side_of(after, 0)},
        .measures[OWN].chance = chance_of(before, after, rules),
        .alpha = rules->alpha};
    pairing_build(&pairing, comparison);
    make_rows(comparison, &pairing);
    compare_callers(comparison, &pairing);
    gone_callees_find(comparison, &pairing);
    add_total(comparison);
    inclusive_build(comparison, &pairing, rules->has_paths);
    pairing_free(&pairing);
    drop_empty_rows(comparison);
    significance_judge(comparison, OWN, NULL);
    const struct ordering ordering = {comparison->rows, comparison->alpha};
    uint32_t *order = identity_ids(comparison->row_count);
    sort_ids(order, comparison->row_count, compare_rows, &ordering);
    take_rows(comparison, order, comparison->row_count);
    for (size_t i = 0; i < comparison->row_count; i++)
        comparison->kinds[comparison->rows[i].kind]++;
}

void compare_add_estimates(struct comparison *comparison, const struct stack_tree trees[SIDES])
{
    comparison->paths = paths_of_estimates(comparison, trees);
}

void compare_free(struct comparison *comparison)
{
    paths_free(comparison->paths);
    free(comparison->rows);
    free(comparison->shown);
    free(comparison->names[BEFORE]);
    free(comparison->names[AFTER]);
    arena_free(&comparison->arena);
    *comparison = (struct comparison){0};
}
