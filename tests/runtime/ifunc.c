/* A resolver that is compiled with -pg runs before the program is ready; so does what it calls. */
__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static int chosen_one(int x)
{
    return leaf(x);
}

static int (*choose(void))(int)
{
    leaf(1);
    return chosen_one;
}

int chosen(int x) __attribute__((ifunc("choose")));

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 1000; i++)
        sum = chosen(sum);
    return sum != 1000;
}
