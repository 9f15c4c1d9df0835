/* errors HOW: ends with messages of the library.  `keep' does nothing else; `close' closes standard
   error; `other' opens a file in its place, `database'. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words)
{
    const char *how = count == 2 ? words[1] : "";

    if (strcmp(how, "keep"))
        close(2);
    if (!strcmp(how, "other") && open("database", O_CREAT | O_WRONLY, 0600) != 2)
        return 1;
    return 0;
}
