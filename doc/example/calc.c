/* calc.c - calculates lines such as "x=2*(y+1)".  */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "table.h"

static const char *next; /* what is left of the line */

static double expression(void);

static double number(void)
{
    double value = 0;
    while (isdigit((unsigned char)*next))
        value = 10 * value + (*next++ - '0');
    return value;
}

static double factor(void)
{
    if (isdigit((unsigned char)*next))
        return number();
    if (*next != '(')
        return *find(*next++);
    next++;
    double value = expression();
    next++;
    return value;
}

static double term(void)
{
    double value = factor();
    for (; *next == '*'; value *= factor())
        next++;
    return value;
}

static double expression(void)
{
    double value = term();
    for (; *next == '+'; value += term())
        next++;
    return value;
}

static double statement(const char *line)
{
    double *variable = find(line[0]);
    next = line + 2;
    return *variable = expression();
}

static void usage(void)
{
    fprintf(stderr, "usage: calc < file\n");
    exit(1);
}

int main(int argc, char **argv)
{
    char line[256];
    double value = 0;
    if (argc > 1)
        usage();
    while (fgets(line, sizeof line, stdin))
        value = statement(line);
    printf("%s: %g\n", argv[0], value);
    return 0;
}
