/* test_memory_limit.c - memory limits: what counts, and where control goes when one is passed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/memory_limit.h"

#include <stdlib.h>

#include "tap.h"

enum { MEGABYTE = 1 << 20, LEAST = 256 }; /* megabytes, for a small file */

static struct memory_limit limit_for(uint64_t size)
{
    struct memory_limit limit;
    memory_limit_set(&limit, size);
    return limit;
}

static void test_sizes(void)
{
    is_equal(limit_for(0).left, (uint64_t)LEAST * MEGABYTE, "a small file");
    is_equal(limit_for(1000 * (uint64_t)MEGABYTE).left, 50000 * (uint64_t)MEGABYTE, "a large file");
    is_equal(limit_for(UINT64_MAX / 2).left, UINT64_MAX, "the largest file");
}

#ifdef HAVE_WRAP

/* Prevents the compiler from removing an allocation that is not used.  */
static void use(void *p)
{
    void *volatile kept = p;
    free(kept);
}

/* Whether COUNT allocations of a megabyte pass LIMIT.  */
static bool is_passed(struct memory_limit *limit, int count)
{
    if (MEMORY_LIMIT_PASSED(limit))
        return true;
    for (int i = 0; i < count; i++)
        use(malloc(MEGABYTE));
    memory_limit_end();
    return false;
}

static void test_allocations(void)
{
    struct memory_limit limit = limit_for(0);
    is_true(!is_passed(&limit, LEAST / 2), "half of the limit");
    is_equal(limit.left, (uint64_t)LEAST / 2 * MEGABYTE, "half of the limit is left");
    use(malloc(MEGABYTE));
    is_equal(limit.left, (uint64_t)LEAST / 2 * MEGABYTE, "memory after the end does not count");
    is_true(!is_passed(&limit, LEAST / 2), "the other half");
    is_true(is_passed(&limit, 1), "and one more");
    use(malloc(MEGABYTE));
    is_equal(limit.left, 0, "nor after the limit was passed");
}

static bool is_passed_by_calloc(struct memory_limit *limit, size_t n, size_t size)
{
    if (MEMORY_LIMIT_PASSED(limit))
        return true;
    use(calloc(n, size));
    memory_limit_end();
    return false;
}

static bool is_passed_by_realloc(struct memory_limit *limit, void *p, size_t size)
{
    if (MEMORY_LIMIT_PASSED(limit))
        return true;
    use(realloc(p, size));
    memory_limit_end();
    return false;
}

static void test_kinds(void)
{
    struct memory_limit limit = limit_for(0);
    volatile size_t much = SIZE_MAX / 2 + 2; /* volatile: the compiler warns about such sizes */
    is_true(!is_passed_by_calloc(&limit, 0, 16), "calloc of no objects");
    is_true(!is_passed_by_calloc(&limit, 16, MEGABYTE), "calloc");
    is_equal(limit.left, (uint64_t)(LEAST - 16) * MEGABYTE, "calloc counts all objects");
    is_true(is_passed_by_calloc(&limit, much, 2), "calloc of more bytes than a size_t holds");
    is_true(!is_passed_by_realloc(&limit, malloc(16), 16 * MEGABYTE), "realloc");
    is_equal(limit.left, (uint64_t)(LEAST - 32) * MEGABYTE, "realloc counts the whole new size");
}

/* Whether opening PATH, and then COUNT allocations of a megabyte, passes LIMIT.  */
static bool is_passed_with_file(struct memory_limit *limit, const char *path, int count)
{
    if (MEMORY_LIMIT_PASSED(limit))
        return true;
    FILE *file = fopen(path, "r");
    if (file != NULL)
        fclose(file);
    for (int i = 0; i < count; i++)
        use(malloc(MEGABYTE));
    memory_limit_end();
    return false;
}

static void test_files(void)
{
    static const char path[] = "memory-limit.tmp";
    static const char zeros[MEGABYTE];
    struct memory_limit limit = limit_for(0);
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fwrite(zeros, 1, sizeof zeros, file) == sizeof zeros;
    if (file != NULL)
        fclose(file);
    is_true(is_written, "a file of a megabyte");
    is_true(!is_passed_with_file(&limit, path, LEAST + 50), "adds 50 to the limit");
    is_true(is_passed_with_file(&limit, "/nowhere", 1), "a missing file adds nothing");
    remove(path);
}

#endif

int main(void)
{
    test_sizes();
#ifdef HAVE_WRAP
    test_allocations();
    test_kinds();
    test_files();
#endif
    return tap_done();
}
