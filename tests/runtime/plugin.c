/* A shared object; plugin_work calls plugin_leaf N times, plugin_call the program's function. */
__attribute__((noinline)) int plugin_leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

int plugin_work(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum = plugin_leaf(sum);
    return sum;
}

void plugin_call(void (*function)(void))
{
    function();
}

__attribute__((destructor)) static void plugin_end(void)
{
    plugin_leaf(0);
}
