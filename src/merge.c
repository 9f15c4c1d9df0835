#include "config.h"

#include "merge.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "messages.h"
#include "progress.h"
#include "save.h"
#include "sum_file.h"

/* A share of the inputs that a process of its own reads.  It leaves the sum in `result' and
   whatever it had to say in `log': if that is anything at all, its work is thrown away and done
   again by the first process, so that messages come in the order of the files and nothing depends
   on who read what.  */
struct worker {
    struct inputs share; /* paths of the whole */
    pid_t pid;
    FILE *result, *log;
};

enum { WORTH_A_PROCESS = 32 }; /* files */

static bool are_regular(const struct inputs *inputs)
{
    struct stat status;
    for (size_t i = 0; i < inputs->count; i++)
        if (stat(inputs->paths[i], &status) != 0 || !S_ISREG(status.st_mode))
            return false;
    return true;
}

static unsigned count_workers(const struct inputs *inputs, unsigned jobs)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = inputs->count / WORTH_A_PROCESS;
    if (jobs == 0)
        jobs = processors > 0 ? (unsigned)processors : 1;
    if (jobs > most)
        jobs = (unsigned)most;
    return jobs > 1 && are_regular(inputs) ? jobs : 1;
}

/* ---- In a worker ---- */

static _Noreturn void work(struct worker *worker, struct loader *loader, struct sum *sum,
                           _Atomic(size_t) *done)
{
    const struct gmon_layout layout = image_layout(loader->image);
    bool is_fine = dup2(fileno(worker->log), STDERR_FILENO) >= 0;
    loader->progress = NULL;
    for (size_t i = 0; i < worker->share.count && is_fine; i++) {
        is_fine = load_profile(loader, worker->share.paths[i]) && loader->bad == 0;
        atomic_fetch_add(done, 1);
    }
    const struct profile *profile = loader->profile;
    fwrite(profile->infos, sizeof *profile->infos, profile->info_count, worker->result);
    is_fine = is_fine && sum_write(worker->result, &profile->hist, sum, &layout, GMON_MAGIC) &&
              fflush(worker->result) == 0;
    _exit(is_fine ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool start(struct worker *worker, struct loader *loader, struct sum *sum,
                  _Atomic(size_t) *done)
{
    worker->result = tmpfile();
    worker->log = tmpfile();
    if (worker->result == NULL || worker->log == NULL)
        return false;
    worker->pid = fork();
    if (worker->pid == 0)
        work(worker, loader, sum, done);
    return worker->pid > 0;
}

/* ---- In the first process ---- */

static bool is_empty(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && status.st_size == 0;
}

/* Whether a histogram of a share goes with those there are, without a word to be said of it.  */
static bool goes_with(void *context, const struct gmon_histogram *h)
{
    const struct hist_set *set = context;
    return set->count == 0 ||
           (hist_check(set, &h->header) == HIST_OK && h->header.rate == set->rate);
}

static bool take_histogram(void *context, const struct gmon_histogram *h)
{
    struct loader *loader = context;
    uint64_t *bins = hist_open(&loader->profile->hist, &h->header)->bins;
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        bins[i] += gmon_bin(h, i);
    return true;
}

static bool take_arc(void *context, vma from, vma self, uint64_t count)
{
    const struct load_sink *sink = ((struct loader *)context)->sink;
    sink->arc(sink->context, from, self, count);
    return true;
}

static bool take_block(void *context, vma addr, uint64_t count)
{
    const struct load_sink *sink = ((struct loader *)context)->sink;
    sink->block(sink->context, addr, count);
    return true;
}

static void take_infos(struct profile *profile, const struct worker *worker,
                       const unsigned char *bytes)
{
    size_t count = worker->share.count;
    profile->infos = mem_grow(profile->infos, &profile->info_room, profile->info_count + count,
                              sizeof *profile->infos);
    memcpy(profile->infos + profile->info_count, bytes, count * sizeof *profile->infos);
    profile->info_count += count;
}

/* Adds what a worker's share comes to.  False, and nothing changed, if that is not as good as
   reading the share here.  */
static bool absorb(struct loader *loader, const struct worker *worker)
{
    struct profile *profile = loader->profile;
    const struct gmon_layout layout = image_layout(loader->image);
    size_t infos = worker->share.count * sizeof *profile->infos;
    struct byte_buffer result = {0};
    const struct gmon_visitor check = {&profile->hist, goes_with, NULL, NULL};
    const struct gmon_visitor take = {loader, take_histogram, take_arc, take_block};
    bool is_fine = bytes_read_stream(&result, worker->result) && result.size >= infos;
    if (is_fine) {
        const struct gmon_bytes file = {"share", result.bytes + infos, result.size - infos};
        is_fine = gmon_read(&file, GMON_MAGIC, &layout, &check, NULL);
        if (is_fine) {
            take_infos(profile, worker, result.bytes);
            gmon_read(&file, GMON_MAGIC, &layout, &take, NULL);
        }
    }
    bytes_free(&result);
    return is_fine;
}

static bool has_worked(const struct worker *worker)
{
    int status;
    while (waitpid(worker->pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS && is_empty(worker->log);
}

static void stop(struct worker *worker)
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

/* The files of worker NUMBER of COUNT.  */
static struct inputs share_of(const struct inputs *inputs, unsigned number, unsigned count)
{
    size_t first = inputs->count / count * number;
    size_t end = number + 1 == count ? inputs->count : inputs->count / count * (number + 1);
    return (struct inputs){.paths = inputs->paths + first, .count = end - first};
}

static bool read_shares(struct loader *loader, struct sum *sum, const struct inputs *inputs,
                        unsigned count, _Atomic(size_t) *done)
{
    struct worker *workers = mem_array(count, sizeof *workers);
    bool is_fine = true;
    fflush(NULL);
    for (unsigned i = 0; i < count; i++) {
        workers[i].share = share_of(inputs, i, count);
        if (i > 0 && !start(&workers[i], loader, sum, done))
            workers[i].pid = 0;
    }
    is_fine = load_profiles(loader, &workers[0].share);
    for (unsigned i = 1; i < count; i++) {
        if (!is_fine)
            stop(&workers[i]);
        else if (workers[i].pid <= 0 || !has_worked(&workers[i]) || !absorb(loader, &workers[i]))
            is_fine = load_profiles(loader, &workers[i].share);
        close_files(&workers[i]);
    }
    free(workers);
    return is_fine;
}

bool merge_read(struct loader *loader, struct sum *sum, const struct inputs *inputs, unsigned jobs)
{
    unsigned count = count_workers(inputs, jobs);
    _Atomic(size_t) *done = MAP_FAILED;
    if (count > 1)
        done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (done == MAP_FAILED)
        return load_profiles(loader, inputs);
    if (loader->progress != NULL)
        loader->progress->others = done;
    bool is_fine = read_shares(loader, sum, inputs, count, done);
    if (loader->progress != NULL)
        loader->progress->others = NULL;
    munmap(done, sizeof *done);
    return is_fine;
}

/* ---- Writing ---- */

bool merge_write(const struct hist_set *hist, const struct sum *sum,
                 const struct gmon_layout *layout, enum gmon_format format, const char *path)
{
    struct save save;
    if (format == GMON_AUTO)
        format = GMON_MAGIC;
    if (!sum_fits(hist, sum, format, path))
        return false;
    if (strcmp(path, "-") == 0)
        return sum_write(stdout, hist, sum, layout, format) ||
               problem(MSG_OUTPUT_FAILED, strerror(errno));
    if (!save_begin(&save, path))
        return false;
    sum_write(save.file, hist, sum, layout, format);
    return save_end(&save);
}
