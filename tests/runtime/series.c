/* series [HOW]: calls a 10 times, b 20 times, c 30 times and d 40 times, with a snapshot by SIGUSR1
   behind each but the last.  HOW: `burn' takes 0.1 s of processor time in each of them; `fork' lets
   a child do all of this first; `idle' writes a second snapshot after a, and one at the end;
   another one is a plugin that b calls 100 times, and that is closed before c. */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int is_slow;

static long processor_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#define FUNCTION(name)                                                                             \
    __attribute__((noinline)) static void name(void)                                               \
    {                                                                                              \
        const long end = processor_ms() + 100;                                                     \
                                                                                                   \
        while (is_slow && processor_ms() < end)                                                    \
            for (volatile int i = 0; i < 1000000; i++)                                             \
                ;                                                                                  \
        __asm__ volatile("");                                                                      \
    }

FUNCTION(a)
FUNCTION(b)
FUNCTION(c)
FUNCTION(d)

/* The first call may be slow. */
static void call(void (*function)(void), int count, int burns)
{
    for (int i = 0; i < count; i++) {
        is_slow = burns && i == 0;
        function();
    }
}

static void snapshot(void)
{
    kill(getpid(), SIGUSR1);
}

static void call_plugin(void *plugin)
{
    int (*work)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : 0;

    if (work)
        work(100);
}

int main(int count, char **words)
{
    const char *const mode = count > 1 ? words[1] : "";
    const int burns = strcmp(mode, "burn") == 0;
    const int is_idle = strcmp(mode, "idle") == 0;
    void *plugin = strchr(mode, '/') ? dlopen(mode, RTLD_NOW) : 0;
    const pid_t child = strcmp(mode, "fork") == 0 ? fork() : 0;

    if (child)
        waitpid(child, NULL, 0);
    call(a, 10, burns);
    snapshot();
    if (is_idle)
        snapshot();
    call(b, 20, burns);
    call_plugin(plugin);
    snapshot();
    if (plugin)
        dlclose(plugin);
    call(c, 30, burns);
    snapshot();
    call(d, 40, burns);
    if (is_idle)
        snapshot();
    return 0;
}
