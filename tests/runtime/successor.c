/* successor: one thread after the other, with one handle: the first has ended, but is not gone when
   the second sets its name, because a child traces it.  The first takes a sample, the second two.
   Status 3: there is no such thread. */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "sample.h"

static pthread_barrier_t barrier;
static pid_t number;

static void *run_first(void *unused)
{
    number = syscall(SYS_gettid);
    pthread_setname_np(pthread_self(), "first");
    take_sample();
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *run_second(void *unused)
{
    pthread_setname_np(pthread_self(), "second");
    take_sample();
    take_sample();
    return unused;
}

/* Until nobody writes to the pipe any more. */
static void trace(int ready, int end)
{
    const char answer = ptrace(PTRACE_SEIZE, number, 0, 0) == 0;
    char byte;

    write(ready, &answer, 1);
    while (read(end, &byte, 1) > 0)
        ;
    _exit(0);
}

int main(void)
{
    int ready[2], end[2];
    pthread_t first, second;
    char answer = 0;

    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    pthread_barrier_init(&barrier, NULL, 2);
    if (pipe(ready) || pipe(end) || pthread_create(&first, NULL, run_first, NULL))
        return 1;
    pthread_barrier_wait(&barrier);
    if (fork() == 0) {
        close(end[1]);
        trace(ready[1], end[0]);
    }
    if (read(ready[0], &answer, 1) != 1 || !answer)
        return 3;
    pthread_barrier_wait(&barrier);
    pthread_join(first, NULL);
    if (syscall(SYS_tgkill, getpid(), number, 0) ||
        pthread_create(&second, NULL, run_second, NULL) || !pthread_equal(first, second))
        return 3;
    pthread_join(second, NULL);
    close(end[1]);
    wait(NULL);
    return 0;
}
