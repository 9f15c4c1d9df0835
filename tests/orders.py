#!/usr/bin/env python3
"""Orders for linkers: --format=call-graph-order, symbol-order and section-order.

Orders of drawn graphs are those of a plain model of call-chain clustering.  Real programs are
linked with the orders of
made profiles: by lld, which must not warn, by GNU ld with --section-ordering-file if it has that
(2.43), and by GNU ld
with the lines in its default script; then nm has to list the functions in this order.  LD is the
GNU ld that is used.

With CHECK_LONG=1, more and larger graphs are drawn.
"""

import sys

sys.dont_write_bytecode = True

import collections
import os
import random
import re
import shlex

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write

PAGE, STEP, START = 4096, 16, 0x10000
FORMATS = ("call-graph-order", "symbol-order", "section-order")
KINDS = ("", "hot.", "startup.", "exit.", "unlikely.")


def place(name):
    return os.path.join(TEMP, name)


def order(format, *words):
    status, out, err = harness.run([harness.GPROF, "--quiet", "--format=" + format, *words], TEMP)
    if status != 0 or err:
        raise RuntimeError("%s: %s" % (" ".join(words), err.decode()))
    return out.decode().splitlines()


def make_profile(name, functions, arcs, samples):
    """FUNCTIONS are (address, size); ARCS (caller, callee, count), callers None for outside;
    SAMPLES by function."""
    low = min(address for address, _ in functions)
    end = max(address + size for address, size in functions)
    count = (end - low + STEP - 1) // STEP
    bins = {(functions[f][0] - low + STEP - 1) // STEP: number for f, number in samples.items()}
    records = [Histogram(low, low + STEP * count, count, bins)] if samples else []
    records += [
        ("arc", 0 if a is None else functions[a][0], functions[b][0], number)
        for a, b, number in arcs
    ]
    write(place(name), Profile(Layout(64, "little"), records).bytes())


# ---- Drawn graphs ----


def reach(arcs, start, may_be):
    """All names that calls lead to from START through names of which MAY_BE is true."""
    found = set(start)
    while True:
        more = {callee for caller, callee in arcs if caller in found and may_be(callee)} - found
        if not more:
            return found
        found |= more


class Model:
    """The order by names, worked out in the plainest way."""

    def __init__(self, names, sizes, arcs, samples):
        self.samples, self.calls, self.size, self.arcs = (collections.Counter() for _ in range(4))
        active = sorted(set(samples) | {f for a, b, _ in arcs for f in (a, b) if f is not None})
        self.names = list(dict.fromkeys(names[f] for f in active))
        for f in active:
            self.samples[names[f]] += samples.get(f, 0)
            self.size[names[f]] += sizes[f]
        for a, b, count in arcs:
            self.calls[names[b]] += count
            if a is not None and names[a] != names[b]:
                self.arcs[names[a], names[b]] += count
        pairs = {(a, b) for a, b, _ in arcs if a is not None and a != b}
        entered = {b for a, b, _ in arcs if a is None} | {
            f for f in active if f not in {b for _, b in pairs}
        }
        starters = {f for f in active if names[f].startswith("_GLOBAL__sub_I_")}
        is_other = lambda f: f not in starters
        later = reach(
            pairs, entered - starters | {f for f in active if names[f] == "main"}, is_other
        )
        start = reach(pairs, starters, is_other) - later
        self.first = {
            name for name in self.names if all(f in start for f in active if names[f] == name)
        }
        self.first |= {"main"} if not self.samples["main"] else set()
        self.order = self.cluster()

    def cluster(self):
        clusters = [[name] for name in self.names]
        for name in sorted(self.names, key=lambda name: (-self.samples[name], -self.calls[name])):
            callers = [
                (-count, self.names.index(a))
                for (a, b), count in self.arcs.items()
                if b == name and (a in self.first) == (name in self.first)
            ]
            own = next(cluster for cluster in clusters if name in cluster)
            if not callers:
                continue
            target = next(cluster for cluster in clusters if self.names[min(callers)[1]] in cluster)
            if target is own or sum(self.size[member] for member in target + own) > PAGE:
                continue
            clusters.remove(own)
            target += own
        density = lambda cluster, what: -sum(what[name] for name in cluster) / sum(
            self.size[name] for name in cluster
        )
        clusters.sort(key=lambda cluster: self.names.index(cluster[0]))
        clusters.sort(
            key=lambda cluster: (
                cluster[0] in self.first,
                density(cluster, self.samples),
                density(cluster, self.calls),
            )
        )
        return [name for cluster in clusters for name in cluster]


def draw(rng):
    """(names, sizes, arcs, samples) of a program."""
    count = rng.randint(1, harness.sized(40, 120))
    starters = rng.choice([0, 0, 1, 3])
    names = [
        "main" if i == 0 else "_GLOBAL__sub_I_%d" % i if i <= starters else "f%d" % i
        for i in range(count)
    ]
    for i in range(starters + 1, count):
        if rng.random() < 0.1:
            names[i] = "static_%d" % rng.randint(0, 3)
    rng.shuffle(names)
    sizes = [STEP * rng.choice([1, 2, 3, 10, 40, 100, 256, 300]) for _ in names]
    some = rng.choice([1, 5, 1000])
    arcs = {
        (rng.randrange(count), rng.randrange(count)): rng.randint(1, some)
        for _ in range(rng.choice([0, count, 3 * count]))
    }
    arcs = [(a, b, number) for (a, b), number in arcs.items()]
    arcs += [(None, rng.randrange(count), 1) for _ in range(rng.choice([0, 1, 4]))]
    samples = {
        f: rng.randint(1, some) for f in range(count) if rng.random() < rng.choice([0, 0.3, 1])
    }
    return names, sizes, arcs, samples


def check_draws(tap):
    wrong = []
    draws = harness.sized(150, 3000)
    for number in range(draws):
        names, sizes, arcs, samples = draw(random.Random("orders:%d" % number))
        lines = [
            "%s %s %d" % ("local" if name.startswith("static") else "function", name, size)
            for name, size in zip(names, sizes)
        ]
        write(
            place("drawn"),
            elf.parse("text %d\n" % START + "\n".join(lines) + "\nfunction end 0x10\n").bytes(),
        )
        functions = [(START + sum(sizes[:i]), size) for i, size in enumerate(sizes)]
        make_profile("drawn.gmon", functions, arcs, samples or {0: 0})
        model = Model(names, sizes, arcs, samples)
        status, out, err = harness.run(
            [harness.GPROF, "--quiet", "--format=symbol-order", "drawn", "drawn.gmon"], TEMP
        )
        if status != 0 or out.decode().splitlines() != model.order:
            wrong.append(
                "draw %d: %s instead of %s %s"
                % (number, out.decode().split(), model.order, err.decode())
            )
        found = sorted(
            harness.run(
                [harness.GPROF, "--quiet", "--format=call-graph-order", "drawn", "drawn.gmon"], TEMP
            )[1]
            .decode()
            .splitlines()
        )
        if found != sorted("%s %s %d" % (a, b, weight) for (a, b), weight in model.arcs.items()):
            wrong.append("draw %d: arcs: %s" % (number, found))
    tap.ok(not wrong, "%d drawn graphs: the order of the model" % draws, wrong[:3])


# ---- Names ----

NAMES = r"""text 0x10000
function _start 0x20
local deregister_tm_clones 0x20
function _init 0x20
function main 0x20
function f 0x20
alias f_again
local f.cold 0x20
local f.constprop.0 0x20
local twin 0x20
local twin 0x20
function idle 0x20
label marker 0x20
function "na\xc3\xafve" 0x20
label etext 0x10
"""


def check_names(tap):
    write(place("names"), elf.parse(NAMES).bytes())
    functions = [(START + 0x20 * i, 0x20) for i in range(13)]
    arcs = [
        (0, 3, 1),
        (3, 4, 9),
        (5, 6, 2),
        (4, 7, 3),
        (3, 8, 4),
        (10, 4, 1),
        (1, 4, 1),
        (3, 11, 1),
        (3, 12, 1),
        (2, 3, 1),
        (7, 8, 1),
    ]
    make_profile("names.gmon", functions, arcs, {})
    expected = ["main f 9", "f twin 3", "main twin 4", "main naïve 2", "f.cold f.constprop.0 2"]
    found = order("call-graph-order", "names", "names.gmon")
    tap.ok(sorted(found) == sorted(expected), "arcs of functions, each pair once", found)
    found = order("symbol-order", "names", "names.gmon")
    tap.ok(
        sorted(found) == sorted(["f", "twin", "f.cold", "f.constprop.0", "naïve", "main"]),
        "names, each once",
        found,
    )
    tap.ok(
        found[-1] == "main" and found.index("f") + 1 == found.index("twin"),
        "a callee behind its caller, main at the end",
        found,
    )
    lines = order("section-order", "names", "names.gmon")
    sections = []
    for name in found:
        names = ["f", "f_again"] if name == "f" else [name]
        kinds = KINDS[:-1] if name == "f" else KINDS
        form = '*(".text.%s%s")' if name == "na\u00efve" else "*(.text.%s%s)"
        sections += (
            ["*(.text.unlikely.f)"]
            if name == "f.cold"
            else [form % (kind, each) for each in names for kind in kinds]
        )
    tap.ok(
        lines == [".text : {"] + sections + ["}"],
        "their sections, with all names of the code",
        lines,
    )


# ---- Kinds of profiles ----


def check_kinds(tap):
    write(
        place("folded"), b"main;parse;lex 40\nmain;parse 5\nmain;emit 7\nmain;parse;parse;lex 2\n"
    )
    found = order("call-graph-order", "folded")
    tap.ok(
        sorted(found) == ["main emit 7", "main parse 47", "parse lex 42"],
        "another profiler's stacks: samples",
        found,
    )
    found = order("symbol-order", "folded")
    tap.ok(found == ["parse", "lex", "emit", "main"], "and their order", found)
    write(
        place("called"), b"events: Ir\nfn=main\n1 10\ncfn=work\ncalls=6 1\n1 900\nfn=work\n5 900\n"
    )
    found = order("call-graph-order", "called")
    tap.ok(found == ["main work 6"], "another profiler's counts: calls", found)
    write(
        place("image"),
        elf.parse(
            "text 0x10000\nfunction main 0x20\nfunction f 0x20\nfunction g 0x20\nfunction end"
            " 0x10\n"
        ).bytes(),
    )
    make_profile("sampled", [(START + 0x20 * i, 0x20) for i in range(4)], [], {1: 5, 2: 3})
    found = order("symbol-order", "image", "sampled")
    tap.ok(found == ["f", "g"], "samples alone", found)
    status, out, err = harness.run(
        [harness.GPROF, "--format=call-graph-order", "image", "sampled"], TEMP
    )
    tap.ok(
        status == 0 and not out and b"no call of one function by another is known" in err,
        "which are no calls",
        out + err,
    )
    stacks = (
        b"# regmon stacks 3\n# rate 100\n# histogram 10000 10080 8\n# program 0"
        b" image\n0:10008;0:10028 5\n0:10008;0:10028;0:10048 3\n# samples 8\n"
    )
    write(place("sampled.stacks"), stacks)
    found = order("call-graph-order", "image", "sampled")
    tap.ok(sorted(found) == ["f g 3", "main f 8"], "recorded stacks: samples through arcs", found)
    found = order("symbol-order", "image", "sampled")
    tap.ok(found == ["f", "g", "main"], "and their order", found)
    make_profile(
        "counted",
        [(START + 0x20 * i, 0x20) for i in range(4)],
        [(0, 1, 70), (1, 2, 900)],
        {1: 5, 2: 3},
    )
    write(place("counted.stacks"), stacks)
    found = order("call-graph-order", "image", "counted")
    tap.ok(sorted(found) == ["f g 900", "main f 70"], "recorded stacks and counts: counts", found)


# ---- Linkers ----

HEADER = """
#include <vector>
#define KEEP __attribute__((noinline))
struct Base { int n; Base(int); virtual ~Base(); virtual int get() const; };
struct Item { std::vector<int> all; KEEP Item(int n) : all(n) { if (n > 50) throw n; } };
static KEEP int helper(int x) { return x * 3 + 1; }
inline KEEP int work(int n) { return helper(n) + n; }
template <class T> KEEP int sum(T n) {
    std::vector<T> v;
    for (T i = 0; i < n; i++) v.push_back(i);
    if (v.empty()) throw 3; return (int)v.size(); }
int other(int);
"""
SOURCES = {
    "one.cc": """
#include "all.h"
KEEP static int dup(int x) { return x ^ 5; }
int na\\u00efve(int x) { return x + 1; }
KEEP static int part(int x, int y) { return x % 7 + y; }
static Item item(9);
Base::Base(int x) : n(x) {}
Base::~Base() {}
int Base::get() const { return n; }
__attribute__((hot)) int hot(int x) { return x + 9; }
__attribute__((cold)) int cold(int x) { return x + 11; }
__attribute__((constructor)) static void begin() { item.all.push_back(1); }
__attribute__((destructor)) static void finish() { item.all.clear(); }
int unused(int x) { return x + 1; }
int main(int c, char **) {
    Base b(2); Item t(c);
    int r = (int)item.all.size();
    for (int i = 0; i < 9; i++)
        r += work(i) + sum(i + 1) + dup(i) + hot(i) + cold(i) + part(i, 4);
    return (r + other(c) + b.get()) == 0; }
""",
    "two.cc": """
#include "all.h"
KEEP static int dup(int x) { return x ^ 7; }
static Item item(8);
int other(int c) {
    Base b(3); Item t(c);
    int r = (int)item.all.size();
    for (int i = 0; i < 9; i++)
        r += work(i) + sum((long)i + 1) + sum(i + 1) + dup(i);
    return r + b.get(); }
""",
}
FLAGS = {"-O2": [], "-O3": [], "-O1 -fno-pie -no-pie": [], "-O2 -static": []}


def link(name, compiler, flags, *more):
    """Links the objects; returns (status, messages)."""
    status, _, err = harness.run(compiler + flags + ["-o", name, "one.o", "two.o", *more], TEMP)
    return status, err.decode()


def functions_of(name):
    """{name: its addresses} of the functions of a program."""
    found = collections.defaultdict(list)
    for line in harness.must_run(["nm", name], TEMP).decode().splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tTwW":
            found[words[2]].append(int(words[0], 16))
    return found


def make_calls(name):
    """A profile in which each function of the objects is called."""
    found = functions_of(name)
    own = [
        n
        for n in {**functions_of("one.o"), **functions_of("two.o")}
        if n in found and "unused" not in n
    ]
    functions = sorted({(address, STEP) for n in own for address in found[n]})
    rng = random.Random(name)
    main = functions.index((found["main"][0], STEP))
    helper = [i for i, (address, _) in enumerate(functions) if address in found["_ZL6helperi"]]
    work = [i for i, (address, _) in enumerate(functions) if address in found["_Z4worki"]]
    arcs = [
        (main, i, rng.randint(1, 50))
        for i in range(len(functions))
        if i != main and i not in helper
    ] + [(w, h, 7) for w in work for h in helper]
    arcs += [
        (rng.randrange(len(functions)), i, rng.randint(1, 60))
        for i in range(len(functions))
        if i not in helper + [main]
    ]
    make_profile(name + ".gmon", functions, arcs, {})
    return own


def is_in_order(name, names):
    """Whether the code of the program has these functions in this order, each with all its
    copies."""
    found = functions_of(name)
    addresses = [address for n in names for address in sorted(found[n])]
    return addresses == sorted(addresses) and len(addresses) >= len(names)


def default_script(linker, flags, lines):
    """The linker's script, with LINES first in .text."""
    plain = ["-no-pie"] if "-no-pie" in flags or "-static" in flags else ["-pie"]
    text = harness.must_run(linker + plain + ["--verbose"]).decode().split("=" * 50)[1].lstrip("=")
    before, start, after = re.split(r"(\n  \.text +:\n  \{)", text)
    return before + start + "\n" + "\n".join(lines) + after


def linker_directory(linker):
    """A directory for -B, whose ld is LINKER."""
    os.makedirs(place("linker"), exist_ok=True)
    write(place("linker/ld"), b'#!/bin/sh\nexec %s "$@"\n' % shlex.join(linker).encode())
    os.chmod(place("linker/ld"), 0o755)
    return place("linker")


def check_linkers(tap):
    compiler, lld, linker = (
        harness.tool("CXX", "c++"),
        harness.tool("LLD", "ld.lld"),
        harness.tool("LD", "ld"),
    )
    if not compiler or not linker:
        return tap.skip("linkers", "no compiler for C++, or no linker")
    has_option = b"--section-ordering-file" in harness.run(linker + ["--help"])[1]
    write(place("all.h"), HEADER.encode())
    for name, text in SOURCES.items():
        write(place(name), text.encode())
    for words in FLAGS:
        flags = words.split()
        for name in SOURCES:
            harness.must_run(compiler + flags + ["-ffunction-sections", "-c", name], TEMP)
        status, err = link("program", compiler, flags, "-Wl,-z,norelro")
        if status != 0:
            tap.skip("linking: " + words, err[:200])
            continue
        found = functions_of("program")
        functions = [(found[name][0], STEP) for name in ("main", "_Z5otheri", "_ZL5beginv")]
        make_profile("start.gmon", functions, [(None, 0, 1), (0, 1, 5), (None, 2, 1)], {})
        lines = order("symbol-order", "program", "start.gmon")
        tap.ok(
            lines[0] == "_Z5otheri" and sorted(lines[1:]) == ["_ZL5beginv", "main"],
            "constructors are those that the program lists: " + words,
            lines,
        )
        own = make_calls("program")
        orders = {format: order(format, "program", "program.gmon") for format in FORMATS}
        for format, lines in orders.items():
            write(place(format), "".join(line + "\n" for line in lines).encode())
        names = orders["symbol-order"]
        shared = [name for name in ("_ZL6helperi",) if name not in names]
        tap.ok(
            len(names) > 10 and set(names) <= set(own) and len(set(names)) == len(names) and shared,
            "functions that ran, each once: " + words,
            names,
        )
        tap.ok(
            "main" in names[-4:] and names[-1] != "_start",
            "what runs at the start is at the end: " + words,
            names,
        )
        if lld:
            for format, option in (
                ("symbol-order", "--symbol-ordering-file"),
                ("call-graph-order", "--call-graph-ordering-file"),
            ):
                status, err = link(
                    "by-lld",
                    compiler,
                    flags,
                    "-fuse-ld=lld",
                    "-Wl,--error-limit=0",
                    "-Wl,%s=%s" % (option, format),
                )
                tap.ok(
                    status == 0 and not err,
                    "lld links by %s, and says nothing: %s" % (format, words),
                    err,
                )
                if format == "symbol-order":
                    tap.ok(
                        is_in_order("by-lld", names),
                        "and has this order: " + words,
                        functions_of("by-lld"),
                    )
        else:
            tap.skip("lld: " + words, "no lld")
        within = compiler + ["-B" + linker_directory(linker)]
        by_sections = [name for name in names if ".cold" not in name]
        write(
            place("script"), default_script(linker, flags, orders["section-order"][1:-1]).encode()
        )
        status, err = link("by-script", within, flags, "-Wl,-T,script")
        tap.ok(
            status == 0 and not err and is_in_order("by-script", by_sections),
            "GNU ld, lines in its script: " + words,
            err + str(functions_of("by-script")),
        )
        if not has_option:
            tap.skip("GNU ld, --section-ordering-file: " + words, "it is older than 2.43")
            continue
        status, err = link("by-ld", within, flags, "-Wl,--section-ordering-file=section-order")
        tap.ok(
            status == 0 and not err and is_in_order("by-ld", by_sections),
            "GNU ld, --section-ordering-file: " + words,
            err + str(functions_of("by-ld")),
        )


GROUP = """
        .section .text.shared,"axG",%%progbits,shared,comdat
        .weak shared
        .type shared, %%function
shared: .skip 32
        .section .text.inner,"axG",%%progbits,shared,comdat
        .type inner, %%function
inner:  .skip 32
        .type twin, %%function
twin:   .skip 32
        .section .text.unlikely.shared,"axG",%%progbits,shared,comdat
        .type shared.cold, %%function
shared.cold: .skip 32
        .section .text.own%d,"ax",%%progbits
        .type own, %%function
own:    .skip 32
        .globl global%d
        .type global%d, %%function
global%d: .skip 32
"""
ALONE = """
        .section .text.twin,"ax",%progbits
        .type twin, %function
twin:   .skip 32
"""


def check_groups(tap):
    """Linkers keep one copy of a group, and lld warns of the names of static functions in the
    others."""
    assembler, lld = harness.tool("AS", "as"), harness.tool("LLD", "ld.lld")
    if not assembler or not lld:
        return tap.skip("groups", "no assembler, or no lld")
    objects = []
    for name, text in (("1", GROUP % (1, 1, 1, 1)), ("2", GROUP % (2, 2, 2, 2)), ("3", ALONE)):
        write(place("group%s.s" % name), text.encode())
        objects.append("group%s.o" % name)
        harness.must_run(assembler + ["-o", objects[-1], "group%s.s" % name], TEMP)
    harness.must_run(lld + ["-e", "global1", "-o", "groups", *objects], TEMP)
    found = functions_of("groups")
    names = ["shared", "inner", "shared.cold", "global1", "global2", "own", "own", "twin", "twin"]
    functions = [(found[name][names[:i].count(name)], 32) for i, name in enumerate(names)]
    calls = [(3, 0, 5), (0, 1, 4), (2, 4, 3), (3, 5, 2), (4, 6, 2)]
    for what, more, expected in (
        (
            "both of two are called",
            [(3, 7, 1), (4, 8, 1)],
            ["global1", "global2", "own", "shared", "twin"],
        ),
        ("one of two is not called", [(3, 8, 1)], ["global1", "global2", "own", "shared"]),
        (
            "one of two is called by the group",
            [(3, 8, 1), (0, 7, 1)],
            ["global1", "global2", "own", "shared"],
        ),
    ):
        make_profile("groups.gmon", functions, calls + more, {})
        lines = order("symbol-order", "groups", "groups.gmon")
        tap.ok(
            sorted(lines) == expected,
            "lld's order has no function that may be in a group: " + what,
            lines,
        )
        sections = order("section-order", "groups", "groups.gmon")
        tap.ok(
            "*(.text.inner)" in sections and "*(.text.twin)" in sections,
            "GNU ld's order has them: " + what,
            sections,
        )
    for format, option in (("symbol-order", "symbol"), ("call-graph-order", "call-graph")):
        lines = order(format, "groups", "groups.gmon")
        write(place(format), "".join(line + "\n" for line in lines).encode())
        status, _, err = harness.run(
            lld
            + [
                "-e",
                "global1",
                "-o",
                "again",
                "--%s-ordering-file=%s" % (option, format),
                *objects,
            ],
            TEMP,
        )
        tap.ok(status == 0 and not err and lines, "and lld does not warn: " + format, err)


def main():
    tap = harness.Tap()
    check_names(tap)
    check_kinds(tap)
    check_draws(tap)
    check_groups(tap)
    check_linkers(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
