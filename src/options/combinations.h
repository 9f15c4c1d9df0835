/* combinations.h - which options go together.

   An option has groups (option_rows.h).  What a report or a format takes and excludes is a row in
   combinations.c.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_COMBINATIONS_H
#define REGPROF_OPTIONS_COMBINATIONS_H

#include "options/options.h"

/* What the options say and imply.  */
struct facts {
    uint64_t has;                       /* or-ed groups */
    const struct export_format *format; /* of the output; NULL: text */
};

/* UNUSED: groups that say nothing here.  */
struct facts facts_of(const struct options *options, uint64_t unused);

enum { GROUP_NAME_SIZE = 200 };

/* Writes into TEXT, of GROUP_NAME_SIZE bytes, the option that gave one of GROUPS.  */
void combinations_name(const struct facts *facts, const struct options *options, uint64_t groups,
                       char *text);

/* Whether a rule keeps what FACTS say from being combined with --stacks, which is not among them.
   Then TEXT gets the name of the option that does.  */
bool combinations_forbid_stacks(const struct facts *facts, const struct options *options,
                                char *text);

/* False after a message if FACTS, made of OPTIONS, do not go together.  */
bool combinations_check(const struct facts *facts, const struct options *options);

#endif
