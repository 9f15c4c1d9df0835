/* opener PLUGIN [close|sample]: calls into a plugin, which calls back; with `sample', that takes a
   sample, also in another thread, before.  The plugin stays open; or it is closed, and the program
   prints whether it is gone. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "sample.h"

static int takes_samples;

__attribute__((noinline)) void called_back(void)
{
    if (takes_samples)
        take_sample();
    __asm__ volatile("");
}

static void (*call)(void (*function)(void));

static void *call_from_thread(void *name)
{
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < 30; i++)
        call(called_back);
    return 0;
}

int main(int count, char **words)
{
    void *plugin = count >= 2 ? dlopen(words[1], RTLD_NOW) : 0;
    int (*work)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : 0;
    pthread_t thread;

    call = plugin ? (void (*)(void (*)(void)))dlsym(plugin, "plugin_call") : 0;
    if (!call || !work)
        return 2;
    takes_samples = count == 3 && words[2][0] == 's';
    if (takes_samples) {
        pthread_create(&thread, 0, call_from_thread, "loader");
        pthread_join(thread, 0);
    }
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
