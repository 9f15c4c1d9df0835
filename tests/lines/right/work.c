/* The other file of this name.  */

#include "../calc.h"

static unsigned inner(unsigned n)
{
    return mix_twice(n, 3) ^ n;
}

unsigned right_work(unsigned n)
{
    unsigned sum = inner(n);

    sink += sum;
    return sum ^ inner(sink);
}
