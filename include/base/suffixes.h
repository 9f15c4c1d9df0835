/* suffixes.h - what compilers append to names of functions: `f.isra.0', `f() [clone .cold]'.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_SUFFIXES_H
#define REGPROF_BASE_SUFFIXES_H

#include <stddef.h>

/* The length of the name of the function that NAME, raw or demangled, is a copy of, or of NAME
   itself.  */
size_t name_original_length(const char *name);

/* The length of NAME without all such suffixes, also of what is no copy: `f.lto_priv.0'.  */
size_t name_plain_length(const char *name);

#endif
