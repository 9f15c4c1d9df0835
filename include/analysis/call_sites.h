/* call_sites.h - whether recorded callees are where the code of an image counts calls.

   A function that is compiled with -pg calls mcount or __fentry__ at its start, and a profile names
   the callee of an arc by the return address of that call (on SPARC, by the address of the call).
   In another executable, or another build, hardly any of these addresses is behind a call.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_CALL_SITES_H
#define REGPROF_ANALYSIS_CALL_SITES_H

#include "analysis/callscan.h"
#include "model/model.h"

/* Whether a call instruction, direct or indirect, ends where execution would continue at ADDR.
   False for a processor that callscan does not know.  Reads nothing outside of CODE, which may be
   the part of the text from ADDR - CALL_BEFORE to ADDR + CALL_AFTER.  */
enum { CALL_BEFORE = 8, CALL_AFTER = 4 };
bool is_behind_call(const struct code *code, vma addr);

/* Up to CALLEE_SAMPLE callees of a profile, evenly spread over its arcs: every STEP-th, which is a
   power of two.  Start with a zeroed struct.  */
enum { CALLEE_SAMPLE = 256 };
struct callee_sample {
    vma addrs[CALLEE_SAMPLE];
    size_t count;
    uint64_t step, seen; /* step 0: as 1 */
};

/* Adds the next callee, which may push others out.  */
void callee_sample_add(struct callee_sample *sample, vma addr);
void callee_sample_clear(struct callee_sample *sample);

#endif
