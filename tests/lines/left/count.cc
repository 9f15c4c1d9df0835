#include "../shelf.h"

static unsigned inner(unsigned n)
{
    shelf::stack<unsigned, 16> numbers;
    for (unsigned i = 0; i < n; i++)
        numbers.push(i);
    return numbers.fold([](unsigned a, unsigned b) { return a * 3 + b; });
}

unsigned shelf::count_left()
{
    book thin(10);
    return inner(thin.weight() % 16) + weigh(thin, thin);
}
