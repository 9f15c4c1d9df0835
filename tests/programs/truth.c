/* truth.c - a program that does a fixed amount of work, of which it is known who caused it.

   Compile with -O1 -pg -fno-inline -fno-optimize-sibling-calls.  Of all work, dear_caller causes 72 %
   with few calls and cheap_caller 8 % with many.  Two scripts of unequal size reach the work through a
   cycle: big_script causes 18 %, small_script, which is run more often, 2 %.  */

volatile unsigned long sink;

enum { UNIT = 20000000 }; /* steps in one percent of the work */

static void work(unsigned long steps)
{
    for (unsigned long i = 0; i < steps; i++)
        sink += i * i ^ sink >> 3;
}

static void dear_caller(void)
{
    for (int i = 0; i < 10; i++)
        work(72ul * UNIT / 10);
}

static void cheap_caller(void)
{
    for (int i = 0; i < 4000; i++)
        work(8ul * UNIT / 4000);
}

static void eval(int depth, unsigned long steps);

static void run(int depth, unsigned long steps)
{
    eval(depth, steps);
}

static void eval(int depth, unsigned long steps)
{
    if (depth > 0)
        run(depth - 1, steps);
    else
        work(steps);
}

static void big_script(void)
{
    run(1, 18ul * UNIT);
}

static void small_script(void)
{
    for (int i = 0; i < 20; i++)
        run(0, 2ul * UNIT / 20);
}

int main(void)
{
    dear_caller();
    cheap_caller();
    big_script();
    small_script();
    return 0;
}
