"""What several tests of the runtime do: run a program to one of its ends, look after registers,
report."""

import os
import re
import signal
import sys
import time

from lib import harness, runtime_build
from lib.harness import sized
from lib.runtime_build import Place, calls_of, compile_program


class Context:
    """What all checks share."""

    def __init__(self):
        self.tap = harness.Tap()
        self.library = runtime_build.built()
        self.gcc = harness.tool("CC", "cc")
        self.clang = harness.tool("CLANG", "clang")
        self.cxx = harness.tool("CXX", "c++")
        self.clangxx = harness.tool("CLANGXX", "clang++")

    def compilers(self):
        return [(name, c) for name, c in (("cc", self.gcc), ("clang", self.clang)) if c]

    def preloaded(self, program, *words):
        return [runtime_build.REGMON, program] + [str(word) for word in words]


def modes(context, source, flags=("-O1",), is_alone=False):
    """[(name, command)]: the program preloaded, linked and static.  IS_ALONE: preloaded without
    regmon, so that it is not
    sampled before its first profiled call, nor is a program that it executes."""
    stem = source.partition(".")[0]
    archive = [context.library.archive()]
    program = compile_program(context.gcc, source, stem, flags)
    linked = compile_program(context.gcc, source, stem + "-linked", flags, archive)
    static = compile_program(
        context.gcc, source, stem + "-static", list(flags) + ["-static"], archive
    )
    preloaded = (
        ["env", "LD_PRELOAD=" + context.library.shared(), program]
        if is_alone
        else context.preloaded(program)
    )
    return [("preloaded", preloaded), ("linked", [linked]), ("static", [static])]


def expect(context, name, actual, expected, more=""):
    context.tap.ok(
        actual == expected, name, "%r instead of %r\n%s" % (actual, expected, harness.shown(more))
    )


SAMPLE_SIGNAL = 16  # SIGSTKFLT

# How, words, status, calls in gmon.out, calls in files of children.
ENDS = [
    ("return", [], 3, 1000, []),
    ("exit", [], 4, 1000, []),
    ("_exit", [], 5, 1000, []),
    ("_Exit", [], 6, 1000, []),
    ("quick_exit", [], 7, 1000, []),
    ("thread", [], 0, 1005, []),
    ("execl", [], 0, 1000, []),
    ("execlp", [], 0, 1000, []),
    ("execle", [], 0, 1000, []),
    ("execve", [], 0, 1000, []),
    ("execv", [], 0, 1000, []),
    ("execvp", [], 0, 1000, []),
    ("execvpe", [], 0, 1000, []),
    ("execveat", [], 0, 1000, []),
    ("fexecve", [], 0, 1000, []),
    ("exec-script", [], 0, 1000, []),
    ("exec-fails", [], 8, 1010, []),
    ("fork-exec", [], 0, 1001, []),
    ("fork", [], 9, 1001, [77]),
    ("_Fork", [], 9, 1001, [77]),
    ("vfork", [], 9, 1001, []),
    ("spawn", [], 0, 1001, []),
]
# A signal ends the program as it would without the library, which writes no file.
DEATHS = [
    ("abort", [], -signal.SIGABRT, None, []),
    ("segv", [], -signal.SIGSEGV, None, []),
    ("overflow", [], -signal.SIGSEGV, None, []),
    ("thread-overflow", [], -signal.SIGSEGV, None, []),
]
DEATHS += [
    ("kill", [number], -number, None, [])
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGPROF, SAMPLE_SIGNAL)
]


def leaf_calls_of_files(program, place, count_of=calls_of):
    """Calls in gmon.out, and in gmon.out.PID of children; names of what should not be there."""
    children = [f for f in place.files() if re.fullmatch(r"gmon\.out\.\d+", f)]
    others = [f for f in place.files() if f != "gmon.out" and f not in children]
    main = count_of("leaf", program, place.file()) if "gmon.out" in place.files() else None
    return main, sorted(count_of("leaf", program, place.file(f)) for f in children), others


def end(job):
    """Runs a program to one of its ends; returns the name of the test, whether it is good, and why
    not."""
    mode, command, program, row = job[:4]
    count_of = job[4] if len(job) > 4 else calls_of
    how, words, status, calls, children = row
    with Place() as place:
        limits = ["sh", "-c", 'ulimit -c 0; ulimit -s 1024; exec "$@"', "sh"]
        # What it executes in its place may take a sample, and would have a file.
        result = place.run(
            limits + command + [how] + [str(int(word)) for word in words],
            REGMON_ONLY=os.path.basename(program),
        )
        found = leaf_calls_of_files(program, place, count_of)
    is_good = result[0] == status and found == (calls, children, [])
    if "exec" in how and how not in ("exec-fails", "fork-exec"):
        is_good = is_good and b"MARK=1" in result[1]
    name = " ".join(["end by", how] + [str(word) for word in words] + ["(%s)" % mode])
    return name, is_good, "%s\n%r" % (harness.said(result), found)


def report(context, function, jobs):
    for name, is_good, why in harness.parallel(function, jobs):
        context.tap.ok(is_good, name, why)


def register_flags(compiler):
    """[(name, flags)]: what changes how functions are entered."""
    machine = runtime_build.machine_of(compiler)
    is_clang = "clang" in os.path.basename(compiler[0])
    common = ["-DHAS_CONTEXTS"] + ([] if is_clang else ["-DHAS_NESTED"])
    common.append("-DVECTOR_BYTES=%d" % (32 if machine == "x86_64" else 16))
    sets = [("-O%d" % level, ["-O%d" % level]) for level in sized((2,), range(4))]
    if machine == "x86_64":
        common.append("-mavx2")
        sets += [
            ("fentry -O%d" % level, ["-O%d" % level, "-mfentry"]) for level in sized((), range(4))
        ]
        sets += [("fentry -fcf-protection", ["-O3", "-mfentry", "-fcf-protection"])]
        sets += [("no PIE", ["-O1", "-no-pie", "-fno-pie"])]
        sets += [("large model", ["-O2", "-mcmodel=large", "-no-pie", "-fno-pie"])]
    elif machine == "aarch64":
        sets += [("-mbranch-protection", ["-O2", "-mbranch-protection=standard"])]
    return [(name, common + flags) for name, flags in sets]


# Of each program, without calls of functions to themselves, as readers show them.
REGISTER_CALLS = {
    "registers.c": {"many": 1010, "jump": 1000, "vectors": 1000, "by_value": 1000},
    "throws.cpp": {"deep": 1000, "rethrow": 1000, "caught": 1000},
}


def keeps_registers(job):
    """Runs the program of one set of flags; returns the name of the test, whether it is good, and
    why not."""
    source, name, library, prefix, flags_name, flags = job
    output = "%s-%s-%s" % (source, name, flags_name.replace(" ", ""))
    if library.runner:
        flags = flags + ["-static"]
    archive = [] if prefix else [library.archive()]
    program = compile_program(library.compiler, source, output, flags, archive + ["-lm"])
    wanted = REGISTER_CALLS[source]
    with Place() as place:
        result = place.run(library.runner + prefix + [program])
        has_file = "gmon.out" in place.files()
        counts = {f: library.calls_of(f, program, place.file()) for f in wanted} if has_file else {}
    is_good = result[0] == 0 and counts == wanted
    return (
        "%s: %s %s" % (source.partition(".")[0], name, flags_name),
        is_good,
        "%s\n%r" % (harness.said(result), counts),
    )


def report_registers(context, name, library, prefix, source="registers.c"):
    flags = register_flags(library.compiler)
    report(context, keeps_registers, [(source, name, library, prefix) + row for row in flags])


def reset_signals():
    """A shell that runs the tests in the background, and nohup, let them ignore these, and the
    programs inherit that."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def run_checks(checks):
    """Main program of a test: all checks, or those that are named on the command line."""
    reset_signals()
    context = Context()
    if not context.library:
        harness.skip_all("the runtime is not built")
    if not context.gcc:
        harness.skip_all("no compiler")
    wanted = sys.argv[1:]
    for check in checks:
        if wanted and check.__name__ not in wanted:
            continue
        start = time.time()
        check(context)
        context.tap.say("%s: %.1f s" % (check.__name__, time.time() - start))
    return context.tap.done()
