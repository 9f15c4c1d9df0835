#!/usr/bin/env python3
"""Compares profilers on a program whose inclusive times are known by construction (tests/programs/truth.c).

    truth.py [BUILD]

BUILD is a build tree with libregmon (default: the current directory).  Prints the inclusive shares of four functions as
each tool shows them, the largest distance from the truth, and how much processor time the program took with the tool,
as a multiple of that without.  Tools that are not installed, or may not run here, are named with the reason.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(TOP, "tests", "programs", "truth.c")
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
    return done.stdout, after.children_user - before.children_user


def read_table(gprof, directory, *options):
    table, _ = run(directory, gprof, "--quiet", "--top=0", "--format=csv", "--columns=total%,name", *options, "counted", "gmon.out")
    rows = [line.split(",") for line in table.splitlines()[1:]]
    return {name: float(share or 0) for share, name in rows}


def with_counts(build, directory):
    _, taken = run(directory, "./counted")
    return read_table(os.path.join(build, "src", "gprof"), directory), taken


def with_stacks(build, directory):
    _, taken = run(directory, os.path.join(build, "runtime", "regmon"), "-S", "-r", "1000", "./counted")
    return read_table(os.path.join(build, "src", "gprof"), directory, "--stacks"), taken


def with_perf(_, directory):
    _, taken = run(directory, "perf", "record", "-q", "-e", "cpu-clock:u", "-F", "1000", "--call-graph", "dwarf", "-o", "perf.data", "./plain")
    report, _ = run(directory, "perf", "report", "-i", "perf.data", "--children", "-g", "none", "--stdio", "--percent-limit", "0")
    rows = re.findall(r"^ *([\d.]+)% +[\d.]+% .* (\w+) *$", report, re.M)
    return {name: float(share) for share, name in rows}, taken


def with_callgrind(_, directory):
    _, taken = run(directory, "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=callgrind.out", "./plain")
    report, _ = run(directory, "callgrind_annotate", "--inclusive=yes", "--threshold=100", "callgrind.out")
    rows = re.findall(r"\(([ \d.]+)%\) +\S*:(\w+)(?:'2)? \[", report)
    return {name: float(share) for share, name in reversed(rows)}, taken


def with_gprofng(_, directory):
    _, taken = run(directory, "gprofng", "collect", "app", "-o", "test.er", "-p", "hi", "./plain")
    report, _ = run(directory, "gprofng", "display", "text", "-metrics", "i.%totalcpu", "-functions", "test.er")
    rows = re.findall(r"^ *[\d.]+ +([\d.]+) +(\w+) *$", report, re.M)
    return {name: float(share) for share, name in rows}, taken


TOOLS = [
    ("gprof, C library", with_counts), ("gprof --stacks, regmon", with_stacks), ("perf, --call-graph dwarf", with_perf),
    ("callgrind", with_callgrind), ("gprofng", with_gprofng),
]  # fmt: skip


def find_build(words):
    place = words[0] if words else "."
    if not os.access(os.path.join(place, "src", "gprof"), os.X_OK):
        sys.exit("truth.py: %s: is not a build tree: it has no src/gprof" % place)
    return os.path.abspath(place)


def main(words):
    build = find_build(words)
    directory = tempfile.mkdtemp()
    try:
        run(directory, "gcc", *FLAGS, "-o", "plain", SOURCE)
        run(directory, "gcc", *FLAGS, "-pg", "-o", "counted", SOURCE)
        _, plain = run(directory, "./plain")
        heading = "%-24s" + 4 * "%13s" + "%10s%7s"
        print(heading % ("share of all time, %", *TRUTH, "farthest", "time"))
        print(("%-24s" + 4 * "%13d") % ("truth, by construction", *TRUTH.values()))
        for name, measure in TOOLS:
            try:
                shares, taken = measure(build, directory)
            except Failure as failure:
                print("%-24s%s" % (name, failure))
                continue
            found = [shares.get(function, 0) for function in TRUTH]
            farthest = max(abs(share - true) for share, true in zip(found, TRUTH.values()))
            print(("%-24s" + 4 * "%13.1f" + "%10.1f%7.2f") % (name, *found, farthest, taken / plain), flush=True)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main(sys.argv[1:])
