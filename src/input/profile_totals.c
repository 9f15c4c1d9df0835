/* profile_totals.c - adds up the histograms of a profile, and compares them with ends of stacks. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/profile_totals.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- Profiles ---- */

/* The sums, and the histograms of this profile and of others.  */
struct totals_reader {
    struct profile_totals *totals;
    struct hist_set *set;
};

/* What COUNT samples in bin I of a histogram that begins at LOW add to the checksum, modulo 2^64.
   libregmon computes it, too (runtime/gmon_file.c).  */
static uint64_t checksum_of(vma low, uint32_t i, uint64_t count)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = (low + i) * odd;
    mixed ^= mixed >> 32;
    return mixed * odd * count;
}

static void add_bin(struct profile_totals *totals, vma low, uint32_t i, uint64_t count)
{
    if (count == 0)
        return;
    totals->samples += count;
    totals->checksum += checksum_of(low, i, count);
}

static bool add_samples(void *context, const struct hist_record *h)
{
    struct totals_reader *reader = context;
    struct profile_totals *totals = reader->totals;
    if (hist_check(reader->set, &h->header) != HIST_OK)
        return false;
    hist_find_or_add(reader->set, &h->header);
    if (totals->high == 0)
        *totals = (struct profile_totals){
            .low = h->header.low, .high = h->header.high, .rate = h->header.rate};
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        add_bin(totals, h->header.low, i, hist_record_bin(h, i));
    return true;
}

/* Passes the histograms of the profile at PATH to VISITOR.  False, without a message, if it is no
   regular file, cannot be read, or the visitor ends the reading.  */
static bool visit_profile(const struct gmon_visitor *visitor, const char *path,
                          enum gmon_format format, const struct gmon_layout *layout)
{
    struct file_buffer buffer = {0};
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || access(path, R_OK) != 0)
        return false;
    bool ok = read_file(&buffer, path);
    const struct gmon_bytes file = {NULL, buffer.bytes, buffer.size, false};
    ok = ok && gmon_read(&file, format, layout, visitor, NULL);
    file_buffer_free(&buffer);
    return ok;
}

bool profile_totals_read(struct profile_totals *totals, struct hist_set *set, const char *path,
                         enum gmon_format format, const struct gmon_layout *layout)
{
    struct totals_reader reader = {totals, set};
    const struct gmon_visitor visitor = {&reader, add_samples, NULL, NULL};
    const size_t before = set->count;
    *totals = (struct profile_totals){0};
    bool ok = visit_profile(&visitor, path, format, layout);
    if (!ok)
        hist_truncate(set, before);
    return ok;
}

struct profile_totals profile_totals_of(const struct hist_set *set)
{
    struct profile_totals totals = {.rate = (uint32_t)set->rate};
    for (size_t h = 0; h < set->count; h++) {
        const struct histogram *histogram = &set->hists[h];
        if (histogram->order == 0) {
            totals.low = histogram->low;
            totals.high = histogram->high;
        }
        for (uint32_t i = 0; i < hist_used_bins(histogram); i++)
            add_bin(&totals, histogram->low, i, bin_of(histogram, i));
    }
    return totals;
}

/* ---- Leaves ---- */

static bool add_bins(void *context, const struct hist_record *h)
{
    hist_add_record(context, h, 1);
    return true;
}

static int compare_addresses(const void *context, uint32_t a, uint32_t b)
{
    const struct stack_leaves *leaves = context;
    vma x = leaves->addrs.pairs[a].a, y = leaves->addrs.pairs[b].a;
    return (x > y) - (x < y);
}

void stack_leaves_free(struct stack_leaves *leaves)
{
    pair_map_free(&leaves->addrs);
    free(leaves->samples);
}

/* The address behind bin I.  */
static vma end_of_bin(const struct histogram *histogram, uint32_t i)
{
    double size = (double)(histogram->high - histogram->low) / histogram->bin_count;
    return histogram->low + (vma)((i + 1) * size);
}

/* Leaves by address.  */
struct leaf_order {
    const struct stack_leaves *leaves;
    uint32_t *ids;
    size_t next; /* the first behind the bins so far */
};

/* The samples of the next leaves below END.  */
static uint64_t leaves_below(struct leaf_order *order, vma end)
{
    const struct stack_leaves *leaves = order->leaves;
    uint64_t samples = 0;
    for (;
         order->next < leaves->addrs.count && leaves->addrs.pairs[order->ids[order->next]].a < end;
         order->next++)
        samples = sum_u64(samples, leaves->samples[order->ids[order->next]]);
    return samples;
}

/* Samples of stacks that the bins lack, and samples in bins that lack stacks.  */
struct differences {
    uint64_t more, missing, samples;
};

static void compare_function(struct differences *found, uint64_t samples, uint64_t ending)
{
    found->samples = sum_u64(found->samples, samples);
    found->more = sum_u64(found->more, ending > samples ? ending - samples : 0);
    found->missing = sum_u64(found->missing, samples > ending ? samples - ending : 0);
}

/* Compares the bins of each function, together, with the leaves there.  */
static void compare_bins(struct differences *found, const struct histogram *histogram,
                         struct leaf_order *order, const struct function_starts *functions)
{
    uint64_t samples = 0, ending = 0;
    size_t next = 0; /* the function that begins behind the bins so far */
    vma low = histogram->low;
    leaves_below(order, low); /* are in no bin */
    for (uint32_t i = 0; i < histogram->bin_count; i++) {
        bool is_alone = functions->count == 0;
        if (is_alone || (next < functions->count && functions->starts[next] <= low)) {
            compare_function(found, samples, ending);
            samples = ending = 0;
        }
        while (next < functions->count && functions->starts[next] <= low)
            next++;
        low = end_of_bin(histogram, i);
        samples = sum_u64(samples, hist_used_bins(histogram) > 0 ? bin_of(histogram, i) : 0);
        ending = sum_u64(ending, leaves_below(order, low));
    }
    compare_function(found, samples, ending);
}

bool stack_leaves_fit(const struct stack_leaves *leaves, const struct function_starts *functions,
                      const char *path, enum gmon_format format, const struct gmon_layout *layout)
{
    struct hist_set set = {0};
    struct differences found = {0};
    struct leaf_order order = {.leaves = leaves, .ids = identity_ids(leaves->addrs.count)};
    const struct gmon_visitor visitor = {&set, add_bins, NULL, NULL};
    bool ok = visit_profile(&visitor, path, format, layout);
    sort_ids(order.ids, leaves->addrs.count, compare_addresses, leaves);
    for (size_t h = 0; h < set.count; h++)
        compare_bins(&found, &set.hists[h], &order, functions);
    free(order.ids);
    hist_free(&set);
    return ok && min_u64(found.more, found.missing) <= found.samples / 100;
}
