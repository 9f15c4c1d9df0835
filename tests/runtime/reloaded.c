/* reloaded PLUGIN...: opens, calls and closes one plugin after the other, which calls back; that
   takes a sample.  Prints where each had its function.  With -DFRAME, such a plugin: its function
   has a frame of so many bytes. */
#ifdef FRAME
void plugin_call(void (*function)(void))
{
    volatile char frame[FRAME];

    for (int i = 0; i < FRAME; i++)
        frame[i] = 0;
    function();
    frame[0] = 1;
}
#else
#include <dlfcn.h>
#include <stdio.h>

#include "sample.h"

__attribute__((noinline)) void called_back(void)
{
    take_sample();
    __asm__ volatile("");
}

int main(int count, char **words)
{
    called_back(); /* the library takes its memory: the plugins get the same addresses */
    for (int i = 1; i < count; i++) {
        void *plugin = dlopen(words[i], RTLD_NOW);
        void (*call)(void (*)(void)) =
            plugin ? (void (*)(void (*)(void)))dlsym(plugin, "plugin_call") : 0;

        if (!call)
            return 2;
        printf("%p\n", (void *)call);
        call(called_back);
        dlclose(plugin);
    }
    return 0;
}
#endif
