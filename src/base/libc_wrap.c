/* libc_wrap.c - replaces functions of the C library that statically linked libraries call: memory
   and files.

   Memory: libbfd, libdw and libiberty do not handle exhausted memory correctly: some of their error
   paths free memory that they do not own, others continue with incomplete results.  Therefore the
   program dies instead of returning NULL to them.  The linker redirects their calls to this file
   (m4/wrap.m4).  Where it cannot, and in shared libraries, input/image_bfd.c and input/debug_dw.c
   detect some of these failures.

   The program's own calls are redirected too, and large allocations use huge pages: without them,
   address translation takes a third of the time for a graph of millions of arcs.

   Files: libbfd opens the file that an executable names as its debug information, and reads it to
   its end.  It may be a pipe, or a device without an end, so only regular files can be opened for
   reading.  */
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

/* The C library's functions, and their replacements.  */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__real_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fopen64(const char *path, const char *mode);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
int __wrap_posix_memalign(void **p, size_t alignment, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);

/* Returns P; dies if it is NULL and the allocation of N objects of SIZE bytes is not empty.  */
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
    /* From the start of the first page, which also holds the header of the heap.  If the advice did
       not cover the whole mapping, the kernel would split it; it could then not be extended, and
       realloc would copy it.  */
    if (p != NULL && bytes >= 2 * (size_t)LARGE_PAGE) {
        size_t before = (uintptr_t)p % PAGE;
        int saved_errno = errno; /* a failure of madvise is no error */
        (void)madvise((char *)p - before, before + bytes, MADV_HUGEPAGE);
        errno = saved_errno;
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

/* False with errno set if PATH is not a regular file and MODE is for reading.  */
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
