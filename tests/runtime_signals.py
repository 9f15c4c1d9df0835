#!/usr/bin/env python3
"""A program under the runtime behaves as without it: signals, their handlers, stacks and masks.

Usage: runtime_signals.py [CHECK]...   (a name of a function below; all if none is given)

Programs raise the signals themselves, so that nothing depends on when a clock ticks.
"""

import sys

sys.dont_write_bytecode = True

import os
import re

from lib import harness, runtime_build
from lib.runtime_build import Place, compile_program, samples_in
from lib.runtime_jobs import expect, run_checks


def modes(context, source, flags=("-O1",)):
    """[(name, command)]: the program preloaded, linked and static."""
    stem = source.partition(".")[0]
    archive = [context.library.archive()]
    program = compile_program(context.gcc, source, stem, flags)
    linked = compile_program(context.gcc, source, stem + "-linked", flags, archive)
    static = compile_program(context.gcc, source, stem + "-static", list(flags) + ["-static"], archive)
    return [("preloaded", context.preloaded(program)), ("linked", [linked]), ("static", [static])]


# ---- Stacks ----

NO_CLOCK = {"REGMON_HZ": "1", "REGMON_STACKS": "1", "REGMON_OBJECTS": "all", "REGMON_VERBOSE": "1"}


def samples_of(place):
    files = [f for f in place.files() if not f.endswith(".stacks")]
    return sum(samples_in(harness.read(place.file(f))) for f in files)


def check_stacks_of_signals(context):
    """A stack of the program's gets no more than fits, and no handler of the program's is on one of ours."""
    for mode, command in modes(context, "signals.c"):
        for words, status in ((["together"], 0), (["small", "300"], 0), (["small", "-1000"], 0), (["guard"], 0), (["small-end", "-1000"], -15)):
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


# ---- The need of stack ----


def read_calls(directory):
    """({function: bytes of stack}, {function: functions it calls}), as the compiler says."""
    needs, calls = {}, {}
    for name in sorted(os.listdir(directory)):
        text = harness.read(os.path.join(directory, name)).decode() if name.endswith(".ci") else ""
        for title, label in re.findall(r'^node: { title: "([^"]+)" label: "([^"]+)"', text, re.M):
            size = re.search(r"\\n(\d+) bytes \((static|dynamic(?:,bounded)?)\)", label)
            if size:
                needs[title] = int(size.group(1)) if size.group(2) != "dynamic" else None
        for caller, callee in re.findall(r'^edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', text, re.M):
            calls.setdefault(caller, set()).add(callee)
    return needs, calls


RETURN_ADDRESS = 8  # above the frame that the compiler states
# Of assembly: what mcount_slow saves, and the alignment of the stack.
ENTRY = 96
# Functions of config.c, which are called by pointer.
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


CHECKS = [
    check_stacks_of_signals,
    check_need,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
