/* What the files of the C program share, with code of its own.  */

#ifndef CALC_H
#define CALC_H

extern volatile unsigned sink;

unsigned left_work(unsigned n);
unsigned right_work(unsigned n);
unsigned parse(unsigned n);

static inline unsigned mix(unsigned a, unsigned b)
{
    if (a & 1)
        a ^= b << 3;
    return a * 7 + (b >> 2);
}

static inline unsigned mix_twice(unsigned a, unsigned b)
{
    unsigned first = mix(a, b);
    return mix(first, a + b);
}

#endif
