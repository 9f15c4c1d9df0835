/* dwarf_rows.h - where a line table can change its answer, by the debug information itself.

   libbfd answers for one address and does not list its rows; this does, where libdw is there.  What
   the answers are is libbfd's business alone.  */

#ifndef REGPROF_DWARF_ROWS_H
#define REGPROF_DWARF_ROWS_H

#include "model.h"

struct vma_list {
    vma *addrs;
    size_t count, room;
};
void vma_list_add(struct vma_list *list, vma addr);

/* Adds to LIST the address of every row of the line tables of the file at PATH, and where its
   units, functions and inlined functions start and end.  False, and LIST as it was, if the file has
   no debug information that could be read, or the program was built without libdw.  */
bool dwarf_rows(const char *path, struct vma_list *list);

#endif
