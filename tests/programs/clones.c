/* Functions of which an optimising compiler makes clones: names in the debug information are not
   the linker's.  */

static volatile unsigned sink;

static __attribute__((noinline)) unsigned churn(const unsigned *table, unsigned rounds, int is_deep)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        sum += table[0] ^ (sum >> 3);
        if (is_deep)
            sum *= 3;
        sink = sum;
    }
    return sum;
}

static __attribute__((noinline)) unsigned twice(const unsigned *table, unsigned rounds, int is_deep)
{
    unsigned sum = churn(table, rounds, is_deep);
    sink = sum;
    return sum + churn(table, rounds + 1, is_deep);
}

int main(void)
{
    unsigned table[2] = {7, 9}, sum = 0;
    for (unsigned i = 0; i < 400; i++) {
        table[0] = i;
        sum += twice(table, 20000, 1);
    }
    return sum == 1;
}
