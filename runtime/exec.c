/* exec.c - before another program takes the place of this one, its profile is written, unless the
   collector does that. SPDX-License-Identifier: MIT

   Then the next function of the same name does the rest: the C library's, or that of another
   library that is preloaded.  A static program has none, and gets the same by the kernel's own
   call. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "actions.h"
#include "clock.h"
#include "export.h"
#include "process.h"
#include "snapshot.h"
#include "state.h"
#include "sys.h"
#include "text.h"

#define FILE_BYTES (4096 + 256)
#define USUAL_PATH "/bin:/usr/bin"

/* ---- The kernel's call ---- */

/* Returns a negative error number, if at all. */
static long exec_file(const char *file, char *const *arguments, char *const *environment)
{
    return SYS3(__NR_execve, file, arguments, environment);
}

/* ---- By name, along PATH ---- */

static size_t count_arguments(char *const *arguments)
{
    size_t count = 0;

    while (arguments[count])
        count++;
    return count;
}

/* A file that is no program is a script of the shell. */
static long exec_or_script(const char *file, char *const *arguments, char *const *environment)
{
    const long error = exec_file(file, arguments, environment);

    if (error == -ENOEXEC) {
        const size_t count = count_arguments(arguments);
        const char *shell[count + 3];
        size_t n = 0;

        shell[n++] = "/bin/sh";
        shell[n++] = file;
        for (size_t i = 1; i < count; i++)
            shell[n++] = arguments[i];
        shell[n] = NULL;
        return exec_file("/bin/sh", (char *const *)shell, environment);
    }
    return error;
}

/* Whether the file may be in another directory. */
static bool goes_on_after(long error)
{
    return error == -ENOENT || error == -ENOTDIR || error == -EACCES || error == -ESTALE ||
           error == -ENODEV || error == -ETIMEDOUT;
}

static long exec_along(const char *path, const char *file, char *const *arguments,
                       char *const *environment)
{
    char memory[FILE_BYTES];
    long error = -ENOENT;
    bool is_denied = false;

    for (;; path++) {
        struct text name = text_in(memory, sizeof memory);

        for (; *path && *path != ':'; path++)
            text_add_bytes(&name, path, 1);
        if (name.used)
            text_add(&name, "/");
        text_add(&name, file);
        if (text_is_whole(&name)) {
            error = exec_or_script(memory, arguments, environment);
            if (!goes_on_after(error))
                return error;
            is_denied = is_denied || error == -EACCES;
        }
        if (!*path)
            return is_denied ? -EACCES : error;
    }
}

static long exec_search(const char *file, char *const *arguments, char *const *environment)
{
    const char *path = text_variable(environ, "PATH=");

    if (!*file)
        return -ENOENT;
    for (const char *at = file; *at; at++)
        if (*at == '/')
            return exec_or_script(file, arguments, environment);
    return exec_along(path ? path : USUAL_PATH, file, arguments, environment);
}

/* ---- The functions of the C library ---- */

/* Writes the profile, unless the collector does, which has to know why the program ends; and stops
   a clock that would go on.  Returns whether the process is profiled. */
static bool begin_exec(void)
{
    const bool is_profiled = process_has_begun();

    if (is_profiled) {
        regmon_process.pool.header->is_replaced = regmon_process.pool.is_file;
        (void)snapshot_write(SNAPSHOT_OF_END);
        clock_pause();
    }
    actions_before_exec();
    return is_profiled;
}

/* It has failed: RESULT is -1. */
static int end_exec(bool is_profiled, int result)
{
    actions_after_exec();
    if (is_profiled) {
        clock_resume();
        regmon_process.pool.header->is_replaced = 0;
    }
    return result;
}

/* Returns what the next function of the name does with the arguments, or else what is OWN. */
#define EXEC(name, own, ...)                                                                       \
    const bool is_profiled = begin_exec();                                                         \
    return end_exec(is_profiled, regmon_state.next.name ? regmon_state.next.name(__VA_ARGS__)      \
                                                        : (int)sys_result(own))

REGMON_EXPORT int execve(const char *file, char *const arguments[], char *const environment[])
{
    EXEC(execve, exec_file(file, arguments, environment), file, arguments, environment);
}

REGMON_EXPORT int execv(const char *file, char *const arguments[])
{
    EXEC(execv, exec_file(file, arguments, environ), file, arguments);
}

/* Weak, because some C libraries need their own of these two in a static program. */
REGMON_EXPORT __attribute__((weak)) int execvpe(const char *file, char *const arguments[],
                                                char *const environment[])
{
    EXEC(execvpe, exec_search(file, arguments, environment), file, arguments, environment);
}

static int exec_by_name(const char *file, char *const *arguments)
{
    EXEC(execvp, exec_search(file, arguments, environ), file, arguments);
}

REGMON_EXPORT __attribute__((weak)) int execvp(const char *file, char *const arguments[])
{
    return exec_by_name(file, arguments);
}

REGMON_EXPORT int execveat(int dir, const char *file, char *const arguments[],
                           char *const environment[], int flags)
{
    EXEC(execveat, SYS5(__NR_execveat, dir, file, arguments, environment, flags), dir, file,
         arguments, environment, flags);
}

REGMON_EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
    EXEC(fexecve, SYS5(__NR_execveat, fd, "", arguments, environment, AT_EMPTY_PATH), fd, arguments,
         environment);
}

/* A list of arguments, in a struct so that a function can go on where another one has stopped. */
struct list {
    va_list at;
};

/* Arguments of the program with the first one and the NULL. */
static size_t count_list(struct list *list)
{
    size_t count = 2;

    while (va_arg(list->at, char *))
        count++;
    return count;
}

static void copy_list(char **to, const char *first, struct list *list)
{
    *to = (char *)(uintptr_t)first;
    while (*to)
        *++to = va_arg(list->at, char *);
}

/* Declares `arguments' with all of them, and leaves `list' behind their NULL. */
#define TAKE_ARGUMENTS(first)                                                                      \
    struct list list;                                                                              \
    size_t count;                                                                                  \
    va_start(list.at, first);                                                                      \
    count = count_list(&list);                                                                     \
    va_end(list.at);                                                                               \
    char *arguments[count];                                                                        \
    va_start(list.at, first);                                                                      \
    copy_list(arguments, first, &list)

REGMON_EXPORT int execl(const char *file, const char *first, ...)
{
    TAKE_ARGUMENTS(first);

    va_end(list.at);
    return execv(file, arguments);
}

REGMON_EXPORT int execlp(const char *file, const char *first, ...)
{
    TAKE_ARGUMENTS(first);

    va_end(list.at);
    return exec_by_name(file, arguments);
}

REGMON_EXPORT int execle(const char *file, const char *first, ...)
{
    char *const *environment;
    TAKE_ARGUMENTS(first);

    environment = va_arg(list.at, char *const *);
    va_end(list.at);
    return execve(file, arguments, environment);
}
