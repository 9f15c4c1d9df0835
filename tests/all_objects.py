#!/usr/bin/env python3
"""The functions of shared objects beside those of the program: stacks through real objects, at
addresses as nm prints
them, and what the table, the tree, formats and comparisons call them.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import json
import os
import re
import shutil
import struct

from exports import Pprof
from lib import gmonfile, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, write

RATE = 1000
BUILD_ID, OTHER_ID = "11aa22bb33cc", "11aa22bb33cd"
LIBRARY = b"""\
volatile int sink;
__attribute__((noinline)) static int hidden(int x)
{
    for (int i = 0; i < x; i++)
        sink += i;
    return sink;
}
__attribute__((noinline)) int exported(int x) { return hidden(x) * 3 + hidden(x + 1); }
__attribute__((noinline)) static int starter(int (*f)(int)) { return f(1) + 1; }
int start(int (*f)(int)) { return starter(f) + 1; }
int work(int x) { return x + sink; }
"""
PROGRAM = (
    b"int exported(int x); int work(int x) { return exported(x); } int main(void) { return"
    b" work(0); }\n"
)
CLASS = (
    b"namespace a { template<class T> int twice(T t) { return t * 2; } template int"
    b" twice<int>(int); }\n"
)


def tool(name, default):
    return harness.tool(name, default)


def build():
    cc, cxx = tool("CC", "cc"), tool("CXX", "c++")
    write(os.path.join(TEMP, "x.c"), LIBRARY)
    write(os.path.join(TEMP, "program.c"), PROGRAM)
    write(os.path.join(TEMP, "class.cc"), CLASS)
    os.mkdir(os.path.join(TEMP, "lib"))
    shared = ["-O1", "-shared", "-fPIC", "-fno-inline", "-fasynchronous-unwind-tables"]
    harness.must_run(
        cc + shared + ["-Wl,--build-id=0x" + BUILD_ID, "-o", "lib/libx.so.1", "x.c"], cwd=TEMP
    )
    harness.must_run(cxx + shared + ["-o", "lib/libclass.so", "class.cc"], cwd=TEMP)
    harness.must_run(
        cc
        + [
            "-O1",
            "-no-pie",
            "-Wl,--build-id=0xabcd",
            "-o",
            "program",
            "program.c",
            "lib/libx.so.1",
        ],
        cwd=TEMP,
    )


def symbols(path):
    """Address and size of each function."""
    lines = (
        harness.must_run(tool("NM", "nm") + ["-S", os.path.join(TEMP, path)]).decode().splitlines()
    )
    found = (re.fullmatch(r"([0-9a-f]+) ([0-9a-f]+) [tTW] (\S+)", line) for line in lines)
    return {m[3]: (int(m[1], 16), int(m[2], 16)) for m in found if m}


class Place:
    """The addresses of functions, and stacks of them."""

    def __init__(self, program="program"):
        self.program, self.library = symbols(program), symbols("lib/libx.so.1")
        self.path = os.path.join(TEMP, "lib", "libx.so.1")
        low = min(a for a, _ in self.program.values()) & ~15
        self.histogram = Histogram(low, low + 0x1000, 0x800, {0x10: 3}, RATE)
        write(
            os.path.join(TEMP, "gmon.out"), Profile(Layout(64, "little"), [self.histogram]).bytes()
        )

    def frame(self, name, is_caller):
        """A place in the middle of a function; `NAME+OFFSET': at this offset; a caller's is the
        address of its return."""
        if name == "?":
            return name
        object_number, _, name = name.rpartition(":")
        name, _, offset = name.partition("+")
        number = int(object_number or (0 if name in self.program else 1))
        if name == "":
            return "%d:%x" % (number, int(offset, 16))
        start, size = (self.program if number == 0 else self.library)[name]
        return "%d:%x" % (number, start + (int(offset, 16) if offset else size // 2) + is_caller)

    def lines(self, stacks, build_id=BUILD_ID, path=None, extra=(), objects=("libx.so.1",)):
        """Stacks as `main;work;exported 5'."""
        lines = ["# build-id abcd", "# file 1 %s %s" % (build_id, path or self.path), *extra]
        for text in stacks:
            names, count = text.rsplit(" ", 1)
            names = names.split(";")
            frames = [self.frame(n, i + 1 < len(names)) for i, n in enumerate(names)]
            lines.append((frames, int(count)))
        return gmonfile.stacks(lines, RATE, self.histogram, "program", objects).decode()

    def write(self, stacks, name="gmon.out", **more):
        write(os.path.join(TEMP, name + ".stacks"), self.lines(stacks, **more).encode())


def gprof(*words, **environment):
    status, out, err = harness.run(
        [harness.GPROF] + list(words), TEMP, dict(harness.ENV, **environment)
    )
    return status, out.decode(), err.decode()


def table(*words, **environment):
    """Own and inclusive samples by name."""
    status, out, err = gprof(
        "--quiet",
        "--top=0",
        "--format=csv",
        "--columns=self,total,name",
        *words,
        "program",
        **environment
    )
    rows = list(csv.reader(io.StringIO(out)))[1:]
    return (
        {row[2]: (round(float(row[0]) * RATE), round(float(row[1]) * RATE)) for row in rows}
        if status == 0
        else err
    )


USUAL = [
    "main;0:work;exported;hidden 30",
    "main;0:work;exported 10",
    "main;0:work 5",
    "main;1:work 7",
]
NAMED = {
    "main": (0, 52),
    "work": (5, 45),
    "exported [libx.so.1]": (10, 40),
    "hidden [libx.so.1]": (30, 30),
    "work [libx.so.1]": (7, 7),
}
FOLDED = {"main": (0, 52), "work": (5, 45), "[libx.so.1]": (47, 47)}


def test_names(tap, place):
    place.write(USUAL)
    found = table()
    tap.ok(
        found == NAMED,
        "functions of a shared object are rows, also those with the name of one of the program",
        found,
    )
    found = table("--fold-libraries")
    tap.ok(found == FOLDED, "--fold-libraries: they are one row", found)
    out = gprof("--quiet", "--tree", "--fold-libraries", "program")[1]
    tap.ok(
        out.count("[libx.so.1]") == 2 and "hidden" not in out,
        "--fold-libraries: one frame for each object",
        out,
    )
    out = gprof("--quiet", "--top", "program")[1]
    tap.ok("\n5 of 5 functions, 100.0 % of 0.05 seconds\n" in out, "all rows are 100 %", out)
    said = "\n0.01 of 0.05 s are in this program, 0.05 s in libx.so.1 (90 %)\n"
    tap.ok(said in out, "the line that says which object has the time", out)
    tap.ok(
        said in gprof("--quiet", "--top", "--fold-libraries", "program")[1],
        "--fold-libraries: the same line",
    )
    place.write(
        USUAL[:3] + ["main;1:+%x 9" % (max(a + s for a, s in place.library.values()) + 0x100000)]
    )
    found = table()
    tap.ok(
        found["[libx.so.1]"] == (9, 9),
        "code outside of the object's text has the name of the object",
        found,
    )


def test_note(tap, place):
    """The reports of GNU gprof, which have only the program, say on standard error what they leave
    out."""
    said = (
        "gprof: note: %s s are in this program, 0.05 s in libx.so.1 (90 %%); --top lists all"
        " functions\n" % "0.01 of 0.05"
    )
    place.write(USUAL)
    plain = {tuple(words): gprof(*words, "program")[1] for words in (["-p"], [], ["-b", "-p"])}
    for words, is_said in (
        ([], True),
        (["-p"], True),
        (["-l", "-p"], True),
        (["-b", "-p"], False),
        (["--quiet", "-p"], False),
        (["--no-stacks", "-p"], False),
        (["-q", "--stacks"], False),
        (["--top"], False),
        (["-p", "--top"], False),
        (["-s"], False),
        (["-i"], False),
    ):
        status, out, err = gprof(*words, "program")
        tap.ok(
            status == 0
            and err.count(said) == is_said
            and err.count("are in this program") == is_said,
            "the note on other objects: " + " ".join(words),
            err,
        )
    os.unlink(os.path.join(TEMP, "gmon.out.stacks"))
    for words, out in plain.items():
        tap.ok(
            gprof(*words, "program")[1] == out,
            "and the report is as without stacks: " + " ".join(words),
        )
    text = place.lines(USUAL)
    for name, changed in (
        ("of another profile", text.replace(" 3\n# checksum", " 4\n# checksum")),
        ("of another program", text.replace("abcd", "abce")),
        ("of this program alone", place.lines(["main;0:work 5"])),
        ("empty", place.lines([])),
    ):
        write(os.path.join(TEMP, "gmon.out.stacks"), changed.encode())
        status, out, err = gprof("-p", "program")
        tap.ok(
            status == 0 and "stacks" not in err and "are in this program" not in err,
            "stacks %s: no note" % name,
            err,
        )
    write(os.path.join(TEMP, "gmon.out.stacks"), (text + "rubbish\n").encode())
    status, out, err = gprof("-p", "program")
    said = "gmon.out.stacks:%d: cannot parse line" % (text.count("\n") + 1)
    tap.ok(
        status == 0 and out == plain["-p",] and said in err and "are in this program" not in err,
        "damaged stacks: a message",
        err,
    )
    place.write(["main;1:work 50"])
    err = gprof("-p", "program")[2]
    tap.ok(
        " note: 0.00 of 0.05 s are in this program, 0.05 s in libx.so.1 (100 %)" in err,
        "nothing in the program is 0",
        err,
    )
    place.write(["main;1:work 3"] * 7 + ["?;2:+0 1"] * 3, objects=("libx.so.1", "[generated code]"))
    out = gprof("--quiet", "--top", "program")[1]
    tap.ok("\n0.00 of 0.02 s are in this program, " in out, "and no negative number", out)


def test_builds(tap, place):
    place.write(USUAL, build_id=OTHER_ID)
    status, out, err = gprof("--top", "--columns=name", "program")
    note = (
        "gprof: note: %s: is not the build that ran, so its function names are not used\n"
        % place.path
    )
    tap.ok(
        status == 0 and "hidden" not in out and "\n[libx.so.1]\n" in out and note in err,
        "another build has no names",
        out + err,
    )
    moved = os.path.join(TEMP, "elsewhere", "libx.so.1")
    place.write(USUAL, path=moved)
    tap.ok("[libx.so.1]" in table(), "a file that is gone has none")
    found = table(LD_LIBRARY_PATH=os.path.join(TEMP, "lib"))
    tap.ok(found == NAMED, "but is found where --objects finds it", found)
    place.write(USUAL, path=moved, build_id=OTHER_ID)
    tap.ok(
        "[libx.so.1]" in table(LD_LIBRARY_PATH=os.path.join(TEMP, "lib")),
        "unless that is another build",
    )
    place.write(USUAL, build_id="-")
    tap.ok(table() == NAMED, "a build id that is not known is not asked for")
    lines = place.lines(USUAL).splitlines(True)
    write(
        os.path.join(TEMP, "gmon.out.stacks"),
        "".join(line for line in lines if not line.startswith("# file ")).encode(),
    )
    tap.ok(
        "[libx.so.1]" in table() and table(LD_LIBRARY_PATH=os.path.join(TEMP, "lib")) == NAMED,
        "without a file: by name",
    )


def test_stripped(tap, place):
    objcopy = tool("OBJCOPY", "objcopy")
    whole = os.path.join(TEMP, "whole")
    shutil.copy(place.path, whole)
    harness.must_run(objcopy + ["--strip-all", whole, place.path])
    start = place.library["hidden"][0]
    place.write(USUAL)
    expected = {
        name if "hidden" not in name else "libx.so.1+0x%x" % start: times
        for name, times in NAMED.items()
    }
    found = table()
    tap.ok(
        found == expected,
        "stripped: dynamic symbols within their sizes, else where the function begins",
        found,
    )
    out = gprof("--quiet", "--format=callgrind", "program")[1]
    tap.ok(
        re.search(r"^cob=\(\d+\) libx.so.1\ncfn=\(\d+\) exported\n", out, re.M)
        and re.search(r"^ob=\(2\)\n(?:.*\n)*?fn=\(\d+\)(?: libx.so.1\+0x%x)?\n" % start, out, re.M),
        "callgrind",
        out,
    )
    found = table("--focus=^libx.so.1\\+0x")
    tap.ok(list(found) == ["libx.so.1+0x%x" % start], "an expression matches the address", found)
    harness.must_run(objcopy + ["--remove-section=.eh_frame_hdr", place.path])
    found = table()
    expected = {
        name if "hidden" not in name else "[libx.so.1]": times for name, times in NAMED.items()
    }
    tap.ok(found == expected, "without .eh_frame: the name of the object", found)
    harness.must_run(objcopy + ["--only-keep-debug", whole, place.path + ".debug"])
    found = table()
    tap.ok(found == NAMED, "a separate debug file has the names", found)
    os.unlink(place.path + ".debug")
    shutil.copy(whole, place.path)


def test_damaged(tap, place):
    """Each byte of the sections that are read here, set to all ones: no crash, and figures as
    before."""
    objcopy = tool("OBJCOPY", "objcopy")
    whole = os.path.join(TEMP, "whole")
    harness.must_run(objcopy + ["--strip-all", whole, place.path])
    place.write(USUAL)
    good = read(place.path)
    out = harness.must_run(["objdump", "-h", place.path]).decode()
    bad = []
    for section in (".dynsym", ".dynstr", ".eh_frame", ".eh_frame_hdr"):
        size, offset = (
            int(word, 16)
            for word in re.search(r" %s +(\w+) +\w+ +\w+ +(\w+)" % re.escape(section), out).groups()
        )
        for at in range(offset, offset + size, harness.sized(11, 1)):
            write(place.path, good[:at] + b"\xff" + good[at + 1 :])
            found = table("--fold-libraries") if found_error(table()) else {}
            bad += [(section, at - offset, found)] if found else []
    tap.ok(not bad, "damaged sections of a stripped object", bad[:3])
    data = bytearray(read(whole))
    heads = struct.unpack_from("<Q", data, 40)[0]  # of sections, each of 64 bytes
    for head in range(heads, heads + 64 * struct.unpack_from("<H", data, 60)[0], 64):
        if struct.unpack_from("<I", data, head + 4)[0] == 2:  # that of the symbol table: its size
            struct.pack_into("<Q", data, head + 32, 1 << 40)
    write(place.path, data)
    status, out, err = gprof("--quiet", "--top", "--strict", "program")
    tap.ok(
        status == 1 and not out and "libx.so.1: cannot read the symbol table: " in err,
        "a damaged symbol table is warned of, which --strict counts",
        out + err,
    )
    shutil.copy(whole, place.path)


def found_error(found):
    return not isinstance(found, dict) or sum(own for own, _ in found.values()) != 52


def test_starts(tap, place):
    """Functions of an object that start the program or a thread are left out; others there are what
    they are."""
    place.write(
        [
            "start;starter;main;0:work 10",
            "start;starter;exported;hidden 4",
            "start;starter 2",
            "start;1:work 1",
        ]
    )
    status, out, err = gprof("--quiet", "-b", "--tree", "--min-share=0", "program")
    heading, rows = out.split("\n\n")[1].split("\n", 1)
    names = [line[heading.index("name") :] for line in rows.splitlines()]
    tap.ok(
        names
        == [
            "main",
            "`- work",
            "exported [libx.so.1]",
            "`- hidden [libx.so.1]",
            "starter [libx.so.1]",
            "work [libx.so.1]",
        ],
        "the code that starts others is left out, but where the sample is in it",
        out + err,
    )
    place.write(["start;exported;hidden 4", "start;exported 3"])
    found = table()
    expected = {
        "start [libx.so.1]": (0, 7),
        "exported [libx.so.1]": (3, 7),
        "hidden [libx.so.1]": (4, 4),
    }
    tap.ok(found == expected, "what starts nothing elsewhere is a function like others", found)
    regmon = [
        "main;0:work;2:+30 8",
        "main;2:+50;0:work 6",
        "2:+10;2:+20;main;exported 5",
        "main;0:work;2:+30;2:+40 9",
    ]
    place.write(regmon, objects=("libx.so.1", "libregmon.so"))
    found = table()
    expected = {"main": (0, 11), "work": (6, 6), "exported [libx.so.1]": (5, 5)}
    tap.ok(found == expected, "frames of libregmon never appear", found)
    out = gprof("--quiet", "--tree", "--fold-libraries", "--min-share=0", "program")[1]
    tap.ok("regmon" not in out, "nor with --fold-libraries", out)


def test_choices(tap, place):
    """Options know a function by its name, and by its name with the object."""
    place.write(USUAL)
    for word in ("^hidden$", "^hidden .libx", "hidden"):
        found = table("--focus=" + word)
        tap.ok(list(found) == ["hidden [libx.so.1]"], "--focus=" + word, found)
        found = table("--hide=" + word)
        tap.ok("hidden [libx.so.1]" not in found and len(found) == 4, "--hide=" + word, found)
    found = table("--focus=^work$")
    tap.ok(sorted(found) == ["work", "work [libx.so.1]"], "a name that several have", found)
    for word in ("hidden", "hidden [libx.so.1]"):
        out = gprof("--quiet", "-b", "--tree=" + word, "program")[1]
        tap.ok(
            "hidden [libx.so.1]\n" in out and "`- exported [libx.so.1]\n" in out,
            "--tree=" + word,
            out,
        )
        out = gprof("--quiet", "-b", "--stacks", "-q" + word, "program")[1]
        tap.ok(
            re.findall(r"^\[\d+\].*", out, re.M)[0].endswith(" hidden [libx.so.1] [4]"),
            "-q" + word,
            out,
        )
        out = gprof("--quiet", "--format=folded", "--focus=^%s$" % re.escape(word), "program")[1]
        tap.ok(
            out == "[sampled stacks];main;work;exported [libx.so.1];hidden [libx.so.1] 30\n",
            "folded: " + word,
            out,
        )
    out = gprof("--quiet", "--tree=work [libx.so.1]", "program")[1]
    tap.ok(
        "work [libx.so.1]\n" in out and " work\n" not in out,
        "a name with the object is of this object alone",
        out,
    )
    status, out, err = gprof("--quiet", "--tree=hiden", "program")
    tap.ok(status == 1 and "similar names: hidden" in err, "similar names", err)


def test_formats(tap, place):
    place.write(USUAL)
    out = gprof("--quiet", "-b", "-q", "--stacks", "program")[1]
    tap.ok(
        re.search(
            (
                r"0\.01 +0\.03 +exported \[libx\.so\.1\] \[\d\]\n +0\.03 +0\.00 +- +hidden"
                r" \[libx\.so\.1\] \[\d\]\n"
            ),
            out,
        ),
        "-q --stacks",
        out,
    )
    status, plain, _ = gprof("--quiet", "-b", "-p", "program")
    tap.ok(
        status == 0 and "libx" not in plain, "reports without --stacks have only the program", plain
    )
    document = json.loads(gprof("--quiet", "--format=json", "program")[1])
    found = {f["name"]: round(f["self"] * RATE) for f in document["functions"]}
    tap.ok(
        document["stacks"]["others"] == [47], "JSON: samples in other objects", document["stacks"]
    )
    tap.ok(
        {name: found.get(name) for name in NAMED}
        == {name: own for name, (own, _) in NAMED.items()},
        "JSON",
        found,
    )
    place.write(["main;0:+10 5", "main;hidden 4", "? 2"])
    others = json.loads(gprof("--quiet", "--format=json", "program")[1])["stacks"]["others"]
    tap.ok(
        others == [6], "JSON: code of the program without a symbol is in no other object", others
    )
    place.write(USUAL)
    page = gprof("--quiet", "--format=html", "program")[1]
    tap.ok('"hidden [libx.so.1]"' in page, "the page")
    out = gprof("--quiet", "--format=callgrind", "program")[1]
    objects = dict(re.findall(r"^c?ob=\((\d+)\) (.*)$", out, re.M))
    of_function, now = {}, None
    names = {}
    for key, number, name in re.findall(r"^(ob|fn|cfn)=\((\d+)\)(?: (.*))?$", out, re.M):
        now = objects[number] if key == "ob" else now
        names.update({number: name} if name and key != "ob" else {})
        of_function.update({(names[number], now): 1} if key == "fn" else {})
    expected = {
        ("main", "program"),
        ("work", "program"),
        ("exported", "libx.so.1"),
        ("hidden", "libx.so.1"),
        ("work", "libx.so.1"),
    }
    tap.ok(expected <= of_function.keys(), "callgrind: functions of objects", out)
    write(os.path.join(TEMP, "x.callgrind"), out.encode())
    again = gprof("--quiet", "--top=0", "--format=csv", "--columns=self,total,name", "x.callgrind")[
        1
    ]
    tap.ok(
        "0.03,0.03,hidden" in again and "0.007,0.007,work (libx.so.1)" in again,
        "callgrind: read again",
        again,
    )
    annotate = shutil.which("callgrind_annotate")
    if annotate:
        found = harness.must_run([annotate, "--auto=no", "x.callgrind"], cwd=TEMP).decode()
        rows = dict(re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (\S+ \[\S+\])", found, re.M))
        good = "3,000,000" in rows and rows["3,000,000"].endswith(":hidden [libx.so.1]")
        tap.ok(
            good,
            "callgrind_annotate: own times without those of calls that were not counted",
            found,
        )
    for name in ("dot", "speedscope"):
        out = gprof("--quiet", "--format=" + name, "program")[1]
        tap.ok("hidden [libx.so.1]" in out, name, out[:2000])
    address, size = symbols("lib/libclass.so")["_ZN1a5twiceIiEEiT_"]
    path = os.path.join(TEMP, "lib", "libclass.so")
    place.write(
        ["main;1:+%x 5" % (address + size // 2)], build_id="-", path=path, objects=("libclass.so",)
    )
    for words, name in (
        ([], "int a::twice<int>(int)"),
        (["--names=short"], "a::twice<...>"),
        (["--no-demangle"], "_ZN1a5twiceIiEEiT_"),
    ):
        found = table(*words)
        tap.ok(name + " [libclass.so]" in found, "the name of a template: " + name, found)
    for word in (
        "--tree=a::twice",
        "--tree=twice<int>",
        "--focus=^a::twice<...>$",
        "--tree=_ZN1a5twiceIiEEiT_",
    ):
        words = [word] if word.startswith("--tree") else ["--tree", word]
        status, out, err = gprof("--quiet", *words, "program")
        tap.ok(status == 0 and "int a::twice<int>(int) [libclass.so]" in out, word, out + err)


def test_several(tap, place):
    """Sums, and comparisons."""
    place.write(USUAL)
    for name in ("a", "b"):
        shutil.copy(os.path.join(TEMP, "gmon.out"), os.path.join(TEMP, name))
        shutil.copy(os.path.join(TEMP, "gmon.out.stacks"), os.path.join(TEMP, name + ".stacks"))
    doubled = {name: (2 * own, 2 * total) for name, (own, total) in NAMED.items()}
    found = table_of("a", "b")
    tap.ok(found == doubled, "two profiles", found)
    gprof("-s", "-o", "sum", "program", "a", "b")
    found = table_of("sum")
    tap.ok(
        found == doubled,
        "the sum keeps the files of objects",
        str(found) + read(os.path.join(TEMP, "sum.stacks")).decode(),
    )
    place.write(USUAL, name="b", build_id=OTHER_ID)
    found = table_of("a", "b")
    tap.ok(
        "[libx.so.1]" in found and "hidden [libx.so.1]" not in found,
        "two builds of an object: no names",
        found,
    )
    gprof("-s", "-o", "sum", "program", "a", "b")
    tap.ok("[libx.so.1]" in table_of("sum"), "nor in their sum")
    slow = ["main;0:work;exported;hidden 900"] + USUAL[1:]
    place.write(slow, name="b")
    write(
        os.path.join(TEMP, "old.json"),
        gprof("--quiet", "--format=json", "program", "a")[1].encode(),
    )
    for base in (
        ["--one-run", "--base=old.json"],
        ["--one-run", "--base=program", "--base-profile=a"],
    ):
        words = base + ["--fail-above=10", "--fail-scope=function"]
        status, out, err = gprof("--quiet", *words, "program", "b")
        tap.ok(
            status == 3 and "hidden [libx.so.1]" in out + err,
            "a gate judges the functions of objects",
            out + err,
        )
        for allowed in ("^hidden$", "^hidden .libx.so.1.$"):
            status, out, err = gprof("--quiet", *words, "--allow=" + allowed, "program", "b")
            tap.ok(status == 0, "--allow=" + allowed, out + err)


def table_of(*profiles):
    status, out, err = gprof(
        "--quiet", "--top=0", "--format=csv", "--columns=self,total,name", "program", *profiles
    )
    rows = list(csv.reader(io.StringIO(out)))[1:]
    return (
        {row[2]: (round(float(row[0]) * RATE), round(float(row[1]) * RATE)) for row in rows}
        if status == 0
        else err
    )


def test_file(tap, place):
    """The lines of a file."""
    words = [
        "--quiet",
        "--top",
        "--format=csv",
        "--columns=self,error,name",
        "--focus=hidden",
        "program",
    ]
    place.write(["main;hidden 400"])
    tap.ok(
        gprof(*words)[1].splitlines()[1:] == ["0.4,0.02,hidden [libx.so.1]"],
        "each sample is one",
        gprof(*words)[1],
    )
    place.write(["main;hidden 400"], extra=["# ticks 100"])
    tap.ok(
        gprof(*words)[1].splitlines()[1:] == ["0.4,0.04,hidden [libx.so.1]"],
        "ticks: four samples each",
        gprof(*words)[1],
    )
    out = gprof("--quiet", "--tree", "program")[1]
    tap.ok(
        out.startswith("Call tree, measured by 100 stacks\n")
        and " 0.400  0.400  " in out.replace("0.40 ", "0.400 "),
        "the tree has as many",
        out,
    )
    gprof("-s", "-o", "sum", "program", "gmon.out")
    status, out, err = gprof(*words, "sum")
    tap.ok(out.splitlines()[1:] == ["0.4,0.04,hidden [libx.so.1]"], "-s keeps them", out + err)
    more = [
        "# ",
        "# unknown 1 2 3",
        "# thread 17 worker 1",
        "# thread 18",
        "# thread 19 ",
        "# thread 17 worker 1",
        "# counting 3",
    ]
    place.write(USUAL, extra=more)
    tap.ok(table() == NAMED, "words that are not known, and threads", table())
    for line in (
        "# file",
        "# file 1",
        "# file 9 - /x",
        "# file 1 -",
        "# file 1 - ",
        "# file 1  /x",
        "# file x - /x",
        "# ticks",
        "# ticks x",
        "# ticks 5 6",
        "# thread",
        "# thread x",
        "# thread 5x",
    ):
        place.write(USUAL, extra=[line])
        number = place.lines(USUAL, extra=[line]).splitlines().index(line) + 1
        status, out, err = gprof("--top", "--stacks", "program")
        is_refused = status == 1 and "gmon.out.stacks:%d: cannot parse line" % number in err
        is_skipped = status == 0 and line in (
            "# file",
            "# ticks",
            "# thread",
        )  # without a blank, another word
        tap.ok(is_refused or is_skipped, "line `%s'" % line, err)
    for version in ("1", "4"):
        text = place.lines(USUAL).replace("# regmon stacks 3", "# regmon stacks " + version)
        write(os.path.join(TEMP, "gmon.out.stacks"), text.encode())
        said = "is not a libregmon file with call stacks"
        tap.refused(["--top", "--stacks", "program"], said, TEMP)


GENERATED = "[generated code]"


def test_generated(tap, place):
    """Code that the program made while it ran: by name, where the file says one, else one row."""
    stacks = [
        "main;2:+1;work;2:+a 30",
        "main;2:+1;2:+0 10",
        "main;2:+0;2:+0 5",
        "main;2:+a;2:+99 2",
        "?;2:+a;hidden 3",
    ]
    names = ["# generated 1 js::outer x.js:1", "# generated a inner \t", "# generated b another"]
    lines = place.lines(stacks, extra=names, objects=("libx.so.1", GENERATED))
    write(os.path.join(TEMP, "gmon.out.stacks"), lines.encode())
    rows = {
        "main": (0, 47),
        "work": (0, 30),
        "js::outer x.js:1 " + GENERATED: (0, 40),
        "inner \\x09 " + GENERATED: (30, 35),
    }
    rows.update({GENERATED: (17, 17), "hidden [libx.so.1]": (3, 3), "<unknown>": (0, 3)})
    found = table()
    tap.ok(found == rows, "functions that the file names are rows", found)
    for words in (["--code"], ["--code=js*"], ["--format=html", "--code"]):
        status, out, err = gprof("-b", *words, "program")
        tap.ok(
            status in (0, 1) and "is not known, so it is not shown" in err,
            "%s: its code is not known" % words,
            err,
        )
    found = table("--fold-libraries")
    folded = {
        "main": (0, 47),
        "work": (0, 30),
        GENERATED: (47, 50),
        "[libx.so.1]": (3, 3),
        "<unknown>": (0, 3),
    }
    tap.ok(found == folded, "--fold-libraries", found)
    out = gprof("--quiet", "--top", "program")[1]
    tap.ok("s are in this program, 0.05 s in generated code (94 %)" in out, "the sum of all", out)
    shutil.copy(os.path.join(TEMP, "gmon.out"), os.path.join(TEMP, "a"))
    write(os.path.join(TEMP, "a.stacks"), lines.encode())
    for name, other in (
        ("b", lines.replace("# generated a inner", "# generated a else")),
        ("c", lines.replace("# generated 1 ", "# generated 5 ").replace("2:1;", "2:5;")),
    ):
        shutil.copy(os.path.join(TEMP, "gmon.out"), os.path.join(TEMP, name))
        write(os.path.join(TEMP, name + ".stacks"), other.encode())
    found = table_of("a", "b")
    tap.ok(
        found["inner \\x09 " + GENERATED] == (30, 35)
        and found["else \\x09 " + GENERATED] == (30, 35),
        "an address has a name in each process",
        found,
    )
    found = table_of("a", "c")
    tap.ok(
        found == {name: (2 * own, 2 * total) for name, (own, total) in rows.items()},
        "a name has an address in each process",
        found,
    )
    gprof("-s", "-o", "sum", "program", "a", "b", "c")
    tap.ok(
        table_of("sum") == table_of("a", "b", "c"),
        "a sum keeps them",
        read(os.path.join(TEMP, "sum.stacks")),
    )
    for line in (
        "# generated",
        "# generated 1",
        "# generated 1 ",
        "# generated x y",
        "# generated 0 x",
    ):
        write(os.path.join(TEMP, "gmon.out.stacks"), lines.replace(names[0], line).encode())
        status, out, err = gprof("--top", "--stacks", "program")
        number = lines.splitlines().index(names[0]) + 1
        is_skipped = status == 0 and line == "# generated"  # without a blank, another word
        tap.ok(
            is_skipped or (status == 1 and "gmon.out.stacks:%d: cannot parse line" % number in err),
            "line `%s'" % line,
            err,
        )


CHOSEN = b"""
static int fast(int x) { return x + 1; }
static int (*choose(void))(int) { return fast; }
int shown(int x) __attribute__((ifunc("choose")));
static int (*choose_hidden(void))(int) { return fast; }
__attribute__((visibility("hidden"))) int unseen(int x) __attribute__((ifunc("choose_hidden")));
__attribute__((visibility("hidden"))) extern int inside(int x) __attribute__((alias("shown")));
int both(int x) { return inside(x) + unseen(x); }
"""


def check_inner_stubs(tap, place):
    """Code that jumps to functions of its own object, which are chosen when it is loaded, is called
    after these, too."""
    write(os.path.join(TEMP, "chosen.c"), CHOSEN)
    flags = ["-O1", "-shared", "-fPIC", "-Wl,-Bsymbolic", "-Wl,-z,lazy", "-Wl,--build-id=0x77"]
    status, _, err = harness.run(
        tool("CC", "cc") + flags + ["-o", "lib/chosen.so", "chosen.c"], TEMP
    )
    listed = harness.run(["objdump", "-d", "lib/chosen.so"], TEMP)[1].decode()
    stubs = {
        int(place, 16): int(to, 16)
        for place, to in re.findall(r"^(\w+) <\*ABS\*\+0x(\w+)@plt>:", listed, re.M)
    }
    if status != 0 or len(stubs) != 2:
        return tap.skip("functions that are chosen", "none on this machine: " + err.decode())
    names = {}
    for line in (
        harness.must_run(tool("NM", "nm") + ["-D", os.path.join(TEMP, "lib/chosen.so")])
        .decode()
        .splitlines()
    ):
        if " i " in line:
            names[int(line.split()[0], 16)] = line.split()[2] + "@plt [chosen.so]"
    expected = {
        names.get(to, "[plt] [chosen.so]"): 5 + number
        for number, to in enumerate(sorted(stubs.values()))
    }
    stacks = [
        "main;1:+%x %d" % (place + 4, 5 + sorted(stubs.values()).index(to))
        for place, to in stubs.items()
    ]
    place.write(
        stacks, build_id="77", path=os.path.join(TEMP, "lib", "chosen.so"), objects=("chosen.so",)
    )
    found = {name: self for name, (self, _) in table().items() if self > 0}
    tap.ok(
        found == expected and "shown@plt [chosen.so]" in found,
        "functions that are chosen",
        "%s, not %s" % (found, expected),
    )


def test_stubs(tap, place):
    """Code that jumps to other objects is called after these, but in the reports of GNU gprof."""
    out = harness.run(["objdump", "-d", "program"], TEMP)[1].decode()
    stub = int(re.search(r"^0*([0-9a-f]+) <exported@plt>:", out, re.M)[1], 16)
    low = (
        min(int(a, 16) for a in re.findall(r"^0*([0-9a-f]+) <", out, re.M)) & ~15
    ) - 0x20  # before all functions
    histogram = Histogram(
        low,
        low + 0x1000,
        0x800,
        {(stub - low) // 2: 30, 0: 10, (place.program["main"][0] - low) // 2: 60},
        RATE,
    )
    write(os.path.join(TEMP, "jumps"), Profile(Layout(64, "little"), [histogram]).bytes())
    for words in ([], ["-z"]):
        status, out, err = gprof(
            "--quiet", "--top=0", "--columns=self%,name", *words, "program", "jumps"
        )
        tap.ok(
            re.search(r"^ *30\.00  exported@plt$", out, re.M),
            "the table " + " ".join(words),
            out + err,
        )
    tap.ok(out.count("@plt") == 1, "stubs without time are not listed", out)
    tap.ok(
        re.search(
            r"90\.0 % of 0\.10 seconds; in no function: 10\.0 %\n",
            gprof("--quiet", "--top=0", "program", "jumps")[1],
        ),
        "shares add up",
    )
    out = gprof("--quiet", "--top=1", "program", "jumps")[1]
    tap.ok(
        "\n1 of 2 functions, 60.0 % of 0.10 seconds; not shown: 1 with 30.0 %; in no function:"
        " 10.0 %\n"
        in out,
        "rows not shown, too",
        out,
    )
    document = json.loads(gprof("--quiet", "--format=json", "program", "jumps")[1])
    idle = [name for item in document["idle"] for name in item["global"] + item["static"]]
    tap.ok(
        "exported@plt" in [f["name"] for f in document["functions"]]
        and not [n for n in idle if "@plt" in n],
        "JSON",
        idle,
    )
    for words in (["-p"], [], ["-p", "--top"]):
        out = gprof("--quiet", "-b", *words, "program", "jumps")[1]
        tap.ok(
            "30.00" in out and "@plt" not in out, "reports of GNU gprof: " + " ".join(words), out
        )
    place.write(["main;0:+%x 5" % stub, "main;hidden 15"])
    found = table()
    tap.ok(
        found == {"main": (0, 20), "exported@plt": (5, 5), "hidden [libx.so.1]": (15, 15)},
        "stacks",
        found,
    )
    out = gprof("--quiet", "-b", "-q", "--stacks", "program")[1]
    tap.ok("exported@plt" in out, "-q --stacks", out)
    check_inner_stubs(tap, place)
    place.write(["main;0:+%x 5" % stub, "main;hidden 15"])
    out = gprof("--quiet", "--top", "--fold-libraries", "program")[1]
    tap.ok(
        "\n3 of 3 functions, 100.0 % of 0.02 seconds\n" in out,
        "--fold-libraries: nothing is left out",
        out,
    )


def test_uncounted(tap, place):
    """A program without -pg has no call counts, which are not 0."""
    note = "gprof: note: calls were not counted: program was built without -pg\n"
    place.write(USUAL)
    for words, heading in (
        (["--top"], ["self%", "self", "error", "total%", "total", "total-error", "name"]),
        (["--top", "--no-stacks"], ["self%", "self", "error", "name"]),
        (["--tree"], ["total%", "total", "self", "name"]),
        (["--top", "--columns=calls,name"], ["calls", "name"]),
        (["--format=tsv"], ["self%", "self", "error", "total%", "total", "total-error", "name"]),
    ):
        status, out, err = gprof(*words, "program")
        found = [line.split() for line in out.splitlines() if line.split()[-1:] == ["name"]]
        tap.ok(found == [heading] and err.count(note) == 1, " ".join(words), out + err)
    status, out, err = gprof("-b", "-q", "--stacks", "program")
    tap.ok(
        status == 0 and err.count(note) == 1 and " -             exported [libx.so.1]" in out,
        "-q --stacks",
        out + err,
    )
    status, out, err = gprof("-b", "--top", "--tree", "program")
    tap.ok(err.count(note) == 1, "said once", err)
    status, out, err = gprof("-b", "-p", "program")
    tap.ok(note not in err and "calls" in out, "the flat profile stays as it is", out + err)
    status, out, err = gprof("-r", "program")
    tap.ok(status == 0 and note in err, "-r says so", err)
    text = gprof("--quiet", "--format=json", "program")[1]
    document = json.loads(text)
    found = {item["calls"] for item in document["functions"] + document["arcs"]} | {
        f["self_calls"] for f in document["functions"]
    }
    tap.ok(found == {None}, "JSON: null", found)
    write(os.path.join(TEMP, "uncounted.json"), text.encode())
    for base in (
        ["--one-run", "--base=uncounted.json"],
        ["--one-run", "--base=program", "--base-profile=gmon.out"],
    ):
        status, out, err = gprof("--quiet", *base, "program")
        tap.ok(
            status == 0 and "calls" not in out.split("\n\n")[1],
            "a comparison has no calls: " + base[0],
            out + err,
        )
        tap.refused(
            base + ["--fail-calls=5", "program"], "--fail-calls: program has no call counts: ", TEMP
        )
    harness.must_run(tool("STRIP", "strip") + ["-o", "bare", "program"], cwd=TEMP)
    status, out, err = gprof("--top", "bare")
    tap.ok(
        "calls were not counted: bare was built without -pg\n" in err and " calls  name" not in out,
        "a stripped program",
        out + err,
    )
    names = re.findall(r"\S+$", out.split("\n\n")[0], re.M)
    main = "bare+0x%x" % place.program["main"][0]
    out = gprof("--quiet", "--tree", "--min-share=0", "bare")[1]
    tap.ok(
        main in names and "\n100.00  0.052  0.000  %s\n" % main in out,
        "functions of .eh_frame",
        repr(names) + out,
    )
    cc = tool("CC", "cc")
    harness.must_run(
        cc
        + [
            "-O1",
            "-pg",
            "-no-pie",
            "-Wl,--build-id=0xabcd",
            "-o",
            "counting",
            "program.c",
            "lib/libx.so.1",
        ],
        cwd=TEMP,
    )
    for name in ("counting", "bare counting"):
        if name != "counting":
            harness.must_run(tool("STRIP", "strip") + ["-o", name, "counting"], cwd=TEMP)
        status, out, err = gprof("--top=0", name)
        tap.ok(
            status == 0 and "not counted" not in err and " calls  name" in out,
            "a program that counts, but had no calls: " + name,
            out + err,
        )


ALONE = b"""\
__attribute__((noinline)) int spin(int x) { volatile int sum = x; while (sum < 100) sum += x; return sum; }
__asm__(".text\\n.balign 16\\nbare: .skip 200, 0x90\\n.balign 16\\n");
int main(void) { return spin(3); }
"""


def test_stripped_program(tap, place):
    """A stripped program without functions for other objects: no sample is in a stub, or in the
    function before code
    that no call frame information covers."""
    write(os.path.join(TEMP, "alone.c"), ALONE)
    for words in (["-no-pie"], ["-pie", "-fPIE"]):
        flags = [
            "-O1",
            "-fno-toplevel-reorder",
            "-fasynchronous-unwind-tables",
            *words,
            "-o",
            "alone",
            "alone.c",
        ]
        harness.must_run(tool("CC", "cc") + flags, cwd=TEMP)
        known = symbols("alone")
        names = harness.must_run(tool("NM", "nm") + [os.path.join(TEMP, "alone")]).decode()
        bare = int(re.search(r"^([0-9a-f]+) t bare$", names, re.M)[1], 16)
        harness.must_run(tool("STRIP", "strip") + ["alone"], cwd=TEMP)
        low = min(a for a, _ in known.values()) & ~15
        places = {"spin": known["spin"][0] + 4, "main": known["main"][0] + 4, "bare": bare + 104}
        samples = {name: 30 + i for i, name in enumerate(places)}
        bins = {(places[name] - low) // 2: count for name, count in samples.items()}
        profile = Profile(Layout(64, "little"), [Histogram(low, low + 0x1000, 0x800, bins, RATE)])
        write(os.path.join(TEMP, "alone.gmon"), profile.bytes())
        status, out, err = gprof(
            "--top", "--columns=samples,name", "--format=csv", "alone", "alone.gmon"
        )
        found = {int(row[0]): row[1] for row in csv.reader(io.StringIO(out)) if row[0].isdigit()}
        expected = {samples[name]: "alone+0x%x" % known[name][0] for name in ("spin", "main")}
        between = int(found.pop(samples["bare"], "+0").partition("+")[2], 16)
        is_good = found == expected and sum(known["spin"]) <= between <= bare
        tap.ok(
            is_good and "alone: is stripped: " in err,
            "a stripped program alone: " + words[0],
            "%x\n%s%s" % (bare, out, err),
        )
        tap.refused(["-p", "alone", "alone.gmon"], "no symbols", TEMP)


def add_calls(place, stacks, arcs, name="gmon.out", told=None):
    """Writes stacks, and what the library counted: (caller or None, callee, calls).  The stacks
    tell how much that is."""
    start = lambda function: place.library[function][0] if function is not None else 0
    records = [
        ("arc", start(caller) + 1 if caller else 0, start(callee), count)
        for caller, callee, count in arcs
    ]
    low = min(a for a, _ in place.library.values()) & ~15
    write(
        os.path.join(TEMP, name + ".libx.so.1"),
        Profile(
            Layout(64, "little"), [Histogram(low, low + 0x1000, 0x800, {}, RATE)] + records
        ).bytes(),
    )
    place.write(
        stacks, name=name, extra=["# calls 1 %d" % (told or sum(count for _, _, count in arcs))]
    )


def calls_of(*words):
    """Calls by function, and by arc, as JSON has them, and those of each input; or messages."""
    status, out, err = gprof("--quiet", "--format=json", *words)
    if status != 0:
        return err
    document = json.loads(out)
    names = [item["name"] for item in document["functions"]]
    arcs = {(names[item["from"]], names[item["to"]]): item["calls"] for item in document["arcs"]}
    return (
        {
            item["name"]: item["calls"]
            for item in document["functions"]
            if item["calls"] is not None
        },
        arcs,
        [i["calls"] for i in document["inputs"]],
    )


def test_calls(tap, place):
    """Calls that were counted in a shared object, by a program that counts none itself."""
    x = " [libx.so.1]"
    counts = [
        (None, "exported", 4),
        ("exported", "hidden", 8),
        ("hidden", "hidden", 5),
        (None, "start", 2),
        ("start", "starter", 3),
    ]
    counted = {"exported" + x: 4, "hidden" + x: 8, "start" + x: 2, "starter" + x: 3}
    add_calls(place, USUAL, counts)
    calls, arcs, inputs = calls_of("program")
    tap.ok(
        calls == counted and inputs == [22],
        "calls of functions, with samples or not; null in the program",
        str(calls) + str(inputs),
    )
    expected = {
        ("<outside>", "exported" + x): 4,
        ("exported" + x, "hidden" + x): 8,
        ("hidden" + x, "hidden" + x): 5,
        ("<outside>", "start" + x): 2,
        ("start" + x, "starter" + x): 3,
        ("main", "work"): None,
        ("main", "work" + x): None,
        ("work", "exported" + x): None,
    }
    tap.ok(arcs == expected, "calls from elsewhere are from <outside>", arcs)
    status, out, err = gprof("--top", "program")
    tap.ok(
        " calls  name" in out
        and "note: calls were counted in shared libraries only: program was built without -pg\n"
        in err,
        "the table has them",
        out + err,
    )
    for words, heading in (
        (["-b", "-q", "--stacks"], r"^\[\d+\] .* 8\+5 +hidden \[libx\.so\.1\]"),
        (["--tree"], " 8  .*hidden .libx.so.1.$"),
    ):
        out = gprof(*words, "program")[1]
        tap.ok(re.search(heading, out, re.M), " ".join(words), out)
    tap.ok(
        calls_of("--fold-libraries", "program")[0] == {},
        "--fold-libraries: they have no rows",
        calls_of("--fold-libraries", "program"),
    )
    tap.refused(
        ["--one-run", "--base=program", "--base-profile=gmon.out", "--fail-calls=5", "program"],
        "--fail-calls: program has no call counts: ",
        TEMP,
    )
    for words in (
        ["-b", "-p"],
        ["-b", "-q"],
        ["-b"],
        ["-b", "-p", "--stacks"],
        ["-C"],
        ["--top", "--no-stacks"],
        ["-s", "-o", "sum"],
        ["--format=symbol-order"],
    ):
        found = gprof(*words, "program")
        os.rename(os.path.join(TEMP, "gmon.out.libx.so.1"), os.path.join(TEMP, "aside"))
        tap.ok(
            gprof(*words, "program")[:2] == found[:2], "as without them: " + " ".join(words), found
        )
        os.rename(os.path.join(TEMP, "aside"), os.path.join(TEMP, "gmon.out.libx.so.1"))
    add_calls(place, ["main;0:work 5"], counts)
    tap.ok(calls_of("program")[0] == counted, "of an object in no stack, too", calls_of("program"))
    add_calls(place, USUAL, counts, told=23)
    status, out, err = gprof("--top", "program")
    tap.ok(
        status == 0
        and " calls " not in out
        and "note: gmon.out.libx.so.1 was not written with gmon.out, so" in err,
        "those of another run are left out",
        out + err,
    )
    place.write(["main;2:+0 3"], objects=("libx.so.1", "libregmon.so.0"), extra=["# calls 1 22"])
    tap.ok(
        calls_of("program")[0] == {},
        "stacks of nothing but counting measure no times, and name no functions",
        calls_of("program"),
    )
    add_calls(place, USUAL, counts)
    data = read(os.path.join(TEMP, "gmon.out.libx.so.1"))
    write(os.path.join(TEMP, "gmon.out.libx.so.1"), data[:-3])
    tap.refused(["--top", "program"], "gmon.out.libx.so.1: unexpected end of file", TEMP)
    status, out, err = gprof("--top", "--skip-bad", "program")
    tap.ok(
        status == 1 and "gmon.out.libx.so.1: unexpected end of file" in err and "hidden" in out,
        "--skip-bad: the rest",
        out + err,
    )
    for line in ("# calls 1", "# calls x 1", "# calls 9 1", "# calls 1 2 3"):
        place.write(USUAL, extra=[line])
        tap.refused(["--top", "--stacks", "program"], "cannot parse line", TEMP)
    os.unlink(os.path.join(TEMP, "gmon.out.libx.so.1"))


def test_compared_calls(tap, _):
    """Comparisons of them, by a program that counts its calls."""
    cc, x = tool("CC", "cc"), " [libx.so.1]"
    harness.must_run(
        cc
        + [
            "-O1",
            "-pg",
            "-no-pie",
            "-Wl,--build-id=0xabcd",
            "-o",
            "compared",
            "program.c",
            "lib/libx.so.1",
        ],
        cwd=TEMP,
    )
    place = Place("compared")
    for name in ("a", "b", "c"):
        shutil.copy(os.path.join(TEMP, "gmon.out"), os.path.join(TEMP, name))
    add_calls(place, USUAL, [(None, "exported", 4)], name="a")
    add_calls(place, USUAL, [(None, "exported", 6), ("exported", "hidden", 1)], name="b")
    place.write(USUAL, name="c")
    calls, arcs, inputs = calls_of("compared", "a", "b")
    found = calls["exported" + x], calls["hidden" + x], inputs
    tap.ok(found == (10, 1, [4, 7]), "two profiles", found)
    document = json.loads(gprof("--quiet", "--format=json", "compared", "a", "b")[1])
    found = {item["name"]: item["runs"]["calls"] for item in document["functions"]}
    tap.ok(
        (found["exported" + x], found["hidden" + x]) == ([4, 6], [0, 1]),
        "and how many each of them had",
        found,
    )
    words = ["--quiet", "--one-run", "--base=compared", "--fail-calls=10", "compared"]
    status, out, err = gprof("--base-profile=a", *words, "b")
    tap.ok(status == 3 and "exported" + x in err, "a gate judges them", out + err)
    for base, after in (("c", "b"), ("b", "c")):
        status, out, err = gprof("--base-profile=" + base, *words, after)
        tap.ok(status == 0, "but not if only one side has some: %s %s" % (base, after), out + err)
    Place()


def code_of(*words):
    """{function's name: (function, rows)} of JSON."""
    status, out, err = gprof("--quiet", "--format=json", *words, "program")
    document = json.loads(out) if status == 0 else {"code": [], "functions": []}
    return {
        document["functions"][entry["function"]]["name"]: (
            document["functions"][entry["function"]],
            entry["rows"],
        )
        for entry in document["code"]
    }, out + err


def own_of(rows, kind):
    return round(sum(row["self"] or 0 for row in rows if row["kind"] == kind) * RATE)


def test_code(tap, place):
    """Source lines and machine code of functions in other objects.  Two objects have functions at
    one address."""
    if not harness.has_library("OPCODES"):
        return tap.skip("code of other objects", "no libopcodes")
    bare, lined = place.path, os.path.join(TEMP, "lined", "libx.so.1")
    os.mkdir(os.path.dirname(lined))
    harness.must_run(
        tool("CC", "cc")
        + ["-g", "-O0", "-shared", "-fPIC", "-Wl,--build-id=0x" + BUILD_ID, "-o", lined, "x.c"],
        cwd=TEMP,
    )
    copy = ["# object 2 liby.so", "# file 2 - " + bare]
    stacks = USUAL + ["main;2:+%x 3" % place.library["hidden"][0]]
    place.write(stacks, extra=copy)
    found, said = code_of("--code")
    own = {name: own_of(rows, "instruction") for name, (_, rows) in found.items()}
    tap.ok(
        own
        == {
            "hidden [libx.so.1]": 30,
            "exported [libx.so.1]": 10,
            "work [libx.so.1]": 7,
            "work": 5,
            "hidden [liby.so]": 3,
        },
        "instructions have the samples of their functions",
        said,
    )
    first = next((row["address"] for row in found["hidden [liby.so]"][1] if row["self"]), None)
    tap.ok(
        first and int(first, 16) == place.library["hidden"][0],
        "at their addresses in the object",
        said,
    )
    text = next(
        (
            row["text"]
            for row in found["exported [libx.so.1]"][1]
            if row["kind"] == "instruction" and row["text"].startswith("call")
        ),
        "",
    )
    tap.ok(text.endswith("<hidden>"), "operands have the names of the object", said)
    for image in ("program", "stripped"):
        harness.must_run(tool("STRIP", "strip") + ["-o", "stripped", "program"], cwd=TEMP)
        out = gprof("--quiet", "--code=0", image)[1]
        tap.ok("<exported@plt>" in out, "and of stubs: " + image, out)
    for word, names in (
        ("hidden", ["hidden [libx.so.1]", "hidden [liby.so]"]),
        ("hidden [libx.so.1]", ["hidden [libx.so.1]"]),
        ("work", ["work [libx.so.1]", "work"]),
        ("work [libx.so.1]", ["work [libx.so.1]"]),
    ):
        found, said = code_of("--code=" + word)
        tap.ok(list(found) == names, "--code=" + word, said)
    status, out, err = gprof("-b", "--quiet", "--code=hidden [libx.so.1]", "program")
    tap.ok(
        re.fullmatch(
            (
                r"hidden \[libx\.so\.1\]: self 0\.030 s \(54\.55 %\), total 0\.030 s\n\nself%  "
                r" self  total  code\n(?:.*\n)*?54\.55  0\.030  0\.030 +[0-9a-f]+  \w.*\n(?:.*\n)*"
            ),
            out,
        )
        and not err,
        "the text",
        out + err,
    )
    place.write(stacks, build_id=OTHER_ID, extra=copy)
    found, said = code_of("--code=hidden [liby.so]")
    tap.ok(
        list(found) == ["hidden [liby.so]"],
        "an object of another build has none, others have",
        said,
    )
    status, out, err = gprof("-b", "--code", "program")
    note = (
        "gprof: note: the code of `[libx.so.1]' and 0 other functions is not known, so it is not"
        " shown\n"
    )
    tap.ok(
        status == 0 and "libx" not in out and note in err,
        "a note names what is left out",
        out + err,
    )
    status, out, err = gprof("-b", "--code=[libx.so.1]", "program")
    tap.ok(
        status == 0 and not out and note in err and "no sample" not in err,
        "also if it was asked for",
        out + err,
    )
    place.write(USUAL)
    status, out, err = gprof("-b", "--quiet", "--code", "--fold-libraries", "program")
    tap.ok(
        status == 0 and "libx" not in out and "work: self" in out,
        "--fold-libraries: the program alone",
        out + err,
    )
    place.library, place.path = symbols("lined/libx.so.1"), lined
    place.write(USUAL)
    found, said = code_of("--code=exported", "--code=hidden")
    tap.ok(
        {name: own_of(rows, "line") for name, (_, rows) in found.items()}
        == {"hidden [libx.so.1]": 30, "exported [libx.so.1]": 10},
        "lines add up",
        said,
    )
    line = next(row for row in found["exported [libx.so.1]"][1] if row["self"])
    tap.ok(
        line["text"] == LIBRARY.decode().splitlines()[7] and round(line["total"] * RATE) == 40,
        "with their text, and what they call",
        line,
    )
    status, out, err = gprof("-b", "--quiet", "--code=hidden", "program")
    tap.ok(out.startswith("hidden [libx.so.1], x.c:"), "the title has the place", out + err)
    os.utime(os.path.join(TEMP, "x.c"), (2**31, 2**31))
    err = gprof("-b", "--quiet", "--code=hidden", "program")[2]
    tap.ok("x.c: is newer than %s" % lined in err, "a source is compared with the object", err)
    place.library, place.path = symbols("lib/libx.so.1"), bare


def test_threads(tap, place):
    """--by=thread: a row for each thread, or a root for those of each name."""
    stacks = [
        "main;0:work 5",
        "main;0:work;exported;hidden 30",
        "start;starter;main;exported 10",
        "start;1:work 3",
        "main;0:work 7",
        "? 2",
    ]
    lines = place.lines([s for s in stacks if s[0] != "?"]).splitlines()
    first = next(i for i, line in enumerate(lines) if ";" in line)
    marks = [
        "# thread 7 main thread",
        "# thread 8 worker",
        "# thread 9 worker",
        "# thread 10",
        "# thread 8 worker",
    ]
    body = lines[first:-1]
    text = lines[:first] + ["0:%x 1" % (place.program["main"][0] + 1)]
    for mark, stack in zip(marks, body):
        text += [mark, stack]
    text += ["? 2", "# samples 58", ""]
    write(os.path.join(TEMP, "gmon.out.stacks"), "\n".join(text).encode())
    status, out, err = gprof("--quiet", "--by=thread", "--format=csv", "program")
    rows = [(row["name"], row["samples"], row["self"]) for row in csv.DictReader(io.StringIO(out))]
    expected = [
        ("worker 8", "39", "0.039"),
        ("worker 9", "10", "0.01"),
        ("main thread", "5", "0.005"),
        ("[thread without name]", "3", "0.003"),
        ("[unknown thread]", "1", "0.001"),
    ]
    tap.ok(rows == expected, "rows", out + err)
    counted = text[:]  # libregmon counts in one of two threads that have a name
    counted[first:first] = ["# object 9 libregmon.so.0"]
    at = counted.index("# thread 9 worker") + 1
    counted[at:at] = ["0:%x;9:10 50" % (place.program["main"][0] + 1)]
    counted[counted.index("# samples 58")] = "# samples 108"
    write(os.path.join(TEMP, "counted.stacks"), "\n".join(counted).encode())
    out = gprof("--quiet", "--by=thread", "--format=csv", "--stacks=counted.stacks", "program")[1]
    rows = [(row["name"], row["samples"], row["self"]) for row in csv.DictReader(io.StringIO(out))]
    tap.ok(rows == expected, "rows do not have what counting took", out)
    out = gprof("--quiet", "--top", "--by=thread", "program")[1]
    tap.ok(
        out.split("\n")[0].split() == ["self%", "self", "error", "samples", "name"]
        and "\n5 of 5 threads, 100.0 % of 0.06 seconds\n" in out,
        "the table",
        out,
    )
    out = gprof("--quiet", "--by=thread", "--format=folded", "program")[1]
    expected = [
        "[sampled stacks];[thread without name];work [libx.so.1] 3",
        "[sampled stacks];[unknown thread];main 1",
        "[sampled stacks];main thread;main;work 5",
        "[sampled stacks];worker (2 threads);<unknown> 2",
        "[sampled stacks];worker (2 threads);main;exported [libx.so.1] 10",
        "[sampled stacks];worker (2 threads);main;work 7",
        "[sampled stacks];worker (2 threads);main;work;exported [libx.so.1];hidden [libx.so.1] 30",
    ]
    folded = out.splitlines()
    tap.ok(
        sorted(folded) == expected,
        "roots of folded stacks, and starts of threads are left out",
        out,
    )
    for name, shown in (
        ("worker", "worker (2 threads)"),
        ("main thread", "main thread"),
        ("[thread without name]", "[thread without name]"),
    ):
        of_thread = [line for line in folded if ";%s;" % shown in line]
        own = sum(
            int(line.rpartition(" ")[2])
            for line in of_thread
            if re.search(r"(main|work) \d+$", line)
        )
        for words in ([], ["gmon.out"]):
            status, out, err = gprof(
                "--quiet", "--thread=" + name, "--format=folded", "program", *words
            )
            wanted = [line.replace(";%s;" % shown, ";") for line in of_thread]
            tap.ok(
                of_thread and sorted(out.splitlines()) == sorted(wanted),
                "--thread=" + name,
                out + err,
            )
            out = gprof("--quiet", "--thread=" + name, "--format=json", "program", *words)[1]
            whole = 1000 * json.loads(out)["totals"]["seconds"]
            tap.ok(abs(whole - own) < 1e-6, "--thread=%s: the total" % name, whole)
    found = gprof("--quiet", "--program=tid=9", "--format=folded", "program")[1]
    tap.ok(
        found == "[sampled stacks];main;exported [libx.so.1] 10\n", "--program=tid=NUMBER", found
    )
    err = gprof("--thread=none", "--top", "program")[2]
    known = "(known: thread=main thread thread=worker thread=[thread without name])"
    tap.ok("has no samples from thread=none " + known in err, "a thread that is not there", err)
    status, out, err = harness.run([harness.GPROF, "--quiet", "--format=pprof", "program"], TEMP)
    found = Pprof(out)
    labelled = {}
    for (stack, values), label in zip(found.samples, found.labels):
        row = label, ";".join(found.names[number] for number in reversed(stack))
        labelled[row] = labelled.get(row, 0) + values[0]
    worker, expected = ("thread", "worker"), {}
    for line in folded:
        _, thread, *frames = line.rpartition(" ")[0].split(";")
        row = ("thread", thread.replace(" (2 threads)", "")), ";".join(frames)
        expected[row] = expected.get(row, 0) + int(line.rpartition(" ")[2])
    tap.ok(
        labelled == expected and (worker, "main;work") in labelled,
        "pprof: a label of each sample",
        labelled,
    )
    write(os.path.join(TEMP, "labels.pb.gz"), out)
    out = gprof("--quiet", "--program=thread=worker", "--format=folded", "labels.pb.gz")[1]
    tap.ok("main;work 7\n" in out and "main;work 5" not in out, "which gprof reads", out)
    for words, most in (
        (["--focus=^exported$"], 40),
        (["--hide=^work$"], 58),
        (["--focus=^worker$"], 0),
    ):
        found = Pprof(
            harness.run([harness.GPROF, "--quiet", "--format=pprof"] + words + ["program"], TEMP)[1]
        )
        tap.ok(
            sum(values[0] for _, values in found.samples) == most and None not in found.labels,
            "pprof: %s, with labels" % words,
            found.labels,
        )
    text = lines[:first]
    for number in range(2000):
        text += ["# thread %d t%d" % (number, number)] + place.lines(
            ["main;0:work 9", "main;exported;hidden 1"]
        ).splitlines()[-3:-1]
    write(os.path.join(TEMP, "many.stacks"), "\n".join(text + ["# samples 20000", ""]).encode())
    found = Pprof(
        harness.run(
            [harness.GPROF, "--quiet", "--format=pprof", "--stacks=many.stacks", "program"], TEMP
        )[1]
    )
    leaves = {}
    for stack, values in found.samples:
        leaves[found.names[stack[0]]] = leaves.get(found.names[stack[0]], 0) + values[0]
    tap.ok(
        leaves == {"work": 18000, "hidden [libx.so.1]": 2000} and len(set(found.labels)) == 2000,
        "pprof: what is small among all threads",
        leaves,
    )
    out = gprof("--quiet", "-b", "--by=thread", "--tree", "--fold-libraries", "program")[1]
    tap.ok(
        " 84.48  0.049  0.000  worker (2 threads)\n" in out and "`- main\n" in out,
        "roots of the tree",
        out,
    )
    plain = table()
    out = gprof("--quiet", "--tree", "--by=thread", "--focus=^main thread$", "program")[1]
    tap.ok("main thread\n" in out and "worker" not in out, "--focus", out)
    tap.ok(plain == table() and "worker (2 threads)" not in plain, "not without --by=thread", plain)
    for name in ("a", "b"):
        shutil.copy(os.path.join(TEMP, "gmon.out"), os.path.join(TEMP, name))
        shutil.copy(os.path.join(TEMP, "gmon.out.stacks"), os.path.join(TEMP, name + ".stacks"))
    out = gprof("--quiet", "--by=thread", "--top", "program", "a", "b")[1]
    tap.ok(
        out.count(" 39.0  worker 8\n") == 2 and out.count(" 5.0  main thread 7\n") == 2,
        "threads of several profiles",
        out,
    )
    words = ["--callers=main", "--thread=[thread without name]", "program", "a"]
    out = gprof("--quiet", *words)[1]
    tap.ok("\nno sample is in the functions that options select\n" in out, "none in main", out)
    out = gprof("--quiet", "--tree", "--min-share=99", "--focus=hidden", "program", "a")[1]
    tap.ok("\nnot shown: " in out and "no stack has" not in out, "too small for a row", out)
    for began, wanted in ((99, {"worker 8": 78, "worker 9": 20}), (100, None)):
        for name, at in (("first", 99), ("second", began)):
            shutil.copy(os.path.join(TEMP, "gmon.out"), os.path.join(TEMP, name))
            start, rest = read(os.path.join(TEMP, "a.stacks")).decode().split("\n", 1)
            part = "%s\n# process 5 4 %d alive\n%s" % (start, at, rest)
            write(os.path.join(TEMP, name + ".stacks"), part.encode())
        out = gprof(
            "--quiet",
            "--by=thread",
            "--format=csv",
            "--columns=samples,name",
            "program",
            "first",
            "second",
        )[1]
        rows = [(name, int(n)) for n, name in list(csv.reader(io.StringIO(out)))[1:]]
        found = [row for row in rows if row[0].startswith("worker")]
        wanted = list(wanted.items()) if wanted else [("worker 8", 39)] * 2 + [("worker 9", 10)] * 2
        tap.ok(found == wanted, "parts of a process that began at 99 and %d" % began, out)
    gprof("-s", "-o", "sum", "program", "a", "b")
    again = gprof("--quiet", "--by=thread", "--top", "program", "sum")[1]
    tap.ok(
        "98.0  worker (4 threads)" in again and " 10.0  main thread (2 threads)" in again,
        "a sum has the threads of each name",
        again + read(os.path.join(TEMP, "sum.stacks")).decode(),
    )
    tap.ok(table_of("sum") == table_of("a", "b"), "and the functions", table_of("sum"))
    out = gprof("--quiet", "-s", "--top=0", "-o", "sum", "program", "a", "b")[1]
    tap.ok(
        "worker" not in out and "hidden [libx.so.1]" in out,
        "-s with a table, which has functions",
        out,
    )
    place.write(USUAL, name="a")
    for words, fragment in (
        (
            ["--top", "--by=thread", "program", "a"],
            "a.stacks: --by=thread: does not say which threads the stacks are of",
        ),
        (
            ["--top", "--by=thread", "--no-stacks", "program"],
            "--by=thread and --no-stacks cannot be used together",
        ),
        (
            ["--top", "--by=thread", "-l", "program"],
            "--by=thread and --line cannot be used together",
        ),
        (
            ["--by=thread", "--format=json", "program"],
            "--format=json and --by=thread cannot be used together",
        ),
    ):
        tap.refused(words, fragment, TEMP)


def main():
    tap = harness.Tap()
    build()
    place = Place()
    for test in (
        test_names,
        test_note,
        test_builds,
        test_stripped,
        test_damaged,
        test_starts,
        test_choices,
        test_formats,
        test_several,
        test_file,
        test_generated,
        test_stubs,
        test_uncounted,
        test_stripped_program,
        test_calls,
        test_compared_calls,
        test_code,
        test_threads,
    ):
        test(tap, place)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
