/* perf_clock.c - a clock of the kernel's performance counters, which does not depend on the timer
   tick. SPDX-License-Identifier: MIT

   The structures are the kernel's interface, declared here because C libraries do not bring them.
 */
#include "perf_clock.h"

#include "sys.h"
#include "text.h"

#define TYPE_SOFTWARE 1
#define SOFTWARE_TASK_CLOCK 1
#define FLAG_DISABLED ((uint64_t)1 << 0)
#define FLAG_EXCLUDE_KERNEL ((uint64_t)1 << 5)
#define FLAG_EXCLUDE_HV ((uint64_t)1 << 6)
#define OPEN_CLOEXEC 8
#define IOCTL_ENABLE 0x2400
#define FCNTL_SETSIG 10
#define FCNTL_SETOWN_EX 15
#define OWNER_TID 0
#define RING_BYTES                                                                                 \
    ((size_t)8192) /* a page of the kernel's, and one of samples, which are not read */

struct attributes {
    uint32_t type;
    uint32_t size;
    uint64_t config;
    uint64_t sample_period;
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags;
    uint32_t wakeup_events;
    uint32_t bp_type;
    uint64_t config1;
};

struct owner {
    int type;
    int pid;
};

/* Of user code only, also where the kernel permits more: signals that come in the kernel interrupt
   system calls. */
static long open_event(uint64_t period)
{
    struct attributes a;

    clear_bytes(&a, sizeof a);
    a.type = TYPE_SOFTWARE;
    a.size = sizeof a;
    a.config = SOFTWARE_TASK_CLOCK;
    a.sample_period = period;
    a.flags = FLAG_DISABLED | FLAG_EXCLUDE_HV | FLAG_EXCLUDE_KERNEL;
    a.wakeup_events = 1;
    return SYS5(__NR_perf_event_open, &a, 0, -1, -1, OPEN_CLOEXEC);
}

/* Not writable: the kernel overwrites old samples. */
static void *map_ring(long fd, long *error)
{
    const long address = SYS6(__NR_mmap, 0, RING_BYTES, PROT_READ, MAP_SHARED, fd, 0);

    if (address < 0 && address > -4096) {
        *error = address;
        return NULL;
    }
    (void)SYS3(__NR_madvise, address, RING_BYTES, MADV_DONTFORK);
    return (void *)address;
}

static long send_signals(long fd, int tid)
{
    const struct owner owner = {OWNER_TID, tid};
    long error = SYS3(__NR_fcntl, fd, FCNTL_SETOWN_EX, &owner);

    if (error >= 0)
        error = SYS3(__NR_fcntl, fd, FCNTL_SETSIG, SAMPLE_SIGNAL);
    if (error >= 0)
        error = SYS3(__NR_fcntl, fd, F_SETFL, O_ASYNC);
    if (error >= 0)
        error = SYS3(__NR_ioctl, fd, IOCTL_ENABLE, 0);
    return error;
}

bool perf_clock_is_permitted(void)
{
    const long fd = open_event(1000000);

    if (fd >= 0)
        sys_close(fd);
    return fd >= 0;
}

/* The mapping keeps the event.  The descriptor is closed at once, because programs close
   descriptors that they do not know, and use the numbers for others. */
void *perf_clock_open(int tid, uint64_t period, long *error)
{
    const long fd = open_event(period);
    void *ring;

    if (fd < 0) {
        *error = fd;
        return NULL;
    }
    ring = map_ring(fd, error);
    if (ring) {
        *error = send_signals(fd, tid);
        if (*error < 0) {
            perf_clock_close(ring);
            ring = NULL;
        }
    }
    sys_close(fd);
    return ring;
}

void perf_clock_close(void *clock)
{
    sys_unmap(clock, RING_BYTES);
}
