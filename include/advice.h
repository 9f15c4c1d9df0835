/* advice.h - why a report looks empty, and what can be done about it.  */

#ifndef REGPROF_ADVICE_H
#define REGPROF_ADVICE_H

#include "image.h"
#include "options.h"

/* Warns of what leaves the reports of the set KINDS (or-ed report_kind) without what their reader
   hopes for: no samples, or many outside of all functions, no calls, no lines; options that leave
   nothing.  PROFILE is analysed and its annotated sources are read.  */
void advice_give(const struct profile *profile, const struct image *image,
                 const struct options *options, unsigned kinds);

#endif
