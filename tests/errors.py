#!/usr/bin/env python3
"""The errors of times: of draws of one program, whose samples are Poisson variables, 68 % have the
true time within
one error of the time that is printed, and 95 % within two.  Of own and of inclusive times, with
stacks and without, of
profiles with several rates, and of ticks that count several times.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import json
import math
import os
import random
import re

from lib import elf, gmonfile, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write
from lib.stack_model import own_and_total
from per_file import poisson

START, SIZE = 0x1000, 0x40
NAMES = ["main", "first", "second", "third"]
LIBRARY = len(NAMES)
# Seconds in which these functions are on the stack, outermost first.
TRUTH = {(0,): 0.3, (0, 1): 0.8, (0, 1, 2): 0.6, (0, 2): 0.2, (0, 3, LIBRARY): 0.5, (0, 3): 0.25}
SELF, TOTAL = (
    {name: times[f] for f, name in enumerate(NAMES)} for times in own_and_total(TRUTH.items())
)
DRAWS = harness.sized(50, 2000)


def path(name):
    return os.path.join(TEMP, name)


def make_image():
    text = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in NAMES]
    write(path("image"), elf.parse("\n".join(text) + "\n").bytes())


def record(rng, name, rate, times, has_stacks):
    """Draws a run, and writes what is recorded of it.  Each tick counts so many TIMES."""
    stacks = {frames: poisson(rng, time * rate / times) for frames, time in TRUTH.items()}
    bins = {}
    for frames, ticks in stacks.items():
        for _ in range(ticks if frames[-1] != LIBRARY else 0):
            place = frames[-1] * SIZE // 2 + rng.randrange(SIZE // 2)
            bins[place] = bins.get(place, 0) + times
    histogram = Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 2, bins, rate)
    calls = [("arc", START + 8, START + SIZE * f, 5) for f in range(1, len(NAMES))]
    write(path(name), Profile(Layout(64, "little"), [histogram] + calls).bytes())
    if not has_stacks:
        return
    place = lambda f: "1:10" if f == LIBRARY else START + SIZE * f + 8
    lines = [([place(f) for f in frames], times * n) for frames, n in stacks.items() if n]
    write(path(name + ".stacks"), gmonfile.stacks(lines, rate, histogram, objects=["libc.so.6"]))


def distances(out, runs):
    """How far the true times are from those printed, in errors: own ones, and inclusive ones."""
    found = ([], [])
    for row in csv.DictReader(io.StringIO(out, newline="")):
        for i, (time, error, truth) in enumerate(
            (("self", "error", SELF), ("total", "total-error", TOTAL))
        ):
            if row["name"] in truth and row.get(error):
                found[i].append(
                    abs(float(row[time]) - runs * truth[row["name"]]) / float(row[error])
                )
    return found


def check_coverage(tap, what, rates, times, has_stacks):
    rng = random.Random(what)
    own, inclusive = [], []
    names = ["%s%d" % (re.sub(r"\W", "", what), i) for i in range(len(rates))]
    columns = "name,self,error" + (",total,total-error" if has_stacks else "")
    for _ in range(DRAWS):
        for name, rate in zip(names, rates):
            record(rng, name, rate, times, has_stacks)
        status, out, err = harness.run(
            [
                harness.GPROF,
                "--quiet",
                "--top",
                "--format=csv",
                "--columns=" + columns,
                "image",
                *names,
            ],
            TEMP,
        )
        assert status == 0, err
        for list, more in zip((own, inclusive), distances(out.decode(), len(rates))):
            list += more
    for kind, found in (("own", own), ("inclusive", inclusive)):
        if not found:
            continue
        # Inclusive times of a draw depend on each other: as if each draw were one.
        draws = len(found) if kind == "own" else DRAWS
        for errors, share in ((1, 0.683), (2, 0.954)):
            inside, spread = sum(d <= errors for d in found) / len(found), math.sqrt(
                share * (1 - share) / draws
            )
            tap.ok(
                abs(inside - share) < 3 * spread + 0.01,
                "%s: %s times within %d error" % (what, kind, errors),
                "%.3f of %d" % (inside, len(found)),
            )
    tap.ok(own and (inclusive or not has_stacks), what + ": there are errors")


def check_formats(tap):
    """JSON and the page have the errors of the table."""
    rng = random.Random("formats")
    for name, rate in (("fast", 1000), ("slow", 250)):
        record(rng, name, rate, 1, True)
    words = ["--quiet", "image", "fast", "slow"]
    rows = list(
        csv.DictReader(
            io.StringIO(
                harness.run(
                    [harness.GPROF, "--top", "--format=csv", "--columns=name,error,total-error"]
                    + words,
                    TEMP,
                )[1].decode(),
                newline="",
            )
        )
    )
    table = {row["name"]: float(row["error"]) for row in rows}
    harness.run([harness.GPROF, "--format=html", "-o", "page.html"] + words, TEMP)
    text = harness.read(path("page.html")).decode()
    found = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.S)
    functions = json.loads(found[1])["functions"] if found else {"name": [], "error": []}
    page = dict(zip(functions["name"], functions["error"]))
    tap.ok(
        all(abs(page.get(name, 0) / error - 1) < 1e-3 for name, error in table.items()),
        "the page has the errors of the table",
        "%s\n%s" % (table, page),
    )


def main():
    if harness.is_reference():
        harness.skip_all("the reference states no errors")
    tap = harness.Tap()
    make_image()
    check_coverage(tap, "a profile", [1000], 1, False)
    check_coverage(tap, "with stacks", [1000], 1, True)
    check_coverage(tap, "two rates", [1000, 250], 1, False)
    check_coverage(tap, "two rates, with stacks", [250, 1000], 1, True)
    check_coverage(tap, "each tick counts four times", [1000], 4, False)
    check_formats(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
