/* The same, with lines of a file that is not there, and of one of inline.c's.  */

#include "inline.h"

static unsigned hidden(unsigned n)
{
    return twice(n) + sink;
}

#line 100 "generated.y"
static unsigned parse(unsigned n)
{
    sink += hidden(n);
    return square(sink);
}

#line 20 "inline.c"
unsigned mixed(unsigned n)
{
    unsigned sum = 0;
    while (n > 1) {
        sum += parse(n);
        n /= 2;
    }
    return sum;
}
