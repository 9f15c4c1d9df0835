/* sample.h - takes a sample where it is called, by a signal like those of a thread's clock. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Always inlined, so that the innermost frame of the program is the caller's. */
static inline __attribute__((always_inline)) void take_sample(void)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = SIGSTKFLT;
    info.si_code = SI_TIMER;
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGSTKFLT, &info))
        exit(10);
}
