#!/usr/bin/env python3
"""A program under the runtime behaves as without it: signals, their handlers, stacks and masks; memory is bounded.

Usage: runtime_signals.py [CHECK]...   (a name of a function below; all if none is given)

Programs raise the signals themselves, so that nothing depends on when a clock ticks.
"""

import sys

sys.dont_write_bytecode = True

import os
import re

from lib import harness, runtime_build
from lib.runtime_build import Place, calls_of, compile_program, samples_in
from lib.runtime_jobs import expect, modes, run_checks


# ---- Stacks ----

NO_CLOCK = {"REGMON_HZ": "1", "REGMON_CLOCK": "thread", "REGMON_STACKS": "1", "REGMON_OBJECTS": "all", "REGMON_VERBOSE": "1"}


def samples_of(place):
    files = [f for f in place.files() if not f.endswith(".stacks")]
    return sum(samples_in(harness.read(place.file(f))) for f in files)


def check_stacks_of_signals(context):
    """A stack of the program's gets no more than fits, and no handler of the program's is on one of ours."""
    for mode, command in modes(context, "signals.c"):
        for words, status in ((["together"], 0), (["small", "300"], 0), (["small", "-1000"], 0), (["guard"], 0), (["no-frame"], 0), (["small-end", "-1000"], -15)):
            with Place() as place:
                result = place.run(command + words, **NO_CLOCK)
                files = "gmon.out" in place.files()
            name = "signals: %s (%s)" % (" ".join(words), mode)
            expect(context, name, (result[0], files), (status, True), harness.said(result))
        for room, samples, said in ((600, 0, True), (1600, 1, False)):
            with Place() as place:
                result = place.run(command + ["within", str(room)], **NO_CLOCK)
                found = result[0], samples_of(place), b"regmon: 1 samples are lost: " in result[2]
            expect(context, "signals: within %d (%s)" % (room, mode), found, (0, samples, said), harness.said(result))


def check_actions(context):
    """The program sees the actions of signals that it has set, and its alternate stacks."""
    for mode, command in modes(context, "signals.c"):
        for how, status in (("ask", 0), ("ask-stack", 0), ("ask-vfork", 0), ("default", -15), ("default-once", -15), ("default-fails", 0)):
            with Place() as place:
                result = place.run(command + [how], REGMON_HZ="1")
                expect(context, "signals: %s (%s)" % (how, mode), (result[0], place.files()), (status, ["gmon.out"]), harness.said(result))
        for how in ("ask-fork", "fork-vfork"):
            with Place() as place:
                result = place.run(command + [how], REGMON_HZ="1")
                expect(context, "signals: %s (%s)" % (how, mode), (result[0], len(place.files())), (0, 2), harness.said(result))
    plain = compile_program(context.gcc, "signals.c", "signals-plain", ["-O1"], profile="-g")
    for how in ("ask", "ask-stack", "ask-vfork"):
        for name, words in (("alone", [plain, how]), ("with the library", context.preloaded(plain, how))):
            with Place() as place:
                result = place.run(words)
                expect(context, "signals: %s, without -pg, %s" % (how, name), (result[0], place.files()), (0, []), harness.said(result))


def check_reset_signals(context):
    """A child that resets its signals is not ended by a clock, whichever it is."""
    for mode, command in modes(context, "signals.c"):
        for clock in ("thread", "perf", "itimer"):
            for words in (["reset"], ["reset", "1"]):
                with Place() as place:
                    result = place.run(command + words, REGMON_HZ="1000", REGMON_CLOCK=clock, REGMON_INTERVAL="1")
                expect(context, "signals: %s, clock %s (%s)" % (" ".join(words), clock, mode), result[0], 0, harness.said(result))


def check_masks(context):
    """Threads that block all signals are sampled, and see them blocked; SIGPROF alone can be blocked."""
    for mode, command in modes(context, "signals.c"):
        with Place() as place:
            result = place.run(command + ["block"], **NO_CLOCK)
            found = result[0], samples_of(place)
        expect(context, "signals: all are blocked (%s)" % mode, found, (0, 3), harness.said(result))
        for hz in ("0", "1"):
            with Place() as place:
                result = place.run(command + ["block-one"], REGMON_HZ=hz)
            expect(context, "signals: SIGPROF is blocked, %s Hz (%s)" % (hz, mode), result[0], 0, harness.said(result))


def check_weather(context):
    """A storm of signals at 1,000 samples a second, with snapshots: nothing crashes, and calls are exact."""
    seconds = harness.sized("0.2", os.environ.get("STORM_SECONDS", "120"))
    settings = dict(harness.ENV, REGMON_HZ="1000", REGMON_INTERVAL="1", REGMON_STACKS="1")
    for mode, command in modes(context, "weather.c"):
        with Place() as place:
            result = harness.run(command + [seconds], cwd=place.path, env=settings, timeout=harness.sized(harness.TIMEOUT, 7200))
            count = calls_of("leaf", command[-1], place.file()) if "gmon.out" in place.files() else None
        expect(context, "a storm of signals (%s)" % mode, (result[0], count), (0, int(result[1] or -1)), harness.said(result))


def check_share(context):
    """The share of the processor time that has no samples is said."""
    for mode, command in modes(context, "share.c"):
        with Place() as place:
            result = place.run(command + ["table"], REGMON_HZ="0")
            expect(context, "share without samples: what is said (%s)" % mode, result[0], 0)
        with Place() as place:
            result = place.run(command + ["blocked"])
            said = re.search(rb"^regmon: (\d+) % of the processor time has no samples", result[2], re.M)
        context.tap.ok(result[0] == 0 and said and int(said[1]) > 90, "share without samples: a thread blocks SIGPROF (%s)" % mode, harness.said(result))
        for how, settings in (("blocked", {"REGMON_HZ": "0"}), ("open", {})):
            if settings or harness.IS_LONG:
                with Place() as place:
                    result = place.run(command + [how], **settings)
                expect(context, "share without samples: %s, nothing is said %r (%s)" % (how, settings, mode), (result[0], result[2]), (0, b""))


def check_waits(context):
    """Snapshots at an interval do not disturb the program's waits."""
    for mode, command in modes(context, "signals.c"):
        with Place() as place:
            result = place.run(command + ["wait"], REGMON_INTERVAL="1", REGMON_HZ="0")
            found = result[0], place.files()
        expect(context, "signals: waits and snapshots (%s)" % mode, found, (0, ["gmon.out"]), harness.said(result))


def check_calls_of_kernel(context):
    """Clocks interrupt no system call."""
    for mode, command in modes(context, "kernel.c"):
        for clock in ("thread", "perf"):
            with Place() as place:
                result = place.run(command + [harness.sized("300", "3000")], REGMON_CLOCK=clock, REGMON_HZ="10000")
            expect(context, "system calls are not interrupted: clock %s (%s)" % (clock, mode), result[:2], (0, b"0\n"), harness.said(result))


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
        for caller, callee in re.findall(r'^edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', text, re.M):
            is_rules = name.endswith("rules.ci") and callee == BY_POINTER
            calls.setdefault(caller, set()).add("_dl_find_object" if is_rules else callee)
    return needs, calls


RETURN_ADDRESS = 8  # above the frame that the compiler states
# Of assembly: what mcount_slow saves, and the alignment of the stack.
ENTRY = 96
# Functions of assembly; the thread that one starts has a stack of its own.  What _dl_find_object of glibc
# needs is a guess from above: 2.36 has 80 bytes of its own, and calls functions that have none.
ASSEMBLY = {"regmon_start_thread": 0, "regmon_call_on": 8, "_dl_find_object": 160}
# What is called by pointer: that by rules.c, functions of config.c by others.
BY_POINTER = "__indirect_call"


def deepest(graph, function, left_out=(), path=()):
    """Bytes of the deepest chain of calls from a function; an error if it is not known."""
    needs, calls = graph
    if function == BY_POINTER:
        return max(deepest(graph, f, left_out, path + (function,)) for f in needs if re.search(r"config\.c:set_\w+$", f))
    if function in path:
        raise ValueError("recursion: " + " ".join(path))
    if needs.get(function) is None:
        raise ValueError("not known: " + " ".join(path + (function,)))
    below = [deepest(graph, f, left_out, path + (function,)) for f in calls.get(function, ()) if f not in left_out]
    return RETURN_ADDRESS + needs[function] + max(below, default=0)


def check_need(context):
    """The figures of signal_stack.h are at least those of the compiler, for the flags of the build."""
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
    header = harness.read(os.path.join(runtime_build.SOURCES, "signal_stack.h")).decode()
    stated = {name: int(number) for name, number in re.findall(r"#define NEED_OF_(\w+) +(\d+)", header)}
    found = {"SAMPLE": deepest(graph, "sample_handle", {"thread_table", "snapshot_write"})}
    handlers = ["sample_handle", "ends_handle", "ends_handle_snapshot"]
    found["HANDLER"] = max([deepest(graph, f) for f in handlers] + [ENTRY + deepest(graph, "regmon_count")])
    for name, number in found.items():
        is_good = 0 < number <= stated[name]
        context.tap.ok(is_good, "the need of stack: " + name, "%d, stated %d" % (number, stated[name]))


# ---- Memory ----


def write_equal_sums(path, callers):
    """`walk' calls functions whose callers are 128 bytes apart, and callees, 16 in the other order: from + 8 * self are equal."""
    with open(path, "w", encoding="ascii") as file:
        file.write(".p2align 7\n.globl walk\n.type walk, @function\nwalk:\npush %rbp\nmov %rsp, %rbp\n")
        for i in range(callers):
            file.write(".p2align 7\ncall callee_%d\n" % i)
        file.write(".p2align 7\npop %rbp\nret\n.size walk, . - walk\n")
        for i in reversed(range(callers)):
            file.write(".p2align 4\n.type callee_{0}, @function\ncallee_{0}:\npush %rbp\nmov %rsp, %rbp\n".format(i))
            file.write("call mcount\npop %rbp\nret\n")
        file.write('.section .note.GNU-stack, "", @progbits\n')


def link_walk(context, source, name, rounds):
    main = "void walk(void);\nint main(void) { for (int i = 0; i < %d; i++) walk(); return 0; }\n" % rounds
    main = harness.write(os.path.join(harness.TEMP, name + ".c"), main.encode())
    program = os.path.join(harness.TEMP, name)
    harness.must_run(context.gcc + ["-pg", "-no-pie", "-Wl,-z,noseparate-code", "-o", program, main, source])
    return program


def memory_of(result):
    """KiB of tables, calls, and calls that are lost, as the messages say."""
    said = result[2].decode()
    numbers = [re.search(pattern, said) for pattern in (r"(\d+) KiB of tables", r"(\d+) calls, ", r"(\d+) calls and samples are lost")]
    return tuple(int(number.group(1)) if number else 0 for number in numbers)


def check_memory(context):
    """Tables have at most 4 times the slots that the arcs of a thread need, and 64 KiB."""
    if runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("memory of tables", "the program is for x86-64")
        return
    limit = ["sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh"]
    source = os.path.join(harness.TEMP, "walk.s")
    for callers, rounds in ((64, 1000), (700, 100), (30000, 3)):
        write_equal_sums(source, callers)
        program = link_walk(context, source, "walk-%d" % callers, rounds)
        with Place() as place:
            result = place.run(limit + context.preloaded(program), REGMON_VERBOSE="1", REGMON_HZ="0")
        kib, calls, lost = memory_of(result)
        name = "memory of %d arcs with equal sums" % callers
        is_good = result[0] == 0 and 0 < kib <= 4 * (callers + 1) * 32 / 1024 + 64
        context.tap.ok(is_good and (calls, lost) == (callers * rounds + 1, 0), name, "%d KiB\n%s" % (kib, harness.said(result)))
        with Place() as place:
            result = place.run(context.preloaded(program), REGMON_VERBOSE="1", REGMON_HZ="0", REGMON_MEMORY="200000")
        kib, calls, lost = memory_of(result)
        is_good = result[0] == 0 and 0 < kib < 200 and calls + lost == callers * rounds + 1 and (lost > 0) == (callers > 10000)
        context.tap.ok(is_good, name + " with REGMON_MEMORY", "%d KiB\n%s" % (kib, harness.said(result)))
    with Place() as place:
        result = place.run(context.preloaded(program), REGMON_VERBOSE="1", REGMON_HZ="0", REGMON_MEMORY="1000")
    expect(context, "REGMON_MEMORY for no table", (result[0], memory_of(result)), (0, (0, 0, 90001)), harness.said(result))


def check_limited_addresses(context):
    """Threads and large blocks of memory fit where addresses are limited."""
    program = compile_program(context.gcc, "addresses.c", "addresses", ["-O1"])
    for mode, command in (("preloaded", context.preloaded(program)), ("static", modes(context, "addresses.c")[2][1])):
        for kib, threads in ((400000, 100), (1000000, 400)):
            limit = ["sh", "-c", 'ulimit -v %d; exec "$@"' % kib, "sh"]
            with Place() as place:
                result = place.run(limit + command + [str(threads)], REGMON_HZ="0", REGMON_VERBOSE="1")
                found = result[0], memory_of(result)[1:]
            name = "ulimit -v %d, %d threads (%s)" % (kib, threads, mode)
            expect(context, name, found, (0, (2 * threads + 1, 0)), harness.said(result))


CHECKS = [
    check_stacks_of_signals,
    check_actions,
    check_reset_signals,
    check_masks,
    check_share,
    check_weather,
    check_waits,
    check_calls_of_kernel,
    check_need,
    check_memory,
    check_limited_addresses,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
