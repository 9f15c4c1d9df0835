/* A program without a C library: calls forward, backward, of itself and by tail calls.  */

#ifdef __riscv
void _mcount(void);
__attribute__((no_instrument_function)) void _mcount(void)
{
}
#else
void __gnu_mcount_nc(void);
__attribute__((no_instrument_function, naked)) void __gnu_mcount_nc(void)
{
    __asm__("pop {r0}\n\tmov ip, lr\n\tmov lr, r0\n\tbx ip");
}
#endif

#define CALLED __attribute__((noinline, noclone))

int later(int n), again(int n), first(int n), main(void);
static volatile int sum;

CALLED int first(int n)
{
    sum += n;
    return sum;
}

CALLED static int second(int n)
{
    return first(n) + later(n + 1);
}

CALLED int again(int n)
{
    return n > 0 ? again(n - 1) + first(n) : second(n);
}

CALLED static int third(int n)
{
    sum ^= n;
    return again(n + 2) * 3 + second(n) + sum;
}

CALLED int later(int n)
{
    sum -= n;
    return n > 9 ? first(n) : third(n + 4) + first(sum);
}

int main(void)
{
    return first(1) + second(2) + third(3) + later(4) + again(5);
}
