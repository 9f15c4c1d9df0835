/* take.h - takes a sample, and prints what backtrace says of the same place: its name and the
   frames, outermost first, as names of objects and addresses in them.  The sample is taken by a
   signal like those of a thread's clock. */
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART __attribute__((noinline))

/* The innermost frame of the program is this one.  The lines of a stack are in the order of calls.
 */
APART static void take(const char *where)
{
    void *frames[200];
    int count = backtrace(frames, 200);
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = SIGPROF;
    info.si_code = SI_TIMER;
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGPROF, &info))
        exit(10);
    printf("%s:", where);
    while (count-- > 1) { /* less the call of backtrace */
        Dl_info at;

        if (dladdr(frames[count], &at)) {
            const char *last = strrchr(at.dli_fname, '/');

            printf(" %s+%lx", last ? last + 1 : at.dli_fname,
                   (unsigned long)((char *)frames[count] - (char *)at.dli_fbase));
        }
    }
    printf("\n");
}
