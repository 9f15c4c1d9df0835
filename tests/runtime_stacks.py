#!/usr/bin/env python3
"""Call stacks through code without frame pointers.

Usage: runtime_stacks.py [CHECK]...   (a name of a function below; all if none is given)

Programs take the samples themselves, by signals like those of a clock, so that nothing depends on time.
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import subprocess

from lib import harness, runtime_build
from lib.harness import IS_LONG, sized
from lib.runtime_build import compile_program
from lib.runtime_jobs import run_checks

# ---- The rules, by another reader ----

OTHER, FRAME, LOADED, SIGNAL, END = range(1, 6)
REGISTERS = {
    "x86_64": dict(zip("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split(), range(16))),
    "aarch64": dict([("x%d" % i, i) for i in range(31)] + [("sp", 31)]),
}
FP = {"x86_64": "rbp", "aarch64": "x29"}


def rows_of(readelf, path):
    """(first address, address behind, {column: text}, is of signals) of each row of the call frame information."""
    text = harness.run(readelf + ["--debug-dump=frames-interp", path])[1].decode()
    signals, columns, rows, end, of_signals = set(), None, [], 0, False

    def finished():
        for i, (start, cells) in enumerate(rows):
            behind = rows[i + 1][0] if i + 1 < len(rows) else end
            if start < behind:
                yield start, behind, cells, of_signals

    for line in text.splitlines():
        words = re.sub(r"(\w+) \(\w+\)", r"\1", line).split()  # a register, and its name
        if len(words) > 3 and words[3] in ("CIE", "FDE"):
            yield from finished()
            rows, columns = [], None
            if words[3] == "CIE" and "S" in words[4]:
                signals.add(words[0])
            if words[3] == "FDE":
                of_signals = words[4].partition("=")[2] in signals
                end = int(words[5].partition("..")[2], 16)
            else:
                end = 0
        elif words[:1] == ["LOC"]:
            columns = words[1:]
        elif columns and len(words) == len(columns) + 1 and re.fullmatch("[0-9a-f]{16}", words[0]):
            rows.append((int(words[0], 16), dict(zip(columns, words[1:]))))
    yield from finished()


def distance_of(cell):
    """Of a register from the frame's address, or `same'; None if neither."""
    match = re.fullmatch(r"c([-+]\d+)", cell)
    return "same" if cell in ("u", "s") else int(match.group(1)) if match else None


def rule_of(cells, of_signals, machine):
    """The numbers that rules.c prints; None where the row is an expression that readelf does not show."""
    if of_signals:
        return [SIGNAL, 0, 0, 0, 0, 0, 0]
    if cells.get("ra") == "u" and machine == "x86_64":
        return [END, 0, 0, 0, 0, 0, 0]
    if "exp" in (cells["CFA"], cells.get("ra"), cells.get(FP[machine])):
        return None
    base, offset = re.fullmatch(r"(\w+?)([-+]\d+)", cells["CFA"]).groups()
    link, fp = distance_of(cells.get("ra", "u")), distance_of(cells.get(FP[machine], "u"))
    rbx = distance_of(cells.get("rbx", "u"))
    if link is None or fp is None or (link != "same" and link >= 0):
        return [OTHER, 0, 0, 0, 0, 0, 0]
    known = rbx is not None and rbx != "same" and rbx % 8 == 0 and -120 < rbx < 0
    rbx = 0 if rbx == "same" or machine != "x86_64" else -rbx // 8 if known else 15
    link, fp = (0 if word == "same" else word for word in (link, fp))
    return [FRAME, REGISTERS[machine][base], int(offset), 0, link, fp, rbx]


def report_rules(context, name, command, readelf, path, machine):
    """Compares both ends of each row."""
    rows = list(rows_of(readelf, path))
    places = [(at, cells, s) for start, end, cells, s in rows for at in sorted({start, end - 1})]
    asked = "".join("%x\n" % at for at, _, _ in places).encode()
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, timeout=300)
    found = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    wrong, exempt = [], 0
    for (at, cells, of_signals), rule in zip(places, found):
        expected = rule_of(cells, of_signals, machine)
        exempt += expected is None
        is_undefined = rule[0] == END and cells.get("ra") == "u"  # x30 may be that, or unchanged: both are `u'
        if expected is not None and rule != expected and not is_undefined:
            wrong.append("%x %s: %s instead of %s" % (at, cells, rule, expected))
    is_good = len(found) == len(places) > 50 and not wrong and exempt <= len(places) // 200 + 2
    context.tap.ok(is_good, "rules of %s are those of readelf" % name, "%d of %d, %d not compared\n%s" % (len(found), len(places), exempt, "\n".join(wrong[:10])))


def compile_rules(compiler, name, flags):
    sources = [os.path.join(runtime_build.SOURCES, source) for source in ("memory.c", "text.c", "unwind.c")]
    return compile_program(compiler, "rules.c", name, ["-O1"] + flags, sources, "-g")


def check_rules(context):
    readelf, machine = harness.tool("READELF", "readelf"), runtime_build.machine_of(context.gcc)
    if not readelf:
        context.tap.skip("rules of call frame information", "no readelf")
        return
    program = compile_rules(context.gcc, "rules", [])
    report_rules(context, "a program", [program], readelf, program, machine)
    maps = harness.must_run(["cat", "/proc/self/maps"]).decode()
    for library in sorted(set(re.findall(r"/\S*/(?:libc|ld-linux)\S*\.so\S*", maps))):
        report_rules(context, os.path.basename(library), [program, library], readelf, library, machine)


# ---- Stacks, by another unwinder ----


def compile_scenes(context, compiler, name, flags):
    """A program with the library's walk, which runs instruction by instruction."""
    objects = []
    for source in ("memory.c", "rules.c", "stack.c", "text.c", "unwind.c"):
        objects.append(os.path.join(harness.TEMP, "%s-%s.o" % (name, source)))
        flags_of_library = runtime_build.FLAGS + runtime_build.accepted(context.gcc, runtime_build.OPTIONAL)
        harness.must_run(context.gcc + flags_of_library + ["-c", "-o", objects[-1], os.path.join(runtime_build.SOURCES, source)])
    objects.append(compile_program(context.gcc, "steps.c", name + "-steps.o", ["-O1", "-c"], profile="-g"))
    return compile_program(compiler, "scenes.cpp", name, flags, objects + ["-ldl"], profile="-g")


def check_steps(context):
    """At each instruction of code that libraries run and call back from, the stack is that of backtrace."""
    if runtime_build.machine_of(context.gcc) != "x86_64" or not context.cxx:
        context.tap.skip("stacks at each instruction", "no way to run single instructions, or no C++ compiler")
        return
    ways = [("c++", context.cxx, ["-O2", "-Wl,-z,lazy"], [])]
    ways.append(("c++, frame pointers", context.cxx, ["-O2", "-fno-omit-frame-pointer", "-Wl,-z,now"], ["list"]))
    if context.clangxx and IS_LONG:
        ways.append(("clang++", context.clangxx, ["-O1", "-Wl,-z,now"], []))
    for number, (name, compiler, flags, words) in enumerate(ways):
        program = compile_scenes(context, compiler, "scenes-%d" % number, flags)
        status, out, err = harness.run([program, str(sized(1, 20))] + words)
        found = re.search(rb"(\d+) steps, (\d+) cut, (\d+) other", out)
        steps, cut, other = (int(n) for n in found.groups()) if found else (0, 0, 1)
        # Where the C++ library jumps from one stack to another, no unwinder knows the caller.
        is_good = status == 0 and steps > 20000 and cut <= steps / 500 and other == 0
        context.tap.ok(is_good, "stacks at each instruction: " + name, "%s %s" % (status, out.decode()[-3000:]))


CHECKS = [check_rules, check_steps]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
