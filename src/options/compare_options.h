/* compare_options.h - the options that compare profiles and judge the comparison.

   Each action applies one of them, as option_rows.h says.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_COMPARE_OPTIONS_H
#define REGPROF_OPTIONS_COMPARE_OPTIONS_H

#include "options/options.h"

struct option_row;

bool compare_set_base(struct options *options, const struct option_row *row, const char *argument);
bool compare_add_profile(struct options *options, const struct option_row *row,
                         const char *argument);
bool compare_set_runs(struct options *options, const struct option_row *row, const char *argument);
bool compare_fail_above(struct options *options, const struct option_row *row,
                        const char *argument);
bool compare_fail_calls(struct options *options, const struct option_row *row,
                        const char *argument);
bool compare_set_scope(struct options *options, const struct option_row *row, const char *argument);
bool compare_fail_blind(struct options *options, const struct option_row *row,
                        const char *argument);
bool compare_set_alpha(struct options *options, const struct option_row *row, const char *argument);
bool compare_add_allowed(struct options *options, const struct option_row *row,
                         const char *argument);

/* Makes the comparison the report, and checks that these options fit each other and the rest.
   False after a message.  */
bool compare_apply(struct options *options);

void compare_options_free(struct compare_options *compare);

#endif
