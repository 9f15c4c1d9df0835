/* The other half of mix.c: static functions of the same names.  */

#include "mix.h"

static void spin(unsigned n)
{
    while (n--)
        sink ^= sink << 1 | n;
}

static int helper(int n)
{
    spin(500);
    return n - 1;
}

static int deeper(int n, int depth)
{
    spin(40);
    return depth ? deeper(n + 1, depth - 1) : helper(n);
}

int other_file(int n)
{
    spin(200);
    return n & 1 ? helper(n) : deeper(n, 5);
}
