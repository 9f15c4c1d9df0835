/* A library that is preloaded beside libregmon: it says which function is called, and calls the
 * next. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static void *note(const char *name)
{
    write(1, "wrapped ", 8);
    write(1, name, strlen(name));
    write(1, "\n", 1);
    return dlsym(RTLD_NEXT, name);
}

int execve(const char *file, char *const words[], char *const environment[])
{
    int (*next)(const char *, char *const *, char *const *) = note("execve");

    return next(file, words, environment);
}

int execv(const char *file, char *const words[])
{
    int (*next)(const char *, char *const *) = note("execv");

    return next(file, words);
}

int execvp(const char *file, char *const words[])
{
    int (*next)(const char *, char *const *) = note("execvp");

    return next(file, words);
}

int execvpe(const char *file, char *const words[], char *const environment[])
{
    int (*next)(const char *, char *const *, char *const *) = note("execvpe");

    return next(file, words, environment);
}
