#!/usr/bin/env python3
"""Measures gprof against a reference: the two in turn on the same work, medians, and the ratio.

    bench.py [--gprof PATH] [--reference PATH] [--pairs N] [--toy] [--only NAME] [--directory DIR]
             [--functions N]

A row has the work, the bar it is to reach (reference / ours), the median wall times of N pairs of runs, or
more where these are short, their ratio, and the peak memory of both.  Before each run all processors are kept
busy for a moment.  A row whose name has `to' compares our own program with two sets of options.  --toy takes
tiny inputs and checks that both print the same; it measures nothing.
Beside the ratio stands its spread, from the first to the third quartile of the pairs.  A row fails below nine tenths
of its bar.  The last rows are ours alone: user time and memory for a million recorded stacks, and how many more
instructions four times the work takes, at most 4.4 times as many.
"""

import argparse
import array
import filecmp
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import inputs


class Work:
    def __init__(self, name, bar, arguments, is_compared=True, gives_up=False, beside=None):
        """Unless IS_COMPARED, the two print differently on purpose; if GIVES_UP, the reference may fail.  BESIDE:
        other arguments of our own program, which is the reference for what GNU gprof does not have."""
        self.name, self.bar, self.arguments, self.beside = name, bar, arguments, beside
        self.is_compared, self.gives_up = is_compared and beside is None, gives_up

    def is_small(self, memory, reference):
        """Whether that many MB are few enough."""
        return memory <= (950 if self.beside else reference)


def make_works(directory, toy):
    """Builds the inputs one by one and yields the works; each input is gone when the next is made."""

    def sized(full, tiny):
        return tiny if toy else full

    def graph(name, functions, size, pairs):
        image = inputs.assemble(directory, name, functions, size)
        return [image, inputs.graph_profile(image + ".gmon", functions, size, pairs)]

    image, gmon = inputs.c_program(directory, "small", sized(200, 40), 2, ["-O1", "-g"])
    yield Work("200 functions", 1.5, ["-b", image, gmon])
    image, gmon = inputs.c_program(directory, "middling", sized(2500, 60), 10 if not toy else 2, ["-O1", "-g"])
    yield Work("2,500 functions, C with -g", 2, ["-b", image, gmon])
    yield Work("the same, -l", 4, ["-b", "-l", image, gmon])
    yield Work("the same, -A", 2, ["-b", "-A", image, gmon])
    if not toy:  # their compilation takes longer than all the rest
        image, gmon = inputs.cxx_program(directory, "templates", 1000, ["-O0", "-g"])
        yield Work("30,000 symbols, C++ with -g", 4, ["-b", image, gmon])
        image, gmon = inputs.cxx_constructors(directory, "aliases", 100, 200, ["-O0", "-g"])
        yield Work("100 units, C++, constructors", 10, ["-b", image, gmon])
        image, gmon = inputs.cxx_library(directory, "library", 200, ["-O1", "-gdwarf-5"])
        yield Work("200 units, C++, code in headers", 8, ["-b", image, gmon])
        yield Work("the same, -l", 5, ["-b", "-l", image, gmon], is_compared=False, gives_up=True)
        yield Work("the same, --inline-file-names", 4, ["-b", "--inline-file-names", image, gmon], is_compared=False)
    n = sized(20000, 200)
    yield Work("20,000 functions, 100,000 arcs", 30, ["-b"] + graph("many", n, 16, inputs.random_pairs(n, 5 * n)))
    n = sized(10000, 100)
    yield Work("10,000 callers, 10,000 callees", 30, ["-b"] + graph("fans", n + 2, 16, inputs.fans(n)))
    yield Work("a cycle of 10,000", 30, ["-b"] + graph("ring", n, 16, inputs.ring(n)))
    n = sized(80000, 300)
    yield Work("80,000 functions, -p", 200, ["-b", "-p"] + graph("large", n, 16, inputs.random_pairs(n, n)))
    files = graph("table", n, 16, inputs.random_pairs(n, 25 * n // 4))
    yield Work("the same, 500,000 arcs, --top to -b", 1, ["--top"] + files, beside=["-b"] + files)
    for name in ("callgrind", "folded", "speedscope", "pprof"):
        yield Work("the same, %s to -b" % name, 0.5, ["--format=" + name] + files, beside=["-b"] + files)
    n = sized(1000000, 300)
    files = graph("document", n, 16, inputs.random_pairs(n, 10 * n))
    yield Work("1M functions, 10M arcs, JSON to -b", 0.67, ["--format=json"] + files, beside=["-b"] + files)
    n = sized(4000, 100)
    image = inputs.assemble(directory, "repeated", n, 256)
    many = inputs.many_profiles(os.path.join(directory, "many-profiles"), image, n, 256, sized(200, 10))
    yield Work("reading 200 profiles of 0.5 MB", 10, ["-b", "-p", image] + many)
    image, gmon = inputs.c_program(directory, "summed", sized(2500, 60), 10 if not toy else 2, ["-O1", "-g"])
    yield Work("-s of 200 profiles, with -g", 20, ["-s", image] + [gmon] * sized(200, 10), is_compared=False)


# ---- Measuring ----


def drop(path):
    if os.path.exists(path):
        os.unlink(path)


def wake_processors():
    """Keeps all processors busy for 20 ms.  One that was idle may run at a lower clock rate at first, which a program
    of some milliseconds would be measured at, and one of half a second would not."""
    spinners = []
    for processor in os.sched_getaffinity(0):
        spinner = os.fork()
        if spinner == 0:
            os.sched_setaffinity(0, {processor})
            end = time.monotonic() + 0.02
            while time.monotonic() < end:
                pass
            os._exit(0)
        spinners.append(spinner)
    for spinner in spinners:
        os.waitpid(spinner, 0)


def once(command, output, cwd, may_fail=False):
    """Wall seconds of one run.  Its output is a new file: some file systems write a file that was emptied to the disk
    when it is closed."""
    drop(output)
    with open(output, "wb") as file:
        start = time.monotonic()
        status = subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, cwd=cwd, check=False).returncode
        seconds = time.monotonic() - start
    if status != 0 and not may_fail:
        sys.exit("%s: exit status %d" % (" ".join(command[:4]), status))
    return seconds


def peak_memory(command, output, cwd, may_fail=False):
    """Peak memory of one run in MiB.  By time(1): what this process itself takes up would count otherwise."""
    note = os.path.join(cwd, "peak.txt")
    once(["/usr/bin/time", "-f", "%M", "-o", note] + command, output, cwd, may_fail)
    with open(note, encoding="ascii") as file:
        return int(file.read().split()[-1]) / 1024


def is_too_early(times, pairs):
    """Whether there are fewer than PAIRS pairs yet, or more would take no time: the median of a few runs of
    some milliseconds is that of whatever else the machine had to do."""
    enough_seconds, enough_pairs = 8, 51
    count = min(len(values) for values in times.values())
    seconds = sum(sum(values) for values in times.values())
    return count < max(pairs, 2) or (count < enough_pairs and seconds < enough_seconds)


def measure(work, options, directory):
    ours, theirs = os.path.join(directory, "ours.txt"), os.path.join(directory, "theirs.txt")
    times = {ours: [], theirs: []}
    memory = {ours: 0, theirs: 0}
    reference = [options.gprof] + work.beside if work.beside else [options.reference] + work.arguments
    commands = (([options.gprof] + work.arguments, ours, False), (reference, theirs, work.gives_up))
    run = once if options.toy else peak_memory
    for command, output, may_fail in commands:  # this warms up as well
        memory[output] = run(command, output, directory, may_fail)
    while not options.toy and is_too_early(times, options.pairs):
        for command, output, may_fail in commands:
            wake_processors()
            times[output].append(once(command, output, directory, may_fail))
    same = not work.is_compared or filecmp.cmp(ours, theirs, shallow=False)
    return times[ours], times[theirs], memory[ours], memory[theirs], same


ENOUGH = 0.9  # of a bar: what is less than that is no noise


def compare(options, directory):
    """Measures all works; the number of rows that miss their bar or differ."""
    wrong = 0
    if not options.toy:
        heads = ("work", "bar", "reference", "ours", "ratio", "spread", "ref MB", "ours MB")
        print("%-34s %6s %10s %10s %8s %13s %9s %9s" % heads)
    for work in make_works(directory, options.toy):
        if options.only and options.only not in work.name:
            continue
        ours, theirs, our_memory, their_memory, same = measure(work, options, directory)
        if options.toy:
            print("%-34s %s" % (work.name, "same" if same else "DIFFERENT"))
            wrong += not same
            continue
        ratio = statistics.median(theirs) / statistics.median(ours)
        low, _, high = statistics.quantiles((b / a for a, b in zip(ours, theirs)), n=4)
        reached = ratio >= ENOUGH * work.bar and same and work.is_small(our_memory, their_memory)
        wrong += not reached
        print(
            "%-34s %6g %9.3fs %9.3fs %8.1f %6.1f-%-6.1f %9.1f %9.1f%s"
            % (
                work.name,
                work.bar,
                statistics.median(theirs),
                statistics.median(ours),
                ratio,
                low,
                high,
                their_memory,
                our_memory,
                "" if reached else "  MISSED" if same else "  DIFFERENT",
            ),
            flush=True,
        )
    return wrong


# ---- Recorded stacks ----

MOST_SECONDS, MOST_MB = 3, 300  # for a million stacks


def print_stacks(options, directory):
    """How much processor time in user mode a million stacks take, and memory; the number of limits missed."""

    def user_seconds(command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        once(command, output, directory)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    image, gmon = inputs.recorded_stacks(directory, 100 if options.toy else 1000000)
    output, wrong = os.path.join(directory, "ours.txt"), 0
    if not options.toy:
        print("\n%-34s %14s %14s" % ("a million stacks of depth 100", "user seconds", "MB"))
    for arguments in (["--top"], ["-b", "-p", "-q", "--stacks"], ["--tree"]):
        command = [options.gprof] + arguments + [image, gmon]
        if options.toy:
            once(command, output, directory)
            continue
        memory = peak_memory(command, output, directory)
        seconds = statistics.median(user_seconds(command) for _ in range(options.pairs))
        reached = seconds < MOST_SECONDS and memory < MOST_MB
        wrong += not reached
        name = "a million stacks, " + " ".join(arguments)
        print("%-34s %14.2f %14.1f%s" % (name, seconds, memory, "" if reached else "  MISSED"), flush=True)
    return wrong


# ---- Growth ----

MOST_GROWTH = 4.4  # instructions, for four times the work


def count_instructions(command):
    """Instructions of one run in user mode.  By valgrind, whose count does not depend on what else the machine does,
    and which needs no performance counters."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(counter + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"I +refs: +([\d,]+)", done.stderr).group(1).replace(",", ""))


def threads_of(directory, image, count):
    """Arguments for stacks of COUNT threads, each with a name of its own."""
    path = os.path.join(directory, "threads-%d" % count)
    profile = inputs.Profile(path + ".gmon")
    profile.histogram(inputs.TEXT, array.array("H", [0] * 16))
    profile.close()
    with open(path, "w", encoding="ascii") as file:
        file.write("# regmon stacks 3\n# rate 100\n# program 0 p\n")
        for i in range(count):
            file.write("# thread %d t%d\n0:%x 1\n" % (i + 1, i, inputs.TEXT + 16))
    return ["--stacks=" + path, image, profile.file.name]


def grow(options, directory):
    """How the instructions grow from a quarter of the work to all of it; the number of bars missed."""
    size, wrong = 16, 0
    works, threads = [], []
    for functions in (options.functions // 4, options.functions):
        image = inputs.assemble(directory, "grown-%d" % functions, functions, size)
        pairs = inputs.random_pairs(functions, 10 * functions)
        works.append([image, inputs.graph_profile(image + ".gmon", functions, size, pairs)])
        threads.append(threads_of(directory, image, functions))
    print("\n%-34s %14s %14s %6s" % ("growth, instructions", "a quarter", "all", "times"))
    rows = [("functions, default", works, ["-b"]), ("functions, -r", works, ["-r"]), ("functions, -C", works, ["-C"])]
    rows.append(("threads, --by=thread", threads, ["--top", "--by=thread"]))
    for name, inputs_of, arguments in rows:
        quarter, whole = (count_instructions([options.gprof] + arguments + work) for work in inputs_of)
        reached = whole <= MOST_GROWTH * quarter
        wrong += not reached
        print(
            "%-34s %14d %14d %6.2f%s"
            % (
                "%d %s" % (options.functions, name),
                quarter,
                whole,
                whole / quarter,
                "" if reached else "  MISSED",
            ),
            flush=True,
        )
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gprof", default=os.environ.get("GPROF", "src/gprof"))
    parser.add_argument("--reference", default=os.environ.get("REFERENCE", "/usr/bin/gprof"))
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--toy", action="store_true")
    parser.add_argument("--only", help="only works with this in their name")
    parser.add_argument("--directory", help="where to make the inputs (a temporary one that is removed)")
    parser.add_argument("--functions", type=int, default=40000, help="of the growth rows; 0 leaves them out")
    options = parser.parse_args()
    options.gprof = os.path.abspath(options.gprof)
    directory = options.directory or tempfile.mkdtemp(prefix="gprof-bench-")
    os.makedirs(directory, exist_ok=True)
    try:
        wrong = compare(options, directory)
        if not options.only or options.only in "a million stacks":
            wrong += print_stacks(options, directory)
        if not options.toy and not options.only and options.functions > 0:
            wrong += grow(options, directory)
    finally:
        if not options.directory:
            shutil.rmtree(directory, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
