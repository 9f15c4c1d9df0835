/* A shared library that the manual's examples call. */
int foo(int number)
{
    return 3 * number;
}
