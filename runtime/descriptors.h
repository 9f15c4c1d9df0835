/* descriptors.h - file descriptors of processes that stand beside the program.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_DESCRIPTORS_H
#define REGMON_DESCRIPTORS_H

#include <stddef.h>

/* Moves a descriptor above those of standard input, output and errors, which may be closed here:
   they are the program's.  Returns the new one; -1 for one that is negative, or if there is none.
 */
int descriptor_move_up(int fd);

/* Closes all descriptors from FROM on but the COUNT that are KEPT, in ascending order.  Others
   would keep the pipes of others open. */
void descriptors_close(int from, const int *kept, size_t count);

#endif
