/* memory.c - reading memory that may not be there.
   SPDX-License-Identifier: MIT */
#include "memory.h"

#include <errno.h>

#include "sys.h"
#include "text.h"

#define BEFORE_BYTES 128 /* of a window, before what it is opened for */

/* The kernel reads the signal set before it rejects the first argument. */
static bool is_readable(struct memory *memory, uintptr_t address)
{
    const uintptr_t page = address & ~(PAGE - 1);

    if (page == 0)
        return false;
    if (page != memory->page &&
        SYS4(__NR_rt_sigprocmask, -1, address & ~(uintptr_t)7, NULL, SYS_SIGSET_BYTES) != -EINVAL)
        return false; /* EFAULT, or what a filter of system calls says */
    memory->page = page;
    return true;
}

bool memory_has(struct memory *memory, uintptr_t address, size_t bytes)
{
    return is_readable(memory, address) && is_readable(memory, address + bytes - 1);
}

/* Up to the end of the page. */
static size_t part_of_page(uintptr_t from, size_t bytes)
{
    const size_t part = PAGE - from % PAGE;

    return part < bytes ? part : bytes;
}

static size_t copy_pages(char *to, uintptr_t from, size_t bytes)
{
    struct memory memory = {0};
    size_t done = 0;

    while (done < bytes && is_readable(&memory, from + done)) {
        const size_t part = part_of_page(from + done, bytes - done);

        copy_bytes(to + done, (const void *)(from + done), part);
        done += part;
    }
    return done;
}

/* The kernel copies whole parts only, so there are two: pages may end in between. */
size_t memory_copy(void *to, uintptr_t from, size_t bytes)
{
    const size_t first = part_of_page(from, bytes);
    const struct {
        uintptr_t base;
        size_t bytes;
    } local = {(uintptr_t)to, bytes}, remote[] = {{from, first}, {from + first, bytes - first}};
    const long got =
        SYS6(__NR_process_vm_readv, sys_getpid(), &local, 1, remote, first < bytes ? 2 : 1, 0);

    if (got < 0)
        return got == -EFAULT ? 0 : copy_pages(to, from, bytes);
    return (size_t)got;
}

/* Frames are read upwards, and their words in any order. */
bool window_read(struct window *window, uintptr_t address, uintptr_t *word)
{
    if (address % sizeof *word != 0)
        return false;
    if (address < window->low || address >= window->high) {
        window->low = address - (address % PAGE < BEFORE_BYTES ? 0 : BEFORE_BYTES);
        window->high = window->low + memory_copy(window->words, window->low, sizeof window->words);
    }
    if (address >= window->high)
        return false;
    *word = window->words[(address - window->low) / sizeof *word];
    return true;
}
