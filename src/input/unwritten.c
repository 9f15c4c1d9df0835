/* unwritten.c - finds profiles that regmon has in memory and has not written.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/unwritten.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"

/* Whether FD is a file of this user that names a directory, and then PROGRAM; both end in NUL.
   IS_HERE becomes whether that is the current directory, in which `regmon --wait' waits.  */
static bool names_program(int fd, const char *program, bool *is_here)
{
    char text[2 * PATH_MAX], here[PATH_MAX];
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_uid != geteuid())
        return false;
    ssize_t got = read(fd, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    size_t directory = strlen(text) + 1;
    *is_here = getcwd(here, sizeof here) != NULL && strcmp(here, text) == 0;
    return got > (ssize_t)directory && strcmp(text + directory, program) == 0;
}

/* Whether regmon has counts of a process there, which are not written: in a file named by its
   number, or behind `kept-'.  */
static bool has_counts(const char *path)
{
    bool has_some = false;
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (!has_some && directory != NULL && (entry = readdir(directory)) != NULL)
        has_some = (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') ||
                   strncmp(entry->d_name, "kept-", strlen("kept-")) == 0;
    if (directory != NULL)
        closedir(directory);
    return has_some;
}

/* regmon keeps a file in each of its directories locked while it may still write.  */
static enum unwritten state_of(const char *directory, const char *program)
{
    char path[PATH_MAX];
    enum unwritten state = UNWRITTEN_NONE;
    if ((size_t)snprintf(path, sizeof path, "%s/collector", directory) >= sizeof path)
        return state;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return state;
    bool is_here;
    if (names_program(fd, program, &is_here) && has_counts(directory)) {
        if (flock(fd, LOCK_SH | LOCK_NB) == 0)
            state = UNWRITTEN_LEFT;
        else if (is_here)
            state = UNWRITTEN_RUNNING;
    }
    close(fd);
    return state;
}

static enum unwritten search(const char *place, const char *program)
{
    static const char start[] = "regmon-";
    enum unwritten found = UNWRITTEN_NONE;
    DIR *directory = place != NULL ? opendir(place) : NULL;
    const struct dirent *entry;
    while (found == UNWRITTEN_NONE && directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, start, strlen(start)) == 0 &&
            (size_t)snprintf(path, sizeof path, "%s/%s", place, entry->d_name) < sizeof path)
            found = state_of(path, program);
    }
    if (directory != NULL)
        closedir(directory);
    return found;
}

enum unwritten unwritten_profile(const char *path)
{
    const char *const places[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
    char *program = realpath(path, NULL);
    enum unwritten found = UNWRITTEN_NONE;
    for (size_t i = 0; program != NULL && i < ARRAY_LENGTH(places) && found == UNWRITTEN_NONE; i++)
        found = search(places[i], program);
    free(program);
    return found;
}
