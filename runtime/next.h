/* next.h - the functions that this library's have taken the place of.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_NEXT_H
#define REGMON_NEXT_H

/* Finds those in regmon_state.next, which stay NULL in a static program. */
void next_find(void);

/* The next function of a name, into the pointer at TO; NULL if there is none. */
void next_function(const char *name, void *to);

#endif
