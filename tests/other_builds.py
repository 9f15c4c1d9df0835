#!/usr/bin/env python3
"""A profile with an executable that did not write it: another build of the same program, or one
without -pg.

Each program is built twice by each compiler and with each set of flags, the second time with a
function in front.
The right executable must be accepted without a word, with its profiles and with their sums; the
other one makes one
warning that says how many of how many.
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shutil

from lib import harness
from lib.harness import TEMP

SOURCE = r"""
#include <stdlib.h>
#ifdef NEW
__attribute__ ((noinline)) int added (int n) { int s = 0; while (n > 0) s += n-- * 3; return s; }
#endif
static int compare (const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
__attribute__ ((noinline)) int leaf (int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
__attribute__ ((noinline)) int odd (int n) { return n % 7 == 3 ? leaf (n) + n / 5 : n * 11 + leaf (n / 2); }
__attribute__ ((noinline)) int mid (int n) { int s = 0; for (int i = 0; i < 9; i++) s += odd (n + i); return s; }
int (*volatile indirect) (int) = mid;
int main (int count, char **words)
{
  int table[100], s = 0;
  for (int i = 0; i < 100; i++) table[i] = indirect (i) % 50;
  qsort (table, 100, sizeof *table, compare);
#ifdef NEW
  s += added (count);
#endif
  return (s + table[0]) & 1 & (words == NULL);
}
"""

FLAGS = {
    ("CC", "cc"): [
        "-O0",
        "-O1",
        "-O2",
        "-O3",
        "-O0 -mfentry",
        "-O2 -mfentry",
        "-O1 -static",
        "-O2 -fno-pie -no-pie",
        "-O1 -fPIC -fno-plt",
        "-O1 -mcmodel=large",
        "-O2 -fcf-protection=full",
        "-Os -ffunction-sections",
    ],
    ("CLANG", "clang"): ["-O0", "-O2 -mfentry", "-O1 -static", "-O1 -mcmodel=large"],
}


def build(compiler, words, directory):
    """Whether both builds, and one without -pg, could be made, and the old one was run."""
    os.mkdir(directory)
    for name, more in (("old", ["-pg"]), ("new", ["-pg", "-DNEW"]), ("plain", [])):
        plain = [word for word in words if more or word != "-mfentry"]
        command = compiler + plain + more + ["-o", name, os.path.join(TEMP, "program.c")]
        if harness.run(command, directory)[0] != 0:
            return False
    harness.run(["./old"], directory)
    return os.path.exists(os.path.join(directory, "gmon.out"))


def said(directory, *words):
    status, out, err = harness.run([harness.GPROF, "-b"] + list(words), directory)
    lines = err.decode("utf-8", "replace").splitlines()
    return status, [line for line in lines if "no samples" not in line]


PATTERN = (
    r"gprof: warning: %s: new is not the executable that wrote this profile: (?:none of the"
    r" profile's functions exist in this program|"
    r"only (\d+) of (\d+) calls that were checked lead to its functions); use that executable, or"
    r" run the program again"
)
PLAIN = (
    "gprof: warning: gmon.out: plain is not the executable that wrote this profile: the profile has"
    " calls, and the executable was not built with -pg"
)
FOREIGN = (
    "gprof: warning: gmon.out: no recorded call is to an address in the text of plain: is the"
    " profile from another program?"
)

LINELESS = "gprof: warning: new: has no line numbers: compile with -g"


def is_few(lines, profile="gmon.out"):
    match = len(lines) == 1 and re.fullmatch(PATTERN % re.escape(profile), lines[0])
    return bool(match) and int(match.group(1) or 0) < int(match.group(2) or 1)


def write_sums(directory):
    """The profile, added up by us and, if it is there, by the reference, which writes other
    addresses."""
    names = ["gmon.out", "ours"]
    harness.must_run([harness.GPROF, "-s", "-o", "ours", "old"], directory)
    if harness.has_reference():
        harness.must_run([harness.REFERENCE, "-s", "old", "gmon.out"], directory)
        os.rename(os.path.join(directory, "gmon.sum"), os.path.join(directory, "theirs"))
        names.append("theirs")
    return names


def check(tap, name, directory):
    names = write_sums(directory)
    for profile in names:
        for words in (["-p"], ["-q"], ["-s", "-o", "sum"]):
            result = said(directory, *words, "old", profile)
            tap.ok(
                result == (0, []),
                "%s: %s of the right executable, %s" % (name, profile, " ".join(words)),
                result,
            )
    for words in (["-p"], ["-C"], ["-s", "-o", "sum"]):
        result = said(directory, *words, "new", "gmon.out")
        if words == ["-C"] and result[1][-1:] == [LINELESS]:
            result[1].pop()
        tap.ok(
            result[0] == 0 and is_few(result[1]),
            "%s: another build, %s" % (name, " ".join(words)),
            result,
        )
    result = said(directory, "-p", "plain", "gmon.out")
    is_said = PLAIN in result[1] or FOREIGN in result[1]
    tap.ok(result[0] == 0 and is_said, "%s: without -pg" % name, result)


def check_skipped(tap, name, directory):
    """--skip-bad leaves out what the other build wrote, wherever it stands, and nothing else."""
    os.mkdir(os.path.join(directory, "other"))
    harness.run(["../new"], os.path.join(directory, "other"))
    theirs = os.path.join("other", "gmon.out")
    command = [harness.GPROF, "--quiet", "--format=csv", "--columns=name,calls", "--top=0"]
    for one, two in ((theirs, "gmon.out"), ("gmon.out", theirs)):
        wanted = harness.run(command + ["old", "gmon.out"], directory)
        status, out, err = harness.run(command + ["--skip-bad", "old", one, two], directory)
        said = [line for line in err.decode().splitlines() if "no samples" not in line]
        good = (
            wanted[0] == 0
            and b"leaf" in wanted[1]
            and (status, out) == (1, wanted[1])
            and len(said) == 2
            and said[0].startswith("gprof: %s: old is not the executable that wrote" % theirs)
            and "skipped 1 of 2 profiles" in said[1]
        )
        tap.ok(good, "%s: --skip-bad %s %s" % (name, one, two), harness.said((status, out, err)))


def check_many(tap, directory):
    """One warning names the first profile, one says how many more there are."""
    ranks = os.path.join(directory, "ranks")
    os.mkdir(ranks)
    for i in range(70):
        shutil.copy(os.path.join(directory, "gmon.out"), os.path.join(ranks, "gmon.%02d" % i))
    for words in (["-p"], ["-s", "-o", "sum"]):
        status, lines = said(directory, *words, "new", "ranks")
        more = ["gprof: warning: 69 more profiles were not written by new"]
        what = "70 profiles of another build, %s" % " ".join(words)
        tap.ok(
            status == 0 and is_few(lines[:1], "ranks/gmon.00") and lines[1:] == more, what, lines
        )
        status, lines = said(directory, *words, "old", "ranks")
        tap.ok(
            (status, lines) == (0, []),
            "70 profiles of the right executable, %s" % " ".join(words),
            lines,
        )


def main():
    if harness.is_reference():
        harness.skip_all("the reference accepts every executable")
    tap = harness.Tap()
    harness.write(os.path.join(TEMP, "program.c"), SOURCE.encode())
    built = []
    for (variable, default), all_flags in FLAGS.items():
        for flags in all_flags[:: harness.SAMPLE]:
            name = "%s %s" % (default, flags)
            directory = os.path.join(TEMP, re.sub(r"\W+", "_", name))
            compiler = harness.tool(variable, default)
            if not compiler or not build(compiler, flags.split(), directory):
                tap.skip(name, "cannot be built or run here")
                continue
            built.append(directory)
            check(tap, name, directory)
            check_skipped(tap, name, directory)
    if built:
        check_many(tap, built[0])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
