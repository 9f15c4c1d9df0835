/* paths.c - which paths of calls take longer or less long than before.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* ---- Samples ---- */

/* The samples of both sides by node: those that end in it, or those below it as well.  */
static void count_nodes(const struct stacks joint[SIDES], double *own[SIDES], double *all[SIDES])
{
    size_t count = joint->count;
    for (enum side side = BEFORE; side < SIDES; side++) {
        own[side] = mem_array(count, sizeof *own[side]);
        all[side] = mem_uninitialised(count, sizeof *all[side]);
        for (size_t i = 0; i < joint[side].column_count; i++)
            stacks_add_samples(&joint[side], i, 1, own[side]);
        memcpy(all[side], own[side], count * sizeof *all[side]);
        stacks_fold(joint, all[side]);
    }
}

/* ---- Tests ---- */

/* Paths that are tested.  A path that has all samples of the one above it is the same hypothesis,
   and shares its test.  */
struct path_tests {
    uint32_t *tests;       /* by node: number of its test; UINT32_MAX: none */
    uint32_t *above;       /* by test: that of the path above; UINT32_MAX: none */
    uint32_t *levels;      /* by test: the number of those above it */
    uint32_t *inherited;   /* by test: from how many above it inherits a part of alpha */
    struct compared *rows; /* by test */
    uint32_t *nodes;       /* by test: the first node */
    size_t count;
    size_t level_count;
};

static void list_tests(struct path_tests *tests, const struct stacks joint[SIDES],
                       const struct comparison *inclusive, double *const all[SIDES])
{
    size_t count = joint->count;
    tests->tests = mem_uninitialised(count, sizeof *tests->tests);
    tests->above = mem_uninitialised(count, sizeof *tests->above);
    tests->levels = mem_uninitialised(count, sizeof *tests->levels);
    tests->nodes = mem_uninitialised(count, sizeof *tests->nodes);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = joint->parent[i];
        uint32_t above = parent != UINT32_MAX ? tests->tests[parent] : UINT32_MAX;
        const struct compared row = {.kind = COMPARED_BOTH,
                                     .samples = {all[BEFORE][i], all[AFTER][i]}};
        tests->tests[i] = UINT32_MAX;
        if (!significance_is_tested(&row, inclusive))
            continue;
        if (above != UINT32_MAX && all[BEFORE][i] == all[BEFORE][parent] &&
            all[AFTER][i] == all[AFTER][parent]) {
            tests->tests[i] = above;
            continue;
        }
        uint32_t test = (uint32_t)tests->count++;
        tests->tests[i] = test;
        tests->above[test] = above;
        tests->nodes[test] = i;
        tests->levels[test] = above != UINT32_MAX ? tests->levels[above] + 1 : 0;
        if (tests->levels[test] >= tests->level_count)
            tests->level_count = tests->levels[test] + 1;
    }
}

/* Sets times and spreads of the tests.  */
static void count_tests(struct path_tests *tests, const struct stacks joint[SIDES])
{
    size_t count = joint->count;
    uint32_t *rows = mem_uninitialised(count, sizeof *rows);
    const struct joint_counting counting = {rows, true};
    tests->rows = mem_array(tests->count, sizeof *tests->rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = UINT32_MAX;
    for (size_t i = 0; i < tests->count; i++)
        rows[tests->nodes[i]] = (uint32_t)i;
    joint_count(tests->rows, tests->count, joint, &counting);
    free(rows);
}

/* Marks the changed paths: sets is_changed of their tests' rows.  */
static void test_paths(struct path_tests *tests, const struct comparison *inclusive,
                       const struct significance *significance, bool *is_changed)
{
    double all = 0;
    tests->inherited = mem_uninitialised(tests->count, sizeof *tests->inherited);
    for (enum side side = BEFORE; side < SIDES; side++)
        all += inclusive->rows[inclusive->row_count - 1].samples[side];
    for (size_t i = 0; i < tests->count; i++) {
        struct compared *row = &tests->rows[i];
        uint32_t above = tests->above[i];
        double share = (row->samples[BEFORE] + row->samples[AFTER]) / all;
        bool inherits = above != UINT32_MAX && is_changed[above];
        compared_set_times(row, inclusive);
        tests->inherited[i] = inherits ? tests->inherited[above] + 1 : 0;
        is_changed[i] =
            significance_p(significance, inclusive, row) <
            inclusive->alpha * share * (tests->inherited[i] + 1.0) / (double)tests->level_count;
    }
}

static void free_tests(struct path_tests *tests)
{
    free(tests->tests);
    free(tests->above);
    free(tests->levels);
    free(tests->inherited);
    free(tests->rows);
    free(tests->nodes);
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

/* Sets the samples of PATHS, in runs like those after; the exposures of runs are those of SIDES. */
static void set_samples(struct stack_pairs *paths, const struct stacks joint[SIDES],
                        const struct comparison_side *sides, double *const own[SIDES],
                        double *const all[SIDES])
{
    bool have_weights = false; /* that differ */
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t i = 0; i < joint[side].column_count; i++)
            have_weights |= joint[side].columns[i].has_weights;
    paths->sample_time = have_weights ? 1 / joint_rate(&joint[AFTER]) : 0;
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t i = 0; i < paths->count; i++) {
            double exposure = sides[side].exposure;
            paths->pairs[i].samples[side] = own[side][i] * sides[AFTER].exposure / exposure;
            paths->pairs[i].totals[side] = all[side][i] * sides[AFTER].exposure / exposure;
        }
}

static void free_samples(double *own[SIDES], double *all[SIDES])
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        free(own[side]);
        free(all[side]);
    }
}

struct stack_pairs *paths_build(const struct stacks joint[SIDES],
                                const struct comparison *inclusive,
                                const struct significance *significance,
                                const struct compared *rows)
{
    struct path_tests tests = {0};
    double *own[SIDES], *all[SIDES];
    const char **names = mem_array(inclusive->row_count, sizeof *names);
    for (size_t i = 0; i + 1 < inclusive->row_count; i++)
        names[i] = rows[i].name;
    struct stack_pairs *paths = name_paths(joint, names, inclusive->row_count);
    paths->is_recorded = true;
    count_nodes(joint, own, all);
    set_samples(paths, joint, inclusive->sides, own, all);
    list_tests(&tests, joint, inclusive, all);
    count_tests(&tests, joint);
    bool *is_changed = mem_array(tests.count, sizeof *is_changed);
    test_paths(&tests, inclusive, significance, is_changed);
    for (size_t i = 0; i < paths->count; i++)
        paths->pairs[i].is_changed = tests.tests[i] != UINT32_MAX && is_changed[tests.tests[i]];
    free_samples(own, all);
    free(names);
    free(is_changed);
    free_tests(&tests);
    return paths;
}

/* The stacks of TREE, with numbers of NAMES as labels: all cycles have one, as their own numbers
   are those of one side.  FUNCTIONS: names of functions.  */
static struct stacks stacks_of(const struct stack_tree *tree, const char *const *functions,
                               double sample_time, struct string_map *names)
{
    struct stacks stacks = {.count = tree->count};
    stacks.parent = mem_uninitialised(tree->count, sizeof *stacks.parent);
    stacks.label = mem_uninitialised(tree->count, sizeof *stacks.label);
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        stacks.parent[i] = node->parent;
        stacks.label[i] =
            string_map_number(names, node->kind == STACK_FUNCTION ? functions[node->function]
                                     : node->kind == STACK_CYCLE  ? "[cycle]"
                                                                  : "[others]");
        stacks_add_end(&stacks, (struct stack_end){i, node->self});
    }
    stacks_add_column(
        &stacks, (struct stack_column){.rate = 1 / sample_time, .has_weights = tree->has_weights});
    return stacks;
}

struct stack_pairs *paths_of_estimates(const struct comparison *comparison,
                                       const struct stack_tree trees[SIDES])
{
    uint32_t *const as_they_are[SIDES] = {NULL, NULL};
    struct string_map names = {0};
    struct stacks stacks[SIDES], joint[SIDES];
    double *own[SIDES], *all[SIDES];
    for (enum side side = BEFORE; side < SIDES; side++)
        stacks[side] = stacks_of(&trees[side], comparison->names[side],
                                 comparison->sides[side].snapshot->sample_time, &names);
    joint_build(joint, (const struct stacks *const[]){&stacks[BEFORE], &stacks[AFTER]}, as_they_are,
                names.count);
    struct stack_pairs *paths = name_paths(joint, names.strings, names.count);
    count_nodes(joint, own, all);
    set_samples(paths, joint, comparison->sides, own, all);
    free_samples(own, all);
    joint_free(joint);
    stacks_free(&stacks[BEFORE]);
    stacks_free(&stacks[AFTER]);
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
