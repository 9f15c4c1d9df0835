"""Builds libregmon and programs for its tests: with the library of the build, or with another
compiler.

    RUNTIME    directory of the build's library    BUILDDIR/runtime
"""

import ctypes
import glob
import os
import platform
import re
import shutil
import struct
import subprocess
import time

from lib import gmonfile, harness

SOURCES = os.path.join(harness.SRCDIR, "runtime")
PROGRAMS = os.path.join(harness.TESTS, "runtime")
BUILT = os.environ.get("RUNTIME") or os.path.join(harness.BUILDDIR, "runtime")
FLAGS = (
    "-O2 -g -std=gnu11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -ftls-model=initial-exec"
    " -fno-builtin -fno-omit-frame-pointer".split()
)
OPTIONAL = [
    "-fasynchronous-unwind-tables",
    "-mgeneral-regs-only",
    "-fno-tree-loop-distribute-patterns",
    "-mno-outline-atomics",
]
REGMON = os.path.join(BUILT, "regmon")
COMMAND = (
    "check collector descriptors options record regmon run say trusted worker".split()
)  # sources of the command regmon, the others are the library's


class Library:
    """A directory with libregmon.a and libregmon.so, and what compiles and runs programs for it."""

    def __init__(self, directory, compiler, runner=()):
        self.directory, self.compiler, self.runner = directory, list(compiler), list(runner)

    def archive(self):
        return os.path.join(self.directory, "libregmon.a")

    def shared(self):
        return os.path.join(self.directory, "libregmon.so")

    def calls_of(self, function, image, gmon):
        """As the readers say; for a machine that they may not know, as sums of arcs."""
        return (calls_by_symbol if self.runner else calls_of)(function, image, gmon)


def machine_of(compiler):
    """The processor that a compiler is for, as files of entry points are called."""
    status, out, _ = harness.run(compiler + ["-dumpmachine"])
    return out.decode().split("-")[0] if status == 0 else ""


# Machines that qemu runs programs of, as files of entry points are called: their names, and qemu's.
MACHINES = {
    "aarch64": ("AArch64", "aarch64"),
    "riscv64": ("RISC-V", "riscv64"),
    "powerpc64le": ("POWER", "ppc64le"),
    "s390x": ("s390x", "s390x"),
}


def tools_of(machine):
    """{tool: its command} for a machine; None if one is missing."""
    tools = {
        tool: harness.tool(
            "%s_%s" % (machine.upper(), tool.upper()), "%s-linux-gnu-%s" % (machine, tool)
        )
        for tool in ("gcc", "objcopy", "objdump", "readelf")
    }
    qemu = MACHINES[machine][1]
    tools["qemu"] = harness.tool("QEMU_" + qemu.upper(), "qemu-" + qemu)
    return tools if all(tools.values()) else None


def flags_of(machine):
    """What the library is compiled with, and only for this machine: see RP_RUNTIME in
    m4/runtime.m4."""
    return ["-msoft-float"] if machine == "s390x" else []


def flags_for_stacks(machine):
    """With which a static program has what its stacks need: gcc writes call frame information on
    most machines, and the
    linker makes a table of it."""
    if machine in ("x86_64", "aarch64"):
        return []  # frame pointers
    return ["-Wl,--eh-frame-hdr"] + (
        ["-fasynchronous-unwind-tables"] if machine == "riscv64" else []
    )


def accepted(compiler, flags):
    """Those of the flags that the compiler knows."""
    source = harness.write(os.path.join(harness.TEMP, "empty.c"), b"int empty;\n")
    command = compiler + ["-Werror", "-c", "-o", os.devnull, source]
    return [flag for flag in flags if harness.run(command + [flag])[0] == 0]


def c_sources():
    """Those of the library."""
    return [
        path
        for path in sorted(glob.glob(os.path.join(SOURCES, "*.c")))
        if os.path.basename(path)[:-2] not in COMMAND
    ]


def build(name, compiler, runner=(), more=(), objcopy=("objcopy",)):
    """The library by another compiler, as runtime/local.mk makes it."""
    directory = os.path.join(harness.TEMP, "lib-" + name)
    os.mkdir(directory)
    machine = machine_of(compiler)
    flags = FLAGS + accepted(compiler, OPTIONAL) + flags_of(machine) + list(more)
    sources = c_sources()
    sources.append(os.path.join(SOURCES, "entry_%s.S" % machine))
    objects = []
    for source in sources:
        objects.append(os.path.join(directory, os.path.basename(source) + ".o"))
        harness.must_run(compiler + flags + ["-c", "-o", objects[-1], source])
    library = Library(directory, compiler, runner)
    link = [
        "-Wl,-soname,libregmon.so",
        "-Wl,-z,initfirst",
        "-Wl,-z,now",
        "-Wl,-z,relro",
        "-Wl,-z,defs",
    ]
    harness.must_run(compiler + ["-shared", "-o", library.shared()] + list(more) + link + objects)
    whole = os.path.join(directory, "regmon.o")
    both = [o for o in objects if not o.endswith(("create.c.o", "dlclose.c.o", "nonshared.c.o"))]
    harness.must_run(compiler + ["-r", "-nostdlib", "-o", whole] + both)
    harness.must_run(list(objcopy) + ["--localize-hidden", whole])
    harness.must_run(["ar", "cr", library.archive(), whole])
    return library


def built():
    """The library of the build; None if it has none."""
    library = Library(BUILT, harness.tool("CC", "cc") or ["cc"])
    return library if os.path.exists(library.shared()) else None


def path_of(program):
    return os.path.join(PROGRAMS, program)


_commands = {}  # paths of programs: how they were compiled


def compile_program(compiler, source, output, flags=(), libraries=(), profile="-pg"):
    """Compiles tests/runtime/SOURCE, with -pg, unless OUTPUT was made in this way before; returns
    the path of the program."""
    path = os.path.join(harness.TEMP, output)
    flags = ["-g", profile, "-D_GNU_SOURCE", "-w", "-I", SOURCES] + list(flags)
    command = compiler + flags + ["-o", path, path_of(source)] + list(libraries) + ["-pthread"]
    if _commands.get(path) != command:
        harness.must_run(command)
        _commands[path] = command
    return path


class Place:
    """An empty directory in which programs run and leave their files."""

    count = 0

    def __init__(self):
        Place.count += 1
        self.path = os.path.join(harness.TEMP, "place-%d-%d" % (os.getpid(), Place.count))
        os.mkdir(self.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not os.environ.get("KEEP"):
            shutil.rmtree(self.path, ignore_errors=True)

    def run(self, command, **environment):
        return harness.run(list(command), cwd=self.path, env=dict(harness.ENV, **environment))

    def start(self, command, **environment):
        """The process of a command that the test ends."""
        return subprocess.Popen(
            command, cwd=self.path, env=dict(harness.ENV, **environment), stdout=subprocess.DEVNULL
        )

    def files(self):
        """All but the stacks, which there are beside each profile."""
        return sorted(name for name in os.listdir(self.path) if not name.endswith(".stacks"))

    def file(self, name="gmon.out"):
        return os.path.join(self.path, name)


def flat_profile(reader, image, gmon):
    """{function: (seconds, calls)} as a gprof prints it."""
    status, out, err = harness.run([reader, "-b", "-p", "-z", image, gmon])
    if status != 0:
        raise RuntimeError("%s: %s" % (reader, err.decode("utf-8", "replace")))
    rows = re.findall(
        r"^ *[\d.]+ +[\d.]+ +([\d.]+)(?: +(\d+) +[\d.]+ +[\d.]+)? +(\S.*)$", out.decode(), re.M
    )
    return {name: (float(seconds), int(calls or 0)) for seconds, calls, name in rows}


def readers():
    return [harness.GPROF] + ([harness.REFERENCE] if harness.has_reference() else [])


def calls_of(function, image, gmon):
    """How often the function was called, as each reader says; one number if they agree."""
    counts = {flat_profile(reader, image, gmon).get(function, (0, 0))[1] for reader in readers()}
    return counts.pop() if len(counts) == 1 else sorted(counts)


def records_in(data, is_histogram):
    order = "little" if data[4:8] == b"\x01\0\0\0" else "big"  # the version
    records = gmonfile.read_magic(gmonfile.Layout(order=order), data).records if data else []
    return [r for r in records if isinstance(r, gmonfile.Histogram) == is_histogram]


def arcs_in(data):
    return records_in(data, False)


def samples_in(data):
    return sum(sum(r.bins.values()) for r in records_in(data, True))


def rate_in(place, name):
    """Samples per second in a file of the place."""
    histograms = records_in(harness.read(place.file(name)), True)
    return histograms[0].rate if histograms else None


def calls_by_symbol(function, image, gmon):
    """Calls of a function by others, without a gprof."""
    symbols = harness.must_run(["nm", "-S", "--defined-only", image]).decode()
    match = re.search(r"^([0-9a-f]+) ([0-9a-f]+) [tTiW] %s$" % function, symbols, re.M)
    start, size = int(match.group(1), 16), int(match.group(2), 16)
    own = range(start, start + size)
    return sum(r[3] for r in arcs_in(harness.read(gmon)) if r[2] in own and r[1] not in own)


def functions_of(program):
    """[(start, end, name)] of the functions of a program."""
    lines = harness.must_run(["nm", "-S", "--defined-only", program]).decode()
    found = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tT] (\S+)$", lines, re.M)
    return sorted(
        (int(start, 16), int(start, 16) + int(size, 16), name) for start, size, name in found
    )


def arcs_between(program, path):
    """{(caller, callee): calls} of the functions of a program at fixed or relative addresses; None
    for others."""
    functions, calls = functions_of(program), {}

    def name(address):
        return next((n for start, end, n in functions if start <= address < end), None)

    for arc in arcs_in(harness.read(path)):
        pair = name(arc[1]), name(arc[2])
        calls[pair] = calls.get(pair, 0) + arc[3]
    return calls


class Section:
    """The stacks of a process, as a file of them says."""

    def __init__(self, text):
        self.text = text
        said = re.search(r"^# process (\d+) (\d+) (\d+) (\w+)$", text, re.M)
        self.process, self.parent, self.began = (int(n) for n in said.groups()[:3])
        self.state = said[4]
        self.is_first = "\n# first\n" in text
        self.command = self.said("command")
        self.profile = self.said("profile")
        self.rate = int(self.said("rate"))
        self.own = re.search(r"^# program (\d+) ", text, re.M)[1]
        path = re.search(r"^# file %s \S+ (.*)$" % self.own, text, re.M)
        self.path = path[1] if path else None
        self.samples = sum(samples for _, samples in self.lines())

    def said(self, word):
        found = re.search("^# %s (.*)$" % word, self.text, re.M)
        return found[1] if found else None

    def lines(self):
        """[([frames, outermost first], samples)]"""
        for line in re.findall("^[0-9?].*$", self.text, re.M):
            frames, samples = line.split(" ")
            yield frames.split(";"), int(samples)

    def is_of(self, program):
        return self.path is None or os.path.basename(self.path) == os.path.basename(program)


def sections_of(path):
    """The sections of a file of stacks: of a process, or of all that regmon has seen in a run."""
    start = "# regmon stacks 3\n"
    text = harness.read(path).decode()
    assert text.startswith(start), (path, text[:100])
    return [Section("\n" + part) for part in text.split(start)[1:] if not part.startswith("# run ")]


def read_stacks(program, path, process=None):
    """[(names of the frames, outermost first, samples)] of all processes of the program, or of one;
    `object N' for what
    is not in the program, `generated'."""
    functions, stacks = functions_of(program), []
    for section in sections_of(path):
        if section.is_of(program) and process in (None, section.process):
            stacks += read_section(functions, section)
    return stacks


def read_section(functions, section):
    text, own = section.text, section.own
    generated = re.search(r"^# object (\d+) \[generated code\]$", text, re.M)

    def name(frame, is_innermost):
        number, _, address = frame.partition(":")
        if generated and number == generated.group(1):
            return "generated"
        at = int(address, 16) - (not is_innermost) if number == own else -1
        return next((n for start, end, n in functions if start <= at < end), "object " + number)

    return [
        ([name(f, i + 1 == len(frames)) for i, f in enumerate(frames)], samples)
        for frames, samples in section.lines()
    ]


def permits_perf():
    """Whether the kernel lets a program have a performance counter of its own."""
    attributes = struct.pack(
        "<IIQQQQQII16x", 1, 72, 1, 1_000_000, 0, 0, 1 << 0 | 1 << 5 | 1 << 6, 1, 0
    )
    numbers = {"x86_64": 298, "ppc64le": 319, "s390x": 331}
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(ctypes.c_long(numbers.get(platform.machine(), 241)), attributes, 0, -1, -1, 8)
    if fd >= 0:
        os.close(fd)
    return fd >= 0


REALTIME_COARSE = 5  # a clock of the kernel that goes on when it ticks


def ticks():
    """The kernel's, per second: clocks of threads are not faster."""
    return int(1 / time.clock_getres(REALTIME_COARSE))


def rate_of(hz, clock="perf"):
    """Samples per second if so many are asked for."""
    return hz if clock == "perf" and permits_perf() else min(hz, ticks())


def belongs(program, path):
    """Whether the file of stacks beside a profile says build id, range and samples of that profile,
    and its own samples."""
    profile, text = records_in(harness.read(path), True), harness.read(path + ".stacks").decode()
    notes = harness.must_run(harness.tool("READELF", "readelf") + ["-n", program]).decode()
    build_id = re.search("Build ID: ([0-9a-f]+)", notes)
    expected = ["# build-id " + build_id[1]] if build_id else []
    expected.append(
        "# histogram %x %x %d" % (profile[0].low, profile[0].high, samples_in(harness.read(path)))
    )
    expected.append(gmonfile.checksum(*profile))
    expected.append(
        "# samples %d"
        % sum(int(line.rpartition(" ")[2]) for line in re.findall("^[0-9?].*", text, re.M))
    )
    found = [
        line
        for line in text.splitlines()
        if line.startswith(("# build-id", "# histogram", "# checksum", "# samples"))
    ]
    return found == expected and profile[0].rate == int(
        re.search("^# rate (.*)", text, re.M)[1]
    ), repr((found, expected))


def callers_of(stacks, function):
    """{who called the innermost occurrence of the function, in the program's frames: samples}."""
    found = {}
    for frames, samples in stacks:
        if function in frames:
            last = len(frames) - 1 - frames[::-1].index(function)
            caller = frames[last - 1] if last else None
            found[caller] = found.get(caller, 0) + samples
    return found
