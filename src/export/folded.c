/* folded.c - stacks as lines `main;parse;lex 40', for flamegraph.pl and its relatives.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "export/exporters.h"
#include "model/model.h"

/* Writes NAME with the separator of frames escaped, and backslashes where they could be read as
   such an escape: names that differ stay different.  */
static void write_name(struct out *out, const char *name)
{
    static const char separator[] = "\\x3b", backslash[] = "\\x5c";
    for (; *name != '\0'; name++)
        if (*name == ';')
            out_text(out, separator);
        else if (strncmp(name, separator, strlen(separator)) == 0 ||
                 strncmp(name, backslash, strlen(backslash)) == 0)
            out_text(out, backslash);
        else
            out_char(out, *name);
}

static void write_function(struct out *out, const struct snapshot *snapshot, size_t id)
{
    const struct snapshot_function *function = &snapshot->functions[id];
    write_name(out, function->name);
    if (snapshot->is_by_line && function->file != NULL) {
        out_text(out, " (");
        struct arena scratch = {0};
        write_name(out, arena_escape(&scratch, path_base(function->file)));
        arena_free(&scratch);
        out_char(out, ':');
        out_count(out, function->line, 0);
        out_char(out, ')');
    }
}

static void write_frame(struct out *out, const struct snapshot *snapshot, size_t node)
{
    const struct stack_tree *tree = snapshot->extras.tree;
    uint32_t label = tree->stacks.label[node];
    char text[STACK_NAME_SIZE];
    if (label < tree->function_count)
        write_function(out, snapshot, label);
    else
        write_name(out, export_stack_name(tree, label, tree->left_out[node], text));
}

/* What `write_stacks' needs.  A count is of samples or, if their weights differ, of these.  */
struct work {
    double scale;    /* counts of what the tree calls a sample */
    uint32_t *stack; /* node ids by depth */
    double *sums;    /* by function, and of all other frames: counts so far */
};

/* What has no whole number of counts is rounded in the order of functions, so that each function
   has its own, and all have theirs, to within one: a sum is that of the functions before, and then
   of the function's frames.  */
static double *begin_sums(const struct snapshot *snapshot, double scale)
{
    const struct stack_tree *tree = snapshot->extras.tree;
    size_t count = snapshot->function_count;
    double *sums = mem_array(count + 1, sizeof *sums), sum = 0;
    for (size_t i = 0; i < tree->stacks.count; i++)
        if (stack_tree_function(tree, i) != NO_ID)
            sums[tree->stacks.label[i]] += stack_tree_own(tree, i);
    for (size_t f = 0; f <= count; f++) {
        double own = sums[f] + (tree->rests != NULL && f < count ? tree->rests[f] : 0);
        sums[f] = sum;
        sum += own * scale;
    }
    return sums;
}

static void *prepare(const struct snapshot *snapshot)
{
    const struct stack_tree *tree = snapshot->extras.tree;
    struct work *work = mem_array(1, sizeof *work);
    work->stack = mem_uninitialised(tree->stacks.count, sizeof *work->stack);
    work->scale = tree->has_weights ? tree->sample_time * export_unit(&snapshot->unit).size : 1;
    work->sums = begin_sums(snapshot, work->scale);
    return work;
}

static void release(void *prepared)
{
    struct work *work = prepared;
    free(work->stack);
    free(work->sums);
    free(work);
}

/* Writes the first frame, which says how the stacks were made, and in which unit of SNAPSHOT a
   SAMPLE weighs so much if that is counted (else 0), because readers show no other text: `[sampled
   stacks]', `[sampled stacks: 524288 bytes each]'.  */
static void write_root(struct out *out, const struct snapshot *snapshot, const char *origin,
                       double sample)
{
    const struct export_unit unit = export_unit(&snapshot->unit);
    char number[32];
    out_char(out, '[');
    out_text(out, origin);
    if (sample > 0) {
        snprintf(number, sizeof number, ": %.9g ", sample);
        out_text(out, number);
        write_name(out, strcmp(unit.unit, "count") == 0 ? unit.what : unit.unit);
        out_text(out, " each");
    }
    out_text(out, "];");
}

static void begin_stack(struct out *out, const struct snapshot *snapshot, double scale)
{
    const struct stack_tree *tree = snapshot->extras.tree;
    if (!snapshot->is_by_line)
        write_root(out, snapshot, export_origin(snapshot, tree), tree->has_weights ? scale : 0);
}

static void end_stack(struct out *out, uint64_t count)
{
    out_char(out, ' ');
    out_count(out, count, 0);
    out_char(out, '\n');
}

/* Writes functions whose samples are not in the tree.  */
static void write_rests(const struct snapshot *snapshot, const struct work *work, struct out *out)
{
    const struct stack_tree *tree = snapshot->extras.tree;
    bool has_root = export_has_one_root(tree) && !snapshot->is_by_line;
    for (uint32_t f = 0; tree->rests != NULL && f < snapshot->function_count; f++) {
        uint64_t count = stack_take(&work->sums[f], tree->rests[f] * work->scale);
        if (count == 0)
            continue;
        begin_stack(out, snapshot, work->scale);
        if (has_root) {
            write_frame(out, snapshot, 0);
            out_char(out, ';');
        }
        if (!snapshot->is_by_line)
            out_text(out, EXPORT_OTHER_STACKS ";");
        write_function(out, snapshot, f);
        end_stack(out, count);
    }
}

static void write_stacks(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    const struct stack_tree *tree = snapshot->extras.tree;
    const struct work *work = prepared;
    for (uint32_t i = 0; i < tree->stacks.count; i++) {
        uint32_t function = stack_tree_function(tree, i);
        double *sum = &work->sums[function != NO_ID ? function : snapshot->function_count];
        uint64_t count = stack_take(sum, stack_tree_own(tree, i) * work->scale);
        work->stack[tree->depth[i]] = i;
        if (count == 0)
            continue;
        begin_stack(out, snapshot, work->scale);
        for (uint32_t depth = 0; depth <= tree->depth[i]; depth++) {
            out_text(out, depth > 0 ? ";" : "");
            write_frame(out, snapshot, work->stack[depth]);
        }
        end_stack(out, count);
    }
    write_rests(snapshot, work, out);
}

/* Writes `stack before after', as difffolded.pl does.  */
void export_folded_comparison(const struct comparison *comparison, struct out *out)
{
    const struct snapshot *after = comparison->snapshots[AFTER];
    const struct stack_pairs *stacks = comparison->paths;
    const char *origin = stacks->is_recorded ? STACK_TREE_RECORDED : STACK_TREE_ESTIMATED;
    double sample = stacks->sample_time * export_unit(&after->unit).size;
    double scale = sample > 0 ? sample : 1, sums[SIDES] = {0};
    uint32_t *frames = mem_uninitialised(stacks->stacks.count, sizeof *frames);
    for (uint32_t i = 0; i < stacks->stacks.count; i++) {
        uint64_t before = stack_take(&sums[BEFORE], stacks->samples[BEFORE][i] * scale);
        uint64_t now = stack_take(&sums[AFTER], stacks->samples[AFTER][i] * scale);
        size_t count = 0;
        if (before == 0 && now == 0)
            continue;
        for (uint32_t at = i; at != UINT32_MAX; at = stacks->stacks.parent[at])
            frames[count++] = stacks->stacks.label[at];
        write_root(out, after, origin, sample);
        for (size_t f = count; f-- > 0;) {
            write_name(out, stacks->names[frames[f]]);
            out_text(out, f > 0 ? ";" : "");
        }
        out_char(out, ' ');
        out_count(out, before, 0);
        end_stack(out, now);
    }
    free(frames);
}

const struct exporter exporter_folded = {prepare, write_stacks, release};
