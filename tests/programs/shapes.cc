// C++ as people write it: templates, virtual functions, operators, namespaces, lambdas, containers.

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace geometry
{

template <typename T> struct point {
    T x, y;
    point operator+(const point &other) const
    {
        return {static_cast<T>(x + other.x), static_cast<T>(y + other.y)};
    }
    bool operator<(const point &other) const
    {
        return x != other.x ? x < other.x : y < other.y;
    }
};

class shape
{
  public:
    virtual ~shape() = default;
    virtual double area() const = 0;
    virtual std::string name() const = 0;
};

class circle : public shape
{
    double radius;

  public:
    explicit circle(double r) : radius(r)
    {
    }
    double area() const override
    {
        return 3.14159 * radius * radius;
    }
    std::string name() const override
    {
        return "circle";
    }
};

template <int Sides> class polygon : public shape
{
    std::vector<point<double>> corners;

  public:
    polygon()
    {
        for (int i = 0; i < Sides; i++)
            corners.push_back({double(i), double(i * i % 5)});
    }
    double area() const override
    {
        double sum = 0;
        for (int i = 0; i < Sides; i++) {
            const auto &p = corners[i], &q = corners[(i + 1) % Sides];
            sum += p.x * q.y - q.x * p.y;
        }
        return sum / 2;
    }
    std::string name() const override
    {
        return "polygon" + std::to_string(Sides);
    }
};

} // namespace geometry

namespace
{

template <typename T> T sum_of(const std::vector<T> &values)
{
    T sum{};
    for (const T &value : values)
        sum = sum + value;
    return sum;
}

int recurse(int n, std::map<int, int> &memory)
{
    if (n < 2)
        return n;
    auto found = memory.find(n);
    if (found != memory.end())
        return found->second;
    return memory[n] = (recurse(n - 1, memory) + recurse(n - 2, memory)) % 1000003;
}

using geometry::point;

} // namespace

extern "C" int c_linkage(int n)
{
    return n * 2;
}

int main()
{
    std::vector<std::unique_ptr<geometry::shape>> shapes;
    for (int i = 0; i < 300; i++) {
        if (i % 3 == 0)
            shapes.emplace_back(new geometry::circle(i));
        else if (i % 3 == 1)
            shapes.emplace_back(new geometry::polygon<5>);
        else
            shapes.emplace_back(new geometry::polygon<17>);
    }
    std::map<std::string, double> areas;
    double total = 0;
    for (int round = 0; round < 120; round++) {
        std::sort(shapes.begin(), shapes.end(),
                  [](const auto &a, const auto &b) { return a->area() < b->area(); });
        for (const auto &s : shapes)
            areas[s->name()] += s->area();
        std::map<int, int> memory;
        total += recurse(90, memory);
        std::vector<point<int>> ints(200, {round, 1});
        std::vector<point<short>> shorts(200, {1, 2});
        total += sum_of(ints).x + sum_of(shorts).y + c_linkage(round);
    }
    std::printf("%g %zu\n", total, areas.size());
    return 0;
}
