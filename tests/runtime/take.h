/* take.h - takes a sample, and prints what backtrace says of the same place: its name and the
   frames, outermost first, as names of objects and addresses in them. */
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>

#include "sample.h"

#define APART __attribute__((noinline))

/* The innermost frame of the program is this one.  The lines of a stack are in the order of calls.
 */
APART static void take(const char *where)
{
    void *frames[200];
    int count = backtrace(frames, 200);

    take_sample();
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
