/* memory.c - reading memory that may not be there.
   SPDX-License-Identifier: MIT */
#include "memory.h"

#include "sys.h"

/* The kernel reads the signal set before it rejects the first argument. */
static bool is_readable(struct memory *memory, uintptr_t address)
{
    const uintptr_t page = address & ~(PAGE - 1);

    if (page == 0)
        return false;
    if (page != memory->page &&
        SYS4(__NR_rt_sigprocmask, -1, address & ~(uintptr_t)7, NULL, SYS_SIGSET_BYTES) != -22)
        return false; /* not EINVAL: EFAULT, or what a filter of system calls says */
    memory->page = page;
    return true;
}

bool memory_has(struct memory *memory, uintptr_t address, size_t bytes)
{
    return is_readable(memory, address) && is_readable(memory, address + bytes - 1);
}

bool memory_read(struct memory *memory, uintptr_t address, uintptr_t *word)
{
    if (address % sizeof *word != 0 || !is_readable(memory, address))
        return false;
    *word = *(const volatile uintptr_t *)address;
    return true;
}
