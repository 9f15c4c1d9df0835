/* Threads count ever new arcs, through the function that the entry points call, while others write
   files and reset.  For ThreadSanitizer, which the library is compiled with, too.

   A thread that begins may take the record of one that has ended.  The library asks the kernel
   whether it has, which orders the two but which ThreadSanitizer does not see: so every thread of a
   round has its record before one ends, and the next round, which takes these records, begins after
   pthread_join. */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "regmon.h"
#include "thread.h"

enum { COUNTING = 6, THREADS = 8 };

static pthread_barrier_t all_have_records;

static void *count(void *result)
{
    regmon_count((uintptr_t)count, (uintptr_t)count + 8);
    pthread_barrier_wait(&all_have_records);
    for (uintptr_t i = 0; i < 20000; i++)
        regmon_count((uintptr_t)count + i % 5000, (uintptr_t)count + 8);
    return result;
}

static void *look(void *result)
{
    for (int i = 0; i < 5; i++) {
        usleep(1000);
        regmon_snapshot();
        if (i == 2)
            regmon_reset();
    }
    return result;
}

int main(void)
{
    pthread_t thread[THREADS];

    pthread_barrier_init(&all_have_records, 0, COUNTING);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < THREADS; i++)
            pthread_create(&thread[i], 0, i < COUNTING ? count : look, 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], 0);
    }
    return 0;
}
