/* make_code.h - divides the times of functions among their source lines and instructions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_MAKE_CODE_H
#define REGPROF_ANALYSIS_MAKE_CODE_H

#include "model/code_view.h"
#include "model/model.h"

struct code_place {
    uint32_t file; /* file id; NO_ID: not known */
    uint32_t line;
};

/* Code of a function up to the next piece: of one line, or one instruction.  */
struct code_piece {
    vma addr;
    struct code_place place; /* what it comes from */
    struct code_place site;  /* the line of the function that it was inlined into; line 0: none */
    const char *text;        /* of the instruction; NULL: it was not disassembled */
    bool is_jump;            /* it is a call, a jump or a return */
};

/* A function that is shown, with its pieces [first, end), ascending; the first begins with it.  */
struct code_range {
    uint32_t symbol; /* symbol id */
    size_t first, end;
    struct code_place place; /* where the function begins, whatever was inlined there */
    bool is_disassembled;    /* some pieces have texts */
};

struct code_rules {
    const struct code_range *functions; /* in the order to show */
    size_t function_count;
    const struct code_piece *pieces;
    const struct recorded_stacks *stacks; /* that measure times, with their places; NULL: the
                                             histogram does */
    double sample_time;                   /* of a tick of the histogram, or of a stack */
    double least;    /* ticks or stacks: rows with fewer, own and in total, are left out */
    bool by_address; /* functions that were disassembled have their instructions in the order of
                        addresses, each with its neighbours, below lines without times */
    bool is_sampled; /* samples are where the program was interrupted: late */
};

/* Adds the rows of the functions of VIEW, which has none; only instructions have texts.  The own
   times of the lines of a function add up to its own, those of the instructions and inlined lines
   of a line to the line's; by address, those of instructions to the function's.  A stack counts
   once in the total of a line, however often the line is in it.  */
void make_code(struct code_view *view, const struct profile *profile,
               const struct code_rules *rules);

#endif
