/* message.c - messages of the library in the program's process.
   SPDX-License-Identifier: MIT */
#include <sys/stat.h>

#include "state.h"
#include "sys.h"
#include "text.h"

/* Standard error has the type, device and inode of a file; all are 0 if it is closed. */
static struct file_id standard_error(void)
{
    struct stat status;

    clear_bytes(&status, sizeof status);
    if (SYS2(__NR_fstat, 2, &status) != 0)
        clear_bytes(&status, sizeof status);
    return (struct file_id){status.st_mode & S_IFMT, status.st_dev, status.st_ino};
}

void message_prepare(void)
{
    regmon_state.errors = standard_error();
}

/* A program may have closed it, and opened a file of its own that has got the number. */
static bool has_standard_error(void)
{
    const struct file_id now = standard_error(), then = regmon_state.errors;

    return now.type && now.type == then.type && now.device == then.device &&
           now.inode == then.inode;
}

void message(const char *what, const char *name, long error)
{
    char memory[MESSAGE_BYTES];
    struct text line = text_in(memory, sizeof memory - 1);
    struct sys_quiet quiet;

    message_text(&line, what, name, error);
    memory[line.used] = '\n';
    if (!has_standard_error())
        return;
    sys_quiet_begin(&quiet);
    (void)sys_write(2, memory, line.used + 1);
    sys_quiet_end(&quiet);
}
