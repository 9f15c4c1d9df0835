#!/usr/bin/env python3
"""--stacks: reports of files of stacks whose figures are known, against the definitions, and
damaged files."""

import sys

sys.dont_write_bytecode = True

import collections
import csv
import gzip
import io
import json
import os
import random
import re
import shutil
import tempfile

import exports
from lib import elf, gmonfile, harness, stack_model, zstd
from lib.gmonfile import Histogram, Layout, Profile, checksum
from lib.harness import TEMP, write

START, SIZE = 0x1000, 0x40
NAMES = ["main", "work", "leaf", "never"]
ADDRESS = {name: START + i * SIZE for i, name in enumerate(NAMES)}
OBJECTS = {"libc.so.6": 7, "/lib/libregmon.so.0": 8}
# At 1,000 samples a second; a return address may be the first of the next function.
STACKS = [
    ([("main", 8), ("work", 4), ("leaf", 0)], 30),
    ([("main", 8), ("work", SIZE), ("leaf", 2)], 5),
    ([("main", 8), ("work", 4), ("work", 4), ("work", 0x3F)], 10),
    ([("main", 8), ("libc.so.6", 0x500)], 7),
    ([("libc.so.6", 0x100), ("main", 0)], 2),
]
TOTALS = {"main": 0.054, "work": 0.045, "leaf": 0.035, "never": 0.0, "[libc.so.6]": 0.007}


TOP = """\
self%   self  error   total%  total  total-error  calls  name
59.32  0.035  0.006    59.32  0.035       0.006       9  leaf
16.95  0.010  0.003    76.27  0.045       0.007       9  work
11.86  0.007  0.003?   11.86  0.007       0.003?         [libc.so.6]
 8.47  0.005  0.002?    8.47  0.005       0.002?         <unknown>
 3.39  0.002  0.001?   91.53  0.054       0.007          main

5 of 5 functions, 100.0 % of 0.06 seconds
self is the time in a function itself, total with all that it calls, in seconds
error is one standard error of sampling, and runs differ by more (--per-file); ? marks fewer than 10 samples
total is measured by recorded call stacks, and total-error is its error
0.05 of 0.06 s are in this program, 0.01 s in libc.so.6 (12 %), 0.01 s in <unknown> (8 %)
8.5 % of the stacks are cut: they begin with <unknown>
"""


def lines_of(stacks, rate=1000, extra="", origin=None):
    """ORIGIN: samples of the histogram of the profile beside it, and the build id; None: the file
    does not say."""
    lines = ["# regmon stacks 3", "# rate %d" % rate]
    if origin:
        samples, build_id = origin
        lines += ["# build-id %s" % build_id] * (build_id is not None)
        lines += [
            "# histogram %x %x %d" % (START, START + len(NAMES) * SIZE, samples),
            checksum(histogram_of(samples)),
            "# cpu-time 12345678",
        ]
    lines.append("# program 2 image")
    lines += ["# object %d %s" % (number, name) for name, number in OBJECTS.items()]
    for frames, samples in stacks:
        words = [
            (
                "?"
                if f == "?"
                else "%d:%x" % ((2, ADDRESS[f] + at) if f in ADDRESS else (OBJECTS[f], at))
            )
            for f, at in frames
        ]
        lines.append("%s %d" % (";".join(words), samples))
    if origin:
        lines += ["# counting 0", "# samples %d" % sum(samples for _, samples in stacks)]
    return "\n".join(lines) + "\n" + extra


def histogram_of(samples):
    return Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 2, {SIZE: samples}, 100)


def profile_of(samples):
    records = [
        histogram_of(samples),
        ("arc", START + 8, ADDRESS["work"], 9),
        ("arc", ADDRESS["work"] + 4, ADDRESS["leaf"], 9),
    ]
    return Profile(Layout(64, "little"), records).bytes()


def make():
    text = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in NAMES]
    write(os.path.join(TEMP, "image"), elf.parse("\n".join(text) + "\n").bytes())
    write(os.path.join(TEMP, "gmon.out"), profile_of(4))


def run(text, *words):
    write(os.path.join(TEMP, "stacks"), text.encode() if isinstance(text, str) else text)
    command = (
        [harness.GPROF, "--quiet", "--top", "--stacks=stacks"] + list(words) + ["image", "gmon.out"]
    )
    status, out, err = harness.run(command, TEMP)
    return status, out.decode(errors="replace"), err.decode(errors="replace")


def noted(text):
    """With notes."""
    write(os.path.join(TEMP, "stacks"), text.encode())
    status, out, err = harness.run(
        [harness.GPROF, "--top", "--stacks=stacks", "image", "gmon.out"], TEMP
    )
    return status, out.decode(), err.decode()


def totals(text):
    status, out, err = run(text, "-z", "--format=csv", "--columns=name,total")
    rows = list(csv.reader(io.StringIO(out)))[1:]
    return {name: float(value) for name, value in rows} if status == 0 else err


def is_near(found, expected):
    return (
        isinstance(found, dict)
        and found.keys() == expected.keys()
        and all(abs(found[n] - expected[n]) < 1e-9 for n in expected)
    )


def test_figures(tap):
    found = totals(lines_of(STACKS))
    tap.ok(is_near(found, TOTALS), "a function counts once in a stack", found)
    found = totals(lines_of(STACKS[::-1] + STACKS))
    tap.ok(
        is_near(found, {name: 2 * value for name, value in TOTALS.items()}),
        "stacks that repeat add up",
        found,
    )
    found = totals(lines_of(STACKS, 500))
    tap.ok(
        is_near(found, {name: 2 * value for name, value in TOTALS.items()}),
        "the rate is that of the file",
        found,
    )
    status, out, err = run(
        lines_of(STACKS), "--format=csv", "--columns=callers,callees,name", "--sort=name"
    )
    tap.ok(
        out.splitlines()[1:] == ["1,0,[libc.so.6]", "1,0,leaf", "0,2,main", "1,1,work"],
        "callers and callees in stacks count",
        out + err,
    )
    status, out, err = run(lines_of(STACKS, extra="? 5\n\n# more\n"))
    tap.ok(status == 0 and out == TOP and err == "", "the table", out + err)
    other = (
        "# object 7 libm.so.6\n2:1008;7:500 3\n2:1008;7:500 4\n# object 7"
        " libc.so.6\n2:1008;7:500;2:1044;2:1080 1\n2:1008;7:500;2:1044;2:1081"
        " 1\n2:1008;7:500;2:1045;2:1081 1\n2:1008 2\n"
    )
    out = export(lines_of([], extra=other), "--format=folded")[0].decode()
    wanted = ["main 2", "main;[libc.so.6];work;leaf 3", "main;[libm.so.6] 7"]
    tap.ok(
        sorted(out.replace("[sampled stacks];", "").splitlines()) == wanted,
        "stacks that begin alike, and numbers that change",
        out,
    )


FOLDED = """\
[sampled stacks];main 2
[sampled stacks];main;work;leaf 35
[sampled stacks];main;work;work;work 10
[sampled stacks];main;[libc.so.6] 7
"""


def export(text, *words):
    write(os.path.join(TEMP, "stacks"), text.encode())
    command = [harness.GPROF, "--quiet", "--stacks=stacks"] + list(words) + ["image", "gmon.out"]
    status, out, err = harness.run(command, TEMP)
    return (out, err) if status == 0 else (b"", err)


def test_formats(tap):
    out, err = export(lines_of(STACKS), "--format=folded")
    tap.ok(
        out.decode() == FOLDED and err == b"",
        "folded: the largest first",
        out.decode() + err.decode(),
    )
    out, err = export(lines_of(STACKS + [([("main", 8), ("never", 4)], 1)]), "--format=folded")
    tap.ok(
        b"main;never 1\n" in out,
        "folded: a function without calls and time",
        out.decode() + err.decode(),
    )
    nested = [
        (
            [
                ("main", 8),
                ("libc.so.6", 0x500),
                ("libc.so.6", 0x700),
                ("work", 4),
                ("work", 4),
                ("libc.so.6", 9),
                ("libc.so.6", 9),
            ],
            1,
        )
    ]
    out, err = export(lines_of(nested), "--format=folded")
    found = out.decode() + err.decode()
    tap.ok(
        found == "[sampled stacks];main;[libc.so.6];work;work;[libc.so.6] 1\n",
        "folded: neighbours of one object are one",
        found,
    )
    out, err = export(lines_of(STACKS), "--format=folded", "--focus=^leaf$")
    tap.ok(
        out.decode() == FOLDED.splitlines(True)[1], "folded: --focus", out.decode() + err.decode()
    )
    graph = lambda *words: exports.Callgrind(
        export(lines_of(STACKS), "--format=callgrind", *words)[0].decode()
    )
    found = graph("--focus=^leaf$")
    whole = {("main", "work"): 9, ("work", "leaf"): 9}
    tap.ok(
        found.own == {"main": 0, "work": 0, "leaf": 3500000} and found.counts == whole,
        "callgrind: --focus leaves numbers of calls",
        str((found.own, found.counts)),
    )
    found = graph("--hide=^work$")
    tap.ok(
        found.inclusive[("main", "leaf")] == 3500000 and found.own["main"] == 1200000,
        "callgrind: --hide: the caller has the time and the calls",
        str((found.own, found.inclusive)),
    )
    text = lines_of([([("main", 8), ("libc.so.6", 0x500)], 7), ([("main", 8)], 2)])
    found = exports.Callgrind(export(text, "--format=callgrind", "--focus=^leaf$")[0].decode())
    tap.ok(
        (found.own, found.counts) == ({"leaf": 0}, {}),
        "callgrind: --focus on a function without samples",
        str((found.own, found.counts)),
    )
    many = [([("main", 8), ("libc.so.6", 0x500 + i)], 1) for i in range(30000)] + [
        ([("work", 8)], 30000),
        ([("leaf", 1)], 1),
    ]
    out, err = export(lines_of(many), "--format=folded")
    expected = (
        "[sampled stacks];main;[libc.so.6] 30000\n[sampled stacks];work 30000\n[sampled"
        " stacks];leaf 1\n"
    )
    tap.ok(
        sorted(out.decode().splitlines()) == sorted(expected.splitlines()),
        "folded: small ones are kept",
        out.decode() + err.decode(),
    )
    for columns, expected in (
        ("total,total-error,error,name", (0.035, "\u00b1 0.006")),
        ("self,total-error,error,name", (0.035, "\u00b1 0.006")),
        ("total,error,name", (0.035, None)),
        ("self,total-error,name", (0.035, None)),
    ):
        out, err = export(lines_of(STACKS), "--format=benchmark", "--top=1", "--columns=" + columns)
        row = json.loads(out)[0]
        tap.ok(
            (row["value"], row.get("range")) == expected,
            "benchmark: the error is that of the value: " + columns,
            row,
        )
    out, err = export(lines_of(STACKS), "--format=speedscope")
    profile = json.loads(out)["profiles"][0]
    frames = [frame["name"] for frame in json.loads(out)["shared"]["frames"]]
    found = {
        ";".join(frames[f] for f in s): w for s, w in zip(profile["samples"], profile["weights"])
    }
    expected = {
        line.split(";", 1)[1].rsplit(" ", 1)[0]: int(line.split(" ")[-1]) / 1000
        for line in FOLDED.splitlines()
    }
    is_good = found.keys() == expected.keys() and all(
        abs(found[s] - expected[s]) < 1e-9 for s in found
    )
    tap.ok(
        is_good and "sampled stacks" in profile["name"], "speedscope: stacks and seconds", profile
    )
    out, err = export(lines_of(STACKS), "--format=pprof", "-o", "profile.pb.gz")
    data = gzip.decompress(harness.read(os.path.join(TEMP, "profile.pb.gz")))
    tap.ok(
        b"Sampled stacks" in data and b"estimated" not in data and b"[libc.so.6]" in data,
        "pprof says so",
        err,
    )
    go = shutil.which("go")
    if not go:
        tap.skip("pprof: its own reader", "no go")
        return
    status, out, err = harness.run(
        [go, "tool", "pprof", "-top", "-sample_index=samples", "profile.pb.gz"], TEMP
    )
    rows = dict(
        (r[1], int(r[0]))
        for r in re.findall(r"^ *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% +(\S+)", out.decode(), re.M)
    )
    tap.ok(
        rows == {"leaf": 35, "work": 10, "[libc.so.6]": 7, "main": 2},
        "pprof: its own reader",
        out.decode() + err.decode(),
    )


# ---- The call graph ----

COUNTING = "0.03 s in counting calls are left out: time small functions without -pg\n"

GRAPH = """\
\t\t\tCall graph, measured by 54 stacks


granularity: each stack counts for 1.85% of 0.05 seconds

index % time    self  children    called     name
                                                 <spontaneous>
[1]    100.0    0.00    0.05                 main [1]
                0.01    0.04       9/9           work [2]
                0.01    0.00       -             [libc.so.6] [4]
-----------------------------------------------
                0.01    0.04       9/9           main [1]
[2]     83.3    0.01    0.04       9         work [2]
                0.04    0.00       9/9           leaf [3]
-----------------------------------------------
                0.04    0.00       9/9           work [2]
[3]     64.8    0.04    0.00       9         leaf [3]
-----------------------------------------------
                0.01    0.00       -             main [1]
[4]     13.0    0.01    0.00                 [libc.so.6] [4]
-----------------------------------------------
"""
INDEX = """\
\f
Index by function name

   [4] [libc.so.6]             [1] main
   [3] leaf                    [2] work
"""
FLAT = """\
Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total           
 time   seconds   seconds    calls  ms/call  ms/call  name    
100.00      0.04     0.04        9     4.44     3.89  leaf
  0.00      0.04     0.00        9     0.00     5.00  work
"""


def report(text, *words, profile="gmon.out"):
    write(os.path.join(TEMP, "stacks"), text.encode())
    status, out, err = harness.run(
        [harness.GPROF, "--quiet", "--stacks=stacks"] + list(words) + ["image", profile], TEMP
    )
    return out.decode() if status == 0 else err.decode()


def test_graph(tap):
    text = lines_of(STACKS)
    out = report(text, "-b", "-q")
    tap.ok(out == GRAPH + INDEX, "-q", out)
    out = report(text, "-b", "-p")
    tap.ok(out == FLAT, "-p: own times of the histogram, totals of the stacks", out)
    both = report(text, "-b")
    tap.ok(both == FLAT + "\f\n" + GRAPH + INDEX, "both", both)
    recurring = [([("main", 8), ("never", 4), ("main", 8), ("leaf", 0)], 9)]
    out = report(lines_of(STACKS + recurring), "-b", "-q")
    tap.ok("0/0" not in out and "never [" in out, "-q: no line without calls and time", out)
    out = report(text, "-b", "-q", "-T")
    tap.ok(
        "\ncall graph, measured by 54 stacks\n\ngranularity: each stack" in "\n" + out,
        "-T says so",
        out,
    )
    out = report(text, "-q")
    tap.ok(
        "It is measured" in out and "as if every call took equally long" not in out,
        "the explanation says so",
        out,
    )
    out = report(text, "-b", "-q", "-e", "leaf")
    tap.ok("leaf (3)" in out and "\n[3]" not in out and "work [2]" in out, "-e", out)
    counting = [
        ([("main", 8), ("work", 4), ("/lib/libregmon.so.0", 0x10 * i)], 9) for i in range(3)
    ]
    out = report(lines_of(STACKS + counting), "-b", "-q")
    expected = GRAPH + COUNTING + INDEX
    tap.ok(out == expected, "what counting took is left out, and said", out)
    write(os.path.join(TEMP, "uncounted"), Profile(Layout(64, "little"), [histogram_of(4)]).bytes())
    for words in (["-q"], ["--top"], ["--tree"], ["--code"]):
        out = report(lines_of(STACKS + counting), "-b", *words, profile="uncounted")
        tap.ok(
            "counting calls" not in out, "no calls: counting took nothing: " + " ".join(words), out
        )
    out = report(lines_of(STACKS + counting), "--top", profile="uncounted")
    tap.ok("profiling took 50.0 % more CPU time" in out, "taking samples did", out)
    out = report(lines_of(STACKS + [([("?", 0), ("leaf", 2)], 6)]), "-b", "-q")
    said = "10.0 % of the stacks are cut: they begin with <unknown>\n"
    tap.ok(
        "                0.01    0.00       -             <unknown> [" in out and said in out,
        "stacks that are cut",
        out,
    )


OUTSIDE = """\
                0.01    0.02       1/1           <outside>
[1]    100.0    0.01    0.02       1         main [1]
                0.00    0.02       1/1           work [2]
-----------------------------------------------
                0.00    0.02       1/1           main [1]
[2]     66.7    0.00    0.02       1         work [2]
                0.01    0.01       -             [libc.so.6] [3]
-----------------------------------------------
                0.01    0.01       -             work [2]
[3]     66.7    0.01    0.01                 [libc.so.6] [3]
                0.01    0.00       3/3           leaf [4]
-----------------------------------------------
                0.01    0.00       3/3           [libc.so.6] [3]
[4]     33.3    0.01    0.00       3         leaf [4]
-----------------------------------------------
"""


def test_rounding(tap):
    """Files of three rates, in which functions recur: nothing is left of a difference of equal
    times."""
    place, wrong = Beside("rounding"), []
    names = NAMES[:3]
    for seed in range(harness.sized(10, 200)):
        rng, factor = random.Random(seed), 10**12 if seed % 2 else 1
        for rate in (1000, 300, 700):
            stacks = [
                ([(rng.choice(names), 4) for _ in range(rng.randint(1, 5))], rng.randint(1, 30))
                for _ in range(8)
            ]
            samples = sum(n for _, n in stacks)
            stacks = [(frames, n * factor + rng.randrange(factor)) for frames, n in stacks]
            histogram = Histogram(
                START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 2, {SIZE: samples}, rate
            )
            arc = ("arc", START + 8, ADDRESS["work"], 9)
            write(
                os.path.join(place.path, "r%d" % rate),
                Profile(Layout(64, "little"), [histogram, arc]).bytes(),
            )
            write(
                os.path.join(place.path, "r%d.stacks" % rate),
                lines_of(stacks, rate, origin=(samples, None)).encode(),
            )
        status, out, err = harness.run(
            [harness.GPROF, "--quiet", "--stacks", "-q", "image", "r1000", "r300", "r700"],
            place.path,
        )
        if status != 0 or b"measured by" not in out or b"-0.00" in out or b"counting calls" in out:
            wrong.append("%d: %s" % (seed, (out + err).decode()))
    tap.ok(not wrong, "no time is -0.00, and nothing was counted", wrong[:1])


def test_outside(tap):
    """Calls from outside were made by the object that stacks show, or they started the program."""
    arcs = [
        ("arc", 0, ADDRESS["main"], 1),
        ("arc", START + 8, ADDRESS["work"], 1),
        ("arc", 0, ADDRESS["leaf"], 3),
    ]
    write(os.path.join(TEMP, "outside.out"), Profile(Layout(64, "little"), arcs).bytes())
    start = [("libc.so.6", 0x100), ("main", 8)]
    work = start + [("work", 4), ("libc.so.6", 0x500)]
    out = report(
        lines_of([(work + [("leaf", 2)], 10), (work, 10), (start, 10)]),
        "-b",
        "-q",
        profile="outside.out",
    )
    entries = out.split("name\n", 1)[-1].split("\f")[0]
    tap.ok(entries == OUTSIDE, "calls from outside", out)
    several = [(work + [("leaf", 2)], 10), (start + [("?", 0), ("leaf", 2)], 10)]
    out = report(lines_of(several), "-b", "-q", profile="outside.out")
    tap.ok(
        "0.00    0.00       3/3           <outside>" in out,
        "by which of several objects is not known",
        out,
    )


# ---- The call graph by definition ----


def merged(frames):
    """The functions and objects of a stack, outermost first, but for libregmon and an object that
    starts a thread; None if
    it was taken while a call was counted."""
    is_counting = frames[-1][0].startswith("/lib/libregmon")
    names = [name for name, _ in frames if not name.startswith("/lib/libregmon")]
    kept = [n for i, n in enumerate(names) if i == 0 or n in ADDRESS or names[i - 1] != n]
    kept = kept[len(kept) > 1 and kept[0] in OBJECTS :]
    shown = {"libc.so.6": "[libc.so.6]", "?": "<unknown>"}
    return None if is_counting else [shown.get(n, n) for n in kept]


def add_line(lines, key, is_self, samples):
    line = lines.setdefault(key, [0, 0])
    line[not is_self] += samples


def define(stacks):
    """Own and children's samples of functions, of callers' lines and of callees' lines."""
    functions, callers, callees = {}, {}, {}
    for frames, samples in stacks:
        frames = merged(frames)
        if frames is None or samples == 0:
            continue
        for name in set(frames):
            first, last = frames.index(name), len(frames) - 1 - frames[::-1].index(name)
            add_line(functions, name, frames[-1] == name, samples)
            caller = frames[first - 1] if first > 0 else "<spontaneous>"
            add_line(callers, (caller, name), frames[-1] == name, samples)
            if last + 1 < len(frames):
                add_line(callees, (name, frames[last + 1]), frames[-1] == frames[last + 1], samples)
    return functions, callers, callees


LINE = re.compile(
    r"^(?:\[(?P<index>\d+)\] +(?P<share>[\d.]+))? +(?P<self>[\d.]+) +(?P<children>[\d.]+)(?: .*?)?"
    r" (?P<name>\S+)(?: \[\d+\])?$"
)


def parse_graph(text):
    """The times of the same three, as printed, but for lines without time; and each entry's
    share."""
    functions, callers, callees, shares = {}, {}, {}, {}
    for entry in text.split("name\n", 1)[1].split(
        "-----------------------------------------------\n"
    )[:-1]:
        lines = [LINE.match(line) for line in entry.splitlines()]
        at = next(i for i, line in enumerate(lines) if line and line["index"])
        own = lines[at]["name"]
        shares[own] = float(lines[at]["share"])
        for i, line in enumerate(lines):
            if line is None:  # `<spontaneous>' alone, or calls of itself
                continue
            times = [float(line["self"]), float(line["children"])]
            where, key = (
                (functions, own)
                if i == at
                else (callers, (line["name"], own)) if i < at else (callees, (own, line["name"]))
            )
            if times != [0, 0]:
                where[key] = times
    return functions, callers, callees, shares


def draw(drawn):
    stacks = []
    for _ in range(drawn.randint(1, 12)):
        names = [
            drawn.choice(NAMES if drawn.random() < 0.8 else sorted(OBJECTS)[:2])
            for _ in range(drawn.randint(1, 8))
        ]
        if drawn.random() < 0.1:
            names.insert(0, "?")
        stacks.append(([(name, drawn.randrange(4, 0x30)) for name in names], drawn.randrange(500)))
    return stacks


def differs(stacks, text):
    """How a printed call graph differs from the definitions, or None.  A caller that is not in a
    list was alone."""
    functions, callers, callees, shares = parse_graph(text)
    expected = define(stacks)
    total = sum(n for frames, n in stacks if merged(frames) is not None)
    in_seconds = lambda lines: {key: [n / 100 for n in line] for key, line in lines.items()}
    for what, shown, defined in zip(
        ("function", "caller", "callee"), (functions, callers, callees), map(in_seconds, expected)
    ):
        for key in shown.keys() | defined.keys():
            alone = what == "caller" and key[0] == "<spontaneous>" and key not in shown
            if not alone and any(
                abs(a - b) > 0.0051
                for a, b in zip(shown.get(key, [0, 0]), defined.get(key, [0, 0]))
            ):
                return "%s %r: %r, by definition %r" % (what, key, shown.get(key), defined.get(key))
    for name, line in expected[0].items():
        if abs(shares[name] - 100 * sum(line) / total) > 0.051:
            return "share of %s" % name
    return None


def differs_in_json(stacks, document):
    """How inclusive times of functions and of calls in JSON differ from the definitions, or
    None."""
    functions, _, callees = (
        {key: sum(line) / 100 for key, line in lines.items()} for lines in define(stacks)
    )
    names = [function["name"] for function in document["functions"]]
    shown = {function["name"]: function["total"] for function in document["functions"]}
    shown.update(
        {
            (names[arc["from"]], names[arc["to"]]): arc["self"] + arc["children"]
            for arc in document["arcs"]
        }
    )
    expected = {**functions, **callees}
    for key in shown.keys() | expected.keys():
        if abs(shown.get(key, 0) - expected.get(key, 0)) > 1e-9:
            return "JSON, %r: %r, by definition %r" % (key, shown.get(key), expected.get(key))
    return None


def test_definition(tap):
    drawn = random.Random(7)
    for _ in range(100):
        stacks = draw(drawn)
        if sum(n for frames, n in stacks if merged(frames) is not None) == 0:
            continue
        out = report(lines_of(stacks, 100), "-b", "-q")
        document = json.loads(export(lines_of(stacks, 100), "--format=json")[0])
        wrong = differs(stacks, out) or differs_in_json(stacks, document)
        expected = {name: sum(line) / 100 for name, line in define(stacks)[0].items()}
        found = totals(lines_of(stacks, 100))
        if not is_near({name: time for name, time in found.items() if time > 0}, expected):
            wrong = wrong or "the table: %r, by definition %r" % (found, expected)
        if wrong is not None or "<cycle" in out:
            tap.ok(False, "drawn stacks", "%s\n%s\n%s" % (wrong, lines_of(stacks), out))
            return
    tap.ok(
        True, "drawn stacks: every line of the call graph, of the table and of JSON by definition"
    )


# ---- Formats that show the call graph ----


def parse_callgrind(text):
    """Own times by function, and times by caller and callee, in hundredths of a second."""
    names, own, calls, now, callee = {}, {}, {}, None, None
    for line in text.split("ob=", 1)[1].splitlines()[1:]:
        if match := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line):
            name = names.setdefault(match[2], match[3])
            now, callee = (now, name) if match[1] == "cfn" else (name, None)
        elif match := re.fullmatch(r"\d+ (\d+)", line):
            if callee is None:
                own[now] = int(match[1]) / 1e6
            elif match[1] != "0":
                calls[now, callee] = int(match[1]) / 1e6
            callee = None
    return own, calls


def test_callgrind(tap):
    """Own time and callees add up to the total; callgrind_annotate adds up callers, so it needs
    other stacks."""
    drawn = random.Random(8)
    wrong = None
    for _ in range(30):
        stacks = draw(drawn)
        functions, _, callees = define(stacks)
        out, err = export(lines_of(stacks, 100), "--format=callgrind")
        own, calls = parse_callgrind(out.decode())
        sums = {
            f: own[f] + sum(n for (caller, _), n in calls.items() if caller == f) for f in functions
        }
        expected = {key: sum(line) for key, line in callees.items()}
        if calls != expected or sums != {f: sum(line) for f, line in functions.items()}:
            wrong = wrong or repr((calls, expected, sums)) + out.decode()
    tap.ok(wrong is None, "callgrind: callees' lines, and totals", wrong)
    if not shutil.which("callgrind_annotate"):
        tap.skip("callgrind: its own reader", "no valgrind")
        return
    stacks = [s for s in STACKS if len(set(name for name, _ in s[0])) == len(s[0])]
    totals = {name: sum(line) for name, line in define(stacks[:-1])[0].items()}
    export(lines_of(stacks[:-1], 100), "--format=callgrind", "-o", "callgrind.out")
    command = [
        "callgrind_annotate",
        "--inclusive=yes",
        "--threshold=100",
        "--auto=no",
        "callgrind.out",
    ]
    out = harness.run(command, TEMP)[1].decode()
    lines = re.findall(r"^ *([\d,]+) \([ \d.]+%\)  \?\?\?:(\S+)", out, re.M)
    found = {name: int(cost.replace(",", "")) / 1e6 for cost, name in lines}
    tap.ok(
        found == totals and "measured by sampled stacks" in out,
        "callgrind: its own reader",
        repr(totals) + out,
    )


def test_dot(tap):
    out, err = export(lines_of(STACKS), "--format=dot", "--min-share=0")
    text = out.decode()
    names = dict(re.findall(r'(n\d+) \[label="(\S+?)\\n', text))
    shares = {
        (names[a], names[b]): float(n)
        for a, b, n in re.findall(r'(n\d+) -> (n\d+) \[label="([\d.]+) %', text)
    }
    expected = {key: 100 * sum(line) / 54 for key, line in define(STACKS)[2].items()}
    is_good = shares.keys() == expected.keys() and all(
        abs(shares[k] - expected[k]) <= 0.051 for k in shares
    )
    tap.ok(
        is_good and "measured by sampled stacks" in text and "estimated" not in text,
        "dot",
        repr(shares) + repr(expected) + text,
    )


# ---- Files beside profiles ----

BESIDE = [([("main", 8), ("work", 4), ("leaf", 0)], 3), ([("main", 8), ("never", 4)], 2)]
MEASURED = "self%  self  error   total%  total  total-error  calls  name\n"
ESTIMATED = "self%  self  error   total  least   most   calls  name\n"


class Beside:
    """A directory with profiles, and files of stacks beside them."""

    def __init__(self, name):
        self.path = os.path.join(TEMP, name)
        os.mkdir(self.path)
        shutil.copy(os.path.join(TEMP, "image"), self.path)

    def profile(self, name, samples=4, pack=bytes):
        write(os.path.join(self.path, name), pack(profile_of(samples)))

    def stacks(self, name, samples=4, factor=1, build_id=None, pack=bytes):
        stacks = [(frames, n * factor) for frames, n in BESIDE]
        text = lines_of(stacks, 100, origin=(samples, build_id))
        write(os.path.join(self.path, name), pack(text.encode()))

    def both(self, *names):
        for name in names:
            self.profile(name)
            self.stacks(name + ".stacks")

    def gprof(self, *words):
        status, out, err = harness.run([harness.GPROF] + list(words), self.path)
        return status, out.decode(errors="replace"), err.decode(errors="replace")

    def totals(self, *words):
        """What the table says of inclusive times, and standard error."""
        status, out, err = self.gprof("--top", "-z", "--format=csv", "--columns=name,total", *words)
        return (
            status,
            {name: round(float(t), 9) for name, t in list(csv.reader(io.StringIO(out)))[1:]},
            err,
        )

    def is_measured(self, title, times, *words):
        """Whether the totals are those of BESIDE so many times, and nobody complained."""
        expected = {"main": 0.05, "work": 0.03, "leaf": 0.03, "never": 0.02}
        found = self.totals("--quiet", *words)
        return (
            found == (0, {name: round(times * t, 9) for name, t in expected.items()}, ""),
            title,
            repr(found),
        )

    def is_left_out(self, title, fragment, *words):
        """Whether the table has the times of calls, with a warning; and with --stacks there is
        none, but a message."""
        status, out, err = self.gprof("--quiet", "--top", *words)
        refused = self.gprof("--quiet", "--top", "--stacks", *words)
        good = status == 0 and err.count("\n") == 1 and "warning: " in err and fragment in err
        good = good and out == self.gprof("--quiet", "--top", "--no-stacks", *words)[1]
        return (
            good
            and refused[:2] == (1, "")
            and fragment in refused[2]
            and "warning" not in refused[2],
            title,
            out + err + repr(refused),
        )


def test_pipe(tap):
    place = Beside("pipe")
    place.profile("gmon.out")
    os.mkfifo(os.path.join(TEMP, "pipe", "gmon.out.stacks"))
    found = place.gprof("--top", "image")
    tap.ok(
        found[0] == 0 and "least" in found[1], "a pipe beside the profile is not waited for", found
    )


def test_found(tap):
    place = Beside("found")
    place.both("gmon.out")
    plain = Beside("plain")
    plain.profile("gmon.out")
    note = (
        "\ntimes are measured by the 5 call stacks in gmon.out.stacks (--no-stacks: estimated); the"
        " profile has only the 4 samples in this program\n"
    )
    for words, mark in (
        (["--top"], "total-error"),
        (["--tree"], "measured by 5 stacks"),
        (["--code"], "total"),
    ):
        found, brief = place.gprof(*words, "image"), place.gprof("-b", *words, "image")
        tap.ok(
            found[0] == 0
            and mark in found[1]
            and found[1].count(note) == 1
            and "measured" not in found[2],
            "%s uses them, and says so" % words[0],
            found,
        )
        tap.ok(
            brief[0] == 0 and "are measured by" not in brief[1] + brief[2],
            "%s: not with -b" % words[0],
            brief,
        )
        asked = place.gprof("--stacks", *words, "image")
        tap.ok(
            asked[0] == 0 and "are measured by" not in asked[1] + asked[2],
            "%s: nor where --stacks asks for it" % words[0],
            asked,
        )
    write(os.path.join(plain.path, "five"), profile_of(5))
    write(os.path.join(plain.path, "five.stacks"), lines_of(BESIDE, 100, origin=(5, None)).encode())
    found = plain.gprof("--top", "image", "five")
    tap.ok(
        "\ntimes are measured by the 5 call stacks in five.stacks (--no-stacks: estimated)\n"
        in found[1],
        "as many samples: that is all",
        found,
    )
    few = (
        "gprof: note: only 5 samples: their sum is uncertain by 45%; 400 are enough for 5%: run the"
        " program longer, under regmon -r 8000, or add up several runs\n"
    )
    for words in (["--top"], ["--tree"], ["--format=html", "-o", "page.html"]):
        found = place.gprof(*words, "image")
        tap.ok(
            found[0] == 0 and found[2].count(few) == 1,
            "too few samples, by stacks: %s" % words[0],
            found,
        )
    for words in (["-b", "-p"], ["-b", "-q"], ["--format=json", "-o", "few.json"]):
        found = place.gprof(*words, "image")
        tap.ok(
            found[0] == 0 and "samples" not in found[2],
            "nothing of it: %s" % " ".join(words),
            found,
        )
    tap.ok(place.gprof("--top", "--quiet", "image")[2] == "", "--quiet")
    tap.ok(*place.is_measured("measured", 1, "image"))
    found = place.gprof("--top", "--no-stacks", "image")
    tap.ok(found[0] == 0 and "least" in found[1] and "stacks" not in found[2], "--no-stacks", found)
    found = place.gprof("--top", "--columns=total,least,most,name", "image")
    estimated = place.gprof("--top", "--columns=total,least,most,name", "--no-stacks", "image")
    tap.ok(
        found[1] == estimated[1] and "--columns=least does not go" in found[2],
        "bounds are of estimated times",
        found,
    )
    for words, mark in (
        (["--format=folded"], "[sampled stacks];main;never 2\n"),
        (["--format=callgrind"], "measured by sampled stacks"),
        (["--format=dot"], "measured by sampled stacks"),
        (["--format=csv"], "total-error"),
    ):
        found = place.gprof("--quiet", *words, "image")
        tap.ok(found[0] == 0 and mark in found[1] and found[2] == "", " ".join(words), found)
    found = place.gprof("--quiet", "--top", "--columns=total-error,name", "image")
    tap.ok(found[0] == 0 and "0.02?  main" in found[1], "--columns=total-error", found)
    for words in (["-b"], ["-b", "-p"], ["-b", "-q"], [], ["-b", "-T"], ["-b", "-l"], ["-b", "-C"]):
        found = place.gprof(*words, "image")
        tap.ok(
            found[0] == 0 and found == plain.gprof(*words, "image"),
            "the classic reports are as ever: " + " ".join(words),
            found,
        )
    found = place.gprof("-b", "-q", "--stacks", "image")
    tap.ok(
        found[0] == 0
        and found[1].startswith("\t\t\tCall graph, measured by 5 stacks\n")
        and not found[2],
        "-q --stacks",
        found,
    )
    found = place.gprof("--top", "--columns=least,name", "image")
    note = (
        "gprof: note: gmon.out.stacks: these call stacks are not used: --columns=least does"
        " not go with --stacks\n"
    )
    tap.ok(
        found[0] == 0 and found[2].startswith(note), "an option that stacks do not go with", found
    )


def test_shares(tap):
    """Half of the time is in a library."""
    place = Beside("shares")
    place.profile("gmon.out", 50)
    stacks = [
        ([("main", 8)], 30),
        ([("main", 8), ("leaf", 0)], 20),
        ([("main", 8), ("libc.so.6", 9)], 50),
    ]
    write(
        os.path.join(place.path, "gmon.out.stacks"),
        lines_of(stacks, 100, origin=(50, None)).encode(),
    )
    for words, expected in (
        ([], [50, 30, 20, 0]),
        (["--fold-libraries"], [50, 30, 20, 0]),
        (["--columns=self%,name"], [50, 30, 20, 0]),
        (["--columns=self%,error", "--by=line"], [50, 30, 20, 0]),
        (["--by=file"], [100]),
        (["--fold-libraries", "--by=file", "--columns=self%"], [100]),
    ):
        text = place.gprof("--top", *words, "image")[1]
        found = [float(share) for share in re.findall(r"^ *([\d.]+)", text.split("\n\n")[0], re.M)]
        tap.ok(found == expected, "self%%: of the process: %s" % " ".join(words), text)


def test_few_in_program(tap):
    """52 samples of the profile, and 5,000 more stacks that end in a library: enough, for notes and
    page alike."""
    place = Beside("waiting")
    place.profile("gmon.out", 52)
    write(
        os.path.join(place.path, "gmon.out.stacks"),
        lines_of(
            [([("main", 8)], 52), ([("main", 8), ("libc.so.6", 9)], 5000)], 100, origin=(52, None)
        ).encode(),
    )
    for words in (["--top"], ["--tree"], ["--format=html", "-o", "page.html"]):
        found = place.gprof(*words, "image")
        tap.ok(found[0] == 0 and "only" not in found[2], "enough samples: %s" % words[0], found[2])
    found = place.gprof("--top", "--no-stacks", "image")
    tap.ok("only 52 samples" in found[2], "without the stacks, too few", found[2])


def draw_selected(rng, count):
    """{frames, outermost first, (function or object, offset): samples}: most functions are only in
    the middle of stacks."""
    stacks = collections.Counter()
    for _ in range(rng.randint(1, 12)):
        frames = [(0, rng.choice(OFFSETS))]
        for _ in range(rng.randint(0, 6)):
            number = rng.randrange(count + 2)
            if number < count or frames[-1][0] != number:
                frames.append((number, rng.choice(OFFSETS) if number < count else 16))
        stacks[tuple(frames)] += rng.choice((1, 5, 40))
    return stacks


OFFSETS = (4, 20, 36, 52)
SELECTED = [
    ("main", "/s/a.c"),
    ("alpha", "/s/a.c"),
    ("_ZN1a4betaEi", "/s/b.c"),
    ("gamma", "/s/b.h"),
    ("delta", "/s/a.c"),
]


def graph_of(stacks):
    """What a graph shows of {names, outermost first: samples}: {function: (own, total)}, and
    {(caller, callee): samples}."""
    samples = [(stack.split(";"), n) for stack, n in stacks.items() if stack != "[others]"]
    return stack_model.figures(samples), dict(stack_model.inner_arcs(samples))


def read_callgrind(text, sample=10**6):
    """The same of --format=callgrind, but own samples only."""
    read = exports.Callgrind(text)
    return (
        {name: read.own[name] / sample for name in read.order},
        {pair: cost / sample for pair, cost in read.inclusive.items()},
    )


def read_dot(text, rate=100):
    """The same of --format=dot, with the ends of arcs only."""
    row = r'^n(\d+) \[.*?,tooltip="(.*?)(?:\\n.*?)?\\nself ([\d.]+), total ([\d.]+) '
    nodes = re.findall(row, text, re.M)
    names = {number: name for number, name, _, _ in nodes}
    edges = re.findall(r"^n(\d+) -> n(\d+) ", text, re.M)
    return (
        {
            name: (round(rate * float(own)), round(rate * float(total)))
            for _, name, own, total in nodes
        },
        {(names[caller], names[callee]) for caller, callee in edges},
    )


def test_selection(tap):
    """--focus, --hide and --by of drawn stacks, against a model."""
    path, rng, wrong, full = os.path.join(TEMP, "selected"), random.Random(44), [], 0
    os.mkdir(path)
    names = ["main", "alpha", "a::beta(int)", "gamma", "delta", "[libx.so.1]", "[liby.so.2]"]
    count = len(SELECTED)
    text = ["text %#x" % START]
    for i, (name, file) in enumerate(SELECTED):
        text += [
            "file " + file,
            "function %s %#x" % (name, SIZE),
            "lines 0 %d 16 %d 32 %d 48 %d" % tuple(10 * i + k for k in range(1, 5)),
        ]
    write(os.path.join(path, "image"), elf.parse("\n".join(text) + "\n").bytes())

    def matches(expression, number):
        file = SELECTED[number][1] + ":" if number < count else ""
        forms = {names[number], names[number].partition("(")[0]}  # whole, and short
        return any(re.search(expression, place + form) for form in forms for place in ("", file))

    def rows(*words):
        out = harness.run(
            [harness.GPROF, "--quiet", "--top=0", "--format=csv", *words, "image", "g"], path
        )[1].decode()
        return list(csv.DictReader(io.StringIO(out, newline="")))

    for _ in range(60):
        stacks = draw_selected(rng, count)
        bins = collections.Counter()
        for frames, n in stacks.items():
            if frames[-1][0] < count:
                bins[(frames[-1][0] * SIZE + frames[-1][1]) // 2] += n
        histogram = Histogram(START, START + count * SIZE, count * SIZE // 2, bins, 100)
        write(os.path.join(path, "g"), Profile(Layout(64, "little"), [histogram]).bytes())
        lines = []
        for frames, n in stacks.items():
            words = [
                (
                    "%d:10" % (f - count + 1)
                    if f >= count
                    else START + SIZE * f + at + (i + 1 < len(frames))
                )
                for i, (f, at) in enumerate(frames)
            ]
            lines.append((words, n))
        text = gmonfile.stacks(lines, 100, histogram, objects=["libx.so.1", "liby.so.2"])
        write(os.path.join(path, "g.stacks"), text)
        focus = rng.choice([None, "alpha", "^a::b", "a$", "b.h:", "libx", "a.c:d", "mai"])
        hide = rng.choice([None, None, "beta", "alpha|gamma", "b\\.c:", "liby", "main"])
        words = ["--%s=%s" % option for option in (("focus", focus), ("hide", hide)) if option[1]]
        expected, found = collections.Counter(), collections.Counter()
        for frames, n in stacks.items():
            if not focus or any(matches(focus, f) for f, _ in frames):
                expected[
                    ";".join(names[f] for f, _ in frames if not hide or not matches(hide, f))
                    or "[others]"
                ] += n
        out = harness.run(
            [harness.GPROF, "--quiet", "--format=folded", *words, "image", "g"], path
        )[1].decode()
        for stack, n in stack_model.read_folded(out):
            found[";".join(stack)] += n
        full += len(expected) > 0 and len(words) > 0
        graph = lambda *words: harness.run([harness.GPROF, "--quiet", *words, "image", "g"], path)[
            1
        ].decode()
        figures, arcs = graph_of(expected)
        table = {
            row["name"]: (float(row["self"]), float(row["total"]))
            for row in rows("-z", "--columns=name,self,total", *words)
        }
        known = stack_model.figures([([f for f, _ in fs], n) for fs, n in stacks.items()], 100)
        shown = {
            names[f]: known.get(f, (0, 0))
            for f in {*range(count), *known}
            if (not focus or matches(focus, f)) and (not hide or not matches(hide, f))
        }
        by_line = {
            int(row["line"]): (float(row["self"]), float(row["total"]))
            for row in rows("--by=line", "--columns=line,self,total")
            if row["line"]
        }
        of_lines = {
            10 * f + 1 + OFFSETS.index(at): times
            for (f, at), times in stack_model.figures(stacks.items(), 100).items()
            if f < count
        }
        by_file = {
            row["name"]: float(row["self"])
            for row in rows("--by=file", "--columns=name,self")
            if float(row["self"])
        }
        of_files = collections.Counter()
        for frames, n in stacks.items():
            of_files[SELECTED[frames[-1][0]][1] if frames[-1][0] < count else "<unknown>"] += n
        of_files = {file: n / 100 for file, n in of_files.items()}
        for what, a, b in (
            ("folded", found, expected),
            (
                "callgrind",
                read_callgrind(graph("--format=callgrind", *words)),
                ({name: own for name, (own, _) in figures.items()}, arcs),
            ),
            ("dot", read_dot(graph("--format=dot", "--min-share=0", *words)), (figures, {*arcs})),
            ("table", table, shown),
            ("lines", {line: by_line.get(line) for line in of_lines}, of_lines),
            ("files", by_file, of_files),
        ):
            if a != b:
                wrong.append("%s %s\n%s\n%s" % (what, words, a, b))
    tap.ok(
        not wrong and full > 30,
        "--focus, --hide and --by of drawn stacks",
        "%d\n" % full + "\n".join(wrong[:3]),
    )


def test_several(tap):
    place = Beside("several")
    place.both("a", "b", "c")
    tap.ok(*place.is_measured("several profiles", 3, "image", "a", "b", "c"))
    write(os.path.join(place.path, "list"), b"a\nc\n")
    tap.ok(*place.is_measured("--files-from", 2, "--files-from=list", "image"))
    packed = Beside("packed")
    packed.profile("a.gz", pack=gzip.compress)
    packed.stacks("a.stacks.gz", pack=gzip.compress)
    packed.profile("b.zst", pack=zstd.frame if harness.reads_zstd() else bytes)
    packed.stacks("b.stacks.zst", pack=zstd.frame if harness.reads_zstd() else bytes)
    packed.profile("c.gz", pack=gzip.compress)
    packed.stacks("c.stacks")
    tap.ok(*packed.is_measured("compressed ones", 3, "image", "a.gz", "b.zst", "c.gz"))
    write(os.path.join(place.path, "list"), b"a\na.stacks\nc\nc.stacks\n")
    tap.ok(
        *place.is_measured(
            "files of stacks in a list are no profiles", 2, "--files-from=list", "image"
        )
    )
    tap.ok(
        *place.is_measured(
            "nor are those that a pattern gives", 2, "image", "a", "a.stacks", "b", "b.stacks"
        )
    )
    found = place.totals("image", "a.stacks")
    tap.ok(
        found[:2] == place.totals("--stacks", "image", "a")[:2],
        "alone, they are the profile",
        found,
    )
    os.remove(os.path.join(place.path, "list"))
    os.rename(os.path.join(place.path, "image"), os.path.join(TEMP, "several-image"))
    tap.ok(*place.is_measured("a directory", 3, "../several-image", "."))
    write(os.path.join(place.path, "cut"), profile_of(4)[:-3])
    place.stacks("cut.stacks")
    status, found, err = place.totals("--quiet", "--skip-bad", "../several-image", "a", "cut", "b")
    tap.ok(
        status == 1 and found["never"] == 0.04 and "skipped" in err,
        "--skip-bad: not those of the bad profile",
        (status, found, err),
    )
    os.remove(os.path.join(place.path, "cut.stacks"))
    status, found, err = place.totals("--quiet", "--skip-bad", "../several-image", "a", "cut", "b")
    tap.ok(
        status == 1 and found["never"] == 0.04 and "skipped" in err and "stacks" not in err,
        "--skip-bad: the bad profile needs none",
        (status, found, err),
    )
    scale = Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 4, {1: 4}, 100)
    write(os.path.join(place.path, "other"), Profile(Layout(64, "little"), [scale]).bytes())
    place.stacks("other.stacks")
    for words in (["a", "other", "b"], ["--stacks", "a", "b", "other"]):
        status, found, err = place.totals("--quiet", "--skip-bad", "../several-image", *words)
        is_good = status == 1 and found["never"] == 0.04 and "different bin size" in err
        tap.ok(
            is_good,
            "--skip-bad: nor those of one that cannot be added: " + " ".join(words),
            (status, found, err),
        )
    status, _, err = place.gprof(
        "-s", "--skip-bad", "-o", "../several-sum", "../several-image", "a", "other", "b"
    )
    text = harness.read(os.path.join(TEMP, "several-sum.stacks"))
    tap.ok(
        status == 1 and text.endswith(b"\n# samples 10\n"),
        "--skip-bad: -s does the same",
        err + repr(text),
    )
    place.stacks("sum.stacks", 8, 2)
    status, found, err = place.totals(
        "--quiet", "--skip-bad", "--stacks=sum.stacks", "../several-image", "a", "other", "b"
    )
    is_good = status == 1 and found["never"] == 0.04 and "of another run" not in err
    tap.ok(is_good, "--skip-bad: a file that is named belongs to the others", (status, found, err))
    for name in ("other", "other.stacks", "sum.stacks"):
        os.remove(os.path.join(place.path, name))
    for words in (["cut"], ["--files-from=/dev/null"]):
        status, out, err = place.gprof(
            "--top", "--stacks", "--skip-bad", "../several-image", *words
        )
        tap.ok(
            status == 1 and "call stacks" not in err,
            "--stacks: no good profile: " + words[0],
            (status, out, err),
        )
    place.profile("alone")
    tap.ok(
        *place.is_left_out(
            "one profile has none",
            "alone: has no call stacks beside it, so the other profiles' call stacks are not used",
            "../several-image",
            "a",
            "alone",
            "b",
        )
    )


def test_without_checksum(tap, fragment):
    """In files of earlier versions, the stacks end where the samples are; but other threads took
    samples after the
    profile was written, or there was no memory for some stacks."""
    place = Beside("earlier")
    for pack, ending in ((bytes, ""), (gzip.compress, ".gz")):
        profile, beside = "gmon.out" + ending, "gmon.out.stacks" + ending
        place.profile(profile, 100, pack=pack)
        for found, is_good in (
            ({"leaf": 100}, True),
            ({"leaf": 100, "libc.so.6": 50}, True),
            ({"leaf": 130, "work": 20}, True),
            ({"leaf": 60}, True),
            ({}, True),
            ({"leaf": 99, "work": 1}, True),
            ({"leaf": 98, "work": 2}, False),
            ({"work": 100}, False),
            ({"leaf": 60, "work": 40}, False),
            ({"never": 300}, False),
        ):
            own = lines_of(
                [([("main", 8), (name, 1)], n) for name, n in found.items()],
                100,
                origin=(100, None),
            )
            own = re.sub("# checksum.*\n", "", own)
            write(os.path.join(place.path, beside), pack(own.encode()))
            status, out, err = place.gprof("--top", "--quiet", "image", profile)
            is_left_out = (
                fragment.replace("gmon.out.stacks", beside).replace(
                    "with gmon.out", "with " + profile
                )
                in err
            )
            tap.ok(
                status == 0 and is_left_out != is_good,
                "without checksum: %r%s" % (found, ending),
                out + err,
            )
        os.remove(os.path.join(place.path, profile))
        os.remove(os.path.join(place.path, beside))


def test_belonging(tap):
    place = Beside("belonging")
    place.profile("gmon.out", 5)
    place.stacks("gmon.out.stacks", 4)
    fragment = (
        "gmon.out.stacks: these call stacks are not used: they were not written with gmon.out, but"
        " for another run"
    )
    tap.ok(*place.is_left_out("a newer profile", fragment, "image"))
    status, found, err = place.totals("--stacks=gmon.out.stacks", "image")
    is_good = (
        status == 0
        and found["never"] == 0.02
        and "gmon.out.stacks: these call stacks are of another run, or of another program" in err
    )
    tap.ok(is_good, "one that is named is used, with a warning", (status, found, err))
    write(os.path.join(place.path, "gmon.out.stacks"), lines_of(BESIDE, 100).encode())
    tap.ok(*place.is_left_out("a file that does not say where it belongs", fragment, "image"))
    tap.ok(
        *place.is_measured("which is used if it is named", 1, "--stacks=gmon.out.stacks", "image")
    )
    place.stacks("gmon.out.stacks", 5)
    tap.ok(*place.is_measured("one of the same samples", 1, "image"))
    text = harness.read(os.path.join(place.path, "gmon.out.stacks"))
    write(os.path.join(place.path, "gmon.out.stacks"), text[: text.rindex(b"# samples")])
    status, out, err = place.gprof("--quiet", "--top", "image")
    is_good = (
        status == 0
        and "least" in out
        and err.splitlines()
        == [
            "gprof: gmon.out.stacks: ends before the line that says how many samples there are",
            "gprof: warning: gmon.out.stacks: these call stacks are not used",
        ]
    )
    tap.ok(is_good, "a file that is cut", out + err)
    tap.refused(["--top", "--stacks", "image"], "ends before the line", place.path)
    write(
        os.path.join(place.path, "gmon.out.stacks"),
        text.replace(checksum(histogram_of(5)).encode(), b"# checksum 1"),
    )
    tap.ok(*place.is_left_out("one of as many samples in other places", fragment, "image"))
    test_without_checksum(tap, fragment)
    compiler = harness.tool("CC", "cc")
    if not compiler or not harness.tool("READELF", "readelf"):
        tap.skip("build ids", "no compiler")
        return
    write(os.path.join(place.path, "main.c"), b"int main(void) { return 0; }\n")
    harness.must_run(
        compiler + ["-Wl,--build-id=0xabcdef0123", "-o", "built", "main.c"], place.path
    )
    for said, is_good in (("abcdef0123", True), ("abcdef0124", False), (None, True)):
        place.stacks("gmon.out.stacks", 5, build_id=said)
        status, out, err = place.gprof("--quiet", "--force", "--top", "built")
        is_left_out = "these call stacks are not used: they are of another build than built" in err
        tap.ok(status == 0 and is_left_out != is_good, "build id %s" % said, out + err)
        if not is_good:
            tap.refused(
                ["--quiet", "--top", "built"],
                "and the profile beside them, are of another build than built",
                place.path,
            )
            told = "built is not the executable that wrote this profile: it has another build id"
            status, out, err = place.gprof("-b", "-p", "built")
            good = status == 0 and out.startswith("Flat profile") and told in err
            tap.ok(good, "the reports of GNU gprof warn of another build", out + err)
            tap.refused(["-b", "-p", "--strict", "built"], told, place.path)
            place.stacks("gmon.out.stacks", 4, build_id=said)
            status, out, err = place.gprof("-b", "-p", "built")
            tap.ok(
                status == 0 and told not in err, "but not by stacks of another profile", out + err
            )
    for name, said in (("ours", "abcdef0123"), ("theirs", "abcdef0124")):
        only_samples = Profile(Layout(64, "little"), [histogram_of(5)]).bytes()
        write(os.path.join(place.path, name), only_samples)
        place.stacks(name + ".stacks", 5, build_id=said)
    told = "gprof: theirs%s: built is not the executable that wrote this profile: it has another"
    for words in (["--top"], ["--top", "--stacks"], ["--top", "--no-stacks"], ["--tree"]):
        for ending in ("", ".stacks")[: 2 - ("--no-stacks" in words)]:
            names = ["theirs" + ending, "ours" + ending]
            wanted = place.gprof("--quiet", *words, "built", names[1])[1]
            status, out, err = place.gprof("--quiet", "--skip-bad", *words, "built", *names)
            good = (status, out) == (1, wanted) and told % ending in err and "skipped 1 of 2" in err
            tap.ok(good, "--skip-bad: one of another build: %s %s" % (words, ending), out + err)
    name = "gmon.out.libx.so."
    for said, is_good in (("abcdef01", True), ("abcdef02", False), ("1234567", True)):
        shutil.copy(os.path.join(place.path, "gmon.out"), os.path.join(place.path, name + said))
        status, out, err = place.gprof("-b", "-p", "built", name + said)
        is_refused = status == 1 and not out and "it has another build id" in err
        tap.ok(is_refused != is_good, "a profile named by the build id %s" % said, out + err)
        status, out, err = place.gprof("-b", "-p", "--force", "built", name + said)
        tap.ok(status == 0 and out, "--force prints it", out + err)


# Files that are not the stacks of an earlier sum.
OTHER = {"a text": b"precious\n", "an empty file": b"", "a link": b"# regmon stacks 3\n"}


def make_other(title, path):
    if title == "a link":
        write(path + ".kept", OTHER[title])
        os.symlink("none.stacks.kept", path)
    else:
        write(path, OTHER[title])


def test_sum(tap):
    place = Beside("sum")
    place.both("a", "b")
    found = place.gprof("-s", "image", "a", "b")
    tap.ok(found == (0, "", ""), "-s", found)
    tap.ok(*place.is_measured("the sum has both", 2, "image", "gmon.sum"))
    found = place.gprof("-s", "image", "gmon.sum", "a")
    tap.ok(*place.is_measured("a sum is added to", 3, "image", "gmon.sum"))
    found = place.gprof(
        "-s",
        "--quiet",
        "--top",
        "-z",
        "--format=csv",
        "--columns=name,total",
        "image",
        "gmon.sum",
        "b",
    )
    tap.ok(
        found[0] == 0 and "never,0.08\r\n" in found[1] and found[2] == "",
        "-s with a table: each is read once",
        found,
    )
    tap.ok(*place.is_measured("and again", 4, "image", "gmon.sum"))
    text = harness.read(os.path.join(place.path, "gmon.sum.stacks")).decode()
    tap.ok(
        "\n# histogram %x %x 16\n" % (START, START + len(NAMES) * SIZE) in text
        and text.endswith("\n# samples 20\n"),
        "its lines",
        text,
    )
    for name, k in (("p", 3), ("q", 1)):  # libregmon writes only parts of the code
        part = Histogram(START + k * SIZE, START + (k + 1) * SIZE, SIZE // 2, {1: 4}, 100)
        write(os.path.join(place.path, name), Profile(Layout(64, "little"), [part]).bytes())
        place.stacks(name + ".stacks")
        text = harness.read(os.path.join(place.path, name + ".stacks")).decode()
        text = re.sub(
            "# histogram .*", "# histogram %x %x 4" % (part.low, part.high), text
        ).replace(checksum(histogram_of(4)), checksum(part))
        write(os.path.join(place.path, name + ".stacks"), text.encode())
    place.gprof("-s", "-o", "parts", "image", "p", "q")
    tap.ok(
        *place.is_measured("the sum of different parts of the code has both", 2, "image", "parts")
    )
    tap.ok(
        *place.is_measured(
            "which are those of its profiles", 2, "--stacks=parts.stacks", "image", "p", "q"
        )
    )
    place.profile("alone")
    found = place.gprof("-s", "-o", "partial", "image", "a", "alone")
    is_good = (
        found[0] == 0
        and "alone: has no call stacks beside it" in found[2]
        and not os.path.exists(os.path.join(place.path, "partial.stacks"))
    )
    tap.ok(is_good, "one profile has none: no stacks of the sum, and a warning", found)
    found = place.gprof("-s", "-o", "less", "-k", "main/work", "image", "a", "b")
    is_good = (
        found[0] == 0
        and "not used: -k does not go with" in found[2]
        and not os.path.exists(os.path.join(place.path, "less.stacks"))
    )
    tap.ok(is_good, "-s -k: no stacks, and a note", found)
    for number, words in enumerate((["--columns=least,name"], ["--columns=most,name"])):
        found = place.gprof(
            "-s", "--quiet", "--top", "-o", "table%d" % number, *words, "image", "a", "b"
        )
        is_good, title, details = place.is_measured(
            "-s --top %s: the table has no stacks, but the sum has" % words[0],
            2,
            "image",
            "table%d" % number,
        )
        tap.ok(is_good and found[0] == 0 and found[2] == "", title, repr(found) + details)
    found = place.gprof("-s", "--no-stacks", "-o", "none", "image", "a", "b")
    tap.ok(
        found == (0, "", "") and not os.path.exists(os.path.join(place.path, "none.stacks")),
        "-s --no-stacks",
        found,
    )
    for words in (
        ["--no-stacks", "a", "b"],
        ["a", "alone"],
        ["-k", "main/work", "a", "b"],
        ["./none", "alone"],
    ):
        place.stacks("none.stacks")
        place.gprof("-s", "-o", "none", "image", *words)
        tap.ok(
            not os.path.exists(os.path.join(place.path, "none.stacks")),
            "-s %s: none of an earlier sum are left" % " ".join(words),
        )
    for title, text in OTHER.items():
        path = os.path.join(place.path, "none.stacks")
        make_other(title, path)
        found = (
            place.gprof("-s", "-o", "none", "image", "alone"),
            os.path.islink(path),
            harness.read(path),
        )
        if os.path.lexists(path):
            os.remove(path)
        tap.ok(
            found == ((0, "", ""), title == "a link", text),
            "-s keeps %s that has the name of stacks" % title,
            found,
        )
    write(os.path.join(place.path, "packed.gz"), gzip.compress(profile_of(4)))
    place.stacks("packed.stacks")
    place.gprof("-s", "--no-stacks", "-o", "packed", "image", "packed.gz")
    place.gprof("-s", "--top", "--stacks=a.stacks", "-o", "a", "image", "a")
    kept = [
        name
        for name in ("packed.stacks", "a.stacks")
        if os.path.exists(os.path.join(place.path, name))
    ]
    tap.ok(
        kept == ["packed.stacks", "a.stacks"],
        "-s removes no stacks that it has read, or those of another profile",
        kept,
    )
    place.both("a")
    sums = [os.path.join(place.path, name) for name in ("one", "other")]
    other = histogram_of(4)
    other.bins = {0: 4}
    write(os.path.join(place.path, "moved"), Profile(Layout(64, "little"), [other]).bytes())
    write(
        os.path.join(place.path, "moved.stacks"),
        lines_of(BESIDE, 100, origin=(4, None))
        .replace(checksum(histogram_of(4)), checksum(other))
        .encode(),
    )
    place.gprof("-s", "-o", "one", "image", "a", "b")
    place.gprof("-s", "-o", "other", "image", "a", "moved")
    place.gprof("-s", "-o", "both", "image", "other", "one")
    tap.ok(*place.is_measured("sums of other samples can be added", 4, "image", "both"))
    os.replace(sums[0] + ".stacks", sums[1] + ".stacks")
    fragment = (
        "other.stacks: these call stacks are not used: they were not written with other, but for"
        " another run"
    )
    tap.ok(
        *place.is_left_out(
            "two sums at once: the profile of one, the stacks of the other",
            fragment,
            "image",
            "other",
        )
    )
    found = place.gprof("-s", "-o", "-", "image", "a", "b")
    tap.ok(
        found[0] == 0 and not os.path.exists(os.path.join(place.path, "-.stacks")),
        "-s onto standard output",
        found[2],
    )
    many = "".join("# object %d lib%%s%d.so\n" % (i, i) for i in range(9, 40009))
    for name in ("a", "b"):
        text = lines_of(BESIDE, 100, origin=(4, None)).replace(
            "# object 7", many.replace("%s", name) + "# object 7"
        )
        write(os.path.join(place.path, name + ".stacks"), text.encode())
    place.gprof("-s", "image", "a", "b")
    tap.ok(
        *place.is_measured(
            "the sum has more objects than 16 bits can count", 2, "image", "gmon.sum"
        )
    )
    place.both("a", "b")
    for most in (2**63, 2**64 - 1):
        for name in ("a", "b"):
            text = lines_of([([("main", 8), ("leaf", 0)], most)], 100, origin=(4, None))
            write(os.path.join(place.path, name + ".stacks"), text.encode())
        place.gprof("-s", "image", "a", "b")
        text = harness.read(os.path.join(place.path, "gmon.sum.stacks")).decode()
        tap.ok(
            text.endswith(" %d\n# samples %d\n" % (2**64 - 1, 2**64 - 1)),
            "the sum of stacks saturates: %d" % most,
            text[-200:],
        )
        found = place.gprof("-b", "-q", "--stacks", "image", "gmon.sum")
        tap.ok(
            found[0] == 0 and "measured by %d stacks" % (2**64 - 1) in found[1],
            "and can be read: %d" % most,
            found,
        )
    more = lines_of(
        [([("main", 8)], 2**64 - 1), ([("main", 9)], 2)], 100, origin=(4, None)
    ).replace(str(2**64 + 1), str(2**64 - 1))
    write(os.path.join(place.path, "a.stacks"), more.encode())
    found = place.gprof("--top", "--quiet", "image", "a")
    tap.ok(
        found[0] == 0 and "total-error" in found[1] and not found[2],
        "the number of samples saturates",
        found,
    )
    place.both("a", "b")
    mixed = [
        ([("?", 0), ("main", 8), ("libc.so.6", 0x500), ("leaf", 3)], 7),
        ([("main", 8), ("?", 0), ("leaf", 0x3F)], 5),
        ([("main", 7)], 1),
        ([("main", 8), ("work", 9)], 2),
    ]
    other = Beside("mixed")
    other.profile("a")
    write(os.path.join(other.path, "a.stacks"), lines_of(mixed, 100, origin=(4, None)).encode())
    words = ["--quiet", "--format=folded", "image"]
    plain, summed = (
        other.gprof(*words, "a"),
        (other.gprof("-s", "image", "a"), other.gprof(*words, "gmon.sum"))[1],
    )
    tap.ok(
        plain[0] == 0 and len(plain[1].splitlines()) == 4 and plain == summed,
        "the sum of one file has its stacks",
        (plain, summed),
    )


def test_few(tap):
    """Stacks of fewer samples than the profile has in the program; those of other objects are not
    in the profile."""
    place = Beside("few")
    elsewhere = [([("main", 8), ("libc.so.6", 9)], 50)]
    for found, is_few in ((1000, False), (990, False), (989, True), (2000, False)):
        place.profile("a", 1000)
        write(
            os.path.join(place.path, "a.stacks"),
            lines_of([([("main", 8)], found)] + elsewhere, 100, origin=(1000, None)).encode(),
        )
        said = (
            "gprof: warning: a.stacks: has stacks for only %d of the 1000 samples in the profile:"
            " times that they measure are too small (--no-stacks: estimated)\n" % found
        )
        table, sum = place.gprof("--quiet", "--top", "image", "a"), place.gprof(
            "--quiet", "-s", "image", "a"
        )
        good = table[0] == sum[0] == 0 and table[2] == sum[2] == (said if is_few else "")
        tap.ok(good, "stacks of %d of 1000 samples" % found, (table, sum))


def test_sum_of_rates(tap):
    """Stacks are added up at the largest rate, in any order."""
    place = Beside("rates")
    many = [([("main", 8), ("work", 4), ("leaf", i)], 1) for i in range(SIZE - 4)]
    for name, rate, stacks in (
        ("slow", 250, [([("main", 8)], 40)]),
        ("fast", 1000, many + [([("work", 9)], 140)]),
    ):
        histogram = histogram_of(4)
        histogram.rate = rate
        write(os.path.join(place.path, name), Profile(Layout(64, "little"), [histogram]).bytes())
        write(
            os.path.join(place.path, name + ".stacks"),
            lines_of(stacks, rate, origin=(4, None)).encode(),
        )
    texts = []
    for order in (["slow", "fast"], ["fast", "slow"]):
        found = place.gprof("-s", "-o", "sum", "image", *order)
        text = harness.read(os.path.join(place.path, "sum.stacks")).decode()
        texts.append(sorted(text.splitlines()))
        good = (
            found == (0, "", "")
            and "\n# rate 1000\n" in text
            and text.endswith("\n# samples %d\n" % (4 * 40 + 140 + len(many)))
        )
        tap.ok(good, "-s of files with other rates: the largest", repr(found) + text)
        found = place.gprof("--quiet", "--tree", "image", *order)
        title = "Call tree, measured by %d stacks\n" % (40 + 140 + len(many))
        tap.ok(found[1].startswith(title), "all stacks count in the title", found)
        found = place.gprof("--top=0", "--columns=total,name", "image", "sum")
        tap.ok(
            found[0] == 0 and found[1].startswith("total  name\n0.220  main\n0.200  work\n"),
            "and the stacks belong to the sum",
            found,
        )
    tap.ok(texts[0] == texts[1], "in any order", texts)


def test_sticky(tap):
    """Stacks of another user, in a directory where only their owner may remove them."""
    title = "-s leaves stacks that it cannot remove, without an error"
    if os.geteuid() != 0:
        return tap.skip(title, "only root can make files of another user")
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        os.chmod(directory, 0o1777)
        path = lambda name: os.path.join(directory, name)
        shutil.copy(os.path.join(TEMP, "image"), path("image"))
        write(path("a"), profile_of(4))
        write(path("sum.stacks"), lines_of(BESIDE, 100, origin=(8, None)).encode())
        found = harness.as_nobody(
            [harness.GPROF, "-s", "-o", path("sum"), path("image"), path("a")]
        )
        if found[0] == 126:
            return tap.skip(title, "another user cannot run the program")
        tap.ok(found == (0, b"", b"") and os.path.exists(path("sum")), title, found)


# ---- Lines ----

LINES = {
    "lines.c": """\
#include "shared.h"
static volatile long sink;
void leaf(long n)
{
    for (long i = 0; i < n; i++)
        sink += twice(i);
}
void work(long n)
{
    leaf(n);
    leaf(3 * n);
    sink += twice(n);
    if (n > 10) work(n - 1);
}
int main(void)
{
    work(10);
    work(20); leaf(5);
    return 0;
}
""",
    "shared.h": """\
static inline __attribute__((always_inline)) long twice(long n)
{
    return n + 
           n;
}
""",
}


def test_lines(tap):
    """Totals of lines, as addr2line of binutils finds those of the addresses, of callers before the
    one where they go on; two
    functions have lines of one header."""
    addr2line = harness.tool("ADDR2LINE", "addr2line")
    if not addr2line:
        tap.skip("totals of lines", "no addr2line")
        return
    for name, text in LINES.items():
        write(os.path.join(TEMP, name), text.encode())
    harness.must_run(
        harness.tool("CC", "cc") + ["-g", "-gdwarf-4", "-O0", "-no-pie", "-o", "lines", "lines.c"],
        cwd=TEMP,
    )
    symbols = (
        harness.must_run(harness.tool("NM", "nm") + ["-S", "lines"], cwd=TEMP).decode().split("\n")
    )
    ranges = [
        [int(word, 16) for word in line.split()[:2]]
        for line in symbols
        if re.search(r" [Tt] (main|work|leaf)$", line)
    ]
    addresses = [start + at for start, size in ranges for at in range(size)]
    found = (
        harness.must_run(addr2line + ["-e", "lines"] + ["%x" % a for a in addresses], cwd=TEMP)
        .decode()
        .splitlines()
    )
    line_of = {a: os.path.basename(text.split(" (")[0]) for a, text in zip(addresses, found)}
    low, high = min(addresses) & ~15, (max(addresses) | 15) + 1
    histogram = Histogram(low, high, (high - low) // 2, {1: 5}, 1000)
    write(
        os.path.join(TEMP, "lines.gmon"),
        Profile(Layout(64, "little"), [histogram, ("arc", addresses[-1], ranges[0][0], 3)]).bytes(),
    )
    returns = lambda frames: [a + 1 for a in frames[:-1]] + frames[-1:]
    drawn, wrong = random.Random(11), None
    for _ in range(20):
        stacks = [[drawn.choice(addresses) for _ in range(drawn.randint(1, 9))] for _ in range(12)]
        lines = [*(returns(frames) for frames in stacks), [addresses[0] + 1, "1:20"]]
        text = gmonfile.stacks([(f, 7) for f in lines], 1000, None, "lines", ["libc.so.6"])
        write(os.path.join(TEMP, "lines.stacks"), text)
        stacks.append([addresses[0], None])
        expected = stack_model.figures(
            [([line_of.get(a, ":") for a in frames], 7) for frames in stacks]  # ":": [libc.so.6]
        )
        words = [
            "--format=csv",
            "--columns=self,total,file,line",
            "--stacks=lines.stacks",
            drawn.choice(["--by=line", "-l"]),
            "lines",
            "lines.gmon",
        ]
        out = harness.must_run([harness.GPROF, "--quiet"] + words, cwd=TEMP).decode()
        shown = {
            "%s:%s"
            % (os.path.basename(file), line): (
                round(1000 * float(self)),
                round(1000 * float(total)),
            )
            for self, total, file, line in list(csv.reader(io.StringIO(out)))[1:]
            if float(total) > 0
        }
        if shown != expected:
            wrong = wrong or "%r\n%r\n%s%s" % (expected, shown, text, out)
    tap.ok(
        wrong is None and any(line.startswith("shared.h:") for line in line_of.values()),
        "totals of lines: of the lines of the calls",
        wrong,
    )
    out = harness.must_run(
        [harness.GPROF, "--quiet", "--top=2", "-l", "--stacks=lines.stacks", "lines", "lines.gmon"],
        cwd=TEMP,
    ).decode()
    heading = "self% self error total% total total-error calls file line name".split()
    tap.ok(out.split("\n")[0].split() == heading, "columns of lines", out)


def test_warnings(tap):
    status, _, err = run(lines_of([]))
    tap.ok(status == 0 and "has no stacks" in err, "no stacks", err)
    status, _, err = run(lines_of([([("libc.so.6", 1), ("main", -0x200)], 9)]))
    tap.ok(status == 0 and "in no function of image" in err, "stacks of another program", err)


def test_damage(tap):
    good = lines_of(STACKS)
    for what, text in (
        ("an empty file", ""),
        ("another text", "a;b;c 12\n"),
        ("no program", good.replace("# program 2 image\n", "").replace("2:", "7:")),
    ):
        status, out, err = run(text)
        said = "is not a libregmon file with call stacks" in err
        tap.ok(status == 1 and said and out == "", what, err)
    status, _, err = run(good + "# rate 4294967295\n")
    tap.ok(status == 0, "the largest rate", err)
    status, _, err = run(good + "2:1000 12345678901234567\n")
    tap.ok(status == 0, "a count of 17 digits, as a sum can have", err)
    for what, line in (
        ("an object that is not there", "3:10 1"),
        ("a number too large", "100000000:10 1"),
        ("no samples", "2:1000"),
        ("an address too large", "2:11111111111111111 1"),
        ("a count of more than 64 bits", "2:1000 18446744073709551616"),
        ("no address", "2: 1"),
        ("an empty frame", "2:1000;;2:1000 1"),
        ("something behind", "2:1000 1 2"),
        ("rate 0", "# rate 0"),
        ("a rate of more than 32 bits", "# rate 4294967296"),
        ("an object's number too large", "# object 65536 x"),
        ("another number of samples", "# samples 53"),
    ):
        status, out, err = run(good + line + "\n")
        is_good = (
            status == 1
            and "stacks:%d: cannot parse line" % (good.count("\n") + 1) in err
            and out == ""
        )
        tap.ok(is_good, what, err)
    for what, line in (
        ("a histogram without samples", "# histogram 1000 2000"),
        ("a build id too long", "# build-id " + 65 * "a"),
        ("a process without parent", "# process 12"),
        ("code without end", "# code 1000"),
    ):
        status, out, err = run(good.replace("\n", "\n" + line + "\n", 1))
        tap.ok(status == 1 and "stacks:2: cannot parse line" in err and out == "", what, err)


# As libregmon writes them.
ESCAPED = r"""# regmon stacks 3
# rate 100
# program 0 image
# object 1 a\nb\\n\x01\x7f.so
# file 1 - /c\nd\\e/a\nb.so
# object 2 [generated code]
# generated 1 f\\x41\ng
# thread 7 t\n# program 9 u
0:1008;1:10;2:1 4
# samples 4
"""


def names_in(text):
    """What follows the number of an object, function or thread."""
    kinds = ("# object", "# file", "# generated", "# thread")
    return [line.split(" ", 3)[3] for line in text.splitlines() if line.startswith(kinds)]


def test_names(tap):
    """A name may have any byte but 0: none begins a line, and each is the same after a sum."""
    found = totals(ESCAPED)
    shown = {r"[a\x0ab\n\x01\x7f.so]", r"f\x41\x0ag [generated code]", "main"}
    tap.ok(
        isinstance(found, dict) and shown == {name for name in found if found[name]},
        "names with newlines and backslashes",
        found,
    )
    write(os.path.join(TEMP, "named"), profile_of(4))
    origin = "# histogram %x %x 4\n%s\n# program" % (
        START,
        START + len(NAMES) * SIZE,
        checksum(histogram_of(4)),
    )
    write(os.path.join(TEMP, "named.stacks"), ESCAPED.replace("# program", origin, 1).encode())
    result = harness.run([harness.GPROF, "-s", "image", "named"], TEMP)
    written = harness.read(os.path.join(TEMP, "gmon.sum.stacks")).decode()
    tap.ok(
        names_in(written) == names_in(ESCAPED),
        "are written as they were read",
        harness.said(result) + written,
    )


def test_random_damage(tap):
    drawn, good = random.Random(1), lines_of(STACKS).encode()
    for _ in range(300):
        data = bytearray(good)
        for _ in range(drawn.randint(1, 4)):
            at = drawn.randrange(len(data))
            if drawn.random() < 0.3:
                del data[at:]
                data += b" "
            else:
                data[at] = drawn.choice(b"0123456789abcdef:;#? \n\0\xff")
        status, _, err = run(bytes(data))
        if status not in (0, 1) or (status == 1 and not err):
            tap.ok(False, "damage", repr(bytes(data)) + err)
            return
    tap.ok(True, "damaged files are read or refused")


def test_refusals(tap):
    write(os.path.join(TEMP, "stacks"), lines_of(STACKS).encode())
    for words, fragment in (
        (["--top", "--columns=total-error"], "gmon.out: has no call stacks beside it"),
        (["--top", "--sort=total-error"], "gmon.out: has no call stacks beside it"),
        (["--top", "--stacks=nowhere"], "nowhere: No such file"),
    ):
        tap.refused(words + ["image", "gmon.out"], fragment, TEMP)


def draw_threads(generator):
    """Threads of few names, whose stacks are not together in the file: its text, and samples by
    name and frames, and by
    name and number."""
    text, counts, each = "", collections.Counter(), collections.Counter()
    for _ in range(400):
        name = generator.choice(["", "a", "b", "worker 1", "\\n"])
        number = generator.randrange(3)
        text += "# thread %d%s\n" % (number, " " + name if name else "")
        for _ in range(generator.randrange(3)):
            frames = [generator.choice(NAMES[1:3]) for _ in range(generator.randrange(4))]
            samples = generator.randrange(1, 9)
            places = ["2:%x" % (ADDRESS[f] + generator.randrange(1, 3)) for f in ["main"] + frames]
            text += "%s %d\n" % (";".join(places), samples)
            counts[name, ";".join(["main"] + frames)] += samples
            each[name, number] += samples
    return text, counts, each


def test_threads(tap):
    """Against a count of what was drawn, stack by stack; and of a sum of it."""
    for seed in range(3):
        drawn, counts, each = draw_threads(random.Random(seed))
        late = "".join("# thread %d late\n" % number for number in range(99))  # and no samples
        text = lines_of([], extra="2:1008 3\n" + drawn + late)
        shown = {
            name: {"": "[thread without name]", "\\n": "\\x0a"}.get(name, name) for name, _ in each
        }
        wanted = {"%s %d" % (shown[name], number): n for (name, number), n in each.items()}
        wanted["[unknown thread]"] = 3
        status, out, err = run(text, "--by=thread", "--format=csv", "--columns=samples,name")
        found = {name: int(samples) for samples, name in list(csv.reader(io.StringIO(out)))[1:]}
        tap.ok(
            found == wanted, "samples of threads, draw %d" % seed, "%s %s %s" % (found, wanted, err)
        )
        threads = collections.Counter(name for name, _ in each)
        stacks = collections.Counter(
            {
                "%s (%d threads);%s" % (shown[name], threads[name], path): n
                for (name, path), n in counts.items()
            }
        )
        stacks["[unknown thread];main"] = 3
        folded = export(text, "--by=thread", "--format=folded")[0].decode()
        found = {";".join(stack): n for stack, n in stack_model.read_folded(folded)}
        tap.ok(
            found == stacks, "stacks of threads, draw %d" % seed, "%s %s" % (found, dict(stacks))
        )


def main():
    tap = harness.Tap()
    make()
    for test in (
        test_figures,
        test_formats,
        test_graph,
        test_rounding,
        test_outside,
        test_definition,
        test_callgrind,
        test_dot,
        test_found,
        test_selection,
        test_shares,
        test_few_in_program,
        test_several,
        test_belonging,
        test_pipe,
        test_few,
        test_sum,
        test_sum_of_rates,
        test_sticky,
        test_lines,
        test_warnings,
        test_damage,
        test_names,
        test_threads,
        test_random_damage,
        test_refusals,
    ):
        test(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
