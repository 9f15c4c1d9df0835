"""Makes what the benchmark measures with: images and profiles of any size, and compiled programs.

Everything is made from the sizes and a fixed seed, so that two runs measure the same.
"""

import array
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


def graph_profile(path, functions, size, pairs, hits=None):
    """A profile of calls between the PAIRS of function numbers (in any iterable)."""
    rng = random.Random(functions)
    profile = Profile(path)
    profile.histogram(TEXT, samples(rng, size * functions // 4, hits or 2 * functions))
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


def profile_of(image):
    """Runs a -pg program where it lies and returns its profile."""
    directory = image + ".run"
    os.makedirs(directory, exist_ok=True)
    subprocess.run([image], cwd=directory, check=False, stdout=subprocess.DEVNULL)
    return os.path.join(directory, "gmon.out")
