#!/usr/bin/env python3
"""Limits of memory, stack and open files (ulimit -v, -d, -s and -n).  At each limit the program
either does all of its work
or ends with status 1 and a message; it never crashes, and never prints an incomplete report with
status 0.

Limits at which it cannot be loaded are left out: what happens there depends on the system.

And the program's own limits: if debug information would need a thousand times its size, the report
has no source
lines; and names that would be longer than 64 kB stay mangled.
"""

import sys

sys.dont_write_bytecode = True

import functools
import os
import resource
import signal
import struct
import subprocess
import zlib

from lib import elf, harness, programs, seeds
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, said, write

GPROF = harness.GPROF
REPORTS = {
    "default report": ["-b"],
    "-l": ["-b", "-l"],
    "-C": ["-b", "-C"],
    "-A -l": ["-b", "-A", "-l"],
    "-s": ["-s", "-o", "limited.sum"],
}
STACKS = list(range(20, 48, 2)) + [64, 96, 128, 256, 512]  # kB; a report needs less than 64
STEPS = harness.sized(
    10, 20
)  # of the limits of memory, from one that loads the program to one that suffices
UNWRAPPED = "libbfd allocates by the C library, and frees memory twice when there is none left"


# ---- Images ----


def large_source():
    """C with many functions, each of which calls three others."""
    count = 2000
    yield "volatile int used, deep;\n"
    for i in range(count):
        yield "void f%d (void);\n" % i
    for i in range(count):
        calls = " ".join("f%d ();" % ((7 * i + 131 * j) % count) for j in range(3))
        yield "void f%d (void) { used++; if (deep) { %s } }\n" % (i, calls)
    yield "int main (void) { %s return 0; }\n" % " ".join("f%d ();" % i for i in range(count))


def build_large():
    """A directory with image and gmon.out, or None."""
    directory, compiler = os.path.join(TEMP, "large"), harness.tool("CC", "cc")
    if not compiler:
        return None
    os.mkdir(directory)
    write(os.path.join(directory, "large.c"), "".join(large_source()).encode())
    done = harness.run(compiler + ["-pg", "-g", "-O0", "-o", "image", "large.c"], directory)
    if done[0] != 0 or harness.run([os.path.join(directory, "image")], directory)[0] != 0:
        return None
    return directory


def images():
    """(name, directory or None)"""
    by_name = {program.name: program for program in programs.PROGRAMS}
    for name, program in (("C", "mix-O1"), ("C++", "shapes-O0")):
        yield name, programs.build(by_name[program])[0]
    yield "2000 functions", build_large()


# ---- Runs ----


def run(which, limit, words, env=None):
    """Like harness.run, with a limit of LIMIT kB or files; the status is None if the program was
    not started."""

    def set_limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        units = limit if which == resource.RLIMIT_NOFILE else limit * 1024
        resource.setrlimit(which, (units, units))

    try:
        done = subprocess.run(
            [GPROF] + words,
            cwd=TEMP,
            env=env or harness.ENV,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            preexec_fn=set_limit,
            timeout=harness.TIMEOUT,
        )
    except (OSError, subprocess.SubprocessError):
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def can_be_loaded(which, limit):
    """Whether the loader can load the program and its libraries."""
    status, _, err = run(which, limit, [], dict(harness.ENV, LD_TRACE_LOADED_OBJECTS="1"))
    return status == 0 and not err


class Subject:
    """A report on an image: its output without limits, and what is wrong with it at a limit."""

    def __init__(self, directory, words):
        self.sum = os.path.join(TEMP, "limited.sum")
        self.words = words + [os.path.join(directory, name) for name in ("image", "gmon.out")]
        self.normal = harness.run([GPROF] + self.words)
        self.normal_sum = read(self.sum)

    def complaint(self, which, limit):
        """What is wrong ("" for nothing), and the status."""
        before = set(os.listdir(TEMP))
        status, out, err = result = run(which, limit, self.words)
        lines = err.splitlines()
        in_own_words = lines and all(line.startswith(b"gprof: ") for line in lines)
        left = set(os.listdir(TEMP)) - before
        if (
            status is None
            or status == 127
            or (status == -signal.SIGSEGV and not can_be_loaded(which, limit))
        ):
            return "", None
        if left or read(self.sum) != self.normal_sum:
            return "%d kB: the sum differs, or new files: %s\n" % (limit, left), status
        if result == self.normal or (
            status == 1 and in_own_words and b"memory exhausted" in lines[-1]
        ):
            return "", status
        return "%d kB: %s\n" % (limit, said(result)), status


@functools.lru_cache(maxsize=None)
def lowest(which, low, high):
    """The lowest limit, in kB and within 32, at which the program can be loaded."""
    while high - low > 32:
        middle = (low + high) // 2
        low, high = (low, middle) if can_be_loaded(which, middle) else (middle, high)
    return high


def enough(subject, which, limit):
    """A limit at which SUBJECT succeeds, at least LIMIT and at most twice what it needs."""
    while run(which, limit, subject.words)[0] == 1 and limit < 1 << 30:
        limit *= 2
    return limit


def check_limits(tap, name, subject, which, limits, expected):
    wrong, statuses = "", set()
    for limit in limits:
        complaint, status = subject.complaint(which, limit)
        wrong += complaint
        statuses.add(status)
    tap.ok(not wrong and expected <= statuses, name, wrong[:3000] or "it ended with %s" % statuses)


def check_memory(tap, name, subject):
    for option, which in (("-v", resource.RLIMIT_AS), ("-d", resource.RLIMIT_DATA)):
        low = lowest(which, 0, 1 << 20)
        high = enough(subject, which, low)
        step = max((high - low) // STEPS, 4)
        check_limits(
            tap,
            "%s: ulimit %s" % (name, option),
            subject,
            which,
            range(low, high + step, step),
            {0, 1},
        )


def check_files(tap, name, subject):
    """What cannot be opened is not taken for damaged or missing."""
    wrong, statuses = "", set()
    for limit in range(4, 12):
        status, out, err = result = run(resource.RLIMIT_NOFILE, limit, subject.words)
        statuses.add(status)
        is_refused = (
            status == 1
            and not out
            and err.startswith(b"gprof: ")
            and err.endswith(b": Too many open files\n")
        )
        if not is_refused and result != subject.normal:
            wrong += "%d files: %s\n" % (limit, said(result))
    tap.ok(not wrong and statuses == {0, 1}, "%s: ulimit -n" % name, wrong[:3000] or str(statuses))


def check_opened(tap, name, subject):
    """Image and profile are opened once: to see what they are, and to read them."""
    shim, log = harness.shim("opened"), os.path.join(TEMP, "opened-log")
    if not shim:
        return tap.skip("%s: files that are opened" % name, "no compiler")
    write(log, b"")
    harness.run([GPROF] + subject.words, env=dict(harness.ENV, LD_PRELOAD=shim, OPENED_LOG=log))
    names = [line.split(b" ", 2)[2] for line in read(log).splitlines() if b" open " in line]
    counts = [names.count(path.encode()) for path in subject.words[-2:]]
    tap.ok(counts == [1, 1], "%s: image and profile are opened once" % name, names)


# ---- The program's own limit ----

ROWS, ROW_BYTES = 20000, 4
NAME = 60000  # bytes; libbfd 2.40 keeps a copy of the name of the file for each row
OWN_LIMIT = 256 << 10  # kB; for files of less than 5 MB
RELOCATABLE = 1  # the ELF type of object files, whose lines are read by libbfd


def object_file(name, has_lines):
    """An image of two functions, with debug information if HAS_LINES."""
    text = "text 0\n"
    text += 'file "/src/%s.c"\n' % ("n" * NAME) if has_lines else ""
    text += "function main 0x%x\n" % (ROWS * ROW_BYTES)
    text += (
        "lines %s\n" % " ".join("%d %d" % (ROW_BYTES * i, 1 + i) for i in range(ROWS))
        if has_lines
        else ""
    )
    text += "function other 0x100\n"
    data = bytearray(elf.parse(text).bytes())
    struct.pack_into("<H", data, 16, RELOCATABLE)
    return write(os.path.join(TEMP, name), bytes(data))


def check_own_limit(tap):
    """The report is that of an image without debug information, after one warning."""
    image, plain = object_file("with-lines", True), object_file("without-lines", False)
    histogram = Histogram(0, ROWS * ROW_BYTES, ROWS, {i: 1 for i in range(0, ROWS, 100)})
    records = [histogram, ("arc", ROWS * ROW_BYTES + 8, 0, 5)]
    profile = write(os.path.join(TEMP, "profile"), Profile(Layout(), records).bytes())
    warning = b"gprof: warning: %s: debug information needs too much memory" % image.encode()
    for words in (["-p", "-l"], ["-p", "-l", "-c"], ["-C"], ["-A"]):
        status, out, err = result = run(
            resource.RLIMIT_AS, 2 * OWN_LIMIT, ["-b"] + words + [image, profile]
        )
        expected = harness.run([GPROF, "-b"] + words + [plain, profile])[1].replace(
            plain.encode(), image.encode()
        )
        good = status == 0 and out == expected and err.startswith(warning) and err.count(b"\n") == 1
        tap.ok(good, "%s: debug information that needs too much memory" % " ".join(words), result)


def line_bomb(name, rows, is_old):
    """An image with a line table of ROWS rows, most of which are compressed away."""
    image = elf.parse(
        'text 0x1000\nfile "/src/a.c"\nfunction main 0x100\nlines 0 1\nfunction other 0x100\n'
    )
    sections = dict(image.debug_sections())
    end = 13  # bytes of its last two opcodes
    program = sections[b".debug_line"]
    program = image.sized(
        program[4:-end] + b"\x20" * rows + program[-end:]
    )  # a row for the next address
    packed = zlib.compress(program, 9)
    if is_old:
        del sections[b".debug_line"]
        sections[b".zdebug_line"] = b"ZLIB" + struct.pack(">Q", len(program)) + packed
    else:
        sections[b".debug_line"] = struct.pack("<IIQQ", 1, 0, len(program), 1) + packed
    image.debug_sections = lambda: list(sections.items())
    data = bytearray(image.bytes())
    if not is_old:
        headers = struct.unpack_from("<Q", data, 40)[0]
        struct.pack_into("<Q", data, headers + 7 * 64 + 8, 0x800)  # the flag of compressed sections
    return write(os.path.join(TEMP, name), bytes(data))


def check_bombs(tap):
    """Line tables of a few kB, each of whose bytes stands for a thousand: the report comes without
    lines."""
    histogram = Histogram(0x1000, 0x1200, 0x80, {1: 5})
    profile = write(os.path.join(TEMP, "profile"), Profile(Layout(), [histogram]).bytes())
    for rows, is_old in ((8 << 20, False), (32 << 20, True), (300 << 20, False)):
        image = line_bomb("bomb", rows, is_old)
        status, out, err = result = run(
            resource.RLIMIT_AS, 3 * OWN_LIMIT, ["-b", "-p", "-l", image, profile]
        )
        good = status == 0 and b" main" in out and err.count(b"source lines") == 1
        what = "%d rows in %d bytes%s" % (
            rows,
            os.path.getsize(image),
            ", compressed as long ago" if is_old else "",
        )
        tap.ok(good, "a line table of " + what, said(result)[:3000])


def check_long_names(tap):
    """Names of a few hundred bytes that would have gigabytes when they are demangled, and one that
    would not."""
    short, long = seeds.doubling_name(0, 8), [
        seeds.doubling_name(i, 26) for i in range(1, 1000)
    ] + [seeds.doubling_rust_name(26)]
    text = "text 0x1000\n" + "".join("function %s 0x10\n" % name for name in [short, *long, "zz"])
    image = write(os.path.join(TEMP, "long-names"), elf.parse(text).bytes())
    bins = {4 * i: 1 for i in range(len(long) + 1)}
    profile = write(
        os.path.join(TEMP, "profile"),
        Profile(
            Layout(), [Histogram(0x1000, 0x1000 + 16 * len(bins), 4 * len(bins), bins)]
        ).bytes(),
    )
    status, out, err = result = run(resource.RLIMIT_AS, 2 * OWN_LIMIT, ["-b", "-p", image, profile])
    good = (
        status == 0
        and sum(b" %s\n" % name.encode() in out for name in long) == len(long)
        and b"P<P<A, A>, P<A, A> >" in out
        and err.count(b"64 kB") == 1
    )
    tap.ok(good, "names that double with each level", said(result)[:3000])


def main():
    if harness.is_reference():
        harness.skip_all("the reference crashes")
    if harness.is_sanitized() or os.environ.get("UNDER_VALGRIND"):
        harness.skip_all("sanitizers and valgrind need too much memory")
    if not can_be_loaded(resource.RLIMIT_STACK, 8192):
        harness.skip_all("the loader cannot report whether it can load the program")
    tap = harness.Tap()
    for image, directory in images():
        for report, words in list(REPORTS.items())[
            :: harness.sized(2, 1) if image == "2000 functions" else 1
        ]:
            name = "%s: %s" % (image, report)
            if directory is None:
                tap.skip(name, "does not build here")
                continue
            subject = Subject(directory, words)
            if harness.wraps_libbfd():
                check_memory(tap, name, subject)
            else:
                tap.skip("%s: ulimit -v and -d" % name, UNWRAPPED)
            check_files(tap, name, subject)
            check_opened(tap, name, subject)
            if "-s" not in words:  # it works with the smallest of these stacks
                check_limits(
                    tap, "%s: ulimit -s" % name, subject, resource.RLIMIT_STACK, STACKS, {0}
                )
    if harness.wraps_libbfd():
        check_own_limit(tap)
        check_long_names(tap)
        check_bombs(tap)
    else:
        tap.skip("debug information that needs too much memory", UNWRAPPED)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
