#!/usr/bin/env python3
"""What users of the runtime set: options of regmon, variables, functions of regmon.h; and what
programs may set, too.

Usage: runtime_settings.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shutil
import subprocess

from lib import harness, runtime_build
from lib.runtime_build import Place, calls_of, compile_program, rate_in, samples_in
from lib.runtime_jobs import expect, run_checks


def usual_rate():
    """Samples per second with stacks: as the kernel permits."""
    return 1000 if runtime_build.permits_perf() else runtime_build.rate_of(250)


# ---- The command ----


def check_command(context):
    program = compile_program(context.gcc, "loop.c", "loop-command", ["-O2"])
    regmon = runtime_build.REGMON
    with Place() as place:
        result = place.run([regmon, "-r", "500", "-o", "mine", "-v", "--", program, "2", "1000"])
        names = [re.sub(r"\d+", "PID", name) for name in place.files()]
        rate = rate_in(place, place.files()[0]) if names else None
    expect(
        context,
        "regmon -r -o",
        (result[0], names, rate),
        (0, ["mine"], runtime_build.rate_of(500)),
        result,
    )
    # leaf, work in two threads, main.
    context.tap.ok(b"regmon: 1003 calls, " in result[2], "regmon -v", result)
    with Place() as place:
        result = place.run([regmon, program, "2", "1000"], REGMON_HZ="often")
        rate = rate_in(place, "gmon.out")
    expect(context, "a value that cannot be used", (result[0], rate), (0, usual_rate()))
    context.tap.ok(b"REGMON_HZ=often" in result[2], "is named in a message", result)
    values = [
        ["-r", "abc"],
        ["-r", "50001"],
        ["-r", ""],
        ["-c", "foo"],
        ["-s", "TERM"],
        ["-s", "9"],
        ["-s", "27"],
        ["-s", "011"],
        ["-s", "65"],
        ["-i", "-1"],
        ["-o", "out.%q"],
        ["-o", "%"],
        ["-o", "%%%"],
    ]
    for words in [["-Z", "true"], ["--serious", "true"], [], ["-r"], ["-i"]] + [
        value + ["true"] for value in values
    ]:
        result = harness.run([regmon] + words)
        context.tap.ok(
            result[0] == 125 and b"regmon: " in result[2],
            "wrong: regmon " + " ".join(words),
            result,
        )
    status, out, _ = harness.run([regmon, "-h"])
    context.tap.ok(status == 0 and out.startswith(b"Usage: regmon"), "regmon -h")
    wide = [line for line in out.decode().splitlines() if len(line) > 80]
    expect(context, "regmon -h has at most 80 columns", wide, [])
    status = harness.run([regmon, "/nonexistent"])[0]
    expect(context, "a program that is missing", status, 127)


def check_refused_values(context):
    """Each value that cannot be used is named once: by regmon, or by the first program that is
    given it."""
    program = compile_program(context.gcc, "loop.c", "loop-refused", ["-O2"])
    twice = "REGMON_OUTSIDE=no %s 1 9; REGMON_OUTSIDE=no %s 1 9" % (program, program)
    rows = [
        (
            "given to regmon",
            {"REGMON_KEEP": "yes"},
            "%s 1 9; %s 1 9" % (program, program),
            ["REGMON_KEEP=yes"],
        ),
        ("set below it", {}, twice, ["REGMON_OUTSIDE=no"]),
        ("both", {"REGMON_KEEP": "yes"}, twice, ["REGMON_KEEP=yes", "REGMON_OUTSIDE=no"]),
        ("none", {"REGMON_KEEP": "", "REGMON_OUTSIDE": "zero"}, program + " 1 9", []),
    ]
    for name, environment, commands, refused in rows:
        with Place() as place:
            result = place.run(
                [runtime_build.REGMON, "-r", "0", "sh", "-c", commands], **environment
            )
        said = ["regmon: ignored, because the value cannot be used: " + value for value in refused]
        expect(
            context,
            "values that cannot be used: " + name,
            (result[0], result[2].decode().splitlines()),
            (0, said),
        )


def check_programs(context):
    """regmon says what it cannot do with a program before it runs it."""
    regmon, archive = runtime_build.REGMON, [context.library.archive()]
    plain = compile_program(context.gcc, "loop.c", "loop-without", ["-O2"], profile="-g")
    static = compile_program(context.gcc, "loop.c", "loop-only-static", ["-O2", "-static"])
    linked = compile_program(
        context.gcc, "loop.c", "loop-static-linked", ["-O2", "-static"], archive
    )
    script = harness.write(os.path.join(harness.TEMP, "script"), b"#!/bin/sh\nexit 3\n")
    os.chmod(script, 0o755)
    blank = os.path.join(harness.TEMP, "with blank")
    os.mkdir(blank)
    for name in ("regmon", "libregmon.so"):
        shutil.copy2(os.path.join(runtime_build.BUILT, name), blank)
    rows = [
        ("one without -pg", [regmon, plain, "1", "9"], 0, b"", []),
        ("a static one", [regmon, static, "1", "9"], 125, b"is linked statically", []),
        ("a static one with the library", [regmon, linked, "1", "9"], 0, b"", ["gmon.out"]),
        ("a script", [regmon, script], 3, b"", []),
        (
            "a path with a blank",
            [os.path.join(blank, "regmon"), plain, "1", "9"],
            125,
            b"cannot be preloaded",
            [],
        ),
    ]
    for name, command, status, said, files in rows:
        with Place() as place:
            result = place.run(command, REGMON_HZ="0")
            found = result[0], said in result[2] and bool(said) == bool(result[2]), place.files()
        expect(context, "programs: " + name, found, (status, True, files), result)
    with Place() as place:
        result = place.run(
            [regmon, os.path.basename(plain), "1", "9"],
            REGMON_HZ="0",
            PATH=harness.TEMP + ":" + os.environ["PATH"],
        )
    context.tap.ok(result[0] == 0 and not result[2], "programs: along PATH", result)


def check_prefix(context):
    """A program may set the prefix while it runs; a directory that is not there is named in a
    message."""
    source = harness.write(
        os.path.join(harness.TEMP, "prefix.c"),
        b'#include <stdlib.h>\nint main(void) { return setenv("GMON_OUT_PREFIX", "late", 1); }\n',
    )
    late = os.path.join(harness.TEMP, "prefix")
    harness.must_run(context.gcc + ["-pg", "-o", late, source])
    for title, words, wanted in (
        (
            "a prefix that the program sets",
            ["env", "LD_PRELOAD=" + context.library.shared(), late],
            "late",
        ),
        ("below regmon, that of regmon", context.preloaded(late), "gmon"),
    ):
        with Place() as place:
            result = place.run(words)
            expect(context, title, [f.split(".")[0] for f in place.files()], [wanted], result)
    program = compile_program(context.gcc, "ends.c", "ends-prefix", ["-O1"])
    with Place() as place:
        result = place.run(context.preloaded(program, "return"), GMON_OUT_PREFIX="missing/run")
        expect(context, "a file that cannot be written", (result[0], place.files()), (3, []))
        context.tap.ok(b"regmon: cannot write" in result[2], "is named in a message", result)


OLD_STACKS = b"# regmon stacks 3\n# rate 100\n"


def check_old_stacks(context):
    """Stacks are those of the profile beside them, also where only one of the two files can be
    written."""
    program = compile_program(context.gcc, "ends.c", "long", ["-O1"])
    name = (
        "x" * 237 + "long"
    )  # with .stacks, it is no longer than names may be, and its temporary one is
    with Place() as place:
        harness.write(place.file(name + ".stacks"), OLD_STACKS)
        result = place.run(context.preloaded(program, "return"), GMON_OUT_PREFIX="x" * 237 + "%n")
        found = result[0], b"cannot write" in result[2], sorted(os.listdir(place.path))
    expect(
        context,
        "old stacks are removed if new ones cannot be written",
        found,
        (3, True, [name]),
        result,
    )
    with Place() as place:
        name = (
            "x" * 246 + "%.stacks"
        )  # its own temporary name is not needed, that of the profile is too long
        harness.write(place.file(name), OLD_STACKS)
        result = place.run(context.preloaded(program, "return"), GMON_OUT_PREFIX="x" * 246 + "%%")
        found = result[0], b"cannot write" in result[2], harness.read(place.file(name))
    expect(
        context,
        "old stacks stay if the profile cannot be written",
        found,
        (3, True, OLD_STACKS),
        result,
    )
    for words in (
        ["--no-stacks"],
        ["-r", "0"],
        ["--no-stacks", "-o", "%n"],
        ["-r", "0", "-o", "long"],
    ):
        with Place() as place:
            name = "long" if "-o" in words else "gmon.out"
            harness.write(place.file(name + ".stacks"), OLD_STACKS)
            result = place.run([runtime_build.REGMON, *words, program, "return"])
            found = result[0], sorted(os.listdir(place.path))
        expect(
            context,
            "none are left beside a profile without: " + " ".join(words),
            found,
            (3, [name]),
            result,
        )
    for title, name in (("another file", "gmon.out.stacks"), ("a link to stacks", "elsewhere")):
        with Place() as place:
            text = b"precious\n" if name == "gmon.out.stacks" else OLD_STACKS
            harness.write(place.file(name), text)
            if name == "elsewhere":
                os.symlink(name, place.file("gmon.out.stacks"))
            result = place.run([runtime_build.REGMON, "--no-stacks", program, "return"])
            found = (
                result[0],
                sorted(os.listdir(place.path)),
                harness.read(place.file("gmon.out.stacks")),
            )
        names = sorted({"gmon.out", "gmon.out.stacks", name})
        expect(context, title + " is not removed", found, (3, names, text), result)


def check_file_names(context):
    """Parts of names that begin with a %.  A child never has its parent's file, and no process that
    of another one."""
    flags = ["-O1", "-shared", "-fPIC", "-Wl,-soname,libnamed.so.1"]
    library = compile_program(context.gcc, "plugin.c", "libnamed.so.1", flags)
    opener = compile_program(context.gcc, "opener.c", "opener-names", ["-O1"], ["-ldl"])
    program = compile_program(context.gcc, "names.c", "names", ["-O1"])
    host, regmon = os.uname().nodename, runtime_build.REGMON
    launchers = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")
    without_rank = {name: "" for name in launchers}

    def names(words, **environment):
        """The files of a run, with PID for its number and CHILD for another one; and what it
        said."""
        with Place() as place:
            process = subprocess.Popen(
                words,
                cwd=place.path,
                env=dict(harness.ENV, **dict(without_rank, **environment)),
                stderr=subprocess.PIPE,
            )
            said = process.communicate(timeout=100)[1]
            found = [
                re.sub(r"(?<!\d)%d(?!\d)" % process.pid, "PID", name) for name in place.files()
            ]
            calls = (
                {calls_of("leaf", program, place.file(f)) for f in place.files()}
                if program in words
                else None
            )
        return sorted(re.sub(r"\b\d{3,}$", "CHILD", name) for name in found), calls, said

    rows = [
        ("out.%p", [], {}, ["out.PID"]),
        ("%h-%n", [], {}, [host + "-names"]),
        ("100%%", [], {}, ["100%"]),
        ("%p%%p", [], {}, ["PID%p"]),
        ("plain", ["fork"], {}, ["plain", "plain.CHILD"]),
        ("out.%p", ["fork"], {}, ["out.CHILD", "out.PID"]),
        ("%n", ["fork"], {}, ["names", "names.CHILD"]),
        ("r%r", ["fork"], {"PMI_RANK": "3"}, ["r3", "r3.CHILD"]),
        ("early", ["late", "%n-%p"], {}, ["early"]),
        ("r%r", [], dict(zip(launchers, "1234")), ["r1"]),
        ("r%r", [], {"PMIX_RANK": "2", "SLURM_PROCID": "0"}, ["r2"]),
        ("r%r", [], {"SLURM_PROCID": "11"}, ["r11"]),
    ]
    for prefix, words, environment, wanted in rows:
        wanted_calls = {1, 2} if words == ["fork"] else {1}
        name = " ".join(["a name: -o", prefix] + words)
        expect(
            context,
            name,
            names([regmon, "-D", "-o", prefix, program] + words, **environment),
            (wanted, wanted_calls, b""),
        )
    found = names([regmon, "-D", "-o", "r%r", program], PMI_RANK="../1")
    expect(context, "without a rank: the process", found[:2], (["rPID"], {1}))
    context.tap.ok(b"regmon: no rank" in found[2], "which is said", found)
    found = names([regmon, "-D", "-o", "%n.%p", opener, library])[0]
    expect(
        context,
        "names of objects' files",
        found,
        ["opener-names.PID", "opener-names.PID.libnamed.so.1"],
    )
    for wrong in ("out.%q", "%", "%%%", "a%5p"):
        found = names([regmon, program], GMON_OUT_PREFIX=wrong)
        expect(context, "an unknown part of a name: " + wrong, found[:2], (["gmon.out"], {1}))
        context.tap.ok(b"GMON_OUT_PREFIX=%s\n" % wrong.encode() in found[2], "is said", found)
    found = names(["env", "LD_PRELOAD=" + context.library.shared(), program, "late", "%q"])
    context.tap.ok(b"GMON_OUT_PREFIX=%q\n" in found[2], "also when it is set later", found)
    with Place() as place:
        command = [regmon, "-o", "%n", program]
        first = subprocess.Popen(
            command + ["wait"],
            cwd=place.path,
            env=harness.ENV,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        first.stdout.readline()
        for _ in range(2):
            place.run(command)
            os.utime(place.file("names"), (1, 1))  # certainly earlier than the next start
        os.utime(
            place.file("names"), (2**31, 2**31)
        )  # certainly later than the start of the first
        first.communicate(timeout=100)
        found = [(f, calls_of("leaf", program, place.file(f))) for f in place.files()]
    expect(context, "processes of an equal name", found, [("names", 1), ("names-2", 1)])
    with Place() as place:
        result = place.run([regmon, "-o", "%n" * 2000, program])
    context.tap.ok(b"regmon: cannot write" in result[2], "a name that is too long", result)


SERIES = {"001": ("a", 10), "002": ("b", 20), "003": ("c", 30), "004": ("d", 40)}


def check_defaults(context):
    """Stacks are recorded unless someone says otherwise."""
    program = compile_program(context.gcc, "loop.c", "loop-defaults", ["-O2"])
    linked = compile_program(
        context.gcc, "loop.c", "loop-defaults-linked", ["-O2"], [context.library.archive()]
    )
    regmon = [runtime_build.REGMON]
    both, one = ["gmon.out", "gmon.out.stacks"], ["gmon.out"]
    for command, environment, wanted in (
        (regmon + [program], {}, (both, usual_rate())),
        (regmon + ["-S", program], {}, (both, usual_rate())),
        (regmon + ["-c", "thread", program], {}, (both, runtime_build.rate_of(250, "thread"))),
        (regmon + ["-r", "77", program], {}, (both, 77)),
        (regmon + ["-r", "0", program], {}, (one, 100)),
        (regmon + ["--no-stacks", program], {}, (one, 100)),
        (regmon + ["--no-stacks", "-c", "perf", program], {}, (one, 100)),
        (regmon + [program], {"REGMON_STACKS": "0"}, (one, 100)),
        ([linked], {}, (both, usual_rate())),
        ([linked], {"REGMON_STACKS": "0"}, (one, 100)),
        ([linked], {"REGMON_STACKS": "no"}, (both, usual_rate())),
    ):
        with Place() as place:
            result = place.run(command + ["2", "1000"], **environment)
            found = sorted(os.listdir(place.path)), rate_in(place, "gmon.out")
            is_good = (
                "gmon.out.stacks" not in found[0]
                or runtime_build.belongs(command[-1], place.file())[0]
            )
        words = " ".join(
            ["%s=%s" % pair for pair in environment.items()]
            + [os.path.basename(word) for word in command]
        )
        expect(
            context,
            "stacks by default: " + words,
            (result[0], found, is_good),
            (0, wanted, True),
            result,
        )


def check_series(context):
    """Each snapshot has its own file, with what was counted since the one before."""
    plugin = compile_program(
        context.gcc,
        "plugin.c",
        "libpart.so.1",
        ["-O1", "-shared", "-fPIC", "-Wl,-soname,libpart.so.1"],
    )
    program = compile_program(context.gcc, "series.c", "series", ["-O1"], ["-ldl"])
    linked = compile_program(
        context.gcc, "series.c", "series-linked", ["-O1"], [context.library.archive(), "-ldl"]
    )
    regmon = [runtime_build.REGMON, "--series", "-r"]

    def parts(place, image, stem="gmon.out"):
        """{part: {function: calls}} of a to d."""
        found = {}
        for name in place.files():
            if re.fullmatch(re.escape(stem) + r"\.\d{3}", name):
                rows = runtime_build.flat_profile(harness.GPROF, image, place.file(name))
                found[name[-3:]] = {
                    f: calls for f, (_, calls) in rows.items() if f in "abcd" and calls
                }
        return found

    wanted = {part: {function: calls} for part, (function, calls) in SERIES.items()}
    names = ["gmon.out." + part for part in SERIES]
    for mode, image, command, environment in (
        ("preloaded", program, regmon + ["0", program], {}),
        ("linked", linked, [linked], {"REGMON_SERIES": "1", "REGMON_HZ": "0"}),
    ):
        with Place() as place:
            result = place.run(command, REGMON_VERBOSE="1", **environment)
            found = result[0], place.files(), parts(place, image)
            expect(context, "a series (%s)" % mode, found, (0, names, wanted), result)
            context.tap.ok(
                b"regmon: 208 calls," in result[2],
                "a series: calls of all parts at the end (%s)" % mode,
                result,
            )
            rows = harness.run([harness.GPROF, "-b", "--per-file", image] + names, cwd=place.path)[
                1
            ].decode()
        totals = dict(re.findall(r"^\s.* (\d+)  gmon\.out\.(\d+)$", rows, re.M))
        context.tap.ok(len(totals) == 4, "a series with --per-file (%s)" % mode, rows)
    with Place() as place:
        result = place.run(regmon + ["0", "-o", "%n", program, "fork"])
        child = sorted({f.split(".")[1] for f in place.files() if f.count(".") == 2})
        found = [
            parts(place, program, stem) for stem in ["series"] + ["series." + pid for pid in child]
        ], len(place.files())
    expect(context, "a series: a child has its own", found, ([wanted, wanted], 8), result)
    with Place() as place:
        result = place.run(regmon + ["0", program, "idle"])
        found = [parts(place, program)[part] for part in sorted(parts(place, program))]
    idle = [{"a": 10}, {}, {"b": 20}, {"c": 30}, {"d": 40}]
    expect(
        context, "a series: nothing between two snapshots, and after the last", found, idle, result
    )
    with Place() as place:
        os.mkdir(place.file("gmon.out.002"))
        result = place.run(regmon + ["0", "-v", program])
        os.rmdir(place.file("gmon.out.002"))
        found = (
            parts(place, program),
            re.search(rb"cannot write \S*gmon.out.002: is a directory", result[2]) is not None,
        )
    later = {"001": {"a": 10}, "003": {"b": 20, "c": 30}, "004": {"d": 40}}
    expect(
        context,
        "a series: a part that cannot be written is in the next",
        found,
        (later, True),
        result,
    )
    context.tap.ok(b"regmon: 208 calls," in result[2], "and counts once", result)
    for is_held_up in (False, True):
        with Place() as place:
            if is_held_up:
                os.mkdir(place.file("gmon.out.002"))
            result = place.run(regmon + ["0", program, "starve"])
            if is_held_up:
                os.rmdir(place.file("gmon.out.002"))
            found = parts(place, program)
        total = sum(calls.get("a", 0) for calls in found.values())
        said = (
            b"come into the next part: memory is exhausted" in result[2],
            b"cannot write a profile: no memory" in result[2],
        )
        expect(
            context,
            "a series: nothing is lost where memory is short",
            (result[0], total, said),
            (0, 650, (True, True)),
            result,
        )
    with Place() as place:
        result = place.run(regmon + ["0", program, plugin])
        objects = [f for f in place.files() if f.endswith("libpart.so.1")]
        found = {f: calls_of("plugin_leaf", plugin, place.file(f)) for f in objects}, parts(
            place, program
        )
    # The destructor makes one more call.
    plugins = {"gmon.out.002.libpart.so.1": 100, "gmon.out.003.libpart.so.1": 1}
    expect(context, "a series: shared objects", found, (plugins, wanted), result)
    with Place() as place:
        result = place.run(regmon + ["1000", "-S", program, "burn"])
        stacks = {
            part: runtime_build.read_stacks(program, place.file("gmon.out.%s.stacks" % part))
            for part in SERIES
        }
        sampled = {
            part: {f for frames, _ in stacks[part] for f in frames if f in "abcd"}
            for part in SERIES
        }
        rows = {
            part: runtime_build.flat_profile(harness.GPROF, program, place.file("gmon.out." + part))
            for part in SERIES
        }
        seconds = {part: {f for f in "abcd" if rows[part].get(f, (0.0, 0))[0]} for part in SERIES}
    own = {part: {function} for part, (function, _) in SERIES.items()}
    expect(context, "a series: stacks", sampled, own, result)
    with Place() as place:
        os.makedirs(place.file("elsewhere/gmon.out.001.stacks"))
        result = place.run(regmon + ["1000", "-S", program, "burn", "elsewhere"])
        found = (
            re.findall(rb"regmon: (.*) \S*gmon.out.001.stacks", result[2]),
            "gmon.out.001.stacks" in place.files(),
        )
    expect(
        context,
        "a series: stacks that cannot be written",
        found,
        ([b"cannot write"], False),
        result,
    )
    expect(context, "a series: samples", seconds, own, result)


def check_moments(context):
    """Profile and stacks of a part are of the same samples, also while a thread takes more: in a
    static program, where all are in the program itself."""
    program = compile_program(
        context.gcc, "moments.c", "moments", ["-O1", "-static"], [context.library.archive()]
    )
    with Place() as place:
        result = place.run([program], REGMON_SERIES="1", REGMON_HZ="1", REGMON_CLOCK="thread")
        counts = {
            name: (
                runtime_build.samples_in(harness.read(place.file(name))),
                sum(s.samples for s in runtime_build.sections_of(place.file(name + ".stacks"))),
            )
            for name in place.files()
        }
    wrong = {name: both for name, both in counts.items() if both[0] != both[1]}
    expect(context, "a series: one moment", (result[0], wrong), (0, {}), counts)
    full = sum(both[0] > 0 for both in counts.values())
    context.tap.ok(full >= 50, "a series: each part has samples", counts)


def check_lasting(context):
    """Samples of a call that began in an earlier part are in the later one, also if their object
    has been closed."""
    plugin = compile_program(
        context.gcc, "lasting.c", "liblasting.so", ["-O1", "-shared", "-fPIC", "-DPLUGIN"]
    )
    program = compile_program(context.gcc, "lasting.c", "lasting", ["-O1"], ["-ldl"])
    with Place() as place:
        result = place.run(context.preloaded(program, plugin), REGMON_SERIES="1", REGMON_HZ="1000")
        found = result[0], [f for f in place.files() if f.endswith(".so")]
    expect(
        context,
        "a series: a call that lasts",
        found,
        (0, ["gmon.out.001.liblasting.so", "gmon.out.002.liblasting.so"]),
        result,
    )


def check_undisturbed(context):
    """Programs that are not profiled leave nothing, and get no handler."""
    with Place() as place:
        command = ["sh", "-c", "grep SigCgt /proc/self/status; exec true"]
        with_ours, without = place.run(command, LD_PRELOAD=context.library.shared()), place.run(
            command
        )
        expect(
            context,
            "without regmon, a program without -pg is left alone",
            (with_ours[:2], place.files()),
            (without[:2], []),
        )


# ---- Functions of regmon.h, and other settings ----


def check_moncontrol(context):
    program = compile_program(
        context.gcc, "control.c", "control", ["-O1"], [context.library.archive()]
    )

    with Place() as place:
        result = place.run([program, "4"], REGMON_HZ="1000")
        rows = runtime_build.flat_profile(harness.GPROF, program, place.file())
        count = calls_of("leaf", program, place.file())
    expect(context, "moncontrol stops counting in all threads, and continues", count, 8000, result)
    expect(context, "and sampling", rows.get("off", (0.0, 0)), (0.0, 0))
    on = rows.get("on", (0.0, 0))[0]
    context.tap.ok(0.2 < on < 0.6 if harness.IS_LONG else on > 0, "which continues, too", on)


def check_reset(context):
    """After a reset, a file of as many calls is another one."""
    archive = [context.library.archive()]
    program = compile_program(context.gcc, "reset.c", "reset", ["-O1"], archive)
    with Place() as place:
        result = place.run([program], REGMON_HZ="0")
        found = [calls_of(f, program, place.file()) for f in ("first", "second")]
    expect(context, "a file after a reset", found, [0, 1002], result)


def check_standard_error(context):
    """Messages go to what was standard error at the start, by way of regmon also when the program
    has closed it; and to no
    file that has got its number."""
    program = compile_program(context.gcc, "errors.c", "errors", ["-O1"])
    linked = compile_program(
        context.gcc, "errors.c", "errors-linked", ["-O1"], [context.library.archive()]
    )
    rows = [
        (how, "preloaded", context.preloaded(program, how), 1) for how in ("keep", "close", "other")
    ]
    rows += [
        (how, "linked", [linked, how], int(how == "keep")) for how in ("keep", "close", "other")
    ]
    for how, mode, command, said in rows:
        with Place() as place:
            result = place.run(command, REGMON_VERBOSE="1")
            database = harness.read(place.file("database")) if how == "other" else b""
        found = result[0], result[2].count(b"regmon: 1 calls"), database
        expect(
            context,
            "messages and standard error: %s (%s)" % (how, mode),
            found,
            (0, said, b""),
            result,
        )
    with Place() as place:
        result = place.run(
            ["sh", "-c", 'exec "$@" 2>&-', "sh"] + context.preloaded(program, "other"),
            REGMON_VERBOSE="1",
        )
        database = harness.read(place.file("database"))
    expect(
        context,
        "messages and standard error that is closed at the start",
        (result[0], database),
        (0, b""),
        result,
    )


def check_other_preloads(context):
    """The exec functions call those of another preloaded library, as the C library's would be
    replaced by them."""
    other = compile_program(
        context.gcc, "wraps.c", "libwraps.so", ["-O1", "-shared", "-fPIC"], ["-ldl"], "-g"
    )
    program = compile_program(context.gcc, "ends.c", "ends-wraps", ["-O1"])
    linked = compile_program(
        context.gcc, "ends.c", "ends-wraps-linked", ["-O1"], [context.library.archive()]
    )
    wrapped = {"execve": "execve", "execv": "execv", "execvp": "execvp", "execvpe": "execvpe"}
    wrapped.update({"execl": "execv", "execlp": "execvp", "execle": "execve"})
    for mode, command, libraries in (
        ("preloaded", [program], context.library.shared() + ":" + other),
        ("linked", [linked], other),
    ):
        for how, name in wrapped.items():
            with Place() as place:
                result = place.run(command + [how], LD_PRELOAD=libraries)
                found = (
                    result[0],
                    b"wrapped %s\n" % name.encode() in result[1],
                    "gmon.out" in place.files(),
                )
            expect(
                context,
                "another preloaded library and %s (%s)" % (how, mode),
                found,
                (0, True, True),
                result,
            )


BURNING = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; echo ended"


def check_clocks(context):
    """Each clock takes samples, and does not go on in the program that exec starts, where SIGPROF
    would be fatal."""
    source = harness.write(
        os.path.join(harness.TEMP, "starter.c"),
        (
            b"#include <unistd.h>\nint main(int n, char **words) { return n > 1 ? execv(words[1],"
            b" words + 1) : 0; }\n"
        ),
    )
    starter = os.path.join(harness.TEMP, "starter")
    harness.must_run(context.gcc + ["-pg", "-o", starter, source])
    program = compile_program(context.gcc, "sigprof.c", "sigprof", ["-O1"])

    for clock in ("thread", "perf"):
        for milliseconds in (
            (100,) if harness.IS_LONG else (100, 1000, 10000)
        ):  # a busy machine can lose most samples
            with Place() as place:
                result = place.run(
                    context.preloaded(program, "leave", milliseconds),
                    REGMON_CLOCK=clock,
                    REGMON_HZ="100",
                )
                samples = samples_in(harness.read(place.file()))
            if samples > 0:
                break
        is_good = 0 < samples <= 12 if harness.IS_LONG else samples > 0
        context.tap.ok(
            is_good, "samples by the clock " + clock, "%d\n%s" % (samples, harness.said(result))
        )
        with Place() as place:
            result = place.run(
                context.preloaded(starter, "/bin/sh", "-c", BURNING),
                REGMON_CLOCK=clock,
                REGMON_HZ="1000",
            )
            # The shell is sampled from its start, as the program was.
            found = (result[0], result[1], [f for f in place.files() if f != "gmon.out-2"])
        expect(
            context, "exec stops the clock " + clock, found, (0, b"ended\n", ["gmon.out"]), result
        )


def check_keep(context):
    flags = ["-O1", "-shared", "-fPIC", "-Wl,-soname,libkept.so.1"]
    plugin = compile_program(context.gcc, "plugin.c", "libkept.so.1", flags)
    program = compile_program(context.gcc, "opener.c", "opener-keep", ["-O1"], ["-ldl"])
    for option, said in ((["-k"], b"kept\n"), ([], b"gone\n")):
        with Place() as place:
            result = place.run([runtime_build.REGMON] + option + [program, plugin, "close"])
            found = (
                result[1],
                calls_of("plugin_leaf", plugin, place.file("gmon.out.libkept.so.1")),
            )
        # The destructor makes one more call, when the plugin is closed or at the end.
        expect(context, "dlclose with " + " ".join(["regmon"] + option), found, (said, 201), result)


def check_disabled(context):
    """--disable-runtime: nothing of it is built or installed.  What configure found out for this
    build is not asked again."""
    if os.path.exists(os.path.join(harness.SRCDIR, "config.status")):
        context.tap.skip("--disable-runtime", "the source directory is configured")
        return
    with Place() as place:
        answers = re.findall(
            rb"^(?:ac|am)_cv_(?!env_).*\n",
            harness.read(os.path.join(harness.BUILDDIR, "config.log")),
            re.M,
        )
        cache = harness.write(place.file("answers"), b"".join(answers))
        result = place.run(
            [
                os.path.join(harness.SRCDIR, "configure"),
                "-q",
                "--disable-runtime",
                "--cache-file=" + cache,
            ]
        )
        out = harness.run(["make", "-n", "install"], cwd=place.path)[1].decode()
    context.tap.ok(
        result[0] == 0 and "src/gprof" in out, "--disable-runtime: gprof is installed", result
    )
    names = re.findall(r".*(?:libregmon\.|bin/regmon|regmon\.[h1p]|regmon-config|entry_x86).*", out)
    context.tap.ok(
        out and not names, "--disable-runtime: regmon is not", "\n".join(names[:5])[:2000]
    )


NOBODY = 65534


def check_privileges(context):
    """Programs with more rights than their caller ignore the variables."""
    program = compile_program(
        context.gcc, "privileged.c", "privileged", ["-static"], [context.library.archive()]
    )
    set_by_us = {"GMON_OUT_PREFIX": "mine", "REGMON_HZ": "500", "REGMON_VERBOSE": "1"}
    with Place() as place:
        usual = place.run([program], **set_by_us)
        expect(
            context,
            "variables apply",
            (usual[1], [f.split(".")[0] for f in place.files()]),
            (b"usual\n", ["mine"]),
        )
    if os.geteuid() != 0:
        context.tap.skip("variables do not apply with more rights", "not root")
        return
    os.chown(program, NOBODY, NOBODY)
    os.chmod(program, 0o4755)
    with Place() as place:
        os.chmod(place.path, 0o777)
        result = place.run([program], **set_by_us)
        found = (
            place.files(),
            rate_in(place, "gmon.out") if place.files() == ["gmon.out"] else None,
            result[2],
        )
    if result[1] != b"secure\n":
        context.tap.skip(
            "variables do not apply with more rights", "this file system ignores set-user-ID"
        )
        return
    expect(
        context,
        "variables do not apply with more rights",
        found,
        (["gmon.out"], usual_rate(), b""),
        result,
    )


CHECKS = [
    check_command,
    check_refused_values,
    check_programs,
    check_prefix,
    check_old_stacks,
    check_file_names,
    check_defaults,
    check_series,
    check_moments,
    check_lasting,
    check_undisturbed,
    check_moncontrol,
    check_reset,
    check_other_preloads,
    check_standard_error,
    check_clocks,
    check_keep,
    check_privileges,
    check_disabled,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
