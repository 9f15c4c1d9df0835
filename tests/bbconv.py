#!/usr/bin/env python3
"""contrib/bbconv: converts old listings of basic blocks to readable profiles."""

import sys

sys.dont_write_bytecode = True

import os

from lib import elf, gmonfile, harness
from lib.gmonfile import Layout
from lib.harness import TEMP, said, write

BBCONV = os.path.join(harness.SRCDIR, "contrib", "bbconv")

LISTING = b"""\
Basic block profiling finished on Thu Jan  1 00:00:00 1998

File one.c, 3 basic blocks

    Block #1: executed       1 time(s) address= 0x1000 function= main
        line= 4 file= one.c
    Block #2: executed      20 time(s) address= 0x1010 function= main line= 6 file= one.c
    Block #3: executed       0 time(s) address= 0x1020 function= left line= 9 file= one.c

File two.c, 2 basic blocks

Block #1: executed 300 time(s) address= 0x00001030 function= right file= two.c line= 2
Block #2: executed 4 time(s) address=0x1038 function= right file= two.c line= 3
Block #2: executed 1 time(s) address=0x1038 function= right file= two.c line= 3
"""
BLOCKS = [(0x1000, 1), (0x1010, 20), (0x1020, 0), (0x1030, 300), (0x1038, 5)]

IMAGE = """\
file /src/one.c
function main 0x20
lines 0 4 0x10 6
function left 0x10
lines 0 9
file /src/two.c
function right 0x10
lines 0 2 8 3
function zz_padding 0x10
"""

COUNTS = b"""\
/src/one.c:4: (main:0x1000) 1 executions
/src/one.c:6: (main:0x1010) 20 executions
/src/two.c:2: (right:0x1030) 300 executions
/src/two.c:2: (right:0x1030) 300 executions
/src/two.c:3: (right:0x1038) 5 executions
"""

SOURCE = b"""\
*** File /src/two.c:
                f
     300,300 -> g
           5 -> h


Top 10 Lines:

     Line      Count

        2        300

Execution Summary:

        2   Executable lines in this file
        2   Lines executed
   100.00   Percent of the file executed

      300   Total number of line executions
   150.00   Average executions per line
"""


def convert(*words):
    return harness.run([sys.executable, BBCONV, *words])


def check_layouts(tap, listing):
    for bits in (32, 64):
        for order in ("little", "big"):
            output = os.path.join(TEMP, "%s%d" % (order, bits))
            result = convert("-b", str(bits), "-e", order, "-o", output, listing)
            profile = (
                gmonfile.read_magic(Layout(bits, order), harness.read(output))
                if result[0] == 0
                else None
            )
            is_same = profile and profile.records == [("blocks", BLOCKS)]
            tap.ok(is_same, "%d bits, %s-endian" % (bits, order), result)


def main():
    tap = harness.Tap()
    listing = write(os.path.join(TEMP, "bb.out"), LISTING)
    image = write(os.path.join(TEMP, "image"), elf.parse(IMAGE).bytes())
    write(os.path.join(TEMP, "two.c"), b"f\ng\nh\n")
    check_layouts(tap, listing)
    output = os.path.join(TEMP, "gmon.out")
    result = convert("-i", image, "-o", output, listing)
    tap.ok(result[0] == 0, "word size and byte order of an image", result)
    # Only sources of functions that were called are printed; the calls are in another profile.
    calls = write(
        os.path.join(TEMP, "calls"),
        gmonfile.Profile(Layout(), [("arc", 0x1010, 0x1030, 300)]).bytes(),
    )
    for words, expected in (
        (["-b", "-l", "-C"], COUNTS),
        (["-b", "-l", "-Atwo.c", "-I", TEMP], SOURCE),
    ):
        ours = harness.run([harness.GPROF] + words + [image, calls, output])
        name = "gprof " + " ".join(words[:3])
        tap.ok(
            ours[0] == 0 and ours[1] == expected, name, said(ours) + harness.diff(expected, ours[1])
        )
        if harness.has_reference():
            theirs = harness.run([harness.REFERENCE] + words + [image, calls, output])
            what = harness.disagreement(ours, theirs)
            tap.ok(not what, name + ", as the reference", what)
    for content, message in (
        (
            b"File x.c\n\n  Block #1: executed 3 time(s) function= f\n",
            b"bad: 3: the block has no address",
        ),
        (b"File x.c\n", b"no basic blocks"),
        (b"Block #1: executed 5000000000 time(s) address= 0x10\n", b"too large for 32 bits"),
        (
            b"\nBlock #1: executed %s time(s) address= 0x10\n" % (b"9" * 6000),
            b"bad: 2: the count or the address is too large",
        ),
        (
            b"\nBlock #1: executed 1 time(s) address= 0x%s\n" % (b"f" * 6000),
            b"bad: 2: the count or the address is too large",
        ),
    ):
        bad = write(os.path.join(TEMP, "bad"), content)
        result = convert("-b", "32", "-o", os.path.join(TEMP, "none"), bad)
        tap.ok(result[0] == 1 and message in result[2], message.decode(), result)
    result = convert(os.path.join(TEMP, "nowhere"))
    tap.ok(result[0] == 1 and b"No such file" in result[2], "a listing that is not there", result)
    result = convert("-i", listing, listing)
    tap.ok(result[0] == 1 and b"not an ELF file" in result[2], "an image that is none", result)
    place = os.path.join(TEMP, "output")
    os.mkdir(place)
    write(os.path.join(place, "bb.out"), LISTING)
    harness.check_converter(tap, [sys.executable, BBCONV], "bb.out", place)
    result = convert("-h")
    tap.ok(result[0] == 0 and b"bbconv [-i IMAGE]" in result[1], "help", result)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
