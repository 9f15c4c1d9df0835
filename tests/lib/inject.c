/* inject.c - the allocator of tests/faulty, which is otherwise gprof.  With SHIM_FAIL=N in the
   environment, the Nth allocation fails; with SHIM_FAIL=N-, all later ones too.  At the end, the
   file SHIM_REPORT has a line `requests N'.  Unlike shim.c, this works with sanitizers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_WRAP

/* In the other files of this program, these names mean the functions below: see tests/local.mk.  */
#undef __real_malloc
#undef __real_calloc
#undef __real_realloc
#undef __real_posix_memalign
#undef __real_strdup
#undef __real_strndup
#undef __real_tsearch
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__real_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void *inject_malloc(size_t size);
void *inject_calloc(size_t n, size_t size);
void *inject_realloc(void *p, size_t size);
int inject_posix_memalign(void **p, size_t alignment, size_t size);
char *inject_strdup(const char *s);
char *inject_strndup(const char *s, size_t n);
void *inject_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));

static unsigned long requests;

static void report(void)
{
    const char *path = getenv("SHIM_REPORT");
    FILE *out = path != NULL ? fopen(path, "w") : NULL;
    if (out != NULL) {
        fprintf(out, "requests %lu\n", requests);
        fclose(out);
    }
}

static bool fails(void)
{
    const char *number = getenv("SHIM_FAIL");
    if (requests++ == 0)
        atexit(report);
    if (number == NULL)
        return false;
    unsigned long first = strtoul(number, NULL, 10);
    if (requests != first && !(strchr(number, '-') != NULL && requests > first))
        return false;
    errno = ENOMEM;
    return true;
}

void *inject_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *inject_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *inject_realloc(void *p, size_t size)
{
    return fails() ? NULL : __real_realloc(p, size);
}

int inject_posix_memalign(void **p, size_t alignment, size_t size)
{
    return fails() ? ENOMEM : __real_posix_memalign(p, alignment, size);
}

char *inject_strdup(const char *s)
{
    return fails() ? NULL : __real_strdup(s);
}

char *inject_strndup(const char *s, size_t n)
{
    return fails() ? NULL : __real_strndup(s, n);
}

void *inject_tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
    return fails() ? NULL : __real_tsearch(key, root, compare);
}

#endif
