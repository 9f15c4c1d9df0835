/* profile_load.c - reads profiles into the model.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/profile_load.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/common.h"
#include "base/compress.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/gmon.h"
#include "input/image_traits.h"
#include "input/stack_profile.h"
#include "input/unwritten.h"

/* ---- Histograms ---- */

/* The address of the image that is ADDR in the current file.  Address 0 stands for a caller in no
   image.  */
static vma image_address(const struct loader *load, vma addr)
{
    return addr != 0 ? image_slid(load->image, addr, load->slide) : 0;
}

/* The histogram, as the sink gets it.  */
static struct hist_record slid_histogram(const struct loader *load, const struct hist_record *h)
{
    struct hist_record slid = *h;
    if (load->slide == 0 || load->rules->keeps_addresses)
        return slid;
    slid.header.low = image_slid(load->image, h->header.low, load->slide);
    slid.header.high = slid.header.low + (h->header.high - h->header.low);
    return slid;
}

/* Whether STATUS is HIST_OK; false after a message.  */
static bool check_status(const struct loader *load, const struct hist_record *h,
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
static bool check_rate(const struct loader *load, const struct hist_record *h)
{
    const struct hist_set *set = &load->profile->hist;
    struct rate_factors factors;
    if (load->rules->rates != RATES_EXACT || !hist_rate_factors(&factors, set, h->header.rate) ||
        factors.set == 1 || factors.added == 1)
        return true;
    return problem(MSG_SUM_RATE, load->path, h->offset, (unsigned long)h->header.rate,
                   (unsigned long)set->rate);
}

static bool has_samples(const struct hist_record *h)
{
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        if (hist_record_bin(h, i) > 0)
            return true;
    return false;
}

/* Notes whether a histogram is in the text.  libregmon writes parts of the code, also those outside
   of that section, and a part without samples if all are in other objects.  */
static void note_place(struct loader *load, const struct hist_record *h)
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
static void warn_about_rate(struct loader *load, const struct hist_record *h)
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
static bool add_empty_histogram(void *context, const struct hist_record *h)
{
    struct loader *load = context;
    const struct hist_record slid = slid_histogram(load, h);
    enum hist_status status = hist_check(&load->profile->hist, &slid.header);
    if (status != HIST_OK)
        return check_status(load, h, status);
    if (!check_rate(load, h))
        return false;
    hist_find_or_add(&load->profile->hist, &slid.header);
    return true;
}

static bool load_histogram(void *context, const struct hist_record *h)
{
    struct loader *load = context;
    const struct hist_record slid = slid_histogram(load, h);
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
   files: without --skip-bad, reading ends at a bad file, whatever has been added.  */
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
    const char *part;    /* a text that follows near; NULL: none */
};

enum { LOOKED_AT = 512 }; /* bytes at the start of a file, that tell what it is */

/* Whether PART is in the text that the SIZE bytes at BYTES begin with.  */
static bool has_text(const void *bytes, size_t size, const char *part)
{
    char text[LOOKED_AT + 1];
    size = size < LOOKED_AT ? size : LOOKED_AT;
    memcpy(text, bytes, size);
    text[size] = '\0';
    return strstr(text, part) != NULL;
}

/* Whether the SIZE bytes at BYTES are the beginning of text: several, or of JSON, without control
   characters.  */
static bool is_text(const void *bytes, size_t size)
{
    enum { LEAST = 8 };
    const unsigned char *at = bytes;
    size = size < LOOKED_AT ? size : LOOKED_AT;
    for (size_t i = 0; i < size; i++)
        if (at[i] == 127 || (at[i] < ' ' && !isspace(at[i])))
            return false;
    return size >= LEAST || (size > 0 && (*at == '{' || *at == '['));
}

#define GO_PROTO "go tool pprof -proto PROGRAM FILE"

/* The profiler that writes files which begin like this one, or NULL.  (pprof: the first field has
   a type and a unit; what is compressed has been decompressed.)  */
static const struct other_profiler *find_profiler(const void *bytes, size_t size)
{
    static const struct other_profiler profilers[] = {
        {"perf", 8, "PERFILE2", true, NULL, NULL},
        {"perf", 8, "2ELIFREP", true, NULL, NULL},
        {"gperftools", 24, "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", true, NULL, NULL},
        {"gperftools", 12, "\0\0\0\0\3\0\0\0\0\0\0\0", true, NULL, NULL},
        {"callgrind", 18, "# callgrind format", true, NULL, NULL},
        {"pprof", 3, "\x0a\4\x08", true, NULL, NULL},
        {"uftrace", 7, "Ftrace!", false, "uftrace dump --flame-graph", NULL},
        {"Java Flight Recorder", 4, "FLR\0", false, "jfrconv -o collapsed", NULL},
        {"jemalloc", 8, "heap_v2/", false, "jeprof --collapsed", NULL},
        {"tcmalloc or Go, a profile as text", 14, "heap profile: ", false, GO_PROTO, NULL},
        {"Go, a profile as text", 19, "goroutine profile: ", false, GO_PROTO, NULL},
        {"Go, a profile as text", 22, "threadcreate profile: ", false, GO_PROTO, NULL},
        {"Go, a profile as text", 10, "--- mutex:", false, GO_PROTO, NULL},
        {"Go, a profile as text", 15, "--- contention:", false, GO_PROTO, NULL},
        {"Chrome's tracing", 1, "{", false, NULL, "\"traceEvents\""},
        {"Chrome's tracing", 1, "[", false, NULL, "\"ph\""},
        {"Java's hprof, a profile as text", 13, "JAVA PROFILE ", false, "stackcollapse-hprof",
         ", created "},
        {"Java's heap dumps", 13, "JAVA PROFILE ", false, NULL, NULL},
        {"SEGGER SystemView", 11, ";\n; Version", false, NULL, NULL},
        {"gcov", 4, "adcg", false, NULL, NULL},
        {"gcov", 4, "oncg", false, NULL, NULL},
        {"gcov", 4, "gcda", false, NULL, NULL},
        {"gcov", 4, "gcno", false, NULL, NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(profilers); i++) {
        const struct other_profiler *one = &profilers[i];
        if (size >= one->size && memcmp(bytes, one->bytes, one->size) == 0 &&
            (one->part == NULL || has_text(bytes, size, one->part)))
            return one;
    }
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

/* The same if such files are not read, or NULL.  */
static const struct other_profiler *find_unread(const void *bytes, size_t size)
{
    const struct other_profiler *profiler = find_profiler(bytes, size);
    return profiler != NULL && !profiler->is_read ? profiler : NULL;
}

bool profile_is_unread(const void *bytes, size_t size)
{
    return find_unread(bytes, size) != NULL;
}

bool profile_is_of_other(const char *path, const unsigned char *bytes, size_t size)
{
    unsigned char start[LOOKED_AT];
    enum compression compression = compression_of(bytes, size);
    if (!compression_is_read(compression, path))
        return true;
    if (compression != COMPRESSION_NONE) {
        size = decompress_start(compression, bytes, size, start, sizeof start);
        bytes = start;
    }
    if (size == 0)
        return !problem(MSG_IS_EMPTY, path);
    const struct other_profiler *unread = find_unread(bytes, size);
    return (unread != NULL && !refuse_other(path, unread)) ||
           (is_text(bytes, size) && !problem(MSG_OTHER_TEXT, path));
}

/* Whether the file begins like one of ours in JSON.  */
static bool is_json(const struct file_buffer *file)
{
    return file->size > 0 && file->bytes[0] == '{' &&
           has_text(file->bytes, file->size, "\"regprof/");
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
    const struct other_profiler *profiler = find_profiler(load->buffer.bytes, load->buffer.size);
    unsigned elf_type = elf_type_of(load->buffer.bytes, load->buffer.size);
    if (load->buffer.size == 0)
        return problem(MSG_IS_EMPTY, load->path);
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
    if (is_text(load->buffer.bytes, load->buffer.size) && !gmon_is_bsd(&file, &layout))
        return problem(MSG_OTHER_TEXT, load->path);
    return !is_all_zero(&load->buffer) || problem(MSG_ALL_ZERO, load->path);
}

/* Makes a profile of a file of stacks.  False after a message.  */
static bool make_profile(struct loader *load)
{
    const struct gmon_layout layout = image_layout(load->image);
    char *build_id = image_build_id(load->image);
    const struct program_file program = {build_id, image_path(load->image), load->rules->called};
    bool ok = stack_profile_make(&load->buffer, load->path, &layout, &program, load->rules->thread);
    free(build_id);
    return ok;
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
    int fd = load->opened != NULL ? open_files_take(load->opened, load->path) : -1;
    if (!(fd >= 0 ? read_open_file(&load->buffer, fd, load->path)
                  : read_file(&load->buffer, load->path)) ||
        !make_profile(load) || !check_contents(load))
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

/* ---- Progress line ---- */

/* The line is printed if standard error is a terminal and reading takes more than a second.  Times
   are in seconds of the monotonic clock.  */
struct progress {
    size_t total; /* files */
    bool is_shown, is_on_screen;
    double started, printed;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Updates the line: DONE files have been read.  */
static void progress_step(struct progress *progress, size_t done)
{
    const double first_after = 1.0, interval = 0.2;
    double time = now(), elapsed = time - progress->started;
    if (elapsed < first_after || time - progress->printed < interval)
        return;
    double rate = (double)done / elapsed;
    double left = (double)(progress->total - done) / rate;
    fprintf(stderr, _("%zu of %zu files, %.0f/s, %.0f s left"), done, progress->total, rate, left);
    fputs("\033[K\r", stderr);
    fflush(stderr);
    progress->printed = time;
    progress->is_on_screen = true;
}

bool profile_load_all(struct loader *load, const struct profile_list *inputs)
{
    struct progress progress = {.total = inputs->count,
                                .is_shown = !load->diagnostics->is_quiet && isatty(STDERR_FILENO),
                                .started = now()};
    bool ok = true;
    for (size_t i = 0; i < inputs->count && ok; i++) {
        ok = load_one(load, inputs->paths[i]);
        if (ok && progress.is_shown)
            progress_step(&progress, i + 1);
    }
    if (progress.is_on_screen)
        fputs("\033[K", stderr);
    file_buffer_free(&load->buffer);
    return ok;
}
