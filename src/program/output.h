/* output.h - prints what a mode has computed, in its format and where the options say.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_OUTPUT_H
#define REGPROF_PROGRAM_OUTPUT_H

#include <sys/stat.h>

#include "model/comparison.h"
#include "program/request.h"
#include "report/printers.h"

/* What to print; what `reports' and the format do not show may be NULL.  */
struct output {
    unsigned reports; /* or-ed report_kind */
    const struct profile *profile;
    const struct annotation *sources; /* those that were read, or NULL */
    struct report_tables tables;
    const struct snapshot *snapshot;     /* as the format shows it */
    const struct comparison *comparison; /* NULL: the others are printed */
    const struct profile_list *base;     /* the profiles of a comparison's base, or NULL */
};

/* Whether the file at PATH, under whatever name, is none that was read for REQUEST: as a profile
   (not if it is to be a SUM, which may replace its profiles), of BASE or not; beside one; as a
   source of ANNOTATION; as an executable, or as what another option names.  PATH, ANNOTATION and
   BASE may be NULL.  False after a message.  */
bool output_spares_inputs(const char *path, bool is_sum, const struct request *request,
                          const struct annotation *annotation, const struct profile_list *base);

/* Whether the file of STATUS, which has the name of the sum's stacks, was read for REQUEST: as
   stacks of another profile, or because an option names it.  */
bool output_stacks_are_input(const struct stat *status, const struct request *request);

/* Prints OUTPUT on the stream of REQUEST or into the file of -o, which is complete or unchanged,
   and replaces nothing that was read.  False after a message.  */
bool output_print(const struct request *request, const struct output *output);

/* Writes each annotated source to a file of its own (-y).  False after a message.  */
bool output_write_sources(const struct plan *plan, const struct profile *profile);

#endif
