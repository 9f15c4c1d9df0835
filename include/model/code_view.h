/* code_view.h - functions with the times of their source lines and instructions (--code).

   The rows of a function are its source lines near samples, ascending; below each line the lines
   that were inlined into it, and below each of these, or below the line itself, the instructions
   that come from it:

       CODE_LINE           60.0 %  for (i = 0; i < n; i++) sum += square(a[i]);
       CODE_INSTRUCTION    20.0 %      add    $0x4,%rax
       CODE_INLINED        40.0 %    square.h:7  return x * x;
       CODE_INSTRUCTION    40.0 %      imul   %edx,%edx

   The own time of a row is that of all its code.  In the order of addresses, instructions are
   ascending, and lines without times stand where others begin; see make_code.h.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_CODE_VIEW_H
#define REGPROF_MODEL_CODE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_kind {
    CODE_LINE,           /* of the function; of line 0: code whose line is not known */
    CODE_INLINED,        /* of a function that was inlined into the line above */
    CODE_INSTRUCTION,    /* of the nearest line above */
    CODE_GAP,            /* lines are left out here */
    CODE_INSTRUCTION_GAP /* instructions are */
};

struct code_row {
    enum code_kind kind;
    const char *file;   /* path; NULL: that of the function, or not known */
    uint32_t line;      /* 0: not known */
    uint64_t address;   /* of an instruction */
    const char *text;   /* without newline; NULL: not known */
    double self, total; /* times; NaN: the line has no code, or (total) it is not known */
    bool is_late;       /* a call or a jump with much of the function's own time: a sample stands
                           one instruction behind its cause */
};

struct code_function {
    uint32_t id; /* function id */
    const char *name;
    const char *file; /* path; NULL: not known */
    uint32_t line;    /* 0: not known */
    double self, total;
    size_t first, end; /* its rows */
};

/* Zeroed = empty; see code_view_free.  It owns neither paths nor texts.  */
struct code_view {
    struct code_function *functions; /* the most own time first */
    struct code_row *rows;
    size_t function_count, row_count, row_capacity;
    size_t left_out;        /* functions that do not fit a terminal, behind those that do */
    double whole;           /* time that is 100 % */
    bool has_totals;        /* of rows: the times are measured by stacks */
    bool has_instructions;  /* some row is an instruction */
    bool has_late;          /* some row is late */
    unsigned bytes_per_bin; /* that samples are known by; 0: each has an address */
};

void code_view_free(struct code_view *view);

#endif
