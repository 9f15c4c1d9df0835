/* natural.h - the natural order of names: numbers in them compare by value.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_NATURAL_H
#define REGPROF_BASE_NATURAL_H

/* Compares names like strcmp, except that runs of decimal digits compare by their value, of any
   size: r.2 comes before r.10.  Names that differ only in leading zeros are in the order of strcmp,
   so only equal names compare equal.  */
int compare_natural(const char *a, const char *b);

#endif
