/* trace.h - prints the results of each stage (-d), one fact per line.

   Each function prints the results of a finished stage, or nothing if trace->stages lacks the bit
   of that stage.  Manual, Traces.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_TRACE_H
#define REGPROF_PROGRAM_TRACE_H

#include "model/model.h"
#include "options/options.h"

/* The symbols, and those that each symspec option selects.  */
void trace_symbols(const struct trace *trace, const struct profile *profile);
void trace_specs(const struct trace *trace, const struct profile *profile);

/* Traces while profiles are read: an arc or block, and the symbols at its addresses or NO_ID.  */
struct traced_arc {
    vma from, self;
    uint64_t count;
    uint32_t caller, callee;
};
void trace_arc(const struct trace *trace, const struct symtab *symtab,
               const struct traced_arc *arc);
void trace_block(const struct trace *trace, const struct symtab *symtab, const struct block *block);

/* A call found in the text.  */
void trace_static_call(const struct trace *trace, const struct symtab *symtab,
                       const struct arc *call);

/* Trace after profiles are read: the histograms, added up; the blocks by symbol.  */
void trace_histograms(const struct trace *trace, const struct hist_set *set);
void trace_blocks(const struct trace *trace, const struct profile *profile);

/* Trace self time and calls; numbers and cycles; print flags, fractions and times; the order of
   callers and callees; the lines of annotated sources.  */
void trace_tally(const struct trace *trace, const struct profile *profile);
void trace_graph(const struct trace *trace, const struct profile *profile);
void trace_propagation(const struct trace *trace, const struct profile *profile);
void trace_sorting(const struct trace *trace, const struct profile *profile);
void trace_annotation(const struct trace *trace, const struct profile *profile);

#endif
