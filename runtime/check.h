/* check.h - finds the library and the program, and says what cannot be done with them.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_CHECK_H
#define REGMON_CHECK_H

#include <stdbool.h>

struct found_program {
    char *path;         /* what is executed */
    bool is_executable; /* an executable of this machine, not a script */
};

/* The path of libregmon.so, for LD_PRELOAD.  Ends regmon after a message if there is none. */
char *check_library(void);

/* The file that NAME stands for.  Ends regmon after a message if it is not there, cannot be
   executed, or can have no profile because of what it is.  LIBRARY: as check_library returns it. */
struct found_program check_program(const char *name, const char *library);

/* Says if the directory of profiles whose names begin with PREFIX (empty: gmon.out) cannot be
   written.  The program runs all the same, with its own status. */
void check_directory(const char *prefix);

/* Whether a file can be executed. */
bool check_is_executable(const char *path);

#endif
