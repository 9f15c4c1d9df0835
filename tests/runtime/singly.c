/* singly: takes a sample before each instruction of a nested function that calls __fentry__, also
   in what that calls.  Of x86-64. */
#include <ucontext.h>

#include "sample.h"

#define TRAP_FLAG 0x100

static volatile int is_stepping;

__attribute__((no_instrument_function)) static void handle(int number, siginfo_t *info,
                                                           void *context)
{
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

    (void)number;
    (void)info;
    *flags = is_stepping ? *flags | TRAP_FLAG : *flags & ~TRAP_FLAG;
    take_sample();
}

__attribute__((noinline)) static int calls_nested(int x)
{
    __attribute__((noinline)) int nested(int y)
    {
        return x += y;
    }
    int (*volatile function)(int) = nested;

    return function(1) + nested(2);
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

    sigaction(SIGTRAP, &action, NULL);
    is_stepping = 1;
    raise(SIGTRAP);
    calls_nested(1);
    is_stepping = 0;
    return 0;
}
