/* blurbs.c - the explanations that are printed with the tables.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/blurbs.h"

#include <stddef.h>

/* Each text stands here as it is printed, in parts, with an empty line between each two.  What both
   layouts say in the same words is a macro.  All strings in this file, and nothing else, are texts
   to translate (po/local.mk); xgettext would take some for printf formats, and is told.  */

/* clang-format off */

/* ---- The flat profile ---- */

#define FLAT_PURPOSE \
    "It answers the question in which functions the time went, whoever called them.\n" \
    "While the program ran, it was stopped for a moment at regular intervals, and\n" \
    "whichever function it was in got a sample.  All times are counts of samples.\n" \
    "They are estimates: of a function with N samples, give or take the square\n" \
    "root of N.  One that shows a single sample may have been lucky or unlucky.\n"

#define FLAT_COLUMNS \
    /* xgettext:no-c-format */ \
    "  % time      What part of all samples this function got.\n" \
    "\n" \
    "  cumulative  Time of this row and of all rows above it.  It tells how many\n" \
    "              functions one has to look at to cover most of the run.\n" \
    "\n" \
    "  self        Time in the function's own code, without what it calls.  Rows\n" \
    "              are in the order of this column; of two that are equal, the one\n" \
    "              with more calls is first, then the alphabet decides.\n" \
    "\n" \
    "  calls       How many times other functions called it.  Its calls to itself\n" \
    "              are in the call graph only.\n" \
    "\n" \
    "  self/call   Own time divided by calls: what one call costs here.\n" \
    "\n" \
    "  total/call  What one call costs with everything that is called from it.\n" \
    "              This follows the call graph, and shares its assumptions.\n"

#define FLAT_BLANKS \
    "The three columns about calls are blank where no call was seen: the function\n" \
    "was not compiled for profiling (-pg), or it is called from outside the program\n" \
    "only, as main is.\n"

#define FLAT_ZEROS \
    "Functions without samples and calls are left out, unless -z asks for them.\n"

const char *const blurb_flat[] = {
    "Reading the flat profile\n",
    FLAT_PURPOSE,
    FLAT_COLUMNS,
    "Times per call have the unit (seconds, or thousandths \"m\", millionths \"u\" of\n"
    "them and so on) in which the largest of them is a handy number; the heading\n"
    "says which.\n",
    FLAT_BLANKS,
    FLAT_ZEROS,
    NULL
};

const char *const blurb_flat_traditional[] = {
    "Reading the flat profile\n",
    FLAT_PURPOSE,
    FLAT_COLUMNS,
    "  name [n]    The function, the cycle it belongs to if there is one, and where\n"
    "              its entry in the call graph is.  (n) in round brackets: it would\n"
    "              have been entry n, but an option keeps it out.\n",
    "Times per call are always in thousandths.\n",
    FLAT_BLANKS,
    FLAT_ZEROS,
    NULL
};

/* ---- The call graph ---- */

#define GRAPH_PURPOSE \
    "It answers the question on whose behalf the time was spent.  Time that was\n" \
    "sampled in a function is handed on to its callers, from there to theirs, and\n" \
    "so on up to the top, so that a function is seen with all the work it caused.\n"

#define GRAPH_ASSUMPTION \
    "How often who called whom is known exactly.  How long each of those calls took\n" \
    "is not: a function's time is shared out among its callers by their numbers of\n" \
    "calls, as if every call took equally long.  If f is quick when it is called by\n" \
    "g, and slow when called by h, the figures for g are too high and those for h\n" \
    "too low.\n"

#define GRAPH_CYCLES \
    "Cycles.  Functions that call each other in a circle cannot hand time on one to\n" \
    "the next for ever.  They are put together as a cycle with a number, and time is\n" \
    "handed on to the cycle as one thing, and from it to its outside callers:\n"

#define GRAPH_CYCLE_NAMES \
    "  <cycle 2>             behind a name: the function is a member of cycle 2\n" \
    "  <cycle 2 as a whole>  an entry of its own, with the members below it in the\n" \
    "                        place of callees.  Its calls are those from outside,\n" \
    "                        and behind the + those between different members.\n"

#define GRAPH_CYCLE_CALLS \
    "Calls from member to member, like those of a function to itself, carry no time:\n" \
    "their lines have a number of calls and nothing else.  Where a member is called\n" \
    "from outside, the number behind the / is that of all calls into the cycle, and\n" \
    "the time is a share of the whole cycle's.  If a call that hardly matters closes\n" \
    "a circle, leave it out with -k caller/callee and look again.\n"

#define GRAPH_SPONTANEOUS \
    "<spontaneous> stands for a caller nobody saw: the system, or code that was not\n" \
    "compiled for profiling.\n"

#define GRAPH_ZEROS \
    "A callee with 0 calls was not called in this run, but the program can call it.\n"

#define GRAPH_INDEX \
    "Functions without time and calls have no entry, unless -z asks for it.  The\n" \
    "index at the end lists functions by name, with the numbers of their entries.\n"

/* What both say at the end.  */
#define GRAPH_REST \
    GRAPH_ASSUMPTION, GRAPH_CYCLES, GRAPH_CYCLE_NAMES, GRAPH_CYCLE_CALLS, \
    GRAPH_SPONTANEOUS, GRAPH_ZEROS, GRAPH_INDEX

const char *const blurb_graph[] = {
    "Reading the call graph\n",
    GRAPH_PURPOSE,
    "Every function has an entry, set off by lines of dashes.  Entries are numbered\n"
    "by the time in and below their functions, most first.  This is one:\n",
    "                  0.10    0.30       1/4           first [4]\n"
    "                  0.30    0.90       3/4           second [2]\n"
    "  [3]     40.0    0.40    1.20       4+6       middle [3]\n"
    "                  0.80    0.00      20/25          lower [7]\n"
    "                  0.30    0.10       2/2           deeper [9]\n"
    "                                     6             middle [3]\n",
    "The line that starts with a number in brackets is about the function itself.\n"
    "Above it are its callers, below it are the functions it calls, each with the\n"
    "number of its own entry.  The most important ones are next to the middle: the\n"
    "callers rise towards it, and the callees fall away from it.\n",
    /* xgettext:no-c-format */
    "  In the line of the function\n"
    "    % time    part of the total time that was spent in it and below it.  What\n"
    "              is counted for a function is counted for its callers again, so\n"
    "              these do not add up to 100.\n"
    "    self      time in its own code\n"
    "    children  time in what it called, and in what those called\n"
    "    called    calls by others, and behind a + its calls to itself; blank if\n"
    "              none was seen\n",
    "  In the line of a caller\n"
    "    self      part of the function's self time that this caller answers for\n"
    "    children  part of the function's children time, likewise\n"
    "    called    calls by this caller / calls by all callers\n",
    "  In the line of a callee\n"
    "    self      part of the callee's self time that the function answers for\n"
    "    children  part of the callee's children time, likewise\n"
    "    called    calls by the function / calls of the callee by all its callers\n",
    "So `middle' was called 4 times, once by `first', 3 times by `second', and\n"
    "6 times by itself.  It made 20 of the 25 calls of `lower'.  The callers' self\n"
    "adds up to its self, their children to its children; the callees' self and\n"
    "children together are its children.\n",
    "A number in round brackets, (5): the function would have been entry 5, but an\n"
    "option keeps it out.\n",
    GRAPH_REST,
    NULL
};

const char *const blurb_graph_traditional[] = {
    "Reading the call graph\n",
    GRAPH_PURPOSE,
    "Every function has an entry, set off by lines of dashes.  Entries are numbered\n"
    "by the time in and below their functions, most first.  An entry looks like its\n"
    "heading, and like this:\n",
    "                  0.10        0.30       1/4           first [4]\n"
    "                  0.30        0.90       3/4           second [2]\n"
    "  [3]     40.0    0.40        1.20       4+6       middle [3]\n"
    "                  0.80        0.00      20/25          lower [7]\n"
    "                  0.30        0.10       2/2           deeper [9]\n"
    "                                         6             middle [3]\n",
    "The line that starts with a number in brackets is about the function itself.\n"
    "Above it are its parents, the functions that call it; below it are its\n"
    "children, the functions it calls; each with the number of its own entry.  The\n"
    "most important ones are next to the middle: the parents rise towards it, and\n"
    "the children fall away from it.\n",
    /* xgettext:no-c-format */
    "  In the line of the function\n"
    "    %time        part of the total time that was spent in it and below it.\n"
    "                 What is counted for a function is counted for its parents\n"
    "                 again, so these do not add up to 100.\n"
    "    self         time in its own code\n"
    "    descendants  time in what it called, and in what those called\n"
    "    called+self  calls by others, and behind the + its calls to itself; blank\n"
    "                 if none was seen\n",
    "  In the line of a parent\n"
    "    self         part of the function's self time that this parent answers for\n"
    "    descendants  part of the function's descendants time, likewise\n"
    "    called/total calls by this parent / calls by all parents\n",
    "  In the line of a child\n"
    "    self         part of the child's self time that the function answers for\n"
    "    descendants  part of the child's descendants time, likewise\n"
    "    called/total calls by the function / calls of the child by all its parents\n",
    "So `middle' was called 4 times, once by `first', 3 times by `second', and\n"
    "6 times by itself.  It made 20 of the 25 calls of `lower'.  The parents' self\n"
    "adds up to its self, their descendants to its descendants; the children's self\n"
    "and descendants together are its descendants.\n",
    "  index [n]    the number of an entry.  (n) in round brackets: the function\n"
    "               would have been entry n, but an option keeps it out.\n",
    GRAPH_REST,
    NULL
};

/* ---- Profile by profile ---- */

const char *const blurb_perfile[] = {
    "Reading the profiles one by one\n",
    "It answers the question whether all runs, or all ranks of one, did the same.\n",
    /* xgettext:no-c-format */
    "  % share     What part of the samples of all profiles this one has.\n",
    "  samples     How often the program was found running, wherever that was, and\n"
    "              the time this stands for.\n",
    "  calls       All calls that were counted, of any function.\n",
    "  imbalance   The maximum divided by the mean.  With 1.00 all profiles are\n"
    "              alike; with 2.00 one took twice its fair part, and if the others\n"
    "              had to wait for it, half of their time was lost.\n",
    "  deviation   How far a function's own time is from its mean in a typical\n"
    "              profile (the standard deviation).  At most five functions are\n"
    "              listed, those with the largest, and the profile in which each\n"
    "              has its maximum.\n",
    NULL
};

/* clang-format on */
