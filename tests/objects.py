#!/usr/bin/env python3
"""Shared objects: where their files are searched for, the table of objects and that of threads, and
the profiles of
objects beside that of the program.

The objects are real ones, because the dynamic section says where they are; the profiles are made
here.  The tables are
compared with what the same drawn samples say, as stacks of libregmon, text of perf, speedscope and
pprof.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import json
import os
import random
import re

from lib import gmonfile, harness, stack_model
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, write

RATE = 1000
RANGE = 0x400  # bytes of each histogram, from the first function on
FUNCTIONS = {"program": "main", "libone.so.1": "one", "libtwo.so.2": "two"}
FILES = {"program": "program", "libone.so.1": "beside/libone.so.1", "libtwo.so.2": "far/renamed.so"}


def compile_object(source, words, output):
    os.makedirs(os.path.dirname(os.path.join(TEMP, output)), exist_ok=True)
    path = write(os.path.join(TEMP, output + ".c"), source)
    harness.must_run(harness.tool("CC", "cc") + ["-O1", "-o", output, path] + words, cwd=TEMP)


def address_of(function, path):
    symbols = harness.must_run(["nm", os.path.join(TEMP, path)]).decode()
    return int(re.search(r"^([0-9a-f]+) [tT] %s$" % function, symbols, re.M).group(1), 16)


def write_profile(name, path, function, samples, calls):
    """A profile of the object at PATH: so many samples in the function, and calls from outside."""
    start = address_of(function, path)
    histogram = Histogram(start & ~1, (start & ~1) + RANGE, RANGE // 2, {0: samples}, RATE)
    data = Profile(Layout(64, "little"), [histogram, ("arc", 0, start, calls)]).bytes()
    write(os.path.join(TEMP, name), data)
    return histogram


def make_all():
    shared = ["-shared", "-fPIC", "-Wl,-soname,"]
    for name in ("libone.so.1", "libtwo.so.2"):
        source = b"int %s(int x) { return x * 3; }\n" % FUNCTIONS[name].encode()
        compile_object(source, shared[:-1] + [shared[-1] + name], FILES[name])
    compile_object(
        b"int one(int); int main(void) { return one(0); }\n",
        ["-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN/beside", "beside/libone.so.1"],
        "program",
    )


def gprof(*words, **environment):
    status, out, err = harness.run(
        [harness.GPROF] + list(words), TEMP, dict(harness.ENV, **environment)
    )
    return status, out.decode(), err.decode()


# ---- Samples ----


def write_stacks(name, samples):
    """Stacks of libregmon beside a profile.  SAMPLES: [((thread, number), objects, count)]; each
    object runs its function."""
    objects = list(FUNCTIONS)
    place = {object: address_of(FUNCTIONS[object], FILES[object]) + 1 for object in objects}
    own = sum(count for _, stack, count in samples if stack[-1] == "program")
    histogram = write_profile(name, "program", "main", own, 1)
    lines = []
    for thread in sorted({thread for thread, _, _ in samples}):
        lines.append("# thread %d %s" % thread[::-1])
        for other, stack, count in samples:
            frames = [
                "%d:%x" % (objects.index(object), place[object] + (i + 1 < len(stack)))
                for i, object in enumerate(stack)
            ]
            lines += [(frames, count)] if other == thread else []
    text = gmonfile.stacks(lines, RATE, histogram, "program", objects[1:])
    write(os.path.join(TEMP, name + ".stacks"), text)


def write_perf(name, samples):
    text = []
    for (thread, number), stack, count in samples:
        frames = [
            "\t    %x %s+0x1 (/usr/lib/%s)" % (16 + i, FUNCTIONS[object], object)
            for i, object in enumerate(stack)
        ]
        text += [
            "%s 7/%d 1.0: %d cpu-clock: " % (thread, number, 10**9 // RATE),
            *reversed(frames),
            "",
        ] * count
    write(os.path.join(TEMP, name), "\n".join(text + [""]).encode())


def write_speedscope(name, samples):
    names, profiles = list(FUNCTIONS.values()), []
    for thread in sorted({thread for thread, _, _ in samples}):
        chosen = [(stack, count) for other, stack, count in samples if other == thread]
        profiles.append(
            {
                "type": "sampled",
                "name": thread[0],
                "unit": "milliseconds",
                "startValue": 0,
                "endValue": sum(count for _, count in chosen),
                "samples": [
                    [names.index(FUNCTIONS[object]) for object in stack]
                    for stack, count in chosen
                    for _ in range(count)
                ],
                "weights": [1000 // RATE for _, count in chosen for _ in range(count)],
            }
        )
    scope = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": [{"name": n} for n in names]},
        "profiles": profiles,
    }
    write(os.path.join(TEMP, name), json.dumps(scope).encode())


def draw_samples(rng):
    """Every stack begins in the program; objects come back in it."""
    threads = [("main", 7), ("work", 8), ("work", 9), ("io", 10)]
    samples = {}
    for _ in range(40):
        stack = ["program"] + [rng.choice(list(FUNCTIONS)) for _ in range(rng.randrange(6))]
        key = rng.choice(threads), tuple(stack)
        samples[key] = samples.get(key, 0) + rng.randrange(1, 9)
    return [(thread, stack, count) for (thread, stack), count in samples.items()]


def by_object(samples):
    """{object: (own samples, those of stacks that go through it)}."""
    return stack_model.figures([(stack, count) for _, stack, count in samples])


def by_thread(samples, are_apart=True):
    """{name, with its number, or how many have it: samples}."""
    threads = sorted({thread for thread, _, _ in samples})
    names = [name for name, _ in threads]
    found = {}
    for thread, _, count in samples:
        label = (
            "%s %d" % thread
            if are_apart
            else "%s (%d threads)" % (thread[0], names.count(thread[0]))
        )
        label = label if names.count(thread[0]) > 1 else thread[0]
        found[label] = found.get(label, 0) + count
    return found


def table(unit, columns, *words):
    """{name: samples of the columns}, or what was said."""
    status, out, err = gprof(
        "--quiet", "--by=" + unit, "--format=csv", "--columns=name," + columns, *words
    )
    rows = list(csv.reader(io.StringIO(out)))[1:]
    found = {row[0]: tuple(round(float(cell) * RATE) for cell in row[1:]) for row in rows}
    return (
        {name: cells if len(cells) > 1 else cells[0] for name, cells in found.items()}
        if status == 0
        else err
    )


def test_tables(tap):
    rng = random.Random(62)
    for draw in range(harness.sized(3, 100)):
        samples = draw_samples(rng)
        write_stacks("gmon.out", samples)
        write_perf("perf", samples)
        write_speedscope("scope", samples)
        write_perf("more", samples)
        gprof("--quiet", "--format=pprof", "-o", "labels", "perf")
        inputs = {
            "stacks": ["program"],
            "perf": ["perf"],
            "pprof": ["labels"],
            "speedscope": ["scope"],
        }
        for name in ("stacks", "perf"):
            found = table("object", "self,total", *inputs[name])
            tap.ok(
                found == by_object(samples),
                "%s: objects, %d" % (name, draw),
                "%s\n%s" % (found, by_object(samples)),
            )
        for name, words in inputs.items():
            found, expected = table("thread", "self", *words), by_thread(samples)
            if name == "speedscope":  # numbers its threads itself
                found, expected = (
                    {re.sub(r" \d+", "", label): 0 for label in rows} | {"": sorted(rows.values())}
                    for rows in (found, expected)
                )
            if name == "pprof":  # has names alone
                expected = {label: count for label, count in expected.items() if " " not in label}
                expected["work"] = sum(count for thread, _, count in samples if thread[0] == "work")
            tap.ok(
                found == expected, "%s: threads, %d" % (name, draw), "%s\n%s" % (found, expected)
            )
            few, expected = table("thread", "self", "--top=3", *words), by_thread(
                samples, are_apart=False
            )
            tap.ok(
                name == "pprof" or few == expected,
                "%s: threads of one name, %d" % (name, draw),
                "%s\n%s" % (few, expected),
            )
        gprof("--quiet", "-s", "-o", "sum", "program", "gmon.out", "gmon.out")
        found, expected = table("thread", "self", "program", "sum"), by_thread(
            samples, are_apart=False
        )
        expected = {label.replace("(2 ", "(4 "): 2 * count for label, count in expected.items()}
        expected = {
            "%s (2 threads)" % label if "(" not in label else label: count
            for label, count in expected.items()
        }
        tap.ok(found == expected, "threads of a sum, %d" % draw, "%s\n%s" % (found, expected))
        twice = table("object", "self,total", "perf", "more")
        tap.ok(
            twice
            == {name: (2 * own, 2 * total) for name, (own, total) in by_object(samples).items()},
            "two profiles, %d" % draw,
            twice,
        )
    out = gprof("-b", "--quiet", "--by=object", "program")[1]
    tap.ok(
        out.split("\n")[0].split() == ["self%", "self", "error", "total%", "total", "name"]
        and "\n3 of 3 objects, 100.0 % of " in out,
        "the table",
        out,
    )
    out = gprof("-b", "--quiet", "--by=object", "--focus=lib", "--hide=two", "perf")[1]
    tap.ok(
        re.findall(r"\S+$", out, re.M)[1:2] == ["libone.so.1"] and "libtwo" not in out,
        "--focus and --hide mean objects",
        out,
    )
    out = gprof("--format=csv", "--columns=name,address", "program")[1]
    found = dict(csv.reader(io.StringIO(out)))
    tap.ok(
        found["main"] == "0x%x" % address_of("main", FILES["program"])
        and found["one [libone.so.1]"] == "",
        "addresses are those of functions of the program",
        found,
    )
    for counts, said in ((300, 100, 100), "imbalance of work: 1.80 ("), ((110, 100, 100), None):
        write_stacks(
            "gmon.out",
            [(("work", 7 + i), ["program"], count) for i, count in enumerate(counts)]
            + [(("main", 1), ["program"], 900)],
        )
        out = gprof("-b", "--quiet", "--by=thread", "program")[1]
        tap.ok(said in out if said else "imbalance" not in out, "imbalance: %s" % said, out)
    write(os.path.join(TEMP, "folded"), b"main;f 3\n")
    for unit, said in (("object", "objects"), ("thread", "threads")):
        for words in (["folded"], ["scope"], ["labels"]) if unit == "object" else (["folded"],):
            status, out, err = gprof("--by=" + unit, *words)
            tap.ok(
                status == 1 and not out and "does not say which %s the stacks are of" % said in err,
                "%s does not name %s" % (words, said),
                out + err,
            )
        status, out, err = gprof("--by=" + unit, "--no-stacks", "program")
        tap.ok(
            status == 1 and not out and "--no-stacks" in err,
            "--by=%s needs stacks" % unit,
            out + err,
        )


# ---- Processes of a run ----

CODE = 4096  # bytes of main
RUN = [
    ("v1/work", "work", 11, 100),
    ("v1/work", "exe", 12, 7),
    ("v2/work", "work", 13, 50),
    ("v2/other", "other", 14, 30),
]


def write_record(name, processes):
    """The record of a run.  PROCESSES: [(path, by which name it was executed, number, samples)].
    The samples are in main; nine more are of counting calls."""
    text = "# regmon stacks 3\n# run x\n"
    for path, command, number, samples in processes:
        start = address_of("main", path)
        notes = harness.must_run(["readelf", "-n", os.path.join(TEMP, path)]).decode()
        build_id = re.search("Build ID: ([0-9a-f]+)", notes).group(1)
        text += "# regmon stacks 3\n# process %d 1 1 ended\n# command %s\n" % (number, command)
        text += "# rate %d\n# build-id %s\n" % (RATE, build_id)
        text += "# histogram %x %x %d\n" % (start & ~1, (start & ~1) + RANGE, samples)
        text += "# program 0 %s\n" % os.path.basename(path)
        text += "# file 0 %s %s\n" % (build_id, os.path.join(TEMP, path))
        text += "# code %x %x\n" % (start & ~15, (start & ~15) + 2 * CODE)
        text += "# object 1 libregmon.so.0\n0:%x %d\n" % (start + 16 * number, samples)
        text += "0:%x;1:10 9\n# samples %d\n" % (start, samples + 9)
    write(os.path.join(TEMP, name), text.encode())


def test_names(tap):
    """Programs and processes are chosen, and told apart, by names."""
    for i, path in enumerate(sorted({path for path, *_ in RUN})):
        source = b'int main(void) { __asm__ volatile(".skip %d, 0x90"); return %d; }\n' % (CODE, i)
        compile_object(source, ["-Wl,--build-id"], path)
    write_record("run.stacks", RUN)
    first, second = (os.path.join(TEMP, version, "work") for version in ("v1", "v2"))
    for name, samples in (("exe", 7), (first, 107), (second, 50), ("other", 30)):
        words = ("--quiet", "--format=csv", "--columns=name,self", "--program=" + name)
        out = gprof(*words, "run.stacks")[1]
        tap.ok(out.split() == ["name,self", "main,%s" % (samples / RATE)], "--program=" + name, out)
    said = "run.stacks: several programs are called work: %s %s\n" % (first, second)
    status, out, err = gprof("--top", "--program=work", "run.stacks")
    tap.ok(status == 1 and err.endswith(said), "several programs of a name", err)
    found = table("program", "self", "run.stacks")
    rows = {first + " (2 processes)": 107, second: 50, "other": 30}
    tap.ok(found == rows, "rows say which program they are of", found)
    found = table("process", "self", "--program=exe", "run.stacks")
    tap.ok(found == {"exe 12": 7}, "processes of a name", found)
    wanted = {first: 2 * 107 + 50, second: 2 * 50, "other": 2 * 30}
    write_record("few.stacks", RUN[2:])
    write_record("more.stacks", [RUN[0][:3] + (50,)] + RUN)
    gprof("--quiet", "-s", "-o", "added", "run.stacks", "more.stacks")
    found = table("program", "self", "added.stacks")
    tap.ok(found == wanted, "a sum has all programs", found)
    gprof("--quiet", "-s", "-o", "twice", "added.stacks", "run.stacks")
    found = table("program", "self", "twice.stacks")
    wanted = {first: wanted[first] + 107, second: 3 * 50, "other": 3 * 30}
    tap.ok(found == wanted, "a record is added to a sum", found)
    gprof("--quiet", "-s", "-o", "added", "run.stacks", "more.stacks", "--program=other")
    found = table("program", "self", "added.stacks")
    tap.ok(found == {"other": 60}, "a sum of one program", found)
    os.makedirs(os.path.join(TEMP, "several"))
    write_record("several/run.stacks", RUN)
    for what in ("a directory", "a directory with the sum"):
        gprof("--quiet", "-s", "-o", "several/sum", "several")
        found = table("program", "self", "several/sum.stacks")
        tap.ok(found == {first: 107, second: 50, "other": 30}, "a sum of " + what, found)
    os.remove(os.path.join(TEMP, "several", "sum"))
    for name, operand in (("several/run", "several"), ("run", "run.stacks")):
        status, out, err = gprof("-s", "-o", name, operand)
        said = name + ".stacks: is an input of this run"
        tap.ok(status == 1 and said in err, "a sum does not replace a record: " + name, err)
    err = gprof("--by=process", "added.stacks")[2]
    said = "added.stacks: --by=process: not the record of one run of regmon\n"
    tap.ok(err.endswith(said), "a sum does not tell processes apart", err)
    err = gprof("--by=process", "run.stacks", "more.stacks")[2]
    said = "run.stacks more.stacks: --by=process: not the record of one run of regmon\n"
    tap.ok(err.endswith(said), "two records have no processes of one run", err)
    os.makedirs(os.path.join(TEMP, "runs", "below"))
    for path in ("runs/run.stacks", "runs/below/more.stacks"):
        write(os.path.join(TEMP, path), read(os.path.join(TEMP, os.path.basename(path))))
    for words in ([], ["--base=runs"], ["v1/work"]):
        command = ["-b", "--quiet", "--top", *words]
        out = gprof(*command, "runs")[1]
        wanted = gprof(*command, "runs/below/more.stacks", "runs/run.stacks")[1]
        tap.ok(out == wanted != "", "a directory of records: %s" % words, (out, wanted))
    for words, said in (
        (
            "--by=process --format=folded",
            "--format=folded and --by=process cannot be used together",
        ),
        ("--by=program --format=pprof", "--format=pprof and --by=program cannot be used together"),
        ("--by=process --tree", "option --by=process requires --top"),
        ("--by=object --code", "option --by=object requires --top"),
        ("--by=object --by=thread", "--by=object and --by=thread cannot be used together"),
        ("--program=a --program=b", "--program=a and --program=b cannot be used together"),
        ("--thread=a --program=b", "--thread and --program cannot be used together"),
    ):
        status, out, err = gprof(*words.split(), "run.stacks")
        tap.ok(status == 1 and not out and said in err, words, out + err)
    err = gprof("--top", "few.stacks")[2]
    tap.ok("62 % of 0.08 s is in work; --program" in err, "a program of one process", err)


# ---- Files of objects ----


def names_found(*words, **environment):
    """The functions of objects that the table has."""
    out = gprof("--quiet", "--top=0", *words, "program", **environment)[1]
    return sorted(re.findall(r" (one|two) \[lib", out))


def test_search(tap):
    write_stacks(
        "gmon.out",
        [
            (("main", 1), ("program",), 5),
            (("main", 1), ("program", "libone.so.1"), 5),
            (("main", 1), ("program", "libtwo.so.2"), 5),
        ],
    )
    tap.ok(names_found() == ["one"], "found by the program's rpath", names_found())
    for name, words, environment in (
        ("a directory that is named", ["--objects=nowhere:far"], {}),
        ("a file that is named, by its soname", ["--objects=far/renamed.so"], {}),
        ("LD_LIBRARY_PATH", [], {"LD_LIBRARY_PATH": os.path.join(TEMP, "far")}),
    ):
        if "directory" in name or environment:
            os.symlink("renamed.so", os.path.join(TEMP, "far", "libtwo.so.2"))
        found = names_found(*words, **environment)
        if "directory" in name or environment:
            os.unlink(os.path.join(TEMP, "far", "libtwo.so.2"))
        tap.ok(found == ["one", "two"], "found by " + name, found)
    for place, name in (("far", "the directory of regmon"), ("bin", "its ../lib")):
        os.makedirs(os.path.join(TEMP, "bin"), exist_ok=True)
        regmon, library = os.path.join(TEMP, place, "regmon"), "far" if place == "far" else "lib"
        os.makedirs(os.path.join(TEMP, library), exist_ok=True)
        os.chmod(write(regmon, b"#!/bin/sh\n"), 0o755)
        os.symlink("../far/renamed.so", os.path.join(TEMP, library, "libtwo.so.2"))
        found = names_found(
            PATH="nowhere::%s:%s" % (os.path.join(TEMP, place), harness.ENV["PATH"])
        )
        os.unlink(os.path.join(TEMP, library, "libtwo.so.2"))
        os.unlink(regmon)
        tap.ok(found == ["one", "two"], "found in " + name, found)
    write(os.path.join(TEMP, "far", "libtwo.so.2"), b"\x7fELF\x01\x01\x01" + bytes(60))
    found = names_found("--objects=far")
    os.unlink(os.path.join(TEMP, "far", "libtwo.so.2"))
    tap.ok(found == ["one"], "not one of another machine", found)


# ---- Profiles of objects ----


def test_left_out(tap):
    """The profiles of objects are no profiles of the program."""
    os.makedirs(os.path.join(TEMP, "all"))
    write_profile("all/gmon.out", "program", "main", 100, 1)
    write_profile("all/gmon.out.libone.so.1", FILES["libone.so.1"], "one", 50, 20)
    write_profile("all/gmon.out.libtwo.so.2", FILES["libtwo.so.2"], "two", 250, 7)
    note = (
        "gprof: note: shared library profiles that are left out: 2 (for example"
        " all/gmon.out.libone.so.1); "
    )
    names = ["all/gmon.out", "all/gmon.out.libone.so.1", "all/gmon.out.libtwo.so.2"]
    for words in (
        ["-b", "-p"],
        ["--top"],
        ["--format=json"],
        ["--base=program", "--base-profile=all/gmon.out"],
    ):
        alone = gprof("--quiet", *words, "program", "all/gmon.out")
        for profiles in (["all"], names, names[::-1]):
            status, out, err = gprof(*words, "program", *profiles)
            good = note in err or note.replace("one.so.1", "two.so.2") in err
            tap.ok(
                alone[0] == status == 0 and good and out == alone[1],
                " ".join(words + profiles),
                out + err,
            )
    status, out, err = gprof("-s", "-o", "sum", "program", "all")
    tap.ok(
        status == 0 and read(os.path.join(TEMP, "sum")) == read(os.path.join(TEMP, "all/gmon.out")),
        "-s",
        err,
    )
    status, out, err = gprof(
        "-b", "--quiet", "-p", FILES["libone.so.1"], "all/gmon.out.libone.so.1"
    )
    tap.ok(status == 0 and " one\n" in out, "that of an object alone is used", out + err)


def main():
    if not harness.tool("CC", "cc"):
        harness.skip_all("no compiler")
    tap = harness.Tap()
    make_all()
    for test in (test_tables, test_names, test_search, test_left_out):
        test(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
