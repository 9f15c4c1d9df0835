/* callscan.h - calls that stand in the text, whether they were made or not (-c).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_CALLSCAN_H
#define REGPROF_ANALYSIS_CALLSCAN_H

#include "analysis/arcs.h"
#include "model/model.h"

/* The text of an image.  */
struct code {
    enum image_arch arch;
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
    unsigned entry;   /* how many bytes behind its first one a function may be entered */
    bool is_indirect; /* it leads wherever a register or memory says; `target' says nothing */
};

typedef void callscan_found(void *context, const struct call *call);

/* Whether the processor's calls are known; and whether some of those that are found are indirect.
 */
bool callscan_is_known(enum image_arch arch);
bool callscan_has_indirect(enum image_arch arch);

/* Tells FOUND of every call instruction that begins in [FROM, END), by address
   (ARM: first as A32, then as T32).  What is outside
   the text is passed over, and nothing outside is read.  Data in the text may look like calls.  */
void callscan(const struct code *code, vma from, vma end, callscan_found *found, void *context);

/* Adds an arc with count 0 for every call from a symbol to where another is entered, or it itself,
   as far as the histograms reach at both ends.  (A symbol in several histograms is looked at only
   as far as the one reaches that was read first.)  Indirect calls go to the symbol INDIRECT.  */
void callscan_add_arcs(struct arc_builder *arcs, const struct code *code,
                       const struct hist_set *hist, uint32_t indirect);

#endif
