/* Two files of one name, a header under two spellings, and lines of a file that is not there.  */

#include "calc.h"

#define NAME step
#include "steps.h"
#define NAME other_step
#include "left/../steps.h"

volatile unsigned sink;

static unsigned count_down(unsigned n)
{
    while (n > 3) {
        sink += mix(n, step(n));
        n = n / 2 + other_step(n) % 2;
    }
    return n;
}

int main(void)
{
    for (unsigned i = 0; i < 30000; i++) {
        sink += left_work(i);
        sink += right_work(i) + parse(i);
        sink += count_down(i);
    }
    return 0;
}
