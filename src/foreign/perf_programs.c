/* perf_programs.c - which programs the processes of a recording run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/perf_programs.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "foreign/foreign.h"
#include "foreign/perf_line.h"

const char *perf_program_of(const struct foreign_rules *rules)
{
    return foreign_thread(rules) != NULL ? NULL : rules->program;
}

/* Run number EXECS of PROCESS.  */
static struct perf_run *run_after(struct perf_programs *programs, long process, uint64_t execs)
{
    uint32_t number = pair_map_number(&programs->numbers, (uint64_t)process, execs);
    programs->runs =
        mem_grow(programs->runs, &programs->run_capacity, number + 1, sizeof *programs->runs);
    if (number == programs->run_count)
        programs->runs[programs->run_count++] = (struct perf_run){.program = NO_ID};
    return &programs->runs[number];
}

struct perf_run *perf_run_of(struct perf_programs *programs, long process)
{
    struct perf_run *first = run_after(programs, process, 0);
    return first->execs == 0 ? first : run_after(programs, process, first->execs);
}

bool perf_is_exec(struct perf_programs *programs, const char *line)
{
    struct perf_header header;
    if (!perf_parse_exec(line, &header))
        return false;
    run_after(programs, header.process, 0)->execs++;
    struct perf_run *run = perf_run_of(programs, header.process);
    if (run->program == NO_ID) {
        char *name = mem_copy(header.comm, header.comm_size);
        run->program = string_map_number(&programs->names, name);
        free(name);
    }
    return true;
}
