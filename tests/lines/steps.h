/* A header that is read twice, under two spellings: a function for each NAME.  */

static inline unsigned NAME(unsigned n)
{
    unsigned sum = 1;
    for (unsigned i = 0; i < n % 7; i++)
        sum = sum * 31 + i;
    return sum;
}

#undef NAME
