/* debug_dw.h - DWARF debug information of linked ELF files, by libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DEBUG_DW_H
#define REGPROF_INPUT_DEBUG_DW_H

#include "input/debug_dw_work.h"
#include "input/debug_info.h"

#ifdef HAVE_LIBDW
extern const struct debug_info_ops debug_dw;

/* What it has done so far; for tests.  */
struct dw_work debug_dw_work(const void *info);
#endif

#endif
