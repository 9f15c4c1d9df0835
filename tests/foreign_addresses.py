#!/usr/bin/env python3
"""Profiles of other profilers that have addresses: the executable in front of them names these.

Profiles of gperftools are drawn in each layout of words, and figures compared with those that are
computed here from
the same stacks and the symbols that nm prints.  Then a real program is profiled.  Files that cannot
be used are refused
with their name and the place in them.

With CHECK_LONG=1, more profiles and damaged files are drawn.
"""

import sys

sys.dont_write_bytecode = True

import bisect
import gzip
import os
import random
import re
import struct

import foreign
from foreign import difference, field, figures, folded, gprof, model, perf_script, place, varint
from lib import harness
from lib.harness import TEMP, write

SOURCE = r"""
#define KEEP __attribute__((noinline, noclone, used))
volatile int sink;
KEEP static void inner(void) { sink++; sink++; }
KEEP void outer(void) { inner(); sink++; }
KEEP void other(void) { outer(); sink++; }
int main(void) { other(); return 0; }
"""
LAYOUTS = [(8, "<"), (8, ">"), (4, "<"), (4, ">")]
LIBRARY = "/nowhere/libother.so.1"


def build(name, *flags):
    write(place(name + ".c"), SOURCE.encode())
    harness.must_run(["gcc", "-g", "-O1", *flags, "-o", name, name + ".c"], cwd=TEMP)


def functions_of(name):
    """[(address, size, name)] of the functions in an executable."""
    found = []
    for line in (
        harness.must_run(["nm", "-S", "--defined-only", name], cwd=TEMP).decode().splitlines()
    ):
        words = line.split()
        if len(words) == 4 and words[2] in "tT":
            found.append((int(words[0], 16), int(words[1], 16), words[3]))
    return sorted(found)


def segment_of(name):
    """(offset, address, size) of the segment with the code."""
    text = harness.must_run(["readelf", "-lW", name], cwd=TEMP).decode()
    numbers = re.search(r"LOAD +(\w+) (\w+) \w+ (\w+) \w+ R E", text)
    return tuple(int(number, 16) for number in numbers.groups())


# ---- Writers ----


def words_of(layout, *numbers):
    size, order = layout
    return struct.pack("%s%d%s" % (order, len(numbers), "Q" if size == 8 else "I"), *numbers)


def gperftools(layout, records, maps, period=10000, header=3):
    """A profile: records are (count, addresses, innermost first)."""
    body = words_of(layout, 0, header, 0, period, *[0] * (header - 2))
    for count, addresses in records:
        body += words_of(layout, count, len(addresses), *addresses)
    return body + words_of(layout, 0, 1, 0) + maps.encode()


class Loaded:
    """An executable as a process has it in memory: where, and under which path."""

    def __init__(self, name, slide):
        offset, address, size = segment_of(name)
        self.slide, path, page = slide, place(name), offset & ~0xFFF
        low, high = slide + address & ~0xFFF, (slide + address + size + 0xFFF) & ~0xFFF
        self.functions = functions_of(name)
        self.library = 0x7F000000
        lines = [
            "build=/nowhere",
            "%08x-%08x r--p 00000000 08:01 42     %s" % (low - 0x1000, low, path),
            "%08x-%08x r-xp %08x 08:01 42     %s" % (low, high, page, path),
            "%08x-%08x r-xp 00001000 08:01 43     %s"
            % (self.library, self.library + 0x9000, LIBRARY),
            "%08x-%08x r-xp 00000000 00:00 0 " % (0x7E000000, 0x7E001000),
            "%08x-%08x r-xp 00000000 00:00 0      [vdso]" % (0x7D000000, 0x7D001000),
        ]
        self.maps = "".join(line + "\n" for line in lines)

    def address(self, function, offset):
        start = next(f[0] for f in self.functions if f[2] == function)
        return self.slide + start + offset

    def name(self, address):
        """What a frame at this address is called; None: nothing is known."""
        for low, high, name in (
            (0x7D000000, 0x7D001000, "[vdso]"),
            (self.library, self.library + 0x9000, "[libother.so.1]"),
        ):
            if low <= address < high:
                return name
        starts = [f[0] for f in self.functions]
        number = bisect.bisect_right(starts, address - self.slide) - 1
        inside = number >= 0 and 0x400000 <= address < 0x7D000000
        return self.functions[number][2] if inside else None

    def draw(self, rng):
        """A frame: an address that a walk of the stack may find."""
        kind = rng.random()
        if kind < 0.8:
            _, size, name = rng.choice(
                [f for f in self.functions if f[2] in ("inner", "outer", "other", "main")]
            )
            return self.address(
                name, rng.randint(1, size)
            )  # behind the last byte: a call that does not return
        return rng.choice([self.library + rng.randint(1, 0x8FFF), 0x7E000010, 0x7D000020, 0x1234])

    def stack(self, addresses):
        """The names of a record, outermost first."""
        if len(addresses) > 1 and addresses[0] == addresses[1]:
            addresses = addresses[:1] + addresses[2:]
        names = [self.name(a - (i > 0)) for i, a in enumerate(addresses)][::-1]
        is_cut = names[0] is None or len(addresses) >= 253
        while names and names[0] is None:
            del names[0]
        return tuple(["<unknown>"] * is_cut + [name or "[unknown]" for name in names])


# ---- Checks ----


def check_drawn(tap, loaded):
    """Drawn records in each layout, of programs at a fixed address and elsewhere."""
    rng = random.Random(11)
    for what, name in (("fixed", "fixed"), ("position-independent", "free")):
        for layout in LAYOUTS:
            wrong = ""
            for draw in range(harness.sized(4, 200)):
                stacks, records = {}, []
                for _ in range(rng.randint(1, 30)):
                    addresses = [loaded[name].draw(rng) for _ in range(rng.choice([1, 2, 5, 12]))]
                    addresses[0] = loaded[name].address("inner", rng.randint(0, 3))
                    if len(addresses) > 1 and rng.random() < 0.2:
                        addresses[1] = addresses[0]
                    count = rng.randint(1, 300)
                    records.append((count, addresses))
                    stack = loaded[name].stack(addresses)
                    stacks[stack] = stacks.get(stack, 0) + count
                data = gperftools(layout, records, loaded[name].maps, header=rng.choice([3, 3, 5]))
                write(place("drawn"), gzip.compress(data) if draw % 3 == 0 else data)
                wrong = wrong or difference(
                    figures(*([name] if draw % 2 else []), "drawn"), model(stacks, 100.0)
                )
            tap.ok(not wrong, "%s, %d bytes, %s" % (what, layout[0], layout[1]), wrong)


def check_records(tap, free):
    """Records that are special."""
    inner, outer = free.address("inner", 0), free.address("outer", 3)
    only = lambda records, **more: gperftools(LAYOUTS[0], records, free.maps, **more)
    long = [inner] + [outer] * 252
    first = free.address("main", 0)  # behind a call at the end of the function before it
    before = {
        name: numbers[:2] for name, numbers in model({free.stack([inner, first]): 4}, 100.0).items()
    }
    for what, data, expected, words in [
        ("the leaf is not a call", only([(4, [inner])]), {"inner": (0.04, 0.04)}, ["free"]),
        ("callers are", only([(4, [inner, first])]), before, ["free"]),
        (
            "a leaf that was recorded twice",
            only([(4, [inner + 1, inner + 1, outer])]),
            {"inner": (0.04, 0.04), "outer": (0, 0.04)},
            ["free"],
        ),
        (
            "a cut stack",
            only([(4, long)]),
            {"inner": (0.04, 0.04), "outer": (0, 0.04), "<unknown>": (0, 0.04)},
            ["free"],
        ),
        (
            "an unknown stack",
            only([(4, [8, 9]), (1, [inner])]),
            {"<unknown>": (0.04, 0.04), "inner": (0.01, 0.01)},
            ["free"],
        ),
        ("nothing known", only([(4, [8, 9])]), {"<unknown>": (0.04, 0.04)}, ["free"]),
        ("another period", only([(4, [inner])], period=250), {"inner": (0.001, 0.001)}, ["free"]),
        ("--from", only([(4, [inner])]), {"inner": (0.04, 0.04)}, ["--from=gperftools", "free"]),
        ("--from alone", only([(4, [inner])]), {"inner": (0.04, 0.04)}, ["--from=gperftools"]),
        ("another name", only([(4, [inner])]), {"inner": (0.04, 0.04)}, ["renamed"]),
        (
            "a deleted program",
            only([(4, [inner])]).replace(b"free\n", b"free (deleted)\n"),
            {"inner": (0.04, 0.04)},
            ["free"],
        ),
    ]:
        write(place("special"), data)
        found = {name: numbers[:2] for name, numbers in figures(*words, "special").items()}
        tap.ok(not difference(found, expected), what, difference(found, expected))
    write(place("two"), only([(4, [inner])]))
    found = figures("free", "two", "special")
    tap.ok(abs(found["inner"][0] - 0.08) < 1e-9, "two profiles", found)
    found = figures("--from=gperftools", "free", "-", stdin=only([(4, [inner])]))
    tap.ok(abs(found["inner"][0] - 0.04) < 1e-9, "standard input", found)
    os.makedirs(place("runs"), exist_ok=True)
    for name in ("a", "b", "c"):
        write(place("runs/" + name), only([(4, [inner])]))
    tap.ok(abs(figures("free", "runs")["inner"][0] - 0.12) < 1e-9, "a directory")
    said = gprof("--top", "renamed", "special")[1]
    tap.ok(
        "warning: special: was recorded from %s (deleted), but its addresses are looked up in"
        " renamed"
        % place("free")
        in said,
        "another name: a warning",
        said,
    )
    out = gprof(
        "-b",
        "--top",
        "--by=line",
        "--format=csv",
        "--columns=file,line,name",
        "--quiet",
        "free",
        "two",
    )[0]
    tap.ok(re.search(r"free\.c,4,inner", out.replace('"', "")), "lines", out)
    os.utime(place("two"), (1e9, 1e9))
    said = gprof("--top", "free", "two")[1]
    tap.ok(said.count("free: is newer than two") == 1, "a newer program: one note", said)


def check_base(tap, free):
    def recording(slow):
        return gperftools(
            LAYOUTS[0],
            [(4000, [free.address("inner", 0)]), (slow, [free.address("outer", 0)])],
            free.maps,
        )

    write(place("before"), recording(4000))
    write(place("after"), recording(8000))
    for what, words in (
        ("", ["--one-run", "--base=before"]),
        (", with its executable", ["--one-run", "--base=fixed", "--base-profile=before"]),
    ):
        if "fixed" in words[0]:
            write(
                place("before"),
                recording(4000).replace(place("free").encode(), place("fixed").encode()),
            )
            harness.must_run(["cp", "free", "fixed"], cwd=TEMP)
        result = harness.run([harness.GPROF, "--fail-above=5", *words, "free", "after"], cwd=TEMP)
        tap.ok(result[0] == 3 and b"outer" in result[2], "--base" + what, result)
        result = harness.run([harness.GPROF, "--fail-above=5", *words, "free", "before"], cwd=TEMP)
        tap.ok(result[0] == 0, "--base of the same" + what, result)


def check_bad(tap, free):
    """What is refused, with the place in the file, and without output."""
    inner = free.address("inner", 0)
    good = gperftools(LAYOUTS[0], [(4, [inner, inner + 1])], free.maps)
    head, text = 40, 40 + 32 + 24  # bytes: where the records begin, and the mappings
    many = gperftools(LAYOUTS[0], [(1 << 52, [inner]), (1 << 52, [inner]), (1, [inner])], free.maps)
    lines = lambda new: good[:text] + new.encode()
    for what, data, message, words in [
        ("a cut header", good[:33], "byte 0: no gperftools profile header", ["--from=gperftools"]),
        ("no records", good[:40], "byte 40: the file ends inside", ["free"]),
        ("a cut record", good[: head + 24], "byte 40: the file ends inside", ["free"]),
        (
            "a depth too large",
            good[: head + 8] + words_of(LAYOUTS[0], 1 << 63) + good[head + 16 :],
            "byte 40: the file ends inside",
            ["free"],
        ),
        (
            "no samples in a record",
            good[:head] + bytes(8) + good[head + 8 :],
            "byte 40: a record without",
            ["free"],
        ),
        (
            "no frames in a record",
            good[: head + 8] + bytes(8) + good[head + 16 :],
            "byte 40: a record without",
            ["free"],
        ),
        ("too many samples", many, "byte 88: more samples than", ["free"]),
        ("no mappings", good[:text], "byte 96: no list", ["free"]),
        (
            "no mapping with code",
            lines("1000-2000 r--p 0 0:0 1 /a\n"),
            "byte %d: no list" % (text + 26),
            ["free"],
        ),
        ("a cut line", good[:-3], "byte %d: no list" % (len(good) - 3), ["free"]),
        ("no mapping", lines("build=x\n1000-2000\n"), "byte 104: not a line of", ["free"]),
        (
            "an empty mapping",
            lines("1000-1000 r-xp 0 0:0 1 /a\n"),
            "byte 96: not a line of",
            ["free"],
        ),
        (
            "an address too large",
            lines("10000000000000000-20000000000000000 r-xp 0 0:0 1 /a\n"),
            "byte 96: not a line of",
            ["free"],
        ),
        ("a NUL", lines("1000-2000 r-xp 0 0:0 1 /a\0b\n"), "byte 96: not a line of", ["free"]),
        (
            "a long line",
            lines("1000-2000 r-xp 0 0:0 1 /" + 20000 * "a" + "\n"),
            "byte 96: not a line of",
            ["free"],
        ),
        (
            "a program that is not there",
            good.replace(b"/free\n", b"/gone\n"),
            "name the executable before",
            [],
        ),
        (
            "a program that is no program",
            good.replace(place("free").encode(), place("free.c").encode()),
            "name the executable before",
            [],
        ),
        ("no samples", gperftools(LAYOUTS[0], [], free.maps), "has no samples", ["free"]),
        (
            "folded stacks behind an executable",
            folded({("main", "f"): 3}),
            "leave out the executable free",
            ["free"],
        ),
        (
            "perf's text behind an executable",
            perf_script({("main", "f"): 3}),
            "leave out the executable free",
            ["free"],
        ),
        (
            "perf.data behind an executable",
            b"PERFILE2" + bytes(99),
            "leave out the executable free",
            ["free"],
        ),
        (
            "an option of -pg",
            good,
            "--line needs a -pg profile, and bad is from another profiler",
            ["-l", "free"],
        ),
        ("no executable", good, "the first argument must be the profiled executable", ["gone"]),
        ("another file as executable", good, "is text, but of none", ["free.c"]),
        ("an executable without symbols", good, "has no symbols", ["bare"]),
    ]:
        write(place("bad"), data)
        status, out, err = harness.run([harness.GPROF, "--top", *words, "bad"], cwd=TEMP)
        lines_said = err.decode().splitlines()
        good_enough = (
            status == 1 and out == b"" and message in err.decode() and len(lines_said) == 1
        )
        tap.ok(good_enough, "refused: " + what, (status, out, err))


def pprof_of(records, mappings, strings):
    """A profile in the format of pprof without functions: records are (count, locations); a
    location is (mapping,
    address)."""
    texts, locations, parts = (
        ["", "cpu", "nanoseconds"] + strings,
        {},
        [field(1, field(1, 1) + field(2, 2))],
    )
    for count, frames in records:
        ids = [locations.setdefault(frame, len(locations) + 1) for frame in frames]
        parts.append(
            field(2, field(1, b"".join(map(varint, ids))) + field(2, varint(count * 10000000)))
        )
    for number, (start, limit, offset, text) in enumerate(mappings):
        parts.append(
            field(
                3,
                field(1, number + 1)
                + field(2, start)
                + field(3, limit)
                + field(4, offset)
                + field(5, text),
            )
        )
    for (mapping, address), number in locations.items():
        parts.append(
            field(4, field(1, number) + (field(2, mapping) if mapping else b"") + field(3, address))
        )
    parts.append(field(11, field(1, 1) + field(2, 2)) + field(12, 10000000))
    return b"".join(parts) + b"".join(field(6, text.encode()) for text in texts)


def check_pprof(tap, free, fixed):
    offset, address, size = segment_of("free")
    low, page = free.slide + address & ~0xFFF, offset & ~0xFFF
    maps = [(0x7F000000, 0x7F009000, 0, 3), (low, low + size + 0x1000, page, 4)]
    inner, main = free.address("inner", 2), free.address("main", 4)
    write(
        place("plain.pb"),
        pprof_of(
            [(3, [(2, inner), (2, main)]), (2, [(1, 0x7F000010), (2, main)])],
            maps,
            [LIBRARY, "/x/free"],
        ),
    )
    expected = {"inner": (0.03, 0.03), "main": (0, 0.05), "libother.so.1+0x10": (0.02, 0.02)}
    found = {name: numbers[:2] for name, numbers in figures("free", "plain.pb").items()}
    tap.ok(not difference(found, expected), "pprof: mappings", difference(found, expected))
    found = figures("plain.pb")
    tap.ok("free+0x%x" % (inner - low + page) in found, "pprof: without an executable", found)
    linked = [(0, fixed.address("inner", 2)), (0, fixed.address("main", 4))]
    write(place("linked.pb"), pprof_of([(3, linked)], [], []))
    found = {name: numbers[:2] for name, numbers in figures("fixed", "linked.pb").items()}
    tap.ok(
        not difference(found, {"inner": (0.03, 0.03), "main": (0, 0.03)}),
        "pprof: no mappings",
        found,
    )
    write(place("named.pb"), foreign.pprof({("main", "f"): 4}))
    tap.ok(set(figures("free", "named.pb")) == {"main", "f"}, "pprof: functions of the profile")


def check_damage(tap, free):
    rng = random.Random(12)
    inner = free.address("inner", 0)
    records = [(3, [inner, free.address("main", 4)]), (2, [free.library + 7, inner + 2, inner + 3])]
    offset, address, size = segment_of("free")
    low = free.slide + address & ~0xFFF
    maps = [(low, low + size, offset, 3), (0x7F000000, 0x7F009000, 0, 4)]
    seeds = [("gperftools", gperftools(layout, records, free.maps)) for layout in LAYOUTS]
    seeds.append(
        (
            "pprof",
            pprof_of(
                [(3, [(1, inner), (2, 0x7F000010), (9, 5)])], maps, ["/x/free", place("free")]
            ),
        )
    )
    for form, seed in seeds:
        choices = [0, 1, 3, 10, 32, 45, 47, 127, 128, 255]
        foreign.check_damaged(
            tap,
            rng,
            form,
            seed,
            harness.sized(30, 5000),
            choices,
            [["--from=" + form, "--top", "free"]],
        )


def theirs():
    """{function: [self, total]} in samples, as google-pprof prints them of the real program."""
    result = harness.run(["google-pprof", "--text", "work", "cpu.prof"], cwd=TEMP)
    found = {}
    for line in result[1].decode().splitlines():
        words = line.split()
        if len(words) == 6 and words[1].endswith("%"):
            found[words[5]] = [int(words[0]), int(words[3])]
    return found


def check_real(tap):
    what = "libprofiler"
    write(place("work.c"), foreign.PROGRAM.encode())
    command = [
        "gcc",
        "-O0",
        "-g",
        "-fno-omit-frame-pointer",
        "-o",
        "work",
        "work.c",
        "-Wl,--no-as-needed",
        "-lprofiler",
    ]
    if harness.run(command, cwd=TEMP)[0] != 0:
        return tap.skip(what, "libgoogle-perftools-dev is not installed")
    env = dict(harness.ENV, CPUPROFILE=place("cpu.prof"), CPUPROFILE_FREQUENCY="250")
    result = harness.run(["./work"], cwd=TEMP, env=env)
    if result[0] != 0 or not os.path.exists(place("cpu.prof")):
        return tap.skip(what, "libprofiler may not profile here")
    rows = gprof(
        "--quiet",
        "--top",
        "--by=line",
        "--format=csv",
        "--columns=self,file,line,name",
        "work",
        "cpu.prof",
    )[0]
    tap.ok(re.search(r"work\.c,4,spin", rows.replace('"', "")), "%s: lines" % what, rows)
    samples, found = theirs(), figures("work", "cpu.prof")
    if not samples:
        return tap.skip("google-pprof", "it is not installed")
    known = {name: total for name, (_, total) in samples.items()}
    for how, words in (("with its executable", ["work"]), ("alone", [])):
        wrong = foreign.wrong_shares(figures(*words, "cpu.prof"), known)
        tap.ok(not wrong, "%s: %s" % (what, how), wrong)
    wrong = []
    for name in ("spin", "heavy", "light", "deep", "rest", "main"):
        for number, ours in zip(samples.get(name, [0, 0]), found.get(name, (0, 0))):
            if abs(number / 250 - ours) > 0.002:
                wrong.append("%s: %s, not %s samples" % (name, found.get(name), samples.get(name)))
    return tap.ok(not wrong, "the figures of google-pprof", wrong)


def main():
    tap = harness.Tap()
    build("fixed", "-no-pie")
    build("free", "-pie", "-fPIE")
    harness.must_run(["cp", "free", "renamed"], cwd=TEMP)
    build("bare", "-no-pie", "-s", "-static")
    loaded = {"fixed": Loaded("fixed", 0), "free": Loaded("free", 0x56000000)}
    check_drawn(tap, loaded)
    check_records(tap, loaded["free"])
    check_bad(tap, loaded["free"])
    check_pprof(tap, loaded["free"], loaded["fixed"])
    check_damage(tap, loaded["free"])
    check_base(tap, loaded["free"])
    check_real(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
