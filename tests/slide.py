#!/usr/bin/env python3
"""Profiles whose addresses are all shifted by one number, as loaders do that move programs.

The profiles of real programs, shifted by drawn numbers, must give the reports of the profiles as
they were recorded;
with a foreign executable no number may be found.

Usage: slide.py [SEED]
"""

import sys

sys.dont_write_bytecode = True

import functools
import glob
import os
import random
import re

from lib import elf, gmonfile, harness, programs
from lib.gmonfile import Histogram, Profile, layout_of
from lib.harness import TEMP, read, write

SHIFTS = -(-harness.sized(1, 20) // harness.SAMPLE)  # of each program
PAIRS = -(-harness.sized(100, 10000) // harness.SAMPLE)
PAGE = 4096


def shifted(profile, number):
    """A profile whose addresses are higher, except those that stand for no caller."""
    records = []
    for record in profile.records:
        if isinstance(record, Histogram):
            records.append(
                Histogram(
                    record.low + number,
                    record.high + number,
                    record.count,
                    record.bins,
                    record.rate,
                )
            )
        elif record[0] == "arc":
            records.append(("arc", record[1] and record[1] + number, record[2] + number, record[3]))
        else:
            records.append(("blocks", [(address + number, count) for address, count in record[1]]))
    return Profile(profile.layout, records)


def callees(profile):
    return {
        record[2]
        for record in profile.records
        if not isinstance(record, Histogram) and record[0] == "arc"
    }


def low_of(profile):
    return min(record.low for record in profile.records if isinstance(record, Histogram))


def draw_multiple(rng, profile, unit, most):
    """UNIT times at most MOST, and so little that all addresses fit into their words."""
    highest = max(record.high for record in profile.records if isinstance(record, Histogram))
    return rng.randrange(1, min(most, ((1 << profile.layout.bits) - highest) // unit)) * unit


def draw_shift(rng, profile):
    """Most loaders move programs by whole pages, few by less; addresses stay positive."""
    unit = rng.choice([16, 16, PAGE, PAGE, PAGE])
    number = draw_multiple(rng, profile, unit, rng.choice([1 << 10, 1 << 30]))
    return -number if rng.random() < 0.3 and number < low_of(profile) else number


def gprof(*words):
    return harness.run([harness.GPROF, "-b", "--quiet"] + list(words))


def spelled(number):
    return "%s0x%x" % ("-" if number < 0 else "", abs(number))


class Subject:
    def __init__(self, program, directory):
        self.name = program.name
        self.image, self.path = os.path.join(directory, "image"), os.path.join(
            directory, "gmon.out"
        )
        self.profile = gmonfile.read_magic(layout_of(self.image), read(self.path))
        self.can_be_found = len(callees(self.profile)) >= 3 and "stripped" not in program.name

    def shifted(self, number):
        return write(
            os.path.join(TEMP, "%s%+d" % (self.name, number)), shifted(self.profile, number).bytes()
        )


def found_in(err):
    match = re.search(rb"all addresses are (-?0x[0-9a-f]+) higher", err)
    return int(match.group(1), 16) if match else None


def check_found(tap, subject, rng):
    """That reports are those of the profile as it was recorded, and what options change."""
    recorded = [
        (words, gprof(*words, subject.image, subject.path))
        for words in (["-p", "-q"], ["-c", "-q"])
    ]
    for _ in range(SHIFTS):
        number = draw_shift(rng, subject.profile)
        path = subject.shifted(number)
        what = "%s, shifted by %s" % (subject.name, spelled(number))
        for words, plain in recorded:
            found = gprof(*words, subject.image, path)
            same = found[0] == plain[0] and found[1] == plain[1] and found_in(found[2]) == number
            tap.ok(
                same,
                "%s: found, %s" % (what, words[0]),
                harness.disagreement(found, plain) + harness.said(found),
            )
            given = gprof(*words, "--slide=" + spelled(number), subject.image, path)
            tap.ok(
                given == plain,
                "%s: given, %s" % (what, words[0]),
                harness.disagreement(given, plain) + harness.said(given),
            )
        off = gprof("-p", "-q", "--slide=0", subject.image, path)
        tap.ok(
            found_in(off[2]) is None and off[1] != recorded[0][1][1],
            what + ": --slide=0 does not search",
            off,
        )
        os.unlink(path)


def check_sums(tap, subject):
    """Sums keep the addresses; reports of them do not."""
    path, total = subject.shifted(16 * PAGE), os.path.join(TEMP, "total")
    plain = gprof("-p", "-q", subject.image, subject.path)
    done = gprof("-s", "-o", total, subject.image, path)
    figures = gmonfile.figures(gmonfile.read_magic(subject.profile.layout, read(total)))
    wanted = gmonfile.figures(gmonfile.read_magic(subject.profile.layout, read(path)))
    tap.ok(
        done[0] == 0 and figures == wanted,
        subject.name + ": a sum has the addresses that were recorded",
        done,
    )
    report = gprof("-p", "-q", subject.image, total)
    tap.ok(report[1] == plain[1], "reports of the sum do not", harness.disagreement(report, plain))
    for words in ([], ["--slide=%d" % (16 * PAGE)]):
        both = gprof("-s", "-o", total, "-p", "-l", *words, subject.image, path)
        alone = gprof("-p", "-l", subject.image, subject.path)
        tap.ok(
            both[1] == alone[1],
            "nor do reports beside it %s" % words,
            harness.disagreement(both, alone),
        )


def check_options(tap, subject):
    """A histogram without calls, with a sample in each bin: the program may have run too briefly
    for any; JSON and comparisons."""
    number = 7 * PAGE
    recorded = [record for record in subject.profile.records if isinstance(record, Histogram)]
    samples = [
        Histogram(*record.range(), {i: 1 for i in range(record.count)}, record.rate)
        for record in recorded
    ]
    paths = [
        write(
            os.path.join(TEMP, "samples%d" % i),
            shifted(Profile(subject.profile.layout, samples), by).bytes(),
        )
        for i, by in ((0, 0), (1, number))
    ]
    plain, found, given = (
        gprof("-p", subject.image, paths[0]),
        gprof("-p", subject.image, paths[1]),
        gprof("-p", "--slide=%d" % number, subject.image, paths[1]),
    )
    tap.ok(
        found_in(found[2]) is None and found[1] != plain[1], "samples alone tell no number", found
    )
    tap.ok(given == plain, "--slide moves them", harness.disagreement(given, plain))
    path, base = subject.shifted(number), os.path.join(TEMP, "base.json")
    json = gprof("--format=json", "--slide=%#x" % number, "-o", base, subject.image, path)
    tap.ok(json[0] == 0 and b'"--slide=0x7000"' in read(base), "JSON names the option", json)
    other = gprof("--base=" + base, subject.image, path)
    tap.ok(
        other[0] == 1 and b"--slide=0x7000" in other[2],
        "a base with another number is refused",
        other,
    )
    same = gprof("--base=" + base, "--slide=28672", subject.image, path)
    tap.ok(same[0] == 0, "one with the same number is not", same)
    for word in ("0x", "x", "", "-", "1k", "0x10000000000000000"):
        bad = gprof("--slide=" + word, subject.image, path)
        tap.ok(
            bad[0] == 1 and b"is not a decimal or hexadecimal number" in bad[2],
            "--slide=%s is refused" % word,
            bad,
        )


def foreign_images():
    """Executables with symbols that did not write the profiles: those of the build, and of other
    programs."""
    places = ["tests/unit/test_*", "tests/fuzz/fuzz_*", "src/gprof", "tests/cache/programs/*/image"]
    found = [path for place in places for path in glob.glob(os.path.join(harness.BUILDDIR, place))]
    return sorted(
        path for path in found if os.access(path, os.X_OK) and read(path)[:4] == b"\x7fELF"
    )


@functools.lru_cache(None)
def functions_of(image):
    _, low, size = elf.text(read(image))
    return tuple(
        (name, address) for name, address, _ in elf.symbols(image) if low <= address < low + size
    )


def foreign_pair(task):
    """The complaint about a profile and an image of another program.  An image in which the code
    that was called is
    at the same addresses is not foreign: the profile fits as it was recorded."""
    path, recorded, image = task
    result = gprof("-p", image, path)
    number = found_in(result[2])
    if number is not None and path != recorded and not gprof("-p", image, recorded)[2]:
        return ""
    return (
        ""
        if number is None
        else "%s with %s: %s" % (os.path.basename(path), image, spelled(number))
    )


def check_foreign(tap, subjects, rng):
    """That no number is found; other builds of a program are foreign, too, if functions are at
    other addresses."""
    images = foreign_images()
    paths = []
    for subject in subjects:
        paths += [(subject, subject.path)] + [
            (subject, subject.shifted(draw_multiple(rng, subject.profile, PAGE, 1 << 20)))
            for _ in range(2)
        ]
    tasks = []
    while len(tasks) < PAIRS:
        (subject, path), image = rng.choice(paths), rng.choice(images)
        if functions_of(subject.image) != functions_of(image):
            tasks.append((path, subject.path, image))
    complaints = [what for what in harness.parallel(foreign_pair, tasks) if what]
    tap.ok(
        not complaints, "%d foreign executables, of %d" % (len(tasks), len(images)), complaints[:10]
    )


def main():
    rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    tap = harness.Tap()
    subjects = []
    for program in programs.PROGRAMS:
        directory, why = programs.build(program)
        if directory and read(os.path.join(directory, "gmon.out"))[:4] == b"gmon":
            subjects.append(Subject(program, directory))
        else:
            tap.skip(program.name, why or "no profile")
    for subject in subjects:
        if subject.can_be_found:
            check_found(tap, subject, rng)
    chosen = next((s for s in subjects if s.name == "mix-O2"), None)
    if chosen:
        check_sums(tap, chosen)
        check_options(tap, chosen)
    check_foreign(tap, subjects, rng)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
