/* dlclose.c - keeps the counts of a shared object that is unloaded.  Only in the shared library:
   static programs unload nothing. SPDX-License-Identifier: MIT */
#include "export.h"
#include "process.h"
#include "retire.h"
#include "state.h"

REGMON_EXPORT int dlclose(void *handle);

int dlclose(void *handle)
{
    struct leaving *leaving;
    int result;

    if (!regmon_state.next.dlclose || (regmon_state.config.keeps_objects && process_has_begun()))
        return 0;
    leaving = retire_before();
    result = regmon_state.next.dlclose(handle);
    retire_after(leaving);
    return result;
}
