#!/usr/bin/env python3
"""Programs for other machines: compiled with -pg by Debian's cross compilers, run by qemu, and
compared with the
gprof that belongs to the compiler, byte for byte.

A machine is skipped if its compiler, its C library, its gprof or qemu is missing, or if the libbfd
of the program
under test cannot read its images; INSTALL describes how to link another.  Programs for
microcontrollers have no C
library and are not run: their profiles are made up.

Calls in the text (-c) are compared with the reference if it finds them, otherwise with the
disassembler.

Usage: cross.py [MACHINE...]
"""

import sys

sys.dont_write_bytecode = True

import collections
import os
import re
import shlex
import shutil

import clients
from lib import elf, gmonfile, harness, optionsets, programs
from lib.harness import TEMP

SHOWN = 3
SOURCES = ["mix.c", "mix2.c", "padding.c"]
MORE_SETS = ["-R map", "-l -A -C -x -z", "-b -k main/ -z"]
STATIC_SETS = ["", "-z -p", "-T", "-l -p", "-C -z", "-A", "-i"]

# `calls' is a pattern for calls in the disassembler's output, if the reference does not find all
# calls.
Machine = collections.namedtuple("Machine", "name prefix qemu calls")

BARE_SOURCES = ["bare.c", "padding.c"]
BARE_SETS = ["", "-z", "-l -p -z", "-l -C -z", "-C -z", "-r", "-T -z", "-q -l", "-p first -z", "-i"]

# The microcontroller (name), the prefix of its tools, options of the compiler, and the pattern for
# calls.
Bare = collections.namedtuple("Bare", "name prefix flags calls")

BARE = [
    Bare("ARMv6-M", "arm-none-eabi", "-mcpu=cortex-m0 -Os", r"blx?"),
    Bare("ARMv7-M", "arm-none-eabi", "-mcpu=cortex-m3 -O1", r"blx?"),
    Bare(
        "ARMv7-R, both instruction sets",
        "arm-none-eabi",
        "-mcpu=cortex-r4 -mflip-thumb -O1",
        r"blx?",
    ),
    Bare(
        "RV32, compressed",
        "riscv64-unknown-elf",
        "-march=rv32imac -mabi=ilp32 -Os",
        r"(?:c\.)?jalr?",
    ),
    Bare("RV32", "riscv64-unknown-elf", "-march=rv32ima -mabi=ilp32 -O1", r"jalr?"),
    Bare(
        "RV64, compressed",
        "riscv64-unknown-elf",
        "-march=rv64imac -mabi=lp64 -mcmodel=medany -Os",
        r"(?:c\.)?jalr?",
    ),
]

MACHINES = [
    Machine("AArch64", "aarch64-linux-gnu", "aarch64", None),
    Machine("MIPS", "mips-linux-gnu", "mips", None),
    Machine("PowerPC", "powerpc-linux-gnu", "ppc", r"bl"),
    Machine("s390x", "s390x-linux-gnu", "s390x", r"brasl?"),
    Machine("RISC-V", "riscv64-linux-gnu", "riscv64", r"jalr?"),
    Machine("i686", "i686-linux-gnu", "i386", r"call"),
    Machine("PowerPC64LE", "powerpc64le-linux-gnu", "ppc64le", r"bl"),
    Machine("ARM", "arm-linux-gnueabihf", "arm", r"blx?"),
    Machine("SPARC64", "sparc64-linux-gnu", "sparc64", r"call"),
    Machine("Alpha", "alpha-linux-gnu", "alpha", r"bsr"),
    Machine("m68k", "m68k-linux-gnu", "m68k", None),
    Machine("HPPA", "hppa-linux-gnu", "hppa", None),
]


class Missing(Exception):
    """The reason why a machine is skipped."""


class Subject:
    """The tools of a machine and their output: `image' and `gmon.out' in a directory."""

    def __init__(self, machine, flags):
        self.machine, self.flags = machine, flags
        self.compiler = self.tool("gcc")
        self.reference = self.tool("gprof")
        self.qemu = shutil.which("qemu-" + machine.qemu)
        if not self.qemu:
            raise Missing("no qemu-" + machine.qemu)
        self.directory = os.path.join(TEMP, machine.prefix + "".join(flags))
        os.mkdir(self.directory)
        self.compile()
        self.profile()

    def tool(self, name):
        path = shutil.which("%s-%s" % (self.machine.prefix, name))
        if not path:
            raise Missing("no %s-%s" % (self.machine.prefix, name))
        return path

    def compile(self):
        """The image, with names changed as in programs.py."""
        sources = [os.path.join(programs.SOURCES, name) for name in SOURCES]
        command = [self.compiler, "-O1", "-g", "-pg"] + self.flags + ["-o", "image"] + sources
        status, _, err = harness.run(command, self.directory)
        if status != 0:
            raise Missing("no C library: " + err.decode("utf-8", "replace").strip().splitlines()[0])
        image = os.path.join(self.directory, "image")
        names = {name for name, _, _ in elf.symbols(image) if re.search(rb"[.$]", name)}
        table = os.path.join(self.directory, "names")
        lines = [name + b" " + re.sub(rb"[.$]", b"_", name) + b"\n" for name in sorted(names)]
        harness.write(table, b"".join(lines))
        harness.must_run([self.tool("objcopy"), "--redefine-syms=" + table, image])

    def profile(self):
        """Runs the image: a loader and libraries are below /usr/PREFIX."""
        command = [self.qemu, "-L", os.path.join("/usr", self.machine.prefix), "./image"]
        status, _, err = harness.run(command, self.directory)
        if status != 0 or not os.path.exists(os.path.join(self.directory, "gmon.out")):
            raise Missing("qemu does not run it: " + err.decode("utf-8", "replace").strip()[:200])

    def run(self, program, arguments):
        return harness.run([program] + arguments, self.directory, env=harness.FILLED_MEMORY)

    def ours(self, *arguments):
        return self.run(harness.GPROF, list(arguments))

    def theirs(self, *arguments):
        return self.run(self.reference, list(arguments))


class BareSubject(Subject):
    """A program without a C library, with a profile of some calls."""

    def __init__(self, machine):
        self.machine = machine
        self.compiler, self.reference = self.tool("gcc"), self.tool("gprof")
        self.directory = os.path.join(TEMP, re.sub(r"\W", "", machine.name))
        os.mkdir(self.directory)
        self.compile()
        self.profile()

    def compile(self):
        sources = [os.path.join(programs.SOURCES, name) for name in BARE_SOURCES]
        link = ["-nostdlib", "-Wl,-e,main,-Ttext=0x8000", "-o", "image"]
        harness.must_run(
            [self.compiler, "-g", "-pg"] + self.machine.flags.split() + link + sources,
            self.directory,
        )

    def profile(self):
        """Calls from behind the start of each function to the next one, with the bit that T32 sets
        in both addresses."""
        data = harness.read(os.path.join(self.directory, "image"))
        _, low, size = elf.text(data)
        count = (size + 3) // 4
        bit = 1 if self.machine.prefix.startswith("arm") else 0
        functions = [
            symbol
            for symbol in elf.symbols(os.path.join(self.directory, "image"))
            if symbol[0].decode() in programs.own_functions(self.directory, BARE_SOURCES)
        ]
        *starts, last = sorted({address & ~1 for _, address, _ in functions})
        bins = {i: i % 7 for i in range((last - low) // 4)}
        arcs = [
            ("arc", a + 8 | bit, b + 4 | bit, 3) for a, b in zip(starts, starts[1:] + starts[:2])
        ]
        records = [gmonfile.Histogram(low, low + 4 * count, count, bins)] + arcs
        layout = gmonfile.Layout(32 * data[4], "little")
        harness.write(
            os.path.join(self.directory, "gmon.out"), gmonfile.Profile(layout, records).bytes()
        )


# ---- Reports ----


def write_map(subject):
    """Writes a map in which every other function of the program has its own object."""
    symbols = elf.symbols(os.path.join(subject.directory, "image"))
    lines = [
        b"o%d.o:%x T %s\n" % (i // 2, address, name) for i, (name, address, _) in enumerate(symbols)
    ]
    harness.write(os.path.join(subject.directory, "map"), b"".join(lines))


def compare(subject, sets):
    """What differs in the reports of SETS."""
    complaints = []
    for options in sets:
        arguments = ["-b"] + shlex.split(options) + ["image", "gmon.out"]
        what = harness.disagreement(subject.ours(*arguments), subject.theirs(*arguments))
        if what:
            complaints.append("gprof %s\n%s" % (shlex.join(arguments), what))
    return complaints


def compare_sums(subject):
    """What differs in the reports of our sums, in every format."""
    complaints = []
    recorded = harness.read(os.path.join(subject.directory, "gmon.out"))
    profile = gmonfile.read_magic(
        gmonfile.layout_of(os.path.join(subject.directory, "image")), recorded
    )
    for format, word in (
        ("magic", "auto"),
        ("magic", "magic"),
        ("bsd", "bsd"),
        ("bsd44", "4.4bsd"),
    ):
        harness.write(os.path.join(subject.directory, "one"), profile.bytes(format))
        made = subject.ours("-s", "-O", word, "image", "one", "one")
        ours, theirs = subject.ours("-b", "image", "gmon.sum"), subject.theirs(
            "-b", "image", "gmon.sum"
        )
        twice = subject.theirs("-b", "image", "one", "one")
        what = harness.disagreement(ours, theirs) or harness.disagreement(ours, twice)
        if made[0] != 0 or what:
            complaints.append("-O %s: %s%s" % (word, harness.said(made), what))
    return complaints


# ---- Calls in the text ----


def between(subject, pairs):
    """The PAIRS that lead from one of the program's functions to another; the first name if there
    are several."""
    sources = BARE_SOURCES if isinstance(subject, BareSubject) else SOURCES
    own = set(programs.own_functions(subject.directory, sources))
    first, names = {}, {}
    for name, address, _ in elf.symbols(os.path.join(subject.directory, "image")):
        if name.decode() in own:
            names[name.decode()] = first.setdefault(address & ~1, name.decode())
    known = {(names[a], names[b]) for a, b in pairs if a in names and b in names}
    return {(a, b) for a, b in known if a != b}


def shown_calls(subject, *options):
    """The calls in the call graph: pairs of names."""
    status, out, err = subject.ours("-b", "-q", "-z", *options, "image", "gmon.out")
    if status != 0:
        raise clients.Unreadable("status %d: %s" % (status, err.decode("utf-8", "replace")))
    text = re.sub(r".*<indirect child>\n", "", out.decode())
    functions = [entry for entry in clients.parse_graph(text) if entry[0] == "function"]
    return {
        (primary["name"], callee["name"])
        for _, primary, _, callees in functions
        for callee in callees
    }


def disassembled_calls(subject):
    """The same, from the output of the disassembler."""
    text = harness.must_run([subject.tool("objdump"), "-d", "image"], subject.directory).decode(
        "utf-8", "replace"
    )
    # On Alpha and PowerPC64, calls within a program skip the first 8 bytes of a function.
    call = re.compile(r"\t(?:%s)\b.*<([^<>+]+)(?:\+0x8)?>" % subject.machine.calls)
    calls, caller = set(), None
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        match = call.search(line)
        if head:
            caller = head.group(1)
        elif match:
            calls.add((caller, match.group(1)))
    return calls


def check_calls(subject):
    """What is wrong with the calls that -c finds."""
    if subject.machine.calls is None:
        return "\n".join(compare(subject, ["-c", "-c -z", "-c -q -l"]))
    there = between(subject, disassembled_calls(subject))
    shown, recorded = (between(subject, shown_calls(subject, *options)) for options in (["-c"], []))
    if len(there) < 10:
        return "the disassembler shows hardly any calls: %s" % sorted(there)
    missing, invented = there - shown, shown - recorded - there
    if not missing and not invented:
        return ""
    return "missing: %s\nnot there: %s" % (sorted(missing), sorted(invented))


# ---- Machines ----


def reads(subject):
    """Whether our libbfd knows the machine: otherwise it does not recognise the format, or reads
    images as of a
    machine that it does not know.  REQUIRE_MACHINES in the environment says that it does."""
    status, _, err = subject.ours("-b", "-c", "image", "gmon.out")
    is_unknown = status == 1 and re.search(rb"not recogni[sz]ed|not an executable", err)
    return os.environ.get("REQUIRE_MACHINES") or not (is_unknown or b"architecture unknown" in err)


def check_reports(name, subject, sets):
    complaints = compare(subject, sets)
    more = ["... and %d more" % (len(complaints) - SHOWN)] if len(complaints) > SHOWN else []
    return "%s: %d option sets" % (name, len(sets)), "\n".join(complaints[:SHOWN] + more), None


def check_bare(machine):
    try:
        subject = BareSubject(machine)
    except Missing as why:
        return [(machine.name, "", str(why))]
    return [
        check_reports(machine.name, subject, BARE_SETS),
        (machine.name + ": calls in the text", check_calls(subject), None),
    ]


def check(machine):
    """The results of a machine: (name, what is wrong, why skipped)."""
    if isinstance(machine, Bare):
        return check_bare(machine)
    try:
        subject = Subject(machine, [])
        if not reads(subject):
            raise Missing("this libbfd does not read its images")
    except Missing as why:
        return [(machine.name, "", str(why))]
    write_map(subject)
    results = [check_reports(machine.name, subject, optionsets.SETS + MORE_SETS)]
    results.append(
        (machine.name + ": sums in all formats", "\n".join(compare_sums(subject)[:SHOWN]), None)
    )
    results.append((machine.name + ": calls in the text", check_calls(subject), None))
    if machine.calls:
        arguments = ["-b", "-c", "-z", "image", "gmon.out"]
        same = subject.ours(*arguments)[1] == subject.theirs(*arguments)[1]
        name = machine.name + ": the reference still differs (7)"
        results.append((name, "it finds the same calls" if same else "", None))
    name = machine.name + ", static"
    try:
        results.append(check_reports(name, Subject(machine, ["-static"]), STATIC_SETS))
    except Missing as why:
        results.append((name, "", str(why)))
    return results


def main():
    chosen = [
        machine for machine in MACHINES + BARE if machine.name in sys.argv[1:] or len(sys.argv) == 1
    ]
    tap = harness.Tap()
    for results in harness.parallel(check, chosen):
        for name, what, why in results:
            if why:
                tap.skip(name, why)
            else:
                tap.ok(not what, name, what)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
