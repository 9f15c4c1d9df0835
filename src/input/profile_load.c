/* profile_load.c - the list of profiles, and profiles into the model.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/profile_load.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/compress.h"
#include "base/diagnostics.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/gmon.h"
#include "input/image_traits.h"
#include "input/stack_file.h"
#include "input/unwritten.h"

/* ---- Operands ---- */

static void add_path(struct profile_list *inputs, const char *path)
{
    inputs->paths =
        mem_grow(inputs->paths, &inputs->capacity, inputs->count + 1, sizeof *inputs->paths);
    inputs->paths[inputs->count++] = path;
}

/* ---- Files of a directory ---- */

/* Files of one kind that are skipped in a directory.  */
struct skipped {
    size_t count;
    const char *example; /* the first one */
};

static void skip(struct skipped *skipped, const char *path)
{
    if (skipped->count++ == 0)
        skipped->example = path;
}

/* A directory that is being read, with those below it.  */
struct walk {
    struct profile_list *inputs;
    const char **pending; /* paths, the next one last */
    size_t count, capacity;
    struct skipped others, links; /* files that are not profiles; links to directories */
};

enum { ZEROS_READ = 1 << 20 }; /* bytes */

/* Whether the rest of the file FD has only zeros.  Reads at most ZEROS_READ bytes.  */
static bool is_rest_zero(int fd)
{
    unsigned char bytes[16384];
    size_t read_so_far = 0;
    ssize_t got = 0;
    while (read_so_far < ZEROS_READ && (got = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            if (bytes[i] != 0)
                return false;
        read_so_far += (size_t)got;
    }
    return got >= 0;
}

/* Whether the file FD, compressed so, is a profile when it is decompressed, or may be one because
   its beginning cannot be decompressed.  */
static bool is_packed_profile(int fd, enum compression compression)
{
    enum { PACKED_SIZE = 64 * 1024 }; /* bytes; enough for the first ones decompressed */
    static const unsigned char zeros[GMON_START];
    unsigned char start[GMON_START], *packed = mem_uninitialised(PACKED_SIZE, 1);
    ssize_t got = pread(fd, packed, PACKED_SIZE, 0);
    size_t size =
        got > 0 ? decompress_start(compression, packed, (size_t)got, start, sizeof start) : 0;
    free(packed);
    return gmon_may_be_profile(start, size) || memcmp(start, zeros, size) == 0;
}

/* Whether the file FD is a profile, by its beginning: perhaps a compressed one, or one that was not
   written to its end.  */
static bool begins_like_profile(int fd)
{
    static const unsigned char zeros[GMON_START];
    unsigned char start[GMON_START];
    ssize_t got = read(fd, start, sizeof start);
    if (got < 0)
        return true; /* reading it prints the reason */
    enum compression compression = compression_of(start, (size_t)got);
    if (compression != COMPRESSION_NONE)
        return is_packed_profile(fd, compression);
    return gmon_may_be_profile(start, (size_t)got) ||
           (memcmp(start, zeros, (size_t)got) == 0 && is_rest_zero(fd));
}

bool profile_is_likely(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true; /* reading it prints the reason */
    bool looks_so = begins_like_profile(fd);
    close(fd);
    return looks_so;
}

static bool is_sum(const struct profile_list *inputs, const struct stat *status)
{
    struct stat sum;
    return inputs->sum_path != NULL && stat(inputs->sum_path, &sum) == 0 &&
           sum.st_dev == status->st_dev && sum.st_ino == status->st_ino;
}

static void add_file(struct walk *walk, const char *path, const struct stat *status)
{
    struct profile_list *inputs = walk->inputs;
    if (!S_ISREG(status->st_mode))
        return;
    if (is_sum(inputs, status))
        warning(inputs->diagnostics, MSG_SUM_LEFT_OUT, path);
    else if (inputs->is_profile != NULL ? inputs->is_profile(path) : profile_is_likely(path))
        add_path(inputs, path);
    else if (!stack_file_is_named(path))
        skip(&walk->others, path);
}

/* ---- Directories ---- */

static int compare_paths_descending(const void *a, const void *b)
{
    return compare_natural(*(const char *const *)b, *(const char *const *)a);
}

static const char *join_path(struct arena *arena, const char *directory, const char *name)
{
    size_t size = strlen(directory);
    bool needs_slash = size > 0 && directory[size - 1] != '/';
    return arena_join(arena, directory, needs_slash ? "/" : "", name);
}

static void add_pending(struct walk *walk, const char *path)
{
    walk->pending =
        mem_grow(walk->pending, &walk->capacity, walk->count + 1, sizeof *walk->pending);
    walk->pending[walk->count++] = path;
}

/* Adds what is in the directory at PATH to the paths pending.  False, with errno set, if it cannot
   be read to its end.  */
static bool list_entries(struct walk *walk, DIR *directory, const char *path)
{
    const struct dirent *entry;
    for (;;) {
        errno = 0;
        entry = readdir(directory);
        if (entry == NULL)
            return errno == 0;
        if (entry->d_name[0] != '.')
            add_pending(walk, join_path(&walk->inputs->arena, path, entry->d_name));
    }
}

/* Adds the entries of a directory.  False after a message, unless bad profiles are skipped.  */
static bool list_directory(struct walk *walk, const char *path)
{
    size_t before = walk->count;
    DIR *directory = opendir(path);
    bool ok = directory != NULL && list_entries(walk, directory, path);
    if (!ok) {
        problem(MSG_FILE_REASON, path, strerror(errno));
        walk->inputs->unreadable++;
    }
    if (directory != NULL)
        closedir(directory);
    if (walk->count > before)
        qsort(walk->pending + before, walk->count - before, sizeof *walk->pending,
              compare_paths_descending);
    return ok || walk->inputs->skips_bad;
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Adds the file or directory at PATH, found in a directory.  False after a message, unless bad
   profiles are skipped.  */
static bool add_found(struct walk *walk, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        add_path(walk->inputs, path); /* reading it prints the reason */
    else if (!S_ISDIR(status.st_mode))
        add_file(walk, path, &status);
    else if (!walk->inputs->recurses)
        return true;
    else if (is_link(path))
        skip(&walk->links, path);
    else
        return list_directory(walk, path);
    return true;
}

static void warn_about_skipped(const struct walk *walk, const char *path)
{
    struct diagnostics *diagnostics = walk->inputs->diagnostics;
    if (walk->others.count > 0)
        warning(diagnostics, MSG_LEFT_OUT, path, walk->others.count, walk->others.example);
    if (walk->links.count > 0)
        warning(diagnostics, MSG_LINKS_LEFT_OUT, path, walk->links.count, walk->links.example);
}

/* Adds the profiles in a directory.  Uses no recursion and one open directory at a time, since
   directories can be nested to any depth.  */
static bool add_directory(struct profile_list *inputs, const char *path)
{
    struct walk walk = {.inputs = inputs};
    size_t before = inputs->count;
    bool ok = list_directory(&walk, path);
    while (ok && walk.count > 0)
        ok = add_found(&walk, walk.pending[--walk.count]);
    free(walk.pending);
    if (!ok)
        return false;
    warn_about_skipped(&walk, path);
    return inputs->count > before || problem(MSG_NO_PROFILES, path);
}

bool profile_list_add(struct profile_list *inputs, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_directory(inputs, path);
    if (stack_file_is_named(path) && !profile_is_likely(path)) {
        inputs->stacks = path;
        return true;
    }
    add_path(inputs, path);
    return true;
}

/* ---- Lists ---- */

static bool add_names(struct profile_list *inputs, const struct file_buffer *list, char separator)
{
    const char *at = (const char *)list->bytes, *end = at + list->size;
    while (at < end) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (stop > at &&
            !profile_list_add(inputs, arena_copy(&inputs->arena, at, (size_t)(stop - at))))
            return false;
        at = stop + 1;
    }
    return true;
}

bool profile_list_add_from(struct profile_list *inputs, const char *list_path,
                           bool is_nul_separated)
{
    struct file_buffer list = {0};
    size_t before = inputs->count;
    bool ok = read_file(&list, list_path);
    if (ok && !is_nul_separated && list.size > 0 && memchr(list.bytes, '\0', list.size) != NULL)
        ok = problem(MSG_NUL_IN_LIST, list_path);
    ok = ok && add_names(inputs, &list, is_nul_separated ? '\0' : '\n');
    if (ok && inputs->count == before)
        ok = problem(MSG_EMPTY_LIST, list_path);
    file_buffer_free(&list);
    return ok;
}

void profile_list_free(struct profile_list *inputs)
{
    free(inputs->paths);
    arena_free(&inputs->arena);
    *inputs = (struct profile_list){0};
}

/* ---- Histograms ---- */

/* The address of the image that is ADDR in the current file.  Address 0 stands for a caller in no
   image.  */
static vma image_address(const struct loader *load, vma addr)
{
    return addr != 0 ? image_slid(load->image, addr, load->slide) : 0;
}

/* The histogram, as the sink gets it.  */
static struct gmon_histogram slid_histogram(const struct loader *load,
                                            const struct gmon_histogram *h)
{
    struct gmon_histogram slid = *h;
    if (load->slide == 0 || load->rules->keeps_addresses)
        return slid;
    slid.header.low = image_slid(load->image, h->header.low, load->slide);
    slid.header.high = slid.header.low + (h->header.high - h->header.low);
    return slid;
}

/* Whether STATUS is HIST_OK; false after a message.  */
static bool check_status(const struct loader *load, const struct gmon_histogram *h,
                         enum hist_status status)
{
    switch (status) {
    case HIST_DIMENSION_MISMATCH:
        return problem(MSG_OTHER_DIMENSION, load->path, h->offset, h->header.dimension,
                       load->profile->hist.dimension);
    case HIST_SCALE_MISMATCH:
        return problem(MSG_OTHER_SCALE, load->path, h->offset);
    case HIST_OVERLAP:
        return problem(MSG_OVERLAP, load->path, h->offset);
    case HIST_TOO_MANY:
        return problem(MSG_TOO_MANY_HISTOGRAMS, load->path, h->offset, load->profile->hist.count);
    case HIST_OK:
        break;
    }
    return true;
}

/* Whether RATE is one with those before, as the rules want it.  */
static bool has_common_rate(const struct loader *load, uint32_t rate)
{
    struct rate_factors factors;
    return load->rules->rates != RATES_OF_FIRST &&
           hist_rate_factors(&factors, &load->profile->hist, rate);
}

/* Whether a histogram of this rate can be added; false after a message.  */
static bool check_rate(const struct loader *load, const struct gmon_histogram *h)
{
    const struct hist_set *set = &load->profile->hist;
    struct rate_factors factors;
    if (load->rules->rates != RATES_EXACT || !hist_rate_factors(&factors, set, h->header.rate) ||
        factors.set == 1 || factors.added == 1)
        return true;
    return problem(MSG_SUM_RATE, load->path, h->offset, (unsigned long)h->header.rate,
                   (unsigned long)set->rate);
}

static bool has_samples(const struct gmon_histogram *h)
{
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        if (gmon_bin(h, i) > 0)
            return true;
    return false;
}

/* Notes whether a histogram is in the text.  libregmon writes parts of the code, also those outside
   of that section, and a part without samples if all are in other objects.  */
static void note_place(struct loader *load, const struct gmon_histogram *h)
{
    vma low = image_slid(load->image, h->header.low, load->slide);
    if (text_overlaps(load->text, low, sum_u64(low, h->header.high - h->header.low))) {
        load->is_inside = true;
    } else if (load->outside.bin_count == 0 && has_samples(h)) {
        load->outside = h->header;
        load->outside_offset = h->offset;
    }
}

/* Warns once for each file, which may have many histograms, that they seem to be of another
   program.  Returns whether it has.  */
static bool warn_about_place(const struct loader *load)
{
    const struct hist_header *outside = &load->outside;
    if (load->is_inside || outside->bin_count == 0)
        return false;
    warning(load->diagnostics, MSG_OUTSIDE_TEXT, load->path, load->outside_offset,
            (unsigned long long)outside->low, (unsigned long long)outside->high,
            image_path(load->image));
    return true;
}

/* Warns once for each file if a histogram has another rate than those before.  */
static void warn_about_rate(struct loader *load, const struct gmon_histogram *h)
{
    const struct hist_set *set = &load->profile->hist;
    const struct hist_header *header = &h->header;
    if (set->count == 0 && header->rate == 0)
        warning(load->diagnostics, MSG_RATE_ZERO, load->path, h->offset);
    if (set->count > 0 && header->rate != set->rate && !load->is_of_other_rate &&
        !has_common_rate(load, header->rate)) {
        load->is_of_other_rate = true;
        warning(load->diagnostics, MSG_OTHER_RATE, load->path, h->offset,
                (unsigned long)header->rate, (unsigned long)set->rate);
    }
}

/* Adds a histogram to the profile without its samples, and does not warn.  */
static bool add_empty_histogram(void *context, const struct gmon_histogram *h)
{
    struct loader *load = context;
    const struct gmon_histogram slid = slid_histogram(load, h);
    enum hist_status status = hist_check(&load->profile->hist, &slid.header);
    if (status != HIST_OK)
        return check_status(load, h, status);
    if (!check_rate(load, h))
        return false;
    hist_find_or_add(&load->profile->hist, &slid.header);
    return true;
}

static bool load_histogram(void *context, const struct gmon_histogram *h)
{
    struct loader *load = context;
    const struct gmon_histogram slid = slid_histogram(load, h);
    enum hist_status status = hist_check(&load->profile->hist, &slid.header);
    if (status != HIST_OK)
        return check_status(load, h, status);
    if (!check_rate(load, h))
        return false;
    warn_about_rate(load, h);
    note_place(load, h);
    load->sink->histogram(load->sink->context, &slid);
    return true;
}

/* ---- Arcs and blocks ---- */

static bool load_arc(void *context, vma from, vma self, uint64_t count)
{
    struct loader *load = context;
    if (!load->has_own_arcs && text_range_at(load->text, image_address(load, self)) != NULL)
        load->has_own_arcs = true;
    if (load->slide != 0 && !load->rules->keeps_addresses) {
        from = image_address(load, from);
        self = image_address(load, self);
    }
    load->sink->arc(load->sink->context, from, self, count);
    return true;
}

static bool load_block(void *context, vma addr, uint64_t count)
{
    struct loader *load = context;
    if (!load->rules->keeps_addresses)
        addr = image_address(load, addr);
    load->sink->block(load->sink->context, addr, count);
    return true;
}

/* ---- Files ---- */

static void add_info(struct profile *profile, const struct file_info *info)
{
    profile->infos = mem_grow(profile->infos, &profile->info_capacity, profile->info_count + 1,
                              sizeof *profile->infos);
    profile->infos[profile->info_count++] = *info;
}

/* Whether the file is well-formed and its histograms are compatible with each other and with those
   of the profile, which is unchanged afterwards.  False after a message.  Needed only to skip bad
   files: without --skip-bad, the run ends at a bad file, whatever has been added.  */
static bool is_compatible(struct loader *load, const struct gmon_bytes *file,
                          const struct gmon_layout *layout)
{
    const struct gmon_visitor visitor = {load, add_empty_histogram, NULL, NULL};
    size_t before = load->profile->hist.count;
    bool ok = gmon_read(file, load->rules->format, layout, &visitor, NULL);
    hist_truncate(&load->profile->hist, before);
    return ok;
}

/* If the file does not exist, and one has a similar name or its own begins with `gmon', prints what
   was meant or how to make it, and returns true.  */
static bool explain_missing(const struct loader *load)
{
    const char *image = image_path(load->image);
    if (access(load->path, F_OK) == 0 || errno != ENOENT)
        return false;
    bool is_usual = strcmp(path_base(load->path), "gmon.out") == 0;
    char *similar = is_usual ? NULL : similar_file(load->path, false);
    if (similar != NULL) {
        problem(MSG_SIMILAR_FILE, load->path, strerror(ENOENT), similar);
        free(similar);
        return true;
    }
    if (strncmp(path_base(load->path), "gmon", 4) != 0)
        return false;
    enum unwritten unwritten = unwritten_profile(image);
    if (unwritten != UNWRITTEN_NONE) {
        problem(unwritten == UNWRITTEN_LEFT ? MSG_UNWRITTEN : MSG_RUNNING, load->path,
                strerror(ENOENT), image);
        return true;
    }
    if (image_is_object_file(load->image)) {
        problem(MSG_OBJECT_AS_IMAGE, image);
        return true;
    }
    struct image_traits traits = image_traits(load->image);
    const char *message = MSG_NO_PROFILE;
    enum profiling_gap gap = image_profiling_gap(&traits);
    if (gap != GAP_NONE && traits.is_for_musl)
        message = MSG_MUSL_PROFILE;
    else if (traits.is_instrumented && !traits.writes_profiles)
        message = MSG_INSTRUMENTED;
    else if (gap == GAP_LINKING)
        message = MSG_NOT_LINKED;
    else if (gap == GAP_BOTH || (traits.has_symbols && !image_mentions_profiling(load->image)))
        message = MSG_NOT_PROFILED;
    problem(message, load->path, strerror(ENOENT), image);
    return true;
}

/* Whether the bytes of a file begin as those of an executable in the ELF, Mach-O or PE format do.
   A BSD profile does not: its lowest address is a multiple of 4.  */
static bool is_executable(const struct file_buffer *file)
{
    static const char *const starts[] = {"\177ELF",          "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf",
                                         "\xce\xfa\xed\xfe", "\xfe\xed\xfa\xce", "MZ\x90\0"};
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++)
        if (file->size >= 4 && memcmp(file->bytes, starts[i], 4) == 0)
            return true;
    return false;
}

/* What is known of a file of another profiler.  */
struct other_profiler {
    const char *program;
    size_t size; /* of what such files begin with */
    const char *bytes;
    bool is_read;        /* if it is given without profiles of -pg */
    const char *command; /* what prints it in a format that is read; NULL: nothing that is known */
};

/* The profiler that writes files which begin like this one, or NULL.  (pprof: the first field has
   a type and a unit; what is compressed has been decompressed.)  */
static const struct other_profiler *find_profiler(const struct file_buffer *file)
{
    static const struct other_profiler profilers[] = {
        {"perf", 8, "PERFILE2", true, NULL},
        {"perf", 8, "2ELIFREP", true, NULL},
        {"gperftools", 24, "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", true, NULL},
        {"gperftools", 12, "\0\0\0\0\3\0\0\0\0\0\0\0", true, NULL},
        {"callgrind", 18, "# callgrind format", true, NULL},
        {"pprof", 3, "\x0a\4\x08", true, NULL},
        {"uftrace", 8, "Ftrace!\0", false, "uftrace dump --flame-graph"},
        {"Java Flight Recorder", 4, "FLR\0", false, "jfrconv -o collapsed"},
        {"SEGGER SystemView", 11, ";\n; Version", false, NULL},
        {"gcov", 4, "adcg", false, NULL},
        {"gcov", 4, "oncg", false, NULL},
        {"gcov", 4, "gcda", false, NULL},
        {"gcov", 4, "gcno", false, NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(profilers); i++)
        if (file->size >= profilers[i].size &&
            memcmp(file->bytes, profilers[i].bytes, profilers[i].size) == 0)
            return &profilers[i];
    return NULL;
}

/* Says that the file of another profiler at PATH cannot be used.  False.  */
static bool refuse_other(const char *path, const struct other_profiler *profiler)
{
    if (profiler->is_read)
        return problem(MSG_MIXED_PROFILERS, path, profiler->program);
    if (profiler->command != NULL)
        return problem(MSG_CONVERT_PROFILE, path, profiler->program, profiler->command);
    return problem(MSG_OTHER_PROFILER, path, profiler->program);
}

/* Whether the file begins like an object in JSON.  */
static bool is_json(const struct file_buffer *file)
{
    size_t i = 1;
    while (i < file->size && isspace(file->bytes[i]))
        i++;
    return i < file->size && file->bytes[0] == '{' && file->bytes[i] == '"';
}

static bool is_all_zero(const struct file_buffer *file)
{
    for (size_t i = 0; i < file->size; i++)
        if (file->bytes[i] != 0)
            return false;
    return true;
}

/* Checks that the file has data and is none of another kind.  False after a message.  */
static bool check_contents(const struct loader *load)
{
    const struct gmon_bytes file = {load->path, load->buffer.bytes, load->buffer.size, false};
    const struct gmon_layout layout = image_layout(load->image);
    const struct other_profiler *profiler = find_profiler(&load->buffer);
    unsigned elf_type = elf_type_of(load->buffer.bytes, load->buffer.size);
    if (load->buffer.size == 0)
        return problem(MSG_EMPTY_FILE, load->path);
    if (elf_type == ELF_OBJECT)
        return problem(MSG_OBJECT_AS_PROFILE, load->path);
    if (elf_type == ELF_CORE)
        return problem(MSG_CORE_FILE, load->path);
    if (is_executable(&load->buffer))
        return problem(MSG_IMAGE_AS_PROFILE, load->path, image_path(load->image));
    if (profiler != NULL && !gmon_is_bsd(&file, &layout))
        return refuse_other(load->path, profiler);
    if (is_json(&load->buffer) && !gmon_is_bsd(&file, &layout))
        return problem(MSG_JSON_AS_PROFILE, load->path, load->path);
    return !is_all_zero(&load->buffer) || problem(MSG_ALL_ZERO, load->path);
}

static bool load_file(struct loader *load)
{
    const struct gmon_visitor visitor = {load, load_histogram, load_arc, load_block};
    const struct gmon_layout layout = image_layout(load->image);
    bool is_stdin = strcmp(load->path, "-") == 0;
    if (is_stdin && load->has_read_stdin)
        return problem(MSG_STDIN_TWICE);
    load->has_read_stdin |= is_stdin;
    if (!is_stdin && explain_missing(load))
        return false;
    if (!read_file(&load->buffer, load->path) || !check_contents(load))
        return false;
    struct gmon_bytes file = {load->path, load->buffer.bytes, load->buffer.size, false};
    if (!load->sink->begin(load->sink->context, &file, &load->slide))
        return false;
    if (load->rules->skip_bad && !is_compatible(load, &file, &layout))
        return false;
    struct file_info info = {.path = load->path};
    load->has_own_arcs = false;
    if (!gmon_read(&file, load->rules->format, &layout, &visitor, &info))
        return false;
    info.is_outside = warn_about_place(load);
    add_info(load->profile, &info);
    load->sink->end(load->sink->context, load->path);
    if (info.histograms + info.arcs + info.blocks == 0)
        warning(load->diagnostics, MSG_NO_RECORDS, load->path);
    if (info.arcs > 0 && !load->has_own_arcs && image_is_object_file(load->image))
        warning(load->diagnostics, MSG_OBJECT_AS_IMAGE, image_path(load->image));
    else if (info.arcs > 0 && !load->has_own_arcs)
        warning(load->diagnostics, MSG_FOREIGN_ARCS, load->path, image_path(load->image));
    return true;
}

/* Reads the profile at PATH.  False if it cannot be used and is not to be skipped.  */
static bool load_one(struct loader *load, const char *path)
{
    load->path = path;
    load->is_inside = load->is_of_other_rate = false;
    load->outside.bin_count = 0;
    load->text = image_text(load->image);
    if (load_file(load))
        return true;
    load->bad++;
    return load->rules->skip_bad;
}

bool profile_load_all(struct loader *load, const struct profile_list *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        if (!load_one(load, inputs->paths[i]))
            return false;
        progress_step(load->progress, i + 1);
    }
    return true;
}

void loader_free(struct loader *load)
{
    file_buffer_free(&load->buffer);
}
