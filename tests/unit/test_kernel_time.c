/* test_kernel_time.c - shares out the time of threads in the kernel, by drawn samples and ticks,
   and compares with the times that were drawn.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "kernel_time.h"
#include "tap.h"

/* A place of the program: how long it runs each time, in microseconds on average, and where.  */
struct part {
    const char *name;
    double time;
    bool in_kernel;
};

enum { USER = false, KERNEL = true, MOST_PARTS = 5 };

struct program {
    const char *name;
    double life;       /* of each thread, in milliseconds; 0: there is one */
    unsigned repeated; /* the first two parts, so often before the others */
    struct part parts[MOST_PARTS];
};

/* Times of single faults and calls are larger than true ones, and as small beside a tick.  */
static const struct program programs[] = {
    {"faults, computing and a call, in turn",
     0,
     150,
     {{"user code between faults", 20, USER},
      {"faults", 100, KERNEL},
      {"compute", 5000, USER},
      {"munmap", 2200, KERNEL}}},
    {"times as long as a tick",
     0,
     1,
     {{"faults", 4000, KERNEL}, {"compute", 4000, USER}, {"call", 1000, KERNEL}}},
    {"faults while computing", 0, 1, {{"compute", 74, USER}, {"faults", 26, KERNEL}}},
    {"faults between calls",
     0,
     1,
     {{"compute", 40, USER}, {"faults", 16, KERNEL}, {"more", 2, USER}, {"call", 42, KERNEL}}},
    {"a hot store that faults rarely, beside calls",
     0,
     1,
     {{"store", 150, USER}, {"call", 120, KERNEL}, {"fault", .3, KERNEL}}},
    {"user code only", 0, 1, {{"compute", 1000, USER}}},
    {"the kernel only", 0, 1, {{"call", 1000, KERNEL}}},
    {"threads of 30 ms", 30, 1, {{"compute", 74, USER}, {"faults", 26, KERNEL}}},
    {"threads of 1.3 ms", 1.3, 1, {{"compute", 74, USER}, {"faults", 26, KERNEL}}},
};

static uint64_t state = 1;

/* From 0 to 1, without these.  */
static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + .5) / 9007199254740992.0;
}

struct run {
    const struct program *program;
    double period, tick, now;
    double next_sample, next_tick, last_tick, end; /* of the thread */
    struct kernel_time shared;
    double true_time[MOST_PARTS], samples[MOST_PARTS], ticks;
};

/* The perf clock counts the time of the thread; ticks are those of the machine.  */
static void begin_thread(struct run *r)
{
    kernel_time_begin(&r->shared, (uint32_t)(draw() * 4294967296.0), (uint64_t)r->period);
    r->next_sample = r->now + draw() * r->period;
    r->next_tick = r->now + draw() * r->tick;
    r->last_tick = r->now;
    r->end = r->program->life > 0 ? r->now + r->program->life * 1e6 : INFINITY;
}

static void take_sample(struct run *r, size_t at)
{
    r->next_sample += r->period;
    if (r->program->parts[at].in_kernel)
        return;
    r->samples[at]++;
    kernel_time_sample(&r->shared, (uint64_t)r->period);
}

static void take_tick(struct run *r, size_t at)
{
    const struct kernel_tick tick = {(uint64_t)(r->next_tick - r->last_tick), (uint64_t)r->tick,
                                     r->program->parts[at].in_kernel ? 0 : (uint64_t)r->tick};
    r->last_tick = r->next_tick;
    r->next_tick += r->tick;
    r->ticks++;
    r->samples[at] += (double)kernel_time_tick(&r->shared, tick, (uint64_t)r->period);
}

/* Lets a part run until END, with all that happens meanwhile.  */
static void spend(struct run *r, size_t at, double end)
{
    while (r->now < end) {
        double next = fmin(fmin(r->next_sample, r->next_tick), fmin(r->end, end));
        r->true_time[at] += next - r->now;
        r->now = next;
        if (next == r->end)
            begin_thread(r);
        else if (next == r->next_sample)
            take_sample(r, at);
        else if (next == r->next_tick)
            take_tick(r, at);
    }
}

static void run_part(struct run *r, size_t at)
{
    const struct part *part = &r->program->parts[at];
    spend(r, at, r->now + part->time * 1e3 * 2 * draw());
}

static void run_round(struct run *r)
{
    for (unsigned i = 0; i < r->program->repeated; i++)
        for (size_t at = 0; at < 2 && r->program->parts[at].name; at++)
            run_part(r, at);
    for (size_t at = 2; at < MOST_PARTS && r->program->parts[at].name; at++)
        run_part(r, at);
}

/* Each tick is one draw: a share has the error of so many draws.  Samples of user code are more. */
static bool is_share_right(const struct run *r, size_t at, double draws)
{
    const double share = r->true_time[at] / r->now;
    const double found = r->samples[at] * r->period / r->now;
    const double error = sqrt(share * (1 - share) / draws) + 1 / draws;
    if (fabs(found - share) <= 5 * error)
        return true;
    printf("# %s: %.2f %% instead of %.2f, error %.2f\n", r->program->parts[at].name, 100 * found,
           100 * share, 100 * error);
    return false;
}

static void test(const struct program *program, double rate, double ticks)
{
    struct run r = {.program = program, .period = 1e9 / rate, .tick = 1e9 / ticks};
    const double end = (double)tap_size(60, 3000) * 1e9;
    bool is_right = true;
    char what[200];
    begin_thread(&r);
    while (r.now < end)
        run_round(&r);
    for (size_t at = 0; at < MOST_PARTS && program->parts[at].name; at++)
        is_right &= is_share_right(&r, at, fmin(r.ticks, r.now / r.period));
    snprintf(what, sizeof what, "%s, %g samples and %g ticks a second: each part has its share",
             program->name, rate, ticks);
    is_true(is_right, what);
}

/* The sum is exact but for what is missing, which stays small.  */
static void test_sum(double rate)
{
    struct run r = {.program = &programs[3], .period = 1e9 / rate, .tick = 4e6};
    double sum = 0, most = 0;
    begin_thread(&r);
    while (r.now < 20e9) {
        run_round(&r);
        most = fmax(most, fabs((double)r.shared.missing));
    }
    for (size_t at = 0; at < MOST_PARTS; at++)
        sum += r.samples[at] * r.period;
    is_true(fabs(sum + (double)(r.shared.missing + r.shared.rest) - r.last_tick) <
                2 * r.period + r.tick,
            "what is shared out and what is missing are the time so far");
    is_true(most < 12 * fmax(r.period, r.tick), "what is missing stays small");
}

/* Ticks that always come while the kernel takes a sample find it in the kernel.  */
static void test_ticks_in_step(void)
{
    struct kernel_time t = {0};
    const struct kernel_tick tick = {4000000, 4000000, 0};
    uint64_t samples = 0;
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 4; k++)
            kernel_time_sample(&t, 1000000);
        samples += kernel_time_tick(&t, tick, 1000000);
    }
    is_true(samples <= 64,
            "ticks that find the kernel where no time is missing get nothing in the long run");
}

int main(void)
{
    static const double rates[] = {100, 250, 1000};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        for (size_t k = 0; k < 3; k++)
            test(&programs[i], rates[k], 250);
        test(&programs[i], 1000, 100);
        test(&programs[i], 1000, 1000);
    }
    test_sum(1000);
    test_sum(100);
    test_ticks_in_step();
    return tap_done();
}
