/* capture.h - what a library says on standard error by itself, caught before the user sees it.  */

#ifndef REGPROF_CAPTURE_H
#define REGPROF_CAPTURE_H

#include "base.h"

struct capture {
    int saved;  /* standard error; -1 when nothing is caught */
    int source; /* what was said can be read here */
};

/* Catches what is written to standard error from here on.  Where that cannot be done it is not
   caught.  */
void capture_begin(struct capture *capture);

/* Lets everything through again, and puts the first line that was caught into the SIZE bytes at
   LINE, empty if there was none.  errno stays what it was.  */
void capture_end(struct capture *capture, char *line, size_t size);

#endif
