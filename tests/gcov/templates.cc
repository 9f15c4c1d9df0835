#include <cstdio>
template <int N>
int power(int x)
{
    int result = 1;
    for (int i = 0; i < N; i++)
        result *= x;
    return result;
}

template <typename T>
struct stack {
    T items[10];
    int count = 0;
    void push(T item)
    {
        if (count < 10)
            items[count++] = item;
    }
};

int main()
{
    stack<int> ints;
    stack<long> longs;
    for (int i = 0; i < 12; i++)
        ints.push(power<3>(i));
    for (int i = 0; i < 4; i++)
        longs.push(power<5>(i));
    std::printf("%d %d\n", ints.count, longs.count);
    return 0;
}
