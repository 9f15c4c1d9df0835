/* callscan.h - finds call instructions in the code (-c), and the calls before return addresses.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_CALLSCAN_H
#define REGPROF_ANALYSIS_CALLSCAN_H

#include "analysis/arcs.h"
#include "model/model.h"

/* ---- Call instructions ---- */

/* The text of an image.  */
struct code {
    const char *arch; /* the processor's family, as libbfd calls it: `i386' for x86-64, too */
    bool is_big_endian;
    bool sign_extends;     /* 32-bit addresses */
    unsigned pointer_size; /* 4 or 8 bytes */
    vma start;             /* of the text */
    const unsigned char *bytes;
    size_t size;
};

/* A call instruction.  */
struct call {
    vma target;
    unsigned entry;   /* the call may enter up to so many bytes after the start of a function */
    bool is_indirect; /* the target is in a register or in memory; `target' has no meaning */
};

typedef void callscan_found(void *context, const struct call *call);

/* Whether calls of this processor can be found, and whether indirect ones can.  */
bool callscan_is_known(const char *arch);
bool callscan_has_indirect(const char *arch);

/* Calls FOUND for every call instruction that begins in [FROM, END) inside the text, by address (on
   ARM first read as A32, then as T32).  Data in the text may look like calls.  */
void callscan(const struct code *code, vma from, vma end, callscan_found *found, void *context);

/* Adds an arc with count 0 for every call to an entry of a symbol, if both ends are inside the
   histograms.  (A symbol that several histograms overlap is scanned only inside the one that was
   read first.)  Indirect calls are arcs to the symbol INDIRECT.  */
void callscan_add_arcs(struct arc_builder *arcs, const struct code *code,
                       const struct hist_set *hist, uint32_t indirect);

/* ---- Return addresses ---- */

/* A function that is compiled with -pg calls mcount or __fentry__ at its start, and a profile names
   the callee of an arc by the return address of that call (on SPARC, by the address of the call).
   In another executable, or another build, hardly any of these addresses is behind a call.  */

/* Whether a call instruction, direct or indirect, ends where execution would continue at ADDR.
   False for a processor that callscan does not know.  Reads nothing outside of CODE, which may be
   the part of the text from ADDR - CALL_BEFORE to ADDR + CALL_AFTER.  */
enum { CALL_BEFORE = 8, CALL_AFTER = 4 };
bool is_behind_call(const struct code *code, vma addr);

/* Up to CALLEE_SAMPLE callees of a profile, evenly spread over its arcs: every `step'-th, a power
   of two.  Start with a zeroed struct.  */
enum { CALLEE_SAMPLE = 256 };
struct callee_sample {
    vma addrs[CALLEE_SAMPLE];
    size_t count;
    uint64_t step, seen; /* step 0: as 1 */
};

/* Adds the next callee, if its number is a multiple of `step'; halves the sample when it is
   full.  */
void callee_sample_add(struct callee_sample *sample, vma addr);
void callee_sample_clear(struct callee_sample *sample);

#endif
