/* unwritten.h - finds profiles that regmon has in memory and has not written.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_UNWRITTEN_H
#define REGPROF_INPUT_UNWRITTEN_H

enum unwritten {
    UNWRITTEN_NONE,
    UNWRITTEN_RUNNING, /* what writes it runs, since the program does; it was started here */
    UNWRITTEN_LEFT     /* what should have written it has ended */
};

/* What this user's regmon has in memory of the program at PATH.  */
enum unwritten unwritten_profile(const char *path);

#endif
