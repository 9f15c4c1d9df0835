/* A bit of everything a call graph can hold: recursion, cycles, calls through pointers, functions
   that share a name with one of mix2.c, an address, or begin with an underscore.  */

#include <stdio.h>
#include <stdlib.h>

#include "mix.h"

volatile unsigned long sink;

static void spin(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i * i ^ sink >> 3;
}

static int helper(int n)
{
    spin(300);
    return n + 1;
}

int _leading(int n)
{
    spin(150);
    return helper(n) - 1;
}

int __twice(int n)
{
    spin(100);
    return _leading(n) + _leading(n + 1);
}

int original(int n)
{
    spin(400);
    return n * 3;
}
int another_name(int n) __attribute__((alias("original")));
int _third_name(int n) __attribute__((alias("original")));

static long fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Three functions that call each other in a ring, with a shortcut.  */
static int ring_b(int n);
static int ring_c(int n);

static int ring_a(int n)
{
    spin(20);
    return n <= 0 ? 0 : ring_b(n - 1) + 1;
}

static int ring_b(int n)
{
    spin(30);
    return n <= 0 ? 0 : n % 3 ? ring_c(n - 1) : ring_a(n - 2);
}

static int ring_c(int n)
{
    spin(40);
    return n <= 0 ? 0 : ring_a(n - 1) + helper(n);
}

/* Another ring, which the first one's users share, that goes through a pointer.  */
static int odd(int n);

static int even(int n)
{
    spin(10);
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    int (*next)(int) = sink ? even : odd;
    spin(10);
    return n == 0 ? 0 : next(n - 1);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int sort_some(unsigned seed)
{
    int numbers[500];
    for (int i = 0; i < 500; i++) {
        seed = seed * 1103515245u + 12345u;
        numbers[i] = (int)(seed >> 8);
    }
    qsort(numbers, 500, sizeof numbers[0], compare);
    return numbers[250];
}

static void never_called(void)
{
    spin(1);
}

static void (*const unused)(void) = never_called;

int main(int argc, char **argv)
{
    long sum = 0;
    int rounds = argc > 1 ? atoi(argv[1]) : 1200;
    if (rounds < 0)
        unused();
    for (int i = 0; i < rounds; i++) {
        sum += fib(16) + ring_a(40) + even(50) + sort_some((unsigned)i);
        sum += __twice(i) + original(i) + another_name(i) + _third_name(i);
        for (int k = 0; k < 40; k++)
            sum += other_file(k) + helper(k);
    }
    printf("%ld\n", sum);
    return 0;
}
