/* parse_options.h - reads the command line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PARSE_OPTIONS_H
#define REGPROF_PROGRAM_PARSE_OPTIONS_H

#include "program/options.h"

enum options_status { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* Reads the command line.  OPTIONS_DONE: --help or --version has been printed on standard output.
   OPTIONS_BAD: a message says what is wrong.  */
enum options_status parse_options(struct options *options, int argc, char **argv);
void free_options(struct options *options);

/* The reports to print, once it is known what the profiles hold: those asked for; if none, flat
   profile and call graph where there is data for them, else execution counts, without any that was
   named. */
unsigned choose_reports(const struct options *options, const struct profile *profile);

#endif
