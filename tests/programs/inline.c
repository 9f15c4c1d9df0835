/* Functions whose lines come from several files.  */

#include "inline.h"

volatile unsigned sink;

static unsigned work(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += square(i);
        sink += sum;
        sum -= twice(sink);
    }
    return sum;
}

static unsigned one_line(unsigned n) { return n * 2; }  static unsigned other_line(unsigned n) { return n * 5; }

int main(void)
{
    for (unsigned i = 0; i < 20000; i++) {
        sink += work(100);
        sink += mixed(i) + one_line(i) + other_line(i);
    }
    return 0;
}
