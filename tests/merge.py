#!/usr/bin/env python3
"""Merging loses nothing: the reports of a sum are equal to those of its profiles, for all sizes,
formats, groups
and ways to name profiles.  (merge_faults.py tests failures.)

Usage: merge.py [--draws N] [--seed S] [--only NUMBER]

A draw is an image and three profiles; RANDOM_MERGES in the environment overrides the number of
draws.
`--seed S --only NUMBER' repeats one.
"""

import sys

sys.dont_write_bytecode = True

import bz2
import gzip
import lzma
import os
import pty
import random
import re
import shutil
import subprocess
import time

from lib import drawing, draws, elf, gmonfile, harness, reference, zstd
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, said, write

STYLES = [
    "-b",
    "",
    "-bT",
    "-bz",
    "-b -l",
    "-b -p",
    "-b -q",
    "-b -C",
    "-b -C -l -z",
    "-b -A -l",
    "-b -r",
    "-b -a",
    "-b -p -q -z -D",
    "-b --inline-file-names",
    "-b -w 50 -L",
    "-b -q -f main",
    "-b -k main/left",
]
FORMAT_OPTIONS = {"magic": "magic", "bsd": "bsd", "bsd44": "4.4bsd"}


def gprof(*words, **keys):
    """Runs the program with WORDS, some of which may be lists or option strings with blanks."""
    command = [harness.GPROF]
    for word in words:
        command += word if isinstance(word, list) else [word]
    return harness.run(command, **keys)


def directory(name):
    path = os.path.join(TEMP, name)
    os.makedirs(path, exist_ok=True)
    return path


# ---- Draws ----

LAYOUTS = {  # with an ELF machine; 0: none
    "little64": (Layout(64, "little"), 62),
    "big64": (Layout(64, "big"), 0),
    "little32": (Layout(32, "little"), 3),
    "big32": (Layout(32, "big"), 0),
}


def make_elf(rng, layout, machine, path):
    text = "bits %d\norder %s\nmachine %d\ntext 0x10000\nfunction main 0x20\nfunction left 0x30\n"
    text %= layout.bits, layout.order, machine
    for i in range(rng.randint(2, 30)):
        kind = rng.choice(["function"] * 3 + ["local", "label", "staticlabel"])
        text += "%s f%d %d\n" % (kind, i, rng.choice([2, 4, 6, 7, 16, 33, 120]))
    text += "function zz_padding 0x100\nfunction zz_last 0x100\n"
    return write(path, elf.parse(text).bytes())


class Drawer:
    """Compatible profiles of one image."""

    def __init__(self, rng, layout, image):
        self.rng, self.layout, self.image = rng, layout, image
        shape = drawing.Layout(image)
        self.functions, self.end = shape.functions, shape.end
        self.ranges = self.make_ranges()
        self.rate = rng.choice([100, 100, 1000])
        self.dimension = rng.choice(["seconds"] * 3 + ["ticks"])
        pool = rng.randint(1, 60)
        self.arcs = [(self.address(), self.address()) for _ in range(pool)]
        self.blocks = [self.address() for _ in range(rng.randint(1, 20))]

    def address(self):
        rng = self.rng
        if rng.random() < 0.05:
            return rng.choice([0, 1, self.functions[0] - 1])
        if rng.random() < 0.5:
            return rng.choice(self.functions)
        return rng.randint(self.functions[0], self.functions[-1] + 8)

    def make_ranges(self):
        rng, low = self.rng, self.functions[0] - self.rng.choice([0, 0, 2])
        if rng.random() < 0.5:
            size = self.end + 16 - low + rng.choice([0, 1, 6])
            return [(low, low + size, max(1, size // rng.choice([2, 2, 3, 4, 7, 64])))]
        per_bin, ranges, at = rng.choice([2, 4, 8]), [], low
        while at + per_bin < self.end and len(ranges) < 4:
            count = rng.randint(1, max(1, (self.end - at) // per_bin))
            ranges.append((at, at + count * per_bin, count))
            at += (count + rng.choice([0, 0, 3])) * per_bin
        return ranges

    def histogram(self, range_):
        rng, count = self.rng, range_[2]
        numbers = rng.sample(range(count), min(count, rng.choice([0, 1, 5, 40])))
        values = rng.choice([[1, 2, 3, 9], [1, 100, 65535], [65535, 65534, 32768]])
        bins = {i: rng.choice(values) for i in numbers}
        return Histogram(*range_, bins, self.rate, self.dimension, self.dimension[0])

    def arc(self):
        rng = self.rng
        largest = rng.choice([0, 1, 20, 10**6, 2**32 - 1])
        return ("arc",) + rng.choice(self.arcs) + (rng.choice([largest, rng.randint(0, largest)]),)

    def profile(self):
        """A profile and its bytes in some format."""
        rng = self.rng
        if (
            len(self.ranges) == 1
            and self.rate == 100
            and self.dimension == "seconds"
            and rng.random() < 0.2
        ):
            records = [self.histogram(self.ranges[0])] + [
                self.arc() for _ in range(rng.randint(0, 40))
            ]
            profile = Profile(self.layout, records)
            return profile, profile.bytes(rng.choice(["bsd", "bsd44"]))
        chosen = rng.sample(self.ranges, rng.randint(0, len(self.ranges)))
        records = [
            self.histogram(r)
            for r in chosen + rng.sample(chosen, min(len(chosen), rng.choice([0, 0, 1])))
        ]
        records += [self.arc() for _ in range(rng.choice([0, 3, 30, 100]))]
        if rng.random() < 0.4:
            blocks = [
                (rng.choice(self.blocks), rng.choice([0, 1, 7, 2**32 - 1]))
                for _ in range(rng.randint(0, 20))
            ]
            records.append(("blocks", blocks))
        if rng.random() < 0.3:
            rng.shuffle(records)
        profile = Profile(self.layout, records)
        return profile, profile.bytes(
            version=rng.choice([1, 1, 0]) if self.layout.bits == 64 else 1
        )


def compare_reports(rng, program, image, files, sum_path, styles):
    run = (
        reference.run
        if program == harness.REFERENCE
        else lambda words: harness.run([program] + words)
    )
    for style in styles:
        words = style.split() + [image]
        ours, theirs = (run(words + profiles) for profiles in (files, [sum_path]))
        if program == harness.REFERENCE and (
            harness.reference_fails(ours) or harness.reference_fails(theirs)
        ):
            continue
        if ours[:2] != theirs[:2]:
            what = "%s %s: the sum's report is another\n" % (os.path.basename(program), style)
            yield what + said(ours) + said(theirs) + harness.diff(ours[1], theirs[1])


def merge(image, files, target, *options):
    result = gprof("-s", "-o", target, list(options), image, files)
    if result[0] != 0:
        raise RuntimeError("gprof -s: " + said(result))
    return target


def regroup(image, files, base):
    """Failures with other groups of the same profiles."""
    a, b, c = files
    whole = read(base + "-abc")
    merge(image, [merge(image, [a, b], base + "-ab"), c], base + "-ab-c")
    merge(image, [a, merge(image, [b, c], base + "-bc")], base + "-a-bc")
    for name in ("-ab-c", "-a-bc"):
        if read(base + name) != whole:
            yield "the sum of %s is another\n" % name


def check_draw(seed, number, _):
    rng = draws.generator("merge", seed, number)
    base = os.path.join(directory("draws"), str(number))
    kind = rng.choice(["drawn", "drawn"] + list(LAYOUTS))
    layout, machine = LAYOUTS["little64" if kind == "drawn" else kind]
    image = os.path.join(TEMP, "image-%d" % rng.randrange(4))
    if kind != "drawn" or not os.path.exists(image):
        image = make_elf(rng, layout, machine, base + "-image")
    drawer = Drawer(rng, layout, image)
    drawn = [drawer.profile() for _ in range(3)]
    files = [write(base + "-" + name, data) for name, (_, data) in zip("abc", drawn)]
    complaints = []
    try:
        merge(image, files, base + "-abc")
        complaints += compare_reports(
            rng, harness.GPROF, image, files, base + "-abc", rng.sample(STYLES, 4)
        )
        complaints += regroup(image, files, base)
        turned = files[1:] + files[:1]
        merge(image, turned, base + "-bca")
        complaints += compare_reports(rng, harness.GPROF, image, turned, base + "-bca", ["-b"])
        one, other = (
            gmonfile.figures(gmonfile.read(layout, read(base + s))) for s in ("-abc", "-bca")
        )
        if one != gmonfile.figures(*(profile for profile, _ in drawn)):
            complaints.append("the sum has other figures, or in another order\n")
        if not one.has_same_sums(other):
            complaints.append("b, c, a add up to something else than a, b, c\n")
        if harness.has_reference() and layout.order == "little":
            complaints += compare_reports(
                rng, harness.REFERENCE, image, files, base + "-abc", ["-b"]
            )
    except RuntimeError as error:
        complaints.append(str(error))
    if not complaints and not os.environ.get("KEEP"):
        for name in os.listdir(os.path.dirname(base)):
            if name.startswith("%d-" % number):
                os.unlink(os.path.join(os.path.dirname(base), name))
    return draws.Result("\n".join(complaints))


def make_images(_):
    for number in range(4):
        drawing.make_image("merge", number, TEMP)


LAW = draws.Test(
    "RANDOM_MERGES",
    harness.sized(25, 150),
    draws.each(check_draw),
    lambda n: "the reports of a sum are those of its parts, and groups do not matter",
    make_images,
)


# ---- A program for the other tests ----

PLAIN = Layout(64, "little")
LOW, BINS = 0x10000, 64


def make_program(layout=PLAIN, machine=62):
    text = "bits %d\norder %s\nmachine %d\ntext 0x10000\n" % (layout.bits, layout.order, machine)
    text += "".join(
        "function %s 0x20\n" % name
        for name in ("main", "left", "right", "inner", "zz_padding", "zz_last")
    )
    path = os.path.join(TEMP, "program-%d-%s" % (layout.bits, layout.order))
    write(path, elf.parse(text).bytes())
    os.utime(path, (0, 0))  # older than the profiles: gprof would note that it is newer
    return path


def histogram(bins, **keys):
    return Histogram(LOW, LOW + 4 * BINS, BINS, bins, **keys)


def small(number, layout=PLAIN):
    """The profile of rank NUMBER."""
    arcs = [
        ("arc", LOW + 4, LOW + 0x20, 1 + number % 3),
        ("arc", LOW + 0x20 + number % 8, LOW + 0x40, number),
    ]
    return Profile(layout, [histogram({number % 32: 1, 8: number % 100})] + arcs)


# ---- Sums that exceed a field ----


def bins_that_add_up_to(total):
    """Samples of one bin, in parts that fit."""
    pieces = [65535] * (total // 65535)
    return pieces + [total - sum(pieces)] if total > sum(pieces) or not pieces else pieces


def counts_that_add_up_to(total):
    pieces = [2**32 - 1] * (total // (2**32 - 1))
    return pieces + [total - sum(pieces)] if total > sum(pieces) or not pieces else pieces


def check_size(layout, machine, format, samples, calls):
    """What is wrong with the sum of profiles in FORMAT that add up to SAMPLES samples and CALLS
    calls."""
    image = make_program(layout, machine)
    base = os.path.join(directory("sizes"), "%d-%s-%s" % (layout.bits, layout.order, format))
    option = "-O" + FORMAT_OPTIONS[format]
    bins, counts = bins_that_add_up_to(samples), counts_that_add_up_to(calls)
    files, profiles = [], []
    for i in range(max(len(bins), len(counts))):
        records = [histogram({5: bins[i] if i < len(bins) else 0, 20: 3})]
        if i < len(counts):
            records += [("arc", LOW + 4, LOW + 0x20, counts[i])]
        records += [("arc", LOW + 4, LOW + 0x40, 1)]
        profiles.append(Profile(layout, records))
        files.append(write("%s-%d" % (base, i), profiles[-1].bytes(format)))
    target = base + "-sum"
    result = gprof("-s", option, "-o", target, image, files)
    if format != "magic" and samples > 65535:
        if result[0] != 1 or os.path.exists(target) or b"-O magic" not in result[2]:
            return "samples that do not fit are not refused\n" + said(result)
        return ""
    if result[0] != 0:
        return said(result)
    got = gmonfile.figures(gmonfile.read(layout, read(target), format))
    os.rename(target, base + "-once")
    wrong = (
        ""
        if got == gmonfile.figures(*profiles)
        else "other figures: %r %r\n" % (got.bins, got.arcs)
    )
    target = base + "-once"
    rng = random.Random(0)
    wrong += "".join(compare_reports(rng, harness.GPROF, image, files, target, ["-b " + option]))
    if harness.has_reference() and layout.order == "little":
        wrong += "".join(
            compare_reports(rng, harness.REFERENCE, image, files, target, ["-b " + option])
        )
    if gprof("-s", option, "-o", base + "-again", image, target)[0] != 0 or read(
        base + "-again"
    ) != read(target):
        wrong += "the sum of the sum alone is another\n"
    return wrong


def check_sizes(tap):
    for layout, machine in LAYOUTS.values():
        for format in gmonfile.FORMATS:
            wrong = ""
            for samples in (0, 65534, 65535, 65536, 131070, 131071):
                wrong += check_size(layout, machine, format, samples, 7)
            for calls in (
                2**32 - 2,
                2**32 - 1,
                2**32,
                2**32 + 1,
                3 * 2**32 - 3,
                3 * 2**32,
            ):
                wrong += check_size(layout, machine, format, 9, calls)
            name = "sizes around 2^16 and 2^32: %s, %d bits, %s-endian" % (
                format,
                layout.bits,
                layout.order,
            )
            tap.ok(not wrong, name, wrong[:3000])


def check_refusals(tap):
    """Sums that the BSD formats cannot represent are not written."""
    image, work = make_program(), directory("refusals")
    one = Profile(PLAIN, [histogram({1: 1})])
    fast = Profile(PLAIN, [histogram({1: 1}, rate=1000)])
    high = Profile(PLAIN, [Histogram(LOW + 0x10000, LOW + 0x10000 + 4 * BINS, BINS, {1: 1})])
    cases = [
        ("two histograms", "bsd", [one.bytes("bsd"), high.bytes("bsd")], 1),
        ("two histograms", "bsd44", [one.bytes("bsd44"), high.bytes("bsd44")], 1),
        ("another rate", "bsd", [fast.bytes("bsd44")], 1),
        ("another rate", "bsd44", [fast.bytes("bsd44")], 0),
    ]
    for name, format, contents, status in cases:
        files = [write(os.path.join(work, "gmon.%d" % i), data) for i, data in enumerate(contents)]
        target = write(os.path.join(work, "sum"), b"old")
        result = gprof("-s", "-O", FORMAT_OPTIONS[format], "-o", target, image, files)
        what = "is refused" if status else "can be written"
        good = result[0] == status and (read(target) == b"old") == (status == 1)
        tap.ok(
            good and (b"-O magic" in result[2]) == (status == 1),
            "%s in %s's format %s" % (name, format, what),
            result,
        )


# ---- The output file ----


def check_spared(tap):
    """-o replaces no file that is read, whatever it is called; a sum may replace its profiles."""
    work = directory("spared")
    text = (
        'text 0x10000\nfile "/src/a.c"\nfunction main 0x20\nlines 0 1 8 2 16 3\nfunction left'
        " 0x20\nlines 0 7 8 8\nfunction zz_padding 0x100\nfunction zz_last 0x100\n"
    )
    image = write(os.path.join(work, "image"), elf.parse(text).bytes())
    os.mkdir(os.path.join(work, "runs"))
    for name in ("gmon", "runs/1", "less"):
        write(
            os.path.join(work, name),
            Profile(PLAIN, [histogram({0: 300}), ("arc", LOW + 4, LOW + 0x20, 3)]).bytes(),
        )
    write(os.path.join(work, "a.c"), b"int main()\n{\n}\n")
    write(os.path.join(work, "list"), b"gmon\n")
    write(os.path.join(work, "objects"), b"a.o:%08x T main\n" % LOW)
    write(os.path.join(work, "symbols"), b"%08x T main\n" % LOW)
    stacks = (
        "# regmon stacks 3\n# rate 100\n# histogram %x %x 300\n# program 0 image\n0:%x 300\n#"
        " samples 300\n"
    )
    write(os.path.join(work, "gmon.stacks"), (stacks % (LOW, LOW + 4 * BINS, LOW)).encode())
    gprof("--format=json", "-o", "base.json", image, "gmon", cwd=work)
    os.link(image, os.path.join(work, "other-name"))
    os.symlink("gmon", os.path.join(work, "link"))
    inputs = {name: read(os.path.join(work, name)) for name in os.listdir(work) if name != "runs"}
    for target, words in {
        "image": ["-p", "image", "gmon"],
        "other-name": ["--top", "image", "gmon"],
        "gmon": ["--format=html", "image", "gmon"],
        "link": ["-p", "image", "gmon"],
        "runs/1": ["-p", "image", "runs"],
        "list": ["-p", "--files-from=list", "image"],
        "a.c": ["-A", "-I.", "image", "gmon"],
        "base.json": ["--base=base.json", "image", "gmon"],
        "less": ["--base=image", "--base-profile=less", "--format=json", "image", "gmon"],
        "objects": ["-R", "objects", "image", "gmon"],
        "symbols": ["-S", "symbols", "image", "gmon"],
        "gmon.stacks": ["--stacks", "--top", "image", "gmon"],
    }.items():
        result = gprof("-b", "-o", target, words, cwd=work)
        kept = {name: read(os.path.join(work, name)) for name in inputs} == inputs and read(
            os.path.join(work, "runs/1")
        ) == inputs["gmon"]
        told = b"gprof: %s: is an input of this run" % target.encode() in result[2]
        tap.ok(
            result[0] == 1 and told and kept, "-o %s, which is read, is refused" % target, result
        )
    for target in ("image", "list", "symbols"):
        words = (
            ["--files-from=list", "-S", "symbols", "-k", "main/left", "image"]
            if target != "image"
            else ["image", "gmon"]
        )
        result = gprof("-s", "-o", target, words, cwd=work)
        tap.ok(
            result[0] == 1 and read(os.path.join(work, target)) == inputs[target],
            "-s -o %s, too" % target,
            result,
        )
    for words in (["-s"], ["-p"]):
        command = 'exec "$@" >&-'
        result = harness.run(
            [
                "/bin/sh",
                "-c",
                command,
                "sh",
                harness.GPROF,
                *words,
                "-o",
                "/dev/stdout",
                "image",
                "gmon",
            ],
            work,
        )
        tap.ok(
            result[0] == 1 and b"/dev/stdout" in result[2],
            "%s -o /dev/stdout, which is closed" % words[0],
            result,
        )
    result = gprof("-s", "-o", "gmon", "image", "gmon", "less", cwd=work)
    tap.ok(
        result[0] == 0 and read(os.path.join(work, "gmon")) != inputs["gmon"],
        "a sum may replace its profile",
        result,
    )


def check_own_input(tap):
    image, work = make_program(), directory("own")
    parts = [write(os.path.join(work, "gmon.%d" % i), small(i).bytes()) for i in range(3)]
    gprof("-s", image, parts[:2], cwd=work)
    first = read(os.path.join(work, "gmon.sum"))
    result = gprof("-s", image, "gmon.sum", parts[2], cwd=work)
    expected = gmonfile.figures(*(small(i) for i in range(3)))
    got = gmonfile.figures(gmonfile.read(PLAIN, read(os.path.join(work, "gmon.sum"))))
    tap.ok(result[0] == 0 and got == expected, "gmon.sum can be one of the profiles", result)
    gprof("-s", "-o", "x", image, parts[:2], cwd=work)
    tap.ok(
        read(os.path.join(work, "x")) == first,
        "-o names the sum; the same profiles make the same bytes",
    )
    status, out, _ = gprof("-s", "-o", "-", image, parts[:2], cwd=work)
    tap.ok(status == 0 and out == first, "-o - is standard output")
    tap.ok(
        sorted(os.listdir(work)) == ["gmon.0", "gmon.1", "gmon.2", "gmon.sum", "x"],
        "nothing else is left there",
    )
    status, out, _ = gprof("-s", "-b", "-p", image, parts, cwd=work)
    plain = gprof("-b", "-p", "-l", image, parts, cwd=work)
    tap.ok((status, out) == plain[:2], "reports beside a sum are by line")
    result = gprof("-s", "-o", "-", "-p", image, parts, cwd=work)
    tap.ok(result[0] == 1 and not result[1], "but not when the sum goes there, too")
    result = gprof("-s", "-o", "-", "-d", image, parts, cwd=work)
    tap.ok(result[0] == 1 and not result[1], "nor is a trace", result)
    result = gprof("-s", "-o", "filtered", "-k", "left/right", image, parts, cwd=work)
    arcs = gmonfile.figures(gmonfile.read(PLAIN, read(os.path.join(work, "filtered")))).arcs
    tap.ok(list(arcs) == [(LOW + 4, LOW + 0x20)], "-k leaves calls out of the sum", result)


# ---- Ways to name profiles ----


def check_inputs(tap):
    image, work = make_program(), directory("inputs")
    runs = directory("inputs/runs")
    names = ["gmon.%d" % i for i in range(12)]
    for i, name in enumerate(names):
        write(os.path.join(runs, name), small(i).bytes())
    paths = [os.path.join("runs", name) for name in names]
    gprof("-s", "-o", "plain", image, paths, cwd=work)
    expected = read(os.path.join(work, "plain"))

    def same(name, words, stdin=None, messages=b""):
        target = os.path.join(work, "sum")
        if os.path.exists(target):
            os.unlink(target)
        if stdin is not None:
            with open(write(os.path.join(TEMP, "stdin"), stdin), "rb") as file:
                result = gprof("-s", "-o", "sum", image, words, cwd=work, stdin=file)
        else:
            result = gprof("-s", "-o", "sum", image, words, cwd=work)
        good = result[0] == 0 and re.search(messages, result[2]) and (messages or not result[2])
        tap.ok(good and read(target) == expected, name, result)

    def refused(name, words, message, stdin=b""):
        with open(write(os.path.join(TEMP, "stdin"), stdin), "rb") as file:
            result = gprof("-s", "-o", "never", image, words, cwd=work, stdin=file)
        good = (
            result[0] == 1
            and message in result[2]
            and not os.path.exists(os.path.join(work, "never"))
        )
        tap.ok(good, name, result)

    same("a directory: what is in it, in natural order", ["runs"])
    lines = "".join(path + "\n" for path in paths).encode()
    write(os.path.join(work, "list"), lines)
    same("--files-from", ["--files-from=list"])
    same(
        "--files-from and operands, which come first",
        paths[:2] + ["--files-from", "-"],
        b"\n".join(lines.split(b"\n")[2:]),
    )
    same("--files-from=-", ["--files-from=-"], lines)
    same("--files-from with the last line unfinished", ["--files-from=-"], lines[:-1])
    same("--null", ["--null", "--files-from=-"], lines.replace(b"\n", b"\0"))
    write(os.path.join(work, "list.gz"), gzip.compress(lines))
    same("a compressed list", ["--files-from=list.gz"])
    same("a directory in a list", ["--files-from=-"], b"runs\n")
    same("standard input as a profile", ["-"] + paths[1:], read(os.path.join(work, paths[0])))
    same("and compressed", ["-"] + paths[1:], gzip.compress(read(os.path.join(work, paths[0]))))
    refused("standard input twice", ["-", "-"], b"only once", small(1).bytes())
    refused("standard input as list and profile", ["-", "--files-from=-"], b"only once", lines)
    refused("an empty list", ["--files-from=-"], b"lists no profiles")
    refused("NUL bytes in a list", ["--files-from=-"], b"use --null", lines.replace(b"\n", b"\0"))
    refused("one NUL byte in a list", ["--files-from=-"], b"use --null", lines[:-1] + b"\0")
    refused("a list that is missing", ["--files-from=nowhere"], b"nowhere: ")
    refused("a profile that is missing", ["runs/gmon.0", "runs/gmon.99"], b"runs/gmon.99: ")
    refused("an empty directory", [directory("inputs/empty")], b"no profile")
    os.symlink("gone", os.path.join(runs, "gmon.gone"))
    refused(
        "a link in a directory to what is not there",
        ["runs"],
        b"runs/gmon.gone: No such file or directory",
    )
    result = gprof("-s", "-o", "sum", "--skip-bad", image, "runs", cwd=work)
    good = (
        result[0] == 1 and b"1 of 13" in result[2] and read(os.path.join(work, "sum")) == expected
    )
    tap.ok(good, "with --skip-bad it is left out, and counted", result)
    os.unlink(os.path.join(runs, "gmon.gone"))
    odd = "odd name\nin two lines"
    write(os.path.join(work, odd), read(os.path.join(work, paths[0])))
    same(
        "--null: any name at all",
        ["--null", "--files-from=-"],
        b"\0".join([odd.encode()] + lines.split(b"\n")[1:]),
    )
    for i, name in enumerate(sorted(names)):
        data = read(os.path.join(runs, name))
        if i % 2:
            write(os.path.join(runs, name), gzip.compress(data, i % 9 + 1))
        elif i % 4 == 0:  # in several members, as `cat a.gz b.gz' makes them
            write(os.path.join(runs, name), gzip.compress(data[:21]) + gzip.compress(data[21:]))
    same("a mixture of plain and compressed profiles", ["runs"])
    check_zstd(tap, work, runs, names, same)
    write(os.path.join(runs, "README"), b"not a profile")
    write(os.path.join(runs, ".hidden"), b"gmon nonsense")
    same(
        "what is no profile is left out, with a word",
        ["runs"],
        messages=rb"not profiles: 1 \(for example runs/README\)",
    )
    os.unlink(os.path.join(runs, "README"))
    for _ in range(2):
        result = gprof("-s", "-o", "runs/gmon.sum", image, "runs", cwd=work)
    tap.ok(
        read(os.path.join(runs, "gmon.sum")) == expected,
        "a sum among its parts is not added again",
        result,
    )


def check_zstd(tap, work, runs, names, same):
    """Profiles compressed by zstd, in the directory RUNS with the profiles NAMES; SAME compares a
    sum."""
    if not harness.reads_zstd():
        return tap.skip("zstd", "built without libzstd")
    tool = shutil.which("zstd")
    for i, name in enumerate(names):
        path, data = os.path.join(runs, name), small(i).bytes()
        if i % 3 == 0:
            write(path, zstd.frame(data))
        elif i % 3 == 1:  # several frames, the last one empty
            write(path, zstd.frame(data[:21]) + zstd.frame(data[21:]) + zstd.frame(b""))
        elif tool:
            write(
                path,
                harness.must_run(
                    [tool, "-q", "-%d" % (i + 1), "-c", write(os.path.join(TEMP, "plain"), data)]
                ),
            )
    same("profiles compressed by zstd", ["runs"])
    write(
        os.path.join(work, "list.zst"),
        zstd.frame("".join("runs/%s\n" % name for name in names).encode()),
    )
    same("and their list", ["--files-from=list.zst"])


def check_many(tap):
    image, work, count = make_program(), directory("many"), harness.sized(1000, 10000)
    runs = directory("many/runs")
    for i in range(count):
        write(os.path.join(runs, "rank-%05d" % i), small(i).bytes())
    expected = gmonfile.figures(*(small(i) for i in range(count)))
    outputs = []
    for words in (["runs"], ["--files-from=-"], ["--null", "--files-from=-"]):
        ends = b"\0" if "--null" in words else b"\n"
        names = ends.join(b"runs/rank-%05d" % i for i in range(count))
        with open(write(os.path.join(TEMP, "stdin"), names), "rb") as stdin:
            result = gprof("-s", "-o", "sum", image, words, cwd=work, stdin=stdin)
        outputs.append(read(os.path.join(work, "sum")))
        tap.ok(
            result[0] == 0 and not result[2], "%d profiles: %s" % (count, " ".join(words)), result
        )
    tap.ok(
        gmonfile.figures(gmonfile.read(PLAIN, outputs[0])) == expected, "all of them are in the sum"
    )
    tap.ok(len(set(outputs)) == 1, "the same bytes every time")


def check_large(tap):
    """Large files are mapped; all others are read into the same memory one after the other."""
    image, work = make_program(), directory("large")
    calls = [("arc", LOW + 4 + i, LOW + 0x20, 1) for i in range(60)]
    head, few = Profile(PLAIN, [histogram({3: 7})]).bytes(), Profile(PLAIN, calls).bytes()[20:]
    large = head + few * 15000  # 19 MB
    write(os.path.join(work, "large"), large)
    write(os.path.join(work, "cut"), large[:-5])
    write(os.path.join(work, "large.gz"), gzip.compress(large, 1))
    write(os.path.join(work, "large.zst"), zstd.frame(large))
    write(os.path.join(work, "noise.gz"), gzip.compress(random.Random(1).randbytes(17 << 20), 0))
    write(os.path.join(work, "small"), small(5).bytes())
    whole = Profile(PLAIN, [histogram({3: 7})] + [call[:3] + (15000,) for call in calls])
    for words in (
        ["large", "small", "large", "small"],
        ["small", "large.gz", "small", "large"],
        ["large.zst", "small", "large.zst"],
    ):
        if "large.zst" in words and not harness.reads_zstd():
            tap.skip(" ".join(words), "built without libzstd")
            continue
        result = gprof("-s", "-o", "sum", image, words, cwd=work)
        expected = gmonfile.figures(*(small(5) if word == "small" else whole for word in words))
        made = gmonfile.figures(gmonfile.read(PLAIN, read(os.path.join(work, "sum"))))
        tap.ok(result[0] == 0 and not result[2] and made == expected, " ".join(words), result)
    with open(os.path.join(work, "large"), "rb") as stdin:
        piped = gprof("-b", image, "-", cwd=work, stdin=stdin)
    named = gprof("-b", image, "large", cwd=work)
    tap.ok(named[0] == 0 and piped == named, "a large file by name and as standard input")
    for name, message in (("cut", b"cut: unexpected end"), ("noise.gz", b"noise.gz: ")):
        result = gprof("-b", image, name, cwd=work)
        tap.ok(result[0] == 1 and message in result[2], "a large bad file: " + name, result)


def shown_on_terminal(command, cwd, content):
    """The standard error that a terminal shows if the last profile is a pipe, whose CONTENT comes
    late."""
    ours, theirs = pty.openpty()
    pipe = os.path.join(cwd, "late")
    os.mkfifo(pipe)
    with subprocess.Popen(command + [pipe], cwd=cwd, env=harness.ENV, stderr=theirs) as process:
        with open(pipe, "wb") as file:  # which waits until it is opened there
            time.sleep(1.3)  # at least: the first line of progress comes after a second
            file.write(content)
        shown = harness.read_terminal(ours, theirs, process)
    os.unlink(pipe)
    return shown


def check_progress(tap):
    image, work = make_program(), directory("many")
    command = [harness.GPROF, "-s", "-o", "sum", image] + ["runs/rank-%05d" % i for i in range(3)]
    shown = shown_on_terminal(command, work, small(3).bytes())
    lines = (
        rb"(\d of 4 files, \d/s, \d+ s left\x1b\[K\r)*4 of 4 files, \d/s, 0 s left\x1b\[K\r\x1b\[K"
    )
    tap.ok(re.fullmatch(lines, shown), "progress on a terminal", shown)
    shown = shown_on_terminal(command + ["--quiet"], work, small(3).bytes())
    tap.ok(shown == b"", "no progress with --quiet", shown)


# ---- Profiles that cannot be used ----


def check_bad(tap):
    image, work = make_program(), directory("bad")
    good = {"gmon.%d" % i: small(i).bytes() for i in range(5)}
    names = sorted(good)
    others = names[:2] + names[3:]
    for name, data in good.items():
        write(os.path.join(work, name), data)
    gprof("-s", "-o", "expected", image, others, cwd=work)
    expected = read(os.path.join(work, "expected"))
    whole = good["gmon.2"]
    packed = gzip.compress(whole)
    conflicting = Profile(
        PLAIN, [("arc", LOW, LOW, 77), histogram({3: 9}), Histogram(LOW + 8, LOW + 40, 8, {1: 1})]
    )
    wanting = [
        histogram({3: 9}),
        Histogram(LOW + 0x100000, LOW + 0x100000 + 4 * BINS, BINS, {1: 1}),
    ]
    frame = zstd.frame(whole)
    cases = {
        "cut short": whole[:-5],
        "with a bad tag at its end": whole + b"\7",
        "empty": b"",
        "compressed and cut": packed[:-9],
        "compressed and damaged": packed[:-8] + b"damage!!",
        "compressed by zstd and cut": frame[:-9],
        "compressed by zstd and cut behind a block": frame + frame[:6],
        "compressed by zstd and damaged": frame[:6] + b"\xff\xff" + frame[8:],
        "compressed by zstd, with something behind": frame + b"something",
        "compressed by zstd, with too many zeros": zstd.zeros(280 << 20),
        "that needs a large window": zstd.frame(whole, window_bits=30),
        "compressed by xz": lzma.compress(whole),
        "compressed by bzip2": bz2.compress(whole),
        "with nothing, compressed by bzip2": bz2.compress(b""),
        "compressed nonsense": gzip.compress(b"nonsense" * 9),
        "in conflict at its end": conflicting.bytes(),
        "with a new range, then in conflict": Profile(PLAIN, wanting + conflicting.records).bytes(),
        "of another scale": Profile(PLAIN, [Histogram(LOW, LOW + 256, 16, {1: 1})]).bytes(),
        "of another dimension": Profile(
            PLAIN, [histogram({1: 1}, dimension="ticks", abbreviation="t")]
        ).bytes(),
    }
    for what, data in cases.items():
        write(os.path.join(work, "gmon.2"), data)
        target = write(os.path.join(work, "sum"), b"old")
        result = gprof("-s", "-o", "sum", image, names, cwd=work)
        stands = read(target) == b"old" and len(os.listdir(work)) == 7
        tap.ok(
            result[0] == 1 and b"gmon.2" in result[2] and stands,
            "one %s: nothing is written" % what,
            result,
        )
        result = gprof("-s", "--skip-bad", "-o", "sum", image, names, cwd=work)
        fine = result[0] == 1 and b"gmon.2" in result[2] and b"1 of 5 " in result[2]
        tap.ok(fine and read(target) == expected, "--skip-bad: the others, and a word", result)
        ours, theirs = (
            gprof("-b", "--skip-bad", image, files, cwd=work) for files in (names, others)
        )
        tap.ok(ours[0] == 1 and ours[1] == theirs[1], "--skip-bad: the report of the others", ours)
    write(os.path.join(work, "gmon.2"), Profile(PLAIN, [histogram({3: 9}, rate=0)]).bytes())
    results = [
        gprof("-b", "-p", options, image, "gmon.2", cwd=work) for options in ([], ["--skip-bad"])
    ]
    tap.ok(
        results[0] == results[1] and b"rate 0" in results[0][2],
        "--skip-bad: warnings are the same",
        results[1],
    )
    os.unlink(os.path.join(work, "gmon.2"))
    result = gprof("-s", "--skip-bad", "-o", "sum", image, names, cwd=work)
    tap.ok(
        result[0] == 1 and read(os.path.join(work, "sum")) == expected,
        "--skip-bad: one is missing",
        result,
    )
    result = gprof("-b", "--skip-bad", image, "gmon.2", cwd=work)
    tap.ok(result[0] == 1 and not result[1], "--skip-bad: nothing is left", result)


def check_foreign(tap):
    """Messages name profiles of other programs."""
    image, work = make_program(), directory("foreign")
    far = 0x7000000
    arcs = Profile(PLAIN, [("arc", far, far + 4, 1)])
    samples = Profile(PLAIN, [Histogram(far, far + 4 * BINS, BINS, {1: 1})])
    for name, profile in (("arcs", arcs), ("samples", samples)):
        write(os.path.join(work, name), profile.bytes())
        write(os.path.join(work, "own"), small(1).bytes())
        result = gprof("-s", "-o", "sum", image, "own", name, cwd=work)
        told = name.encode() + b": " in result[2] and b"own: " not in result[2]
        tap.ok(result[0] == 0 and told, "%s of another program are told" % name, result)


def check_lines(tap):
    """Calls are excluded from a sum line by line, whichever reports are printed beside it."""
    work = directory("lines")
    text = (
        'text 0x10000\nfile "/src/a.c"\nfunction main 0x20\nlines 0 1 8 2 16 3\nfunction left'
        " 0x20\nlines 0 7 8 8\n"
    )
    image = write(
        os.path.join(work, "image"),
        elf.parse(text + "function zz_padding 0x100\nfunction zz_last 0x100\n").bytes(),
    )
    calls = [(LOW + 4, 5), (LOW + 12, 7), (LOW + 20, 9)]
    gmon = write(
        os.path.join(work, "gmon"),
        Profile(
            PLAIN, [histogram({0: 3})] + [("arc", at, LOW + 0x20, n) for at, n in calls]
        ).bytes(),
    )
    for reports in ([], ["-p"], ["--top"], ["-b", "-q", "-r"]):
        result = gprof("-s", "-k", "a.c:2/left", "-o", "sum", reports, image, gmon, cwd=work)
        left = dict(gmonfile.figures(gmonfile.read(PLAIN, read(os.path.join(work, "sum")))).arcs)
        expected = {(at, LOW + 0x20): n for at, n in calls if n != 7}
        tap.ok(
            result[0] == 0 and left == expected,
            "-s -k FILE:LINE/FUNCTION %s" % " ".join(reports),
            said(result) + repr(left),
        )


def main():
    arguments = draws.parse(LAW)
    tap = harness.Tap()
    LAW.run(tap, arguments)
    if arguments.only is not None:
        return tap.done()
    for check in (
        check_sizes,
        check_refusals,
        check_spared,
        check_own_input,
        check_inputs,
        check_many,
        check_large,
        check_progress,
        check_bad,
        check_foreign,
        check_lines,
    ):
        check(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
