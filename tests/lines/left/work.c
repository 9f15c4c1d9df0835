#include "../calc.h"

static __attribute__((noinline)) unsigned inner(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 5; i++)
        sum += mix_twice(n, i);
    return sum;
}

unsigned left_work(unsigned n)
{
    return inner(n) + inner(sink & n);
}
