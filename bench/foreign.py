#!/usr/bin/env python3
"""Measures how fast gprof reads the text of perf script, and how much memory it needs.

    foreign.py [--against COMMAND] [--megabytes N] [--runs N] [BUILD]

BUILD is a build tree (default: the current directory).  The text is that of a recording of 400 distinct stacks, as perf
prints them, repeated until it has N megabytes (1000), and a half, a quarter and an eighth of that.  COMMAND is another
reader of such text on its standard input, such as `stackcollapse-perf.pl'.  Prints medians of the runs, which take turns.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

MEGABYTE = 1000000
DISTINCT = 400


def recording(rng):
    """One sample of each stack, as perf script prints them."""
    names = ["%s_%d(std::vector<int, std::allocator<int> > const&, char*)" % (rng.choice(["parse", "emit", "scan"]), i) for i in range(300)]
    text = []
    for i in range(DISTINCT):
        text.append("worker  4711 %6d.%06d:     %d cpu-clock:ppp: " % (i // 1000, i, 1000000))
        for depth in range(rng.randint(8, 40)):
            text.append("\t%16x %s+0x%x (/usr/lib/x86_64-linux-gnu/libwork.so.1)" % (0x7F0000000000 + 64 * depth, rng.choice(names), rng.randint(0, 255)))
        text.append("")
    return ("\n".join(text) + "\n").encode()


def write_text(path, part, size):
    with open(path, "wb") as file:
        for _ in range(max(1, size // len(part))):
            file.write(part)


def measure(command, path):
    """Seconds of processor time and of a clock, and kilobytes, of a run with the text as standard input."""
    with open(path, "rb") as text:
        start = time.monotonic()
        child = subprocess.Popen(command, shell=isinstance(command, str), stdin=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit("foreign.py: %s failed" % (command,))
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=".")
    parser.add_argument("--against", metavar="COMMAND")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    part = recording(random.Random(1))
    readers = {"gprof": [os.path.join(options.build, "src", "gprof"), "--quiet", "--top", "-"]}
    if options.against:
        readers[options.against.split()[-1].split("/")[-1]] = options.against
    print("      MB  reader                    CPU s    MB/s  clock s  memory MB")
    for divisor in (8, 4, 2, 1):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "text")
            write_text(path, part, options.megabytes * MEGABYTE // divisor)
            size = os.path.getsize(path) / MEGABYTE
            found = {name: [] for name in readers}
            for _ in range(options.runs):
                for name, command in readers.items():
                    found[name].append(measure(command, path))
        for name, runs in found.items():
            cpu, clock, memory = (statistics.median(column) for column in zip(*runs))
            print("%8.0f  %-24s %6.2f  %6.0f  %7.2f  %9.1f" % (size, name, cpu, size / cpu, clock, memory / 1024))


if __name__ == "__main__":
    main()
