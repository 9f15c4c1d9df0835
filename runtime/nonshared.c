/* nonshared.c - what only the shared library needs.  Functions that glibc has in its static part
   become weak references, so that the library can be loaded with another C library, too.
   SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "export.h"

typedef void function(void);

int __register_atfork(function *prepare, function *parent, function *child, void *object);
int __cxa_at_quick_exit(function *function, void *object);
extern void *__dso_handle __attribute__((visibility("hidden")));

#pragma weak __register_atfork
#pragma weak __cxa_at_quick_exit

/* The function of a C library that has no static part; NULL if there is none. */
static void find(const char *name, void *to)
{
    void *found = dlsym(RTLD_NEXT, name);

    __builtin_memcpy(to, &found, sizeof found);
}

int pthread_atfork(function *prepare, function *parent, function *child)
{
    int (*next)(function * prepare, function * parent, function * child);

    if (__register_atfork)
        return __register_atfork(prepare, parent, child, __dso_handle);
    find("pthread_atfork", &next);
    return next ? next(prepare, parent, child) : -1;
}

int at_quick_exit(function *called)
{
    int (*next)(function * called);

    if (__cxa_at_quick_exit)
        return __cxa_at_quick_exit(called, __dso_handle);
    find("at_quick_exit", &next);
    return next ? next(called) : -1;
}

void __gmon_start__(void);

/* Called by the start of this library (_init).  That of a program with -pg calls __monstartup and
   atexit, which is too early here: the C library has not begun, nor has ThreadSanitizer, which may
   have its own atexit. */
void __gmon_start__(void)
{
}

REGMON_EXPORT const char *__asan_default_options(void);

/* Asked by the start of AddressSanitizer where the program does not define it.  Without this
   option, that ends a program for which a library is preloaded. */
const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}
