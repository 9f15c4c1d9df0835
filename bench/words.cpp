/* words: counts the words of its input in containers of the C++ library, and sorts them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

static std::map<std::string, int> count(const std::string &text)
{
    std::map<std::string, int> counts;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        counts[word]++;
    return counts;
}

int main()
{
    std::ostringstream all;
    all << std::cin.rdbuf();
    std::map<std::string, int> counts = count(all.str());
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    for (const auto &row : sorted)
        std::cout << row.second << ' ' << row.first << std::endl;
    return 0;
}
