#!/usr/bin/env python3
"""Draws images and profiles at random and compares flat profile and call graph with the reference's.

Usage: random_graphs.py [--draws N] [--seed S] [--only NUMBER]

A difference names its draw: `--seed S --only NUMBER' repeats it.  Its files are kept in tests/failures
below the build directory.  RANDOM_GRAPHS in the environment overrides the number of draws.
"""

import sys

sys.dont_write_bytecode = True

import os
import shutil

from lib import drawing, draws, harness, reference
from lib.harness import TEMP

OPTIONS = ["-bz", "-bT", "-b -T -z", "-b -a", "-b -D -z", "-b -a -D", "-b --inline-file-names", "-b -q -w 50 -L"]
KINDS = list(drawing.KINDS)


def keep(seed, number, image, files):
    target = draws.keep("graphs", seed, number, files)
    shutil.copy(image, os.path.join(target, "image"))
    return target


def check_draw(seed, number, _):
    rng = draws.generator("graph", seed, number)
    image = os.path.join(TEMP, "image-%d" % rng.randrange(drawing.IMAGES))
    text = drawing.make_profile(rng, drawing.Layout(image), KINDS[number % len(KINDS)])
    base = os.path.join(TEMP, "draw-%d" % number)
    files = [harness.write(base + ".gm", text.encode("ascii")), base + ".gmon"]
    harness.must_run([harness.mkgmon(), "-o", files[1], files[0]])
    complaint, note = "", ""
    for options in ["-b", rng.choice(OPTIONS)]:
        arguments = options.split() + [image, files[1]]
        theirs = reference.run(arguments)
        what = harness.disagreement(harness.run([harness.GPROF] + arguments), theirs)
        note = note or harness.reference_fails(theirs) or ""
        if what and harness.keeps_cycle_time(arguments):
            note, what = "25: the reference loses the time of a cycle", ""
        if what:
            complaint += "gprof %s, files in %s\n%s\n" % (options, keep(seed, number, image, files), what)
    for path in files:
        os.unlink(path)
    return draws.Result(complaint, note)


def make_images(seed):
    for number in range(drawing.IMAGES):
        drawing.make_image(seed, number, TEMP)


def main():
    return draws.main(draws.Test("RANDOM_GRAPHS", harness.sized(700, 2000), draws.each(check_draw), lambda n: KINDS[n % len(KINDS)], make_images))


if __name__ == "__main__":
    sys.exit(main())
