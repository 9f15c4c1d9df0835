/* callscan.h - finds call instructions in the text, executed or not (-c).  */
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
    unsigned entry;   /* the call may enter up to so many bytes after the start of a function */
    bool is_indirect; /* the target is in a register or in memory; `target' has no meaning */
};

typedef void callscan_found(void *context, const struct call *call);

/* Whether calls of this processor can be found, and whether indirect ones can.  */
bool callscan_is_known(enum image_arch arch);
bool callscan_has_indirect(enum image_arch arch);

/* Calls FOUND for every call instruction that begins in [FROM, END) inside the text, by address (on
   ARM first read as A32, then as T32).  Data in the text may look like calls.  */
void callscan(const struct code *code, vma from, vma end, callscan_found *found, void *context);

/* Adds an arc with count 0 for every call to an entry of a symbol, if both ends are inside the
   histograms.  (A symbol that several histograms overlap is scanned only inside the one that was
   read first.)  Indirect calls are arcs to the symbol INDIRECT.  */
void callscan_add_arcs(struct arc_builder *arcs, const struct code *code,
                       const struct hist_set *hist, uint32_t indirect);

#endif
