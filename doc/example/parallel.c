/* A loop that several threads share. */
#include <stdio.h>

int main(void)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i <= 1000; i++)
        sum += 1.0 / i;
    printf("%.3f\n", sum);
    return 0;
}
