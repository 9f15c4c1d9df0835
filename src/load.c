#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "arcs.h"
#include "blocks.h"
#include "bytes.h"
#include "messages.h"

struct loader {
    struct profile *profile;
    const struct image *image;
    const char *path; /* of the file being read */
    struct arc_builder arcs;
};

/* ---- Histograms ---- */

static bool report_status(const struct loader *load, const struct gmon_histogram *h,
                          enum hist_status status)
{
    switch (status) {
    case HIST_OTHER_DIMENSION:
        return problem(MSG_OTHER_DIMENSION, load->path, h->offset, h->header.dimension,
                       load->profile->hist.dimension);
    case HIST_OTHER_SCALE:
        return problem(MSG_OTHER_SCALE, load->path, h->offset);
    case HIST_OVERLAP:
        return problem(MSG_OVERLAP, load->path, h->offset);
    case HIST_OK:
        break;
    }
    return true;
}

/* Says what makes a histogram look like another program's or another clock's.  */
static void warn_of_header(const struct loader *load, const struct gmon_histogram *h)
{
    const struct hist_set *set = &load->profile->hist;
    const struct hist_header *header = &h->header;
    struct text_range text = image_text(load->image);
    if (set->count == 0 && header->rate == 0)
        warning(MSG_RATE_ZERO, load->path, h->offset);
    if (set->count > 0 && header->rate != set->rate)
        warning(MSG_OTHER_RATE, load->path, h->offset, (unsigned long)header->rate,
                (unsigned long)set->rate);
    if (header->high <= text.start || header->low >= text.end)
        warning(MSG_OUTSIDE_TEXT, load->path, h->offset, (unsigned long long)header->low,
                (unsigned long long)header->high, image_path(load->image));
}

static bool load_histogram(void *context, const struct gmon_histogram *h)
{
    struct loader *load = context;
    struct hist_set *set = &load->profile->hist;
    enum hist_status status = hist_check(set, &h->header);
    if (status != HIST_OK)
        return report_status(load, h, status);
    warn_of_header(load, h);
    struct histogram *histogram = hist_open(set, &h->header);
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        histogram->bins[i] = sum_u64(histogram->bins[i], gmon_bin(h, i));
    return true;
}

/* ---- Arcs and blocks ---- */

static bool load_arc(void *context, vma from, vma self, uint64_t count)
{
    struct loader *load = context;
    arcs_record(&load->arcs, from, self, count);
    return true;
}

static bool load_block(void *context, vma addr, uint64_t count)
{
    struct loader *load = context;
    blocks_record(&load->profile->blocks, &load->profile->symtab, addr, count);
    return true;
}

/* ---- Files ---- */

static struct file_info *add_info(struct profile *profile, const char *path)
{
    profile->infos = mem_grow(profile->infos, &profile->info_room, profile->info_count + 1,
                              sizeof *profile->infos);
    struct file_info *info = &profile->infos[profile->info_count++];
    *info = (struct file_info){.path = path};
    return info;
}

static bool load_file(struct loader *load, struct byte_buffer *buffer, enum gmon_format format)
{
    const struct gmon_visitor visitor = {load, load_histogram, load_arc, load_block};
    const struct gmon_layout layout = image_layout(load->image);
    if (!bytes_read(buffer, load->path))
        return false;
    const struct gmon_bytes file = {load->path, buffer->bytes, buffer->size};
    struct file_info *info = add_info(load->profile, load->path);
    if (!gmon_read(&file, format, &layout, &visitor, info))
        return false;
    if (info->histograms + info->arcs + info->blocks == 0)
        warning(MSG_NO_RECORDS, load->path);
    return true;
}

bool profiles_load(struct profile *profile, const struct image *image, const char *const *paths,
                   size_t count, enum gmon_format format)
{
    struct loader load = {
        .profile = profile,
        .image = image,
        .arcs = {&profile->symtab, &profile->filters, &profile->arcs, {0}},
    };
    struct byte_buffer buffer = {0};
    bool is_fine = true, has_read_stdin = false;
    for (size_t i = 0; i < count && is_fine; i++) {
        load.path = paths[i];
        bool is_stdin = strcmp(paths[i], "-") == 0;
        is_fine = is_stdin && has_read_stdin ? problem(MSG_STDIN_TWICE)
                                             : load_file(&load, &buffer, format);
        has_read_stdin |= is_stdin;
    }
    bytes_free(&buffer);
    arcs_finish(&load.arcs);
    blocks_finish(&profile->blocks);
    return is_fine;
}
