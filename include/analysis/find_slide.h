/* find_slide.h - finds by how much all addresses of a profile are shifted.

   Where the loader moves programs, or a program is linked to another place than it runs at, the
   addresses in a profile differ from those of the executable by one number, its slide.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_FIND_SLIDE_H
#define REGPROF_ANALYSIS_FIND_SLIDE_H

#include "analysis/callscan.h"
#include "model/model.h"

/* What is known of the executable.  */
struct slide_image {
    const struct text_ranges *text;
    const struct code *codes; /* by range of the text */
    const vma *entries;       /* of functions, ascending */
    size_t entry_count;
};

/* What is known of the profile.  */
struct slide_evidence {
    const vma *callees; /* ascending */
    size_t callee_count;
    const struct slide_arc {
        vma from, self; /* from: not 0 */
    } * arcs;
    size_t arc_count;
    const struct text_range *histograms;
    size_t histogram_count;
};

/* Finds the number that has been added to all addresses: false if there is none, more than one is
   possible, or too little is known.

   A callee is the first address of a function or the return address of its call of mcount.  So
   each difference between one of a few callees and all these places is tried, and is kept if the
   other callees are at such places, too: all but 5 %, or all of less than 8, whose histograms must
   then cover the text.  It is accepted if a histogram then begins where the text or a page does, an
   eighth of the arcs is made by calls that are in the code (half, for less than 8 callees; others
   are indirect), and no other difference is (to 15 %), except for one nearby that is less aligned.
   For a processor whose calls are not known, there have to be 32 callees, and only multiples of
   4096 count.  */
bool slide_find(const struct slide_image *image, const struct slide_evidence *evidence, vma *slide);

#endif
