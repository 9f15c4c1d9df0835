/* perf_script.h - reads what `perf script' prints, of one program of a recording.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_PERF_SCRIPT_H
#define REGPROF_FOREIGN_PERF_SCRIPT_H

#include <stdbool.h>

#include "foreign/formats.h"

struct perf_programs;

/* Reads what perf prints, of the one of PROGRAMS that was chosen; NULL: of all.  False after a
   message.  */
bool perf_script_read_of(struct foreign_reader *reader, struct perf_programs *programs);

#endif
