/* callbacks: samples where the C++ library calls back, and where exceptions are in flight. */
#include <algorithm>
#include <exception>
#include <stdexcept>
#include <vector>

#include "take.h"

struct order {
    virtual ~order()
    {
    }
    virtual bool operator()(int a, int b) const = 0;
};

struct rising : order {
    APART bool operator()(int a, int b) const override
    {
        static int calls;

        if (calls++ % 11 == 0)
            take("sort");
        return a < b;
    }
};

struct cleaner {
    APART ~cleaner()
    {
        take("destructor of a thrown exception");
    }
};

APART static int fall(int depth)
{
    cleaner one;

    if (depth == 0)
        throw std::runtime_error("thrown");
    return fall(depth - 1) + 1;
}

struct copied {
    copied()
    {
    }
    APART copied(const copied &)
    {
        take("copy of a thrown exception");
    }
};

APART static void give_up()
{
    take("terminate");
    fflush(stdout);
    exit(0);
}

int main()
{
    const rising before;
    std::vector<int> values;

    for (int i = 0; i < 40; i++)
        values.push_back(i * 7919 % 101);
    std::sort(values.begin(), values.end(), [&](int a, int b) { return before(a, b); });
    try {
        fall(2);
    } catch (const std::exception &) {
        take("handler of an exception");
    }
    try {
        const copied one;
        throw one;
    } catch (copied other) {
        take("handler of a copied exception");
    }
    std::set_terminate(give_up);
    fall(0);
}
