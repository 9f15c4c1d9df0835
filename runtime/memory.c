/* memory.c - reading memory that may not be there.
   SPDX-License-Identifier: MIT */
#include "memory.h"

#include <errno.h>

#include "state.h"
#include "sys.h"
#include "text.h"

/* Not inline, so that its stack is free again when another one is called. */
#define APART __attribute__((noinline))

#define BEFORE_BYTES 128 /* of a window, before what it is opened for */

/* Whether the address is in what objects had in memory at the start and never change.  Where the
   library itself may have been opened later, some of them may have left. */
static inline bool is_in_start_objects(uintptr_t address)
{
    if (!regmon_state.is_below && regmon_state.filter != FILTER_OWN)
        return false;
    for (unsigned i = 0; i < regmon_state.start_count; i++) {
        const struct object_rules *object = &regmon_state.start_objects[i];

        if ((object->is_readable && is_in_range(object->code, address)) ||
            is_in_range(object->tables, address))
            return true;
    }
    return false;
}

/* Whether the address is there, as is the part of its stack that the thread uses. */
static inline bool is_known(uintptr_t address)
{
    return is_in_range(regmon_thread.readable, address) || is_in_start_objects(address);
}

/* The kernel reads the signal set before it rejects the first argument. */
static inline bool is_readable(struct memory *memory, uintptr_t address)
{
    const uintptr_t page = address & ~(PAGE - 1);

    if (page == 0)
        return false;
    if (page == memory->page)
        return true;
    if (!is_known(address) &&
        ((regmon_thread.is_sampled && regmon_state.filter == FILTER_OWN) ||
         SYS4(__NR_rt_sigprocmask, -1, address & ~(uintptr_t)7, NULL, SYS_SIGSET_BYTES) != -EINVAL))
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

static APART size_t copy_pages(char *to, uintptr_t from, size_t bytes)
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

/* Copies what is known to be there. */
static APART size_t copy_known(void *to, uintptr_t from, size_t bytes)
{
    const struct range *stack = &regmon_thread.readable;

    if (is_in_range(*stack, from) && bytes > stack->high - from)
        bytes = stack->high - from;
    if (!is_known(from) || !is_known(from + bytes - 1))
        return 0;
    copy_bytes(to, (const void *)from, bytes);
    return bytes;
}

/* Returns a negative error number if nothing is read.  The kernel copies whole parts only, so there
   are two: pages may end in between. */
static APART long copy_by_kernel(void *to, uintptr_t from, size_t bytes)
{
    const size_t first = part_of_page(from, bytes);
    const struct {
        uintptr_t base;
        size_t bytes;
    } local = {(uintptr_t)to, bytes}, remote[] = {{from, first}, {from + first, bytes - first}};

    return SYS6(__NR_process_vm_readv, sys_getpid(), &local, 1, remote, first < bytes ? 2 : 1, 0);
}

size_t memory_copy(void *to, uintptr_t from, size_t bytes)
{
    const size_t known = copy_known(to, from, bytes);

    /* The handler of samples does not ask for copies under a filter, which may end the program. */
    if (known || (regmon_thread.is_sampled && regmon_state.filter != FILTER_NONE))
        return known;
    if (regmon_state.filter == FILTER_NONE) {
        const long got = copy_by_kernel(to, from, bytes);

        if (got >= 0 || got == -EFAULT)
            return got < 0 ? 0 : (size_t)got;
    }
    return copy_pages(to, from, bytes);
}

/* Frames are read upwards, and their words in any order. */
bool window_read(struct window *window, uintptr_t address, uintptr_t *word)
{
    if (address % sizeof *word != 0)
        return false;
    if (is_in_range(regmon_thread.readable, address)) {
        *word = *(const uintptr_t *)address;
        return true;
    }
    if (address < window->low || address >= window->high) {
        window->low = address - (address % PAGE < BEFORE_BYTES ? 0 : BEFORE_BYTES);
        window->high = window->low + memory_copy(window->words, window->low, sizeof window->words);
    }
    if (address >= window->high)
        return false;
    *word = window->words[(address - window->low) / sizeof *word];
    return true;
}
