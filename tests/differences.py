#!/usr/bin/env python3
"""Tests every difference that the manual lists: our result is the documented one, and that of the
reference, if it
is installed, still differs.

Differences with a golden case are tested there (`differs=N'); this script has the others, and
checks that none is
missing.

Usage: differences.py [NUMBER...]
"""

import sys

sys.dont_write_bytecode = True

import os
import random
import re
import resource
import shutil
import struct
import subprocess

import golden
import random_order
import slide
from lib import elf, gmonfile, harness, programs
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, said, write

PLAIN = Layout(64, "little")
LOW = 0x1000
IMAGE = (
    "function main 0x100\nfunction left 0x100\nfunction right 0x100\nfunction zz_padding 0x100\n"
)


class Bench:
    """A directory with an image and profiles, and both programs."""

    def __init__(self, name, image=IMAGE):
        self.path = os.path.join(TEMP, name)
        os.makedirs(self.path)
        write(os.path.join(self.path, "image"), elf.parse(image).bytes())

    def profile(self, name, *records, format="magic"):
        write(os.path.join(self.path, name), Profile(PLAIN, list(records)).bytes(format))

    def read(self, name):
        return read(os.path.join(self.path, name))

    def run(self, program, *words, limit=None, **keys):
        """Runs a program; LIMIT is a resource and its maximum."""
        before = limit and (lambda: resource.setrlimit(limit[0], (limit[1], limit[1])))
        done = subprocess.run(
            [program, *words],
            cwd=self.path,
            env=harness.ENV,
            capture_output=True,
            preexec_fn=before,
            timeout=harness.TIMEOUT,
            **keys
        )
        return done.returncode, done.stdout, done.stderr


def histogram(bins=(), **keys):
    return Histogram(LOW, LOW + 0x400, 0x100, bins or {1: 10, 70: 20}, **keys)


def arc(caller, callee, count=1):
    return "arc", LOW + caller, LOW + callee, count


# ---- The differences.  Each yields (name, whether it is as documented, our result), then, if the
# reference is
# installed, (name, whether it still differs, its result).  OURS and THEIRS are the programs; THEIRS
# may be None.
# For a test that cannot be run here: (name, None, reason).  ----


def explanations(ours, theirs):
    bench = Bench("explanations")
    bench.profile("gmon.out", histogram(), arc(4, 0x100))
    mine = bench.run(ours, "image")
    yield "explanations are printed", b"Reading the flat profile" in mine[1], mine
    if theirs:
        other = bench.run(theirs, "image")
        yield "in other words", other[0] == 0 and other[1] != mine[1], other


def optimised_lines(ours, theirs):
    program = next(p for p in programs.PROGRAMS if p.name == "shapes-O2")
    directory, why = programs.build(program)
    if not directory:
        yield "optimised C++", None, why
        return
    files = [os.path.join(directory, "image"), os.path.join(directory, "gmon.out")]
    bench = Bench("optimised")
    for words in (["-b", "-l", "-p"], ["-s"]):
        mine = bench.run(ours, *words, *files)
        yield "%s works on optimised C++" % " ".join(words), mine[0] == 0 and (
            words == ["-s"] or b"shapes.cc:" in mine[1]
        ), mine
        if theirs:
            other = bench.run(theirs, *words, *files)
            yield "%s miscounts" % words[0], other[0] == 1 and b"somebody miscounted" in other[
                2
            ], other


def large_sums(ours, theirs):
    bench = Bench("large")
    bench.profile("full", histogram({1: 65535}), arc(4, 0x100, 2**32 - 1))
    mine = bench.run(ours, "-s", "image", "full", "full")
    whole = gmonfile.figures(gmonfile.read_magic(PLAIN, bench.read("gmon.sum")))
    yield "a sum holds it all", list(whole.bins.values()) == [131070] and list(
        whole.arcs.values()
    ) == [2**33 - 2], mine
    if theirs:
        reports = [
            bench.run(theirs, "-b", "image", *names)[1]
            for names in (["gmon.sum"], ["full", "full"])
        ]
        yield "others read it", reports[0] == reports[1], (0, reports[0], b"")
        other = bench.run(theirs, "-s", "image", "full", "full")
        part = gmonfile.figures(gmonfile.read_magic(PLAIN, bytes_of_sum(bench)))
        yield "cut", list(part.bins.values()) != [131070] and list(part.arcs.values()) != [
            2**33 - 2
        ], other


def bytes_of_sum(bench):
    """The sum, with the correct bytes 8 to 19."""
    data = bench.read("gmon.sum")
    return data[:8] + bytes(12) + data[20:]


def interrupted_sum(ours, theirs):
    bench = Bench("interrupted")
    bench.profile("gmon.out", histogram(), *[arc(4 * i, 0x100) for i in range(200)])
    old = b"the old sum"
    for program, stands in ((ours, True), (theirs, False)):
        if program:
            write(os.path.join(bench.path, "gmon.sum"), old)
            result = bench.run(program, "-s", "image", limit=(resource.RLIMIT_FSIZE, 1000))
            is_so = (bench.read("gmon.sum") == old) == stands
            yield "the old sum stands" if stands else "the old sum is gone", is_so and result[
                0
            ] != 0 or not stands and is_so, result


def unreadable_names(ours, theirs):
    """The string table of the symbols is no string table."""
    bench = Bench("names")
    bench.profile("gmon.out", histogram())
    image = bytearray(bench.read("image"))
    headers = struct.unpack_from("<Q", image, 40)[0]
    struct.pack_into("<I", image, headers + 3 * 64 + 4, 1)  # its type
    write(os.path.join(bench.path, "image"), bytes(image))
    mine = bench.run(ours, "-b", "image")
    said = b"image: cannot read its symbol names" in mine[2]
    yield "an error", mine[0] == 1 and not mine[1] and said, mine
    if theirs:
        other = bench.run(theirs, "-b", "image")
        yield "no names", other[0] == 0 and b"(null)" in other[1], other


def suspicious(ours, theirs):
    bench = Bench("suspicious")
    bench.profile("gmon.out", histogram())
    bench.profile("rates", histogram(rate=50))
    bench.profile("outside", Histogram(0x900000, 0x900400, 0x100, {1: 10}))
    bench.profile("empty")
    for words, warning in (
        (["gmon.out", "rates"], b"rate"),
        (["outside"], b"outside the text"),
        (["-i", "image", "empty"], b"no records"),
    ):
        words = ["-b"] + (words if "-i" in words else ["image"] + words)
        mine = bench.run(ours, *words)
        yield "a warning: %s" % warning.decode(), mine[0] == 0 and b"warning" in mine[
            2
        ] and warning in mine[2], mine
        if theirs:
            other = bench.run(theirs, *words)
            yield "silence, and the same report", (other[0], other[1], other[2]) == (
                0,
                mine[1],
                b"",
            ), other


def chain(bench, count):
    """A chain of COUNT functions, each of which calls the next once."""
    image = elf.Image()
    image.symbols = [(b"f%d" % i, 0x10 * i, 0x10, False, True) for i in range(count)]
    image.symbols.append((b"zz_padding", 0x10 * count, 0x100, False, True))
    image.text = bytearray(0x10 * count + 0x100)
    write(os.path.join(bench.path, "image"), image.bytes())
    low, high = LOW, LOW + 0x10 * count
    arcs = [("arc", low + 0x10 * i + 8, low + 0x10 * (i + 1), 1) for i in range(count - 1)]
    bench.profile("gmon.out", Histogram(low, high, 4 * count, {4 * count - 2: 100}), *arcs)


def seconds(bench, program, *words):
    """The processor time of a run, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bench.run(program, *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def deep(ours, theirs):
    bench = Bench("deep")
    chain(bench, 200000)
    mine = bench.run(ours, "-b", "-q", "image")
    yield "200,000 calls deep", b"f199999 [" in mine[1], mine
    chain(bench, 10000)
    stack = (resource.RLIMIT_STACK, 256 << 10)
    mine = bench.run(ours, "-b", "-q", "image", limit=stack)
    yield "10,000 calls deep with a small stack", mine[0] == 0 and b"f9999 [" in mine[1], mine
    if theirs:
        other = bench.run(theirs, "-b", "-q", "image", limit=stack)
        yield "a crash there", other[0] < 0, other
        if harness.IS_LONG:  # it measures time
            much = seconds(bench, theirs, "-b", "-p", "image")
            chain(bench, 2500)
            little = seconds(bench, theirs, "-b", "-p", "image")
            yield "time grows with the square: %.3f s, %.3f s" % (little, much), much > 6 * max(
                little, 0.001
            ), other


def sum_header(ours, theirs):
    bench = Bench("header")
    bench.profile("gmon.out", histogram())
    mine = bench.run(ours, "-s", "image")
    yield "bytes 8 to 19 are zero", bench.read("gmon.sum")[8:20] == bytes(12), mine
    if theirs:
        other = bench.run(theirs, "-s", "image")
        yield "bytes 8 to 19 are not", bench.read("gmon.sum")[8:20] != bytes(12), other


def standard_input(ours, theirs):
    bench = Bench("stdin")
    for format in ("bsd", "bsd44"):
        bench.profile(format, histogram(), arc(4, 0x100), format=format)
        expected = bench.run(ours, "-b", "image", format)[1]
        piped = bench.run(ours, "-b", "image", "-", input=bench.read(format))
        yield "%s from a pipe" % format, piped[:2] == (0, expected), piped
        if theirs:
            other = bench.run(theirs, "-b", "image", "-", input=bench.read(format))
            yield "%s not from a pipe" % format, other[0] != 0 or other[1] != expected, other
    bench.profile("gmon.out", histogram())
    mine = bench.run(ours, "-b", "image", "-", "-", input=bench.read("gmon.out"))
    yield "a second `-' is an error", mine[0] == 1 and b"only once" in mine[2], mine
    if theirs:
        other = bench.run(theirs, "-b", "image", "-", "-", input=bench.read("gmon.out"))
        yield "the second one is not named", b"once" not in other[2], other


def complete_orders(ours, theirs):
    """A draw in which the reference repeats a function."""
    n, base = 170, os.path.join(TEMP, "order")
    rng = random.Random(REPEATING)
    random_order.write_image(base, n)
    random_order.write_profile(
        base + ".gmon", n, random_order.graph_hubs(rng, n, random_order._few)
    )
    for words in (["-b", "-r"], ["-b", "-r", "-q"]):
        mine = harness.run([ours] + words + [base, base + ".gmon"])
        names = [
            line for line in mine[1].decode().splitlines() if re.fullmatch(r"f\d+|zz_padding", line)
        ]
        yield "%s names all once" % " ".join(words), sorted(names) == random_order.all_functions(
            n
        ), mine
    if theirs:
        other = harness.run([theirs, "-b", "-r", base, base + ".gmon"])
        yield "one is repeated", len(set(other[1].split())) < len(other[1].split()), other


def true_lines(ours, theirs):
    """A program with code in a header, whose DWARF 5 libbfd 2.40 reads as code of the files that
    include it."""
    directory, why = programs.build(
        programs.Program("inline-dwarf5", "inline.c inline2.c", "-O0 -gdwarf-5")
    )
    if not directory:
        yield "DWARF 5", None, why
        return
    if not harness.has_library("LIBDW"):
        yield "DWARF 5", None, "built without libdw"
        return
    files = [os.path.join(directory, "image"), os.path.join(directory, "gmon.out")]
    bench = Bench("lines")
    header = "*** File %s/inline.h:" % programs.SOURCES
    for words, text, is_right in (
        ("-l -p", b"square (inline.h:11 @ ", True),
        ("-A", header.encode(), True),
        ("-C", b"/inline.h:11: (square:0x", True),
        ("-q", b"square (inline.h)", True),  # in the index
        ("-pinline.h", b" work\n", False),  # of another file
        ("-p --inline-file-names", b"square (inline.h:11)", True),
    ):
        mine = bench.run(ours, "-b", *words.split(), *files)
        yield "%s: the line of the header" % words, mine[0] == 0 and (
            text in mine[1]
        ) == is_right and b"square" in mine[1], mine
        if theirs:
            other = bench.run(theirs, "-b", *words.split(), *files)
            yield "%s: not there" % words, (text in other[1]) != is_right, other


FOLDED = """%s
long %s(long n)
{
    sum += n;
    return sum / n;
}
"""
FOLDED_MAIN = """long sum = 1;
long alpha(long n), omega(long n);
int main(void)
{
    return alpha(1) == omega(2);
}
"""


def folded_functions(ours, theirs):
    """Two functions with equal code, which the linker gives one address, in two units and in
    one."""
    why = (
        "no gold" if not shutil.which("ld.gold") else "no gcc" if not shutil.which("gcc") else None
    )
    if why is None and not harness.has_library("LIBDW"):
        why = "built without libdw"
    if why:
        yield "functions with equal code", None, why
        return
    bench = Bench("folded")
    alpha, omega = FOLDED % ("extern long sum;\n", "alpha"), FOLDED % (
        "extern long sum;\n\n\n\n",
        "omega",
    )
    for name, text in (
        ("alpha", alpha),
        ("omega", omega),
        ("main", FOLDED_MAIN),
        ("both", alpha + omega),
    ):
        write(os.path.join(bench.path, name + ".c"), text.encode())
    compile = (
        "gcc -g -O0 -no-pie -ffunction-sections -fno-ipa-icf -fuse-ld=gold -Wl,--icf=all -o image"
        .split()
    )
    lines = {"alpha.c": {"alpha": 4}, "omega.c": {"omega": 7}, "both.c": {"alpha": 4, "omega": 14}}
    real = os.path.realpath(bench.path)
    found_lines = set()
    for files in ("alpha.c omega.c", "omega.c alpha.c", "both.c"):
        done = bench.run(*compile, *files.split(), "main.c")
        symbols = bench.run("nm", "image")[1].decode().split("\n")
        addrs = {
            line.split()[2]: int(line.split()[0], 16)
            for line in symbols
            if line.endswith(("alpha", "omega"))
        }
        yield "%s: folded" % files, done[0] == 0 and len(addrs) == 2 and len(
            set(addrs.values())
        ) == 1, done
        low = min(addrs.values())
        write(
            os.path.join(bench.path, "gmon.out"),
            Profile(PLAIN, [Histogram(low, low + 16, 8, {0: 9})]).bytes(),
        )
        done = bench.run(ours, "-b", "-p", "image")
        shown = done[1].split()[-1].decode()
        place = next(
            "%s:%d" % (file, lines[file][shown]) for file in files.split() if shown in lines[file]
        )
        yield "%s: the flat profile has one" % files, done[0] == 0 and (b"alpha" in done[1]) != (
            b"omega" in done[1]
        ), done
        for words, text in (
            ("-l -p", "%s (%s @ " % (shown, place)),
            ("-p --inline-file-names", "%s (%s)" % (shown, place)),
            (
                "--format=json",
                '"file":"%s","line":%s,'
                % (os.path.join(real, place.split(":")[0]), place.split(":")[1]),
            ),
            ("--top --by=line", "/%s %s" % (place.replace(":", " "), shown)),
            ("-A -z", "*** File %s:" % os.path.join(real, place.split(":")[0])),
        ):
            done = bench.run(ours, "-b", *words.split(), "image")
            is_there = done[0] == 0 and text.encode() in b" ".join(done[1].split())
            yield "%s: %s: name, file and line of %s" % (files, words, shown), is_there, done
        if theirs:
            other = bench.run(theirs, "-b", "-p", "-l", "image")
            found_lines.add(("%s (%s @ " % (shown, place)).encode() in other[1])
    if theirs:
        yield "not all of the others", False in found_lines, other


def no_histogram(ours, theirs):
    bench = Bench("nohistogram")
    bench.profile("gmon.out", arc(4, 0x100, 2), arc(0x104, 0x200, 5))
    mine = bench.run(ours, "-b", "-q", "image")
    yield "0.00", mine[
        0
    ] == 0 and b"[2]      0.0    0.00    0.00       2         left [2]\n" in mine[1], mine
    if theirs:
        other = bench.run(theirs, "-b", "-q", "image")
        yield "-nan", b"-nan" in other[1] and other[1].replace(b" -nan", b" 0.00") == mine[1], other


def uncalled_cycle(ours, theirs):
    """A cycle that is called only by an arc with 0 calls keeps its time, like a function that
    is."""
    bench = Bench("cycle")
    samples = Histogram(LOW, LOW + 0x400, 0x100, {1: 10, 70: 20, 140: 30})
    bench.profile("gmon.out", samples, arc(4, 0x100, 0), arc(0x104, 0x200, 5), arc(0x204, 0x100, 7))
    mine = bench.run(ours, "-b", "-q", "image")
    yield "its time", b"[1]     83.3    0.50    0.00       0+12      <cycle 1 as a whole> [1]\n" in mine[
        1
    ], mine
    yield "none to the caller", b"[4]     16.7    0.10    0.00                 main [4]\n" in mine[
        1
    ], mine
    if theirs:
        other = bench.run(theirs, "-b", "-q", "image")
        yield "no time", b"[4]      0.0    0.00    0.00       0+12      <cycle 1 as a whole> [4]\n" in other[
            1
        ], other
    bench.profile("called", samples, arc(4, 0x100, 1), arc(0x104, 0x200, 5), arc(0x204, 0x100, 7))
    bench.profile("alone", samples, arc(0x104, 0x200, 5), arc(0x204, 0x100, 7))
    for profile in ("called", "alone") if theirs else ():
        mine, other = (
            bench.run(program, "-b", "-q", "image", profile) for program in (ours, theirs)
        )
        yield "the same where it is %s" % profile, mine[1] == other[1], mine


def stripped(ours, theirs):
    """A stripped program, with dynamic symbols and without, and with a debug file."""
    objcopy, strip = harness.tool("OBJCOPY", "objcopy"), harness.tool("STRIP", "strip")
    directory, why = programs.build(
        programs.Program("differences-stripped", "mix.c mix2.c", "-O0 -g -rdynamic")
    )
    if not directory or not objcopy or not strip:
        yield "stripped", None, why or "no objcopy, or no strip"
        return
    bench = Bench("stripped")
    for name in ("image", "gmon.out"):
        write(os.path.join(bench.path, name), read(os.path.join(directory, name)))
    whole = bench.run(ours, "-b", "image")
    harness.must_run(objcopy + ["--only-keep-debug", "image", "image.debug"], bench.path)
    harness.must_run(strip + ["image"], bench.path)
    mine = bench.run(ours, "-b", "image")
    yield "the symbols of the debug file", mine[:2] == whole[:2] and mine[0] == 0, mine
    if theirs:
        other = bench.run(theirs, "-b", "image")
        yield "an error", other[0] == 1 and b"no symbols" in other[2], other
    os.unlink(os.path.join(bench.path, "image.debug"))
    mine = bench.run(ours, "-b", "image")
    yield "dynamic symbols", mine[0] == 0 and b" main" in mine[
        1
    ] and b"only its dynamic symbols" in mine[2], mine
    if theirs:
        other = bench.run(theirs, "-b", "image")
        yield "an error without the file, too", other[0] == 1 and not other[1], other


def call_distances(_ours, _theirs):
    """Calls of SPARC and Alpha.  Few builds of libbfd read images of these machines, so the code is
    in a unit test."""
    program = os.path.join(harness.BUILDDIR, "tests", "unit", "test_callscan")
    if not os.access(program, os.X_OK):
        yield "distances in instructions", None, "the unit test is not built"
        return
    result = harness.run([program])
    for what in (b"SPARC: call, call back, sethi", b"Alpha: bsr, bsr back, br"):
        found = re.search(rb"^ok \d+ - " + re.escape(what) + b"$", result[1], re.M)
        yield what.decode() + ": distances in instructions", bool(found), result


def blocks_outside(ours, theirs):
    """Blocks at the end of the text of a real program and after it."""
    directory, why = programs.build(next(p for p in programs.PROGRAMS if p.name == "mix-O0"))
    if not directory:
        yield "blocks", None, why
        return
    image = os.path.join(directory, "image")
    addresses = {name: address for name, address, _ in elf.symbols(image)}
    bench = Bench("blocks")
    inside, outside = addresses[b"main"] + 4, addresses[b"etext"] + 8
    bench.profile(
        "gmon.out",
        Histogram(LOW, LOW + 0x400, 0x100, {1: 1}),
        ("blocks", [(inside, 3), (outside, 4)]),
    )
    mine = bench.run(ours, "-b", "-C", "-l", image, "gmon.out")
    yield "left out", mine[0] == 0 and b" 3 executions" in mine[1] and b" 4 executions" not in mine[
        1
    ], mine
    yield "and counted", b"warning: basic-block counts left out because they are outside every function" in mine[
        2
    ], mine
    if theirs:
        other = bench.run(theirs, "-b", "-C", "-l", image, "gmon.out")
        yield "under etext", b"(etext:0x%x) 4 executions" % outside in other[1], other


def calls_from_outside(ours, theirs):
    """Calls from address 0; without them, nothing is different."""
    bench = Bench("outside")
    inside = [histogram(), arc(4, 0x100, 2), arc(0x104, 0x200, 5)]
    bench.profile("library", *inside, ("arc", 0, LOW + 0x200, 15), ("arc", 0, LOW + 0x100, 8))
    bench.profile("program", *inside)
    for words, texts in (
        (["-q"], [b"      15/20          <outside>\n", b"       8/10          <outside>\n"]),
        (["-C"], [b"(left:0x1100) 10 executions", b"(right:0x1200) 20 executions"]),
    ):
        lineless = (
            b"gprof: warning: image: has no line numbers: compile with -g\n"
            if words == ["-C"]
            else b""
        )
        mine = bench.run(ours, "-b", *words, "image", "library")
        yield "%s counts them" % words[0], mine[0] == 0 and all(
            text in mine[1] for text in texts
        ), mine
        yield "%s, no message about calls" % words[0], mine[2] == lineless, mine
        same = bench.run(ours, "-b", "-z", *words, "image", "program")
        yield "%s: none, and no such caller" % words[0], b"outside" not in same[1] + same[2], same
        if theirs:
            other = bench.run(theirs, "-b", *words, "image", "library")
            without = bench.run(theirs, "-b", *words, "image", "program")
            yield "%s drops them" % words[0], other[1] == without[1] != mine[1], other
            equal = bench.run(theirs, "-b", "-z", *words, "image", "program")
            yield "%s: equal without them" % words[0], equal[1] == same[1], equal


def shifted_addresses(ours, theirs):
    """A real program's profile whose addresses are all higher; tests/slide.py draws many."""
    directory, why = programs.build(next(p for p in programs.PROGRAMS if p.name == "mix-O0"))
    if not directory:
        yield "shifted", None, why
        return
    image, recorded = os.path.join(directory, "image"), os.path.join(directory, "gmon.out")
    bench = Bench("shifted")
    profile = gmonfile.read_magic(PLAIN, read(recorded))
    write(os.path.join(bench.path, "gmon.out"), slide.shifted(profile, 0x7FF600000000).bytes())
    plain, mine = bench.run(ours, "-b", image, recorded), bench.run(ours, "-b", image, "gmon.out")
    yield "moved back", mine[:2] == plain[
        :2
    ] and b"all addresses are 0x7ff600000000 higher" in mine[2], mine
    if theirs:
        other = bench.run(theirs, "-b", image, "gmon.out")
        yield "nothing", b"main" not in other[1], other


REPEATING = 0  # a seed for the draw above

DIFFERENCES = {
    1: explanations,
    2: optimised_lines,
    3: large_sums,
    5: interrupted_sum,
    14: unreadable_names,
    15: suspicious,
    16: deep,
    17: sum_header,
    18: standard_input,
    20: complete_orders,
    23: true_lines,
    24: no_histogram,
    25: uncalled_cycle,
    26: stripped,
    27: call_distances,
    30: blocks_outside,
    31: calls_from_outside,
    33: shifted_addresses,
    35: folded_functions,
}


def listed():
    """The numbers in the manual's list."""
    text = read(os.path.join(harness.SRCDIR, "doc", "gprof.texi")).decode()
    table = text.split("@headitem @tab GNU gprof 2.40 @tab regprof")[1].split("@end multitable")[0]
    return {int(number) for number in re.findall(r"^@item (\d+) @tab", table, re.M)}


def check_complete(tap):
    """Checks that each number is tested, here or by a golden case."""
    tagged = {case.tags["differs"] for case in golden.read_cases([]) if "differs" in case.tags}
    there = {int(tag) for tag in tagged if tag.isdigit()} | set(DIFFERENCES)
    numbers = listed()
    missing = sorted(numbers - there)
    tap.ok(
        len(numbers) > 25 and not missing,
        "no difference is without a test",
        "these are: %s" % missing,
    )


def main():
    wanted = [int(word) for word in sys.argv[1:]]
    theirs = harness.REFERENCE if harness.has_reference() and not harness.is_reference() else None
    tap = harness.Tap()
    for number, difference in DIFFERENCES.items():
        if not wanted or number in wanted:
            for what, is_so, result in difference(harness.GPROF, theirs):
                name = "%d: %s" % (number, what)
                if is_so is None:
                    tap.skip(name, result)
                else:
                    tap.ok(
                        is_so,
                        name,
                        said(result) + "\n" + result[1].decode("utf-8", "replace")[:1000],
                    )
    if not wanted:
        check_complete(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
