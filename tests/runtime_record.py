#!/usr/bin/env python3
"""The record of a run: one file for all programs and processes, and what gprof reads of it without
operands.

Usage: runtime_record.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import collections
import csv
import io
import json
import os
import re
import shutil
import subprocess

from lib import harness, runtime_build
from lib.runtime_build import Place, calls_of, compile_program, read_stacks, samples_in, sections_of
from lib.runtime_jobs import expect, run_checks

# The samples are those that the programs take themselves: 26 in 2 processes, or 10.
REGMON = [runtime_build.REGMON, "-r", "1", "-c", "thread"]
RECORD = "gmon.out.stacks"
TABLE = [harness.GPROF, "--top=0", "--format=csv", "--columns=name,total,calls"]


def programs(context, place):
    """Two programs that take samples, in a directory below the place."""
    built = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    os.mkdir(place.file("bin"))
    for name in ("one", "two"):
        shutil.copy(built, place.file("bin/" + name))
        with open(place.file("bin/" + name), "ab") as file:
            file.write(name.encode())
    # Two builds: otherwise they are one program with two names.
    id_of = ["objcopy", "--remove-section=.note.gnu.build-id", place.file("bin/two")]
    harness.must_run(id_of)
    return place.file("bin/one"), place.file("bin/two")


def table(place, *words):
    """Status, {function: total}, {function: calls}, and standard error, of gprof in the place."""
    status, out, err = place.run(TABLE + list(words))
    rows = list(csv.DictReader(io.StringIO(out.decode())))
    times = {row["name"]: float(row["total"] or 0) for row in rows}
    return status, times, {row["name"]: row.get("calls") for row in rows}, err.decode()


def group_rows(place, unit, *options):
    """[[seconds, name]] of the table by this unit."""
    words = ["--quiet", "--by=" + unit, "--format=csv", "--columns=self,name", *options]
    out = place.run([harness.GPROF, *words])[1].decode()
    return list(csv.reader(io.StringIO(out)))[1:]


def tree_of(place):
    """The files of a place, but the programs."""
    return sorted(
        os.path.relpath(os.path.join(base, name), place.path)
        for base, _, names in os.walk(place.path)
        for name in names
        if not base.endswith("/bin")
    )


def check_programs(context):
    """All processes of all programs are in one file, in the directory where regmon was started."""
    with Place() as place:
        one, two = programs(context, place)
        os.mkdir(place.file("below"))
        script = '"$0"; cd below; "$1" script "$0"; "$0" none; true'
        result = place.run(REGMON + ["sh", "-c", script, one, two])
        sections = sections_of(place.file(RECORD))
        found = sorted((os.path.basename(s.path), s.command, s.samples) for s in sections)
        wanted = sorted(
            [("one", "one", 23), ("one", "one", 3), ("two", "two", 10)]
            + [("one", "one", 23), ("one", "one", 3)]
        )
        expect(context, "files", (result[0], tree_of(place)), (0, [RECORD]), result)
        expect(context, "sections", [row[:2] for row in found], [row[:2] for row in wanted], found)
        parents = {s.process: s.parent for s in sections}
        children = [s.samples < 10 for s in sections if s.parent in parents]
        expect(context, "the children of fork have parents", children, [True, True], parents)
        work = {
            s.process: sum(
                n
                for frames, n in read_stacks(one, place.file(RECORD), s.process)
                if "work" in frames
            )
            for s in sections
            if s.path == one
        }
        expect(context, "samples of each process", sorted(work.values()), [3, 3, 23, 23])

        status, times, _, err = table(place)
        both = {"work": 52.0}
        expect(
            context,
            "gprof without operand: the program with the most time",
            (status, {k: times.get(k) for k in both}),
            (0, both),
            err,
        )
        context.tap.ok(
            "is in one (4 processes)" in err and "another program: two" in err, "and says so", err
        )
        for words in (["two"], ["--program=two"], [two]):
            status, times, _, err = table(place, *words)
            expect(
                context,
                "gprof %s" % words[0].rpartition("/")[2],
                (status, times.get("work")),
                (0, 10.0),
                err,
            )
        expect(context, "and its --quiet", table(place, "--quiet", "two")[3], "")
        rows = group_rows(place, "program")
        expect(context, "--by=program", rows, [["52", "one (4 processes)"], ["10", "two"]])
        rows = group_rows(place, "process")
        wanted = sorted([str(s.samples), "%s %d" % (s.command, s.process)] for s in sections)
        expect(context, "--by=process", sorted(rows), wanted)
        rows = group_rows(place, "process", "--program=two")
        of_two = [row for row in wanted if row[1].startswith("two ")]
        expect(context, "--by=process of a program", rows, of_two)
        rows = group_rows(place, "program", "--program=two")
        expect(context, "--by=program of a program", rows, [["10", "two"]])
        result = place.run([harness.GPROF, "--by=process", "--thread=two"])
        said = b"--by=process and --thread cannot be used together" in result[2]
        expect(context, "--by=process of a thread", (result[0], said), (1, True))
        head = harness.read(place.file(RECORD))
        harness.write(place.file("cut.stacks"), head[: head.index(b"# program")])
        result = place.run([harness.GPROF, "--top", "cut.stacks"])
        expect(context, "a record that ends in its head", result[0], 1, result)
        os.unlink(place.file("cut.stacks"))
        status, times, _, err = table(place, "three")
        expect(
            context,
            "a name that is not there",
            (status, err),
            (1, "gprof: three: No such file or directory; %s has samples of: one two\n" % RECORD),
        )
        status, times, _, err = table(place, "--program=three")
        expect(
            context,
            "a program that is not there",
            (status, "has no samples from three (known: one two)" in err),
            (1, True),
            err,
        )
        alone = table(place, one, RECORD)
        expect(context, "the record as operand", alone[1].get("work"), 52.0, alone[3])


def check_sum(context):
    """gmon.out has the samples of all processes of the program, as other readers see them."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place:
        result = place.run(REGMON + [program])
        in_program = [
            sum(n for frames, n in s.lines() if frames[-1].startswith(s.own + ":"))
            for s in sections_of(place.file(RECORD))
        ]
        found = samples_in(harness.read(place.file()))
        expect(
            context, "gmon.out is the sum", (len(in_program), found), (2, sum(in_program)), result
        )
        with_stacks = place.run(
            [harness.GPROF, "--quiet", "--strict", "--top", "--stacks", program]
        )
        expect(context, "its stacks belong to it", with_stacks[0], 0, with_stacks)
        if harness.REFERENCE and os.path.exists(harness.REFERENCE):
            other = place.run([harness.REFERENCE, "-b", "-p", program])
            ours = place.run([harness.GPROF, "-b", "-p", program])
            expect(context, "the reference reads it", other[1], ours[1])


def check_counts(context):
    """Processes that counted calls have files, and each finds its own stacks in the record."""
    program = compile_program(context.gcc, "without.c", "without-pg", ["-O1"])
    with Place() as place:
        result = place.run(REGMON + [program])
        names = sorted(place.files())
        sections = {s.profile: s for s in sections_of(place.file(RECORD))}
        expect(context, "-pg: files", (result[0], names), (0, sorted(sections)), result)
        for name in names:
            found = place.run(
                [harness.GPROF, "--quiet", "--strict", "--top", "--stacks", program, name]
            )
            expect(context, "-pg: the stacks of a process", found[0], 0, found)
        status, times, calls, err = table(place)
        expect(
            context,
            "-pg: gprof without operand adds them up",
            (status, times.get("work")),
            (0, 26.0),
            err,
        )
        wanted = sum(calls_of("work", program, place.file(name)) for name in names)
        expect(context, "-pg: and their calls", calls.get("work"), str(wanted), err)
        context.tap.ok(wanted > 0, "-pg: there are calls", wanted)
        # Of numbers of calls, a copy of the record knows nothing: not that they are 0.
        shutil.copy(place.file(RECORD), place.file("copy.stacks"))
        words = ["--fail-calls=5", "--base=copy.stacks", "copy.stacks"]
        found = place.run([harness.GPROF, "--quiet"] + words)
        expect(
            context,
            "-pg: calls of records are not judged",
            (found[0], b"has no call counts" in found[2]),
            (1, True),
            found,
        )
        heading = place.run([harness.GPROF, "--quiet", "--top", "copy.stacks"])[1].split(b"\n")[0]
        expect(context, "-pg: nor have they a column", b"calls" in heading, False)


IN_CXX = """#include <iostream>
#include <unistd.h>
static volatile int sum;
__attribute__((noinline)) void work() { sum += 1; }
int main()
{
    for (int i = 0; i < 7; i++)
        work();
    std::cout << std::flush;
    execl("/bin/true", "true", (char *)0);
}
"""


def check_exec_of_cxx(context):
    """A program with -pg keeps its profile if it executes another one, also where libraries call
    __gmon_start__ before it starts, as that of C++ does."""
    for name, compiler in (("c++", context.cxx), ("clang++", context.clangxx)):
        if not compiler:
            context.tap.skip("-pg: exec of " + name, "no compiler")
            continue
        for flags in ([], ["-rdynamic"], ["-static-libstdc++"]):
            what = "-pg: exec of %s %s" % (name, " ".join(flags))
            with Place() as place:
                harness.write(place.file("p.cc"), IN_CXX.encode())
                command = compiler + flags + ["-pg", "-g", "-O1", "-o", "p", "p.cc"]
                if harness.run(command, place.path)[0] != 0:
                    context.tap.skip(what, "cannot be linked")
                    continue
                result = place.run(REGMON + [place.file("p")])
                is_there = os.path.exists(place.file())
                calls = is_there and calls_of("work()", place.file("p"), place.file())
                expect(context, what, (result[0], calls), (0, 7), result)


def check_names(context):
    """A run replaces the files of the run before, but none that was written since it began."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place:
        both = ["gmon.out", RECORD]
        place.run(REGMON + [program])
        first = harness.read(place.file(RECORD))
        place.run(REGMON + [program, "script", "true"])
        expect(
            context,
            "the next run",
            (sorted(os.listdir(place.path)), first == harness.read(place.file(RECORD))),
            (both, False),
        )
        words = REGMON + [program, "script", "read x"]
        slow = subprocess.Popen(words, cwd=place.path, env=harness.ENV, stdin=subprocess.PIPE)
        harness.wait_until(lambda: pools_of(slow.pid))
        quick = place.run(REGMON + [program])
        kept = harness.read(place.file(RECORD))
        slow.communicate(b"\n")
        wanted = sorted(both + ["gmon.out-2", "gmon.out-2.stacks"])
        found = sorted(os.listdir(place.path)), kept == harness.read(place.file(RECORD))
        expect(context, "runs at the same time", found, (wanted, True), quick)
        numbers = [
            sum(s.samples for s in sections_of(place.file(name)))
            for name in (RECORD, "gmon.out-2.stacks")
        ]
        expect(context, "each has its own", [n >= 20 for n in numbers], [True, False], numbers)
    with Place() as place:
        harness.write(place.file(RECORD), b"precious\n")
        result = place.run(REGMON + [program, "script", "true"])
        found = harness.read(place.file(RECORD)), sorted(os.listdir(place.path))
        wanted = b"precious\n", sorted([RECORD, "gmon.out-2", "gmon.out-2.stacks"])
        expect(context, "what is no profile stays", found, wanted, result)


def pools_of(number):
    """The directories of pools that a regmon's program has in its environment, once it takes
    samples."""
    children = harness.read("/proc/%d/task/%d/children" % (number, number)).split()
    for child in children:
        try:
            environment = harness.read("/proc/%s/environ" % child.decode())
        except OSError:
            continue
        for variable in environment.split(b"\0"):
            if variable.startswith(b"REGMON_POOL="):
                return [variable.split(b"=", 1)[1].decode()]
    return []


def check_older(context):
    """A profile that another run has written since is not taken for one of the record."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place:
        place.run(REGMON + [program])
        other = harness.read(place.file())
        harness.write(place.file(), other[:-2] + b"\5\0")  # samples in the last bin
        status = os.stat(place.file(RECORD))
        os.utime(place.file(), ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        status, times, _, err = table(place, program)
        expect(context, "a newer gmon.out", status, 0, err)
        context.tap.ok("these call stacks are not used" in err, "its record is of another run", err)
        found = place.run([harness.GPROF, "--top"])
        expect(
            context,
            "without operand it is that of a.out",
            (found[0], b"a.out: No such file" in found[2]),
            (1, True),
            found,
        )


def check_damaged(context):
    """A record that cannot be read costs no profile."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place:
        place.run(REGMON + [program])
        text = harness.read(place.file(RECORD))
        for what, damaged in (
            ("a head", text.replace(b"# code ", b"# code x", 1)),
            ("a stack", text.replace(b";", b";;", 1)),
            ("an end", text[:-9]),
        ):
            harness.write(place.file(RECORD), damaged)
            found = place.run([harness.GPROF, "--top", program])
            strict = place.run([harness.GPROF, "--top", "--strict", program])
            alone = place.run([harness.GPROF, "--top"])
            is_named = b"gmon.out.stacks" in found[2]
            statuses = found[0], strict[0], alone[0]  # the head says which programs there are
            wanted = 0, 1, int(what == "a head")
            expect(
                context,
                "damaged: " + what,
                (statuses, is_named),
                (wanted, True),
                harness.said(found) + harness.said(alone),
            )


def check_large(context):
    """Where a record would be too large, stacks are cut, and no sample is lost."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    shared = os.statvfs("/dev/shm") if os.path.isdir("/dev/shm") else None
    if shared is None or shared.f_bavail * shared.f_frsize < 300 << 20:
        context.tap.skip("a large record", "/dev/shm is small")
        return
    with Place() as place:
        place.run(REGMON + [program])
        section = sections_of(place.file(RECORD))[0]
        head = re.match(r"(?s).*?\n# thread [^\n]*\n", section.text).group(0)
        stack = re.search(r"^(\S*;)(%s:\S+) \d+$" % section.own, section.text, re.M)
        line = stack.group(1) * 50 + stack.group(2) + " 1\n"
        copies, many = 8, (10 << 20) // len(line)
        drawn = "# regmon stacks 3" + head + line * many + "# samples %d\n" % many
        harness.write(place.file("drawn"), drawn.encode())
        copy = 'for i in $(seq %d); do cp drawn "$REGMON_POOL/section-$((9000000 + i))-$i"; done'
        result = place.run(REGMON + ["sh", "-c", copy % copies + "; " + program])
        size = os.path.getsize(place.file(RECORD))
        found = collections.Counter()
        for frames, samples in read_stacks(program, place.file(RECORD)):
            found[frames[-1]] += samples
        words = ["--top=0", "--format=csv", "--columns=self,name", "--program=without"]
        out = place.run([harness.GPROF, *words])[1].decode()
    rate = float(re.search(r"^# rate (\d+)$", head, re.M).group(1))
    rows = {row["name"]: float(row["self"]) * rate for row in csv.DictReader(io.StringIO(out))}
    context.tap.ok(size <= 64 << 20, "a record has at most 64 MB", str(size))
    context.tap.ok(b"later stacks are cut" in result[2], "which is said", harness.said(result))
    # Those of the program that ran at the end are 26.
    expect(context, "no sample is lost", sum(found.values()), copies * many + 26)
    expect(context, "nor read wrong", round(sum(rows.values())), copies * many + 26)


def check_operands(context):
    """What GNU gprof has an answer to keeps it: a.out and gmon.out."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place:
        result = place.run(REGMON + [program])
        expected = place.run([harness.GPROF, "-b", "-p", program, "gmon.out"])
        shutil.copy(program, place.file("a.out"))
        found = place.run([harness.GPROF, "-b", "-p"])
        expect(context, "a.out and gmon.out", found[:2], expected[:2], result)
        os.unlink(place.file("a.out"))
        found = place.run([harness.GPROF, "-b", "-p"])
        expect(context, "without a.out: the program of the run", found[:2], expected[:2], found[2])
        os.unlink(place.file(RECORD))
        found = place.run([harness.GPROF, "--top"])
        context.tap.ok(
            found[0] == 1 and b"a.out" in found[2] and b"regmon" in found[2],
            "nothing is there",
            found[2],
        )


def check_several(context):
    """Records name their executable: they are added up, compared and merged as they are."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place, Place() as other:
        for name, words in (("a", []), ("b", ["script", "true"])):
            place.run(REGMON + [program] + words)
            shutil.copy(place.file(RECORD), other.file(name + ".stacks"))
        both = ["a.stacks", "b.stacks"]
        status, times, _, err = table(other, *both)
        expect(context, "two records", (status, times.get("work")), (0, 36.0), err)
        status, times, _, err = table(other, both[1])
        expect(context, "one record", (status, times.get("work")), (0, 10.0), err)
        rows = other.run([harness.GPROF, "--quiet", "--per-file"] + both)
        context.tap.ok(
            all(name.encode() in rows[1] for name in both) and rows[0] == 0,
            "--per-file: a row for each",
            rows,
        )
        merged = other.run([harness.GPROF, "--quiet", "-s", "-o", "sum"] + both)
        status, times, _, err = table(other, program, "sum")
        expect(context, "-s: their sum", (merged[0], status, times.get("work")), (0, 0, 36.0), err)
        changed = other.run([harness.GPROF, "--quiet", "--base=b.stacks", "a.stacks"])
        is_right = re.search(rb"total 10\.0* -> 26\.0* s", changed[1]) is not None
        context.tap.ok(changed[0] == 0 and is_right, "--base", changed[1])
        parts = [
            other.run([harness.GPROF, "--quiet", "--by=program"] + names)
            for names in (both, both[:1])
        ]
        expect(context, "--by=program: of one run", [p[0] for p in parts], [1, 0], parts[0])
        wrong = other.run([harness.GPROF, "--top", "--program=other"] + both)
        expect(
            context,
            "--program that is not there",
            (wrong[0], b"known: without" in wrong[2]),
            (1, True),
            wrong,
        )


# Computes for a quarter of a second: after a system call that blocks the signal of clocks; in a
# child of vfork; and is killed then.
SPIN = """#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    const unsigned long all = ~0ul;
    if (*how == 'b')
        syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, 8);
    if (*how == 'v' && (count = vfork()))
        return waitpid(count, &count, 0) < 0 ? 1 : WEXITSTATUS(count);
    while (clock() < CLOCKS_PER_SEC / 4) ;
    if (strstr(how, "kill"))
        kill(getpid(), SIGKILL);
    _exit(7);
}
"""


def check_unseen(context):
    """regmon says at the end that most of the time has no samples, and why if that can be known:
    not where the time is of a program that has loaded the library."""
    causes = ": programs that did not load the library"
    with Place() as place:
        harness.write(place.file("spin.c"), SPIN.encode())
        harness.must_run(context.gcc + ["-o", "dynamic", "spin.c"], place.path)
        linked = harness.run(context.gcc + ["-static", "-o", "static", "spin.c"], place.path)[0]
        for name, words, status, wanted in (
            ("a static program", ["sh", "-c", "./static; exit $?"], 7, causes),
            ("a program that has samples", ["sh", "-c", "./dynamic; exit $?"], 7, None),
            ("an emptied environment", ["env", "-i", "./dynamic"], 7, causes),
            ("a child of vfork", ["./dynamic", "vfork"], 7, causes),
            ("a blocked signal", ["./dynamic", "blocked"], 7, None),
            ("a program that was killed", ["./dynamic", "blocked, killed"], -9, ""),
        ):
            if "./static" in words[-1] and linked != 0:
                context.tap.skip("time without samples: " + name, "it cannot be linked")
                continue
            result = place.run([runtime_build.REGMON, "-r", "100", *words])
            said = re.search(
                r"regmon: 0\.\d\d of 0\.\d\d s have no samples(.*)", result[2].decode()
            )
            is_good = said is not None and (said[1].startswith(wanted) if wanted else not said[1])
            context.tap.ok(
                result[0] == status and (is_good if wanted is not None else not said),
                "time without samples: " + name,
                result,
            )


def check_later(context):
    """What lives on when regmon ends comes into the record when it ends."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    script = '"$0" script "echo >begun; read x <end" >/dev/null 2>&1 & read x <begun'
    with Place() as place:
        for name in ("begun", "end"):
            os.mkfifo(place.file(name))
        result = place.run(REGMON + ["sh", "-c", script, program])
        said = re.search(rb"processes that go on: [1-9]\d*; .* 'regmon --wait' waits", result[2])
        found = result[0], said is not None, os.path.exists(place.file(RECORD))
        expect(context, "a process that goes on", found, (0, True, False), result)
        harness.write(place.file("end"), b"\n")
        waited = place.run([runtime_build.REGMON, "--wait"])
        samples = [s.samples for s in sections_of(place.file(RECORD))]
        expect(context, "has its samples in the record later", samples, [10], waited)


def check_joined(context):
    """regmon below regmon adds to its record, unless it is told to write files of its own."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    inner = " ".join(REGMON)
    with Place() as place:
        script = '%s "$0" script true; %s -o own "$0" script true; "$0" script true' % (
            inner,
            inner,
        )
        result = place.run(REGMON + ["sh", "-c", script, program])
        samples = {
            name: [s.samples for s in sections_of(place.file(name))]
            for name in os.listdir(place.path)
            if name.endswith(".stacks")
        }
        wanted = {RECORD: [10, 10], "own.stacks": [10]}
        expect(context, "regmon below regmon", (result[0], samples), (0, wanted), result)
        is_said = result[2].count(b"in the record of the regmon that has started this one")
        expect(context, "which is said", is_said, 1, result)


def check_unsampled(context):
    """What the run took without a sample is said, if it is much of it: 26 samples are 26 seconds
    here."""
    program = compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")
    with Place() as place:
        place.run(REGMON + [program])
        text = harness.read(place.file(RECORD)).decode()
        context.tap.ok(
            re.search(r"^# waited \d+$", text, re.M) is not None,
            "the record says what regmon waited for",
            text,
        )
        for waited, said in (
            (52, "26.00 of 52.00 s of the run (50 %) have no samples"),
            (26.4, None),
            (20, None),
        ):
            changed = re.sub("(?m)^# waited .*$", "# waited %d" % (waited * 1e9), text)
            harness.write(place.file(RECORD), changed.encode())
            for words in (
                ["--top"],
                ["--tree"],
                ["--format=json"],
                ["--format=html"],
                ["--base=" + RECORD],
            ):
                status, out, err = place.run([harness.GPROF] + words)
                where = out.decode() if words[0][:3] in ("--t",) else err.decode()
                is_good = said in where if said else "no samples" not in where
                if words == ["--format=json"]:
                    totals = json.loads(out)["totals"]
                    is_good &= abs(totals.get("unsampled", 0) - (26 if said else 0)) < 0.01
                context.tap.ok(
                    status == 0 and is_good, "%s: %s of 26 s" % (words[0], waited), where
                )


CHECKS = [
    check_unsampled,
    check_programs,
    check_sum,
    check_counts,
    check_exec_of_cxx,
    check_names,
    check_older,
    check_damaged,
    check_large,
    check_operands,
    check_several,
    check_unseen,
    check_later,
    check_joined,
]

if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
