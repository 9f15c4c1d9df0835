#!/usr/bin/env python3
"""The benchmark with small inputs: both programs print the same for all of its works.  Measures
nothing."""

import os
import shutil
import subprocess
import sys

from lib import harness


def main():
    tap = harness.Tap()
    missing = [p for p in (harness.REFERENCE, "as", "ld", "cc", "c++") if shutil.which(p) is None]
    if missing:
        tap.skip("benchmark at toy size", "no " + " ".join(missing))
        return tap.done()
    bench = os.path.join(harness.SRCDIR, "bench", "bench.py")
    directory = os.path.join(harness.TEMP, "bench")
    command = [
        sys.executable,
        bench,
        "--toy",
        "--gprof",
        harness.GPROF,
        "--reference",
        harness.REFERENCE,
    ]
    done = subprocess.run(
        command + ["--directory", directory], capture_output=True, text=True, check=False
    )
    rows = done.stdout.splitlines()
    for row in rows:
        tap.ok(row.endswith(" same"), "toy size: " + row.rsplit(" ", 1)[0].strip(), row)
    tap.ok(done.returncode == 0 and len(rows) > 5, "all works were compared", done.stderr)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
