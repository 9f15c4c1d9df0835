/* Arithmetic: few calls that take long, and many that take nothing.  */

#include <stdio.h>

enum { N = 96, PRIMES = 200000 };

static double a[N][N], b[N][N], c[N][N];
static char composite[PRIMES];

void fill(double m[N][N], double seed)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            m[i][j] = seed + i * j % 7;
    }
}

double dot(int i, int j)
{
    double sum = 0;
    for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
    return sum;
}

void multiply(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            c[i][j] = dot(i, j);
    }
}

int sieve(void)
{
    int count = 0;
    for (int i = 2; i < PRIMES; i++) {
        if (composite[i])
            continue;
        count++;
        for (long j = (long)i * i; j < PRIMES; j += i)
            composite[j] = 1;
    }
    return count;
}

unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

void hanoi(int n, int from, int to, unsigned *moves)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, 6 - from - to, moves);
    ++*moves;
    hanoi(n - 1, 6 - from - to, to, moves);
}

int is_odd(unsigned n);

int is_even(unsigned n)
{
    return n == 0 || is_odd(n - 1);
}

int is_odd(unsigned n)
{
    return n != 0 && is_even(n - 1);
}

int main(void)
{
    unsigned moves = 0, evens = 0;
    fill(a, 1);
    fill(b, 2);
    for (int i = 0; i < 120; i++)
        multiply();
    hanoi(19, 1, 3, &moves);
    for (unsigned i = 0; i < 1000; i++)
        evens += (unsigned)is_even(i % 300);
    printf("%g %d %u %u %u\n", c[3][4], sieve(), ackermann(2, 900), moves, evens);
    return 0;
}
