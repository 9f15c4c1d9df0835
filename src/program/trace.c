/* trace.c - prints the results of each stage (-d).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/trace.h"

#include <inttypes.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"

/* ---- Lines ---- */

/* The stream to trace STAGE on; NULL if it is not traced.  */
static FILE *stream_for(const struct trace *trace, enum trace_stage stage)
{
    return (trace->stages & (unsigned)stage) != 0 ? trace->out : NULL;
}

/* Prints a name from a file, with control characters escaped: they could change a terminal.  */
static void put_escaped(FILE *out, const char *name)
{
    struct arena arena = {0};
    fputs(arena_escape(&arena, name), out);
    arena_free(&arena);
}

static void put_name(FILE *out, const struct symtab *symtab, uint32_t symbol)
{
    if (symbol == NO_ID)
        fputs("(no symbol)", out);
    else
        put_escaped(out, symtab->symbols[symbol].name);
}

/* The name, and the end of the line.  */
static void end_with_name(FILE *out, const struct symtab *symtab, uint32_t symbol)
{
    put_name(out, symtab, symbol);
    fputc('\n', out);
}

static void put_node(FILE *out, const struct profile *profile, uint32_t node)
{
    if (is_cycle(&profile->graph, node))
        fprintf(out, "<cycle %" PRIu32 ">", profile->graph.cycle[node]);
    else
        put_name(out, &profile->symtab, node);
}

/* ---- Symbols ---- */

void trace_symbols(const struct trace *trace, const struct profile *profile)
{
    FILE *out = stream_for(trace, TRACE_SYMBOLS);
    if (out == NULL)
        return;
    for (size_t i = 0; i < profile->symtab.count; i++) {
        const struct symbol *s = &profile->symtab.symbols[i];
        if (s->is_outside) /* calls from outside are not known yet */
            continue;
        fprintf(out, "[symbols] 0x%" PRIx64 "-0x%" PRIx64 " %s %s ", s->addr, s->end,
                s->is_static ? "static" : "global",
                s->is_line   ? "line"
                : s->is_func ? "function"
                             : "label");
        put_escaped(out, s->name);
        if (s->file != NO_ID) {
            fputs(" at ", out);
            put_escaped(out, profile->files.paths[s->file]);
            fprintf(out, ":%" PRIu32, s->line);
        }
        fputc('\n', out);
    }
}

static void put_set(FILE *out, const struct symtab *symtab, const char *name,
                    const struct sym_set *set)
{
    for (uint32_t i = 0; set->has != NULL && i < symtab->count; i++) {
        if (!set->has[i])
            continue;
        fprintf(out, "[symspecs] %s: ", name);
        end_with_name(out, symtab, i);
    }
}

static void put_arc_set(FILE *out, const struct symtab *symtab, const char *callers,
                        const char *callees, const struct arc_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        put_set(out, symtab, callers, &set->products[i].callers);
        put_set(out, symtab, callees, &set->products[i].callees);
    }
}

void trace_specs(const struct trace *trace, const struct profile *profile)
{
    const struct filters *f = &profile->filters;
    const struct {
        const char *include, *exclude;
        const struct filter *filter;
    } all[] = {{"include in flat profile", "exclude from flat profile", &f->flat},
               {"include in call graph", "exclude from call graph", &f->graph},
               {"include time", "exclude time", &f->time},
               {"include in execution counts", "exclude from execution counts", &f->counts},
               {"include in annotated source", "exclude from annotated source", &f->annotate}};
    FILE *out = stream_for(trace, TRACE_SPECS);
    if (out == NULL)
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
        put_set(out, &profile->symtab, all[i].include, &all[i].filter->include);
        put_set(out, &profile->symtab, all[i].exclude, &all[i].filter->exclude);
    }
    put_arc_set(out, &profile->symtab, "include arcs from", "include arcs to", &f->include_arcs);
    put_arc_set(out, &profile->symtab, "exclude arcs from", "exclude arcs to", &f->exclude_arcs);
}

/* ---- Records ---- */

static void put_lookup(FILE *out, const struct symtab *symtab, uint32_t symbol, vma addr)
{
    fprintf(out, "[look-ups] 0x%" PRIx64 " is in ", addr);
    end_with_name(out, symtab, symbol);
}

void trace_arc(const struct trace *trace, const struct symtab *symtab, const struct traced_arc *arc)
{
    FILE *out = stream_for(trace, TRACE_RECORDS);
    if (out != NULL)
        fprintf(out, "[records] arc 0x%" PRIx64 " -> 0x%" PRIx64 ", %" PRIu64 " calls\n", arc->from,
                arc->self, arc->count);
    out = stream_for(trace, TRACE_LOOKUPS);
    if (out != NULL) {
        put_lookup(out, symtab, arc->caller, arc->from);
        put_lookup(out, symtab, arc->callee, arc->self);
    }
}

void trace_block(const struct trace *trace, const struct symtab *symtab, const struct block *block)
{
    FILE *out = stream_for(trace, TRACE_RECORDS);
    if (out != NULL)
        fprintf(out, "[records] block 0x%" PRIx64 ", %" PRIu64 " executions\n", block->addr,
                block->count);
    out = stream_for(trace, TRACE_LOOKUPS);
    if (out != NULL)
        put_lookup(out, symtab, block->symbol, block->addr);
}

void trace_static_call(const struct trace *trace, const struct symtab *symtab,
                       const struct arc *call)
{
    FILE *out = stream_for(trace, TRACE_STATIC_CALLS);
    if (out == NULL)
        return;
    fputs("[static calls] ", out);
    put_name(out, symtab, call->caller);
    fputs(" -> ", out);
    end_with_name(out, symtab, call->callee);
}

void trace_histograms(const struct trace *trace, const struct hist_set *set)
{
    FILE *out = stream_for(trace, TRACE_RECORDS);
    if (out == NULL)
        return;
    for (size_t i = 0; i < set->count; i++) {
        const struct histogram *h = &set->hists[i];
        fprintf(out,
                "[records] histogram 0x%" PRIx64 "-0x%" PRIx64 ", %" PRIu32 " bins of %g units\n",
                h->low, h->high, h->bin_count, set->scale);
        for (uint32_t b = 0; b < h->bin_count; b++)
            if (bin_of(h, b) != 0)
                fprintf(out, "[records] bin %" PRIu32 ", %" PRIu64 " samples\n", b, bin_of(h, b));
    }
}

void trace_blocks(const struct trace *trace, const struct profile *profile)
{
    FILE *out = stream_for(trace, TRACE_BLOCKS);
    if (out == NULL)
        return;
    for (size_t i = 0; i < profile->blocks.count; i++) {
        const struct block *block = &profile->blocks.blocks[i];
        fprintf(out, "[basic blocks] 0x%" PRIx64 ", %" PRIu64 " executions, in ", block->addr,
                block->count);
        end_with_name(out, &profile->symtab, block->symbol);
    }
}

/* ---- Analysis ---- */

void trace_tally(const struct trace *trace, const struct profile *profile)
{
    FILE *out = stream_for(trace, TRACE_TALLY);
    if (out == NULL)
        return;
    for (uint32_t s = 0; s < profile->symtab.count; s++) {
        if (profile->hist.time[s] != 0.0) {
            fprintf(out, "[tally] %g ticks in ", profile->hist.time[s]);
            end_with_name(out, &profile->symtab, s);
        }
        if ((profile->arcs.calls[s] | profile->arcs.self_calls[s]) != 0) {
            fprintf(out, "[tally] %" PRIu64 " calls and %" PRIu64 " to itself of ",
                    profile->arcs.calls[s], profile->arcs.self_calls[s]);
            end_with_name(out, &profile->symtab, s);
        }
    }
    fprintf(out, "[tally] %g ticks in all\n", profile->hist.total);
}

static void put_cycles(FILE *out, const struct profile *profile)
{
    const struct graph *graph = &profile->graph;
    for (uint32_t c = 0; c < graph->cycle_count; c++)
        for (uint32_t m = graph->member_start[c]; m < graph->member_start[c + 1]; m++) {
            fprintf(out, "[cycles] cycle %" PRIu32 ": ", c + 1);
            end_with_name(out, &profile->symtab, graph->members[m]);
        }
}

/* Whether NODE stands for callers outside of the image, and there are none.  */
static bool is_unused(const struct profile *profile, uint32_t node)
{
    const uint32_t *start = profile->arcs.callee_start;
    return !is_cycle(&profile->graph, node) && profile->symtab.symbols[node].is_outside &&
           start[node] == start[node + 1];
}

void trace_graph(const struct trace *trace, const struct profile *profile)
{
    FILE *out = stream_for(trace, TRACE_NUMBERING);
    if (out != NULL) {
        for (uint32_t s = 0; s < profile->symtab.count && !is_unused(profile, s); s++) {
            fprintf(out, "[numbering] %" PRIu32 " ", profile->graph.number[s]);
            end_with_name(out, &profile->symtab, s);
        }
    }
    out = stream_for(trace, TRACE_CYCLES);
    if (out != NULL)
        put_cycles(out, profile);
}

void trace_propagation(const struct trace *trace, const struct profile *profile)
{
    FILE *out = stream_for(trace, TRACE_PROPAGATION);
    if (out == NULL)
        return;
    for (uint32_t n = 0; n < profile->graph.count; n++) {
        const struct node *node = &profile->graph.nodes[n];
        if (is_unused(profile, n))
            continue;
        fprintf(out,
                "[propagation] %s, fraction %g, %" PRIu64
                " calls, %g ticks of its own, %g of its children: ",
                node->is_shown ? "shown" : "not shown", node->fraction, node->calls,
                profile->times.nodes[n].self, profile->times.nodes[n].children);
        put_node(out, profile, n);
        fputc('\n', out);
    }
    fprintf(out, "[propagation] %g ticks in all\n", profile->times.total);
}

/* Prints the arcs with the ids IDS[FIRST, END), WHAT (callers or callees) of one symbol, in the
   order of the call graph.  */
static void put_arcs(FILE *out, const struct profile *profile, const char *what,
                     const uint32_t *ids, const struct line_times *times, uint32_t first,
                     uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const struct arc *arc = &profile->arcs.arcs[ids[i]];
        fprintf(out, "[arc sorting] %s, %g ticks, %" PRIu64 " calls: ", what,
                line_total(&times[ids[i]]), arc->count);
        put_name(out, &profile->symtab, arc->caller);
        fputs(" -> ", out);
        end_with_name(out, &profile->symtab, arc->callee);
    }
}

void trace_sorting(const struct trace *trace, const struct profile *profile)
{
    const struct arc_table *arcs = &profile->arcs;
    FILE *out = stream_for(trace, TRACE_SORTING);
    if (out == NULL)
        return;
    for (uint32_t s = 0; s < profile->symtab.count; s++) {
        put_arcs(out, profile, "caller", profile->views.callers, profile->times.callers,
                 arcs->callers.start[s], arcs->callers.start[s + 1]);
        put_arcs(out, profile, "callee", profile->views.callees, profile->times.callees,
                 arcs->callee_start[s], arcs->callee_start[s + 1]);
    }
}

void trace_annotation(const struct trace *trace, const struct profile *profile)
{
    const struct annotation *annotation = &profile->annotation;
    FILE *out = stream_for(trace, TRACE_ANNOTATION);
    if (out == NULL)
        return;
    for (size_t i = 0; i < annotation->count; i++) {
        const struct source *source = &annotation->sources[i];
        for (uint32_t l = source->line_start; l < source->line_end; l++) {
            fputs("[annotation] ", out);
            put_escaped(out, profile->files.paths[source->file]);
            fprintf(out, ":%" PRIu32 ", %" PRIu64 " calls, %" PRIu64 " executions\n",
                    annotation->lines[l].line, annotation->lines[l].calls,
                    annotation->lines[l].shown);
        }
    }
}
