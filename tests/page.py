#!/usr/bin/env python3
"""--format=html: the page in a browser, its script checked and linted, and its numbers compared
with the table.

The browser is Debian's chromium (or CHROMIUM), headless.  The packages of tests/page/package.json
are looked for in
PAGE_TOOLS; scripts/check installs both.  What is missing is skipped by name.
"""

import sys

sys.dont_write_bytecode = True

import csv
import decimal
import io
import json
import math
import os
import random
import re
import shutil
import statistics

from lib import devtools, elf, gmonfile, harness, stack_model
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write
from table import SIZE, START

SOURCES = os.path.join(harness.SRCDIR, "src", "export", "html")
TOOLS = os.environ.get("PAGE_TOOLS") or os.path.join(harness.SRCDIR, "build-check", "page-tools")
LAYOUT = Layout(64, "little")
MOST_BYTES = 130_000  # of the page without data
LONG = "long" * 17500
# "outer" is the caller of all others.
HOSTILE = [
    "outer",
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "-->",
    "]]>",
    '"quoted"',
    "'quoted'",
    "a&lt;b",
    "&#60;b&#62;",
    "line\u2028separator\u2029",
    "\u202eright to left",
    "javascript:alert(1)",
    "__proto__",
    "constructor",
    "toString",
    "a=b&f=c#d",
    "100%",
    "%3Cb%3E",
    "back\\slash",
    "tab\tnew\nline",
    "caf\u00e9 \U0001f600",
    "<img src=x onerror=window.hacked=1>",
    "`${window.hacked=1}`",
    "@SCRIPT@",
    "operator<",
    "same",
    LONG,
]
NOT_UTF8 = '"\\xe9\\x80\\xff"'


# ---- Profiles ----


def quoted(name):
    return '"%s"' % "".join("\\x%02x" % byte for byte in name.encode())


def make_image(name, functions):
    lines = ["text %#x" % START] + ["function %s %#x" % (function, SIZE) for function in functions]
    return write(os.path.join(TEMP, name), elf.parse("\n".join(lines) + "\n").bytes())


def histogram_of(count, samples, rate):
    """SAMPLES by function number."""
    bins = {f * SIZE // 4 + 1: n for f, n in samples.items()}
    return Histogram(START, START + count * SIZE, count * SIZE // 4, bins, rate)


def write_stacks(name, lines, objects=("libz.so.1",)):
    """LINES are those of gmonfile.stacks."""
    write(os.path.join(TEMP, name), gmonfile.stacks(lines, 1000, None, "small", objects))


def make_profile(name, count, samples, calls, rate=100, format="magic"):
    """CALLS is a list of caller (None: 0), callee, number."""
    arcs = [
        ("arc", 0 if caller is None else START + caller * SIZE + 8, START + callee * SIZE, n)
        for caller, callee, n in calls
    ]
    records = [histogram_of(count, samples, rate)] * bool(samples) + arcs
    return write(os.path.join(TEMP, name), Profile(LAYOUT, records).bytes(format))


def random_calls(rng, count, number):
    """Calls mostly from lower to higher functions, so that there are few cycles and several
    levels."""
    calls = {}
    for _ in range(number):
        caller, callee = rng.randrange(count), rng.randrange(count)
        if rng.random() < 0.999:
            caller, callee = min(caller, callee), max(caller, callee)
        calls[caller, callee] = rng.randrange(1, 10 ** rng.randrange(1, 9))
    return [(caller, callee, n) for (caller, callee), n in sorted(calls.items())]


def make_profiles():
    rng = random.Random(1)
    make_image("small", ["main", "parse", "lex", "copy", "first", "second"])
    calls = [
        (0, 1, 20),
        (1, 2, 400),
        (1, 3, 2**32 - 1),
        (0, 3, 7),
        (1, 4, 3),
        (4, 5, 30),
        (5, 4, 29),
        (5, 3, 9),
        (5, 5, 2),
    ]
    make_profile("small.gmon", 6, {1: 5, 2: 40, 3: 30, 4: 9, 5: 25}, calls)
    make_image("hostile", [quoted(name) for name in HOSTILE] + [NOT_UTF8])
    count = len(HOSTILE) + 1
    make_profile(
        "hostile.gmon",
        count,
        {f: 100 - f for f in range(count)},
        [(0, f, 10 * f) for f in range(1, count)],
    )
    make_image("random", ["f%d" % f for f in range(300)])
    make_profile(
        "random.gmon",
        300,
        {f: rng.randrange(1, 500) for f in range(0, 300, 2)},
        random_calls(rng, 300, 900),
        1000,
    )
    make_image("many", ["f%d@plt" % f for f in range(1198)] + ["_init", "_init"])
    make_profile(
        "many.gmon", 1200, {f: f + 1 for f in range(1200)}, [(0, f, 1) for f in range(1, 1200)]
    )
    make_profile("huge.gmon", 6, {1: 7}, [(0, 1, 2**53 + 1), (0, 2, 3)], format="bsd")
    make_profile("calls.gmon", 6, {}, calls)
    make_lines()
    make_profile("samples.gmon", 6, {1: 50}, [])
    make_profile("five.gmon", 6, {1: 5}, [])
    make_profile("norate.gmon", 6, {1: 5}, [], rate=0)


def make_lines():
    """Two functions with lines in two files, the first with text that is hostile."""
    text = [
        "text %#x" % START,
        "function main %#x" % SIZE,
        "file /src/lined.c",
        "lines 0 2 16 3 32 4",
        "function work %#x" % SIZE,
    ]
    text += ["lines 0 8 16 9 48 8", "function other %#x" % SIZE, "file /src/more.c", "lines 0 1"]
    write(os.path.join(TEMP, "lined"), elf.parse("\n".join(text) + "\n").bytes())
    bins = {1: 3, 5: 4, 17: 5, 21: 60, 29: 7, 33: 2}
    records = [
        Histogram(START, START + 3 * SIZE, 3 * SIZE // 4, bins),
        ("arc", START + 8, START + SIZE, 44),
        ("arc", START + 8, START + 2 * SIZE, 2),
    ]
    write(os.path.join(TEMP, "lined.gmon"), Profile(LAYOUT, records).bytes())
    lines = [b"line %d" % (i + 1) for i in range(30)]
    lines[8] = b"\tif (a < b) </script><script>window.hacked=1</script> \0 \xe9"
    write(os.path.join(TEMP, "lined.c"), b"\n".join(lines) + b"\n")
    write(os.path.join(TEMP, "more.c"), b"one\r\n" * 3)


LARGE = harness.sized(8_000, 80_000)


def make_large():
    rng, count = random.Random(2), LARGE
    make_image("large", ["_ZN6engine8module%02d%05dEi" % (f % 90, f) for f in range(count)])
    make_profile(
        "large.gmon",
        count,
        {f: rng.randrange(1, 1000) for f in range(0, count, 3)},
        random_calls(rng, count, 25 * count // 4),
    )


def make_page(name, *words):
    """The path of a page, written by -o."""
    path = os.path.join(TEMP, name + ".html")
    status, out, err = harness.run([harness.GPROF, "--format=html", "-o", path] + list(words), TEMP)
    if status != 0 or out:
        raise RuntimeError("%s: status %d\n%s" % (name, status, err.decode(errors="replace")))
    return path


# ---- Without a browser ----


def without_data(path):
    return re.sub(
        rb'(<script type="application/json" id="data">).*?(</script>)',
        rb"\1\2",
        harness.read(path),
        flags=re.S,
    )


def check_file(tap):
    page = harness.read(make_page("small", "small", "small.gmon"))
    again = harness.run([harness.GPROF, "--format=html", "small", "small.gmon"], TEMP)[1]
    tap.ok(page == again, "the same page on standard output")
    frame = without_data(os.path.join(TEMP, "small.html"))
    tap.ok(len(frame) < MOST_BYTES, "under 130 kB besides the data", "%d bytes" % len(frame))
    hostile = make_page("hostile", "hostile", "hostile.gmon")
    tap.ok(without_data(hostile) == frame, "names are nowhere but in the data")
    data = re.search(rb'id="data">(.*?)</script>', harness.read(hostile), re.S)[1]
    tap.ok(
        b"<" not in data and "\u2028".encode() not in data,
        "the data has no < and no line separator",
    )
    tap.ok(len(json.loads(data)["functions"]["name"]) == len(HOSTILE) + 1, "the data is JSON")
    links = re.findall(rb"(?:src|href|url|import)\s*[=(]\s*[\"']?\w+:", frame)
    tap.ok(
        not links and b"http" not in frame.replace(b"http-equiv", b""),
        "no address of another file",
        links,
    )
    for words, fragment in (
        (["--top"], "--format=html and --top cannot be used"),
        (["-s"], "--sum and --format=html cannot be used"),
    ):
        tap.refused(["--format=html"] + words + ["small", "small.gmon"], fragment, TEMP)


def check_selected_sources(tap):
    """-A with an argument, and -J: only the sources and lines of the functions that they select."""
    work, other, main = ("lined.c", [8, 9]), ("more.c", [1]), ("lined.c", [2, 3])
    for words, expected in (
        (["-A"], [("lined.c", [2, 3, 8, 9]), other]),
        (["-Awork"], [work]),
        (["-Aother"], [other]),
        (["-Amore.c:"], [other]),
        (["-Awork", "-Aother"], [work, other]),
        (["-Jwork"], [main, other]),
        (["-Jother"], [("lined.c", [2, 3, 8, 9])]),
        (["-l", "-Awork"], [work]),
    ):
        path = make_page("selected", *words, "-I", TEMP, "lined", "lined.gmon")
        data = json.loads(re.search(rb'id="data">(.*?)</script>', harness.read(path), re.S)[1])
        shown = sorted(
            (os.path.basename(source["path"]), source["line"]) for source in data["sources"]
        )
        tap.ok(shown == expected, "sources that %s selects" % " ".join(words), shown)


def check_script(tap):
    """The types of the modules, and the rules of the linter."""
    work = os.path.join(TEMP, "page-tools")
    for tool, words, name in (
        ("tsc", ["-p", "tsconfig.json"], "tsc --checkJs"),
        ("eslint", ["--max-warnings=0", "."], "eslint"),
    ):
        program = os.path.join(TOOLS, "node_modules", ".bin", tool)
        if not shutil.which("node") or not os.path.exists(program):
            tap.skip(name, "no %s in %s" % (tool, TOOLS))
            continue
        if not os.path.exists(work):
            shutil.copytree(SOURCES, work)
            for file in ("tsconfig.json", "eslint.config.mjs"):
                shutil.copy(os.path.join(harness.TESTS, "page", file), work)
            os.symlink(os.path.join(TOOLS, "node_modules"), os.path.join(work, "node_modules"))
        status, out, err = harness.run([program] + words, work)
        tap.ok(status == 0, name, (out + err).decode(errors="replace"))


# ---- The numbers ----

# Columns of the page, those of the table, and decimals; None: text.
NUMBERS = {
    "self%": 2,
    "self": "time",
    "error": "time",
    "cumulative%": 2,
    "total%": 2,
    "total": "time",
    "least": "time",
    "most": "time",
    "calls": 0,
    "callers": 0,
    "callees": 0,
    "samples": 1,
    "cycle": 0,
}


def rounded(text, decimals):
    """As toFixed rounds: the nearest, a tie away from zero."""
    if text == "":
        return ""
    step = decimal.Decimal(1).scaleb(-decimals)
    return (
        str(decimal.Decimal(float(text)).quantize(step, decimal.ROUND_HALF_UP))
        if decimals
        else text
    )


READ_ROWS = """Array.from(document.querySelectorAll('#view-functions tbody tr[data-index]'), (row) => {
  const keys = Array.from(document.querySelectorAll('#view-functions thead th'), (th) => th.dataset.key);
  const entry = {};
  Array.from(row.children).forEach((cell, i) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll('.doubt, .quiet').forEach((mark) => mark.remove());
    entry[keys[i]] = copy.textContent;
  });
  entry.doubtful = row.querySelector('.doubt') !== null;
  return entry;
})"""


def show_all_columns(page):
    page.evaluate(
        "[...document.querySelectorAll('#view-functions label')].find((l) =>"
        " l.textContent.includes('all columns')).querySelector('input').click()"
    )
    page.frames()


def check_numbers(tap, page, words, what, decimals):
    """Every cell of the page is what --top has, rounded."""
    columns = ",".join(list(NUMBERS) + ["name", "raw", "address"])
    table = harness.run(
        [harness.GPROF, "--top", "--top=0", "--format=tsv", "--columns=" + columns] + list(words),
        TEMP,
    )[1]
    rows = list(csv.DictReader(io.StringIO(table.decode()), delimiter="\t", quoting=csv.QUOTE_NONE))
    page.resize(1600, 500 + 30 * len(rows))
    page.open(make_page("numbers", *words), "#functions")
    show_all_columns(page)
    shown = {row["address"]: row for row in page.evaluate(READ_ROWS)}
    wrong = []
    for row in rows:
        mine = shown.pop(row["address"], {})
        for key, places in NUMBERS.items():
            if key not in mine:
                wrong += ["no column " + key] if row[key] not in ("", "0") else []
            elif mine[key].replace(",", "") != rounded(
                row[key], decimals if places == "time" else places
            ):
                wrong.append(
                    "%s %s: %s in the page, %s in the table"
                    % (row["name"], key, mine[key], row[key])
                )
        if mine.get("name") != re.sub(r" <cycle \d+>$", "", row["name"]):
            wrong.append("name %s: %s" % (row["name"], mine.get("name")))
    wrong += [
        "only in the page: " + row["name"]
        for row in shown.values()
        if row.get("calls") or row.get("self", "0.00").strip("0.")
    ]
    tap.ok(rows and not wrong, "numbers as in the table: " + what, wrong[:20])
    page.resize(1280, 800)


def check_all_numbers(tap, page):
    check_numbers(tap, page, ["small", "small.gmon"], "a small program with a cycle", 2)
    check_numbers(tap, page, ["random", "random.gmon"], "300 functions at 1000 samples a second", 3)
    check_numbers(tap, page, ["small", "small.gmon", "calls.gmon"], "two profiles", 2)
    check_numbers(tap, page, ["-O", "bsd", "small", "huge.gmon"], "large counts", 2)
    check_numbers(tap, page, ["small", "samples.gmon"], "no calls", 2)
    check_numbers(tap, page, ["small", "calls.gmon"], "no samples", 2)


# ---- Views ----


def text_of(page, selector):
    return page.evaluate(
        "(document.querySelector(%s) || {textContent: null}).textContent" % json.dumps(selector)
    )


def names_in(page, selector):
    return page.evaluate(
        "Array.from(document.querySelectorAll(%s), (e) => e.firstChild.textContent)"
        % json.dumps(selector + " .name")
    )


def focus_text(page):
    return page.evaluate("document.activeElement.textContent || document.activeElement.id")


def view_ids(page):
    return page.evaluate(
        "Array.from(document.querySelectorAll('nav[aria-label=Views] a'), (a) => a.dataset.view)"
    )


def check_overview(tap, page, path):
    page.open(path)
    text = text_of(page, "#view-overview")
    headline = text_of(page, ".headline")
    tap.ok(
        headline == "lex took 37\u00a0% of the time; it is called only by parse."
        and "0.40 (±\u00a00.06) of 1.09\u00a0s" in text,
        "overview: what is slow",
        text,
    )
    titles = page.evaluate(
        "Array.from(document.querySelectorAll('#view-overview h2'), (e) => e.textContent)"
    )
    tap.ok(
        "Where the time went below parse" in titles,
        "overview: the stacks from where they differ",
        titles,
    )
    tap.ok(
        "≈\u00a0100\u00a0% of the time is in parse and what it calls: " in text,
        "overview: where time concentrates",
        text,
    )
    page.evaluate(
        "[...document.querySelectorAll('.view:not([hidden]) .frame')].find((f) => f.textContent ==="
        " 'copy').click()"
    )
    tap.ok(
        page.wait("location.hash === '#f=copy'"), "overview: a click on a stack shows the function"
    )
    page.open(path)
    tap.ok(
        "All calls came from parse. That is 20 calls for each time" in text,
        "overview: who called it",
        text,
    )
    tap.ok(
        names_in(page, "#view-overview .path") == ["main", "parse", "lex"],
        "overview: the path of calls",
    )
    error = "a standard error of sampling of 9.6\u00a0%; runs differ by more (--per-file)"
    tap.ok(
        "109\u00a0samples" in text and error in text and "fair" in text,
        "overview: how sure it is",
        text,
    )
    rows = page.evaluate(
        "Array.from(document.querySelectorAll('table.short'), (t) =>"
        " t.tBodies[0].rows[0].textContent)"
    )
    tap.ok(
        len(rows) == 2 and "0.40" in rows[0] and "100.0" in rows[1],
        "overview: two lists of ten",
        rows,
    )
    page.click("#view-overview a[href='#flame']")
    tap.ok(
        page.wait("!document.querySelector('#view-flame').hidden"), "overview: a link to all stacks"
    )
    page.open(os.path.join(TEMP, "random.html"))
    table = harness.run(
        [
            harness.GPROF,
            "--top=10",
            "--format=tsv",
            "--columns=self%,name",
            "random",
            "random.gmon",
        ],
        TEMP,
    )[1]
    rows = [line.split("\t") for line in table.decode().splitlines()[1:]]
    expected = (
        "No single hot spot: the ten first functions took %.0f\u00a0%% of the time, %s the most"
        " (%.1f\u00a0%%)." % (sum(float(row[0]) for row in rows), rows[0][1], float(rows[0][0]))
    )
    headline = text_of(page, ".headline")
    tap.ok(headline == expected, "overview: no hot spot", "%s\n%s" % (headline, expected))
    page.open(make_page("five", "small", "five.gmon"))
    headline = text_of(page, ".headline")
    tap.ok(
        headline == "Only 5\u00a0samples: too few to say what is slow. The first is parse.",
        "overview: too few samples to say",
        headline,
    )
    page.open(make_page("few", "small", "samples.gmon", "norate.gmon"))
    text = text_of(page, "#view-overview")
    tap.ok("no call counts" in text and "rough" in text, "overview: few samples and no calls", text)
    tap.ok(
        "What gprof remarked" in text and "norate.gmon" in text_of(page, ".plain-list"),
        "overview: what gprof remarked",
        text,
    )
    page.open(make_page("counts", "small", "calls.gmon"))
    text = text_of(page, "#view-overview")
    tap.ok("no samples" in text, "overview: without samples", text)


def check_few(tap, page):
    """Samples that are too few are never good; what was counted is never too little."""
    read = (
        "[document.querySelector('.headline').textContent,"
        " ...Array.from(document.querySelectorAll('#view-overview .badge'), (b) => b.textContent)]"
    )
    make_profile("thin.gmon", 300, {f: 5 for f in range(300)}, [])
    page.open(make_page("thin", "random", "thin.gmon"))
    said = page.evaluate(read)
    tap.ok(
        said
        == [
            (
                "Only 1,500\u00a0samples, fewer than 10 in each function: too few to say what is"
                " slow. The first is f0."
            ),
            "rough",
        ],
        "few samples: in each function of many",
        said,
    )
    write(os.path.join(TEMP, "exact.folded"), b"main;first 5\nmain;second 3\n")
    page.open(make_page("exact", "--from=folded", "--exact", "exact.folded"))
    said = page.evaluate(read)
    tap.ok(
        said[0].startswith("first took 63\u00a0% of the time")
        and said[1:] == ["Warm colours", "grey", "counted"],
        "few samples: not of what was counted",
        said,
    )
    page.open(os.path.join(TEMP, "exact.html"), "#functions")
    tap.ok(
        page.evaluate("document.querySelector('.doubt')") is None,
        "few samples: which is not in doubt",
    )


def check_stated(tap, page):
    """Times of calls that nobody sampled."""
    calls = b"fn=main\n1 200\ncfn=leaf\ncalls=24 5\n2 700\n\nfn=leaf\n5 700\n"
    write(os.path.join(TEMP, "stated"), b"creator: cProfile\nevents: ns\n" + calls)
    page.open(make_page("stated", "stated"))
    text = text_of(page, "#view-overview")
    good = "stated" in text and "does not say how its figures were measured" in text
    text = text.replace("are counted, not sampled", "")  # calls
    tap.ok(good and "sampl" not in text, "stated: the overview speaks of no samples", text)
    page.open(os.path.join(TEMP, "stated.html"), "#flame")
    text = text_of(page, "#view-flame")
    good = "estimated from times of calls" in text and "numbers of calls" not in text
    tap.ok(good, "stated: how stacks are estimated", text)


def check_outside(tap, page):
    """Calls whose caller is recorded as 0."""
    make_profile("outside.gmon", 6, {1: 40, 2: 60}, [(None, 1, 30), (0, 1, 10), (1, 2, 100)])
    page.open(make_page("outside", "small", "outside.gmon"), "#f=parse")
    text = text_of(page, ".callers")
    tap.ok("<outside> (callers outside of the program)" in text, "outside: has words", text)
    page.click(".callers .name")
    tap.ok(
        "It stands for all callers that are not in the program" in text_of(page, ".callers"),
        "outside: is explained",
        text_of(page, ".callers"),
    )
    colours = page.evaluate(
        "Array.from(document.querySelectorAll('.below .frame'), (f) => [f.textContent,"
        " f.className.includes('other')])"
    )
    tap.ok(
        colours[:2] == [["<outside>", True], ["parse", False]],
        "outside: is no function of the program",
        colours,
    )


def check_varying(tap, page):
    """Functions that vary between ranks: own times, and those with callees."""
    runs = [{"solve;gauss": 500, "solve": 80, "wait": 400} for _ in range(8)]
    runs[5] = {"solve;gauss": 800, "solve": 80, "wait": 100}
    for i, counts in enumerate(runs):
        lines = ["main;%s %d\n" % item for item in counts.items()]
        write(os.path.join(TEMP, "varying.%d" % i), "".join(lines).encode())
    names = ["varying.%d" % i for i in range(8)]
    page.open(make_page("varying", "--per-file", *names))
    for what, functions in (
        ("Own times that vary", {"gauss": ["solve;gauss"], "wait": ["wait"]}),
        (
            "Times with callees that vary",
            {"gauss": ["solve;gauss"], "solve": ["solve;gauss", "solve"], "wait": ["wait"]},
        ),
    ):
        rows = page.evaluate(
            "Array.from(document.querySelectorAll('[aria-label=\"%s\"] tbody tr'), (r) => "
            "Array.from(r.children, (c) => c.textContent))" % what
        )
        wanted = []
        for name, stacks in functions.items():
            of_runs = [sum(run[stack] for stack in stacks) for run in runs]
            mean = statistics.mean(of_runs)
            chance = math.sqrt(mean * 7 / 8)
            most, least = of_runs.index(max(of_runs)), of_runs.index(min(of_runs))
            figures = [statistics.pstdev(of_runs), chance, mean]
            cells = [name, ""] + ["%.2f" % figure for figure in figures]
            wanted.append(cells + ["varying.%d, varying.%d" % (most, least)])
        rows = [[cell.strip() for cell in row] for row in rows]
        tap.ok(sorted(rows) == sorted(wanted), "ranks: " + what, "%s\n%s" % (rows, wanted))


def check_many_profiles(tap, page):
    """Each of them has a row, and cards fill their rows."""
    names = ["rank.%d" % i for i in range(50)]
    for i, name in enumerate(names):
        make_profile(name, 6, {1: 5 + i, 2: 40}, [(0, 1, 20 + i), (1, 2, 400)])
    page.open(make_page("ranks", "small", *names))
    rows = page.evaluate(
        "Array.from(document.querySelectorAll('[aria-label=\"50 profiles\"] tbody tr'), (r) =>"
        " Array.from(r.children, (c) => c.textContent))"
    )
    tap.ok(
        rows == [["rank.%d" % i, "", str(45 + i), str(420 + i)] for i in range(50)],
        "many profiles: samples and calls of each",
        rows[:3],
    )
    page.open(make_page("per-file", "--per-file", "small", "rank.0", "rank.1", "rank.49"))
    selector = '[aria-label="3 profiles"]'
    rows = page.evaluate(
        "Array.from(document.querySelectorAll('%s tbody tr'), (r) => Array.from(r.children, "
        "(c) => c.textContent))" % selector
    )
    tap.ok(
        rows == [["rank.%d" % i, "", str(45 + i), str(420 + i)] for i in (0, 1, 49)],
        "--per-file: a row for each profile",
        rows,
    )
    text = page.evaluate("document.querySelector('%s').parentElement.textContent" % selector)
    table = harness.run(
        [harness.GPROF, "-b", "--per-file", "small", "rank.0", "rank.1", "rank.49"], TEMP
    )[1].decode()
    figures = tuple(
        re.search(r"^ +([\d.]+) .* %s\b" % word, table, re.M)[1]
        for word in ("mean", "deviation", "imbalance")
    )
    tap.ok(
        "45 to 94\u00a0samples, %s on average, deviation %s, imbalance %s (rank.49)." % figures
        in text,
        "--per-file: imbalance",
        text + table,
    )
    page.open(os.path.join(TEMP, "ranks.html"))
    tap.ok(
        "rank.0 to rank.49" in text_of(page, "dl"),
        "many profiles: the first and the last",
        text_of(page, "dl"),
    )
    for name, path, width in (
        ("50", "ranks", 1440),
        ("50", "ranks", 2560),
        ("1", "small", 1440),
        ("1", "small", 2560),
    ):
        page.resize(width, 900)
        page.open(os.path.join(TEMP, path + ".html"))
        places = page.evaluate(
            "(() => { const all = document.querySelector('.cards'); return"
            " [all.getBoundingClientRect().right,"
            " all.lastElementChild.getBoundingClientRect().right]; })()"
        )
        tap.ok(
            abs(places[0] - places[1]) < 1,
            "many profiles: cards fill %d pixels: %s" % (width, name),
            places,
        )
    page.resize(1280, 800)


def shown_names(page):
    return names_in(page, "#view-functions tbody th")


def check_table(tap, page):
    page.open(os.path.join(TEMP, "random.html"), "#functions")
    for key, is_text in (("calls", False), ("name", True), ("total", False)):
        page.click("#view-functions th[data-key='%s'] button" % key)
        state = page.evaluate(
            "document.querySelector('#view-functions th[data-key=%s]').getAttribute('aria-sort')"
            % key
        )
        column = [row[key].replace(",", "") for row in page.evaluate(READ_ROWS)]
        values = column if is_text else [float(cell) for cell in column if cell]
        tap.ok(
            len(values) > 5 and values == sorted(values, reverse=not is_text),
            "table: sorted by %s" % key,
            values[:20],
        )
        tap.ok(
            state == ("ascending" if is_text else "descending"),
            "table: aria-sort of %s" % key,
            state,
        )
    page.click("#view-functions th[data-key='total'] button")
    values = [float(row["total"]) for row in page.evaluate(READ_ROWS)]
    tap.ok(values == sorted(values), "table: a second click reverses the order", values)
    page.click("#filter")
    page.type("f12")
    tap.ok(
        sorted(shown_names(page)) == sorted("f12%s" % d for d in [""] + list("0123456789")),
        "table: search",
        shown_names(page),
    )
    status = text_of(page, "#view-functions .status")
    tap.ok(status.startswith("11 of 300\u00a0functions, "), "table: says how many", status)
    page.evaluate(
        "document.querySelector('#filter').value = '/^f1.$/';"
        " document.querySelector('#filter').dispatchEvent(new Event('input'))"
    )
    page.frames()
    tap.ok(len(shown_names(page)) == 10, "table: an expression", shown_names(page))
    page.evaluate(
        "document.querySelector('#filter').value = '/(/';"
        " document.querySelector('#filter').dispatchEvent(new Event('input'))"
    )
    page.evaluate(
        "(() => { const s = document.querySelector('#view-functions select'); s.value = '1';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    page.frames()
    shares = [max(float(row["self%"]), float(row["total%"])) for row in page.evaluate(READ_ROWS)]
    tap.ok(shares and min(shares) >= 0.995, "table: filter by share", shares)


def check_stubs(tap, page):
    """What linkers make is named for what it is; shares are bars."""
    page.open(make_page("many", "many", "many.gmon"), "#functions")
    names = page.evaluate(
        "Array.from(document.querySelectorAll('#view-functions tbody th .name'), (e) =>"
        " e.textContent)"
    )
    tap.ok(
        "f1197@plt (jump to a shared object)" in names and "_init (start)" in names[:2],
        "table: stubs",
        names[:4],
    )
    page.open(os.path.join(TEMP, "random.html"), "#functions")
    bars = page.evaluate(
        "document.querySelector('#view-functions tbody tr[data-index] td').style.backgroundImage"
    )
    first = float(page.evaluate(READ_ROWS)[0]["self%"])
    tap.ok(
        abs(float(re.search(r"([\d.]+)%", bars)[1]) - first) < 0.01,
        "table: a share is a bar",
        "%s %s" % (bars, first),
    )


def edges(page):
    """Of callers and of callees: [width at the function in the middle, middle of the other end] of
    each edge."""
    paths = page.evaluate(
        "Array.from(document.querySelectorAll('.edges'), (e) => e.style.clipPath)"
    )
    found = [
        [[float(word) for word in re.findall(r"-?[\d.]+", edge)] for edge in path.split("M")[1:]]
        for path in paths
    ]
    return [
        [(numbers[8] - numbers[7], (numbers[1] + numbers[14]) / 2) for numbers in side]
        for side in found
    ]


def check_graph(tap, page, path):
    page.open(path, "#f=parse")
    tap.ok(text_of(page, "#function") == "parse", "graph: a link to a function")
    tap.ok(names_in(page, ".callers") == ["main"], "graph: callers", names_in(page, ".callers"))
    tap.ok(
        sorted(names_in(page, ".callees")) == ["copy", "first", "lex"],
        "graph: callees",
        names_in(page, ".callees"),
    )
    page.click(".callees .name")
    walked = text_of(page, "#function")
    tap.ok(
        walked in ("lex", "copy") and page.evaluate("location.hash") == "#f=" + walked,
        "graph: a click walks",
        walked,
    )
    page.evaluate("history.back()")
    tap.ok(
        page.wait("document.querySelector('#function').textContent === 'parse'"),
        "graph: the back button returns",
    )
    page.frames(4)
    shares = page.evaluate(
        "Array.from(document.querySelectorAll('.callees .neighbour'), (e) =>"
        " Number(e.dataset.share))"
    )
    ends = edges(page)[1]
    ratio = [width / part for (width, _), part in zip(ends, shares) if part > 2]
    tap.ok(
        len(ends) == 3 and len(ratio) > 1 and max(ratio) < 1.05 * min(ratio),
        "graph: edges are as wide as their time",
        "%s %s" % (ends, shares),
    )
    places = page.evaluate(
        "Array.from(document.querySelectorAll('.callees .neighbour'), (e) => { const b ="
        " e.getBoundingClientRect(); return b.top + b.height / 2 -"
        " document.querySelector('.edges').getBoundingClientRect().top; })"
    )
    tap.ok(
        all(abs(end[1] - y) < 1 for end, y in zip(ends, places)) and len(edges(page)[0]) == 1,
        "graph: and lead to callees and callers",
        "%s %s" % (ends, places),
    )
    page.open(path, "#f=lex")
    page.frames(4)
    style = page.evaluate("document.querySelectorAll('.edges')[1].style.clipPath")
    tap.ok(
        style in ('path("M 0 0")', 'path("M0 0")'), "graph: no edge where nothing is called", style
    )
    page.resize(900, 800)
    page.open(path, "#f=parse")
    widths = page.evaluate(
        "Array.from(document.querySelectorAll('.callees .neighbour'), (e) =>"
        " [Number(e.dataset.share), e.querySelector('.bar-fill').getBoundingClientRect().width])"
    )
    ratio = [width / part for part, width in widths if part > 1]
    tap.ok(
        len(ratio) > 1 and max(ratio) < 1.05 * min(ratio),
        "graph: where it is narrow, bars are",
        widths,
    )
    page.resize(1280, 800)
    page.open(path, "#f=first")
    text = text_of(page, "#view-graph")
    tap.ok("In cycle 1" in text and "inside cycle 1" in text, "graph: cycles", text)
    make_image("mangled", ["main", "_ZN4name5parseEi"])
    make_profile("mangled.gmon", 2, {0: 5, 1: 50}, [(0, 1, 7)])
    mangled = make_page("mangled", "mangled", "mangled.gmon")
    for name in ("name::parse(int)", "name::parse", "_ZN4name5parseEi"):
        page.open(mangled, "#f=" + name)
        tap.ok(text_of(page, "#function") == "name::parse", "graph: a link to " + name)
    page.open(path, "#f=nothing%20here")
    tap.ok(
        "no function “nothing here”" in text_of(page, "#view-graph"),
        "graph: a name that is not there",
    )
    page.open(make_page("huge", "-O", "bsd", "small", "huge.gmon"), "#f=main")
    text = text_of(page, ".callees")
    tap.ok("all 9,007,199,254,740,993 calls" in text, "graph: large counts are exact", text)
    page.open(os.path.join(TEMP, "random.html"), "#graph")
    opened = text_of(page, "#function")
    page.open(os.path.join(TEMP, "random.html"))
    tap.ok(
        opened == text_of(page, ".headline .name").strip(),
        "graph: opens on what the headline names",
        opened,
    )
    page.open(os.path.join(TEMP, "random.html"), "#f=f0")
    before = page.evaluate("document.querySelectorAll('.callees .neighbour').length")
    all_of = int(re.search(r"\d+", text_of(page, ".callees h2"))[0])
    if all_of > before:
        page.click(".callees .more")
    tap.ok(
        page.evaluate("document.querySelectorAll('.callees .neighbour').length") == all_of,
        "graph: more callees",
        (before, all_of),
    )


# [name, level, left, width, label for screen readers] of all frames of the view in sight.
READ_FRAMES = """Array.from(document.querySelectorAll('.view:not([hidden]) .frame'), (f) => {
  const box = f.getBoundingClientRect(), whole = f.parentElement.getBoundingClientRect();
  return [f.getAttribute('aria-label').split(',')[0], Number(f.getAttribute('aria-level')),
    box.left - whole.left, box.width, f.getAttribute('aria-label')];
})"""


def frames_by_name(page):
    return {frame[0]: frame for frame in page.evaluate(READ_FRAMES)}


def check_flame(tap, page, path):
    tree = json.loads(re.search(rb'id="data">(.*?)</script>', harness.read(path), re.S)[1])["tree"]
    own = {}
    for function, kind, samples in zip(tree["function"], tree["kind"], tree["self"]):
        own[kind, function] = own.get((kind, function), 0) + samples
    page.open(path, "#flame")
    tap.ok(
        "estimated from call counts" in text_of(page, "#view-flame"),
        "flame: says that stacks are estimated",
    )
    tap.ok(
        "Warm colours only tell functions apart; grey is" in text_of(page, "#view-flame"),
        "flame: what colours mean",
    )
    frames = frames_by_name(page)
    width = frames["all"][3] + 1
    tap.ok(
        frames["main"][1] == 2
        and abs(frames["main"][3] + 1 - width) < 2
        and "100.0 %, 109 samples" in frames["main"][4],
        "flame: the root",
        frames,
    )
    tap.ok(
        frames["lex"][1] == 4 and abs((frames["lex"][3] + 1) / width - 40 / 109) < 0.01,
        "flame: width is time",
        frames["lex"],
    )
    inside = all(
        frames[name][2] >= frames["parse"][2] - 1
        and frames[name][2] + frames[name][3] <= frames["parse"][2] + frames["parse"][3] + 1
        for name in ("lex", "first")
    )
    tap.ok(inside, "flame: callees are below their caller", frames)
    page.evaluate(
        "[...document.querySelectorAll('.frame')].find((f) => f.textContent[0] === '[').click()"
    )
    page.frames()
    zoomed = frames_by_name(page)
    tap.ok(
        abs(zoomed["[cycle 1]"][3] + 1 - width) < 2
        and zoomed["second"][3] > 2 * frames["second"][3]
        and "lex" not in zoomed,
        "flame: a click zooms",
        zoomed,
    )
    page.press("Escape")
    tap.ok(frames_by_name(page)["lex"][3] == frames["lex"][3], "flame: Escape zooms out")
    page.evaluate("document.querySelector('.frame').focus()")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
        page.press(key)
    below = page.evaluate("document.activeElement.getAttribute('aria-level')")
    page.press("ArrowRight")
    right = focus_text(page)
    page.press("Enter")
    zoomed = frames_by_name(page)
    tap.ok(
        below == "4" and right in zoomed and abs(zoomed[right][3] + 1 - width) < 2,
        "flame: keys walk and zoom",
        "%s %s %s" % (below, right, zoomed),
    )
    page.press("Escape")
    page.press("Escape")
    page.click("#stack-search")
    page.type("lex")
    dim = page.evaluate(
        "Array.from(document.querySelectorAll('.frame:not(.dim)'), (f) => f.textContent)"
    )
    tap.ok(
        dim == ["lex"] and "in 36.7 % of the time" in text_of(page, ".controls"),
        "flame: search",
        dim,
    )
    page.evaluate("document.querySelectorAll('input[name=direction]')[1].click()")
    page.frames()
    callers = [frame for frame in page.evaluate(READ_FRAMES) if frame[1] == 2]
    names = json.loads(re.search(rb'id="data">(.*?)</script>', harness.read(path), re.S)[1])[
        "functions"
    ]["name"]
    expected = {
        names[function]: samples
        for (kind, function), samples in own.items()
        if kind == 0 and samples
    }
    shown = {
        frame[0]: int(re.search(r"(\d+) sample", frame[4])[1])
        for frame in callers
        if not frame[0].startswith("[")
    }
    tap.ok(
        len(shown) > 3 and shown == expected,
        "flame: turned round, the first level has own times",
        "%s %s" % (shown, expected),
    )
    large = make_page("random", "random", "random.gmon")
    page.open(large, "#flame")
    count = page.evaluate("document.querySelectorAll('.frame').length")
    tap.ok(1 < count <= 6100, "flame: frames that are too small are not drawn", count)


def check_others(tap, page):
    """What is too small to be a frame is in one that says how many it is."""
    make_image("flat", ["f%d" % f for f in range(20001)])
    make_profile(
        "flat.gmon", 20001, {f: 1 for f in range(1, 20001)}, [(0, f, 1) for f in range(1, 20001)]
    )
    page.open(make_page("flat", "flat", "flat.gmon"), "#flame")
    frames = page.evaluate(READ_FRAMES)
    tap.ok(
        [frame[4] for frame in frames][2:]
        == ["[20,000 others], \u2248\xa0200.00\xa0s, 100.0\xa0%, 20,000\xa0samples"],
        "flame: callees that are not in the data",
        frames,
    )
    tap.ok(
        "of them its own" not in frames[1][4],
        "flame: whose time is not that of their caller",
        frames,
    )
    page.open(make_page("many", "many", "many.gmon"), "#flame")
    frames = page.evaluate(READ_FRAMES)
    others = next(frame[4] for frame in frames if "others" in frame[4])
    wide = next(frame[3] for frame in frames if frame[0] == "all")
    row = [frame[3] + 1 for frame in frames if frame[1] == 3]
    number = int(re.match(r"\[([\d,]+) others\]", others)[1].replace(",", ""))
    tap.ok(
        abs(sum(row) - wide) < 4 and number + len(row) - 1 == 1199,
        "flame: frames that would be too narrow",
        "%s %s" % (others, row),
    )
    page.evaluate(
        "[...document.querySelectorAll('.frame')].find((f) =>"
        " f.textContent.includes('others')).click()"
    )
    page.frames()
    inside = page.evaluate(READ_FRAMES)
    tap.ok(
        len(inside) > len(frames) and "others" in inside[2][4] and inside[2][3] > wide - 2,
        "flame: a click zooms into the others",
        inside[:4],
    )
    page.press("ArrowDown")
    page.press("ArrowRight")
    tap.ok(
        page.evaluate("document.activeElement.getAttribute('aria-level')") == "4",
        "flame: and keys walk there",
    )
    page.press("Escape")
    tap.ok(len(page.evaluate(READ_FRAMES)) == len(frames), "flame: and Escape leads out")


def check_addresses(tap, page, path):
    """The address says what is shown, and the page what of an address it does not have."""
    page.open(path, "#flame")
    click = (
        "[...document.querySelectorAll('.view:not([hidden]) .frame')].find((f) => f.textContent ==="
        " '%s').click()"
    )
    page.evaluate(click % "lex")
    tap.ok(
        page.wait("location.hash === '#flame&zoom=main&zoom=parse&zoom=lex'"),
        "address: of a zoom",
        page.evaluate("location.hash"),
    )
    tap.ok(
        page.evaluate("document.activeElement.textContent") == "lex",
        "address: the frame has the focus",
    )
    page.evaluate("history.back()")
    tap.ok(
        page.wait("location.hash === '#flame'")
        and page.wait("document.querySelector('.zoomed').textContent === 'all'"),
        "address: the back button zooms out",
    )
    page.click("#view-flame input[name=direction]:not(:checked)")
    page.evaluate(click % "lex")
    tap.ok(
        page.wait("location.hash === '#flame&callers&zoom=lex'"),
        "address: of stacks that are turned round",
        page.evaluate("location.hash"),
    )
    page.evaluate("document.querySelector('nav [data-view=overview]').click()")
    page.wait("location.hash === '#overview'")
    page.evaluate("document.querySelector('nav [data-view=flame]').click()")
    tap.ok(
        page.wait("location.hash === '#flame&callers&zoom=lex'"),
        "address: a view is as it was",
        page.evaluate("location.hash"),
    )
    page.open(path, "#flame&callers&zoom=lex&zoom=parse")
    state = page.evaluate(
        "[document.querySelector('.zoomed').textContent,"
        " document.querySelector('input[name=direction]:checked').parentElement.textContent.trim(),"
        " document.querySelector('.problem').hidden]"
    )
    tap.ok(state == ["parse", "callers below", True], "address: is followed", state)
    page.open(path, "#flame&zoom=main&zoom=parse&zoom=nothing")
    tap.ok(
        text_of(page, ".zoomed") == "parse"
        and text_of(page, ".problem") == "No stack has “nothing” below “parse”.",
        "address: a stack that is not there",
        text_of(page, ".problem"),
    )
    page.open(path, "#nonsense%20here")
    tap.ok(
        text_of(page, ".problem") == "This page has no “nonsense here”; this is the overview."
        and page.evaluate("document.querySelector('#view-overview').hidden") is False,
        "address: a view that is not there",
        text_of(page, ".problem"),
    )
    page.evaluate("location.hash = '#functions'")
    tap.ok(page.wait("document.querySelector('.problem').hidden"), "address: the note goes with it")
    page.open(path, "#%E0%A4%A")
    tap.ok(
        "This page has no “" in text_of(page, ".problem"),
        "address: one that is wrong",
        text_of(page, ".problem"),
    )


READ_STACKS = """Array.from(document.querySelectorAll('%s .frame'), (f) =>
  [f.getAttribute('aria-label').split(',')[0], Number(f.getAttribute('aria-level')),
    Number(f.getAttribute('aria-label').match(/([\\d,]+)\\s+sample/)[1])])"""


def sandwich(page):
    """[name, level, samples] of the frames above and below."""
    return [page.evaluate(READ_STACKS % half) for half in (".sandwich .above", ".sandwich .below")]


def check_sandwich(tap, page, path):
    """All stacks through one function: callers above, callees below."""
    page.open(path, "#f=lex")
    page.frames(4)
    tap.ok(
        sandwich(page) == [[["parse", 1, 40], ["main", 2, 40]], [["lex", 1, 40]]],
        "sandwich: callers and callees",
        sandwich(page),
    )
    tap.ok(
        "estimated from call counts" in text_of(page, ".sandwich"),
        "sandwich: says that stacks are estimated",
    )
    places = page.evaluate(
        "['.above .frame', '.above .frame:nth-child(2)', '.below .frame'].map((s) =>"
        " document.querySelector(s).getBoundingClientRect().top)"
    )
    tap.ok(
        places[1] < places[0] < places[2], "sandwich: the nearest callers are the nearest", places
    )
    page.click(".above .frame")
    tap.ok(
        page.wait("location.hash === '#f=parse'") and text_of(page, "#function") == "parse",
        "sandwich: a click puts a function in the middle",
    )
    page.frames(4)
    tap.ok(
        sandwich(page)[1][0][0] == "parse" and "[cycle" not in str(sandwich(page)[0]),
        "sandwich: with its own stacks",
        sandwich(page),
    )
    page.evaluate("document.querySelector('.below .frame').focus()")
    page.press("ArrowDown")
    name = page.evaluate("document.activeElement.getAttribute('aria-label').split(',')[0]")
    page.press("Enter")
    tap.ok(
        name != "parse" and page.wait("location.hash === '#f=%s'" % name),
        "sandwich: with the keyboard",
        name,
    )
    page.open(path, "#flame")
    page.evaluate(
        "[...document.querySelectorAll('.frame')].find((f) => f.textContent === 'lex').focus()"
    )
    page.press("Enter", 8)  # Shift
    tap.ok(
        page.wait("location.hash === '#f=lex'"),
        "sandwich: from the flame graph",
        page.evaluate("location.hash"),
    )


def check_recorded(tap, page):
    """Stacks of --stacks: two of main, parse and lex or copy, one through a shared object."""
    main, parse, lex, copy = (START + f * SIZE + 4 for f in range(4))
    lines = [([main, parse, lex], 600), ([main, parse, copy], 300)]
    lines += [([main, "1:1120", copy], 90), ([main, "?"], 10)]
    write_stacks("small.stacks", lines, ["libz<b>.so.1"])
    page.open(make_page("recorded", "--stacks=small.stacks", "small", "small.gmon"), "#flame")
    text, frames = text_of(page, "#view-flame"), page.evaluate(READ_FRAMES)
    tap.ok(
        "recorded" in text and "estimated" not in text and "≈" not in frames[0][4],
        "recorded stacks: the page says so",
        text,
    )
    shown = sorted(
        (frame[0], frame[1], int(re.search(r"([\d,]+)\xa0sample", frame[4])[1].replace(",", "")))
        for frame in frames
    )
    expected = [
        ("[libz<b>.so.1]", 3, 90),
        ("[unknown]", 3, 10),
        ("all", 1, 1000),
        ("copy", 4, 90),
        ("copy", 4, 300),
        ("lex", 4, 600),
        ("main", 2, 1000),
        ("parse", 3, 900),
    ]
    tap.ok(shown == expected, "recorded stacks: frames and samples", shown)
    tap.ok(
        "0.60" in next(frame[4] for frame in frames if frame[0] == "lex"),
        "recorded stacks: at their own rate",
        frames,
    )
    for view, place in (
        ("overview", "#overview"),
        ("functions", "#functions"),
        ("graph", "#f=copy"),
    ):
        page.open(os.path.join(TEMP, "recorded.html"), place)
        text = text_of(page, "#view-" + view)
        is_good = "≈" not in text and "estimated" not in text and "Least" not in text
        tap.ok(is_good, "recorded stacks: nothing is estimated: " + view, text)
        if view == "overview":
            tap.ok(
                "measured" in text
                and re.search(r"1,000\ssamples", text)
                and re.search(r"0\.990 of 1\.000\ss are in this program", text),
                "recorded stacks: how sure this is",
                text,
            )
    tap.ok(
        "39.0" in text and "23.1" in text and "calls not counted" in text,
        "recorded stacks: the call graph",
        text,
    )
    check_recursion(tap, page)
    check_objects(tap, page)
    page.open(os.path.join(TEMP, "recorded.html"), "#flame")
    page.evaluate("document.querySelectorAll('input[name=direction]')[1].click()")
    page.frames()
    callers = {frame[0]: frame[4] for frame in page.evaluate(READ_FRAMES) if frame[1] == 2}
    tap.ok("390\xa0samples" in callers["copy"], "recorded stacks: turned round", callers)
    for words, fragment in (
        (["-C", "--stacks=small.stacks"], "--stacks requires --top"),
        (
            ["--format=html", "--stacks=small.stacks", "--focus=x"],
            "--focus and --format=html cannot be used together",
        ),
    ):
        tap.refused(words + ["small", "small.gmon"], fragment, TEMP)


READ_THREADS = """Array.from(
  document.querySelectorAll('#view-threads table[aria-label="%s"] tbody tr[data-index]'), (row) =>
  Array.from(row.children, (cell) => cell.textContent))"""


def check_threads(tap, page):
    """The threads of recorded stacks, and the functions and stacks of one: lex calls itself in a
    worker."""
    main, parse, lex, copy = (START + f * SIZE + 12 for f in range(4))
    lines = []
    hostile = "<b>io</b> \"&amp;'=%"
    for thread, stacks in (
        ("7 small", [([main, parse], 100), ([main], 50)]),
        ("8 worker", [([lex, copy], 300), ([lex, lex, copy], 60)]),
        ("9 worker", [([lex, "1:10"], 40)]),
        ("10 " + hostile, [([copy], 10)]),
    ):
        lines += ["# thread " + thread] + stacks
    write_stacks("threads.stacks", lines)
    path = make_page("threads", "--stacks=threads.stacks", "small", "small.gmon")
    page.open(path, "#threads")
    rows = page.evaluate(READ_THREADS % "Threads")
    expected = [
        ["worker 8", "64.29", "0.360", "360"],
        ["small", "26.79", "0.150", "150"],
        ["worker 9", "7.14", "0.040", "40"],
        [hostile, "1.79", "0.010", "10"],
    ]
    tap.ok(rows == expected, "threads: the list has a row for each", rows)
    heading = text_of(page, "#view-threads h2").replace("\u00a0", " ")
    said = "worker 8: 0.360 s; functions and stacks are those of worker (2 threads): 0.400 s"
    tap.ok(heading == said, "threads: whose stacks these are", heading)
    rows = page.evaluate(READ_THREADS % "Functions of the thread")
    expected = [
        ["copy", "90.00", "0.360", "90.00", "0.360"],
        ["[libz.so.1]", "10.00", "0.040", "10.00", "0.040"],
        ["lex", "0.00", "0.000", "100.00", "0.400"],
    ]
    tap.ok(rows == expected, "threads: functions of the first, each once for a stack", rows)
    shown = page.evaluate(READ_STACKS % "#view-threads")
    stacks = [
        ["worker (2 threads)", 1, 400],
        ["lex", 2, 400],
        ["copy", 3, 300],
        ["lex", 3, 60],
        ["[libz.so.1]", 3, 40],
        ["copy", 4, 60],
    ]
    tap.ok(shown == stacks, "threads: its stacks", shown)
    for name, function in (("small", "parse"), (hostile, "copy")):
        page.evaluate(
            "[...document.querySelectorAll('#view-threads a.name')].find((a) => a.textContent ==="
            " %s).click()"
            % json.dumps(name)
        )
        page.frames(4)
        first = page.evaluate(READ_THREADS % "Functions of the thread")[0][0]
        chosen = page.evaluate("document.querySelector('#view-threads tr.chosen a').textContent")
        heading = text_of(page, "#view-threads h2")
        tap.ok(
            first == function and chosen == name and heading.startswith(name + ": "),
            "threads: a click chooses: " + name,
            "%s %s %s" % (first, chosen, heading),
        )
    page.open(path, page.evaluate("location.hash"))
    tap.ok(
        text_of(page, "#view-threads h2").startswith(hostile),
        "threads: the address says which",
        text_of(page, "#view-threads h2"),
    )
    page.open(path, "#flame")
    flame = page.evaluate(READ_STACKS % "#view-flame")
    first = ["# thread 7 small", ([main], 30000)]
    rest = [([lex, copy], 98), ([lex, main], 1), ([lex, parse], 1)]
    write_stacks("threads.stacks", [*first, "# thread 8 worker", *rest])
    page.open(
        make_page("small-stacks", "--stacks=threads.stacks", "small", "small.gmon"),
        "#threads=worker",
    )
    rows = page.evaluate(READ_THREADS % "Functions of the thread")
    tap.ok(
        [row[0] for row in rows] == ["copy", "lex"] and rows[1][1] == "0.00",
        "threads: what is left out of a stack is not its function's own",
        rows,
    )
    shown = page.evaluate(READ_STACKS % "#view-threads")
    tap.ok(
        shown == [["worker", 1, 100], ["lex", 2, 100], ["copy", 3, 98], ["[2 others]", 3, 2]],
        "threads: it is a frame",
        shown,
    )
    tap.ok(
        ["all", 1, 560] in flame and not [frame for frame in flame if "worker" in frame[0]],
        "threads: the flame graph has the stacks of all",
        flame,
    )
    write_stacks("threads.stacks", first + rest)
    page.open(make_page("thread", "--stacks=threads.stacks", "small", "small.gmon"))
    tap.ok("threads" not in view_ids(page), "threads: no view of one thread")
    pool = ["# thread 7 pool", ([main], 30), "# thread 8 pool", ([main], 10)]
    write_stacks("threads.stacks", pool)
    page.open(make_page("pool", "--stacks=threads.stacks", "small", "small.gmon"), "#threads")
    rows = page.evaluate(READ_THREADS % "Threads")
    tap.ok(
        [row[::3] for row in rows] == [["pool 7", "30"], ["pool 8", "10"]],
        "threads: two of one name",
        rows,
    )


def check_objects(tap, page):
    """A shared object, which parse calls through another one; and code of the program without a
    symbol."""
    main, parse = (START + f * SIZE + 12 for f in range(2))
    lines = [
        (["1:10", main, parse, "2:10", "1:20"], 60),
        (["1:10", main, "1:24"], 20),
        (["1:10", main, "0:8"], 7),
        (["1:10", main], 13),
    ]
    write_stacks("objects.stacks", lines, ["libc.so.6", "libz.so.1"])
    path = make_page("objects", "--stacks=objects.stacks", "small", "small.gmon")
    page.open(path)
    text = text_of(page, "#view-overview")
    tap.ok(
        re.search(
            r"0\.020 of 0\.100\ss are in this program; the others are in libc\.so\.6 \(80\s%\)\.",
            text,
        ),
        "objects: code without a symbol is the program's",
        text,
    )
    page.open(path, "#f=%5Blibc.so.6%5D")
    page.frames(4)
    shown = page.evaluate(READ_NEIGHBOURS % ".callers")
    tap.ok(
        shown == {"parse": "0.060", "main": "0.020"}, "objects: the functions that call one", shown
    )
    above = [["[libz.so.1]", 1, 60], ["main", 1, 20], ["parse", 2, 60], ["main", 3, 60]]
    tap.ok(
        sandwich(page) == [above, [["[libc.so.6]", 1, 80]]],
        "objects: the stacks that end in one",
        sandwich(page),
    )


READ_NEIGHBOURS = """Object.fromEntries(Array.from(document.querySelectorAll('%s .neighbour'), (item) =>
  [item.querySelector('.name').firstChild.textContent,
    item.querySelector('.figures').textContent.match(/[\\d.]+/)[0]]))"""


def check_recursion(tap, page):
    """parse calls lex, and that calls parse again: each list of the call graph adds up."""
    main, parse, lex, copy = (START + f * SIZE + 12 for f in range(4))
    lines = [([main, parse, lex, parse, copy], 70), ([main, parse], 30)]
    write_stacks("recursion.stacks", lines)
    path = make_page("recursion", "--stacks=recursion.stacks", "small", "small.gmon")
    names = json.loads(re.search(rb'id="data">(.*?)</script>', harness.read(path), re.S)[1])[
        "tree"
    ]["names"]
    tap.ok(names == {}, "recorded stacks: only names of what is no function", names)
    for function, callers, callees in (
        ("parse", {"main": "0.100", "lex": "0.000"}, {"copy": "0.070", "lex": "0.000"}),
        ("lex", {"parse": "0.070"}, {"parse": "0.070"}),
    ):
        page.open(path, "#f=" + function)
        shown = [page.evaluate(READ_NEIGHBOURS % side) for side in (".callers", ".callees")]
        never = ("first", "second")  # not in the stacks
        shown = [{name: time for name, time in side.items() if name not in never} for side in shown]
        tap.ok(
            shown == [callers, callees],
            "recorded stacks: callers and callees of %s, with recursion" % function,
            shown,
        )
    page.open(path, "#f=parse")
    page.frames(4)
    below = [["parse", 1, 100], ["lex", 2, 70], ["parse", 3, 70], ["copy", 4, 70]]
    tap.ok(
        sandwich(page) == [[["main", 1, 100]], below],
        "recorded stacks: all stacks with a function, each once",
        sandwich(page),
    )
    tap.ok("recorded" in text_of(page, ".sandwich"), "recorded stacks: a sandwich says so")


COMPARISON = {
    "before": {"image": {"path": "old/<program>"}, "samples": 250},
    "after": {"samples": 287},
    "tests": {"alpha": 0.05},
    "verdict": {"status": "regression", "functions": 1, "of": "own time"},
    "rows": [
        {
            "name": "slow<er>",
            "kind": "both",
            "before": 1.0,
            "after": 1.5,
            "change": 0.5,
            "error": 0.05,
            "p": 0.0001,
            "calls-before": 10,
            "calls": 20,
            "callers": "+new -gone",
        },
        {
            "name": "faster",
            "kind": "both",
            "before": 1.0,
            "after": 0.75,
            "change": -0.25,
            "error": 0.05,
            "p": 0.01,
            "calls-before": 1000,
            "calls": 1000,
            "callers": None,
        },
        {
            "name": "chance",
            "kind": "both",
            "before": 0.5,
            "after": 0.52,
            "change": 0.02,
            "error": 0.05,
            "p": 1,
            "calls-before": None,
            "calls": 7,
            "callers": None,
        },
        {
            "name": "appeared",
            "kind": "new",
            "before": None,
            "after": 0.1,
            "change": 0.1,
            "error": 0.03,
            "p": None,
            "calls-before": None,
            "calls": 7,
            "callers": None,
        },
        {
            "name": "total",
            "kind": "total",
            "before": 2.5,
            "after": 2.87,
            "change": 0.37,
            "error": 0.1,
            "p": 0.02,
            "calls-before": 1,
            "calls": 2,
            "callers": None,
        },
    ],
}


def check_comparison(tap, page, path):
    """With data of our own in the page of another profile."""
    text = harness.read(path).decode()
    head, data, tail = re.match(r'(.*id="data">)(.*?)(</script>.*)', text, re.S).groups()
    changed = os.path.join(TEMP, "comparison.html")

    def write_page(comparison):
        write(
            changed,
            (
                head
                + json.dumps(dict(json.loads(data), comparison=comparison)).replace("<", "\\u003c")
                + tail
            ).encode(),
        )

    read_row = """(() => { const cells = Array.from(
        document.querySelector('#view-compare tbody tr[data-index]').children, (c) => c.textContent);
      return Object.fromEntries(Array.from(
        document.querySelectorAll('#view-compare thead th'), (th, i) => [th.dataset.key, cells[i]])); })()"""
    stacks = {"samples_before": 1300, "samples": 2800}
    totals = {
        "total-before": 1.5,
        "total-after": 1.4999,
        "total-change": -0.0001,
        "total-error": 0.1,
        "total-p": 1,
    }
    write_page(
        dict(COMPARISON, inclusive=stacks, rows=[dict(row, **totals) for row in COMPARISON["rows"]])
    )
    page.open(changed, "#compare")
    own = page.evaluate(read_row)
    page.click("#view-compare input[name=scope]:not(:checked)")
    shown = page.evaluate(read_row)
    tap.ok(
        own["change"] == "+0.50"
        and shown["change"] == "0.00"
        and shown["verdict"] == "not significant",
        "comparison: no change of -0.00",
        "%s %s" % (own, shown),
    )
    totals = {
        "total-before": 1.5,
        "total-after": 2.25,
        "total-change": 0.75,
        "total-error": 0.1,
        "total-p": 0.012,
    }
    long = {"name": "deep::".join(["name::"] * 40) + "last", "callers": "+new -gone" * 30}
    rows = [dict(row, **totals) for row in COMPARISON["rows"]]
    write_page(
        dict(
            COMPARISON,
            inclusive=stacks,
            verdict=dict(COMPARISON["verdict"], of="inclusive time"),
            rows=rows + [dict(rows[0], **long)],
        )
    )
    page.resize(1440, 900)
    page.open(changed, "#compare")
    shown = page.evaluate(read_row)
    tap.ok(
        [shown[key] for key in ("before", "after", "change", "error", "p", "verdict")]
        == ["1.50", "2.25", "+0.75", "0.10", "0.012", "slower"],
        "comparison: times with callees",
        shown,
    )
    widths = page.evaluate(
        "(() => { const s = document.querySelector('#view-compare .rows-scroll'); return"
        " [s.scrollWidth, s.clientWidth]; })()"
    )
    tap.ok(widths[0] == widths[1] > 1380, "comparison: no column is cut at 1440 pixels", widths)
    page.resize(1280, 800)
    text = text_of(page, "#view-compare")
    tap.ok(
        "3\u00a0significant changes of own time and 5\u00a0significant changes of time with callees"
        " among 5\u00a0functions"
        in text
        and "1,300 and 2,800\u00a0stacks" in text,
        "comparison: names both times",
        text,
    )
    page.open(changed)
    text = text_of(page, "#view-overview .wide-6")
    tap.ok(
        "7\u00a0other significant changes." in text
        and "slower slow<er>: time with callees 1.50 to 2.25\u00a0s, +50\u00a0%" in text
        and "slow<er>: own time 1.00 to 1.50\u00a0s, +50\u00a0%" in text,
        "comparison: the overview has the same numbers",
        text,
    )
    write_page(COMPARISON)
    page.open(changed, "#compare")
    rows = page.evaluate(
        "Array.from(document.querySelectorAll('#view-compare tbody tr[data-index]'), (r) =>"
        " [r.className].concat(Array.from(r.children, (c) => c.textContent)))"
    )
    tap.ok(
        [row[0] for row in rows] == ["slower", "faster", "unsure", "new"],
        "comparison: what is significant",
        rows,
    )
    tap.ok(
        rows[0][1:]
        == [
            "slow<er>",
            "",
            "1.00",
            "1.50",
            "+0.50",
            "0.05",
            "0.00010",
            "slower",
            "20",
            "+10",
            "+new -gone",
        ],
        "comparison: a row",
        rows[0],
    )
    bars = page.evaluate(
        "Array.from(document.querySelectorAll('.bar.both .bar-fill'), (b) => [b.style.left,"
        " b.style.width])"
    )
    tap.ok(bars[:2] == [["50%", "50%"], ["25%", "25%"]], "comparison: bars to both sides", bars)
    status = text_of(page, "#view-compare .status")
    tap.ok(
        "2\u00a0significant changes of own time among 4" in status
        and "2.50 to 2.87" in status
        and "old/<program>" in status,
        "comparison: the sum",
        status,
    )
    tap.ok(
        text_of(page, "#view-compare .badge") == "regression of 1\u00a0function",
        "comparison: the verdict",
    )
    page.click("#view-compare th[data-key=change] button")
    tap.ok(
        text_of(page, "#view-compare tbody tr[data-index] th") == "slow<er>",
        "comparison: sorted by change",
    )
    page.open(changed)
    text = text_of(page, "#view-overview .wide-6")
    tap.ok(
        "slow<er>: own time 1.00 to 1.50" in text
        and "1\u00a0function with 0.10\u00a0s is new." in text
        and "chance:" not in text,
        "comparison: what changed, in the overview",
        text,
    )
    check_base(tap, page)
    return changed


def check_base(tap, page):
    """--base: the rows of the page are those of the table."""
    make_profile(
        "before.gmon", 6, {1: 100, 2: 400, 3: 300, 5: 100}, [(0, 1, 20), (1, 2, 400), (1, 3, 10)]
    )
    make_profile(
        "after.gmon",
        6,
        {1: 100, 2: 700, 3: 310, 4: 50},
        [(0, 1, 20), (1, 2, 900), (1, 3, 10), (0, 4, 1)],
    )
    base = [
        "--one-run",
        "--base=small",
        "--base-profile=before.gmon",
        "--fail-above=5",
        "small",
        "after.gmon",
    ]
    path = os.path.join(TEMP, "base.html")
    status, _, err = harness.run([harness.GPROF, "--format=html", "-o", path] + base, TEMP)
    tap.ok(status == 3, "comparison: the exit status of a regression", err)
    page.open(path, "#compare")
    tap.ok("regression" in text_of(page, "#view-compare .badge"), "comparison: says so")
    table = harness.run([harness.GPROF, "--format=json"] + base, TEMP)[1]
    expected = {row["name"]: row for row in json.loads(table)["rows"] if row["kind"] != "total"}
    shown = {
        row[0]: row
        for row in page.evaluate(
            "Array.from(document.querySelectorAll('#view-compare tbody tr[data-index]'), (r) =>"
            " Array.from(r.children, (c) => c.textContent))"
        )
    }
    wrong = [
        name
        for name, row in expected.items()
        if [
            rounded("" if row[key] is None else repr(row[key]), 2)
            for key in ("before", "after", "error")
        ]
        != [shown.get(name, [""] * 6)[c] for c in (2, 3, 5)]
    ]
    tap.ok(
        set(shown) == set(expected) and not wrong,
        "comparison: the rows of --base",
        "%s %s %s" % (wrong, shown, expected),
    )
    tap.ok(
        shown["lex"][4] == "+3.00" and shown["lex"][7] == "slower" and shown["lex"][8] == "900",
        "comparison: a slower function",
        shown["lex"],
    )
    page.open(path, "#graph")
    tap.ok(
        text_of(page, "#function") == "lex",
        "comparison: the call graph opens on what changed most",
        text_of(page, "#function"),
    )
    page.open(path)
    overview = text_of(page, "#view-overview")
    changed = text_of(page, "#view-overview .wide-6")
    tap.ok(
        "lex: own time 4.00 to 7.00\u00a0s, +75\u00a0%; and 2\u00a0other significant changes."
        in changed
        and "faster second: own time 1.00 to 0.00\u00a0s, \u2212100\u00a0%" in changed,
        "comparison: what changed, in the overview",
        changed,
    )
    tap.ok(
        view_ids(page) == ["overview", "functions", "graph", "flame", "compare"]
        and "lex" in overview
        and "from least to most" in overview,
        "comparison: beside the other views",
        overview,
    )


def record(name, stacks, image="small"):
    """Writes the profile NAME with stacks beside it: {functions, outermost first; None: a shared
    object: samples}."""
    own = stack_model.own_and_total(stacks.items())[0]
    make_profile(name, 6, own, [(0, 1, 20), (1, 2, 400), (0, 2, 3), (0, 3, 7)], 1000)
    place = lambda f: "1:10" if f is None else START + f * SIZE + 4
    lines = [([place(f) for f in frames], samples) for frames, samples in stacks.items()]
    text = gmonfile.stacks(lines, 1000, histogram_of(6, own, 1000), image, ["libz.so.1"])
    write(os.path.join(TEMP, name + ".stacks"), text)


READ_COLOURS = """Object.fromEntries(Array.from(document.querySelectorAll('#view-flame .frame'), (f) =>
  [f.getAttribute('aria-label').replace(/,.*/, '') + ' ' + f.getAttribute('aria-level'),
    [f.className.split(' ')[1], f.textContent]]))"""


def check_changed_stacks(tap, page):
    """The flame graph with a base: lex takes longer below parse, whose own code takes less long,
    but not below main."""
    record("old.gmon", {(0,): 50, (0, 1): 900, (0, 1, 2): 300, (0, 2): 100, (0, 3, None, 3): 40})
    record("new.gmon", {(0,): 50, (0, 1): 600, (0, 1, 2): 600, (0, 2): 100, (0, 3, None, 3): 40})
    base = ["--one-run", "--base=small", "--base-profile=old.gmon", "small"]
    page.open(make_page("changed", *base, "new.gmon"), "#flame")
    shown = page.evaluate(READ_COLOURS)
    expected = {
        "lex 4": ["slower", "\u25b2 lex"],
        "parse 3": ["other", "parse"],
        "lex 3": ["other", "lex"],
        "main 2": ["other", "main"],
        "copy 3": ["other", "copy"],
        "[libz.so.1] 4": ["other", "[libz.so.1]"],
        "copy 5": ["other", "copy"],
        "all 1": ["other", "all"],
    }
    tap.ok(shown == expected, "changed stacks: only what changed has a colour", shown)
    labels = frames_by_name(page)
    tap.ok(
        "before 1.200\u00a0s, which may be chance" in labels["parse"][4]
        and "\u25b2 slower" in text_of(page, "#view-flame"),
        "changed stacks: what was before",
        labels,
    )
    changed = [frame[4] for frame in page.evaluate(READ_FRAMES) if "significant" in frame[4]]
    tap.ok(
        len(changed) == 1
        and "0.600\u00a0s" in changed[0]
        and "before 0.300\u00a0s, which is a significant change" in changed[0],
        "changed stacks: and what changed",
        changed,
    )
    tree = json.loads(
        re.search(
            rb'id="data">(.*?)</script>', harness.read(os.path.join(TEMP, "changed.html")), re.S
        )[1]
    )["tree"]
    tap.ok(
        len(tree["before"]) == len(tree["self"])
        and sum(tree["changed"]) == 1
        and sorted(tree["before"]) == [40, 40, 40, 100, 300, 1200, 1390],
        "changed stacks: the data",
        tree,
    )
    record("deep-old.gmon", {(0, 1, 1, 2): 300, (0, 1, 2): 300, (0, 3): 900})
    record("deep-new.gmon", {(0, 1, 1, 2): 700, (0, 1, 2): 300, (0, 3): 900})
    deep_base = ["--one-run", "--base=small", "--base-profile=deep-old.gmon", "small"]
    page.open(make_page("deep", *deep_base, "deep-new.gmon"), "#flame")
    shown, labels = page.evaluate(READ_COLOURS), frames_by_name(page)
    good = shown["lex 4"][0] == "slower" and shown["copy 3"][0] == "other"
    tap.ok(
        good and "1.000\u00a0s" in labels["lex"][4] and "before 0.600\u00a0s" in labels["lex"][4],
        "changed stacks: of recursion together",
        "%s\n%s" % (shown, labels),
    )
    make_image("cloned", ["main", "parse", "parse.part.0", "lex", "copy", "first"])
    record("cloned-old.gmon", {(0, 1): 300, (0, 2): 300}, "cloned")
    record("cloned-new.gmon", {(0, 1): 900, (0, 2): 200}, "cloned")
    page.open(
        make_page(
            "cloned",
            "--one-run",
            "--base=cloned",
            "--base-profile=cloned-old.gmon",
            "cloned",
            "cloned-new.gmon",
        ),
        "#flame",
    )
    shown = page.evaluate(READ_COLOURS)
    labels = frames_by_name(page)
    tap.ok(
        shown["parse 3"][0] == shown["parse.part.0 3"][0] == "slower"
        and "together with its clones" in labels["parse.part.0"][4],
        "changed stacks: clones change together",
        shown,
    )
    page.open(make_page("unchanged", *base, "old.gmon"), "#flame")
    shown = page.evaluate(READ_COLOURS)
    tap.ok(
        {colour for colour, _ in shown.values()} == {"other"},
        "changed stacks: none in equal profiles",
        shown,
    )
    json_base = os.path.join(TEMP, "old.json")
    status, out, err = harness.run(
        [harness.GPROF, "--format=json", "-o", json_base, "small", "old.gmon"], TEMP
    )
    page.open(make_page("from-json", "--one-run", "--base=old.json", "small", "new.gmon"), "#flame")
    shown = page.evaluate(READ_COLOURS)
    tap.ok(
        status == 0 and shown == expected,
        "changed stacks: the same with a base in JSON",
        err.decode() + str(shown),
    )
    older = json.loads(harness.read(json_base))
    del older["stacks"]["tree"]
    older["stacks"]["samples"] = 1390.4932955758
    write(os.path.join(TEMP, "older.json"), json.dumps(older).encode())
    path = make_page("from-older", "--one-run", "--base=older.json", "small", "new.gmon")
    page.open(path, "#flame")
    text = text_of(page, "#view-flame")
    expected = "The base is JSON of an older version, which has no stacks: no differential flame"
    tap.ok(expected + " graph is possible." in text, "changed stacks: not without them", text)
    page.open(path, "#compare")
    text = text_of(page, "#view-compare")
    tap.ok(
        "with callees by 1,390 and 1,390\u00a0stacks." in text, "changed stacks: their number", text
    )
    page.open(
        make_page(
            "without",
            "--one-run",
            "--base=small",
            "--base-profile=samples.gmon",
            "small",
            "new.gmon",
        ),
        "#flame",
    )
    text = text_of(page, "#view-flame")
    tap.ok(
        "The base has no recorded stacks: no differential flame graph is possible." in text,
        "changed stacks: not with a base without stacks",
        text,
    )
    page.open(make_page("unmeasured", "--no-stacks", *base, "new.gmon"), "#flame")
    shown = page.evaluate(READ_COLOURS)
    tap.ok(
        "estimated" in text_of(page, "#view-flame")
        and "slower" not in str(shown)
        and "This profile has no recorded stacks" in text_of(page, "#view-flame"),
        "changed stacks: not of estimated ones",
        shown,
    )


READ_PARTS = """Object.fromEntries(Array.from(document.querySelectorAll('%s'), (e) => [
  e.textContent.trim(),
  ['.function', '.object'].map((part) => {
    const shown = e.querySelector(part);
    const inner = shown?.firstElementChild;
    const direction = inner ? getComputedStyle(inner).direction : '';
    return shown ? [shown.clientWidth, shown.scrollWidth, direction] : null;
  }),
]))"""


def check_names(tap, page):
    """Names of functions of objects, direct recursion, the order of what was found."""
    lines = [
        "main;__run_all [libc.so.6] 40",
        "main;walk" + ";walk" * 30 + ";leaf 500",
        "main;walk;other 100",
        "main;mapper 3",
        "main;map 2",
        "main;a::map 1",
        "main;remap 30",
    ]
    write(os.path.join(TEMP, "names.folded"), "".join(line + "\n" for line in lines).encode())
    path = make_page("names", "names.folded")
    for width in (1440, 700):
        page.resize(width, 900)
        page.open(path, "#flame")
        parts = page.evaluate(READ_PARTS % "#view-flame .frame")["__run_all [libc.so.6]"]
        (own, own_whole, direction), (object_, object_whole, _) = parts
        is_whole = own >= own_whole
        tap.ok(
            direction == "ltr" and object_ < object_whole and (is_whole or object_ == 0),
            "names: the object is lost first: %d" % width,
            parts,
        )
    page.resize(390, 844)
    page.open(path, "#functions")
    parts = page.evaluate(READ_PARTS % "#view-functions tbody th")["__run_all [libc.so.6]"]
    tap.ok(
        parts[0][0] >= parts[0][1] and parts[0][2] == "ltr" and parts[1][0] < parts[1][1],
        "names: and in tables of 390 pixels",
        parts,
    )
    page.resize(1280, 800)
    page.open(path)
    frames = page.evaluate(
        "Array.from(document.querySelectorAll('#view-overview .frame'), (f) => f.textContent)"
    )
    tap.ok(
        "walk \u00d731" in frames and "walk" not in frames and {"leaf", "other"} <= set(frames),
        "names: recursion is one frame of the overview",
        frames,
    )
    ends = {"leaf", "other"}
    for place, following in (("#flame", ends), ("#flame&callers", ends | {"main"})):
        page.open(path, place)
        frames = page.evaluate(
            "Array.from(document.querySelectorAll('#view-flame .frame'), (f) => f.textContent)"
        )
        of_walk = sorted(frame for frame in frames if frame.startswith("walk"))
        expected = ["walk", "walk \u00d731"] if "callers" in place else ["walk \u00d731"]
        tap.ok(
            of_walk == expected and following <= set(frames),
            "names: recursion is one frame: " + place,
            frames,
        )
    page.open(path, "#flame&zoom=main&zoom=walk&zoom=leaf")
    text = text_of(page, "#view-flame")
    tap.ok("500.00 samples" in text.replace("\u00a0", " "), "names: zoom below recursion", text)
    page.open(path)
    page.click("#find")
    page.type("map")
    found = page.evaluate(
        "Array.from(document.querySelectorAll('#found li .name'), (e) => e.textContent)"
    )
    tap.ok(
        found == ["map", "a::map", "mapper", "remap"], "names: what fits best is found first", found
    )
    inclusive = text_of(page, "#view-overview")
    tap.ok(
        "__run_all [libc.so.6]" in inclusive.partition("Most time with callees")[2],
        "names: times with callees of all objects",
        inclusive,
    )


def check_lines_shown(tap, page):
    """Source is there without -A, and fits 390 pixels; without lines it is not."""
    path = make_page("plain-lined", "-I", TEMP, "lined", "lined.gmon")
    page.resize(390, 844)
    page.open(path, "#source")
    tap.ok("source" in view_ids(page), "source: without -A", view_ids(page))
    rows = page.evaluate(
        "Array.from(document.querySelectorAll('#view-source tbody tr[data-index]'), (row) => "
        "row.textContent)"
    )
    fits = page.evaluate(
        "[document.documentElement.scrollWidth <= innerWidth, "
        "Array.from(document.querySelectorAll('#view-source tbody tr[data-index] code'), (e) "
        "=> e.getBoundingClientRect().left).every((x) => x < innerWidth / 2)]"
    )
    tap.ok(
        any(row.endswith("line 8") for row in rows) and len(rows) == 2,
        "source: lines, no instructions",
        rows[:20],
    )
    tap.ok(fits == [True, True], "source: fits 390 pixels", fits)
    page.open(make_page("names", "names.folded"))
    tap.ok("source" not in view_ids(page), "source: not without lines", view_ids(page))
    page.resize(1280, 800)


def check_runs(tap, page):
    """Which figures are of one run, and which of all."""
    for i in range(3):
        record("first%d" % i, {(0,): 50, (0, 1): 900 + 10 * i})
        record("second%d" % i, {(0,): 50, (0, 1): 1800 + 10 * i})
    base = ["--base=small"] + ["--base-profile=first%d" % i for i in range(3)]
    page.open(make_page("runs", *base, "small", *["second%d" % i for i in range(3)]))
    text = text_of(page, "#view-overview .wide-6")
    headline = text_of(page, "#view-overview .wide-6 .headline")
    expected = "from 0.960 to 1.860\u00a0s, +94\u00a0% (p = "
    tap.ok(expected in headline, "runs: the total first", headline)
    expected = "those of one run, of 3 before and 3 after. The other views have the sums of all 3"
    tap.ok(expected + " profiles." in text, "runs: what is of one run", text)
    page.resize(390, 844)
    page.open(os.path.join(TEMP, "runs.html"), "#compare")
    places = page.evaluate(
        "Array.from(document.querySelectorAll('#view-compare tr[data-index]:first-of-type > *, "
        "#view-compare thead th'), (e) => [e.textContent, e.getBoundingClientRect().width > 0, "
        "e.getBoundingClientRect().right <= innerWidth])"
    )
    seen = [text for text, is_there, fits in places if is_there and fits]
    tap.ok(
        "Function" in seen
        and "After s" in seen
        and not any(is_there for text, is_there, _ in places if text == "Faster | slower"),
        "runs: 390 pixels have times, not bars",
        places,
    )
    page.resize(1280, 800)
    page.open(os.path.join(TEMP, "runs.html"))
    tap.ok(
        "5.580\u00a0s, 5,580\u00a0samples of 3\u00a0profiles" in text_of(page, "header"),
        "runs: what is of all",
        text_of(page, "header"),
    )


READ_SOURCE = """Array.from(document.querySelectorAll('#view-source tbody tr[data-index]'), (row) =>
  [row.className].concat(Array.from(row.children, (cell) => cell.textContent)))"""


def check_code(tap, page, path):
    """The functions with the most time: lines, and instructions that unfold."""
    data = json.loads(
        harness.run(
            [harness.GPROF, "--format=json", "--asm", "-I", TEMP, "lined", "lined.gmon"], TEMP
        )[1]
    )
    first = data["code"][0]
    page.open(path, "#source")
    lines = [row for row in first["rows"] if row["kind"] in ("line", "inlined", "gap")]
    folded = page.evaluate(READ_SOURCE)
    shown = [float(row[3] or 0) for row in folded]
    wanted = [round(row["self"] or 0, 2) for row in lines]
    tap.ok(
        len(shown) > 1 and shown == wanted,
        "code: lines with their times",
        "%s %s" % (shown, wanted),
    )
    name = data["functions"][first["function"]]["name"]
    tap.ok(
        text_of(page, "#view-source [role=status]").startswith(name + ": "),
        "code: of the function with the most time",
    )
    if any(row["kind"] == "instruction" for row in first["rows"]):
        page.click("#view-source button.fold")
        page.frames(4)
        unfolded = page.evaluate(READ_SOURCE)
        tap.ok(
            len(unfolded) > len(folded)
            and any(re.match("[0-9a-f]{3,}$", row[1]) for row in unfolded),
            "code: instructions unfold",
            unfolded,
        )
        page.click("#view-source button.fold")
        page.frames(4)
        tap.ok(page.evaluate(READ_SOURCE) == folded, "code: and fold")
    page.open(path, "#code=nothing")
    tap.ok(
        text_of(page, ".problem") == "This page has no code of “nothing”.",
        "code: a function that has none",
        text_of(page, ".problem"),
    )
    other = data["functions"][data["code"][1]["function"]]["name"]
    page.open(path, "#code=" + other)
    tap.ok(
        text_of(page, "#view-source [role=status]").startswith(other + ": "),
        "code: a function in the address",
    )
    without = harness.read(make_page("sourceless", "-I", TEMP, "lined", "lined.gmon"))
    tap.ok(b"if (a < b)" not in without, "code: no text of sources unless it is asked for")


def check_source(tap, page):
    path = make_page("lined", "-A", "-I", TEMP, "lined", "lined.gmon")
    tap.ok(
        harness.read(path)
        == harness.read(make_page("lined-l", "-l", "-I", TEMP, "lined", "lined.gmon")),
        "source: -A and -l write the same page",
    )
    check_code(tap, page, path)
    page.open(path, "#source=%2Fsrc%2Flined.c")
    rows = {int(row[1]): row for row in page.evaluate(READ_SOURCE)}
    table = harness.run(
        [
            harness.GPROF,
            "--top",
            "--by=line",
            "--top=0",
            "--format=csv",
            "--columns=file,line,samples",
            "lined",
            "lined.gmon",
        ],
        TEMP,
    )[1]
    expected = {
        int(row["line"]): float(row["samples"])
        for row in csv.DictReader(io.StringIO(table.decode()))
        if row["file"].endswith("lined.c") and float(row["samples"])
    }
    shown = {line: float(row[3]) for line, row in rows.items() if row[3]}
    tap.ok(
        len(rows) == 30 and len(shown) == 4 and shown == expected,
        "source: samples of lines",
        "%s %s" % (shown, expected),
    )
    tap.ok(
        rows[9][0] == "heat-5" and rows[3][0] == "heat-1" and rows[1][0] == "", "source: heat", rows
    )
    tap.ok(
        rows[8][4] == "44" and rows[8][6] == "work",
        "source: calls, and the function that begins there",
        rows[8],
    )
    tap.ok(
        rows[9][5].endswith("if (a < b) </script><script>window.hacked=1</script> \0 \xe9"),
        "source: the text as it is",
        rows[9][5],
    )
    tap.ok(page.evaluate("window.hacked === undefined"), "source: which does nothing")
    page.evaluate(
        "(() => { const s = document.querySelector('#source-file'); s.value ="
        " Array.from(s.options).find((o) => o.textContent.startsWith('/src/more.c')).value;"
        " s.dispatchEvent(new Event('change')); })()"
    )
    tap.ok(page.wait("location.hash === '#source=%2Fsrc%2Fmore.c'"), "source: choice of a file")
    page.frames(4)
    tap.ok(len(page.evaluate(READ_SOURCE)) == 3, "source: its lines", page.evaluate(READ_SOURCE))
    page.open(path, "#f=work")
    page.click(".middle p a")
    tap.ok(
        page.wait("location.hash === '#source=%2Fsrc%2Flined.c&line=8'"),
        "source: a link from the call graph",
        page.evaluate("location.hash"),
    )
    os.rename(os.path.join(TEMP, "lined.c"), os.path.join(TEMP, "gone.c"))
    page.open(make_page("gone", "-A", "-I", TEMP, "lined", "lined.gmon"), "#source")
    options = page.evaluate(
        "Array.from(document.querySelectorAll('#source-file [label=Files] option'), (o) =>"
        " o.textContent)"
    )
    os.rename(os.path.join(TEMP, "gone.c"), os.path.join(TEMP, "lined.c"))
    page.open(os.path.join(TEMP, "gone.html"))
    tap.ok(
        len(options) == 1 and "lined.c" in text_of(page, ".plain-list"),
        "source: without a file, and the warning",
        options,
    )
    status, _, err = harness.run(
        [harness.GPROF, "--format=html", "-A", "-y", "lined", "lined.gmon"], TEMP
    )
    tap.ok(status == 1 and b"--separate-files" in err, "source: -y is refused", err)


# ---- Everything with the keyboard ----


def tab_to(page, condition, most=60):
    """Presses Tab until the element with the focus fulfils CONDITION, an expression with `e'."""
    for _ in range(most):
        page.press("Tab")
        if page.evaluate("((e) => Boolean(%s))(document.activeElement)" % condition):
            return True
    return False


def check_keyboard(tap, page, path):
    page.open(path)
    page.press("Tab")
    tap.ok("Skip" in focus_text(page), "keyboard: the first stop skips to the content")
    page.press("Enter")
    tap.ok(page.evaluate("document.activeElement.id") == "main", "keyboard: and does")
    page.press("/")
    page.type("le")
    tap.ok(
        page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true",
        "keyboard: / finds a function",
    )
    page.press("Enter")
    tap.ok(
        page.wait("location.hash === '#f=lex'") and text_of(page, "#function") == "lex",
        "keyboard: Enter shows it",
    )
    tap.ok(tab_to(page, "e.matches('.callers a')"), "keyboard: Tab reaches the callers")
    page.press("Enter")
    tap.ok(
        page.wait("(document.querySelector('#function') || {}).textContent === 'parse'"),
        "keyboard: Enter walks to one",
    )
    page.open(path)
    tap.ok(tab_to(page, "e.dataset.view === 'functions'"), "keyboard: Tab reaches the views")
    page.press("Enter")
    page.wait("document.querySelector('#view-functions')")
    tap.ok(
        tab_to(page, "e.closest('th[data-key=calls]')"),
        "keyboard: Tab reaches the heads of columns",
    )
    page.press("Enter")
    tap.ok(
        page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')")
        == "descending",
        "keyboard: Enter sorts and keeps the focus",
    )
    tap.ok(tab_to(page, "e.closest('tbody')"), "keyboard: Tab reaches the rows")
    first = focus_text(page)
    page.press("ArrowDown")
    second = focus_text(page)
    page.press("End")
    last = focus_text(page)
    tap.ok(len({first, second, last}) == 3, "keyboard: arrows walk the rows", (first, second, last))
    page.press("Enter")
    tap.ok(
        page.wait("location.hash.startsWith('#f=')"), "keyboard: Enter shows the function of a row"
    )
    page.press("?")
    tap.ok(
        page.evaluate("document.querySelector('dialog').open")
        and "finds a function" in text_of(page, "dialog"),
        "keyboard: ? shows the keys",
    )
    page.press("Escape")
    tap.ok(
        not page.evaluate("document.querySelector('dialog').open"), "keyboard: Escape closes them"
    )
    page.press("ArrowLeft", 1)  # Alt
    page.evaluate("history.back()")
    tap.ok(page.wait("location.hash === '#functions'"), "keyboard: back to the table")


# ---- Looks ----


def check_phone(tap, page):
    """The header in one row, and the end of names that are too long."""
    long = (
        "_ZN9namespace"
        + "".join("%d%s" % (len(word), word) for word in ["abcdefghijklmnop"] * 4)
        + "4last%sEv"
    )
    make_image("lengthy", ["main"] + [long % ("%dx%d" % (len(str(f)) + 1, f)) for f in range(9)])
    make_profile(
        "lengthy.gmon", 10, {f: 40 for f in range(1, 10)}, [(0, f, 7) for f in range(1, 10)]
    )
    path = make_page("lengthy", "lengthy", "lengthy.gmon")
    page.resize(390, 844)
    page.open(path, "#functions")
    height = page.evaluate("document.querySelector('header').offsetHeight")
    shown = "getComputedStyle(document.querySelector('.tools')).display !== 'none'"
    tap.ok(height < 50 and not page.evaluate(shown), "phone: the header has one row", height)
    page.click(".menu")
    tap.ok(
        page.evaluate(shown)
        and page.evaluate("document.querySelector('.menu').getAttribute('aria-expanded')")
        == "true",
        "phone: the button shows the tools",
    )
    page.evaluate("location.hash = '#flame'")
    tap.ok(page.wait("!(%s)" % shown), "phone: another view hides them")
    seen = page.evaluate(
        "(() => { const a = document.querySelector('nav [aria-current]').getBoundingClientRect(), n"
        " = document.querySelector('nav').getBoundingClientRect(); return a.left >= n.left &&"
        " a.right <= n.right; })()"
    )
    tap.ok(seen, "phone: the name of the view is in sight")
    for view, cell, name in (
        ("functions", "#view-functions tbody tr[data-index] th", ".name"),
        ("overview", "table.short tbody th", ".name"),
        ("flame", ".frame[aria-level='3']", "bdi"),
    ):
        page.open(path, "#" + view)
        ends = page.evaluate(
            "(() => { const c = document.querySelector(%s), n = c.querySelector(%s); const [a, b] ="
            " [c.getBoundingClientRect(), n.getBoundingClientRect()]; return [a.left - b.left,"
            " a.right - b.right]; })()" % (json.dumps(cell), json.dumps(name))
        )
        tap.ok(
            ends[0] > 20 and 0 <= ends[1] < 20, "phone: the end of a name is seen: " + view, ends
        )
    page.resize(1280, 800)


def check_looks(tap, page, path):
    backgrounds = {}
    for scheme in ("light", "dark"):
        page.media(prefers_color_scheme=scheme)
        page.open(path)
        backgrounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    tap.ok(
        backgrounds == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"},
        "looks: light and dark as the system",
        backgrounds,
    )
    page.click(".theme")
    chosen = page.evaluate("getComputedStyle(document.body).backgroundColor")
    tap.ok(
        chosen == backgrounds["light"] and text_of(page, ".theme") == "Theme: light",
        "looks: the button overrules it",
        chosen,
    )
    page.click(".theme")
    page.click(".theme")
    page.media()
    for shown, view in [(path, view) for view in view_ids(page)] + [
        (os.path.join(TEMP, "threads.html"), "threads")
    ]:
        page.resize(390, 800)
        page.open(shown, "#" + view)
        wide = page.evaluate("document.documentElement.scrollWidth")
        tap.ok(wide <= 390, "looks: %s fits 390 pixels" % view, wide)
        page.resize(3840, 400)
        page.frames()
        used = page.evaluate(
            "[document.documentElement.scrollWidth,"
            " Math.max(...Array.from(document.querySelectorAll('.view:not([hidden]) *'), (e) =>"
            " e.getBoundingClientRect().right))]"
        )
        tap.ok(used[0] <= 3840 and used[1] > 3700, "looks: %s uses 3840 pixels" % view, used)
        page.resize(1280, 800)
        page.media("print")
        page.frames()
        hidden = page.evaluate(
            "['nav', '.tools'].every((s) => getComputedStyle(document.querySelector('header ' +"
            " s)).display === 'none')"
        )
        page.media()
        printed = page.pdf()
        tap.ok(
            hidden and printed.startswith(b"%PDF") and len(printed) > 5000,
            "looks: %s is printed" % view,
            "%s %d" % (hidden, len(printed)),
        )
    page.open(os.path.join(TEMP, "random.html"), "#functions")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    tap.ok(
        len(shown_names(page)) == 300 and text_of(page, "caption") == "",
        "looks: all rows are printed",
        len(shown_names(page)),
    )
    page.open(make_page("many", "many", "many.gmon"), "#functions")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    shown, caption = len(shown_names(page)), text_of(page, "caption")
    tap.ok(
        shown == 500 and caption == "The first 500 of 1,200\u00a0rows",
        "looks: a long table says that it is printed in part",
        "%d %s" % (shown, caption),
    )


def check_access(tap, page, path):
    """axe-core: contrast, names, roles."""
    axe = harness.read(os.path.join(TOOLS, "node_modules", "axe-core", "axe.min.js")).decode()
    if not axe:
        return tap.skip("axe-core finds nothing", "no axe-core in " + TOOLS)
    page.open(path)
    for shown, view in [(path, view) for view in view_ids(page)] + [
        (os.path.join(TEMP, "changed.html"), "flame"),
        (os.path.join(TEMP, "threads.html"), "threads"),
    ]:
        for scheme in ("light", "dark"):
            page.media(prefers_color_scheme=scheme)
            page.open(shown, "#" + view)
            page.evaluate("(() => { %s\n })()" % axe)
            found = page.evaluate(
                "axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.slice(0,"
                " 3).map((n) => n.html + ' ' + n.failureSummary).join(' | ')))"
            )
            tap.ok(
                found == [],
                "axe-core finds nothing: %s of %s, %s" % (view, os.path.basename(shown), scheme),
                found,
            )
    page.media()


# ---- Hostile input ----


FOLLOW = """new Promise((done) => {
  const before = location.href;
  addEventListener('hashchange', done, {once: true});
  location.hash = 'f=' + encodeURIComponent(%s);
  if (location.href === before) done();
}).then(() => true)"""


def check_hostile(tap, page):
    image, profile = "<img src=x onerror=window.hacked=1>", "';window.hacked=1;'.gmon"
    shutil.copy(os.path.join(TEMP, "hostile"), os.path.join(TEMP, image))
    shutil.copy(os.path.join(TEMP, "hostile.gmon"), os.path.join(TEMP, profile))
    path = make_page("hostile", image, profile)
    page.open(path)
    for view in view_ids(page):
        page.open(path, "#" + view)
        hurt = page.evaluate(
            "window.hacked !== undefined || document.querySelectorAll('img, script').length !== 2"
        )
        tap.ok(not hurt, "hostile names do nothing: " + view)
    functions = page.evaluate("JSON.parse(document.getElementById('data').textContent).functions")
    for name, short in zip(functions["name"], functions["short"]):
        page.evaluate(FOLLOW % json.dumps(name))
        shown = [text_of(page, "#function"), text_of(page, "#view-graph .middle dd")]
        tap.ok(
            shown[0] == (short or name) and (short is None or shown[1] == name),
            "a link to the name %r" % name[:30],
            str(shown)[:200],
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        tap.ok(wide <= 1280, "the page is not wider with the name %r" % name[:30], wide)
    page.open(path, "#functions")
    page.click("#filter")
    page.type("<img")
    tap.ok(len(shown_names(page)) == 1, "a hostile name is found", str(shown_names(page))[:500])


def check_policy(tap, page, path):
    """Last, since the browser reports what the policy stops."""
    page.open(path)
    page.evaluate(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.hacked = 1';"
        " document.body.append(s); })()"
    )
    page.frames()
    tap.ok(page.evaluate("window.hacked === undefined"), "the policy stops other scripts")
    failed = page.evaluate("fetch('http://127.0.0.1:9/').then(() => false, () => true)")
    page.evaluate(
        "(() => { const i = document.createElement('img'); i.src = 'http://127.0.0.1:9/x.png';"
        " document.body.append(i); })()"
    )
    page.frames()
    refused = [line for line in page.said if "Content Security Policy" in line]
    tap.ok(failed and len(refused) >= 3, "the policy stops requests", page.said)


# ---- Large profiles ----

FRAMES = harness.sized(40, 120)
SCROLL = """new Promise((done) => {
  const place = document.querySelector('.rows-scroll');
  const start = performance.now();
  let frames = 0, empty = 0;
  const step = () => {
    const rows = place.querySelectorAll('tr[data-index]');
    const box = place.getBoundingClientRect();
    if (rows.length === 0 || rows[rows.length - 1].getBoundingClientRect().bottom < box.bottom - 1) empty += 1;
    place.scrollTop += frames % 2 ? 900 : 10000;
    if (++frames < FRAMES) requestAnimationFrame(step);
    else done([1000 * frames / (performance.now() - start), empty]);
  };
  requestAnimationFrame(step);
})""".replace(
    "FRAMES", str(FRAMES)
)


def check_time(tap, what, limit, busy, seconds):
    """BUSY, the processor time of the page, and SECONDS by the clock unless others use the
    processors."""
    tap.say("%s: %.2f s of processor time, %.2f s by the clock" % (what, busy, seconds))
    tap.ok(busy < limit, "80,000 functions " + what, "%.2f s of processor time" % busy)
    load = os.getloadavg()[0]
    if load > len(os.sched_getaffinity(0)) and seconds >= limit:
        return tap.skip(
            "by the clock, too: " + what,
            "%.2f s, but the machine is busy (load %.1f)" % (seconds, load),
        )
    return tap.ok(seconds < limit, "by the clock, too: " + what, "%.2f s" % seconds)


def check_large(tap, browser):
    """In a browser of its own, so that the first page is the only work of its main thread."""
    make_large()
    path = make_page("large", "large", "large.gmon")
    data = json.loads(re.search(rb'id="data">(.*?)</script>', harness.read(path), re.S)[1])
    counts = len(data["functions"]["name"]), len(data["arcs"]["from"])
    tap.ok(
        counts[0] > 0.99 * LARGE and counts[1] > 6.1 * LARGE, "%d functions and %d arcs" % counts
    )
    page = devtools.Page(browser)
    try:
        check_speed(tap, page, path, counts[0] - 1)
        tap.ok(not page.said, "no error and no warning with them", "\n".join(page.said))
    finally:
        page.close()


def check_speed(tap, page, path, last):
    seconds = page.open(path)
    if harness.IS_LONG:
        check_time(tap, "open in under 3 s", 3, page.busy_seconds(), seconds)
    page.open(path, "#functions")
    before = page.busy_seconds()
    rate, empty = page.evaluate(SCROLL)
    if harness.IS_LONG:
        check_time(
            tap,
            "scroll with 30 frames a second or more",
            FRAMES / 30,
            page.busy_seconds() - before,
            FRAMES / rate,
        )
    tap.ok(empty == 0, "with the rows of each frame", "%d of %d frames" % (empty, FRAMES))
    rows = page.evaluate("document.querySelectorAll('tr[data-index]').length")
    tap.ok(rows < 200, "only rows in sight are in the document", rows)
    page.evaluate(
        "(() => { const p = document.querySelector('.rows-scroll'); p.scrollTop = p.scrollHeight;"
        " })()"
    )
    page.frames(4)
    reached = page.evaluate(
        "Math.max(...Array.from(document.querySelectorAll('tr[data-index]'), (r) =>"
        " Number(r.dataset.index)))"
    )
    tap.ok(reached == last, "the last row is reached", reached)


def check_pictures(tap):
    """Those of the manual."""
    script, place = os.path.join(harness.SRCDIR, "doc", "pictures.py"), os.path.join(
        TEMP, "pictures"
    )
    os.mkdir(place)
    status, out, err = harness.run([sys.executable, script, place], harness.BUILDDIR)
    heads = [
        harness.read(os.path.join(place, "page-%s.png" % name))[:4]
        for name in ("overview", "graph", "flame")
    ]
    tap.ok(
        status == 0 and out == b"-D PICTURES\n" and heads == [b"\x89PNG"] * 3,
        "pictures for the manual",
        err,
    )
    status, out, err = harness.run(
        [sys.executable, script, place], harness.BUILDDIR, dict(harness.ENV, PATH=TEMP)
    )
    tap.ok((status, out) == (0, b""), "none without a browser", err)


# ---- All ----


def check_browser(tap, browser):
    page = devtools.Page(browser)
    try:
        path = make_page("small", "small", "small.gmon")
        make_page("random", "random", "random.gmon")
        check_overview(tap, page, path)
        check_few(tap, page)
        check_stated(tap, page)
        check_outside(tap, page)
        check_varying(tap, page)
        check_many_profiles(tap, page)
        check_table(tap, page)
        check_stubs(tap, page)
        check_graph(tap, page, path)
        check_flame(tap, page, path)
        check_others(tap, page)
        check_addresses(tap, page, path)
        check_sandwich(tap, page, path)
        check_recorded(tap, page)
        check_threads(tap, page)
        check_source(tap, page)
        check_changed_stacks(tap, page)
        check_names(tap, page)
        check_runs(tap, page)
        check_lines_shown(tap, page)
        check_keyboard(tap, page, path)
        whole = make_page("whole", "-A", "-I", TEMP, "lined", "lined.gmon")
        whole = check_comparison(tap, page, whole)
        check_looks(tap, page, whole)
        check_phone(tap, page)
        check_access(tap, page, whole)
        check_all_numbers(tap, page)
        check_hostile(tap, page)
        tap.ok(not page.said, "no error and no warning on the console", "\n".join(page.said))
        others = [
            url for url in page.requests if not re.match(r"file:///\S*/tests/tmp-|about:blank", url)
        ]
        tap.ok(page.requests and not others, "nothing was requested but the pages", others)
        check_policy(tap, page, path)
    finally:
        page.close()


def main():
    tap = harness.Tap()
    make_profiles()
    check_file(tap)
    check_selected_sources(tap)
    if harness.is_sanitized():
        tap.skip(
            "types and rules of the script, and a large page", "sanitizers find nothing else there"
        )
    else:
        check_script(tap)
    browser = devtools.find_browser()
    if browser is None:
        tap.skip("the page in a browser", "no chromium")
    else:
        check_browser(tap, browser)
        if not harness.is_sanitized():
            check_large(tap, browser)
        check_pictures(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
