/* sys.h - system calls without the C library.
   SPDX-License-Identifier: MIT

   The library counts inside of functions that expect no call, in signal handlers, in children of
   vfork and while the C library is not ready.  So it calls the kernel itself.  All of these return
   what the kernel returns: a negative error number, not -1 and errno. */
#ifndef REGMON_SYS_H
#define REGMON_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "machine.h"

#define SYS0(number) sys_call(number, 0, 0, 0, 0, 0, 0)
#define SYS1(number, a) sys_call(number, (long)(a), 0, 0, 0, 0, 0)
#define SYS2(number, a, b) sys_call(number, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYS3(number, a, b, c) sys_call(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS4(number, a, b, c, d) sys_call(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS5(number, a, b, c, d, e)                                                                \
    sys_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define SYS6(number, a, b, c, d, e, f)                                                             \
    sys_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* What the kernel returns as functions of the C library do: -1, and errno, for an error. */
static inline long sys_result(long result)
{
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

static inline int sys_getpid(void)
{
    return (int)SYS0(__NR_getpid);
}

static inline int sys_gettid(void)
{
    return (int)SYS0(__NR_gettid);
}

/* Memory that reads as zero and is private to the process; NULL if there is none.  ThreadSanitizer
   has to see that it is new, so it gets the C library's calls. */
static inline void *sys_map(size_t bytes)
{
    const int protection = PROT_READ | PROT_WRITE;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef __SANITIZE_THREAD__
    void *memory = mmap(NULL, bytes, protection, flags, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
#else
    const long address = SYS6(__NR_mmap, 0, bytes, protection, flags, -1, 0);

    return address < 0 && address > -4096 ? NULL : (void *)address;
#endif
}

static inline void sys_unmap(void *address, size_t bytes)
{
#ifdef __SANITIZE_THREAD__
    (void)munmap(address, bytes);
#else
    (void)SYS2(__NR_munmap, address, bytes);
#endif
}

static inline long sys_open(const char *path, int flags, int mode)
{
    return SYS4(__NR_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
}

static inline void sys_close(long fd)
{
    (void)SYS1(__NR_close, fd);
}

static inline long sys_read(long fd, void *buffer, size_t bytes)
{
    return SYS3(__NR_read, fd, buffer, bytes);
}

static inline long sys_write(long fd, const void *buffer, size_t bytes)
{
    return SYS3(__NR_write, fd, buffer, bytes);
}

/* Whether the thread of this process is there.  A filter may refuse to tell: then it is. */
static inline int sys_is_thread(int pid, int tid)
{
    return SYS3(__NR_tgkill, pid, tid, 0) != -ESRCH;
}

/* ---- Signals, as the kernel has them ---- */

#define SYS_SIGSET_BYTES 8
#define SYS_SIGNALS 65 /* behind the last one */

#define SAMPLE_SIGNAL SIGSTKFLT /* of the library's clocks */
#define SAMPLE_BIT ((uint64_t)1 << (SAMPLE_SIGNAL - 1))

typedef void sys_handler(int number, siginfo_t *info, void *context);

struct sys_sigaction {
    sys_handler *handler; /* NULL: the default */
    unsigned long flags;
    uint64_t mask;
};

/* The kernel has another struct on each machine: handler, flags, where the handler returns to, if
   programs say that, and mask. */
static inline long sys_sigaction(int number, const struct sys_sigaction *new_action,
                                 struct sys_sigaction *old_action)
{
    uint64_t words[SYS_ACTION_MASK + 1] = {0};
    long error;

    if (new_action) {
        words[SYS_ACTION_MASK - 1] = (uintptr_t)SYS_RESTORER;
        words[0] = (uintptr_t)new_action->handler;
        words[1] = new_action->flags | SYS_SA_RESTORER;
        words[SYS_ACTION_MASK] = new_action->mask;
    }
    error = SYS4(__NR_rt_sigaction, number, new_action ? words : NULL, old_action ? words : NULL,
                 SYS_SIGSET_BYTES);
    if (!error && old_action) {
        old_action->handler = (sys_handler *)words[0];
        old_action->flags = words[1];
        old_action->mask = words[SYS_ACTION_MASK];
    }
    return error;
}

static inline long sys_sigmask(int how, const uint64_t *set, uint64_t *old)
{
    return SYS4(__NR_rt_sigprocmask, how, set, old, SYS_SIGSET_BYTES);
}

/* ---- Writing without a signal ---- */

/* What was before signals were blocked. */
struct sys_quiet {
    uint64_t mask;
    uint64_t pending;
};

static inline void sys_quiet_begin(struct sys_quiet *quiet)
{
    const uint64_t all = ~(uint64_t)0;

    (void)sys_sigmask(SIG_BLOCK, &all, &quiet->mask);
    quiet->pending = 0;
    (void)SYS2(__NR_rt_sigpending, &quiet->pending, SYS_SIGSET_BYTES);
}

/* Takes away the signals that failed writes have raised meanwhile: the program did not write. */
static inline void sys_quiet_end(const struct sys_quiet *quiet)
{
    const uint64_t raised = (uint64_t)1 << (SIGPIPE - 1) | (uint64_t)1 << (SIGXFSZ - 1);
    const uint64_t taken = raised & ~quiet->pending;
    const struct timespec now = {0, 0};

    while (SYS4(__NR_rt_sigtimedwait, &taken, NULL, &now, SYS_SIGSET_BYTES) > 0)
        ;
    (void)sys_sigmask(SIG_SETMASK, &quiet->mask, NULL);
}

#endif
