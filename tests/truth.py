#!/usr/bin/env python3
"""A program whose inclusive times are known by construction (tests/programs/truth.c): every output of recorded stacks
shows them within three standard errors, where times that are divided by numbers of calls are wrong.

Stacks are drawn with the known shares, and with other ones.  With CHECK_LONG=1 the program runs, too: it does a fixed
amount of work, so its shares depend neither on the speed of the machine nor on other work.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import json
import math
import os
import random
import re

import stacks
from lib import elf, harness, runtime_build
from lib.gmonfile import Histogram, Layout, Profile, checksum
from lib.harness import TEMP, write

START, SIZE = 0x1000, 0x40
NAMES = ["main", "work", "dear_caller", "cheap_caller", "big_script", "small_script", "run", "eval"]
ADDRESS = {name: START + i * SIZE for i, name in enumerate(NAMES)}
PATHS = [
    ["main", "dear_caller", "work"],
    ["main", "cheap_caller", "work"],
    ["main", "big_script", "run", "eval", "run", "eval", "work"],
    ["main", "small_script", "run", "eval", "work"],
]
CALLS = [
    ("main", "dear_caller", 1), ("main", "cheap_caller", 1), ("main", "big_script", 1), ("main", "small_script", 1),
    ("dear_caller", "work", 10), ("cheap_caller", "work", 4000), ("big_script", "run", 1), ("small_script", "run", 20),
    ("run", "eval", 22), ("eval", "run", 1), ("eval", "work", 21),
]  # fmt: skip
SHARES = [[72, 8, 18, 2], [1, 97, 1, 1], [5, 5, 45, 45], [10, 20, 0.5, 69.5]]  # percent, by path
RATE, SAMPLES = 1000, 20000
HISTOGRAM = Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 2, {(ADDRESS["work"] - START) // 2 + 1: SAMPLES}, RATE)


def make():
    text = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in NAMES]
    write(os.path.join(TEMP, "drawn"), elf.parse("\n".join(text) + "\n").bytes())
    calls = [("arc", ADDRESS[caller] + 8, ADDRESS[callee], n) for caller, callee, n in CALLS]
    write(os.path.join(TEMP, "drawn.gmon"), Profile(Layout(64, "little"), [HISTOGRAM] + calls).bytes())


def draw(shares, drawn):
    lines = ["# regmon stacks 1", "# rate %d" % RATE, "# histogram %x %x %d" % (START, START + len(NAMES) * SIZE, SAMPLES), checksum(HISTOGRAM), "# program 0 drawn"]
    counts = [0] * len(PATHS)
    for path in drawn.choices(range(len(PATHS)), shares, k=SAMPLES):
        counts[path] += 1
    for path, count in zip(PATHS, counts):
        frames = ["0:%x" % (ADDRESS[name] + 8) for name in path]
        lines.append("%s %d" % (";".join(frames), count))
    lines.append("# samples %d" % SAMPLES)
    write(os.path.join(TEMP, "drawn.gmon.stacks"), ("\n".join(lines) + "\n").encode())


def output(files, *words):
    return harness.must_run([harness.GPROF, "--quiet", "-b"] + list(words) + files, cwd=TEMP).decode()


# ---- What each output shows: shares of functions and of arcs ----


def of_text(files, *options):
    functions, callers, callees, shares = stacks.parse_graph(output(files, "-q", *options))
    total = max(sum(times) for times in functions.values())
    in_percent = lambda lines: {key: 100 * sum(times) / total for key, times in lines.items()}
    known = {name: share for name, share in shares.items() if name in ADDRESS}
    return known, in_percent(callees), in_percent(callers)


def of_table(files):
    rows = csv.reader(io.StringIO(output(files, "--top=0", "--stacks", "--format=csv", "--columns=name,total%")))
    return {name: float(share) for name, share in list(rows)[1:]}, None, None


def of_callgrind(files):
    own, calls = stacks.parse_callgrind(output(files, "--stacks", "--format=callgrind"))
    total = sum(own.values())
    totals = {f: 100 * (own[f] + sum(n for (caller, _), n in calls.items() if caller == f)) / total for f in NAMES}
    return totals, {key: 100 * n / total for key, n in calls.items()}, None


def of_dot(files):
    text = output(files, "--stacks", "--format=dot", "--min-share=0")
    nodes = re.findall(r'(n\d+) \[label="([^"\\]+)\\n([\d.]+) %', text)
    names = {node: name for node, name, _ in nodes}
    edges = re.findall(r'(n\d+) -> (n\d+) \[label="([\d.]+) %', text)
    shares = {name: float(share) for _, name, share in nodes if name in ADDRESS}
    return shares, {(names[a], names[b]): float(share) for a, b, share in edges}, None


def of_json(files):
    document = json.loads(output(files, "--stacks", "--format=json"))
    share = 100 * document["stacks"]["rate"] / document["stacks"]["samples"]
    names = [function["name"] for function in document["functions"]]
    shares = {f["name"]: share * f["total"] for f in document["functions"] if f["name"] in ADDRESS}
    arcs = {(names[a["from"]], names[a["to"]]): share * (a["self"] + a["children"]) for a in document["arcs"]}
    return shares, arcs, None


def of_tree(files):
    """The first line of each function's tree is its total; those of callers are the callers' lines."""
    shares, callers = {}, {}
    for name in NAMES:
        heading, *rows = output(files, "--stacks", "--tree=" + name, "--min-share=0", "--depth=2").split("\n\n")[1].splitlines()
        for row in rows:
            share, lines, shown = float(row.split()[0]), row[heading.index("name") :][:3], row.split()[-1]
            if lines in ("|- ", "`- "):
                callers[shown, name] = share
            else:
                shares[shown] = share
    return shares, None, callers


def of_folded(files):
    """The tree of stacks, by the definitions."""
    lines = output(files, "--stacks", "--format=folded").splitlines()
    frames = [line.rpartition(" ") for line in lines]
    return truth([(text.split(";")[1:], int(n)) for text, _, n in frames])


OUTPUTS = [
    ("text", lambda files: of_text(files, "--stacks")), ("table", of_table), ("callgrind", of_callgrind), ("dot", of_dot),
    ("folded", of_folded), ("json", of_json), ("tree", of_tree),
]  # fmt: skip


# ---- The truth ----


def truth(weighted):
    """Shares by the definitions: of functions, of callees' lines and of callers' lines."""
    total = sum(weight for _, weight in weighted)
    functions, callers, callees = stacks.define([([(f, 0) for f in frames if f in ADDRESS], n) for frames, n in weighted])
    in_percent = lambda lines: {key: 100 * sum(line) / total for key, line in lines.items()}
    return in_percent(functions), in_percent(callees), in_percent(callers)


def errors(shown, expected, samples):
    """How many standard errors each share is from the truth, but for rounding; what is not shown is 0."""
    found = {}
    for key, share in expected.items():
        error = math.sqrt(share * (100 - share) / samples) if share < 100 else 0
        off = max(0, abs(shown.get(key, 0) - share) - 0.06)
        found[key] = off / error if error > 0 else off * 1e6
    return found


def judge(tap, files, shares, samples, what):
    expected = truth(list(zip(PATHS, shares)))
    for name, read in OUTPUTS:
        for kind, shown, true in zip(("functions", "callees", "callers"), read(files), expected):
            if shown is None:
                continue
            known = {key: share for key, share in true.items() if not (isinstance(key, tuple) and key[0] == "<spontaneous>")}
            far = {key: n for key, n in errors(shown, known, samples).items() if n > 3}
            tap.ok(not far, "%s: %s: %s" % (what, name, kind), "%r: shown %r, true %r" % (far, shown, known))


def check_drawn(tap):
    drawn = random.Random(3)
    make()
    for shares in SHARES:
        draw(shares, drawn)
        judge(tap, ["drawn", "drawn.gmon"], shares, SAMPLES, "%g, %g, %g, %g" % tuple(shares))
    assumed = of_text(["drawn", "drawn.gmon"])[1]
    far = errors(assumed, truth(list(zip(PATHS, SHARES[0])))[1], SAMPLES)
    tap.ok(far["dear_caller", "work"] > 30 and far["cheap_caller", "work"] > 30, "without stacks, they are far from it", repr(assumed))


def check_real(tap):
    library = runtime_build.built()
    if os.environ.get("CHECK_LONG") != "1" or library is None:
        tap.skip("a real run", "takes a while; CHECK_LONG=1" if library else "no libregmon")
        return
    source = os.path.join(harness.SRCDIR, "tests", "programs", "truth.c")
    flags = ["-g", "-O1", "-pg", "-fno-inline", "-fno-optimize-sibling-calls"]
    harness.must_run(library.compiler + flags + ["-o", os.path.join(TEMP, "truth"), source])
    environment = dict(harness.ENV, LD_PRELOAD=library.shared(), REGMON_STACKS="1", REGMON_HZ=str(RATE))
    status, out, err = harness.run([os.path.join(TEMP, "truth")], TEMP, environment)
    with open(os.path.join(TEMP, "gmon.out.stacks"), encoding="utf-8") as file:
        samples = sum(int(line.split(" ")[1]) for line in file if not line.startswith("#"))
    tap.ok(status == 0 and samples > 500, "a real run: %d samples" % samples, err.decode())
    judge(tap, ["truth", "gmon.out"], SHARES[0], samples, "a real run")


def main():
    tap = harness.Tap()
    check_drawn(tap)
    check_real(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
