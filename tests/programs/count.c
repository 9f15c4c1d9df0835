/* Three functions whose calls anybody can count: 1000, 2000 and one.  */

#include <stdio.h>

static volatile int counter;

void thousand(void)
{
    counter++;
}

void two_thousand(void)
{
    for (int i = 0; i < 5000; i++)
        counter++;
}

static void once(void)
{
    for (int i = 0; i < 30000000; i++)
        counter++;
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        thousand();
    for (int i = 0; i < 2000; i++)
        two_thousand();
    once();
    printf("%d\n", counter);
    return 0;
}
