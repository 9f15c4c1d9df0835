#include <stdio.h>
static int triangle(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    return sum;
}

static int never(int n)
{
    return n * 2;
}

int main(void)
{
    int total = 0;
    for (int i = 0; i < 10; i++) {
        if (i % 3 == 0)
            total += triangle(i);
        else
            total++;
    }
    if (total < 0)
        return never(total);
    printf("%d\n", total);
    return 0;
}
