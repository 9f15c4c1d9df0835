#!/usr/bin/env python3
"""Call stacks through code without frame pointers.

Usage: runtime_stacks.py [CHECK]...   (a name of a function below; all if none is given)

Programs take the samples themselves, by signals like those of a clock, so that nothing depends on
time.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import os
import re
import subprocess

from lib import harness, runtime_build
from lib.harness import IS_LONG, sized
from lib.runtime_build import Place, compile_program, read_stacks
from lib.runtime_jobs import expect, run_checks

# ---- The rules, by another reader ----

OTHER, FRAME, LOADED, SIGNAL, END = range(1, 6)
REGISTERS = {
    "x86_64": dict(
        zip("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split(), range(16))
    ),
    "aarch64": dict([("x%d" % i, i) for i in range(31)] + [("sp", 31)]),
    "riscv64": dict(
        zip(
            "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10"
            " s11 t3 t4 t5 t6".split(),
            range(32),
        )
    ),
    "powerpc64le": {"r%d" % i: i for i in range(32)},
    "s390x": {"r%d" % i: i for i in range(16)},
}
LINK_IN = 0x40000  # of unwind.h
FP = {"x86_64": "rbp", "aarch64": "x29", "riscv64": "s0", "powerpc64le": "r31", "s390x": "r11"}


def rows_of(readelf, path):
    """(first address, address behind, {column: text}, is of signals) of each row of the call frame
    information."""
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
    """The numbers that rules.c prints; None where the row is an expression that readelf does not
    show."""
    if of_signals:
        return [SIGNAL, 0, 0, 0, 0, 0, 0]
    if cells.get("ra") == "u" and machine == "x86_64":
        return [END, 0, 0, 0, 0, 0, 0]
    if "exp" in (cells["CFA"], cells.get("ra"), cells.get(FP[machine])):
        return None
    base, offset = re.fullmatch(r"(\w+?)([-+]\d+)", cells["CFA"]).groups()
    link, fp = distance_of(cells.get("ra", "u")), distance_of(cells.get(FP[machine], "u"))
    in_other = re.fullmatch(r"r(\d+)", cells.get("ra", ""))
    if in_other:  # by its number, without a name
        link = 8 * (LINK_IN + int(in_other.group(1)))
    rbx = distance_of(cells.get("rbx", "u"))
    # On POWER, the return address is in the frame of the caller.
    if link is None or fp is None or (fp != "same" and link != "same" and link >= 8 * LINK_IN):
        return [OTHER, 0, 0, 0, 0, 0, 0]
    if link != "same" and 8 * LINK_IN > link > (16 if machine == "powerpc64le" else -8):
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
        is_undefined = (
            rule[0] == END and cells.get("ra") == "u"
        )  # x30 may be that, or unchanged: both are `u'
        if expected is not None and rule != expected and not is_undefined:
            wrong.append("%x %s: %s instead of %s" % (at, cells, rule, expected))
    is_good = len(found) == len(places) > 50 and not wrong and exempt <= len(places) // 200 + 2
    context.tap.ok(
        is_good,
        "rules of %s are those of readelf" % name,
        "%d of %d, %d not compared\n%s" % (len(found), len(places), exempt, "\n".join(wrong[:10])),
    )


def compile_rules(compiler, name, flags):
    sources = [
        os.path.join(runtime_build.SOURCES, source) for source in ("memory.c", "text.c", "unwind.c")
    ]
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
        report_rules(
            context, os.path.basename(library), [program, library], readelf, library, machine
        )


def check_damage(context):
    program = compile_rules(context.gcc, "rules-damage", [])
    status, out, err = harness.run([program, "damage", str(sized(20_000, 2_000_000))])
    kinds = [int(word) for word in out.split()]
    context.tap.ok(
        status == 0 and len(kinds) == 6 and kinds[FRAME] > kinds[OTHER] > 0 < kinds[0],
        "damaged information",
        "%s %s %s" % (status, out, err),
    )


# ---- Stacks, by another unwinder ----


def compile_scenes(context, compiler, name, flags):
    """A program with the library's walk, which runs instruction by instruction."""
    objects = []
    for source in ("memory.c", "rules.c", "stack.c", "text.c", "unwind.c"):
        objects.append(os.path.join(harness.TEMP, "%s-%s.o" % (name, source)))
        flags_of_library = runtime_build.FLAGS + runtime_build.accepted(
            context.gcc, runtime_build.OPTIONAL
        )
        harness.must_run(
            context.gcc
            + flags_of_library
            + ["-c", "-o", objects[-1], os.path.join(runtime_build.SOURCES, source)]
        )
    objects.append(
        compile_program(context.gcc, "steps.c", name + "-steps.o", ["-O1", "-c"], profile="-g")
    )
    return compile_program(compiler, "scenes.cpp", name, flags, objects + ["-ldl"], profile="-g")


def check_steps(context):
    """At each instruction of code that libraries run and call back from, the stack is that of
    backtrace."""
    if runtime_build.machine_of(context.gcc) != "x86_64" or not context.cxx:
        context.tap.skip(
            "stacks at each instruction", "no way to run single instructions, or no C++ compiler"
        )
        return
    ways = [("c++", context.cxx, ["-O2", "-Wl,-z,lazy"], [])]
    ways.append(
        (
            "c++, frame pointers",
            context.cxx,
            ["-O2", "-fno-omit-frame-pointer", "-Wl,-z,now"],
            ["list"],
        )
    )
    if context.clangxx and IS_LONG:
        ways.append(("clang++", context.clangxx, ["-O1", "-Wl,-z,now"], []))
    for number, (name, compiler, flags, words) in enumerate(ways):
        program = compile_scenes(context, compiler, "scenes-%d" % number, flags)
        status, out, err = harness.run([program, str(sized(1, 20))] + words)
        found = re.search(rb"(\d+) steps, (\d+) cut, (\d+) other", out)
        steps, cut, other = (int(n) for n in found.groups()) if found else (0, 0, 1)
        # Where the C++ library jumps from one stack to another, no unwinder knows the caller.
        is_good = status == 0 and steps > 20000 and cut <= steps / 500 and other == 0
        context.tap.ok(
            is_good, "stacks at each instruction: " + name, "%s %s" % (status, out.decode()[-3000:])
        )


# ---- Samples at known places ----

NO_CLOCK = {
    "REGMON_HZ": "1",
    "REGMON_CLOCK": "thread",
    "REGMON_STACKS": "1",
    "REGMON_OBJECTS": "all",
}
PLACES = {
    "called.c": {
        "qsort",
        "bsearch",
        "handler",
        "handler on a stack",
        "thread",
        "thread with a large frame",
        "atexit",
    },
    "callbacks.cpp": {
        "sort",
        "destructor of a thrown exception",
        "handler of an exception",
        "copy of a thrown exception",
        "handler of a copied exception",
        "terminate",
    },
}


def recorded(path):
    """[[(object, address)]] of the lines of a file of stacks, one for each sample; (`?', 0) for
    what is not known."""
    text = harness.read(path).decode()
    names = dict(re.findall(r"^# (?:program|object) (\d+) (.*)$", text, re.M))
    stacks = []
    for line in re.findall(r"^[0-9?].*$", text, re.M):
        frames, samples = line.split(" ")
        frames = [frame.partition(":") for frame in frames.split(";")]
        stacks += int(samples) * [[(names.get(n, "?"), int(at or "0", 16)) for n, _, at in frames]]
    return stacks


def is_same(stack, model, beyond=(), within=0):
    """Whether a recorded stack has the callers of `take', and at most one frame beyond them, of
    these objects.  Of code that a signal has interrupted, it has the next byte.
    WITHIN: frames between `take' and the C library's `syscall'."""
    # Less the one in `take', that in `syscall', and qemu's for the return from a signal, which is
    # in no object.
    callers = [stack[0]] + [
        frame for frame in stack[1 : -2 - within] if frame[0] != "[generated code]"
    ]
    if beyond and len(callers) == len(model) + 1 and callers[0][0] in beyond:
        callers = callers[1:]
    if [name for name, _ in callers] != [name for name, _ in model]:
        return False
    return sorted(a - b for (_, a), (_, b) in zip(callers, model) if a != b) in ([], [1])


def models_of(output):
    """[(place, [(object, address)])], outermost first, as the program prints them."""
    models = []
    for line in output.decode().splitlines():
        place, _, frames = line.partition(":")
        frames = [frame.rpartition("+") for frame in frames.split()]
        models.append((place, [(name, int(at, 16)) for name, _, at in frames]))
    return models


def report_callbacks(context, name, source, command, not_there=frozenset(), beyond={}, within=0):
    with Place() as place:
        result = place.run(command, **NO_CLOCK)
        stacks = recorded(place.file("gmon.out.stacks")) if result[0] == 0 else []
    models = models_of(result[1])
    missing = [
        (where, model)
        for where, model in models
        if not any(is_same(stack, model, beyond.get(where, ()), within) for stack in stacks)
    ]
    is_good = (
        {where for where, _ in models} == PLACES[source] - not_there
        and len(stacks) >= len(models)
        and not missing
    )
    what = "%d stacks, %d wanted, not found: %s\n%s" % (
        len(stacks),
        len(models),
        missing[:3],
        harness.said(result),
    )
    context.tap.ok(is_good, "callers in %s: %s" % (source, name), what)


def check_callbacks(context):
    """Callers of qsort's comparison and others are those of backtrace."""
    ways = [("-O2", ["-O2"]), ("-O0", ["-O0"])]
    if runtime_build.machine_of(context.gcc) == "x86_64":
        ways.append(("without frame pointers", ["-O2", "-mfentry"]))
    for source, compiler, other in (
        ("called.c", context.gcc, context.clang),
        ("callbacks.cpp", context.cxx, context.clangxx),
    ):
        for name, words in ways:
            program = compile_program(
                compiler, source, "%s%d" % (source, len(name)), ["-fPIE", "-pie"] + words, ["-ldl"]
            )
            report_callbacks(context, name, source, context.preloaded(program))
        linked = compile_program(
            compiler,
            source,
            source + "-linked",
            ["-O2", "-fPIE", "-pie"],
            [context.library.archive(), "-ldl"],
        )
        report_callbacks(context, "linked", source, [linked])
        if other:
            program = compile_program(
                other, source, source + "-clang", ["-O2", "-fPIE", "-pie"], ["-ldl"]
            )
            report_callbacks(context, "clang", source, context.preloaded(program))


# Works for a twentieth of a second, and writes a hundred profiles.
WRITES = """\
#include <time.h>
extern int regmon_snapshot(void);
static volatile int sum;
__attribute__((noinline)) void work(void)
{
    while (clock() < CLOCKS_PER_SEC / 20)
        for (int i = 0; i < 100000; i++)
            sum += i;
}
int main(void)
{
    work();
    for (int i = 0; i < 100; i++)
        regmon_snapshot();
    return 0;
}
"""


def check_static(context):
    """A static program has call frame information if the linker makes a table of it."""
    flags = ["-O2", "-static", "-Wl,--eh-frame-hdr"]
    program = compile_program(
        context.gcc, "called.c", "called-static", flags, [context.library.archive()]
    )
    with Place() as place:
        result = place.run([program], **NO_CLOCK)
        stacks = [frames for frames, _ in read_stacks(program, place.file("gmon.out.stacks"))]
    starts = {frames[0] for frames in stacks}
    names = {"compare", "find", "compare_by_signal", "start", "start_deep"}
    called = {name for name in names if any(name in frames[1:] for frames in stacks)}
    is_good = (
        "_start" in starts
        and all("clone" in name for name in starts - {"_start"})
        and called == names
    )
    context.tap.ok(
        is_good,
        "stacks of a static program are whole",
        "%s %s\n%s" % (starts, called, harness.said(result)),
    )
    with Place() as place:
        harness.write(place.file("writes.c"), WRITES.encode())
        command = ["-O1", "-pg", "-static", "-o", "writes", "writes.c", context.library.archive()]
        harness.must_run(context.gcc + command + ["-pthread"], place.path)
        result = place.run([place.file("writes")], REGMON_HZ="1000")
        words = ["--quiet", "--top=0", "--format=csv", "--columns=self,name", "writes"]
        table = place.run([harness.GPROF] + words)[1].decode()
    times = {row["name"]: float(row["self"]) for row in csv.DictReader(io.StringIO(table))}
    # Most of its time is in writing; a sample may be taken before it begins.
    written = sum(times.get(name, 0) for name in ("regmon_writer_end", "snapshot_write"))
    is_good = times.get("work", 0) > 0 and written <= 0.001
    context.tap.ok(is_good, "writing profiles is not the program's time", table)


def check_cut(context):
    """A stack that ends at generated code says so, in the file and in gprof."""
    if runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("stacks that are cut", "the code is for x86-64")
        return
    program = compile_program(context.gcc, "generated.c", "generated", ["-O2"])
    with Place() as place:
        result = place.run(context.preloaded(program), **NO_CLOCK)
        stacks = read_stacks(program, place.file("gmon.out.stacks"))
        folded = harness.must_run(
            [
                harness.GPROF,
                "--quiet",
                "--format=folded",
                "--stacks=" + place.file("gmon.out.stacks"),
                program,
                place.file(),
            ]
        )
    first = sum(n for frames, n in stacks if frames[:3] == ["object ?", "generated", "called_back"])
    expect(context, "stacks that are cut begin with `?'", first, 200, result)
    shown = re.findall(
        r"^\[sampled stacks\];<unknown>;\[generated code\];called_back;.* (\d+)$",
        folded.decode(),
        re.M,
    )
    expect(
        context, "gprof shows that their callers are not known", sum(map(int, shown)), 200, folded
    )


def check_nested(context):
    """gcc's call frame information does not know what a nested function pushes around its call of
    __fentry__."""
    if runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("stacks of nested functions", "only x86-64 has __fentry__")
        return
    for name, flags in (("PIE", ["-fPIE", "-pie"]), ("no PIE", ["-fno-pie", "-no-pie"])):
        program = compile_program(
            context.gcc, "singly.c", "singly-" + name, ["-O1", "-mfentry"] + flags
        )
        with Place() as place:
            result = place.run(context.preloaded(program), **NO_CLOCK)
            stacks = read_stacks(program, place.file("gmon.out.stacks"))
        # The code that gcc puts on the stack to call a nested function by its address is generated
        # code.
        cut = [
            frames
            for frames, _ in stacks
            if frames[0] != "_start"
            and set(frames[1:]) - {"handle", "generated", "object 1", "object 2"}
        ]
        callers = {
            frames[i - 1]
            for frames, _ in stacks
            for i, name in enumerate(frames)
            if name.startswith("nested")
        }
        found = sum(n for _, n in stacks) > 100, cut, callers
        expect(
            context,
            "stacks of nested functions: " + name,
            found,
            (True, [], {"calls_nested"}),
            result,
        )


def check_remapped(context):
    """Another thread unmaps what a frame pointer points to, while the stack is walked."""
    if runtime_build.machine_of(context.gcc) != "x86_64":
        context.tap.skip("memory that another thread unmaps", "the code is for x86-64")
        return
    times = sized(20_000, 1_000_000)
    program = compile_program(context.gcc, "remapped.c", "remapped", ["-O2"])
    with Place() as place:
        result = place.run(context.preloaded(program, times), **NO_CLOCK)
        stacks = read_stacks(program, place.file("gmon.out.stacks")) if result[0] == 0 else []
    cut = sum(n for frames, n in stacks if frames[:3] == ["object ?", "generated", "called_back"])
    is_good = result[0] == 0 and cut >= times  # the clock may take some, too
    context.tap.ok(
        is_good,
        "memory that another thread unmaps",
        "%d of %d\n%s" % (cut, times, harness.said(result)),
    )


def check_reloaded(context):
    """A shared object in the place of another one, with the same table of functions, has frames of
    its own size."""
    program, plugins = compile_program(context.gcc, "reloaded.c", "reloaded", ["-O1"], ["-ldl"]), []
    for bytes_of_frame in (20000, 30000):
        flags = [
            "-O2",
            "-shared",
            "-fPIC",
            "-fomit-frame-pointer",
            "-Wl,-soname,framed",
            "-DFRAME=%d" % bytes_of_frame,
        ]
        plugins.append(
            compile_program(
                context.gcc, "reloaded.c", "framed-%d.so" % bytes_of_frame, flags, profile="-g0"
            )
        )
    with Place() as place:
        result = place.run(context.preloaded(program, *plugins), **NO_CLOCK)
        stacks = read_stacks(program, place.file("gmon.out.stacks")) if result[0] == 0 else []
    if result[0] == 0 and len(set(result[1].split())) > 1:
        context.tap.skip(
            "a shared object in the place of another one", "they have different addresses"
        )
        return
    found = result[0], [
        (frames[0], samples) for frames, samples in stacks if "called_back" in frames
    ]
    expect(
        context,
        "a shared object in the place of another one",
        found,
        (0, [("_start", 1)] * 3),
        result,
    )


# ---- Other machines ----

# Where the C library's functions do not keep the address that they were called from: on RISC-V
# those that never return, on
# POWER what starts threads.
BEYOND = {
    "riscv64": {"thread": ["?"], "thread with a large frame": ["?"], "atexit": ["?"]},
    "powerpc64le": {"thread": ["libc.so.6"], "thread with a large frame": ["libc.so.6"]},
}
# On POWER, the library's `syscall' has a frame: it calls that of the C library, which may change
# the register of globals
# (r2), and restores it.  A sample has no frame of a library that is preloaded.
WITHIN = {"powerpc64le": 1}


def check_machine(context, machine):
    tools, title = runtime_build.tools_of(machine), runtime_build.MACHINES[machine][0]
    if not tools:
        context.tap.skip("stacks on " + title, "no compiler for it, or no qemu")
        return
    compiler, readelf = tools["gcc"], tools["readelf"]
    libc = os.path.realpath(
        harness.must_run(compiler + ["-print-file-name=libc.so.6"]).decode().strip()
    )
    qemu = tools["qemu"] + ["-L", os.path.dirname(os.path.dirname(libc))]
    program = compile_rules(compiler, "rules-" + machine, runtime_build.flags_for_stacks(machine))
    report_rules(context, "a program for " + title, qemu + [program], readelf, program, machine)
    report_rules(
        context, "the C library for " + title, qemu + [program, libc], readelf, libc, machine
    )
    library = runtime_build.build(machine, compiler, qemu, objcopy=tools["objcopy"])
    # The C library's backtrace crashes in signal handlers under qemu-ppc64le, which has no vdso.
    words, not_there = (
        (["calls"], {"handler", "handler on a stack"}) if machine == "powerpc64le" else ([], set())
    )
    preload = ["-E", "LD_PRELOAD=" + library.shared()]
    for name, level, libraries, more in (
        ("-O0", "-O0", [library.archive()], []),
        ("-O2", "-O2", [library.archive()], []),
        ("preloaded", "-O1", [], preload),
    ):
        flags = [level, "-fPIE", "-pie"] + runtime_build.flags_for_stacks(machine)
        program = compile_program(
            compiler, "called.c", "called-%s%s" % (machine, level), flags, libraries + ["-ldl"]
        )
        report_callbacks(
            context,
            "%s, %s" % (title, name),
            "called.c",
            qemu + more + [program] + words,
            not_there,
            BEYOND.get(machine, {}),
            bool(libraries) * WITHIN.get(machine, 0),
        )


def check_machines(context):
    for machine in runtime_build.MACHINES:
        check_machine(context, machine)


CHECKS = [
    check_rules,
    check_damage,
    check_steps,
    check_callbacks,
    check_static,
    check_cut,
    check_nested,
    check_remapped,
    check_reloaded,
    check_machines,
]


if __name__ == "__main__":
    sys.exit(run_checks(CHECKS))
