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
    double *samples = mem_uninitialised(paths->count, sizeof *samples);
    bool have_weights = false; /* that differ */
    for (enum side side = BEFORE; side < SIDES; side++) {
        memset(samples, 0, paths->count * sizeof *samples);
        for (size_t i = 0; i < joint[side].column_count; i++) {
            stacks_add_samples(&joint[side], i, 1, samples);
            have_weights |= joint[side].columns[i].has_weights;
        }
        for (size_t i = 0; i < paths->count; i++)
            paths->pairs[i].samples[side] = samples[i];
        stacks_fold(joint, samples);
        for (size_t i = 0; i < paths->count; i++)
            paths->pairs[i].totals[side] = samples[i];
    }
    paths->sample_time = have_weights ? 1 / joint_rate(&joint[AFTER]) : 0;
    free(samples);
}

/* Makes the samples of PATHS those in runs like those after; the exposures of runs are those of
   SIDES.  */
static void scale_samples(struct stack_pairs *paths, const struct compared_side sides[SIDES])
{
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t i = 0; i < paths->count; i++) {
            double *own = &paths->pairs[i].samples[side], *all = &paths->pairs[i].totals[side];
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
    tests->of_node = mem_uninitialised(paths->count, sizeof *tests->of_node);
    tests->tests = mem_array(paths->count, sizeof *tests->tests);
    for (uint32_t i = 0; i < paths->count; i++) {
        const double *all = paths->pairs[i].totals;
        uint32_t parent = paths->pairs[i].parent;
        uint32_t above = parent != UINT32_MAX ? tests->of_node[parent] : UINT32_MAX;
        tests->of_node[i] = UINT32_MAX;
        if (!significance_has_enough(all, inclusive))
            continue;
        if (above != UINT32_MAX && all[BEFORE] == paths->pairs[parent].totals[BEFORE] &&
            all[AFTER] == paths->pairs[parent].totals[AFTER]) {
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

/* The nodes of JOINT, whose labels are numbers of NAMES.  */
static struct stack_pairs *name_paths(const struct stacks joint[SIDES], const char *const *names,
                                      size_t name_count)
{
    struct stack_pairs *paths = mem_array(1, sizeof *paths);
    const char **shown = mem_array(name_count, sizeof *shown);
    uint32_t *depths = mem_uninitialised(joint->count, sizeof *depths);
    paths->count = joint->count;
    paths->pairs = mem_array(paths->count, sizeof *paths->pairs);
    for (size_t i = 0; i < paths->count; i++) {
        uint32_t name = joint->label[i], parent = joint->parent[i];
        if (stacks_is_numbered(name) && shown[name] == NULL)
            shown[name] = arena_utf8(&paths->arena, arena_escape(&paths->arena, names[name]));
        paths->pairs[i].name = stacks_is_numbered(name) ? shown[name]
                               : name == STACKS_OTHERS  ? "[others]"
                                                        : "[unknown]";
        paths->pairs[i].parent = parent;
        depths[i] = parent != UINT32_MAX ? depths[parent] + 1 : 1;
        if (depths[i] > paths->depth)
            paths->depth = depths[i];
    }
    paths->frames = mem_uninitialised(paths->depth, sizeof *paths->frames);
    free(depths);
    free(shown);
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
    struct stack_pairs *paths = name_paths(joint, names, comparison->row_count);
    paths->is_recorded = true;
    set_samples(paths, joint);
    list_tests(&tests, paths, inclusive);
    struct compared_time *times = count_tests(&tests, joint);
    test_paths(&tests, times, comparison, significance);
    for (size_t i = 0; i < paths->count; i++)
        paths->pairs[i].is_changed =
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
    struct stack_pairs *paths = name_paths(joint, names.strings, names.count);
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
    free(paths->pairs);
    free(paths->frames);
    arena_free(&paths->arena);
    free(paths);
}
