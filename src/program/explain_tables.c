/* explain_tables.c - the tables of functions and of calls, with what people see around them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/explain_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds.h"
#include "analysis/per_file_figures.h"
#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "input/image_traits.h"
#include "program/analyse.h"
#include "program/group_rows.h"
#include "program/hints.h"
#include "program/read_stacks.h"
#include "report/printers.h"
#include "stacks/show_snapshot.h"

/* ---- An expression that matches nothing ---- */

/* Whether --focus matches the name of a function of the image, which has no row then.  */
static bool matches_idle(const struct request *request, const struct analysis *analysis)
{
    const struct analysis_options *options = &request->options->analysis;
    const struct symtab *symtab = &analysis->profile.symtab;
    const regex_t *focus = request->plan->top.focus;
    bool is_found = false;
    for (size_t i = 0; i < symtab->count && !is_found; i++) {
        const char *name = symtab->symbols[i].name;
        char *demangled = NULL;
        if (options->is_demangled && image_may_be_mangled(name, options->demangling_style))
            demangled = image_demangle(request->image, name, options->demangling_style);
        is_found = name_form_matches(focus, demangled != NULL ? demangled : name, NULL);
        free(demangled);
    }
    return is_found;
}

/* Reports that --focus matches nothing, with similar names if rows are FUNCTIONS.  True if what
   matches is a function without time and calls.  */
static bool check_focus(const struct request *request, const struct analysis *analysis,
                        bool functions)
{
    const char *text = request->options->top.focus;
    struct symspec_miss miss = {.text = text, .size = strlen(text)};
    struct arena arena = {0};
    if (functions && matches_idle(request, analysis))
        return true;
    if (functions)
        find_similar(request, analysis, &miss, &arena);
    hints_refuse_spec("--focus", &miss);
    arena_free(&arena);
    return false;
}

/* ---- Notes on measured times ---- */

enum { SENTENCE = 1000, LEAST_LINE = 60 }; /* bytes: those of the program alone fit in the latter */

/* Times of which RATE is one UNIT.  */
struct unit_of_time {
    double rate;
    const char *unit;
};

/* Appends `, 1.07 s in libc.so.6 (58 %)' to TEXT, for what is shown as NAME, if it fits.  */
static bool add_object(char *text, size_t size, const char *name, double self, double total,
                       const struct unit_of_time *time)
{
    bool has_brackets = name[0] == '[';
    size_t used = strlen(text);
    int added =
        snprintf(text + used, size - used, _(NOTE_OBJECT), self / time->rate, i18n_unit(time->unit),
                 (int)(strlen(name) - 2U * has_brackets), name + has_brackets, 100 * self / total);
    bool fits = added >= 0 && (size_t)added < size - used;
    if (!fits)
        text[used] = '\0';
    return fits;
}

/* Samples that end in each object, by object; those that end in none are the last.  */
static double *samples_by_object(const struct recorded_stacks *stacks)
{
    double *samples = mem_array(stacks->objects.names.count + 1, sizeof *samples);
    for (size_t i = 0; i < stacks->frames.other_count; i++) {
        uint32_t object = stacks->frames.others[i].object;
        samples[object != NO_OBJECT ? object : stacks->objects.names.count] +=
            stacks->measured.functions[stacks->frames.symbol_count + i].self;
    }
    return samples;
}

/* Sets TEXT, of SIZE bytes, to what of the time from stacks is in the program and in other objects,
   the largest first: `0.77 of 1.84 s are in this program, 1.07 s in libc.so.6 (58 %)'.  Returns
   whether there are any.  */
static bool describe_objects(char *text, size_t size, const struct recorded_stacks *stacks,
                             const struct unit_of_time *time)
{
    enum { MOST_SHOWN = 3 };
    double *others = samples_by_object(stacks); /* 0: what of the program has no name */
    size_t count = stacks->objects.names.count + 1;
    uint32_t *order = identity_ids(count);
    double all = stacks->counted, program = all;
    size_t shown = 0;
    sort_ids(order, count, compare_doubles, others);
    for (size_t i = 1; i < count; i++)
        program -= others[i];
    /* Of sums of parts, almost nothing may be left, or less.  */
    snprintf(text, size, _(NOTE_OBJECTS), program > 0 ? program / time->rate : 0, all / time->rate,
             i18n_unit(time->unit));
    for (size_t i = 0; i < count && shown < MOST_SHOWN; i++) {
        if (order[i] == 0 || others[order[i]] <= 0)
            continue;
        if (!add_object(text, size, stacks->frames.others[order[i]].name, others[order[i]], all,
                        time))
            break;
        shown++;
    }
    free(order);
    free(others);
    return shown > 0;
}

/* Sets TEXT, of SIZE bytes, to what figures with signs add up to: `some are negative: 0.03 less
   0.24 are -0.21 s; ...'.  */
static void describe_signed(char *text, size_t size, const struct recorded_stacks *stacks,
                            const struct unit_of_time *time)
{
    double all = stacks->counted, net = 0;
    for (size_t i = 0; i < frames_count(&stacks->frames); i++)
        net += stacks->measured.functions[i].self;
    snprintf(text, size, _(NOTE_SIGNED), (all + net) / 2 / time->rate, (all - net) / 2 / time->rate,
             net / time->rate, i18n_unit(time->unit));
}

/* Says that times are measured though nobody asked for it, or nothing: NULL.  The profile has no
   samples of other objects, so that its number of samples is another one.  */
static const char *describe_use(const struct request *request, const struct analysis *analysis,
                                struct arena *arena)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    double samples = analysis->snapshot.snapshot.totals.samples;
    double counted = stacks->counted;
    bool are_effective;
    double count = recorded_samples(stacks, &are_effective);
    if (request->inputs->has_stacks || request->stacks->source != STACKS_FOUND || !(counted > 0) ||
        request->plan->format != NULL || !request->plan->style.explains)
        return NULL;
    const char *name = arena_escape(arena, read_stacks_name(request, arena));
    /* Of samples with several weights, those in the profile are effective ones.  */
    if (round(samples) == round(counted) || !(samples > 0) || recorded_are_unequal(stacks))
        return arena_format(arena, _(NOTE_STACKS_USED), count, name);
    return arena_format(arena, _(NOTE_STACKS_DIFFER), count, name, samples);
}

/* Adds notes to a table of times, if there are stacks: that they measured these, how the time is
   divided among program and other objects, what counting took, and how many stacks are cut.  */
static void stacks_note(struct table *table, struct arena *arena, const struct request *request,
                        const struct analysis *analysis)
{
    const struct snapshot *snapshot = &analysis->snapshot.snapshot;
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    const char *use = describe_use(request, analysis, arena);
    const struct unit_of_time time = {snapshot->rate, snapshot->unit.abbreviation};
    const struct style *style = &request->plan->style;
    bool is_one_line = !style->explains && style->terminal_width >= LEAST_LINE;
    char text[SENTENCE];
    if (!(stacks->counted > 0))
        return;
    if (use != NULL)
        table_add_note(table, arena, use);
    bool says_more = true;
    bool is_signed = figures_traits(snapshot->figures)->has_signs;
    if (is_signed)
        describe_signed(text, sizeof text, stacks, &time);
    else if (stacks->rules.is_foreign) /* which object is the program is not known */
        says_more = false;
    else
        says_more = describe_objects(text, is_one_line ? style->terminal_width + 1 : sizeof text,
                                     stacks, &time) ||
                    style->explains || style->terminal_width == 0;
    char limits[MOST_LIMITS][LIMIT_SIZE];
    size_t count = report_limits(stacks, limits), first = 0;
    says_more &= !is_one_line || count == 0;                  /* a terminal has room for one line */
    if (says_more && request->options->top.by < TOP_PROGRAMS) /* the line is about one program */
        table_add_note(table, arena, text);
    if (request->options->top.by >= TOP_PROGRAMS) /* the last one is about the run */
        first = stacks->missing.unsampled > 0 ? count - 1 : count;
    else if (is_one_line && count > 0)
        first = count - 1;
    for (size_t i = first; i < count; i++)
        table_add_note(table, arena, limits[i]);
}

void note_objects(const struct request *request, struct analysis *analysis)
{
    struct recorded_stacks *stacks = &analysis->profile.recorded;
    char text[SENTENCE];
    bool has_times = (analysis->reports & (REPORT_FLAT | REPORT_GRAPH)) != 0;
    if (!has_times || request->diagnostics->is_quiet || request->plan->style.is_brief ||
        !read_unused_stacks(request, analysis))
        return;
    const struct unit_of_time time = {stacks->rate, "s"};
    if (describe_objects(text, sizeof text, stacks, &time))
        note(request->diagnostics, MSG_OBJECTS, text);
    recorded_stacks_free(stacks);
}

/* ---- The table of functions (--top) ---- */

static const char *plural(enum top_group by, size_t count)
{
    static const char *const words[][2] = {
        [TOP_FUNCTIONS] = {N_("function"), N_("functions")},
        [TOP_LINES] = {N_("line"), N_("lines")},
        [TOP_FILES] = {N_("file"), N_("files")},
        [TOP_OBJECTS] = {N_("object"), N_("objects")},
        [TOP_THREADS] = {N_("thread"), N_("threads")},
        [TOP_PROGRAMS] = {N_("program"), N_("programs")},
        [TOP_PROCESSES] = {N_("process"), N_("processes")},
    };
    return _(words[by][count != 1]);
}

/* Sets the unit of times per call: `ms', or `s' without a prefix.  */
static void set_per_call_unit(struct top *top, const struct si_prefix *prefix)
{
    const char letter[] = {prefix->letter, '\0'};
    top->table.per_call_factor = prefix->factor;
    snprintf(top->table.per_call_unit, sizeof top->table.per_call_unit, "%s%s",
             letter[0] != ' ' ? letter : "",
             arena_escape(&top->arena, top->snapshot->unit.abbreviation));
}

/* Appends `; in no function: 0.5 %' to the SIZE bytes at TEXT, if that is a tenth of a percent.  */
static void add_rest(char *text, size_t size, const char *what, double part, double total)
{
    size_t used = strlen(text);
    if (total > 0 && 100 * part >= 0.05 * total)
        snprintf(text + used, size - used, "; %s: %.1f %%", what, 100 * part / total);
}

/* Own samples of functions that options leave out of tables.  */
static double samples_left_out(const struct snapshot *snapshot)
{
    double samples = 0;
    for (size_t id = 0; id < snapshot->function_count; id++)
        if (!snapshot->functions[id].is_listed && snapshot->functions[id].self_samples > 0)
            samples += snapshot->functions[id].self_samples;
    return samples;
}

/* What rows of TOP are: those of lines are functions where no line is known.  */
static enum top_group group_of_rows(const struct top *top)
{
    bool has_lines = false;
    for (size_t i = 0; i < top->row_count; i++)
        has_lines |= top->rows[i].file != NO_ID;
    for (size_t id = 0; id < top->snapshot->function_count; id++)
        has_lines |= top->snapshot->functions[id].file != NULL;
    return top->by == TOP_LINES && !has_lines ? TOP_FUNCTIONS : top->by;
}

/* Adds a note: `20 of 212 functions, 93.1 % of 12.62 seconds; not shown: 192 with 6.4 %; in no
   function: 0.5 %'.  Credits of bins may add up to a little more than the samples: no share exceeds
   100 %.  */
static void note_shown(struct top *top)
{
    size_t all = top->row_count + top->hidden_count;
    bool is_signed = figures_traits(top->snapshot->figures)->has_signs;
    double total = is_signed ? 0 : top->snapshot->self_samples; /* of which functions are parts */
    double left_out = samples_left_out(top->snapshot);
    char text[400], shown[200] = "", hidden[100] = "";
    if (total > 0) {
        snprintf(shown, sizeof shown, _(", %.1f %% of %.2f %s"),
                 top->shown < total ? 100 * top->shown / total : 100,
                 snapshot_time(top->snapshot, top->snapshot->self_samples),
                 i18n_unit(top->table.time_unit));
        snprintf(hidden, sizeof hidden, _(" with %.1f %%"), 100 * top->hidden / total);
    }
    int length = snprintf(text, sizeof text, _("%zu of %zu %s%s"), top->row_count, all,
                          plural(group_of_rows(top), all), shown);
    if (top->hidden_count > 0)
        snprintf(text + length, sizeof text - (size_t)length, _("; not shown: %zu%s"),
                 top->hidden_count, hidden);
    add_rest(text, sizeof text, _("left out"), left_out, total);
    add_rest(text, sizeof text, _("in no function"), total - top->shown - top->hidden - left_out,
             total);
    table_add_note(&top->table, &top->arena, text);
}

void build_top(struct top *top, const struct snapshot *snapshot, const struct top_rules *rules,
               const struct si_prefix *prefix)
{
    top_build(top, snapshot, rules);
    top->table.time_unit = arena_escape(&top->arena, snapshot->unit.name);
    top->table.time_decimals = table_time_decimals(snapshot->rate);
    set_per_call_unit(top, prefix);
    note_shown(top);
}

/* Adds what the columns of times mean.  */
static void explain_columns(struct top *top, const struct recorded_stacks *stacks)
{
    const char *unit = i18n_unit(top->table.time_unit);
    bool is_single = top->by == TOP_FUNCTIONS;
    char text[300];
    if (is_single && column_list_has(&top->columns, "total")) {
        snprintf(text, sizeof text, _(NOTE_TOTAL), unit);
        table_add_note(&top->table, &top->arena, text);
    } else if (column_list_has(&top->columns, "self")) {
        snprintf(text, sizeof text, _(NOTE_SELF), unit);
        table_add_note(&top->table, &top->arena, text);
    }
    if (column_list_has(&top->columns, "error"))
        table_add_note(&top->table, &top->arena, _(NOTE_ERROR));
    if (recorded_are_unequal(stacks) && column_list_has(&top->columns, "samples"))
        table_add_note(&top->table, &top->arena, _(NOTE_EFFECTIVE));
    if (figures_traits(top->snapshot->figures)->is_stated)
        table_add_note(&top->table, &top->arena, _(NOTE_STATED));
    bool has_error = origin_traits(top->snapshot->origin)->has_error &&
                     stacks->missing.callers != CALLERS_OF_ALL;
    if (has_error && column_list_has(&top->columns, "total-error"))
        table_add_note(&top->table, &top->arena, _(NOTE_MEASURED));
    else if (is_single && column_list_has(&top->columns, "least"))
        table_add_note(&top->table, &top->arena, _(NOTE_BOUNDS));
    if (top->by == TOP_THREADS)
        table_add_note(&top->table, &top->arena, _(NOTE_THREADS));
}

/* Adds lines below TOP, as far as the plan says, that tell what it shows.  */
static void explain_top(struct top *top, const struct request *request,
                        const struct analysis *analysis)
{
    const struct plan *plan = request->plan;
    bool explains = plan->style.explains;
    bool has_times =
        column_list_has(&top->columns, "total") || column_list_has(&top->columns, "self");
    if ((plan->style.is_brief && !explains) || plan->format != NULL || !(top->shown > 0))
        return;
    if (explains)
        explain_columns(top, &analysis->profile.recorded);
    if (has_times && !origin_traits(top->snapshot->origin)->has_objects &&
        !image_traits(request->image).is_static)
        table_add_note(&top->table, &top->arena, _(NOTE_PROGRAM_ONLY));
}

/* Computes bounds as far as COLUMNS have them: `least' of all functions, and `most' of those in
   rows of the table, the first of which are the most important.  */
static void bound_rows(struct top *top, struct analysis *analysis,
                       const struct column_list *columns)
{
    bool has_most = column_list_has(columns, "most");
    if (top->by != TOP_FUNCTIONS || (!has_most && !column_list_has(columns, "least")))
        return;
    size_t count = has_most ? top->row_count : 0;
    uint32_t *nodes = mem_uninitialised(count, sizeof *nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i] =
            node_of_symbol(&analysis->profile.graph, analysis->snapshot.symbols[top->rows[i].id]);
    bounds_compute(&analysis->profile, nodes, count);
    snapshot_set_bounds(&analysis->snapshot);
    free(nodes);
}

/* Adds how much of the time is in functions that no counted call from `main' leads to: nobody knows
   for which functions they ran.  */
static void note_uncounted(struct top *top, struct analysis *analysis)
{
    struct profile *profile = &analysis->profile;
    uint32_t main_symbol = 0;
    double total = analysis->snapshot.snapshot.self_samples;
    while (main_symbol < profile->symtab.count &&
           strcmp(profile->symtab.symbols[main_symbol].name, "main") != 0)
        main_symbol++;
    if (main_symbol == profile->symtab.count || !profile->bounds.is_known || !has_arcs(profile))
        return;
    uint32_t node = node_of_symbol(&profile->graph, main_symbol);
    bounds_compute(profile, &node, 1);
    double share = 100 * (1 - profile->bounds.most[node] / total);
    char text[200];
    if (!(share >= 0.1))
        return;
    snprintf(text, sizeof text, _(NOTE_UNCOUNTED), share);
    table_add_note(&top->table, &top->arena, text);
}

/* The rules of the table, without the default columns that would say nothing of SNAPSHOT.  */
static struct top_rules top_rules(const struct plan *plan, const struct snapshot *snapshot)
{
    struct top_rules rules = plan->top;
    const struct origin_traits *traits = origin_traits(snapshot->origin);
    bool is_sampled = figures_traits(snapshot->figures)->has_samples;
    bool has_bounds =
        traits->has_bounds && is_sampled && rules.by == TOP_FUNCTIONS && !snapshot->is_uncounted;
    const struct {
        const char *name;
        bool is_kept;
    } defaults[] = {
        {"error", is_sampled},
        {"total%", traits->has_error},
        {"total", traits->has_error || has_bounds},
        {"total-error", traits->has_error && is_sampled},
        {"least", has_bounds},
        {"most", has_bounds},
        {"calls", snapshot_counts_calls(snapshot)},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(defaults) && !plan->has_columns; i++)
        if (!defaults[i].is_kept)
            column_list_remove(&rules.columns, defaults[i].name);
    return rules;
}

/* Says how unevenly the time is spread over the threads of the name with the most time, if that is
   more than chance, and known of each.  */
static void note_imbalance(struct top *top, const struct recorded_stacks *stacks)
{
    const struct string_map *names = &stacks->threads.names;
    const struct sample_weights sampled = {1, 1, figures_traits(top->snapshot->figures)->chance};
    struct thread_sums *sums = sum_threads(stacks), *most = sums;
    for (size_t name = 1; name <= names->count; name++)
        if (sums[name].count > 1 && sums[name].sum > most->sum)
            most = &sums[name];
    double count = (double)most->count, mean = most->sum / count;
    double deviation = sqrt(fmax(0, most->squares / count - mean * mean));
    if (most->lowest > 0 && is_beyond_chance(most->count, &sampled, mean, deviation, 1))
        table_add_note(&top->table, &top->arena,
                       arena_format(&top->arena, _(NOTE_IMBALANCE),
                                    arena_escape(&top->arena, names->strings[most - sums - 1]),
                                    most->highest / mean, count));
    free(sums);
}

/* Sorting by bounds needs those of all rows: first makes a table of these, the largest first.  */
static void bound_all_rows(struct top *top, const struct plan *plan, struct analysis *analysis)
{
    struct top_rules rules = top_rules(plan, &analysis->snapshot.snapshot);
    rules.limit = 0;
    rules.min_share = 0;
    rules.sort = top_by_total;
    top_build(top, &analysis->snapshot.snapshot, &rules);
    bound_rows(top, analysis, &plan->top.sort);
    top_free(top);
}

bool make_top(struct top *top, const struct request *request, struct analysis *analysis)
{
    struct snapshot *whole = &analysis->snapshot.snapshot;
    const struct top_rules rules = top_rules(request->plan, whole);
    if (column_list_has(&rules.sort, "most") || column_list_has(&rules.sort, "least"))
        bound_all_rows(top, request->plan, analysis);
    build_top(top, group_rows(request, analysis, &rules), &rules,
              &analysis->profile.selection.per_call);
    explain_top(top, request, analysis);
    if (rules.by == TOP_THREADS)
        note_imbalance(top, &analysis->profile.recorded);
    stacks_note(&top->table, &top->arena, request, analysis);
    bound_rows(top, analysis, &rules.columns);
    bool has_bounds =
        column_list_has(&rules.columns, "least") || column_list_has(&rules.columns, "most");
    bool explains = request->plan->style.explains;
    if (rules.by == TOP_FUNCTIONS && has_bounds && explains && !request->inputs->has_stacks &&
        origin_traits(whole->origin)->has_bounds) /* profiles with stacks have the callers */
        note_uncounted(top, analysis);
    return !top->is_unmatched || request->plan->format != NULL ||
           check_focus(request, analysis, rules.by <= TOP_LINES);
}

/* ---- Code (--code) ---- */

void explain_code(struct code_tables *tables, const struct request *request,
                  const struct analysis *analysis)
{
    const struct snapshot *snapshot = &analysis->snapshot.snapshot;
    const struct code_view *view = tables->view;
    const char *unit = i18n_unit(arena_escape(&tables->arena, snapshot->unit.name));
    char text[300];
    double self = 0;
    for (size_t f = 0; f < view->function_count; f++)
        self += view->functions[f].self;
    snprintf(text, sizeof text, _("%zu %s, %.1f %% of %.2f %s"), view->function_count,
             plural(TOP_FUNCTIONS, view->function_count),
             view->whole > self ? 100 * self / view->whole : 100, view->whole, unit);
    if (view->left_out > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), _("; --code=%zu shows %zu more"),
                 view->function_count + view->left_out, view->left_out);
    code_tables_add_note(tables, text);
    if (view->has_late && !request->plan->style.is_brief)
        code_tables_add_note(tables, _(NOTE_LATE));
    if (!request->plan->style.explains)
        return;
    snprintf(text, sizeof text, view->has_totals ? _(NOTE_CODE_TOTAL) : _(NOTE_CODE_SELF), unit);
    code_tables_add_note(tables, text);
    const char *use = describe_use(request, analysis, &tables->arena);
    if (use != NULL)
        code_tables_add_note(tables, use);
}

/* ---- Whose callers ---- */

/* Which functions and other frames the specs match, as struct call_tree_rules has them.  Free with
   free.  */
static bool *find_wanted(const struct analysis *analysis, size_t *count)
{
    const struct profile_snapshot *made = &analysis->snapshot;
    const struct sym_set *set = &analysis->profile.filters.tree;
    bool has_stacks = recorded_has_stacks(&analysis->profile.recorded);
    size_t functions = made->snapshot.function_count;
    size_t symbols = has_stacks ? analysis->profile.symtab.count : 0;
    bool *is_wanted = mem_uninitialised(functions + symbols, sizeof *is_wanted);
    for (size_t f = 0; f < functions; f++)
        is_wanted[f] = is_in(set, made->symbols[f]);
    for (uint32_t s = 0; s < symbols; s++)
        is_wanted[functions + s] = is_in(set, s);
    *count = functions + symbols;
    return is_wanted;
}

/* ---- Texts ---- */

/* `Call tree', or `Callers of' or `Callees of' the specs.  */
static const char *subject_of(const struct options *options, struct arena *arena)
{
    const struct symspecs *specs = &options->analysis.specs;
    const char *text = options->top.is_down ? _("Callees of ") : _("Callers of ");
    const char *separator = "";
    if (!symspecs_have(&options->analysis.specs, SPEC_TREE))
        return _("Call tree");
    for (size_t i = 0; i < specs->count; i++) {
        if (specs->specs[i].target != SPEC_TREE)
            continue;
        text = arena_join(arena, text, separator, arena_escape(arena, specs->specs[i].text));
        separator = ", ";
    }
    return text;
}

static const char *title_of(const struct options *options, const struct analysis *analysis,
                            struct arena *arena)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    const char *origin = _(", estimated from numbers of calls");
    if (stacks->rules.is_stated)
        origin = _(", estimated from times of calls");
    else if (stacks->counted > 0) {
        bool are_effective, are_samples = stacks->missing.callers == CALLERS_OF_ALL;
        double count = recorded_samples(stacks, &are_effective);
        origin =
            arena_format(arena,
                         are_effective && are_samples ? _(", measured by %.1f effective samples")
                         : are_effective              ? _(", measured by %.1f effective stacks")
                         : are_samples                ? _(", measured by %.0f samples")
                                                      : _(", measured by %.0f stacks"),
                         count);
    }
    return arena_join(arena, subject_of(options, arena), origin);
}

/* Adds notes on what is not shown.  */
static void note_hidden(struct call_tree *tree, struct arena *arena,
                        const struct analysis *analysis)
{
    char text[200];
    bool has_samples =
        analysis->snapshot.snapshot.totals.samples > 0 || analysis->profile.recorded.counted > 0;
    if (tree->row_count == 0 && tree->hidden_count == 0)
        table_add_note(&tree->table, arena, has_samples ? _(MSG_NO_CODE) : _("no stack has time"));
    if (tree->hidden_count > 0) {
        snprintf(text, sizeof text, _("not shown: %zu with less than %g %% each, %.2f %% together"),
                 tree->hidden_count, tree->rules.min_share,
                 100 * tree->hidden / call_tree_whole(tree));
        table_add_note(&tree->table, arena, text);
    }
    if (tree->deep_count > 0) {
        snprintf(text, sizeof text, _("not shown: %zu deeper than %u levels"), tree->deep_count,
                 tree->rules.depth);
        table_add_note(&tree->table, arena, text);
    }
}

/* Says what the number behind the first name that calls itself is.  */
static void note_recursion(struct call_tree *tree, const struct request *request,
                           struct arena *arena)
{
    size_t row = 0;
    while (row < tree->row_count && tree->rows[row].samples.levels <= 1)
        row++;
    if (row == tree->row_count || request->plan->style.is_brief)
        return;
    unsigned levels = tree->rows[row].samples.levels;
    const char *times = tree->rules.has_boxes ? "×" : "x";
    table_add_note(&tree->table, arena,
                   arena_format(arena, _(NOTE_RECURSION), times, levels, levels));
}

/* ---- The tree ---- */

/* The rows of a tree that fit a terminal, on which nobody said which there are; 0: any number.  */
static size_t fitting_rows(const struct request *request)
{
    enum { MORE_LINES = 3, LEAST = 10 }; /* than the table of functions: title, empty line, note */
    const struct plan *plan = request->plan;
    const struct top_options *options = &request->options->top;
    if (plan->style.terminal_width == 0 || plan->format != NULL || options->has_limit ||
        plan->top.min_share >= 0 || options->depth != 0 || plan->style.names == NAMES_RAW)
        return 0;
    return plan->top.limit > LEAST + MORE_LINES ? plan->top.limit - MORE_LINES : LEAST;
}

/* Builds the tree of STACKS.  On a terminal, rows need a larger share until they fit: a tree that
   begins with what matters must not scroll away.  */
static void build_fitting(struct call_tree *tree, const struct snapshot *snapshot,
                          const struct stack_tree *stacks, struct call_tree_rules *rules,
                          const struct request *request)
{
    static const double shares[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20};
    size_t most = fitting_rows(request);
    call_tree_build(tree, snapshot, stacks, rules);
    for (size_t i = 0; i < ARRAY_LENGTH(shares) && most > 0 && tree->row_count > most; i++) {
        call_tree_free(tree);
        rules->min_share = shares[i];
        call_tree_build(tree, snapshot, stacks, rules);
    }
}

bool make_call_tree(struct call_tree *tree, const struct request *request,
                    struct analysis *analysis)
{
    const struct named_stacks named = analysis_stacks(analysis);
    const struct top_rules *top = &request->plan->top;
    struct snapshot *snapshot = &analysis->snapshot.snapshot;
    struct shown_rules shown = {.names = top->names,
                                .focus = top->focus,
                                .hide = top->hide,
                                .recorded = recorded_has_stacks(named.recorded) ? &named : NULL,
                                .has_stacks = true,
                                .has_all_nodes = true};
    struct call_tree_rules rules = {.min_share = top->min_share < 0 ? 1 : top->min_share,
                                    .depth = request->options->top.depth,
                                    .folds_recursion = request->options->top.depth == 0,
                                    .folds_chains = request->plan->style.names == NAMES_SHORT &&
                                                    request->plan->format == NULL,
                                    .has_boxes = request->plan->style.is_utf8};
    bool *is_wanted = NULL;
    if (symspecs_have(&request->options->analysis.specs, SPEC_TREE))
        is_wanted = find_wanted(analysis, &rules.wanted_count);
    else /* what is too small for a row; 1: rounding */
        shown.least_parent = rules.min_share / 100 * analysis->profile.recorded.counted - 1;
    bool is_matched = show_snapshot(&analysis->snapshot, &shown, &analysis->tree);
    if (request->options->top.is_down)
        rules.is_root = is_wanted;
    else
        rules.is_wanted = is_wanted;
    build_fitting(tree, snapshot, &analysis->tree, &rules, request);
    tree->table.title = title_of(request->options, analysis, &snapshot->arena);
    note_hidden(tree, &snapshot->arena, analysis);
    if (tree->has_shared_calls && request->plan->style.explains)
        table_add_note(&tree->table, &snapshot->arena, _(NOTE_SHARED_CALLS));
    note_recursion(tree, request, &snapshot->arena);
    stacks_note(&tree->table, &snapshot->arena, request, analysis);
    tree->rules.is_wanted = tree->rules.is_root = NULL;
    free(is_wanted);
    return is_matched || check_focus(request, analysis, true);
}
