#!/usr/bin/env python3
"""Source and machine code with time (--code, --asm): figures against models made of what
llvm-symbolizer, objdump and the
report by line say of the same addresses.

Programs in C and C++ are built in several ways, and their profiles drawn: samples anywhere in the
text, and stacks of
any addresses.  For all functions, the lines add up to the function, and the instructions to their
line.

With CHECK_LONG=1, more profiles are drawn.
"""

import sys

sys.dont_write_bytecode = True

import bisect
import collections
import json
import os
import random
import re

from lib import elf, gmonfile, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, write
from lib.stack_model import own_and_total

SOURCES = os.path.join(harness.TESTS, "lines")
FILES = {
    "calc": ["calc.c", "parse.c", "left/work.c", "right/work.c"],
    "shelf": ["shelf.cc", "left/count.cc", "right/count.cc"],
}
BUILDS = [
    "calc gcc -O0 -g",
    "calc gcc -O2 -g",
    "calc clang -O2 -gdwarf-4",
    "shelf g++ -O0 -g",
    "shelf g++ -O2 -g",
    "shelf clang++ -O3 -g",
    "calc gcc -O2 -gdwarf-5 -gsplit-dwarf",
    "calc clang -O2 -gdwarf-4 -gsplit-dwarf",
    "shelf g++ -O2 -gdwarf-4 -gsplit-dwarf",
    "shelf clang++ -O2 -gdwarf-5 -gsplit-dwarf",
    "calc gcc -O2",
]
RATE = 1000
NEAR = 1e-6 / RATE


class Build:
    def __init__(self, name):
        program, compiler, *flags = name.split()
        self.name, self.has_lines = name, any(flag.startswith("-g") for flag in flags)
        self.directory = os.path.join(TEMP, re.sub(r"[^\w-]+", "_", name))
        os.makedirs(self.directory)
        self.compiler = harness.tool(compiler.upper().replace("+", "X"), compiler)
        if not self.compiler:
            return
        self.make("image", FILES[program], flags)
        self.image = os.path.join(self.directory, "image")
        self.low, self.high = self.text()
        is_split = "-gsplit-dwarf" in flags
        if (
            is_split
            # not every llvm-symbolizer reads all of it: the same build without says what is expected
        ):
            self.make("whole", FILES[program], [flag for flag in flags if flag != "-gsplit-dwarf"])
        self.positions = self.read_positions("whole" if is_split else "image")

    def make(self, image, files, flags):
        objects = ["%s-%d.o" % (image, number) for number in range(len(files))]
        for made, file in zip(objects, files):
            harness.must_run(
                self.compiler
                + ["-w", "-pg", *flags, "-c", "-o", made, os.path.join(SOURCES, file)],
                self.directory,
            )
        harness.must_run(self.compiler + ["-pg", "-o", image, *objects], self.directory)

    def text(self):
        """The range of .text, in whole bins."""
        _, start, size = elf.text(read(self.image))
        return start, start + size // 2 * 2

    def read_positions(self, image):
        """{address: [(file, line)...]}, innermost first, of every address."""
        write(
            os.path.join(self.directory, "addresses"),
            "".join("0x%x\n" % a for a in range(self.low, self.high)).encode(),
        )
        out = harness.must_run(
            ["sh", "-c", "llvm-symbolizer --output-style=JSON -i -e %s < addresses" % image],
            self.directory,
        )
        positions = {}
        for entry in map(json.loads, out.decode().splitlines()):
            frames = [
                (os.path.normpath(f["FileName"]), f["Line"]) for f in entry["Symbol"] if f["Line"]
            ]
            positions[int(entry["Address"], 16)] = frames
        return positions

    def gprof(self, *arguments):
        status, out, err = harness.run(
            [harness.GPROF, *arguments, "image", "gmon.out"], self.directory
        )
        if status != 0:
            raise RuntimeError("%s: %s" % (" ".join(arguments), err.decode()))
        return out.decode()

    def draw(self, rng):
        """Writes a profile with stacks; returns [(frames, samples)], frames outermost first and the
        last one sampled."""
        stacks = []
        places = [rng.randrange(self.low, self.high) for _ in range(60)]
        for _ in range(200):
            frames = [rng.choice(places) for _ in range(rng.randint(1, 9))] + [
                rng.randrange(self.low, self.high)
            ]
            stacks.append((frames, rng.randint(1, 9)))
        bins = collections.Counter()
        for frames, samples in stacks:
            bins[(frames[-1] - self.low) // 2] += samples
        histogram = Histogram(self.low, self.high, (self.high - self.low) // 2, bins, RATE)
        write(
            os.path.join(self.directory, "gmon.out"),
            Profile(Layout(64, "little"), [histogram]).bytes(),
        )
        lines = [([f + 1 for f in frames[:-1]] + frames[-1:], n) for frames, n in stacks]
        path = os.path.join(self.directory, "gmon.out.stacks")
        write(path, gmonfile.stacks(lines, RATE, histogram))
        return stacks


def code_of(build, *arguments):
    """{function id: (function, rows)}, the rows with `below': those one step below each."""
    data = json.loads(build.gprof("--format=json", "--code=0", *arguments))
    found = {}
    for entry in data["code"]:
        line = inlined = None
        top = []
        for row in entry["rows"]:
            row["below"] = []
            if row["kind"] == "line":
                top.append(row)
                line, inlined = row, None
            elif row["kind"] == "inlined":
                line["below"].append(row)
                inlined = row
            elif row["kind"] == "instruction":
                (inlined or line or {"below": top})["below"].append(row)
        found[entry["function"]] = (data["functions"][entry["function"]], top)
    return found


def wrong_sums(code, has_instructions):
    """What does not add up.  Without instructions, nothing is below a line but what was inlined
    into it."""
    wrong = []

    def check(what, row, below):
        total = sum(r["self"] or 0 for r in below)
        if below and abs(total - (row["self"] or 0)) > NEAR:
            wrong.append("%s: %r, below it %r" % (what, row["self"], total))
        for r in below if has_instructions else []:
            check("%s, %s:%s" % (what, r["file"], r["line"]), r, r["below"])

    for function, rows in code.values():
        check(function["name"], function, rows)
    return wrong


def check_sums(tap, build, kind, *arguments):
    code = code_of(build, *arguments)
    wrong = wrong_sums(code, "--asm" in arguments)
    tap.ok(
        len(code) > 3 and not wrong,
        "%s, %s: lines add up to functions, instructions to lines" % (build.name, kind),
        wrong[:9],
    )
    return code


def compare(tap, what, expected, found):
    wrong = [
        "%s: %r instead of %r" % (key, found.get(key, 0), expected.get(key, 0))
        for key in sorted({*expected, *found}, key=str)
        if abs(expected.get(key, 0) - found.get(key, 0)) > NEAR
    ]
    tap.ok(expected and not wrong, what, wrong[:9])


def check_lines(tap, build, code):
    """Own times of innermost lines are those of the flat profile by line."""
    expected, found = collections.Counter(), collections.Counter()
    table = build.gprof("--top=0", "-l", "--no-stacks", "--format=tsv", "--columns=self,line,file")
    for line in table.splitlines()[1:]:
        self, number, file = line.split("\t")
        if number:
            expected[os.path.normpath(file), int(number)] += float(self)
    for _, rows in code.values():
        for row in rows:
            inner = [r for r in row["below"] if r["kind"] == "inlined"]
            own = (row["self"] or 0) - sum(r["self"] for r in inner)
            for r, time in [(row, own)] + [(r, r["self"]) for r in inner]:
                if time > NEAR and r["file"]:
                    found[os.path.normpath(r["file"]), r["line"]] += time
    compare(tap, build.name + ": lines have the times of -l", expected, found)


def check_stacks(tap, build, stacks, code):
    """Own times and totals of lines are those of the stacks; where code was inlined is what
    llvm-symbolizer says."""
    names = {}
    for line in harness.must_run(["nm", "image"], build.directory).decode().splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tTwW":
            names[int(words[0], 16)] = words[2]
    starts = sorted(names)

    def key_of(address):
        """(start of the function, place of the line in it), or None if that is not known."""
        start = max((s for s in starts if s <= address), default=None)
        while start is not None and address > start and not build.positions[address]:
            address -= 1  # code whose line is not known is part of the line before
        positions = build.positions[address]
        return (start, *positions[-1]) if positions else None

    own, total = own_and_total(
        [([key_of(frame) for frame in frames], samples / RATE) for frames, samples in stacks]
    )
    found_own, found_total = collections.Counter(), collections.Counter()
    for function, rows in code.values():
        for row in rows:
            if row["kind"] == "line":
                key = (int(function["address"], 16), os.path.normpath(row["file"]), row["line"])
                found_own[key] += row["self"] or 0
                found_total[key] += row["total"] or 0
    # Functions without debug information, and those that only start the program, are left out of
    # both.
    shown = {key[0] for key in found_own}
    for counter in (own, total):
        for key in [key for key in counter if key is None or key[0] not in shown]:
            del counter[key]
    compare(tap, build.name + ": own times of lines are those of the stacks", own, found_own)
    compare(tap, build.name + ": totals of lines are those of the stacks", total, found_total)


def listing_of(build):
    """{address: instruction}, as objdump prints them, in their order."""
    found = {}
    for line in (
        harness.must_run(["objdump", "-d", "-C", "--no-show-raw-insn", "image"], build.directory)
        .decode()
        .splitlines()
    ):
        match = re.match(r" +([0-9a-f]+):\t(.*)", line)
        if match:
            found[int(match[1], 16)] = match[2]
    return found


def check_gaps(tap, build):
    """Of two instructions below one line, the second follows the first in memory, or a gap is
    between them."""
    places = {address: number for number, address in enumerate(listing_of(build))}
    wrong, gaps = [], 0
    for entry in json.loads(build.gprof("--format=json", "--code=0", "--asm"))["code"]:
        last, has_gap = None, False
        for row in entry["rows"]:
            if row["kind"] == "instruction":
                number = places[int(row["address"], 16)]
                if last is not None and has_gap == (number == last + 1):
                    wrong.append(row["address"])
                gaps += last is not None and has_gap
                last, has_gap = number, False
            elif row["kind"] == "instruction_gap":
                has_gap = True
            else:
                last, has_gap = None, False
    tap.ok(
        gaps > 0 and not wrong,
        build.name + ": a gap stands where instructions are no neighbours",
        " ".join(wrong[:9]),
    )


AROUND = 3  # instructions that are shown before and after one with time
JUMP = re.compile(r"(bnd |notrack |repz )*(j\w+|call\w*|ret\w*)\b")


def functions_of(build):
    """[[address...]] of each function in the order of objdump, and {address: text}."""
    functions, texts = [], {}
    command = ["objdump", "-d", "-C", "--no-show-raw-insn", "image"]
    for line in harness.must_run(command, build.directory).decode().splitlines():
        if re.match(r"[0-9a-f]+ <.*>:$", line):
            functions.append([])
        match = re.match(r" +([0-9a-f]+):\t(.*)", line)
        if match:
            functions[-1].append(int(match[1], 16))
            texts[functions[-1][-1]] = match[2]
    return functions, texts


def tables_of(out):
    """For each function of --asm: its rows, (own time with its mark, total, address), or None for a
    gap."""
    for table in re.findall(r"^ *self%.*\n(?:.+\n)*", out, re.M):
        heading, *lines = table.splitlines()
        at, rows = heading.index("code"), []
        self, total = heading.index("self%") + len("self%"), heading.index("total")
        for line in lines:
            match = re.match(r" {5,}(\.\.\.$|[0-9a-f]+(?=  |$))", line[at:])
            if match and match[1] == "...":
                rows.append(None)
            elif match:
                rows.append((line[self:total].strip(), line[total:at].strip(), int(match[1], 16)))
        yield rows


def expected_rows(function, own, total, texts):
    """What tables_of should find of FUNCTION, by the samples of its instructions."""
    hot = [i for i, a in enumerate(function) if own[a] or total[a]]
    shown = [i for i in range(len(function)) if any(abs(i - h) <= AROUND for h in hot)]
    rows, last, whole = [], -1, sum(own[a] for a in function)
    for i in shown:
        rows += [None] * (i > last + 1)
        a, last = function[i], i
        is_late = own[a] and 10 * own[a] >= whole and JUMP.match(texts[a])
        self = "%.3f" % (own[a] / RATE) + "*" * bool(is_late) if own[a] else ""
        rows.append((self, "%.3f" % (total[a] / RATE) if total[a] else "", a))
    return rows + [None] * (last + 1 < len(function))


def check_order(tap, build, stacks):
    """People see instructions in the order of addresses, and around each with time its neighbours,
    whatever their lines;
    calls and jumps with much of the time are marked."""
    functions, texts = functions_of(build)
    starts = sorted(texts)
    instruction_at = lambda address: starts[bisect.bisect(starts, address) - 1]
    own, total = own_and_total(
        [([instruction_at(frame) for frame in frames], samples) for frames, samples in stacks]
    )
    out = build.gprof("--asm", "--code=0", "--quiet")
    by_start = {address: function for function in functions for address in function}
    wrong, marks, count = [], 0, 0
    for rows in tables_of(out):
        first = next(row for row in rows if row)
        expected = expected_rows(by_start[first[2]], own, total, texts)
        marks += sum(row is not None and "*" in row[0] for row in rows)
        wrong += ["%s instead of %s" % (rows, expected)] if rows != expected else []
        count += 1
    note = (
        "\n* marks calls and jumps with much time: a sample stands one instruction behind its"
        " cause\n"
    )
    what = build.name + ": instructions by address, with neighbours and marks"
    tap.ok(
        count > 3 and not wrong and (marks > 0) == (note in out),
        what,
        "\n".join(wrong[:3]) + out[-300:],
    )
    return marks


def check_instructions(tap, build, code):
    """Addresses and texts are those of objdump; each sampled address has its samples."""
    expected = listing_of(build)
    instructions = []

    def collect(rows):
        for row in rows:
            if row["kind"] == "instruction":
                instructions.append(row)
            collect(row["below"])

    for _, rows in code.values():
        collect(rows)

    def plain(text):
        return re.sub(r"\s+", " ", re.sub(r" *<.*>", "", text)).strip()

    wrong = [
        "%s %s, %s" % (row["address"], row["text"], expected.get(int(row["address"], 16)))
        for row in instructions
        if plain(expected.get(int(row["address"], 16), "?")) != plain(row["text"])
    ]
    tap.ok(
        len(instructions) > 50 and not wrong,
        build.name + ": instructions are those of objdump",
        wrong[:9],
    )


def check_build(tap, build, seed):
    rng = random.Random(seed)
    stacks = build.draw(rng)
    code = check_sums(tap, build, "histogram", "--no-stacks", "--asm")
    if build.has_lines:
        check_lines(tap, build, code)
        check_stacks(tap, build, stacks, check_sums(tap, build, "stacks"))
    check_instructions(tap, build, check_sums(tap, build, "stacks and instructions", "--asm"))
    check_gaps(tap, build)
    return check_order(tap, build, stacks) if harness.has_library("OPCODES") else 1


# ---- Texts ----

INLINED = """\
static inline __attribute__((always_inline)) int square(int x)
{
\treturn x * x;
}
"""
WORK = """\
#include "square.h"
__attribute__((noinline)) int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += square(i);
    return sum;
}
int main(void)
{
    return work(3) == 5;
}
"""


class Small:
    """A program whose samples are all in `work': one in each byte of it."""

    def __init__(self):
        self.directory = os.path.join(TEMP, "small")
        os.makedirs(self.directory)
        write(self.place("square.h"), INLINED.encode())
        write(self.place("work.c"), WORK.encode())
        harness.must_run(["gcc", "-g", "-O0", "-o", "image", "work.c"], self.directory)
        for line in harness.must_run(["nm", "-S", "image"], self.directory).decode().splitlines():
            if line.endswith(" T work"):
                self.start, self.size = (int(word, 16) for word in line.split()[:2])
        bins = {i: 1 for i in range(self.size // 2)}
        histogram = Histogram(
            self.start, self.start + self.size // 2 * 2, self.size // 2, bins, 100
        )
        write(self.place("gmon.out"), Profile(Layout(64, "little"), [histogram]).bytes())

    def place(self, name):
        return os.path.join(self.directory, name)

    def run(self, *arguments):
        status, out, err = harness.run(
            [harness.GPROF, *arguments, "image", "gmon.out"], self.directory
        )
        return status, out.decode(), err.decode()


def code_column(out):
    """The texts of rows, without figures."""
    heading, *rows = out.split("\n\n")[1].splitlines()
    return [row[heading.index("code") :] for row in rows]


def check_texts(tap):
    small = Small()
    status, out, err = small.run("-b", "--code=work")
    lines = code_column(out)
    tap.ok(
        status == 0 and not err and out.startswith("work, work.c:3: self "),
        "a title names function and place",
        out + err,
    )
    wanted = [
        "3  {",
        "4      int sum = 0;",
        "5      for (int i = 0; i < n; i++)",
        "6          sum += square(i);",
        "   square.h:3  return x * x;",
        "7      return sum;",
        "8  }",
    ]
    tap.ok(lines == wanted, "lines, and below one what was inlined there", lines)
    tap.ok(
        small.run("-b", "--code", "--no-stacks")[1] == out,
        "by default the functions with the most time",
    )
    tap.ok(small.run("-b", "--code=1")[1] == out, "or as many as a number says")
    few = code_column(small.run("-b", "--code", "--min-share=50")[1])
    tap.ok(
        few[-1].strip() == "..."
        and len([line for line in few if "sum += " in line]) == 1
        and not any("square.h" in line for line in few),
        "--min-share leaves out lines with less",
        few,
    )
    both = small.run("-b", "--top", "--code")[1]
    tap.ok(" name\n" in both and both.endswith("\f\n" + out), "after the table", both)
    status, out, err = small.run("-b", "--code=square.c:1")
    tap.ok(
        status == 1 and not out and err == "gprof: option --code: `square.c:1' matches nothing\n",
        "a function that does not exist",
        out + err,
    )
    status, out, err = small.run("-b", "--code=")
    tap.ok(
        (status, out, err) == (1, "", "gprof: option --code: `' matches nothing\n"),
        "an empty name",
        out + err,
    )
    status, out, err = small.run("-b", "--code=main")
    tap.ok(
        status == 0
        and not out
        and err == "gprof: note: no sample is in the functions that options select\n",
        "a function without time",
        out + err,
    )
    terminal = harness.run_on_terminal(
        [harness.GPROF, "-b", "--code", "--color=never", "image", "gmon.out"],
        40,
        small.directory,
        dict(harness.ENV, COLUMNS="40"),
    )
    tap.ok(max(map(len, terminal.splitlines())) <= 40, "a terminal of 40 columns", terminal)
    check_height(tap, small)
    terminal = harness.run_on_terminal(
        [harness.GPROF, "-b", "--code", "--color=always", "image", "gmon.out"], 80, small.directory
    )
    tap.ok("\33[1;31m" in terminal, "colours by share", terminal)
    os.rename(small.place("work.c"), small.place("moved.c"))
    status, out, err = small.run("-b", "--code")
    tap.ok(
        "there is no `%s'" % small.place("work.c") in err
        and err.count("\n") == 1
        and "return x * x;" in out,
        "a source that is not found",
        err,
    )
    tap.ok(not re.search(" $", out, re.M), "no line ends with blanks", out)
    status, out, err = small.run(
        "-b", "--code", "--source-map=%s=%s" % (small.place("work.c"), small.place("moved.c"))
    )
    tap.ok(not err and "sum += square(i);" in out, "it has moved", err)
    write(small.place("work.c"), b"\n" * 4 + b"\33[31m\0after\n" + b"\n" * 3)
    os.utime(small.place("work.c"), (2**31, 2**31))
    status, out, err = small.run("-b", "--code")
    tap.ok(
        "is newer than image" in err and "\33" not in out and "\\x1b[31m" in out,
        "control characters are escaped; a source is newer",
        out + err,
    )
    status, out, err = small.run("--code", "-o", "work.c")
    tap.ok(
        status == 1 and "work.c" in err and read(small.place("work.c")).startswith(b"\n"),
        "a source is not overwritten",
        err,
    )
    check_assembly(tap, small)


def check_height(tap, small):
    """On a terminal, as many of the five functions as fit, and of the first one fewer lines if it
    does not."""
    body = "".join(
        "    sum += %s;\n" % " + ".join("n * %d" % (line * 7 + i) for i in range(1 + line % 5))
        for line in range(40)
    )
    for name, count in ("long", 1), ("many", 4):
        functions = "".join(
            "__attribute__((noinline)) int f%d(int n)\n{\n    int sum = %d;\n%s    return sum;\n}\n"
            % (i, i, body if count == 1 else "    sum *= n;\n" * 3)
            for i in range(count)
        )
        write(
            small.place(name + ".c"), (functions + "int main(void)\n{\n    return 0;\n}\n").encode()
        )
        harness.must_run(["gcc", "-g", "-O0", "-o", name, name + ".c"], small.directory)
        low = (
            min(
                int(line.split()[0], 16)
                for line in harness.must_run(["nm", name], small.directory).decode().splitlines()
                if re.search(r" T f\d", line)
            )
            // 2
            * 2
        )
        bins = {i: 1 + 30 * (i % 50 == 0) for i in range(700 if count == 1 else 60)}
        write(
            small.place(name + ".gmon"),
            Profile(
                Layout(64, "little"), [Histogram(low, low + 2 * len(bins), len(bins), bins, 100)]
            ).bytes(),
        )
        for height in 24, 40:
            command = [harness.GPROF, "--quiet", "--color=never", "--code", name, name + ".gmon"]
            lines = harness.run_on_terminal(
                command, 80, small.directory, harness.ENV, height
            ).splitlines()
            whole = harness.run(command, small.directory)[1].decode().splitlines()
            titles = [line for line in lines if ": self " in line]
            rows = [line for line in lines if re.match(r" *\d+\.\d\d ", line)]
            what = "%s, %d lines" % (name, height)
            tap.ok(
                len(lines) < height < len(whole) or len(whole) < height,
                what + ": as much as fits",
                lines,
            )
            tap.ok(
                set(titles + rows) <= set(whole) and len(rows) > 1, what + ": nothing else", whole
            )
            more = [line for line in lines if "shows" in line]
            left_out = sum(": self " in line for line in whole) - len(titles)
            tap.ok(
                [re.search(r"; --code=\d shows (\d) more", line)[1] for line in more]
                == [str(left_out)] * (left_out > 0),
                what + ": what does not",
                lines,
            )
            asked = harness.run_on_terminal(
                command[:-3] + ["--code=0", name, name + ".gmon"],
                80,
                small.directory,
                harness.ENV,
                height,
            ).splitlines()
            tap.ok(len(asked) + 2 >= len(whole), what + ": what is asked for is whole", asked)


def check_odd(tap):
    """Code whose line is not known has a row; line numbers may be as large as debug information has
    them."""
    directory = os.path.join(TEMP, "odd")
    os.makedirs(directory)
    place = lambda name: os.path.join(directory, name)
    write(place("plain.c"), b"int plain(int n)\n{\n    return n * 3;\n}\n")
    write(
        place("lined.c"),
        (
            b"int plain(int n);\n__attribute__((noinline)) static int lined(int n)\n{\n    return n"
            b" + 7;\n}\n#line 4294967293\nint main(void)\n{\n    return plain(1) + lined(2);\n}\n"
        ),
    )
    harness.must_run(
        ["sh", "-c", "gcc -O0 -c plain.c && gcc -O0 -g -c lined.c && gcc -o image plain.o lined.o"],
        directory,
    )
    found = {
        line.split()[2]: int(line.split()[0], 16)
        for line in harness.must_run(["nm", "image"], directory).decode().splitlines()
        if line.endswith((" plain", " lined", " main"))
    }
    low, count = found["plain"], (found["main"] + 16 - found["plain"]) // 2
    write(
        place("gmon.out"),
        Profile(
            Layout(64, "little"),
            [Histogram(low, low + 2 * count, count, {i: 1 for i in range(count)}, 100)],
        ).bytes(),
    )
    for words in (["-a"], ["-a", "--asm"]):
        status, out, err = harness.run(
            [harness.GPROF, "--format=json", "--code=0", *words, "image", "gmon.out"], directory
        )
        data = json.loads(out)
        function = next(f for f in data["functions"] if f["name"] == "plain")
        rows = next(entry["rows"] for entry in data["code"] if entry["function"] == function["id"])
        lines = [row for row in rows if row["kind"] == "line"]
        total = sum(row["self"] or 0 for row in lines)
        unknown = [row for row in lines if row["line"] is None]
        tap.ok(
            abs(total - function["self"]) < NEAR and len(unknown) == 1 and unknown[0]["self"] > 0,
            "code without a line: %s" % " ".join(words),
            rows,
        )
    status, out, err = harness.run(
        [harness.GPROF, "-b", "--code=main", "image", "gmon.out"], directory
    )
    tap.ok(status == 0 and b"  4294967295\n" in out, "the largest line number", out + err)


def check_assembly(tap, small):
    if not harness.has_library("OPCODES"):
        return tap.skip("machine code", "no libopcodes")
    status, out, err = small.run("-b", "--asm", "--code=work")
    found = [int(a, 16) for a in re.findall(r"^[ \d.]* ([0-9a-f]+)  \w+ ", out, re.M)]
    tap.ok(
        small.start in found and "; samples per 2 bytes\n" in out,
        "instructions, and how samples are known",
        out + err,
    )
    att, intel = out, small.run("-b", "--asm", "--code=work", "--disassembler-options=intel")[1]
    tap.ok("%eax" in att and "%" not in intel.split("code\n")[1], "the syntax of Intel", intel)
    tap.refused(
        ["--disassembler-options=intel,nonsense", "image"],
        "option --disassembler-options: `intel,nonsense': no disassembler has these options",
        small.directory,
    )
    harness.must_run(["strip", "-g", "-o", "plain", "image"], small.directory)
    status, out, err = harness.run(
        [harness.GPROF, "-b", "--code", "plain", "gmon.out"], small.directory
    )
    tap.ok(
        status == 0 and out.startswith(b"work: self ") and b"imul " in out,
        "without debug information, instructions alone",
        out,
    )
    status, out, err = small.run("--asm", "--base=image")
    tap.ok(
        status == 1 and "--base" in err and "--code" in err or "--asm" in err,
        "not with a base",
        err,
    )


def main():
    tap = harness.Tap()
    check_texts(tap)
    check_odd(tap)
    marks = 0
    for name in BUILDS:
        build = Build(name)
        if not build.compiler:
            tap.skip(name, "no compiler")
            continue
        for seed in range(harness.sized(1, 20)):
            marks += check_build(tap, build, seed)
    tap.ok(marks > 0, "some calls or jumps are marked")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
