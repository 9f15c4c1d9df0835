/* formats.h - the formats of other profilers.  To add one: a file with a reader, and a row in
   foreign.c.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_FORMATS_H
#define REGPROF_FOREIGN_FORMATS_H

#include "foreign/builder.h"
#include "foreign/stream.h"
#include "model/foreign.h"

/* What a reader gets.  */
struct foreign_reader {
    struct stream *stream;
    struct foreign_builder *builder;
    const struct foreign_rules *rules;
    struct diagnostics *diagnostics;
};

/* Names a reader's input, the line that was read last, and what is wrong with it.  False.  */
bool foreign_bad_line(const struct foreign_reader *reader, const char *reason);

/* Whether there is still room for stacks.  False after a message.  */
bool foreign_has_room(const struct foreign_reader *reader);

/* Removes the numbers of processes, which differ in every run, from NAME if it is that of code made
   at run time, `perf-4711.map', or of a stack, `[stack:4711]'.  */
void foreign_drop_process(char *name);

/* The name of the object at PATH, which is changed: its base name, as builds are in many
   directories; one for all of the kernel; without numbers of processes.  NULL if it is
   not known.  */
const char *foreign_object_name(char *path);

/* Whether PATH is a stream that can be opened only once.  */
bool foreign_is_pipe(const char *path);

/* The label in RULES; NULL: all samples are read.  */
const char *foreign_label(const struct foreign_rules *rules);

/* Whether a sample that has the label KEY with the VALUE is to be read for it.  */
bool foreign_is_label(const struct foreign_reader *reader, const char *key, const char *value);

/* Sets what weights are, how inclusive times are known, and how weights came about, as the first
   file says.  False after a message if this one says otherwise.  With modifiers, the EVENT is a
   value, too: `cycles:u' is in cycles.  */
bool foreign_set_kind(const struct foreign_reader *reader, const char *event,
                      enum foreign_times times, enum figures figures);

/* Sets which of several values in the unit of weights they are.  False after a message if the files
   before this one have another.  */
bool foreign_set_value(const struct foreign_reader *reader, const char *value);

/* Sets what weights are, of sampled stacks.  False after a message if the first file says
   otherwise.  */
bool foreign_set_event(const struct foreign_reader *reader, const char *event);

/* The place that the symbols of its file name ADDRESS; NO_ID if they do not.  False after a
   message.  */
bool foreign_name_address(const struct foreign_reader *reader, const struct code_address *address,
                          uint32_t *place);

/* Whether the file at PATH, which may be deleted by now, is called like the executable in front of
   the profiles.  */
bool foreign_is_of_image(const struct foreign_reader *reader, const char *path);

/* Warns that the executable in front of the profiles, if there is one, is not called like PATH, the
   program's.  */
void foreign_warn_of_image(const struct foreign_reader *reader, const char *path);

/* Whether a file that begins with the SIZE bytes at BYTES, followed by a NUL, is of the format.  */
bool folded_recognise(const char *bytes, size_t size);
bool perf_script_recognise(const char *bytes, size_t size);
bool perf_data_recognise(const char *bytes, size_t size);
bool gperftools_recognise(const char *bytes, size_t size);
bool pprof_recognise(const char *bytes, size_t size);
bool callgrind_recognise(const char *bytes, size_t size);
bool own_json_recognise(const char *bytes, size_t size);
bool speedscope_recognise(const char *bytes, size_t size);
bool cpuprofile_recognise(const char *bytes, size_t size);

/* Adds the samples of a file to the builder.  False after a message.  */
bool folded_read(struct foreign_reader *reader);
bool perf_script_read(struct foreign_reader *reader);
bool perf_data_read(struct foreign_reader *reader);
bool gperftools_read(struct foreign_reader *reader);
bool pprof_read(struct foreign_reader *reader);
bool callgrind_read(struct foreign_reader *reader);
bool own_json_read(struct foreign_reader *reader);
bool speedscope_read(struct foreign_reader *reader);
bool cpuprofile_read(struct foreign_reader *reader);

#endif
