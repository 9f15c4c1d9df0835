/* bounds.h - between which values inclusive times lie, whatever each call costs.

   The `total' of a function (its self and child time in the call graph) rests on the assumption
   that each call of a function takes the same time.  Two bounds do not:

     least   own time of all functions that are reached only through f, f included
     most    own time of all functions that f leads to, f included

            own time   least   most
     main           0      85     85     main calls parse and draw,
     parse          5      45     75     parse calls lex and copy,
     lex           40      40     40     draw calls copy:
     draw          10      10     40     how much of its 30 ticks copy spent for parse and how much
     copy          30      30     30     for draw is not known

   `least' of a member of a cycle is as that of any function.  The node of a cycle has bounds of the
   time of all samples that were made in a member or in what one called; `most' of its members is
   the same, since each leads to all others.

   Calls with the count 0 (-c) lead nowhere, and calls from a function to itself change nothing.

   What is reached only through f is f's subtree in the dominator tree of the call graph, with a
   root that calls every function that may be entered from elsewhere:
     - a function that no other one called, or any member of a cycle that nobody called from
       outside, among them the start of the program and of threads, handlers, callbacks from
   libraries, and functions compiled without -pg, which have time but whose calls nobody counted;
     - a function with a call from an address that no symbol covers;
     - the callee of an arc that a filter excluded (-k; -q and -Q with FROM/TO).

   What holds: 0 <= least <= total <= most <= all own time, for each function outside cycles and
   each cycle, up to the rounding of `total'.  `total' lies outside in these cases:
     - a single member of a cycle: its entry in the call graph has only its own time and what it
       called, but not what members below it did, which may be less than `least' (compare the node
       that node_of_symbol gives);
     - a cycle that nobody calls from outside: its entry in the call graph has no own time (its
       time + inherited is between the bounds);
     - the calls of a callee add up to more than a count holds: its callers share more time than it
       has.
   If filters (-n, -N, -E, -F) keep time out of the graph, there are no bounds.

   The inclusive time that a sampling of call stacks sees lies between least and most, too, if the
   profile has the calls.  It does not have all of them in these cases:
     - f calls a function that does not count its calls (compiled without -pg), or passes a callback
       to a library: `most' of f and its callers lacks the time of the function or callback; `least'
       stays right;
     - a function is called by others and also from outside the image, where nobody counts (a
       comparison called by qsort and by f), or while profiling is switched off, or when the table
       of calls is full: `least' of the others may be too high, since nothing in the profile shows
       such calls;
     - filters exclude arcs: `most' is about the remaining ones.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_BOUNDS_H
#define REGPROF_ANALYSIS_BOUNDS_H

#include "model/model.h"

/* Sets bounds.least of all nodes of PROFILE's graph, in which times are propagated, and bounds.most
   of the COUNT node ids NODES, the most important first (they may repeat); those not listed keep
   theirs, or NaN.  May be called again with other nodes.

   `least' takes time linear in functions and arcs, but for a logarithm that real programs do not
   show.  So does `most' for every 512 nodes, or for every 512 functions with own time if these are
   fewer than NODES.  Where that is too long for a report (more than BOUNDS_STEPS visits of an arc
   or a function), the first nodes in the list have exact values, and the others NaN.  */
#define BOUNDS_STEPS ((uint64_t)1 << 27)
void bounds_compute(struct profile *profile, const uint32_t *nodes, size_t count);

void bounds_free(struct bounds *bounds);

#endif
