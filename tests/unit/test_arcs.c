/* Arcs: from addresses to symbols, lists, sums.  */

#include "arcs.h"

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
    struct arc_builder builder = {.symtab = &p.symtab, .filters = &p.filters, .table = &p.arcs};
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
    profile_free(&p);
}

static void test_labels(void)
{
    struct profile p = {0};
    struct symbol *symbols = mem_array(4, sizeof *symbols);
    for (uint32_t i = 0; i < 4; i++)
        symbols[i] = (struct symbol){.addr = at(i), .name = "f", .is_func = i == 1 || i == 3};
    symtab_build_from(&p.symtab, symbols, 4, at(4));
    struct arc_builder builder = {.symtab = &p.symtab, .filters = &p.filters, .table = &p.arcs};
    arcs_record(&builder, at(3), at(2), 3);
    arcs_record(&builder, at(2), at(3), 2);
    arcs_record(&builder, at(3), at(0), 1);
    arcs_finish(&builder);
    is_equal(p.arcs.count, 2, "a called label without a function before it is dropped");
    is_equal(p.arcs.arcs[p.arcs.by_age[0]].callee, 1,
             "a called label stands for the function before it");
    is_equal(p.arcs.arcs[p.arcs.by_age[1]].caller, 2, "a calling label for itself");
    profile_free(&p);
}

static void test_lists(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {0, 1, 1}, {0, 3, 1}};
    program_symbols(&p, 4, NULL);
    program_calls(&p, calls, 5);
    const uint32_t *start = p.arcs.child_start;
    is_equal(start[1] - start[0], 3, "children of the first");
    is_true(program_age(&p, 0) == 0 && program_age(&p, 1) == 1 && program_age(&p, 2) == 3,
            "oldest first; adding up does not renew");
    const uint32_t *parents = p.arcs.parents + p.arcs.parent_start[2];
    is_equal(p.arcs.parent_start[3] - p.arcs.parent_start[2], 2, "parents of the third");
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
    struct arc_builder builder = {.symtab = &p.symtab, .filters = &p.filters, .table = &p.arcs};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i <= CALLERS; i++)
            arcs_record(&builder, at(i) + 3, at(0), 1);
    arcs_finish(&builder);
    is_equal(p.arcs.count, CALLERS, "a function with a million callers");
    is_equal(p.arcs.calls[0], 2 * CALLERS, "each of which called twice");
    profile_free(&p);
}

int main(void)
{
    test_recording();
    test_labels();
    test_lists();
    test_large_counts();
    test_many_callers();
    return tap_done();
}
