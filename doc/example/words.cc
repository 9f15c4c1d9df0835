// words.cc - counts words of its own making.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>

static unsigned next(unsigned &state)
{
    return state = state * 1664525u + 1013904223u;
}

static std::string word(unsigned &state)
{
    std::string text;
    for (unsigned i = 0; i < 4; i++)
        text += static_cast<char>('a' + (next(state) >> 20) % 8);
    return text;
}

int main()
{
    std::map<std::string, int> count;
    unsigned state = 1;
    for (int i = 0; i < 100000; i++)
        count[word(state)]++;
    auto most = std::max_element(count.begin(), count.end(),
                                 [](auto &a, auto &b) { return a.second < b.second; });
    std::cout << most->first << '\n';
}
