#!/usr/bin/env python3
"""Draws images with source lines, sources and profiles with basic blocks at random, and compares
execution counts and annotated source with the reference's.

Usage: random_counts.py [--draws N] [--seed S] [--only NUMBER]

A difference names its draw: `--seed S --only NUMBER' repeats it.  Its files are kept in
tests/failures
below the build directory.  RANDOM_COUNTS in the environment overrides the number of draws.

Draws avoid the differences from the reference: see drawing.py; also, no symbol has more than ten
blocks (difference
10).
"""

import sys

sys.dont_write_bytecode = True

import os
import random
import shutil

from lib import drawing, draws, elf, harness, reference
from lib.harness import TEMP

DRAWS_PER_IMAGE = 20
MOST_BLOCKS = 10

# ---- Images ----

_FILES = ["a.c", "b.c", "inc/h.h", "inc/a.c", "/elsewhere/c.c", "../up.c", "lex.l", "a.c.c"]


def _function(rng, part, number, files, before):
    """The source of one function: runs of lines, back and forth, or none at all.  It may begin
    inside the last
    row of the function before, whose file and line are BEFORE, and its own first row may repeat
    that line.
    """
    binding = rng.choice(["globl", "globl", "local"])
    kind = "STT_NOTYPE" if rng.random() < 0.1 else "STT_FUNC"
    name = rng.choice(["f%d_%s", "_f%d_%s", "Function%d%s", "_Z4mangl%d%si"]) % (number, part)
    lines = ["        symbol_here %s, %s, %s" % (name, binding, kind)]
    if rng.random() < 0.12:
        lines.append("        symbol_here twin_%s, %s" % (name, rng.choice(["globl", "local"])))
    if not files:
        return lines + ["        .skip %d, 0x90" % rng.choice([2, 5, 16])], None
    file, line = rng.choice(files), rng.randint(1, 40)
    if before and rng.random() < 0.2:
        lines.append("        .skip %d, 0x90" % rng.choice([1, 2, 5, 16]))
        file, line = rng.choice([before, (file, line)])
    for _ in range(rng.choice([1, 1, 2, 3, 6, 10])):
        lines.append("        line_of %d, %d, %d" % (file, max(1, line), rng.choice([2, 3, 8, 17])))
        last = file, max(1, line)
        line += rng.choice([1, 1, 1, 2, 0, -1, -4, 7])
        if rng.random() < 0.12:
            file = rng.choice(files)
    return lines, last


def _part(rng, part, count, has_lines):
    lines = ['        .include "macros.inc"', "        .text", ".Llow:"]
    names = rng.sample(_FILES, rng.randint(1, 4)) if has_lines else []
    lines += ['        .file %d "%s"' % (i + 1, name) for i, name in enumerate(names)]
    numbers = list(range(1, len(names) + 1))
    if part == "one":
        lines += ["        symbol_here main"] + [
            "        line_of %d, 7, 16" % n for n in numbers[:1]
        ]
        lines.append("        .skip 4, 0x90")
    last = None
    for i in range(count):
        more, last = _function(rng, part, i, numbers, last)
        lines += more
    lines.append(".Lhigh:")
    return "\n".join(lines + ["        debug_unit .Llow, .Lhigh"] * has_lines) + "\n"


def make_image(rng, path):
    total = rng.choice([2, 4, 8, 15, 30, 60])
    parts = {"one": _part(rng, "one", total // 2, rng.random() < 0.9)}
    if rng.random() < 0.5:
        parts["bare"] = _part(rng, "bare", rng.randint(1, 6), False)
    parts["two"] = _part(rng, "two", total - total // 2, True)
    drawing.assemble(path, parts)


# ---- Sources ----


def _source_text(rng):
    end = rng.choice(["\n", "\n", "\n", "\r\n"])
    count = rng.choice([0, 1, 12, 30, 45, 60, 100])
    texts = ["", "x", "    if (a < b)", "}", "\t/* \xe4 */", "\f", "nul\0byte", "long " * 400]
    text = "".join(rng.choice(texts) + end for _ in range(count))
    return (text if rng.random() < 0.8 else text + "no end").encode("latin-1")


def make_sources(rng, directory):
    """Makes directories with sources, some of which are missing; returns the names of the
    directories."""
    names = rng.sample(["one", "two", "two/inc", "empty"], rng.randint(0, 3))
    for name in names:
        os.makedirs(os.path.join(directory, name, "inc"), exist_ok=True)
        for file in _FILES:
            if name == "empty" or file.startswith(("/", "..")) or rng.random() < 0.25:
                continue
            with open(os.path.join(directory, name, file), "wb") as source:
                source.write(_source_text(rng))
        for file in ["c.c", "up.c"]:
            if name != "empty" and rng.random() < 0.7:
                with open(os.path.join(directory, name, file), "wb") as source:
                    source.write(_source_text(rng))
    return names


# ---- Profiles ----


def _count(rng):
    return rng.choice(
        [0, 1, 1, 2, 3, rng.randint(1, 20), rng.randint(1, 5000), rng.randint(1, 10**6)]
    )


def functions(image):
    """(start, end) of every function and label except the padding."""
    end = next(address for name, address, _ in elf.symbols(image) if name == b"zz_padding")
    starts = sorted({address for _, address, _ in elf.symbols(image) if address <= end})
    return list(zip(starts, starts[1:]))


def make_places(rng, ranges):
    """Addresses of blocks: in all profiles together, no function has more than the reference
    counts."""
    places = []
    for start, end in ranges:
        if rng.random() < 0.7:
            most = rng.choice([1, 2, 3, MOST_BLOCKS])
            places += {start + rng.choice([0, rng.randrange(end - start)]) for _ in range(most)}
    return places


def _blocks(rng, places):
    """Records of blocks, some of them more than once."""
    if rng.random() < 0.5:
        rng.shuffle(places)
    places = places[: rng.choice([3, 1000])]
    places += [rng.choice(places) for _ in range(rng.randint(0, 10))] if places else []
    lines = ["blocks"]
    for place in places:
        if rng.random() < 0.1:
            lines.append("blocks")
        lines.append("block %#x %d" % (place, _count(rng)))
    return lines


_KINDS = ["histogram arcs blocks", "arcs blocks", "blocks", "histogram arcs"]


def make_profile(rng, ranges, places):
    """The text of a profile, for mkgmon."""
    kind = rng.choice(_KINDS)
    low, high = ranges[0][0], ranges[-1][1]
    lines = []
    if "histogram" in kind:
        lines.append("histogram %#x %#x %d" % (low, high + 8, max(1, (high - low) // 8)))
        lines.append("bin %d = 3" % rng.randrange(max(1, (high - low) // 8)))
    if "arcs" in kind:
        for _ in range(rng.randint(1, 2 * len(ranges))):
            start, end = rng.choice(ranges)
            callee = rng.choice(ranges)[0] + rng.choice([0, 0, 0, 3])
            lines.append("arc %#x %#x %d" % (rng.randrange(start, end), callee, _count(rng)))
    if "blocks" in kind:
        lines += _blocks(rng, places)
    return "\n".join(lines) + "\n"


# ---- Options ----


def _spec(rng, names):
    forms = [
        rng.choice(names),
        "%d" % rng.randint(1, 40),
        "b.c:%d" % rng.randint(1, 40),
        ":" + rng.choice(names),
    ]
    return rng.choice(forms + ["b.c", "h.h", "nowhere", "lex.l:" + rng.choice(names)])


def _some(rng, chances):
    return [word for word, chance in chances.items() if rng.random() < chance]


def draw_options(rng, names, directories):
    words = ["-b"] + _some(
        rng,
        {"-l": 0.5, "-z": 0.4, "-a": 0.1, "-D": 0.1, "-L": 0.1, "-T": 0.1, "--no-demangle": 0.1},
    )
    if rng.random() < 0.5:
        words.append(
            rng.choice(["-C", "-C", "-C" + _spec(rng, names), "-Z" + _spec(rng, names), "-Z"])
        )
    if rng.random() < 0.6:
        words.append(
            rng.choice(["-A", "-A", "-A" + _spec(rng, names), "-J" + _spec(rng, names), "-J"])
        )
    words += _some(rng, {"-x": 0.4, "-y": 0.2, "-p": 0.1, "-q": 0.1, "--inline-file-names": 0.1})
    if rng.random() < 0.3:
        words.append("-t%d" % rng.choice([-1, 0, 1, 3, 1000]))
    if rng.random() < 0.3:
        words.append("-m%d" % rng.choice([0, 1, 3, 100, 2000]))
    if directories and rng.random() < 0.9:
        rng.shuffle(directories)
        words.append("-I" + ":".join(directories))
    return words


# ---- Draws ----


def _with_files(result, files):
    """A result with the written files added to its output."""
    shown = (b"==> %s <==\n" % name.encode() + files[name] for name in sorted(files))
    return result[0], result[1] + b"".join(shown), result[2]


def _ours(arguments, material):
    """Our result; -y writes files to the directory where the program runs."""
    before = set(os.listdir(material))
    result = harness.run([harness.GPROF] + arguments, material)
    files = {
        name: harness.read(os.path.join(material, name))
        for name in set(os.listdir(material)) - before
    }
    for name in files:
        os.unlink(os.path.join(material, name))
    return _with_files(result, files)


def _could_not_locate(err):
    return sorted(line.split(b"`")[-1] for line in err.splitlines() if b"could not locate" in line)


class Material:
    """A drawn image with sources, in a directory where programs are run."""

    def __init__(self, seed, number):
        rng = draws.generator("counts", seed, number)
        self.directory = os.path.join(TEMP, "image-%d" % number)
        os.makedirs(self.directory)
        image = os.path.join(self.directory, "image")
        make_image(rng, image)
        self.directories = make_sources(rng, self.directory)
        self.names = [name.decode() for name, _, _ in elf.symbols(image)]
        self.ranges = functions(image)
        self.places = make_places(rng, self.ranges)

    def draw(self, rng):
        """Writes profiles; returns the arguments of a run."""
        profiles = ["gmon.%d" % n for n in range(rng.choice([1, 1, 2]))]
        options = draw_options(rng, self.names, list(self.directories))
        # The blocks of functions that are left out belong to other functions.
        few = {"-a", "-D"} & set(options)
        for name in profiles:
            here = self.places[:MOST_BLOCKS] if few else list(self.places)
            text = make_profile(rng, self.ranges, here)
            drawing.write_profile(os.path.join(self.directory, name), text)
        return options + ["image"] + profiles


def compare(arguments, directory):
    before = harness.state_of(directory)
    ours = _ours(arguments, directory)
    theirs = _with_files(*reference.run_with_files(arguments, directory))
    what = harness.disagreement(ours, theirs)
    if not what and _could_not_locate(ours[2]) != _could_not_locate(theirs[2]):
        what = "other files missing:\n" + (ours[2] + theirs[2]).decode("utf-8", "replace")
    if harness.state_of(directory) != before:
        what += "files have changed"
    return what


def check_image(seed, numbers, _):
    """The results of draws of one image."""
    material = Material(seed, numbers[0] // DRAWS_PER_IMAGE)
    results = []
    for number in numbers:
        arguments = material.draw(random.Random("counts:%s:draw:%d" % (seed, number)))
        what = compare(arguments, material.directory)
        if what:
            target = os.path.join(draws.keep("counts", seed, number, []), "material")
            shutil.copytree(material.directory, target, dirs_exist_ok=True)
            what = "gprof %s, in %s\n%s" % (" ".join(arguments), target, what)
        results.append(draws.Result(what))
    shutil.rmtree(material.directory)
    return results


def main():
    test = draws.Test(
        "RANDOM_COUNTS",
        harness.sized(300, 600),
        check_image,
        lambda n: "counts and sources",
        per_task=DRAWS_PER_IMAGE,
    )
    return draws.main(test)


if __name__ == "__main__":
    sys.exit(main())
