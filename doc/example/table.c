/* table.c - variables, in a list.  */

#include <stdlib.h>

#include "table.h"

struct variable {
    char name;
    double value;
    struct variable *next;
};

static struct variable *first;

static double *add(char name)
{
    struct variable *variable = calloc(1, sizeof *variable);
    variable->name = name;
    variable->next = first;
    first = variable;
    return &variable->value;
}

double *find(char name)
{
    for (struct variable *v = first; v; v = v->next)
        if (v->name == name)
            return &v->value;
    return add(name);
}
