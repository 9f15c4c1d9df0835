#!/usr/bin/env python3
"""The runtime with another C library, for another machine, under ThreadSanitizer, and as objdump
sees it.

Usage: runtime_other.py [CHECK]...   (a name of a function below; all if none is given)
"""

import sys

sys.dont_write_bytecode = True

import os
import re

from lib import harness, runtime_build
from lib.runtime_build import Place, callers_of, compile_program, read_stacks
from lib.harness import IS_LONG, sized
from lib.runtime_jobs import ENDS, end, expect, report, report_registers, run_checks


# ---- 13. Other C libraries and machines ----


def check_other(context, name, compiler, library):
    """A program by the compiler with the library, linked statically, in threads."""
    archive = [library.archive()]
    calls = sized(400_000, 60_000_000)
    for profile in ("-pg", "-finstrument-functions"):
        program = compile_program(
            compiler, "loop.c", "loop-" + name, ["-O2", "-static"], archive, profile
        )
        for threads in sized((4,), (1, 2, 4, 8)):
            with Place() as place:
                result = place.run(library.runner + [program, str(threads), str(calls)])
                count = library.calls_of("leaf", program, place.file())
            expect(
                context,
                "%s: exact, %d threads, %s" % (name, threads, profile),
                count,
                calls,
                result,
            )


def check_other_ends(context, name, library, ways):
    program = compile_program(
        library.compiler, "ends.c", "ends-" + name, ["-O1", "-static"], [library.archive()]
    )
    rows = [row for row in ENDS if row[0] in ways]
    report(
        context,
        end,
        [(name, library.runner + [program], program, row, library.calls_of) for row in rows],
    )


def check_other_stacks(context, name, library):
    """The chain of frames, also between the entry of a function and its frame."""
    flags = ["-O1", "-static"] + runtime_build.flags_for_stacks(
        runtime_build.machine_of(library.compiler)
    )
    program = compile_program(
        library.compiler, "stacks.c", "stacks-" + name, flags, [library.archive()]
    )
    with Place() as place:
        result = place.run(library.runner + [program, "300"], REGMON_STACKS="1", REGMON_HZ="1000")
        stacks = read_stacks(program, place.file("gmon.out.stacks"))
    work, tiny = callers_of(stacks, "work"), callers_of(stacks, "tiny")
    is_good = (
        set(work) <= {"cheap", "costly", "deep"} and work.get("costly") and set(tiny) == {"hot"}
    )
    context.tap.ok(is_good, name + ": stacks", "%r %r\n%s" % (work, tiny, harness.said(result)))


def check_musl_with_build(context, compiler):
    """A dynamic program of musl with the library of the build, which may be for another C
    library."""
    directory = os.path.dirname(context.library.shared())
    for name, libraries in (
        ("archive", [context.library.archive()]),
        ("shared", ["-L" + directory, "-l:libregmon.so", "-Wl,-rpath," + directory]),
    ):
        program = compile_program(compiler, "ends.c", "ends-musl-" + name, ["-O1"], libraries)
        rows = [
            row
            for row in ENDS
            if row[0] in ("return", "quick_exit", "_exit", "segv", "execle", "fork")
        ]
        report(context, end, [("musl, dynamic, " + name, [program], program, row) for row in rows])
        said = harness.run([harness.GPROF, program, "gmon.none"])[2]
        context.tap.ok(
            b"first; it writes gmon.out" in said,
            "musl, dynamic, %s: gprof knows that it writes a profile" % name,
            said,
        )
        check_interrupted_waits(context, name, compiler, libraries)


def check_interrupted_waits(context, name, compiler, libraries):
    """A handler ends waits of musl, which looks whether one has been set; the library's own does
    not."""
    program = compile_program(compiler, "interrupted.c", "interrupted-musl-" + name, [], libraries)
    with Place() as place:
        result = place.run([program], REGMON_HZ="0")
        expect(
            context,
            "musl, %s: interrupted waits" % name,
            (result[0], place.files()),
            (0, ["gmon.out"]),
            result,
        )


def check_musl(context):
    compiler = harness.tool("MUSL_GCC", "musl-gcc")
    if not compiler:
        context.tap.skip("musl", "no musl-gcc")
        return
    library = runtime_build.build("musl", compiler)
    check_other(context, "musl", compiler, library)
    check_other_ends(context, "musl", library, {row[0] for row in ENDS} - {"_Fork"})
    check_other_stacks(context, "musl", library)
    check_interrupted_waits(context, "static", compiler, ["-static", library.archive()])
    check_musl_with_build(context, compiler)


# qemu 7.2 wipes no memory for _Fork, shares none after vfork, reports no overflow of a stack, shows
# no
# mappings when the main thread has ended, and has no execveat.
NOT_IN_QEMU = {"_Fork", "vfork", "overflow", "thread-overflow", "thread", "execveat", "fexecve"}


def check_gprof_of(context, name, library, machine):
    """GNU gprof for the machine, whose byte order may be another one, reads the file."""
    reader = harness.tool(machine.upper() + "_GPROF", "%s-linux-gnu-gprof" % machine)
    if not reader:
        context.tap.skip(name + ": GNU gprof", "no gprof for " + machine)
        return
    program = compile_program(
        library.compiler, "loop.c", "read-" + name, ["-O2", "-static"], [library.archive()]
    )
    with Place() as place:
        result = place.run(library.runner + [program, "2", "10000"])
        rows = runtime_build.flat_profile(reader[0], program, place.file())
    expect(context, name + ": GNU gprof", rows.get("leaf", (0, 0))[1], 10000, result)


def check_machine(context, machine):
    """gcc and, where it passes no caller, clang."""
    tools, clang = runtime_build.tools_of(machine), harness.tool("CLANG", "clang")
    compilers = [(machine + "-gcc", tools and tools["gcc"])]
    if machine == "aarch64":
        compilers.append(
            (machine + "-clang", tools and clang and clang + ["--target=aarch64-linux-gnu"])
        )
    library = None
    for name, compiler in compilers:
        if not compiler:
            context.tap.skip(
                name, "no compiler for %s, or no qemu-%s" % runtime_build.MACHINES[machine]
            )
            continue
        if IS_LONG or not library:
            library = runtime_build.build(name, compiler, tools["qemu"], objcopy=tools["objcopy"])
            report_code(context, name, library, tools["objdump"], machine)
        library = runtime_build.Library(library.directory, compiler, tools["qemu"])
        check_other(context, name, compiler, library)
        check_gprof_of(context, name, library, machine)
        all_ways = {row[0] for row in ENDS} - NOT_IN_QEMU
        check_other_ends(
            context, name, library, sized({"return", "_exit", "execle", "fork"}, all_ways)
        )
        check_other_stacks(context, name, library)
        report_registers(context, name, library, [])


def check_machines(context):
    for machine in runtime_build.MACHINES:
        check_machine(context, machine)


# ---- 14. Data races, walls ----


def check_races(context):
    """Threads that count and grow, others that write files and reset, under ThreadSanitizer.  It
    does not
    see what the entry points do, so the program calls what they call."""
    sanitize = ["-fsanitize=thread", "-fPIE", "-pie"]
    sources = [
        s
        for s in runtime_build.c_sources()
        if not s.endswith(("create.c", "dlclose.c", "exec.c", "exit.c", "nonshared.c", "signal.c"))
    ]
    sources.append(
        os.path.join(runtime_build.SOURCES, "entry_%s.S" % runtime_build.machine_of(context.gcc))
    )
    if not runtime_build.accepted(context.gcc, ["-fsanitize=thread"]):
        context.tap.skip("data races", "no ThreadSanitizer")
        return
    program = compile_program(context.gcc, "races.c", "races", ["-O1"] + sanitize, sources, "-g")
    with Place() as place:
        result = place.run([program], TSAN_OPTIONS="exitcode=66", REGMON_HZ="0")
    reports = result[2].count(b"WARNING: ThreadSanitizer")
    context.tap.ok(
        result[0] == 0 and not reports, "no data race", result[2].decode("utf-8", "replace")[:3000]
    )


# What the library calls of the C library: at its start, to find the functions that it has taken the
# place of, and in sigwait.
IMPORTS = set(
    "__errno_location at_quick_exit dl_iterate_phdr dlsym environ __environ getauxval"
    " pthread_atfork".split()
)
IMPORTS |= {
    "__stack_chk_fail",
    "dlerror",
    "pthread_attr_destroy",
    "pthread_attr_getstacksize",
    "pthread_attr_init",
    "pthread_self",
    "pthread_setcanceltype",
}
EXPORTS = set(
    "_exit _Exit execl execle execlp execv execve execveat execvp execvpe fexecve dlclose".split()
)
EXPORTS |= set(
    "sigaction signal __sysv_signal sigaltstack sigprocmask pthread_sigmask sigtimedwait sigwait"
    " sigwaitinfo signalfd".split()
)
EXPORTS |= {"prctl", "pthread_create", "pthread_setname_np", "syscall", "__asan_default_options"}
EXPORTS |= {"__cyg_profile_func_enter", "__cyg_profile_func_exit"}
EXPORTS |= set(
    "mcount _mcount __monstartup monstartup _mcleanup moncontrol regmon_snapshot regmon_reset"
    .split()
)


# What the entry points jump to when the arc is not in its own group.
SLOW_PATHS = {
    "x86_64": {
        "_mcount": "mcount_slow",
        "__fentry__": "__fentry___slow",
        "__cyg_profile_func_enter": "regmon_count",
    },
    "aarch64": {"_mcount": "regmon_count", "__cyg_profile_func_enter": "_mcount"},
    "riscv64": {"_mcount": "regmon_count", "__cyg_profile_func_enter": "_mcount"},
    "powerpc64le": {"_mcount": "regmon_count", "__cyg_profile_func_enter": "_mcount"},
    "s390x": {"_mcount": "mcount_slow", "__cyg_profile_func_enter": "regmon_count"},
}
CALLS = {
    "x86_64": r"call|syscall|int\b",
    "aarch64": r"bl|svc|br\b",
    "riscv64": r"jal|jr|ecall",
    "powerpc64le": r"bl\b|bctr|sc\b",
    "s390x": r"bras|bas|svc",
}
# Where the compiler does not expect the call to change one, or the library is said to be free of
# them.
VECTORS = {
    "x86_64": r"%[xyz]mm\d",
    "aarch64": r"\t(?:ldu?r|stu?r|ldp|stp|f?mov)\t[qdv]\d",
    "s390x": r"%[fv]\d",
}


def leaves_of(code, entry, machine):
    """Instructions of a function that call, enter the kernel or are not known; names of other
    functions it jumps to."""
    body = re.search(r"^[0-9a-f]+ <%s>:\n((?:.*\t.*\n)+)" % entry, code, re.M).group(1)
    steps = re.findall(r"^ *[0-9a-f]+:\t(\S+) *(?:\t?(.*))?$", body, re.M)
    calls = [" ".join(step) for step in steps if re.match(CALLS[machine], step[0])]
    targets = {
        name
        for step in steps
        for name in re.findall(
            r"^(?:j\w*|b\w*|b\.\w+|cbn?z)\b.*<(\w+)(?:@plt)?(?:\+0x\w+)?>$", " ".join(step)
        )
    }
    return len(steps), calls, targets - {entry}


def report_code(context, name, library, objdump, machine):
    code = harness.must_run(objdump + ["-d", "--no-show-raw-insn", library.shared()]).decode()
    if machine in VECTORS:
        vectors = re.findall("^.*%s.*$" % VECTORS[machine], code, re.M)
        context.tap.ok(not vectors, name + ": the library uses no vector register", vectors[:5])
    for entry, slow_path in SLOW_PATHS[machine].items():
        steps, calls, targets = leaves_of(code, entry, machine)
        is_good = steps > 12 and not calls and targets == {slow_path}
        context.tap.ok(
            is_good,
            "%s: %s calls nothing on its fast path" % (name, entry),
            "%d %s %s" % (steps, calls, targets),
        )


def check_walls(context):
    objdump = harness.tool("OBJDUMP", "objdump")
    if not objdump:
        context.tap.skip("no vector registers", "no objdump")
        return
    machine = runtime_build.machine_of(context.gcc)
    exports = EXPORTS | ({"__fentry__"} if machine == "x86_64" else set())
    report_code(context, "cc", context.library, objdump, machine)
    needed = harness.must_run(
        harness.tool("NM", "nm") + ["-D", "-u", context.library.shared()]
    ).decode()
    names = {line.split()[-1].split("@")[0] for line in needed.splitlines() if " U " in line}
    expect(context, "what it needs of the C library", names - IMPORTS, set())
    defined = harness.must_run(
        harness.tool("NM", "nm") + ["-D", "--defined-only", context.library.shared()]
    ).decode()
    names = {line.split()[-1] for line in defined.splitlines()}
    expect(context, "the names that it defines", names, exports)
    globals_ = harness.must_run(
        harness.tool("NM", "nm") + ["-g", "--defined-only", context.library.archive()]
    ).decode()
    names = set(re.findall(r"^[0-9a-f]+ \w (\S+)$", globals_, re.M))
    expect(
        context,
        "the same in the archive",
        names,
        exports - {"dlclose", "pthread_create", "pthread_setname_np", "__asan_default_options"},
    )


CHECKS = [check_musl, check_machines, check_races, check_walls]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
