/* cycles.c - numbers the functions depth-first and joins those that call each other.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/cycles.h"

#include <assert.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"

/* A depth-first walk that keeps its path in an array instead of recursing, and finds cycles by the
   path-based algorithm for strong components.  `open' has the symbols that were entered and whose
   cycle may still grow, in the order in which they were entered.  A head is where a cycle begins in
   `open'; the cycle ends before the next head.  A callee that is in `open' calls all symbols after
   it, by way of the path, so the heads after it are heads no more.  When the walk leaves a head,
   its cycle is complete, or it is a symbol in no cycle.

   Example: a calls b, b calls c, c calls d, d calls c, then b.

       callee          open       heads
       d, entered      a b c d    1 2 3 4
       c, at place 3   a b c d    1 2 3      c and d are a cycle
       b, at place 2   a b c d    1 2        and b is in it
                       a          1          the walk has left d, c and b: the cycle is complete  */
#define COMPLETE UINT32_MAX

struct step {
    uint32_t symbol;
    uint32_t first, arc; /* the symbol's oldest arc; the arc followed last, from the newest on */
};

/* What the walk knows of a symbol.  */
struct visit {
    uint32_t first;  /* the symbol's oldest arc */
    uint32_t place;  /* in `open', from 1; 0: not entered yet; COMPLETE */
    uint32_t number; /* topological number, if `place' is COMPLETE */
};

struct walk {
    struct visit *visits; /* by symbol, and the end */
    const uint32_t *callees;
    uint32_t *open;
    size_t open_count;
    uint32_t *heads; /* places, ascending */
    size_t head_count;
    struct step *path;
    size_t depth;
    uint32_t *complete; /* symbols by their number; those of a cycle as they were entered */
    uint32_t *first;    /* by number: where it begins in `complete' */
    size_t complete_count;
    uint32_t next_number;
};

/* Makes the walk over N symbols that call CALLEES, whose first ones are at START.  */
static void walk_init(struct walk *walk, size_t n, const uint32_t *start, const uint32_t *callees)
{
    *walk = (struct walk){.visits = mem_uninitialised(n + 1, sizeof(struct visit)),
                          .callees = callees,
                          .open = mem_uninitialised(n, sizeof(uint32_t)),
                          .heads = mem_uninitialised(n, sizeof(uint32_t)),
                          .path = mem_uninitialised(n, sizeof(struct step)),
                          .complete = mem_uninitialised(n, sizeof(uint32_t)),
                          .first = mem_uninitialised(n + 2, sizeof(uint32_t)),
                          .next_number = 1};
    walk->first[1] = 0;
    for (size_t s = 0; s <= n; s++)
        walk->visits[s] = (struct visit){.first = start[s]};
}

static void walk_free(struct walk *walk)
{
    free(walk->visits);
    free(walk->open);
    free(walk->heads);
    free(walk->path);
    free(walk->complete);
    free(walk->first);
}

static void enter(struct walk *walk, uint32_t symbol)
{
    struct visit *visit = &walk->visits[symbol];
    walk->path[walk->depth++] = (struct step){symbol, visit[0].first, visit[1].first};
    walk->open[walk->open_count++] = symbol;
    visit->place = (uint32_t)walk->open_count;
    walk->heads[walk->head_count++] = (uint32_t)walk->open_count;
}

/* Takes the symbols from HEAD on, which are a cycle or HEAD alone, from `open'.  */
static void complete(struct walk *walk, uint32_t head)
{
    size_t first = walk->visits[head].place - 1;
    for (size_t i = first; i < walk->open_count; i++) {
        uint32_t symbol = walk->open[i];
        walk->complete[walk->complete_count++] = symbol;
        walk->visits[symbol].number = walk->next_number;
        walk->visits[symbol].place = COMPLETE;
    }
    walk->open_count = first;
    walk->head_count--;
    walk->first[++walk->next_number] = (uint32_t)walk->complete_count;
}

/* Leaves the last symbol of the path.  */
static void leave(struct walk *walk)
{
    uint32_t symbol = walk->path[--walk->depth].symbol;
    if (walk->heads[walk->head_count - 1] == walk->visits[symbol].place)
        complete(walk, symbol);
}

/* Joins the cycles after PLACE in `open' with the one at PLACE; does nothing for COMPLETE, which is
   above all places.  */
static void join(struct walk *walk, uint32_t place)
{
    while (walk->heads[walk->head_count - 1] > place)
        walk->head_count--;
}

static void walk_from(struct walk *walk, uint32_t root)
{
    enter(walk, root);
    while (walk->depth > 0) {
        struct step *step = &walk->path[walk->depth - 1];
        if (step->arc == step->first) {
            leave(walk);
            continue;
        }
        uint32_t callee = walk->callees[--step->arc];
        if (walk->visits[callee].place == 0)
            enter(walk, callee);
        else
            join(walk, walk->visits[callee].place);
    }
}

/* Walks over all of N symbols.  */
static void walk_all(struct walk *walk, size_t n)
{
    for (uint32_t s = 0; s < n; s++)
        if (walk->visits[s].place == 0)
            walk_from(walk, s);
}

static uint32_t *take_numbers(const struct walk *walk, size_t n)
{
    uint32_t *numbers = mem_uninitialised(n, sizeof *numbers);
    for (size_t s = 0; s < n; s++)
        numbers[s] = walk->visits[s].number;
    return numbers;
}

uint32_t *cycles_number(size_t count, const uint32_t *start, const uint32_t *callees)
{
    struct walk walk;
    walk_init(&walk, count, start, callees);
    walk_all(&walk, count);
    uint32_t *numbers = take_numbers(&walk, count);
    walk_free(&walk);
    return numbers;
}

/* ---- The graph ---- */

/* The members of the cycle with the head SYMBOL.  Sets *COUNT to their number: 0 if it is not the
   head of a cycle.  */
static const uint32_t *members_of(const struct walk *walk, uint32_t symbol, size_t *count)
{
    const uint32_t *first = &walk->first[walk->visits[symbol].number];
    const uint32_t *members = &walk->complete[first[0]];
    size_t n = first[1] - first[0];
    *count = n > 1 && members[0] == symbol ? n : 0;
    return members;
}

/* Lists the members of the cycles, which are numbered in the order of their heads.  */
static void list_members(struct graph *graph, const struct walk *walk)
{
    size_t n = graph->symbol_count, total = 0, count;
    for (uint32_t s = 0; s < n; s++) {
        members_of(walk, s, &count);
        total += count;
        graph->cycle_count += count > 0;
    }
    graph->count = n + graph->cycle_count;
    graph->nodes = mem_array(graph->count, sizeof *graph->nodes);
    graph->cycle = mem_array(graph->count, sizeof *graph->cycle);
    graph->members = mem_array(total, sizeof *graph->members);
    graph->member_start = mem_array(graph->cycle_count + 1, sizeof *graph->member_start);
    uint32_t cycle = 0, at = 0;
    for (uint32_t s = 0; s < n; s++) {
        const uint32_t *members = members_of(walk, s, &count);
        if (count == 0)
            continue;
        graph->cycle[n + cycle] = cycle + 1;
        cycle++;
        for (size_t m = 0; m < count; m++) {
            graph->cycle[members[m]] = cycle;
            graph->members[at++] = members[m];
        }
        graph->member_start[cycle] = at;
    }
    assert(cycle == graph->cycle_count && at == total);
}

/* Finds the arcs that are internal, and counts the calls of each symbol and of each cycle as a
   whole.  */
static void count_calls(struct graph *graph, const struct arc_table *arcs)
{
    graph->is_entered = mem_array(graph->symbol_count, sizeof *graph->is_entered);
    graph->is_internal = mem_array(arcs->count / 8 + 1, sizeof *graph->is_internal);
    for (size_t s = 0; s < graph->symbol_count; s++) {
        graph->nodes[s].calls = arcs->calls[s];
        graph->nodes[s].self_calls = arcs->self_calls[s];
    }
    for (size_t i = 0; i < arcs->count; i++) {
        const struct arc *arc = &arcs->arcs[i];
        uint32_t cycle = graph->cycle[arc->callee];
        bool is_inside = cycle != 0 && graph->cycle[arc->caller] == cycle;
        if (is_inside || arc->caller == arc->callee)
            graph->is_internal[i / 8] |= (uint8_t)(1u << i % 8);
        if (cycle == 0 || arc->caller == arc->callee)
            continue;
        struct node *whole = &graph->nodes[graph->symbol_count + cycle - 1];
        uint64_t *calls = is_inside ? &whole->self_calls : &whole->calls;
        *calls = sum_u64(*calls, arc->count);
        if (!is_inside)
            graph->is_entered[arc->callee] = true;
    }
}

void cycles_find(struct graph *graph, const struct symtab *symtab, const struct arc_table *arcs)
{
    struct walk walk;
    /* In a quarter of the memory that the arcs take.  */
    uint32_t *callees = mem_uninitialised(arcs->count, sizeof *callees);
    for (size_t i = 0; i < arcs->count; i++)
        callees[i] = arcs->arcs[i].callee;
    graph->symbol_count = symtab->count;
    walk_init(&walk, symtab->count, arcs->callee_start, callees);
    walk_all(&walk, symtab->count);
    list_members(graph, &walk);
    graph->number = take_numbers(&walk, symtab->count);
    walk_free(&walk);
    free(callees);
    count_calls(graph, arcs);
}

void graph_free(struct graph *graph)
{
    free(graph->nodes);
    free(graph->cycle);
    free(graph->members);
    free(graph->member_start);
    free(graph->number);
    free(graph->is_entered);
    free(graph->is_internal);
    *graph = (struct graph){0};
}
