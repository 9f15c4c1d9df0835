/* lasting PLUGIN: calls into a plugin, whose call lasts: a snapshot is in the middle of
   it, and 0.2 s of processor time behind that.  Then the plugin is closed.  With -DPLUGIN, that. */
#ifdef PLUGIN
#include <time.h>

void plugin_call(void (*function)(void))
{
    struct timespec now, end;

    function();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    do {
        for (volatile int i = 0; i < 1000000; i++)
            ;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while ((now.tv_sec - end.tv_sec) * 1000000000 + now.tv_nsec - end.tv_nsec < 200000000);
}
#else
#include <dlfcn.h>
#include <unistd.h>

extern int regmon_snapshot(void) __attribute__((weak));

static void snapshot(void)
{
    if (regmon_snapshot)
        regmon_snapshot();
}

int main(int count, char **words)
{
    void *plugin = count == 2 ? dlopen(words[1], RTLD_NOW) : 0;
    void (*call)(void (*)(void)) =
        plugin ? (void (*)(void (*)(void)))dlsym(plugin, "plugin_call") : 0;

    if (!call)
        return 2;
    call(snapshot);
    dlclose(plugin);
    return 0;
}
#endif
