/* storm THREADS PLUGIN...: so many short threads, 16 at a time, with exceptions, destructors of keys, a
   handler at 1 kHz in which profiled code runs, and plugins that are opened, called and closed meanwhile.
   Prints how often handler and plugin_leaf ran. */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#define NOINLINE __attribute__((noinline))

static pthread_key_t key;
static std::atomic<long> handled, plugged;

extern "C" {
NOINLINE int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

/* Threads and handlers count in the same slot of this call. */
NOINLINE void shared(int x)
{
    leaf(x);
}

NOINLINE void in_handler(int x)
{
    __asm__ volatile("" : "+r"(x));
}

NOINLINE void in_destructor(int x)
{
    __asm__ volatile("" : "+r"(x));
}

NOINLINE void thrower(int x)
{
    if (leaf(x))
        throw x;
}
}

static void handle(int)
{
    in_handler(1);
    shared(1);
    handled++;
}

static void destroy(void *)
{
    in_destructor(1);
    __asm__ volatile(""); /* not a tail call, whose caller would be the C library */
}

static void *work(void *)
{
    pthread_setspecific(key, &key);
    for (int i = 0; i < 100; i++)
        shared(i);
    try {
        thrower(1);
    } catch (int) {
        leaf(1);
    }
    return nullptr;
}

static void open_and_close(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    int (*function)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : nullptr;

    if (!function)
        exit(3);
    function(10);
    plugged += 11; /* its destructor calls it, too */
    dlclose(plugin);
}

int main(int count, char **words)
{
    const int threads = atoi(words[1]);
    struct itimerval every_ms = {{0, 1000}, {0, 1000}};
    pthread_t thread[16];

    pthread_key_create(&key, destroy);
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &every_ms, nullptr);
    for (int i = 0; i < threads; i += 16) {
        for (pthread_t &t : thread)
            if (pthread_create(&t, nullptr, work, nullptr))
                return 2;
        if (count > 2)
            open_and_close(words[2 + i / 16 % (count - 2)]);
        for (pthread_t &t : thread)
            pthread_join(t, nullptr);
    }
    every_ms = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every_ms, nullptr);
    printf("%ld %ld\n", handled.load(), plugged.load());
    return 0;
}
