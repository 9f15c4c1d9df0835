/* paths.c - which paths of calls take longer or less long than before.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* ---- Samples ---- */

/* Sets the samples of PATHS to those of JOINT: those that end in a node, and with those below it.
 */
static void set_samples(struct stack_pairs *paths, const struct stacks joint[SIDES])
{
    size_t count = paths->stacks.count;
    bool have_weights = false; /* that differ */
    for (enum side side = BEFORE; side < SIDES; side++) {
        double *samples = paths->samples[side] = mem_array(count, sizeof *samples);
        double *totals = paths->totals[side] = mem_uninitialised(count, sizeof *totals);
        for (size_t i = 0; i < joint[side].column_count; i++) {
            stacks_add_samples(&joint[side], i, 1, samples);
            have_weights |= joint[side].columns[i].has_weights;
        }
        for (size_t i = 0; i < count; i++)
            totals[i] = samples[i];
        stacks_fold(joint, totals);
    }
    paths->sample_time = have_weights ? 1 / joint_rate(&joint[AFTER]) : 0;
}

/* Makes the samples of PATHS those in runs like those after; the exposures of runs are those of
   SIDES.  */
static void scale_samples(struct stack_pairs *paths, const struct compared_side sides[SIDES])
{
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t i = 0; i < paths->stacks.count; i++) {
            double *own = &paths->samples[side][i], *all = &paths->totals[side][i];
            *own = *own * sides[AFTER].exposure / sides[side].exposure;
            *all = *all * sides[AFTER].exposure / sides[side].exposure;
        }
}

/* ---- Tests ---- */

/* A path that is tested.  One that has all samples of the one above it is the same hypothesis, and
   shares its test.  */
struct path_test {
    uint32_t node;      /* the first one */
    uint32_t above;     /* the test of the path above; UINT32_MAX: none */
    uint32_t level;     /* how many are above it */
    uint32_t inherited; /* from how many of these it inherits a part of alpha */
    bool is_changed;
};

struct path_tests {
    uint32_t *of_node; /* the test of a node; UINT32_MAX: none */
    struct path_test *tests;
    size_t count, level_count;
};

static void list_tests(struct path_tests *tests, const struct stack_pairs *paths,
                       const struct compared_measure *inclusive)
{
    size_t count = paths->stacks.count;
    double *const *totals = paths->totals;
    tests->of_node = mem_uninitialised(count, sizeof *tests->of_node);
    tests->tests = mem_array(count, sizeof *tests->tests);
    for (uint32_t i = 0; i < count; i++) {
        const double all[SIDES] = {totals[BEFORE][i], totals[AFTER][i]};
        uint32_t parent = paths->stacks.parent[i];
        uint32_t above = parent != UINT32_MAX ? tests->of_node[parent] : UINT32_MAX;
        tests->of_node[i] = UINT32_MAX;
        if (!significance_has_enough(all, inclusive))
            continue;
        if (above != UINT32_MAX && all[BEFORE] == totals[BEFORE][parent] &&
            all[AFTER] == totals[AFTER][parent]) {
            tests->of_node[i] = above;
            continue;
        }
        uint32_t level = above != UINT32_MAX ? tests->tests[above].level + 1 : 0;
        tests->tests[tests->count] = (struct path_test){i, above, level, 0, false};
        tests->of_node[i] = (uint32_t)tests->count++;
        if (level >= tests->level_count)
            tests->level_count = level + 1;
    }
}

/* The times and spreads of TESTS.  Free with free.  */
static struct compared_time *count_tests(const struct path_tests *tests,
                                         const struct stacks joint[SIDES])
{
    size_t count = joint->count;
    uint32_t *rows = mem_uninitialised(count, sizeof *rows);
    const struct joint_counting counting = {rows, true};
    struct compared_time *times = mem_array(tests->count, sizeof *times);
    for (size_t i = 0; i < count; i++)
        rows[i] = UINT32_MAX;
    for (size_t i = 0; i < tests->count; i++)
        rows[tests->tests[i].node] = (uint32_t)i;
    joint_count(times, tests->count, joint, &counting);
    free(rows);
    return times;
}

/* Marks the changed ones of TESTS, which have TIMES.  */
static void test_paths(struct path_tests *tests, struct compared_time *times,
                       const struct comparison *comparison, const struct significance *significance)
{
    const double *all = compared_total(comparison)->times[INCLUSIVE].samples;
    for (size_t i = 0; i < tests->count; i++) {
        struct path_test *test = &tests->tests[i];
        const struct path_test *above =
            test->above != UINT32_MAX ? &tests->tests[test->above] : NULL;
        double share =
            (times[i].samples[BEFORE] + times[i].samples[AFTER]) / (all[BEFORE] + all[AFTER]);
        compared_set_times(&times[i], &comparison->measures[INCLUSIVE]);
        test->inherited = above != NULL && above->is_changed ? above->inherited + 1 : 0;
        test->is_changed =
            significance_p(significance, comparison, INCLUSIVE, &times[i]) <
            comparison->alpha * share * (test->inherited + 1.0) / (double)tests->level_count;
    }
}

/* ---- Paths ---- */

/* The nodes of JOINT, whose labels number COUNT NAMES.  */
static struct stack_pairs *name_paths(const struct stacks joint[SIDES], const char *const *names,
                                      uint32_t count)
{
    struct stack_pairs *paths = mem_array(1, sizeof *paths);
    struct stacks *stacks = &paths->stacks;
    stacks->count = joint->count;
    stacks->parent = mem_uninitialised(joint->count, sizeof *stacks->parent);
    stacks->label = mem_uninitialised(joint->count, sizeof *stacks->label);
    paths->names = mem_array(count + (size_t)2, sizeof *paths->names);
    paths->names[count] = "[others]";
    paths->names[count + 1] = "[unknown]";
    for (size_t i = 0; i < joint->count; i++) {
        uint32_t label = joint->label[i];
        if (!stacks_is_numbered(label))
            label = label == STACKS_OTHERS ? count : count + 1;
        if (paths->names[label] == NULL)
            paths->names[label] =
                arena_utf8(&paths->arena, arena_escape(&paths->arena, names[label]));
        stacks->label[i] = label;
        stacks->parent[i] = joint->parent[i];
    }
    return paths;
}

struct stack_pairs *paths_build(const struct stacks joint[SIDES],
                                const struct comparison *comparison,
                                const struct significance *significance)
{
    const struct compared_measure *inclusive = &comparison->measures[INCLUSIVE];
    struct path_tests tests = {0};
    const char **names = mem_array(comparison->row_count, sizeof *names);
    for (size_t i = 0; i < comparison->row_count; i++)
        names[i] = comparison->rows[i].name;
    struct stack_pairs *paths = name_paths(joint, names, (uint32_t)comparison->row_count);
    paths->is_recorded = true;
    set_samples(paths, joint);
    list_tests(&tests, paths, inclusive);
    struct compared_time *times = count_tests(&tests, joint);
    test_paths(&tests, times, comparison, significance);
    paths->is_changed = mem_uninitialised(joint->count, sizeof *paths->is_changed);
    for (size_t i = 0; i < joint->count; i++)
        paths->is_changed[i] =
            tests.of_node[i] != UINT32_MAX && tests.tests[tests.of_node[i]].is_changed;
    scale_samples(paths, inclusive->sides);
    free(names);
    free(times);
    free(tests.tests);
    free(tests.of_node);
    return paths;
}

/* The stacks of TREE as a column, with numbers of NAMES as labels: all cycles have one, as their
   own numbers are those of one side.  FUNCTIONS: names of functions.  Shares the parents; free with
   free_side.  */
static struct stacks stacks_of(const struct stack_tree *tree, const char *const *functions,
                               double sample_time, struct string_map *names)
{
    struct stacks stacks = stacks_relabel(&tree->stacks, NULL);
    for (uint32_t i = 0; i < stacks.count; i++) {
        uint32_t function = stack_tree_function(tree, i);
        stacks.label[i] = string_map_number(names, function != NO_ID ? functions[function]
                                                   : stack_tree_is_named(tree, i) ? "[cycle]"
                                                                                  : "[others]");
        stacks_add_end(&stacks, (struct stack_end){i, tree->stacks.samples[i]});
    }
    stacks_add_column(
        &stacks, (struct stack_column){.rate = 1 / sample_time, .has_weights = tree->has_weights});
    return stacks;
}

static void free_side(struct stacks *stacks)
{
    stacks_free_labels(stacks);
    free(stacks->ends);
    free(stacks->columns);
}

struct stack_pairs *paths_of_estimates(const struct comparison *comparison,
                                       const struct stack_tree trees[SIDES])
{
    uint32_t *const as_they_are[SIDES] = {NULL, NULL};
    struct string_map names = {0};
    struct stacks stacks[SIDES], joint[SIDES];
    for (enum side side = BEFORE; side < SIDES; side++)
        stacks[side] = stacks_of(&trees[side], comparison->names[side],
                                 comparison->snapshots[side]->sample_time, &names);
    joint_build(joint, (const struct stacks *const[]){&stacks[BEFORE], &stacks[AFTER]}, as_they_are,
                names.count);
    struct stack_pairs *paths = name_paths(joint, names.strings, (uint32_t)names.count);
    set_samples(paths, joint);
    scale_samples(paths, comparison->measures[OWN].sides);
    joint_free(joint);
    free_side(&stacks[BEFORE]);
    free_side(&stacks[AFTER]);
    string_map_free(&names);
    return paths;
}

void paths_free(struct stack_pairs *paths)
{
    if (paths == NULL)
        return;
    for (enum side side = BEFORE; side < SIDES; side++) {
        free(paths->samples[side]);
        free(paths->totals[side]);
    }
    stacks_free(&paths->stacks);
    free(paths->is_changed);
    free(paths->names);
    arena_free(&paths->arena);
    free(paths);
}
