/* debug_dw_work.h - counts what the reader of DWARF does, for its tests.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_DEBUG_DW_WORK_H
#define REGPROF_INPUT_DEBUG_DW_WORK_H

#include <stddef.h>

/* How often something was done that takes long, and that is kept so that it is done once for each
   unit of compilation, file or symbol table.  Nothing else
   shows whether it is.  */
struct dw_work {
    size_t units;          /* all of them */
    size_t line_tables;    /* read */
    size_t function_lists; /* read */
    size_t symbol_tables;  /* read */
    size_t paths;          /* made of the names in line tables */
    size_t searches;       /* for rows of a line table, other than the last found and the next */
    size_t claims;         /* of all code that lines cover, beyond what units state */
};

#endif
