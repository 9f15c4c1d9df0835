/* starved PLUGIN: closes a plugin while there is no memory to keep its counts, then calls leaf. */
#include <dlfcn.h>
#include <sys/resource.h>

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

int main(int count, char **words)
{
    struct rlimit limit;
    rlim_t before;
    void *plugin = dlopen(words[1], RTLD_NOW);
    int (*function)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : 0;

    if (!function || getrlimit(RLIMIT_AS, &limit))
        return 1;
    function(10);
    before = limit.rlim_cur;
    limit.rlim_cur = 1 << 20;
    if (setrlimit(RLIMIT_AS, &limit) || dlclose(plugin))
        return 2;
    limit.rlim_cur = before;
    if (setrlimit(RLIMIT_AS, &limit))
        return 3;
    for (int i = 0; i < 100; i++)
        leaf(i);
    return 0;
}
