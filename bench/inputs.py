"""Makes what the benchmark measures with: images and profiles of any size, and compiled programs.

Everything is made from the sizes and a fixed seed, so that two runs measure the same.
"""

import array
import concurrent.futures
import os
import random
import struct
import subprocess

TEXT = 0x401000  # where assembled images start


def run(command, **more):
    subprocess.run(command, check=True, **more)


class Profile:
    """A gmon.out for x86-64, written piece by piece."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(b"gmon" + struct.pack("<I12x", 1))

    def histogram(self, low, bins):
        header = struct.pack("<QQII15sc", low, low + 4 * len(bins), len(bins), 100, b"seconds", b"s")
        self.file.write(b"\0" + header + bins.tobytes())

    def arcs(self, arcs):
        pack = struct.Struct("<BQQI").pack
        pieces = []
        for caller, callee, count in arcs:
            pieces.append(pack(1, caller, callee, count))
            if len(pieces) == 100000:
                self.file.write(b"".join(pieces))
                pieces = []
        self.file.write(b"".join(pieces))

    def close(self):
        self.file.close()


def samples(rng, count, hits):
    bins = array.array("H", bytes(2 * count))
    for _ in range(hits):
        bins[rng.randrange(count)] += 1
    return bins


# ---- Assembled images: functions of SIZE bytes one after the other ----


def assemble(directory, name, functions, size):
    base = os.path.join(directory, name)
    with open(base + ".s", "w", encoding="ascii") as file:
        file.write(".text\n.globl _start\n_start: .skip %d,0x90\n" % size)
        for i in range(functions):
            file.write(".globl function_number_%d\n.type function_number_%d,@function\n" % (i, i))
            file.write("function_number_%d: .skip %d,0x90\n" % (i, size))
        # The reference reads the end of the last symbol from behind its table: let no sample be there.
        file.write(".globl zz_padding\n.type zz_padding,@function\nzz_padding: .skip 64,0x90\n")
    run(["as", "-o", base + ".o", base + ".s"])
    run(["ld", "-Ttext=%#x" % TEXT, "-e", "_start", "-o", base, base + ".o"])
    os.unlink(base + ".s")
    os.unlink(base + ".o")
    return base


def address(function, size):
    return TEXT + size * (function + 1)


def graph_profile(path, functions, size, pairs, hits=None, bins=None):
    """A profile of calls between the PAIRS of function numbers (in any iterable).  Its samples are drawn unless BINS has
    them."""
    rng = random.Random(functions)
    profile = Profile(path)
    profile.histogram(TEXT, bins or samples(rng, size * functions // 4, hits or 2 * functions))
    profile.arcs(
        (address(a, size) + 5, address(b, size), rng.randrange(1, 1000)) for a, b in pairs
    )
    profile.close()
    return path


def random_pairs(functions, count):
    rng = random.Random(count)
    return ((rng.randrange(functions), rng.randrange(functions)) for _ in range(count))


def fans(width):
    """Function 0 calls WIDTH functions, and function 1 is called by them."""
    for i in range(width):
        yield 0, i + 2
        yield i + 2, 1


def ring(length):
    return ((i, (i + 1) % length) for i in range(length))


def many_profiles(directory, image, functions, size, count):
    """COUNT profiles of one image; half a megabyte each for a text of a megabyte."""
    os.makedirs(directory, exist_ok=True)
    paths = []
    for i in range(count):
        rng = random.Random(i)
        path = os.path.join(directory, "gmon.out.%03d" % i)
        profile = Profile(path)
        profile.histogram(TEXT, samples(rng, size * functions // 4, 2000))
        profile.arcs(
            (address(a, size) + 5, address(b, size), 1 + rng.randrange(9))
            for a, b in random_pairs(functions, 2000)
        )
        profile.close()
        paths.append(path)
    return paths


def recorded_stacks(directory, count):
    """An image, and its profile with COUNT call stacks of 100 frames beside it: drawn walks through a graph in which each
    function calls twelve, which begin with the same 91 calls."""
    functions, size, fan, common, drawn = 2000, 64, 12, 91, 8
    rng = random.Random(count)
    callees = [[rng.randrange(functions) for _ in range(fan)] for _ in range(functions)]
    image = assemble(directory, "stacks", functions, size)
    calls = [[("0:%x;" % (address(f, size) + 5 * i + 5), g) for i, g in enumerate(callees[f])] for f in range(functions)]

    def walk(function, length):
        text = ""
        for _ in range(length):
            call, function = rng.choice(calls[function])
            text += call
        return text, function

    start, top = walk(0, common)
    bins = array.array("H", bytes(2 * (size * (functions + 1) // 4)))
    gmon = image + ".gmon"
    with open(gmon + ".stacks", "w", encoding="ascii") as file:
        file.write("# regmon stacks 3\n# rate 100\n# program 0 stacks\n")
        file.write("# histogram %x %x %d\n" % (TEXT, TEXT + 4 * len(bins), count))  # that of GMON
        for _ in range(count):
            text, function = walk(top, drawn)
            leaf = address(function, size) + rng.randrange(size)
            bins[(leaf - TEXT) // 4] += 1
            file.write("%s%s0:%x 1\n" % (start, text, leaf))
        file.write("# samples %d\n" % count)
    graph_profile(gmon, functions, size, ((f, g) for f in range(functions) for g in callees[f]), bins=bins)
    return image, gmon


# ---- Compiled programs ----

C_FUNCTION = """
{static}int {name}(struct state *s, int n)
{{
    int sum = 0, i;
    for (i = 0; i < n % {loop} + 1; i++) {{
        if ((s->values[i & 63] ^ {number}) & 1)
            sum += s->values[(i + {number}) & 63] * {factor};
        else
            s->values[i & 63] += sum - i;
    }}
    switch (n & 3) {{
    case 0:
        sum ^= {number};
        break;
    case 1:
        sum += {callee_a}(s, n / 3);
        break;
    case 2:
        if (n > {loop})
            sum -= {callee_b}(s, n / 2 - 1);
        break;
    default:
        s->depth += sum & 1;
    }}
    return sum + s->depth;
}}
"""


def c_program(directory, name, functions, files, flags):
    """A C program of many functions that call each other downwards, half of them static; run once."""
    rng = random.Random(functions)
    top = os.path.join(directory, name + ".src")
    os.makedirs(top, exist_ok=True)
    per_file = functions // files
    with open(os.path.join(top, "state.h"), "w", encoding="ascii") as file:
        file.write("struct state { int values[64]; int depth; };\n")
        for i in range(files):
            file.write("int module_%d(struct state *s, int n);\n" % i)
    sources = []
    for f in range(files):
        sources.append(os.path.join(top, "module_%d.c" % f))
        with open(sources[-1], "w", encoding="ascii") as file:
            file.write('#include "state.h"\n')
            names = []
            for i in range(per_file - 1):
                callees = names[-40:] or ["module_%d" % (f - 1) if f > 0 else "leaf_%d" % f]
                if not names and f == 0:
                    file.write("static int leaf_0(struct state *s, int n) { return s->depth + n; }\n")
                this = "step_%d_%d" % (f, i)
                file.write(
                    C_FUNCTION.format(
                        static="static " if i % 2 else "__attribute__((used)) ",
                        name=this,
                        number=rng.randrange(1000),
                        loop=rng.randrange(5, 60),
                        factor=rng.randrange(2, 9),
                        callee_a=rng.choice(callees),
                        callee_b=rng.choice(callees),
                    ).replace("\n__attribute__((used)) int", "\nint")
                )
                names.append(this)
            file.write("int module_%d(struct state *s, int n)\n{\n    int sum = 0;\n" % f)
            for this in names:
                file.write("    sum += %s(s, n++);\n" % this)
            file.write("    return sum;\n}\n")
    with open(os.path.join(top, "main.c"), "w", encoding="ascii") as file:
        file.write('#include "state.h"\nint main(void)\n{\n    static struct state s;\n    int i, sum = 0;\n')
        file.write("    for (i = 0; i < 40; i++) {\n")
        for f in range(files):
            file.write("        sum += module_%d(&s, i);\n" % f)
        file.write("    }\n    return sum == 42;\n}\n")
    image = os.path.join(directory, name)
    run(["cc", "-pg", "-w"] + flags + ["-o", image] + sources + [os.path.join(top, "main.c")])
    return image, profile_of(image)


CXX_HEAD = """
#include <map>
#include <string>
#include <vector>
#include <memory>
template <int N, class T> struct node {
    T value; std::vector<T> more;
    __attribute__((noinline)) node() : value(N) {}
    __attribute__((noinline)) T twice() const { return value + value; }
    __attribute__((noinline)) T sum(const T &other) { more.push_back(other); return value + other; }
    template <class U> __attribute__((noinline)) U convert(const std::map<std::string, U> &m) const
    { auto i = m.find("key"); return i == m.end() ? U(value) : i->second; }
};
"""


def cxx_program(directory, name, classes, flags):
    """A C++ program of templates: about 13 symbols a class; run once."""
    parts = 6
    sources = []
    for part in range(parts):
        sources.append(os.path.join(directory, "%s-%d.cc" % (name, part)))
        with open(sources[-1], "w", encoding="ascii") as file:
            file.write(CXX_HEAD + "double part_%d()\n{\n    double s = 0;\n" % part)
            file.write("    std::map<std::string, long> m; std::map<std::string, double> d; d[\"key\"] = 2;\n")
            for i in range(part, classes, parts):
                for t in ("int", "double", "long"):
                    file.write(
                        "    {{ node<{0}, {1}> n; s += n.twice() + n.sum(3) + n.convert(m) + n.convert(d); }}\n".format(i, t)
                    )
            file.write("    return s;\n}\n")
    main = os.path.join(directory, name + "-main.cc")
    with open(main, "w", encoding="ascii") as file:
        file.write("".join("double part_%d();\n" % p for p in range(parts)))
        file.write("int main()\n{\n    double s = 0;\n    for (int i = 0; i < 20; i++)\n        s += 0")
        file.write("".join(" + part_%d()" % p for p in range(parts)))
        file.write(";\n    return s == 42;\n}\n")
    objects = []
    for source in sources + [main]:
        objects.append(source + ".o")
        run(["c++", "-pg", "-w", "-c"] + flags + ["-o", objects[-1], source])
    image = os.path.join(directory, name)
    run(["c++", "-pg", "-o", image] + objects)
    return image, profile_of(image)


CXX_HEADER = """
#ifndef LIBRARY_H
#define LIBRARY_H
#include <string>
#include <vector>
namespace library {
struct registry {
    std::vector<std::string> names;
    void add(const std::string &name) { if (!has(name)) names.push_back(name); }
    bool has(const std::string &name) const {
        for (const std::string &other : names)
            if (other == name)
                return true;
        return false;
    }
};
inline registry &all() { static registry one; return one; }
template <class T> class table {
    std::vector<std::vector<T>> rows;
  public:
    explicit table(unsigned n) : rows(n) {}
    void put(const T &item) { rows[item.hash() % rows.size()].push_back(item); }
    template <class Test> unsigned count(Test test) const {
        unsigned n = 0;
        for (const auto &row : rows)
            for (const T &item : row)
                n += test(item) ? 1 : 0;
        return n;
    }
    std::vector<T> sorted() const {
        std::vector<T> list;
        for (const auto &row : rows)
            for (const T &item : row) {
                list.push_back(item);
                for (size_t i = list.size() - 1; i > 0 && list[i] < list[i - 1]; i--)
                    std::swap(list[i], list[i - 1]);
            }
        return list;
    }
};
template <class T> class tree {
    struct node { T item; node *left, *right; };
    node *root = nullptr;
    static void free(node *n) { if (n) { free(n->left); free(n->right); delete n; } }
  public:
    ~tree() { free(root); }
    tree() = default;
    tree(const tree &) = delete;
    void insert(const T &item) {
        node **at = &root;
        while (*at)
            at = item < (*at)->item ? &(*at)->left : &(*at)->right;
        *at = new node{item, nullptr, nullptr};
    }
    template <class Visit> void walk(Visit visit) const { walk(root, visit); }
  private:
    template <class Visit> static void walk(const node *n, Visit &visit) {
        if (!n)
            return;
        walk(n->left, visit);
        visit(n->item);
        walk(n->right, visit);
    }
};
class shape {
  public:
    virtual ~shape() {}
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
};
template <class T> class scaled : public shape {
    T inner;
    double factor;
  public:
    scaled(const T &t, double f) : inner(t), factor(f) {}
    double area() const override { return inner.area() * factor * factor; }
    std::string name() const override { return "scaled " + std::to_string(factor); }
};
}
#endif
"""

CXX_UNIT = """
#include "library.h"
namespace part_{0} {{
struct item {{
    unsigned key;
    std::string text;
    item(unsigned k) : key(k), text("item {0} ") {{ text += char('a' + k % 26); }}
    unsigned hash() const {{ return key * {1}u ^ unsigned(text.size()); }}
    bool operator<(const item &other) const {{ return key != other.key ? key < other.key : text < other.text; }}
    double area() const {{ return key % {2}; }}
}};
struct is_multiple {{
    bool operator()(const item &i) const {{ return i.key % {2} == 0; }}
}};
struct total {{
    unsigned sum;
    void operator()(const item &i) {{ sum += i.key; }}
}};
}}
using namespace part_{0};
unsigned unit_{0}(unsigned n)
{{
    library::table<item> table({3});
    library::tree<item> tree;
    for (unsigned i = 0; i < n; i++) {{
        table.put(item(i * {1} % 97));
        tree.insert(item(i * {2} % 89));
    }}
    library::all().add("unit {0}");
    unsigned sum = table.count(is_multiple());
    for (const item &i : table.sorted())
        sum += i.hash();
    total keys = {{0}};
    tree.walk(keys);
    library::scaled<item> shape(item(n), 1.5);
    const library::shape &base = shape;
    return sum + keys.sum + unsigned(base.area()) + unsigned(base.name().size());
}}
"""


def cxx_library(directory, name, units, flags):
    """A C++ program of many units, each with a few types of its own, and with most of its code in headers, as
    templates and inline functions that all of them have; run once."""
    rng = random.Random(units)
    top = os.path.join(directory, name + ".src")
    os.makedirs(top, exist_ok=True)
    with open(os.path.join(top, "library.h"), "w", encoding="ascii") as file:
        file.write(CXX_HEADER)
    for i in range(units):
        with open(os.path.join(top, "unit_%d.cc" % i), "w", encoding="ascii") as file:
            file.write(CXX_UNIT.format(i, rng.randrange(3, 99, 2), rng.randrange(3, 20), rng.randrange(5, 40)))
    with open(os.path.join(top, "main.cc"), "w", encoding="ascii") as file:
        file.write("".join("unsigned unit_%d(unsigned n);\n" % i for i in range(units)))
        file.write("int main()\n{\n    unsigned sum = 0;\n")
        file.write("".join("    sum += unit_%d(%d);\n" % (i, 40 + i % 100) for i in range(units)))
        file.write("    return sum == 42;\n}\n")
    return link_units(directory, name, flags)


def cxx_constructors(directory, name, units, classes, flags):
    """A C++ program whose units all have the constructors of some classes, each of which has two symbols at one
    address, and a static function; run once.  Calls of constructors are not counted: the C library has no room for
    so many."""
    top = os.path.join(directory, name + ".src")
    os.makedirs(top, exist_ok=True)
    with open(os.path.join(top, "classes.h"), "w", encoding="ascii") as file:
        for i in range(classes):
            file.write("struct C%d { long a; __attribute__((no_instrument_function)) C%d(long x); };\n" % (i, i))
            file.write("inline C%d::C%d(long x) : a(x) {}\n" % (i, i))
    for u in range(units):
        with open(os.path.join(top, "unit_%d.cc" % u), "w", encoding="ascii") as file:
            file.write('#include "classes.h"\nstatic long helper_%d(long x) { return 3 * x; }\n' % u)
            file.write("long unit_%d(long x)\n{\n    long r = helper_%d(x);\n" % (u, u))
            file.write("".join("    { C%d c(x); r += c.a; }\n" % i for i in range(classes)))
            file.write("    return r;\n}\n")
    with open(os.path.join(top, "main.cc"), "w", encoding="ascii") as file:
        file.write("".join("long unit_%d(long x);\n" % u for u in range(units)))
        file.write("int main()\n{\n    long sum = 0;\n    for (int i = 0; i < 2000; i++)\n        sum += 0")
        file.write("".join(" + unit_%d(i)" % u for u in range(units)))
        file.write(";\n    return sum == 42;\n}\n")
    return link_units(directory, name, flags)


def link_units(directory, name, flags):
    """Compiles and links the C++ sources in NAME.src, and runs the program once."""
    top = os.path.join(directory, name + ".src")
    sources = sorted(file for file in os.listdir(top) if file.endswith(".cc"))
    compile = [os.environ.get("CXX", "c++"), "-pg", "-w", "-c"] + flags
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: run(compile + [source], cwd=top), sources))
    image = os.path.join(directory, name)
    run(["c++", "-pg", "-o", image] + [os.path.join(top, source[:-3] + ".o") for source in sources])
    return image, profile_of(image)


def profile_of(image):
    """Runs a -pg program where it lies and returns its profile."""
    directory = image + ".run"
    os.makedirs(directory, exist_ok=True)
    subprocess.run([image], cwd=directory, check=False, stdout=subprocess.DEVNULL)
    return os.path.join(directory, "gmon.out")
