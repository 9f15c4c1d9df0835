/* pool.c - the memory in which a process counts: its file, its parts, and taking pieces of it.
   SPDX-License-Identifier: MIT */
#include "pool.h"

#include <errno.h>

#include "sys.h"
#include "text.h"

#define FIRST_BYTES ((uint64_t)16 << 20)
#define LEAST_BYTES ((uint64_t)1 << 20)
#define MOST_BYTES ((uint64_t)128 << 30) /* of a file */
#define FIXED_BYTES ((uint64_t)4 << 20)
#define STEP_BYTES ((uint64_t)16 << 10) /* made present at once: enough for what counts nothing */
#define USUAL_PATH_BYTES 96
#define ALIGNMENT 128
#define MOST_WAITS 10000 /* of a millisecond each */
#define LIMIT_OF_FILES 1 /* RLIMIT_FSIZE, RLIMIT_MEMLOCK: equal on all machines here */
#define LIMIT_OF_LOCKED 8
#define ENOUGH_LOCKED ((uint64_t)64 << 20)
/* Files of processes with one number, in other namespaces or one after another. */
#define MOST_NAMES 1000
#define MADVISE_POPULATE 23 /* MADV_POPULATE_WRITE, Linux 5.14 */
#define WAKE_OP (5 | 128)   /* FUTEX_WAKE_OP, private */
#define OR_WITH_0 (2 << 28) /* FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0) */

static uint64_t end_of_parts(const struct pool *pool, unsigned part)
{
    return pool->first << part;
}

/* The part that an offset is in, and where that begins. */
static unsigned part_of(const struct pool *pool, uint64_t offset, uint64_t *start)
{
    unsigned part = 0;

    while (offset >= end_of_parts(pool, part))
        part++;
    *start = part ? end_of_parts(pool, part - 1) : 0;
    return part;
}

void *pool_at(const struct pool *pool, uint64_t offset, size_t bytes)
{
    const uint64_t used = pool_used(pool);
    uint64_t start;
    unsigned part;
    char *memory;

    if (!offset || offset > used || bytes > used - offset || offset % 8 != 0)
        return NULL;
    part = part_of(pool, offset, &start);
    memory = part < POOL_PARTS ? __atomic_load_n(&pool->parts[part], __ATOMIC_ACQUIRE) : NULL;
    return memory ? memory + (offset - start) : NULL;
}

/* ---- Parts ---- */

/* A system call that reads a word, and writes it back as it is: an error, not a signal, if there is
   no memory for it. */
static bool touch(const char *word)
{
    return SYS6(__NR_futex, word, WAKE_OP, 0, 0, word, OR_WITH_0) != -EFAULT;
}

/* Makes the memory present, because a full file system would end the process when it is used.
   Others may be using the page already. */
static bool is_there(const struct pool *pool, char *memory, size_t bytes)
{
    const uintptr_t page = 4096, low = (uintptr_t)memory & ~(page - 1);
    const size_t whole = (uintptr_t)memory + bytes - low;
    long error;

    if (!pool->is_file)
        return true;
    error = SYS3(__NR_madvise, low, (whole + page - 1) & ~(page - 1), MADVISE_POPULATE);
    if (error != -EINVAL)
        return error == 0;
    for (size_t i = 0; i < whole; i += page) /* an older kernel, or larger pages */
        if (!touch((const char *)low + i))
            return false;
    return true;
}

/* The same of a piece that begins at an offset, and of more behind it, up to a whole step, because
   a system call takes longer than what it does.  What is present before the piece stays so. */
static bool has_piece(struct pool *pool, uint64_t at, size_t bytes, char *memory, uint64_t end)
{
    uint64_t present = __atomic_load_n(&pool->present, __ATOMIC_RELAXED);
    uint64_t step = (at + bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;

    if (at + bytes <= present)
        return true;
    if (pool->is_fixed)
        return false;
    step = step < end ? step : end;
    if (at > present || !is_there(pool, memory, step - at))
        return is_there(pool, memory, bytes);
    (void)__atomic_compare_exchange_n(&pool->present, &present, step, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED);
    return true;
}

/* A child of fork does not have the memory of its parent: see process.c. */
static char *keep_from_children(char *memory, size_t bytes)
{
    (void)SYS3(__NR_madvise, memory, bytes, MADV_DONTFORK);
    return memory;
}

/* The next part of the file lies behind the last page that is mapped.  The descriptor is closed:
   the kernel maps a part of a shared file again by its address. */
static char *map_next(struct pool *pool, unsigned part, size_t bytes)
{
    const size_t before = part > 1 ? bytes / 2 : pool->first;
    char *last = pool->parts[part - 1] + before - MACHINE_PAGE;
    long address;

    if (!pool->is_file)
        return sys_map(bytes);
    address = SYS4(__NR_mremap, last, 0, bytes + MACHINE_PAGE, MREMAP_MAYMOVE);
    if (address < 0 && address > -4096)
        return NULL;
    return (char *)(address + MACHINE_PAGE);
}

/* Another thread, or a signal handler, may do the same meanwhile.  NULL: no memory. */
static char *part_at(struct pool *pool, unsigned part, uint64_t start)
{
    const size_t bytes = end_of_parts(pool, part) - start;
    char *present, *memory;

    if (part >= POOL_PARTS)
        return NULL;
    present = __atomic_load_n(&pool->parts[part], __ATOMIC_ACQUIRE);
    if (present || pool->is_fixed)
        return present;
    memory = map_next(pool, part, bytes);
    if (!memory ||
        __atomic_compare_exchange_n(&pool->parts[part], &present, keep_from_children(memory, bytes),
                                    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return memory;
    sys_unmap(memory, bytes);
    return present;
}

void *pool_take(struct pool *pool, size_t bytes, uint64_t *offset)
{
    struct pool_header *header = pool->header;
    const uint64_t most = header->config.memory;
    uint64_t used = __atomic_load_n(&header->used, __ATOMIC_ACQUIRE), at, start, end;
    unsigned part;
    char *memory;

    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    do {
        at = used;
        part = part_of(pool, at, &start);
        while (at + bytes > (end = end_of_parts(pool, part))) {
            at = start = end; /* a piece is in one part */
            part++;
        }
        memory = most && at + bytes > most ? NULL : part_at(pool, part, start);
        if (!memory || !has_piece(pool, at, bytes, memory + (at - start), end))
            return NULL;
    } while (!__atomic_compare_exchange_n(&header->used, &used, at + bytes, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    *offset = at;
    return memory + (at - start);
}

void pool_fix(struct pool *pool)
{
    uint64_t at, last, start, end;

    if (!pool->header || pool->is_fixed)
        return;
    at = __atomic_load_n(&pool->header->used, __ATOMIC_ACQUIRE);
    for (last = at + FIXED_BYTES; at < last; at = end) {
        const unsigned part = part_of(pool, at, &start);
        char *memory = part_at(pool, part, start);

        end = end_of_parts(pool, part) < last ? end_of_parts(pool, part) : last;
        if (!memory || !is_there(pool, memory + (at - start), end - at))
            break;
        __atomic_store_n(&pool->present, end, __ATOMIC_RELAXED);
    }
    pool->is_fixed = true;
}

/* ---- The lock of the writer ---- */

bool pool_lock(struct pool_header *header, int holder)
{
    const struct timespec millisecond = {0, 1000000};

    for (int i = 0; i < MOST_WAITS; i++) {
        int now = 0;

        if (__atomic_compare_exchange_n(&header->writer, &now, holder, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return true;
        if (now == holder)
            return false;
        (void)SYS2(__NR_nanosleep, &millisecond, NULL);
    }
    return false;
}

void pool_unlock(struct pool_header *header)
{
    __atomic_store_n(&header->writer, 0, __ATOMIC_RELEASE);
}

/* ---- The file ---- */

static void name_file(struct text *path, const char *directory, int pid, unsigned number)
{
    text_add(path, directory);
    text_add(path, "/");
    text_add_number(path, (uint64_t)pid);
    if (number) {
        text_add(path, "-");
        text_add_number(path, number);
    }
}

static long create_by(char *memory, size_t bytes, const char *directory, int pid)
{
    long fd = -EEXIST;

    for (unsigned i = 0; i < MOST_NAMES && fd == -EEXIST; i++) {
        struct text path = text_in(memory, bytes);

        name_file(&path, directory, pid, i);
        fd = text_is_whole(&path) ? sys_open(memory, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600)
                                  : -ENAMETOOLONG;
    }
    return fd;
}

/* A long path has memory of its own: the stack may be small where a child of clone begins. */
static long create(const char *directory, int pid)
{
    char usual[USUAL_PATH_BYTES];
    long fd = create_by(usual, sizeof usual, directory, pid);
    char *memory = fd == -ENAMETOOLONG ? sys_map(REGMON_PATH_BYTES) : NULL;

    if (memory) {
        fd = create_by(memory, REGMON_PATH_BYTES, directory, pid);
        sys_unmap(memory, REGMON_PATH_BYTES);
    }
    return fd;
}

static uint64_t limit(int resource)
{
    uint64_t limits[2] = {UINT64_MAX, UINT64_MAX};

    (void)SYS4(__NR_prlimit64, 0, resource, NULL, limits);
    return limits[0];
}

/* Bytes of the first part.  A program that locks its memory (mlockall) may lock no more, also of
   what it does not use. */
static uint64_t first_bytes(void)
{
    return limit(LIMIT_OF_LOCKED) < ENOUGH_LOCKED ? LEAST_BYTES : FIRST_BYTES;
}

/* The file is as long as it may get, and has no memory before that is used.  Its first part has
   FIRST bytes. */
static char *map_file(long fd, uint64_t first)
{
    const uint64_t most = limit(LIMIT_OF_FILES);
    uint64_t length = MOST_BYTES;
    long address;

    while (length > most && length > first)
        length /= 2;
    if (length > most || SYS2(__NR_ftruncate, fd, length) != 0)
        return NULL;
    address = SYS6(__NR_mmap, 0, first, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return address < 0 && address > -4096 ? NULL : (char *)address;
}

/* The lock belongs to the open file, which the mapping keeps when the descriptor is closed. */
static char *open_file(const char *directory, int pid, uint64_t *first)
{
    const long fd = create(directory, pid);
    char *memory = NULL;

    if (fd < 0)
        return NULL;
    if (SYS2(__NR_flock, fd, 1 /* LOCK_SH */) == 0)
        for (*first = first_bytes(); !memory && *first >= LEAST_BYTES; *first /= 4)
            memory = map_file(fd, *first);
    *first *= 4;
    sys_close(fd);
    return memory;
}

static char *open_private(uint64_t *first)
{
    char *memory = NULL;

    for (*first = first_bytes(); !memory && *first >= LEAST_BYTES; *first /= 4)
        memory = sys_map(*first);
    *first *= 4;
    return memory;
}

bool pool_open(struct pool *pool, const char *directory, int pid)
{
    uint64_t first = 0;
    char *memory = directory ? open_file(directory, pid, &first) : NULL;

    pool->is_file = memory != NULL;
    if (memory && !has_piece(pool, 0, sizeof *pool->header, memory, first)) {
        sys_unmap(memory, first);
        memory = NULL;
    }
    pool->is_file = memory != NULL;
    if (!memory)
        memory = open_private(&first);
    if (!memory)
        return false;
    pool->parts[0] = keep_from_children(memory, first);
    pool->header = (struct pool_header *)memory;
    pool->bytes = UINT64_MAX;
    pool->most = (struct pool_most){UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    pool->header->first = pool->first = first;
    pool->header->used = (sizeof *pool->header + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return true;
}
