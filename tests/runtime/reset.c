/* reset: calls `first', writes a snapshot, resets, calls `second' as often, and ends by _exit. */
#include <unistd.h>

#include "regmon.h"

__attribute__((noinline)) int first(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

__attribute__((noinline)) int second(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 2;
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        first(i);
    first(1); /* as often as main and second together */
    regmon_snapshot();
    regmon_reset();
    for (int i = 0; i < 1002; i++)
        second(i);
    _exit(0);
}
