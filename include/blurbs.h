/* blurbs.h - the explanations that go with the tables: a short manual for their readers.

   After a table its explanation starts with an empty line; before one, where the traditional layout
   has it, it ends in a form feed.  */

#ifndef REGPROF_BLURBS_H
#define REGPROF_BLURBS_H

extern const char blurb_flat[];
extern const char blurb_graph[];

extern const char blurb_perfile[];

extern const char blurb_flat_traditional[];
extern const char blurb_graph_traditional[];

#endif
