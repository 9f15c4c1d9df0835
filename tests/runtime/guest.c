/* guest HOW [NUMBER]: what a program sees of the process that it runs in.  HOW:
     state     prints what it has inherited, and what its descriptors are
     listen    prints each signal that it gets, until SIGRTMAX
     line      prints a line, and ends by status 5 after it has read one
     die N     ends by signal N
     suspend N stops itself by signal N, then ends by status 7
     both N    sends signal N to its process group, then listens
     parent N  sends signal N to its parent, then listens */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static void print_status(void)
{
    char line[4096];
    FILE *file = fopen("/proc/self/status", "r");

    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6) ||
            !strncmp(line, "SigCgt", 6))
            fputs(line, stdout);
    if (file)
        fclose(file);
}

static void print_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    char path[300], target[300];
    struct dirent *entry;
    ssize_t size;

    while (directory && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(directory))
            continue;
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        size = readlink(path, target, sizeof target - 1);
        printf("descriptor %s %.*s\n", entry->d_name, (int)(size < 0 ? 0 : size), target);
    }
    if (directory)
        closedir(directory);
}

static int state(void)
{
    struct itimerval timer;
    int death = 0;

    print_status();
    print_descriptors();
    prctl(PR_GET_PDEATHSIG, &death);
    printf("death signal %d\n", death);
    for (int i = 0; i < 3; i++) {
        getitimer(i, &timer);
        printf("timer %d %d\n", i, timer.it_value.tv_sec > 0 || timer.it_value.tv_usec > 0);
    }
    for (char **variable = environ; *variable; variable++)
        if (!strncmp(*variable, "a.b=", 4) || !strncmp(*variable, "BASH_FUNC_", 10))
            printf("variable %s\n", *variable);
    printf("process %d %d %d\n", (int)getpid(), (int)getppid(), getpgrp() == getpgid(getppid()));
    return 0;
}

static int listen_to_all(int to, int number)
{
    siginfo_t info;
    sigset_t all;
    int got;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (number)
        kill(to, number);
    puts("ready");
    fflush(stdout);
    for (;;) {
        got = sigwaitinfo(&all, &info);
        if (got < 0)
            continue;
        printf("%d %d\n", got, info.si_code == SI_QUEUE ? info.si_value.sival_int : 0);
        fflush(stdout);
        if (got == SIGRTMAX)
            return 0;
    }
}

static int line(void)
{
    puts("ready");
    fflush(stdout);
    return getchar() == EOF ? 4 : 5;
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    const int number = count > 2 ? atoi(words[2]) : 0;

    if (!strcmp(how, "state"))
        return state();
    if (!strcmp(how, "listen"))
        return listen_to_all(0, 0);
    if (!strcmp(how, "both"))
        return listen_to_all(0, number);
    if (!strcmp(how, "parent"))
        return listen_to_all(getppid(), number);
    if (!strcmp(how, "line"))
        return line();
    puts(how);
    fflush(stdout);
    kill(getpid(), number);
    return !strcmp(how, "suspend") ? 7 : 6;
}
