#!/usr/bin/env python3
"""Draws images and profiles at random and compares flat profile and call graph with the reference's.

Usage: random_graphs.py [--draws N] [--seed S] [--only NUMBER]

A difference names its draw: `--seed S --only NUMBER' repeats it.  Its files are kept in tests/failures
below the build directory.  RANDOM_GRAPHS in the environment overrides the number of draws.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import random
import shutil

from lib import drawing, harness, reference
from lib.harness import TEMP

FAILURES = os.path.join(harness.BUILDDIR, "tests", "failures")
OPTIONS = ["-bz", "-bT", "-b -T -z", "-b -a", "-b -D -z", "-b -a -D", "-b --inline-file-names", "-b -q -w 50 -L"]
SHOWN = 3


def keep(seed, number, image, files):
    target = os.path.join(FAILURES, "graphs-%s-%d" % (seed, number))
    os.makedirs(target, exist_ok=True)
    shutil.copy(image, os.path.join(target, "image"))
    for path in files:
        shutil.copy(path, target)
    return target


def check_draw(task):
    """(number of runs in which the reference fails, what differs in one draw or nothing)."""
    seed, number = task
    rng = random.Random("graph:%s:%d" % (seed, number))
    image = os.path.join(TEMP, "image-%d" % rng.randrange(drawing.IMAGES))
    kind = list(drawing.KINDS)[number % len(drawing.KINDS)]
    text = drawing.make_profile(rng, drawing.Layout(image), kind)
    base = os.path.join(TEMP, "draw-%d" % number)
    with open(base + ".gm", "w", encoding="ascii") as file:
        file.write(text)
    harness.must_run([harness.mkgmon(), "-o", base + ".gmon", base + ".gm"])
    complaint, failures = "", 0
    for options in ["-b", rng.choice(OPTIONS)]:
        arguments = options.split() + [image, base + ".gmon"]
        ours = harness.run([harness.GPROF] + arguments)
        theirs = reference.ask(arguments)
        what = harness.disagreement(ours, theirs)
        failures += harness.reference_fails(theirs) is not None
        if what:
            where = keep(seed, number, image, [base + ".gm", base + ".gmon"])
            complaint += "--seed %s --only %d: gprof %s, files in %s\n%s\n" % (seed, number, options, where, what)
    for suffix in (".gm", ".gmon"):
        os.unlink(base + suffix)
    return failures, complaint


def report(tap, name, complaints):
    wrong = [c for c in complaints if c]
    more = "... and %d more of %d" % (len(wrong) - SHOWN, len(complaints)) if len(wrong) > SHOWN else ""
    tap.ok(not wrong, "%s: %d profiles" % (name, len(complaints)), "\n".join(wrong[:SHOWN] + [more]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=int(os.environ.get("RANDOM_GRAPHS") or 2000))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    if not harness.has_reference():
        harness.skip_all("no " + harness.REFERENCE)
    for number in range(drawing.IMAGES):
        if not drawing.make_image(arguments.seed, number, TEMP):
            harness.skip_all("no assembler")
    harness.mkgmon()
    numbers = range(arguments.draws) if arguments.only is None else [arguments.only]
    results = list(harness.parallel(check_draw, [(arguments.seed, number) for number in numbers]))
    tap = harness.Tap()
    kinds = list(drawing.KINDS)
    for index, kind in enumerate(kinds):
        complaints = [c for n, (_, c) in zip(numbers, results) if n % len(kinds) == index]
        if complaints:
            report(tap, kind, complaints)
    tap.say("%d runs in which the reference does not work" % sum(failures for failures, _ in results))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
