/* build_top.c - builds the table of functions as the options ask for it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/build_top.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* The columns of LIST, which names none that does not exist.  */
static struct top_columns columns_of(const char *list)
{
    struct top_columns columns;
    const char *unknown;
    size_t length;
    if (!top_columns_parse(&columns, list, true, &unknown, &length))
        bug("a default column that does not exist");
    return columns;
}

/* Inclusive times of groups would count some time twice.  */
static const char *const default_columns[] = {
    [TOP_FUNCTIONS] = "self%,self,error,total,least,most,calls,name",
    [TOP_LINES] = "self%,self,error,calls,file,line,name",
    [TOP_FILES] = "self%,self,error,calls,name",
    [TOP_OBJECTS] = "self%,self,error,calls,name",
};

static const char *default_columns_of(const struct run *run)
{
    enum top_group by = run->options->top.rules.by;
    if (by == TOP_FUNCTIONS && run->options->inputs.stacks != NULL)
        return "self%,self,error,total,sampled,least,most,calls,name";
    return default_columns[by];
}

static struct top_rules rules_of(const struct run *run)
{
    const struct top_options *options = &run->options->top;
    struct top_rules rules = options->rules;
    rules.has_zeros = run->options->style.has_zeros;
    if (!options->has_columns)
        rules.columns = columns_of(default_columns_of(run));
    if (options->sort == NULL)
        rules.sort = columns_of("self,total,calls,name");
    return rules;
}

bool top_needs_positions(const struct top_options *options)
{
    return options->rules.by != TOP_FUNCTIONS || options->rules.focus != NULL ||
           options->rules.hide != NULL || top_columns_have(&options->rules.columns, "file") ||
           top_columns_have(&options->rules.columns, "line") ||
           top_columns_have(&options->rules.sort, "file") ||
           top_columns_have(&options->rules.sort, "line");
}

/* ---- What stands around the table ---- */

/* Decimals that show one sample.  */
static int time_decimals(uint32_t rate)
{
    int decimals = 2;
    for (uint32_t shown = 100; shown < rate && decimals < 6; shown *= 10)
        decimals++;
    return decimals;
}

static const char *plural(enum top_group by, size_t count)
{
    static const char *const words[][2] = {
        [TOP_FUNCTIONS] = {"function", "functions"},
        [TOP_LINES] = {"line", "lines"},
        [TOP_FILES] = {"file", "files"},
        [TOP_OBJECTS] = {"object", "objects"},
    };
    return words[by][count != 1];
}

static const char *unit_of(struct top *top, const struct hist_set *hist)
{
    return hist->rate != 0 ? arena_escape(&top->arena, hist->dimension) : "ticks";
}

/* `ms', or `s' without a prefix.  */
static void set_per_call_unit(struct top *top, const struct profile *profile)
{
    const struct si_prefix *prefix = &profile->selection.per_call;
    const struct hist_set *hist = &profile->hist;
    const char unit[] = {hist->rate == 0 ? 't' : hist->abbreviation, '\0'};
    const char letter[] = {prefix->letter, '\0'};
    top->table.per_call_factor = prefix->factor;
    snprintf(top->table.per_call_unit, sizeof top->table.per_call_unit, "%s%s",
             letter[0] != ' ' ? letter : "", arena_escape(&top->arena, unit));
}

static void add_note(struct top *top, const char *text)
{
    top->table.notes[top->table.note_count++] = arena_copy(&top->arena, text, strlen(text));
}

/* `20 of 212 functions, 93.1 % of 12.62 seconds; not shown: 192 with 6.9 %'.  */
static void note_shown(struct profile *profile)
{
    struct top *top = &profile->top;
    const struct hist_set *hist = &profile->hist;
    size_t all = top->row_count + top->hidden_count;
    char text[300], shown[200] = "", hidden[100] = "";
    if (hist->total > 0) {
        snprintf(shown, sizeof shown, ", %.1f %% of %.2f %s", 100 * top->shown / hist->total,
                 hist->total / (hist->rate != 0 ? hist->rate : 1), unit_of(top, hist));
        snprintf(hidden, sizeof hidden, " with %.1f %%", 100 * top->hidden / hist->total);
    }
    int length = snprintf(text, sizeof text, "%zu of %zu %s%s", top->row_count, all,
                          plural(top->by, all), shown);
    if (top->hidden_count > 0)
        snprintf(text + length, sizeof text - (size_t)length, "; not shown: %zu%s",
                 top->hidden_count, hidden);
    add_note(top, text);
}

void build_top(struct run *run)
{
    struct profile *profile = &run->profile;
    struct top *top = &profile->top;
    const struct top_rules rules = rules_of(run);
    top_build(profile, &rules);
    top->table.time_unit = unit_of(top, &profile->hist);
    top->table.time_decimals = time_decimals(profile->hist.rate);
    set_per_call_unit(top, profile);
    note_shown(profile);
}
