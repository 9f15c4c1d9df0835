/* ends.h - the ways a program ends.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_ENDS_H
#define REGMON_ENDS_H

/* For quick_exit. */
void ends_prepare(void);

/* Handlers of signals that would end the program, where it has none of its own, and of
 * REGMON_SIGNAL. */
void ends_install_handlers(void);

#endif
