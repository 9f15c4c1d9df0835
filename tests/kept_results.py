#!/usr/bin/env python3
"""What the other tests rest on.  A command that takes too long ends with all that it has started
(lib/harness.py).
Kept results of the reference are used as long as nothing changes that they depend on
(lib/reference.py).

There the reference is a program that prints the files that the files of its arguments name.
"""

import sys

sys.dont_write_bytecode = True

import os
import select
import shutil
import subprocess

from lib import harness, reference
from lib.harness import TEMP, write

PROGRAM = rb"""
#include <stdio.h>
#include <stdlib.h>
static void show (const char *path, int depth)
{
  char line[1000];
  FILE *f = fopen (path, "r");
  if (f == NULL)
    printf ("no %s\n", path);
  while (f != NULL && fgets (line, sizeof line, f))
    if (depth == 0)
      sscanf (line, "%s", line), show (line, 1);
    else
      printf ("%s%s", getenv ("WORD") ? getenv ("WORD") : "", line);
}
int main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-')
      show (argv[i], 0);
  FILE *made = fopen ("made", "w");
  fputs ("contents", made);
  fclose (made);
  return argc > 2 && argv[1][1] == 'k' ? abort (), 0 : 1;
}
"""


class Runner:
    """Counts runs of the reference."""

    def __init__(self):
        self.count = 0

    def __call__(self, command, **keys):
        self.count += 1
        return harness.run(command, **keys)


def check(tap, runner, name, runs, expected, *arguments, env=None):
    """The result is EXPECTED, and the reference has run RUNS times for it."""
    before = runner.count
    (status, out, _), files = reference.run_with_files(list(arguments), PLACE, env, runner)
    good = (status, out, files) == (
        1,
        expected,
        {"made": b"contents"},
    ) and runner.count - before == runs
    tap.ok(good, name, "status %d, %d runs, %r, %r" % (status, runner.count - before, out, files))


PLACE = os.path.join(TEMP, "place")


def build():
    """The program in the place of the reference; None if it cannot be compiled, or results cannot
    be kept."""
    compiler, source = harness.tool("CC", "cc"), write(os.path.join(TEMP, "program.c"), PROGRAM)
    harness.REFERENCE = os.path.join(TEMP, "program")
    if not compiler or harness.run(compiler + ["-w", "-o", harness.REFERENCE, source])[0] != 0:
        return None
    reference.CACHE = os.path.join(TEMP, "kept")
    return reference._identity()


def check_end(tap):
    """The child keeps the pipe open, and would do so for a day."""
    read_end, write_end = os.pipe()
    command = ["python3", "-c", "import os, time; os.fork(); time.sleep(86400)"]
    result = harness.run_group(
        command, timeout=0.5, pass_fds=[write_end], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.close(write_end)
    is_ended = bool(select.select([read_end], [], [], harness.TIMEOUT)[0])
    os.close(read_end)
    tap.ok(
        result[0] == -14 and is_ended,
        "a command that takes too long ends with its children",
        result,
    )


def main():
    if os.environ.pop("FRESH", None) is not None or not build():
        harness.skip_all("no compiler, or no shared libraries")
    os.mkdir(PLACE)
    tap, runner = harness.Tap(), Runner()
    check_end(tap)
    list_, text = write(os.path.join(PLACE, "list"), b"text\n"), os.path.join(PLACE, "text")
    check(tap, runner, "the first run", 1, b"no text\n", "list")
    check(tap, runner, "the same again", 0, b"no text\n", "list")
    write(text, b"one\n")
    check(tap, runner, "a missing file has appeared", 1, b"one\n", "list")
    check(tap, runner, "the same again", 0, b"one\n", "list")
    write(text, b"two\n")
    check(tap, runner, "a file that no argument names has changed", 1, b"two\n", "list")
    write(list_, b"list\n")
    check(tap, runner, "an argument's file has changed", 1, b"list\n", "list")
    check(tap, runner, "another option", 1, b"list\n", "-x", "list")
    check(
        tap, runner, "another environment", 1, b"wlist\n", "list", env=dict(harness.ENV, WORD="w")
    )
    check(tap, runner, "the first environment", 0, b"list\n", "list")
    os.unlink(text)
    write(list_, b"text\n")
    check(tap, runner, "the first state", 1, b"no text\n", "list")
    before = runner.count
    results = [reference.run_with_files(["-k", "list"], PLACE, None, runner)[0] for _ in range(2)]
    tap.ok(
        results[0][0] < 0 and results[0] == results[1] and runner.count == before + 2,
        "a run that ends by a signal is repeated",
    )
    shutil.copy(harness.REFERENCE, harness.REFERENCE + "-new")
    with open(harness.REFERENCE + "-new", "ab") as file:
        file.write(b"\n")
    os.rename(harness.REFERENCE + "-new", harness.REFERENCE)
    reference._identity.cache_clear()
    check(tap, runner, "another version of the reference", 1, b"no text\n", "list")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
