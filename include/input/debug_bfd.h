/* debug_bfd.h - debug information by libbfd, in all forms it knows.  It reads all of it for the
   first answer, and where the answers change is found by asking for every address.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DEBUG_BFD_H
#define REGPROF_INPUT_DEBUG_BFD_H

#include "input/debug_info.h"

extern const struct debug_info_ops debug_bfd;

#endif
