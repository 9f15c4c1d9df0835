/* A program that calls a shared library. */
int foo(int number);

int main(void)
{
    int total = 0;
    for (int i = 0; i < 100; i++)
        total += foo(i);
    return total == 0;
}
