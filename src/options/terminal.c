/* terminal.c - whether standard output is a terminal, and how wide it is.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "options/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool is_terminal(void)
{
    return isatty(STDOUT_FILENO) != 0;
}

unsigned terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0};
    if (!is_terminal())
        return 0;
    long width = columns != NULL ? strtol(columns, NULL, 10) : 0;
    if (width > 0)
        return width < INT_MAX ? (unsigned)width : INT_MAX;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
