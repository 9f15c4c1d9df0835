/* test_cycles.c - cycles: their members, order and calls.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/cycles.h"
#include "base/memory.h"

#include "analysis/free_profile.h"
#include "program.h"
#include "tap.h"

static void make(struct profile *p, size_t symbols, const struct call *calls, size_t count)
{
    *p = (struct profile){0};
    program_symbols(p, symbols, NULL);
    program_calls(p, calls, count);
    cycles_find(&p->graph, &p->symtab, &p->arcs);
}

#define MAKE(p, symbols, ...)                                                                      \
    make(p, symbols, (const struct call[]){__VA_ARGS__},                                           \
         sizeof((const struct call[]){__VA_ARGS__}) / sizeof(struct call))

static uint32_t cycle_of(const struct profile *p, uint32_t symbol)
{
    return p->graph.cycle[symbol];
}

/* Cycles with their members: "1:0,1 2:3,4".  */
static const char *cycles_text(const struct profile *p, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t c = 0; c < p->graph.cycle_count; c++) {
        used += (size_t)snprintf(text + used, size - used, "%s%zu:", c ? " " : "", c + 1);
        for (uint32_t m = p->graph.member_start[c]; m < p->graph.member_start[c + 1]; m++)
            used += (size_t)snprintf(text + used, size - used, "%s%u",
                                     m > p->graph.member_start[c] ? "," : "", p->graph.members[m]);
    }
    return text;
}

static void check_cycles(const struct profile *p, const char *expected, const char *what)
{
    char text[200];
    is_same_text(cycles_text(p, text, sizeof text), expected, what);
}

static bool is_topological(const struct profile *p)
{
    for (size_t i = 0; i < p->arcs.count; i++) {
        const struct arc *arc = &p->arcs.arcs[i];
        uint32_t caller = p->graph.number[arc->caller], callee = p->graph.number[arc->callee];
        bool is_inside =
            cycle_of(p, arc->caller) && cycle_of(p, arc->caller) == cycle_of(p, arc->callee);
        if (arc->caller != arc->callee && (is_inside ? caller != callee : caller <= callee))
            return false;
    }
    return true;
}

static void test_none(void)
{
    struct profile p;
    MAKE(&p, 4, {0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1});
    check_cycles(&p, "", "two ways to one function are no cycle");
    is_true(is_topological(&p), "callees have lower numbers");
    is_equal(p.graph.count, 4, "one node per symbol");
    profile_free(&p);
}

static void test_numbers(void)
{
    struct profile p;
    /* Children newest first: 2 before 1.  */
    MAKE(&p, 4, {0, 1, 1}, {0, 2, 1});
    is_equal(p.graph.number[2], 1, "the newest child is walked first");
    is_equal(p.graph.number[1], 2, "then the other");
    is_equal(p.graph.number[0], 3, "the caller when both are done");
    is_equal(p.graph.number[3], 4, "what nobody calls gets its number in address order");
    profile_free(&p);
}

static void test_self(void)
{
    struct profile p;
    MAKE(&p, 2, {0, 0, 5}, {0, 1, 1}, {1, 1, 7});
    check_cycles(&p, "", "calls to itself make no cycle");
    is_equal(p.graph.nodes[0].self_calls, 5, "self calls");
    is_equal(p.graph.nodes[1].calls, 1, "do not count as calls");
    profile_free(&p);
}

static void test_ring(void)
{
    struct profile p;
    MAKE(&p, 5, {0, 1, 2}, {1, 2, 10}, {2, 3, 20}, {3, 1, 30}, {2, 2, 99}, {3, 4, 1}, {4, 4, 3},
         {0, 3, 4});
    check_cycles(&p, "1:3,1,2", "a ring, from where it is entered first: the newest call");
    const struct node *whole = &p.graph.nodes[5];
    is_equal(whole->calls, 6, "a cycle's calls come from outside");
    is_equal(whole->self_calls, 60, "its self calls from one member to another");
    is_equal(cycle_of(&p, 0), 0, "the caller is not in it");
    is_equal(cycle_of(&p, 4), 0, "nor is what it calls");
    is_equal(node_of_symbol(&p.graph, 2), 5, "a member is called through the cycle");
    is_true(is_topological(&p), "members have one number");
    profile_free(&p);
}

static void test_nested(void)
{
    struct profile p;
    MAKE(&p, 4, {0, 1, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 0, 1});
    check_cycles(&p, "1:0,1,2,3", "a ring within a ring is one cycle");
    profile_free(&p);
    /* The inner ring is found first and then joined to the outer one.  */
    MAKE(&p, 5, {0, 1, 1}, {1, 2, 1}, {2, 4, 1}, {2, 3, 1}, {3, 2, 1}, {4, 0, 1});
    check_cycles(&p, "1:0,1,2,3,4", "the inner ring joins with its members in their order");
    profile_free(&p);
}

static void test_touching(void)
{
    struct profile p;
    MAKE(&p, 5, {0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 4, 1}, {4, 3, 1});
    is_equal(p.graph.cycle_count, 2, "rings that share a function are one cycle, others their own");
    check_cycles(&p, "1:0,1,2 2:3,4", "cycles are numbered by address");
    profile_free(&p);
}

static void test_late_join(void)
{
    struct profile p;
    /* 2 is done and in 1's cycle when 3 reaches it: 1 is still on the path.  */
    MAKE(&p, 4, {0, 1, 1}, {1, 3, 1}, {1, 2, 1}, {2, 1, 1}, {3, 2, 1});
    check_cycles(&p, "1:1,2,3", "a call of a member joins the cycle while its head is on the path");
    profile_free(&p);
}

static void test_unreachable(void)
{
    struct profile p;
    MAKE(&p, 6, {0, 1, 1}, {4, 5, 1}, {5, 4, 1});
    check_cycles(&p, "1:4,5", "cycles that nothing leads to are found");
    is_equal(p.graph.nodes[6].calls, 0, "nobody calls it");
    is_equal(p.graph.nodes[6].self_calls, 2, "but itself");
    profile_free(&p);
}

static void test_head_order(void)
{
    struct profile p;
    /* 3 is walked from 0 before 1 and 2 are; its cycle has the higher address and the higher
     * number.  */
    MAKE(&p, 5, {1, 2, 1}, {2, 1, 1}, {0, 3, 1}, {3, 4, 1}, {4, 3, 1});
    check_cycles(&p, "1:1,2 2:3,4", "found first does not mean numbered first");
    profile_free(&p);
}

static void test_deep(void)
{
    enum { DEPTH = 1000000 };
    struct profile p = {0};
    struct call *calls = mem_array(DEPTH, sizeof *calls);
    for (uint32_t i = 0; i < DEPTH; i++)
        calls[i] = (struct call){i, (i + 1) % DEPTH, 1};
    make(&p, DEPTH, calls, DEPTH - 1);
    is_equal(p.graph.cycle_count, 0, "a chain of a million calls");
    is_equal(p.graph.number[0], DEPTH, "is numbered from its end");
    profile_free(&p);
    make(&p, DEPTH, calls, DEPTH);
    is_equal(p.graph.cycle_count, 1, "a ring of a million functions");
    is_equal(p.graph.member_start[1], DEPTH, "has all of them");
    profile_free(&p);
    free(calls);
}

static void test_back_calls(void)
{
    enum { COUNT = 200000 };
    struct profile p = {0};
    struct call *calls = mem_array(2 * COUNT, sizeof *calls);
    for (uint32_t i = 0; i < COUNT; i++) {
        calls[2 * i] = (struct call){i, (i + 1) % COUNT, 1};
        calls[2 * i + 1] = (struct call){i, i ? i - 1 : 0, 1};
    }
    make(&p, COUNT, calls, 2 * COUNT);
    is_equal(p.graph.cycle_count, 1, "a ladder of rings is one cycle, found in linear time");
    profile_free(&p);
    free(calls);
}

int main(void)
{
    test_none();
    test_numbers();
    test_self();
    test_ring();
    test_nested();
    test_touching();
    test_late_join();
    test_unreachable();
    test_head_order();
    test_deep();
    test_back_calls();
    return tap_done();
}
