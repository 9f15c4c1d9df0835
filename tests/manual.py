#!/usr/bin/env python3
"""Runs the examples of the manual and compares their output with the text.

An example is marked by a comment before it:

    @c run [into=NAME] [status=N] [real] [sheet] [whole] [tools]
    @example
    $ command
    output
    @end example

Each runs in a new directory with the files that doc/example describes: sources, images (*.elf),
profiles
(IMAGE-NAME.gm makes NAME), and other files unchanged.  Lines that begin with `$ ' are commands; the
others are their
output, with standard error, in which a line `...' matches any lines.  A `\\' at the end
continues a line on the next.  The last command ends with status N, the others with 0.

    into=NAME   the output of the last command is written to the file NAME.txt, which the manual
    includes; a form
                feed is written as `^L'
    real        the commands compile, run and profile a real program: if the tools are installed,
    they must work and
                print these lines; Slurm's srun is replaced by a script
    sheet       the same in a directory with examples/sheet, its program and its profile; output
    lines with digits
                are those of one run, and are not compared, and the program has a quarter of its
                rates
    whole       it has all of them, which a command counts calls of
    tools       the commands need other programs, without which the example is skipped
    @c first: COMMAND
                before `@c run': a command that is run, but not shown
    @c has: TEXT
                some line of the last output contains this, with blanks squeezed: for numbers in the
                text of the
                manual

Usage: manual.py                     compares, prints TAP
       manual.py --generate DIR      writes the files to include
       manual.py --picture FILE      writes the picture of the manual and of README.md, which needs
       graphviz
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shlex
import shutil

from lib import elf, harness
from lib.harness import TEMP

MANUAL = os.path.join(harness.SRCDIR, "doc", "gprof.texi")
EXAMPLE = os.path.join(harness.SRCDIR, "doc", "example")
SHEET = os.path.join(harness.SRCDIR, "examples", "sheet")


# ---- Reading the manual ----


class Example:
    """Commands in order: [(command, lines shown)], and the parameters of the comments."""

    def __init__(self, line_number, words, first):
        options = dict(word.partition("=")[::2] for word in words)
        self.line = line_number
        self.into = options.pop("into", None)
        self.status = int(options.pop("status", 0))
        self.is_sheet = options.pop("sheet", None) is not None
        self.is_whole = options.pop("whole", None) is not None
        self.is_real = options.pop("real", None) is not None or self.is_sheet
        self.has_tools = options.pop("tools", None) is not None
        self.steps = [(command, ["..."]) for command in first]
        self.has = []
        if options:
            raise ValueError("gprof.texi:%d: unknown words: %s" % (line_number, " ".join(options)))

    def name(self):
        return "line %d: %s" % (self.line, self.steps[-1][0])


def plain(line):
    """A line of an @example without its markup."""
    line = re.sub(r"@(?:var|i|r|asis|dots)\{([^}]*)\}", r"\1", line)
    return re.sub(r"@([@{}])", r"\1", line)


def read_steps(lines, at, example):
    """Reads the body of an @example from line AT on; returns the line after its end."""
    while not lines[at].startswith("@end "):
        line = plain(lines[at])
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                at += 1
                command = command[:-1] + plain(lines[at]).lstrip()
            example.steps.append((command, []))
        else:
            while line.endswith(" \\"):
                at += 1
                line = line[:-1] + plain(lines[at]).lstrip()
            example.steps[-1][1].append(line)
        at += 1
    return at + 1


def read_examples(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    examples, first, at = [], [], 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("@c first: "):
            first.append(line[10:])
        elif line == "@c run" or line.startswith("@c run "):
            examples.append(Example(at, line.split()[2:], first))
            first = []
            if not re.fullmatch("@(small)?example", lines[at]):
                raise ValueError("gprof.texi:%d: no example follows" % at)
            at = read_steps(lines, at + 1, examples[-1])
        elif line.startswith("@c has: "):
            examples[-1].has.append(" ".join(plain(line[8:]).split()))
    return examples


def included(path):
    """Names of the generated files that the manual includes."""
    with open(path, encoding="utf-8") as file:
        return re.findall(r"^@verbatiminclude out/(\S+)\.txt$", file.read(), re.M)


# ---- Material ----


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def write_names(image, path):
    with open(path, "wb") as file:
        for name, address, _ in elf.symbols(image):
            if all(33 <= c < 127 and c not in b'+-"#' for c in name):
                file.write(b"symbol %s %#x\n" % (name, address))


def build_profile(source, directory, target_directory):
    image, name = os.path.basename(source)[:-3].split("-", 1)
    names = os.path.join(TEMP, "names")
    write_names(os.path.join(directory, image), names)
    harness.must_run([harness.mkgmon(), "-o", os.path.join(target_directory, name), names, source])


def build(directory):
    """Makes the directory that is copied for each example."""
    os.makedirs(os.path.join(directory, "ranks"))
    names = sorted(os.listdir(EXAMPLE))
    for name in names:
        path = os.path.join(EXAMPLE, name)
        if name.endswith(".elf"):
            with open(path, encoding="ascii") as file:
                write(os.path.join(directory, name[:-4]), elf.parse(file.read()).bytes())
        elif os.path.isfile(path) and not name.endswith((".gm", "~")):
            shutil.copy2(path, os.path.join(directory, name))
    for name in names:
        if name.endswith(".gm"):
            build_profile(os.path.join(EXAMPLE, name), directory, directory)
    for name in sorted(os.listdir(os.path.join(EXAMPLE, "ranks"))):
        build_profile(
            os.path.join(EXAMPLE, "ranks", name), directory, os.path.join(directory, "ranks")
        )


def build_real(directory):
    """The files of a reader who follows the manual: sources."""
    os.mkdir(directory)
    for name in sorted(os.listdir(EXAMPLE)):
        if name.endswith((".c", ".h")) or name == "statements":
            shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(directory, name))


def build_sheet(directory):
    """The example with its profile, if it can be built and run here; else these examples are
    skipped."""
    os.mkdir(directory)
    for name in sorted(os.listdir(SHEET)):
        text = harness.read(os.path.join(SHEET, name))
        write(os.path.join(directory, name), text.replace(b"step <= 48", b"step <= 11"))
    if shutil.which("gcc", path=PATH) and shutil.which("regmon", path=PATH):
        command = "gcc -O2 -g -o sheet formula.c main.c sheet.c && regmon ./sheet"
        harness.run(["/bin/sh", "-c", command], directory, dict(harness.ENV, PATH=PATH))


# ---- Running ----

# Runs a command as Slurm's srun does on two nodes, with the variables that identify the tasks.
SRUN = """\
tasks=2
while :; do
    case $1 in
    -n) tasks=$2 && shift 2 ;;
    --ntasks-per-node=1) shift ;;
    *) break ;;
    esac
done
task=0
while [ $task -lt "$tasks" ]; do
    SLURM_PROCID=$task SLURM_NODEID=$((task * 2 / tasks)) "$@" || exit
    task=$((task + 1))
done
"""


def build_commands(directory):
    """A directory for PATH, with the programs under test and replacements of others."""
    scripts = {"srun": SRUN}
    gcov2bb = os.path.join(harness.SRCDIR, "contrib", "gcov2bb")
    scripts["gcov2bb"] = 'exec %s %s "$@"\n' % (shlex.quote(sys.executable), shlex.quote(gcov2bb))
    scripts["gprof-gate"] = 'exec %s "$@"\n' % shlex.quote(
        os.path.join(harness.SRCDIR, "contrib", "ci", "gprof-gate")
    )
    regmon = os.path.join(RUNTIME, "regmon")
    if os.path.exists(regmon):
        scripts["regmon"] = 'exec %s "$@"\n' % shlex.quote(regmon)
    os.makedirs(directory)
    os.symlink(harness.GPROF, os.path.join(directory, "gprof"))
    for name, text in scripts.items():
        path = os.path.join(directory, name)
        write(path, ("#!/bin/sh\n" + text).encode())
        os.chmod(path, 0o755)


COMMANDS = os.path.join(TEMP, "commands")
RUNTIME = os.path.join(harness.BUILDDIR, "runtime")
PATH = COMMANDS + os.pathsep + harness.ENV["PATH"]


def missing_tool(example):
    """The first program of a real example that is not installed, or None."""
    for command, _ in [("gcc; regmon", [])] * example.is_sheet + example.steps:
        if "regmon" in command and not os.path.exists(os.path.join(RUNTIME, "libregmon.a")):
            return "libregmon"
        for part in re.split(r"[|;&]+", command):
            words = [word for word in part.split() if "=" not in word]
            if (
                words
                and re.fullmatch(r"[a-z][\w+-]*", words[0])
                and words[0] not in ("cd", "for", "do", "done", "wait")
            ):
                if not shutil.which(words[0], path=PATH):
                    return words[0]
    return None


def run_example(example, directory):
    """[(status, output)] of the commands; the output includes standard error."""
    env = dict(harness.ENV, LC_ALL="C", PATH=PATH, LIBRARY_PATH=RUNTIME)
    results = []
    for command, _ in example.steps:
        status, out, err = harness.run(["/bin/sh", "-c", "exec 2>&1\n" + command], directory, env)
        text = (out + err).decode("utf-8", "backslashreplace")
        results.append((status, text.replace("\f", "^L")))
        if status != 0:
            break
    return results


def matches(shown, lines):
    """Whether LINES match SHOWN, in which `...' matches any number of lines."""
    if not shown:
        return not lines
    if shown[0] == "...":
        return any(matches(shown[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and shown[0].rstrip() == lines[0].rstrip() and matches(shown[1:], lines[1:])


def without_leading_and_trailing_blanks(lines):
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def wrong_step(example, step, result):
    """What is wrong with the result of a command; empty if nothing is."""
    (command, shown), (status, text) = example.steps[step], result
    is_last = step + 1 == len(example.steps)
    wanted = example.status if is_last else 0
    if status != wanted:
        return "%s: status %d instead of %d\n%s" % (command, status, wanted, text[:2000])
    if is_last and example.into:
        return ""
    lines = without_leading_and_trailing_blanks(text.splitlines())
    shown = without_leading_and_trailing_blanks(shown)
    if example.is_real:
        compared = [
            line
            for line in shown
            if line != "..." and not (example.is_sheet and re.search(r"\d", line))
        ]
        # A function that is new, or gone, by a single sample adds a column to the heading.
        by_chance = ("kind", "took-over")
        found = [l.split() for l in lines]
        found += [[w for w in words if w not in by_chance] for words in found if example.is_sheet]
        missing = [line for line in compared if line.split() not in found]
        return "%s: no line: %s\n%s" % (command, missing[0], text[:2000]) if missing else ""
    if not matches(shown, lines):
        return "%s\n%s" % (
            command,
            harness.diff("\n".join(shown).encode(), "\n".join(lines).encode()),
        )
    return ""


def complaint(example, results, directory):
    for step, result in enumerate(results):
        what = wrong_step(example, step, result)
        if what:
            return what
    if len(results) < len(example.steps):
        return "not reached: " + example.steps[len(results)][0]
    if example.into:
        what = wrong_file(example, results[-1][1], directory) or wrong_report(
            example, results[-1][1], directory
        )
        if what:
            return what
    lines = [" ".join(line.split()) for line in results[-1][1].splitlines()]
    for text in example.has:
        if not any(text in line for line in lines):
            return "no line of the output has: " + text
    return ""


def wrong_file(example, text, directory):
    """What is wrong if the file that the manual includes differs from the output of the command;
    empty if nothing
    is."""
    for top in (harness.BUILDDIR, harness.SRCDIR):
        path = os.path.join(top, "doc", "out", example.into + ".txt")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return harness.diff(file.read().encode(), text.encode())
    return ""  # no manual was built here


def wrong_report(example, text, directory):
    """The program itself has made the file, so its contents are compared with what the reference
    prints.  Of a report
    that the reference does not have, some lines must be given (`has').  Reports of time and calls
    are compared
    on an image with one more function at its end, which nothing belongs to (difference 9)."""
    command = example.steps[-1][0].split()
    if "--per-file" in command:
        return "" if example.has else "no line of the output is given"
    if not harness.has_reference():
        return ""
    if not any(word.startswith("-A") for word in command):
        source = harness.read(os.path.join(EXAMPLE, "calc.elf")).decode("ascii")
        write(
            os.path.join(directory, "calc"),
            elf.parse(source + "\nfunction zz_padding 0x100\n").bytes(),
        )
    _, out, err = harness.run([harness.REFERENCE] + command[1:], directory)
    return harness.diff((out + err).replace(b"\f", b"^L"), text.encode())


def prepare():
    material, real = os.path.join(TEMP, "material"), os.path.join(TEMP, "real")
    build_commands(COMMANDS)
    build(material)
    build_real(real)
    return material, real


def run_all(examples, use):
    material, real = prepare()
    sheet = os.path.join(TEMP, "sheet")
    if any(example.is_sheet for example in examples):
        build_sheet(sheet)
    for number, example in enumerate(examples):
        directory = os.path.join(TEMP, "example-%d" % number)
        shutil.copytree(
            sheet if example.is_sheet else real if example.is_real else material, directory
        )
        if example.is_sheet and example.is_whole:
            shutil.copy(os.path.join(SHEET, "main.c"), directory)
        use(example, directory)
        shutil.rmtree(directory)


def generate(target):
    os.makedirs(target, exist_ok=True)
    failed = []

    def keep(example, directory):
        results = run_example(example, directory)
        if len(results) < len(example.steps) or results[-1][0] != example.status:
            failed.append("%s\n%s" % (example.name(), results[-1][1]))
        with open(os.path.join(target, example.into + ".txt"), "w", encoding="utf-8") as file:
            file.write(results[-1][1])

    run_all([example for example in read_examples(MANUAL) if example.into], keep)
    if failed:
        sys.exit("manual.py: these examples of the manual do not work:\n" + "\n".join(failed))


def draw(target):
    material, _ = prepare()
    env = dict(harness.ENV, PATH=PATH)
    status, _, err = harness.run(
        ["/bin/sh", "-c", "gprof --format=dot calc >graph.dot && dot -Tsvg -o graph.svg graph.dot"],
        material,
        env,
    )
    if status != 0:
        sys.exit(err.decode())
    shutil.copyfile(os.path.join(material, "graph.svg"), target)


def main(arguments):
    if arguments[:1] == ["--generate"]:
        return generate(arguments[1])
    if arguments[:1] == ["--picture"]:
        return draw(arguments[1])
    examples = read_examples(MANUAL)
    tap = harness.Tap()
    wanted, made = sorted(set(included(MANUAL))), sorted(e.into for e in examples if e.into)
    tap.ok(wanted == made, "every generated file is included, once made", "%s\n%s" % (wanted, made))

    def check(example, directory):
        tool = missing_tool(example) if example.is_real or example.has_tools else None
        if tool:
            tap.skip(example.name(), "no " + tool)
            return
        what = complaint(example, run_example(example, directory), directory)
        tap.ok(not what, example.name(), what)

    run_all([e for e in examples if not arguments or any(a in e.name() for a in arguments)], check)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
