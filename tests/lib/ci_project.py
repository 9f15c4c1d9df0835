"""A small project with contrib/ci, for the tests of gprof-gate, doc/CI and the files for CI
services."""

import os
import re
import shlex
import shutil

from lib import harness
from lib.harness import TEMP, read, write

CI = os.path.join(harness.SRCDIR, "contrib", "ci")
PROGRAM = os.path.join(harness.SRCDIR, "tests", "ci", "program.c")
DOCUMENT = os.path.join(harness.SRCDIR, "doc", "CI")
NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?"
REGMON = os.path.join(harness.BUILDDIR, "runtime", "regmon")
GITCONFIG = (
    b"[user]\nname = tests\nemail = tests@localhost\n[init]\ndefaultBranch ="
    b" main\n[advice]\ndetachedHead = false\n"
)

# Stands for regmon, and writes a profile with as many samples as the program would have on a quiet
# machine: a verdict
# must not depend on other work.  The number of ROUNDS is in the debugging information, which is
# read once for each program;
# the last argument is the number of texts.  With CHECK_LONG=1 regmon itself runs.
SAMPLER = r"""
[ "$1 $2 $3 $4 $#" = "-c perf -r 5000 6" ] || exit 2
known=%s-$(cksum <"$5" | tr ' ' -)
[ -e "$known" ] || {
    readelf --debug-dump=info "$5" | sed -n '/: ROUNDS$/{n;s/.*: /#/p;}'
    nm "$5" | sed -n 's/^\([0-9a-f]*\) [Tt] \([a-z_]*\)$/symbol \2 0x\1/p'
} >"$known"
read -r rounds <"$known"
rounds=${rounds#?}
{
    cat "$known"
    for row in "make_text 40" "hash $((725 * rounds / 40))" "count_words 60" "check_order 90"; do
        echo "histogram ${row%% *} ${row%% *}+16 8 5000"
        echo "bin 2 = $((${row#* } * $6 / 60))"
    done
} | %s -o "$GMON_OUT_PREFIX.$$"
"""


class Project:
    """A directory with a blank in its name, with a source and contrib/ci, and programs for PATH."""

    def __init__(self, name):
        self.path = os.path.join(TEMP, name + " project")
        self.commands = os.path.join(TEMP, name + "-commands")
        self.scratch = os.path.join(TEMP, name + "-scratch")
        for directory in (self.path, self.commands, self.scratch):
            os.makedirs(directory)
        shutil.copy(PROGRAM, self.path)
        os.symlink(os.path.dirname(CI), os.path.join(self.path, "contrib"))
        write(os.path.join(harness.ENV["HOME"], ".gitconfig"), GITCONFIG)
        for command in ("gprof", "regprof"):
            os.symlink(harness.GPROF, os.path.join(self.commands, command))
        if harness.IS_LONG:
            self.add_command("regmon", 'exec %s "$@"\n' % shlex.quote(REGMON))
        else:
            self.add_command(
                "regmon",
                SAMPLER
                % (
                    shlex.quote(os.path.join(self.commands, "known")),
                    shlex.quote(harness.mkgmon()),
                ),
            )

    def add_command(self, name, text):
        path = write(os.path.join(self.commands, name), b"#!/bin/sh\n" + text.encode())
        os.chmod(path, 0o755)

    def env(self, **variables):
        return dict(
            harness.ENV,
            PATH=self.commands + os.pathsep + harness.ENV["PATH"],
            TMPDIR=self.scratch,
            **variables
        )

    def sh(self, text, **variables):
        """The status of a shell, and what it prints on both outputs."""
        status, out, err = harness.run(
            ["/bin/sh", "-c", "exec 2>&1\n" + text], self.path, self.env(**variables), timeout=3000
        )
        return status, (out + err).decode(errors="replace")

    def must(self, text):
        """What a shell prints that prepares the test."""
        status, out = self.sh(text)
        if status != 0:
            raise RuntimeError("%s: status %d\n%s" % (text, status, out))
        return out

    def file(self, name):
        return os.path.join(self.path, name)

    def text(self, name):
        return read(self.file(name)).decode()


def said(result):
    return "status %d\n%s" % (result[0], result[1][-2000:])


def has_counters(project):
    """Whether regmon can use the kernel's performance counters here."""
    if not os.path.exists(REGMON) or harness.is_sanitized():
        return False
    return (
        project.sh("regmon -c perf -r 5000 ./program 1 >out")[1] == ""
        and project.sh("rm gmon.out")[0] == 0
    )


def need(*programs):
    """A project in which the gate works; skips the test if that, or one of the programs, is not
    here."""
    if harness.is_reference():
        harness.skip_all("the reference compares nothing")
    for name in ("gcc", *programs):
        if not shutil.which(name, path=harness.ENV["PATH"]):
            harness.skip_all("no " + name)
    if not harness.has_library("JANSSON"):
        harness.skip_all("built without libjansson")
    project = Project("small")
    if project.sh("gcc -g -O2 -pg -o program program.c && ./program 1")[
        0
    ] != 0 or not os.path.exists(project.file("gmon.out")):
        harness.skip_all("no profile was written")
    if harness.IS_LONG and not has_counters(project):
        harness.skip_all("regmon cannot use performance counters here")
    project.sh("rm -f gmon.out")
    return project


# ---- doc/CI ----


def doc_commands():
    """{title of a section: its commands} of the document; a command is [text, lines shown]."""
    sections, steps, last = {}, [], ""
    for line in read(DOCUMENT).decode().splitlines():
        if line and not line.strip("-"):
            steps = sections[last] = []
        last = line
        if line.startswith("    $ "):
            steps.append([line[6:], []])
        elif line.startswith("    ") and steps and steps[-1][0].endswith("\\"):
            steps[-1][0] += "\n" + line
        elif steps and re.match(r"    (gprof: |first bad commit: |status |\.\.\.)", line):
            steps[-1][1].append(line[4:])
    return {title: steps for title, steps in sections.items() if steps}


def words_of(command):
    """A command in one line."""
    return " ".join(command.replace("\\\n", "").split())


def pattern(lines):
    """An expression for the output: numbers may differ, except those of statuses; any p below 1e-9
    is `p < 1e-9'."""
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:.*\n)*")
        elif line.startswith("status"):
            parts.append(re.escape(line) + r"\n")
        elif line.startswith("first bad commit: "):
            parts.append(re.sub(r"\\ [0-9a-f]{7}\\ ", " [0-9a-f]{7} ", re.escape(line)) + r"\n")
        else:
            line = line.replace("p < 1e-9", "p = 1")
            part = NUMBER.join(map(re.escape, re.split(NUMBER, line))) + r"\n"
            parts.append(part.replace(re.escape("p = "), "p [=<] "))
    return "".join(parts)
