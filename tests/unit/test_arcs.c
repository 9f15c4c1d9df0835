/* test_arcs.c - arcs: look-up of symbols, lists, sums.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arcs.h"
#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"

#include "analysis/free_profile.h"
#include "program.h"
#include "tap.h"

static vma at(uint32_t symbol)
{
    return TEXT + symbol * FUNCTION_SIZE;
}

static void test_recording(void)
{
    struct profile p = {0};
    program_symbols(&p, 3, NULL);
    struct arc_builder builder = program_arcs(&p);
    arcs_record(&builder, at(0) + 5, at(1), 3);
    arcs_record(&builder, at(0) + 9, at(1) + 2, 4);
    arcs_record(&builder, at(1), at(1), 10);
    arcs_record(&builder, at(1), at(2), 0);
    arcs_record(&builder, TEXT - 1, at(2), 5);
    arcs_record(&builder, at(0), TEXT - 1, 5);
    arcs_record(&builder, at(0), at(3), 5);
    arcs_finish(&builder);
    is_equal(p.arcs.count, 3, "one arc per pair; outside of symbols there is none");
    is_equal(p.arcs.arcs[0].count, 7, "equal pairs add up");
    is_equal(p.arcs.calls[1], 7, "calls come from others");
    is_equal(p.arcs.self_calls[1], 10, "self calls are apart");
    is_equal(p.arcs.calls[2], 0, "an arc of no calls is an arc");
    is_true(p.arcs.has_other_callers[2], "a call from no symbol makes no arc, and is noted");
    is_true(!p.arcs.has_other_callers[0] && !p.arcs.has_other_callers[1],
            "no other function has such calls");
    profile_free(&p);
}

static void test_labels(void)
{
    struct profile p = {0};
    struct symbol *symbols = mem_array(4, sizeof *symbols);
    for (uint32_t i = 0; i < 4; i++)
        symbols[i] = (struct symbol){.addr = at(i), .name = "f", .is_func = i == 1 || i == 3};
    symtab_build_from(&p.symtab, symbols, 4, at(4));
    struct arc_builder builder = program_arcs(&p);
    arcs_record(&builder, at(3), at(2), 3);
    arcs_record(&builder, at(2), at(3), 2);
    arcs_record(&builder, at(3), at(0), 1);
    arcs_finish(&builder);
    is_equal(p.arcs.count, 2, "a called label without a function before it is dropped");
    const uint32_t *by_age = p.arcs.by_age;
    is_equal(p.arcs.arcs[by_age[0]].callee, 1, "a called label stands for the function before it");
    is_equal(p.arcs.arcs[by_age[1]].caller, 2, "a calling label for itself");
    profile_free(&p);
}

static void test_lists(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {0, 1, 1}, {0, 3, 1}};
    program_symbols(&p, 4, NULL);
    program_calls(&p, calls, 5);
    const uint32_t *start = p.arcs.callee_start;
    is_equal(start[1] - start[0], 3, "children of the first");
    is_true(program_age(&p, 0) == 0 && program_age(&p, 1) == 1 && program_age(&p, 2) == 3,
            "oldest first; adding up does not renew");
    const struct id_lists *rows = &p.arcs.callers;
    const uint32_t *parents = rows->ids + rows->start[2];
    is_equal(rows->start[3] - rows->start[2], 2, "parents of the third");
    is_true(program_age(&p, parents[0]) == 2 && program_age(&p, parents[1]) == 1, "newest first");
    is_true(p.arcs.arcs[0].caller == 0 && p.arcs.arcs[2].caller == 0 && p.arcs.arcs[3].caller == 1,
            "the arcs of one caller stand together");
    is_equal(start[4], p.arcs.count, "rows end where the arcs end");
    profile_free(&p);
}

static void test_large_counts(void)
{
    struct profile p = {0};
    static const struct call calls[] = {
        {0, 1, UINT64_MAX}, {0, 1, 5}, {2, 1, UINT64_MAX}, {1, 1, UINT64_MAX}, {1, 1, 1}};
    program_symbols(&p, 3, NULL);
    program_calls(&p, calls, 5);
    is_equal(p.arcs.arcs[0].count, UINT64_MAX, "a sum of calls that does not fit stays largest");
    is_equal(p.arcs.calls[1], UINT64_MAX, "also over callers");
    is_equal(p.arcs.self_calls[1], UINT64_MAX, "also of self calls");
    profile_free(&p);
}

static void test_many_callers(void)
{
    enum { CALLERS = 1000000 };
    struct profile p = {0};
    program_symbols(&p, CALLERS + 1, NULL);
    struct arc_builder builder = program_arcs(&p);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i <= CALLERS; i++)
            arcs_record(&builder, at(i) + 3, at(0), 1);
    arcs_finish(&builder);
    is_equal(p.arcs.count, CALLERS, "a function with a million callers");
    is_equal(p.arcs.calls[0], 2 * CALLERS, "each of which called twice");
    profile_free(&p);
}

/* ---- Many calls, compared with a plain table of pairs ---- */

enum { SYMBOLS = 3000, DRAWS = 200000 };

struct known {
    struct pair_map pairs;
    uint64_t counts[DRAWS];
};

/* Draws calls, at first between few symbols, so that many are repeated.  */
static void draw(struct arc_builder *builder, struct known *known)
{
    uint64_t state = 7;
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint32_t range = i < DRAWS / 4 ? 100 : SYMBOLS;
        uint32_t caller = (uint32_t)(next_random(&state) % range);
        uint32_t callee = (uint32_t)(next_random(&state) % (i % 5 == 0 ? 3 : range));
        if (known != NULL)
            known->counts[pair_map_number(&known->pairs, caller, callee)] += i;
        if (i % 1000 == 0)
            arcs_add(builder, caller, callee, i);
        else
            arcs_record(builder, at(caller), at(callee), i);
    }
}

static bool is_known(const struct arc_table *table, const struct known *known)
{
    bool ok = table->count == known->pairs.count;
    for (size_t age = 0; age < table->count && ok; age++) {
        const struct arc *arc = &table->arcs[table->by_age[age]];
        ok = known->pairs.pairs[age].a == arc->caller && known->pairs.pairs[age].b == arc->callee &&
             known->counts[age] == arc->count;
    }
    return ok;
}

/* The position of each arc in the order of first appearance, by arc id; free with free.  */
static uint32_t *ages_of(const struct arc_table *table)
{
    uint32_t *ages = mem_array(table->count, sizeof *ages);
    for (size_t age = 0; age < table->count; age++)
        ages[table->by_age[age]] = (uint32_t)age;
    return ages;
}

/* Whether the children of each symbol are complete, oldest first.  */
static bool are_children_ok(const struct arc_table *table)
{
    uint32_t *ages = ages_of(table);
    bool ok = table->callee_start[SYMBOLS] == table->count;
    for (uint32_t s = 0; s < SYMBOLS; s++)
        for (uint32_t i = table->callee_start[s]; i < table->callee_start[s + 1]; i++)
            ok = ok && table->arcs[i].caller == s &&
                 (i == table->callee_start[s] || ages[i - 1] < ages[i]);
    free(ages);
    return ok;
}

/* Whether ROWS lists exactly the parents of the symbols WANTED, of all if NULL, newest first.  */
static bool are_parents_ok(const struct arc_table *table, const struct id_lists *rows,
                           const bool *wanted)
{
    uint32_t *ages = ages_of(table);
    size_t expected = 0;
    bool ok = true;
    for (size_t i = 0; i < table->count; i++)
        expected += wanted == NULL || wanted[table->arcs[i].callee];
    for (uint32_t s = 0; s < SYMBOLS; s++)
        for (uint32_t i = rows->start[s]; i < rows->start[s + 1]; i++)
            ok = ok && table->arcs[rows->ids[i]].callee == s && (wanted == NULL || wanted[s]) &&
                 (i == rows->start[s] || ages[rows->ids[i - 1]] > ages[rows->ids[i]]);
    ok = ok && rows->start[SYMBOLS] == expected;
    free(ages);
    return ok;
}

static bool are_wanted_parents_ok(const struct arc_table *table, const bool *wanted)
{
    struct id_lists rows = arcs_callers(table, SYMBOLS, wanted);
    bool ok = are_parents_ok(table, &rows, wanted);
    id_lists_free(&rows);
    return ok;
}

static bool are_calls_ok(const struct arc_table *table, const struct known *known)
{
    uint64_t *calls = calloc(SYMBOLS, sizeof *calls), *self = calloc(SYMBOLS, sizeof *self);
    for (size_t i = 0; i < known->pairs.count; i++) {
        const struct pair *pair = &known->pairs.pairs[i];
        (pair->a == pair->b ? self : calls)[pair->b] += known->counts[i];
    }
    bool ok = memcmp(calls, table->calls, SYMBOLS * sizeof *calls) == 0 &&
              memcmp(self, table->self_calls, SYMBOLS * sizeof *self) == 0;
    free(calls);
    free(self);
    return ok;
}

static void test_many_calls(void)
{
    struct profile p = {0}, plain = {0};
    struct known *known = calloc(1, sizeof *known);
    program_symbols(&p, SYMBOLS, NULL);
    struct arc_builder builder = program_arcs(&p);
    draw(&builder, known);
    is_equal(arcs_count(&builder), known->pairs.count, "as many arcs as pairs");
    arcs_finish(&builder);
    is_true(is_known(&p.arcs, known), "sums and ages are those of a plain table");
    is_true(are_children_ok(&p.arcs), "and all children are in order");
    is_true(are_parents_ok(&p.arcs, &p.arcs.callers, NULL), "and so are the parents");
    bool wanted[SYMBOLS] = {[1] = true, [99] = true, [SYMBOLS - 1] = true};
    is_true(are_wanted_parents_ok(&p.arcs, wanted), "also if only some are asked for");
    bool none[SYMBOLS] = {0};
    is_true(are_wanted_parents_ok(&p.arcs, none), "or none");
    is_true(are_calls_ok(&p.arcs, known), "and so are the calls");
    struct arc_builder counter = {.symtab = &p.symtab,
                                  .filters = &p.filters,
                                  .table = &plain.arcs,
                                  .only_calls = true,
                                  .has_callers = true};
    draw(&counter, NULL);
    arcs_finish(&counter);
    is_true(are_calls_ok(&plain.arcs, known), "also where only calls are asked for");
    is_true(plain.arcs.count == 0 && plain.arcs.callers.start == NULL, "which makes no arcs");
    pair_map_free(&known->pairs);
    free(known);
    profile_free(&p);
    profile_free(&plain);
}

int main(void)
{
    test_recording();
    test_labels();
    test_lists();
    test_large_counts();
    test_many_callers();
    test_many_calls();
    return tap_done();
}
