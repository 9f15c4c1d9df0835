/* page.h - a page for browsers: the page, which the build puts into the program, and its data.

   src/export/html holds the sources of the page; embed.sh makes an array of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_EXPORT_PAGE_H
#define REGPROF_EXPORT_PAGE_H

/* The page, with a NUL byte where the data belongs and another at the end.  */
extern const unsigned char page_template[];

#endif
