#!/usr/bin/env python3
"""Stripped executables: symbols and lines are read from the file into which they were stripped,
wherever it is
searched for, and every report is the one of the executable before it was stripped.

Usage: debug_files.py
"""

import sys

sys.dont_write_bytecode = True

import lzma
import os
import shutil

from lib import harness, programs
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP

REPORTS = (
    "-b -p",
    "-b -q",
    "-b -l -p",
    "-b -C",
    "-b -A",
    "-b -z -q --inline-file-names",
    "-b -pfib",
    "-b -c -q",
)


BOMB = lzma.compress(bytes(260 << 20), preset=0)  # more than is read


class Strip:
    """A directory with the stripped image, and maybe its debug file."""

    def __init__(self, name, program):
        self.path = os.path.join(TEMP, name)
        os.makedirs(self.path)
        for name in ("image", "gmon.out"):
            shutil.copy2(os.path.join(program, name), self.path)
        self.image = self.at("image")
        self.build_id = programs.build_id(self.image)

    def at(self, name):
        return os.path.join(self.path, name)

    def run_tool(self, tool, *words):
        harness.must_run(harness.tool(tool.upper(), tool) + list(words), self.path)

    def split(self, name, *options):
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        self.run_tool("objcopy", "--only-keep-debug", "image", name)
        self.run_tool("strip", "image")
        if options:
            self.run_tool("objcopy", *options, "image")

    def say(self, *words):
        return harness.run([harness.GPROF, *words, "image", "gmon.out"], self.path)


def by_link(strip):
    strip.split("elsewhere.dbg", "--add-gnu-debuglink=elsewhere.dbg")


def by_link_below(strip):
    strip.split("elsewhere.dbg", "--add-gnu-debuglink=elsewhere.dbg")
    os.mkdir(strip.at(".debug"))
    os.rename(strip.at("elsewhere.dbg"), strip.at(".debug/elsewhere.dbg"))


def by_build_id(strip):
    strip.split(".build-id/%s/%s.debug" % (strip.build_id[:2], strip.build_id[2:]))


def by_name(strip):
    strip.split("image.debug")


def by_name_only(strip):
    """Neither file has a build id."""
    strip.run_tool("objcopy", "--remove-section=.note.gnu.build-id", "image")
    strip.split("image.debug")


def by_copy(strip):
    """The executable before it was stripped."""
    shutil.copy2(strip.image, strip.at("image.debug"))
    strip.run_tool("strip", "image")


def by_compression(strip, damage=lambda packed: packed):
    """In the executable itself are the functions that are not dynamic symbols, compressed by xz."""
    names = [set(), set()]
    for of, words in zip(names, ((), ("-D",))):
        found = harness.run(
            harness.tool("NM", "nm") + [*words, "--defined-only", "--format=posix", "image"],
            strip.path,
        )[1].decode()
        of.update(line.split()[0] for line in found.splitlines() if line.split()[1] in "TtW")
    harness.write(
        strip.at("kept"), "".join(name + "\n" for name in sorted(names[0] - names[1])).encode()
    )
    strip.run_tool("objcopy", "--only-keep-debug", "image", "whole.debug")
    strip.run_tool("objcopy", "-S", "--keep-symbols=kept", "whole.debug", "small.debug")
    harness.write(strip.at("packed"), damage(lzma.compress(harness.read(strip.at("small.debug")))))
    strip.run_tool("strip", "image")
    strip.run_tool("objcopy", "--add-section=.gnu_debugdata=packed", "image")


def nowhere(strip):
    strip.run_tool("strip", "image")


def of_another_program(strip):
    nowhere(strip)
    harness.write(strip.at("other.c"), b"int main (void) { return 0; }\n")
    harness.must_run(
        harness.tool("CC", "cc") + ["-g", "-Wl,--build-id=sha1", "-o", "image.debug", "other.c"],
        strip.path,
    )


def with_a_pipe(strip):
    nowhere(strip)
    os.mkfifo(strip.at("image.debug"))


def with_rubbish(strip):
    nowhere(strip)
    harness.write(strip.at("image.debug"), b"words\n")


def check_found(tap, name, program, whole, make):
    strip = Strip(name, program)
    make(strip)
    for words in REPORTS:
        expected, got = (place.say(*words.split()) for place in (whole, strip))
        same = got[:2] == expected[:2] and got[0] == 0 and got[1] and b"strip" not in got[2]
        tap.ok(same, "%s: %s" % (name, words), harness.diff(expected[1], got[1]) + got[2].decode())


def check_not_found(tap, name, program, make):
    """The message names the places first, and linking again last."""
    strip = Strip(name, program)
    make(strip)
    status, out, err = strip.say("-b", "-p")
    text = err.decode()
    place = "image.debug, /usr/lib/debug/.build-id/%s/%s.debug" % (
        strip.build_id[:2],
        strip.build_id[2:],
    )
    fine = status == 1 and not out and 0 < text.find(place) < text.find("link without -s")
    tap.ok(fine, "%s: says where its debug file belongs" % name, text)


def check_partly(tap, program):
    """Stripped, with dynamic symbols: a warning about symbols, and one about lines."""
    strip = Strip("dynamic", program)
    strip.run_tool("strip", "image")
    status, out, err = strip.say("-b", "-C")
    text = err.decode()
    fine = (
        status == 0
        and out
        and "only its dynamic symbols" in text
        and "is stripped: put its debug file" in text
    )
    tap.ok(
        fine and text.count("image.debug, /usr") == 2,
        "dynamic symbols: what is missing, and where it belongs",
        text,
    )


def check_compressed(tap, name, program):
    """Symbols that are compressed in the executable: reports without files and lines are the same.
    A debug file is preferred."""
    whole, strip = Strip(name + "-whole", program), Strip(name, program)
    by_compression(strip)
    if not harness.has_library("LZMA"):
        return tap.skip("compressed symbols: " + name, "built without liblzma")
    for words in ("-b -p", "-b -p -z", "-b -pfib", "-b -p -c", "--top"):
        expected, got = (place.say(*words.split()) for place in (whole, strip))
        same = got[:2] == expected[:2] and got[0] == 0 and got[1] and b"symbols" not in got[2]
        tap.ok(
            same,
            "compressed symbols: %s: %s" % (name, words),
            harness.diff(expected[1], got[1]) + got[2].decode(),
        )
    os.rename(strip.at("whole.debug"), strip.at("image.debug"))
    words = ["-b", "-l", "-p"]
    tap.ok(
        strip.say(*words)[:2] == whole.say(*words)[:2],
        "compressed symbols and a debug file: " + name,
    )
    for number, damage in enumerate(
        (
            lambda p: p[:-9],
            lambda p: p[:40] + bytes([p[40] ^ 1]) + p[41:],
            lambda p: b"words",
            lambda p: lzma.compress(b"words"),
            lambda p: BOMB,
        )
    ):
        strip = Strip("%s-damaged-%d" % (name, number), program)
        by_compression(strip, damage)
        status, out, err = strip.say("-b", "-p")
        said = b"gprof: warning: image: cannot read the compressed symbols (.gnu_debugdata)" in err
        tap.ok(
            said and status in (0, 1) and b"stripped" in err,
            "compressed symbols that are damaged: %s, %d" % (name, number),
            err,
        )
    return None


def check_damaged(tap, program):
    """Lengths of the build id that its section does not have."""
    strip = Strip("damaged", program)
    nowhere(strip)
    whole = harness.read(strip.image)
    head = b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0"
    for length in (0, 21, 0x7FFFFFFF, 0xFFFFFFFF):
        harness.write(
            strip.image, whole.replace(head, head[:4] + length.to_bytes(4, "little") + head[8:])
        )
        status, out, err = strip.say("-b", "-p")
        text = err.decode()
        fine = (
            status == 1
            and not out
            and "if it was stripped into a debug file, put that where it is searched for (image.debug);"
            in text
            and ".build-id" not in text
        )
        tap.ok(
            whole.count(head) == 1 and fine,
            "a build id of %#x bytes in a section of 20" % length,
            text,
        )


ASSEMBLY = """
	.file "lines.s"
	.file 1 "lines.s"
	.text
.Lstart:
	.globl main, second
	.type main, %function
main:
	.loc 1 1
	.rept 16
	nop
	.endr
	.loc 1 2
	.rept 16
	nop
	.endr
	.size main, . - main
	.type second, %function
second:
	.loc 1 3
	.rept 16
	nop
	.endr
	.size second, . - second
.Lend:
	.section .debug_abbrev, "", %progbits
	.uleb128 1, 0x11
	.byte 0
	.uleb128 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0x03, 0x08, 0, 0, 0
	.section .debug_info, "", %progbits
	.long .Lafter - .Lbefore
.Lbefore:
	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1
	.long .debug_line
	.quad .Lstart
	.quad .Lend - .Lstart
	.asciz "lines.s"
.Lafter:
	.section .note.GNU-stack, "", %progbits
"""


def check_symbols(tap):
    """Debug information that has lines and no functions: the symbol table names them, and the
    dynamic symbols only
    if there is no such table."""
    place = os.path.join(TEMP, "symbols")
    os.makedirs(place)
    source, image = os.path.join(place, "lines.s"), os.path.join(place, "image")
    harness.write(source, ASSEMBLY.encode())
    built = harness.run(
        harness.tool("CC", "cc")
        + ["-nostdlib", "-shared", "-Wl,-Ttext=0x10000", "-o", image, source],
        place,
    )
    if built[0] != 0:
        return tap.skip("names of lines from symbols", "no assembler for x86-64 here")
    bins = {(i - 0x10000) // 2: 1 for i in (0x10002, 0x10012, 0x10022)}
    harness.write(
        os.path.join(place, "gmon.out"),
        Profile(Layout(64, "little"), [Histogram(0x10000, 0x10040, 32, bins)]).bytes(),
    )
    tool = harness.tool("OBJCOPY", "objcopy")
    for name, change, expected in (
        ("whole", None, ["main", "main", "second"]),
        ("part", ["--strip-symbol=second"], ["main", "main", "main"]),
        ("dynamic", ["--remove-section=.symtab"], ["main", "main", "second"]),
    ):
        path = os.path.join(place, name)
        harness.must_run(tool + (change or []) + [image, path], place)
        status, out, err = harness.run(
            [harness.GPROF, "--quiet", "-b", "-l", "-p", path, "gmon.out"], place
        )
        found = [line.split()[3] for line in out.decode().splitlines() if "(lines.s:" in line]
        tap.ok(
            status == 0 and found == expected,
            "names of lines from symbols: " + name,
            out.decode() + err.decode(),
        )
    return None


def main():
    if harness.is_reference():
        harness.skip_all("the reference reads no debug files")
    if not harness.tool("OBJCOPY", "objcopy") or not harness.tool("STRIP", "strip"):
        harness.skip_all("no objcopy, or no strip")
    flags = "-O1 -g -Wl,--build-id=sha1"
    program, why = programs.build(programs.Program("debug-files", "mix.c mix2.c", flags))
    if not program:
        harness.skip_all(why)
    tap = harness.Tap()
    whole = Strip("whole", program)
    for make in (by_link, by_link_below, by_build_id, by_name, by_name_only, by_copy):
        check_found(tap, make.__name__.replace("_", " "), program, whole, make)
    for make in (nowhere, of_another_program, with_a_pipe, with_rubbish):
        check_not_found(tap, make.__name__.replace("_", " "), program, make)
    check_damaged(tap, program)
    check_compressed(tap, "packed", program)
    check_symbols(tap)
    exporting, why = programs.build(
        programs.Program("debug-files-dynamic", "mix.c mix2.c", flags + " -rdynamic")
    )
    if exporting:
        check_partly(tap, exporting)
        check_compressed(tap, "packed-dynamic", exporting)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
