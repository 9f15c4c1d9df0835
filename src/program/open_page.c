/* open_page.c - shows a page in the user's browser.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/open_page.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

char *page_create(void)
{
    static const char name[] = "/gprof-XXXXXX.html";
    const char *directory = getenv("TMPDIR");
    if (directory == NULL || directory[0] == '\0')
        directory = "/tmp";
    size_t size = strlen(directory);
    char *path = mem_uninitialised(size + sizeof name, 1);
    memcpy(path, directory, size);
    memcpy(path + size, name, sizeof name);
    int fd = mkstemps(path, (int)strlen(".html"));
    if (fd >= 0) {
        close(fd);
        return path;
    }
    problem(MSG_CANNOT_WRITE, path, strerror(errno));
    free(path);
    return NULL;
}

bool page_open(const char *path)
{
    const char *browser = getenv("BROWSER");
    bool is_named = browser != NULL && browser[0] != '\0';
    /* Tries a list of commands, separated by colons, in which `%s' is the path, or else last.  */
    static const char script[] =
        "IFS=:; set -f; for command in $BROWSER; do unset IFS; "
        "case $command in *%s*) before=${command%%%s*} after=${command#*%s} ;; "
        "*) before=\"$command \" after= ;; esac; "
        "$before\"$1\"$after && exit; done; exit 1";
    char *const by_shell[] = {"sh", "-c", (char *)script, "sh", (char *)path, NULL};
    char *const by_desktop[] = {"xdg-open", (char *)path, NULL};
    char *const *arguments = is_named ? by_shell : by_desktop;
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 || problem(MSG_NO_BROWSER, path, strerror(error));
}
