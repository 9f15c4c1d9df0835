/* test_measure_stacks.c - inclusive times from stacks, against their definitions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/measure_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/free_profile.h"
#include "base/common.h"
#include "program.h"
#include "tap.h"

/* Ids as stacks_name makes them: of functions, of what of the program is in no function, of other
   objects, and of frames that are not known.  */
enum { FUNCTIONS = 6, PROGRAM = FUNCTIONS, LIBC, REGMON, UNKNOWN, IDS };
enum { START = FUNCTIONS - 2, COUNTER, DEEPEST = 12, MOST_STACKS = 12 };

static const char *const names[FUNCTIONS] = {"main", "work", "leaf", "odd", "_start", "_mcount"};

/* A stack as it is drawn, and what of it the definitions are about.  */
struct stack {
    uint32_t frames[DEEPEST];
    size_t depth;
    unsigned samples;
};

/* ---- Making stacks ---- */

static void begin(struct recorded_stacks *stacks)
{
    *stacks = (struct recorded_stacks){.rate = 1000};
    objects_number(&stacks->objects, "");
    objects_number(&stacks->objects, "libc.so.6");
    objects_number(&stacks->objects, "/usr/lib/libregmon.so.0");
}

static struct pair frame_of(uint32_t id, uint64_t offset)
{
    if (id < FUNCTIONS)
        return (struct pair){0, TEXT + id * FUNCTION_SIZE + offset};
    uint32_t object = id == UNKNOWN ? NO_OBJECT : id - PROGRAM;
    return (struct pair){object, object == 0 ? 1 : offset};
}

/* Adds STACK, whose frames are at addresses that vary, as a reader of files does.  */
static void add(struct recorded_stacks *stacks, const struct stack *stack, uint64_t *state)
{
    uint32_t place = UINT32_MAX;
    for (size_t i = 0; i < stack->depth; i++) {
        struct pair frame = frame_of(stack->frames[i], next_random(state) % 3);
        place = pair_sums_node(&stacks->places, frame.a << 32 | (uint32_t)(place + 1), frame.b);
    }
    stacks->places.sums[place] += stack->samples;
    stacks->all.sum += stack->samples;
}

/* ---- The definitions, stack by stack ---- */

struct line {
    double self, total;
};

struct model {
    struct line functions[IDS];
    struct line outer[IDS + 1][IDS]; /* by caller plus 1, 0 for none, and callee */
    struct line inner[IDS][IDS];
    double counted, nameless;
};

static void count(struct line *line, bool is_last, unsigned samples)
{
    line->total += samples;
    line->self += is_last ? samples : 0;
}

static void count_function(struct model *model, const struct stack *stack, uint32_t id)
{
    size_t outermost = stack->depth, innermost = stack->depth, last = stack->depth - 1;
    for (size_t i = 0; i < stack->depth; i++)
        if (stack->frames[i] == id) {
            outermost = outermost < stack->depth ? outermost : i;
            innermost = i;
        }
    if (innermost == stack->depth)
        return;
    uint32_t caller = outermost > 0 ? stack->frames[outermost - 1] + 1 : 0;
    count(&model->functions[id], stack->frames[last] == id, stack->samples);
    count(&model->outer[caller][id], stack->frames[last] == id, stack->samples);
    if (innermost == last)
        return;
    uint32_t callee = stack->frames[innermost + 1];
    count(&model->inner[id][callee], stack->frames[last] == callee, stack->samples);
}

/* Removes from STACK the frames that start the program or a thread: `_start', or what has no name
   in the program, and another object.  */
static void remove_start(struct stack *stack)
{
    size_t first = stack->frames[0] == START || stack->frames[0] == PROGRAM;
    if (first == stack->depth || stack->frames[first] < LIBC || stack->frames[first] == UNKNOWN)
        return;
    if (first + 1 < stack->depth)
        first++;
    stack->depth -= first;
    memmove(stack->frames, stack->frames + first, stack->depth * sizeof *stack->frames);
}

/* Adds what STACK says; it is changed: frames of libregmon are left out, and neighbours of one
   other object become one frame.  */
static void add_to_model(struct model *model, struct stack *stack)
{
    bool is_counting = stack->frames[stack->depth - 1] == REGMON, is_nameless = false;
    size_t depth = 0;
    for (size_t i = 0; i < stack->depth; i++) {
        uint32_t id = stack->frames[i];
        is_counting |= id == COUNTER;
        is_nameless |= id == PROGRAM;
        if (id == REGMON)
            continue;
        if (id < FUNCTIONS || depth == 0 || stack->frames[depth - 1] != id)
            stack->frames[depth++] = id;
    }
    stack->depth = depth;
    model->nameless += is_nameless ? stack->samples : 0;
    if (is_counting)
        return;
    remove_start(stack);
    model->counted += stack->samples;
    for (uint32_t id = 0; id < IDS; id++)
        count_function(model, stack, id);
}

/* ---- Comparing ---- */

static bool is_same(const struct measured_times *times, const struct line *line)
{
    return times->self == line->self && times->total == line->total;
}

/* Whether the measured lines are those of MODEL, which become zero.  */
static bool has_lines(struct model *model, const struct measured *measured)
{
    static const struct line none;
    for (size_t i = 0; i < measured->arc_count; i++) {
        const struct measured_arc *arc = &measured->arcs[i];
        struct line *outer = &model->outer[arc->caller != NO_ID ? arc->caller + 1 : 0][arc->callee];
        struct line *inner = arc->caller != NO_ID ? &model->inner[arc->caller][arc->callee] : NULL;
        if (!is_same(&arc->outer, outer) || (inner != NULL && !is_same(&arc->inner, inner)))
            return false;
        *outer = none;
        if (inner != NULL)
            *inner = none;
    }
    for (size_t a = 0; a <= IDS; a++)
        for (size_t b = 0; b < IDS; b++)
            if (model->outer[a][b].total != 0 || (a < IDS && model->inner[a][b].total != 0))
                return false;
    return true;
}

/* Whether the lines of each entry add up to its total.  */
static bool adds_up(const struct measured *measured)
{
    struct line callers[IDS] = {{0}}, callees[IDS] = {{0}};
    for (size_t i = 0; i < measured->arc_count; i++) {
        const struct measured_arc *arc = &measured->arcs[i];
        callers[arc->callee].self += arc->outer.self;
        callers[arc->callee].total += arc->outer.total;
        if (arc->caller != NO_ID)
            callees[arc->caller].total += arc->inner.total;
    }
    for (size_t id = 0; id < IDS; id++) {
        const struct measured_times *times = &measured->functions[id];
        if (!is_same(times, &callers[id]) || times->self + callees[id].total != times->total)
            return false;
    }
    return true;
}

/* What is wrong with the times of drawn stacks, if anything.  */
static const char *find_mistake(uint64_t *state, bool *recurs)
{
    struct profile p = {0};
    struct recorded_stacks stacks;
    struct model model = {0};
    const char *mistake = NULL;
    program_symbols(&p, FUNCTIONS, names);
    begin(&stacks);
    size_t stack_count = next_random(state) % (MOST_STACKS + 1);
    for (size_t i = 0; i < stack_count; i++) {
        struct stack stack = {.depth = 1 + next_random(state) % DEEPEST,
                              .samples = next_random(state) % 100};
        uint32_t ids = next_random(state) % 4 == 0 ? IDS : COUNTER; /* many without libraries */
        for (size_t f = 0; f < stack.depth; f++)
            stack.frames[f] = next_random(state) % ids;
        add(&stacks, &stack, state);
        add_to_model(&model, &stack);
    }
    double nameless = stacks_name(&stacks, &p.symtab, NULL);
    recorded_measure(&stacks);
    const struct measured *measured = &stacks.measured;
    *recurs = measured->arc_count > 0 && stack_count > 2;
    if (stacks.counted != model.counted || nameless != model.nameless)
        mistake = "samples that count";
    for (size_t id = 0; id < IDS && mistake == NULL; id++)
        if (!is_same(&measured->functions[id], &model.functions[id]))
            mistake = "a function";
    if (mistake == NULL && !adds_up(measured))
        mistake = "a sum";
    if (mistake == NULL && !has_lines(&model, measured))
        mistake = "a line";
    recorded_stacks_free(&stacks);
    profile_free(&p);
    return mistake;
}

static void test_definitions(void)
{
    enum { DRAWN = 10000 };
    uint64_t state = 1;
    unsigned wrong = 0, several = 0;
    for (unsigned i = 0; i < DRAWN; i++) {
        bool recurs;
        const char *mistake = find_mistake(&state, &recurs);
        if (mistake != NULL && wrong++ == 0)
            printf("# set %u: %s\n", i, mistake);
        several += recurs;
    }
    is_equal(wrong, 0, "10,000 drawn sets of stacks: times by definition, and entries add up");
    is_true(several > DRAWN / 2, "most have several stacks");
}

/* ---- An example ---- */

static const struct measured_arc *find(const struct measured *measured, uint32_t caller,
                                       uint32_t callee)
{
    static const struct measured_arc none;
    for (size_t i = 0; i < measured->arc_count; i++)
        if (measured->arcs[i].caller == caller && measured->arcs[i].callee == callee)
            return &measured->arcs[i];
    return &none;
}

/* Two functions that call each other are no cycle: each has its own time.  */
static void test_recursion(void)
{
    enum { MAIN, EVEN, ODD };
    static const struct stack drawn[] = {
        {{MAIN, EVEN, ODD, EVEN, ODD}, 5, 10}, {{MAIN, EVEN}, 2, 3}, {{MAIN, ODD, ODD}, 3, 4}};
    struct profile p = {0};
    struct recorded_stacks stacks;
    uint64_t state = 1;
    program_symbols(&p, FUNCTIONS, names);
    begin(&stacks);
    for (size_t i = 0; i < ARRAY_LENGTH(drawn); i++)
        add(&stacks, &drawn[i], &state);
    stacks_name(&stacks, &p.symtab, NULL);
    recorded_measure(&stacks);
    const struct measured *measured = &stacks.measured;
    is_same_double(measured->functions[EVEN].total, 13, "total of a function that recurs");
    is_same_double(measured->functions[EVEN].self, 3, "its own");
    is_same_double(find(measured, MAIN, EVEN)->outer.total, 13, "its outermost caller has all");
    is_same_double(find(measured, ODD, EVEN)->outer.total, 0, "the inner one none");
    is_same_double(find(measured, EVEN, ODD)->inner.total, 10, "its innermost callee");
    is_same_double(find(measured, EVEN, ODD)->inner.self, 10, "and that callee's own");
    is_same_double(find(measured, ODD, ODD)->inner.total, 0, "a call of itself has no time");
    is_same_double(measured->functions[ODD].total, 14, "total of the other");
    recorded_stacks_free(&stacks);
    profile_free(&p);
}

/* ---- Columns ---- */

/* Ends are nodes of the tree that there is: those of calls that were counted have none.  */
static void test_columns(void)
{
    enum { MAIN, EVEN, ODD };
    static const struct stack drawn[] = {
        {{MAIN, REGMON}, 2, 8}, {{MAIN, EVEN}, 2, 3}, {{MAIN, ODD, EVEN}, 3, 4}};
    struct profile p = {0};
    struct recorded_stacks stacks;
    uint64_t state = 1;
    uint32_t a = 1;
    program_symbols(&p, FUNCTIONS, names);
    begin(&stacks);
    threads_begin(&stacks.threads, "a", 1);
    for (size_t i = 0; i < ARRAY_LENGTH(drawn); i++) {
        add(&stacks, &drawn[i], &state);
        uint32_t place = (uint32_t)stacks.places.map.count - 1;
        stacks_add_end(&stacks.tree, (struct stack_end){place, drawn[i].samples});
        stacks_add_column(&stacks.tree, (struct stack_column){.rate = 1000});
        threads_add(&stacks.threads, place, drawn[i].samples);
    }
    stacks_name(&stacks, &p.symtab, NULL);
    const struct stacks *tree = &stacks.tree;
    is_equal(tree->columns[0].end, 0, "no end of a call that was counted");
    is_equal(tree->columns[1].end + tree->columns[2].end, 3, "one of each other stack");
    for (size_t i = 0; i < tree->end_count; i++)
        is_equal(tree->label[tree->ends[i].node], EVEN, "which is a function");
    is_equal(tree->label[tree->parent[tree->ends[1].node]], ODD, "below its caller");
    stacks_keep_threads(&stacks);
    is_equal(tree->column_count + tree->end_count, 0, "none of a tree that is gone");
    is_equal(tree->label[0], stacks.threads.first_id + a, "the root is a thread");
    is_same_double(stacks.threads.samples[1], 3 + 4, "which has no samples of counting");
    recorded_stacks_free(&stacks);
    profile_free(&p);
}

/* ---- Large ---- */

static void test_large(void)
{
    enum { DEEP = 1000000 };
    struct profile p = {0};
    struct recorded_stacks stacks;
    uint32_t place = UINT32_MAX;
    program_symbols(&p, FUNCTIONS, names);
    begin(&stacks);
    for (uint32_t i = 0; i < DEEP; i++) {
        struct pair frame = frame_of(i % COUNTER, 0);
        place = pair_sums_node(&stacks.places, frame.a << 32 | (uint32_t)(place + 1), frame.b);
        stacks.places.sums[place] = 1;
    }
    stacks_name(&stacks, &p.symtab, NULL);
    recorded_measure(&stacks);
    is_same_double(stacks.measured.functions[0].total, DEEP, "a stack of a million frames");
    is_same_double(stacks.measured.functions[1].total, DEEP - 1, "of functions that recur");
    is_true(adds_up(&stacks.measured), "adds up");
    recorded_stacks_free(&stacks);
    profile_free(&p);
}

int main(void)
{
    test_recursion();
    test_definitions();
    test_columns();
    test_large();
    return tap_done();
}
