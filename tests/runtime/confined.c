/* confined HOW: goes where less is possible than at its start, and calls leaf 1,000 times; its
   children, 10 times. Ends with 0, or with 77 if it may not go there. */
#include <errno.h>
#include <sched.h>
#include <string.h>
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

/* Two children, one after the other, each of which is process 1 of its namespace. */
static int have_namesakes(void)
{
    usleep(20000); /* clocks of file systems are behind by a tick */
    for (int i = 0; i < 2; i++) {
        int status;
        pid_t maker = fork(), child;

        if (!maker) {
            if (unshare(CLONE_NEWPID) && (unshare(CLONE_NEWUSER) || unshare(CLONE_NEWPID)))
                _exit(77);
            child = fork();
            if (!child) {
                call(10);
                _exit(0);
            }
            if (waitpid(child, &status, 0) != child || status)
                _exit(1);
            _exit(0);
        }
        if (waitpid(maker, &status, 0) != maker || status)
            return WEXITSTATUS(status);
    }
    return 0;
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    int result = 99;

    if (!strcmp(how, "chroot"))
        result = chroot(".") ? 77 : 0;
    if (!strcmp(how, "stay"))
        result = 0;
    if (!strcmp(how, "namesakes"))
        result = have_namesakes();
    call(1000);
    return result;
}
