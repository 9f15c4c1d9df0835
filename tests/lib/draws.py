"""The main program of tests with random input:

    TEST.py [--draws N] [--seed S] [--only NUMBER]

A draw depends only on a seed and a number.  A failure names both: `--seed S --only NUMBER' repeats
the draw,
and KEEP=1 in the environment keeps its files.  Each test has an environment variable that overrides
the number
of draws, and TEST_SAMPLE=N runs one Nth of them (see harness.py).
"""

import argparse
import collections
import functools
import os
import random
import shutil

from lib import harness

FAILURES = os.path.join(harness.BUILDDIR, "tests", "failures")
SHOWN = 3  # failures per line of TAP that are shown in full

# What is wrong with a draw, or empty; and events to count, such as the ways in which the reference
# fails.
Result = collections.namedtuple("Result", "complaint note", defaults=("", ""))


class Test:
    """CHECK (seed, numbers, material) returns a Result for each of the draws NUMBERS, at most
    PER_TASK.  PREPARE
    (seed) makes the material, once.  TITLE (number) is the line of TAP that a draw belongs to."""

    def __init__(self, variable, draws, check, title, prepare=lambda seed: None, per_task=1):
        self.check, self.title, self.prepare, self.per_task = check, title, prepare, per_task
        self.draws = int(os.environ.get(variable) or -(-draws // harness.SAMPLE))

    def parts(self, arguments):
        """The numbers of the draws, grouped by task."""
        if arguments.only is not None:
            return [[arguments.only]]
        starts = range(0, arguments.draws, self.per_task)
        return [list(range(start, min(arguments.draws, start + self.per_task))) for start in starts]

    def run(self, tap, arguments):
        """Runs the draws; prints a line of TAP for each title."""
        material = self.prepare(arguments.seed)
        tasks = [
            (self.check, arguments.seed, numbers, material) for numbers in self.parts(arguments)
        ]
        titles = collections.defaultdict(list)
        for results in harness.parallel(_check, tasks):
            for number, result in results:
                titles[self.title(number)].append(result)
        for title, results in titles.items():
            _report(tap, title, results)


def _check(task):
    """[(number, Result)] of a task."""
    check, seed, numbers, material = task
    results = []
    for number, result in zip(numbers, check(seed, numbers, material)):
        where = "--seed %s --only %d: " % (seed, number)
        results.append(
            (number, result._replace(complaint=result.complaint and where + result.complaint))
        )
    return results


def _report(tap, title, results):
    wrong = [result.complaint for result in results if result.complaint]
    more = (
        ["... and %d more of %d" % (len(wrong) - SHOWN, len(results))] if len(wrong) > SHOWN else []
    )
    tap.ok(not wrong, "%s: %d draws" % (title, len(results)), "\n".join(wrong[:SHOWN] + more))
    for note, count in sorted(
        collections.Counter(result.note for result in results if result.note).items()
    ):
        tap.say("%s: %d times" % (note, count))


def each(check):
    """The check of a test with independent draws: CHECK (seed, number, material) returns a
    Result."""
    return functools.partial(_each, check)


def _each(check, seed, numbers, material):
    return [check(seed, number, material) for number in numbers]


def parse(test):
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=test.draws)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    return parser.parse_args()


def main(test, needs_assembler=True):
    """The main program of a test that compares with the reference; returns the exit status."""
    arguments = parse(test)
    if not harness.has_reference():
        harness.skip_all("no " + harness.REFERENCE)
    if needs_assembler and not (harness.tool("AS", "as") and harness.tool("LD", "ld")):
        harness.skip_all("no assembler")
    harness.mkgmon()
    tap = harness.Tap()
    test.run(tap, arguments)
    return tap.done()


def generator(name, seed, number):
    """The random numbers of a draw."""
    return random.Random("%s:%s:%d" % (name, seed, number))


def keep(name, seed, number, files):
    """Copies the files of a draw to a directory that is kept; returns it."""
    target = os.path.join(FAILURES, "%s-%s-%d" % (name, seed, number))
    os.makedirs(target, exist_ok=True)
    for path in files:
        shutil.copy(path, target)
    return target
