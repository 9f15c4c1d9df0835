/* As a generator of parsers writes them: lines of the grammar, and then its own again.  */

#include "calc.h"

static unsigned reduce(unsigned n)
{
    unsigned value = n;
#line 12 "grammar.y"
    value += mix(n, 12);
    if (value & 2)
        value ^= 5;
#line 13 "parse.c"
    return value;
}

#line 40 "grammar.y"
static unsigned action(unsigned n)
{
    sink += n;
    return mix(sink, n);
}

#line 25 "parse.c"
unsigned parse(unsigned n)
{
    unsigned sum = reduce(n);
    sum += action(sum);
    return reduce(sum);
}
