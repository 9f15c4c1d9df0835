#!/usr/bin/env python3
"""Compares profilers on a program whose inclusive times are known by construction (tests/programs/truth.c).

    truth.py [BUILD]

BUILD is a build tree with libregmon (default: the current directory).  Prints the inclusive shares of four functions as
each tool shows them, the largest distance from the truth, and how much processor time the tool and the program took, as
a multiple of that of the program alone: of this one, which calls little, and of examples/sheet, which makes 35 million
calls.  The last column is the share of a function that touches new memory (tests/runtime/faults.c), less the share that
the program measures itself: two thirds of its time are page faults.  Tools that are not installed, or may not run here,
are named with the reason.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(TOP, "tests", "programs", "truth.c")
FAULTS = os.path.join(TOP, "tests", "runtime", "faults.c")
FLAGS = ["-g", "-O1", "-fno-inline", "-fno-optimize-sibling-calls", "-fno-omit-frame-pointer"]
TRUTH = {"dear_caller": 72, "cheap_caller": 8, "big_script": 18, "small_script": 2}


class Failure(Exception):
    pass


def run(directory, *command, **environment):
    """The output of a command, and how many seconds of processor time it took."""
    before = os.times()
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, env=dict(os.environ, **environment))
    except FileNotFoundError as error:
        raise Failure("not installed") from error
    after = os.times()
    if done.returncode != 0:
        raise Failure((done.stderr.strip() or "failed").splitlines()[-1])
    return done.stdout, after.children_user - before.children_user + after.children_system - before.children_system


# ---- Shares of inclusive time that a tool shows of what it recorded: {function: percent} ----


def read_table(build, directory, program, *options):
    gprof = os.path.join(build, "src", "gprof")
    table, _ = run(directory, gprof, "--quiet", "--top=0", "--format=csv", "--columns=total%,name", *options, program, "gmon.out")
    rows = [line.split(",") for line in table.splitlines()[1:]]
    return {name: float(share or 0) for share, name in rows}


def read_counts(build, directory, program):
    return read_table(build, directory, program, "--no-stacks")


def read_stacks(build, directory, program):
    return read_table(build, directory, program, "--stacks")


def read_perf(_, directory, _program):
    report, _ = run(directory, "perf", "report", "-i", "perf.data", "--children", "-g", "none", "--stdio", "--percent-limit", "0")
    return {name: float(share) for share, name in re.findall(r"^ *([\d.]+)% +[\d.]+% .* (\w+) *$", report, re.M)}


def read_callgrind(_, directory, _program):
    report, _ = run(directory, "callgrind_annotate", "--inclusive=yes", "--threshold=100", "callgrind.out")
    rows = re.findall(r"\(([ \d.]+)%\) +\S*:(\w+)(?:'2)? \[", report)
    return {name: float(share) for share, name in reversed(rows)}


def read_gprofng(_, directory, _program):
    report, _ = run(directory, "gprofng", "display", "text", "-metrics", "i.%totalcpu", "-functions", "test.er")
    return {name: float(share) for share, name in re.findall(r"^ *[\d.]+ +([\d.]+) +(\w+) *$", report, re.M)}


def read_uftrace(_, directory, _program):
    """Of the time of main: uftrace measures the time from a call to its return, also where the program waits."""
    report, _ = run(directory, "uftrace", "report", "--no-pager", "-d", "trace")
    units = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "m": 60}
    rows = re.findall(r"^ *([\d.]+) +(\w+) +[\d.]+ +\w+ +\d+ +(\w+)$", report, re.M)
    total = {name: float(figure) * units[unit] for figure, unit, name in rows}
    return {name: 100 * seconds / total["main"] for name, seconds in total.items()}


PERF = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "1000", "-o", "perf.data"]
CALLGRIND = ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=callgrind.out"]

# (what is said, the program that it runs, its command, whose first word may be a path in the build tree, and how to read it)
TOOLS = [
    ("gprof, C library", "counted", [], read_counts),
    ("gprof, regmon, -pg", "counted", ["runtime/regmon", "-r", "1000"], read_stacks),
    ("gprof, regmon", "plain", ["runtime/regmon", "-r", "1000"], read_stacks),
    ("perf, --call-graph dwarf", "plain", PERF + ["--call-graph", "dwarf"], read_perf),
    ("perf, -g", "plain", PERF + ["-g"], read_perf),
    ("gprofng", "plain", ["gprofng", "collect", "app", "-O", "test.er", "-p", "hi"], read_gprofng),
    ("callgrind", "plain", CALLGRIND, read_callgrind),
    ("uftrace", "counted", ["uftrace", "record", "-d", "trace"], read_uftrace),
]


def record(build, directory, program, command, *arguments):
    """Output and seconds of processor time of a run of the program with a tool."""
    for path in glob.glob(os.path.join(directory, "gmon.out*")) + [os.path.join(directory, "test.er")]:
        shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.unlink(path)
    words = [os.path.join(build, word) if i == 0 and "/" in word else word for i, word in enumerate(command)]
    return run(directory, *words, "./" + program, *arguments)


def misplaced(build, directory, program, command, read):
    """By how many percentage points the share of touch, in faults.c, differs from what the program says."""
    said = record(build, directory, program, command, "phases")[0]
    times = dict(re.findall(r"(\w+) (\d+)", said))
    return read(build, directory, program).get("touch", 0) - 100 * int(times["touch"]) / int(times["all"])


def compile_all(directory):
    sheet = sorted(glob.glob(os.path.join(TOP, "examples", "sheet", "*.c")))
    for kind, flags in (("plain", []), ("counted", ["-pg"])):
        run(directory, "gcc", *FLAGS, *flags, "-o", kind, SOURCE)
        run(directory, "gcc", "-g", "-O2", *flags, "-o", "sheet-" + kind, *sheet)
        run(directory, "gcc", *FLAGS, *flags, "-pthread", "-o", "faults-" + kind, FAULTS)


def find_build(words):
    place = words[0] if words else "."
    if not os.access(os.path.join(place, "src", "gprof"), os.X_OK):
        sys.exit("truth.py: %s: is not a build tree: it has no src/gprof" % place)
    return os.path.abspath(place)


def main(words):
    build = find_build(words)
    directory = tempfile.mkdtemp()
    try:
        compile_all(directory)
        plain = {program: record(build, directory, program, [])[1] for program in ("plain", "sheet-plain")}
        heading = "%-26s" + 4 * "%13s" + "%10s%8s%8s%8s"
        print(heading % ("share of all time, %", *TRUTH, "farthest", "time", "sheet", "faults"))
        print(("%-26s" + 4 * "%13d") % ("truth, by construction", *TRUTH.values()))
        for name, program, command, read in TOOLS:
            try:
                calls = record(build, directory, "sheet-" + program, command)[1] / plain["sheet-plain"]
                faults = misplaced(build, directory, "faults-" + program, command, read)
                taken = record(build, directory, program, command)[1] / plain["plain"]
                shares = read(build, directory, program)
            except Failure as failure:
                print("%-26s%s" % (name, failure))
                continue
            found = [shares.get(function, 0) for function in TRUTH]
            farthest = max(abs(share - true) for share, true in zip(found, TRUTH.values()))
            figures = (*found, farthest, taken, calls, faults)
            print(("%-26s" + 4 * "%13.1f" + "%10.1f%8.2f%8.2f%+8.1f") % (name, *figures), flush=True)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main(sys.argv[1:])
