#!/usr/bin/env python3
"""gprof-gate bisect: finds a commit in a real repository by its call counts, skips commits that
cannot be judged, also by
their time, and leaves the user's work tree and repository as they were.  (ci_services.py finds one
by its time.)  With
CHECK_LONG=1, regmon measures the time.
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import signal
import subprocess

from lib import ci_project, harness
from lib.ci_project import said
from lib.harness import read, write

# The number of calls of step () is that of the compiler's command line and that of the source.
SOURCE = """\
#include <stdio.h>
#ifndef TIMES
#define TIMES 1
#endif
static __attribute__((noinline)) int step(int i) { __asm__ volatile(""); return i + 1; }
int main(void) { int n = 0; while (n < %d * TIMES) n = step(n); printf("%%d\\n", n); return 0; }
/* %s */
"""
MAKEFILE = "program: program.c\n\tgcc -g -O1 -pg%s -o $@ program.c\n"
CALLS = "bisect --runs=1 --fail-calls=0 "
TIME = "bisect --runs=%d --most-runs=%d --fail-above=10,0.005 --fail-inconclusive " % (
    harness.sized(5, 10),
    harness.sized(6, 40),
)

# (title, calls, flags of the compiler, whether it builds).  The sixth changes only the Makefile, so
# `make' would use the
# program of the fifth if that remained.
CALLS_OF_COMMITS = [
    ("count steps", 100, "", True),
    ("count the same steps", 100, "", True),
    ("forget a semicolon", 100, "", False),
    ("remember it", 100, "", True),
    ("fewer steps", 90, "", True),
    ("count twice\033", 90, " -DTIMES=2", True),
    ("say more", 90, " -DTIMES=2", True),
    ("say even \033[1mmore", 91, " -DTIMES=2", True),
]
BROKEN = [
    ("count", 100, "", True),
    ("count on", 100, "", True),
    ("forget\u009b", 100, "", False),
    ("count twice", 200, "", True),
]

# (rounds, texts) of commits: the fourth needs a fifth more time; the third runs too short for the
# gate to see anything.
TIMES_OF_COMMITS = [(40, 60), (39, 60), (40, 1), (48, 60), (48, 60), (49, 60)]


def make_calls(project, tag, commits):
    """A history with the tags TAG1, TAG2 and so on.  The program is in a directory."""
    project.must("git checkout -q --orphan " + tag)
    os.makedirs(project.file("the app"), exist_ok=True)
    for i, (title, calls, flags, builds) in enumerate(commits):
        write(
            project.file("the app/program.c"),
            (
                SOURCE % (calls, "" if title.startswith(("fewer steps", "count twice")) else title)
                + ("" if builds else "int wrong\n")
            ).encode(),
        )
        write(project.file("the app/Makefile"), (MAKEFILE % flags).encode())
        project.must(
            "git add 'the app' && git commit -q -m '%s' && git tag %s%d" % (title, tag, i + 1)
        )


def make_times(project, tag, commits):
    project.must("git checkout -q --orphan " + tag)
    source = read(ci_project.PROGRAM).decode()
    for i, (rounds, texts) in enumerate(commits):
        write(
            project.file("program.c"),
            ("/* %d */\n" % i + source.replace("ROUNDS = 40", "ROUNDS = %d" % rounds)).encode(),
        )
        write(project.file("texts"), b"%d\n" % texts)
        project.must(
            "git add program.c texts && git commit -q -m 'change %d' && git tag %s%d"
            % (i + 1, tag, i + 1)
        )


def gate(project, words, **variables):
    return project.sh("cd 'the app' && ../contrib/ci/gprof-gate " + words, **variables)


def state(project):
    """What the user has: files, the index, references, and a bisection of her own."""
    files = {
        path: value
        for path, value in harness.state_of(project.path).items()
        if "/.git/" not in path
    }
    return files, project.must(
        "git status --porcelain && git for-each-ref && git worktree list && git bisect log && ls"
        " .git && cat .git/HEAD"
    )


def check_calls(tap, project):
    write(project.file("the app/untracked"), b"untracked\n")
    write(project.file("the app/program.c"), b"changed\n")
    project.must("echo staged >staged && git add staged && git bisect start c8 c7")
    before = state(project)

    status, out = gate(project, CALLS + "--summary=../summary.md c1 c8 program -- make program")
    summary = project.text("summary.md")
    lines = [re.sub(r"\b[0-9a-f]{7,}\b", "HASH", line) for line in out.splitlines()]
    good = status == 0 and "first bad commit: HASH count twice?" in lines
    tap.ok(good, "bisect: the commit whose Makefile doubles the calls", said((status, out)))
    tap.ok(
        lines[-1] == "gprof: regression: step: 100 calls -> 180 calls (+80 %); 1 of 1 functions",
        "its verdict",
        out,
    )
    tap.ok(
        re.search(r"^\| .* \| 180 \| 80.0 \| `step` \|$", summary, re.M),
        "its table is in the summary",
        summary,
    )
    shown = [line for line in lines if line.startswith("gprof-gate: ")]
    expected = [
        "gprof-gate: HASH forget a semicolon: cannot be built",
        (
            "gprof-gate: HASH say even ?[1mmore: regression: step: 100 calls -> 182 calls (+82 %);"
            " 1 of 1 functions"
        ),
    ]
    tap.ok(
        len(shown) <= 5 and expected[1] == shown[0],
        "each commit is measured once, the bad one first",
        shown,
    )
    os.unlink(project.file("summary.md"))
    status, out = gate(
        project,
        CALLS
        + "c2 c8 program sh -c 'test -f Makefile && ! read line && \"$1\"' - {} -- make program",
    )
    good = status == 0 and "first bad commit" in out and "| `step` |" in out
    tap.ok(
        good,
        "the command runs in the directory of the commit; the table is printed without --summary",
        said((status, out)),
    )

    status, out = gate(project, CALLS + "b1 b4 program -- make program")
    good = status == 4 and re.search(r"one of these:\n\[\w+\] count twice\n\[\w+\] forget\?\n", out)
    tap.ok(
        good, "the commit before it cannot be built: both are named, status 4", said((status, out))
    )
    status, out = gate(project, CALLS + "side c8 program -- make program")
    tap.ok(
        status == 0 and "first bad commit" in out and "count twice" in out,
        "GOOD is on another branch",
        said((status, out)),
    )
    tap.ok(
        state(project) == before,
        "the work tree, the index, references and the user's bisection are unchanged",
    )
    tap.ok(not os.listdir(project.scratch), "no file is left")


# (arguments, part of the message): status 1.
REFUSED = [
    ("c1 c5 program -- make program", "c5: this commit passes the gate"),
    ("c1 c3 program -- make program", "Error 1\ngprof-gate: c3: cannot be built or measured"),
    ("fixed c8 program -- make program", "Some good revs are not ancestors of the bad rev"),
    ("c3 c8 program -- make program", "Error 1\ngprof-gate: c3: cannot be built"),
    ("c1 c8 program -- true", "no such executable"),
    ("c1 c8 program sh -c 'echo why; exit 7' -- make program", "why\ngprof-gate: run 1 of 1 of"),
    ("c1 c9 program -- make program", "c9: no such commit"),
    ("c1 program -- make program", "--: the executable is a relative path"),
    ("c1 c8 -- make program", "--: the executable is a relative path"),
    ("c1 c8 --runs=2 program -- make program", "--runs=2: the executable is a relative path"),
    ("c1 c8 program", "no command that builds program"),
    ("c1 c8 program --", "no command that builds program"),
    ("c1 c8", "a commit or the executable is missing"),
    ("--save=x.json c1 c8 program -- make program", "cannot be used with bisect"),
    ("--runs=x c1 c8 program -- make program", "--runs=x: not a number"),
]


def check_refused(tap, project):
    before, wrong = state(project), []
    for words, message in REFUSED:
        status, out = gate(project, CALLS + words)
        if status != 1 or message not in out:
            wrong.append("%s: status %d\n%s" % (words, status, out))
        if state(project) != before or os.listdir(project.scratch):
            wrong.append("%s: leaves something" % words)
    tap.ok(not wrong, "errors: status 1, a message, and nothing is left", wrong)
    status, out = project.sh(
        "cd / && '%s' bisect c1 c8 program -- make" % os.path.join(ci_project.CI, "gprof-gate")
    )
    tap.ok(
        status == 1 and "bisect requires a work tree of git" in out,
        "outside of a work tree",
        said((status, out)),
    )


def check_signal(tap, project):
    """A signal to gprof-gate alone, while a program runs."""
    before, flag = state(project), os.path.join(project.commands, "started")
    command = [
        os.path.join(ci_project.CI, "gprof-gate"),
        *CALLS.split(),
        "c1",
        "c8",
        "program",
        "sh",
        "-c",
        'echo $$ >"$0-" && mv "$0-" "$0" && sleep 3000',
        flag,
    ]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        process = subprocess.Popen(
            [*command, "--", "make", "program"],
            cwd=project.file("the app"),
            env=project.env(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        started = harness.wait_until(lambda: os.path.exists(flag))
        process.send_signal(number)
        out = process.communicate(timeout=harness.TIMEOUT)[0].decode()
        pid = int(read(flag) or 0)
        os.unlink(flag)
        is_gone = harness.wait_until(lambda: not os.path.exists("/proc/%d/cwd" % pid))
        good = (
            started
            and process.returncode == 1
            and is_gone
            and state(project) == before
            and not os.listdir(project.scratch)
        )
        tap.ok(
            good,
            "%s ends the program and removes all" % number.name,
            said((process.returncode, out)),
        )


def check_time(tap, project):
    measure = (
        " program sh -c 'regmon -c perf -r 5000 \"$1\" $(cat texts)' - {} -- make CFLAGS='-g -O2"
        " -pg' LDFLAGS=-pg program"
    )
    status, out = project.sh("contrib/ci/gprof-gate " + TIME + "time1 time6" + measure)
    good = (
        status == 4
        and "change 3: too few samples" in out
        and re.search(r"of these:\n\[\w+\] change 4\n\[\w+\] change 3\n", out)
    )
    tap.ok(good, "time: a commit with too few samples is skipped", said((status, out)))
    status, out = project.sh("contrib/ci/gprof-gate " + TIME + "time1 time3" + measure)
    tap.ok(
        status == 4 and "too few samples" in out,
        "time: BAD with too few samples is status 4",
        said((status, out)),
    )


def main():
    tap, times = harness.Tap(), ci_project.need("git", "setsid", "make")
    calls = ci_project.Project("calls")
    for project in (calls, times):
        project.must("git init -q")
    make_calls(calls, "b", BROKEN)
    make_calls(calls, "c", CALLS_OF_COMMITS)
    for branch, start in (("side", "c1"), ("fixed", "c8")):
        calls.must(
            "git checkout -q -b %s %s && git checkout -q c1 . && git commit -q --allow-empty -m %s"
            " && git checkout -q c" % (branch, start, branch)
        )
    check_calls(tap, calls)
    check_refused(tap, calls)
    check_signal(tap, calls)
    make_times(times, "time", TIMES_OF_COMMITS)
    check_time(tap, times)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
