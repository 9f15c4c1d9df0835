/* blurbs.c - the explanations that are printed with the tables.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/blurbs.h"

#include <stddef.h>

/* Each explanation is a list of paragraphs, printed with an empty line between them.  Paragraphs
   that both layouts share are macros.  Every string in this file is translated (po/local.mk);
   comments mark those that xgettext would mistake for printf formats.  */

/* clang-format off */

/* ---- The flat profile ---- */

#define FLAT_PURPOSE \
    "The flat profile shows how much time was spent in each function, regardless of\n" \
    "its callers.  While the program ran, it was interrupted at regular intervals,\n" \
    "and a sample was counted for the function that was executing.  All times are\n" \
    "numbers of samples, and therefore estimates: the error of N samples is about\n" \
    "the square root of N.  A single sample shows little more than that the\n" \
    "function was executed.\n"

#define FLAT_COLUMNS \
    /* xgettext:no-c-format */ \
    "  % time      Percentage of all samples that were in this function.\n" \
    "\n" \
    "  cumulative  Time of this row and of all rows above it.  It shows how many\n" \
    "              functions account for most of the run.\n" \
    "\n" \
    "  self        Time in the function's own code, without the functions it calls.\n" \
    "              Rows are sorted by this column, then by calls, then by name.\n" \
    "\n" \
    "  calls       Number of calls by other functions.  Calls of a function to\n" \
    "              itself are shown in the call graph only.\n" \
    "\n" \
    "  self/call   Self time divided by calls.\n" \
    "\n" \
    "  total/call  Time in the function and in everything it calls, divided by\n" \
    "              calls.  It comes from the call graph: it is estimated, unless\n" \
    "              stacks were read.\n"

#define FLAT_BLANKS \
    "The three columns about calls are blank if no call was recorded: the function\n" \
    "was not compiled with -pg, or, like main, it is called only from outside the\n" \
    "program.\n"

#define FLAT_ZEROS \
    "Functions with no samples and no calls are omitted unless -z is given.\n"

const char *const blurb_flat[] = {
    "Reading the flat profile\n",
    FLAT_PURPOSE,
    FLAT_COLUMNS,
    "Times per call are in the unit shown in the heading: seconds, or \"m\" for\n"
    "thousandths, \"u\" for millionths and so on, chosen so that the largest value is\n"
    "at least 1 and less than 1000.\n",
    FLAT_BLANKS,
    FLAT_ZEROS,
    NULL
};

const char *const blurb_flat_traditional[] = {
    "Reading the flat profile\n",
    FLAT_PURPOSE,
    FLAT_COLUMNS,
    "  name [n]    The function, its cycle if it is in one, and the number of its\n"
    "              entry in the call graph.  A number in parentheses, (n), means\n"
    "              that an option excludes the entry.\n",
    "Times per call are always in thousandths.\n",
    FLAT_BLANKS,
    FLAT_ZEROS,
    NULL
};

/* ---- The call graph ---- */

#define GRAPH_PURPOSE \
    "The call graph shows which callers caused the time to be spent.  Time sampled in\n" \
    "a function is propagated to its callers, from them to their callers, and so on\n" \
    "to the top, so each function is shown with all the work it caused.\n"

#define GRAPH_ASSUMPTION \
    "The numbers of calls are exact.  The time of a single call is not known: a\n" \
    "function's time is divided among its callers in proportion to their numbers of\n" \
    "calls, as if every call took equally long.  If f is fast when g calls it and\n" \
    "slow when h calls it, the times shown for g are too high and those for h are\n" \
    "too low.\n"

#define GRAPH_CYCLES \
    "Cycles.  Functions that call each other, directly or through others, cannot\n" \
    "propagate time to each other without end.  They are combined into a cycle with a\n" \
    "number, and the time of the whole cycle is propagated to its callers outside:\n"

#define GRAPH_CYCLE_NAMES \
    "  <cycle 2>             after a name: the function is a member of cycle 2\n" \
    "  <cycle 2 as a whole>  a separate entry, which lists the members instead of\n" \
    "                        callees.  Its calls are those from outside and, after\n" \
    "                        the +, those between different members.\n"

#define GRAPH_CYCLE_CALLS \
    "Calls between members, like calls of a function to itself, propagate no time:\n" \
    "their lines show only a number of calls.  Where a member is called from outside,\n" \
    "the number after the / counts all calls into the cycle, and the time is a share\n" \
    "of the whole cycle's time.  If unimportant calls cause a cycle, exclude them\n" \
    "with -k caller/callee and print the call graph again.\n"

#define GRAPH_SPONTANEOUS \
    "<spontaneous> means that no caller was recorded: the function was called by the\n" \
    "system, or by code that was not compiled with -pg.\n"

#define GRAPH_ZEROS \
    "A callee with 0 calls was not called in this run, but the code contains a call.\n"

#define GRAPH_INDEX \
    "Functions with no time and no calls have no entry unless -z is given.  The index\n" \
    "at the end lists functions by name, with the numbers of their entries.\n"

/* The last paragraphs of both layouts.  */
#define GRAPH_REST \
    GRAPH_ASSUMPTION, GRAPH_CYCLES, GRAPH_CYCLE_NAMES, GRAPH_CYCLE_CALLS, \
    GRAPH_SPONTANEOUS, GRAPH_ZEROS, GRAPH_INDEX

/* What an entry looks like.  xgettext:no-c-format */
#define GRAPH_LAYOUT \
    "Every function has an entry.  Entries are separated by lines of dashes and\n" \
    "numbered by the time in and below their functions, largest first.  An example:\n", \
    "                  0.10    0.30       1/4           first [4]\n" \
    "                  0.30    0.90       3/4           second [2]\n" \
    "  [3]     40.0    0.40    1.20       4+6       middle [3]\n" \
    "                  0.80    0.00      20/25          lower [7]\n" \
    "                  0.30    0.10       2/2           deeper [9]\n" \
    "                                     6             middle [3]\n", \
    "The line that starts with a number in brackets describes the function itself.\n" \
    "Its callers are above this line and the functions it calls below, each with the\n" \
    "number of its own entry.  Callers are sorted by increasing time and callees by\n" \
    "decreasing time, so the most important ones are next to this line.\n", \
    "  In the line of the function\n" \
    "    % time    percentage of the total time that was spent in and below it.  A\n" \
    "              function's time is counted for its callers too, so the\n" \
    "              percentages do not add up to 100.\n" \
    "    self      time in its own code\n" \
    "    children  time in the functions it called, and in those they called\n" \
    "    called    calls by other functions and, after a +, calls to itself; blank\n" \
    "              if none was recorded\n", \
    "  In the line of a caller\n" \
    "    self      share of the function's self time that is due to this caller\n" \
    "    children  share of the function's children time that is due to this caller\n" \
    "    called    calls by this caller / calls by all callers\n", \
    "  In the line of a callee\n" \
    "    self      share of the callee's self time that is due to the function\n" \
    "    children  share of the callee's children time that is due to the function\n" \
    "    called    calls by the function / calls of the callee by all its callers\n", \
    "Here `middle' was called once by `first', 3 times by `second', and 6 times by\n" \
    "itself.  It made 20 of the 25 calls to `lower'.  The self times of the callers\n" \
    "add up to its self time, and their children times to its children time.  The\n" \
    "self and children times of the callees add up to its children time.\n", \
    "A number in parentheses, such as (5), means that an option excludes the entry.\n"

#define GRAPH_LAYOUT_TRADITIONAL \
    "Every function has an entry.  Entries are separated by lines of dashes and\n" \
    "numbered by the time in and below their functions, largest first.  An entry is\n" \
    "laid out like the heading.  An example:\n", \
    "                  0.10        0.30       1/4           first [4]\n" \
    "                  0.30        0.90       3/4           second [2]\n" \
    "  [3]     40.0    0.40        1.20       4+6       middle [3]\n" \
    "                  0.80        0.00      20/25          lower [7]\n" \
    "                  0.30        0.10       2/2           deeper [9]\n" \
    "                                         6             middle [3]\n", \
    "The line that starts with a number in brackets describes the function itself.\n" \
    "Its parents, the functions that call it, are above this line, and its children,\n" \
    "the functions it calls, below, each with the number of its own entry.  Parents\n" \
    "are sorted by increasing time and children by decreasing time, so the most\n" \
    "important ones are next to this line.\n", \
    "  In the line of the function\n" \
    "    %time        percentage of the total time that was spent in and below it.\n" \
    "                 A function's time is counted for its parents too, so the\n" \
    "                 percentages do not add up to 100.\n" \
    "    self         time in its own code\n" \
    "    descendants  time in the functions it called, and in those they called\n" \
    "    called+self  calls by other functions and, after the +, calls to itself;\n" \
    "                 blank if none was recorded\n", \
    "  In the line of a parent\n" \
    "    self         share of the function's self time that is due to this parent\n" \
    "    descendants  share of its descendants time that is due to this parent\n" \
    "    called/total calls by this parent / calls by all parents\n", \
    "  In the line of a child\n" \
    "    self         share of the child's self time that is due to the function\n" \
    "    descendants  share of the child's descendants time that is due to it\n" \
    "    called/total calls by the function / calls of the child by all its parents\n", \
    "Here `middle' was called once by `first', 3 times by `second', and 6 times by\n" \
    "itself.  It made 20 of the 25 calls to `lower'.  The self times of the parents\n" \
    "add up to its self time, and their descendants times to its descendants time.\n" \
    "The self and descendants times of the children add up to its descendants time.\n", \
    "  index [n]    the number of an entry.  A number in parentheses, (n), means that\n" \
    "               an option excludes the entry.\n"

const char *const blurb_graph[] = {
    "Reading the call graph\n", GRAPH_PURPOSE, GRAPH_LAYOUT, GRAPH_REST, NULL
};

const char *const blurb_graph_traditional[] = {
    "Reading the call graph\n", GRAPH_PURPOSE, GRAPH_LAYOUT_TRADITIONAL, GRAPH_REST, NULL
};

/* ---- The measured call graph ---- */

#define MEASURED_PURPOSE \
    "The call graph shows which callers caused the time to be spent.  It is measured:\n" \
    "with each sample, the calls that led there were recorded.  A function has the\n" \
    "time of all samples that it is in, however long each of its calls took.\n"

#define MEASURED_LINES \
    "A sample counts once for a function.  It counts for the caller that made the\n" \
    "outermost call of the function and for the callee of the innermost one, so that\n" \
    "each entry adds up, also where functions call each other or themselves.\n"

#define MEASURED_COUNTS \
    "Numbers of calls are counted, as without stacks.  A line with - has time, but no\n" \
    "call was counted: the caller or the function was not compiled with -pg.\n"

#define MEASURED_NAMES \
    "`f [libc.so.6]' is a function of another object, and [libc.so.6] its code that is\n" \
    "in no known function.  <spontaneous> means that the program or a thread began\n" \
    "there, and <unknown> that the callers could not be found.\n"

#define MEASURED_REST \
    MEASURED_LINES, MEASURED_COUNTS, MEASURED_NAMES, GRAPH_ZEROS, GRAPH_INDEX

const char *const blurb_measured[] = {
    "Reading the call graph\n", MEASURED_PURPOSE, GRAPH_LAYOUT, MEASURED_REST, NULL
};

const char *const blurb_measured_traditional[] = {
    "Reading the call graph\n", MEASURED_PURPOSE, GRAPH_LAYOUT_TRADITIONAL, MEASURED_REST, NULL
};

/* ---- Profile by profile ---- */

const char *const blurb_perfile[] = {
    "Reading the comparison of profiles\n",
    "The comparison shows whether all runs, or all ranks of one run, did the same.\n",
    /* xgettext:no-c-format */
    "  % share     Percentage of the samples of all profiles that are in this one.\n",
    "  samples     Number of samples, inside and outside of functions, and the time\n"
    "              they represent.\n",
    "  calls       Number of calls recorded, of all functions.\n",
    "  imbalance   The maximum divided by the mean, if samples vary more than by chance.\n"
    "              1.00 means that all profiles are alike.  2.00 means that one has twice\n"
    "              the mean: if the others waited for it, half of their time was lost.\n",
    "  deviation   The standard deviation over the profiles, of samples and calls or\n"
    "              of a function's self time, beside that which chance alone gives.  If\n"
    "              samples vary more, a profile with more than three deviations from\n"
    "              their mean is an outlier, and is marked.  Functions that vary more are\n"
    "              listed, those with the largest deviation (five, or as many as --top\n"
    "              says), with the profiles in which each has its maximum and its minimum.\n",
    "  inclusive   The time of a function with all that it calls, measured by the call\n"
    "              stacks beside the profiles; only listed if each profile has some.\n",
    NULL
};

/* clang-format on */
