#!/usr/bin/env python3
"""Checks how analysis.sh handles the output and status of its tools.  The tools are fake: nothing is analysed."""

import sys

sys.dont_write_bytecode = True

import os
import shlex

from lib import harness
from lib.harness import TEMP, write

TOOLS = ("gcc", "clang-tidy", "cppcheck")
KNOWN = "error: Access to field 'has_lines' results in a dereference of a null pointer [x]"  # explained in analysis.txt
SOURCE = os.path.join(TEMP, "source")  # with few files, since the tools are run for each
FILE, HEADER = (os.path.join(SOURCE, name) for name in ("src/debug/dwarf.c", "include/debug/debug_image.h"))
RUNTIME = os.path.join(SOURCE, "runtime", "table.c")

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


def make_source():
    """The files that the script reads, and the sources that are named here."""
    os.makedirs(os.path.dirname(FILE))
    os.makedirs(os.path.join(SOURCE, "tests"))
    os.makedirs(os.path.join(SOURCE, "runtime"))
    write(RUNTIME, b"")
    write(FILE, b"")
    write(os.path.join(os.path.dirname(FILE), "other.c"), b"")
    known = harness.read(os.path.join(harness.TESTS, "analysis.txt"))
    write(os.path.join(SOURCE, "tests", "analysis.txt"), known)


def results(words, status):
    """(status and output, {tool: whether it is ok}) of the script, with tools that have this output and status."""
    tools = os.path.join(TEMP, "tools")
    os.makedirs(tools, exist_ok=True)
    for tool in TOOLS:
        path = write(os.path.join(tools, tool), b"#!/bin/sh\necho %s\nexit %d\n" % (shlex.quote(words).encode(), status))
        os.chmod(path, 0o755)
    env = dict(harness.ENV, PATH=tools + ":" + harness.ENV["PATH"], SRCDIR=SOURCE)
    result = harness.run([os.path.join(harness.TESTS, "analysis.sh")], harness.BUILDDIR, env)
    found = {}
    for line in result[1].decode().splitlines():
        verdict, _, rest = line.partition(" - ")
        if rest and not line.startswith("#"):
            found[rest.split()[0]] = not verdict.startswith("not")
    return result, found


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
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
