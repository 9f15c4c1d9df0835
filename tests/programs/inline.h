/* Code in a header: its lines turn up inside of functions of other files.  */

#ifndef INLINE_H
#define INLINE_H

extern volatile unsigned sink;

unsigned mixed(unsigned n);

static inline unsigned square(unsigned x)
{
    unsigned y = x * 3;
    if (y & 1)
        y ^= 0x55;
    return y * x;
}

static unsigned twice(unsigned x)
{
    return square(x) + square(x + 1);
}

#endif
