#!/usr/bin/env python3
"""Runs the scripts that test the program with two that do nothing: one succeeds, the other fails.  Each script reports a
failure; one that does not would also pass if the program were broken.

Usage: CHECK_LONG=1 false_programs.py [SCRIPT...]
"""

import sys

sys.dont_write_bytecode = True

import os
import re

from lib import harness
from lib.harness import TEMP, read, said, write

# What does not run the program, or runs one that it builds or installs itself.
OTHERS = {
    "analysis.py": "the analysis of the compilers",
    "bbconv.py": "contrib/bbconv",
    "bench.py": "scripts/bench",
    "false_programs.py": "this script",
    "install.py": "the installed program",
    "kept_results.py": "results that tests keep",
    "layers.py": "the sources",
    "notes.py": "programs that gprof has built",
    "slurm.py": "a cluster",
    "workflows.py": "files for CI services",
}


def scripts():
    """The scripts of `make check'."""
    text = read(os.path.join(harness.TESTS, "local.mk")).decode()
    return sorted(set(re.findall(r"\btests/(\w+\.py)\b", text)))


def fails(script, program):
    env = dict(os.environ, GPROF=program)
    env.pop("CHECK_LONG")
    result = harness.run([sys.executable, os.path.join(harness.TESTS, script)], harness.BUILDDIR, env, timeout=3600)
    is_skipped = re.search(rb"^1\.\.0\b", result[1], re.M) is not None
    return None if is_skipped else result[0] != 0 or b"\nnot ok" in b"\n" + result[1], result


def main():
    if not harness.IS_LONG:
        harness.skip_all("runs all tests twice; CHECK_LONG=1")
    tap = harness.Tap()
    programs = []
    for name, status in (("silent", 0), ("failing", 1)):
        programs.append(write(os.path.join(TEMP, name), b"#!/bin/sh\nexit %d\n" % status))
        os.chmod(programs[-1], 0o755)
    for script in sys.argv[1:] or [name for name in scripts() if name not in OTHERS]:
        for program in programs:
            has_failed, result = fails(script, program)
            name = "%s: fails with a program that is %s" % (script, os.path.basename(program))
            if has_failed is None:
                tap.skip(name, "it is skipped")
            else:
                tap.ok(has_failed, name, said(result)[-2000:])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
