/* perf_data.c - has perf print its own files, of the program with the most samples.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compress.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "foreign/formats.h"
#include "foreign/perf_line.h"
#include "foreign/perf_programs.h"
#include "foreign/perf_script.h"

/* Adds the sample in LINE, `NAME PROCESS/THREAD', to the programs.  False if it is none.  Of a
   recording that came through a pipe, perf prints more.  */
static bool count_sample(struct perf_programs *programs, const char *line)
{
    struct perf_header header;
    if (perf_is_exec(programs, line) || *line == '\0' || *line == '\t' || perf_is_other_line(line))
        return true;
    if (!perf_parse_header(line, PERF_THREAD | PERF_ALONE, &header) || header.process < 0)
        return isblank((unsigned char)*line);
    char *name = mem_copy(header.comm, header.comm_size);
    uint32_t program = string_map_number(&programs->names, name);
    free(name);
    struct perf_run *run = perf_run_of(programs, header.process);
    if (run->program == NO_ID || header.thread == header.process)
        run->program = program;
    run->samples++;
    return true;
}

/* Makes what perf itself runs before it calls exec a part of the program, and begins anew with the
   first run of each process.  */
static void end_count(struct perf_programs *programs)
{
    uint32_t before = string_map_number(&programs->names, "perf-exec");
    for (size_t i = 0; i < programs->run_count; i++) {
        const struct pair *run = &programs->numbers.pairs[i];
        uint32_t first = pair_map_number(&programs->numbers, run->a, 0);
        if (programs->runs[i].program == before && programs->runs[first].execs > run->b) {
            uint32_t next = pair_map_number(&programs->numbers, run->a, run->b + 1);
            programs->runs[i].program = programs->runs[next].program;
        }
    }
    for (size_t i = 0; i < programs->run_count; i++)
        programs->runs[i].execs = 0;
}

/* Chooses the program called NAME or, if that is NULL, the one with the most samples, and says
   which others there are.  False after a message.  */
static bool choose_program(struct perf_programs *programs, const struct foreign_reader *reader)
{
    const char *wanted = perf_program_of(reader->rules), *path = reader->stream->path;
    uint64_t *samples = mem_array(programs->names.count + 1, sizeof *samples);
    uint32_t most = 0;
    size_t count = 0;
    struct name_list others = {0};
    bool is_found = wanted == NULL;
    for (size_t i = 0; i < programs->run_count; i++)
        if (programs->runs[i].program != NO_ID)
            samples[programs->runs[i].program] += programs->runs[i].samples;
    for (uint32_t i = 0; i < programs->names.count; i++) {
        bool is_it = wanted != NULL && strcmp(programs->names.strings[i], wanted) == 0;
        if (is_it || (wanted == NULL && samples[i] > samples[most]))
            most = i;
        is_found |= is_it;
        count += samples[i] > 0;
    }
    for (uint32_t i = 0; i < programs->names.count; i++)
        if (samples[i] > 0 && (i != most || !is_found))
            name_list_add(&others, programs->names.strings[i]);
    programs->chosen = most;
    free(samples);
    if (!is_found)
        return problem(MSG_NO_PROGRAM_OF, path, wanted, others.text);
    if (count > 1 && wanted == NULL)
        note(reader->diagnostics, MSG_PROGRAM_CHOSEN, path, programs->names.strings[most],
             others.text);
    return true;
}

/* Counts the samples of each program.  False after a message.  */
static bool list_programs(struct perf_programs *programs, const struct foreign_reader *reader,
                          char *path)
{
    char *const arguments[] = {"perf", "script",       "-i", path, "--show-task-events",
                               "-F",   "comm,pid,tid", NULL};
    struct stream printed;
    const struct foreign_reader inner = {.stream = &printed};
    size_t length;
    char *line;
    bool ok = stream_open_program(&printed, path, arguments, tmpfile());
    while (ok && (line = stream_line(&printed, &length)) != NULL)
        ok = count_sample(programs, line) || foreign_bad_line(&inner, _(NO_SAMPLE_OF_PERF));
    ok = stream_close(&printed) && ok;
    end_count(programs);
    return ok && choose_program(programs, reader);
}

bool perf_data_recognise(const char *bytes, size_t size)
{
    return size >= 8 && (memcmp(bytes, "PERFILE2", 8) == 0 || memcmp(bytes, "2ELIFREP", 8) == 0);
}

/* Has perf print the file, since perf knows every version of it, unwinds its stacks, and finds the
   symbols.  */
bool perf_data_read(struct foreign_reader *reader)
{
    struct stream printed;
    const char *path = reader->stream->path;
    char *copy = mem_copy(path, strlen(path));
    char *const arguments[] = {
        "perf", "script", "-i", copy, "-F", "+pid", "--header", "--show-task-events", NULL};
    struct perf_programs programs = {.names = {0}};
    unsigned char start[8];
    bool is_packed =
        compression_of(start, file_start(path, start, sizeof start)) != COMPRESSION_NONE;
    bool ok = !foreign_is_pipe(path) || problem(MSG_PERF_FROM_PIPE, path);
    ok = ok && (!is_packed || problem(MSG_PERF_PACKED, path));
    ok = ok && list_programs(&programs, reader, copy);
    if (ok) {
        struct foreign_reader inner = *reader;
        inner.stream = &printed;
        builder_begin_input(reader->builder, &printed.size);
        ok = stream_open_program(&printed, path, arguments, NULL) &&
             perf_script_read_of(&inner, &programs);
        ok = stream_close(&printed) && ok;
    }
    string_map_free(&programs.names);
    pair_map_free(&programs.numbers);
    free(programs.runs);
    free(copy);
    return ok;
}
