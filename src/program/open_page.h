/* open_page.h - shows a page in the user's browser.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_OPEN_PAGE_H
#define REGPROF_PROGRAM_OPEN_PAGE_H

#include <stdbool.h>

/* Creates an empty file for a page, in $TMPDIR or /tmp.  Its path, on the heap; NULL after a
   message.  */
char *page_create(void);

/* Starts $BROWSER, a command, with PATH behind it, or xdg-open, and does not wait for it.  False
   after a message if that fails at once.  */
bool page_open(const char *path);

#endif
