/* arc_log.c - calls collected in compact form until all are read, then added up by caller and
 * callee.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arc_log.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

enum { LEAF_BYTES = 4080 };

/* Some calls of one drawer, in few bytes each, for there may be many millions: a byte that has the
   lengths of three numbers, in 3, 2 and 3 bits, then these, the lowest byte first.

     since     how much younger the call is than the one before it in the leaf, times
               DRAWER_SYMBOLS, plus the place of the caller in the drawer
     callee
     count  */
struct arc_leaf {
    struct arc_leaf *next;
    uint32_t used; /* bytes */
    uint32_t age;  /* of the last call */
    uint8_t bytes[LEAF_BYTES];
};

struct leaf_block {
    struct leaf_block *next;
    size_t count, used;
    struct arc_leaf leaves[];
};

/* ---- Calls ---- */

/* The longest call.  As the last number of each is written and read with 8 bytes, that is what any
   call may touch.  */
enum { CALL_BYTES = 1 + 6 + 4 + 8 };

static unsigned length_of(uint64_t number)
{
    unsigned length = 1;
    while ((number >>= 8) != 0)
        length++;
    return length;
}

/* All 8 bytes, which is one instruction where the lowest byte comes first.  */
static void write_number(uint8_t *to, uint64_t number)
{
    to[0] = (uint8_t)number;
    to[1] = (uint8_t)(number >> 8);
    to[2] = (uint8_t)(number >> 16);
    to[3] = (uint8_t)(number >> 24);
    to[4] = (uint8_t)(number >> 32);
    to[5] = (uint8_t)(number >> 40);
    to[6] = (uint8_t)(number >> 48);
    to[7] = (uint8_t)(number >> 56);
}

static uint64_t read_number(const uint8_t **from, unsigned length)
{
    const uint8_t *at = *from;
    uint64_t low =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    uint64_t high =
        (uint32_t)at[4] | (uint32_t)at[5] << 8 | (uint32_t)at[6] << 16 | (uint32_t)at[7] << 24;
    *from += length;
    return (high << 32 | low) & UINT64_MAX >> (64 - 8 * length);
}

/* LEAF has room for it.  */
static void write_call(struct arc_leaf *leaf, const struct arc *arc, uint32_t age)
{
    uint8_t *at = leaf->bytes + leaf->used;
    uint64_t since = (uint64_t)(age - leaf->age) * DRAWER_SYMBOLS + arc->caller % DRAWER_SYMBOLS;
    unsigned a = length_of(since), b = length_of(arc->callee), c = length_of(arc->count);
    at[0] = (uint8_t)((a - 1) << 5 | (b - 1) << 3 | (c - 1));
    write_number(at + 1, since);
    write_number(at + 1 + a, arc->callee);
    write_number(at + 1 + a + b, arc->count);
    leaf->used += 1 + a + b + c;
    leaf->age = age;
}

struct leaf_reader {
    const uint8_t *at, *end;
    uint32_t age; /* of the last call that was read */
};

static struct leaf_reader open_leaf(const struct arc_leaf *leaf)
{
    return (struct leaf_reader){leaf->bytes, leaf->bytes + leaf->used, 0};
}

/* The next call, unless there is none.  FIRST is the first symbol of the drawer.  */
static bool read_call(struct leaf_reader *reader, uint32_t first, struct arc *arc)
{
    if (reader->at == reader->end)
        return false;
    unsigned lengths = *reader->at++;
    uint64_t since = read_number(&reader->at, (lengths >> 5) + 1);
    reader->age += (uint32_t)(since / DRAWER_SYMBOLS);
    arc->caller = first + (uint32_t)(since % DRAWER_SYMBOLS);
    arc->callee = (uint32_t)read_number(&reader->at, (lengths >> 3 & 3) + 1);
    arc->count = read_number(&reader->at, (lengths & 7) + 1);
    return true;
}

/* ---- Leaves ---- */

/* Each block has twice as many leaves as the one before, up to a limit.  */
static void add_block(struct arc_log *log)
{
    enum { MOST = 4096 };
    size_t count = log->blocks == NULL ? 1 : 2 * log->blocks->count;
    if (count > MOST)
        count = MOST;
    struct leaf_block *block = mem_array(1, sizeof *block + count * sizeof *block->leaves);
    block->count = count;
    block->next = log->blocks;
    log->blocks = block;
}

static struct arc_leaf *take_leaf(struct arc_log *log)
{
    struct arc_leaf *leaf = log->spare;
    if (leaf != NULL) {
        log->spare = leaf->next;
    } else {
        if (log->blocks == NULL || log->blocks->used == log->blocks->count)
            add_block(log);
        leaf = &log->blocks->leaves[log->blocks->used++];
    }
    leaf->next = NULL;
    leaf->used = leaf->age = 0;
    return leaf;
}

static void add_leaf(struct arc_log *log, struct arc_drawer *drawer)
{
    struct arc_leaf *leaf = take_leaf(log);
    if (drawer->last == NULL)
        drawer->first = leaf;
    else
        drawer->last->next = leaf;
    drawer->last = leaf;
}

/* Writes a call at the end of its drawer.  */
static void put(struct arc_log *log, const struct arc *arc, uint32_t age)
{
    enum { NEXT = 128 }; /* how much further memory is asked for */
    struct arc_drawer *drawer = &log->drawers[arc->caller / DRAWER_SYMBOLS];
    if (drawer->last == NULL || drawer->last->used + CALL_BYTES > LEAF_BYTES)
        add_leaf(log, drawer);
    if (drawer->last->used + NEXT < LEAF_BYTES)
        PREFETCH(&drawer->last->bytes[drawer->last->used + NEXT]);
    write_call(drawer->last, arc, age);
    drawer->count++;
    log->count++;
}

static void empty_drawer(struct arc_log *log, struct arc_drawer *drawer)
{
    if (drawer->last == NULL)
        return;
    drawer->last->next = log->spare;
    log->spare = drawer->first;
    log->count -= drawer->count;
    *drawer = (struct arc_drawer){0};
}

/* ---- Ages ---- */

void arc_ages_begin(struct arc_ages *ages, const struct arc_log *log)
{
    ages->words = log->count / 64 + 1;
    ages->bits = mem_array(ages->words, sizeof *ages->bits);
    ages->before = mem_array(ages->words, sizeof *ages->before);
}

void arc_ages_note(struct arc_ages *ages, const uint32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ages->bits[list[i] / 64] |= UINT64_C(1) << list[i] % 64;
}

/* How many bits of WORD are set.  */
static uint32_t count_bits(uint64_t word)
{
    const uint64_t ones = UINT64_MAX / 255;
    word -= word >> 1 & ones * 0x55;
    word = (word & ones * 0x33) + (word >> 2 & ones * 0x33);
    return (uint32_t)(((word + (word >> 4)) & ones * 0x0F) * ones >> 56);
}

void arc_ages_close(struct arc_ages *ages)
{
    for (size_t i = 1; i < ages->words; i++)
        ages->before[i] = ages->before[i - 1] + count_bits(ages->bits[i - 1]);
}

uint32_t arc_ages_rank(const struct arc_ages *ages, uint32_t age)
{
    uint64_t below = ages->bits[age / 64] & ((UINT64_C(1) << age % 64) - 1);
    return ages->before[age / 64] + count_bits(below);
}

void arc_ages_free(struct arc_ages *ages)
{
    free(ages->bits);
    free(ages->before);
    *ages = (struct arc_ages){0};
}

/* ---- Each pair once ---- */

static void gather(struct arc_batch *batch, const struct arc *arc, uint32_t age)
{
    size_t known = batch->pairs.count;
    uint32_t number = pair_map_number(&batch->pairs, arc->caller, arc->callee);
    if (number < known) {
        batch->counts[number] = sum_u64(batch->counts[number], arc->count);
        return;
    }
    batch->counts =
        mem_grow(batch->counts, &batch->count_capacity, known + 1, sizeof *batch->counts);
    batch->ages = mem_grow(batch->ages, &batch->age_capacity, known + 1, sizeof *batch->ages);
    batch->counts[number] = arc->count;
    batch->ages[number] = age;
}

void arc_log_gather(const struct arc_log *log, size_t drawer, struct arc_batch *batch)
{
    pair_map_clear(&batch->pairs, log->drawers[drawer].count);
    for (const struct arc_leaf *leaf = log->drawers[drawer].first; leaf != NULL;
         leaf = leaf->next) {
        struct leaf_reader reader = open_leaf(leaf);
        struct arc arc;
        while (read_call(&reader, (uint32_t)drawer * DRAWER_SYMBOLS, &arc))
            gather(batch, &arc, reader.age);
    }
}

struct arc arc_batch_at(const struct arc_batch *batch, size_t i)
{
    const struct pair *pair = &batch->pairs.pairs[i];
    return (struct arc){(uint32_t)pair->a, (uint32_t)pair->b, batch->counts[i]};
}

void arc_batch_free(struct arc_batch *batch)
{
    pair_map_free(&batch->pairs);
    free(batch->counts);
    free(batch->ages);
    *batch = (struct arc_batch){0};
}

/* ---- The log ---- */

static const size_t least_limit = 16 * 1024, most_calls = UINT32_MAX - 1;

void arc_log_begin(struct arc_log *log, size_t symbol_count)
{
    log->drawer_count = symbol_count / DRAWER_SYMBOLS + 1;
    log->drawers = mem_array(log->drawer_count, sizeof *log->drawers);
    log->limit = least_limit;
}

/* Puts only the first calls of each pair back into the drawers, and notes their ages.  */
static void drop_repeated(struct arc_log *log, struct arc_ages *ages)
{
    struct arc_batch batch = {0};
    for (size_t d = 0; d < log->drawer_count; d++) {
        arc_log_gather(log, d, &batch);
        empty_drawer(log, &log->drawers[d]);
        for (size_t i = 0; i < batch.pairs.count; i++) {
            struct arc arc = arc_batch_at(&batch, i);
            put(log, &arc, batch.ages[i]);
        }
        arc_ages_note(ages, batch.ages, batch.pairs.count);
    }
    arc_batch_free(&batch);
}

/* Gives the calls of LEAF their ranks for ages.  These are as large at most, and so are the
   differences: there is room.  */
static void renumber(struct arc_leaf *leaf, const struct arc_ages *ages)
{
    const struct arc_leaf old = *leaf;
    struct leaf_reader reader = open_leaf(&old);
    struct arc arc;
    leaf->used = leaf->age = 0;
    while (read_call(&reader, 0, &arc))
        write_call(leaf, &arc, arc_ages_rank(ages, reader.age));
}

void arc_log_tidy(struct arc_log *log)
{
    struct arc_ages ages = {0};
    arc_ages_begin(&ages, log);
    drop_repeated(log, &ages);
    arc_ages_close(&ages);
    for (size_t d = 0; d < log->drawer_count; d++)
        for (struct arc_leaf *leaf = log->drawers[d].first; leaf != NULL; leaf = leaf->next)
            renumber(leaf, &ages);
    arc_ages_free(&ages);
}

/* Tidies up, and sets the next limit: soon, if much was repeated, as where many profiles of one
   program are read; late, if not, as within one profile.  */
static void make_room(struct arc_log *log)
{
    size_t before = log->count;
    arc_log_tidy(log);
    if (log->count >= most_calls)
        die(MSG_TOO_MANY_ARCS, (unsigned long)most_calls);
    log->limit = log->count > before / 4 * 3 ? 4 * log->count : 2 * log->count;
    if (log->limit < least_limit)
        log->limit = least_limit;
    if (log->limit > most_calls)
        log->limit = most_calls;
}

void arc_log_add(struct arc_log *log, const struct arc *arc)
{
    if (log->count >= log->limit)
        make_room(log);
    put(log, arc, (uint32_t)log->count);
}

void arc_log_free(struct arc_log *log)
{
    while (log->blocks != NULL) {
        struct leaf_block *next = log->blocks->next;
        free(log->blocks);
        log->blocks = next;
    }
    free(log->drawers);
    *log = (struct arc_log){0};
}
