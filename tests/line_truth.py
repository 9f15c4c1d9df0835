#!/usr/bin/env python3
"""Source lines are what the debug information says, as two other programs read it: eu-addr2line of
elfutils and
llvm-symbolizer.

Usage: line_truth.py [--list] [BUILD...]

Two programs (tests/lines) are built in many ways: by gcc and clang, with DWARF 2 to 5, with and
without
optimisation, split, compressed, at link time.  For every address of the text, the row of `gprof -l
-p -z -L' that
covers it has to show the file and line that both symbolizers find.  Where they contradict each
other, one
of them has to agree.  Where both know one name of the function, the row has to show it, unless it
is the row of
a symbol.

Images whose debug information is in files of its own, by -gsplit-dwarf or by objcopy, have to print
what they
print with all of it inside.
"""

import sys

sys.dont_write_bytecode = True

import bisect
import json
import os
import re

from lib import elf, harness, programs
from lib.harness import TEMP

SOURCES = os.path.join(harness.TESTS, "lines")
FILES = {
    "calc": ["calc.c", "parse.c", "left/work.c", "right/work.c"],
    "shelf": ["shelf.cc", "left/count.cc", "right/count.cc"],
}
FLAGS = {"gcc": [], "clang": ["-gdwarf-aranges"]}
COMPILERS = {
    ("gcc", "calc"): "gcc",
    ("gcc", "shelf"): "g++",
    ("clang", "calc"): "clang",
    ("clang", "shelf"): "clang++",
}

# (program, compiler, flags).  Besides the compiler's: -no-dwo removes the .dwo files, -dwp packs
# them into one,
# -relative compiles sources by relative paths, -elsewhere calls the directory of compilation by
# another name.
BUILDS = """
    calc gcc -O0 -gdwarf-2
    calc gcc -O2 -gdwarf-4
    calc gcc -O2 -gdwarf-5
    calc gcc -Os -gdwarf-4 -gz=zlib-gnu
    calc gcc -O2 -g1
    calc gcc -O2 -gdwarf-5 -gdwarf64
    calc gcc -O2 -gdwarf-5 -flto
    calc gcc -O1 -gdwarf-5 -relative -elsewhere
    calc gcc -O1 -gdwarf-4 -relative -elsewhere
    calc gcc -O2 -gdwarf-4 -gsplit-dwarf
    calc gcc -O2 -gdwarf-5 -gsplit-dwarf
    calc gcc -O2 -gdwarf-5 -gsplit-dwarf -no-dwo
    calc gcc -O2 -gdwarf-5 -ffunction-sections -Wl,--gc-sections
    calc clang -O0 -gdwarf-2
    calc clang -O2 -gdwarf-5
    calc clang -O2 -gline-tables-only
    calc clang -O2 -gdwarf-5 -flto -fuse-ld=lld -no-aranges
    calc clang -O2 -gdwarf-4 -gsplit-dwarf
    shelf gcc -O0 -gdwarf-3
    shelf gcc -O2 -gdwarf-4
    shelf gcc -O2 -gdwarf-5
    shelf gcc -O3 -gdwarf-5 -gz
    shelf gcc -O2 -gdwarf-5 -flto
    shelf gcc -O0 -gdwarf-4 -fdebug-types-section
    shelf gcc -O2 -gdwarf-5 -fdebug-types-section -relative
    shelf gcc -O2 -gdwarf-4 -gsplit-dwarf
    shelf gcc -O0 -gdwarf-5 -gsplit-dwarf -no-dwo
    shelf gcc -O2 -gdwarf-5 -gsplit-dwarf -dwp
    shelf clang -O0 -gdwarf-4
    shelf clang -O2 -gdwarf-5
    shelf clang -O3 -gdwarf-5 -fdebug-types-section
    shelf clang -O2 -gdwarf-5 -gsplit-dwarf -no-dwo
"""
OWN_FLAGS = (
    "-no-dwo",
    "-dwp",
    "-relative",
    "-elsewhere",
    "-no-aranges",
    "-whole",
    "-split",
    "-separated",
)

# Builds whose debug information is put into other files, too.
MOVED = [
    "calc gcc -O2 -gdwarf-4",
    "calc gcc -O2 -gdwarf-5",
    "shelf gcc -O2 -gdwarf-4",
    "shelf gcc -O2 -gdwarf-5",
    "shelf clang -O2 -gdwarf-5",
]

SHOWN = 12  # complaints of a build
LEAST_CODE = 300  # bytes of each build that have lines
ROWS = ["-b", "-l", "-p", "-z", "-L", "--no-demangle"]


class Build:
    def __init__(self, name):
        self.name = name
        self.program, self.compiler, *self.flags = name.split()
        self.directory = os.path.join(TEMP, re.sub(r"[^\w-]+", "_", name))
        self.image = os.path.join(self.directory, "image")

    def command(self):
        """The compiler and its flags, or None if it is not there."""
        name = COMPILERS[self.compiler, self.program]
        compiler = harness.tool(name.upper().replace("+", "X"), name)
        return compiler and compiler + ["-w", "-pg"] + FLAGS[self.compiler] + [
            flag for flag in self.flags if flag not in OWN_FLAGS
        ]

    def source(self, name):
        path = os.path.join(SOURCES, name)
        return os.path.relpath(path, self.directory) if "-relative" in self.flags else path

    def make(self):
        """Why it cannot be built here; empty if it is."""
        command = self.command()
        if not command:
            return "no " + self.compiler
        os.makedirs(self.directory)
        objects = []
        for name in FILES[self.program]:
            objects.append(re.sub(r"\W", "_", name) + ".o")
            extra = (
                ["-ffile-prefix-map=%s=/elsewhere" % self.directory]
                if "-elsewhere" in self.flags
                else []
            )
            status, _, err = harness.run(
                command + extra + ["-c", "-o", objects[-1], self.source(name)], self.directory
            )
            if status != 0:
                return "does not compile here: " + err.decode("utf-8", "replace").splitlines()[-1]
        status, _, err = harness.run(command + ["-o", "image"] + objects, self.directory)
        if status != 0:
            return "does not link here: " + err.decode("utf-8", "replace").splitlines()[-1]
        harness.must_run([self.image], self.directory)
        return self.move_split()

    def move_split(self):
        """Removes or packs the .dwo files if that is asked for; as make."""
        pieces = [name for name in os.listdir(self.directory) if name.endswith(".dwo")]
        if "-dwp" in self.flags:
            dwp = harness.tool("DWP", "llvm-dwp") or harness.tool("DWP", "dwp")
            if (
                not dwp
                or harness.run(dwp + ["-e", "image", "-o", "image.dwp"], self.directory)[0] != 0
            ):
                return "needs a dwp for this DWARF"
        for name in pieces if "-dwp" in self.flags or "-no-dwo" in self.flags else []:
            os.unlink(os.path.join(self.directory, name))
        return "" if pieces or "-gsplit-dwarf" not in self.flags else "no .dwo files"

    def rows(self):
        return harness.run([harness.GPROF] + ROWS + [self.image, "gmon.out"], self.directory)

    def write_addresses(self, addresses):
        return harness.write(
            os.path.join(self.directory, "addresses"),
            "".join("%#x\n" % a for a in addresses).encode(),
        )


# ---- What the three say of addresses: {address: (function, path, line)}, path and line None if
# unknown ----


def own_rows(text):
    """[(address, function, path, line)] of the flat profile's rows, ascending."""
    rows = re.findall(
        rb"^ *[\d.]+ +[\d.]+ +[\d.]+ .{27} (\S+) \((.*):(\d+) @ ([0-9a-f]+)\)$", text, re.M
    )
    return sorted(
        (int(address, 16), name.decode(), path.decode(), int(line))
        for name, path, line, address in rows
    )


def answer(function, path, line):
    known = line and path and not path.startswith("??")
    return (function, os.path.normpath(path), line) if known else (function, None, None)


def ask_elfutils(command, build, addresses):
    with open(build.write_addresses(addresses), "rb") as file:
        lines = (
            harness.run(command + ["-e", build.image, "-f", "-A"], build.directory, stdin=file)[1]
            .decode()
            .splitlines()
        )
    found = {}
    for address, function, position in zip(addresses, lines[::2], lines[1::2]):
        path, line = re.match(r"(.*?):(\d+)", position).groups()
        function = re.sub(r"\+0x[0-9a-f]+$", "", function.split(" inlined at ")[0])
        found[address] = answer(function, path, int(line))
    return found


def ask_llvm(command, build, addresses):
    with open(build.write_addresses(addresses), "rb") as file:
        words = ["--obj=" + build.image, "--no-demangle", "--output-style=JSON"]
        lines = harness.run(command + words, build.directory, stdin=file)[1].splitlines()
    found = {}
    for line in lines:
        reply = json.loads(line)
        frames = reply.get("Symbol") or [{"FunctionName": "", "FileName": "", "Line": 0}]
        found[int(reply["Address"], 16)] = answer(
            frames[0]["FunctionName"], frames[0]["FileName"], frames[0]["Line"]
        )
    return found


SYMBOLIZERS = [
    ("eu-addr2line", "EU_ADDR2LINE", ask_elfutils),
    ("llvm-symbolizer", "LLVM_SYMBOLIZER", ask_llvm),
]


# ---- Comparing ----


def code_of(image):
    """The addresses of the functions' code: what lies between them is padding, which nobody
    counts."""
    _, low, size = elf.text(harness.read(image))
    return range(low, low + size)


def disagreements(rows, answers, symbols):
    """What is wrong with ROWS, as ANSWERS of the symbolizers have it: a line for each address where
    another
    complaint begins.  A row that is one of the SYMBOLS, pairs of name and address, bears its name.
    """
    starts = [row[0] for row in rows]
    wrong, before = [], None
    for address in sorted(answers[0][1]):
        theirs = [(name, known[address]) for name, known in answers]
        told = [reply for _, reply in theirs if reply[1]]
        at = bisect.bisect_right(starts, address) - 1
        row = rows[at] if at >= 0 else (None, None, None, None)
        mine = (row[1], os.path.normpath(row[2]), row[3]) if row[2] else (None, None, None)
        good = not told or mine[1:] in [reply[1:] for reply in told]
        names = {reply[0] for reply in told} - {"", "??"}
        if good and len(names) == 1 and row[0] == address:
            good = mine[0] in names or (row[1], address) in symbols
        if not good and (mine, told) != before:
            wrong.append("%#x: we say %s, %s" % (address, mine, theirs))
        before = None if good else (mine, told)
    return wrong


def check_build(name):
    """(why skipped, complaints, images) of a build."""
    build = Build(name)
    why = build.make()
    if why:
        return why, []
    status, out, err = build.rows()
    rows = own_rows(out)
    if status != 0 or len(rows) < 20:
        return "", ["status %d, %d rows\n%s" % (status, len(rows), err.decode("utf-8", "replace"))]
    answers = []
    addresses = code_of(build.image)
    for tool, variable, ask in SYMBOLIZERS:
        command = harness.tool(variable, tool)
        if command and not (tool == "eu-addr2line" and "-no-aranges" in build.flags):
            known = ask(command, build, addresses)
            if len(known) != len(addresses):
                return "", [
                    "%s has answers for %d of %d addresses" % (tool, len(known), len(addresses))
                ]
            covered = sum(reply[1] is not None for reply in known.values())
            if covered < LEAST_CODE:
                return "", ["%s knows %d addresses only" % (tool, covered)]
            answers.append((tool, known))
    if not answers:
        return "no llvm-symbolizer", []
    if "-gsplit-dwarf" in build.flags:  # neither of them reads functions of .dwo files
        answers = [
            (tool, {a: ("",) + reply[1:] for a, reply in known.items()}) for tool, known in answers
        ]
    symbols = {(name.decode(), address) for name, address, _ in elf.symbols(build.image)}
    return "", disagreements(rows, answers, symbols)


# ---- Debug information in other files ----


def outputs(directory, image="image"):
    """What every kind of report with lines prints."""
    words = [
        ["-l", "-p", "-z", "-L"],
        ["-l", "-C", "-z"],
        ["-q", "-p", "-z", "--inline-file-names"],
        [],
    ]
    return [
        harness.run([harness.GPROF, "-b"] + some + [image, "gmon.out"], directory)[:2]
        for some in words
    ]


def check_split(name):
    """As check_build, of a build with -gsplit-dwarf: its lines and functions are those of the build
    without."""
    whole, split = Build(name + " -whole"), Build(name + " -gsplit-dwarf -split")
    why = whole.make() or split.make()
    if why:
        return why, []
    expected, ours = own_rows(whole.rows()[1]), own_rows(split.rows()[1])
    expected, ours = (
        ["%x %s %s:%d" % (a, n, os.path.basename(p), l) for a, n, p, l in rows]
        for rows in (expected, ours)
    )
    text = harness.diff("\n".join(expected).encode(), "\n".join(ours).encode())
    return "", [text] if text or len(ours) < 20 else []


def check_separated(name):
    """As check_build: the debug information is moved to where .gnu_debuglink and the build id
    lead."""
    build, objcopy = Build(name + " -Wl,--build-id=sha1 -separated"), harness.tool(
        "OBJCOPY", "objcopy"
    )
    why = build.make() if objcopy else "no objcopy"
    if why:
        return why, []
    expected, complaints = outputs(build.directory), []
    build_id = programs.build_id(build.image)
    os.rename(build.image, build.image + ".whole")
    for way, place, linked in (
        ("a link to a file beside", "image.debug", True),
        ("a link to a file in .debug", ".debug/image.debug", True),
        ("a build id", ".build-id/%s/%s.debug" % (build_id[:2], build_id[2:]), False),
    ):
        debug = os.path.join(build.directory, place)
        os.makedirs(os.path.dirname(debug), exist_ok=True)
        harness.must_run(objcopy + ["--only-keep-debug", build.image + ".whole", debug])
        link = ["--add-gnu-debuglink=" + debug] if linked else ["--remove-section=.gnu_debuglink"]
        harness.must_run(objcopy + ["--strip-debug"] + link + [build.image + ".whole", build.image])
        if outputs(build.directory) != expected:
            complaints.append(way)
        os.unlink(debug)
        if outputs(build.directory) == expected:
            complaints.append(way + ", and without that file all is the same")
    return "", complaints


def run_check(task):
    check, name = task
    return check(name)


def main():
    names = [line.strip() for line in BUILDS.strip().splitlines()][:: harness.SAMPLE]
    wanted = [word for word in sys.argv[1:] if word != "--list"]
    if "--list" in sys.argv:
        print("\n".join(names))
        return 0
    if not harness.tool("EU_ADDR2LINE", "eu-addr2line"):
        harness.skip_all("no eu-addr2line, which elfutils has")
    if not harness.has_library("LIBDW"):
        harness.skip_all("built without libdw")
    tasks = [("%s", check_build, name) for name in names]
    tasks += [("%s: the same with -gsplit-dwarf", check_split, name) for name in MOVED]
    tasks += [
        ("%s: the same with a file of debug information", check_separated, name) for name in MOVED
    ]
    tasks = [task for task in tasks if not wanted or task[2] in wanted]
    tap = harness.Tap()
    results = harness.parallel(run_check, [task[1:] for task in tasks])
    for (title, _, name), (why, complaints) in zip(tasks, results):
        if why:
            tap.skip(title % name, why)
        else:
            more = (
                ["... and %d more" % (len(complaints) - SHOWN)] if len(complaints) > SHOWN else []
            )
            tap.ok(not complaints, title % name, "\n".join(complaints[:SHOWN] + more))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
