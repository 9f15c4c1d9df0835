#!/usr/bin/env python3
"""--per-file: the table of profiles, and of the functions that vary most between them."""

import sys

sys.dont_write_bytecode = True

import gzip
import os
import re

from lib import harness
from lib.gmonfile import Profile
from lib.harness import read, said, write
from merge import LOW, PLAIN, directory, gprof, histogram, make_program

BY_FILE = """\
Profile by profile:

  %
 share      samples     seconds            calls  profile
 10.00          100        1.00               30  a
 20.00          200        2.00                0  b
 70.00          700        7.00               60  c

               1000       10.00               90  sum
                100        1.00                0  minimum
             333.33        3.33            30.00  mean
                700        7.00               60  maximum
               2.10        2.10             2.00  imbalance

Functions whose own time varies most between profiles:

 deviation     minimum        mean     maximum  function, and where its maximum is
      2.36        1.00        2.67        6.00  left in c
      0.47        0.00        0.33        1.00  inner in b
      0.47        0.00        0.33        1.00  right in c
"""


def main():
    tap = harness.Tap()
    image, work = make_program(), directory("per-file")
    tallies = {"a": ({9: 100}, 30), "b": ({10: 50, 15: 50, 25: 100}, 0), "c": ({9: 300, 15: 300, 17: 100}, 60)}
    for name, (bins, calls) in tallies.items():
        arcs = [("arc", LOW + 4, LOW + 0x20, calls)] if calls else []
        write(os.path.join(work, name), Profile(PLAIN, [histogram(bins)] + arcs).bytes())

    def same(name, words, expected=BY_FILE, status=0, **keys):
        result = gprof("-b", "--per-file", image, words, cwd=work, **keys)
        tap.ok(result[:2] == (status, expected.encode()), name, said(result) + harness.diff(expected.encode(), result[1]))

    same("--per-file", ["a", "b", "c"])
    write(os.path.join(work, "list"), b"a\nb\nc\n")
    same("--per-file and a list", ["--files-from=list"])
    write(os.path.join(work, "bad"), b"gmon")
    same("--per-file and a bad one", ["--skip-bad", "a", "bad", "b", "c"], status=1)
    write(os.path.join(work, "b"), gzip.compress(read(os.path.join(work, "b"))))
    same("--per-file and a compressed one", ["a", "b", "c"])
    runs = directory("per-file/runs")
    for name in tallies:
        os.rename(os.path.join(work, name), os.path.join(runs, name))
    for name in tallies:
        os.symlink("runs/" + name, os.path.join(work, name))
    expected = re.sub(r"(  | in )([abc])$", r"\1runs/\2", BY_FILE, flags=re.M)
    same("--per-file and a directory", ["runs"], expected)
    status, out, _ = gprof("-b", "--per-file", "-p", image, "a", "b", "c", cwd=work)
    flat = gprof("-b", "-p", image, "a", "b", "c", cwd=work)[1]
    tap.ok(status == 0 and out == BY_FILE.encode() + b"\f\n" + flat, "--per-file beside another report")
    status, out, _ = gprof("--per-file", image, "a", "b", "c", cwd=work)
    tap.ok(status == 0 and out.startswith(BY_FILE.encode()) and b"deviation   " in out, "--per-file explains itself")
    out = gprof("-b", "--per-file", "-l", image, "a", "b", "c", cwd=work)[1].decode()
    tap.ok(out == BY_FILE, "--per-file with -l, without debug information")
    out = gprof("-b", "--per-file", "-pright", image, "a", "b", "c", cwd=work)[1].decode().split("\f")[0]
    tap.ok(out == re.sub(r".* (left|inner) in .\n", "", BY_FILE), "--per-file lists what the flat profile is of", out)
    write(os.path.join(work, "calls"), Profile(PLAIN, [("arc", LOW, LOW + 0x20, 1)]).bytes())
    status, out, _ = gprof("-b", "--per-file", image, "calls", cwd=work)
    tap.ok(status == 0 and b"Functions" not in out and b"imbalance" in out, "--per-file without samples", out.decode())
    result = gprof("--per-file", "-s", image, "a", cwd=work)
    tap.ok(result[0] == 1 and not os.path.exists(os.path.join(work, "gmon.sum")), "--per-file and --sum are two runs", said(result))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
