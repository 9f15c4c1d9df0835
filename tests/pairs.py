#!/usr/bin/env python3
"""--base: which functions of two builds are compared.  Programs that gcc and clang link with -flto,
in which the
numbers of clones shift from build to build.
"""

import sys

sys.dont_write_bytecode = True

import csv
import io
import os
import shutil

from lib import harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write

# Each file has a function `helper' of its own.  The numbers that the linker gives them depend on
# all files.
# Their sizes tell them apart; nothing runs.
SIZES = {"a": 512, "b": 1024, "c": 2048}
FILE = """static __attribute__((noinline)) int helper(int x)
{
    __asm__ volatile(".skip %d, 0x90");
    return x * 3;
}
int work_%s(int n)
{
    volatile int r = 0;
    for (volatile int i = 0; i < n; i++)
        r += helper(n) + helper(r);
    return r;
}
"""
MAIN = """int work_a(int), work_b(int), work_c(int);
int main(void)
{
    return work_a(1) + work_b(2) + work_c(3);
}
"""
MORE = {"none.c": "int work_c(int n)\n{\n    return n;\n}\n", "main.c": MAIN}


def prepare():
    for name, size in SIZES.items():
        write(os.path.join(TEMP, name + ".c"), (FILE % (size, name)).encode())
    for name, text in MORE.items():
        write(os.path.join(TEMP, name), text.encode())


def run(words):
    return harness.run([harness.GPROF] + words, TEMP)


def compilers():
    """Each compiler with the options with which it links at link time, by name."""
    flags = {"gcc": ["-flto", "-flto-partition=max"], "clang": ["-flto"]}
    return {
        name: [shutil.which(name)] + words for name, words in flags.items() if shutil.which(name)
    }


def build(compiler, name, *sources):
    command = compiler + ["-O2", "-pg", "-o", name]
    return harness.run(command + list(sources), TEMP)[0] == 0


def helpers(name):
    """The functions called helper, and main: (address, symbol), by the file they are of."""
    found = {}
    for line in harness.must_run(["nm", "-S", name], TEMP).decode().splitlines():
        words = line.split()
        if words[-1] == "main":
            found["main"] = (int(words[0], 16), "main")
        if len(words) == 4 and words[3].startswith("helper"):
            file = [f for f, size in SIZES.items() if size <= int(words[1], 16) < 2 * size]
            found[file[0]] = (int(words[0], 16), words[3])
    return found


def profile(path, name, samples):
    """Writes a profile in which the helper of each file has these samples, and main a few."""
    places = {file: address for file, (address, _) in helpers(name).items()}
    low, high = min(places.values()) & ~0xFFF, (max(places.values()) | 0xFFF) + 1
    bins = {(places[file] - low) // 4 + 1: count for file, count in dict(samples, main=9).items()}
    histogram = Histogram(low, high, (high - low) // 4, bins)
    write(os.path.join(TEMP, path), Profile(Layout(), [histogram]).bytes())


def rows_of(out):
    rows = csv.DictReader(io.StringIO(out.decode(), newline=""))
    return {
        row["name"]: (row["kind"], row["before"], row["after"])
        for row in rows
        if row["name"].startswith("helper")
    }


def compare(base, new, *more):
    status, out, err = run(base + ["--fail-above=10", "--format=csv", *more, *new])
    return status, rows_of(out), err.decode()


def check_compiler(tap, name, compiler):
    old, new = name + "-old", name + "-new"
    debug = compiler + ["-g"]
    if not build(debug, old, "main.c", "none.c", "a.c", "b.c") or not build(
        debug, new, "c.c", "main.c", "a.c", "b.c"
    ):
        return tap.skip(name + ": clones of three files", "it does not link with -flto and -pg")
    before, after = helpers(old), helpers(new)
    if len(before) != 3 or len(after) != 4:
        return tap.skip(
            name + ": clones of three files", "not one for each file: %s %s" % (before, after)
        )
    shifted = before["b"][1] != after["b"][1]
    tap.ok(shifted, name + ": the numbers of clones shift", "%s %s" % (before, after))
    samples = {"a": 3000, "b": 500}
    profile(old + ".gmon", old, samples)
    profile(new + ".gmon", new, samples)
    base, same = ["--one-run", "--base=" + old, "--base-profile=" + old + ".gmon"], [
        new,
        new + ".gmon",
    ]
    status, rows, err = compare(base, same)
    expected = {"helper (a.c)": ("both", "30", "30"), "helper (b.c)": ("both", "5", "5")}
    tap.ok(
        status == 0 and rows == expected,
        name + ": each is compared with itself, and the gate passes",
        "%d %s %s" % (status, rows, err),
    )
    saved = write(os.path.join(TEMP, "old.json"), run(["--format=json", old, old + ".gmon"])[1])
    if b"built without libjansson" not in run(["--one-run", "--base=" + saved] + same)[2]:
        tap.ok(
            compare(["--one-run", "--base=" + saved], same) == (status, rows, err),
            name + ": with a base in JSON",
            compare(["--one-run", "--base=" + saved], same),
        )
    profile(new + ".slow", new, {"a": 3000, "b": 800, "c": 700})
    status, rows, err = compare(base, [new, new + ".slow"])
    tap.ok(
        status == 3 and "regression: helper (b.c): 5.00 s -> 8.00 s" in err,
        name + ": a slower one is found",
        "%d %s %s" % (status, rows, err),
    )
    for allowed, expected in (
        ("^helper$", 0),
        (r"^helper \(b\.c\)$", 0),
        (r"^helper \(a\.c\)$", 3),
    ):
        status, _, err = compare(
            base, [new, new + ".slow"], "--allow=" + allowed, "--fail-scope=function"
        )
        tap.ok(status == expected, "%s: --allow=%s" % (name, allowed), "%d %s" % (status, err))
    tap.ok(
        rows.get("helper (c.c)") == ("new", "0", "7"),
        name + ": one that is in a new file is new",
        rows,
    )
    check_nameless_files(tap, name, compiler, samples)


def check_nameless_files(tap, name, compiler, samples):
    """Without debug information, three functions of one name are not compared with two."""
    old, new = name + "-old", name + "-new"
    if not build(compiler, old, "main.c", "none.c", "a.c", "b.c") or not build(
        compiler, new, "c.c", "main.c", "a.c", "b.c"
    ):
        return
    profile(old + ".gmon", old, samples)
    profile(new + ".gmon", new, dict(samples, c=900))
    base = ["--one-run", "--base=" + old, "--base-profile=" + old + ".gmon"]
    status, rows, err = compare(base, [new, new + ".gmon"], "--fail-scope=function")
    tap.ok(
        rows == {"helper (3 clones)": ("new", "0", "44"), "helper (2 clones)": ("gone", "35", "0")},
        name + ": without files, not all of them",
        "%s %s" % (rows, err),
    )
    status, rows, err = compare(base, [old, old + ".gmon"])
    tap.ok(
        status == 0 and rows == {"helper (2 clones)": ("both", "35", "35")},
        name + ": as many are compared together",
        "%d %s %s" % (status, rows, err),
    )


def main():
    if harness.is_reference():
        harness.skip_all("the reference compares nothing")
    if not compilers() or not shutil.which("nm"):
        harness.skip_all("neither gcc nor clang, or no nm")
    tap = harness.Tap()
    prepare()
    for name, compiler in compilers().items():
        check_compiler(tap, name, compiler)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
