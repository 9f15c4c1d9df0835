#!/usr/bin/env python3
"""Draws call graphs and maps of object files at random and compares the suggested orders with the
reference's.

Usage: random_order.py [--draws N] [--seed S] [--only NUMBER]

The reference may print a function twice, or omit one (difference 20); then its order without
repetitions must
equal ours without the functions that it omits, and the number of such draws is printed.  A
difference names its
draw: `--seed S --only NUMBER' repeats it, and KEEP=1 leaves its files behind.

With a map of several functions per object file, the reference reads uninitialised memory, and may
treat some of
them as separate files.  It is run with memory filled with a value that avoids this.  With -k, it
assigns excluded
calls to other functions, and may not end (difference 8): then the test only checks that we print
everything once.
RANDOM_ORDERS in the environment overrides the number of draws.
"""

import sys

sys.dont_write_bytecode = True

import os

from lib import drawing, draws, elf, harness, reference
from lib.harness import TEMP

START, SIZE = 0x1000, 16

# ---- Graphs: lists of (caller, callee, count); functions are numbers ----


def _few(rng):
    return rng.choice([1, 1, 1, 2, 3, 5, 10, 100])


LARGEST = 2**32 - 1  # largest count of a record


def _huge(rng):
    """Counts of which two add up to more than 32 bits."""
    return rng.choice([1, 2**31, LARGEST - 1, LARGEST])


def _wide(rng):
    return int(10 ** rng.uniform(0, 6))


def _counts(rng):
    return rng.choice(
        [_few, _wide, lambda _: 1, lambda r: r.randint(0, 4), lambda r: r.randint(1, 1000), _huge]
    )


def graph_uniform(rng, n, count):
    return [(rng.randrange(n), rng.randrange(n), count(rng)) for _ in range(rng.randint(1, 4) * n)]


def graph_hubs(rng, n, count):
    """Some functions are called by many."""
    hubs = rng.sample(range(n), max(1, n // rng.choice([8, 20, 60])))
    arcs = []
    for _ in range(rng.randint(1, 5) * n):
        ends = [rng.randrange(n), rng.choice(hubs)]
        if rng.random() < 0.2:
            ends.reverse()
        arcs.append((ends[0], ends[1], count(rng)))
    return arcs


def graph_hubs_alone(rng, n, count):
    """Functions that are called by many also call each other often."""
    hubs = rng.sample(range(n), min(n, max(2, n // 40)))
    arcs = graph_hubs(rng, n, count)
    for _ in range(4 * len(hubs)):
        arcs.append((rng.choice(hubs), rng.choice(hubs), 50 * count(rng)))
    return arcs


def graph_five(rng, n, count):
    """The most used functions have about five frequent callers, which may have no callers."""
    arcs, same = [], rng.choice([3, 100])
    for callee in rng.sample(range(n), max(1, n // rng.choice([3, 10, 30]))):
        for _ in range(rng.choice([4, 5, 5, 5, 6, 9])):
            arcs.append((rng.randrange(n), callee, same))
    return arcs + [
        (rng.randrange(n), rng.randrange(n), 1) for _ in range(rng.choice([0, n // 2, n]))
    ]


def graph_chain(rng, n, count):
    members = rng.sample(range(n), n)
    return [(a, b, count(rng)) for a, b in zip(members, members[1:])] + graph_uniform(
        rng, max(1, n // 4), count
    )


def graph_tree(rng, n, count):
    return [(rng.randrange(i), i, count(rng)) for i in range(1, n) if rng.random() < 0.9]


def graph_pairs(rng, n, count):
    """Hardly any function has two neighbours."""
    members = rng.sample(range(n), n)
    return [(a, b, count(rng)) for a, b in zip(members[::2], members[1::2]) if rng.random() < 0.8]


def graph_callers_only(rng, n, count):
    """Many of the callers are never called."""
    half = max(1, n // 2)
    return [(rng.randrange(n), rng.randrange(half), count(rng)) for _ in range(3 * n)]


GRAPHS = [
    graph_uniform,
    graph_hubs,
    graph_hubs_alone,
    graph_five,
    graph_chain,
    graph_tree,
    graph_pairs,
    graph_callers_only,
]
SIZES = [1, 2, 5, 12, 40, 120, 170, 250, 500, 900, 1700]

# ---- Images, profiles, maps ----


def write_image(path, n):
    image = elf.Image()
    for i in range(n + 1):
        name = b"zz_padding" if i == n else b"f%d" % i
        image.symbols.append((name, i * SIZE, SIZE, False, True))
    image.text = bytearray(n * SIZE + 0x10000)
    with open(path, "wb") as file:
        file.write(image.bytes())


def write_profile(path, n, arcs):
    end = START + SIZE * n
    lines = ["histogram %#x %#x %d\n" % (START, end, SIZE * n // 4), "bins 1 0 2 5\n"]
    for a, b, count in arcs:
        ends = START + SIZE * a + 1, START + SIZE * b
        lines += ["arc %#x %#x %d\n" % (*ends, LARGEST)] * (count // LARGEST)
        lines.append("arc %#x %#x %d\n" % (*ends, count % LARGEST))
    drawing.write_profile(path, "".join(lines))


def write_map(path, rng, n):
    """Sequences of functions make objects; some functions are in no object, and some objects have
    no function."""
    lines, function = [], 0
    while function < n:
        run = rng.choice([1, 1, 2, 3, 8])
        name = "o%d.o" % (rng.randrange(n) if rng.random() < 0.1 else 1000 + function)
        first = "nowhere%d" % rng.randrange(n) if rng.random() < 0.1 else "f%d" % rng.randrange(n)
        if rng.random() < 0.7:
            first = "f%d" % function
        for member in [first] + ["f%d" % i for i in range(function + 1, min(n, function + run))]:
            lines.append(
                "%s:%016x %s %s\n" % (name, START + SIZE * function, rng.choice("TTtWD"), member)
            )
        function += run
    if rng.random() < 0.3:
        rng.shuffle(lines)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(lines)


# ---- Comparing ----


def all_functions(n):
    return sorted(["f%d" % i for i in range(n)] + ["zz_padding"])


def compare_functions(ours, theirs, n):
    """(what is wrong, whether the reference repeats or omits functions) of two orders of
    functions."""
    if ours == theirs:
        return "", False
    own, other = ours.decode().split(), theirs.decode().split()
    if sorted(own) != all_functions(n):
        return "ours is not every function once", False
    told = list(dict.fromkeys(other))
    same = [name for name in own if name in set(told)] == told
    is_odd = len(told) < len(other) or len(told) < len(own)
    is_fine = same and is_odd and len(own) - len(told) <= 1
    return "" if is_fine else harness.diff(theirs, ours), is_odd


def check_without(number, n, rng, arguments):
    """What is wrong with an order without some call (-k)."""
    pair = "f%d/f%d" % (rng.randrange(n), rng.randrange(n))
    status, out, err = harness.run([harness.GPROF, "-k", pair] + arguments)
    if status != 0:
        return "status %d\n%s" % (status, err.decode())
    if number % 2 == 0 and sorted(out.decode().split()) != all_functions(n):
        return "-k %s: not every function once" % pair
    return ""


def compare(rng, base, number, n):
    """(what is wrong, whether the reference repeats or omits functions) of a draw of N
    functions."""
    options = ["-r"] if number % 2 == 0 else ["-R", base + ".map"]
    if number % 2 == 1 and rng.random() < 0.1:
        options += ["-p", "-q", "-z"]
    arguments = ["-b"] + options + [base, base + ".gmon"]
    ours = harness.run([harness.GPROF] + arguments)
    theirs = reference.run(arguments, env=harness.FILLED_MEMORY)
    if number % 2 == 0 and ours[0] == theirs[0] == 0:
        complaint, is_odd = compare_functions(ours[1], theirs[1], n)
    else:
        complaint, is_odd = harness.disagreement(ours, theirs), False
    if ours[0] == 0:
        complaint = complaint or check_without(number, n, rng, arguments)
    return complaint and "gprof %s\n%s" % (" ".join(arguments), complaint), is_odd


def check_draw(seed, number, _):
    rng = draws.generator("order", seed, number)
    n = rng.choice(SIZES)
    base = os.path.join(TEMP, "draw-%d" % number)
    write_image(base, n)
    graph = rng.choice(GRAPHS)
    write_profile(base + ".gmon", n, graph(rng, n, _counts(rng)))
    write_map(base + ".map", rng, n)
    complaint, is_odd = compare(rng, base, number, n)
    if complaint:
        complaint = "%s, %d functions, %s" % (graph.__name__, n, complaint)
    if not os.environ.get("KEEP"):
        for suffix in ("", ".gmon", ".map"):
            os.unlink(base + suffix)
    return draws.Result(complaint, "the reference repeats or leaves out" if is_odd else "")


def main():
    test = draws.Test(
        "RANDOM_ORDERS",
        harness.sized(150, 300),
        draws.each(check_draw),
        lambda n: ["functions", "object files"][n % 2],
    )
    return draws.main(test, needs_assembler=False)


if __name__ == "__main__":
    sys.exit(main())
