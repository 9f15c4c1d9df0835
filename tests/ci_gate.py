#!/usr/bin/env python3
"""contrib/ci and doc/CI: the commands of the document, in a small project; the steps of the workflow files; wrong
arguments and programs that fail.  A stub stands for regmon.  With CHECK_LONG=1, regmon runs: all comparisons of the
document 20 times, with their figures.
"""

import sys

sys.dont_write_bytecode = True

import json
import os
import re
import shutil

from lib import ci_project, harness
from lib.ci_project import CI, Project, said
from lib.harness import TEMP, read, write

try:
    import yaml
except ImportError:
    yaml = None

GATE = os.path.join(CI, "gprof-gate")
DOCUMENT = os.path.join(harness.SRCDIR, "doc", "CI")
LONG = harness.sized(0, 20)
NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?"

# Services that the workflow files use: the baseline is the file $ARTEFACT.
STUBS = {
    "sudo": 'printf "%s\\n" "$*" >>"$TMPDIR/sudo.log"\n',
    "gh": 'case "$1 $2" in\n"run list") echo 4711 ;;\n"run download") [ "$3" = 4711 ] && mkdir base && cp "$ARTEFACT" base && chmod -x base/* ;;\n*) exit 2 ;;\nesac\n',
    "curl": 'while [ "$1" != --output ]; do shift; done\ncp "$ARTEFACT" "$2"\n',
}

# ---- The document ----


def doc_commands():
    """[command, lines shown] of the document, in order."""
    steps = []
    for line in read(DOCUMENT).decode().splitlines():
        if not line.startswith("    "):
            continue
        if line.startswith("    $ "):
            steps.append([line[6:], []])
        elif steps and steps[-1][0].endswith("\\"):
            steps[-1][0] += "\n" + line
        elif steps and not line.startswith("    " + " ") and re.match(r"gprof: |status |\.\.\.", line[4:]):
            steps[-1][1].append(line[4:])
    return steps


def words_of(command):
    """A command in one line."""
    return " ".join(command.replace("\\\n", "").split())


def pattern(lines):
    """An expression for the output: numbers may differ, except those of statuses."""
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:.*\n)*")
        elif line.startswith("status"):
            parts.append(re.escape(line) + r"\n")
        else:
            parts.append(NUMBER.join(map(re.escape, re.split(NUMBER, line))) + r"\n")
    return "".join(parts)


def run_step(project, step):
    """Whether a command prints what the document shows, and its result."""
    command, lines = step
    if "--save" in command:
        project.sh("rm -f base.json calls.json")
    result = project.sh(command)
    return result[0] == 0 and bool(re.fullmatch(pattern(lines), result[1])), result


def check_document(tap, project):
    steps = doc_commands()
    loops = [step for step in steps if "$(seq 20)" in step[0]]
    tap.ok(len(steps) == 11 and len(loops) == 1, "doc/CI has its commands", "%d: %s" % (len(steps), steps))
    repeated = "for i in $(seq 20); do %s || echo \"status $?\"; done" % words_of(steps[1][0])
    tap.ok(words_of(loops[0][0]) == repeated, "the loop repeats the first comparison", repeated)
    for step in steps:
        if step not in loops:
            good, result = run_step(project, step)
            tap.ok(good, "doc/CI: " + words_of(step[0]), said(result))
    left = os.listdir(project.scratch)
    tap.ok(not left, "gprof-gate leaves nothing in TMPDIR", " ".join(left))
    shown = project.text("slower.md")
    tap.ok(re.search(r"^### changed: profile of 10 runs\n\n    gprof: regression: hash: .*\n\n\| before ", shown, re.M), "the summary has the verdict and the table", shown)


def check_often(tap, project):
    """All comparisons of the document, LONG times: their statuses, and what the gate could see."""
    comparisons = [step for step in doc_commands() if "regmon" in step[0] and "seq" not in step[0]]
    tap.ok(len(comparisons) == 5, "comparisons of the document", str(comparisons))
    good, verdicts = [0] * len(comparisons), []
    for _ in range(LONG):
        for i, step in enumerate(comparisons):
            passed, result = run_step(project, step)
            good[i] += passed
            verdicts.append("%d: %s" % (i, " ".join(result[1].split())))
            print("# " + verdicts[-1])
            sys.stdout.flush()
    for step, count in zip(comparisons, good):
        # The two sides of a comparison with a file are measured minutes apart, on a machine that does other work.
        least = LONG * 3 // 4 if "--base=" in step[0] else LONG
        tap.ok(count >= least, "%d of %d: %s" % (count, LONG, words_of(step[0])))


# ---- The script ----

# (arguments, status, part of the message); the program is built without a profile in it if it is called plain.
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
    ("--save program", "--save: unknown option, or its argument is missing"),
    ("--save=new.json program 5", "5: options precede the executable"),
    ("--save=new.json program --", "no command after `--'"),
    ("--save=new.json program -- sh -c 'echo why; exit 7'", "why\ngprof-gate: run 1 of 5 of program: exit status 7"),
    ("--save=new.json program -- ./nothing", "run 1 of 5 of program: exit status 127"),
    ("--save=new.json program -- sh -c 'kill -9 $$'", "run 1 of 5 of program: exit status 137"),
    ("--save=new.json plain", "run 1 of 5 of plain: no profile: is it linked with -pg"),
    ("--save=new.json program -- sh -c 'echo x >$GMON_OUT_PREFIX.5'", "new.json: no baseline was written"),
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
    tap.ok(not wrong, "errors: status 1, a message that names the place, no files", "\n".join(wrong))


def check_script(tap, project):
    status, out = project.sh("contrib/ci/gprof-gate --help")
    tap.ok(status == 0 and "--base-image=OLD" in out and out.endswith("; 1 an error, or the gate does not fail BAD.\n"), "--help", out)
    status, out = project.sh("GPROF=nothing contrib/ci/gprof-gate --save=new.json program")
    tap.ok(status == 1 and "nothing: not found" in out, "there is no gprof", out)
    gate = "contrib/ci/gprof-gate --runs=2 "
    status, out = project.sh(gate + "--base=calls.json --keep=kept --fail-calls=0 --allow='^(hash|total)$' --allow=\"it's\" --fail-scope=function program -- {} 1")
    files = sorted(os.listdir(project.file("kept/after")))
    tap.ok(status == 0 and files == ["gmon.1", "gmon.2"], "--keep; options for gprof are quoted", said((status, out)))
    status, out = project.sh(gate + "--base-image=program --fail-above=10,0.01 --fail-blind program -- {} 1")
    tap.ok(status == 4 and "too few samples" in out, "too few samples: status 4", said((status, out)))
    status, out = project.sh(gate + "--most-runs=7 --keep=more --base-image=program program -- {} 1")
    files = [sorted(os.listdir(project.file("more/" + side))) for side in ("before", "after")]
    tap.ok(status == 4 and files == [["gmon.%d" % i for i in range(1, 8)]] * 2, "--most-runs: more runs while it sees too little", said((status, out)))
    status, out = project.sh(gate + "--base-image=program program -- {} 1")
    tap.ok(status == 4 and "too few samples to see a regression of 10 %" in out, "the same without a gate: there is one", said((status, out)))
    status, out = project.sh(gate + "--base=calls.json --fail-calls=0 program -- sh -c '\"$1\" 50; cd /; \"$1\" 50' - {}")
    tap.ok(status == 0 and "no calls grew" in out, "processes of a run are added up", said((status, out)))
    status, out = project.sh("LC_ALL=C.UTF-8 " + gate + "--save=new.json program -- sh -c '[ \"$LC_ALL\" = C.UTF-8 ] && ! read line && {} 1' ./program")
    tap.ok(status == 1, "`{}' within an argument stays as it is", said((status, out)))
    status, out = project.sh("LC_ALL=C.UTF-8 " + gate + "--save=new.json program -- sh -c '[ \"$LC_ALL\" = C.UTF-8 ] && ! read line && \"$0\" 1' {}")
    saved = json.loads(project.text("new.json") or "{}")
    tap.ok(status == 0 and not out and len(saved.get("inputs", [])) == 2, "the command has the caller's locale, and no input", said((status, out)))


def check_shell(tap):
    if not shutil.which("shellcheck"):
        return tap.skip("gprof-gate, says shellcheck", "there is none")
    result = harness.run([shutil.which("shellcheck"), GATE])
    tap.ok(result[0] == 0, "gprof-gate, says shellcheck", result[1].decode())


# ---- Workflow files ----


def github_commands(event):
    """The commands of the steps for an event; {name: value} of what a push keeps."""
    workflow = yaml.safe_load(read(os.path.join(CI, "github.yml")))
    (job,) = workflow["jobs"].values()
    assert job["runs-on"] and job["timeout-minutes"] > 0 and {"push", "pull_request"} == set(workflow[True])
    commands, kept = [], {}
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step)
        if step.get("if", "github.event_name == '%s'" % event) != "github.event_name == '%s'" % event:
            continue
        commands += [step["run"]] if "run" in step else []
        kept = step["with"] if step.get("uses", "").startswith("actions/upload-artifact@") else kept
    return commands, kept


def gitlab_commands(name):
    jobs = yaml.safe_load(read(os.path.join(CI, "gitlab.yml")))
    job = dict(jobs[jobs[name]["extends"]], **jobs[name])
    assert job["stage"] and job["rules"] and job["artifacts"]["paths"] and job["tags"]
    return job["before_script"] + job["script"], job["artifacts"]["paths"]


def run_steps(project, commands, **variables):
    """Each command in a shell of its own, as the services do, up to the first that fails."""
    result, said_all = 0, ""
    for command in commands:
        result, out = project.sh("set -e\n" + command, **variables)
        said_all += out
        if result != 0:
            break
    return result, said_all


def make_slower(project):
    """A change after which hash () takes ten times as long."""
    if os.path.exists(project.file("program")):
        os.unlink(project.file("program"))
    path = project.file("program.c")
    write(path, read(path).replace(b"ROUNDS = 40", b"ROUNDS = 400"))


def service_project(name):
    project = Project(name)
    os.symlink(CI, project.file("ci"))
    return project


def check_service(tap, what, project, first, second, artefact):
    """The job of the main branch, and that of a change that makes the program slower."""
    for name, text in STUBS.items():
        project.add_command(name, text)
    variables = {"GITHUB_STEP_SUMMARY": project.file("summary.md"), "ARTEFACT": os.path.join(TEMP, os.path.basename(artefact)), "GPROF": "regprof"}
    result = run_steps(project, first, **variables)
    tap.ok(result[0] == 0 and os.path.exists(project.file(artefact)), what + ": the main branch makes " + artefact, said(result))
    shutil.move(project.file(artefact), variables["ARTEFACT"])
    make_slower(project)
    result = run_steps(project, second, **variables)
    good = result[0] == 3 and "prof: regression: hash: " in project.text("summary.md")
    tap.ok(good, what + ": a slower program fails", said(result))


def check_workflows(tap):
    if yaml is None:
        return tap.skip("the workflow files", "no yaml module")
    push, kept = github_commands("push")
    pull, none = github_commands("pull_request")
    tap.ok(kept.get("path") == "program" and kept["name"] == "gprof-base" and not none, "GitHub: only a push keeps the executable", str(kept))
    check_service(tap, "GitHub", service_project("github"), push, pull, "program")
    base, paths = gitlab_commands("gprof-base")
    gate, reports = gitlab_commands("gprof-gate")
    tap.ok(paths == ["base.json"] and reports == ["summary.md"], "GitLab: artefacts", str(paths + reports))
    check_service(tap, "GitLab", service_project("gitlab"), base, gate, "base.json")


def main():
    tap, project = harness.Tap(), ci_project.need()
    if LONG:
        project.sh("gcc -g -O2 -pg -DSLOWER -o changed program.c")
        check_often(tap, project)
        return tap.done()
    check_shell(tap)
    check_document(tap, project)
    check_refused(tap, project)
    check_script(tap, project)
    check_workflows(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
