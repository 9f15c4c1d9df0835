#!/usr/bin/env python3
"""runtime/boards: programs for boards, built by Debian's compilers and run by qemu, with known
numbers of calls.

Usage: boards.py [BOARD...]

What needs no compiler for boards is tested everywhere: profiles that a program for this machine
counts, and
contrib/boards/regmon-serial.  A board is skipped if its compiler, qemu or gdb is missing;
CHECK_BOARDS=1 lets
scripts/check install them.  The clock of the emulated processor counts instructions, so every run
is the same.
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import shutil

from lib import elf, gmonfile, harness
from lib.gmonfile import Layout
from lib.harness import TEMP, read, said, write

BOARDS = os.path.join(harness.SRCDIR, "runtime", "boards")
EXAMPLE = os.path.join(harness.SRCDIR, "examples", "boards")
SERIAL = os.path.join(harness.SRCDIR, "contrib", "boards", "regmon-serial")
CODE_SIZE = 1500  # bytes on ARMv7-M
INSTRUCTIONS = 40  # of a call of a known arc, in the mean of a round of main.c
ROUND_CALLS = 26
MEMORY = 16384  # bytes, of a program of 500 functions
TICKS = 1000

ARM, RISCV = "arm-none-eabi-", "riscv64-unknown-elf-"
QEMUS = {
    "mps2-an385": "qemu-system-arm -M mps2-an385",
    "mps2-an505": "qemu-system-arm -M mps2-an505",
    "microbit": "qemu-system-arm -M microbit",
    "rv32": "qemu-system-riscv32 -M virt -bios none",
    "rv64": "qemu-system-riscv64 -M virt -bios none",
}
QEMU_OPTIONS = (
    "-display none -monitor none -serial file:serial.log -icount shift=6,sleep=off"
    " -semihosting-config enable=on,target=native -kernel program.elf"
)
# GNU gprof does not look for calls in this code (-c).
REPORTS = ["-b", "-b -p", "-b -q", "-b -T", "-b -A", "-b -C -l", "-b -l", "-b -p -l"]
# Stands last in the code and never runs: with -l, GNU gprof loses the time of the last line.
LAST_FUNCTION = """\t.text
\t.balign 32
\t.globl last
\t.type last, %function
last:
\t.skip 32
\t.size last, .-last
"""


def serial(*words, **keys):
    return harness.run([sys.executable, SERIAL, *words], **keys)


# ---- Counting on this machine ----


def make_host(tap):
    """The program of host.c, or None."""
    compiler, path = harness.tool("CC", "cc"), os.path.join(TEMP, "host")
    if not compiler:
        tap.skip("counting on this machine", "no compiler")
        return None
    counter, undefined = os.path.join(TEMP, "counter.o"), None
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-pg", "-I", BOARDS]
    harness.must_run(
        compiler + flags + ["-fno-pic", "-c", "-o", counter, os.path.join(BOARDS, "regmon_board.c")]
    )
    if harness.tool("NM", "nm"):
        undefined = harness.must_run(harness.tool("NM", "nm") + ["-u", counter])
        tap.ok(
            not undefined.split(),
            "it needs nothing of a C library, and is not counted itself",
            undefined,
        )
    flags = ["-std=gnu11", "-O1", "-no-pie", "-I", BOARDS, "-o", path]
    harness.must_run(compiler + flags + [os.path.join(harness.TESTS, "boards", "host.c"), counter])
    return path


IMAGE = (
    "text 0x10000\n" + "".join("function f%d 0x20\n" % i for i in range(10)) + "function zz 0x100\n"
)


def check_host(tap, host):
    image = write(os.path.join(TEMP, "image"), elf.parse(IMAGE).bytes())
    for bits, calls in ((16, 3), (32, 3), (16, 20000), (32, 20000)):
        place = os.path.join(TEMP, "host-%d-%d" % (bits, calls))
        os.mkdir(place)
        harness.must_run([host, str(bits), str(calls), "gmon.out", "log"], place)
        data = read(os.path.join(place, "gmon.out"))
        profile = gmonfile.read(Layout(), data, "bsd44" if bits == 16 else "magic")
        figures = gmonfile.figures(profile)
        # There is room for 9 arcs and no more only if the table is larger than it says.
        counts = {self: count for (_, self), count in figures.arcs.items()}
        most = 65535 if bits == 16 else 2**32 - 1
        samples = {key[1] * 16 + 0x10000: count for key, count in figures.bins.items()}
        wanted = {0x10000 + 0x20 * i: min(most, i * calls) for i in range(1, 10)}
        tap.ok(samples == wanted, "%d bits, %d samples: all are there" % (bits, calls), samples)
        wanted = {0x10004 + 0x20 * i: i * calls for i in range(1, 10)}
        good = all(wanted[self] == count for self, count in counts.items()) and len(counts) >= 8
        tap.ok(good, "%d bits: counts of arcs that have room" % bits, counts)
        status, out, err = serial("-o", "copy", "log", cwd=place)
        lost = sum(max(0, i * calls - most) for i in range(1, 10))
        said_lost = (
            b"" if bits == 32 or not lost else b"the board has lost %d samples in full bins" % lost
        )
        outside = bits == 32 or b"the board has lost 1 samples outside of the code" in err
        good = (
            status == 0
            and read(os.path.join(place, "copy")) == data
            and said_lost in err
            and outside
        )
        tap.ok(good, "%d bits, %d samples: the same by the serial line" % (bits, calls), err)
        status, out, err = harness.run([harness.GPROF, "-b", "-p", image, "gmon.out"], place)
        tap.ok(status == 0 and b" f9\n" in out, "%d bits: gprof reads it" % bits, err)
        if harness.has_reference():
            for style in ("-b", "-b -p", "-b -q"):
                words = style.split() + [image, os.path.join(place, "gmon.out")]
                what = harness.disagreement(
                    harness.run([harness.GPROF] + words), harness.run([harness.REFERENCE] + words)
                )
                tap.ok(
                    not what,
                    "%d bits, %d samples: gprof %s as the reference" % (bits, calls, style),
                    what,
                )


def check_serial(tap, host):
    """Logs with noise, damage and several profiles."""
    place = os.path.join(TEMP, "logs")
    os.mkdir(place)
    harness.must_run([host, "16", "3", "good", "log"], place)
    harness.must_run([host, "16", "4", "other", "log2"], place)
    good, other = (read(os.path.join(place, name)) for name in ("good", "other"))
    lines, lines2 = (read(os.path.join(place, name)).splitlines(True) for name in ("log", "log2"))

    def cut(log, *words):
        write(os.path.join(place, "serial"), b"".join(log))
        if os.path.exists(os.path.join(place, "gmon.out")):
            os.unlink(os.path.join(place, "gmon.out"))
        result = serial(*words, "serial", cwd=place)
        path = os.path.join(place, "gmon.out")
        return result, read(path) if os.path.exists(path) else None

    noisy = [b"booting\r\n", b"\xff\x00 noise AAAA 1234\n"]
    for line in lines:
        noisy += [b"[12:00:01.5] " + line.rstrip(b"\n") + b"\r\n", b"task 3: 17 degrees\r\n", b"\n"]
    for name, log, words, wanted in (
        ("as it is", lines, [], good),
        ("noise between the lines, and time stamps", noisy, [], good),
        ("the last of two", lines + lines2, [], other),
        ("the first of two", lines + lines2, ["-n1"], good),
        ("one that was broken off, and a whole one", lines[:3] + lines2, [], other),
        ("a damaged one, and a whole one", lines[:2] + lines[3:] + lines2, ["-n2"], other),
    ):
        result, data = cut(log, *words)
        tap.ok(result[0] == 0 and data == wanted, "a log: " + name, result)

    middle = lines[3]
    changed = middle[:30] + (b"A" if middle[30:31] != b"A" else b"B") + middle[31:]
    for name, log, words, message in (
        (
            "changed in a line",
            lines[:3] + [changed] + lines[4:],
            [],
            b"serial: 4: the line is damaged, or one before",
        ),
        (
            "a line is missing",
            lines[:3] + lines[4:],
            [],
            b"serial: 4: the line is damaged, or one before it is missing",
        ),
        (
            "twice the same line",
            lines[:3] + lines[2:],
            [],
            b"serial: 4: the line is damaged, or one before",
        ),
        (
            "a line is broken off",
            lines[:3] + [middle[:40] + b"\n"] + lines[4:],
            [],
            b"serial: 4: the line is damaged",
        ),
        (
            "noise in a line",
            lines[:3] + [middle[:40] + b"!x!" + middle[40:]] + lines[4:],
            [],
            b"serial: 4: the line is",
        ),
        (
            "no end",
            lines[:-1],
            [],
            b"serial: %d: the log ends before the profile" % (len(lines) - 1),
        ),
        ("the last line of data is missing", lines[:-2] + lines[-1:], [], b"bytes are there"),
        (
            "the first of two is damaged",
            lines[:2] + lines[3:] + lines2,
            ["-n1"],
            b"serial: 3: the line is damaged",
        ),
        ("begun again", lines[:3] + lines2, ["-n1"], b"serial: 4: it begins again before its end"),
        (
            "begun and ended at once",
            lines[:1] + [b"regmon end: AAAAAA\n"] + lines[1:],
            [],
            b"serial: 2: the profile has no bytes",
        ),
        ("no profile", noisy[:2], [], b"serial: it has 0 profiles"),
        ("not so many", lines, ["-n2"], b"serial: it has 1 profiles"),
    ):
        result, data = cut(log, *words)
        tap.ok(
            result[0] == 1 and message in result[2] and data is None, "a bad log: " + name, result
        )
    write(os.path.join(place, "serial"), b"".join(lines))
    harness.check_converter(tap, [sys.executable, SERIAL, "serial"], "serial", place)
    result = serial(os.path.join(TEMP, "nowhere"))
    tap.ok(result[0] == 1 and b"No such file" in result[2], "a log that is not there", result)
    result = serial("-h")
    tap.ok(result[0] == 0 and b"regmon-serial [-n N]" in result[1], "help", result)


# ---- Boards ----


class Missing(Exception):
    """Why a board is skipped."""


def is_arm(board):
    return board not in ("rv32", "rv64")


def prefix(board):
    return ARM if is_arm(board) else RISCV


def need_tools(board):
    tools = [prefix(board) + name for name in ("gcc", "gprof", "objcopy", "size")]
    for name in tools + [QEMUS[board].split()[0], "gdb-multiarch", "make"]:
        if not shutil.which(name, path=harness.ENV["PATH"]):
            raise Missing("no %s (CHECK_BOARDS=1 lets scripts/check install it)" % name)


def build(board, name, *settings):
    """A directory with program.elf."""
    place = os.path.join(TEMP, "%s-%s" % (board, name))
    command = [
        "make",
        "-s",
        "-f",
        os.path.join(EXAMPLE, "Makefile"),
        "BOARD=" + board,
        "OUT=" + place,
        "REGMON=" + BOARDS,
    ]
    harness.must_run(command + list(settings))
    return place


def run(board, place, *options):
    """Writes gmon.out by semihosting, and serial.log."""
    result = harness.run(QEMUS[board].split() + QEMU_OPTIONS.split() + list(options), place)
    if result[0] != 0:
        raise RuntimeError("%s: %s" % (board, said(result)))


def debug(board, place, *commands):
    """Runs the program under gdb, which runs qemu."""
    start = "target remote | exec %s %s -S -gdb stdio" % (QEMUS[board], QEMU_OPTIONS)
    words = [
        word for command in ("set pagination off", start) + commands for word in ("-ex", command)
    ]
    return harness.run(["gdb-multiarch", "-nx", "-batch"] + words + ["program.elf"], place)


def layout_of(board):
    return Layout(64 if board == "rv64" else 32)


class Counts:
    """What a program says about itself on the serial line."""

    def __init__(self, place):
        text = read(os.path.join(place, "serial.log"))
        self.numbers = {
            name.decode(): int(number)
            for name, number in re.findall(rb"^([a-z_ ]+) (\d+)$", text, re.M)
        }

    def __getitem__(self, name):
        return self.numbers[name]

    def arcs(self):
        return {
            tuple(name.split()): number
            for name, number in self.numbers.items()
            if " " in name and not name.startswith("lost") and number
        }


def counted_arcs(board, place, profile):
    """{(caller, callee): calls} of a profile."""
    symbols = elf.symbols(os.path.join(place, "program.elf"))
    symbols = [
        (re.sub(r"\.\d+$", "", name.decode()), address & ~1 if is_arm(board) else address)
        for name, address, _ in symbols
    ]
    symbols = [
        s for s in symbols if not s[0].startswith("$") and s[0] not in ("stext", "etext", "start")
    ]

    def name_of(address):
        return ([""] + [name for name, start in symbols if start <= address])[-1]

    sums = {}
    for (caller, callee), count in gmonfile.figures(profile).arcs.items():
        key = name_of(caller), name_of(callee)
        sums[key] = sums.get(key, 0) + count
    return sums


def differing_arcs(board, place, profile, wanted):
    found = counted_arcs(board, place, profile)
    keys = [key for key in {**found, **wanted} if found.get(key) != wanted.get(key)]
    return "".join(
        "%s: %s instead of %s\n" % (key, found.get(key), wanted.get(key)) for key in keys
    )


def read_profile(board, place, format="bsd44"):
    return gmonfile.read(layout_of(board), read(os.path.join(place, "gmon.out")), format)


def samples(profile):
    return sum(gmonfile.figures(profile).bins.values())


def check_counts(tap, board):
    """One run, whose profile comes in three ways."""
    write(os.path.join(TEMP, "last.S"), LAST_FUNCTION.encode())
    entry = os.path.join(BOARDS, "entry_%s.S" % ("arm" if is_arm(board) else "riscv"))
    place = build(board, "plain", "ENTRY=%s %s" % (entry, os.path.join(TEMP, "last.S")))
    result = debug(
        board,
        place,
        "break finished",
        "continue",
        "dump binary memory dumped regmon_board_file regmon_board_end",
    )
    serial("-o", "printed", "serial.log", cwd=place)
    names = ("gmon.out", "printed", "dumped")
    data = [
        read(os.path.join(place, name)) if os.path.exists(os.path.join(place, name)) else None
        for name in names
    ]
    if not tap.ok(
        data[0] and data[0] == data[1] == data[2],
        "%s: the same by semihosting, serial line and gdb" % board,
        result,
    ):
        return
    counts, profile = Counts(place), read_profile(board, place)
    what = differing_arcs(board, place, profile, counts.arcs())
    tap.ok(
        not what and counts["status"] == 0 and counts["lost calls"] == 0,
        "%s: all calls, also of nested interrupts" % board,
        what,
    )
    tap.ok(
        counts["wrong"] == 0,
        "%s: registers keep their values" % board,
        "%d are wrong" % counts["wrong"],
    )
    ticks, expected = counts["board_tick tick_work"], counts["microseconds"] * TICKS / 1e6
    complaint = "%d samples of %d, %.1f expected" % (samples(profile), ticks, expected)
    good = (
        samples(profile) + counts["lost outside"] == ticks
        and abs(ticks - expected) <= 0.03 * expected
    )
    tap.ok(
        good and counts["lost samples"] == 0,
        "%s: samples agree with another clock" % board,
        complaint,
    )
    # As in lib/programs.py: GNU gprof leaves out names with a dot and a number.
    harness.must_run(
        [prefix(board) + "objcopy", "--redefine-sym", "inside.0=inside", "program.elf"], place
    )
    complaints = []
    for style in REPORTS:
        words = style.split() + ["program.elf", "gmon.out"]
        theirs = harness.run([prefix(board) + "gprof"] + words, place)
        what = harness.disagreement(harness.run([harness.GPROF] + words, place), theirs)
        if what:
            complaints.append("gprof %s\n%s" % (style, what))
    tap.ok(not complaints, "%s: reports are those of %sgprof" % (board, prefix(board)), complaints)


def check_every_instruction(tap, board):
    """Interrupts come between any two instructions, not only where qemu's blocks of them end."""
    place = build(board, "single", "TICKS=20000")
    run(board, place, "-singlestep")
    counts, profile = Counts(place), read_profile(board, place)
    what = differing_arcs(board, place, profile, counts.arcs())
    good = not what and counts["lost calls"] == 0 and counts["board_tick tick_work"] > 1000
    tap.ok(
        good, "%s: all calls, interrupted at any instruction" % board, what + repr(counts.numbers)
    )


def check_tasks(tap, board):
    """Tasks with stacks of their own, which the timer changes."""
    place = build(board, "tasks", "MAIN=tasks.c")
    run(board, place)
    counts, profile = Counts(place), read_profile(board, place)
    arcs, wanted = counted_arcs(board, place, profile), counts.arcs()
    good = (
        len(wanted) == 6
        and counts["lost calls"] == 0
        and all(arcs.get(key) == wanted[key] for key in wanted)
    )
    tap.ok(good, "%s: all calls of tasks that take turns" % board, (arcs, wanted))
    good = (
        counts["switches"] > 50
        and samples(profile) + counts["lost outside"] == counts["board_tick tick_work"]
    )
    tap.ok(good, "%s: samples of tasks" % board, counts.numbers)


def check_make(tap, board):
    """The command of the manual."""
    place = os.path.join(TEMP, "make")
    shutil.copytree(EXAMPLE, place)
    status, out, err = harness.run(
        ["make", "REGMON=" + BOARDS, "BOARD=" + board, "GPROF=" + harness.GPROF, "run"], place
    )
    good = status == 0 and b"Call graph" in out and b" outer [" in out
    tap.ok(good, "%s: make run builds, runs and reports" % board, (status, out, err))


def check_limits(tap, board):
    """A full table, bins of 16 bits that are full, and of 32 bits that are not."""
    place = build(board, "small", "ARCS=4", "DEFINES=-DSATURATE")
    run(board, place)
    counts, profile = Counts(place), read_profile(board, place)
    arcs, total = counted_arcs(board, place, profile), sum(counts.arcs().values())
    good = all(arcs[key] <= counts.arcs()[key] for key in arcs) and 0 < counts["lost calls"]
    tap.ok(
        good and sum(arcs.values()) + counts["lost calls"] == total,
        "%s: calls beyond a full table are lost and counted" % board,
        arcs,
    )
    most = max(gmonfile.figures(profile).bins.values())
    ticks = counts["board_tick tick_work"] + 70000
    good = (
        most == 65535
        and counts["lost samples"] + counts["lost outside"] + samples(profile) == ticks
    )
    tap.ok(
        good and counts["lost samples"] > 4000,
        "%s: samples beyond 65,535 are lost and counted" % board,
        counts.numbers,
    )
    place = build(board, "wide", "BIN_BITS=32", "BIN_WIDTH=8", "OPTIMIZE=-O2", "DEFINES=-DSATURATE")
    run(board, place)
    serial("-o", "printed", "serial.log", cwd=place)
    counts, profile = Counts(place), read_profile(board, place, "magic")
    what = differing_arcs(board, place, profile, counts.arcs())
    ticks = counts["board_tick tick_work"] + 70000
    good = counts["lost samples"] == 0 and samples(profile) + counts["lost outside"] == ticks
    good = good and read(os.path.join(place, "printed")) == read(os.path.join(place, "gmon.out"))
    tap.ok(not what and good, "%s: bins of 32 bits hold more" % board, what + repr(counts.numbers))


def steps_of_calls(board, place, count):
    """Instructions of COUNT consecutive calls of the entry, of arcs that are known."""
    entry = "__gnu_mcount_nc" if is_arm(board) else "_mcount"
    back = "$lr & ~1" if is_arm(board) else "$ra"
    script = os.path.join(place, "steps")
    loop = (
        "continue\nset $end = %s\nset $n = 0\nwhile $pc != $end\nstepi\nset $n = $n + 1\nend\n"
        % back
    )
    loop = (
        'set $i = 0\nwhile $i < %d\n%sprintf "instructions %%d\\n", $n\nset $i = $i + 1\nend\n'
        % (count, loop)
    )
    write(
        script,
        ("break outer\nignore 1 500\ncontinue\ndelete\nbreak *%s\n%s" % (entry, loop)).encode(),
    )
    out = debug(board, place, "source steps")[1].decode(errors="replace")
    return [int(number) for number in re.findall(r"^instructions (\d+)$", out, re.M)]


def code_size(board, flags):
    """Bytes of the counter and the entry."""
    place, entry = os.path.join(TEMP, "size"), "entry_arm.S" if is_arm(board) else "entry_riscv.S"
    os.makedirs(place, exist_ok=True)
    sources = [os.path.join(BOARDS, name) for name in ("regmon_board.c", entry)]
    harness.must_run(
        [prefix(board) + "gcc", "-Os", "-ffreestanding", "-c"] + flags + sources, place
    )
    names = [os.path.basename(name)[:-1] + "o" for name in sources]
    lines = harness.must_run([prefix(board) + "size"] + names, place).decode().splitlines()[1:]
    return sum(int(line.split()[0]) for line in lines)


def check_cost(tap, board):
    size = code_size(board, ["-mcpu=cortex-m3", "-mthumb"])
    tap.ok(
        size <= CODE_SIZE, "%s: at most %d bytes of code" % (board, CODE_SIZE), "%d bytes" % size
    )
    steps = steps_of_calls(board, build(board, "steps"), ROUND_CALLS)
    good = len(steps) == ROUND_CALLS and sum(steps) <= INSTRUCTIONS * ROUND_CALLS
    tap.ok(
        good,
        "%s: calls of known arcs take at most %d instructions in the mean" % (board, INSTRUCTIONS),
        steps,
    )


def large_program(functions):
    """main.c with that many functions, each of which main and the one before it call: twice as many
    arcs."""
    text = read(os.path.join(EXAMPLE, "main.c")).decode()
    declared = "".join("void f%d(int n);\n" % i for i in range(functions))
    text = text.replace(
        "static volatile unsigned sum;", "static volatile unsigned sum;\n" + declared
    )
    more = "".join(
        "static int g%d;\nAPART void f%d(int n) { if (n > 0) f%d(n - 1); g%d += n; sum += g%d; }\n"
        % (i, i, (i + 1) % functions, i, i)
        for i in range(functions)
    )
    more += (
        "APART void all(void)\n{\n"
        + "".join("f%d(1);\n" % i for i in range(functions))
        + "sum++;\n}\n\n"
    )
    text = text.replace("APART void idle(void)", more + "APART void idle(void)")
    return text.replace(
        "        idle();", "        idle();\n        if (i % 100 == 0)\n            all();"
    )


def check_memory(tap, board):
    """A program of 500 functions and 1,000 arcs."""
    write(os.path.join(TEMP, "large.c"), large_program(500).encode())
    place = build(
        board, "large", "MAIN=large.c", "MAIN_DIR=" + TEMP + "/", "ARCS=960", "BIN_WIDTH=64"
    )
    run(board, place)
    size = dict((name, value) for name, value, _ in elf.symbols(os.path.join(place, "program.elf")))
    size = size[b"regmon_ram_end"] - size[b"regmon_ram"]
    counts, profile = Counts(place), read_profile(board, place)
    wanted = counts.arcs()
    wanted.update({("all", "f%d" % i): 10 for i in range(500)})
    wanted.update({("main", "all"): 10})
    wanted.update({("f%d" % i, "f%d" % ((i + 1) % 500)): 10 for i in range(500)})
    what = differing_arcs(board, place, profile, wanted)
    good = size <= MEMORY and counts["lost calls"] == 0 and not what
    tap.ok(
        good,
        "%s: 500 functions and %d arcs in 16 kB" % (board, len(wanted)),
        "%d bytes\n%s" % (size, what),
    )


def check_without_atomics(tap, board):
    """RISC-V without the extension A."""
    place = build(board, "plain-imc", "MARCH=rv32imc")
    run(board, place)
    counts, profile = Counts(place), read_profile(board, place)
    what = differing_arcs(board, place, profile, counts.arcs())
    tap.ok(
        not what and counts["wrong"] == 0,
        "%s: all calls, without atomic instructions" % board,
        what,
    )


CHECKS = {board: [check_counts, check_limits] for board in QEMUS}
CHECKS["rv32"].append(check_without_atomics)
CHECKS["mps2-an385"] += [check_every_instruction, check_make, check_tasks, check_cost, check_memory]


def main():
    boards = sys.argv[1:] or list(QEMUS)
    tap = harness.Tap()
    host = make_host(tap)
    if host:
        check_host(tap, host)
        check_serial(tap, host)
    for board in boards:
        try:
            need_tools(board)
        except Missing as reason:
            tap.skip(board, str(reason))
            continue
        for check in CHECKS[board]:
            check(tap, board)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
