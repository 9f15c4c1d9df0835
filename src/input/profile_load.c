/* profile_load.c - reads profiles and adds their records up.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/profile_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/progress.h"
#include "input/image_traits.h"

/* ---- Histograms ---- */

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

/* Warns if a histogram seems to come from another program or has another rate.  */
static void warn_about_header(struct loader *load, const struct gmon_histogram *h)
{
    const struct hist_set *set = &load->profile->hist;
    const struct hist_header *header = &h->header;
    struct text_range text = image_text(load->image);
    if (set->count == 0 && header->rate == 0)
        warning(load->diagnostics, MSG_RATE_ZERO, load->path, h->offset);
    if (set->count > 0 && header->rate != set->rate)
        warning(load->diagnostics, MSG_OTHER_RATE, load->path, h->offset,
                (unsigned long)header->rate, (unsigned long)set->rate);
    if (header->high <= text.start || header->low >= text.end) {
        warning(load->diagnostics, MSG_OUTSIDE_TEXT, load->path, h->offset,
                (unsigned long long)header->low, (unsigned long long)header->high,
                image_path(load->image));
    }
}

/* Like load_histogram, without samples and warnings.  */
static bool add_empty_histogram(void *context, const struct gmon_histogram *h)
{
    struct loader *load = context;
    enum hist_status status = hist_check(&load->profile->hist, &h->header);
    if (status != HIST_OK)
        return check_status(load, h, status);
    hist_find_or_add(&load->profile->hist, &h->header);
    return true;
}

static bool load_histogram(void *context, const struct gmon_histogram *h)
{
    struct loader *load = context;
    enum hist_status status = hist_check(&load->profile->hist, &h->header);
    if (status != HIST_OK)
        return check_status(load, h, status);
    warn_about_header(load, h);
    load->sink->histogram(load->sink->context, h);
    return true;
}

/* ---- Arcs and blocks ---- */

static bool load_arc(void *context, vma from, vma self, uint64_t count)
{
    struct loader *load = context;
    if (self >= load->text.start && self < load->text.end)
        load->has_own_arcs = true;
    load->sink->arc(load->sink->context, from, self, count);
    return true;
}

static bool load_block(void *context, vma addr, uint64_t count)
{
    struct loader *load = context;
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

/* If the file does not exist and its name begins with `gmon', prints how to make it.  Whether it
   printed that.  */
static bool explain_missing(const struct loader *load)
{
    const char *image = image_path(load->image);
    if (strncmp(path_base(load->path), "gmon", 4) != 0)
        return false;
    if (access(load->path, F_OK) == 0 || errno != ENOENT)
        return false;
    struct image_traits traits = image_traits(load->image);
    const char *message = MSG_NO_PROFILE;
    enum profiling_gap gap = image_profiling_gap(&traits);
    if (gap == GAP_LINKING)
        message = MSG_NOT_LINKED;
    else if (gap == GAP_BOTH || (traits.has_symbols && !image_mentions_profiling(load->image)))
        message = MSG_NOT_PROFILED;
    problem(message, load->path, strerror(ENOENT), image);
    return true;
}

/* Whether the bytes of a file begin as those of an executable in the ELF, Mach-O or PE format do.
   No BSD profile begins so: its lowest address is a multiple of 4.  */
static bool is_executable(const struct file_buffer *file)
{
    static const char *const starts[] = {"\177ELF", "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf",
                                         "MZ\x90\0"};
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++)
        if (file->size >= 4 && memcmp(file->bytes, starts[i], 4) == 0)
            return true;
    return false;
}

static bool is_all_zero(const struct file_buffer *file)
{
    for (size_t i = 0; i < file->size; i++)
        if (file->bytes[i] != 0)
            return false;
    return true;
}

/* False after a message if the file cannot be a profile: it has no data, or is an executable.  */
static bool check_contents(const struct loader *load)
{
    if (load->buffer.size == 0)
        return problem(MSG_EMPTY_FILE, load->path);
    if (is_executable(&load->buffer))
        return problem(MSG_IMAGE_AS_PROFILE, load->path, image_path(load->image));
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
    const struct gmon_bytes file = {load->path, load->buffer.bytes, load->buffer.size};
    if (load->rules->skip_bad && !is_compatible(load, &file, &layout))
        return false;
    struct file_info info = {.path = load->path};
    load->has_own_arcs = false;
    if (!gmon_read(&file, load->rules->format, &layout, &visitor, &info))
        return false;
    add_info(load->profile, &info);
    load->sink->end(load->sink->context, load->path);
    if (info.histograms + info.arcs + info.blocks == 0)
        warning(load->diagnostics, MSG_NO_RECORDS, load->path);
    if (info.arcs > 0 && !load->has_own_arcs) {
        warning(load->diagnostics, MSG_FOREIGN_ARCS, load->path, image_path(load->image));
    }
    return true;
}

/* Reads the profile at PATH.  False if it cannot be used and is not to be skipped.  */
static bool load_one(struct loader *load, const char *path)
{
    load->path = path;
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
