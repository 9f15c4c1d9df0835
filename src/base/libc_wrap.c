/* libc_wrap.c - what the libraries that are linked into the program ask of the C library: memory,
   sorting, and files.

   libbfd, libdw and libiberty were not written to be without memory: some of their ways back free
   what was never theirs, others go on with half an answer.  So they never get to know.  The linker
   leads their calls here (m4/wrap.m4); where it cannot, and in shared libraries, they are on their
   own, and input/image_bfd.c and input/debug_dw.c notice what they can.

   So do our own calls, and here large pages are asked for under what is large: in a graph of
   millions of arcs a third of the time goes to finding pages.

   libdw sorts the rows of each line table, which compilers write in order but for a few: what is
   sorted is left alone.

   libbfd opens what an executable names as the place of its debug information, and reads it to the
   end.  That might be a pipe, or a device that has no end: it is not there, then.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#ifdef HAVE_WRAP

#include <errno.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/messages.h"

/* The C library's functions, and what is called instead of them.  */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__real_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void __real_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fopen64(const char *path, const char *mode);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
int __wrap_posix_memalign(void **p, size_t alignment, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void __wrap_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);

static void *check(void *p, size_t n, size_t size)
{
    if (p == NULL && n > 0 && size > 0)
        die(MSG_NO_MEMORY, n, size);
    return p;
}

static void *use_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE_PAGE = 2 * 1024 * 1024, PAGE = 4096 }; /* bytes */
    /* From the page on that has the heap's note of its size: a mapping of which a part is advised
       otherwise is two for the kernel, which then cannot make it larger, and realloc copies.  */
    if (p != NULL && bytes >= 2 * (size_t)LARGE_PAGE) {
        size_t before = (uintptr_t)p % PAGE;
        int reason = errno; /* of something else: that there are no large pages is none */
        (void)madvise((char *)p - before, before + bytes, MADV_HUGEPAGE);
        errno = reason;
    }
#endif
    return p;
}

void *__wrap_malloc(size_t size)
{
    return use_large_pages(check(__real_malloc(size), 1, size), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return use_large_pages(check(__real_calloc(n, size), n, size), n * size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return use_large_pages(check(__real_realloc(p, size), 1, size), size);
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    int status = __real_posix_memalign(p, alignment, size);
    check(status == ENOMEM ? NULL : *p, 1, size);
    return status;
}

char *__wrap_strdup(const char *s)
{
    return check(__real_strdup(s), 1, 1);
}

char *__wrap_strndup(const char *s, size_t n)
{
    return check(__real_strndup(s, n), 1, 1);
}

void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
    return check(__real_tsearch(key, root, compare), 1, sizeof(void *));
}

void __wrap_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    const char *elements = base;
    for (size_t i = 1; i < n; i++) {
        if (compare(elements + (i - 1) * size, elements + i * size) > 0) {
            __real_qsort(base, n, size, compare);
            return;
        }
    }
}

static bool may_open(const char *path, const char *mode)
{
    struct stat status;
    if (mode[0] == 'r' && stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        errno = EINVAL;
        return false;
    }
    return true;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return may_open(path, mode) ? __real_fopen(path, mode) : NULL;
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return may_open(path, mode) ? __real_fopen64(path, mode) : NULL;
}

#endif
