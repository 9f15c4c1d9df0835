/* scenes TIMES [list]: code of the C and C++ libraries that calls back, of which each instruction
   is compared with backtrace (steps.c).  With `list', without _dl_find_object. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "steps.h"

static volatile double sink;
static int times;

struct order {
    virtual ~order()
    {
    }
    virtual bool is_before(int a, int b) const = 0;
};

struct rising : order {
    bool is_before(int a, int b) const override
    {
        return a < b;
    }
};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static std::vector<int> numbers(int count)
{
    std::vector<int> all;

    for (int i = 0; i < count; i++)
        all.push_back(i * 7919 % 101);
    return all;
}

static void sort_by_library()
{
    std::vector<int> all = numbers(20 * times);

    qsort(all.data(), all.size(), sizeof all[0], compare);
    sink = bsearch(&all[3], all.data(), all.size(), sizeof all[0], compare) != nullptr;
}

static void sort_by_template(const order &by)
{
    std::vector<int> all = numbers(30 * times);

    std::sort(all.begin(), all.end(), [&](int a, int b) { return by.is_before(a, b); });
}

static void allocate()
{
    void *blocks[40] = {};

    for (int i = 0; i < 40 * times; i++) {
        free(blocks[i % 40]);
        blocks[i % 40] = malloc((size_t)(i * 37 % 3000) + (i % 20 == 0 ? 200000 : 0));
    }
    for (void *block : blocks)
        free(block);
}

static void copy()
{
    static char from[9000], to[9000];

    for (int i = 0; i < 3 * times; i++) {
        memcpy(to + i % 7, from, (size_t)(i * i * 99 % 3000));
        memmove(to, to + i, (size_t)(i * 31 % 900));
        memset(to, 'x', (size_t)(i * 99 % 2000));
        sink = (double)strlen(strcpy(to, "some text"));
    }
}

static void print()
{
    char text[400];

    for (int i = 0; i < times; i++) {
        snprintf(text, sizeof text, "%d %s %.12g %Lf %c %08lx", i, "word", i * 1.1, 1.5L, 'x', 99l);
        sink = strtod(text, nullptr) + atoi(text);
        sscanf(text, "%*d %s", text + 200);
    }
}

static void compute()
{
    for (int i = 1; i < 5 * times; i++)
        sink = std::sin(i) + std::pow(i, 1.5) + std::exp(-i) + std::fmod(i * 7.5, 3.25);
}

static void use_containers()
{
    std::map<std::string, int> all;
    std::ostringstream out;

    for (int i = 0; i < 3 * times; i++)
        all["key " + std::to_string(i * 31 % 7)] += i;
    for (const auto &pair : all)
        out << pair.first << ' ' << pair.second << ' ' << 1.5 * pair.second << '\n';
    sink = (double)out.str().size();
}

struct cleaner {
    ~cleaner()
    {
        sink = std::sqrt(sink);
    }
};

static int fall(int depth)
{
    cleaner one;

    if (depth == 0)
        throw std::runtime_error("thrown");
    return fall(depth - 1) + 1;
}

static void throw_and_catch()
{
    for (int i = 0; i < times; i++)
        try {
            sink = fall(2);
        } catch (const std::exception &e) {
            sink = (double)strlen(e.what());
        }
}

static void use_rest()
{
    const time_t now = 1000000000;
    char text[100];
    struct tm split;
    std::function<int(int)> twice = [](int x) { return 2 * x; };

    strftime(text, sizeof text, "%Y-%m-%d %H:%M", localtime_r(&now, &split));
    sink = twice(4);
    sink = getenv("NOTHING") != nullptr;
    if (FILE *file = fopen("/dev/null", "r+")) {
        fprintf(file, "%s\n", text);
        sink = fgetc(file);
        fclose(file);
    }
}

/* The compiler aligns the stack in this one.  At its end, what it says of the frame pointer is
   wrong, and libgcc crashes. */
__attribute__((noinline)) static void align(int n)
{
    alignas(64) volatile double values[16] = {};
    char *moved = (char *)__builtin_alloca((size_t)n * 16);

    for (int i = 0; i < n; i++)
        values[i % 16] = values[(i + 1) % 16] + i;
    memset(moved, 1, (size_t)n * 16);
    sink = values[3] + moved[n];
    steps_end();
}

int main(int count, char **words)
{
    times = count > 1 ? atoi(words[1]) : 1;
    steps_prepare(count < 3);
    steps_begin();
    sort_by_library();
    sort_by_template(rising());
    allocate();
    copy();
    print();
    compute();
    use_containers();
    throw_and_catch();
    use_rest();
    align(20 * times);
    return steps_report();
}
