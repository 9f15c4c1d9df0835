/* steps.c - runs code instruction by instruction, and compares the library's stacks with those of
   backtrace, which libgcc finds.  Compiled with the library's stack.c and what that needs. */
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"
#include "stack.h"
#include "state.h"
#include "steps.h"

#define MOST_SHOWN 10
#define TRAP_FLAG 0x100

struct regmon_state regmon_state;
_Thread_local struct regmon_thread regmon_thread;
const char regmon_entries[1], regmon_entries_end[1];

static struct stack_space space;
static unsigned long steps, wrong, cut;
static volatile int is_stepping;

static int note(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    rules_note_object(info);
    return 0;
}

static void show(const char *whose, const uintptr_t *frames, size_t count)
{
    printf("%s:", whose);
    for (size_t i = 0; i < count; i++) {
        Dl_info at = {0};

        dladdr((void *)frames[i], &at);
        printf(" %s+%#lx(%s)", at.dli_fname ? at.dli_fname : "?",
               (unsigned long)(frames[i] - (uintptr_t)at.dli_fbase),
               at.dli_sname ? at.dli_sname : "");
    }
    printf("\n");
}

/* Not where the library says that the stack is cut: libgcc, too, knows no caller where it jumps
   from one stack to another, and its backtrace may crash. */
static void compare(const ucontext_t *context)
{
    static uintptr_t theirs[MOST_FRAMES];
    const size_t count = stack_walk(&space, context);
    size_t all, first = 0, same = 0;

    steps++;
    if (space.frames[count - 1] == UNKNOWN_CALLER) {
        cut++;
        return;
    }
    all = (size_t)backtrace((void **)theirs, MOST_FRAMES);
    while (first < all && theirs[first] != space.frames[0])
        first++;
    while (same < count && first + same < all && space.frames[same] == theirs[first + same])
        same++;
    if (same == count && first + same == all)
        return;
    if (wrong++ < MOST_SHOWN) {
        show("ours", space.frames, count);
        show("theirs", theirs + first, all - first);
    }
}

/* Lets the processor raise the signal again after the next instruction, or not any more. */
static void handle(int number, siginfo_t *info, void *context)
{
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

    (void)number;
    (void)info;
    *flags = is_stepping ? *flags | TRAP_FLAG : *flags & ~TRAP_FLAG;
    compare(context);
}

void steps_prepare(int has_find_object)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    void *frames[2];

    backtrace(frames, 2); /* loads libgcc */
    dl_iterate_phdr(note, NULL);
    if (has_find_object)
        *(void **)&regmon_state.next.find_object = dlsym(RTLD_DEFAULT, "_dl_find_object");
    sigaction(SIGTRAP, &action, NULL);
}

void steps_begin(void)
{
    is_stepping = 1;
    raise(SIGTRAP);
}

void steps_end(void)
{
    is_stepping = 0;
}

int steps_report(void)
{
    printf("%lu steps, %lu cut, %lu other than backtrace\n", steps, cut, wrong);
    return wrong > 0;
}
