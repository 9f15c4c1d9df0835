/* trace.h - what the program works out on the way to its reports (-d), one line a fact.

   Each function tells of one stage that is finished; it prints nothing unless STAGES has the bit of
   its stage.  Manual, Traces.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_TRACE_H
#define REGPROF_PROGRAM_TRACE_H

#include <stdio.h>

#include "model/model.h"

/* The stages, as they are added up in the argument of -d.  */
enum trace_stage {
    TRACE_NUMBERING = 2,
    TRACE_CYCLES = 4,
    TRACE_TALLY = 16,
    TRACE_SORTING = 32,
    TRACE_RECORDS = 64,
    TRACE_SYMBOLS = 128,
    TRACE_STATIC_CALLS = 256,
    TRACE_LOOKUPS = 512,
    TRACE_PROPAGATION = 1024,
    TRACE_BLOCKS = 2048,
    TRACE_SPECS = 4096,
    TRACE_ANNOTATION = 8192,
    TRACE_ALL = 0x3FF6
};

struct trace {
    unsigned stages; /* or-ed trace_stage */
    FILE *out;
};

/* Symbols and the filters that name them.  */
void trace_symbols(const struct trace *trace, const struct profile *profile);
void trace_specs(const struct trace *trace, const struct profile *profile);

/* While profiles are read: an arc or a block, and the symbols that its addresses lead to (NO_ID:
 * none).  */
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

/* When they are read: histograms as they were added up, and blocks by symbol.  */
void trace_histograms(const struct trace *trace, const struct hist_set *set);
void trace_blocks(const struct trace *trace, const struct profile *profile);

/* Own time; numbers and cycles; flags, fractions and times; the order of callers and callees; the
   lines of annotated sources.  */
void trace_tally(const struct trace *trace, const struct profile *profile);
void trace_graph(const struct trace *trace, const struct profile *profile);
void trace_propagation(const struct trace *trace, const struct profile *profile);
void trace_sorting(const struct trace *trace, const struct profile *profile);
void trace_annotation(const struct trace *trace, const struct profile *profile);

#endif
