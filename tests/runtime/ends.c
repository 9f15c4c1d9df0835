/* ends HOW [NUMBER]: calls leaf 1,000 times and ends in the named way; with children, they call it
   77 times, and the parent once more. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void call(int n)
{
    while (n-- > 0)
        leaf(n);
}

static void *call_five(void *result)
{
    usleep(20000);
    call(5);
    return result;
}

__attribute__((noinline)) static int overflow(volatile char *last)
{
    volatile char frame[4096];

    frame[0] = *last;
    return overflow(frame) + frame[0];
}

static void *overflow_thread(void *last)
{
    overflow(last);
    return NULL;
}

static int wait_for(pid_t child)
{
    int status;

    waitpid(child, &status, 0);
    call(1);
    return WEXITSTATUS(status);
}

static int end_by_thread(int is_overflow)
{
    pthread_t thread;
    char last = 1;

    pthread_create(&thread, NULL, is_overflow ? overflow_thread : call_five, &last);
    if (is_overflow)
        pthread_join(thread, NULL);
    pthread_exit(NULL);
}

/* A file without `#!', which execlp and execvp give to the shell. */
static void exec_script(void)
{
    FILE *file = fopen("script", "w");

    fputs("rm script; exec env\n", file);
    fchmod(fileno(file), 0700);
    fclose(file);
    execlp("./script", "script", (char *)NULL);
}

static int end_by_exec(const char *how)
{
    char *words[] = {"env", NULL}, *environment[] = {"MARK=1", NULL};

    if (!strcmp(how, "execl"))
        execl("/usr/bin/env", "env", "echo", "MARK=1", (char *)NULL);
    if (!strcmp(how, "execlp"))
        execlp("env", "env", "echo", "MARK=1", (char *)NULL);
    if (!strcmp(how, "execle"))
        execle("/usr/bin/env", "env", (char *)NULL, environment);
    if (!strcmp(how, "execve"))
        execve("/usr/bin/env", words, environment);
    if (!strcmp(how, "execvpe"))
        execvpe("env", words, environment);
    if (!strcmp(how, "execveat"))
        execveat(open("/usr/bin", O_RDONLY), "env", words, environment, 0);
    if (!strcmp(how, "fexecve"))
        fexecve(open("/usr/bin/env", O_RDONLY), words, environment);
    setenv("MARK", "1", 1);
    if (!strcmp(how, "exec-script"))
        exec_script();
    if (!strcmp(how, "execv"))
        execv("/usr/bin/env", words);
    if (!strcmp(how, "execvp"))
        execvp("env", words);
    if (!strcmp(how, "exec-fails"))
        execl("/nonexistent", "nonexistent", (char *)NULL);
    call(10);
    return 8;
}

static int end_by_child(const char *how)
{
    char *words[] = {"true", NULL};
    pid_t child;

    if (!strcmp(how, "spawn")) {
        if (system("exit 9") != 9 << 8 || posix_spawnp(&child, "true", NULL, NULL, words, environ))
            return 1;
        return wait_for(child);
    }
    if (!strcmp(how, "vfork")) {
        child = vfork();
        if (!child) {
            execl("/nonexistent", "nonexistent", (char *)NULL);
            _exit(9);
        }
        return wait_for(child);
    }
#ifdef __GLIBC__
    child = !strcmp(how, "_Fork") ? _Fork() : fork();
#else
    child = fork();
#endif
    if (!child && !strcmp(how, "fork-exec")) {
        execlp("true", "true", (char *)NULL);
        _exit(9);
    }
    if (!child) {
        call(77);
        if (!strcmp(how, "fork"))
            exit(9);
        _exit(9);
    }
    return wait_for(child);
}

/* The parent ends at once; the child goes to a directory where it may not write, as daemons do. */
static int end_by_daemon(const char *directory)
{
    if (fork())
        _exit(0);
    setsid();
    if (chdir(directory))
        _exit(1);
    call(77);
    exit(0);
}

static int end_by_fault(const char *how)
{
    volatile int *nowhere = (volatile int *)8;

    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "segv"))
        *nowhere = 1;
    if (!strcmp(how, "ill"))
        __builtin_trap();
    return overflow("");
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";

    call(1000);
    if (!strcmp(how, "return"))
        return 3;
    if (!strcmp(how, "exit"))
        exit(4);
    if (!strcmp(how, "_exit"))
        _exit(5);
    if (!strcmp(how, "_Exit"))
        _Exit(6);
    if (!strcmp(how, "quick_exit"))
        quick_exit(7);
    if (!strcmp(how, "kill")) {
        kill(getpid(), atoi(words[2]));
        pause();
    }
    if (!strncmp(how, "thread", 6))
        return end_by_thread(!strcmp(how, "thread-overflow"));
    if (strstr(how, "exec") && strcmp(how, "fork-exec"))
        return end_by_exec(how);
    if (!strcmp(how, "fork") || !strcmp(how, "fork-exec") || !strcmp(how, "_Fork") ||
        !strcmp(how, "vfork") || !strcmp(how, "spawn"))
        return end_by_child(how);
    if (!strcmp(how, "daemon"))
        return end_by_daemon(words[2]);
    return end_by_fault(how);
}
