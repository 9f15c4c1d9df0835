#!/usr/bin/env python3
"""--per-file: the table of profiles, and of the functions that vary most between them."""

import sys

sys.dont_write_bytecode = True

import gzip
import os
import random
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
                100        1.00                0  minimum in a, of calls in b
             333.33        3.33            30.00  mean
                700        7.00               60  maximum in c
             262.47        2.62            24.49  deviation
              14.91        0.15                   deviation by chance
               2.10        2.10             2.00  imbalance

Functions whose own time varies more between profiles than by chance:

 deviation chance   minimum      mean   maximum  function in maximum, minimum
      2.36   0.13      1.00      2.67      6.00  left in c, a
      0.47   0.05      0.00      0.33      1.00  inner in b, a
      0.47   0.05      0.00      0.33      1.00  right in c, a
"""


RANKS = """\
Profile by profile:

  %
 share      samples     seconds            calls  profile
 29.45          101        1.01               18  ranks/r.9 (+4.1 deviations)
  4.37           15        0.15                0  ranks/r.0
                                                  ... 14 more
  3.50           12        0.12                6  ranks/r.3
  3.50           12        0.12                8  ranks/r.4

                343        3.43              306  sum
                 12        0.12                0  minimum in ranks/r.3, of calls in ranks/r.0
              19.06        0.19            17.00  mean
                101        1.01               34  maximum in ranks/r.9, of calls in ranks/r.17
              19.90        0.20            10.38  deviation
               4.24        0.04                   deviation by chance
               5.30        5.30             2.00  imbalance

Outliers, more than 3 deviations from the mean of the samples: 1

"""


def check_ranks(tap):
    """Many profiles: their order, both ends of it, outliers, and a terminal."""
    image, work = make_program(), directory("many-ranks")
    samples = {0: 15, 3: 11, 4: 12, 9: 100}
    os.makedirs(os.path.join(work, "ranks"))
    for i in range(18):
        records = [histogram({9: samples.get(i, 14) - i % 3, 17: i % 3, 15: i % 2})]
        records += [("arc", LOW + 4, LOW + 0x20, 2 * i)] if i else []
        write(os.path.join(work, "ranks", "r.%d" % i), Profile(PLAIN, records).bytes())

    def listed(*words):
        return gprof("-b", "--per-file", list(words), image, "ranks", cwd=work)

    def names(*words):
        result = listed(*words)
        rows = result[1].decode().split("\n\n")[1].splitlines()[2:]
        return [re.sub(r".*  (?:ranks/)?(\S+).*", r"\1", row) for row in rows]

    all_names = ["r.%d" % i for i in range(18)]
    tap.ok(names() == all_names, "many profiles: in natural order", repr(names()))
    tap.ok(names("--sort=-profile") == all_names[::-1], "sorted by name, reversed")
    by_calls = names("--sort=calls")
    tap.ok(by_calls[0] == "r.17" and by_calls[-1] == "r.0", "sorted by calls", repr(by_calls))
    tap.ok(names("--sort=-samples,-profile")[:3] == ["r.4", "r.3", "r.16"], "sorted by samples, then by name")
    tap.ok(names("--sort=profile", "--top=2") == ["r.0", "r.1", "...", "r.16", "r.17"], "the ends of another order")
    tap.ok(len(names("--top=0")) == 18 and len(names("--top=9")) == 18, "--top=0 and many: all of them")
    tap.ok(len(names("--top=8")) == 17, "8 at each end")
    text = listed("--top=2")[1].decode()
    tap.ok(text.startswith(RANKS), "--top=2: both ends, outliers", harness.diff(RANKS.encode(), text.encode()))
    varying = text[len(RANKS) :].splitlines()[3:]
    tap.ok(len(varying) == 1 and varying[0].endswith("  left in ranks/r.9, ranks/r.4"), "the function that varies more than by chance", text)
    rows = gprof("--per-file", "--format=csv", "--top=2", "--sort=profile", image, "ranks", cwd=work)[1].decode().splitlines()
    good = len(rows) == 5 and [row.split(",")[-1] for row in rows[1:]] == ["ranks/r.0", "ranks/r.1", "ranks/r.16", "ranks/r.17"]
    tap.ok(good, "both ends as CSV", "\n".join(rows))
    for words, message in (
        (["--sort=self"], b"`self' is not a column; columns are: share% samples"),
        (["--top", "--columns=self"], b"--columns and --per-file cannot be used together"),
        (["--columns=self"], b"option --columns requires --top"),
    ):
        status, out, err = listed(*words)
        tap.ok(status == 1 and not out and message in err, " ".join(words), err.decode())
    status, out, err = gprof("--sort=samples", image, "ranks", cwd=work)
    tap.ok(status == 1 and b"option --sort requires --top or --per-file" in err, "--sort alone", err.decode())


def check_chance(tap):
    """64 profiles of the same work: nothing stands out."""
    image, work, rng = make_program(), directory("equal"), random.Random(64)
    for i in range(64):
        bins = {number: sum(rng.random() < share for _ in range(400)) for number, share in ((9, 0.5), (15, 0.2), (17, 0.02), (25, 0.001))}
        records = [histogram(bins), ("arc", LOW + 4, LOW + 0x20, 10)]
        write(os.path.join(work, "r.%d" % i), Profile(PLAIN, records).bytes())

    def listed(*words):
        return gprof("-b", "--per-file", *words, image, ".", cwd=work)[1].decode()

    text = listed()
    tap.ok("Functions" not in text and "Outliers" not in text and "(" not in text, "64 equal profiles: no functions, no outliers", text)
    tap.ok(re.search(r"^ +1\.00  imbalance of calls$", text, re.M), "the samples are not called imbalanced", text)
    figures = {re.split(" {2,}", line)[-1]: line.split() for line in text.splitlines()}
    seen, chance = float(figures["deviation"][0]), float(figures["deviation by chance"][0])
    tap.ok(0.5 < seen / chance < 1.2, "the deviation is that by chance", "%g, %g" % (seen, chance))
    write(os.path.join(work, "r.7"), Profile(PLAIN, [histogram({9: 200, 15: 80, 17: 60})]).bytes())
    text = listed()
    functions = text.split("chance:\n\n")[-1].splitlines()[1:]
    tap.ok(len(functions) == 1 and functions[0].split()[5:7] == ["right", "in"], "60 samples instead of 8 are found", text)


def check_terminal(tap):
    """On a terminal names are cut, in files they are not."""
    image, work, long = make_program(), directory("long"), "x" * 90
    for name, count in (("a" + long, 300), (long, 500)):
        write(os.path.join(work, name), Profile(PLAIN, [histogram({9: count})]).bytes())
    env = {name: value for name, value in harness.ENV.items() if name != "COLUMNS"}
    command = [harness.GPROF, "-b", "--per-file", image, "a" + long, long]
    for width in (80, 90, 120, 200):
        text = harness.run_on_terminal(command, width, work, env)
        longest = max(len(line) for line in text.splitlines())
        tap.ok(longest <= width and "xxx...xxx" in text, "no line is longer than a terminal of %d columns" % width, text)
    text = harness.run_on_terminal(command, 300, work, env)
    tap.ok(text == gprof(command[1:], cwd=work)[1].decode(), "a wide one shows what a file has", text)


def main():
    tap = harness.Tap()
    check_ranks(tap)
    check_chance(tap)
    check_terminal(tap)
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
    expected = re.sub(r"(  | in |, )([abc])\b(?=,|$)", r"\1runs/\2", BY_FILE, flags=re.M)
    same("--per-file and a directory", ["runs"], expected)
    status, out, _ = gprof("-b", "--per-file", "-p", image, "a", "b", "c", cwd=work)
    flat = gprof("-b", "-p", image, "a", "b", "c", cwd=work)[1]
    tap.ok(status == 0 and out == BY_FILE.encode() + b"\f\n" + flat, "--per-file beside another report")
    status, out, _ = gprof("--per-file", image, "a", "b", "c", cwd=work)
    tap.ok(status == 0 and out.startswith(BY_FILE.encode()) and b"deviation   " in out, "--per-file explains itself")
    out = gprof("-b", "--per-file", "-l", image, "a", "b", "c", cwd=work)[1].decode()
    tap.ok(out == BY_FILE, "--per-file with -l, without debug information")
    out = gprof("-b", "--per-file", "--top=2", image, "a", "b", "c", cwd=work)[1].decode()
    expected = BY_FILE[BY_FILE.index("Functions") : BY_FILE.rindex("      0.47")]
    tap.ok(out.endswith("\n\n" + expected), "as many functions as asked for", out)
    out = gprof("-b", "--per-file", "-pright", image, "a", "b", "c", cwd=work)[1].decode().split("\f")[0]
    tap.ok(out == re.sub(r".* (left|inner) in ., .\n", "", BY_FILE), "--per-file lists what the flat profile is of", out)
    write(os.path.join(work, "calls"), Profile(PLAIN, [("arc", LOW, LOW + 0x20, 1)]).bytes())
    status, out, _ = gprof("-b", "--per-file", image, "calls", cwd=work)
    tap.ok(status == 0 and b"Functions" not in out and b"imbalance" in out, "--per-file without samples", out.decode())
    result = gprof("--per-file", "-s", image, "a", cwd=work)
    tap.ok(result[0] == 1 and not os.path.exists(os.path.join(work, "gmon.sum")), "--per-file and --sum are two runs", said(result))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
