/* opener PLUGIN [close]: calls into a plugin, which calls back.  The plugin stays open; or it is
   closed, and the program prints whether it is gone. */
#include <dlfcn.h>
#include <stdio.h>

__attribute__((noinline)) void called_back(void)
{
    __asm__ volatile("");
}

int main(int count, char **words)
{
    void *plugin = count >= 2 ? dlopen(words[1], RTLD_NOW) : 0;
    void (*call)(void (*)(void)) =
        plugin ? (void (*)(void (*)(void)))dlsym(plugin, "plugin_call") : 0;
    int (*work)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : 0;

    if (!call || !work)
        return 2;
    for (int i = 0; i < 50; i++) {
        call(called_back);
        work(4);
    }
    if (count == 3) {
        dlclose(plugin);
        puts(dlopen(words[1], RTLD_NOW | RTLD_NOLOAD) ? "kept" : "gone");
    }
    return 0;
}
