/* program.c - the names that start files and programs call, and the library's own beginning and
   end. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "export.h"
#include "process.h"
#include "regmon.h"
#include "retire.h"
#include "sample.h"
#include "snapshot.h"
#include "state.h"
#include "thread.h"

const char *gnu_get_libc_version(void);
#pragma weak gnu_get_libc_version

REGMON_EXPORT void __monstartup(unsigned long low, unsigned long high);
REGMON_EXPORT void monstartup(unsigned long low, unsigned long high);
REGMON_EXPORT void _mcleanup(void);

/* The clock of a child begins with its first profiled call, because the child may reset signals
   before.  Below regmon, where programs are sampled without -pg, it begins at once. */
static void begin_child(void)
{
    if (regmon_state.is_below)
        (void)thread_self();
    else
        (void)process_begin();
}

static void write_at_end(void)
{
    (void)snapshot_write(SNAPSHOT_OF_END);
}

/* glibc passes the environment to constructors, because the first of them runs before `environ' is
   set.  Other C libraries, and static programs, have set it.  The library may be built with another
   one than it runs with. */
__attribute__((constructor(101))) static void begin(int count, char **arguments, char **environment)
{
    (void)count;
    (void)arguments;
    process_prepare(gnu_get_libc_version ? environment : environ, sample_handle, begin_child);
    (void)at_quick_exit(write_at_end);
    if (regmon_state.is_below)
        (void)thread_self();
}

__attribute__((destructor(101))) static void end(void)
{
    if (process_has_begun() && !regmon_state.next.find_object)
        objects_note_all(); /* those that no slot was taken for when they were loaded */
    write_at_end();
}

/* Called by the start files of a program that is linked with -pg: the program is profiled, even if
   none of its calls is counted. Its addresses are determined when files are written. */
void __monstartup(unsigned long low, unsigned long high)
{
    (void)low;
    (void)high;
    process_prepare(environ, sample_handle, begin_child);
    regmon_state.has_pg = true;
    if (regmon_process.pool.header)
        regmon_process.pool.header->has_pg = 1;
    (void)thread_self();
}

void monstartup(unsigned long low, unsigned long high)
{
    __monstartup(low, high);
}

/* Registered by the start files to be called by exit. */
void _mcleanup(void)
{
    (void)snapshot_write(SNAPSHOT_OF_CLEANUP);
}

REGMON_EXPORT void moncontrol(int mode)
{
    regmon_state.counting = mode != 0 && regmon_state.is_prepared;
    if (regmon_process.begun == BEGUN || !regmon_state.counting || !regmon_state.has_begun)
        __atomic_store_n(&regmon_process.counting, regmon_state.counting, __ATOMIC_RELAXED);
}

REGMON_EXPORT int regmon_snapshot(void)
{
    return snapshot_write(SNAPSHOT_OF_PROGRAM);
}

REGMON_EXPORT void regmon_reset(void)
{
    retire_reset();
}
