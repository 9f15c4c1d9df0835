/* places.h - which of an image's symbols are in its text, by address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_PLACES_H
#define REGPROF_INPUT_PLACES_H

#include "model/model.h"

struct place {
    vma addr;
    uint32_t number; /* of the symbol, in the image's table */
};

/* Zeroed = none.  Free `places' with free.  */
struct places {
    struct place *places;
    size_t count, capacity;
    size_t last; /* what was found last: addresses are asked for in ascending order mostly */
};

/* Not after `places_sort'.  */
void places_add(struct places *places, vma addr, uint32_t number);

/* By address, those at one address in the order they were added in; linear.  */
void places_sort(struct places *places);

/* How many begin at or before ADDR.  */
size_t places_upto(struct places *places, vma addr);

#endif
