/* Exceptions that leave profiled functions with objects to destroy, are caught, and thrown again. */
#include <cstdio>
#include <cstdlib>

#define NOINLINE __attribute__((noinline, noclone))

static int alive;

struct guard {
    double value;

    NOINLINE explicit guard(double v) : value(v)
    {
        alive++;
    }

    NOINLINE ~guard()
    {
        alive--;
    }
};

extern "C" {
NOINLINE int deep(int n, double x)
{
    guard g(x);

    if (n == 0)
        throw g.value;
    return deep(n - 1, x * 2) + 1;
}

NOINLINE int rethrow(int n, double x)
{
    guard g(x);

    try {
        return deep(n, g.value);
    } catch (double value) {
        throw (int)value + alive;
    }
}

NOINLINE int caught(int n, double x)
{
    try {
        return rethrow(n, x);
    } catch (int value) {
        return value;
    }
}
}

int main()
{
    for (int i = 0; i < 1000; i++) {
        const int result = caught(10, 1.5);

        if (result != 1536 + 1 || alive != 0) {
            fprintf(stderr, "%d, %d alive\n", result, alive);
            return 1;
        }
    }
    return 0;
}
