/* parallel_read.c - reads profiles in several processes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/parallel_read.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/messages.h"
#include "base/progress.h"
#include "program/worker_result.h"

/* A process that reads a part of the profiles.  It writes the sum to `result' and its messages to
   `log'.  If there is any message, the result is dropped and the first process reads the part
   again, so that messages appear in the order of the files and nothing depends on how the files
   were divided.  */
struct worker {
    struct profile_list inputs; /* a range of the paths of the whole list, not owned */
    pid_t pid;
    FILE *result, *log;
};

enum { FILES_PER_WORKER = 32, /* at least */ MAX_WORKERS = 1024 };

static bool are_regular(const struct profile_list *inputs)
{
    struct stat status;
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->paths[i], "-") == 0 || stat(inputs->paths[i], &status) != 0 ||
            !S_ISREG(status.st_mode))
            return false;
    return true;
}

/* The number of processors that this process may use: a batch system may allow fewer than the
   machine has.  */
static unsigned count_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) == 0)
        return (unsigned)CPU_COUNT(&own);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

static unsigned count_workers(const struct profile_list *inputs, unsigned jobs)
{
    size_t max = inputs->count / FILES_PER_WORKER;
    if (max > MAX_WORKERS)
        max = MAX_WORKERS;
    if (jobs == 0)
        jobs = count_processors();
    if (jobs > max)
        jobs = (unsigned)max;
    return jobs > 1 && are_regular(inputs) ? jobs : 1;
}

/* ---- In a worker ---- */

static _Noreturn void run_worker(struct worker *worker, struct loader *loader,
                                 struct address_totals *sum, _Atomic(size_t) *done, pid_t parent)
{
    bool ok = dup2(fileno(worker->log), STDERR_FILENO) >= 0;
    loader->progress = NULL;
    for (size_t i = 0; i < worker->inputs.count && ok; i++) {
        ok = getppid() == parent && profile_load(loader, worker->inputs.paths[i]) &&
             loader->bad == 0;
        atomic_fetch_add(done, 1);
    }
    ok = ok && worker_result_write(worker->result, loader->profile, sum);
    _exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool start_worker(struct worker *worker, struct loader *loader, struct address_totals *sum,
                         _Atomic(size_t) *done)
{
    pid_t parent = getpid();
    worker->result = tmpfile();
    worker->log = tmpfile();
    if (worker->result == NULL || worker->log == NULL)
        return false;
    worker->pid = fork();
    if (worker->pid == 0)
        run_worker(worker, loader, sum, done, parent);
    return worker->pid > 0;
}

/* ---- In the first process ---- */

static bool is_empty(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && status.st_size == 0;
}

static void add_infos(struct profile *profile, const struct worker_result *result)
{
    profile->infos = mem_grow(profile->infos, &profile->info_capacity,
                              profile->info_count + result->info_count, sizeof *profile->infos);
    memcpy(profile->infos + profile->info_count, result->infos,
           result->info_count * sizeof *profile->infos);
    profile->info_count += result->info_count;
}

/* Adds the result of a worker.  False, with nothing changed, if it is incomplete or its histograms
   do not match: then this process must read the part itself, to print the messages.  */
static bool add_result(struct profile *profile, struct address_totals *sum,
                       const struct worker *worker)
{
    struct worker_result result = {0};
    rewind(worker->result);
    bool ok = worker_result_read(&result, worker->result) &&
              hist_is_compatible(&profile->hist, &result.hist);
    if (ok) {
        hist_add_set(&profile->hist, &result.hist);
        address_totals_add(sum, &result.sum);
        add_infos(profile, &result);
    }
    worker_result_free(&result);
    return ok;
}

/* Waits for WORKER to end; whether it read its part without any message.  */
static bool has_succeeded(const struct worker *worker)
{
    int status;
    while (waitpid(worker->pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS && is_empty(worker->log);
}

static void stop_worker(struct worker *worker)
{
    if (worker->pid > 0) {
        kill(worker->pid, SIGKILL);
        waitpid(worker->pid, NULL, 0);
    }
}

static void close_files(struct worker *worker)
{
    if (worker->result != NULL)
        fclose(worker->result);
    if (worker->log != NULL)
        fclose(worker->log);
}

/* The part of INPUTS that worker NUMBER of COUNT reads; worker 0 is this process.  */
static struct profile_list part_of(const struct profile_list *inputs, unsigned number,
                                   unsigned count)
{
    size_t first = inputs->count / count * number;
    size_t end = number + 1 == count ? inputs->count : inputs->count / count * (number + 1);
    return (struct profile_list){.paths = inputs->paths + first, .count = end - first};
}

static bool read_parts(struct loader *loader, struct address_totals *sum,
                       const struct profile_list *inputs, unsigned count, _Atomic(size_t) *done)
{
    struct worker *workers = mem_array(count, sizeof *workers);
    bool ok = true;
    fflush(NULL);
    for (unsigned i = 0; i < count; i++) {
        workers[i].inputs = part_of(inputs, i, count);
        if (i > 0 && !start_worker(&workers[i], loader, sum, done))
            workers[i].pid = 0;
    }
    ok = profile_load_all(loader, &workers[0].inputs);
    for (unsigned i = 1; i < count; i++) {
        if (!ok)
            stop_worker(&workers[i]);
        else if (workers[i].pid <= 0 || !has_succeeded(&workers[i]) ||
                 !add_result(loader->profile, sum, &workers[i]))
            ok = profile_load_all(loader, &workers[i].inputs);
        close_files(&workers[i]);
    }
    free(workers);
    return ok;
}

bool parallel_read(struct loader *loader, struct address_totals *sum,
                   const struct profile_list *inputs, unsigned jobs)
{
    unsigned count = count_workers(inputs, jobs);
    _Atomic(size_t) *done = MAP_FAILED;
    if (count > 1)
        done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (done == MAP_FAILED)
        return profile_load_all(loader, inputs);
    if (loader->progress != NULL)
        loader->progress->others = done;
    bool ok = read_parts(loader, sum, inputs, count, done);
    if (loader->progress != NULL)
        loader->progress->others = NULL;
    munmap(done, sizeof *done);
    return ok;
}
