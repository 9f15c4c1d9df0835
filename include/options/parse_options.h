/* parse_options.h - reads the command line, and says what is wrong with it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_PARSE_OPTIONS_H
#define REGPROF_OPTIONS_PARSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "options/options.h"

/* ---- Messages ---- */

/* Prints a message about an error that getopt_long found, with the options that may have been
   meant, and how to get help.  ID is `:' if an argument is missing.  OPTION is optopt: the letter;
   0 for a long name that is unknown or ambiguous; or the id of an option without argument that was
   given one.  WORD is the last word that getopt_long has read to its end: not the current word if
   more letters follow in it.  */
void option_error(int id, int option, const char *word);

/* Checks that no operand is a missing file that may be the argument of the option before it, as in
   `-p main': an optional argument must be attached.  WORDS is the command line, which ends with
   NULL; its elements include the COUNT OPERANDS.  False after a message.  */
bool check_operands(char *const *words, char *const *operands, size_t count);

/* ---- Parsing ---- */

enum options_status { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* Parses the command line, whose strings must outlive OPTIONS; whether the options fit together is
   checked when the plan is made.  OPTIONS_DONE: --help or --version
   has been printed on standard output.  OPTIONS_BAD: a message has been printed.  */
enum options_status parse_options(struct options *options, int argc, char **argv);
void free_options(struct options *options);

#endif
