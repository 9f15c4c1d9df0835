/* memory_limit.h - limits the memory that a library allocates for one file.

   A damaged file can make libbfd's line reader allocate a thousand times the size of the file.  If
   malloc returned NULL then, the reader would often free memory twice.  So longjmp leaves the call
   that would pass the limit.  The memory that the call allocated is lost, and the object that it
   worked on must neither be used for such a call again nor be freed.

   There is no limit where the linker cannot redirect allocations to base/memory_limit.c, and none
   for shared libraries.

       if (MEMORY_LIMIT_PASSED(&limit))
           return false;
       ... a call of the library
       memory_limit_end();  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MEMORY_LIMIT_H
#define REGPROF_BASE_MEMORY_LIMIT_H

#include <setjmp.h>
#include <stdint.h>

struct memory_limit {
    uint64_t left; /* bytes that may still be allocated; freeing does not add to them */
    jmp_buf exit;
};

/* Sets LIMIT for a file of SIZE bytes.  Each file that is opened between begin and end raises the
   limit, because the debug information may be in another file.  */
void memory_limit_set(struct memory_limit *limit, uint64_t size);

/* Counts allocations until `memory_limit_end'; false.  If they pass LIMIT, control returns here
   with true, and counting has ended.  The rules of setjmp apply: the calling function must not
   return before the end, and its local variables that have changed since are undefined.  */
#define MEMORY_LIMIT_PASSED(limit) (setjmp(*memory_limit_begin(limit)) != 0)
jmp_buf *memory_limit_begin(struct memory_limit *limit); /* for MEMORY_LIMIT_PASSED alone */
void memory_limit_end(void);

#endif
