#!/usr/bin/env python3
"""Names of C++ on terminals of several widths: short, cut at their beginnings, and different for
different functions;
columns give way to them.  Not on a terminal nothing is shortened.  Functions are found by the ends
of their names.
"""

import sys

sys.dont_write_bytecode = True

import os
import re
import subprocess

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write

WIDTHS = (60, 80, 100, 200)
LOCALES = {"C": ("...", "+-"), "C.UTF-8": ("\u2026", "\u00b1")}
ENV = {name: value for name, value in harness.ENV.items() if name != "COLUMNS"}
BIN = 4  # bytes; functions are aligned to 16


def make():
    """Builds the program, and two profiles in which main calls every function of it.  The names of
    these."""
    words = harness.tool("CXX", "c++")
    flags = [
        "-std=c++17",
        "-O1",
        "-g",
        "-falign-functions=16",
        "-fno-ipa-icf",
        "-fcf-protection=none",
    ]
    source = os.path.join(harness.TESTS, "programs", "names.cc")
    harness.must_run(words + flags + ["-o", "image", source], TEMP)
    listed = subprocess.run(["nm", "-C", "image"], cwd=TEMP, capture_output=True, text=True).stdout
    names = {}
    for address, kind, name in re.findall(r"^(\w+) ([TtWw]) (.*)$", listed, re.M):
        if re.search(r"storage|anonymous|lambda|^choose|^recurse|^main$", name):
            names[int(address, 16)] = name
    low, high = min(names) & -16, (max(names) + 16) & -16
    main = next(address for address, name in names.items() if name == "main")
    arcs = [("arc", main + 1, address, 7) for address in names if address != main]
    for profile, factor in (("gmon.a", 1), ("gmon.b", 3)):
        bins = {(address - low) // BIN: 100 + factor * 10 * i for i, address in enumerate(names)}
        histogram = Histogram(low, high, (high - low) // BIN, bins)
        write(
            os.path.join(TEMP, profile), Profile(Layout(64, "little"), [histogram] + arcs).bytes()
        )
    return sorted(set(names.values()))


def run(*words):
    return harness.run([harness.GPROF, *words], TEMP, ENV)


def on_terminal(width, locale, *words):
    return harness.run_on_terminal(
        [harness.GPROF, "--quiet", *words], width, TEMP, dict(ENV, LC_ALL=locale)
    )


def rows_of(text):
    """The last column of the rows below the heading, without the lines of a tree."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.endswith("  name"))
    at = lines[first].index("  name") + 2
    rows = []
    for line in lines[first + 1 :]:
        if not line:
            break
        rows.append(re.sub("^[\u251c\u2514\u2502\u2500|`\\- ]*", "", line[at:]))
    return lines[first].split(), rows


REPORTS = {
    "top": ["-b", "--top=0", "image", "gmon.a"],
    "tree": ["-b", "--tree", "--min-share=0", "image", "gmon.a"],
    "base": [
        "-b",
        "--one-run",
        "--base=image",
        "--base-profile=gmon.a",
        "--top=0",
        "image",
        "gmon.b",
    ],
}


def check_widths(tap, names):
    """Every function has a row of its own name; a part of it if it is too long."""
    last_words = [
        "contains",
        "operator()",
        "operator<",
        "encode",
        "next",
        "compare",
        "choose",
        "recurse",
        "main",
    ]
    for report, words in REPORTS.items():
        for locale, (dots, _) in LOCALES.items():
            for width in WIDTHS:
                text = on_terminal(width, locale, *words)
                what = "%s, %d columns, %s" % (report, width, locale)
                _, rows = rows_of(text)
                tap.ok(
                    max(map(len, text.splitlines())) <= width, what + ": no line is longer", text
                )
                tap.ok(
                    len(rows) >= len(names) and len(set(rows)) == len(rows),
                    what + ": no names are alike",
                    text,
                )
                missing = [word for word in last_words if not any(word in row for row in rows)]
                tap.ok(not missing, what + ": last words", "%r\n%s" % (missing, text))
                is_cut = any(row.startswith(dots) for row in rows)
                tap.ok(is_cut == (width < 200), what + ": their ends are kept", text)


def check_columns(tap):
    """Errors fold into figures, then others give way, and a line says which."""
    words = ["--explain", "--top=0", "image", "gmon.a"]
    wanted = {
        200: ["self%", "self", "error", "total", "least", "most", "calls", "name"],
        60: ["self%", "self", "total", "calls", "name"],
        40: ["self%", "self", "total", "name"],
    }
    for locale, (_, sign) in LOCALES.items():
        for width, columns in wanted.items():
            text = on_terminal(width, locale, *words)
            tap.ok(rows_of(text)[0] == columns, "columns in a width of %d" % width, text)
            says = "columns without room: error%s, least, most" % (
                " (behind %s)" % sign if width == 60 else ""
            )
            tap.ok(
                (says in text.replace("\n", " ")) == (width < 200), "and which are left out", text
            )
            tap.ok(
                (
                    re.search(r"^ *\d+\.\d\d +\d+\.\d\d%s\.\d\d " % re.escape(sign), text, re.M)
                    is not None
                )
                == (width == 60),
                "errors behind their figures",
                text,
            )
        compared = on_terminal(80, locale, *REPORTS["base"])
        tap.ok(
            "  +146 %s 10  <0.0001  main\n" % sign in compared,
            "errors behind changes, " + locale,
            compared,
        )
    named = on_terminal(
        60,
        "C",
        "-b",
        "--top=0",
        "--columns=self,error,total,least,most,calls,name",
        "image",
        "gmon.a",
    )
    tap.ok(
        rows_of(named)[0] == ["self", "error", "total", "least", "most", "calls", "name"],
        "columns that are named stay",
        named,
    )
    for sort, columns in ("calls", ["self%", "self", "total", "calls", "name"]), (
        "-most,error",
        ["self%", "self", "error", "total", "most", "name"],
    ):
        sorted_by = on_terminal(40, "C", "-b", "--top=0", "--sort=" + sort, "image", "gmon.a")
        tap.ok(rows_of(sorted_by)[0] == columns, "columns of --sort=%s stay" % sort, sorted_by)
    for width, columns in (
        (80, ["before", "after", "change%", "p", "name"]),
        (60, ["before", "after", "change%", "name"]),
        (40, ["change%", "name"]),
    ):
        compared = on_terminal(width, "C", *REPORTS["base"])
        tap.ok(
            rows_of(compared)[0] == columns,
            "columns of a comparison in a width of %d" % width,
            compared,
        )
    named = on_terminal(40, "C", "--columns=before,after,p,name", *REPORTS["base"])
    tap.ok(
        rows_of(named)[0] == ["before", "after", "p", "name"], "those that are named stay", named
    )
    sorted_by = on_terminal(40, "C", "--sort=before", *REPORTS["base"])
    tap.ok(
        rows_of(sorted_by)[0] == ["before", "change%", "name"], "those of --sort stay", sorted_by
    )
    for width, columns in (50, ["total%", "total", "self", "name"]), (
        40,
        ["total", "self", "name"],
    ):
        tree = on_terminal(width, "C", *REPORTS["tree"])
        tap.ok(rows_of(tree)[0] == columns, "columns of a tree in a width of %d" % width, tree)


def check_objects(tap):
    """Errors and bounds give way until names are whole, then their objects, and names only at
    last."""
    names = [
        "main",
        "a_function_of_a_library_ [libpython3.11.so.1.0]",
        "malloc@@GLIBC_2.2.5 [libc.so.6]",
        "other [libx.so.1]",
    ]
    function = "a_function_of_a_library_"
    wanted = {
        113: (7, function + " [libpython3.11.so.1.0]", "malloc [libc.so.6]", "other [libx.so.1]"),
        83: (5, function + " [libpython3.11]", "malloc [libc]", "other [libx]"),
        73: (5, function + " [libpytho…]", "malloc [libc]", "other [libx]"),
        63: (5, function, "malloc [libc]", "other [libx]"),
        60: (4, function + " [lib…]", "malloc [libc]", "other [libx]"),
    }
    write(
        os.path.join(TEMP, "objects.folded"), "".join("%s 900\n" % name for name in names).encode()
    )
    for width, (columns, *shown) in wanted.items():
        text = on_terminal(width, "C.UTF-8", "-b", "--top", "objects.folded")
        heading, rows = rows_of(text)
        tap.ok(
            len(heading) == columns and set(rows) == {"main", *shown},
            "objects, %d columns" % width,
            text,
        )
        tap.ok(max(map(len, text.splitlines())) <= width, "none is longer", text)
    whole = run("-b", "--top", "objects.folded")[1].decode()
    tap.ok("malloc@@GLIBC_2.2.5 [libc.so.6]" in whole, "a file has versions", whole)


def check_short(tap):
    """Columns give way where names are short, too: a line is not wider than the terminal."""
    lines = ["text 0x1000", "function main 64", "function parse 64"]
    write(os.path.join(TEMP, "short"), elf.parse("\n".join(lines) + "\n").bytes())
    histogram = Histogram(0x1000, 0x1080, 32, {1: 4000, 17: 3000})
    arcs = [("arc", 0x1001, 0x1040, 1234567890)]
    write(
        os.path.join(TEMP, "short.gmon"), Profile(Layout(64, "little"), [histogram] + arcs).bytes()
    )
    for width, columns in (60, 8), (50, 6), (40, 4):
        text = on_terminal(width, "C", "-b", "--top", "short", "short.gmon")
        tap.ok(
            max(map(len, text.splitlines())) <= width,
            "short names, %d columns: no line is longer" % width,
            text,
        )
        tap.ok(len(rows_of(text)[0]) == columns, "and as many columns as fit", text)


def check_same_names(tap):
    """On a terminal, functions of one name have their file behind it, or their address."""
    lines = [
        "text 0x1000",
        "file /src/a.c",
        "local parse 64",
        "lines 0 1",
        "file /src/b.c",
        "local parse 64",
        "lines 0 1",
        "local twice 64",
        "local twice 64",
    ]
    write(os.path.join(TEMP, "same"), elf.parse("\n".join(lines) + "\n").bytes())
    histogram = Histogram(0x1000, 0x1100, 64, {1: 40, 17: 30, 33: 20, 49: 10})
    write(os.path.join(TEMP, "same.gmon"), Profile(Layout(64, "little"), [histogram]).bytes())
    words = ["-b", "--top", "--columns=name", "same", "same.gmon"]
    rows = run("--quiet", *words)[1].decode().splitlines()[1:5]
    tap.ok(rows == ["parse", "parse", "twice", "twice"], "names in a file are alike", rows)
    rows = on_terminal(80, "C", *words).splitlines()[1:5]
    tap.ok(
        [row.strip() for row in rows[:2]] == ["parse (a.c)", "parse (b.c)"],
        "files tell functions apart",
        rows,
    )
    tap.ok(
        len(set(rows[2:])) == 2 and all(row.startswith("twice (") for row in rows[2:]),
        "or what else does",
        rows,
    )


def check_percent(tap):
    """A line does not end between a number and its %, in a title or in a note."""
    whole = run("--quiet", "--code=1", "image", "gmon.a")[1].decode().splitlines()
    title, note = whole[0], next(line for line in whole if line.startswith("1 function, "))
    tap.ok(" %)" in title and " % of" in note, "a title and a note with %", whole)
    for width in range(20, 81):
        text = on_terminal(width, "C", "--code=1", "image", "gmon.a")
        joined = " ".join(text.split("\n"))
        tap.ok(
            title in joined and note in joined, "%d columns: title and note are whole" % width, text
        )
        tap.ok(
            not re.search(r"^%", text, re.M),
            "%d columns: numbers and their %% are in one line" % width,
            text,
        )


def check_grid(tap):
    """Names that differ in two places are never alike; where there is no room for both, they are
    whole."""
    spaces, classes = ("server", "client"), ("ConnectionPoolWorker", "ConnectionPoolManager")
    names = ["net::%s::%s::close_all" % (space, kind) for kind in classes for space in spaces]
    write(os.path.join(TEMP, "grid.folded"), "".join("%s 9\n" % name for name in names).encode())
    for locale in LOCALES:
        for width in range(10, 61):
            text = on_terminal(width, locale, "-b", "--top", "--columns=name,self", "grid.folded")
            rows = [line.rsplit(None, 1)[0] for line in text.splitlines()[1:5]]
            what = "a grid of names, %d columns, %s" % (width, locale)
            tap.ok(len(set(rows)) == len(names), what + ": no names are alike", text)
            tap.ok(
                max(map(len, text.splitlines())) <= max(width, max(map(len, names)) + 10),
                what + ": lines",
                text,
            )
            tap.ok(
                width < 40 or max(map(len, text.splitlines())) <= width,
                what + ": none is longer",
                text,
            )


def check_deep(tap):
    """The lines of a deep tree leave room for names."""
    names = ["space::function_%d" % number for number in range(300)]
    stacks = "".join(";".join(names[: depth + 1]) + " 9\n" for depth in range(len(names)))
    write(os.path.join(TEMP, "deep.folded"), stacks.encode())
    for locale in LOCALES:
        text = on_terminal(60, locale, "-b", "--tree", "--min-share=0", "deep.folded")
        tap.ok(
            max(map(len, text.splitlines())) <= 60,
            "a deep tree is not wider than the terminal, " + locale,
            text,
        )
        tap.ok(rows_of(text)[1] == names, "and has whole names", text)


def check_styles(tap):
    """Files have whole names; --names says otherwise."""
    for report, words in REPORTS.items():
        whole = run("--quiet", *words)[1].decode()
        tap.ok(
            "encode(long)" in whole and "..." not in whole,
            report + ": whole names in a file",
            whole,
        )
        tap.ok(
            on_terminal(80, "C", "--names=full", *words) == whole, report + ": --names=full", whole
        )
        raw = on_terminal(200, "C", "--names=raw", *words)
        tap.ok("_ZN7storage6engine6detail6encodeEl" in raw, report + ": --names=raw", raw)
    command = ["-b", "--per-file", "--top=0", "image", "gmon.a", "gmon.b"]
    for style, name in (
        ("full", "Table::next() in"),
        ("short", "Table::next in"),
        ("raw", "Table4nextEv in"),
    ):
        status, out, err = run("--names=" + style, *command)
        tap.ok(
            status == 0 and name in out.decode(),
            "--per-file --names=" + style,
            out.decode() + err.decode(),
        )
    for width in WIDTHS:
        text = on_terminal(width, "C", *command)
        functions = re.findall(r"\d  (\S.*) in gmon.b, gmon.a$", text, re.M)
        tap.ok(
            max(map(len, text.splitlines())) <= max(width, 80),
            "--per-file, %d columns" % width,
            text,
        )
        tap.ok(
            len(functions) > 10 and (width < 100 or len(set(functions)) == len(functions)),
            "and no names are alike",
            text,
        )


def callers_of(spec, *profile):
    """The functions whose callers --tree=SPEC shows."""
    status, out, err = run("--quiet", "-b", "--tree=" + spec, "--min-share=0", *profile)
    rows = re.findall(r"^[ \d.]*\d\.\d\d[ \d.]*  (\S.*)$", out.decode(), re.M)
    return sorted(row for row in rows if not re.match(r"[|`]- |   ", row)) or err.decode()


def check_ends(tap):
    """The end of a name is enough for --tree, from a separator of its parts on."""
    image = ["image", "gmon.a"]
    next = [
        "storage::engine::%s::next()" % name
        for name in ("MergingIterator", "Table", "TwoLevelIterator")
    ]
    encode = "storage::engine::detail::encode("
    slice = "storage::engine::detail::Slice::"
    for spec, expected in (
        ("next", next),
        ("Table::next", next[1:2]),
        ("Table::next()", next[1:2]),
        ("engine::Table::next", next[1:2]),
        ("encode(long)", [encode + "long)"]),
        ("detail::encode(int)", [encode + "int)"]),
        ("Slice::operator<", [slice + "operator<(%s const&) const" % slice[:-2]]),
        ("operator<<", [slice + "operator<<(int)"]),
        ("helper", ["(anonymous namespace)::helper(int)"]),
        ("SkipList<...>::contains", 2),
        ("SkipList::contains", 2),
        ("*::next", next),
    ):
        found = callers_of(spec, *image)
        tap.ok(len(found) == 2 if expected == 2 else found == expected, "--tree=" + spec, found)
    for spec in "ext", "able::next", "long)", "detail":
        tap.ok(
            "matches nothing" in callers_of(spec, *image),
            "no end of a name: " + spec,
            callers_of(spec, *image),
        )
    similar = callers_of("Table::Next", *image)
    tap.ok(
        all(name[:-2] in similar for name in next), "similar names have the same last word", similar
    )
    status, out, err = run("-b", "-q", "-fnext", *image)
    tap.ok(
        b"option -f: `next' matches nothing" in err, "options of GNU gprof want whole names", err
    )

    frames = [
        "main.main",
        "net/http.(*conn).serve",
        "github.com/u/repo/pkg.Parse",
        "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
        "Order#total",
        "java.util.List.add(int)",
        "void std::loop<int*>(int*, int*) [clone .isra.0] [clone .cold]",
    ]
    write(os.path.join(TEMP, "other.folded"), (";".join(frames) + " 9\n").encode())
    for spec, number in (
        ("serve", 1),
        ("(*conn).serve", 1),
        ("http.(*conn).serve", 1),
        ("Parse", 2),
        ("pkg.Parse", 2),
        ("repo/pkg.Parse", 2),
        ("github.com/u/repo/pkg.Parse", 2),
        ("drop", 3),
        ("total", 4),
        ("add", 5),
        ("List.add", 5),
        ("loop", 6),
        ("std::loop", 6),
        ("loop<int*>(int*, int*)", 6),
    ):
        found = callers_of(spec, "other.folded")
        tap.ok(found == [frames[number]], "--tree=%s of another profiler" % spec, found)
    short = run("--quiet", "-b", "--top", "--names=short", "other.folded")[1].decode()
    tap.ok(
        "(*conn).serve\n" in short and "List.add\n" in short,
        "short names of other languages",
        short,
    )


def main():
    tap = harness.Tap()
    if harness.tool("CXX", "c++") is None:
        harness.skip_all("no C++ compiler")
    names = make()
    check_widths(tap, names)
    check_columns(tap)
    check_objects(tap)
    check_short(tap)
    check_same_names(tap)
    check_percent(tap)
    check_grid(tap)
    check_deep(tap)
    check_styles(tap)
    check_ends(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
