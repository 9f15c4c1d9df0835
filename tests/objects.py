#!/usr/bin/env python3
"""--objects: profiles of shared objects beside that of the program, and the files that they belong to.

The objects are real ones, because the dynamic section says where they are; the profiles are made here.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import os
import re

from lib import harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, write

RATE = 1000
RANGE = 0x400  # bytes of each histogram, from the first function on


def compile_object(source, words, output):
    os.makedirs(os.path.dirname(os.path.join(TEMP, output)), exist_ok=True)
    path = write(os.path.join(TEMP, output + ".c"), source)
    harness.must_run(harness.tool("CC", "cc") + ["-O1", "-o", output, path] + words, cwd=TEMP)


def address_of(function, path):
    symbols = harness.must_run(["nm", os.path.join(TEMP, path)]).decode()
    return int(re.search(r"^([0-9a-f]+) [tT] %s$" % function, symbols, re.M).group(1), 16)


def write_profile(name, path, function, samples, calls):
    """A profile of the object at PATH: so many samples in the function, and calls from outside."""
    start = address_of(function, path)
    histogram = Histogram(start & ~1, (start & ~1) + RANGE, RANGE // 2, {0: samples}, RATE)
    data = Profile(Layout(64, "little"), [histogram, ("arc", 0, start, calls)]).bytes()
    write(os.path.join(TEMP, name), data)


def make_all():
    shared = ["-shared", "-fPIC", "-Wl,-soname,"]
    for name, place in (("libone.so.1", "beside/libone.so.1"), ("libtwo.so.2", "far/renamed.so")):
        function = name[3:6]
        compile_object(b"int %s(int x) { return x * 3; }\n" % function.encode(), shared[:-1] + [shared[-1] + name], place)
    compile_object(
        b"int one(int); int main(void) { return one(0); }\n",
        ["-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN/beside", "beside/libone.so.1"],
        "program",
    )
    write_profile("gmon.out", "program", "main", 100, 1)
    write_profile("gmon.out.libone.so.1", "beside/libone.so.1", "one", 50, 20)
    write_profile("gmon.out.libregmon.so.0", "beside/libone.so.1", "one", 999, 9)  # libregmon's own time is none of the program's
    write_profile("gmon.out.libtwo.so.2", "far/renamed.so", "two", 250, 7)
    write_profile("gmon.out.77", "program", "main", 1, 1)
    write_profile("gmon.out.77.libone.so.1", "beside/libone.so.1", "one", 3, 4)
    write(os.path.join(TEMP, "gmon.out.notes"), b"not a profile")


def gprof(*words, **environment):
    status, out, err = harness.run([harness.GPROF] + list(words), TEMP, dict(harness.ENV, **environment))
    return status, out.decode(), err.decode()


def table(*words):
    status, out, err = gprof("--top", "--by=object", "--format=csv", "--columns=name,samples,calls,self", *words)
    rows = list(csv.reader(io.StringIO(out)))[1:]
    return status, {row[0]: [float(cell) for cell in row[1:]] for row in rows}, err


def headings(out):
    return re.findall(r"^\*\*\* Object (.*):$", out, re.M)


def test_search(tap):
    status, out, err = gprof("-b", "--quiet", "-p", "--objects", "program")
    tap.ok(status == 0 and headings(out) == ["program", "./beside/libone.so.1"], "found by the program's rpath", out + err)
    tap.ok("gmon.out.libtwo.so.2: no report" in err and "libone" not in err, "one that is not found is a warning", err)
    for name, words, environment in (
        ("a directory that is named", ["--objects=nowhere:far", "-p"], {}),
        ("a file that is named, by its soname", ["--objects=far/renamed.so", "-p"], {}),
        ("LD_LIBRARY_PATH", ["--objects", "-p"], {"LD_LIBRARY_PATH": os.path.join(TEMP, "far")}),
    ):
        if "directory" in name or environment:
            os.symlink("renamed.so", os.path.join(TEMP, "far", "libtwo.so.2"))
        status, out, err = gprof("-b", "--quiet", *words, "program", **environment)
        if "directory" in name or environment:
            os.unlink(os.path.join(TEMP, "far", "libtwo.so.2"))
        tap.ok(status == 0 and len(headings(out)) == 3 and "two" in out and err == "", "found by " + name, out + err)
    for place, name in (("far", "the directory of regmon"), ("bin", "its ../lib")):
        os.makedirs(os.path.join(TEMP, "bin"), exist_ok=True)
        regmon, library = os.path.join(TEMP, place, "regmon"), "far" if place == "far" else "lib"
        os.makedirs(os.path.join(TEMP, library), exist_ok=True)
        os.chmod(write(regmon, b"#!/bin/sh\n"), 0o755)
        os.symlink("../far/renamed.so", os.path.join(TEMP, library, "libtwo.so.2"))
        path = "nowhere::%s:%s" % (os.path.join(TEMP, place), harness.ENV["PATH"])
        status, out, err = gprof("-b", "--quiet", "-p", "--objects", "program", PATH=path)
        os.unlink(os.path.join(TEMP, library, "libtwo.so.2"))
        os.unlink(regmon)
        tap.ok(status == 0 and len(headings(out)) == 3 and err == "", "found in " + name, out + err)
    write(os.path.join(TEMP, "far", "libtwo.so.2"), b"\x7fELF\x01\x01\x01" + bytes(60))
    status, out, err = gprof("-b", "--quiet", "-p", "--objects=far", "program")
    os.unlink(os.path.join(TEMP, "far", "libtwo.so.2"))
    tap.ok(headings(out) == ["program", "./beside/libone.so.1"] and "libtwo" in err, "not one of another machine", out + err)
    status, out, err = gprof("-b", "--quiet", "--strict", "-p", "--objects", "program")
    tap.ok(status == 1 and out == "" and "libtwo" in err, "--strict: no report if an object is not found", out + err)


def test_reports(tap):
    out = gprof("-b", "--quiet", "--objects=far/renamed.so", "program")[1]
    parts = [re.sub(r"\A.*:\n\n", "", part) for part in out.split("\f\n*** Object ")]
    alone = [
        gprof("-b", "--quiet", image, profile)[1]
        for image, profile in (("program", "gmon.out"), ("beside/libone.so.1", "gmon.out.libone.so.1"), ("far/renamed.so", "gmon.out.libtwo.so.2"))
    ]
    parts[0] = out.split("*** Object program:\n\n", 1)[1].split("\f\n*** Object ")[0]
    tap.ok(parts == alone, "each report is that of the object alone", harness.diff("".join(alone).encode(), "".join(parts).encode()))


def test_stacks(tap):
    """Stacks name functions of the program: they are no part of the reports on other objects."""
    address = address_of("main", "program")
    write(os.path.join(TEMP, "stacks"), b"# regmon stacks 2\n# rate 1000\n# program 0 program\n0:%x 40\n" % (address + 1))
    words = ["-b", "--quiet", "--top", "--columns=self,total,name", "--objects=far/renamed.so"]
    plain = gprof(*words, "program")[1].split("\f\n*** Object ")
    measured = gprof(*words, "--stacks=stacks", "program")[1].split("\f\n*** Object ")
    good = len(plain) == 3 and plain[1:] == measured[1:] and plain[0] != measured[0]
    tap.ok(good, "stacks are of the program alone", "".join(plain + measured))


def test_table(tap):
    expected = {"program": [100, 1, 0.1], "libone.so.1": [50, 20, 0.05], "libtwo.so.2": [250, 7, 0.25]}
    status, rows, err = table("program")
    tap.ok(status == 0 and rows == expected, "a table of objects", "%r %s" % (rows, err))
    child = {"program": [1, 1, 0.001], "libone.so.1": [3, 4, 0.003]}
    tap.ok(table("program", "gmon.out.77")[1] == child, "those of a child are its own", repr(table("program", "gmon.out.77")))
    names = sorted(name for name in os.listdir(TEMP) if name.startswith("gmon.out") and name != "gmon.out.notes")
    both = {"program": [101, 2, 0.101], "libone.so.1": [53, 24, 0.053], "libtwo.so.2": [250, 7, 0.25]}
    tap.ok(table("program", *names)[1] == both, "files that a shell's pattern names count once", repr(table("program", *names)))
    write(os.path.join(TEMP, "list"), b"gmon.out\ngmon.out.77\n")
    tap.ok(table("program", "--files-from=list")[1] == both, "a list of profiles")
    reports = [gprof("-b", "--quiet", "-p", "--objects", "program", *words) for words in (["--files-from=list"], ["gmon.out", "gmon.out.77"])]
    tap.ok(reports[0] == reports[1], "reports of a list read it once, not for each object", "%r" % (reports,))
    os.makedirs(os.path.join(TEMP, "deep", "inner"))
    for place in ("deep", "deep/inner"):
        write(os.path.join(TEMP, place, "gmon.out"), read(os.path.join(TEMP, "gmon.out")))
    rows = [table("program", "deep", *words)[1].get("program") for words in ([], ["--no-recurse"])]
    tap.ok(rows == [[200, 2, 0.2], [100, 1, 0.1]], "directories are read as for other reports", "%r" % (rows,))
    implied = gprof("--quiet", "--by=object", "program")
    tap.ok(implied[0] == 0 and implied == gprof("--quiet", "--top=0", "--by=object", "program"), "--by=object implies --top", repr(implied))
    out = gprof("--quiet", "--top=1", "--by=object", "--sort=name", "--columns=name,file,line", "program")[1]
    tap.ok("libone.so.1  ./beside/libone.so.1" in out and "1 of 3 objects" in out, "file, and rows not shown", out)
    reports = gprof("--quiet", "--top", "--by=object", "--columns=name,callers,callees,total,least,cycle,address,raw", "program")
    tap.ok(reports[0] == 0, "every column", "%r" % (reports,))


def test_uncounted(tap):
    """No object has counted calls: there is no column for them, and a note says why."""
    note = "gprof: note: calls were not counted: program was built without -pg\n"
    heading = "self% self error name".split()
    for counts, words in ((True, []), (False, []), (False, ["--columns=calls,name"])):
        write_profile("only", "program", "main", 100, 0)
        write_profile("only.libone.so.1", "beside/libone.so.1", "one", 50, 20 if counts else 0)
        status, out, err = gprof("--by=object", *words, "program", "only")
        shown = [line.split() for line in out.splitlines() if line.split()[-1:] == ["name"]]
        expected = ["calls", "name"] if words else heading[:3] + ["calls", "name"] if counts else heading
        tap.ok(status == 0 and shown == [expected] and err.count(note) == (not counts), "calls of no object: %s %s" % (counts, words), out + err)


def test_left_out(tap):
    """Other reports leave the profiles of objects out."""
    os.makedirs(os.path.join(TEMP, "all"))
    for name in ("gmon.out", "gmon.out.libone.so.1", "gmon.out.libtwo.so.2"):
        write(os.path.join(TEMP, "all", name), read(os.path.join(TEMP, name)))
    note = "gprof: note: profiles of shared objects that are left out: 2 (for example all/gmon.out.libone.so.1); --objects reports on them\n"
    names = ["all/gmon.out", "all/gmon.out.libone.so.1", "all/gmon.out.libtwo.so.2"]
    for words in (["-b", "-p"], ["--top"], ["--format=json"], ["--base=program", "--base-profile=gmon.out"]):
        alone = gprof("--quiet", *words, "program", "all/gmon.out")
        for profiles in (["all"], names, names[::-1]):
            status, out, err = gprof(*words, "program", *profiles)
            good = note in err or note.replace("one.so.1", "two.so.2") in err
            tap.ok(alone[0] == status == 0 and good and out == alone[1], " ".join(words + profiles), out + err)
    status, out, err = gprof("-s", "-o", "sum", "program", "all")
    tap.ok(status == 0 and read(os.path.join(TEMP, "sum")) == read(os.path.join(TEMP, "gmon.out")), "-s", err)
    status, out, err = gprof("-b", "--quiet", "-p", "beside/libone.so.1", "gmon.out.libone.so.1")
    tap.ok(status == 0 and " one\n" in out, "that of an object alone is used", out + err)


def test_refusals(tap):
    for words, fragment in (
        (["-s", "--objects"], "--sum and --objects cannot be used"),
        (["--objects", "-o", "report"], "--objects and --output"),
        (["--objects", "--format=json"], "--format=json and --objects cannot be used"),
        (["--objects", "--format=csv"], "--objects and --format"),
        (["-p", "--top", "--by=object"], "--by=object and --flat-profile cannot be used"),
    ):
        tap.refused(words + ["program"], fragment, TEMP)
    write(os.path.join(TEMP, "gmon.out.libbad.so"), read(os.path.join(TEMP, "gmon.out"))[:100])
    status, rows, err = table("program")
    tap.ok(status == 1 and "gmon.out.libbad.so" in err and rows == {}, "a damaged profile of an object is an error", err)


def main():
    if not harness.tool("CC", "cc"):
        harness.skip_all("no compiler")
    tap = harness.Tap()
    make_all()
    for test in (test_search, test_reports, test_stacks, test_table, test_uncounted, test_left_out, test_refusals):
        test(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
