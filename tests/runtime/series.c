/* series [HOW [DIRECTORY]]: calls a 10 times, b 20 times, c 30 times and d 40 times, with a
   snapshot behind each but the last.  HOW: `burn' takes 0.1 s of processor time in each
   of them; `fork' lets a child do all of this first; `idle' writes a second snapshot after a, and
   one at the end; `starve' only calls a, 10 times before each of 65 snapshots, of which 64 have
   little memory; another one is a plugin that b calls 100 times, and that is closed before c. Goes
   to the DIRECTORY after it has called a. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
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

extern int regmon_snapshot(void) __attribute__((weak));

__attribute__((noinline)) static void snapshot(void)
{
    if (regmon_snapshot)
        regmon_snapshot();
}

static void call_plugin(void *plugin)
{
    int (*work)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : 0;

    if (work)
        work(100);
}

static rlim_t bytes_in_use(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (!file || fscanf(file, "%ld", &pages) != 1)
        _exit(2);
    fclose(file);
    return (rlim_t)pages * (rlim_t)getpagesize();
}

static void starve(void)
{
    struct rlimit usual, little;

    getrlimit(RLIMIT_AS, &usual);
    little = usual;
    for (rlim_t i = 0; i <= 64; i++) {
        call(a, 10, 0);
        little.rlim_cur = bytes_in_use() + (i << 15);
        if (i > 0)
            setrlimit(RLIMIT_AS, &little);
        snapshot();
        setrlimit(RLIMIT_AS, &usual);
    }
}

int main(int count, char **words)
{
    const char *const mode = count > 1 ? words[1] : "";
    const int burns = strcmp(mode, "burn") == 0;
    const int is_idle = strcmp(mode, "idle") == 0;
    void *plugin = strchr(mode, '/') ? dlopen(mode, RTLD_NOW) : 0;
    const pid_t child = strcmp(mode, "fork") == 0 ? fork() : 0;

    if (strcmp(mode, "starve") == 0) {
        starve();
        return 0;
    }
    if (child)
        waitpid(child, NULL, 0);
    call(a, 10, burns);
    if (count > 2 && chdir(words[2]))
        return 1;
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
