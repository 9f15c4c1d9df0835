#!/usr/bin/env python3
"""--top on a terminal: no line is longer than the terminal, and nothing else changes.  Its other
formats, as
other programs read them: TSV and CSV by Python and sqlite3, Markdown by cmark-gfm.  -o: a whole
file, or none.
"""

import sys

sys.dont_write_bytecode = True

import csv
import fcntl
import html.parser
import io
import os
import random
import re
import stat

from lib import elf, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, read, write

ENV = {name: value for name, value in harness.ENV.items() if name != "COLUMNS"}
START = 0x1000
SIZE = 0x40
NAMES = [
    "main",
    "_ZNSt6vectorIiSaIiEE9push_backERKi",
    "_Z5scaleI6squareEvRT_d",
    '"Stra\\xc3\\x9fenbahnverbindungen_und_noch_viel_mehr_\\xc3\\xa4\\xc3\\xb6\\xc3\\xbc"',
    "x" * 300,
    "short",
]
SAMPLES = [2000, 700, 60, 41, 7, 0]
# Names that are markup or separators somewhere, and how --top prints them.
HOSTILE = [
    "a,b",
    'say "x"',
    "a|b",
    "||",
    "`tick`",
    "``",
    "<b>bold</b>",
    "&amp;",
    "*star*",
    "_under_ _score_",
    "[link](url)",
    "![x](y)",
    "~~gone~~",
    "# head",
    "back\\slash",
    "back\\|bar",
    "end\\",
    "tab\tx",
    "new\nline",
    "cr\r",
    "http://x.y",
    "a@b.c",
    "www.x.org",
    "=1+1",
    "-minus",
    "  blanks  ",
    "caf\u00e9",
    "$math$",
    "a'b",
    "| - |",
    "\x7f",
    "{{x}}",
    "1. x",
    "+[Foo bar]",
    '=HYPERLINK("x","y")',
    "@SUM",
    "left\u202eright",
    "\u2066x",
]
NAMED = [
    re.sub(
        "[\x00-\x1f\x7f\u202e\u2066]",
        lambda match: "".join("\\x%02x" % byte for byte in match[0].encode()),
        name,
    )
    for name in HOSTILE
]


def make(image, profile, names, samples):
    lines = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in names]
    write(os.path.join(TEMP, image), elf.parse("\n".join(lines) + "\n").bytes())
    bins = {i * SIZE // 4 + 1: count for i, count in enumerate(samples)}
    histogram = Histogram(START, START + len(names) * SIZE, len(names) * SIZE // 4, bins)
    arcs = [("arc", START + 8, START + i * SIZE, 10 * i) for i in range(1, len(names))]
    write(os.path.join(TEMP, profile), Profile(Layout(64, "little"), [histogram] + arcs).bytes())


def run(words, image="image", profile="gmon.out", **environment):
    command = [harness.GPROF] + words + [image, profile]
    return harness.run(command, TEMP, dict(ENV, **environment))


def run_on_terminal(words, width, **environment):
    command = [harness.GPROF, "--explain"] + words + ["image", "gmon.out"]
    return harness.run_on_terminal(command, width, TEMP, dict(ENV, **environment))


def widest(text):
    return max(len(line) for line in text.splitlines())


def check_terminal(tap):
    whole, short = run(["--top"])[1].decode(), run(["--top", "--names=short"])[1].decode()
    tap.ok(
        "x" * 300 in whole and "push_back(int const&)" in whole, "names are whole in a file", whole
    )

    lists = [
        "self%,self,error,total,least,most,calls,name",
        "name,self",
        "raw,name",
        "name,raw,calls,raw",
        "self,name,file",
    ]
    too_wide, cut = [], 0
    for columns in lists:
        for width in list(range(59, 100)) + [200, 330]:
            text = run_on_terminal(["--top", "--columns=" + columns], width)
            cut += "..." in text
            if widest(text) > width:
                too_wide.append("%d: %s" % (width, columns))
    tap.ok(not too_wide, "no line is longer than the terminal", too_wide)
    tap.ok(cut > 100, "since names are cut")

    text = run_on_terminal(["--top", "--columns=name,self"], 30)
    tap.ok(re.search(r"^x{10}\.\.\.x{10}   0\.07$", text, re.M), "in the middle", text)
    text = run_on_terminal(["--top", "--columns=name,self"], 28)
    tap.ok("Straßenba..._mehr_äöü " in text, "by characters, not by bytes", text)
    text = run_on_terminal(["--top", "--columns=raw,self"], 30)
    tap.ok(re.search(r"^x{10}\.\.\.x{10}   0\.07$", text, re.M), "raw names in the middle", text)
    narrow = run_on_terminal(
        ["--top", "--columns=self%,self,error,total,least,most,calls,name"], 20
    )
    numbers = [line[:47] for line in whole.splitlines()[:7]]
    tap.ok(
        [line[:47] for line in narrow.splitlines()[:7]] == numbers, "numbers are never cut", narrow
    )
    for words, what in (
        (["--top", "--names=full"], "--names=full never cuts"),
        (["--top", "--columns=self,calls"], "a table without names does not change"),
    ):
        text = run_on_terminal(words, 60)
        tap.ok(text == run(words)[1].decode(), what, text)
    tap.ok(
        run_on_terminal(["--top"], 400) == short,
        "a wide terminal shows what a file has, with short names",
    )
    tap.ok(
        widest(run_on_terminal(["--top"], 100, COLUMNS="70")) <= 70,
        "COLUMNS counts more than the terminal's own width",
    )
    tap.ok(run_on_terminal(["--top"], 0) == short, "a terminal without a width")
    tap.ok(
        run_on_terminal(["--top"], 80, COLUMNS="wide") == run_on_terminal(["--top"], 80),
        "COLUMNS that is no number",
    )
    tap.ok(run(["--top"], COLUMNS="40")[1].decode() == whole, "COLUMNS does not count in a file")
    flat = run(["-b", "-p"])[1].decode()
    tap.ok(run_on_terminal(["-b", "-p"], 40) == flat, "other reports do not depend on the terminal")


def check_height(tap):
    """On a terminal, the table has the rows that fit, and below it at most two lines unless they
    are asked for."""
    write(os.path.join(TEMP, "long"), b"".join(b"main;f%d %d\n" % (i, 500 - i) for i in range(99)))
    for height, rows in ((5, 10), (18, 11), (24, 17), (60, 53), (0, 20)):
        command = [harness.GPROF, "--quiet", "--top", "long"]
        lines = harness.run_on_terminal(command, 80, TEMP, ENV, height).split("\n")
        shown = [line for line in lines if re.search(r" f\d+$", line)]
        tap.ok(
            len(shown) == rows and len(lines) <= rows + 5, "rows that fit %d lines" % height, lines
        )
    for words in (["--top=-3"], ["--tree", "--depth=-1"]):
        result = run(words)
        is_refused = result[0] == 1 and b"is not a number" in result[2]
        tap.ok(is_refused, "refused: " + words[-1], harness.said(result))
    lines = harness.run_on_terminal(command[:2] + ["--top=3", "long"], 80, TEMP, ENV).split("\n")
    tap.ok(len(lines) <= 8 and " f2" in lines[3], "as many rows as are asked for", lines)
    few, all_lines = (
        harness.run_on_terminal(command + words, 80, TEMP, ENV) for words in ([], ["--explain"])
    )
    tap.ok("standard error" not in few and "standard error" in all_lines, "--explain", all_lines)


def check_focus(tap):
    """Expressions match the name as it is printed, whole and short, and without template
    arguments."""
    for style in "full", "short", "raw":
        for expression in "::push_back$", "vector::push_back$", r"push_back\(int const&\)$":
            out = run(
                ["-b", "--top", "--columns=samples", "--names=" + style, "--focus=" + expression]
            )[1].decode()
            tap.ok(
                out.startswith("samples\n  700.0\n\n1 of 6"),
                "--names=%s --focus=%s" % (style, expression),
                out,
            )
    histogram = Histogram(START, START + len(NAMES) * SIZE, len(NAMES) * SIZE // 4, {1: 2000})
    write(os.path.join(TEMP, "idle.out"), Profile(Layout(64, "little"), [histogram]).bytes())
    for expression, status in ("vector::push_back$", 0), ("vector::pop_back$", 1):
        result = run(["--top", "--focus=" + expression], profile="idle.out")
        tap.ok(
            result[0] == status and (b"matches nothing" in result[2]) == (status == 1),
            "a function without time: " + expression,
            result,
        )


def check_advice(tap):
    """Too few samples: a higher rate is advised, never one that the profile has already."""
    for rate, samples, advised in (
        (100, 8, 5000),
        (1000, 50, 8000),
        (1000, 8, 10000),
        (10000, 8, None),
        (1000, 1, None),
        (100, 1, None),
    ):
        size = len(NAMES) * SIZE
        histogram = Histogram(START, START + size, size // 4, {1: samples}, rate)
        write(os.path.join(TEMP, "few.out"), Profile(Layout(64, "little"), [histogram]).bytes())
        err = run(["--top"], profile="few.out")[2].decode()
        found = re.search(r"regmon -r (\d+)", err)
        tap.ok(
            (found and int(found.group(1))) == advised and "sample" in err,
            "%d samples at %d Hz" % (samples, rate),
            err,
        )


# ---- Formats ----


class Table(html.parser.HTMLParser):
    """The cells of the tables of a page, and whether it has anything else than tables, text and
    code."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tags, self.text = [], set(), None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.text = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.text)
            self.text = None

    def handle_data(self, data):
        if self.text is not None:
            self.text += data


def export(format, *words):
    status, out, err = run(["--format=" + format] + list(words), "hostile", "hostile.gmon")
    if status != 0:
        raise RuntimeError(err.decode())
    return out.decode()


def run_with_input(command, text):
    path = write(os.path.join(TEMP, "input"), text.encode())
    with open(path, "rb") as file:
        return harness.run(command, TEMP, stdin=file)


def check_other_names(tap):
    """The names that pprof and perf have for columns."""
    pairs = "flat,flat%,cum,cum%,children,name", "self,self%,total,total%,total%,name"
    other, own = (
        run(["-b", "--top=0", "--format=csv", "--columns=" + names])[1] for names in pairs
    )
    tap.ok(own and other == own, "flat, cum and children are other names of columns", other)


def column_names():
    """All columns, except the one that requires --stacks: tests/stacks.py looks at that."""
    names = run(["--top", "--columns="])[2].decode().split("columns are: ")[1].split()
    return [name for name in names if name != "total-error"]


def check_rows(tap, rows, name):
    """Rows of all columns, the first of which is the heading."""
    heading = column_names()
    tap.ok(rows[0] == heading, name + ": the heading has the names of the columns", rows[0])
    wrong = [str(row) for row in rows if len(row) != len(heading)]
    tap.ok(
        len(rows) == len(HOSTILE) + 1 and not wrong, name + ": all rows have as many cells", wrong
    )
    names = [row[heading.index("name")] for row in rows[1:]]
    tap.ok(
        names == NAMED,
        name + ": names",
        harness.diff("\n".join(NAMED).encode(), "\n".join(names).encode()),
    )
    samples = [float(row[heading.index("samples")]) for row in rows[1:]]
    tap.ok(samples == [100.0 - i for i in range(len(HOSTILE))], name + ": numbers", samples)
    selves = [float(row[heading.index("self")]) for row in rows[1:]]
    tap.ok(
        selves == [(100 - i) / 100 for i in range(len(HOSTILE))],
        name + ": in full precision",
        selves,
    )
    least = [row[heading.index("file")] for row in rows[1:]]
    tap.ok(set(least) == {""}, name + ": what is not known is empty", least)


def check_separated(tap):
    columns = "--columns=" + ",".join(column_names())
    text = export("csv", columns)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    formulas = [
        cell
        for row in rows[1:]
        for cell in (row[rows[0].index("name")], row[rows[0].index("raw")])
        if cell[:1] in tuple("=+-@")
    ]
    tap.ok(not formulas, "CSV: no text is a formula for a spreadsheet", formulas)
    check_rows(
        tap,
        [[cell[1:] if re.match("'[-=+@]", cell) else cell for cell in row] for row in rows],
        "CSV",
    )
    tap.ok(
        text.count("\n") == text.count("\r\n") == len(HOSTILE) + 1,
        "CSV: lines end in CR and LF, and no cell has any",
    )
    text = export("tsv", columns)
    check_rows(tap, [line.split("\t") for line in text.splitlines()], "TSV")
    check_sqlite(tap, columns)


def check_sqlite(tap, columns):
    program = harness.tool("SQLITE3", "sqlite3")
    if not program:
        return tap.skip("sqlite3 imports CSV", "no sqlite3")
    write(os.path.join(TEMP, "table.csv"), export("csv", columns).encode())
    commands = [
        ".mode csv",
        ".import table.csv t",
        ".mode tabs",
        "select name, samples, calls from t order by cast(samples as real) desc;",
    ]
    status, out, err = run_with_input(program + [":memory:"], "\n".join(commands) + "\n")
    rows = [line.split("\t") for line in out.decode().splitlines()]
    calls = ["" if i == 0 else str(10 * i) for i in range(len(HOSTILE))]
    expected = [
        ["'" * (name[0] in "=+-@") + name, str(100 - i), calls[i]] for i, name in enumerate(NAMED)
    ]
    tap.ok(status == 0 and not err and rows == expected, "sqlite3 imports CSV", out + err)


def check_markdown(tap):
    program = harness.tool("CMARK_GFM", "cmark-gfm")
    if not program:
        return tap.skip("cmark-gfm renders Markdown", "no cmark-gfm")
    extensions = ["-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tagfilter"]
    text = export("markdown", "--columns=self,name,error,raw,calls")
    status, out, err = run_with_input(program + ["--unsafe"] + extensions, text)
    page = Table(out.decode())
    allowed = {"table", "thead", "tbody", "tr", "th", "td", "code", "p"}
    tap.ok(
        status == 0 and page.tags == allowed,
        "Markdown: no name is markup",
        str(page.tags - allowed) + text,
    )
    tap.ok(
        page.rows[0] == ["self", "name", "error", "raw", "calls"], "Markdown: heading", page.rows[0]
    )
    names = [row[1] for row in page.rows[1:]]
    expected = [
        re.sub("^ (.*) $", r"\1", name) if name.strip() else name for name in NAMED
    ]  # as HTML shows code
    tap.ok(
        names == expected,
        "Markdown: names",
        harness.diff("\n".join(expected).encode(), "\n".join(names).encode()),
    )
    numbers = [(row[0], row[2]) for row in page.rows[1:4]]
    tap.ok(
        numbers == [("1.00", "0.10"), ("0.99", "0.10"), ("0.98", "0.10")],
        "Markdown: numbers as in text",
        numbers,
    )
    align = re.findall(r'<th align="(\w+)">', out.decode())
    tap.ok(
        align == ["right", "left", "right", "left", "right"],
        "Markdown: numbers on the right",
        align,
    )
    tap.ok(
        "%d of %d functions" % ((len(HOSTILE),) * 2) in re.sub(r"\s+", " ", out.decode()),
        "Markdown: the last line",
    )


# ---- Files ----


def check_output(tap):
    path = os.path.join(TEMP, "written")
    flat = run(["-b", "-p"])[1]
    for words in (["-o", "written"], ["--output=written"], ["-owritten"]):
        status, out, err = run(words + ["-b", "-p"])
        tap.ok((status, out, read(path)) == (0, b"", flat), " ".join(words), err)
    status, out, err = run(["-o", "written", "--format=csv", "--columns=name"])
    tap.ok(out == b"" and read(path).startswith(b"name\r\nmain\r\n"), "-o and --format", err)
    tap.ok(run(["-o", "-", "-b", "-p"])[1] == flat, "-o - is standard output")
    before = read(path)
    for profile, what in (("missing", "a profile is missing"), ("image", "a profile is none")):
        status, out, err = run(["-o", "written"], profile=profile)
        tap.ok(status == 1 and read(path) == before, "the file stays if " + what, err)
    status, out, err = run(["-o", "/dev/null", "-b", "-p"])
    is_there = stat.S_ISCHR(os.stat("/dev/null").st_mode)
    tap.ok(
        (status, out, err) == (0, b"", b"") and is_there,
        "nothing is written to the null device, which stays",
        err,
    )
    status, out, err = run(["-o", "/dev/full", "-b", "-p"])
    tap.ok(status == 1 and b"not a regular file" in err, "a device is not replaced", err)
    leftover = [name for name in os.listdir(TEMP) if name.startswith(".gprof")]
    tap.ok(not leftover, "no temporary file stays", " ".join(leftover))
    start = ".gprof-unfinished-output-"
    abandoned, used, recent = start + "abandn", start + "in-use", start + "recent"
    names = {
        name: write(os.path.join(TEMP, name), b"x")
        for name in (
            abandoned,
            used,
            recent,
            start + "longer1",
            ".gprof-backup",
            ".gprof-tmp-backup",
        )
    }
    for name in names.keys() - {recent}:
        os.utime(names[name], (0, 0))
    with open(names[used], "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        run(["-o", "written", "-b", "-p"])
    left = {name for name in os.listdir(TEMP) if name.startswith(".gprof")}
    tap.ok(
        left == names.keys() - {abandoned},
        "a file that a killed run has left is removed, if it is old and not in use",
        left,
    )
    for name in left:
        os.remove(names[name])
    status, out, err = run(["-s", "-o", "total", "--format=tsv", "--columns=name"])
    tap.ok(
        out.startswith(b"name\nmain\n") and read(os.path.join(TEMP, "total"))[:4] == b"gmon",
        "-s: -o is the sum",
        err,
    )


# ---- Inclusive times of drawn calls ----


def draw_calls(drawn):
    """Samples of functions, and calls by caller and callee, cycles that nobody calls among them."""
    count = drawn.randint(2, 6)
    samples = [drawn.choice([0, drawn.randrange(200)]) for _ in range(count)]
    calls = {
        (drawn.randrange(count), drawn.randrange(count)): drawn.randint(1, 50)
        for _ in range(drawn.randint(1, 9))
    }
    return samples, calls


def reached(calls, first):
    found = {first}
    while True:
        more = found | {callee for caller, callee in calls if caller in found}
        if more == found:
            return found
        found = more


def find_mistake(samples, calls, is_rounded):
    """What is wrong with the table of such a profile, or None.  What leads only to itself has a
    known total, unless
    bins have no whole number of bytes: then credits of functions may add up to more than the
    samples.
    """
    names = ["f%d" % i for i in range(len(samples))]
    lines = ["text %#x" % START] + ["function %s %#x" % (name, SIZE) for name in names]
    write(os.path.join(TEMP, "drawn"), elf.parse("\n".join(lines) + "\n").bytes())
    bins = {i * SIZE // 4 + 1: n for i, n in enumerate(samples)}
    histogram = Histogram(
        START, START + len(names) * SIZE, len(names) * SIZE // 4 + 7 * is_rounded, bins
    )
    arcs = [("arc", START + a * SIZE + 8, START + b * SIZE, n) for (a, b), n in calls.items()]
    write(
        os.path.join(TEMP, "drawn.gmon"), Profile(Layout(64, "little"), [histogram] + arcs).bytes()
    )
    words = [
        "--quiet",
        "-z",
        "--format=csv",
        "--columns=name,self,self%,cumulative%,total,total%,least,most",
    ]
    rows = list(csv.reader(io.StringIO(run(words, "drawn", "drawn.gmon")[1].decode())))[1:]
    text = run(["--quiet", "-z", "--top=0"], "drawn", "drawn.gmon")[1].decode()
    if float(re.search(r", ([0-9.]+) % of ", text)[1]) > 100:
        return text
    for row in rows:
        self, _, _, total, _, least, most = (float(cell or 0) for cell in row[1:])
        if not least - 1e-9 <= total <= most + 1e-9 or total < self - 1e-9:
            return "%s: %r" % (row[0], row)
        if any(float(row[i] or 0) > 100 for i in (2, 3, 5)):
            return "%s: a share above 100: %r" % (row[0], row)
        f = int(re.match(r"f(\d+)", row[0])[1])
        below = reached(calls, f)
        if not is_rounded and not any(
            callee in below for caller, callee in calls if caller not in below
        ):
            expected = sum(samples[g] for g in below) / 100
            if abs(total - expected) > 1e-9:
                return "%s: total %g, not %g" % (row[0], total, expected)
    return None


def check_totals(tap):
    drawn = random.Random(5)
    for _ in range(150):
        samples, calls = draw_calls(drawn)
        wrong = find_mistake(samples, calls, drawn.random() < 0.3) if any(samples) else None
        if wrong is not None:
            tap.ok(False, "totals of drawn calls", "%s\n%r %r" % (wrong, samples, calls))
            return
    tap.ok(
        True,
        "totals of drawn calls: between the bounds, and known where nothing else calls the callees",
    )


# How the rows of the image begin: 71, 25, 2.1, 1.5, 0.2 and 0 % of the time.
COLOURS = ["\33[1;31m", "\33[1;31m", "\33[33m", "", "\33[2m", "\33[2m"]


def colours_of(text):
    """What each row begins with, if each ends as it must; and the text without."""
    plain = re.sub(r"\033\[[0-9;]*m", "", text)
    rows = re.findall(
        r"^((?:\033\[[0-9;]+m)?)[^\033\n]*?((?:\033\[0m)?)$", text.split("\n\n")[0], re.M
    )[1:]
    return [start if bool(start) == bool(end) else None for start, end in rows], plain


def check_colours(tap):
    """Rows stand out by their share on a terminal that knows colours, and only there."""
    table = ["--top", "--names=full"]
    plain = run(table)[1].decode()
    found = colours_of(run_on_terminal(table, 400, TERM="xterm"))
    tap.ok(found == (COLOURS, plain), "colours by share, and nothing else changes", found)
    for name, words, environment in (
        ("--color=never", table + ["--color=never"], {"TERM": "xterm"}),
        ("NO_COLOR", table, {"TERM": "xterm", "NO_COLOR": "1"}),
        ("TERM=dumb", table, {"TERM": "dumb"}),
    ):
        tap.ok(run_on_terminal(words, 400, **environment) == plain, "no colours: " + name)
    tap.ok(
        colours_of(run_on_terminal(table, 400, TERM="xterm", NO_COLOR=""))[0] == COLOURS,
        "an empty NO_COLOR says nothing",
    )
    tap.ok(
        "\033" not in run_on_terminal(["-p", "-q"], 80, TERM="xterm"), "no colours in other reports"
    )
    tap.ok(
        colours_of(run(table + ["--color"])[1].decode()) == (COLOURS, plain),
        "--color: in a pipe, too",
    )
    status, out, err = run(table + ["--color=always", "-o", "coloured"])
    tap.ok(
        status == 0 and read(os.path.join(TEMP, "coloured")).decode() == plain,
        "no colours in files",
        (status, out, err),
    )
    make("image", "faster.gmon", NAMES, [200, 700, 600, 41, 7, 0])
    status, out, err = run(
        ["--color", "--one-run", "--base=image", "--base-profile=gmon.out"], profile="faster.gmon"
    )
    starts = {
        line.split()[-1]: re.match(r"(?:\033\[[0-9;]*m)?", line)[0]
        for line in re.sub(r"\033\[0m", "", out.decode()).split("\n\n")[-2].splitlines()
    }
    tap.ok(
        starts.get("main") == "\33[32m" and "\33[31m" in starts.values(),
        "a comparison has colours for what changed",
        out,
    )


def main():
    tap = harness.Tap()
    make("image", "gmon.out", NAMES, SAMPLES)
    quoted = ['"%s"' % "".join("\\x%02x" % byte for byte in name.encode()) for name in HOSTILE]
    make("hostile", "hostile.gmon", quoted, [100 - i for i in range(len(HOSTILE))])
    check_terminal(tap)
    check_height(tap)
    check_focus(tap)
    check_advice(tap)
    check_separated(tap)
    check_markdown(tap)
    check_output(tap)
    check_totals(tap)
    check_other_names(tap)
    check_colours(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
