#!/usr/bin/env python3
"""Compares reports of real programs with the reference's, byte for byte.

Usage: differential.py [--all] [--set OPTIONS] [PROGRAM...]

--all asks for the option sets of what is yet to come as well, --set for one set only.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import os
import re
import shlex

import harness
import optionsets
import programs

SHOWN = 3  # differences of a program that are shown in full


def compare(directory, arguments):
    """Why the two disagree about ARGUMENTS; empty when they do not."""
    ours = harness.run([harness.GPROF] + arguments, directory)
    theirs = harness.run([harness.REFERENCE] + arguments, directory)
    return harness.disagreement(ours, theirs)


def tables(text):
    """The tables of reports with explanations: {name: lines}."""
    found = {}
    flat = re.search(rb"^Flat profile:\n.*?\n\n(?:  %.*?\n\n)?", text, re.S | re.M)
    graph = re.search(rb"^granularity:.*^-{20,}\n", text, re.S | re.M)
    index = re.search(rb"^Index by function name\n.*\Z", text, re.S | re.M)
    for name, match in (("flat", flat), ("graph", graph), ("index", index)):
        found[name] = match.group(0) if match else b""
    return found


def compare_tables(directory):
    """The same for what is printed with explanations, whose words are everyone's own."""
    ours = harness.run([harness.GPROF, "image", "gmon.out"], directory)
    theirs = harness.run([harness.REFERENCE, "image", "gmon.out"], directory)
    mine, other = tables(ours[1]), tables(theirs[1])
    wrong = [name for name in other if mine[name] != other[name]]
    return "\n".join(name + ":\n" + harness.diff(other[name], mine[name]) for name in wrong)


def check_program(task):
    """(why skipped, complaints) of one program under every option set."""
    program, sets = task
    directory, why = programs.build(program)
    if not directory:
        return why, []
    complaints = []
    for options in sets:
        for profiles in (["gmon.out"], ["gmon.out", "gmon.out"]):
            if len(profiles) > 1 and options not in ("", "-z"):
                continue
            arguments = ["-b"] + shlex.split(options) + ["image"] + profiles
            what = compare(directory, arguments)
            if what:
                complaints.append("gprof %s in %s\n%s" % (shlex.join(arguments), directory, what))
    what = compare_tables(directory)
    if what:
        complaints.append("gprof image gmon.out (with explanations) in %s\n%s" % (directory, what))
    return "", complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--set", action="append")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    if not harness.has_reference():
        harness.skip_all("no " + harness.REFERENCE)
    sets = arguments.set or optionsets.SETS + (optionsets.SETS_LATER if arguments.all else [])
    chosen = [p for p in programs.PROGRAMS if not arguments.programs or p.name in arguments.programs]
    tap = harness.Tap()
    results = harness.parallel(check_program, [(program, sets) for program in chosen])
    for program, (why, complaints) in zip(chosen, results):
        name = "%s: %s, %d option sets" % (program.name, " ".join(program.flags), len(sets))
        if why:
            tap.skip(name, why)
            continue
        more = ["... and %d more" % (len(complaints) - SHOWN)] if len(complaints) > SHOWN else []
        tap.ok(not complaints, name, "\n".join(complaints[:SHOWN] + more))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
