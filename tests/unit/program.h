/* program.h - makes symbols and calls, and runs the stages that lead to a call graph. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "analysis/arcs.h"
#include "analysis/cycles.h"
#include "analysis/propagate.h"
#include "analysis/views.h"
#include "symbols/symtab.h"

#include <stdlib.h>

enum { FUNCTION_SIZE = 0x10, TEXT = 0x1000 };

/* Makes COUNT functions of FUNCTION_SIZE bytes from TEXT on, with the names NAMES, or `f' if
   NULL.  */
static inline void program_symbols(struct profile *p, size_t count, const char *const *names)
{
    struct symbol *symbols = mem_array(count, sizeof *symbols);
    for (size_t i = 0; i < count; i++) {
        symbols[i].addr = TEXT + i * FUNCTION_SIZE;
        symbols[i].name = names ? names[i] : "f";
        symbols[i].file = NO_ID;
        symbols[i].is_func = true;
    }
    symtab_build_from(&p->symtab, symbols, count, TEXT + count * FUNCTION_SIZE);
}

struct call {
    uint32_t caller, callee;
    uint64_t count;
};

/* A builder of all that P has about arcs.  */
static inline struct arc_builder program_arcs(struct profile *p)
{
    return (struct arc_builder){
        .symtab = &p->symtab, .filters = &p->filters, .table = &p->arcs, .has_callers = true};
}

static inline void program_calls(struct profile *p, const struct call *calls, size_t count)
{
    struct arc_builder builder = program_arcs(p);
    for (size_t i = 0; i < count; i++)
        arcs_add(&builder, calls[i].caller, calls[i].callee, calls[i].count);
    arcs_finish(&builder);
}

/* The position of an arc in the order of first appearance, from 0.  */
static inline uint32_t program_age(const struct profile *p, uint32_t arc)
{
    uint32_t age = 0;
    while (p->arcs.by_age[age] != arc)
        age++;
    return age;
}

/* Finds cycles and propagates TIMES, which are in ticks, by symbol id.  */
static inline void program_times(struct profile *p, const double *times)
{
    cycles_find(&p->graph, &p->symtab, &p->arcs);
    propagate(&p->times, &p->graph, &p->arcs, times, 1, &p->filters);
}

/* Computes everything from symbols and calls up to the sorted views.  */
static inline void program_graph(struct profile *p, const double *times)
{
    program_times(p, times);
    views_order_rows(&p->views, &p->symtab, &p->graph, false);
    views_order_entries(&p->views, &p->symtab, &p->graph, &p->times, false);
    views_order_lines(&p->views, &p->arcs, &p->graph, &p->times);
}

#endif
