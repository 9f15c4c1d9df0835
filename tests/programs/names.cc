/* names.cc - names that C++ gives to functions: nested and anonymous namespaces, templates,
   overloads, operators, conversions, constructors, lambdas, and pointers to functions as results.
 */

#include <functional>
#include <string>
#include <vector>

namespace storage
{
namespace engine
{
namespace detail
{

template <typename Key, class Compare> struct SkipList {
    explicit SkipList(Compare compare) : compare_(compare)
    {
    }
    __attribute__((noinline)) bool contains(Key const &key) const
    {
        return compare_(key, key);
    }
    __attribute__((noinline)) bool operator()(Key const &key)
    {
        return !contains(key);
    }
    Compare compare_;
};

struct Slice {
    __attribute__((noinline)) Slice(char const *text, unsigned long size) : text_(text, size)
    {
    }
    __attribute__((noinline)) operator std::string() const
    {
        return text_;
    }
    __attribute__((noinline)) bool operator<(Slice const &other) const
    {
        return text_ < other.text_;
    }
    __attribute__((noinline)) bool operator==(Slice const &other) const
    {
        return text_ == other.text_;
    }
    __attribute__((noinline)) Slice &operator<<(int shift)
    {
        text_ += (char)shift;
        return *this;
    }
    __attribute__((noinline)) int compare(Slice const &other) const
    {
        return text_.compare(other.text_);
    }
    std::string text_;
};

__attribute__((noinline)) int encode(int value)
{
    return value * 3;
}
__attribute__((noinline)) int encode(long value)
{
    return (int)value * 5;
}
__attribute__((noinline)) int encode(std::vector<std::string> const &values, Slice const &)
{
    return (int)values.size();
}

} // namespace detail

struct Table {
    __attribute__((noinline)) int
    compact_everything_that_was_written_since_the_last_compaction(int n)
    {
        return n + 1;
    }
    __attribute__((noinline)) int next()
    {
        return 1;
    }
    __attribute__((noinline)) int compare(int n)
    {
        return n;
    }
};

struct MergingIterator {
    __attribute__((noinline)) int next()
    {
        return 2;
    }
};

struct TwoLevelIterator {
    __attribute__((noinline)) int next()
    {
        return 3;
    }
};

} // namespace engine
} // namespace storage

namespace
{

struct Less {
    __attribute__((noinline)) bool operator()(int a, int b) const
    {
        return a < b;
    }
    __attribute__((noinline)) bool operator()(long a, long b) const
    {
        return a > b;
    }
};

__attribute__((noinline)) int helper(int n)
{
    return n - 1;
}

} // namespace

__attribute__((noinline)) int (*choose(int n))(int)
{
    return n > 0 ? helper : nullptr;
}

__attribute__((noinline)) int recurse(int n)
{
    return n <= 0 ? 0 : 1 + recurse(n - 1) * 2;
}

int main(int argc, char **argv)
{
    using namespace storage::engine;
    using namespace storage::engine::detail;
    SkipList<int, Less> ints{Less()};
    SkipList<long, Less> longs{Less()};
    Slice slice(argv[0], 1), other("x", 1);
    std::function<int(int)> lambda = [argc](int n) { return n + argc; };
    std::function<int(long, long)> larger = [](long a, long b) { return a > b ? 1 : 0; };
    Table table;
    int sum = ints.contains(argc) + ints(argc) + longs.contains(argc) + longs(argc);
    sum += slice < other;
    sum += slice == other;
    sum += slice.compare(other) + (int)std::string(slice << 1).size();
    sum += encode(argc) + encode((long)argc) + encode(std::vector<std::string>{"a"}, other);
    sum += table.compact_everything_that_was_written_since_the_last_compaction(argc) +
           table.next() + table.compare(1);
    sum += MergingIterator().next() + TwoLevelIterator().next() + choose(argc)(argc) +
           lambda(argc) + larger(1, argc);
    return recurse(sum % 10) == 0;
}
