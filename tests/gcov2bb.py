#!/usr/bin/env python3
"""contrib/gcov2bb: counts of lines by gcov show up in -C and -A -x, in both readers, for loops and
templates."""

import sys

sys.dont_write_bytecode = True

import gzip
import json
import os
import re

from lib import harness
from lib.harness import TEMP, said, write

GCOV2BB = os.path.join(harness.SRCDIR, "contrib", "gcov2bb")
LOOPS = os.path.join(harness.SRCDIR, "doc", "example", "loops.c")  # the manual shows its counts
TEMPLATES = os.path.join(harness.TESTS, "gcov", "templates.cc")
GCOV = os.environ.get("GCOV", "gcov")


def convert(*words, cwd=TEMP):
    return harness.run([sys.executable, GCOV2BB, *words], cwd)


def readers():
    return [harness.GPROF] + ([harness.REFERENCE] if harness.has_reference() else [])


def build(compiler, source):
    """Compiles and runs a program in a directory of its own; returns the directory."""
    name = os.path.basename(source)
    place = os.path.join(TEMP, name.partition(".")[0])
    os.mkdir(place)
    write(os.path.join(place, name), harness.read(source))
    harness.must_run(
        compiler + ["-g", "-O0", "-pg", "--coverage", "-o", "program", name], cwd=place
    )
    harness.must_run(["./program"], cwd=place)
    data = [file for file in os.listdir(place) if file.endswith(".gcda")]
    return place, data[0]


def counts_of_gcov(place, data):
    """{(line, function): count} by gcov itself, with names as in the symbol table."""
    document = json.loads(harness.must_run([GCOV, "--json-format", "--stdout", data], cwd=place))
    (file,) = [f for f in document["files"] if not f["file"].startswith("/")]
    return {
        (line["line_number"], line["function_name"]): line["count"] for line in file["lines"]
    }, file["functions"]


def reports(place, words):
    found = {}
    for reader in readers():
        status, out, err = harness.run(
            [reader, "-b", "-l"] + words + ["program", "gmon.out", "gcov.gmon"], place
        )
        if status != 0:
            return {reader: err}
        found[reader] = out
    return found


def listed_counts(text):
    """{(line, function): count} of -C."""
    rows = re.findall(r"^.*:(\d+): \((\S+):0x[0-9a-f]+\) (\d+) executions$", text.decode(), re.M)
    return {(int(line), function): int(count) for line, function, count in rows}


def check_program(tap, compiler, source):
    name = os.path.basename(source)
    place, data = build(compiler, source)
    result = convert("program", data, cwd=place)
    tap.ok(result[0] == 0 and result[2] == b"", name + ": converted", result)
    counts, functions = counts_of_gcov(place, data)
    outputs = reports(place, ["-C"])
    tap.ok(len(set(outputs.values())) == 1, name + ": -C in both readers", outputs)
    listed = listed_counts(outputs[harness.GPROF])
    firsts = {(function["start_line"], function["name"]) for function in functions}
    expected = {
        where: count for where, count in counts.items() if count > 0 and where not in firsts
    }
    missing = {where: count for where, count in expected.items() if listed.get(where) != count}
    tap.ok(
        len(expected) > 8 and not missing,
        name + ": -C has the count of every line",
        "%r\n%r" % (missing, listed),
    )
    outputs = reports(place, ["-A", "-x"])
    tap.ok(len(set(outputs.values())) == 1, name + ": -A -x in both readers", outputs)
    check_annotation(tap, name, outputs[harness.GPROF].decode(), expected)


def check_annotation(tap, name, text, expected):
    """The last count before a line is that of the first function that has it, by address; others
    have 0 or #####."""
    lines = text.split("\n")[1:]
    wrong = []
    for number in {line for line, _ in expected}:
        shown = re.match(r" *([\d,#]+) -> ", lines[number - 1])
        possible = {count for (line, _), count in expected.items() if line == number}
        if not shown or int(shown.group(1).split(",")[-1]) not in possible:
            wrong.append((number, lines[number - 1]))
    tap.ok(not wrong, name + ": -A -x has them before the lines", repr(wrong) + text)


def check_inputs(tap):
    """Data as JSON, compressed, or as a directory give the same file."""
    place = os.path.join(TEMP, "loops")
    expected = harness.read(os.path.join(place, "gcov.gmon"))
    data = next(file for file in os.listdir(place) if file.endswith(".gcda"))
    document = harness.must_run([GCOV, "--json-format", "--stdout", data], cwd=place)
    write(os.path.join(place, "lines.json"), document)
    write(os.path.join(place, "lines.json.gz"), gzip.compress(document))
    for words in (["lines.json"], ["lines.json.gz"], ["."]):
        result = convert("-o", "other.gmon", "program", *words, cwd=place)
        is_same = result[0] == 0 and harness.read(os.path.join(place, "other.gmon")) == expected
        tap.ok(is_same, "input: " + words[0], result)
    result = convert("-o", "twice.gmon", "program", "lines.json", "lines.json", cwd=place)
    out = harness.run([harness.GPROF, "-b", "-l", "-C", "program", "twice.gmon"], place)[1]
    tap.ok(
        result[0] == 0 and b" 36 executions" in out,
        "several data add up: 18 and 18",
        said(result) + repr(out),
    )


def check_errors(tap):
    place = os.path.join(TEMP, "loops")
    write(os.path.join(place, "bad.json"), b"no json\n")
    write(os.path.join(place, "empty.json"), b'{"files": []}\n')
    harness.must_run(harness.tool("CC", "cc") + ["-o", "plain", "loops.c"], cwd=place)
    os.makedirs(os.path.join(place, "nothing"), exist_ok=True)
    for words, what in (
        (["nowhere", "lines.json"], b"nowhere: No such file"),
        (["bad.json", "lines.json"], b"not an ELF file"),
        (["plain", "lines.json"], b"no line table"),
        (["program", "bad.json"], b"not the output of gcov"),
        (["program", "empty.json"], b"gcov counted nothing"),
        (["program", "nothing"], b"no .gcda files"),
        (["program"], b"required"),
        (["-o", "nowhere/x", "program", "lines.json"], b"nowhere/x: No such file"),
    ):
        result = convert(*words, cwd=place)
        tap.ok(
            result[0] != 0 and what in result[2] and b"Traceback" not in result[2],
            "error: " + what.decode(),
            result,
        )
    data = next(file for file in os.listdir(place) if file.endswith(".gcda"))
    notes = data[: -len("gcda")] + "gcno"
    for output, words in ((data, [data]), (notes, [data]), (data, ["."]), (notes, ["."])):
        before = harness.state_of(place)
        result = convert("-o", output, "program", *words, cwd=place)
        is_refused = (
            result[0] == 1
            and b"would be replaced" in result[2]
            and harness.state_of(place) == before
        )
        tap.ok(
            is_refused, "the output is what gcov has read: %s of %s" % (output, words[0]), result
        )
    harness.check_converter(
        tap, [sys.executable, GCOV2BB, "program", "lines.json"], "lines.json", place
    )
    result = convert("-h")
    tap.ok(result[0] == 0 and result[1].startswith(b"gcov2bb - "), "-h", result)


def can_measure(compiler):
    """Whether the compiler has --coverage, and gcov reads it."""
    write(os.path.join(TEMP, "probe.c"), b"int main(void) { return 0; }\n")
    if (
        harness.run(compiler + ["--coverage", "-o", "probe", "probe.c"], TEMP)[0] != 0
        or harness.run(["./probe"], TEMP)[0] != 0
    ):
        return False
    data = [file for file in os.listdir(TEMP) if file.endswith(".gcda")]
    result = (
        harness.run([GCOV, "--json-format", "--stdout"] + data, TEMP) if data else (1, b"", b"")
    )
    for file in data + [file for file in os.listdir(TEMP) if file.endswith(".gcno")]:
        os.unlink(os.path.join(TEMP, file))
    return result[0] == 0 and b"probe.c" in result[1]


def main():
    cc, cxx = harness.tool("CC", "cc"), harness.tool("CXX", "c++")
    if not cc or not cxx or not can_measure(cc):
        harness.skip_all("no compilers, or no gcov for them")
    tap = harness.Tap()
    check_program(tap, cc, LOOPS)
    check_program(tap, cxx, TEMPLATES)
    check_inputs(tap)
    check_errors(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
