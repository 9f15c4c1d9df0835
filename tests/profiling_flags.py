#!/usr/bin/env python3
"""Real programs that were compiled or linked without -pg: each of these is recognised and named,
and nothing is said of
a program that lacks neither.  Of shared libraries nothing is said for static programs.

Usage: profiling_flags.py
"""

import sys

sys.dont_write_bytecode = True

import os

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP

SOURCE = b"""
volatile double sum;
__attribute__ ((noinline)) void work (void) { for (int i = 0; i < 30000000; i++) sum += i; }
int main (void) { work (); return 0; }
"""
ONLY_LINKED = "image: counts no calls: it was linked with -pg, but not compiled with -pg"
NOT_BUILT = "image: counts no calls: it was neither compiled nor linked with -pg"
NOT_LINKED = "image was compiled with -pg, but writes no profile because it was not linked with -pg"
NOT_PROFILED = "image writes no profile because it was not linked with -pg; run it with regmon"
RUN_FIRST = "run image first"


def build(name, compiling, linking):
    """The directory of a program and, if it wrote one, its profile; None if it cannot be built."""
    directory = os.path.join(TEMP, name.replace(" ", "-"))
    os.mkdir(directory)
    harness.write(os.path.join(directory, "a.c"), SOURCE)
    compiler = harness.tool("CC", "cc")
    if not compiler or harness.run(compiler + ["-O1", "-c", "a.c"] + compiling, directory)[0] != 0:
        return None
    if harness.run(compiler + ["-o", "image", "a.o"] + linking, directory)[0] != 0:
        return None
    return directory if harness.run(["./image"], directory)[0] == 0 else None


def samples(directory):
    """A profile with samples in `work', however long that ran."""
    start = next(
        address
        for name, address, _ in elf.symbols(os.path.join(directory, "image"))
        if name == b"work"
    )
    profile = Profile(Layout(), [Histogram(start, start + 16, 8, {1: 50})])
    return harness.write(os.path.join(directory, "samples"), profile.bytes())


def say(directory, *words):
    return harness.run([harness.GPROF, "-b", *words], directory)


def check_missing(tap, name, directory, expected):
    status, out, err = say(directory, "image", "gmon.none")
    fine = status == 1 and not out and err.decode().count("\n") == 1 and expected in err.decode()
    tap.ok(fine, name + ": no profile", err)


def check_reports(tap, name, directory, profile, expected):
    """Every report that lacks calls says why, once."""
    for words, kind, wanted in (([], "note", 0), (["-q"], "warning", 1), (["-C"], "warning", 0)):
        status, _, err = say(directory, *words, "image", profile)
        line = "gprof: %s: %s" % (kind, expected)
        lines = err.decode().splitlines()
        if expected == NOT_BUILT and not words:  # a profile that the image cannot have written
            continue
        fine = (
            status == wanted
            and lines.count(line) == 1
            and not [other for other in lines if other != line and "-pg" in other]
        )
        tap.ok(fine, "%s: %s" % (name, " ".join(words) or "by default"), err)
    tap.ok(
        b"calls" not in say(directory, "-p", "image", profile)[2],
        name + ": nothing is said of a report without calls",
    )
    tap.ok(b"calls" not in say(directory, "--quiet", "image", profile)[2], name + ": --quiet", "")


def check(tap, static):
    suffix = " " + static[0] if static else ""
    whole = build("both" + suffix, ["-pg"], ["-pg"] + static)
    linked = build("linked" + suffix, [], ["-pg"] + static)
    compiled = build("compiled" + suffix, ["-pg"], static)
    neither = build("neither" + suffix, [], static)
    if not (whole and linked and compiled and neither):
        return tap.skip("programs" + suffix, "cannot be built or run here")
    for name, directory, expected in (
        ("both", whole, RUN_FIRST),
        ("linked", linked, RUN_FIRST),
        ("compiled", compiled, NOT_LINKED),
        ("neither", neither, NOT_PROFILED),
    ):
        check_missing(tap, name + suffix, directory, expected)
    check_reports(tap, "linked" + suffix, linked, "gmon.out", ONLY_LINKED)
    check_reports(tap, "neither" + suffix, neither, os.path.join(linked, "gmon.out"), NOT_BUILT)
    for words in ([], ["-q"], ["-C"]):
        status, _, err = say(whole, *words, "image", "gmon.out")
        tap.ok(status == 0 and b"-pg" not in err, "both%s: %s" % (suffix, " ".join(words)), err)
    status, out, _ = harness.run([harness.GPROF, "--top", "image", samples(whole)], whole)
    tap.ok(
        b"\ntotal assumes " in out
        and (b"\ntime in shared libraries is not included\n" in out) == (not static),
        "both%s: what is said of shared libraries" % suffix,
        out,
    )
    return None


def main():
    if harness.is_reference():
        harness.skip_all("the reference has messages of its own")
    tap = harness.Tap()
    check(tap, [])
    check(tap, ["-static"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
