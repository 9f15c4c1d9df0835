#!/usr/bin/env python3
"""--stacks: reports of files of stacks whose figures are known, against the definitions, and damaged files."""

import sys

sys.dont_write_bytecode = True

import csv
import gzip
import io
import json
import os
import random
import re
import shutil

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
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
TOTALS = {"main": 0.054, "work": 0.045, "leaf": 0.035, "never": 0.0}


TOP = """\
self%   self  error   total%  total  total-error  calls  name
59.32  0.035  0.006    59.32  0.035        0.006      9  leaf
16.95  0.010  0.003    76.27  0.045        0.007      9  work
 3.39  0.002  0.001?   91.53  0.054        0.007         main

3 of 3 functions, 79.7 % of 0.06 seconds
0.05 of 0.06 s are in this program, 0.01 s in libc.so.6 (12 %), 0.01 s in <unknown> (8 %)
8.5 % of the stacks are cut: they begin with <unknown>
"""


def lines_of(stacks, rate=1000, extra=""):
    lines = ["# regmon stacks 1", "# rate %d" % rate, "# program 2 image"]
    lines += ["# object %d %s" % (number, name) for name, number in OBJECTS.items()]
    for frames, samples in stacks:
        words = ["?" if f == "?" else "%d:%x" % ((2, ADDRESS[f] + at) if f in ADDRESS else (OBJECTS[f], at)) for f, at in frames]
        lines.append("%s %d" % (";".join(words), samples))
    return "\n".join(lines) + "\n" + extra


def make():
    text = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in NAMES]
    write(os.path.join(TEMP, "image"), elf.parse("\n".join(text) + "\n").bytes())
    histogram = Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 2, {SIZE: 4}, 100)
    records = [histogram, ("arc", START + 8, ADDRESS["work"], 9), ("arc", ADDRESS["work"] + 4, ADDRESS["leaf"], 9)]
    write(os.path.join(TEMP, "gmon.out"), Profile(Layout(64, "little"), records).bytes())


def run(text, *words):
    write(os.path.join(TEMP, "stacks"), text.encode() if isinstance(text, str) else text)
    command = [harness.GPROF, "--quiet", "--top", "--stacks=stacks"] + list(words) + ["image", "gmon.out"]
    status, out, err = harness.run(command, TEMP)
    return status, out.decode(errors="replace"), err.decode(errors="replace")


def noted(text):
    """With notes."""
    write(os.path.join(TEMP, "stacks"), text.encode())
    status, out, err = harness.run([harness.GPROF, "--top", "--stacks=stacks", "image", "gmon.out"], TEMP)
    return status, out.decode(), err.decode()


def totals(text):
    status, out, err = run(text, "-z", "--format=csv", "--columns=name,total")
    rows = list(csv.reader(io.StringIO(out)))[1:]
    return {name: float(value) for name, value in rows} if status == 0 else err


def is_near(found, expected):
    return isinstance(found, dict) and found.keys() == expected.keys() and all(abs(found[n] - expected[n]) < 1e-9 for n in expected)


def test_figures(tap):
    found = totals(lines_of(STACKS))
    tap.ok(is_near(found, TOTALS), "a function counts once in a stack", repr(found))
    found = totals(lines_of(STACKS[::-1] + STACKS))
    tap.ok(is_near(found, {name: 2 * value for name, value in TOTALS.items()}), "stacks that repeat add up", repr(found))
    found = totals(lines_of(STACKS, 500))
    tap.ok(is_near(found, {name: 2 * value for name, value in TOTALS.items()}), "the rate is that of the file", repr(found))
    status, out, err = run(lines_of(STACKS), "--format=csv", "--columns=callers,callees,name", "--sort=name")
    tap.ok(out.splitlines()[1:] == ["1,0,leaf", "0,2,main", "1,1,work"], "callers and callees in stacks count", out + err)
    status, out, err = run(lines_of(STACKS, extra="? 5\n\n# more\n"))
    tap.ok(status == 0 and out == TOP and err == "", "the table", out + err)
    bounds = ["--columns=least,most,name", "--sort=name", "--format=csv"]
    plain = harness.run([harness.GPROF, "--quiet", "--top"] + bounds + ["image", "gmon.out"], TEMP)[1].decode()
    status, out, err = run(lines_of(STACKS), *bounds)
    tap.ok(status == 0 and set(plain.splitlines()[1:3]) < set(out.splitlines()), "bounds are those of the calls", out + err)


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
    tap.ok(out.decode() == FOLDED and err == b"", "folded: the largest first", out.decode() + err.decode())
    out, err = export(lines_of(STACKS + [([("main", 8), ("never", 4)], 1)]), "--format=folded")
    tap.ok(b"main;never 1\n" in out, "folded: a function without calls and time", out.decode() + err.decode())
    nested = [([("main", 8), ("libc.so.6", 0x500), ("libc.so.6", 0x700), ("work", 4), ("work", 4), ("libc.so.6", 9), ("libc.so.6", 9)], 1)]
    out, err = export(lines_of(nested), "--format=folded")
    found = out.decode() + err.decode()
    tap.ok(found == "[sampled stacks];main;[libc.so.6];work;work;[libc.so.6] 1\n", "folded: neighbours of one object are one", found)
    out, err = export(lines_of(STACKS), "--format=folded", "--focus=^leaf$")
    tap.ok(out.decode() == FOLDED.splitlines(True)[1], "folded: --focus", out.decode() + err.decode())
    many = [([("main", 8), ("libc.so.6", 0x500 + i)], 1) for i in range(30000)] + [([("work", 8)], 30000), ([("leaf", 1)], 1)]
    out, err = export(lines_of(many), "--format=folded")
    expected = "[sampled stacks];main;[libc.so.6] 30000\n[sampled stacks];work 30000\n[sampled stacks];[others] 1\n"
    tap.ok(sorted(out.decode().splitlines()) == sorted(expected.splitlines()), "folded: small ones are [others]", out.decode() + err.decode())
    out, err = export(lines_of(STACKS), "--format=speedscope")
    profile = json.loads(out)["profiles"][0]
    frames = [frame["name"] for frame in json.loads(out)["shared"]["frames"]]
    found = {";".join(frames[f] for f in s): w for s, w in zip(profile["samples"], profile["weights"])}
    expected = {line.split(";", 1)[1].rsplit(" ", 1)[0]: int(line.split(" ")[-1]) / 1000 for line in FOLDED.splitlines()}
    is_good = found.keys() == expected.keys() and all(abs(found[s] - expected[s]) < 1e-9 for s in found)
    tap.ok(is_good and "sampled stacks" in profile["name"], "speedscope: stacks and seconds", repr(profile))
    out, err = export(lines_of(STACKS), "--format=pprof", "-o", "profile.pb.gz")
    data = gzip.decompress(harness.read(os.path.join(TEMP, "profile.pb.gz")))
    tap.ok(b"Sampled stacks" in data and b"estimated" not in data and b"[libc.so.6]" in data, "pprof says so", repr(err))
    go = shutil.which("go")
    if not go:
        tap.skip("pprof: its own reader", "no go")
        return
    status, out, err = harness.run([go, "tool", "pprof", "-top", "-sample_index=samples", "profile.pb.gz"], TEMP)
    rows = dict((r[1], int(r[0])) for r in re.findall(r"^ *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% +(\S+)", out.decode(), re.M))
    tap.ok(rows == {"leaf": 35, "work": 10, "[libc.so.6]": 7, "main": 2}, "pprof: its own reader", out.decode() + err.decode())


# ---- The call graph ----

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
    status, out, err = harness.run([harness.GPROF, "--quiet", "--stacks=stacks"] + list(words) + ["image", profile], TEMP)
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
    write(os.path.join(TEMP, "gmon.out.stacks"), text.encode())
    out = harness.run([harness.GPROF, "-b", "-q", "--stacks", "--skip-bad", "image"], TEMP)
    tap.ok(out[0] == 1 and not out[1] and b"use --stacks=FILE" in out[2], "--stacks alone and --skip-bad", out[2].decode())
    out = harness.run([harness.GPROF, "-b", "-q", "--stacks", "image"], TEMP)[1].decode()
    tap.ok(out == GRAPH + INDEX, "--stacks alone: the file beside the profile", out)
    plain = harness.run([harness.GPROF, "-b", "image"], TEMP)[1].decode()
    tap.ok("measured" not in plain and "libc.so.6" not in plain, "without --stacks it is not read", plain)
    out = report(text, "-b", "-q", "-T")
    tap.ok("\ncall graph, measured by 54 stacks\n\ngranularity: each stack" in "\n" + out, "-T says so", out)
    out = report(text, "-q")
    tap.ok("It is measured" in out and "as if every call took equally long" not in out, "the explanation says so", out)
    out = report(text, "-b", "-q", "-e", "leaf")
    tap.ok("leaf (3)" in out and "\n[3]" not in out and "work [2]" in out, "-e", out)
    counting = [([("main", 8), ("work", 4), ("/lib/libregmon.so.0", 0x10 * i)], 9) for i in range(3)]
    out = report(lines_of(STACKS + counting), "-b", "-q")
    expected = GRAPH + "counting calls took 50.0 % more processor time; it is left out\n" + INDEX
    tap.ok(out == expected, "what counting took is left out, and said", out)
    out = report(lines_of(STACKS + [([("?", 0), ("leaf", 2)], 6)]), "-b", "-q")
    said = "10.0 % of the stacks are cut: they begin with <unknown>\n"
    tap.ok("                0.01    0.00       -             <unknown> [" in out and said in out, "stacks that are cut", out)


OUTSIDE = """\
                0.01    0.02       1/1           <outside>
[1]    100.0    0.01    0.02       1         main [1]
                0.00    0.02       1/1           work [3]
-----------------------------------------------
                0.01    0.01       -             work [3]
[2]     66.7    0.01    0.01                 [libc.so.6] [2]
                0.01    0.00       3/3           leaf [4]
-----------------------------------------------
                0.00    0.02       1/1           main [1]
[3]     66.7    0.00    0.02       1         work [3]
                0.01    0.01       -             [libc.so.6] [2]
-----------------------------------------------
                0.01    0.00       3/3           [libc.so.6] [2]
[4]     33.3    0.01    0.00       3         leaf [4]
-----------------------------------------------
"""


def test_outside(tap):
    """Calls from outside were made by the object that stacks show, or they started the program."""
    arcs = [("arc", 0, ADDRESS["main"], 1), ("arc", START + 8, ADDRESS["work"], 1), ("arc", 0, ADDRESS["leaf"], 3)]
    write(os.path.join(TEMP, "outside.out"), Profile(Layout(64, "little"), arcs).bytes())
    start = [("libc.so.6", 0x100), ("main", 8)]
    work = start + [("work", 4), ("libc.so.6", 0x500)]
    out = report(lines_of([(work + [("leaf", 2)], 10), (work, 10), (start, 10)]), "-b", "-q", profile="outside.out")
    entries = out.split("name\n", 1)[-1].split("\f")[0]
    tap.ok(entries == OUTSIDE, "calls from outside", out)
    several = [(work + [("leaf", 2)], 10), (start + [("?", 0), ("leaf", 2)], 10)]
    out = report(lines_of(several), "-b", "-q", profile="outside.out")
    tap.ok("0.00    0.00       3/3           <outside>" in out, "by which of several objects is not known", out)


# ---- The call graph by definition ----


def merged(frames):
    """The functions and objects of a stack, outermost first, but for an object that starts a thread; None if it was taken
    while a call was counted."""
    names = [name for name, _ in frames]
    kept = [n for i, n in enumerate(names) if i == 0 or n in ADDRESS or names[i - 1] != n]
    kept = kept[len(kept) > 1 and kept[0] in OBJECTS :]
    shown = {"libc.so.6": "[libc.so.6]", "/lib/libregmon.so.0": "[/lib/libregmon.so.0]", "?": "<unknown>"}
    return None if names[-1].startswith("/lib/libregmon") else [shown.get(n, n) for n in kept]


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


LINE = re.compile(r"^(?:\[(?P<index>\d+)\] +(?P<share>[\d.]+))? +(?P<self>[\d.]+) +(?P<children>[\d.]+)(?: .*?)? (?P<name>\S+)(?: \[\d+\])?$")


def parse_graph(text):
    """The times of the same three, as printed, but for lines without time; and each entry's share."""
    functions, callers, callees, shares = {}, {}, {}, {}
    for entry in text.split("name\n", 1)[1].split("-----------------------------------------------\n")[:-1]:
        lines = [LINE.match(line) for line in entry.splitlines()]
        at = next(i for i, line in enumerate(lines) if line and line["index"])
        own = lines[at]["name"]
        shares[own] = float(lines[at]["share"])
        for i, line in enumerate(lines):
            if line is None:  # `<spontaneous>' alone, or calls of itself
                continue
            times = [float(line["self"]), float(line["children"])]
            where, key = (functions, own) if i == at else (callers, (line["name"], own)) if i < at else (callees, (own, line["name"]))
            if times != [0, 0]:
                where[key] = times
    return functions, callers, callees, shares


def draw(drawn):
    stacks = []
    for _ in range(drawn.randint(1, 12)):
        names = [drawn.choice(NAMES if drawn.random() < 0.8 else sorted(OBJECTS)[:2]) for _ in range(drawn.randint(1, 8))]
        if drawn.random() < 0.1:
            names.insert(0, "?")
        stacks.append(([(name, drawn.randrange(4, 0x30)) for name in names], drawn.randrange(500)))
    return stacks


def differs(stacks, text):
    """How a printed call graph differs from the definitions, or None.  A caller that is not in a list was alone."""
    functions, callers, callees, shares = parse_graph(text)
    expected = define(stacks)
    total = sum(n for frames, n in stacks if merged(frames) is not None)
    in_seconds = lambda lines: {key: [n / 100 for n in line] for key, line in lines.items()}
    for what, shown, defined in zip(("function", "caller", "callee"), (functions, callers, callees), map(in_seconds, expected)):
        for key in shown.keys() | defined.keys():
            alone = what == "caller" and key[0] == "<spontaneous>" and key not in shown
            if not alone and any(abs(a - b) > 0.0051 for a, b in zip(shown.get(key, [0, 0]), defined.get(key, [0, 0]))):
                return "%s %r: %r, by definition %r" % (what, key, shown.get(key), defined.get(key))
    for name, line in expected[0].items():
        if abs(shares[name] - 100 * sum(line) / total) > 0.051:
            return "share of %s" % name
    return None


def test_definition(tap):
    drawn = random.Random(7)
    for _ in range(100):
        stacks = draw(drawn)
        if sum(n for frames, n in stacks if merged(frames) is not None) == 0:
            continue
        out = report(lines_of(stacks, 100), "-b", "-q")
        wrong = differs(stacks, out)
        if wrong is not None or "<cycle" in out:
            tap.ok(False, "drawn stacks", "%s\n%s\n%s" % (wrong, lines_of(stacks), out))
            return
    tap.ok(True, "drawn stacks: every line of the call graph by definition")


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
    """Own time and callees add up to the total; callgrind_annotate adds up callers, so it needs other stacks."""
    drawn = random.Random(8)
    wrong = None
    for _ in range(30):
        stacks = draw(drawn)
        functions, _, callees = define(stacks)
        out, err = export(lines_of(stacks, 100), "--format=callgrind")
        own, calls = parse_callgrind(out.decode())
        sums = {f: own[f] + sum(n for (caller, _), n in calls.items() if caller == f) for f in functions}
        expected = {key: sum(line) for key, line in callees.items()}
        if calls != expected or sums != {f: sum(line) for f, line in functions.items()}:
            wrong = wrong or repr((calls, expected, sums)) + out.decode()
    tap.ok(wrong is None, "callgrind: callees' lines, and totals", wrong or "")
    if not shutil.which("callgrind_annotate"):
        tap.skip("callgrind: its own reader", "no valgrind")
        return
    stacks = [s for s in STACKS if len(set(name for name, _ in s[0])) == len(s[0])]
    totals = {name: sum(line) for name, line in define(stacks[:-1])[0].items()}
    export(lines_of(stacks[:-1], 100), "--format=callgrind", "-o", "callgrind.out")
    command = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", "callgrind.out"]
    out = harness.run(command, TEMP)[1].decode()
    lines = re.findall(r"^ *([\d,]+) \([ \d.]+%\)  \?\?\?:(\S+)", out, re.M)
    found = {name: int(cost.replace(",", "")) / 1e6 for cost, name in lines}
    tap.ok(found == totals and "measured by sampled stacks" in out, "callgrind: its own reader", repr(totals) + out)


def test_dot(tap):
    out, err = export(lines_of(STACKS), "--format=dot", "--min-share=0")
    text = out.decode()
    names = dict(re.findall(r'(n\d+) \[label="(\S+?)\\n', text))
    shares = {(names[a], names[b]): float(n) for a, b, n in re.findall(r'(n\d+) -> (n\d+) \[label="([\d.]+) %', text)}
    expected = {key: 100 * sum(line) / 54 for key, line in define(STACKS)[2].items()}
    is_good = shares.keys() == expected.keys() and all(abs(shares[k] - expected[k]) <= 0.051 for k in shares)
    tap.ok(is_good and "measured by sampled stacks" in text and "estimated" not in text, "dot", repr(shares) + repr(expected) + text)


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
        tap.ok(status == 1 and "is not a file of call stacks" in err and out == "", what, err)
    for what, line in (
        ("an object that is not there", "3:10 1"),
        ("a number too large", "100000000:10 1"),
        ("no samples", "2:1000"),
        ("an address too large", "2:11111111111111111 1"),
        ("no address", "2: 1"),
        ("an empty frame", "2:1000;;2:1000 1"),
        ("something behind", "2:1000 1 2"),
        ("rate 0", "# rate 0"),
        ("an object's number too large", "# object 65536 x"),
    ):
        status, out, err = run(good + line + "\n")
        is_good = status == 1 and "stacks:%d: cannot parse line" % (good.count("\n") + 1) in err and out == ""
        tap.ok(is_good, what, err)


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
        (["--top", "--columns=total-error"], "--columns=total-error requires --stacks"),
        (["--top", "--sort=total-error"], "--columns=total-error requires --stacks"),
        (["-C", "--stacks=stacks"], "--stacks requires --top"),
        (["-q", "-k", "main/work", "--stacks=stacks"], "--stacks and -k"),
        (["-q", "-E", "work", "--stacks=stacks"], "--stacks and -E cannot"),
        (["--top", "--by=file", "--stacks=stacks"], "--stacks and --by"),
        (["--top", "-l", "--stacks=stacks"], "--stacks and --line"),
        (["--top", "--stacks=nowhere"], "nowhere: No such file"),
        (["--format=json", "--stacks=stacks"], "option --stacks requires --top or --format=html|callgrind"),
        (["--format=callgrind", "-l", "--stacks=stacks"], "--stacks and --line"),
    ):
        tap.refused(words + ["image", "gmon.out"], fragment, TEMP)


def main():
    tap = harness.Tap()
    make()
    for test in (test_figures, test_formats, test_graph, test_definition, test_callgrind, test_dot, test_warnings, test_damage, test_random_damage, test_refusals):
        test(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
