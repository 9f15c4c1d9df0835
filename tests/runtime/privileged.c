/* Prints whether the program has more rights than its caller. */
#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
    puts(getauxval(AT_SECURE) ? "secure" : "usual");
    return 0;
}
