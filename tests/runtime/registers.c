/* Arguments, results and registers that mcount has to leave alone.  Every function checks what it
   gets; the program ends with the number of its first disappointment. */
#include <complex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))
#define EXPECT(condition)                                                                          \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d\n", __LINE__);                                                \
            exit(1);                                                                               \
        }                                                                                          \
    while (0)

NOINLINE long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
    EXPECT(a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 && h == 8);
    return a + b + c + d + e + f + g + h;
}

NOINLINE double sum(int n, ...)
{
    va_list list;
    double all = 0;

    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += i % 2 ? (double)va_arg(list, int) : va_arg(list, double);
    va_end(list);
    return all;
}

NOINLINE float floats(float a, double b, float c, double d, float e, double f, float g, double h)
{
    EXPECT(a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 && h == 8);
    return a + c;
}

NOINLINE long double extended(long double a, long double b)
{
    EXPECT(a == 0.1L && b == 3);
    return a * b;
}

NOINLINE double complex rotated(double complex a, float complex b)
{
    EXPECT(creal(a) == 1 && cimag(a) == 2 && crealf(b) == 3);
    return a * I;
}

struct large {
    long member[9];
};

NOINLINE struct large by_value(struct large a, int b)
{
    EXPECT(a.member[8] == 8 && b == 5);
    a.member[0] = b;
    return a;
}

struct pair {
    double a;
    long b;
};

NOINLINE struct pair two_registers(struct pair p)
{
    EXPECT(p.a == 1.5 && p.b == 7);
    p.b++;
    return p;
}

typedef int vector __attribute__((vector_size(VECTOR_BYTES)));

NOINLINE vector vectors(vector a, vector b, vector c, vector d, vector e, vector f, vector g,
                        vector h)
{
    for (size_t i = 0; i < sizeof a / sizeof(int); i++)
        EXPECT(a[i] == 1 && b[i] == 2 && c[i] == 3 && d[i] == 4 && e[i] == 5 && f[i] == 6 &&
               g[i] == 7 && h[i] == 8);
    return a + h;
}

static vector all(int n)
{
    vector v = {0};

    return v + n;
}

#ifdef HAS_NESTED
static NOINLINE int apply(int (*function)(int), int x)
{
    return function(x);
}

/* The static chain is in r10, or in x18. */
NOINLINE int nested(int base)
{
    int calls = 0;
    NOINLINE int inner(int x)
    {
        calls++;
        return x + base;
    }
    int result = 0;

    for (int i = 0; i < 10; i++)
        result += apply(inner, i) + inner(i);
    EXPECT(calls == 20);
    return result;
}
#endif

static jmp_buf back;

NOINLINE void jump(int n)
{
    if (n == 0)
        longjmp(back, 5);
    jump(n - 1);
}

#ifdef HAS_CONTEXTS
static ucontext_t main_context, other_context;
static int turns;

NOINLINE void coroutine(void)
{
    for (;;) {
        turns += (int)many(1, 2, 3, 4, 5, 6, 7, 8);
        swapcontext(&other_context, &main_context);
    }
}

static void run_coroutine(void)
{
    static char stack[65536];

    getcontext(&other_context);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = sizeof stack;
    makecontext(&other_context, coroutine, 0);
    for (int i = 0; i < 10; i++)
        swapcontext(&main_context, &other_context);
    EXPECT(turns == 360);
}
#endif

static void run_once(void)
{
    struct large large = {{0, 1, 2, 3, 4, 5, 6, 7, 8}};
    const struct pair pair = {1.5, 7};
    const vector v = vectors(all(1), all(2), all(3), all(4), all(5), all(6), all(7), all(8));

    EXPECT(v[0] == 9 && v[sizeof v / sizeof(int) - 1] == 9);
    EXPECT(many(1, 2, 3, 4, 5, 6, 7, 8) == 36);
    EXPECT(sum(12, 1.5, 1, 2.5, 2, 3.5, 3, 4.5, 4, 5.5, 5, 6.5, 6) == 45);
    EXPECT(floats(1, 2, 3, 4, 5, 6, 7, 8) == 4);
    EXPECT(extended(0.1L, 3) == 0.1L * 3);
    EXPECT(cimag(rotated(1 + 2 * I, 3)) == 1);
    EXPECT(by_value(large, 5).member[0] == 5);
    EXPECT(two_registers(pair).b == 8);
#ifdef HAS_NESTED
    EXPECT(nested(3) == 150);
#endif
    if (setjmp(back) == 0)
        jump(10);
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        run_once();
#ifdef HAS_CONTEXTS
    run_coroutine();
#endif
    return 0;
}
