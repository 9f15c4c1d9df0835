/* without [HOW]: compiled without -pg; takes samples in the program, in the C library, in threads
   that have called nothing before, and in children.  With NONE, takes none; with SCRIPT, runs a
   script and ends after it; with EXEC, a shell that runs one takes its place. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>

#include "sample.h"

#define PLAIN __attribute__((noinline))

PLAIN static void work(int samples)
{
    for (int i = 0; i < samples; i++)
        take_sample();
}

static int take_in_comparison(const void *a, const void *b)
{
    work(1);
    return *(const char *)a - *(const char *)b;
}

static void *run_thread(void *name)
{
    if (name)
        pthread_setname_np(pthread_self(), name);
    work(5);
    return NULL;
}

static void *wait_for_name(void *barrier)
{
    work(2);
    pthread_barrier_wait(barrier);
    pthread_barrier_wait(barrier);
    return NULL;
}

static void name_another(void)
{
    pthread_barrier_t barrier;
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, wait_for_name, &barrier);
    pthread_barrier_wait(&barrier);
    pthread_setname_np(thread, "named later");
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
}

int main(int count, char **words)
{
    char letters[] = "ba";
    pthread_t thread;

    if (count == 2 && !strcmp(words[1], "none"))
        return 0;
    work(10);
    if (count == 3 && !strcmp(words[1], "exec"))
        return execl("/bin/sh", "sh", "-c", words[2], NULL);
    if (count == 3)
        return system(words[2]);
    qsort(letters, 2, 1, take_in_comparison);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, run_thread, i ? "worker" : NULL);
        pthread_join(thread, NULL);
    }
    name_another();
    if (!fork()) {
        work(3);
        raise(SIGKILL);
    }
    wait(NULL);
    return 0;
}
