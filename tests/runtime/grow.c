/* grow SIGNALS: a handler runs after each instruction of the program, so many times, also in the
   middle of counting; both call leaf from ever new places, which needs ever new slots.  Prints how
   often they called it.  Where the processor cannot do so, another thread interrupts the program.
   grow_calls.h is made by the test: callers[CALLERS], each of which calls leaf once. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

#include "grow_calls.h"

static volatile long handled;
static long wanted;

static void handle(int number)
{
    (void)number;
    callers[handled % CALLERS](1);
    handled++;
}

#ifdef __x86_64__
#define INTERRUPTION SIGTRAP

/* Sets the trap flag; nothing has to end it but the end of the calls. */
static void begin_interruptions(void)
{
    __asm__ volatile("sub $128, %%rsp; pushfq; orq $256, (%%rsp); popfq; add $128, %%rsp" ::
                         : "cc", "memory");
}

static void end_interruptions(void)
{
    __asm__ volatile("sub $128, %%rsp; pushfq; andq $~256, (%%rsp); popfq; add $128, %%rsp" ::
                         : "cc", "memory");
}
#else
#define INTERRUPTION SIGUSR1
static pthread_t target, sender;

static void *interrupt(void *result)
{
    while (handled < wanted)
        pthread_kill(target, INTERRUPTION);
    return result;
}

static void begin_interruptions(void)
{
    target = pthread_self();
    pthread_create(&sender, NULL, interrupt, NULL);
}

static void end_interruptions(void)
{
    pthread_join(sender, NULL);
}
#endif

int main(int count, char **words)
{
    long own = 0;

    wanted = count == 2 ? atol(words[1]) : 0;
    signal(INTERRUPTION, handle);
    begin_interruptions();
    while (handled < wanted)
        callers[own++ * 7 % CALLERS](2);
    end_interruptions();
    printf("%ld\n", own + handled);
    return 0;
}
