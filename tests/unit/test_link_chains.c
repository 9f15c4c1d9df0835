/* test_link_chains.c - chains: at which end a function is joined, and what is put out.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/link_order.h"

#include <stdlib.h>

#include "tap.h"

enum { A, B, C, D, E, F, COUNT };

struct link {
    uint32_t caller, callee;
};

/* Joins PAIRS in this order and puts out the chain that MEMBER is in.  */
static void check_chain(const struct link *pairs, size_t count, uint32_t member,
                        const char *expected, const char *what)
{
    struct link_chains chains;
    bool joined = true;
    chains_begin(&chains, COUNT);
    for (size_t i = 0; i < count; i++)
        joined = chains_join(&chains, pairs[i].caller, pairs[i].callee) && joined;
    is_true(joined, what);
    chains_emit_chain(&chains, member);
    is_same_ids(chains.out, chains.out_count, expected, what);
    chains_end(&chains);
    free(chains.out);
}

static void test_ends(void)
{
    check_chain((struct link[]){{A, B}}, 1, B, "0,1", "a caller stands before its callee");
    check_chain((struct link[]){{A, B}, {B, C}}, 2, A, "0,1,2", "a callee is joined behind");
    check_chain((struct link[]){{A, B}, {A, C}}, 2, C, "2,0,1",
                "a caller that begins a chain has its next callee before it");
    check_chain((struct link[]){{A, B}, {C, B}}, 2, B, "0,1,2",
                "a callee that ends a chain has its next caller behind it");
    check_chain((struct link[]){{A, B}, {C, A}}, 2, A, "2,0,1", "a caller is joined before");
}

/* D A B C: an end that is nearer than the other.  */
#define CHAIN                                                                                      \
    {A, B}, {B, C},                                                                                \
    {                                                                                              \
        D, A                                                                                       \
    }

static void test_nearer_end(void)
{
    check_chain((struct link[]){CHAIN, {E, B}}, 4, A, "3,0,1,2,4",
                "a caller, and one step to the last: behind it");
    check_chain((struct link[]){CHAIN, {E, A}}, 4, A, "4,3,0,1,2",
                "a caller, and one step to the first: before it");
    check_chain((struct link[]){CHAIN, {A, E}}, 4, E, "4,3,0,1,2",
                "a callee, and one step to the first: before it");
    check_chain((struct link[]){CHAIN, {B, E}}, 4, E, "3,0,1,2,4",
                "a callee, and one step to the last: behind it");
    check_chain((struct link[]){{A, B}, {B, C}, {E, B}}, 3, A, "4,0,1,2",
                "a caller, and both ends as near: before the first");
    check_chain((struct link[]){{A, B}, {B, C}, {B, E}}, 3, A, "0,1,2,4",
                "a callee, and both ends as near: behind the last");
}

static void test_refused(void)
{
    struct link_chains chains;
    chains_begin(&chains, COUNT);
    is_true(!is_in_chain(&chains, A), "none is in a chain at first");
    chains_join(&chains, A, B);
    chains_join(&chains, C, D);
    is_true(is_in_chain(&chains, A) && is_in_chain(&chains, B), "both are in a chain then");
    is_true(!chains_join(&chains, B, C), "two chains are not joined");
    is_true(!chains_join(&chains, B, A), "nor is a chain made a ring");
    chains_emit_chain(&chains, C);
    is_same_ids(chains.out, chains.out_count, "2,3", "the chain is what it was");
    chains_end(&chains);
    free(chains.out);
}

static void test_output(void)
{
    struct link_chains chains;
    chains_begin(&chains, COUNT);
    chains_join(&chains, A, B);
    chains_emit(&chains, F);
    chains_emit(&chains, F);
    is_same_ids(chains.out, chains.out_count, "5", "a symbol is put out once");
    is_true(is_placed(&chains, F) && !is_placed(&chains, E), "and is placed then");
    chains_emit_chain(&chains, B);
    is_true(is_placed(&chains, A) && is_placed(&chains, B), "a whole chain is placed");
    chains_emit(&chains, A);
    is_same_ids(chains.out, chains.out_count, "5,0,1", "and none of its symbols is put out again");
    chains_end(&chains);
    free(chains.out);
}

int main(void)
{
    test_ends();
    test_nearer_end();
    test_refused();
    test_output();
    return tap_done();
}
