/* names [fork | late PREFIX | wait]: calls leaf once.  With fork, a child calls it twice; late sets
   the prefix of the files while the program runs; wait prints a line and waits for the end of its
   input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void call(int count)
{
    for (int i = 0; i < count; i++)
        leaf(i);
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";

    if (strcmp(how, "fork") == 0) {
        const pid_t child = fork();

        if (child == 0)
            call(2);
        else
            waitpid(child, NULL, 0);
        call(child != 0);
    } else {
        if (strcmp(how, "late") == 0)
            setenv("GMON_OUT_PREFIX", words[2], 1);
        call(1);
        if (strcmp(how, "wait") == 0) {
            puts("waits");
            fflush(stdout);
            while (getchar() != EOF)
                ;
        }
    }
    return 0;
}
