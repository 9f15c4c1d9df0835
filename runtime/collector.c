/* collector.c - writes the profiles of processes when they have ended, however they ended.
   SPDX-License-Identifier: MIT

   A process has the file of its pool locked as long as it has it mapped.  When it ends, or executes
   another program, the kernel closes the file (IN_CLOSE_WRITE), and the lock is free.

   regmon and the collector exchange packets: `r' the collector is ready; `e' and the processor time
   of all that has ended, in nanoseconds, asks it to write what has ended, and it answers `e' and
   what has become of the run; `s' asks for snapshots; `m' and a text is a message. */
#include "collector.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "descriptors.h"
#include "pool.h"
#include "profile.h"
#include "record.h"
#include "say.h"
#include "stacks_file.h"
#include "text.h"
#include "worker.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* equal on all machines */
#endif

#define MEMORY "/dev/shm"
#define NAME "regmon-"
/* A file that a collector has locked, with what it knows of the run (trusted_write). */
#define LOCK "collector"
/* Before the name of the file of a process whose profile had no room. */
#define KEPT "kept-"

#define MOST_KEPT 10000
#define GRACE 300 /* milliseconds: a process may be between two programs */
#define AGAIN 20  /* milliseconds: the lock is free a moment after the file is closed */
#define MOST_AGAIN 10
#define LONGEST_START 60 /* seconds until LOCK is written */

/* A packet. */
struct answer {
    char kind;
    struct collected collected;
};

struct state {
    struct trusted trusted;
    const char *path; /* of the pool */
    int directory;    /* the same */
    int events;       /* inotify; -1: none */
    int starter;      /* pidfd of the process that started it; -1: it has ended */
    int socket;       /* to regmon; -1: none */
    int lock;         /* LOCK */
    unsigned interval;
    struct collected collected;
    bool has_news;   /* sections that are not in the record */
    bool is_removed; /* the directory, which has been said */
    unsigned again;  /* looks for a file that was closed, and still locked */
};

/* To regmon; -1: messages go to standard error. */
static int messages = -1;

void message(const char *what, const char *name, long error)
{
    char memory[MESSAGE_BYTES];
    struct text line;

    memory[0] = 'm';
    line = text_in(memory + 1, sizeof memory - 2);
    message_text(&line, what, name, error);
    line.start[line.used++] = '\n';
    if (messages >= 0)
        (void)send(messages, memory, line.used + 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    else if (write(STDERR_FILENO, line.start, line.used) < 0)
        return; /* nobody can be told */
}

/* ---- The processes ---- */

static bool is_of_process(const char *name)
{
    return *name >= '0' && *name <= '9';
}

static bool is_kept(const char *name)
{
    return strncmp(name, KEPT, strlen(KEPT)) == 0;
}

static bool is_section(const char *name)
{
    return strncmp(name, SECTION, strlen(SECTION)) == 0;
}

enum fate { ALIVE, NOT_BEGUN, ENDED, KEPT_FOR_LATER, FATES };

static enum fate fate_of(int fd, struct pool_header *header)
{
    if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        return ALIVE;
    return pread(fd, header, sizeof *header, 0) > 0 && header->magic ? ENDED : NOT_BEGUN;
}

static void say_later(const struct state *state)
{
    message("regmon --finish writes it when there is room; until then it is in", state->path, 0);
}

/* Gives the file of a process another name, by which only --finish looks at it.  Other processes
   may have had its number. */
static void keep(const struct state *state, const char *name)
{
    char kept[sizeof KEPT + NAME_MAX + 16];

    for (unsigned i = 0; !is_kept(name) && i < MOST_KEPT; i++) {
        (void)snprintf(kept, sizeof kept, KEPT "%s-%u", name, i);
        if (!renameat2(state->directory, name, state->directory, kept, RENAME_NOREPLACE) ||
            errno != EEXIST)
            break;
    }
    say_later(state);
}

/* Writes and removes the file of a process that has ended; of a living one, a snapshot if asked. */
static enum fate look_at(struct state *state, const char *name, bool takes_snapshot)
{
    /* To close a file that could be written is an event. */
    const int fd = openat(state->directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct pool_header header = {0};
    enum written written = WRITTEN;
    enum fate fate;
    int file;

    if (fd < 0)
        return NOT_BEGUN;
    state->collected.is_used = true;
    fate = fate_of(fd, &header);
    if (fate == ENDED)
        trusted_add_time(&header, &state->collected.profiled, &state->collected.is_vague);
    if (fate == ENDED ? profile_may_be_needed(&header) : fate == ALIVE && takes_snapshot) {
        file = openat(state->directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        state->has_news = true;
        if (file >= 0)
            written = worker_write(&state->trusted, file, state->directory, fate == ENDED);
        (void)close(file);
    }
    state->collected.has_failed |= written != WRITTEN;
    if (written == NO_ROOM) {
        keep(state, name);
        fate = KEPT_FOR_LATER;
    }
    if (fate == ENDED)
        (void)unlinkat(state->directory, name, 0);
    (void)close(fd);
    return fate;
}

/* Opens the list of the pool's files; NULL if it cannot be read. */
static DIR *open_list(const struct state *state)
{
    return fdopendir(openat(state->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/* All of them; with FATES, also those that were kept, and counts what became of them.  Returns how
   many live. */
static unsigned look_at_all(struct state *state, bool takes_snapshot, unsigned *fates)
{
    DIR *list = open_list(state);
    const struct dirent *entry;
    unsigned alive = 0;

    while (list && (entry = readdir(list)))
        if (is_of_process(entry->d_name) || (fates && is_kept(entry->d_name))) {
            const enum fate fate = look_at(state, entry->d_name, takes_snapshot);

            alive += fate == ALIVE;
            if (fates)
                fates[fate]++;
        }
    if (list)
        (void)closedir(list);
    return alive;
}

static unsigned count_kept(const struct state *state)
{
    DIR *list = open_list(state);
    const struct dirent *entry;
    unsigned count = 0;

    while (list && (entry = readdir(list)))
        count += is_kept(entry->d_name) || (state->has_news && is_section(entry->d_name));
    if (list)
        (void)closedir(list);
    return count;
}

/* Sets the header to what the name of the record depends on: it is that of the first process. */
static void fill_header(struct pool_header *header, const struct trusted *trusted)
{
    struct text name = text_in(header->config.program, sizeof header->config.program);

    *header = (struct pool_header){.is_program = 1, .config = {.hz = 1, .has_stacks = true}};
    text_add(&name, trusted->program ? text_last_part(trusted->program) : "program");
    trusted_set_names(trusted, header);
}

/* Writes the record of the run, unless it has all sections.  False if it is to be written later. */
static bool write_record(struct state *state)
{
    static struct pool_header header;
    static char path[2 * REGMON_PATH_BYTES];
    struct text stem = text_in(path, sizeof path);
    struct record record = {.run = strrchr(state->path, '/') + 1,
                            .sections = state->directory,
                            .since = state->trusted.since,
                            .waited = state->collected.waited,
                            .room = trusted_most(&state->trusted, (uint64_t)1 << 30).bytes};
    long error;
    int place;

    if (!state->has_news || !trusted_has_record(&state->trusted))
        return true;
    fill_header(&header, &state->trusted);
    profile_add_stem(&stem, &header);
    record.name = text_last_part(path);
    place = trusted_place(&state->trusted, &header);
    error = place < 0 ? -ENOENT : record_write(&record, place, &state->collected.sum);
    if (place >= 0)
        (void)close(place);
    state->collected.has_failed |= error != 0;
    /* What cannot be written at all is lost, as the profile of a process is; a message has said so.
     */
    state->has_news = error == -ENOSPC || error == -EDQUOT || error == -EFBIG;
    if (!state->has_news)
        return true;
    say_later(state);
    return false;
}

/* All but what was kept, which needs LOCK: by that it is found. */
static void remove_pool(const struct state *state)
{
    DIR *list = open_list(state);
    const struct dirent *entry;

    while (list && (entry = readdir(list)))
        if (is_of_process(entry->d_name) || (!state->has_news && is_section(entry->d_name)))
            (void)unlinkat(state->directory, entry->d_name, 0);
    if (list)
        (void)closedir(list);
    (void)unlinkat(state->directory, POOL_REFUSED, 0);
    if (!count_kept(state)) {
        (void)unlinkat(state->directory, LOCK, 0);
        (void)rmdir(state->path);
    }
}

/* ---- Events ---- */

/* Files that were closed; all files if events were lost. */
static void read_events(struct state *state)
{
    _Alignas(struct inotify_event) char buffer[4096];
    const ssize_t got = read(state->events, buffer, sizeof buffer);
    const struct inotify_event *event;

    for (ssize_t at = 0; at < got; at += (ssize_t)(sizeof *event + event->len)) {
        event = (const struct inotify_event *)(buffer + at);
        if (event->mask & IN_Q_OVERFLOW)
            (void)look_at_all(state, false, NULL);
        else if (event->len && is_of_process(event->name))
            state->again = look_at(state, event->name, false) == ALIVE ? MOST_AGAIN : state->again;
    }
}

/* Says once that somebody has removed the directory while regmon still needs it. */
static void say_removed(struct state *state)
{
    struct stat status;

    if (state->is_removed || fstat(state->directory, &status) != 0 || status.st_nlink)
        return;
    state->is_removed = state->collected.is_used = state->collected.has_failed = true;
    message("counts are lost: somebody, as logind when a user logs out (RemoveIPC), has removed",
            state->path, 0);
}

static void take_snapshots(struct state *state)
{
    (void)look_at_all(state, true, NULL);
    (void)write_record(state);
}

static void read_packet(struct state *state)
{
    char packet[32] = {0};
    struct answer answer;
    const ssize_t got = recv(state->socket, packet, sizeof packet - 1, 0);

    if (got <= 0) {
        (void)close(state->socket);
        state->socket = messages = -1;
    } else if (*packet == 'e') {
        state->collected.has_record = trusted_has_record(&state->trusted);
        state->collected.waited = strtoull(packet + 1, NULL, 10);
        state->collected.alive = look_at_all(state, false, NULL);
        (void)write_record(state);
        say_removed(state);
        answer = (struct answer){'e', state->collected};
        (void)send(state->socket, &answer, sizeof answer, MSG_NOSIGNAL);
    } else if (*packet == 's')
        take_snapshots(state);
}

static int64_t now_in_ms(void)
{
    return trusted_now(CLOCK_MONOTONIC) / 1000000;
}

/* Until nobody asks any more and no process of the pool is left. */
static void collect(struct state *state)
{
    const int64_t period = state->interval;
    int64_t next = now_in_ms() + period, timeout;
    bool was_idle = false;

    for (;;) {
        struct pollfd files[] = {
            {state->socket, POLLIN, 0}, {state->starter, POLLIN, 0}, {state->events, POLLIN, 0}};
        const bool is_left = state->socket < 0 && state->starter < 0;
        int count;

        timeout = state->again ? AGAIN : is_left || state->events < 0 ? GRACE : -1;
        if (period && (timeout < 0 || next - now_in_ms() < timeout))
            timeout = next > now_in_ms() ? next - now_in_ms() : 0;
        count = poll(files, 3, (int)timeout);
        if (count == 0 && state->again) {
            state->again = look_at_all(state, false, NULL) ? state->again - 1 : 0;
            continue;
        }
        if (files[2].revents)
            read_events(state);
        if (files[1].revents) {
            (void)close(state->starter);
            state->starter = -1;
        }
        if (files[0].revents)
            read_packet(state);
        if (period && now_in_ms() >= next) {
            take_snapshots(state);
            next += period;
        }
        if (count == 0 && (is_left || state->events < 0)) {
            const bool is_idle = look_at_all(state, false, NULL) == 0;

            (void)write_record(state);
            if (is_left && is_idle && was_idle)
                return;
            was_idle = is_idle;
        } else
            was_idle = false;
    }
}

/* ---- The start ---- */

#define PLACES 3

/* Where pools are; NULL for one that there is not. */
static void list_places(const char *places[PLACES])
{
    places[0] = MEMORY;
    places[1] = getenv("TMPDIR");
    places[2] = "/tmp";
}

static bool make_pool(char *path, size_t bytes)
{
    const char *places[PLACES];

    list_places(places);
    for (size_t i = 0; i < PLACES; i++)
        if (places[i] && *places[i] == '/' &&
            (size_t)snprintf(path, bytes, "%s/" NAME "XXXXXX", places[i]) < bytes && mkdtemp(path))
            return true;
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* These files are the program's and regmon's. */
static void leave_standard_files(bool keeps_errors)
{
    const int null = open("/dev/null", O_RDWR);

    for (int i = 0; i < 3 - keeps_errors; i++)
        (void)dup2(null, i);
}

/* The lock is held as long as the collector lives. */
static int lock_pool(const struct state *state)
{
    const int fd = openat(state->directory, LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    return fd >= 0 && flock(fd, LOCK_EX) == 0 && trusted_write(&state->trusted, fd) ? fd : -1;
}

/* Has the standard error of regmon only if nobody passes its messages on. */
static _Noreturn void run(struct state *state, bool is_alone)
{
    /* Who ends a whole service sends these to each of its processes. */
    static const int ignored[] = {SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    int kept[7];
    size_t count = 0;

    (void)setsid();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        (void)signal(ignored[i], SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL);
    state->directory = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    trusted_open(&state->trusted);
    state->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (state->events >= 0 && inotify_add_watch(state->events, state->path, IN_CLOSE_WRITE) < 0) {
        (void)close(state->events);
        state->events = -1;
    }
    state->lock = lock_pool(state);
    if (state->directory < 0 || state->lock < 0 || send(state->socket, "r", 1, MSG_NOSIGNAL) != 1)
        _exit(1);
    if (is_alone) {
        (void)close(state->socket);
        state->socket = -1;
    }
    int *const all[] = {&state->directory, &state->trusted.home, &state->trusted.place,
                        &state->events,    &state->starter,      &state->socket,
                        &state->lock};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((*all[i] = descriptor_move_up(*all[i])) >= 0)
            kept[count++] = *all[i];
    messages = state->socket;
    qsort(kept, count, sizeof *kept, compare_numbers);
    leave_standard_files(is_alone);
    descriptors_close(STDERR_FILENO + 1, kept, count);
    (void)chdir("/");
    collect(state);
    say_removed(state);
    remove_pool(state);
    _exit(0);
}

/* Starts the collector as a grandchild, so that init is its parent when this returns. */
static bool start(struct state *state, bool is_alone)
{
    const pid_t pid = fork();

    if (pid == 0)
        switch (fork()) {
        case 0:
            run(state, is_alone);
        case -1:
            _exit(1);
        default:
            _exit(0);
        }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return pid > 0;
}

int collector_start(struct collector *collector, const char *program, const char *prefix,
                    unsigned interval, bool is_alone)
{
    static char path[REGMON_PATH_BYTES], whole[PATH_MAX];
    struct state state = {.path = path,
                          .interval = interval,
                          .trusted = {.program = realpath(program, whole),
                                      .prefix = prefix,
                                      .begun = trusted_now(CLOCK_BOOTTIME)}};
    int sockets[2];
    char ready;

    collector->socket = -1;
    if (!make_pool(path, sizeof path)) {
        say(_("no memory for counts outside of the program: %s"), strerror(errno));
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        say(_("no collector: %s"), strerror(errno));
        (void)rmdir(path);
        return -1;
    }
    collector->since = state.trusted.since = trusted_moment(path);
    state.socket = sockets[1];
    state.starter = is_alone ? (int)syscall(SYS_pidfd_open, getpid(), 0) : -1;
    const bool is_started = start(&state, is_alone);

    if (state.starter >= 0)
        (void)close(state.starter);
    (void)close(sockets[1]);
    if (!is_started || recv(sockets[0], &ready, 1, 0) != 1) {
        say(_("no collector: %s"), strerror(errno));
        (void)close(sockets[0]);
        (void)rmdir(path);
        return -1;
    }
    (void)setenv(POOL_DIRECTORY, path, 1);
    if (is_alone)
        (void)close(sockets[0]);
    else
        collector->socket = sockets[0];
    return 0;
}

bool collector_is_alive(const char *directory)
{
    char path[REGMON_PATH_BYTES];
    int lock;
    bool is_held;

    (void)snprintf(path, sizeof path, "%s/" LOCK, directory);
    lock = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    is_held = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0)
        (void)close(lock);
    return is_held;
}

void collector_snapshot(const struct collector *collector)
{
    const int error = errno;

    if (collector->socket >= 0)
        (void)send(collector->socket, "s", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    errno = error;
}

static uint64_t in_ns(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

struct collected collector_end(struct collector *collector)
{
    union {
        char text[MESSAGE_BYTES + 1];
        struct answer answer;
    } packet;
    struct rusage usage;
    uint64_t used;
    ssize_t got;
    int length;

    if (collector->socket < 0)
        return (struct collected){0};
    (void)getrusage(RUSAGE_CHILDREN, &usage);
    used = in_ns(&usage.ru_utime) + in_ns(&usage.ru_stime);
    length = snprintf(packet.text, sizeof packet.text, "e%llu", (unsigned long long)used);
    /* If it is gone, nothing is received. */
    (void)send(collector->socket, packet.text, (size_t)length, MSG_NOSIGNAL);
    while (((got = recv(collector->socket, &packet, sizeof packet, 0)) > 0 &&
            packet.answer.kind != 'e') ||
           (got < 0 && errno == EINTR))
        if (got > 0)
            (void)fwrite(packet.text + 1, 1, (size_t)got - 1, stderr);
    if (got <= 0)
        say(_("the collector was killed; regmon --finish writes what it has left"));
    (void)close(collector->socket);
    collector->socket = -1;
    if (got <= 0)
        return (struct collected){0};
    packet.answer.collected.is_known = true;
    return packet.answer.collected;
}

/* ---- Pools of other collectors ---- */

/* Calls VISIT for each pool of this user, with what COUNTS points to. */
static void for_all_pools(void (*visit)(struct state *state, int lock, unsigned *counts),
                          unsigned *counts)
{
    const char *places[PLACES];

    list_places(places);
    for (size_t i = 0; i < PLACES; i++) {
        DIR *directory = places[i] ? opendir(places[i]) : NULL;
        const struct dirent *entry;

        while (directory && (entry = readdir(directory))) {
            char path[REGMON_PATH_BYTES];
            struct stat status;
            struct state state = {.path = path, .socket = -1, .starter = -1, .events = -1};
            int lock;

            if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0 ||
                (size_t)snprintf(path, sizeof path, "%s/%s", places[i], entry->d_name) >=
                    sizeof path)
                continue;
            state.directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (state.directory < 0)
                continue;
            lock = -1;
            if (fstat(state.directory, &status) == 0 && status.st_uid == geteuid())
                lock = openat(state.directory, LOCK, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
            if (lock >= 0)
                visit(&state, lock, counts);
            if (lock >= 0)
                (void)close(lock);
            (void)close(state.directory);
        }
        if (directory)
            (void)closedir(directory);
    }
}

static void wait_for(struct state *state, int lock, unsigned *counts)
{
    char home[REGMON_PATH_BYTES], here[REGMON_PATH_BYTES];
    const ssize_t got = pread(lock, home, sizeof home - 1, 0);

    (void)state;
    (void)counts;
    if (got <= 0 || !getcwd(here, sizeof here))
        return;
    home[got] = 0;
    if (strcmp(home, here) != 0 || flock(lock, LOCK_SH | LOCK_NB) == 0)
        return;
    while (flock(lock, LOCK_SH) != 0 && errno == EINTR)
        ;
}

void collector_wait(void)
{
    for_all_pools(wait_for, NULL);
}

/* A file that a collector has made, and may write to. */
static bool is_young(const struct stat *status)
{
    return trusted_now(CLOCK_REALTIME) / 1000000000 - status->st_mtim.tv_sec < LONGEST_START;
}

/* A collector lives for a moment after a run: it is waited for if it has kept something. */
static void finish(struct state *state, int lock, unsigned *fates)
{
    const unsigned kept = count_kept(state);
    unsigned tries = kept ? 5 * GRACE / AGAIN : 0, alive;
    struct stat status;

    if (fstat(lock, &status) != 0 || (!status.st_size && is_young(&status)))
        return; /* it begins */
    while (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (!tries--) {
            fates[KEPT_FOR_LATER] += kept;
            return;
        }
        (void)poll(NULL, 0, AGAIN);
    }
    trusted_read(&state->trusted, lock);
    state->has_news = true;
    alive = look_at_all(state, false, fates);
    if (!write_record(state))
        fates[KEPT_FOR_LATER]++;
    if (!alive)
        remove_pool(state);
    (void)close(state->trusted.place);
    (void)close(state->trusted.home);
}

unsigned collector_finish(unsigned *left)
{
    unsigned fates[FATES] = {0};

    for_all_pools(finish, fates);
    *left = fates[KEPT_FOR_LATER];
    return fates[ENDED];
}
