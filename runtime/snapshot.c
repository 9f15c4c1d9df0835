/* snapshot.c - writes the files from inside the process.
   SPDX-License-Identifier: MIT */
#include "snapshot.h"

#include <unistd.h>

#include "actions.h"
#include "clock.h"
#include "config.h"
#include "process.h"
#include "profile.h"
#include "state.h"
#include "text.h"

bool writer_begin(struct sys_quiet *quiet)
{
    sys_quiet_begin(quiet);
    if (pool_lock(regmon_process.pool.header, sys_gettid()))
        return true;
    sys_quiet_end(quiet);
    return false;
}

void regmon_writer_end(const struct sys_quiet *quiet)
{
    pool_unlock(regmon_process.pool.header);
    sys_quiet_end(quiet);
}

/* Programs set the prefix while they run.  Other threads read the rest of the header meanwhile. */
static void read_prefix_again(struct config *now)
{
    struct config *config = &regmon_state.config;

    if (!regmon_state.environment)
        return;
    config_read_prefix(config, environ);
    copy_bytes(now->prefix, config->prefix, sizeof now->prefix);
    now->is_pattern = config->is_pattern;
    now->names_process = config->names_process;
    now->lacks_rank = config->lacks_rank;
}

/* Whether the collector writes the files later. */
static bool is_of_collector(enum snapshot_reason reason)
{
    return reason != SNAPSHOT_OF_PROGRAM && regmon_process.pool.is_file;
}

/* Whether they are written later, by this process or by the collector. */
static bool is_later(enum snapshot_reason reason)
{
    return is_of_collector(reason) ||
           (reason == SNAPSHOT_OF_CLEANUP && regmon_state.config.is_series);
}

/* What the collector cannot find out. */
static void note_end(struct pool_header *header)
{
    header->cpu_time = clock_of_process() - header->cpu_before;
    header->has_other_handler = regmon_state.is_sampling && !actions_are_ours();
    header->has_split_stacks = regmon_state.has_split_stacks;
}

int snapshot_write(enum snapshot_reason reason)
{
    struct pool_header *header = regmon_process.pool.header;
    struct sys_quiet quiet;
    int result = 0;

    if (regmon_state.filter == FILTER_OWN && is_later(reason))
        return 0; /* without a system call */
    if (!process_has_begun())
        return 0;
    if (is_of_collector(reason)) {
        note_end(header);
        return 0;
    }
    if (!writer_begin(&quiet)) {
        message("no snapshot: another one is being written", NULL, 0);
        return -1;
    }
    if (reason == SNAPSHOT_OF_PROGRAM || reason == SNAPSHOT_OF_CLEANUP)
        read_prefix_again(&header->config);
    note_end(header);
    if (!is_later(reason))
        result =
            profile_write(&regmon_process.pool, AT_FDCWD, -1, reason == SNAPSHOT_OF_END) ? -1 : 0;
    regmon_writer_end(&quiet);
    return result;
}
