/* exit.c - _exit and _Exit, which end the program without calling its exit handlers.
   SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "export.h"
#include "snapshot.h"
#include "sys.h"

REGMON_EXPORT _Noreturn void _exit(int status)
{
    (void)snapshot_write(SNAPSHOT_OF_END);
    for (;;)
        (void)SYS1(__NR_exit_group, status);
}

REGMON_EXPORT _Noreturn void _Exit(int status)
{
    _exit(status);
}
