#!/usr/bin/env python3
"""Draws programs, profiles and up to six options with arguments that exist in the program, and
compares
with the reference.

Usage: random_options.py [--draws N] [--seed S] [--only NUMBER]

A difference names its draw: `--seed S --only NUMBER' repeats it.  RANDOM_OPTIONS in the environment
overrides the number of draws.  Draws avoid the differences that the manual lists:

    6       no two specs of one set overlap
    7       with -c, all calls of the images lead forward (forward.py); the reference may crash on
    lines of static
            programs, and on a table with symbols outside of the text
    8, 20   an order in which the reference repeats or omits names is compared as far as possible;
    if calls are
            excluded, or a call graph is printed before it, which reorders them, ours must be
            complete
    9, 13   the last function of images has no samples or calls, and no name is that of a clone
    10      no drawn profile has more than ten blocks
    12      if the reference divides by zero, ours prints zeros
    3, 4    sums are compared by the reports of the reference on them

The number of draws in which the reference fails (2, 8) is printed.
"""

import sys

sys.dont_write_bytecode = True

import collections
import os
import random
import shlex
import shutil

from lib import draws, harness, optionsets, reference, subjects
from lib.harness import TEMP

BATCH = 100  # draws per line of TAP
REFERENCE_TIMEOUT = 20  # it may loop endlessly (difference 8)


# ---- Options: pairs of a letter or long name and an argument or None ----


class Draw:
    """The options drawn so far, and the sets that have specs: specs of one set must not overlap,
    nor two arc
    specs share a caller (difference 6)."""

    def __init__(self, rng, subject, base):
        self.rng, self.subject, self.base = rng, subject, base
        self.options = []
        self.used = collections.defaultdict(set)
        self.profiles = subject.profiles

    def has(self, *names):
        return any(name in names for name, _ in self.options)

    def leaves_out_calls(self):
        return any(n == "k" or (n in "qQ" and a and "/" in a) for n, a in self.options)

    def spec(self, which):
        """A symspec for a set, or None if all that are left overlap others."""
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
        forms = [file, file + ":", "%s:%d" % (file, line), "%d" % line, ":%d" % line]
        return rng.choice(forms + ["%s:%s" % (file, rng.choice(s.functions)), "no_such_function"])

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

    def add(self, name, argument):
        """Adds an option unless there is no argument for it."""
        if argument is not None:
            self.options.append((name, argument))

    def several(self, option, *sets):
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
        self.add(option, argument)

    def format(self):
        """-O, with profiles in that format."""
        word = self.rng.choice(sorted(subjects.FORMATS))
        format = self.rng.choice(subjects.FORMATS[word])
        profiles = None if self.has("O") else self.subject.converted(format, self.base + "-as")
        if profiles:
            self.profiles = profiles
            self.add("O", word)


def _spec(option, which):
    return lambda draw: draw.add(option, draw.spec(which))


def _several(option, *sets):
    return lambda draw: draw.several(option, *sets)


def _arcs_or_graph(option, arcs, graph):
    return lambda draw: draw.add(
        option, draw.pair(arcs) if draw.rng.random() < 0.4 else draw.spec(graph)
    )


def _one_of(option, *choices):
    return lambda draw: draw.add(option, str(draw.rng.choice(choices)))


MAKERS = {
    "w": _one_of("w", 0, 1, 20, 50, 79, 132, 300),
    "demangle": _one_of("demangle", "auto", "gnu-v3", "none", "rust", "dlang", "java"),
    "pX": _spec("p", "include flat"),
    "PX": _spec("P", "exclude flat"),
    "qX": _arcs_or_graph("q", "include arcs", "include graph"),
    "QX": _arcs_or_graph("Q", "exclude arcs", "exclude graph"),
    "n": _several("n", "include time"),
    "N": _several("N", "exclude time"),
    "e": _several("e", "exclude graph"),
    "E": _several("E", "exclude graph", "exclude time"),
    "f": _several("f", "include graph"),
    "F": _several("F", "include graph", "include time"),
    "k": lambda draw: draw.add("k", draw.pair("exclude arcs")),
    "CX": _spec("C", "include counts"),
    "ZX": _spec("Z", "exclude counts"),
    "AX": _spec("A", "include annotate"),
    "JX": _spec("J", "exclude annotate"),
    "t": _one_of("t", -1, 0, 1, 3, 50),
    "m": _one_of("m", 0, 1, 100, 100000),
    "I": lambda d: d.add(
        "I", d.rng.choice([d.subject.sources, "/nowhere", d.subject.sources + ":/tmp"])
    ),
    "R": lambda d: d.add(
        "R", None if d.has("r") else subjects.write_map(d.rng, d.subject, d.base + "-map")
    ),
    "S": lambda d: d.add("S", subjects.write_table(d.rng, d.subject, d.base + "-table")),
    "O": Draw.format,
}


def draw_options(draw, known):
    for _ in range(draw.rng.randint(0, 6)):
        option = draw.rng.choice(known)
        if option in MAKERS:
            MAKERS[option](draw)
        elif option != "r" or not draw.has("R"):
            draw.options.append((option, None))


# ---- The same options in other words ----

LONG = {
    "A": "annotated-source",
    "C": "exec-counts",
    "D": "ignore-non-functions",
    "I": "directory-path",
    "J": "no-annotated-source",
    "L": "print-path",
    "N": "no-time",
    "O": "file-format",
    "P": "no-flat-profile",
    "Q": "no-graph",
    "R": "file-ordering",
    "S": "external-symbol-table",
    "T": "traditional",
    "Z": "no-exec-counts",
    "a": "no-static",
    "b": "brief",
    "c": "static-call-graph",
    "i": "file-info",
    "l": "line",
    "m": "min-count",
    "n": "time",
    "p": "flat-profile",
    "q": "graph",
    "r": "function-ordering",
    "s": "sum",
    "t": "table-length",
    "w": "width",
    "x": "all-lines",
    "y": "separate-files",
    "z": "display-unused-functions",
}
WITHOUT_LETTER = [
    "demangle",
    "no-demangle",
    "inline-file-names",
    "debug",
    "help",
    "version",
    "file-format",
]
OPTIONAL = set("ACJPpQqZ") | {"demangle"}


def abbreviated(rng, name):
    names = set(LONG.values()) | set(WITHOUT_LETTER)
    shortest = next(
        n
        for n in range(1, len(name) + 1)
        if n == len(name) or not any(o != name and o.startswith(name[:n]) for o in names)
    )
    return name[: rng.randint(shortest, len(name))]


def words_of(rng, options):
    """Options as words of the command line, by letter or by name, whole or abbreviated."""
    words = []
    for name, argument in options:
        if len(name) > 1 or (name in LONG and rng.random() < 0.2):
            long = "--" + abbreviated(rng, LONG.get(name, name))
            if argument is None:
                words.append(long)
            elif name in OPTIONAL or rng.random() < 0.5:
                words.append(long + "=" + argument)
            else:
                words += [long, argument]
        elif argument is None:
            is_joint = (
                words
                and rng.random() < 0.2
                and words[-1][1:].isalpha()
                and not set(words[-1][1:]) & OPTIONAL
            )
            if is_joint and len(words[-1]) == 2 and words[-1][1] in "abBcDilLrsTxyz":
                words[-1] += name
            else:
                words.append("-" + name)
        elif name in OPTIONAL or rng.random() < 0.3:
            words.append("-" + name + argument)
        else:
            words += ["-" + name, argument]
    return words


def command_line(rng, words, files, base):
    """Words and files in one of the possible orders, some of the words in a file."""
    if rng.random() < 0.1:
        harness.write(base + "-args", " ".join(words).encode())
        words = ["@" + base + "-args"]
    return files + words if rng.random() < 0.1 else words + files


# ---- Comparing ----


def limited(command, cwd, env):
    return harness.run_limited(command, cwd, env, REFERENCE_TIMEOUT)


# Options of our own that change no report of old.
NEUTRAL = ["--quiet", "--no-recurse", "--source-map=/nowhere=/elsewhere"]


def run_both(arguments, more):
    """Runs both programs in a directory that no other process uses, ours with MORE options; returns
    the result of
    each, and the files it made."""
    directory = os.path.join(TEMP, "cwd-%d" % os.getpid())
    os.mkdir(directory)
    theirs = reference.run_with_files(arguments, directory, harness.FILLED_MEMORY, limited)
    ours = limited([harness.GPROF] + more + arguments, directory, harness.FILLED_MEMORY)
    files = {
        name: harness.read(os.path.join(directory, name)) for name in sorted(os.listdir(directory))
    }
    shutil.rmtree(directory)
    return (ours, files), theirs


def check_sum(draw, image, sums):
    """What is wrong with our sum: the reports of the reference on it must equal those on the
    profiles.  As with
    -s, calls are excluded line by line."""
    if "gmon.sum" not in sums:
        return "no gmon.sum"
    path = harness.write(draw.base + "-sum", sums["gmon.sum"])
    symbols = words_of(random.Random(0), [o for o in draw.options if o[0] in "aDSR"])
    calls = [
        ("k", a) if n == "k" else (n, a)
        for n, a in draw.options
        if a and (n == "k" or (n in "qQ" and "/" in a))
    ]
    same = ["-b", "-l", "-p", "-q", "-z"] + symbols
    whole = reference.run(same + words_of(random.Random(0), calls) + [image] + draw.profiles)
    part = reference.run(same + [image, path])
    if calls and b"missing call-graph" in part[2]:
        return ""  # all calls are left out
    if harness.reference_fails(whole):
        return "" if part[0] in (0, 1) else "the reference fails on the sum: " + harness.said(part)
    return harness.disagreement(without_order(part), without_order(whole))


def without_order(result):
    """A result without the order of -R, which is after the index.  The reference's order depends on
    the order of the
    calls, which changes in a sum if some are excluded."""
    status, text, said = result
    before, heading, index = text.rpartition(b"Index by function name\n")
    kept = [line for line in index.splitlines(True) if line[:1] in b" \n"]
    return status, before + heading + b"".join(kept) if heading else text, said


def compare(draw, image, arguments, more):
    """(how the reference failed or None, what differs)."""
    (ours, our_files), (theirs, their_files) = run_both(arguments, more)
    why = harness.reference_fails(theirs)
    if theirs[0] not in (0, 1):
        may_loop = draw.has("r", "R") and draw.leaves_out_calls()
        may_crash = draw.has("c") and (
            draw.has("S") or (draw.has("l", "s") and draw.subject.has_more_code())
        )
        if not may_loop and not may_crash:
            return None, "the reference fails: " + harness.said(theirs)
    if draw.has("s") and ours[0] == 0:
        what = check_sum(draw, image, our_files)
        our_files.pop("gmon.sum", None), their_files.pop("gmon.sum", None)
        if what:
            return None, "the sum: " + what
    if draw.has("r", "R") and not why:
        symbols = words_of(random.Random(0), [o for o in draw.options if o[0] in "aDlsS"])
        symbols = ["-l" if word == "-s" else word for word in symbols]
        count = subjects.symbol_count(symbols, image) if draw.has("r") else len(objects(draw))
        has_graph = draw.has("r") and draw.has("q", "Q", "B") and count >= 80
        what = subjects.order_disagreement(
            ours, theirs, count, draw.leaves_out_calls() or has_graph
        )
    else:
        what = harness.disagreement(ours, theirs)
    if what and harness.keeps_cycle_time(arguments):
        return "25: the reference loses the time of a cycle", ""
    if not what and not why and our_files != their_files:
        for name in sorted(set(our_files) | set(their_files)):
            what += harness.diff(their_files.get(name, b""), our_files.get(name, b""))
    return why, what


def objects(draw):
    path = next(argument for name, argument in draw.options if name == "R")
    return {line.split(b":")[0] for line in harness.read(path).splitlines()}


def check_draw(seed, number, material):
    images, reals = material
    rng = draws.generator("options", seed, number)
    base = os.path.join(TEMP, "draw-%d" % number)
    is_real = bool(reals) and rng.random() < 0.5
    subject = rng.choice(reals) if is_real else subjects.drawn(rng, images, base)
    draw = Draw(rng, subject, base)
    draw_options(draw, optionsets.ALL)
    more = random.Random(number).sample(NEUTRAL, number % 3)
    image = subject.twin if draw.has("c") else subject.image
    words = ["-b"] + words_of(rng, draw.options)
    arguments = command_line(rng, words, [image] + draw.profiles, base)
    why, complaint = compare(draw, image, arguments, more)
    made = [
        os.path.join(TEMP, name)
        for name in os.listdir(TEMP)
        if name.startswith(os.path.basename(base) + "-")
    ]
    if complaint:
        where = draws.keep(
            "options", seed, number, [image] + (draw.profiles if is_real else []) + made
        )
        complaint = "gprof %s, files in %s\n%s\n" % (shlex.join(more + arguments), where, complaint)
    for path in made:
        os.unlink(path)
    return draws.Result(complaint, "the reference fails, difference %s" % why if why else "")


def make_subjects(seed):
    """Drawn images, and real programs."""
    return subjects.draw_images(random.Random(seed), seed), subjects.real()


def main():
    def title(number):
        return "draws from %d on" % (number // BATCH * BATCH)

    return draws.main(
        draws.Test(
            "RANDOM_OPTIONS", harness.sized(350, 1500), draws.each(check_draw), title, make_subjects
        )
    )


if __name__ == "__main__":
    sys.exit(main())
