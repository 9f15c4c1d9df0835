#!/usr/bin/env python3
"""Draws programs, profiles and up to six options with arguments that exist in the program, and compares
with the reference.

Usage: random_options.py [--draws N] [--seed S] [--only NUMBER] [--all]

--all draws from every option of the manual, not only from those of optionsets.CURRENT.  A difference
names its draw: `--seed S --only NUMBER' repeats it.  RANDOM_OPTIONS in the environment overrides the
number of draws.  Draws whose difference is one of those the manual lists are counted and said.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import collections
import os
import random
import shlex
import shutil

import drawing
import elf
import harness
import optionsets
import programs
from harness import TEMP

FAILURES = os.path.join(harness.BUILDDIR, "tests", "failures")
BATCH = 100  # draws a line of TAP stands for
SHOWN = 3
REFERENCE_TIMEOUT = 20  # it may loop for ever (difference 8)


# ---- What there is to draw from ----


class Subject:
    """An image and what its options can speak of."""

    def __init__(self, image, profiles, files, lines):
        self.image, self.profiles, self.files, self.lines = image, profiles, files, lines
        self.sources = programs.SOURCES
        names = [name.decode() for name, _, _ in elf.symbols(image)]
        usable = [n for n in names if not set(n) & set(" .:/$@")]
        self.functions = sorted(set(usable))
        if len(self.functions) > 200:  # a static program: mostly the library's
            own = [n for n in self.functions if not n.startswith("_")]
            self.functions = own


def real_subjects():
    found = []
    for program in programs.PROGRAMS:
        directory, _ = programs.build(program)
        if directory:
            own = [s for s in program.sources if "." in s]
            profile = os.path.join(directory, "gmon.out")
            subject = Subject(os.path.join(directory, "image"), [profile], own, (20, 120))
            subject.functions = own_functions(directory, own) or subject.functions
            found.append(subject)
    return found


def own_functions(directory, sources):
    """Names that occur in the program's sources, so that specs say something."""
    text = b""
    for name in sources:
        with open(os.path.join(programs.SOURCES, name), "rb") as file:
            text += file.read()
    names = [name.decode() for name, _, _ in elf.symbols(os.path.join(directory, "image"))]
    return sorted({n for n in names if n.encode() in text and not set(n) & set(" .:/$@")})


def drawn_subject(rng, images, number):
    image = rng.choice(images)
    layout = drawing.Layout(image)
    paths = []
    for i in range(rng.choice([1, 1, 1, 2])):
        text = drawing.make_profile(rng, layout, rng.choice(list(drawing.KINDS)))
        if i > 0:  # histograms of two draws need not fit together
            text = "".join(line + "\n" for line in text.splitlines() if line.startswith("arc"))
        if rng.random() < 0.3:
            text += drawing.blocks(rng, layout)
        base = os.path.join(TEMP, "draw-%d-%d" % (number, i))
        with open(base + ".gm", "w", encoding="ascii") as file:
            file.write(text)
        harness.must_run([harness.mkgmon(), "-o", base + ".gmon", base + ".gm"])
        paths.append(base + ".gmon")
    return Subject(image, paths, ["one.c", "two.c"], (1, 400))


# ---- Options ----


class Draw:
    """Options drawn so far, and which sets have specs: specs of one set must not overlap, nor two arc
    specs share a caller (difference 6)."""

    def __init__(self, rng, subject):
        self.rng, self.subject = rng, subject
        self.words = []
        self.used = collections.defaultdict(set)

    def spec(self, which):
        """A symspec for a set, or None when none is left that overlaps no other."""
        rng, s, used = self.rng, self.subject, self.used[which]
        if "*" in used or not s.functions:
            return None
        if used or rng.random() < 0.7:
            name = rng.choice(s.functions)
            if name in used:
                return None
            used.add(name)
            return rng.choice(["%s", "%s", ":%s"]) % name
        used.add("*")
        file, line = rng.choice(s.files), rng.randint(*s.lines)
        return rng.choice(
            [
                file,
                file + ":",
                "%s:%d" % (file, line),
                "%d" % line,
                ":%d" % line,
                "%s:%s" % (file, rng.choice(s.functions)),
                "no_such_function",
            ]
        )

    def pair(self, which):
        rng, s, used = self.rng, self.subject, self.used[which]
        if not s.functions or "*" in used:
            return None
        caller, callee = rng.choice(s.functions), rng.choice(s.functions)
        if caller in used:
            return None
        if not used and rng.random() < 0.2:
            used.add("*")
            return "/" + callee
        used.add(caller)
        return caller + "/" + rng.choice([callee, ""])

    def add(self, *words):
        if all(word is not None for word in words):
            self.words += words

    def attached(self, option, which):
        argument = self.spec(which)
        if argument is not None:
            self.words.append(option + argument)

    def separate(self, option, *sets):
        """An option whose spec goes into several sets at once."""
        joint = set().union(*(self.used[which] for which in sets))
        argument = self.spec(sets[0])
        if argument is None:
            return
        new = self.used[sets[0]] - joint
        if not new:
            return
        for which in sets:
            if "*" in self.used[which] and which != sets[0]:
                return
        for which in sets[1:]:
            if self.used[which] & new or ("*" in new and self.used[which]):
                return
            self.used[which] |= new
        self.words += [option, argument]


def _arcs_or_graph(option, arcs, graph):
    def make(draw):
        if draw.rng.random() < 0.4:
            argument = draw.pair(arcs)
            draw.add(None if argument is None else option + argument)
        else:
            draw.attached(option, graph)

    return make


MAKERS = {
    "w": lambda d: d.add("-w", str(d.rng.choice([0, 1, 20, 50, 79, 132, 300]))),
    "demangle": lambda d: d.add("--demangle=" + d.rng.choice(["auto", "gnu-v3", "none", "rust", "dlang", "java"])),
    "pX": lambda d: d.attached("-p", "include flat"),
    "PX": lambda d: d.attached("-P", "exclude flat"),
    "qX": _arcs_or_graph("-q", "include arcs", "include graph"),
    "QX": _arcs_or_graph("-Q", "exclude arcs", "exclude graph"),
    "n": lambda d: d.separate("-n", "include time"),
    "N": lambda d: d.separate("-N", "exclude time"),
    "e": lambda d: d.separate("-e", "exclude graph"),
    "E": lambda d: d.separate("-E", "exclude graph", "exclude time"),
    "f": lambda d: d.separate("-f", "include graph"),
    "F": lambda d: d.separate("-F", "include graph", "include time"),
    "k": lambda d: d.add("-k", d.pair("exclude arcs")),
    "CX": lambda d: d.attached("-C", "include counts"),
    "ZX": lambda d: d.attached("-Z", "exclude counts"),
    "AX": lambda d: d.attached("-A", "include annotate"),
    "JX": lambda d: d.attached("-J", "exclude annotate"),
    "t": lambda d: d.add("-t", str(d.rng.choice([-1, 0, 1, 3, 50]))),
    "m": lambda d: d.add("-m", str(d.rng.choice([0, 1, 100, 100000]))),
    "I": lambda d: d.add("-I", d.rng.choice([d.subject.sources, "/nowhere", d.subject.sources + ":/tmp"])),
}


def draw_options(rng, subject, known):
    draw = Draw(rng, subject)
    for _ in range(rng.randint(0, 6)):
        option = rng.choice(known)
        if option in MAKERS:
            MAKERS[option](draw)
        elif len(option) == 1:
            draw.add("-" + option)
        else:
            draw.add("--" + option)
    return draw.words


# ---- Comparing ----


def run_in_own_directory(program, words, files):
    """Runs a program where nobody else writes; the result, with the files it made appended."""
    directory = os.path.join(TEMP, "cwd-%d" % os.getpid())
    os.mkdir(directory)
    status, out, err = harness.run([program] + words + files, directory, timeout=REFERENCE_TIMEOUT)
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), "rb") as file:
            out += b"==> %s <==\n" % name.encode() + file.read()
    shutil.rmtree(directory)
    return status, out, err


def explanation(words, theirs):
    """The difference of the manual's list that explains why the two disagree, or None."""
    if harness.reference_fails(theirs):
        return harness.reference_fails(theirs)
    if "-c" in words:
        return "7: the reference misses backward calls"
    if "-r" in words:
        names = theirs[1].splitlines()
        if len(names) != len(set(names)):
            return "20: the reference orders a function twice"
    return None


def check_draw(task):
    """(explanation or None, complaint) of a draw."""
    seed, number, known, images, reals = task
    rng = random.Random("options:%s:%d" % (seed, number))
    is_real = bool(reals) and rng.random() < 0.5
    subject = rng.choice(reals) if is_real else drawn_subject(rng, images, number)
    words = ["-b"] + draw_options(rng, subject, known)
    files = [subject.image] + subject.profiles
    ours = run_in_own_directory(harness.GPROF, words, files)
    theirs = run_in_own_directory(harness.REFERENCE, words, files)
    complaint, why = harness.disagreement(ours, theirs), None
    if complaint or harness.reference_fails(theirs):
        why = explanation(words, theirs)
    if complaint and (not why or ours[0] not in (0, 1)):
        why = None
        where = keep(seed, number, files)
        command = shlex.join(words + files if is_real else words + [os.path.basename(f) for f in files])
        complaint = "--seed %s --only %d: gprof %s, files in %s\n%s\n" % (seed, number, command, where, complaint)
    if not is_real:
        for path in subject.profiles:
            os.unlink(path)
            os.unlink(path[:-2])
    return why, "" if why else complaint


def keep(seed, number, files):
    target = os.path.join(FAILURES, "options-%s-%d" % (seed, number))
    os.makedirs(target, exist_ok=True)
    for path in files:
        shutil.copy(path, target)
    return target


def report(tap, name, results):
    wrong = [complaint for _, complaint in results if complaint]
    more = "... and %d more of %d" % (len(wrong) - SHOWN, len(results)) if len(wrong) > SHOWN else ""
    tap.ok(not wrong, name, "\n".join(wrong[:SHOWN] + [more]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=int(os.environ.get("RANDOM_OPTIONS") or 1500))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    if not harness.has_reference():
        harness.skip_all("no " + harness.REFERENCE)
    images = [drawing.make_image(arguments.seed, number, TEMP) for number in range(drawing.IMAGES)]
    if not all(images):
        harness.skip_all("no assembler")
    harness.mkgmon()
    known = optionsets.ALL if arguments.all else optionsets.CURRENT
    numbers = range(arguments.draws) if arguments.only is None else [arguments.only]
    reals = real_subjects()
    results = list(harness.parallel(check_draw, [(arguments.seed, n, known, images, reals) for n in numbers]))
    tap = harness.Tap()
    for start in range(0, len(results), BATCH):
        part = results[start : start + BATCH]
        report(tap, "draws %d to %d" % (numbers[start], numbers[start + len(part) - 1]), part)
    for why, count in sorted(collections.Counter(why for why, _ in results if why).items()):
        tap.say("%d draws left out, difference %s" % (count, why))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
