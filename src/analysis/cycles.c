/* cycles.c - numbers the functions depth-first and joins those that call each other.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/cycles.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

/* A depth-first walk that keeps its path in an array instead of recursing.  `heads' has the symbols
   of the path that are the head of a cycle or in no cycle.  When a callee is on the path, or in a
   cycle whose head is, all heads above that head join its cycle and leave `heads' for good.

   The members of a cycle are a linked list that begins with the head, so a list is appended in
   constant time; the head of a member is found as in a union-find forest.  */
enum { UNSEEN, ON_PATH, DONE };

struct walk {
    const struct arc_table *arcs;
    uint32_t *head; /* by symbol: a member nearer to the head of its cycle; a head: itself */
    uint32_t *next; /* by symbol: next member, or NO_ID */
    uint32_t *last; /* by head: last member */
    uint8_t *state;
    uint32_t *path; /* symbols on the path */
    uint32_t *arc;  /* by path position: the arc followed last; newest first */
    size_t depth;
    uint32_t *heads;
    size_t head_count;
    uint32_t *number;
    uint32_t next_number;
};

static void walk_init(struct walk *walk, size_t n, const struct arc_table *arcs)
{
    *walk = (struct walk){.arcs = arcs,
                          .head = identity_ids(n),
                          .next = mem_array(n, sizeof(uint32_t)),
                          .last = identity_ids(n),
                          .state = mem_array(n, 1),
                          .path = mem_array(n, sizeof(uint32_t)),
                          .arc = mem_array(n, sizeof(uint32_t)),
                          .heads = mem_array(n, sizeof(uint32_t)),
                          .number = mem_array(n, sizeof(uint32_t)),
                          .next_number = 1};
    for (size_t i = 0; i < n; i++)
        walk->next[i] = NO_ID;
}

/* Frees everything except for the numbers, which the graph owns.  */
static void walk_free(struct walk *walk)
{
    free(walk->head);
    free(walk->next);
    free(walk->last);
    free(walk->state);
    free(walk->path);
    free(walk->arc);
    free(walk->heads);
}

static uint32_t find_head(struct walk *walk, uint32_t symbol)
{
    uint32_t head = symbol;
    while (walk->head[head] != head)
        head = walk->head[head];
    while (walk->head[symbol] != head) {
        uint32_t up = walk->head[symbol];
        walk->head[symbol] = head;
        symbol = up;
    }
    return head;
}

static void enter(struct walk *walk, uint32_t symbol)
{
    uint32_t end = walk->arcs->callee_start[symbol + 1];
    for (uint32_t i = walk->arcs->callee_start[symbol]; i < end; i += 2)
        PREFETCH(&walk->arcs->arcs[i]);
    walk->state[symbol] = ON_PATH;
    walk->arc[walk->depth] = end;
    walk->path[walk->depth++] = symbol;
    walk->heads[walk->head_count++] = symbol;
}

static void leave(struct walk *walk)
{
    uint32_t symbol = walk->path[--walk->depth];
    walk->state[symbol] = DONE;
    if (walk->head[symbol] != symbol)
        return;
    walk->head_count--;
    for (uint32_t m = symbol; m != NO_ID; m = walk->next[m])
        walk->number[m] = walk->next_number;
    walk->next_number++;
}

/* Lets the heads above HEAD on the path join its cycle, in path order, each with its members.

   Example: a calls b, b calls c, c calls d, d calls c, then b.

       path      heads     callee    joins
       a b c d   a b c d   c         d joins c: members c d
       a b c d   a b c     b         c joins b, with d: members b c d
                 a b                 the head of c and d is b from now on  */
static void join(struct walk *walk, uint32_t head)
{
    size_t at = walk->head_count;
    while (walk->heads[at - 1] != head)
        at--;
    for (size_t i = at; i < walk->head_count; i++) {
        uint32_t joining = walk->heads[i];
        walk->next[walk->last[head]] = joining;
        walk->last[head] = walk->last[joining];
        walk->head[joining] = head;
    }
    walk->head_count = at;
}

static void walk_from(struct walk *walk, uint32_t root)
{
    enter(walk, root);
    while (walk->depth > 0) {
        uint32_t symbol = walk->path[walk->depth - 1];
        uint32_t *arc = &walk->arc[walk->depth - 1];
        if (*arc == walk->arcs->callee_start[symbol]) {
            leave(walk);
            continue;
        }
        uint32_t callee = walk->arcs->arcs[--*arc].callee;
        if (walk->state[callee] == UNSEEN) {
            enter(walk, callee);
        } else {
            uint32_t head = find_head(walk, callee);
            if (walk->state[head] == ON_PATH)
                join(walk, head);
        }
    }
}

/* ---- The graph ---- */

static void list_members(struct graph *graph, const struct walk *walk)
{
    size_t n = graph->symbol_count, total = 0;
    for (uint32_t s = 0; s < n; s++) {
        if (walk->head[s] != s)
            total++;
        else if (walk->next[s] != NO_ID)
            graph->cycle_count++, total++;
    }
    graph->count = n + graph->cycle_count;
    graph->nodes = mem_array(graph->count, sizeof *graph->nodes);
    graph->cycle = mem_array(graph->count, sizeof *graph->cycle);
    graph->members = mem_array(total, sizeof *graph->members);
    graph->member_start = mem_array(graph->cycle_count + 1, sizeof *graph->member_start);
    uint32_t cycle = 0, at = 0;
    for (uint32_t s = 0; s < n; s++) {
        if (walk->head[s] != s || walk->next[s] == NO_ID)
            continue;
        graph->cycle[n + cycle] = cycle + 1;
        cycle++;
        for (uint32_t m = s; m != NO_ID; m = walk->next[m]) {
            graph->cycle[m] = cycle;
            graph->members[at++] = m;
        }
        graph->member_start[cycle] = at;
    }
}

static void count_calls(struct graph *graph, const struct arc_table *arcs)
{
    for (size_t s = 0; s < graph->symbol_count; s++) {
        graph->nodes[s].calls = arcs->calls[s];
        graph->nodes[s].self_calls = arcs->self_calls[s];
    }
    for (size_t i = 0; i < arcs->count; i++) {
        const struct arc *arc = &arcs->arcs[i];
        uint32_t cycle = graph->cycle[arc->callee];
        if (cycle == 0 || arc->caller == arc->callee)
            continue;
        struct node *whole = &graph->nodes[graph->symbol_count + cycle - 1];
        if (graph->cycle[arc->caller] == cycle)
            whole->self_calls = sum_u64(whole->self_calls, arc->count);
        else
            whole->calls = sum_u64(whole->calls, arc->count);
    }
}

void cycles_find(struct graph *graph, const struct symtab *symtab, const struct arc_table *arcs)
{
    struct walk walk;
    graph->symbol_count = symtab->count;
    walk_init(&walk, symtab->count, arcs);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (walk.state[s] == UNSEEN)
            walk_from(&walk, s);
    list_members(graph, &walk);
    graph->number = walk.number;
    walk_free(&walk);
    count_calls(graph, arcs);
}

void graph_free(struct graph *graph)
{
    free(graph->nodes);
    free(graph->cycle);
    free(graph->members);
    free(graph->member_start);
    free(graph->number);
    *graph = (struct graph){0};
}
