#!/usr/bin/env python3
"""Checks how analysis.sh handles the output and status of its tools.  The tools are fake: nothing is analysed."""

import sys

sys.dont_write_bytecode = True

import os
import shlex
import tempfile

from lib import harness
from lib.harness import TEMP, write

TOOLS = ("gcc", "clang-tidy", "cppcheck")
KNOWN = "error: Access to field 'has_lines' results in a dereference of a null pointer [x]"  # explained in analysis.txt
SOURCE = os.path.join(TEMP, "source")  # with few files, since the tools are run for each
FILE, HEADER = (os.path.join(SOURCE, name) for name in ("src/debug/dwarf.c", "include/debug/debug_image.h"))
RUNTIME = os.path.join(SOURCE, "runtime", "table.c")
RUNS = os.path.join(TEMP, "runs")

# (name, output of each tool, its status, the tools that then fail)
CASES = [
    ("silence", "", 0, ()),
    ("a crash", "", 139, TOOLS),
    ("a crash after what is known", "%s:1:2: %s" % (FILE, KNOWN), 139, TOOLS),
    ("another usage", "no such option", 1, TOOLS),
    ("what is known", "%s:1:2: %s" % (FILE, KNOWN), 0, ()),
    ("a finding", "%s:1:2: warning: a leak" % FILE, 0, TOOLS),
    ("a finding in a header", "%s:1:2: warning: a leak" % HEADER, 0, TOOLS),
    ("a finding in the runtime", "%s:1:2: warning: a leak" % RUNTIME, 0, TOOLS),
    ("a finding elsewhere", "/usr/include/stdio.h:1:2: warning: a leak", 0, ()),
]


# It preprocesses, tells its version, or notes that it runs, and says something.
TOOL = """#!/bin/sh
case $1 in
-E) for file; do :; done; exec cat "$file" ;;
--version) exit ;;
esac
echo run >>"$RUNS"
echo %s
exit %d
"""


def make_source():
    """The files that the script reads, and the sources that are named here."""
    os.makedirs(os.path.dirname(FILE))
    os.makedirs(os.path.join(SOURCE, "tests"))
    os.makedirs(os.path.join(SOURCE, "runtime"))
    write(RUNTIME, b"")
    write(FILE, b"")
    write(os.path.join(SOURCE, ".clang-tidy"), b"")
    write(os.path.join(os.path.dirname(FILE), "other.c"), b"")
    known = harness.read(os.path.join(harness.TESTS, "analysis.txt"))
    write(os.path.join(SOURCE, "tests", "analysis.txt"), known)


def results(words, status, cache=None):
    """(status and output, {tool: whether it is ok}) of the script, with tools that have this output and status, and with
    a CACHE, or a new one."""
    tools = os.path.join(TEMP, "tools")
    os.makedirs(tools, exist_ok=True)
    for tool in TOOLS:
        path = write(os.path.join(tools, tool), (TOOL % (shlex.quote(words), status)).encode())
        os.chmod(path, 0o755)
    env = dict(harness.ENV, PATH=tools + ":" + harness.ENV["PATH"], RUNS=RUNS, SRCDIR=SOURCE, TEST_CACHE=cache or tempfile.mkdtemp(dir=TEMP))
    result = harness.run([os.path.join(harness.TESTS, "analysis.sh")], harness.BUILDDIR, env)
    found = {}
    for line in result[1].decode().splitlines():
        verdict, _, rest = line.partition(" - ")
        if rest and not line.startswith("#"):
            found[rest.split()[0]] = not verdict.startswith("not")
    return result, found


def runs(cache, status=0):
    """How often tools run, with which three sources are analysed."""
    write(RUNS, b"")
    results("%s:1:2: warning: a leak" % FILE, status, cache)
    return harness.read(RUNS).count(b"run")


def check_kept(tap):
    """What gcc and clang-tidy have said of a source is said again until something changes."""
    cache = os.path.join(TEMP, "kept")
    found = [runs(cache), runs(cache)]
    write(RUNTIME, b"int changed;\n")
    found += [runs(cache), runs(cache)]
    write(os.path.join(SOURCE, ".clang-tidy"), b"Checks: '*'\n")
    found += [runs(cache), runs(cache)]
    again = [count - found[1] for count in found]
    tap.ok(again == [6, 0, 2, 0, 6, 0], "a source is analysed again if it has changed", str(found))
    found = [runs(cache + "2", 1), runs(cache + "2", 1)]
    tap.ok(found[0] == found[1] > 6, "and if the tool has failed", str(found))


def main():
    tap = harness.Tap()
    make_source()
    for what, words, status, bad in CASES:
        result, found = results(words, status)
        good = result[0] == 0 and found == {tool: tool not in bad for tool in TOOLS}
        tap.ok(good, "tools with %s, status %d" % (what, status), harness.said(result) + result[1].decode())
    _, found = results("%s:1:2: error: %s" % (FILE, "a leak"), 1)
    tap.ok(not found["clang-tidy"], "a finding of clang-tidy that is an error", str(found))
    text = harness.read(os.path.join(harness.TESTS, "analysis.txt")).decode()
    error = next(line.split("|")[0].strip() for line in text.splitlines() if ": error:" in line)
    _, found = results(os.path.join(SOURCE, error.replace(":", ":1:2:", 1)), 1)
    tap.ok(found["clang-tidy"], "an error of clang-tidy that is known", str(found))
    check_kept(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
