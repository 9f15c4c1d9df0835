// Classes and templates whose code is in this header: several files of the program have it.

#ifndef SHELF_H
#define SHELF_H

#include <cstddef>

extern volatile unsigned sink;

namespace shelf
{

template <class T, int Size> class stack
{
    T items[Size];
    int count = 0;

  public:
    __attribute__((noinline)) bool push(const T &item)
    {
        if (count == Size)
            return false;
        items[count++] = item;
        return true;
    }
    T pop()
    {
        return count > 0 ? items[--count] : T();
    }
    template <class F> __attribute__((noinline)) T fold(F combine) const
    {
        T sum = T();
        for (int i = 0; i < count; i++)
            sum = combine(sum, items[i]);
        return sum;
    }
};

class book
{
  protected:
    unsigned pages;

  public:
    explicit book(unsigned n) : pages(n)
    {
        sink += n;
    }
    virtual ~book()
    {
        sink -= pages;
    }
    virtual unsigned weight() const
    {
        unsigned sum = pages;
        for (unsigned i = 0; i < 3; i++)
            sum += sum >> 1;
        return sum;
    }
};

inline unsigned weigh(const book &one, const book &other)
{
    unsigned sum = one.weight();
    sum += other.weight();
    return sum;
}

unsigned count_left();
unsigned count_right();

} // namespace shelf

extern "C" unsigned plain_name(unsigned n);

#endif
