/* Two functions that call one other equally often, for work of different size. */
static volatile int total;

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        total += i;
}

__attribute__((noinline)) static void cheap(void)
{
    work(1000);
}

__attribute__((noinline)) static void costly(void)
{
    work(99000);
}

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        cheap();
        costly();
    }
    return 0;
}
