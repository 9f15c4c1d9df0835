#!/usr/bin/env python3
"""Measures what orders for linkers gain in real programs: SQLite (C) and ninja (C++).

    orders.py [--sources DIR] [--runs N] [--gprof GPROF] [--ld DIR] [PROGRAM]...

DIR has the unpacked sources of sqlite3 and ninja-build, as `apt-get source' gets them, and programs are compiled in it,
with -O2 -ffunction-sections, once with -pg and once without.  The profile is that of a run with -pg; lld and GNU ld then
link the program without -pg.  --ld: a directory with a GNU ld of at least 2.43 as `ld', for section-order.

For a short run, which is mostly start, it prints pages of the program's code that are executed and misses of a cache for
instructions of 32 kB, both as callgrind simulates them (valgrind); for this and a long run page faults, misses that perf
counts, where the machine does, and seconds of processor time, medians of N runs in turns.  Nothing is installed.
"""

import argparse
import glob
import os
import re
import resource
import statistics
import subprocess
import sys

from programs import Missing, make, source

NOT_NINJA = r"\.in\.cc|_test|perftest|test\.cc|win32|browse|msvc|minidump|includes_normalize|hash_collision"
GRAPH = 20000  # targets of ninja's long run


def run(command, cwd=None):
    result = subprocess.run(command, cwd=cwd, shell=isinstance(command, str), capture_output=True)
    if result.returncode:
        raise Missing("%s: %s" % (command, result.stderr.decode("utf-8", "replace")[-500:]))
    return result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")


class Program:
    """Objects in DIRECTORY, with -pg and without, and the arguments of a short run and a long one."""

    def __init__(self, name, directory, compiler, sources, flags, libraries, short, long):
        self.name, self.directory, self.compiler, self.libraries, self.short, self.long = name, directory, compiler, libraries, short, long
        self.objects = {}
        for kind in ("", "-pg"):
            self.objects[kind] = []
            for path in sources:
                target = "order%s-%s.o" % (kind, os.path.basename(path))
                make(directory, target, "%s -O2 -ffunction-sections -w %s %s -c -o %s %s" % (compiler, kind, flags, target, path))
                self.objects[kind].append(target)

    def link(self, name, *options, kind=""):
        """The path of the program, and the number of warnings."""
        command = [self.compiler, *([kind] if kind else []), "-o", name, *self.objects[kind], *self.libraries, *options]
        err = run(command, self.directory)[1]
        return os.path.join(self.directory, name), err.count("warning:")


def make_sqlite(options):
    directory = os.path.dirname(source(options, "sqlite3-*/configure"))
    make(directory, "sqlite3.c", "./configure --disable-readline", "make sqlite3.c shell.c")
    flags = "-DSQLITE_THREADSAFE=1 -I."
    return Program("SQLite", directory, "gcc", ["sqlite3.c", "test/speedtest1.c"], flags, ["-lpthread", "-ldl", "-lm"],
                   ["--size", "1", "--testset", "main"], ["--size", "60"])  # fmt: skip


def make_ninja(options):
    directory = os.path.dirname(source(options, "ninja-*/configure.py"))
    sources = [path for path in sorted(glob.glob(os.path.join(directory, "src", "*.cc"))) if not re.search(NOT_NINJA, path)]
    for name, count in (("short", 10), ("long", GRAPH)):
        os.makedirs(os.path.join(directory, name), exist_ok=True)
        with open(os.path.join(directory, name, "build.ninja"), "w", encoding="ascii") as file:
            file.write("rule cc\n  command = cc -c $in -o $out\n  depfile = $out.d\n")
            for i in range(count):
                file.write("build o/%d.o: cc build.ninja | %s\n" % (i, " ".join("o/%d.o" % (i // k) for k in (2, 3) if 0 < i // k < i)))
    flags = "-DNINJA_PYTHON='\"python3\"' -DUSE_PPOLL"
    return Program("ninja", directory, "g++", [os.path.relpath(path, directory) for path in sources], flags, ["-lpthread"],
                   ["-C", "short", "-n"], ["-C", "long", "-n"])  # fmt: skip


def simulate(program, path, words):
    """(executed pages of the program, misses of instructions) as callgrind says."""
    out = os.path.join(program.directory, "order.callgrind")
    run(["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no", "--cache-sim=yes",
         "--I1=32768,8,64", "--callgrind-out-file=" + out, path, *words], program.directory)  # fmt: skip
    pages, is_own, misses = set(), False, None
    with open(out, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("ob="):
                is_own = line[3:].strip() == os.path.realpath(path)
            elif line.startswith(("summary:", "totals:")):
                misses = int(line.split()[4])
            elif is_own and line.startswith("0x"):
                pages.add(int(line.split()[0], 16) >> 12)
    return len(pages), misses


def measure(program, path, words):
    """(page faults, seconds of processor time) of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run([path, *words], program.directory)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def counted_misses(program, path, words):
    """As perf counts them, or None."""
    try:
        text = run(["perf", "stat", "-x,", "-e", "L1-icache-load-misses", path, *words], program.directory)[1]
    except (Missing, FileNotFoundError):
        return None
    found = re.search(r"^(\d+),", text, re.M)
    return int(found[1]) if found else None


def variants(program, options):
    """{name: path} of the program, linked in each order."""
    profiled, _ = program.link("order-profiled", kind="-pg")
    run([profiled, *program.long], program.directory)
    gmon = next(path for path in (os.path.join(program.directory, name) for name in ("gmon.out", "long/gmon.out", "short/gmon.out")) if os.path.exists(path))
    orders = {}
    for name in ("symbol-order", "call-graph-order", "section-order"):
        orders[name] = os.path.join(program.directory, "order." + name)
        run([options.gprof, "--quiet", "--format=" + name, "-o", orders[name], profiled, gmon])
    orders["-r"] = os.path.join(program.directory, "order.r")
    with open(orders["-r"], "w", encoding="utf-8") as file:
        file.write(run([options.gprof, "--quiet", "-b", "-r", profiled, gmon])[0])
    os.unlink(gmon)
    lld = ["-fuse-ld=lld", "-Wl,--error-limit=0"]
    for name, option in (("symbol-order", "symbol"), ("call-graph-order", "call-graph")):
        again = program.link("order-again", *lld, "-Wl,--%s-ordering-file=%s" % (option, orders[name]), kind="-pg")[1]
        print("%s: %s: warnings of lld for the profiled objects: %d" % (program.name, name, again))
    found = {"lld": program.link("order-lld", *lld)[0]}
    for name, option in (("-r", "symbol"), ("symbol-order", "symbol"), ("call-graph-order", "call-graph")):
        found["lld, " + name], warnings = program.link("order-lld-" + name, *lld, "-Wl,--%s-ordering-file=%s" % (option, orders[name]))
        print("%s: %s: warnings of lld without -pg: %d" % (program.name, name, warnings))
    if options.ld:
        found["GNU ld"] = program.link("order-ld", "-B" + options.ld)[0]
        found["GNU ld, section-order"] = program.link("order-ld-sections", "-B" + options.ld, "-Wl,--section-ordering-file=" + orders["section-order"])[0]
    return found


def report(program, options):
    found = variants(program, options)
    for what, words in (("short", program.short), ("long", program.long)):
        print("\n%-10s %-6s %25s  %6s  %12s  %12s  %7s  %8s" % (program.name, what, "", "pages", "I1, model", "I1, perf", "faults", "CPU s"))
        runs = {name: [] for name in found}
        for _ in range(options.runs):
            for name, path in found.items():
                runs[name].append(measure(program, path, words))
        for name, path in found.items():
            pages, misses = simulate(program, path, words) if what == "short" else ("-", "-")
            faults, seconds = (statistics.median(column) for column in zip(*runs[name]))
            print("%-43s  %6s  %12s  %12s  %7d  %8.3f" % (name, pages, misses, counted_misses(program, path, words) or "-", faults, seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--sources", default=".", metavar="DIR")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--gprof", default="src/gprof")
    parser.add_argument("--ld", metavar="DIR")
    options = parser.parse_args()
    options.gprof = os.path.abspath(options.gprof)
    options.sources = os.path.abspath(options.sources)
    status = 0
    for name, prepare in (("sqlite", make_sqlite), ("ninja", make_ninja)):
        if options.programs and name not in options.programs:
            continue
        try:
            report(prepare(options), options)
        except Missing as missing:
            print("%s: %s" % (name, missing))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
