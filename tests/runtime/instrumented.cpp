// instrumented [THREADS]: each thread calls leaf 10,001 times, again 100 times, by itself but once,
// and thrower and jumper 50 times, which call leaf and end by an exception and by longjmp.
#include <csetjmp>
#include <pthread.h>

#define KEPT extern "C" __attribute__((noinline))

KEPT int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

KEPT int again(int depth)
{
    return depth > 1 ? again(depth - 1) + 1 : leaf(0);
}

KEPT void thrower(int x)
{
    leaf(x);
    throw x;
}

KEPT void jumper(std::jmp_buf place, int x)
{
    leaf(x);
    std::longjmp(place, 1);
}

KEPT void jump(int x)
{
    std::jmp_buf place;

    if (setjmp(place) == 0)
        jumper(place, x);
}

static void *work(void *)
{
    for (int i = 0; i < 10000; i++)
        leaf(i);
    for (int i = 0; i < 50; i++) {
        try {
            thrower(i);
        } catch (int) {
        }
        jump(i);
    }
    again(100);
    leaf(0);
    return nullptr;
}

int main(int count, char **words)
{
    const int threads = count > 1 ? words[1][0] - '0' : 1;
    pthread_t thread[16];

    for (int i = 0; i < threads && i < 16; i++)
        pthread_create(&thread[i], nullptr, work, nullptr);
    for (int i = 0; i < threads && i < 16; i++)
        pthread_join(thread[i], nullptr);
}
