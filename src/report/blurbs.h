/* blurbs.h - the explanations that are printed with the tables.

   Each is a list of parts that ends with NULL, for columns_blurb.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_BLURBS_H
#define REGPROF_REPORT_BLURBS_H

extern const char *const blurb_flat[];
extern const char *const blurb_graph[];

extern const char *const blurb_perfile[];

extern const char *const blurb_flat_traditional[];
extern const char *const blurb_graph_traditional[];

/* Of the call graph that stacks measured.  */
extern const char *const blurb_measured[];
extern const char *const blurb_measured_traditional[];

#endif
