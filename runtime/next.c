/* next.c - the functions that this library's have taken the place of: of the C library, or of
   another library that is preloaded. SPDX-License-Identifier: MIT */
#include "next.h"

#include <dlfcn.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "state.h"

#pragma weak dlsym
#pragma weak dlerror

void next_function(const char *name, void *to)
{
    void *function = dlsym(RTLD_NEXT, name);

    __builtin_memcpy(to, &function, sizeof function);
}

void next_find(void)
{
    struct next *next = &regmon_state.next;

    if (!dlsym || !getauxval(AT_BASE))
        return;
    next_function("dlclose", &next->dlclose);
    next_function("execve", &next->execve);
    next_function("execv", &next->execv);
    next_function("execvpe", &next->execvpe);
    next_function("execvp", &next->execvp);
    next_function("execveat", &next->execveat);
    next_function("fexecve", &next->fexecve);
    next_function("pthread_sigmask", &next->pthread_sigmask);
    next_function("sigprocmask", &next->sigprocmask);
    next_function("sigaction", &next->sigaction);
    next_function("signal", &next->signal);
    next_function("__sysv_signal", &next->sysv_signal);
    next_function("sigtimedwait", &next->sigtimedwait);
    next_function("signalfd", &next->signalfd);
    next_function("sigaltstack", &next->sigaltstack);
    next_function("prctl", &next->prctl);
    next_function("pthread_create", &next->pthread_create);
    next_function("pthread_setname_np", &next->pthread_setname_np);
    next_function("syscall", &next->syscall);
    next_function("_dl_find_object", &next->find_object);
    if (dlerror)
        (void)dlerror(); /* of a function that there is not: the program has made no error */
}
