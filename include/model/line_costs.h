/* line_costs.h - own times and calls of the functions of a snapshot, by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_LINE_COSTS_H
#define REGPROF_MODEL_LINE_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The own time of some code of a function that belongs to one line, or the calls of one callee from
   there.  */
struct line_cost {
    uint32_t function; /* function id; that of the caller */
    uint32_t callee;   /* function id */
    const char *file; /* of inlined code, this is not that of the function; NULL: not known, and the
                         place is that of the function */
    uint32_t line;
    bool is_call;
    uint64_t calls;
    double time; /* of calls: the inclusive time of the callee that is charged to them */
};

/* Ascending by function, then by address.  */
struct line_costs {
    struct line_cost *costs;
    size_t count, capacity;
};

#endif
