/* parse_options.h - reads the command line, and says what is wrong with it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_PARSE_OPTIONS_H
#define REGPROF_OPTIONS_PARSE_OPTIONS_H

#include "options/options.h"

enum options_status { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* Parses the command line, whose strings must outlive OPTIONS; whether the options fit together is
   checked when the plan is made.  OPTIONS_DONE: --help or
   --version has been printed on standard output.  OPTIONS_BAD: a message has been printed.  */
enum options_status parse_options(struct options *options, int argc, char **argv);
void free_options(struct options *options);

#endif
