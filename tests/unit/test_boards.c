/* test_boards.c - counting on boards, compared with a plain list of calls and samples, while
   interrupts count at every place where two may change the same word.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <pthread.h>

#include "tap.h"

static bool exchange(volatile uintptr_t *at, uintptr_t *old, uintptr_t new);
#define __atomic_compare_exchange_n(at, old, new, ...) exchange(at, old, new)
#include "regmon_board.c"
#undef __atomic_compare_exchange_n

enum { MOST_KINDS = 300, MOST_BINS = 4096, LOW = 0x8000 };

/* What was counted, without any structure.  */
static struct {
    struct {
        uintptr_t from, self;
        uint64_t count;
    } arcs[MOST_KINDS];
    size_t arc_count;
    uint64_t calls, bins[MOST_BINS], outside;
    uintptr_t high;
    unsigned width;
} model;

static uint64_t state;
static unsigned depth;      /* of interrupts */
static unsigned most_depth; /* 0: there are none */
static uintptr_t kinds;     /* functions to draw from */

static void model_call(uintptr_t from, uintptr_t self)
{
    size_t i = 0;
    while (i < model.arc_count && (model.arcs[i].from != from || model.arcs[i].self != self))
        i++;
    if (i == model.arc_count)
        model.arc_count++;
    model.arcs[i].from = from;
    model.arcs[i].self = self;
    model.arcs[i].count++;
    model.calls++;
}

static void model_tick(uintptr_t pc)
{
    if (pc >= LOW && pc < model.high)
        model.bins[(pc - LOW) / model.width]++;
    else
        model.outside++;
}

static void call_or_tick(void)
{
    uintptr_t pc = LOW - 4 + next_random(&state) % (model.high - LOW + 8);
    if (next_random(&state) % 3 == 0) {
        model_tick(pc);
        regmon_board_tick(pc);
    } else {
        uintptr_t from = LOW + 6 + 40 * (next_random(&state) % kinds);
        uintptr_t self = LOW + 4 + 36 * (next_random(&state) % 7);
        model_call(from, self);
        regmon_board_call(from, self);
    }
}

static void interrupt(void)
{
    while (depth < most_depth && next_random(&state) % 3 == 0) {
        depth++;
        call_or_tick();
        depth--;
    }
}

static bool exchange(volatile uintptr_t *at, uintptr_t *old, uintptr_t new)
{
    interrupt();
    bool is_done = __sync_bool_compare_and_swap(at, *old, new);
    interrupt();
    return is_done;
}

/* ---- Reading what was written ---- */

struct bytes {
    unsigned char data[100000];
    size_t size;
    unsigned puts;
};

static struct bytes file;

static void put(void *context, const void *data, size_t size)
{
    struct bytes *bytes = context;
    bytes->puts++;
    if (size > sizeof bytes->data - bytes->size)
        abort();
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    regmon_board_call(LOW + 2, LOW + 2); /* is not counted */
    regmon_board_tick(LOW);
}

static uint64_t number_at(size_t *at, size_t size)
{
    uint64_t value = 0;
    if (*at + size > file.size)
        return UINT64_MAX;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)file.data[*at + i] << 8 * i;
    *at += size;
    return value;
}

static uint64_t read_bins[MOST_BINS], read_calls;
static size_t read_bin_count, read_records;
static uintptr_t read_high;

static void read_all_bins(size_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        read_bins[i] += number_at(at, 2);
    read_bin_count = count;
}

/* Takes the calls of the record at AT from the model's.  */
static bool take_call(size_t *at, size_t count_size)
{
    uintptr_t from = number_at(at, sizeof from), self = number_at(at, sizeof self);
    uint64_t count = number_at(at, count_size);
    read_calls += count;
    read_records++;
    for (size_t i = 0; i < model.arc_count; i++)
        if (model.arcs[i].from == from && model.arcs[i].self == self && count != 0 &&
            count <= model.arcs[i].count) {
            model.arcs[i].count -= count;
            return true;
        }
    return false;
}

static bool read_bsd(void)
{
    size_t at = 0;
    bool ok = number_at(&at, sizeof at) == LOW;
    read_high = number_at(&at, sizeof at);
    size_t size = number_at(&at, 4);
    ok = ok && number_at(&at, 4) == 0x00051879 && number_at(&at, 4) == 1000;
    at += 12;
    read_all_bins(&at, (size - at) / 2);
    ok = ok && at == size;
    while (ok && at < file.size)
        ok = take_call(&at, sizeof at);
    return ok;
}

static bool read_magic(void)
{
    size_t at = 20;
    bool ok = file.size > 20 && memcmp(file.data, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20) == 0;
    while (ok && at < file.size) {
        if (file.data[at++] == 1) {
            ok = take_call(&at, 4);
            continue;
        }
        ok = file.data[at - 1] == 0 && number_at(&at, sizeof at) == LOW;
        read_high = number_at(&at, sizeof at);
        size_t count = number_at(&at, 4);
        ok = ok && number_at(&at, 4) == 1000 &&
             memcmp(file.data + at, "seconds\0\0\0\0\0\0\0\0s", 16) == 0;
        at += 16;
        if (ok)
            read_all_bins(&at, count);
    }
    return ok;
}

/* Whether the file has the model's samples and calls, except those that the board says are lost. */
static bool is_file_right(unsigned bits)
{
    memset(read_bins, 0, sizeof read_bins);
    read_calls = read_records = 0;
    file.size = 0;
    if (regmon_board_write(put, &file) != 0 || !(bits == 16 ? read_bsd() : read_magic()))
        return false;
    const volatile struct regmon_board_lost *lost = regmon_board_lost();
    bool ok = read_calls + lost->calls == model.calls;
    uint64_t lost_samples = 0, most = bits == 16 ? UINT16_MAX : UINT32_MAX;
    ok = ok && read_high == LOW + read_bin_count * model.width && read_high >= model.high &&
         read_high - model.high < 4 * model.width && read_bin_count % 4 == 0;
    for (size_t i = 0; i < MOST_BINS; i++) {
        uint64_t expected = model.bins[i] < most ? model.bins[i] : most;
        ok = ok && read_bins[i] == expected;
        lost_samples += model.bins[i] - expected;
    }
    /* The last bins may go on behind the code.  */
    return ok && lost->samples == lost_samples && lost->outside <= model.outside &&
           (read_high != model.high || lost->outside == model.outside);
}

static void *make_ram(size_t size)
{
    void *ram = malloc(size);
    if (ram == NULL)
        abort();
    memset(ram, 0xa5, size); /* as after power-up */
    return ram;
}

static bool is_draw_right(unsigned number)
{
    static const unsigned widths[] = {2, 4, 16, 64};
    memset(&model, 0, sizeof model);
    state = number;
    unsigned bits = next_random(&state) % 2 == 0 ? 16 : 32, arcs = 4 + next_random(&state) % 60;
    model.width = widths[next_random(&state) % 4];
    model.high = LOW + 2 + 2 * (next_random(&state) % 500);
    most_depth = next_random(&state) % 4;
    kinds = 1 + next_random(&state) % 40;
    /* All that it must not touch is outside of the block, which sanitizers watch.  */
    size_t size = REGMON_BOARD_RAM(model.high - LOW, model.width, bits, arcs);
    struct regmon_board b = {LOW, model.high, make_ram(size), size, model.width, bits, 1000};
    bool ok = regmon_board_start(&b) == 0;
    model.high = board.header->high; /* samples behind the code, in the last bins */
    unsigned count = next_random(&state) % 4000;
    for (unsigned i = 0; ok && i < count; i++)
        call_or_tick();
    most_depth = 0;
    /* Interrupts may make an arc twice, but until then there is room for all.  */
    size_t arc_count = model.arc_count;
    ok = ok && is_file_right(bits) &&
         (regmon_board_lost()->calls == 0 || arc_count > arcs || read_records >= arcs);
    regmon_board_reset();
    memset(model.bins, 0, sizeof model.bins);
    model.calls = model.outside = 0;
    ok = ok && is_file_right(bits) && read_calls == 0 && read_records == 0;
    regmon_board_stop();
    regmon_board_call(LOW, LOW);
    regmon_board_tick(LOW);
    ok = ok && is_file_right(bits) && read_calls == 0;
    free(b.ram);
    if (!ok)
        printf("# draw %u\n", number);
    return ok;
}

static void test_draws(void)
{
    size_t count = tap_size(3000, 100000), wrong = 0;
    for (unsigned i = 0; i < count; i++)
        wrong += !is_draw_right(i);
    is_equal(wrong, 0, "drawn calls and samples, with interrupts that count, and reset");
}

/* Begins to count in code of 256 bytes.  */
static void *start(unsigned bits, unsigned arcs)
{
    memset(&model, 0, sizeof model);
    model.width = 16;
    model.high = LOW + 256;
    size_t size = REGMON_BOARD_RAM(256, 16, bits, arcs);
    struct regmon_board b = {LOW, model.high, make_ram(size), size, 16, bits, 1000};
    if (regmon_board_start(&b) != 0)
        abort();
    return b.ram;
}

static void test_full_table(void)
{
    void *ram = start(16, 50);
    size_t room = (size_t)(board.limit - board.arcs);
    is_true(room >= 50, "there is room for the arcs that were asked for");
    for (unsigned round = 0; round < 3; round++)
        for (uintptr_t i = 0; i < room + 7; i++) {
            model_call(LOW + 2 * i, LOW + 4);
            regmon_board_call(LOW + 2 * i, LOW + 4);
        }
    is_true(is_file_right(16), "a full table counts the arcs that it has");
    is_equal(read_records, room, "which fill it");
    is_equal(regmon_board_lost()->calls, 3 * 7, "the calls of others are counted as lost");
    free(ram);
}

static void test_largest_values(void)
{
    void *ram = start(16, 8);
    for (unsigned i = 0; i < 65540; i++) {
        model_tick(LOW + 20);
        regmon_board_tick(LOW + 20);
    }
    regmon_board_tick(LOW + 16 * 2);
    model_tick(LOW + 16 * 2);
    is_true(is_file_right(16) && read_bins[1] == 65535 && read_bins[2] == 1,
            "a bin of 16 bits stays at 65,535");
    is_equal(regmon_board_lost()->samples, 5, "and the rest is counted as lost");
    regmon_board_call(LOW + 2, LOW + 4);
    board.arcs[0].count = UINTPTR_MAX - 1;
    for (unsigned i = 0; i < 3; i++)
        regmon_board_call(LOW + 2, LOW + 4);
    is_true(board.arcs[0].count == UINTPTR_MAX, "a count stays at its largest value");
    is_equal(regmon_board_lost()->calls, 2, "and the rest is counted as lost");
    board.header->lost.outside = UINT32_MAX;
    regmon_board_tick(LOW - 2);
    is_equal(regmon_board_lost()->outside, UINT32_MAX, "so does a count of what is lost");
    is_true(regmon_board_lost()->samples == 5, "which does not run over into others");
    free(ram);

    ram = start(32, 8);
    uint32_t *bins = (uint32_t *)(board.header + 1);
    model.bins[3] = bins[3] = 200000;
    model.bins[4] = bins[4] = 65535;
    model.bins[5] = bins[5] = 65536;
    model_call(LOW + 2, LOW + 4);
    regmon_board_call(LOW + 2, LOW + 4);
    model.calls = board.arcs[0].count = 3 * (uint64_t)UINT32_MAX + 5;
    model.arcs[0].count = model.calls;
    is_true(is_file_right(32), "bins of 32 bits are in several histograms");
    is_equal(read_records, 4, "counts of more than 32 bits are in several records");
    bins[6] = UINT32_MAX - 1;
    for (unsigned i = 0; i < 3; i++)
        regmon_board_tick(LOW + 16 * 6);
    is_true(bins[6] == UINT32_MAX && bins[7] == 0, "a bin of 32 bits stays at its largest value");
    is_equal(regmon_board_lost()->samples, 2, "and the rest is counted as lost");
    free(ram);
}

static void test_refusals(void)
{
    static uintptr_t ram[1000];
    const struct regmon_board good = {LOW, LOW + 256, ram, sizeof ram, 16, 16, 1000};
    struct regmon_board b = good;
    is_true(regmon_board_start(&b) == 0, "a good start");
#define REFUSES(member, value)                                                                     \
    do {                                                                                           \
        b = good;                                                                                  \
        b.member = (value);                                                                        \
        is_true(regmon_board_start(&b) == REGMON_BOARD_WRONG, "refused: " #member " = " #value);   \
        is_true(regmon_board_write(put, &file) == REGMON_BOARD_WRONG &&                            \
                    regmon_board_lost() == NULL,                                                   \
                "then there is no profile");                                                       \
        regmon_board_call(LOW, LOW);                                                               \
        regmon_board_tick(LOW);                                                                    \
        regmon_board_reset();                                                                      \
    } while (0)
    REFUSES(text_high, LOW);
    REFUSES(text_low, LOW + 257);
    REFUSES(ram, (char *)ram + 2);
    REFUSES(bin_width, 12);
    REFUSES(bin_width, 1);
    REFUSES(bin_width, 0);
    REFUSES(bin_width, 65536);
    REFUSES(bin_bits, 8);
    REFUSES(bin_bits, 64);
    REFUSES(rate, 0);
    b = good;
    b.ram_size = SIZE_MAX;
    b.text_high = UINTPTR_MAX;
    b.text_low = 0;
    b.bin_width = 2;
    b.ram_size = sizeof ram;
    is_true(regmon_board_start(&b) == REGMON_BOARD_TOO_SMALL,
            "all of the address space is too much");
    bool ok = true;
    size_t needed = REGMON_BOARD_RAM(256, 16, 16, 4);
    for (size_t size = 0; size < needed + 200; size++) {
        b = good;
        b.ram = make_ram(size + 1);
        b.ram_size = size;
        ok = ok && regmon_board_start(&b) == (size < needed ? REGMON_BOARD_TOO_SMALL : 0);
        free(b.ram);
    }
    is_true(ok, "memory for the bins and four arcs is needed, and enough");
    b = good;
    b.bin_bits = 32;
    regmon_board_start(&b);
    is_true(regmon_board_file >= regmon_board_end, "bins of 32 bits are no file in memory");
}

/* Arcs that are visited to find one of the table, on average, in hundredths.  */
static unsigned visits(void)
{
    unsigned arcs = 0, steps = 0;
    for (uintptr_t hash = 0; hash <= board.mask; hash++) {
        unsigned length = 0;
        for (unsigned number = board.table[hash]; number != 0;
             number = board.table[board.mask + number])
            steps += ++length;
        arcs += length;
    }
    return 100 * steps / arcs;
}

/* Callers and callees at equal distances, as in tables of functions and generated code.  */
static void test_lists(void)
{
    unsigned most = 0;
    for (unsigned from_step = 2; from_step <= 256; from_step *= 2)
        for (unsigned self_step = 16; self_step <= 256; self_step *= 2)
            for (unsigned shape = 0; shape < 3; shape++) {
                void *ram = start(16, 1000);
                for (unsigned i = 0; regmon_board_end != (uintptr_t)board.limit; i++)
                    regmon_board_call(LOW + from_step * (shape == 0   ? 1
                                                         : shape == 1 ? i
                                                                      : i / 32),
                                      LOW + self_step * (shape == 2 ? i % 32 : i));
                most = visits() > most ? visits() : most;
                free(ram);
            }
    printf("# at most %u.%02u arcs visited\n", most / 100, most % 100);
    is_true(most < 300, "less than three arcs are visited to find one in a full table");
}

enum { THREADS = 4, ROUNDS = 100000 };

static void *count_in_thread(void *unused)
{
    (void)unused;
    for (uintptr_t i = 0; i < ROUNDS; i++) {
        regmon_board_call(LOW + 2 * (i % 37), LOW + 4);
        regmon_board_tick(LOW + i % 64);
    }
    return NULL;
}

/* As several processors do.  */
static void test_threads(void)
{
    pthread_t threads[THREADS];
    void *ram = start(32, 200);
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, count_in_thread, NULL) != 0)
            abort();
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS * ROUNDS; i++) {
        model_call(LOW + 2 * (i % ROUNDS % 37), LOW + 4);
        model_tick(LOW + i % ROUNDS % 64);
    }
    bool ok = is_file_right(32);
    for (size_t i = 0; i < model.arc_count; i++)
        ok = ok && model.arcs[i].count == 0;
    is_true(ok && regmon_board_lost()->calls == 0, "four threads count in one table");
    free(ram);
}

int main(void)
{
    is_true(regmon_board_write(put, &file) == REGMON_BOARD_WRONG && file.size == 0,
            "no profile before the start");
    is_true(regmon_board_print(put, &file) == REGMON_BOARD_WRONG && file.size == 0, "also as text");
    test_draws();
    test_full_table();
    test_largest_values();
    test_refusals();
    test_lists();
    test_threads();
    return tap_done();
}
