/* next.c - the functions that this library's have taken the place of: of the C library, or of
   another library that is preloaded. SPDX-License-Identifier: MIT */
#include "next.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "state.h"

#pragma weak dlsym
#pragma weak dlerror

/* A function by its name; 0 if there is none. */
static void find(const char *name, void *to)
{
    void *function = dlsym(RTLD_NEXT, name);

    __builtin_memcpy(to, &function, sizeof function);
}

void next_find(void)
{
    struct next *next = &regmon_state.next;

    if (!dlsym || !getauxval(AT_BASE))
        return;
    find("dlclose", &next->dlclose);
    find("execve", &next->execve);
    find("execv", &next->execv);
    find("execvpe", &next->execvpe);
    find("execvp", &next->execvp);
    find("execveat", &next->execveat);
    find("fexecve", &next->fexecve);
    find("pthread_sigmask", &next->pthread_sigmask);
    find("sigprocmask", &next->sigprocmask);
    find("sigaction", &next->sigaction);
    find("signal", &next->signal);
    find("__sysv_signal", &next->sysv_signal);
    find("sigtimedwait", &next->sigtimedwait);
    find("signalfd", &next->signalfd);
    find("sigaltstack", &next->sigaltstack);
    find("prctl", &next->prctl);
    find("pthread_create", &next->pthread_create);
    find("pthread_setname_np", &next->pthread_setname_np);
    find("syscall", &next->syscall);
    find("pthread_getcpuclockid", &next->pthread_getcpuclockid);
    find("_dl_find_object", &next->find_object);
    find("dl_iterate_phdr", &next->iterate_objects);
    if (dlerror)
        (void)dlerror(); /* of a function that there is not: the program has made no error */
}

/* A program may define dl_iterate_phdr, too, as those with ThreadSanitizer do.  Its function need
   not work before its own start, which the constructor of this library precedes. */
void next_iterate_objects(object_visitor *visit, void *data)
{
    (void)(regmon_state.next.iterate_objects ? regmon_state.next.iterate_objects
                                             : dl_iterate_phdr)(visit, data);
}
