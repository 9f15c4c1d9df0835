/* config.c - reads the environment variables.
   SPDX-License-Identifier: MIT

   One row per variable: its name, and a function that parses its value; false if that is invalid.
 */
#include "config.h"

#include <sys/utsname.h>

#include "perf_clock.h"
#include "sys.h"
#include "text.h"

#define MOST_HZ 50000
#define USUAL_HZ 100
#define STACKS_HZ 250       /* the usual tick of the kernel: thread clocks cannot be finer */
#define STACKS_HZ_PERF 1000 /* a sample with its stack takes about 10 microseconds */
#define NOT_SET UINT32_MAX
#define PREFIX "GMON_OUT_PREFIX="
#define OURS "REGMON_" /* how others begin */

static bool is_number_upto(const char *value, unsigned long most, unsigned long *number)
{
    return text_read_number(&value, number) && !*value && *number <= most;
}

static bool set_hz(struct config *config, const char *value)
{
    unsigned long hz;

    if (!is_number_upto(value, MOST_HZ, &hz))
        return false;
    config->hz = (unsigned)hz;
    return true;
}

static bool set_clock(struct config *config, const char *value)
{
    if (text_is(value, "thread"))
        config->clock = CLOCK_OF_THREAD;
    else if (text_is(value, "perf"))
        config->clock = CLOCK_OF_PERF;
    else
        return false;
    config->has_clock = true;
    return true;
}

static bool set_objects(struct config *config, const char *value)
{
    if (text_is(value, "calls"))
        config->objects = OBJECTS_WITH_CALLS;
    else if (text_is(value, "all"))
        config->objects = OBJECTS_ALL;
    else if (text_is(value, "main"))
        config->objects = OBJECTS_MAIN;
    else
        return false;
    return true;
}

static bool set_outside(struct config *config, const char *value)
{
    config->outside_is_init = text_is(value, "init");
    return config->outside_is_init || text_is(value, "zero");
}

static bool set_switch(bool *is_on, const char *value)
{
    const bool is_one = text_is(value, "1");

    if (!is_one && !text_is(value, "0"))
        return false;
    *is_on = is_one;
    return true;
}

static bool set_keep(struct config *config, const char *value)
{
    return set_switch(&config->keeps_objects, value);
}

static bool set_stacks(struct config *config, const char *value)
{
    return set_switch(&config->has_stacks, value);
}

static bool set_series(struct config *config, const char *value)
{
    return set_switch(&config->is_series, value);
}

static bool set_memory(struct config *config, const char *value)
{
    unsigned long bytes;

    if (!is_number_upto(value, UINT64_MAX, &bytes))
        return false;
    config->memory = bytes;
    return true;
}

static bool set_verbose(struct config *config, const char *value)
{
    return set_switch(&config->verbose, value);
}

static void clear_prefix(struct config *config)
{
    config->prefix[0] = 0;
    config->is_pattern = config->names_process = config->lacks_rank = false;
}

/* Notes which parts with a % the prefix has; false for unknown ones. */
static bool read_pattern(struct config *config)
{
    for (const char *at = config->prefix; *at; at++) {
        if (*at != '%')
            continue;
        at++;
        if (*at != 'p' && *at != 'h' && *at != 'r' && *at != 'n' && *at != '%')
            return false;
        config->is_pattern = true;
        config->lacks_rank |= *at == 'r' && !config->has_rank;
        config->names_process |= *at == 'p' || config->lacks_rank;
    }
    return true;
}

static bool set_prefix(struct config *config, const char *value)
{
    struct text prefix;

    clear_prefix(config);
    config->prefix_read = value;
    prefix = text_in(config->prefix, sizeof config->prefix);
    text_add(&prefix, value);
    if (text_is_whole(&prefix) && read_pattern(config))
        return true;
    clear_prefix(config);
    return false;
}

static const struct variable {
    const char *name; /* with the equals sign */
    bool (*set)(struct config *config, const char *value);
} variables[] = {
    {"REGMON_HZ=", set_hz},           {"REGMON_CLOCK=", set_clock},
    {"REGMON_OBJECTS=", set_objects}, {"REGMON_OUTSIDE=", set_outside},
    {"REGMON_KEEP=", set_keep},       {"REGMON_VERBOSE=", set_verbose},
    {"REGMON_STACKS=", set_stacks},   {"REGMON_MEMORY=", set_memory},
    {"REGMON_SERIES=", set_series},   {PREFIX, set_prefix},
};

#define VARIABLES (sizeof variables / sizeof *variables)

/* Applies an entry of the environment; false if it is one of these variables and its value is
 * invalid. */
static bool read_entry(struct config *config, const char *entry)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        const struct variable *v = &variables[i];

        if (text_starts(entry, v->name)) {
            const char *value = entry + text_length(v->name);

            return !*value || v->set(config, value);
        }
    }
    return true;
}

/* ---- What names of files have ---- */

/* The first that is set to a number decides: mpirun leaves Slurm's variable, if that has started
   it, to all ranks. */
static bool find_rank(struct config *config, char **environment)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK=", "SLURM_PROCID="};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = text_variable(environment, names[i]);

        if (value && is_number_upto(value, UINT32_MAX, &config->rank))
            return true;
    }
    return false;
}

static void read_host(struct config *config)
{
    struct text host = text_in(config->host, sizeof config->host);
    struct utsname system;

    if (SYS1(__NR_uname, &system) == 0)
        text_add(&host, system.nodename);
}

static void read_names(struct config *config, char **environment, const char *program)
{
    struct text name = text_in(config->program, sizeof config->program);

    text_add(&name, program ? text_last_part(program) : "program");
    read_host(config);
    config->has_rank = find_rank(config, environment);
}

static bool is_part_of_path(const char *name)
{
    return *name && !text_is(name, ".") && !text_is(name, "..") && text_last_part(name) == name;
}

void config_set_names(struct config *config, const char *prefix)
{
    struct text name;

    config->program[sizeof config->program - 1] = 0;
    if (!is_part_of_path(config->program)) {
        name = text_in(config->program, sizeof config->program);
        text_add(&name, "program");
    }
    read_host(config);
    (void)set_prefix(config, prefix);
}

/* Clocks of threads are looked at when the kernel ticks: ticks a second, by the step of its coarse
   clock. */
static unsigned ticks(void)
{
    struct timespec step = {0, 0};

    if (SYS2(__NR_clock_getres, CLOCK_REALTIME_COARSE, &step) != 0 || step.tv_nsec <= 0)
        return MOST_HZ;
    return (unsigned)(1000000000 / step.tv_nsec);
}

static unsigned usual_hz(const struct config *config)
{
    if (!config->has_stacks)
        return USUAL_HZ;
    return config->clock == CLOCK_OF_PERF ? STACKS_HZ_PERF : STACKS_HZ;
}

/* Stacks are worth a rate that tells callers apart, where the kernel has a clock for it. */
static void choose_clock(struct config *config)
{
    const bool wants_perf = config->has_clock ? config->clock == CLOCK_OF_PERF : config->has_stacks;
    const bool is_set = config->hz != NOT_SET;

    config->clock =
        wants_perf && config->hz && perf_clock_is_permitted() ? CLOCK_OF_PERF : CLOCK_OF_THREAD;
    if (!is_set)
        config->hz = usual_hz(config);
    config->lacks_perf =
        wants_perf && config->has_clock && config->hz && config->clock != CLOCK_OF_PERF;
    if (config->clock == CLOCK_OF_THREAD && config->hz > ticks()) {
        config->refused_hz = is_set ? config->hz : 0;
        config->hz = ticks();
    }
}

void config_read(struct config *config, char **environment, const char *program)
{
    config->hz = NOT_SET;
    config->has_stacks = true;
    read_names(config, environment, program);
    for (char **entry = environment; entry && *entry; entry++)
        if (!read_entry(config, *entry) && config->refused_count < MOST_REFUSED)
            config->refused[config->refused_count++] = *entry;
    choose_clock(config);
}

static void complain_of(const char *entry)
{
    message("ignored, because the value cannot be used:", entry, 0);
}

void config_read_prefix(struct config *config, char **environment)
{
    const char *before = config->prefix_read;

    clear_prefix(config);
    for (char **entry = environment; entry && *entry; entry++)
        if (text_starts(*entry, PREFIX) && !read_entry(config, *entry) &&
            *entry + text_length(PREFIX) != before)
            complain_of(*entry);
}

static void complain_of_rate(const struct config *config)
{
    char bytes[80];
    struct text line = text_in(bytes, sizeof bytes);

    text_add_number(&line, config->hz);
    text_add(&line, " samples a second, not ");
    text_add_number(&line, config->refused_hz);
    text_add(&line, ": clocks of threads follow the kernel's tick");
    message(bytes, NULL, 0);
}

void config_complain_of_values(const struct config *config)
{
    for (unsigned i = 0; i < config->refused_count; i++)
        if (text_starts(config->refused[i], OURS) || text_starts(config->refused[i], PREFIX))
            complain_of(config->refused[i]); /* else, the program has overwritten it */
}

void config_complain(const struct config *config)
{
    config_complain_of_values(config);
    if (config->lacks_perf)
        message("no perf clock; clocks of threads are used", NULL, 0);
    if (config->refused_hz)
        complain_of_rate(config);
}
