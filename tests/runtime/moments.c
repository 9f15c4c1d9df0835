/* moments: takes 50 snapshots while a thread takes samples, one before each at least. */
#include <pthread.h>
#include <regmon.h>
#include <sched.h>

#include "sample.h"

static volatile int is_over;
static volatile long taken;

static void *take_samples(void *unused)
{
    for (; !is_over; taken++)
        take_sample();
    return unused;
}

int main(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, take_samples, NULL))
        return 1;
    for (int i = 0; i < 50; i++) {
        for (const long before = taken; taken == before;)
            sched_yield();
        regmon_snapshot();
    }
    is_over = 1;
    return pthread_join(thread, NULL);
}
