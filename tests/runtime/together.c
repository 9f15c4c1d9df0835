/* together PLUGIN [exit]: eight threads call leaf and the plugin 1,000 times each, a helper that
   was forked calls leaf 77 times; all of them burn some time.  Then the program ends by _exit, or
   with `exit', returns. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int (*plugin_work)(int);

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

__attribute__((noinline)) static void burn(void)
{
    struct timespec now;

    do {
        for (volatile int i = 0; i < 100000; i++)
            ;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec == 0 && now.tv_nsec < 300000000);
}

static void *work(void *result)
{
    for (int i = 0; i < 1000; i++) {
        leaf(i);
        plugin_work(1);
    }
    burn();
    return result;
}

int main(int count, char **words)
{
    void *plugin = count >= 2 ? dlopen(words[1], RTLD_NOW) : NULL;
    pthread_t thread[8];
    struct timespec cpu;
    pid_t helper;

    plugin_work = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : NULL;
    if (!plugin_work)
        return 2;
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    helper = fork();
    if (helper == 0) {
        for (int i = 0; i < 77; i++)
            leaf(i);
        _exit(0);
    }
    waitpid(helper, NULL, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    printf("%ld\n", cpu.tv_sec * 1000000000L + cpu.tv_nsec);
    fflush(stdout);
    if (count == 3)
        return 0;
    _exit(9);
}
