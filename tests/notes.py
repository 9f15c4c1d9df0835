#!/usr/bin/env python3
"""Notes on real programs: which ones can start threads.

What C, C++ and OpenMP make of threads is compiled; a program that only mentions pthread_create, and
one without
threads that contains the whole C library, must not be noted.
"""

import sys

sys.dont_write_bytecode = True

import os
import struct

from lib import harness
from lib.harness import TEMP

MAIN = (
    "int work (int n) { return n * 3; }\nint (*volatile call) (int) = work;\nint main (void) {"
    " return call (0)%s; }\n"
)

# name, compiler, flags, source, whether it is noted
PROGRAMS = [
    (
        "pthread",
        ("CC", "cc"),
        "-pthread",
        """
#include <pthread.h>
static void *run (void *p) { return p; }
int start (void) { pthread_t t; return pthread_create (&t, 0, run, 0) || pthread_join (t, 0); }
"""
        + MAIN % " || start ()",
        True,
    ),
    (
        "pthread, static",
        ("CC", "cc"),
        "-pthread -static",
        """
#include <pthread.h>
static void *run (void *p) { return p; }
int start (void) { pthread_t t; return pthread_create (&t, 0, run, 0) || pthread_join (t, 0); }
"""
        + MAIN % " || start ()",
        True,
    ),
    (
        "C11",
        ("CC", "cc"),
        "-pthread",
        """
#include <threads.h>
static int run (void *p) { return p != 0; }
int start (void) { thrd_t t; return thrd_create (&t, run, 0) != thrd_success || thrd_join (t, 0) != thrd_success; }
"""
        + MAIN % " || start ()",
        True,
    ),
    (
        "C++",
        ("CXX", "c++"),
        "-pthread",
        """
#include <thread>
static int start () { std::thread t ([] {}); t.join (); return 0; }
"""
        + MAIN % " || start ()",
        True,
    ),
    (
        "C++, async",
        ("CXX", "c++"),
        "-pthread",
        """
#include <future>
static int start () { return std::async (std::launch::async, [] { return 0; }).get (); }
"""
        + MAIN % " || start ()",
        True,
    ),
    (
        "OpenMP",
        ("CC", "cc"),
        "-fopenmp",
        """
int start (void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 9; i++) sum += i * 0;
  return sum;
}
"""
        + MAIN % " || start ()",
        True,
    ),
    ("none", ("CC", "cc"), "", MAIN % "", False),
    ("none, static", ("CC", "cc"), "-static", MAIN % "", False),
    ("none, C++", ("CXX", "c++"), "", "#include <iostream>\n" + MAIN % "", False),
    ("none, static C++", ("CXX", "c++"), "-static", "#include <iostream>\n" + MAIN % "", False),
    (
        "where the library has it",
        ("CC", "cc"),
        "-fno-builtin",
        """
extern int pthread_create (void) __attribute__ ((weak));
"""
        + MAIN % " && pthread_create != 0",
        False,
    ),
]


def check(tap, number, name, tool, flags, source, is_noted):
    directory = os.path.join(TEMP, "program%d" % number)
    os.mkdir(directory)
    compiler = harness.tool(*tool)
    path = harness.write(
        os.path.join(directory, "a.c" if tool[0] == "CC" else "a.cc"), source.encode()
    )
    if (
        not compiler
        or harness.run(compiler + ["-O1", "-pg", "-o", "image", path] + flags.split(), directory)[0]
        != 0
    ):
        return tap.skip(name, "cannot be compiled here")
    status, _, err = harness.run(["./image"], directory)
    if status != 0:
        return tap.skip(name, "does not run here: " + err.decode("utf-8", "replace"))
    for words in (["-q"], ["-p"], ["-C"]):
        status, _, err = harness.run(
            [harness.GPROF, "-b"] + words + ["image", "gmon.out"], directory
        )
        notes = [
            line
            for line in err.decode().splitlines()
            if line.startswith("gprof: note: image: can start threads: ")
        ]
        tap.ok(status == 0 and len(notes) == is_noted, "%s, %s" % (name, words[0]), err)
    tap.ok(
        harness.run([harness.GPROF, "-b", "-q", "--quiet", "image"], directory)[2].find(b"note:")
        < 0,
        name + ", quietly",
    )
    if is_noted:
        check_mark(tap, name, directory)


def has_note(directory, *words):
    status, out, err = harness.run([harness.GPROF, "-b", "-q"] + list(words), directory)
    return status, b"can start threads" in err, out


def check_mark(tap, name, directory):
    """A profile with the mark of a library that counts exactly has no note, nor has a sum of such
    profiles."""
    data = harness.read(os.path.join(directory, "gmon.out"))
    harness.write(os.path.join(directory, "marked"), data[:8] + b"regmon" + data[14:])
    marked = has_note(directory, "image", "marked")
    tap.ok(marked[:2] == (0, False), name + ": no note if the profile has the mark", marked)
    tap.ok(
        marked[2] == has_note(directory, "image", "gmon.out")[2],
        name + ": and the report is the same",
    )
    tap.ok(
        has_note(directory, "image", "marked", "gmon.out")[1],
        name + ": a note if one of two has it",
    )
    if data[20:21] == b"\0" and struct.calcsize("P") == 8:
        (bins,) = struct.unpack_from("=I", data, 37)
        arcs = 20 + 41 + 2 * bins  # behind the histogram; each has 21 bytes
        harness.write(os.path.join(directory, "one"), data[: arcs + 21])
        harness.write(os.path.join(directory, "none"), data[:arcs])
        tap.ok(
            data[arcs : arcs + 1] == b"\1" and has_note(directory, "image", "one")[:2] == (0, True),
            name + ": a note on one arc",
        )
        tap.ok(not has_note(directory, "-p", "image", "none")[1], name + ": none without arcs")
    for words, is_marked in ((["marked", "marked"], True), (["marked", "gmon.out"], False)):
        harness.run([harness.GPROF, "-s", "image"] + words, directory)
        total = harness.read(os.path.join(directory, "gmon.sum"))
        tap.ok(
            (total[8:14] == b"regmon") == is_marked,
            "%s: mark of the sum of %s" % (name, words),
            total[:20],
        )
    if harness.has_reference():
        read_by = [
            harness.run([harness.REFERENCE, "-b", "-q", "image", file], directory)[1]
            for file in ("marked", "gmon.out")
        ]
        tap.ok(read_by[0] == read_by[1] != b"", name + ": the reference reads it")


def main():
    if harness.is_reference():
        harness.skip_all("the reference has no notes")
    tap = harness.Tap()
    for number, program in enumerate(PROGRAMS):
        check(tap, number, *program)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
