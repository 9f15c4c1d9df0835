/* debug_bfd.h - debug information by libbfd, in all forms it knows.  libbfd reads all of it for the
   first answer; to find where answers change, this reader asks for every address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_DEBUG_BFD_H
#define REGPROF_DEBUG_DEBUG_BFD_H

#include "debug/debug_image.h"

extern const struct debug_reader debug_bfd;

#endif
