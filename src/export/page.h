/* page.h - a page for browsers: the page, which the build puts into the program, and its data.

   src/export/html holds the sources of the page; embed.sh makes an array of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_PAGE_H
#define REGPROF_EXPORT_PAGE_H

#include "base/out.h"
#include "model/snapshot.h"

/* The page, with a NUL byte where the data belongs and another at the end.  */
extern const unsigned char page_template[];

/* Writes SNAPSHOT as one JSON object that may stand inside of an HTML element.  Everything of one
   kind is in one array by function or arc id, to be short:

       "functions":{"name":["main","parse"],"calls":[1,20]}

   src/export/html/data.js reads it.  */
void page_write_data(const struct snapshot *snapshot, struct out *out);

#endif
