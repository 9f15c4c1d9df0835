/* perf_programs.h - which programs the processes of a recording run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_PERF_PROGRAMS_H
#define REGPROF_FOREIGN_PERF_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "foreign/formats.h"

/* What a recording of the whole system is of.  */
struct perf_programs {
    struct string_map names;
    struct pair_map numbers; /* of `runs': (process, how often it has called exec) */
    struct perf_run {
        uint32_t program; /* NO_ID: not yet known */
        uint64_t samples;
        uint64_t execs; /* of the process, up to the line that is read; of its first run */
    } * runs;
    size_t run_count, run_capacity;
    uint32_t chosen; /* program */
};

/* What PROCESS runs; valid until the next call.  */
struct perf_run *perf_run_of(struct perf_programs *programs, long process);

/* Whether LINE is the record of a call of exec: what its process runs is another program from here
   on.  */
bool perf_is_exec(struct perf_programs *programs, const char *line);

/* The name of a program in RULES; NULL: none, or that of a thread.  */
const char *perf_program_of(const struct foreign_rules *rules);

#endif
