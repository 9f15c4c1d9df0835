// The program: what several files have from the header, lambdas, unnamed namespaces, constructors.

#include "shelf.h"

volatile unsigned sink;

namespace
{

struct counter {
    unsigned value;
    counter() : value(sink)
    {
    }
    unsigned operator()(unsigned n)
    {
        return value += n;
    }
    static unsigned reset()
    {
        sink = 0;
        return sink;
    }
};

class atlas : public shelf::book
{
  public:
    atlas() : book(300)
    {
    }
    unsigned weight() const override
    {
        return pages * 4 + sink % 3;
    }
};

unsigned fill(unsigned n)
{
    shelf::stack<unsigned, 16> numbers;
    counter count;
    while (numbers.push(count(n)))
        n = n * 3 + 1;
    return numbers.fold([](unsigned a, unsigned b) { return a ^ b; }) + numbers.pop();
}

} // namespace

extern "C" unsigned plain_name(unsigned n)
{
    static unsigned calls = counter::reset();
    calls++;
    return calls + n;
}

int main()
{
    for (unsigned i = 0; i < 20000; i++) {
        atlas first;
        shelf::book second(i % 100);
        sink += shelf::weigh(first, second);
        sink += fill(i) + plain_name(i);
        sink += shelf::count_left() + shelf::count_right();
    }
    return 0;
}
