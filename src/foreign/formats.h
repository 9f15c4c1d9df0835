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

/* Sets what weights are, as the first file says.  False after a message if this one says otherwise.
 */
bool foreign_set_event(const struct foreign_reader *reader, const char *event);

/* Whether a file that begins with the SIZE bytes at BYTES, followed by a NUL, is of the format.  */
bool folded_recognise(const char *bytes, size_t size);
bool perf_script_recognise(const char *bytes, size_t size);
bool perf_data_recognise(const char *bytes, size_t size);
bool pprof_recognise(const char *bytes, size_t size);

/* Adds the samples of a file to the builder.  False after a message.  */
bool folded_read(struct foreign_reader *reader);
bool perf_script_read(struct foreign_reader *reader);
bool perf_data_read(struct foreign_reader *reader);
bool pprof_read(struct foreign_reader *reader);

#endif
