/* gone_callees.h - finds what functions may have taken over: callees that run no more.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_GONE_CALLEES_H
#define REGPROF_COMPARE_GONE_CALLEES_H

#include "compare/pairing.h"

/* Names, in the rows whose own time grew, the callees that they had before and that ran nowhere
   after, with the time of these: an inlined function is such a callee.  So are the callees of such
   a callee.  The rows are those of PAIRING.  */
void gone_callees_find(struct comparison *comparison, const struct pairing *pairing);

#endif
