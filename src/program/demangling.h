/* demangling.h - demangles names as the image and the options say.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_DEMANGLING_H
#define REGPROF_PROGRAM_DEMANGLING_H

#include "analysis/symbolize.h"
#include "input/image.h"

/* The context of a demangler.  */
struct demangling {
    const struct image *image;
    int style; /* see image_find_demangling_style */
};

/* The demangler refers to DEMANGLING.  */
struct demangler demangler_of(const struct demangling *demangling);

#endif
