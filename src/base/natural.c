/* natural.c - compares names with numbers in them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/natural.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_zeros(const char *s)
{
    return s + strspn(s, "0");
}

/* Compares the numbers at *A and *B, and moves both behind them.  */
static int compare_numbers(const char **a, const char **b)
{
    const char *first = skip_zeros(*a), *second = skip_zeros(*b);
    size_t first_size = strspn(first, "0123456789"), second_size = strspn(second, "0123456789");
    *a = first + first_size;
    *b = second + second_size;
    if (first_size != second_size)
        return first_size < second_size ? -1 : 1;
    return memcmp(first, second, first_size);
}

int compare_natural(const char *a, const char *b)
{
    const char *first = a, *second = b;
    while (*first != '\0' || *second != '\0') {
        int order = 0;
        if (is_digit(*first) && is_digit(*second))
            order = compare_numbers(&first, &second);
        else
            order = (unsigned char)*first++ - (unsigned char)*second++;
        if (order != 0)
            return order;
    }
    return strcmp(a, b);
}
