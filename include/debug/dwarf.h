/* dwarf.h - DWARF debug information of linked ELF files, by libdw.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_DEBUG_DWARF_H
#define REGPROF_DEBUG_DWARF_H

#include "debug/debug_image.h"

#ifdef HAVE_LIBDW
extern const struct debug_reader dwarf_reader;

/* What INFO, which the reader opened, has done so far; for tests (dwarf_unit.h).  */
struct dwarf_work dwarf_work_done(const void *info);
#endif

#endif
