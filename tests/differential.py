#!/usr/bin/env python3
"""Compares reports of real programs with the reference's, byte for byte.

Usage: differential.py [--set OPTIONS] [PROGRAM...]

--set tests only one set of options.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import random
import re
import shlex
import subprocess

from lib import elf, gmonfile, harness, optionsets, programs, reference, subjects
from lib.gmonfile import Histogram, Layout, Profile

SHOWN = 3  # differences of a program that are shown in full


def compare(options, files):
    """How the two results with OPTIONS differ; empty if they do not.

    Both run in the directory of the image, where relative names of sources and files by build id
    are searched.
    """
    arguments = ["-b"] + shlex.split(options) + files
    place = os.path.dirname(files[0])
    ours = harness.run([harness.GPROF] + arguments, cwd=place)
    theirs = reference.run(arguments, place, harness.FILLED_MEMORY)
    if "-r" in options.split():
        count = subjects.symbol_count(["-l"] if "-l" in options.split() else [], files[0])
        what = subjects.order_disagreement(ours, theirs, count, False)
    else:
        what = harness.disagreement(ours, theirs)
    return ["gprof %s\n%s" % (shlex.join(arguments), what)] if what else []


def tables(text):
    """The tables of reports with explanations: {name: lines}."""
    found = {}
    flat = re.search(rb"^Flat profile:\n.*?\n\n(?:  %.*?\n\n)?", text, re.S | re.M)
    graph = re.search(rb"^granularity:.*^-{20,}\n", text, re.S | re.M)
    index = re.search(rb"^Index by function name\n.*\Z", text, re.S | re.M)
    for name, match in (("flat", flat), ("graph", graph), ("index", index)):
        found[name] = match.group(0) if match else b""
    return found


def compare_tables(files):
    """The same for reports with explanations, which are not compared."""
    ours, theirs = harness.run([harness.GPROF] + files), reference.run(files)
    mine, other = tables(ours[1]), tables(theirs[1])
    wrong = [name for name in other if mine[name] != other[name]]
    what = "\n".join(name + ":\n" + harness.diff(other[name], mine[name]) for name in wrong)
    return ["gprof %s (with explanations)\n%s" % (shlex.join(files), what)] if what else []


def compare_formats(subject, base):
    """The same for BSD profiles: from a file; and from a pipe, from which the reference cannot read
    them."""
    complaints = []
    for format, word in (("magic", "magic"), ("bsd", "bsd"), ("bsd44", "4.4bsd")):
        (path,) = subject.converted(format, base + "-" + format)
        for options in ("", "-O " + word, "-l -p"):
            complaints += compare(options, [subject.image, path])
        theirs = reference.run(["-b", subject.image, path])
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as pipe:
            ours = harness.run([harness.GPROF, "-b", subject.image, "-"], stdin=pipe.stdout)
        what = harness.disagreement(ours, theirs)
        if what:
            complaints.append("a pipe of %s\n%s" % (path, what))
    return complaints


def compare_samples_alone(subject, base):
    """Profiles without calls, which count as having calls in BSD formats."""
    profile = gmonfile.read_magic(
        gmonfile.layout_of(subject.image), harness.read(subject.profiles[0])
    )
    samples = [record for record in profile.records if isinstance(record, Histogram)]
    complaints = []
    for format in ("magic", "bsd", "bsd44") if len(samples) == 1 else ():
        path = harness.write(
            "%s-samples-%s" % (base, format), Profile(profile.layout, samples).bytes(format)
        )
        for options in ("", "-q", "-T -p", "-T -Q -l", "-i -q", "-z -r"):
            complaints += compare(options, [subject.image, path])
    return complaints


def check_program(task):
    """(reason for skipping, failures) of one program with option sets, and with the other
    comparisons if it
    IS_WHOLE."""
    program, sets, is_whole = task
    subject, why = subjects.of_program(program)
    if not subject:
        return why, []
    base = os.path.join(harness.TEMP, program.name)
    files = [subject.image] + subject.profiles
    complaints = []
    for options in sets:
        complaints += compare(options, files)
    if not is_whole:
        return "", complaints
    for options in ("", "-z"):
        complaints += compare(options, files + subject.profiles)
    for options in ("-c", "-c -z", "-c -l -q")[: 2 if subject.has_more_code() else 3]:
        complaints += compare(options, [subject.twin] + subject.profiles)
    rng = random.Random(program.name)
    complaints += compare("-R " + subjects.write_map(rng, subject, base + "-map"), files)
    complaints += compare("-S " + subjects.write_table(rng, subject, base + "-table"), files)
    complaints += compare_formats(subject, base) + compare_samples_alone(subject, base)
    return "", complaints + compare_tables(files)


def check_object(sets):
    """(reason for skipping, failures) of an object file, whose debug information must be
    relocated."""
    compiler = harness.tool("CC", "cc")
    path = os.path.join(harness.TEMP, "object.o")
    sources = [os.path.join(programs.SOURCES, name) for name in ("mix2.c", "padding.c")]
    if (
        not compiler
        or harness.run(compiler + ["-g", "-O1", "-r", "-nostdlib", "-o", path] + sources)[0] != 0
    ):
        return "needs a compiler that links objects", []
    data = harness.read(path)
    if data[:6] != b"\x7fELF\2\1":
        return "objects are not of the layout that the profile has", []
    _, low, size = elf.text(data)
    functions = [value for _, value, _ in elf.symbols(path) if low <= value < low + size]
    sampled = (max(functions) - low) // 4  # without the padding
    histogram = Histogram(
        low, low + size // 4 * 4, size // 4, {i: 1 + i % 5 for i in range(sampled)}
    )
    arcs = [("arc", low + 4 * i, function, 1 + i) for i, function in enumerate(functions)]
    profile = harness.write(path + ".gmon", Profile(Layout(), [histogram] + arcs).bytes())
    return "", [complaint for options in sets for complaint in compare(options, [path, profile])]


def tasks(chosen, sets):
    """The comparisons: a quarter of the sets with each program, each set with a quarter of the
    programs, all with CHECK_LONG=1.
    With TEST_SAMPLE=N one Nth of that, and one Nth of the programs with the other comparisons."""
    n = harness.SAMPLE
    share = n * harness.sized(min(4, len(sets)), 1)
    return [(program, sets[i % share :: share], i % n == 0) for i, program in enumerate(chosen)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", action="append")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    if not harness.has_reference():
        harness.skip_all("no " + harness.REFERENCE)
    sets = arguments.set or optionsets.SETS
    chosen = [
        p for p in programs.PROGRAMS if not arguments.programs or p.name in arguments.programs
    ]
    tap = harness.Tap()
    results = list(harness.parallel(check_program, tasks(chosen, sets)))
    names = ["%s: %s" % (program.name, " ".join(program.flags)) for program in chosen]
    if not arguments.programs:
        names.append("an object file")
        results.append(check_object(sets))
    for name, (why, complaints) in zip(names, results):
        if why:
            tap.skip(name, why)
            continue
        more = ["... and %d more" % (len(complaints) - SHOWN)] if len(complaints) > SHOWN else []
        tap.ok(not complaints, name, "\n".join(complaints[:SHOWN] + more))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
