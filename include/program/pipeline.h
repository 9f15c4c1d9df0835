/* pipeline.h - the stages of a run, each over the profile the one before left.  Between symbols and
   results the profiles are read: program/read_profiles.h.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PIPELINE_H
#define REGPROF_PROGRAM_PIPELINE_H

#include <stdbool.h>

#include "input/image.h"
#include "program/options.h"

/* Symbols and filters.  False after a message.  */
bool pipeline_symbols(struct profile *profile, struct image *image, const struct options *options);

/* Times, graph and views, unless nothing of the set KINDS, nor a trace, is about them.  */
void pipeline_analyse(struct profile *profile, const struct image *image,
                      const struct options *options, unsigned kinds);

/* Names and source positions for the reports of the set KINDS.  */
void pipeline_name(struct profile *profile, struct image *image, const struct options *options,
                   unsigned kinds);

/* Writes the annotated sources, each to a file of its own (-y).  False after a message.  */
bool pipeline_write_sources(const struct profile *profile, const struct style *style);

#endif
