/* compare_table.h - a comparison as a table.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_COMPARE_TABLE_H
#define REGPROF_COMPARE_COMPARE_TABLE_H

#include "model/comparison.h"
#include "model/style.h"

/* Makes the table of COMPARISON: LIMIT functions of each kind (0: all) and the total, in the style
   NAMES.  If IS_FOR_PEOPLE, leaves out columns that say nothing in these rows.  */
void compare_table(struct comparison *comparison, size_t limit, bool is_for_people,
                   enum name_style names);

#endif
