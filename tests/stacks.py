#!/usr/bin/env python3
"""--stacks: the column `sampled' of a file of stacks whose figures are known, and files that are damaged."""

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
# At 1,000 samples a second; a return address may be the first of the next function.
STACKS = [
    ([("main", 8), ("work", 4), ("leaf", 0)], 30),
    ([("main", 8), ("work", SIZE), ("leaf", 2)], 5),
    ([("main", 8), ("work", 4), ("work", 4), ("work", 0x3F)], 10),
    ([("main", 8), ("libc", 0x500)], 7),
    ([("libc", 0x100), ("main", 0)], 2),
]
SAMPLED = {"main": 0.054, "work": 0.045, "leaf": 0.035, "never": 0.0}


def lines_of(stacks, rate=1000, extra=""):
    lines = ["# regmon stacks 1", "# rate %d" % rate, "# object 7 libc.so.6", "# program 2 image"]
    for frames, samples in stacks:
        words = ["%d:%x" % ((2, ADDRESS[f] + at) if f in ADDRESS else (7, at)) for f, at in frames]
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
    return status, out.decode(), err.decode()


def sampled(text):
    status, out, err = run(text, "-z", "--format=csv", "--columns=name,sampled")
    rows = list(csv.reader(io.StringIO(out)))[1:]
    return {name: float(value) for name, value in rows} if status == 0 else err


def is_near(found, expected):
    return isinstance(found, dict) and found.keys() == expected.keys() and all(abs(found[n] - expected[n]) < 1e-9 for n in expected)


def test_figures(tap):
    found = sampled(lines_of(STACKS))
    tap.ok(is_near(found, SAMPLED), "a function counts once in a stack", repr(found))
    found = sampled(lines_of(STACKS[::-1] + STACKS))
    tap.ok(is_near(found, {name: 2 * value for name, value in SAMPLED.items()}), "stacks that repeat add up", repr(found))
    found = sampled(lines_of(STACKS, 500))
    tap.ok(is_near(found, {name: 2 * value for name, value in SAMPLED.items()}), "the rate is that of the file", repr(found))
    status, out, err = run(lines_of(STACKS, extra="? 5\n\n# more\n"))
    tap.ok(status == 0 and "total  sampled  least" in out and err == "", "`sampled' is a default column with --stacks", out + err)


FOLDED = """\
[sampled stacks];main;work;leaf 35
[sampled stacks];main;work;work;work 10
[sampled stacks];main;[libc.so.6] 7
[sampled stacks];[libc.so.6];main 2
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
    out, err = export(lines_of(STACKS), "--format=folded", "--focus=^leaf$")
    tap.ok(out.decode() == FOLDED.splitlines(True)[0], "folded: --focus", out.decode() + err.decode())
    many = [([("main", 8), ("libc", 0x500 + i)], 1) for i in range(30000)] + [([("work", 8)], 30000), ([("leaf", 1)], 1)]
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


def test_warnings(tap):
    status, _, err = run(lines_of([]))
    tap.ok(status == 0 and "has no stacks" in err, "no stacks", err)
    status, _, err = run(lines_of([([("libc", 1), ("main", -0x200)], 9)]))
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
        is_good = status == 1 and "stacks:10: cannot parse line" in err and out == ""
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
        (["--top", "--columns=sampled"], "--columns=sampled requires --stacks"),
        (["--top", "--sort=sampled"], "--columns=sampled requires --stacks"),
        (["-p", "--stacks=stacks"], "--stacks requires --top"),
        (["--top", "--by=file", "--stacks=stacks"], "--stacks and --by"),
        (["--top", "-l", "--stacks=stacks"], "--stacks and --line"),
        (["--top", "--stacks=nowhere"], "nowhere: No such file"),
        (["--format=json", "--stacks=stacks"], "option --stacks requires --top or --format=html|folded"),
        (["--format=callgrind", "--stacks=stacks"], "option --stacks requires --top or --format=html|folded"),
        (["--format=dot", "--stacks=stacks"], "option --stacks requires --top or --format=html|folded"),
    ):
        tap.refused(words + ["image", "gmon.out"], fragment, TEMP)


def main():
    tap = harness.Tap()
    make()
    for test in (test_figures, test_formats, test_warnings, test_damage, test_random_damage, test_refusals):
        test(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
