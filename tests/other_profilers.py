#!/usr/bin/env python3
"""Files of other profilers in the place of a profile: made by the profilers where they are
installed, else their
first bytes.  Those that are read as such say what is wrong with them, or with the executable in
front of them.  A
profile in a BSD format that begins with the same bytes is still read.
"""

import sys

sys.dont_write_bytecode = True

import glob
import os
import shutil
import struct

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write

SOURCE = "int sum; int main(void) { for (int i = 0; i < 20000000; i++) sum += i % 7; return 0; }\n"

# Names by program, and files that begin so: words of 64 and 32 bits, and of either byte order.
STARTS = [
    ("perf", b"PERFILE2" + struct.pack("<QQ", 104, 144)),
    ("perf", b"2ELIFREP" + struct.pack(">QQ", 104, 144)),
    ("gperftools", struct.pack("<6Q", 0, 3, 0, 10000, 0, 1)),
    ("gperftools", struct.pack("<6I", 0, 3, 0, 10000, 0, 1)),
    ("callgrind", b"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n"),
    ("pprof", b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04"),
    ("uftrace", b"Ftrace!\0" + struct.pack("<IHBB", 4, 40, 1, 2)),
    ("SEGGER SystemView", b";\n; Version     SEGGER SystemViewer V2.42\n; Author      Espressif\n"),
    ("gcov", b"adcg*22B"),
    ("gcov", b"oncg*22B"),
    ("gcov", b"gcdaB22*"),
    ("gcov", b"gcnoB22*"),
    ("Java Flight Recorder", b"FLR\0\0\2\0\1"),
]

PLAIN = "%s: is a file from %s"
# What is said of files that are read without being gmon.out.
READ = {
    "perf": "%s: is a profile that names its functions itself: leave out the executable image",
    "callgrind": "%s: is a profile that names its functions itself: leave out the executable image",
    "gperftools": "%s: byte ",
    "pprof": "%s: is a profile from pprof, and cannot be added to -pg profiles",
    "uftrace": (
        "%s: is a file from uftrace: `uftrace dump --flame-graph' converts it into a profile that"
        " gprof reads"
    ),
}


def said(name):
    status, out, err = harness.run([harness.GPROF, "-b", "image", name], TEMP)
    return status, out, err.decode("utf-8", "replace")


def check(tap, program, name, what):
    status, out, err = said(name)
    message = READ[program] % name if program in READ else PLAIN % (name, program)
    tap.ok(status == 1 and not out and message in err, "%s: %s" % (program, what), err)


def make(words, wanted):
    """The first file like WANTED that a command makes in the directory; None if there is none."""
    if not shutil.which(words[0]):
        return None
    harness.run(words, TEMP)
    found = sorted(glob.glob(os.path.join(TEMP, wanted)))
    return os.path.relpath(found[0], TEMP) if found and os.path.getsize(found[0]) else None


def check_real(tap):
    write(os.path.join(TEMP, "c.c"), SOURCE.encode())
    compiler = harness.tool("CC", "cc")
    built = compiler and harness.run(compiler + ["-g", "-o", "plain", "c.c"], TEMP)[0] == 0
    traced = built and harness.run(compiler + ["-g", "-pg", "-o", "traced", "c.c"], TEMP)[0] == 0
    covered = (
        built and harness.run(compiler + ["-g", "--coverage", "-o", "covered", "c.c"], TEMP)[0] == 0
    )
    files = [
        ("perf", built and make(["perf", "record", "-q", "-o", "p.data", "./plain"], "p.data")),
        (
            "callgrind",
            built
            and make(
                ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=cg", "true"], "cg"
            ),
        ),
        (
            "uftrace",
            traced and make(["uftrace", "record", "-d", "traces", "./traced"], "traces/info"),
        ),
        ("gcov", covered and make(["sh", "-c", "./covered"], "*.gcda")),
        ("gcov", covered and make(["true"], "*.gcno")),
    ]
    for program, name in files:
        if name:
            check(tap, program, name, "a file that it made, " + name)
        else:
            tap.skip(program, "it made none")


def check_starts(tap):
    for number, (program, start) in enumerate(STARTS):
        name = "start%d" % number
        write(os.path.join(TEMP, name), start + bytes(range(1, 200)))
        check(tap, program, name, "%r" % start[:12])


def check_lengths(tap):
    """Files of uftrace hold another size where a BSD profile has the size of its histogram: none is
    read as
    one, whatever the two are."""
    taken = []
    for size in (866, 867):
        start = b"Ftrace!\0" + struct.pack("<IHBBQQQ", 4, 40, 1, 2, size, 0x3BFF, 1024)
        for length in range(size, size + 24):
            write(os.path.join(TEMP, "info"), start.ljust(length, b"a"))
            status, out, err = said("info")
            if status != 1 or out or PLAIN % ("info", "uftrace") not in err:
                taken.append("%d of %d bytes: %s" % (size, length, err))
    tap.ok(not taken, "uftrace: all lengths", taken)


def check_valid(tap):
    """A BSD profile may begin with any bytes."""
    for number, (program, start) in enumerate(STARTS):
        low = struct.unpack("<Q", start[:8])[0]
        data = bytearray(
            Profile(Layout(64), [Histogram(low, low + 0x100, 64, {1: 5})]).bytes("bsd")
        )
        name = "valid%d" % number
        write(os.path.join(TEMP, name), bytes(data))
        status, out, err = said(name)
        is_long = (
            len(start) > 8 and data[: len(start)] != start
        )  # a longer start is not that of the profile
        tap.ok(
            status == 0 and "is a file of" not in err,
            "a profile that begins like one of %s%s" % (program, " (in part)" * is_long),
            err,
        )


def main():
    write(os.path.join(TEMP, "image"), elf.parse("text 0x1000\nfunction main 0x100\n").bytes())
    write(
        os.path.join(TEMP, "gmon.out"),
        Profile(Layout(64), [Histogram(0x1000, 0x1100, 64, {1: 5})]).bytes(),
    )
    tap = harness.Tap()
    check_starts(tap)
    check_lengths(tap)
    check_valid(tap)
    check_real(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
