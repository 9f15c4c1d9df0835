/* test_stack_tree.c - estimated stacks: by hand, on random graphs, and at size.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/make_stack_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tap.h"

/* A snapshot of functions with own samples, and calls between them.  */
struct program {
    size_t count;
    const double *samples;
    const uint32_t *cycles; /* by function; NULL: none */
    const double *left_out; /* by function; NULL: nothing */
    const struct arc *arcs;
};

/* Free with snapshot_free.  */
static struct snapshot snapshot_of(const struct program *program, size_t arc_count)
{
    struct snapshot snapshot = {.unit.name = "seconds",
                                .functions =
                                    mem_uninitialised(program->count, sizeof *snapshot.functions),
                                .arcs = mem_uninitialised(arc_count, sizeof *snapshot.arcs),
                                .function_count = program->count,
                                .arc_count = arc_count};
    for (size_t f = 0; f < program->count; f++) {
        uint32_t cycle = program->cycles != NULL ? program->cycles[f] : 0;
        snapshot.functions[f] = (struct snapshot_function){
            .samples = program->samples[f],
            .cycle = cycle,
            .left_out = program->left_out != NULL ? program->left_out[f] : 0};
        if (cycle > snapshot.cycle_count)
            snapshot.cycle_count = cycle;
    }
    if (arc_count > 0)
        memcpy(snapshot.arcs, program->arcs, arc_count * sizeof *snapshot.arcs);
    return snapshot;
}

/* ---- What holds for each tree ---- */

static bool has_frame(const struct stacks *stacks, uint32_t above, uint32_t label)
{
    while (above != UINT32_MAX && stacks->label[above] != label)
        above = stacks->parent[above];
    return above != UINT32_MAX;
}

/* Whether nodes follow their parents, no sample is lost, and no function is twice on a stack.  */
static bool is_sound(const struct stack_tree *tree)
{
    const struct stacks *stacks = &tree->stacks;
    double sum = 0, *below = mem_array(stacks->count, sizeof *below);
    bool ok = stacks->count <= STACK_NODES;
    for (size_t i = stacks->count; i-- > 0;) {
        uint32_t parent = stacks->parent[i];
        sum += stacks->samples[i];
        ok = ok && tree->totals[i] == stacks->samples[i] + below[i] && tree->totals[i] > 0;
        ok = ok && (parent == UINT32_MAX ? tree->depth[i] == 0
                                         : parent < i && tree->depth[i] == tree->depth[parent] + 1);
        ok = ok && (stack_tree_function(tree, i) == UINT32_MAX || tree->depth[i] > 100 ||
                    !has_frame(stacks, parent, stacks->label[i]));
        if (parent != UINT32_MAX)
            below[parent] += tree->totals[i];
    }
    free(below);
    return ok && sum == tree->all;
}

/* ---- By hand ---- */

static size_t name_of(char *text, const struct stack_tree *tree, size_t node)
{
    uint32_t label = tree->stacks.label[node];
    if (label == STACKS_OTHERS)
        return (size_t)sprintf(text, "[%u others]", tree->left_out[node]);
    return label < tree->function_count
               ? (size_t)sprintf(text, "%u", label)
               : (size_t)sprintf(text, "%s", tree->names[label - tree->function_count]);
}

/* Stacks with samples: "0 5, 0;1 40".  */
static void list_stacks(const struct stack_tree *tree, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < tree->stacks.count && used + 200 < size; i++) {
        uint32_t stack[20], depth = 0;
        if (tree->stacks.samples[i] == 0)
            continue;
        for (uint32_t at = i; at != UINT32_MAX && depth < 20; at = tree->stacks.parent[at])
            stack[depth++] = at;
        used += (size_t)sprintf(text + used, "%s", used > 0 ? ", " : "");
        while (depth-- > 0) {
            used += name_of(text + used, tree, stack[depth]);
            text[used++] = depth > 0 ? ';' : ' ';
        }
        used += (size_t)sprintf(text + used, "%.17g", tree->stacks.samples[i]);
    }
}

static void check(const struct program *program, size_t arc_count, const char *expected,
                  const char *what)
{
    char text[4000];
    struct stack_tree tree;
    struct snapshot snapshot = snapshot_of(program, arc_count);
    stack_tree_build(&tree, &snapshot);
    snapshot_free(&snapshot);
    list_stacks(&tree, text, sizeof text);
    is_same_text(text, expected, what);
    is_true(is_sound(&tree), "sums are exact");
    stack_tree_free(&tree);
}

/* Checks a program of the functions with SAMPLES and CYCLES (or NULL), and the arcs that follow. */
#define CHECK(samples_, cycles_, expected, what, ...)                                              \
    check(&(struct program){.count = sizeof(samples_) / sizeof(double),                            \
                            .samples = samples_,                                                   \
                            .cycles = cycles_,                                                     \
                            .arcs = (const struct arc[]){__VA_ARGS__}},                            \
          sizeof((const struct arc[]){__VA_ARGS__}) / sizeof(struct arc), expected, what)

static void test_acyclic(void)
{
    const double example[] = {0, 5, 40, 10, 30}, ones[] = {1, 1, 1, 8};
    CHECK(example, NULL, "0;1 5, 0;1;2 40, 0;1;4 30, 0;3 10", "the example of the header",
          {0, 1, 1}, {0, 3, 2}, {1, 2, 9}, {1, 4, 1});
    CHECK(ones, NULL, "0 1, 0;1 1, 0;1;3 6, 0;2 1, 0;2;3 2", "a diamond", {0, 1, 1}, {0, 2, 9},
          {1, 3, 3}, {2, 3, 1});
    CHECK(ones, NULL, "1 1, 1;3 6, 0 1, 0;3 2, 2 1", "three roots", {1, 3, 3}, {0, 3, 1});
    CHECK(ones, NULL, "3 8, 0 1, 0;1 1, 2 1", "calls to itself, and calls that were never made",
          {0, 1, 1}, {1, 1, 7}, {1, 2, 0}, {3, 3, 9});
    const double none[] = {0, 0}, unknown[] = {NAN, NAN};
    CHECK(none, NULL, "", "no samples", {0, 1, 1});
    CHECK(unknown, NULL, "", "no histogram", {0, 1, 1});
    check(&(struct program){0}, 0, "", "no functions");
    const double parts[] = {0.25, 0.5, 0.75, 0.5};
    CHECK(parts, NULL, "0;1 1, 0;1;2 1", "parts of samples", {0, 1, 1}, {1, 2, 1}, {2, 3, 1});
}

static void test_cyclic(void)
{
    const double two[] = {10, 60, 40}, three[] = {0, 10, 20, 30}, four[] = {10, 20, 30, 40};
    const char *of_two = "0 10, 0;[cycle 1];1 60, 0;[cycle 1];2 40";
    CHECK(two, ((const uint32_t[]){0, 1, 1}), of_two, "a cycle of two", {0, 1, 1}, {1, 2, 5},
          {2, 1, 4});
    CHECK(two, ((const uint32_t[]){0, 1, 1}), of_two, "entered at both members", {0, 1, 3},
          {0, 2, 1}, {1, 2, 5}, {2, 1, 4});
    CHECK(two, ((const uint32_t[]){0, 1, 1}), of_two, "a member that was never called", {0, 1, 1},
          {1, 2, 0}, {2, 1, 3});
    CHECK(four, ((const uint32_t[]){0, 1, 1, 0}),
          "0 10, 0;[cycle 1];2 30, 0;[cycle 1];2;3 30, 0;[cycle 1];1 20, 0;[cycle 1];1;3 10",
          "with a callee of both members", {0, 1, 1}, {1, 2, 5}, {2, 1, 4}, {2, 3, 3}, {1, 3, 1});
    CHECK(three, ((const uint32_t[]){0, 1, 1, 1}),
          "0;[cycle 1];3 30, 0;[cycle 1];2 20, 0;[cycle 1];1 10", "the largest member first",
          {0, 1, 1}, {1, 2, 1}, {1, 3, 2}, {2, 3, 2}, {3, 2, 7}, {3, 1, 7}, {2, 1, 1});
    CHECK(two, ((const uint32_t[]){1, 1, 0}), "[cycle 1];1 60, [cycle 1];0 10, 2 40",
          "a cycle without callers is a root", {0, 1, 1}, {1, 0, 2});
    CHECK(four, ((const uint32_t[]){1, 1, 2, 2}),
          "[cycle 1];1 20, [cycle 1];1;[cycle 2];3 40, [cycle 1];1;[cycle 2];2 30, [cycle 1];0 10",
          "a cycle below another", {0, 1, 1}, {1, 0, 2}, {1, 2, 3}, {2, 3, 1}, {3, 2, 1});
    CHECK(two, NULL, "0 10, 0;[cycle 1];1 60, 0;[cycle 1];2 40", "a cycle that is not listed",
          {0, 1, 1}, {1, 2, 5}, {2, 1, 4});
}

static void test_small(void)
{
    const double small[] = {100000, 9, 12, 5, 6}, tiny[] = {100000, 5, 6};
    CHECK(small, NULL, "0 100000, 0;[1 others] 9, 0;2 12, [2 others] 11",
          "small subtrees and roots", {0, 1, 1}, {0, 2, 1});
    CHECK(tiny, NULL, "0 100000, 0;[2 others] 11", "of one parent", {0, 1, 1}, {0, 2, 1});
}

static void test_filters(void)
{
    const double samples[] = {10, 20, 30};
    const struct arc arcs[] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}};
    struct program program = {3, samples, NULL, (const double[]){1, 0, 0.5}, arcs};
    check(&program, 3, "1 20, 1;2 15", "a caller that is left out");
    program.left_out = (const double[]){0, 1, 0};
    check(&program, 3, "0 10, 0;2 30", "a callee that is left out");
}

/* ---- At random ---- */

enum { MOST_FUNCTIONS = 30, MOST_ARCS = 90 };

/* The strongly connected functions of a graph get the number of a cycle.  */
static void number_cycles(uint32_t *cycles, size_t count, const struct arc *arcs, size_t arc_count)
{
    bool reaches[MOST_FUNCTIONS][MOST_FUNCTIONS] = {{false}};
    uint32_t next = 0;
    for (size_t i = 0; i < arc_count; i++)
        reaches[arcs[i].caller][arcs[i].callee] = true;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
    for (size_t i = 0; i < count; i++)
        cycles[i] = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; cycles[i] == 0 && j < count; j++)
            if (reaches[i][j] && reaches[j][i]) {
                next++;
                for (size_t m = i; m < count; m++)
                    cycles[m] = m == i || (reaches[i][m] && reaches[m][i]) ? next : cycles[m];
            }
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1 + fabs(a) + fabs(b));
}

/* Whether no function has more than its samples, and all together have all but those in subtrees
   that are too small.  Each node is rounded by less than a sample.  */
static bool has_own(const struct stack_tree *tree, const double *samples, size_t count)
{
    double own[MOST_FUNCTIONS] = {0}, sum = 0;
    bool ok = true;
    for (size_t i = 0; i < tree->stacks.count; i++)
        if (stack_tree_function(tree, i) != UINT32_MAX)
            own[tree->stacks.label[i]] += stack_tree_own(tree, i);
        else
            sum += tree->stacks.samples[i];
    for (size_t f = 0; f < count; f++) {
        ok = ok && own[f] <= samples[f] * 1.000001;
        sum += own[f];
    }
    return ok && fabs(sum - tree->all) < 2;
}

static void test_random(void)
{
    uint64_t state = 7;
    bool ok = true, are_sums = true, are_own = true;
    for (int round = 0; round < 300; round++) {
        double samples[MOST_FUNCTIONS], sum = 0;
        uint32_t cycles[MOST_FUNCTIONS];
        struct arc arcs[MOST_ARCS];
        size_t count = 2 + next_random(&state) % (MOST_FUNCTIONS - 2);
        size_t arc_count = next_random(&state) % (2 * count);
        for (size_t f = 0; f < count; f++)
            sum += samples[f] = next_random(&state) % 10000;
        for (size_t i = 0; i < arc_count; i++)
            arcs[i] = (struct arc){(uint32_t)(next_random(&state) % count),
                                   (uint32_t)(next_random(&state) % count),
                                   1 + next_random(&state) % 100};
        number_cycles(cycles, count, arcs, arc_count);
        struct program program = {count, samples, cycles, NULL, arcs};
        struct snapshot snapshot = snapshot_of(&program, arc_count);
        struct stack_tree tree;
        stack_tree_build(&tree, &snapshot);
        snapshot_free(&snapshot);
        ok = ok && is_sound(&tree);
        are_sums = are_sums && is_close(tree.all, sum);
        are_own = are_own && has_own(&tree, samples, count);
        stack_tree_free(&tree);
    }
    is_true(ok, "random graphs: sums of subtrees, no function twice on a stack");
    is_true(are_sums, "no sample is lost");
    is_true(are_own, "functions have their own samples");
}

/* ---- At size ---- */

enum { MILLION = 1000000 };

/* COUNT functions, of which MADE makes the calls.  */
static void make_large(struct stack_tree *tree, size_t count, size_t arc_count, uint32_t cycle,
                       struct arc (*make)(uint32_t i))
{
    double *samples = mem_uninitialised(count, sizeof *samples);
    uint32_t *cycles = mem_uninitialised(count, sizeof *cycles);
    struct arc *arcs = mem_uninitialised(arc_count, sizeof *arcs);
    for (size_t f = 0; f < count; f++) {
        samples[f] = 1;
        cycles[f] = cycle;
    }
    for (uint32_t i = 0; i < arc_count; i++)
        arcs[i] = make(i);
    struct program program = {count, samples, cycles, NULL, arcs};
    struct snapshot snapshot = snapshot_of(&program, arc_count);
    stack_tree_build(tree, &snapshot);
    snapshot_free(&snapshot);
    free(samples);
    free(cycles);
    free(arcs);
}

static struct arc make_link(uint32_t i)
{
    return (struct arc){i, i + 1, 1};
}

static struct arc make_ring(uint32_t i)
{
    return (struct arc){i, (i + 1) % MILLION, 1};
}

static struct arc make_spoke(uint32_t i)
{
    return (struct arc){0, i + 1, 1};
}

/* Each function calls the next one twice as two arcs, over one of two others: 2^n stacks.  */
static struct arc make_diamond(uint32_t i)
{
    uint32_t top = i / 4 * 3, side = top + 1 + i / 2 % 2;
    return i % 2 == 0 ? (struct arc){top, side, 1} : (struct arc){side, top + 3, 1};
}

/* A dense cycle: each function calls a thousand others.  */
static struct arc make_dense(uint32_t i)
{
    return (struct arc){i / 1000, (i / 1000 + 1 + i % 1000) % 2000, 1 + i % 7};
}

/* Frames in all stacks that do not end in others.  */
static uint64_t frames_of(const struct stack_tree *tree)
{
    uint64_t frames = 0;
    for (size_t i = 0; i < tree->stacks.count; i++)
        frames += tree->stacks.label[i] != STACKS_OTHERS ? tree->depth[i] + 1 : 0;
    return frames;
}

/* Nodes of functions: not what stands for what is left out.  */
static size_t count_functions(const struct stack_tree *tree)
{
    size_t count = 0;
    for (size_t i = 0; i < tree->stacks.count; i++)
        count += stack_tree_function(tree, i) != UINT32_MAX;
    return count;
}

static void check_large(struct stack_tree *tree, double samples, const char *what)
{
    is_true(is_sound(tree) && tree->all == samples && frames_of(tree) <= STACK_FRAMES, what);
    stack_tree_free(tree);
}

static void test_large(void)
{
    struct stack_tree tree;
    make_large(&tree, MILLION, MILLION - 1, 0, make_link);
    is_true(tree.stacks.count > 2000, "a chain is shown as far as it may be");
    check_large(&tree, MILLION, "a chain of a million calls");
    make_large(&tree, MILLION, MILLION, 1, make_ring);
    is_equal(tree.stacks.count, 2, "members that are too small are one node");
    check_large(&tree, MILLION, "a ring of a million calls");
    make_large(&tree, MILLION, MILLION - 1, 0, make_spoke);
    is_equal(tree.stacks.count, 2, "callees that are too small are one node");
    is_true(tree.left_out[1] == MILLION - 1 && tree.stacks.samples[1] == MILLION - 1 &&
                tree.stacks.samples[0] == 1,
            "which has their number and samples, and its caller none of them");
    check_large(&tree, MILLION, "a fan of a million calls");
    make_large(&tree, MILLION, 0, 0, NULL);
    is_equal(tree.stacks.count, 1, "so are roots");
    is_equal(tree.left_out[0], MILLION, "all of them");
    check_large(&tree, MILLION, "a million functions without calls");
    make_large(&tree, 3001, 4000, 0, make_diamond);
    is_true(tree.stacks.count > 10000, "diamonds in a row are shown as far as they may be");
    check_large(&tree, 3001, "a thousand diamonds in a row");
    make_large(&tree, 2000, 2 * MILLION, 1, make_dense);
    check_large(&tree, 2000, "a cycle of 2,000 functions and 2,000,000 calls");
}

/* With a lower limit, the largest subtrees are shown, and still no sample is lost.  */
static void test_limit(void)
{
    struct arc arcs[4000];
    double samples[3001];
    struct stack_tree tree;
    for (uint32_t i = 0; i < 4000; i++)
        arcs[i] = make_diamond(i);
    for (size_t f = 0; f < 3001; f++)
        samples[f] = 1;
    struct program program = {3001, samples, NULL, NULL, arcs};
    struct snapshot snapshot = snapshot_of(&program, 4000);
    stack_tree_build_within(&tree, &snapshot, 1000);
    snapshot_free(&snapshot);
    is_true(tree.stacks.count > 500 && count_functions(&tree) <= 1000,
            "a lower limit is kept, and used");
    is_true(is_sound(&tree) && tree.all == 3001, "no sample is lost");
    is_true(frames_of(&tree) <= STACK_FRAMES / (STACK_NODES / 1000), "frames have a limit, too");
    is_true(tree.rests == NULL, "what is in no stack is not computed");
    bool *focus = mem_array(tree.stacks.count, sizeof *focus);
    bool *hide = mem_array(tree.stacks.count, sizeof *hide);
    for (size_t i = 0; i < tree.stacks.count; i++) {
        focus[i] = tree.stacks.label[i] == 1;
        hide[i] = tree.stacks.label[i] == 3;
    }
    stack_tree_select(&tree, focus, hide);
    is_true(is_sound(&tree) && tree.all > 0, "and not needed to select");
    free(focus);
    free(hide);
    stack_tree_free(&tree);
}

/* Whether the builder extended the branches with the most samples: none that calls something and
   has no child has more than one that has children.  */
static bool is_largest_first(const struct stack_tree *tree, const bool *calls)
{
    size_t count = tree->stacks.count;
    bool *has_child = mem_array(count, sizeof *has_child);
    double least = INFINITY, most = 0;
    for (size_t i = count; i-- > 0;) {
        uint32_t parent = tree->stacks.parent[i], function = stack_tree_function(tree, i);
        if (parent != UINT32_MAX && function != UINT32_MAX)
            has_child[parent] = true;
        if (has_child[i] && tree->totals[i] < least)
            least = tree->totals[i];
        if (function != UINT32_MAX && !has_child[i] && calls[function] && tree->totals[i] > most)
            most = tree->totals[i];
    }
    free(has_child);
    return most <= least && most > 0;
}

/* Programs in which each function has one caller, whose stacks do not all fit.  */
static void test_largest_first(void)
{
    enum { FUNCTIONS = 600, ROOTS = 5, ROUNDS = 40 };
    uint64_t state = 11;
    bool ok = true, is_full = true;
    for (int round = 0; round < ROUNDS; round++) {
        struct arc arcs[FUNCTIONS];
        double samples[FUNCTIONS];
        bool calls[FUNCTIONS] = {false};
        size_t limit = 30 + next_random(&state) % 200;
        for (uint32_t f = 0; f < FUNCTIONS; f++)
            samples[f] = 50 + next_random(&state) % 1000;
        for (uint32_t f = ROOTS; f < FUNCTIONS; f++) {
            uint32_t caller = next_random(&state) % f;
            arcs[f - ROOTS] = (struct arc){caller, f, 1};
            calls[caller] = true;
        }
        struct program program = {FUNCTIONS, samples, NULL, NULL, arcs};
        struct snapshot snapshot = snapshot_of(&program, FUNCTIONS - ROOTS);
        struct stack_tree tree;
        stack_tree_build_within(&tree, &snapshot, limit);
        snapshot_free(&snapshot);
        is_full = is_full && count_functions(&tree) == limit;
        ok = ok && is_largest_first(&tree, calls);
        stack_tree_free(&tree);
    }
    is_true(is_full, "the limit is used");
    is_true(ok, "the largest stacks stay under a limit");
}

int main(void)
{
    test_acyclic();
    test_cyclic();
    test_small();
    test_filters();
    test_random();
    test_large();
    test_limit();
    test_largest_first();
    return tap_done();
}
