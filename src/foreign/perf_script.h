/* perf_script.h - reads what `perf script' prints, of one program of a recording.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_PERF_SCRIPT_H
#define REGPROF_FOREIGN_PERF_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "foreign/formats.h"

/* What a recording of the whole system is of.  */
struct perf_programs {
    struct string_map names;
    struct pair_map numbers; /* of processes: (number, 0) */
    struct process {
        uint32_t program;
        uint64_t samples;
    } * processes;
    size_t process_count, process_capacity;
    uint32_t chosen; /* program */
};

/* The name of a program in RULES; NULL: none, or that of a thread.  */
const char *perf_program_of(const struct foreign_rules *rules);

/* Reads what perf prints, of the one of PROGRAMS that was chosen; NULL: of all.  False after a
   message.  */
bool perf_script_read_of(struct foreign_reader *reader, struct perf_programs *programs);

#endif
