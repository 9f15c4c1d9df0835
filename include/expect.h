/* expect.h - asking for memory in time.

   In a large graph nearly every line is about a function that no cache has seen for long.  A
   printer that walks a list says where it is; what the lines after this one need is on its way
   then.  Has no effect but on speed.  */

#ifndef REGPROF_EXPECT_H
#define REGPROF_EXPECT_H

#include "model.h"

/* The line of arc ROW[i] comes next, of arc ids up to ROW[end - 1].  */
void expect_arcs(const struct profile *profile, const uint32_t *row, uint32_t i, uint32_t end);

/* The line of NODES[i] comes next, of node ids up to NODES[end - 1].  */
void expect_nodes(const struct profile *profile, const uint32_t *nodes, size_t i, size_t end);

/* The entry of views.graph[i] comes next.  */
void expect_entry(const struct profile *profile, size_t i);

#endif
