#!/usr/bin/env python3
"""Damages executables and has the program report on them: headers, section headers, symbols, debug
information, length.  It must end by itself, with status 0 or 1, with its own messages alone, in
little
time and memory.

Usage: images.py [--seconds N | --draws N] [--seed S] [--keep DIRECTORY]

A draw is a function of the seed and its number; what makes the program fail is left in DIRECTORY
(by
default tests/failures of the build tree).  tests/fuzz/regressions/image holds what did so once.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import functools
import os
import random
import resource
import struct
import subprocess
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from lib import elf, harness, seeds
from lib.gmonfile import Layout, Profile

OPTIONS = [["-b"], ["-b", "-l"], ["-b", "-l", "-A"], ["-b", "-c"], ["-b", "-C", "--inline-file-names"], ["-b", "-q", "-L"],
           # fmt: skip
           ["-b", "-pa.c:"], ["-b", "-r", "-z"], ["-b", "-l", "-c", "-z", "-T"], ["--top", "--by=line", "-z"], ["--format=json"], ["-b", "-p", "--inline-file-names", "-z"]]
SECONDS, MEGABYTES, SANITIZED_MEGABYTES = (
    20,
    500,
    1500,
)  # AddressSanitizer keeps 256 MB that were freed, and makes all larger
NUMBERS = [
    0,
    1,
    2,
    7,
    8,
    0x7F,
    0xFF,
    0x7FFF,
    0xFFFF,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**40,
    2**63 - 1,
    2**63,
    2**64 - 1,
]
ALONE = [
    "-nostdlib",
    "-no-pie",
    "-Wl,-e,main",
    "-Wl,-Ttext=0x10000",
]  # where the profiles have samples
C_PROGRAM = b"""
static inline __attribute__ ((always_inline)) int twice (int x) { return 2 * x; }
__attribute__ ((noinline)) int f (int x) { return twice (x) + 1; }
static __attribute__ ((noinline)) int g (int x) { return x > 0 ? f (x) + g (x - 1) : 0; }
int main (int argc, char **argv) { (void) argv; return g (argc); }
"""
FOLDED = b"""
static int helper (int x) { return 3 * x; }
int NAME_one (int x) { return helper (x) + 1; }
int NAME_two (int x) { return helper (x) + 1; }
"""

# ---- Images ----


def assembled_images():
    for bits, order, machine in (
        (64, "little", 62),
        (32, "little", 3),
        (64, "big", 21),
        (32, "big", 8),
    ):
        head = "bits %d\norder %s\nmachine %d\n" % (bits, order, machine)
        yield "elf%d-%s" % (bits, order), elf.parse(head + seeds.IMAGE).bytes()


def compiled_images():
    compiler = harness.tool("CC", "cc")
    if not compiler:
        return
    source = harness.write(os.path.join(harness.TEMP, "program.c"), C_PROGRAM)
    for name, flags in (
        ("dwarf5", ["-gdwarf-5", "-O2"]),
        ("dwarf4", ["-gdwarf-4", "-O1"]),
        ("dwarf2", ["-gdwarf-2", "-gstrict-dwarf", "-O2"]),
        ("compressed", ["-g", "-gz", "-O2"]),
        ("linked", ["-g", "-O2", "-pg"]),
    ):
        path = os.path.join(harness.TEMP, name)
        if (
            harness.run(
                compiler + flags + ([] if name == "linked" else ALONE) + ["-o", path, source]
            )[0]
            == 0
        ):
            yield name, harness.read(path)
    yield from folded_images(compiler)


def folded_images(compiler):
    """Programs in which functions with equal code have one address; none without the linker that
    folds them."""
    names = []
    for name in ("alpha", "omega"):
        text = b"\n" * (len(names) * 5) + FOLDED.replace(b"NAME", name.encode())
        names.append(harness.write(os.path.join(harness.TEMP, name + ".c"), text))
    source = os.path.join(harness.TEMP, "program.c")
    for flags in (
        ["-gdwarf-5"],
        ["-gdwarf-4"],
        ["-gdwarf-5", "-gz"],
        ["-gdwarf-5", "-O1", "-fno-inline"],
    ):
        path = os.path.join(harness.TEMP, "folded")
        link = ["-ffunction-sections", "-fno-ipa-icf", "-fuse-ld=gold", "-Wl,--icf=all", *ALONE]
        if harness.run(compiler + flags + link + ["-o", path, *names, source])[0] == 0:
            yield "folded" + "".join(flags), harness.read(path)


# ---- Damage ----


class Layouts:
    """Where things are in an ELF file."""

    def __init__(self, data):
        self.mark = "<" if data[5] == 1 else ">"
        self.bits = data[4] * 32
        self.header, self.section, self.symbol = (self.fields(f) for f in elf._LAYOUT[self.bits])
        head = struct.unpack_from(self.mark + elf._LAYOUT[self.bits][0], data)
        self.table, self.count = head[6], head[12]
        size = struct.calcsize(self.mark + elf._LAYOUT[self.bits][1])
        self.heads = [self.table + i * size for i in range(self.count)]
        values = [
            struct.unpack_from(self.mark + elf._LAYOUT[self.bits][1], data, at) for at in self.heads
        ]
        names = values[head[13]][4]
        self.sections = {}
        for value in values:
            name = data[names + value[0] : data.index(b"\0", names + value[0])]
            self.sections[name.decode("latin-1")] = (value[4], value[5])

    def fields(self, form):
        """(offset, size) of each number."""
        found, at = [], 0
        for letter in form.replace("16s", ""):
            size = struct.calcsize(self.mark + letter)
            found.append((at, size))
            at += size
        return [(at + (16 if "16s" in form else 0), size) for at, size in found]

    def put(self, data, at, size, value):
        if at + size <= len(data):
            data[at : at + size] = (value % 256**size).to_bytes(
                size, "little" if self.mark == "<" else "big"
            )


def damage_number(rng, layout, data, base, fields):
    at, size = rng.choice(fields)
    number = rng.choice(NUMBERS) if rng.random() < 0.7 else rng.randrange(256**size)
    layout.put(data, base + at, size, number)


def damage_bytes(rng, data, start, size):
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if size > 0 and start < len(data):
            at = min(start + rng.randrange(size), len(data) - 1)
            data[at] = rng.choice(
                [0, 1, 0x7F, 0x80, 0xFF, data[at] ^ (1 << rng.randrange(8)), rng.randrange(256)]
            )


def damage_once(rng, layout, data):
    kind = rng.random()
    debug = [n for n in layout.sections if n.startswith((".debug", ".zdebug"))]
    if kind < 0.05:
        damage_number(rng, layout, data, 0, layout.header)
    elif kind < 0.30:
        damage_number(rng, layout, data, rng.choice(layout.heads), layout.section)
    elif kind < 0.40 and ".symtab" in layout.sections:
        start, size = layout.sections[".symtab"]
        length = sum(size for _, size in layout.symbol)
        damage_number(
            rng, layout, data, start + length * rng.randrange(max(1, size // length)), layout.symbol
        )
    elif kind < 0.85 and debug:
        damage_bytes(rng, data, *layout.sections[rng.choice(debug)])
    elif kind < 0.92:
        del data[rng.randrange(len(data) + 1) :]
    else:
        damage_bytes(rng, data, 0, len(data))


def draw(rng, images):
    name = rng.choice(sorted(images))
    data = bytearray(images[name])
    layout = Layouts(images[name])
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        damage_once(rng, layout, data)
    return name, bytes(data)


# ---- Running ----


def write_profiles():
    """For each word size and byte order a profile of the assembled images."""
    for bits, order in seeds.LAYOUTS:
        data = Profile(Layout(bits, order), seeds.PROFILES["all"]).bytes()
        harness.write(os.path.join(harness.TEMP, "%d-%s" % (bits, order)), data)


@functools.cache
def is_sanitized():
    with open(harness.GPROF, "rb") as file:
        return b"__asan_" in file.read()


def run(command, limit_memory, directory):
    """(status, messages, seconds of processor time, megabytes)"""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limit_memory:
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    process = subprocess.Popen(command, env=harness.ENV, cwd=directory, stdin=subprocess.DEVNULL, preexec_fn=limit,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    messages = process.stderr.read()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, messages, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def profile_for(data):
    """The name of the profile that has the word size and byte order of the image."""
    order = "big" if len(data) > 5 and data[5] == 2 else "little"
    bits = 32 if len(data) > 4 and data[4] == 1 else 64
    return "%d-%s" % (bits, order)


def judged(words, directory, statuses=(0, 1)):
    """What is wrong with a run of the program in DIRECTORY, empty when nothing is; its seconds and
    megabytes."""
    sanitized = is_sanitized()
    status, messages, seconds, megabytes = run([harness.GPROF, *words], not sanitized, directory)
    text = messages.decode("utf-8", "backslashreplace")
    what = ""
    if status not in statuses:
        what = "status %d\n%s" % (status, text[:4000])
    elif status == 1 and not text:
        what = "status 1 without a word"
    elif any(not line.startswith("gprof: ") for line in text.splitlines()):
        what = "not its own words: %s" % text[:1000]
    elif text.count("debug information is damaged") > 1:
        what = "said twice: %s" % text[:1000]
    elif seconds > SECONDS / 2 or megabytes > (SANITIZED_MEGABYTES if sanitized else MEGABYTES):
        what = "%.1f s, %d MB" % (seconds, megabytes)
    return what, seconds, megabytes


def complaint(image, data, options):
    """What is wrong with a report on the image; empty when nothing is."""
    profile = os.path.join(harness.TEMP, profile_for(data))
    return judged([*options, image, profile], harness.TEMP)[0]


def keep(directory, name, data, options, what):
    os.makedirs(directory, exist_ok=True)
    harness.write(os.path.join(directory, name), data)
    harness.write(
        os.path.join(directory, name + ".txt"), ("%s\n%s\n" % (" ".join(options), what)).encode()
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=os.path.join(harness.BUILDDIR, "tests", "failures"))
    arguments = parser.parse_args()
    images = dict(list(assembled_images()) + list(compiled_images()))
    write_profiles()
    started, failures, number = time.monotonic(), 0, 0
    image = os.path.join(harness.TEMP, "image")
    while (
        time.monotonic() - started < arguments.seconds
        if arguments.seconds
        else number < arguments.draws
    ):
        rng = random.Random("%d/%d" % (arguments.seed, number))
        name, data = draw(rng, images)
        options = rng.choice(OPTIONS)
        harness.write(image, data)
        what = complaint(image, data, options)
        if what:
            failures += 1
            print(
                "seed %d, draw %d (%s, %s): %s"
                % (arguments.seed, number, name, " ".join(options), what),
                flush=True,
            )
            keep(arguments.keep, "image-%d-%d" % (arguments.seed, number), data, options, what)
        number += 1
    print("%d damaged images, %d failures, %.0f s" % (number, failures, time.monotonic() - started))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
