#!/usr/bin/env python3
"""Replays the first inputs of the fuzzers and their former findings: none crashes.

tests/fuzz/regressions/TARGET/NAME is an input that crashed, with a name that describes the bug.
Inputs of target
`image' are executables, and NAME.options has the options to report on them.  See scripts/fuzz.

Then executables and other inputs are damaged at random, more of them with CHECK_LONG=1.
DAMAGED_IMAGES and
DAMAGED_INPUTS in the environment override the number of executables and that of inputs of each
other kind.
"""

import sys

sys.dont_write_bytecode = True

import os

from lib import harness, seeds

sys.path.insert(0, os.path.join(harness.TESTS, "fuzz"))

import images
import inputs

REGRESSIONS = os.path.join(harness.TESTS, "fuzz", "regressions")
DRAWS = int(os.environ.get("DAMAGED_IMAGES") or harness.sized(80, 5000))
INPUTS = int(os.environ.get("DAMAGED_INPUTS") or harness.sized(50, 5000))
FAILURES = os.path.join(harness.BUILDDIR, "tests", "failures")


def replay(target, paths):
    program = os.path.join(harness.BUILDDIR, "tests", "fuzz", "replay_" + target)
    env = dict(harness.ENV, FUZZ_IMAGE=os.path.join(harness.TEMP, "image"))
    return harness.run([program] + paths, env=env)


def last_words(result, paths):
    """The target's messages about the file at which it crashed."""
    lines = result[2].decode("utf-8", "backslashreplace").splitlines()
    done = [i for i, line in enumerate(lines) if line.startswith("replayed ")]
    number = len(done)
    culprit = paths[number] if number < len(paths) else "the end"
    return "status %d at %s\n" % (result[0], culprit) + "\n".join(
        lines[done[-1] + 1 if done else 0 :][:60]
    )


def files_in(directory):
    return (
        [os.path.join(directory, name) for name in sorted(os.listdir(directory))]
        if os.path.isdir(directory)
        else []
    )


def check_target(tap, target):
    program = os.path.join(harness.BUILDDIR, "tests", "fuzz", "replay_" + target)
    if not os.path.exists(program):
        return tap.skip(target, "%s is not built" % program)
    paths = files_in(os.path.join(harness.TEMP, target))
    result = replay(target, paths)
    tap.ok(
        result[0] == 0,
        "%s: %d inputs to begin with" % (target, len(paths)),
        last_words(result, paths),
    )
    for path in files_in(os.path.join(REGRESSIONS, target)):
        result = replay(target, [path])
        tap.ok(
            result[0] == 0, "%s: %s" % (target, os.path.basename(path)), last_words(result, [path])
        )


def check_old_images(tap):
    for path in files_in(os.path.join(REGRESSIONS, "image")):
        if path.endswith(".options"):
            continue
        options = harness.read(path + ".options").decode().split()
        what = images.complaint(path, harness.read(path), options)
        tap.ok(not what, "image: " + os.path.basename(path), what)


def has_report(data):
    image = harness.write(os.path.join(harness.TEMP, "whole"), data)
    profile = os.path.join(harness.TEMP, images.profile_for(data))
    return b"Flat profile" in harness.run([harness.GPROF, "-b", image, profile])[1]


def check_new_images(tap):
    whole = dict(list(images.assembled_images()) + list(images.compiled_images()))
    unread = [name for name, data in whole.items() if not has_report(data)]
    tap.ok(not unread, "image: %d give reports while they are whole" % len(whole), unread)
    wrong = []
    for number in range(DRAWS):
        rng = images.random.Random("check/%d" % number)
        name, data = images.draw(rng, whole)
        options = rng.choice(images.OPTIONS)
        path = harness.write(os.path.join(harness.TEMP, "damaged"), data)
        what = images.complaint(path, data, options)
        if what:
            images.keep(FAILURES, "image-check-%d" % number, data, options, what)
            wrong.append("%s, draw %d, %s: %s" % (name, number, " ".join(options), what))
    tap.ok(not wrong, "image: %d damaged at random" % DRAWS, wrong[:5])


def check_inputs(tap):
    whole = inputs.make_whole()
    for kind in sorted(inputs.KINDS):
        name = "%s: %d damaged at random" % (kind, INPUTS)
        if kind == "serial" and not whole["logs"]:
            tap.skip(name, "no compiler")
            continue
        results = harness.parallel(inputs.Draws(kind, "check", whole, FAILURES), range(INPUTS))
        wrong = [what for what, _, _ in results if what]
        tap.ok(not wrong, name, wrong[:5])


def main():
    tap = harness.Tap()
    seeds.write_all(harness.TEMP)
    images.write_profiles()
    for target in sorted(seeds.SEEDS):
        check_target(tap, target)
    if not harness.is_reference():
        check_old_images(tap)
        check_new_images(tap)
        check_inputs(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
