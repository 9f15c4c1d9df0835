#!/usr/bin/env python3
"""A program under the runtime behaves as without it: signals, their handlers, stacks and masks;
memory is bounded.

Usage: runtime_signals.py [CHECK]...   (a name of a function below; all if none is given)

Programs raise the signals themselves, so that nothing depends on when a clock ticks.
"""

import sys

sys.dont_write_bytecode = True

import os
import re

from lib import harness, runtime_build
from lib.runtime_build import Place, calls_of, compile_program, rate_in, samples_in
from lib.runtime_jobs import SAMPLE_SIGNAL, expect, modes, run_checks


# ---- Stacks ----

NO_CLOCK = {
    "REGMON_HZ": "1",
    "REGMON_CLOCK": "thread",
    "REGMON_STACKS": "1",
    "REGMON_OBJECTS": "all",
    "REGMON_VERBOSE": "1",
}


def samples_of(place):
    files = [f for f in place.files() if not f.endswith(".stacks")]
    return sum(samples_in(harness.read(place.file(f))) for f in files)


def check_stacks_of_signals(context):
    """A stack of the program's gets no more than fits, and no handler of the program's is on top of
    one of ours."""
    for mode, command in modes(context, "signals.c"):
        for words in (
            ["none"],
            ["together"],
            ["on-stack"],
            ["small", "300"],
            ["small", "-1000"],
            ["no-frame"],
        ):
            with Place() as place:
                result = place.run(command + words, **NO_CLOCK)
                files = "gmon.out" in place.files()
            name = "signals: %s (%s)" % (" ".join(words), mode)
            expect(context, name, (result[0], files), (0, True), result)
        for room, samples, said in ((600, 0, True), (1600, 1, False)):
            with Place() as place:
                result = place.run(command + ["within", str(room)], **NO_CLOCK)
                found = result[0], samples_of(place), b"regmon: 1 samples are lost: " in result[2]
            expect(
                context, "signals: within %d (%s)" % (room, mode), found, (0, samples, said), result
            )


def check_actions(context):
    """The program sees the actions of signals that it has set, and they are done; samples are taken
    beside them."""
    plain = compile_program(context.gcc, "signals.c", "signals-plain", ["-O1"], profile="-g")
    for mode, command in modes(context, "signals.c") + [("without the library", [plain])]:
        is_ours = mode != "without the library"
        for how, samples in (("ask", 0), ("ask-vfork", 1), ("send", 3), ("send-blocked", 2)):
            if not is_ours and samples:
                continue  # nothing handles the samples
            with Place() as place:
                result = place.run(command + [how], **NO_CLOCK)
                found = result[0], samples_of(place)
                expect(context, "signals: %s (%s)" % (how, mode), found, (0, samples), result)
        with Place() as place:
            result = place.run(command + ["send-default"], **NO_CLOCK)
            expect(
                context,
                "signals: send-default (%s)" % mode,
                (result[0], place.files()),
                (-SAMPLE_SIGNAL, ["gmon.out"] if mode == "preloaded" else []),
                result,
            )
        if is_ours:
            with Place() as place:
                result = place.run(command + ["fork-vfork"], REGMON_HZ="1")
                expect(
                    context,
                    "signals: fork-vfork (%s)" % mode,
                    (result[0], len(place.files())),
                    (0, 2),
                    result,
                )


def check_reset_signals(context):
    """A child that resets its signals is not ended by a clock, whichever it is."""
    for mode, command in modes(context, "signals.c"):
        for clock in ("thread", "perf"):
            for words in (["reset"], ["reset", "1"]):
                with Place() as place:
                    result = place.run(command + words, REGMON_HZ="1000", REGMON_CLOCK=clock)
                expect(
                    context,
                    "signals: %s, clock %s (%s)" % (" ".join(words), clock, mode),
                    result[0],
                    0,
                    result,
                )


def check_masks(context):
    """Threads that block all signals are sampled, and see them blocked; SIGPROF is the
    program's."""
    for mode, command in modes(context, "signals.c"):
        with Place() as place:
            result = place.run(command + ["block"], **NO_CLOCK)
            found = result[0], samples_of(place)
        expect(context, "signals: all are blocked (%s)" % mode, found, (0, 5), result)
        for hz in ("0", "1"):
            with Place() as place:
                result = place.run(command + ["block-one"], REGMON_HZ=hz)
            expect(
                context,
                "signals: SIGPROF is blocked, %s Hz (%s)" % (hz, mode),
                result[0],
                0,
                result,
            )


def check_waits(context):
    """A wait for all signals gets none of the clocks, and can be cancelled."""
    for mode, command in modes(context, "signals.c"):
        for how in ("sigwait", "sigwaitinfo", "sigtimedwait", "signalfd", "cancel"):
            with Place() as place:
                result = place.run(command + [how], **NO_CLOCK)
            expect(context, "signals: %s (%s)" % (how, mode), result[0], 0, result)


def check_exec(context):
    """A program that is executed inherits what this one has ignored and blocked; if it cannot be,
    samples are taken."""
    plain = compile_program(context.gcc, "signals.c", "signals-plain", ["-O1"], profile="-g")
    for mode, command in modes(context, "signals.c", is_alone=True):
        for how in (
            "exec",
            "exec-ignore",
            "exec-block",
            "exec-handle",
            "exec-block-ignore-vfork",
            "exec-block-vfork-restore",
        ):
            with Place() as place:
                result, wanted = place.run(command + [how], **NO_CLOCK), place.run([plain, how])
            expect(context, "signals: %s (%s)" % (how, mode), result[:2], wanted[:2], result)
        for how in ("exec-fails", "exec-fails-block-ignore"):
            with Place() as place:
                result = place.run(command + [how], **NO_CLOCK)
                found = result[0], samples_of(place)
            expect(context, "signals: %s (%s)" % (how, mode), found, (0, 1), result)


def check_sigprof(context):
    """SIGPROF and its timer are the program's, beside samples of the library's."""
    for mode, command in modes(context, "sigprof.c"):
        for clock in ("thread", "perf"):
            for how in ("ticks", "late"):
                with Place() as place:
                    result = place.run(command + [how, "100"], REGMON_CLOCK=clock, REGMON_HZ="100")
                expect(
                    context,
                    "SIGPROF of the program: %s, clock %s (%s)" % (how, clock, mode),
                    result[0],
                    0,
                    result,
                )


def check_weather(context):
    """A storm of signals at 1,000 samples a second: nothing crashes, and calls are exact."""
    seconds = harness.sized("0.1", os.environ.get("STORM_SECONDS", "120"))
    settings = dict(harness.ENV, REGMON_HZ="1000", REGMON_STACKS="1")
    for mode, command in modes(context, "weather.c"):
        with Place() as place:
            result = harness.run(
                command + [seconds],
                cwd=place.path,
                env=settings,
                timeout=harness.sized(harness.TIMEOUT, 7200),
            )
            count = (
                calls_of("leaf", command[-1], place.file()) if "gmon.out" in place.files() else None
            )
        expect(
            context,
            "a storm of signals (%s)" % mode,
            (result[0], count),
            (0, int(result[1] or -1)),
            result,
        )


def check_share(context):
    """The share of the processor time that has no samples is said."""
    for mode, command in modes(context, "share.c"):
        with Place() as place:
            result = place.run(command + ["table"], REGMON_HZ="0")
            expect(context, "share without samples: what is said (%s)" % mode, result[0], 0)
        with Place() as place:
            result = place.run(command + ["blocked", "250"])
            said = re.search(rb"^regmon: (\d+) % of the CPU time has no samples$", result[2], re.M)
        context.tap.ok(
            result[0] == 0 and said and int(said[1]) > 90,
            "share without samples: a thread blocks them (%s)" % mode,
            result,
        )
        for how, settings in (("blocked", {"REGMON_HZ": "0"}), ("open", {})):
            if settings or harness.IS_LONG:
                with Place() as place:
                    result = place.run(command + [how, "250"], **settings)
                expect(
                    context,
                    "share without samples: %s, nothing is said %r (%s)" % (how, settings, mode),
                    (result[0], result[2]),
                    (0, b""),
                )


def check_calls_of_kernel(context):
    """Clocks interrupt no system call."""
    for mode, command in modes(context, "kernel.c"):
        for clock in ("thread", "perf"):
            with Place() as place:
                result = place.run(
                    command + [harness.sized("100", "3000")], REGMON_CLOCK=clock, REGMON_HZ="10000"
                )
            expect(
                context,
                "system calls are not interrupted: clock %s (%s)" % (clock, mode),
                result[:2],
                (0, b"0 0\n"),
                result,
            )


def check_rate(context):
    """Clocks of threads take no more samples than the kernel has ticks, and say so."""
    ticks = runtime_build.ticks()
    program = compile_program(context.gcc, "sigprof.c", "sigprof-rate", ["-O1"])
    for hz, said in (
        (ticks // 2, b""),
        (50000, b"regmon: %d samples a second, not 50000: " % ticks),
    ):
        with Place() as place:
            result = place.run(
                context.preloaded(program, "", 50), REGMON_CLOCK="thread", REGMON_HZ=str(hz)
            )
            found = (
                result[0],
                rate_in(place, "gmon.out"),
                said in result[2] and bool(said) == bool(result[2]),
            )
        expect(
            context,
            "a rate of %d by clocks of threads" % hz,
            found,
            (0, min(hz, ticks), True),
            result,
        )


# ---- Go ----

GO = """package main

/*
#cgo CFLAGS: -pg -O1 -g -DWORKED=%d
#cgo LDFLAGS: -pg
#include <stdlib.h>
__attribute__((noinline)) int leaf(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
void work(void) { for (int i = 0; i < WORKED; i++) leaf(i); }
*/
import "C"
import "sync"

func main() {
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 100; j++ {
				C.work()
			}
		}()
	}
	group.Wait()
	C.exit(0)
}
"""


def check_go(context):
    """A Go program with C parts runs, and the calls of these are counted."""
    go = harness.tool("GO", "go")
    if not go or runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("a Go program", "no go")
        return
    directory = os.path.join(harness.TEMP, "go")
    os.mkdir(directory)
    harness.write(os.path.join(directory, "go.mod"), b"module mixed\n")
    harness.write(os.path.join(directory, "main.go"), (GO % 1000).encode())
    settings = {
        "CGO_CFLAGS_ALLOW": "-pg",
        "CGO_LDFLAGS_ALLOW": "-pg",
        "GOCACHE": os.path.join(directory, "cache"),
        "GOPROXY": "off",
        "GOFLAGS": "-mod=mod",
    }
    built = harness.run(
        go + ["build", "-o", "mixed", "."],
        cwd=directory,
        env=dict(harness.ENV, CC=context.gcc[0], HOME=directory, **settings),
    )
    if not context.tap.ok(built[0] == 0, "a Go program is built", built):
        return
    program = os.path.join(directory, "mixed")
    for hz, said in (("1000", True), ("0", False)):
        with Place() as place:
            result = place.run(context.preloaded(program), REGMON_HZ=hz)
            count = (
                runtime_build.calls_by_symbol("leaf", program, place.file())
                if place.files() == ["gmon.out"]
                else place.files()
            )
        found = result[0], b"runtime/pprof" in result[2], count
        expect(context, "a Go program at %s Hz" % hz, found, (0, said, 800000), result)


# ---- The need of stack ----


def read_calls(directory):
    """({function: bytes of stack}, {function: functions it calls}), as the compiler says."""
    needs, calls = dict(ASSEMBLY), {}
    for name in sorted(os.listdir(directory)):
        text = harness.read(os.path.join(directory, name)).decode() if name.endswith(".ci") else ""
        for title, label in re.findall(r'^node: { title: "([^"]+)" label: "([^"]+)"', text, re.M):
            size = re.search(r"\\n(\d+) bytes \((static|dynamic(?:,bounded)?)\)", label)
            if size:
                needs[title] = int(size.group(1)) if size.group(2) != "dynamic" else None
        for caller, callee in re.findall(
            r'^edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', text, re.M
        ):
            is_rules = name.endswith("rules.ci") and callee == BY_POINTER
            calls.setdefault(caller, set()).add("_dl_find_object" if is_rules else callee)
    return needs, calls


RETURN_ADDRESS = 8  # above the frame that the compiler states
# Of assembly: what mcount_slow saves, and the alignment of the stack.
ENTRY = 96
# What _dl_find_object of glibc
# needs is a guess from above: 2.36 has 80 bytes of its own, and calls functions that have none.
ASSEMBLY = {"_dl_find_object": 160, "pthread_self": 16}
# What is called by pointer: that by rules.c, functions of config.c by others.
BY_POINTER = "__indirect_call"


def deepest(graph, function, left_out=(), path=()):
    """Bytes of the deepest chain of calls from a function; an error if it is not known."""
    needs, calls = graph
    if function == BY_POINTER:
        return max(
            deepest(graph, f, left_out, path + (function,))
            for f in needs
            if re.search(r"config\.c:set_\w+$", f)
        )
    if function in path:
        raise ValueError("recursion: " + " ".join(path))
    if needs.get(function) is None:
        raise ValueError("not known: " + " ".join(path + (function,)))
    below = [
        deepest(graph, f, left_out, path + (function,))
        for f in calls.get(function, ())
        if f not in left_out
    ]
    return RETURN_ADDRESS + needs[function] + max(below, default=0)


def check_need(context):
    """The figures of sample.h and thread.h are at least those of the compiler, for the flags of the
    build."""
    compiler, flags = context.gcc, ["-fcallgraph-info=su"]
    if not runtime_build.accepted(compiler, flags):
        context.tap.skip("the need of stack", "the compiler does not tell")
        return
    directory = os.path.join(harness.TEMP, "need")
    os.mkdir(directory)
    flags += runtime_build.FLAGS + runtime_build.accepted(compiler, runtime_build.OPTIONAL)
    for source in runtime_build.c_sources():
        harness.must_run(compiler + flags + ["-c", source], cwd=directory)
    graph = read_calls(directory)
    headers = "".join(
        harness.read(os.path.join(runtime_build.SOURCES, name)).decode()
        for name in ("sample.h", "thread.h")
    )
    stated = {
        name: int(number) for name, number in re.findall(r"#define NEED_OF_(\w+) +(\d+)", headers)
    }
    found = {"SAMPLE": deepest(graph, "sample_handle", {"actions_pass_on"})}
    found["CALL"] = ENTRY + deepest(graph, "regmon_count")
    for name, number in found.items():
        is_good = 0 < number <= stated[name]
        context.tap.ok(
            is_good, "the need of stack: " + name, "%d, stated %d" % (number, stated[name])
        )


# ---- Memory ----


def write_equal_sums(path, callers):
    """`walk' calls functions whose callers are 128 bytes apart, and callees, 16 in the other order:
    from + 8 * self are equal."""
    with open(path, "w", encoding="ascii") as file:
        file.write(
            ".p2align 7\n.globl walk\n.type walk, @function\nwalk:\npush %rbp\nmov %rsp, %rbp\n"
        )
        for i in range(callers):
            file.write(".p2align 7\ncall callee_%d\n" % i)
        file.write(".p2align 7\npop %rbp\nret\n.size walk, . - walk\n")
        for i in reversed(range(callers)):
            file.write(
                ".p2align 4\n.type callee_{0}, @function\ncallee_{0}:\npush %rbp\nmov %rsp, %rbp\n"
                .format(i)
            )
            file.write("call mcount\npop %rbp\nret\n")
        file.write('.section .note.GNU-stack, "", @progbits\n')


def link_walk(context, source, name, rounds):
    main = (
        "void walk(void);\nint main(void) { for (int i = 0; i < %d; i++) walk(); return 0; }\n"
        % rounds
    )
    main = harness.write(os.path.join(harness.TEMP, name + ".c"), main.encode())
    program = os.path.join(harness.TEMP, name)
    harness.must_run(
        context.gcc + ["-pg", "-no-pie", "-Wl,-z,noseparate-code", "-o", program, main, source]
    )
    return program


def memory_of(result):
    """KiB of tables, calls, and calls that are lost, as the messages say."""
    said = result[2].decode()
    numbers = [
        re.search(pattern, said)
        for pattern in (
            r"(\d+) KiB of tables",
            r"(\d+) calls, ",
            r"(\d+) calls and samples are lost",
        )
    ]
    return tuple(int(number.group(1)) if number else 0 for number in numbers)


def check_memory(context):
    """Tables have at most 8 times the slots that the arcs of a thread need, and 64 KiB."""
    if runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("memory of tables", "the program is for x86-64")
        return
    limit = ["sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh"]
    source = os.path.join(harness.TEMP, "walk.s")
    for callers, rounds in ((64, 1000), (700, 100), (30000, 3)):
        write_equal_sums(source, callers)
        program = link_walk(context, source, "walk-%d" % callers, rounds)
        with Place() as place:
            result = place.run(
                limit + context.preloaded(program), REGMON_VERBOSE="1", REGMON_HZ="0"
            )
        kib, calls, lost = memory_of(result)
        name = "memory of %d arcs with equal sums" % callers
        is_good = result[0] == 0 and 0 < kib <= 8 * (callers + 1) * 32 / 1024 + 64
        context.tap.ok(
            is_good and (calls, lost) == (callers * rounds + 1, 0),
            name,
            "%d KiB\n%s" % (kib, harness.said(result)),
        )
        with Place() as place:
            result = place.run(
                context.preloaded(program),
                REGMON_VERBOSE="1",
                REGMON_HZ="0",
                REGMON_MEMORY="200000",
            )
        kib, calls, lost = memory_of(result)
        is_good = (
            result[0] == 0
            and 0 < kib < 200
            and calls + lost == callers * rounds + 1
            and (lost > 0) == (callers > 10000)
        )
        context.tap.ok(
            is_good, name + " with REGMON_MEMORY", "%d KiB\n%s" % (kib, harness.said(result))
        )
    with Place() as place:
        result = place.run(
            context.preloaded(program), REGMON_VERBOSE="1", REGMON_HZ="0", REGMON_MEMORY="1000"
        )
    expect(
        context,
        "REGMON_MEMORY for no table",
        (result[0], memory_of(result)[1:]),
        (0, (0, 90001)),
        result,
    )


def check_limited_addresses(context):
    """Threads and large blocks of memory fit where addresses are limited."""
    program = compile_program(context.gcc, "addresses.c", "addresses", ["-O1"])
    for mode, command in (
        ("preloaded", context.preloaded(program)),
        ("static", modes(context, "addresses.c")[2][1]),
    ):
        for kib, threads in ((400000, 100), (1000000, 400)):
            limit = ["sh", "-c", 'ulimit -v %d; exec "$@"' % kib, "sh"]
            with Place() as place:
                result = place.run(
                    limit + command + [str(threads)], REGMON_HZ="0", REGMON_VERBOSE="1"
                )
                found = result[0], memory_of(result)[1:]
            name = "ulimit -v %d, %d threads (%s)" % (kib, threads, mode)
            expect(context, name, found, (0, (2 * threads + 1, 0)), result)


CHECKS = [
    check_stacks_of_signals,
    check_actions,
    check_reset_signals,
    check_masks,
    check_waits,
    check_exec,
    check_sigprof,
    check_share,
    check_weather,
    check_calls_of_kernel,
    check_rate,
    check_go,
    check_need,
    check_memory,
    check_limited_addresses,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
