/* Threads count ever new arcs, through the function that the entry points call, while others write
   files, reset and end.  For ThreadSanitizer, which the library is compiled with, too. */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "regmon.h"
#include "thread.h"

static void *count(void *result)
{
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
    pthread_t thread[8];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++)
            pthread_create(&thread[i], 0, i < 6 ? count : look, 0);
        for (int i = 0; i < 8; i++)
            pthread_join(thread[i], 0);
    }
    return 0;
}
