#!/usr/bin/env python3
"""Damages what gprof reads beside executables: files of call stacks, bases in JSON, profiles whose
addresses are
shifted, logs of serial lines.  The program must end by itself, with its own messages alone, in
little time and memory.

Usage: inputs.py [--kind KIND] [--draws N] [--first N] [--seed S] [--keep DIRECTORY]

A draw is a function of the kind, the seed and its number; the files of one that fails are left in
DIRECTORY (by default
tests/failures of the build tree).
"""

import sys

sys.dont_write_bytecode = True

import argparse
import copy
import gzip
import importlib.machinery
import importlib.util
import io
import json
import os
import random
import re
import shlex
import shutil

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import images

from lib import elf, harness, seeds, zstd
from lib.gmonfile import Histogram, Layout, Profile

PLAIN = Layout(64, "little")
NUMBERS = [b"0", b"1", b"-1", b"00", b"0.5", b"1e308", b"1e-308", b"1e999", b"65535", b"65536", b"4294967295", b"4294967296",
           # fmt: skip
           b"9223372036854775807", b"9223372036854775808", b"18446744073709551615", b"18446744073709551616", b"ffffffffffffffff"]
NUMBER = re.compile(rb"[0-9][0-9a-f]*(?:\.[0-9]+)?(?:e-?[0-9]+)?")

# ---- Damage ----


def damage_text(rng, data, pieces):
    """Changes one number, byte, line or range; inserts one of PIECES."""
    kind = rng.random()
    if kind < 0.3 and (found := list(NUMBER.finditer(data))):
        at = rng.choice(found)
        return data[: at.start()] + rng.choice(NUMBERS) + data[at.end() :]
    if kind < 0.5:
        lines = data.splitlines(True) or [b""]
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[at : at + rng.randrange(2)] = rng.choice(
            [[], lines[other : other + rng.randrange(1, 9)], [lines[at] * rng.randrange(1, 50)]]
        )
        return b"".join(lines)
    start = rng.randrange(len(data) + 1)
    if kind < 0.6:
        return data[:start]
    if kind < 0.75:
        return (
            data[:start]
            + rng.choice(pieces) * rng.choice([1, 1, 2, 300])
            + data[start + rng.choice([0, 0, 1, 20]) :]
        )
    data = bytearray(data)
    images.damage_bytes(rng, data, 0, len(data))
    return bytes(data)


def damage(rng, data, pieces=(b"\0", b"\n", b"\xff")):
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        data = damage_text(rng, data, pieces)
    return data


def packed(rng, data):
    """The end of the name and the content of a file with DATA, whose packing may be damaged."""
    ending, pack = rng.choice(
        [
            ("", bytes),
            ("", bytes),
            (".gz", lambda d: gzip.compress(d, mtime=0)),
            (".zst", zstd.frame),
        ]
    )
    data = bytearray(pack(data))
    if ending and rng.random() < 0.3:
        images.damage_bytes(rng, data, 0, len(data))
    return ending, bytes(data)


# ---- Kinds: a draw is the files and the arguments of a command ----

MORE_HEADS = [
    "# ticks 7",
    "# file 2 - /nowhere/image",
    "# file 7 00ff /nowhere/a b",
    "# file 7 - image",
    "# thread 4711 worker 1",
    "# thread 12",
    "# new 1",
]
HEADS = ["# rate 100", "# histogram 10000 101a0 24", "# cpu-time 12345678", "# counting 0"]
FRAMES = [
    "2:10004",
    "2:10010",
    "2:10024",
    "2:10050",
    "2:10070",
    "7:500",
    "8:10",
    "?",
    "2:ffffffffffffffff",
    "9:0",
]


def stacks_text(rng):
    lines = ["# regmon stacks 3", *(head for head in HEADS if rng.random() < 0.9)]
    lines += [
        "# rate %d" % rng.choice([1, 100, 4294967295]),
        "# program 2 image",
        "# object 7 libc.so.6",
        "# object 8 libregmon.so.0",
    ]
    lines += [head for head in MORE_HEADS if rng.random() < 0.5]
    total, frames = 0, FRAMES[: rng.randrange(2, len(FRAMES))]
    for _ in range(rng.randrange(1, 30)):
        if rng.random() < 0.1:
            lines.append("# thread %d %s" % (rng.randrange(4), rng.choice(["", "worker", "a b"])))
        count = rng.choice([1, 1, 5, 24, 0, 2**32])
        depth = rng.choice([1, 3, 8, 8, 400])
        lines.append("%s %d" % (";".join(rng.choice(frames) for _ in range(depth)), count))
        total += count
    return "\n".join([*lines, "# samples %d" % total, ""]).encode()


STACK_PIECES = [b";", b":", b"?", b" ", b"\n", b"\0", b"2:10004;", b"7:500;", b"# ", b"# object 65535 x\n", b"# object 7 \n", b"# program 7 y\n",
                b"# rate 0\n", b"# samples 0\n", b"# histogram 0 ffffffffffffffff 0\n", b"\n# regmon stacks 3\n", b"2:0;" * 2000,
                # fmt: skip
                b"# file 7 - image\n", b"# file 2 ", b"# ticks 18446744073709551615\n", b"# thread 1 x\n"]
STACK_OPTIONS = ["--top", "--top=0 --columns=callers,callees,total,name", "--tree",
                 "--tree=inner --depth=3", "-b -p -q", "-b -p -q --stacks", "--format=json",
                 "--format=html", "--format=folded", "--format=pprof", "--format=speedscope", "--format=callgrind", "--format=dot", "--format=section-order",
                 # fmt: skip
                 "--top --sort=-total", "--top --names=raw -z", "--tree --focus=left", "--top --fold-libraries", "--tree --fold-libraries", "-s -o sum", "-s -o sum -p -q", "--per-file"]


def draw_stacks(rng, whole):
    ending, data = packed(
        rng,
        damage(rng, stacks_text(rng), STACK_PIECES) if rng.random() < 0.95 else stacks_text(rng),
    )
    words = rng.choice(STACK_OPTIONS).split()
    if rng.random() < 0.5 and not {"-s", "--per-file", "--stacks"} & set(words):
        return {"image": whole["image"], "gmon.out": whole["profile"], "x" + ending: data}, [
            *words,
            "--stacks=x" + ending,
            "image",
            "gmon.out",
        ]
    files = {
        "image": whole["image"],
        "gmon.out": whole["profile"],
        "gmon.out.stacks" + ending: data,
    }
    more = []
    if rng.random() < 0.4:
        files["two"], files["two.stacks"], more = whole["profile"], stacks_text(rng), ["two"]
    return files, [
        *words,
        *(["--stacks"] if rng.random() < 0.3 else []),
        "image",
        "gmon.out",
        *more,
    ]


def places(value, found):
    """All (container, key) below VALUE."""
    for key in (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    ):
        found.append((value, key))
        places(value[key], found)
    return found


JSON_PIECES = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b'"',
    b"\\",
    b"null",
    b"-",
    b"1e5",
    b"\xc3",
    b"\\ud800",
    b'"id":0,',
    b"[" * 3000,
]
JSON_VALUES = [None, True, 0, 1, 2, -1, 0.5, 1e308, -1e308, 5e-324, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, "", "f", "0x10", "0x0",
               # fmt: skip
               "0xffffffffffffffff", "\u0001\u00e9", "x" * 5000, [], {}, [0], [[]], {"a": 1}]
BASE_OPTIONS = ["", "--top", "--format=csv", "--format=json", "--format=html", "--format=folded", "--format=markdown", "--format=benchmark",
                "--fail-above=10", "--fail-above=1 --fail-scope=inclusive", "--fail-above=5 --fail-scope=both --fail-inconclusive", "--fail-calls=1",
                # fmt: skip
                "--base-runs=3 --fail-above=10 --alpha=0.5", "--no-stacks", "--fail-above=1 --allow=left"]


def draw_base(rng, whole):
    text = rng.choice(whole["bases"])
    if rng.random() < 0.7:
        value = json.loads(text)
        for _ in range(rng.choice([1, 1, 2, 3, 8])):
            where, key = rng.choice(places(value, [])) if value else (None, None)
            kind = rng.random()
            if where is None:
                break
            if kind < 0.15:
                del where[key]
            elif kind < 0.25 and isinstance(where, list):
                where[key:key] = [where[key]] * rng.choice([1, 2, 50])
            elif kind < 0.35:
                other, name = rng.choice(places(value, []))
                where[key] = json.loads(json.dumps(other[name]))
            else:
                where[key] = copy.deepcopy(rng.choice(JSON_VALUES))  # later damage may be in it
        text = json.dumps(value).encode()
    else:
        text = damage(rng, text, JSON_PIECES)
    ending, data = packed(rng, text)
    name = "base.json" + ending
    files = {"image": whole["image"], "gmon.out": whole["profile"], name: data}
    if rng.random() < 0.7:
        files["gmon.out.stacks"] = stacks_text(rng)
    return files, ["--base=" + name, *rng.choice(BASE_OPTIONS).split(), "image", "gmon.out"]


GMON_OPTIONS = ["-b", "-b -c", "-b -l -A", "-b -C", "-i", "--top", "--format=json", "--tree", "-s -o sum", "-s -o sum -p -c", "-s -o sum two",
                "--slide=0x1000 -b", "--slide=-1 -b -q", "--slide=0xffffffffffffffff -i", "--slide=0x7fffffffffffffff -s -o sum -p", "--slide=0 -b",
                # fmt: skip
                "--per-file", "-b -r", "--skip-bad -b", "-Omagic -b", "-Obsd -b", "-O4.4bsd -b", "--format=callgrind", "-b -n left -q"]


def moved(record, number, mask):
    if isinstance(record, Histogram):
        low, high = record.low + number & mask, record.high + number & mask
        return Histogram(
            low, high, record.count, record.bins, record.rate, record.dimension, record.abbreviation
        )
    if record[0] == "arc":
        return (
            "arc",
            record[1] and record[1] + number & mask,
            record[2] + number & mask,
            record[3],
        )
    return ("blocks", [(address + number & mask, count) for address, count in record[1]])


def draw_gmon(rng, whole):
    bits, order = rng.choice(seeds.LAYOUTS)
    unit = rng.choice([1, 16, 4096, 65536, 2**28])
    number, mask = rng.choice([0, 1, 1, -1, rng.randrange(2**20)]) * unit, 2**bits - 1
    files, words = {"image": whole["%d-%s" % (bits, order)]}, rng.choice(GMON_OPTIONS).split()
    for name in ("gmon.out", "two"):
        records = [
            moved(record, number, mask)
            for record in seeds.PROFILES[rng.choice(["all", "all", *seeds.PROFILES])]
        ]
        format, version = rng.choice(["magic", "magic", "bsd", "bsd44"]), rng.choice([0, 1, 1])
        if not any(isinstance(record, Histogram) for record in records):
            format = "magic"
        data = bytearray(Profile(Layout(bits, order), records).bytes(format, version))
        for _ in range(
            rng.choice([0, 1, 1, 2, 5]) if name == "gmon.out" else rng.choice([0, 0, 1])
        ):
            images.damage_bytes(rng, data, 0, rng.choice([20, 64, len(data)]))
            if rng.random() < 0.2:
                del data[rng.randrange(len(data) + 1) :]
            if rng.random() < 0.2 and len(data) > 8:
                at = rng.randrange(len(data) - 7)
                data[at : at + 8] = rng.choice(images.NUMBERS).to_bytes(8, order)
        files[name] = bytes(data)
    if rng.random() < 0.2:
        ending, files["gmon.out"] = packed(rng, files["gmon.out"])
    return files, [*words, "image", "gmon.out", *(["two"] if rng.random() < 0.3 else [])]


SERIAL_PIECES = [b"regmon begin: AAAAAA\n", b"regmon end: AAAAAA\n", b"regmon  AAAAAA\n", b"regmon A AAAAAA\n", b"regmon ", b"=",
                 b"\r\n", b"\0", b"\xff", b"/+"]  # fmt: skip


def draw_serial(rng, whole):
    log = b"".join(rng.choice(whole["logs"]) for _ in range(rng.choice([1, 1, 2, 3])))
    return {"image": whole["image"], "log": damage(rng, log, SERIAL_PIECES)}, rng.choice(
        [[], [], ["-n1"], ["-n2"], ["-n0"], ["-n-1"]]
    ) + ["log"]


KINDS = {"stacks": draw_stacks, "base": draw_base, "gmon": draw_gmon, "serial": draw_serial}

# ---- What is damaged ----


def must_report(words, directory):
    return harness.must_run([harness.GPROF, "--quiet", *words], directory)


def serial_logs(directory):
    """Logs with the profiles that they hold; none without a compiler."""
    compiler, boards = harness.tool("CC", "cc"), os.path.join(harness.SRCDIR, "runtime", "boards")
    if not compiler:
        return {}
    sources = [
        os.path.join(harness.TESTS, "boards", "host.c"),
        os.path.join(boards, "regmon_board.c"),
    ]
    harness.must_run(
        compiler
        + [
            "-std=gnu11",
            "-O1",
            "-fno-pic",
            "-no-pie",
            "-I",
            boards,
            "-o",
            os.path.join(directory, "host"),
            *sources,
        ]
    )
    logs = {}
    for bits, calls in (("16", "3"), ("16", "20000"), ("32", "3"), ("32", "20000")):
        harness.must_run(["./host", bits, calls, "profile", "log"], directory)
        logs[harness.read(os.path.join(directory, "log"))] = harness.read(
            os.path.join(directory, "profile")
        )
    return logs


def make_whole():
    """What is damaged, by name."""
    directory = os.path.join(harness.TEMP, "inputs")
    os.mkdir(directory)
    whole = {name[3:]: data for name, data in images.assembled_images()}
    whole["image"], whole["profile"] = (
        elf.parse(seeds.IMAGE).bytes(),
        Profile(PLAIN, seeds.PROFILES["all"]).bytes(),
    )
    for name, data in (
        ("image", whole["image"]),
        ("gmon.out", whole["profile"]),
        ("x", stacks_text(random.Random(1))),
    ):
        harness.write(os.path.join(directory, name), data)
    measured = must_report(["--format=json", "--stacks=x", "image", "gmon.out"], directory)
    whole["bases"] = [
        measured,
        measured,
        must_report(["--format=json", "image", "gmon.out"], directory),
        seeds.JSON.encode(),
    ]
    whole["held"] = serial_logs(directory)
    whole["logs"] = sorted(whole["held"])
    return whole


# ---- Running ----


def load_serial():
    path = os.path.join(harness.SRCDIR, "contrib", "boards", "regmon-serial")
    loader = importlib.machinery.SourceFileLoader("regmon_serial", path)
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("regmon_serial", loader)
    )
    loader.exec_module(module)
    return module


def serial_complaint(directory, words, whole):
    """What is wrong with a run of regmon-serial, in this process; then with gprof's report on the
    profile."""
    output, said, here, module = (
        os.path.join(directory, "gmon.out"),
        io.StringIO(),
        os.getcwd(),
        load_serial(),
    )
    old, sys.argv, sys.stderr = (sys.argv, sys.stderr), ["regmon-serial", *words], said
    os.chdir(directory)
    status = 0
    try:
        module.main()
    except SystemExit as end:
        status = end.code
    except BaseException as error:  # a bug of any kind
        return "regmon-serial: %r" % error, 0, 0
    finally:
        sys.argv, sys.stderr = old
        os.chdir(here)
    if status == 1:
        good = (
            said.getvalue().startswith("regmon-serial: ")
            and said.getvalue().count("\n") == 1
            and not os.path.exists(output)
        )
        return "" if good else "status 1: %s" % said.getvalue(), 0, 0
    if status != 0 or harness.read(output) not in whole["held"].values():
        return "status %d, and a profile that no board has sent" % status, 0, 0
    return images.judged(["-b", "image", "gmon.out"], directory, (0,))


def one_draw(kind, seed, number, whole, keep):
    """(what is wrong or empty, seconds of processor time, megabytes) of a draw, whose files are
    kept if it is wrong."""
    rng = random.Random("%s/%s/%d" % (kind, seed, number))
    files, words = KINDS[kind](rng, whole)
    directory = os.path.join(harness.TEMP, "draw-%d" % os.getpid())
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    for name, data in files.items():
        harness.write(os.path.join(directory, name), data)
    if kind == "serial":
        what, seconds, megabytes = serial_complaint(directory, words, whole)
    else:
        what, seconds, megabytes = images.judged(
            words, directory, (0, 1, 3, 4) if kind == "base" else (0, 1)
        )
    if what:
        kept = os.path.join(keep, "%s-%s-%d" % (kind, seed, number))
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(directory, kept)
        harness.write(
            os.path.join(kept, "COMMAND"), ("%s\n%s\n" % (shlex.join(words), what)).encode()
        )
        what = "%s, seed %s, draw %d: %s: %s" % (kind, seed, number, shlex.join(words), what)
    return what, seconds, megabytes


class Draws:
    """Draws of a kind, for harness.parallel."""

    def __init__(self, kind, seed, whole, keep):
        self.arguments = kind, seed, whole, keep

    def __call__(self, number):
        kind, seed, whole, keep = self.arguments
        return one_draw(kind, seed, number, whole, keep)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=sorted(KINDS), action="append")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", default=os.path.join(harness.BUILDDIR, "tests", "failures"))
    arguments = parser.parse_args()
    whole, failures = make_whole(), 0
    for kind in arguments.kind or sorted(KINDS):
        numbers = range(arguments.first, arguments.first + arguments.draws)
        slowest, largest = (0, 0), (0, 0)
        for number, result in zip(
            numbers, map(Draws(kind, arguments.seed, whole, arguments.keep), numbers)
        ):
            what, seconds, megabytes = result
            slowest, largest = max(slowest, (seconds, number)), max(largest, (megabytes, number))
            failures += bool(what)
            if what:
                print(what, flush=True)
        print(
            "%s: %d draws, slowest %.2f s (%d), largest %d MB (%d)"
            % (kind, len(numbers), *slowest, *largest),
            flush=True,
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
