#!/usr/bin/env python3
"""The runtime where something is held up or refused: threads that wait for others, filters of
system calls, limits, no /proc,
sanitizers.

Usage: runtime_confined.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import os
import re

from lib import harness, runtime_build
from lib.runtime_build import Place, calls_of, compile_program, read_stacks
from lib.runtime_jobs import ENDS, end, expect, modes, report, run_checks

UNABLE = 77  # what the programs end with if the kernel does not let them do it


def expect_or_skip(context, name, result, found, wanted):
    if result[0] == UNABLE:
        context.tap.skip(name, "the kernel does not permit it")
    else:
        expect(context, name, found, wanted, result)


# ---- Threads that are held up ----


def check_held(context):
    """A thread that is held up in the library disturbs no other one.  Linked without -pg: threads
    begin, not the start files."""
    compiled, archive = os.path.join(harness.TEMP, "held.o"), [context.library.archive()]
    flags = ["-c", "-g", "-O1", "-pg", "-D_GNU_SOURCE", "-I", runtime_build.SOURCES]
    harness.must_run(context.gcc + flags + ["-o", compiled, runtime_build.path_of("held.c")])
    rows = []
    for mode, more in (("preloaded", []), ("linked", archive), ("static", ["-static"] + archive)):
        program = os.path.join(harness.TEMP, "held-" + mode)
        harness.must_run(context.gcc + ["-o", program, compiled] + more + ["-pthread"])
        rows.append(
            (
                mode,
                program,
                [program] if more else ["env", "LD_PRELOAD=" + context.library.shared(), program],
            )
        )
    for mode, program, command in rows:
        for how, calls in (("wait", 2), ("cancel", 1), ("write", 20001)):
            with Place() as place:
                result = place.run(command + [how], REGMON_HZ="100", REGMON_STACKS="0")
                found = result[0], (
                    calls_of("leaf", program, place.file())
                    if place.files() == ["gmon.out"]
                    else place.files()
                )
            expect_or_skip(context, "held: %s (%s)" % (how, mode), result, found, (0, calls))


# ---- Without /proc ----


def check_no_proc(context):
    """Calls of the main program are counted where /proc is not, or is not any more."""
    hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    for mode, command in modes(context, "confined.c"):
        for name, words in (
            ("chroot", command + ["chroot"]),
            ("at the start", hidden + command + ["stay"]),
        ):
            name = "no /proc: %s (%s)" % (name, mode)
            if words[0] == "unshare" and harness.run(hidden + ["true"])[0] != 0:
                context.tap.skip(name, "a file system cannot be mounted")
                continue
            with Place() as place:
                result = place.run(words, REGMON_HZ="0")
                found = result[0], (
                    calls_of("leaf", command[-1], place.file())
                    if place.files() == ["gmon.out"]
                    else place.files()
                )
            expect_or_skip(context, name, result, found, (0, 1000))


# ---- Filters of system calls ----


def check_filters(context):
    """A filter refuses what the library needs, or kills, but for the calls that the manual page
    lists."""
    for mode, command in modes(context, "confined.c"):
        rows = [
            ("refused", b"", None),
            ("unwritten", b"gmon.out: permission denied", None),
            ("killed", b"", 9192),
        ]
        if (
            mode == "preloaded"
        ):  # the collector writes; without the numbers of threads, their calls are lost
            rows[:2] = [
                ("refused", b"8194 calls and samples are lost", 1000),
                ("unwritten", b"", 9192),
            ]
        for how, said, calls in rows:
            with Place() as place:
                result = place.run(command + [how])
                count = calls_of("leaf", command[-1], place.file()) if place.files() else None
            found = result[0], said in result[2] and bool(said) == bool(result[2]), count
            expect_or_skip(
                context, "filter: %s (%s)" % (how, mode), result, found, (0, True, calls)
            )
        with Place() as place:
            result = place.run(command + ["counters"], REGMON_CLOCK="perf")
        expect_or_skip(
            context, "filter: no clock is started under one (%s)" % mode, result, result[0], 0
        )
        for how in ("sandbox", "sandbox by syscall"):
            for clock in ("thread", "perf"):
                with Place() as place:
                    result = place.run(command + [how], REGMON_CLOCK=clock, REGMON_HZ="250")
                expect_or_skip(
                    context, "filter: %s, clock %s (%s)" % (how, clock, mode), result, result[0], 0
                )
    source = harness.read(runtime_build.path_of("confined.c")).decode()
    wanted = set(
        re.findall(r"SYS_(\w+)", re.search(r"of_library\[\] = \{(.*?)\}", source, re.S)[1])
    )
    page = harness.read(os.path.join(runtime_build.SOURCES, "regmon.1")).decode()
    listed = set(
        re.findall(
            r"^\.BR? (\w+)",
            re.search(r"As in tests/runtime/confined.c.\n(.*?)\.\n", page, re.S)[1],
            re.M,
        )
    )
    expect(context, "filter: what the manual page lists", listed, wanted)


def check_inherited_filter(context):
    """Under a filter that was there at the start, samples are taken, and stacks are whole without
    copies of memory."""
    for mode, command in modes(context, "confined.c"):
        with Place() as place:
            result = place.run(command + ["inherited"], REGMON_HZ="1", REGMON_CLOCK="thread")
            stacks = (
                [frames for frames, _ in read_stacks(command[-1], place.file("gmon.out.stacks"))]
                if result[0] == 0
                else []
            )
        known = [frames[0] != "object ?" for frames in stacks if "take_deep" in frames]
        # Where the program is linked with the library, the size of the thread's stack is not known.
        is_good = known == [True] or (len(known) == 1 and mode != "preloaded")
        if result[0] == UNABLE:
            context.tap.skip(
                "a filter that is inherited (%s)" % mode, "the kernel does not permit it"
            )
        else:
            context.tap.ok(
                result[0] == 0 and is_good,
                "a filter that is inherited (%s)" % mode,
                "%r\n%s" % (stacks, harness.said(result)),
            )


# ---- Names ----


def check_namesakes(context):
    """Processes of one number, in namespaces of their own, have files of their own; a file of an
    earlier run is replaced."""
    for mode, command in modes(context, "confined.c"):
        with Place() as place:
            result = place.run(command + ["namesakes"], REGMON_HZ="0")
            found = result[0], {
                f: calls_of("leaf", command[-1], place.file(f))
                for f in place.files()
                if f in ("gmon.out", "gmon.out.1", "gmon.out.1-2")
            }
        wanted = 0, {"gmon.out": 1000, "gmon.out.1": 10, "gmon.out.1-2": 10}
        expect_or_skip(context, "processes of one number (%s)" % mode, result, found, wanted)
        with Place() as place:
            script = 'touch -d @1 mine.$$; exec "$@"'
            in_place = [command[0], "-D", *command[1:]] if mode == "preloaded" else command
            result = place.run(
                ["sh", "-c", script, "sh"] + in_place + ["stay"],
                REGMON_HZ="0",
                GMON_OUT_PREFIX="mine",
            )
            found = result[0], [calls_of("leaf", command[-1], place.file(f)) for f in place.files()]
        expect(
            context, "a file of an earlier run is replaced (%s)" % mode, found, (0, [1000]), result
        )
        for name in ("mine", "mine.%p"):
            with Place() as place:
                result = place.run(command + ["again"], REGMON_HZ="0", GMON_OUT_PREFIX=name)
                found = result[0], [
                    calls_of("leaf", command[-1], place.file(f)) for f in place.files()
                ]
            expect(
                context,
                "a program that executes itself: %s (%s)" % (name, mode),
                found,
                (0, [1000, 1000]),
                result,
            )


def check_soname(context):
    """A soname that is a path names a file by its last part."""
    flags = ["-O1", "-shared", "-fPIC", "-Wl,-soname,lib/of/libplugin.so.7"]
    plugin = compile_program(context.gcc, "plugin.c", "libpath.so", flags)
    program = compile_program(context.gcc, "opener.c", "opener-soname", ["-O1"], ["-ldl"])
    with Place() as place:
        result = place.run(context.preloaded(program, plugin), REGMON_HZ="0")
        expect(
            context,
            "a soname with a slash",
            (result[0], place.files()),
            (0, ["gmon.out", "gmon.out.libplugin.so.7"]),
            result,
        )


# ---- Limits ----


def check_pending_signals(context):
    """Where no signal may be pending, there are no timers of threads, and no samples; nothing else
    is wrong."""
    limit = ["prlimit", "--sigpending=0"]
    if harness.run(limit + ["true"])[0] != 0:
        context.tap.skip("ulimit -i 0", "no prlimit")
        return
    for mode, command in modes(context, "share.c"):
        for clock in ("thread", "perf"):
            with Place() as place:
                result = place.run(limit + command + ["open", "1"], REGMON_CLOCK=clock)
                found = (
                    result[0],
                    b"regmon: some threads are not sampled: no timer: too many" in result[2],
                    place.files(),
                )
            is_said = clock == "thread" or not runtime_build.permits_perf()
            expect(
                context,
                "ulimit -i 0, clock %s (%s)" % (clock, mode),
                found,
                (0, is_said, ["gmon.out"]),
                result,
            )


def check_refused_memory(context):
    """Threads that begin need no addresses, and a clock that was refused does not come twice."""
    for mode, command in modes(context, "confined.c"):
        with Place() as place:
            result = place.run(command + ["addresses"], REGMON_HZ="0", REGMON_MEMORY="300000")
            count = (
                calls_of("leaf", command[-1], place.file())
                if place.files() == ["gmon.out"]
                else place.files()
            )
        expect_or_skip(
            context,
            "threads without addresses (%s)" % mode,
            result,
            (result[0], count, result[2]),
            (0, 1030, b""),
        )
        with Place() as place:
            result = place.run(command + ["exec"], REGMON_CLOCK="perf")
        expect(
            context,
            "an exec that fails in a thread without perf clock (%s)" % mode,
            result[0],
            0,
            result,
        )


def check_locked(context):
    """A program that may lock 8 MB, as is usual, can lock all its memory, and that is not much more
    than alone."""
    program = compile_program(context.gcc, "locked.c", "locked", ["-O1"])
    limit = ["sh", "-c", 'ulimit -l 8192 && exec "$@"', "sh"]
    with Place() as place:
        alone = place.run(limit + [program])
    with Place() as place:
        result = place.run(limit + context.preloaded(program))
        calls = (
            calls_of("leaf", program, place.file())
            if place.files() == ["gmon.out"]
            else place.files()
        )
    if alone[0] != 0:
        context.tap.skip("mlockall", "not permitted without libregmon either")
        return
    expect(context, "mlockall: status, calls", (result[0], calls), (0, 1000), result)
    more = int(result[1] or 0) - int(alone[1])
    context.tap.ok(0 < more < 2048, "mlockall: a program has less than 2 MB more", "%d KB" % more)


# ---- Sanitizers ----


def sanitizers(context):
    """(name, compiler, option) of those that programs can be compiled with, and run here."""
    for name, compiler in context.compilers():
        for sanitizer in ("address", "leak", "memory", "thread"):
            option = "-fsanitize=" + sanitizer
            program = os.path.join(harness.TEMP, "returns-%s-%s" % (name, sanitizer))
            source = harness.write(program + ".c", b"int main(void) { return 0; }\n")
            is_there = (
                harness.run(compiler + [option, "-o", program, source])[0] == 0
                and harness.run([program])[0] == 0
            )
            yield "%s %s" % (name, option), compiler, option if is_there else None


def check_sanitizers(context):
    """They take functions of the C library, too, and may begin after libregmon, which is
    preloaded."""
    for name, compiler, option in sanitizers(context):
        if not option:
            context.tap.skip(name, "not with this compiler, or on this kernel")
            continue
        program = compile_program(
            compiler, "ends.c", "ends-%s" % name.replace(" ", ""), ["-O1", option]
        )
        rows = [row for row in ENDS if row[0] in ("return", "fork")]
        report(context, end, [(name, context.preloaded(program), program, row) for row in rows])


CHECKS = [
    check_held,
    check_no_proc,
    check_namesakes,
    check_filters,
    check_inherited_filter,
    check_soname,
    check_pending_signals,
    check_refused_memory,
    check_locked,
    check_sanitizers,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
