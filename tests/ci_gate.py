#!/usr/bin/env python3
"""gprof-gate and doc/CI: the commands of the document, in a small project; wrong arguments and
programs that fail.  A
stub stands for regmon.  With CHECK_LONG=1, regmon runs, beside other work: 40 gates of a build
against itself, and 40
of one with a slower function.
"""

import sys

sys.dont_write_bytecode = True

import json
import os
import re
import shlex
import shutil
import subprocess

from lib import ci_project, harness
from lib.ci_project import CI, doc_commands, pattern, said, words_of
from lib.harness import write

GATE = os.path.join(CI, "gprof-gate")
LONG = harness.sized(0, 20)

# ---- The document ----


def steps_of_document():
    """Those that ci_services.py does not run."""
    return [
        step
        for title in ("The same by hand", "A baseline in a file", "Call counts")
        for step in doc_commands()[title]
    ]


def run_step(project, step):
    """Whether a command prints what the document shows, and its result."""
    command, lines = step
    if "--save" in command:
        project.sh("rm -f base.json calls.json")
    result = project.sh(command)
    return result[0] == 0 and bool(re.fullmatch(pattern(lines), result[1])), result


def check_document(tap, project):
    steps = steps_of_document()
    tap.ok(len(steps) == 10 and len(doc_commands()) == 5, "doc/CI has its commands", doc_commands())
    for step in steps:
        good, result = run_step(project, step)
        tap.ok(good, "doc/CI: " + words_of(step[0]), said(result))
    left = os.listdir(project.scratch)
    tap.ok(not left, "gprof-gate leaves nothing in TMPDIR", " ".join(left))
    shown = project.text("slower.md")
    tap.ok(
        re.search(
            (
                r"^### changed: profile of 10 runs\n\n    gprof: regression: hash: .*\n\ntotal .*;"
                r" slower: hash .*\n\n\| before "
            ),
            shown,
            re.M,
        ),
        "the summary has the verdict and the table",
        shown,
    )


def start_load():
    """Other work for all processors."""
    return [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in os.sched_getaffinity(0)
    ]


def stop_load(processes):
    for process in processes:
        process.kill()
        process.wait()


def check_often(tap, project):
    """On a loaded machine, LONG times each: the comparisons of the document with the executable and
    with a file, of the
    same program and of one in which a function is 20 % slower."""
    steps = [step for step in steps_of_document() if "regmon" in step[0]]
    gates = [step for step in steps if "--save" not in step[0]]
    tap.ok(len(steps) == 5 and len(gates) == 4, "comparisons of the document", steps)
    statuses = {"same": [], "slower": []}
    for _ in range(LONG):
        for step in steps:
            command = words_of(step[0]).split("; echo")[0]
            if step not in gates:
                project.sh("rm -f base.json")
            result = project.sh(command)
            if step in gates:
                statuses["slower" if " changed " in command else "same"].append(result[0])
            print("# %d: %s" % (result[0], " ".join(result[1].split())))
            sys.stdout.flush()
    alarms, found = statuses["same"].count(3), statuses["slower"].count(3)
    tap.ok(
        alarms <= len(statuses["same"]) // 20,
        "at most 2 of 40 gates of a build against itself fail",
        "%d: %s" % (alarms, statuses["same"]),
    )
    tap.ok(
        found >= len(statuses["slower"]) * 9 // 10,
        "at least 36 of 40 gates find a function 20 % slower",
        "%d: %s" % (found, statuses["slower"]),
    )
    errors = [status for group in statuses.values() for status in group if status not in (0, 3, 4)]
    tap.ok(not errors, "and none ends with an error", errors)


# ---- The script ----

# (arguments, status, part of the message); the program is built without a profile in it if it is
# called plain.
REFUSED = [
    ("", "the executable is missing"),
    ("program", "one of --save, --base and --base-image is required"),
    ("--base=no.json program", "no.json: there is no such baseline"),
    ("--base-image=none program", "none: no such executable"),
    ("--save=new.json none", "none: no such executable"),
    ("--save=new.json program.c", "program.c: not executable"),
    ("--save=exists program", "exists: exists; remove it"),
    ("--keep=exists --save=new.json program", "exists: exists; name another"),
    ("--base=exists --base-image=program program", "cannot be used together"),
    ("--fail-above=5 --save=new.json program", "a gate or summary requires --base"),
    ("--runs=0 --save=new.json program", "--runs=0: not a number"),
    ("--most-runs=x --save=new.json program", "--most-runs=x: not a number"),
    ("--runs=1x --save=new.json program", "--runs=1x: not a number"),
    ("--bogus --save=new.json program", "--bogus: unknown option"),
    ("--save", "--save: its argument is missing"),
    ("--save= program", "--save=: unknown option, or its argument is missing"),
    ("--save=new.json program 5", "5: options precede the executable"),
    ("--save=new.json program --", "no command after `--'"),
    (
        "--save=new.json program -- sh -c 'echo why; exit 7'",
        "why\ngprof-gate: run 1 of 5 of program: exit status 7",
    ),
    ("--save=new.json program -- ./nothing", "run 1 of 5 of program: exit status 127"),
    ("--save=new.json program -- sh -c 'kill -9 $$'", "run 1 of 5 of program: exit status 137"),
    ("--save=new.json plain", "run 1 of 5 of plain: no profile: is it linked with -pg"),
    (
        "--save=new.json program -- sh -c 'echo x >$GMON_OUT_PREFIX.5'",
        "new.json: no baseline was written",
    ),
    ("--save=none/new.json --runs=1 program -- {} 1", "none/new.json: no baseline was written"),
    ("--base=exists --runs=1 program -- {} 1", "not compared (gprof: exit status 1)"),
    ("--base-image=plain --runs=1 program -- {} 1", "run 1 of 1 of plain: no profile"),
    ("--base=calls.json --runs=1 --fail-above=x program -- {} 1", "not a threshold"),
]


def check_refused(tap, project):
    write(project.file("exists"), b"{}\n")
    project.sh("gcc -o plain program.c")
    wrong = []
    for words, message in REFUSED:
        before = harness.state_of(project.path)
        status, out = project.sh("contrib/ci/gprof-gate " + words)
        if status != 1 or message not in out:
            wrong.append("%s: status %d\n%s" % (words, status, out))
        elif harness.state_of(project.path) != before or os.listdir(project.scratch):
            wrong.append("%s: writes a file" % words)
    tap.ok(not wrong, "errors: status 1, a message that names the place, no files", wrong)


def check_stacks(tap, project):
    if not os.path.exists(ci_project.REGMON) or harness.is_sanitized():
        tap.skip("call stacks stay beside the profiles", "no regmon")
        return
    gate = "contrib/ci/gprof-gate --runs=2 --keep=stacked --save=stacked.json "
    status, out = project.sh(gate + "program -- %s {} 1" % shlex.quote(ci_project.REGMON))
    files = sorted(os.listdir(project.file("stacked/after"))) if status == 0 else []
    tap.ok(
        files == ["gmon.1", "gmon.1.stacks", "gmon.2", "gmon.2.stacks"],
        "call stacks stay beside the profiles",
        said((status, out)),
    )


def is_used(name):
    return '[ "$1" = --version ] || echo %s >>named/used; exec %s "$@"\n' % (
        name,
        shlex.quote(harness.GPROF),
    )


# The name of the script, programs beside it or in PATH, and which of them it uses, or what it says.
PROGRAMS = [
    (
        "re-gprof-gate",
        {"re-gprof": is_used("re-gprof"), "path/gprof": is_used("gprof")},
        "re-gprof",
    ),
    ("gprof-gate", {"path/gprof": is_used("gprof")}, "gprof"),
    ("my-gate", {"path/my": "echo my >>named/used\n", "path/gprof": is_used("gprof")}, "gprof"),
    ("my-gate", {"my": "echo my 1.0\n", "path/gprof": is_used("gprof")}, "gprof"),
    (
        "gprof-gate",
        {"path/gprof": "echo GNU gprof\n"},
        (
            "named/path/gprof: is not the gprof of regprof; the environment variable GPROF names"
            " the one to use"
        ),
    ),
]


def check_script(tap, project):
    status, out = project.sh("contrib/ci/gprof-gate --help")
    tap.ok(
        status == 0
        and "--base-image=OLD" in out
        and out.endswith("; 1 an error, or BAD passes\nthe gate.\n"),
        "--help",
        out,
    )
    status, out = project.sh("contrib/ci/gprof-gate -V; gprof -V")
    lines = out.split("\n")
    of_gprof = lines[len(lines) // 2 :]
    tap.ok(
        status == 0
        and lines[0].startswith("gprof-gate (regprof) ")
        and lines[0].split()[1:] == of_gprof[0].split()[1:],
        "-V",
        out,
    )
    status, out = project.sh("GPROF=nothing contrib/ci/gprof-gate --save=new.json program")
    tap.ok(status == 1 and "nothing: not found" in out, "there is no gprof", out)
    for name, others, wanted in PROGRAMS:
        project.sh("rm -rf named && mkdir -p named/path && cp contrib/ci/gprof-gate named/" + name)
        for other, text in others.items():
            os.chmod(write(project.file("named/" + other), b"#!/bin/sh\n" + text.encode()), 0o755)
        status, out = project.sh(
            "PATH=$PWD/named/path:/usr/bin:/bin named/%s --runs=1 --save=named/saved.json program"
            " -- {} 1" % name
        )
        used = project.text("named/used") if os.path.exists(project.file("named/used")) else ""
        tap.ok(
            (status == 0 and used.startswith(wanted + "\n"))
            or (status == 1 and out.endswith(wanted + "\n")),
            "%s beside %s" % (name, " ".join(others)),
            used + out,
        )
    gate = "contrib/ci/gprof-gate --runs=2 "
    status, out = project.sh(
        gate
        + "--base=calls.json --keep=kept --fail-calls=0 --allow='^(hash|total)$' --allow=\"it's\""
        " --fail-scope=function program -- {} 1"
    )
    files = sorted(os.listdir(project.file("kept/after")))
    tap.ok(
        status == 0 and files == ["gmon.1", "gmon.2"],
        "--keep; options for gprof are quoted",
        said((status, out)),
    )
    status, out = project.sh(
        gate + "--base-image=program --fail-above=10,0.01 --fail-inconclusive program -- {} 1"
    )
    tap.ok(
        status == 4 and "too few samples" in out, "too few samples: status 4", said((status, out))
    )
    status, out = project.sh(
        gate + "--most-runs=7 --keep=more --base-image=program program -- {} 1"
    )
    files = [sorted(os.listdir(project.file("more/" + side))) for side in ("before", "after")]
    tap.ok(
        status == 4 and files == [["gmon.%d" % i for i in range(1, 8)]] * 2,
        "--most-runs: more runs while it sees too little",
        said((status, out)),
    )
    spy = (
        'printf \'#!/bin/sh\\n[ "$1" != --version ] || exec gprof --version\\necho "$*"'
        " >>spied\\nexit 4\\n' >spy && chmod +x spy && rm -f spied && GPROF=./spy "
    )
    for options, expected in (
        ("--most-runs=7", "0.0166667"),
        ("--most-runs=8 --alpha=0.03", "0.01"),
        ("--most-runs=3", "0.025"),
        ("", None),
    ):
        project.sh(spy + gate + options + " --base-image=program program -- {} 1")
        calls = [
            line
            for line in open(project.file("spied")).read().split("\n")
            if "--format=markdown" in line
        ]
        alphas = [
            [word[8:] for word in line.split() if word.startswith("--alpha=")][-1:]
            for line in calls
        ]
        tap.ok(
            alphas and all(found == [expected][: expected is not None] for found in alphas),
            "--alpha is divided by the number of looks: " + options,
            alphas,
        )
    status, out = project.sh(gate + "--base-image=program program -- {} 1")
    tap.ok(
        status == 4 and "too few samples to see a regression of 10 %" in out,
        "the same without a gate: there is one",
        said((status, out)),
    )
    status, out = project.sh(
        gate + '--base=calls.json --fail-calls=0 program -- sh -c \'"$1" 50; cd /; "$1" 50\' - {}'
    )
    tap.ok(
        status == 0 and "no calls grew" in out,
        "processes of a run are added up",
        said((status, out)),
    )
    status, out = project.sh(
        "LC_ALL=C.UTF-8 "
        + gate
        + "--save=new.json program -- sh -c '[ \"$LC_ALL\" = C.UTF-8 ] && ! read line && {} 1'"
        " ./program"
    )
    tap.ok(status == 1, "`{}' within an argument stays as it is", said((status, out)))
    status, out = project.sh(
        "LC_ALL=C.UTF-8 "
        + gate
        + '--save=new.json program -- sh -c \'[ "$LC_ALL" = C.UTF-8 ] && ! read line && "$0" 1\' {}'
    )
    saved = json.loads(project.text("new.json") or "{}")
    tap.ok(
        status == 0 and not out and len(saved.get("inputs", [])) == 2,
        "the command has the caller's locale, and no input",
        said((status, out)),
    )


# Records stacks as well, if it is told to: hash () is called by main (), and has as many as ROUNDS
# says, where
# the sampler has them.
STACKER = r"""
regmon -c perf -r 5000 "$1" 60 || exit
[ "$REGMON_STACKS" = 1 ] || exit 0
address() { nm "$program" | sed -n "s/^0*\([0-9a-f]*\) [Tt] $1\$/\1/p"; }
program=$1
for profile in "$GMON_OUT_PREFIX".*; do
    [ "$profile" = "${profile%.stacks}" ] && [ ! -e "$profile.stacks" ] || continue
    rounds=$(readelf --debug-dump=info "$1" | sed -n '/: ROUNDS$/{n;s/.*: //p;}')
    {
        text=$(address make_text)
        printf '# regmon stacks 3\n# rate 5000\n# histogram %s %x %d\n' "$text" $((0x$text + 16)) $((725 * rounds / 40 + 190))
        printf '# program 0 %s\n' "$1"
        printf '0:%s;0:%x %d\n' "$(address main)" $((0x$(address hash) + 4)) $((725 * rounds / 40))
        printf '# samples %d\n' $((725 * rounds / 40))
    } >"$profile.stacks"
done
"""


def check_inclusive(tap, project):
    project.add_command("stacker", STACKER)
    gate = "contrib/ci/gprof-gate --runs=3 --fail-scope=inclusive --fail-above=10,0.005 "
    status, out = project.sh(gate + "--base-image=program --keep=stacks changed -- stacker {}")
    good = status == 3 and re.search(
        r"^gprof: regression: (hash|main) with its callees: 0\.14500 s -> 0\.17400 s", out, re.M
    )
    tap.ok(good and "| total-before |" in out, "--fail-scope=inclusive", said((status, out)))
    files = sorted(os.listdir(project.file("stacks/before")))
    tap.ok(
        files == sorted("gmon.%d%s" % (i, end) for i in range(1, 4) for end in ("", ".stacks")),
        "--fail-scope=inclusive: --keep",
        files,
    )
    status, out = project.sh(gate + "--base-image=program program -- stacker {}")
    tap.ok(
        status == 0 and "no regression above 10 %" in out,
        "--fail-scope=inclusive: the same program",
        said((status, out)),
    )
    status, out = project.sh(gate + "--base-image=program program -- regmon -c perf -r 5000 {} 60")
    tap.ok(
        status == 1 and "no stacks: is it linked with libregmon" in out,
        "--fail-scope=inclusive: no stacks",
        said((status, out)),
    )
    status, out = project.sh(
        gate + '--base-image=program changed -- sh -c \'stacker "$1"; stacker "$1"\' - {}'
    )
    tap.ok(
        status == 3 and "with its callees: 0.29000 s -> 0.34800 s" in out,
        "--fail-scope=inclusive: stacks of the processes of a run are added up",
        said((status, out)),
    )
    status, out = project.sh(gate + "--base=calls.json program -- stacker {}")
    tap.ok(
        status == 1 and "has no recorded stacks: inclusive times cannot be judged" in out,
        "--fail-scope=inclusive: a baseline in a file",
        said((status, out)),
    )


def check_shell(tap):
    if not shutil.which("shellcheck"):
        return tap.skip("gprof-gate, says shellcheck", "there is none")
    result = harness.run([shutil.which("shellcheck"), GATE])
    tap.ok(result[0] == 0, "gprof-gate, says shellcheck", result[1])


def main():
    tap, project = harness.Tap(), ci_project.need()
    if LONG:
        project.sh("gcc -g -O2 -pg -DSLOWER -o changed program.c")
        load = start_load()
        try:
            check_often(tap, project)
        finally:
            stop_load(load)
        return tap.done()
    check_shell(tap)
    check_document(tap, project)
    check_refused(tap, project)
    check_script(tap, project)
    check_inclusive(tap, project)
    check_stacks(tap, project)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
