#!/usr/bin/env python3
"""Programs without -pg: regmon samples the program that it runs, its threads and its children, from
their start.

Usage: without_pg.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import json
import os
import re
import shutil
import signal
import subprocess

from lib import harness, runtime_build
from lib.runtime_build import Place, calls_of, compile_program, read_stacks, records_in, sections_of
from lib.runtime_jobs import expect, run_checks

REGMON = [runtime_build.REGMON, "-r", "1", "-c", "thread"]  # the samples are the program's own


def without(context):
    return compile_program(context.gcc, "without.c", "without", ["-O1"], profile="-g")


def check_samples(context):
    program = without(context)
    with Place() as place:
        result = place.run(REGMON + [program])
        expect(
            context,
            "files of the run",
            (result[0], sorted(os.listdir(place.path))),
            (0, ["gmon.out", "gmon.out.stacks"]),
            result,
        )
        first, child = sections_of(place.file("gmon.out.stacks"))
        stacks = read_stacks(program, place.file("gmon.out.stacks"), first.process)
        of_child = read_stacks(program, place.file("gmon.out.stacks"), child.process)
        text = first.text
        expect(
            context,
            "the child of the program",
            (child.parent, first.is_first, child.is_first),
            (first.process, True, False),
            child.text,
        )
        table = json.loads(place.run([harness.GPROF, "--format=json", program])[1])
        printed = place.run([harness.GPROF, "--top", program])
        threads = place.run([harness.GPROF, "--top", "--by=thread", program])[1].decode()
    sums = {}
    for frames, samples in stacks:
        for name in set(frames):
            sums[name] = sums.get(name, 0) + samples
    wanted = {"work": 23, "take_in_comparison": 1, "run_thread": 10, "wait_for_name": 2, "main": 11}
    expect(
        context,
        "samples of functions and their callers",
        {name: sums.get(name) for name in wanted},
        wanted,
        text,
    )
    context.tap.ok("linux-vdso" not in text, "the kernel's object is [vdso]", text)
    expect(
        context,
        "no stack begins or ends in libregmon",
        [
            s
            for s in re.findall(r"^# object (\d+) libregmon", text, re.M)
            if re.search(r"[; ]%s:" % s, text)
        ],
        [],
    )
    expect(context, "samples of a child", sum(n for frames, n in of_child if "work" in frames), 3)
    expect(
        context,
        "names of threads",
        sorted(set(re.findall(r"^# thread \d+ (.*)", text, re.M))),
        ["named later", "without", "worker"],
    )
    functions = {f["name"]: f for f in table["functions"]}
    expect(context, "calls were not counted", functions["work"].get("calls"), None)
    context.tap.ok(
        b"calls were not counted" in printed[2] and b"calls" not in printed[1].splitlines()[0],
        "and the table has no column for them",
        printed,
    )
    context.tap.ok(
        b"outside the text" not in printed[2],
        "no sample in the program is no sample of another one",
        printed,
    )
    context.tap.ok(
        all(name in threads for name in ("named later", "without", "worker")),
        "the table of threads",
        threads,
    )


def check_code(context):
    """Lines and instructions with time, and orders for linkers, of stacks alone."""
    program = without(context)
    with Place() as place:
        result = place.run(REGMON + [program])
        document = json.loads(
            place.run([harness.GPROF, "--quiet", "--format=json", "--asm", "--code=work", program])[
                1
            ]
        )
        printed = place.run([harness.GPROF, "-b", "--quiet", "--code=work", program])[1].decode()
        page = place.run([harness.GPROF, "--quiet", "--format=html", "--asm", program])[1].decode()
        orders = {
            name: place.run([harness.GPROF, "--quiet", "--format=" + name, program])[1].decode()
            for name in ("call-graph-order", "symbol-order", "section-order")
        }
    (entry,) = document["code"]
    function = document["functions"][entry["function"]]
    sums = {
        kind: round(sum(row["self"] or 0 for row in entry["rows"] if row["kind"] == kind), 9)
        for kind in ("line", "instruction")
    }
    has_opcodes = harness.has_library("OPCODES")
    wanted = {
        "line": round(function["self"], 9),
        "instruction": round(function["self"], 9) if has_opcodes else 0,
    }
    expect(context, "lines and instructions add up to the function", sums, wanted, result)
    context.tap.ok(
        printed.startswith("work, without.c:") and "total" in printed,
        "the text has totals",
        printed,
    )
    context.tap.ok('"code":[' in page and '"kind":"line"' in page, "the page has code")
    expect(
        context,
        "weights of calls are samples",
        "run_thread work 10\n" in orders["call-graph-order"],
        True,
        orders["call-graph-order"],
    )
    context.tap.ok(
        {"main", "work"} <= set(orders["symbol-order"].split())
        and "*(.text.work)\n" in orders["section-order"],
        "orders of symbols and sections",
        orders,
    )


def check_nothing(context):
    """A program that takes no sample has no file; nor have programs that it starts, in snapshots
    neither."""
    program = without(context)
    with Place() as place:
        result = place.run([runtime_build.REGMON, "-r", "0", program, "none"])
        found = result[0], place.files()
    expect(context, "no sample, no file", found, (0, []), result)
    with Place() as place:
        process = subprocess.Popen(
            REGMON + ["-s", "USR1", "sh", "-c", "cat; true"],
            cwd=place.path,
            env=harness.ENV,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        process.stdin.write(b"cat reads\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGUSR1)
        is_there = harness.wait_until(lambda: "gmon.out" in place.files())
        process.communicate()
        found = is_there, process.returncode, place.files()
    expect(
        context,
        "a snapshot of the program that regmon runs, and of no other without samples",
        found,
        (True, 0, ["gmon.out"]),
    )


def check_started(context):
    """Programs that it executes are sampled from their start; only the program that regmon runs has
    no number."""
    program = without(context)
    rows = [
        ("below a shell", [], '"$0"; "$0" none; true', []),
        ("in place of a shell", [], 'exec "$0"', [r"gmon\.out"]),
        ("below a shell, -D", ["-D"], '"$0"; true', []),
        ("below a shell, -o NAME", ["-o", "a"], '"$0"; true', []),
        ("below a shell, -o with %n", ["-o", "%n"], '"$0"; true', []),
        ("below a shell, -o with %n.%p", ["-o", "%n.%p"], '"$0"; true', [r"without\.\d+"] * 2),
        (
            "one after the other in one process",
            ["-o", "%n.%p"],
            '"$0" exec "exec $0 script true"; true',
            [r"without\.\d+", r"without\.\d+-2"],
        ),
    ]
    for title, options, script, names in rows:
        with Place() as place:
            result = place.run(REGMON + options + ["sh", "-c", script, program])
            place.run([runtime_build.REGMON, "--wait"])
            names_found = place.files()
            records = [name for name in os.listdir(place.path) if name.endswith(".stacks")]
            record = place.file(records[0])
            if not names_found or len(records) < len(names_found) or len(names) == 1:
                stacks = [
                    read_stacks(program, record, section.process) for section in sections_of(record)
                ]
            else:
                stacks = [
                    read_stacks(program, place.file(name + ".stacks")) for name in names_found
                ]
            samples = sorted(
                sum(n for frames, n in of_file if "work" in frames) for of_file in stacks
            )
            is_named = len(names_found) == len(names) and all(
                re.fullmatch(*pair) for pair in zip(names, names_found)
            )
        wanted = [10, 10] if "script" in script else [3, 23]
        expect(
            context,
            title,
            (result[0], is_named, samples),
            (0, True, wanted),
            harness.said(result) + repr(names_found),
        )
    with Place() as place:
        result = place.run(
            REGMON + ["sh", "-c", 'REGMON_POOL=/nowhere "$0" script true; true', program]
        )
        stacks = [read_stacks(program, place.file(name + ".stacks")) for name in place.files()]
    # regmon, which knows of the shell alone, says that nothing has a sample.
    said = re.sub(rb"regmon: .*(no samples|of CPU time).*\n", b"", result[2])
    expect(
        context,
        "one that cannot reach the counts writes by itself, and says nothing",
        (
            result[:2] + (said,),
            [sum(n for frames, n in of_file if "work" in frames) for of_file in stacks],
        ),
        ((0, b"", b""), [10]),
    )


# Patterns of --only, and whether the program `without' is one of them.
PATTERNS = [
    (["without"], True),
    (["with*"], True),
    (["*"], True),
    (["*t*o*t*"], True),
    (["**without**"], True),
    (["w?thout"], True),
    (["[v-x][!a]thout"], True),
    (["[]w]ithout"], True),
    (["[!w]ithout"], False),
    (["[a-v]ithout"], False),
    (["[without"], False),
    (["with"], False),
    (["ithout"], False),
    (["without?"], False),
    (["*out*e"], False),
    (["other", "without"], True),
    (["without", "other"], True),
    (["other", "others"], False),
]


NOTHING = b"regmon: nothing was profiled: no program that --only names was run\n"
IGNORING = [
    "sh",
    "-c",
    'trap "" 16; exec "$@"',
    "sh",
]  # the signal of samples, which the program raises


def check_only(context):
    """Other programs are not sampled, and write nothing, also with -pg."""
    program, counting = without(context), compile_program(
        context.gcc, "loop.c", "loop-only", ["-O1"]
    )
    with Place() as place:
        os.symlink(program, place.file("link"))
        for patterns, is_meant in PATTERNS:
            result = place.run(
                IGNORING
                + REGMON
                + ["--only=" + pattern for pattern in patterns]
                + [program, "script", "echo out"]
            )
            found = result, place.files()
            expect(
                context,
                "--only=%s" % " --only=".join(patterns),
                found,
                (
                    (0, b"out\n", b"" if is_meant else NOTHING),
                    ["gmon.out", "link"] if is_meant else ["link"],
                ),
            )
            for name in found[1][:-1]:
                os.remove(place.file(name))
    shared = [
        "sh",
        "-c",
        'grep SigCgt /proc/self/status; "$0" 1 1000; "$1" none; exec "$2"',
        counting,
        program,
    ]
    for title, names, option, wanted in (
        ("a program below", ["loop-only"], [], {"gmon.out.PID": 1000}),
        ("a program below, -D", ["loop-only"], ["-D"], {"gmon.out.PID": 1000}),
        ("the name of a link", ["link"], [], {"gmon.out": None}),
        ("the name of its file", ["without"], ["-D"], {"gmon.out": None}),
        ("none of them", ["other"], [], {}),
    ):
        with Place() as place:
            os.symlink(program, place.file("link"))
            result = place.run(
                IGNORING
                + REGMON
                + option
                + ["--only=" + name for name in names]
                + shared
                + [place.file("link")]
            )
            place.run([runtime_build.REGMON, "--wait"])
            names = [
                name
                for name in place.files()
                if name != "link" and (name == "gmon.out" or 1000 in wanted.values())
            ]
            found = {
                re.sub(r"\d+", "PID", name): (
                    None
                    if None in wanted.values()
                    else calls_of("leaf", counting, place.file(name))
                )
                for name in names
            }
            plain = place.run(IGNORING + shared + [place.file("link")])
        expect(
            context,
            "--only: " + title,
            (result[0], result[1], found),
            (plain[0], plain[1], wanted),
            result,
        )


def check_parts(context):
    """Only the parts of the code with samples are written; readers print the same as of the whole,
    also of a sum."""
    sources = [
        os.path.join(runtime_build.SOURCES, name)
        for name in ("gmon_file.c", "out_file.c", "text.c")
    ]
    writer = compile_program(
        context.gcc, "writer.c", "writer-parts", ["-no-pie", "-fno-pie"], sources, "-g"
    )
    with Place() as place:
        for name, words in (("whole", []), ("parts", ["parts"])):
            place.run([writer, "1000", "200000", "1000"] + words)
            os.rename(place.file(), place.file(name))
        data = {name: harness.read(place.file(name)) for name in ("whole", "parts")}
        ranges = {
            name: sorted({(h.low, h.high) for h in records_in(data[name], True)}) for name in data
        }
        for reader in runtime_build.readers():
            for words in ("-b -p -z", "-b -q", "-b -l -p", "-b -A"):
                for times in (1, 2):
                    printed = [
                        place.run([reader] + words.split() + [writer] + [name] * times)[:2]
                        for name in ("whole", "parts")
                    ]
                    expect(
                        context,
                        "%s of parts, %d of them, %s"
                        % (words, times, "GNU" if reader != harness.GPROF else "ours"),
                        printed[1],
                        printed[0],
                    )
        other = place.run([harness.GPROF, "-b", without(context), "parts", "parts"])[2]
    expect(
        context,
        "one warning for each file of another program",
        other.count(b"outside the text of"),
        2,
        other,
    )
    expect(
        context,
        "ranges of the whole and of parts",
        [len(ranges[name]) for name in ("whole", "parts")],
        [1, 2],
        ranges,
    )
    context.tap.ok(
        len(data["parts"]) < 2000 and len(data["whole"]) > 100000,
        "bytes",
        [len(d) for d in data.values()],
    )
    lows = {high - low for low, high in ranges["parts"]}
    context.tap.ok(
        len(lows) == 1
        and all((low - ranges["whole"][0][0]) % min(lows) == 0 for low, _ in ranges["parts"]),
        "parts have one size, from the start of the code",
        ranges,
    )


def check_wrapper(context):
    """gmon.out is that of the last program that the process of regmon's program executes, as by a
    script."""
    program = without(context)
    with Place() as place:
        real = place.file("real")
        shutil.copy(program, real)
        result = place.run(REGMON + ["--no-stacks", program, "exec", "exec %s script true" % real])
        first = [f for f in place.files() if re.fullmatch(r"gmon\.out\.\d+", f)]
        result = place.run(REGMON + [program, "exec", "exec %s script true" % real])
        found = len(first), [
            os.path.basename(s.path)
            for s in sections_of(place.file("gmon.out.stacks"))
            if s.is_first
        ]
    expect(context, "a wrapper", found, (1, ["real"]), result)


def check_again(context):
    """A run replaces the file of the run before, however soon it follows."""
    program = without(context)
    with Place() as place:
        for _ in range(harness.sized(20, 200)):
            place.run(REGMON + ["--no-stacks", program, "script", "true"])
        found = [f for f in place.files() if not re.fullmatch(r"gmon\.out\.\d+", f)]
    expect(context, "runs one after the other", found, ["gmon.out"])


def check_starter(context):
    """gmon.out is of the program that regmon runs, also if it starts one with -pg."""
    program = without(context)
    counting = compile_program(context.gcc, "loop.c", "loop-started", ["-O1"])
    with Place() as place:
        result = place.run(REGMON + [program, "script", counting + " 1 1000"])
        below = [name for name in place.files() if re.fullmatch(r"gmon\.out\.\d+", name)]
        found = (
            result[0],
            len(place.files()),
            [calls_of("leaf", counting, place.file(name)) for name in below],
        )
    expect(
        context, "a program with -pg that it starts has its number", found, (0, 2, [1000]), result
    )


GENERATED = "[generated code]"
NAMED = {
    ("a leaf",): 3,
    ("a page",): 2,
    ("last",): 1,
    ("all",): 4,
    ("a caller, " + 990 * "x", "called_back"): 5,
}
NAMELESS = {("",): 10, ("", "called_back"): 5}


def stacks_of(folded):
    """{(names of functions in generated code and of what they call): samples}; libc is left out."""
    found = {}
    for line in folded.splitlines():
        frames, _, samples = line.rpartition(" ")
        frames = [f for f in frames.split(";") if f.endswith(GENERATED) or f == "called_back"]
        frames = tuple(
            f[: -len(GENERATED)].rstrip(" ") if f.endswith(GENERATED) else f for f in frames
        )
        if frames:
            found[frames] = found.get(frames, 0) + int(samples)
    return found


def check_generated(context):
    """Code that the program has made has names if the program says them, in a file that is its
    own."""
    if runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("generated code", "the code is for x86-64")
        return
    program = compile_program(
        context.gcc, "translated.c", "translated", ["-O1", "-fno-omit-frame-pointer"], profile="-g"
    )
    counting = compile_program(
        context.gcc, "translated.c", "translated-linked", ["-O1"], [context.library.archive()]
    )
    too_large = b"generated code has no names: more than 256 MB in /tmp/perf-"
    for how, expected in (
        ("file", NAMED),
        ("none", NAMELESS),
        ("link", NAMELESS),
        ("pipe", NAMELESS),
        ("old", NAMELESS),
        ("earlier", NAMELESS),
        ("other", NAMELESS),
        ("large", NAMELESS),
    ):
        if how == "other" and os.geteuid() != 0:
            context.tap.skip("names of generated code: other", "only root can give a file away")
            continue
        for name, command in (
            ("regmon", REGMON + [program, how]),
            ("without regmon", [counting, how]),
        ):
            with Place() as place:
                result = place.run(command, REGMON_HZ="1", REGMON_CLOCK="thread")
                image = command[-2]
                folded = place.run([harness.GPROF, "--quiet", "--format=folded", image])
                text = harness.read(place.file("gmon.out.stacks")).decode() if place.files() else ""
                path = "/tmp/perf-%d.map" % int(result[1] or 0)
                if os.path.lexists(path):
                    os.unlink(path)
            is_said = too_large in result[2]
            expect(
                context,
                "names of generated code: %s, %s" % (how, name),
                (result[0], stacks_of(folded[1].decode()), is_said),
                (0, expected, how == "large"),
                harness.said(result) + text,
            )


def check_real(context):
    """Programs of the system: same output and status, and a profile if they take samples."""
    rows = [
        ("python3", ["-c", "print(sum(i * i for i in range(1000000)))"]),
        ("perl", ["-e", "$s += $_ ** 2 for 1 .. 1000000; print $s"]),
    ]
    for name, words in rows:
        path = harness.tool(name.upper(), "/usr/bin/" + name)
        if not path or not os.path.exists(path[0]):
            context.tap.skip("unmodified " + name, "it is not installed")
            continue
        with Place() as place:
            plain, sampled = place.run(path + words), place.run(
                [runtime_build.REGMON] + path + words
            )
            table = (
                place.run([harness.GPROF, "--top", os.path.realpath(path[0])])
                if place.files()
                else None
            )
        expect(context, "unmodified %s: output and status" % name, sampled[:2], plain[:2], sampled)
        context.tap.ok(
            not table or table[0] == 0,
            "unmodified %s: its table" % name,
            harness.said(table) if table else "",
        )


def shape(line):
    """A row without its figures and the branches of a tree, which are other characters in another
    locale."""
    return re.sub(r"[\d.]+", "0", re.sub(r"[^\w.%\s]", " ", line)).split()


def check_readme(context):
    """The commands on the first screen of README.md print what it shows: the same headings, and
    rows of that form."""
    screen = harness.read(os.path.join(harness.SRCDIR, "README.md")).decode().split("\n\n![")[0]
    shown = [
        part.splitlines()
        for part in re.split(r"^    \$ ", screen.split("\n\n")[2] + "\n", flags=re.M)[1:]
    ]
    source = os.path.join(harness.SRCDIR, "tests", "programs", "truth.c")
    expect(
        context,
        "README: its commands",
        [lines[0].split()[0] for lines in shown],
        ["regmon", "gprof", "gprof"],
    )
    with Place() as place:
        harness.must_run(
            context.gcc
            + [
                "-g",
                "-O1",
                "-fno-inline",
                "-fno-optimize-sibling-calls",
                "-o",
                place.file("prog"),
                source,
            ]
        )
        for command, *wanted in shown:
            words = command.split("#")[0].split()
            program = {"gprof": harness.GPROF, "regmon": runtime_build.REGMON}[words[0]]
            # All rows: which are first depends on a sample in the dynamic linker.
            result = place.run(
                [program] + [re.sub("--top=.*", "--top=0", word) for word in words[1:]]
            )
            printed = [shape(line) for line in result[1].decode().splitlines()]
            missing = [
                line for line in wanted if line.strip() != "..." and shape(line) not in printed
            ]
            context.tap.ok(
                result[0] == 0 and not missing,
                "README: " + " ".join(words),
                "\n".join(missing) + "\n" + harness.said(result),
            )


CHECKS = [
    check_samples,
    check_code,
    check_parts,
    check_nothing,
    check_started,
    check_only,
    check_wrapper,
    check_again,
    check_starter,
    check_generated,
    check_real,
    check_readme,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
