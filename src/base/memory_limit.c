/* memory_limit.c - replaces functions of the C library that statically linked libraries call:
   memory and files.

   Memory: libbfd, libdw and libiberty do not handle exhausted memory correctly: some of their error
   paths free memory that they do not own, others continue with incomplete results.  Therefore the
   program dies instead of returning NULL to them.  The linker redirects their calls to this file
   (m4/wrap.m4).  Where it cannot, and in shared libraries, debug/libbfd_files.c and debug/dwarf.c
   detect some of these failures.

   The program's own calls are redirected too, and large allocations use huge pages: without them,
   address translation takes a third of the time for a graph of millions of arcs.

   Files: libbfd opens the file that an executable names as its debug information, and reads it to
   its end.  It may be a pipe, a device without an end or a file of terabytes in /proc, so only
   plain files (base/files.h) can be opened for reading.

   The memory limit (base/memory_limit.h): it is in force during some calls of libbfd only.  malloc
   has no argument for it, so this file has a variable at file scope.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/memory_limit.h"

#include "base/common.h"

/* For the debug information of a file, libbfd allocates 4 to 8 times the size of the file, 17 times
   if it is compressed (gcc and clang, C and C++).  So a limit of 50 times rejects nothing that a
   compiler made.  Small files may use what every machine has.  */
static const uint64_t least_limit = 256 << 20; /* bytes */
static const uint64_t limit_per_byte = 50;

static uint64_t limit_for_bytes(uint64_t size)
{
    return size > UINT64_MAX / limit_per_byte ? UINT64_MAX : size * limit_per_byte;
}

void memory_limit_set(struct memory_limit *limit, uint64_t size)
{
    limit->left = max_u64(least_limit, limit_for_bytes(size));
}

#ifdef HAVE_WRAP

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/files.h"
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

/* ---- The memory limit ---- */

static struct memory_limit *limit_in_force; /* NULL outside of limited calls */

jmp_buf *memory_limit_begin(struct memory_limit *limit)
{
    limit_in_force = limit;
    return &limit->exit;
}

void memory_limit_end(void)
{
    limit_in_force = NULL;
}

/* Subtracts an allocation of N objects of SIZE bytes, which follows, from the limit in force.  If
   it is larger than what is left, does not return: leaves the limited call.  */
static void charge(size_t n, size_t size)
{
    struct memory_limit *limit = limit_in_force;
    if (limit == NULL)
        return;
    if (size > 0 && n > limit->left / size) {
        limit_in_force = NULL;
        longjmp(limit->exit, 1);
    }
    limit->left -= n * size;
}

/* ---- Memory ---- */

/* Returns P; dies if it is NULL and the allocation of N objects of SIZE bytes is not empty.  */
static void *check(void *p, size_t n, size_t size)
{
    if (p == NULL && n > 0 && size > 0) {
        limit_in_force = NULL; /* printing the message allocates too */
        die(MSG_NO_MEMORY, n, size);
    }
    return p;
}

static void *use_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE_PAGE = 2 * 1024 * 1024, PAGE = 4096 }; /* bytes */
    /* Advises from the first page on, which also holds the header of the heap.  If the advice did
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
    charge(1, size);
    return use_large_pages(check(__real_malloc(size), 1, size), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    charge(n, size);
    return use_large_pages(check(__real_calloc(n, size), n, size), n * size);
}

void *__wrap_realloc(void *p, size_t size)
{
    charge(1, size);
    return use_large_pages(check(__real_realloc(p, size), 1, size), size);
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    charge(1, size);
    int status = __real_posix_memalign(p, alignment, size);
    check(status == ENOMEM ? NULL : *p, 1, size);
    return status;
}

char *__wrap_strdup(const char *s)
{
    charge(strlen(s) + 1, 1);
    return check(__real_strdup(s), 1, 1);
}

char *__wrap_strndup(const char *s, size_t n)
{
    charge(strnlen(s, n) + 1, 1);
    return check(__real_strndup(s, n), 1, 1);
}

void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
    return check(__real_tsearch(key, root, compare), 1, sizeof(void *));
}

/* ---- Files ---- */

/* False with errno set if PATH is no plain file and MODE is for reading.  If it is one, raises the
   limit in force by what its size allows.  */
static bool may_open(const char *path, const char *mode)
{
    struct stat status;
    if (mode[0] != 'r' || stat(path, &status) != 0)
        return true;
    if (!is_plain_file(path)) {
        errno = EINVAL;
        return false;
    }
    if (limit_in_force != NULL)
        limit_in_force->left =
            sum_u64(limit_in_force->left, limit_for_bytes((uint64_t)status.st_size));
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

#else

jmp_buf *memory_limit_begin(struct memory_limit *limit)
{
    return &limit->exit;
}

void memory_limit_end(void)
{
}

#endif
