/* serve THREADS SNAPSHOTS DIRECTORY: threads call leaf while so many snapshots are written; between
   two of them, the first thread calls leaf. After each, the file gets another name in DIRECTORY.
   Then resets, calls leaf 100 times, and ends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "regmon.h"

static volatile int is_done;
static volatile long finished; /* calls of the first thread */

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void *work(void *result)
{
    const int is_first = *(long *)result == 0;
    long calls = 0;

    while (!is_done) {
        leaf((int)calls++);
        if (is_first)
            finished = calls;
    }
    *(long *)result = calls;
    return NULL;
}

int main(int count, char **words)
{
    const int threads = count == 4 ? atoi(words[1]) : 0,
              snapshots = count == 4 ? atoi(words[2]) : 0;
    pthread_t thread[16];
    long calls[16], all = 0;
    char path[4096];

    for (int i = 0; i < threads; i++) {
        calls[i] = i;
        pthread_create(&thread[i], NULL, work, &calls[i]);
    }
    for (int i = 0; i < snapshots; i++) {
        for (const long before = finished; finished == before;)
            usleep(1000);
        if (regmon_snapshot())
            return 3;
        snprintf(path, sizeof path, "%s/%d", words[3], i);
        if (link("gmon.out", path))
            return 4;
    }
    is_done = 1;
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        all += calls[i];
    }
    regmon_snapshot();
    snprintf(path, sizeof path, "%s/last", words[3]);
    link("gmon.out", path);
    printf("%ld\n", all);
    regmon_reset();
    for (int i = 0; i < 100; i++)
        leaf(i);
    return 0;
}
