#!/usr/bin/env python3
"""--base: the comparison in all formats, with both kinds of base; exit statuses and verdicts of the
gate; bases
that cannot be compared; a real program, built twice.
"""

import sys

sys.dont_write_bytecode = True

import csv
import gzip
import io
import json
import os
import random
import re
import shutil
import statistics

from lib import elf, gmonfile, harness, seeds, stack_model
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write
from table import HOSTILE, NAMED, SIZE, START, make

NAMES = ["main", "_ZN1a1bEi", "leaf", "short"]
OLD, NEW = [50, 900, 400, 3], [50, 1300, 400, 3]


def run(words, stdin=None):
    return harness.run([harness.GPROF] + words, TEMP, stdin=stdin)


def histogram(samples, rate=100):
    return Histogram(
        START,
        START + len(samples) * SIZE,
        len(samples) * SIZE // 4,
        {i * SIZE // 4 + 1: n for i, n in enumerate(samples)},
        rate,
    )


def call(caller, callee, count):
    return ("arc", START + caller * SIZE + 8, START + callee * SIZE, count)


def profile(name, *records):
    write(os.path.join(TEMP, name), Profile(Layout(64, "little"), list(records)).bytes())


def prepare():
    make("program", "old", NAMES, OLD)
    make("program", "new", NAMES, NEW)
    make("other", "other.gmon", ["one", "two", "three", "four"], [5, 6, 7, 8])
    make(
        "hostile",
        "hostile.gmon",
        ['"%s"' % "".join("\\x%02x" % b for b in name.encode()) for name in HOSTILE],
        [100 - i for i in range(len(HOSTILE))],
    )
    calls = [call(0, 1, 10), call(1, 2, 100)]
    for i, noise in enumerate((0, 7, -4, 2, -6)):
        profile("a%d" % i, histogram([5, 180 + noise, 80, 1]), *calls)
        profile("b%d" % i, histogram([5, 260 + noise, 80, 1]), *calls)
        profile("v%d" % i, histogram([5, 180 + noise, 80, 1]), call(0, 1, 10), call(1, 2, 100 + i))
        profile(
            "w%d" % i,
            histogram([5, 180 + noise, 80, 1]),
            call(0, 1, 10),
            call(1, 2, 10**8 + 10 * (i % 2)),
        )
    profile("w", histogram([5, 180, 80, 1]), call(0, 1, 10), call(1, 2, 500))
    profile("more", histogram([5, 180, 80, 1]), call(0, 1, 10), call(1, 2, 101))
    profile("callers", histogram([5, 180, 80, 1]), call(0, 1, 10), call(0, 2, 40), call(1, 2, 60))
    profile("calls", *calls)
    profile("unsampled", histogram([0, 0, 0, 0]))


def base(*profiles):
    """A comparison with PROFILES, by chance of sampling if each side has one."""
    return ["--base=program", "--one-run"] + ["--base-profile=" + name for name in profiles]


def runs(letter):
    return [letter + str(i) for i in range(5)]


# ---- Formats ----


CHANGED = """total 13.53 -> 17.53 s (+30 %, p < 1e-9); slower: a::b(int) 9.00 -> 13.00 s (+44 %, p < 1e-9); can detect 10 %

before  after  change%        p  name
  9.00  13.00  +44 ± 5  <0.0001  a::b(int)
 13.53  17.53  +30 ± 4  <0.0001  total

"""


def cells(text, separator):
    return [line.split(separator) for line in text.splitlines()]


def check_formats(tap):
    words = base("old") + ["--fail-above=10"]
    outputs = {
        name: run(words + ["--format=" + name, "program", "new"])
        for name in ("text", "tsv", "csv", "markdown", "json", "benchmark")
    }
    tap.ok({out[0] for out in outputs.values()} == {3}, "all formats: the same exit status")
    tap.ok(
        len({out[2] for out in outputs.values()}) == 1,
        "and the same verdict",
        [out[2] for out in outputs.values()],
    )
    rows = list(csv.DictReader(io.StringIO(outputs["csv"][1].decode(), newline="")))
    tap.ok(
        [row["name"] for row in rows] == ["a::b(int)", "leaf", "main", "short", "total"],
        "CSV: rows",
        rows,
    )
    tap.ok(
        float(rows[0]["before"]) == 9
        and float(rows[0]["after"]) == 13
        and float(rows[0]["change"]) == 4,
        "CSV: times",
        rows[0],
    )
    tap.ok(
        abs(float(rows[0]["error"]) - (2200**0.5) / 100) < 1e-12
        and 0 < float(rows[0]["p"]) < 1e-10,
        "CSV: error and p",
        rows[0],
    )
    tap.ok(
        rows[3]["p"] == "" and rows[3]["kind"] == "both" and rows[-1]["kind"] == "total",
        "CSV: too few samples for a test",
        rows[3],
    )
    tsv = cells(outputs["tsv"][1].decode(), "\t")
    tap.ok(
        [list(row.values()) for row in rows] == tsv[1:] and list(rows[0]) == tsv[0],
        "TSV: the same cells",
    )
    document = json.loads(outputs["json"][1].decode())
    same = [[None if cell == "" else cell for cell in row.values()] for row in rows]
    got = [
        [
            None if cell is None else cell if isinstance(cell, str) else repr(cell)
            for cell in row.values()
        ]
        for row in document["rows"]
    ]
    tap.ok(
        [
            [
                c if c is None or not c[:1].isdigit() and c[:1] != "-" else repr(json.loads(c))
                for c in row
            ]
            for row in same
        ]
        == got,
        "JSON: the same cells",
        got,
    )
    tap.ok(
        document["verdict"]
        == {
            "status": "regression",
            "reason": None,
            "name": "a::b(int)",
            "of": "time",
            "functions": 1,
            "unjudged": 0,
        },
        "JSON: verdict",
        document["verdict"],
    )
    check_schema(tap, document)
    listed = json.loads(outputs["benchmark"][1].decode())
    tap.ok(
        [(o["name"], o["value"], o["unit"]) for o in listed]
        == [(row["name"], float(row["after"]), "seconds") for row in rows],
        "benchmark: figures",
        listed,
    )
    tap.ok(
        listed[0]["range"] == "± 0.36" and "before: 9.00; change: 4.00" in listed[0]["extra"],
        "benchmark: range and the rest",
        listed[0],
    )
    text = outputs["text"][1].decode()
    tap.ok(text.startswith(CHANGED), "text: the verdict, and what has changed", text)
    markdown = outputs["markdown"][1].decode()
    whole = run(words + ["--top=0", "--format=markdown", "program", "new"])[1].decode()
    for table, wanted in (markdown, ["a::b(int)", "total"]), (whole, [row["name"] for row in rows]):
        shown = [line.split("|")[-2].strip(" `") for line in table.splitlines() if "| `" in line]
        tap.ok(shown == wanted, "Markdown: what has changed, or, with --top=0, all", table)
    tap.ok(
        markdown.split("\n\n")[0].replace("\\", "") == CHANGED.split("\n")[0],
        "Markdown: the verdict first",
        markdown + text,
    )
    for words, count in ((["--top=1"], 2), (["--top"], 5), (["--top=0"], 5)):
        table = run(base("old") + words + ["--format=csv", "program", "new"])[1]
        tap.ok(table.count(b"\r\n") == count + 1, " ".join(words) + ": rows", table)
    path = os.path.join(TEMP, "written")
    out = run(base("old") + ["--format=csv", "-o", "written", "program", "new"])
    tap.ok(out[:2] == (0, b"") and harness.read(path) == outputs["csv"][1], "-o", out[2])


def column(out, number=0):
    return [line.split("\t")[number] for line in out[1].decode().splitlines()[1:]]


def check_columns(tap):
    """--columns, --sort and --min-share choose from all columns and rows of the comparison."""
    words = base("old") + ["--format=tsv", "program", "new"]
    out = run(["--columns=name,calls,change%,kind"] + words)[1].decode()
    tap.ok(
        cells(out, "\t")[:2]
        == [["name", "calls", "change%", "kind"], ["a::b(int)", "10", "44.44444444444444", "both"]],
        "--columns",
        out,
    )
    text = run(["--columns=name,before,after-error"] + base("old") + ["program", "new"])[1].decode()
    tap.ok(
        "name       before  after-error\na::b(int)    9.00         0.36\n" in text,
        "--columns: in text",
        text,
    )
    for sort, names in (
        ("after", ["a::b(int)", "leaf", "main", "short"]),
        ("-before,name", ["short", "main", "leaf", "a::b(int)"]),
        ("-name", ["short", "main", "leaf", "a::b(int)"]),
        ("p,-before", ["main", "leaf", "a::b(int)", "short"]),
    ):
        found = column(run(["--sort=" + sort, "--columns=name"] + words))
        tap.ok(found == names + ["total"], "--sort=%s: the total is last" % sort, found)
    found = column(run(["--sort=-after", "--columns=name", "--top=1"] + words))
    tap.ok(found == ["short", "total"], "--sort and --top", found)
    found = column(run(["--min-share=10", "--columns=name"] + words))
    tap.ok(found == ["a::b(int)", "leaf", "total"], "--min-share", found)
    found = column(
        run(["--sort=-calls%", "--columns=name"] + base("a0") + ["--format=tsv", "program", "w"])
    )
    tap.ok(
        found[:2] == ["a::b(int)", "leaf"],
        "--sort: numbers ascend, and rows without one come last",
        found,
    )
    listed = json.loads(
        run(
            ["--columns=change,name,error"] + base("old") + ["--format=benchmark", "program", "new"]
        )[1].decode()
    )
    tap.ok(
        listed[0]["value"] == 4 and "range" not in listed[0],
        "benchmark: the first time there is",
        listed[0],
    )


def check_calls(tap):
    """`calls' are those by other functions, as in the table of one profile; those by itself are
    beside them, and a gate judges both."""
    profile("level", histogram(OLD), call(0, 1, 10), call(1, 1, 990), call(1, 2, 5))
    profile("deeper", histogram(OLD), call(0, 1, 10), call(1, 1, 1990), call(1, 2, 5))
    table = run(["--format=tsv", "--top=0", "--columns=calls,name", "program", "deeper"])[
        1
    ].decode()
    words = base("level") + ["--format=tsv", "--top=0", "--columns=calls,name", "program", "deeper"]
    wanted = {line.partition("\t")[2]: line.partition("\t")[0] for line in table.splitlines()}
    found = {
        line.partition("\t")[2]: line.partition("\t")[0]
        for line in run(words)[1].decode().splitlines()
    }
    tap.ok(
        wanted["a::b(int)"] == found["a::b(int)"] == "10"
        and wanted["leaf"] == found["leaf"] == "5",
        "calls: the same in a table and a comparison",
        "%s %s" % (wanted, found),
    )
    status, out, err = run(["--fail-calls=5"] + base("level") + ["program", "deeper"])
    tap.ok(
        status == 3 and b"regression: a::b(int): 10+990 calls -> 10+1990 calls (+100 %)" in err,
        "calls: recursion is judged",
        err,
    )
    tap.ok(
        "a::b(int) 10+990 -> 10+1990 (+100 %)" in out.decode()
        and out.decode().split("\n\n")[1].split()[:6]
        == ["calls-before", "calls", "calls%", "self-calls-before", "self-calls", "name"],
        "calls: and shown",
        out,
    )
    out = run(["--fail-calls=5"] + base("a0") + ["program", "w"])[1].decode()
    tap.ok("self-calls" not in out, "calls: no columns without recursion", out)


def headline(*words):
    status, out, err = run(list(words))
    return out.decode().split("\n")[0] if status == 0 else err.decode()


def rows_of(text):
    """The names in a table for people."""
    return [line.split("  ")[-1].strip() for line in text.split("\n\n")[1].splitlines()[1:]]


def check_text(tap):
    """Text for people: a verdict, few columns, and rows only of what has changed."""
    profile("turned", histogram([250, 400, 900, 3]))
    for before, after, expected in (
        (
            "new",
            "old",
            (
                "total 17.53 -> 13.53 s (-23 %, p < 1e-9); faster: a::b(int) 13.00 -> 9.00 s (-31"
                " %, p < 1e-9); can detect 10 %"
            ),
        ),
        (
            "old",
            "old",
            (
                "total 13.53 -> 13.53 s (+0 %, p = 1); no significant change; can detect growth of"
                " 11 %"
            ),
        ),
        (
            "old",
            "turned",
            (
                "total 13.53 -> 15.53 s (+15 %, p = 0.00022); slower: leaf 4.00 -> 9.00 s (+125 %,"
                " p < 1e-9) and 1 more; faster: 1 function; can detect 11 %"
            ),
        ),
        (
            "a0",
            "w",
            "total 2.66 -> 2.66 s (+0 %, p = 1); no significant change; can detect growth of 27 %",
        ),
    ):
        found = headline(*base(before), "program", after)
        tap.ok(found == expected, "the verdict of %s and %s" % (before, after), found)
    found = headline(*base("a0"), "--fail-calls=1000", "program", "w")
    tap.ok(found == "called more: leaf 100 -> 500 (+400 %)", "the verdict on calls", found)
    found = headline(*base("calls"), "program", "more")
    tap.ok(found == "called more: leaf 100 -> 101 (+1 %)", "where no times are known", found)
    found = headline(*base(*runs("v")), "--fail-calls=1000", "program", *runs("v"))
    tap.ok(found == "no function is called more or less", "runs that disagree about calls", found)
    found = headline(*base("a0", "a1"), "program", "a2", "a3")
    tap.ok(
        found
        == "total 2.695 -> 2.650 s (-2 %, p = 0.81); no significant change; what it can detect is"
        " not known",
        "two runs a side",
        found,
    )
    found = headline(*base("old"), "--fail-above=10,5", "program", "new")
    tap.ok(
        found
        == "total 13.53 -> 17.53 s (+30 %, p < 1e-9); slower: a::b(int) 9.00 -> 13.00 s (+44 %, p <"
        " 1e-9, below the floor of 5 s); can detect 10 %",
        "the floor of a gate",
        found,
    )
    profile("quick", histogram([50, 900, 400, 3], 10000))
    profile("quicker", histogram([50, 1300, 400, 3], 10000))
    profile("many", histogram([5000, 60000, 40000, 300]))
    for options, after, expected in (
        (
            base("old"),
            "new",
            "--fail-above=10 would fail: a::b(int) grew by more than 10 % and 0.05 s",
        ),
        (
            base("quick"),
            "quicker",
            "--fail-above=10 would pass: a::b(int) grew by less than the floor of 0.05 s",
        ),
        (base("new"), "old", "--fail-above=10 would pass, but could not see growth of 10 %"),
        (base("many"), "many", "--fail-above=10 would pass"),
        (
            base("old") + ["--fail-scope=total"],
            "new",
            (
                "--fail-above=10 --fail-scope=total would fail: total grew by more than 10 % and"
                " 0.05 s"
            ),
        ),
    ):
        status, out, err = run(options + ["program", after])
        tap.ok(
            status == 0 and not err and out.decode().split("\n\n")[2].split("\n")[0] == expected,
            "without a gate: " + expected,
            out.decode() + err.decode(),
        )
    found = headline(*base("quick"), "program", "quicker")
    tap.ok(
        found
        == "total 0.1353 -> 0.1753 s (+30 %, p < 1e-9); slower: a::b(int) 0.0900 -> 0.1300 s (+44"
        " %, p < 1e-9, below the floor of 0.05 s); can detect 10 %",
        "its floor is in the verdict",
        found,
    )
    out = run(base("old") + ["--format=json", "program", "new"])[1]
    tap.ok(
        json.loads(out)["verdict"]["status"] == "none",
        "JSON has no verdict that nobody asked for",
        out,
    )
    out = run(base("old") + ["--fail-above=10", "program", "new"])[1].decode()
    tap.ok("would" not in out, "nor text beside another one", out)
    words = base("old") + ["program", "turned"]
    for options, expected in (
        ([], ["leaf", "a::b(int)", "main", "total"]),
        (["--top=1"], ["leaf", "total"]),
        (["--top=0"], ["leaf", "a::b(int)", "main", "short", "total"]),
        (["--sort=name"], ["a::b(int)", "leaf", "main", "total"]),
        (["--columns=calls,name"], ["total"]),
        (["--columns=kind,name"], ["leaf", "a::b(int)", "main", "total"]),
    ):
        text = run(options + words)[1].decode()
        tap.ok(rows_of(text) == expected, "rows: " + " ".join(options), text)
    text = run(base("old") + ["--top=0", "program", "old"])[1].decode()
    tap.ok("  0.03   0.03  +0 ± 82?          short\n" in text, "too few samples for a test", text)
    text = run(base("a0") + ["program", "w"])[1].decode()
    tap.ok(
        "\ncalls changed in 1 function (--columns=calls-before,calls,calls%,name)\n" in text,
        "calls that changed are said",
        text,
    )
    text = run(base("a0") + ["--fail-calls=1000", "--fail-above=1000", "program", "w"])[1].decode()
    tap.ok(
        "before  after  change%       p  calls%  name\n" in text
        and rows_of(text) == ["leaf", "total"],
        "a gate of both: calls beside times",
        text,
    )
    text = harness.run_on_terminal([harness.GPROF, "--color=never"] + words, 80, TEMP)
    tap.ok(
        max(map(len, text.split("\n"))) <= 80
        and rows_of(text) == ["leaf", "a::b", "main", "total"],
        "it fits a terminal",
        text,
    )
    text = harness.run_on_terminal(
        [harness.GPROF, "--color=never", *base("old"), "program", "new"], 80, TEMP
    )
    tap.ok(
        text.startswith("total 13.53 -> 17.53 s (+30 %, p < 1e-9); slower: a::b 9.00 -> 13.00 s ")
        and text.count("a::b(") == 0,
        "and all names are short there",
        text,
    )


ONE_RUN = "; one run each; whether that is chance, 5 runs say: gprof-gate --runs=5 ... -- regmon {}"


def check_one_run(tap):
    """Chance of sampling says nothing of how runs vary: one run a side has no p, and is not
    judged."""
    words = ["--base=program", "--base-profile=old"]
    found = headline(*words, "program", "new")
    expected = "differs: total 13.53 -> 17.53 s (+30 %); slower: a::b(int) 9.00 -> 13.00 s (+44 %)"
    tap.ok(found == expected + ONE_RUN, "one run a side: they differ", found)
    found = headline(*words, "program", "old")
    expected = "total 13.53 -> 13.53 s (+0 %); no significant change" + ONE_RUN
    tap.ok(found == expected, "one run a side: they do not", found)
    text = run(words + ["--top=0", "program", "new"])[1].decode()
    head = text.split("\n")[2]
    tap.ok(head.split() == ["before", "after", "change%", "name"], "one run a side: no p", text)
    tap.ok(
        "would" not in text and "can detect" not in text and "p <" not in text, "nor below", text
    )
    tap.ok("1 differ by more than chance of sampling" in text, "but how many differ", text)
    rows = list(
        csv.DictReader(io.StringIO(run(words + ["--format=csv", "program", "new"])[1].decode()))
    )
    tap.ok({row["p"] for row in rows} == {""} and rows[0]["error"], "nor in CSV", rows)
    differs = "differs: %s; one run on each side says not whether that is chance"
    found = differs % "a::b(int): 9.00 s -> 13.00 s (+44.4 %)"
    for gate, after, status, said in (
        (["--fail-above=10"], "new", 4, found),
        (["--fail-above=10"], "old", 0, "no regression above 10 % (could see "),
        (
            ["--fail-above=10", "--fail-inconclusive"],
            "old",
            4,
            "one run on each side is too little",
        ),
        (["--fail-above=50"], "new", 0, "if runs do not vary)"),
        (
            ["--fail-above=10", "--fail-scope=total"],
            "new",
            4,
            differs % "total: 13.53 s -> 17.53 s (+29.6 %)",
        ),
        (["--fail-above=10,5"], "new", 0, "(+44.4 %) grew by less than 5 s"),
        (["--fail-calls=0"], "new", 0, "no calls grew"),
    ):
        out = run(words + gate + ["program", after])
        what = "one run a side: %s %s" % (" ".join(gate), after)
        tap.ok(out[0] == status and said in out[2].decode(), what, out[2])
    out = run(
        ["--base=program", "--base-profile=a0", "--fail-calls=0", "--fail-above=10", "program", "w"]
    )
    tap.ok(
        out[0] == 3 and b"100 calls -> 500 calls" in out[2], "calls are judged beside times", out[2]
    )
    document = json.loads(run(words + ["--format=json", "--fail-above=10", "program", "new"])[1])
    check_schema(tap, document)
    verdict = document["verdict"]
    tap.ok(verdict["status"] == "blind", "JSON: blind", verdict)
    tap.ok(verdict["reason"] == "not tested", "JSON: why it is blind", verdict)
    several = ["--base=program"] + ["--base-profile=" + name for name in runs("a")]
    status, out, err = run(several + ["--fail-above=10", "program", "b0"])
    tap.ok(status == 3 and b"differs" not in out, "five runs and one: judged", err)


def check_one_factor(tap):
    """All functions change by one factor, as on another machine; or all but one."""
    said = "all functions changed by one factor (%s %%): another machine or clock?"
    for name, samples, factor in (
        ("third", [65, 1170, 520, 4], "+30"),
        ("half", [25, 450, 200, 1], "-50"),
        ("but-one", [65, 1170, 400, 4], None),
        ("equal", OLD, None),
    ):
        profile("times-" + name, histogram([10 * n for n in samples]))
        profile("times-one", histogram([10 * n for n in OLD]))
        text = run(base("times-one") + ["program", "times-" + name])[1].decode()
        found = said % factor in text if factor else "one factor" not in text
        tap.ok(found, "one factor: " + name, text)
    for name, factor in (("counted-one", 1000), ("counted-more", 1300)):
        costs = "".join("fn=f%d\n1 %d\n" % (i, (i + 3) * factor) for i in range(6))
        harness.write(
            os.path.join(TEMP, name), ("creator: callgrind-3\nevents: Ir\n" + costs).encode()
        )
    text = run(["--base=counted-one", "counted-more"])[1].decode()
    tap.ok(
        "one factor (+30 %): another input, or more of it?" in text,
        "one factor: of instructions",
        text,
    )


def check_schema(tap, document):
    try:
        import jsonschema
    except ImportError:
        return tap.skip("a comparison agrees with its schema", "no jsonschema for Python")
    schema = json.loads(harness.read(os.path.join(harness.SRCDIR, "doc", "comparison.schema.json")))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    without = json.loads(
        run(base("calls") + ["--format=json", "--fail-above=10", "program", "callers"])[1].decode()
    )
    for what, checked in (("a comparison", document), ("one without times", without)):
        errors = [
            "%s: %s" % ("/".join(map(str, e.path)), e.message)
            for e in validator.iter_errors(checked)
        ]
        tap.ok(not errors, what + " agrees with its schema", errors)


def check_names(tap):
    out = run(
        [
            "--one-run",
            "--base=hostile",
            "--base-profile=hostile.gmon",
            "--format=tsv",
            "hostile",
            "hostile.gmon",
        ]
    )[1].decode()
    names = {row[out.split("\n")[0].split("\t").index("name")] for row in cells(out, "\t")[1:]}
    tap.ok(
        names == set(NAMED) | {"total"},
        "names of all kinds pair with themselves",
        "\n".join(sorted(names ^ set(NAMED))),
    )
    kinds = {row[cells(out, "\t")[0].index("kind")] for row in cells(out, "\t")[1:]}
    tap.ok(kinds == {"both", "total"}, "all of them", kinds)


def check_bytes(tap):
    """Names that are not UTF-8, and counts that are no doubles."""
    names = ["main", '"caf\\xe9"', '"\\xe9\\x80\\xff"', "plain"]
    make("bytes", "bytes.gmon", names, [50, 900, 400, 3])
    large = Histogram(START, START + 4 * SIZE, 4 * SIZE // 4, {1: 50})
    for name, count in (("large", 2**53), ("larger", 2**53 + 1)):
        write(
            os.path.join(TEMP, name),
            Profile(Layout(64, "little"), [large, call(0, 1, count), call(0, 2, 5)]).bytes("bsd"),
        )
    words = ["-O", "bsd", "--fail-calls=0", "program"]
    by_program = run(["--one-run", "--base=program", "--base-profile=large", *words, "larger"])
    expected = b"regression: a::b(int): 9007199254740992 calls -> 9007199254740993 calls"
    tap.ok(
        by_program[0] == 3 and expected in by_program[2], "one call more than 2^53", by_program[2]
    )
    status, out, err = run(
        ["--one-run", "--base=program", "--base-profile=larger", "--format=csv", *words, "large"]
    )
    tap.ok(
        status == 0 and b",9007199254740993,9007199254740992," in out,
        "counts are printed exactly",
        err.decode() + out.decode(),
    )
    # Inclusive times of counted events: e has changed most for its size, not main, its caller.
    write(os.path.join(TEMP, "counts.old"), b"main 999\nmain;b;c 50\nmain;e;f 1\n")
    write(os.path.join(TEMP, "counts.new"), b"main 999\nmain;b;d 100\nmain;e;g 21\n")
    options = ["--exact", "--fail-scope=inclusive", "--fail-above=10", "--base=counts.old"]
    status, out, err = run(options + ["counts.new"])
    tap.ok(
        status == 3 and b" e 1.00 -> 21.00" in out and b"regression: e with its callees" in err,
        "the headline and the verdict name one function",
        (out + err).decode(),
    )
    if not reads_json():
        return tap.skip("a base in JSON with names that are not UTF-8", "built without libjansson")
    write(os.path.join(TEMP, "bytes.json"), run(["--format=json", "bytes", "bytes.gmon"])[1])
    status, out, err = run(
        ["--one-run", "--base=bytes.json", "--format=csv", "bytes", "bytes.gmon"]
    )
    lines = [line.split(b",") for line in out.splitlines()]
    kinds = [line[lines[0].index(b"kind")] for line in lines[1:]]
    tap.ok(
        kinds == [b"both"] * 4 + [b"total"],
        "names that are not UTF-8 pair with themselves in JSON",
        out.decode("latin-1"),
    )
    write(
        os.path.join(TEMP, "large.json"), run(["-O", "bsd", "--format=json", "program", "large"])[1]
    )
    status, out, err = run(["--one-run", "--base=large.json", *words, "larger"])
    tap.ok(status == 3 and expected in err, "counts in JSON are exact", err)


# ---- Stacks ----

FOLDED = """[estimated from call counts];main;a::b(int);leaf 67 67
[estimated from call counts];main;a::b(int) 900 1300
[estimated from call counts];main;leaf 333 333
[estimated from call counts];main;short 3 3
[estimated from call counts];main 50 50
"""


def folded(words):
    status, out, err = run(words)
    lines = [line.rsplit(" ", 2) for line in out.decode().splitlines()]
    return (
        status,
        {line[0].partition(";")[2]: (int(line[1]), int(line[2])) for line in lines},
        err.decode(),
    )


def check_stacks(tap):
    """--format=folded: a line for each stack of either side, with its samples before and after."""
    calls = [call(0, 1, 10), call(0, 2, 50), call(1, 2, 10), call(0, 3, 5)]
    profile("before", histogram(OLD), *calls)
    profile("after", histogram(NEW), *calls)
    words = ["--format=folded", "program", "after"]
    by_program = run(base("before") + words)
    tap.ok(
        by_program[0] == 0
        and sorted(by_program[1].decode().splitlines()) == sorted(FOLDED.splitlines()),
        "folded: samples before and after",
        by_program[1],
    )
    tap.ok(run(base("before") + ["--fail-above=10"] + words)[0] == 3, "folded: with a gate")
    profile("others", histogram(OLD), call(0, 1, 10), call(1, 3, 5))
    status, stacks, err = folded(base("before") + ["--format=folded", "program", "others"])
    tap.ok(
        stacks["main;short"] == (3, 0)
        and stacks["main;a::b(int);short"] == (0, 3)
        and stacks["leaf"] == (0, 400),
        "folded: stacks of one side",
        stacks,
    )
    status, stacks, err = folded(base("before", "before", "before") + words)
    tap.ok(
        stacks["main;a::b(int)"] == (900, 1300) and sum(s[0] for s in stacks.values()) == sum(OLD),
        "folded: three runs before count as one",
        stacks,
    )
    profile(
        "ring",
        histogram(OLD),
        call(0, 1, 10),
        call(1, 2, 50),
        call(2, 1, 40),
        call(0, 3, 5),
        call(3, 3, 1),
    )
    profile(
        "rings",
        histogram(NEW),
        call(0, 3, 10),
        call(3, 0, 5),
        call(0, 1, 10),
        call(1, 2, 0),
        call(2, 1, 9),
    )
    status, stacks, err = folded(base("ring") + ["--format=folded", "program", "rings"])
    sums = [sum(s[i] for s in stacks.values()) for i in (0, 1)]
    tap.ok(
        status == 0
        and sums == [sum(OLD), sum(NEW)]
        and not any("[cycle " in stack for stack in stacks),
        "folded: numbers of cycles are not compared",
        stacks,
    )
    profile("flat", histogram(OLD))
    tap.refused(
        base("flat") + words, "program: its stacks cannot be compared: it has no calls", TEMP
    )
    tap.refused(
        base("calls") + words, "program: its stacks cannot be compared: it has no samples", TEMP
    )
    tap.refused(
        base("before") + ["--stacks=stacks"] + words,
        "--base and --stacks=FILE cannot be used together",
        TEMP,
    )
    tap.refused(
        base("before") + ["--top=3"] + words,
        "--format=folded and --top cannot be used together",
        TEMP,
    )
    if reads_json():
        write(os.path.join(TEMP, "before.json"), run(["--format=json", "program", "before"])[1])
        measured = json.loads(run(["--format=json", "program", "before"])[1])
        measured.update(inclusive="measured", stacks={"samples": 9, "rate": 100})
        write(os.path.join(TEMP, "measured.json"), json.dumps(measured).encode())
        tap.refused(
            ["--one-run", "--base=measured.json"] + words,
            "its stacks cannot be compared: it has no times by calls",
            TEMP,
        )
        tap.ok(
            run(["--one-run", "--base=measured.json", "program", "others"])[1]
            == run(base("before") + ["program", "others"])[1],
            "a base with measured times",
        )
        tap.ok(
            run(["--one-run", "--base=before.json"] + words) == by_program,
            "folded: with a base in JSON",
        )


# ---- Inclusive times ----

OLD_STACKS = {(0,): 50, (0, 1): 900, (0, 1, 2): 300, (0, 2): 100, (0, 3, None, 3): 40}
NEW_STACKS = {(0,): 50, (0, 1): 900, (0, 1, 2): 500, (0, 2): 100, (0, 3, None, 3): 40}


def record(name, stacks, own, rate=1000, image="program"):
    """Writes the profile NAME with OWN samples, and beside it STACKS: {functions, outermost first;
    None: a shared object:
    samples}."""
    profile(name, histogram(own, rate))
    write_stacks(name, stacks, rate, histogram(own), image)


def write_stacks(name, stacks, rate, histogram, image):
    place = lambda f: "1:10" if f is None else START + f * SIZE + 2
    lines = [([place(f) for f in frames], samples) for frames, samples in stacks.items()]
    text = gmonfile.stacks(lines, rate, histogram, image, ["libz.so.1"])
    write(os.path.join(TEMP, name + ".stacks"), text)


def check_zero(tap):
    """What is rounded to zero has no sign: times differ by less than a sample, because rates
    differ."""
    record("slow", {(0,): 2000, (1,): 10}, [2000, 10, 0, 0], 1000)
    record("fast", {(0,): 2001, (1,): 10}, [2001, 10, 0, 0], 1001)
    for words in (["--no-stacks"], ["--stacks"], ["--format=markdown"]):
        status, out, err = run(
            ["--one-run", "--base=program", "--base-profile=slow", *words, "program", "fast"]
        )
        zeros = re.findall(rb"(?<![\w.])-?0(?:\.0+)?(?![\d.])", out)
        tap.ok(
            status == 0 and zeros and not [zero for zero in zeros if zero.startswith(b"-")],
            "no change of -0: " + words[0],
            out.decode() + err.decode(),
        )


def check_inclusive_gate(tap):
    """leaf takes longer, mostly below a::b(int), by less than 25 % of its own time in the
    histogram."""
    record("same", NEW_STACKS, OLD)
    words = base("recorded") + ["--stacks", "--fail-above=10", "program", "same"]
    scope = ["--fail-scope=inclusive"]
    status, out, err = run(words)
    tap.ok(status == 0 and b"no regression" in err, "own times have not changed", err)
    status, out, err = run(scope + ["--format=json"] + words)
    verdict = json.loads(out)["verdict"]
    tap.ok(
        status == 3 and b"regression: leaf with its callees: 0.400 s -> 0.600 s (+50 % " in err,
        "--fail-scope=inclusive",
        err,
    )
    tap.ok(
        verdict
        == {
            "status": "regression",
            "reason": None,
            "name": "leaf",
            "of": "inclusive time",
            "functions": 3,
            "unjudged": 0,
        },
        "--fail-scope=inclusive: JSON",
        verdict,
    )
    check_schema(tap, json.loads(out))
    status, out, err = run(scope + ["--allow=leaf"] + words)
    tap.ok(
        status == 3 and b"regression: a::b(int) with its callees: 1.200 s -> 1.400 s" in err,
        "--allow: its callers are still slower",
        err,
    )
    status, out, err = run(scope + ["--allow=leaf|main|a::b"] + words)
    tap.ok(
        status == 0 and b"no regression above 10 % (could see " in err and b"total" not in err,
        "--allow: all of them",
        err,
    )
    tap.ok(run(scope + ["--alpha=1e-12"] + words)[0] == 0, "--alpha")
    tap.ok(
        run(scope + ["--fail-inconclusive", "--allow=leaf|main|a::b"] + words)[0] == 4,
        "--fail-inconclusive",
    )
    tap.ok(
        run(scope + words + ["--fail-above=60"])[0] == 0, "--fail-above: the largest growth is 50 %"
    )
    tap.refused(
        base("recorded") + ["--fail-above=10", "--no-stacks", "program", "same"] + scope,
        "program: has no recorded stacks: inclusive times cannot be judged",
        TEMP,
    )


def check_inclusive(tap):
    record("recorded", OLD_STACKS, OLD)
    record("grown", NEW_STACKS, [2 * n for n in OLD], 2000)
    words = base("recorded") + ["--stacks", "program", "grown"]
    outputs = {name: run(words + ["--format=" + name]) for name in ("csv", "json", "text")}
    tap.ok({out[0] for out in outputs.values()} == {0}, "inclusive times: no errors", outputs)
    rows = {
        row["name"]: row
        for row in csv.DictReader(io.StringIO(outputs["csv"][1].decode(), newline=""))
    }
    times = {
        name: (float(row["total-before"]), float(row["total-after"])) for name, row in rows.items()
    }
    expected = {
        "main": (1.39, 0.795),
        "a::b(int)": (1.2, 0.7),
        "leaf": (0.4, 0.3),
        "short": (0.04, 0.02),
        "[libz.so.1]": (0.04, 0.02),
        "total": (1.39, 0.795),
    }
    tap.ok(times == expected, "inclusive times: before and after", times)
    error = (1.2 / 1000 + 0.7 / 2000) ** 0.5
    tap.ok(
        abs(float(rows["a::b(int)"]["total-error"]) - error) < 1e-12
        and float(rows["leaf"]["total-p"]) < 1e-4
        and float(rows["leaf"]["p"]) == 1,
        "inclusive times: errors and p are those of stacks",
        rows,
    )
    tap.ok(
        float(rows["main"]["total-p"]) < 1e-20 and rows["short"]["total-p"] != "",
        "inclusive times: Holm's correction",
        rows,
    )
    document = json.loads(outputs["json"][1].decode())
    found = {row["name"]: (row["total-before"], row["total-after"]) for row in document["rows"]}
    tap.ok(
        found == expected
        and document["inclusive"]["samples"] == 1590
        and document["inclusive"]["functions"] == 5,
        "inclusive times: JSON",
        document["inclusive"],
    )
    check_schema(tap, document)
    text = outputs["text"][1].decode()
    tap.ok(
        text.startswith(
            "total 1.3900 -> 0.7950 s (-43 %, p < 1e-9); faster with callees: main 1.3900 -> 0.7950"
            " s (-43 %, p < 1e-9) and 4 more; can detect "
        )
        and "\ntotal-before  total-after  total-change%  total-p  name\n" in text
        and "those of 1390 sampled stacks before and 1590 after" in text,
        "inclusive times: text",
        text,
    )
    words.remove("--stacks")
    tap.ok(
        run(words + ["--format=text"])[1].decode() == text,
        "inclusive times: stacks are found beside the profiles",
    )
    text = run(["--fail-scope=function"] + words)[1].decode()
    tap.ok(
        "; --fail-scope=inclusive shows them\n" in text and "total-before" not in text,
        "inclusive times: --fail-scope without a gate",
        text,
    )
    record("equal", OLD_STACKS, NEW)
    record("longer", NEW_STACKS, OLD)
    text = run(base("recorded") + ["program", "longer"])[1].decode()
    tap.ok(
        text.startswith("total 1.390 -> 1.590 s (+14 %, p = 0.00027); slower with callees: leaf ")
        and "\n--fail-above=10 --fail-scope=inclusive would fail: leaf grew by more than 10 % and 0.05 s\n"
        in text,
        "inclusive times: what a gate would say",
        text,
    )
    text = run(["--fail-scope=inclusive"] + base("recorded") + ["program", "equal"])[1].decode()
    tap.ok(
        text.startswith(
            "total 1.390 -> 1.390 s (+0 %, p = 1); no significant change; can detect growth of 11"
            " %\n\ntotal-before  total-after "
        ),
        "inclusive times: not of own times that have changed",
        text,
    )
    plain = run(words + ["--no-stacks"])[1].decode()
    tap.ok("total-before" not in plain, "inclusive times: not with --no-stacks", plain)
    profile("alone", histogram(OLD))
    status, out, err = run(base("alone") + ["program", "grown"])
    tap.ok(
        status == 0
        and b"total-before" not in out
        and b"program: has no recorded stacks: inclusive times are not compared" in err,
        "inclusive times: stacks on one side",
        err,
    )
    check_zero(tap)
    check_inclusive_gate(tap)
    status, out, err = run(base("recorded") + ["--format=folded", "program", "grown"])
    expected = [
        "main 100 50",
        "main;a::b(int) 1800 900",
        "main;a::b(int);leaf 600 500",
        "main;leaf 200 100",
        "main;short;[libz.so.1];short 80 40",
    ]
    tap.ok(
        status == 0
        and sorted(out.decode().splitlines()) == ["[sampled stacks];" + line for line in expected],
        "folded: recorded stacks, before as in runs like those after",
        out.decode() + err.decode(),
    )
    status, out, err = run(base("recorded") + ["--format=folded", "program", "alone"])
    tap.ok(
        status == 1
        and b"its stacks cannot be compared: it has no times by calls (--no-stacks)" in err,
        "folded: stacks of one side",
        err,
    )
    status, out, err = run(
        base("recorded") + ["--format=folded", "--no-stacks", "program", "alone"]
    )
    tap.ok(
        status == 1 and b"its stacks cannot be compared: it has no calls" in err,
        "folded: without them, they are estimated",
        err,
    )
    if reads_json():
        write(
            os.path.join(TEMP, "recorded.json"),
            run(["--format=json", "--no-stacks", "program", "recorded"])[1],
        )
        status, out, err = run(
            ["--one-run", "--base=recorded.json", "--stacks", "program", "grown"]
        )
        tap.ok(
            status == 0
            and b"total-before" not in out
            and b"program: has no recorded stacks: inclusive times are not compared" in err,
            "inclusive times: a base without stacks",
            err,
        )
        write(os.path.join(TEMP, "recorded.json"), run(["--format=json", "program", "recorded"])[1])
        shutil.copy(os.path.join(TEMP, "program"), os.path.join(TEMP, "newer"))
        words = ["--one-run", "--base=recorded.json", "newer", "alone"]
        status, out, err = run(words)
        tap.ok(
            status == 0
            and b"total-before" not in out
            and b"newer: has no recorded stacks: inclusive times are not compared" in err,
            "inclusive times: only a base in a file has stacks",
            err,
        )
        tap.refused(
            ["--fail-above=10", "--fail-scope=inclusive"] + words,
            "newer: has no recorded stacks: inclusive times cannot be judged",
            TEMP,
        )


def draw_runs(side, means, count=60):
    """Writes five profiles of `wide', whose stacks {functions, outermost first: samples} are MEANS
    on average, and returns their sums."""
    rng, sums = random.Random(side), dict.fromkeys(means, 0)
    for i in range(5):
        stacks = {
            frames: round(max(0, rng.gauss(mean, mean**0.5))) for frames, mean in means.items()
        }
        own = stack_model.own_and_total(stacks.items())[0]
        record(
            "%s%d" % (side, i),
            {frames: n for frames, n in stacks.items() if n > 0},
            [own[f] for f in range(count)],
            image="wide",
        )
        for frames, samples in stacks.items():
            sums[frames] += samples
    return {frames: samples for frames, samples in sums.items() if samples > 0}


def without_small(before, after):
    """Stacks of both sides, {frames: (before, after)}, where what has less than a thousandth of the
    samples before is with the others beside it, as what the after side has there."""
    nodes = stack_model.tree(before.items())
    kept = {frames for frames, node in nodes.items() if 1000 * node[1] >= sum(before.values())}
    cut_below = {frames[:-1] for frames in nodes if frames not in kept}
    both = {}
    for side, stacks in enumerate((before, after)):
        for frames, samples in stacks.items():
            known = next(
                (d for d in range(len(frames)) if frames[: d + 1] not in kept), len(frames)
            )
            if known < len(frames) and frames[:known] in cut_below:
                frames = frames[:known] + ("[others]",)
            both.setdefault(frames, [0, 0])[side] += samples
    return {";".join(frames): tuple(samples) for frames, samples in both.items()}


def check_stacks_in_json(tap):
    """A base in JSON has its stacks, but what is small."""
    if not reads_json():
        return tap.skip("stacks of a base in JSON", "built without libjansson")
    names = ["main"] + ["f%02d" % i for i in range(1, 60)]
    make("wide", "wide.gmon", names, [10] * 60)
    rng = random.Random(8)
    shapes = [(0, i) for i in range(1, 60)] + [
        (0, i, 1 + i * j % 59) for i in range(1, 12) for j in range(1, 40)
    ]
    means = {shape: 3000 / (1 + rng.randrange(3000)) for shape in shapes}
    means[(0, 1, 2)] = 300
    before = draw_runs("wide-a", means)
    means[(0, 1, 2)] = 500
    means.update({(0, 1, 2, 3): 60, (0, 1, 4, 5, 6): 0.7})
    after = draw_runs("wide-b", means)
    sides = [["wide-%s%d" % (letter, i) for i in range(5)] for letter in "ab"]
    document = run(["--format=json", "wide"] + sides[0])[1]
    write(os.path.join(TEMP, "wide.json"), document)
    shorter = json.loads(document)
    tree = shorter["stacks"].pop("tree")
    size = len(json.dumps(tree, separators=(",", ":")))
    tap.ok(
        0 < size < len(document) - size,
        "stacks in JSON: they are the smaller part",
        "%d of %d bytes" % (size, len(document)),
    )
    sums = [sum(run) for run in zip(*tree["samples"])]
    tap.ok(
        len(tree["samples"]) == 5 and sum(sums) == sum(before.values()),
        "stacks in JSON: all samples",
        sums,
    )
    named = lambda stacks: {
        tuple(names[f] for f in frames): samples for frames, samples in stacks.items()
    }
    expected = without_small(named(before), named(after))
    status, found, err = folded(["--base=wide.json", "--format=folded", "wide"] + sides[1])
    wrong = [
        "%s %s %s" % (stack, found.get(stack), expected.get(stack))
        for stack in set(found) | set(expected)
        if found.get(stack) != expected.get(stack)
    ]
    tap.ok(
        status == 0 and not wrong and "main;f01;[others]" in found,
        "stacks in JSON: a comparison has what is left",
        err + "\n".join(wrong),
    )
    run(["--base=wide.json", "-o", "wide.html", "wide"] + sides[1])
    page = re.search(
        rb'id="data">(.*?)</script>', harness.read(os.path.join(TEMP, "wide.html")), re.S
    )
    nodes = json.loads(page[1])["tree"] if page else {"function": [], "changed": [], "before": []}
    changed = {names[f] for f, change in zip(nodes["function"], nodes["changed"]) if change}
    tap.ok(
        {"f02", "f03"} <= changed <= {"main", "f01", "f02", "f03"},
        "stacks in JSON: paths on the page, of which only slower ones are marked",
        changed,
    )
    bases = [
        ["--base=wide"] + ["--base-profile=" + name for name in sides[0]],
        ["--base=wide.json"],
    ]
    columns = "--columns=name,total-before,total-after,total-change"
    tables = [
        run([*words, columns, "--format=csv", "wide", *sides[1]])[1].decode() for words in bases
    ]
    rows = [
        [row[:1] + [round(float(time), 9) for time in row[1:]] for row in cells(table, ",")[1:]]
        for table in tables
    ]
    tap.ok(
        sorted(rows[0]) == sorted(rows[1]) and len(rows[0]) == 61,
        "stacks in JSON: inclusive times are whole",
        rows,
    )
    record("recorded2", OLD_STACKS, OLD)
    write(
        os.path.join(TEMP, "small.json"),
        run(["--format=json", "program", "recorded", "recorded2"])[1],
    )
    words = ["--fail-scope=inclusive", "--top=0", "program", "grown"]
    outputs = [
        run([*words, "--base=small.json"]),
        run([*words, "--base=program", "--base-profile=recorded", "--base-profile=recorded2"]),
    ]
    tap.ok(
        outputs[0] == outputs[1] and b"[libz.so.1]" in outputs[0][1],
        "stacks in JSON: of a small program all",
        outputs[0][1],
    )


def check_spread_of_inclusive(tap):
    """Runs whose stacks vary much more than by chance: five before, one after, all of the same
    program."""
    speeds = [0.7, 0.85, 1, 1.15, 1.3]
    for i, speed in enumerate(speeds + [1.4]):
        record("vary-%d" % i, {frames: round(n * speed) for frames, n in OLD_STACKS.items()}, OLD)
    names = ["vary-%d" % i for i in range(5)]
    out = run(["--format=json", "program"] + names)[1]
    document = json.loads(out)
    mean, variance = statistics.mean(1390 * s for s in speeds), statistics.variance(
        round(300 * s) + round(100 * s) for s in speeds
    )
    leaf = next(function for function in document["functions"] if function["name"] == "leaf")
    tap.ok(
        abs(leaf["total_runs"]["variance"] - variance) < 1e-9
        and abs(leaf["total_runs"]["mean"] - 400) < 1e-9,
        "JSON: how inclusive samples vary between runs",
        leaf,
    )
    tap.ok(
        document["stacks"]["runs"]["n"] == 5 and abs(document["stacks"]["runs"]["mean"] - mean) < 1,
        "JSON: and all stacks",
        document["stacks"],
    )
    gate = ["--fail-scope=inclusive", "--fail-above=10", "--fail-inconclusive", "--stacks"]
    by_runs = run(base(*names) + gate + ["program", "vary-5"])
    tap.ok(
        by_runs[0] == 4 and b"inclusive times vary" not in by_runs[2],
        "inclusive times that vary between runs: no regression",
        by_runs[2],
    )
    unknown = (
        b"gprof: program: how inclusive times vary between its runs is not known: a regression"
        b" cannot be seen"
    )
    if reads_json():
        write(os.path.join(TEMP, "vary.json"), out)
        status, out, err = run(["--one-run", "--base=vary.json"] + gate + ["program", "vary-5"])
        tap.ok(status == 4 and unknown not in err, "and none against a base in JSON", err)
        for function in document["functions"]:
            del function["total_runs"]
        del document["stacks"]["runs"], document["stacks"]["tree"]
        write(os.path.join(TEMP, "older.json"), json.dumps(document).encode())
        status, out, err = run(["--one-run", "--base=older.json"] + gate + ["program", "vary-5"])
        tap.ok(
            status == 4 and unknown in err and b"so they are not tested" in out,
            "an older file does not say how they vary",
            err.decode() + out.decode(),
        )
        status, out, err = run(
            ["--one-run", "--base=older.json"] + gate[:2] + ["--format=json", "program", "vary-5"]
        )
        tap.ok(
            status == 0
            and unknown in err
            and all(row["total-p"] is None for row in json.loads(out)["rows"]),
            "without --fail-inconclusive: said, and not tested",
            err,
        )
    run(["-s", "program"] + names)
    os.rename(os.path.join(TEMP, "gmon.sum"), os.path.join(TEMP, "vary-sum"))
    os.rename(os.path.join(TEMP, "gmon.sum.stacks"), os.path.join(TEMP, "vary-sum.stacks"))
    status, out, err = run(base("vary-sum") + ["--base-runs=5"] + gate + ["program", "vary-5"])
    tap.ok(status == 4 and unknown in err, "a sum of runs does not say it either", err)


def check_visible(tap):
    """What a verdict could have seen, with one run a side, with two, and with five."""
    gate = ["--fail-above=50", "--format=json", "program"]
    status, out, err = run(base("old") + gate + ["old"])
    tap.ok(status == 0 and b", if runs do not vary)" in err, "one run a side: by chance alone", err)
    status, out, err = run(base(*runs("a")[:2]) + ["--fail-inconclusive"] + gate + runs("a")[2:4])
    document = json.loads(out)
    tap.ok(
        status == 4
        and b"(could see a growth that is not known of the total, " in err
        and b"runs do not" not in err,
        "two runs a side: not known",
        err,
    )
    tap.ok(
        all(
            entry[key] is None
            for entry in document["visible"]
            for key in ("percent", "need_5", "need_20")
        ),
        "and null in JSON",
        document["visible"],
    )
    check_schema(tap, document)
    out = run(base(*runs("a")[:2]) + ["program"] + runs("a")[2:4])[1]
    tap.ok(
        b"Which growth this comparison can detect is not known: two runs of a side say too little"
        in out
        and b"nan" not in out,
        "and said below the table",
        out,
    )
    status, out, err = run(base(*runs("a")) + gate + runs("a"))
    tap.ok(
        all(entry["percent"] > 0 for entry in json.loads(out)["visible"]) and b"vary" not in err,
        "five runs a side: known",
        err,
    )


def check_unequal_spread(tap):
    """Runs of two sides that vary by 2 % and by 20 %."""
    for i, speed in enumerate([0.99, 1, 1.01, 1.02, 0.98]):
        profile("quiet-%d" % i, histogram([round(n * speed) for n in (30000, 20000, 10000, 0)]))
        profile(
            "noisy-%d" % i,
            histogram([round(n * (1 + 10 * (speed - 1))) for n in (30000, 20000, 10000, 0)]),
        )
    quiet, noisy = (["%s-%d" % (name, i) for i in range(5)] for name in ("quiet", "noisy"))
    out = run(base(*quiet) + ["program"] + noisy)[1].decode()
    tap.ok(
        "runs before vary by 1.6 %, those after by 15.8 %: each side is judged by its own" in out,
        "a side that varies more: said",
        out,
    )
    out = run(base(*quiet) + ["program"] + quiet)[1].decode()
    tap.ok("each side is judged" not in out, "sides that vary alike", out)


# ---- Bases ----


def reads_json():
    return (
        b"built without libjansson"
        not in run(
            [
                "--one-run",
                "--base=" + write(os.path.join(TEMP, "seed.json"), seeds.JSON.encode()),
                "program",
                "new",
            ]
        )[2]
    )


def check_bases(tap):
    words = ["--fail-above=10", "--format=csv", "program"] + runs("b")
    expected = run(base(*runs("a")) + words)
    tap.ok(expected[0] == 3 and b"(+44 %" in expected[2], "five runs against five", expected[2])
    os.mkdir(os.path.join(TEMP, "runs"))
    for name in runs("a"):
        os.symlink("../" + name, os.path.join(TEMP, "runs", name))
    tap.ok(run(base("runs") + words) == expected, "a directory of profiles")
    if not reads_json():
        return tap.skip("a base in JSON", "built without libjansson")
    saved = run(["--format=json", "program"] + runs("a"))[1]
    write(os.path.join(TEMP, "base.json"), saved)
    tap.ok(
        run(["--one-run", "--base=base.json"] + words) == expected,
        "the same base in JSON",
        run(["--one-run", "--base=base.json"] + words)[2],
    )
    write(os.path.join(TEMP, "base.json.gz"), gzip.compress(saved))
    tap.ok(run(["--one-run", "--base=base.json.gz"] + words) == expected, "compressed")
    with open(os.path.join(TEMP, "base.json"), "rb") as file:
        tap.ok(run(["--one-run", "--base=-"] + words, file) == expected, "from standard input")
    check_refused(tap, saved)


def check_refused(tap, saved):
    damaged = [(seeds.JSON.replace(old, new, 1).encode(), new) for old, new in seeds.JSON_DAMAGE]
    damaged += [
        (saved[:-20], "cut"),
        (b"{}", "{}"),
        (b"[1]", "[1]"),
        (b"", "empty"),
        (b"hello", "text"),
        (gzip.compress(b"hello"), "compressed text"),
    ]
    wrong = []
    for data, what in damaged:
        status, out, err = run(
            [
                "--one-run",
                "--base=" + write(os.path.join(TEMP, "bad"), data),
                "--fail-above=10",
                "program",
                "new",
            ]
        )
        if status != 1 or out or err.count(b"\n") != 1 or b"bad" not in err:
            wrong.append("%s: %d %s" % (what, status, err.decode(errors="replace")))
    tap.ok(
        not wrong, "damaged and foreign files: one message that names the file, and status 1", wrong
    )


REFUSED = [
    (["--one-run", "--base=missing", "program", "new"], "No such file"),
    (base("missing") + ["program", "new"], "No such file"),
    (["--one-run", "--base=program", "program", "new"], "--base-profile"),
    (
        ["--one-run", "--base=other", "--base-profile=other.gmon", "program", "new"],
        "no function in common",
    ),
    (base("unsampled") + ["program", "new"], "nothing to compare"),
    (base("old") + ["program", "unsampled"], "nothing to compare"),
    (
        base("old") + ["--columns=self", "program", "new"],
        "`self' is not a column; columns are: before after after-error change",
    ),
    (
        base("old") + ["--sort=-name,least", "program", "new"],
        "`least' is not a column; columns are: before",
    ),
    (
        base("old") + ["--columns=name", "--format=benchmark", "program", "new"],
        "--columns without a time",
    ),
    (
        base("old") + ["--columns=total-before,name", "program", "new"],
        "program: has no recorded stacks: inclusive times are not compared",
    ),
    (
        base("old") + ["--sort=total-p", "program", "new"],
        "program: has no recorded stacks: inclusive times are not compared",
    ),
    (base("old") + ["-S", "nm", "program", "new"], "the -S symbols belong to one executable"),
    (base("-") + ["program", "-"], "only once"),
    (base("old") + ["--fail-above=10", "--allow=(", "program", "new"], "not a regular expression"),
    (base("old") + ["--fail-above=-1", "program", "new"], "not a threshold"),
    (base("old") + ["--fail-above=nan", "program", "new"], "not a threshold"),
    (base("old") + ["--base-runs=1.5", "program", "new"], "not a number of runs"),
    (base("old") + ["--alpha=0.6", "program", "new"], "not a probability"),
    (base("old") + ["--fail-above=5", "--fail-scope=all", "program", "new"], "possible values"),
]


def check_refusals(tap):
    for words, fragment in REFUSED:
        tap.refused(words, fragment, TEMP)


# ---- Functions that did not run before ----


def check_idle(tap):
    """`fallback' and `spare' are in both programs, `added' in the new one only."""
    names = ["main", "work", "fallback", "spare"]
    text = "text %#x\n%s\n" % (START, "\n".join("function %s %#x" % (name, SIZE) for name in names))
    write(os.path.join(TEMP, "idle"), elf.parse(text).bytes())
    write(os.path.join(TEMP, "idle-new"), elf.parse(text + "function added %#x\n" % SIZE).bytes())
    profile("idle.old", histogram([0, 3400, 0, 0]), call(0, 1, 100))
    profile(
        "idle.new",
        Histogram(START, START + 5 * SIZE, 5 * SIZE // 4, {17: 3000, 33: 400, 65: 500}),
        call(0, 1, 100),
        call(1, 2, 7),
    )
    words = ["--fail-above=10", "--fail-scope=function", "--format=csv", "idle-new", "idle.new"]
    by_program = run(["--one-run", "--base=idle", "--base-profile=idle.old"] + words)
    rows = {
        row["name"]: row for row in csv.DictReader(io.StringIO(by_program[1].decode(), newline=""))
    }
    tap.ok(
        by_program[0] == 3
        and b"regression: fallback: 0.00 s -> 4.00 s (p < 1e-9); " in by_program[2],
        "a function that had no time is judged against 0",
        by_program[2],
    )
    tap.ok(
        rows["fallback"]["kind"] == "both"
        and float(rows["fallback"]["p"]) < 1e-50
        and rows["fallback"]["change%"] == "",
        "it is in both",
        rows,
    )
    tap.ok(
        rows["added"]["kind"] == "new" and rows["added"]["p"] == "",
        "a function that was not there is new",
        rows,
    )
    tap.ok("spare" not in rows, "what runs in neither has no row")
    found = headline("--one-run", "--base=idle", "--base-profile=idle.old", "idle-new", "idle.new")
    tap.ok(
        found
        == "total 34.00 -> 39.00 s (+15 %, p = 5.1e-09); slower: fallback 0.00 -> 4.00 s (p <"
        " 1e-9); faster: 1 function; new: 1 with 5.00 s; can detect 6.7 %",
        "the verdict names it",
        found,
    )
    text = run(
        ["--one-run", "--base=idle", "--base-profile=idle.old", "--top=0", "idle-new", "idle.new"]
    )[1].decode()
    tap.ok(
        "  0.00   5.00                    new    added\n" in text, "what is new has its kind", text
    )
    tap.ok(
        "; new: 1 with 5.00 s; gone: 0 (judged only as a part of the total)\n" in text,
        "and the note how much time it has",
        text,
    )
    out = run(
        [
            "--one-run",
            "--base=idle",
            "--base-profile=idle.old",
            "--fail-calls=0",
            "--fail-scope=function",
            "idle-new",
            "idle.new",
        ]
    )
    tap.ok(
        out[0] == 3 and b"fallback: 0 calls -> 7 calls (new); 1 of" in out[2],
        "and so are calls",
        out[2],
    )
    out = run(
        [
            "--one-run",
            "--base=idle-new",
            "--base-profile=idle.new",
            "--fail-above=10",
            "--format=csv",
            "idle",
            "idle.old",
        ]
    )
    rows = {
        row["name"]: row["kind"] for row in csv.DictReader(io.StringIO(out[1].decode(), newline=""))
    }
    tap.ok(
        rows == {"work": "both", "fallback": "both", "added": "gone", "total": "total"},
        "a function that no longer runs is not gone",
        rows,
    )
    write(
        os.path.join(TEMP, "twins"),
        elf.parse(
            "text %#x\nfunction main 0x40\nlocal twin 0x40\nlocal twin 0x40\n" % START
        ).bytes(),
    )
    for name, samples in (("twins.old", 500), ("twins.new", 900)):
        profile(name, Histogram(START, START + 3 * SIZE, 3 * SIZE // 4, {17: samples}))
    if reads_json():
        saved = json.loads(run(["--format=json", "twins", "twins.old"])[1])
        for member in ("idle", "options"):
            saved.pop(member)
        write(os.path.join(TEMP, "twins.json"), json.dumps(saved).encode())
        out = run(
            [
                "--one-run",
                "--base=twins.json",
                "--fail-above=10",
                "--fail-scope=function",
                "twins",
                "twins.new",
            ]
        )
        tap.ok(
            out[0] == 3 and b"regression: twin" in out[2],
            "a base without a list of idle functions: those of one side do not count",
            out[2],
        )
    profile("idle.calls", call(0, 1, 100))
    out = run(["--one-run", "--base=idle", "--base-profile=idle.calls"] + words)
    tap.ok(
        b"regression" not in out[2].replace(b"no regression", b""),
        "without a histogram before, nothing is known of its time",
        out[2],
    )
    if not reads_json():
        return tap.skip("the same with a base in JSON", "built without libjansson")
    saved = json.loads(run(["--format=json", "idle", "idle.old"])[1].decode())
    tap.ok(
        saved["idle"] == [{"file": None, "global": ["fallback", "spare"], "static": []}],
        "JSON lists idle functions",
        saved["idle"],
    )
    write(os.path.join(TEMP, "idle.json"), json.dumps(saved).encode())
    tap.ok(
        run(["--one-run", "--base=idle.json"] + words) == by_program,
        "the same with a base in JSON",
        run(["--one-run", "--base=idle.json"] + words),
    )
    del saved["idle"]
    for function in saved["functions"]:
        del function["static"]
    write(os.path.join(TEMP, "older.json"), json.dumps(saved).encode())
    status, out, err = run(["--one-run", "--base=older.json"] + words)
    rows = {
        row["name"]: row["kind"] for row in csv.DictReader(io.StringIO(out.decode(), newline=""))
    }
    tap.ok(
        status == 0 and rows["fallback"] == "new" and rows["work"] == "both",
        "older files do not list them",
        rows,
    )


# ---- Functions that were inlined ----


def record_of(name, image, functions, samples, calls, stacks):
    """The profile NAME of a program of FUNCTIONS, whose `work' was inlined or not, with STACKS
    unless they are None."""
    text = "text %#x\n%s\n" % (
        START,
        "\n".join("function %s %#x" % (function, SIZE) for function in functions),
    )
    write(os.path.join(TEMP, image), elf.parse(text).bytes())
    bins = {(i * SIZE + 4) // 4: n for i, n in enumerate(samples)}
    counts = Histogram(START, START + len(functions) * SIZE, len(functions) * SIZE // 4, bins, 1000)
    profile(name, counts, *(call(*pair) for pair in calls))
    write_stacks(name, stacks, 1000, counts, "x")


def check_inlined(tap):
    """`work', which caller called, and `inner', which work called, became part of the caller."""
    record_of(
        "inlined.old",
        "inlined-old",
        ["main", "caller", "other", "work", "inner"],
        [0, 0, 500, 100, 44],
        [(0, 1, 1), (1, 3, 10), (3, 4, 20)],
        {(0, 2): 500, (0, 1, 3): 100, (0, 1, 3, 4): 44},
    )
    record_of(
        "inlined.new",
        "inlined-new",
        ["main", "caller", "other"],
        [0, 150, 500],
        [(0, 1, 1)],
        {(0, 2): 500, (0, 1): 150},
    )
    record_of(
        "inlined.slow",
        "inlined-new",
        ["main", "caller", "other"],
        [0, 250, 500],
        [(0, 1, 1)],
        {(0, 2): 500, (0, 1): 250},
    )
    record_of(
        "idle.slow",
        "inlined-old",
        ["main", "caller", "other", "work", "inner"],
        [0, 150, 500, 0, 0],
        [(0, 1, 1)],
        {(0, 2): 500, (0, 1): 150},
    )
    words = [
        "--one-run",
        "--base=inlined-old",
        "--base-profile=inlined.old",
        "--fail-above=10",
        "--fail-scope=function",
    ]
    for image, after in (("inlined-new", "inlined.new"), ("inlined-old", "idle.slow")):
        status, out, err = run(words + [image, after])
        tap.ok(
            status == 0
            and b"no regression above 10 %: caller took over work, inner: 0.000 s -> 0.150 s (p < 1e-9), "
            in err,
            "stacks: what was inlined is no regression: " + after,
            err,
        )
        tap.ok(
            out.startswith(
                b"total 0.644 -> 0.650 s (+1 %, p = 0.89); caller took over work, inner; gone: 2"
                b" with 0.144 s; can detect "
            ),
            "and the first line says so: " + after,
            out,
        )
    document = json.loads(run(words + ["--format=json", "inlined-new", "inlined.new"])[1])
    check_schema(tap, document)
    tap.ok(
        {row["name"]: row["took-over"] for row in document["rows"]}
        == {
            "caller": "work, inner",
            "main": None,
            "other": None,
            "work": None,
            "inner": None,
            "total": None,
        },
        "JSON says what was taken over",
        document["rows"],
    )
    out = run([word for word in words if "fail" not in word] + ["inlined-new", "inlined.new"])[
        1
    ].decode()
    tap.ok(
        "would fail" not in out and "slower" not in out,
        "nor does a gate that nobody asked for fail",
        out,
    )
    status, out, err = run(words + ["inlined-new", "inlined.slow"])
    tap.ok(
        status == 3
        and b"regression: caller: 0.000 s -> 0.250 s (p < 1e-9); " in err
        and b"; it called work, inner, which is gone: inlined?" in err,
        "stacks: what is slower with its callees is one",
        err,
    )
    status, out, err = run(words + ["--no-stacks", "inlined-new", "inlined.new"])
    tap.ok(
        status == 3
        and b"; 1 of 2 functions; it called work, inner, which is gone: inlined?\n" in err,
        "without stacks the verdict names the callees that are gone",
        err,
    )
    record_of(
        "inlined.tiny",
        "inlined-old",
        ["main", "caller", "other", "work", "inner"],
        [0, 0, 500, 1, 0],
        [(0, 1, 1), (1, 3, 10)],
        {(0, 1, 2): 250, (0, 2): 250, (0, 1, 3): 1},
    )
    record_of(
        "inlined.own",
        "inlined-new",
        ["main", "caller", "other"],
        [0, 250, 250],
        [(0, 1, 1)],
        {(0, 2): 250, (0, 1): 250},
    )
    status, out, err = run(
        ["--one-run", "--base=inlined-old", "--base-profile=inlined.tiny"]
        + words[3:]
        + ["inlined-new", "inlined.own"]
    )
    tap.ok(
        status == 3 and b"regression: caller: 0.000 s -> 0.250 s" in err,
        "a callee that is gone explains only what it took",
        err,
    )
    write(os.path.join(TEMP, "gone.before"), b"main;h;g 100\nmain;gone 60\nmain 400\n")
    write(os.path.join(TEMP, "gone.after"), b"main;h;g 100\nmain 460\n")
    if reads_json():
        run(["--format=json", "--output=gone.json", "gone.after"])
        table = ["--columns=name,took-over", "--format=tsv", "--one-run", "--base=gone.before"]
        by_stacks, by_json = (run(table + [name])[1] for name in ("gone.after", "gone.json"))
        tap.ok(
            by_stacks == by_json and b"\nmain\tgone\n" in by_stacks,
            "what is only on stacks above others is not gone, in JSON either",
            by_json,
        )


# ---- Functions with another name ----


def check_one_row(tap):
    """What a caller took over has no row of its own in text, but in all that programs read."""
    words = [
        "--one-run",
        "--base=inlined-old",
        "--base-profile=inlined.old",
        "inlined-new",
        "inlined.new",
    ]
    text = run(words)[1].decode()
    table = text.split("\n\n")[1].splitlines()
    tap.ok(
        len(table) == 3
        and table[1].split()[:2] == ["0.000", "0.150"]
        and table[1].endswith("caller  work, inner: 0.144")
        and table[2].split()[-1] == "total",
        "inlined: one row has both",
        text,
    )
    text = run(["--top=0"] + words)[1].decode()
    tap.ok(
        re.search(r"gone +inner *\n", text) and re.search(r"gone +work *\n", text),
        "inlined: --top=0 has all",
        text,
    )
    text = run([*words, "--format=markdown"])[1].decode()
    tap.ok(
        "`work, inner: 0.144`" in text and "`gone`" not in text,
        "inlined: one row in Markdown",
        text,
    )
    names = [row["name"] for row in json.loads(run([*words, "--format=json"])[1])["rows"]]
    tap.ok({"work", "inner", "caller"} < set(names), "inlined: and so has JSON", names)


def check_not_inlined(tap):
    """The other way round: callees that are new have what their caller lost."""
    words = [
        "--one-run",
        "--base=inlined-new",
        "--base-profile=inlined.new",
        "inlined-old",
        "inlined.old",
    ]
    text = run(words)[1].decode()
    table = text.split("\n\n")[1].splitlines()
    tap.ok(
        len(table) == 3
        and table[1].split()[:2] == ["0.150", "0.000"]
        and table[1].endswith("caller  gave to work, inner: 0.144")
        and table[2].split()[-1] == "total"
        and "faster" not in text,
        "not inlined: one row has both",
        text,
    )
    text = run([*words, "--top=0"])[1].decode()
    tap.ok(
        re.search(r"new +inner *\n", text) and re.search(r"new +work *\n", text),
        "not inlined: --top=0 has all",
        text,
    )
    rows = json.loads(run([*words, "--format=json"])[1])["rows"]
    taken = {row["name"]: row["took-over"] for row in rows}
    tap.ok({"work", "inner"} < set(taken), "not inlined: and so has JSON", taken)
    tap.ok(set(taken.values()) == {None}, "not inlined: nothing was taken over", taken)
    record_of(
        "inlined.fast",
        "inlined-old",
        ["main", "caller", "other", "work", "inner"],
        [0, 0, 500, 60, 25],
        [(0, 1, 1), (1, 3, 10), (3, 4, 20)],
        {(0, 2): 500, (0, 1, 3): 60, (0, 1, 3, 4): 25},
    )
    text = run([*words[:4], "inlined.fast"])[1].decode()
    tap.ok("faster: caller" in text, "not inlined: what is faster with its callees is", text)


def check_inlined_and_faster(tap):
    """What was inlined and became faster, or the other way round, has changed with its callees."""
    record_of(
        "inlined.large",
        "inlined-old",
        ["main", "caller", "other", "work", "inner"],
        [0, 0, 500, 300, 100],
        [(0, 1, 1), (1, 3, 10), (3, 4, 20)],
        {(0, 2): 500, (0, 1, 3): 300, (0, 1, 3, 4): 100},
    )
    old, new = ("inlined-old", "inlined.large"), ("inlined-new", "inlined.new")
    for base, after, said in (
        (old, new, "faster with callees: caller 0.400 -> 0.150 s (-62 %,"),
        (new, old, "slower with callees: caller 0.150 -> 0.400 s (+167 %,"),
    ):
        words = ["--one-run", "--base=" + base[0], "--base-profile=" + base[1], *after]
        found = headline(*words)
        tap.ok(said in found, "inlined, and " + said[:6], found)


def check_renamed(tap):
    """A function that is gone and a new one with the same caller and about the same time share a
    row."""
    calls, stacks = [(0, 1, 5), (1, 2, 10), (2, 3, 20)], {
        (0,): 500,
        (0, 1): 50,
        (0, 1, 2): 200,
        (0, 1, 2, 3): 90,
    }
    record_of(
        "name.old", "name-old", ["main", "run", "parse", "lex"], [500, 50, 200, 90], calls, stacks
    )
    words = ["--one-run", "--base=name-old", "--base-profile=name.old", "--top=0"]
    kinds = lambda image, *more: {
        row["name"]: row["kind"]
        for row in json.loads(run([*words, *more, "--format=json", image, "name.new"])[1])["rows"]
    }
    record_of(
        "name.new",
        "name-new",
        ["main", "run", "parse_text", "lex_text"],
        [500, 50, 210, 85],
        calls,
        {(0,): 500, (0, 1): 50, (0, 1, 2): 210, (0, 1, 2, 3): 85},
    )
    renamed = {
        "main": "both",
        "run": "both",
        "parse_text (was parse)": "both",
        "lex_text (was lex)": "both",
        "total": "total",
    }
    for more in ((), ("--no-stacks",)):
        found = kinds("name-new", *more)
        tap.ok(
            found == renamed, "renamed: a function, and one that it calls: " + " ".join(more), found
        )
    out = run([*words, "name-new", "name.new"])[1].decode()
    tap.ok(
        "parse_text (was parse)\n" in out and "new: 0; gone: 0" in out and "  kind" not in out,
        "renamed: in text",
        out,
    )
    status, out, err = run(
        [
            *words,
            "--fail-above=1,0",
            "--fail-scope=function",
            "--alpha=0.5",
            "--allow=^(parse|lex)_text$",
            "name-new",
            "name.new",
        ]
    )
    tap.ok(status == 0, "renamed: --allow takes the name", err)
    apart = {"main": "both", "run": "both", "parse": "gone", "lex": "gone", "total": "total"}
    record_of(
        "name.new",
        "name-slow",
        ["main", "run", "parse_text", "lex_text"],
        [500, 50, 400, 85],
        calls,
        {(0,): 500, (0, 1): 50, (0, 1, 2): 400, (0, 1, 2, 3): 85},
    )
    found = kinds("name-slow")
    tap.ok(
        found == dict(apart, parse_text="new", lex_text="new"),
        "renamed: not with other times",
        found,
    )
    other = [(0, 1, 5), (0, 2, 10), (2, 3, 20)]
    record_of(
        "name.new",
        "name-other",
        ["main", "run", "parse_text", "lex_text"],
        [500, 50, 200, 90],
        other,
        {(0,): 500, (0, 1): 50, (0, 2): 200, (0, 2, 3): 90},
    )
    found = kinds("name-other")
    tap.ok(
        found == dict(apart, parse_text="new", lex_text="new"),
        "renamed: not with another caller",
        found,
    )
    twice = [(0, 1, 5), (1, 2, 10), (1, 3, 20)]
    record_of(
        "name.new",
        "name-twice",
        ["main", "run", "one", "two"],
        [500, 50, 200, 190],
        twice,
        {(0,): 500, (0, 1): 50, (0, 1, 2): 200, (0, 1, 3): 190},
    )
    found = kinds("name-twice")
    tap.ok(found == dict(apart, one="new", two="new"), "renamed: not if two are alike", found)


# ---- Functions that moved ----


def make_files(name, files):
    """A program of these functions by file; `-f' is static.  The samples of each are its place, in
    hundreds."""
    lines, places = ["text %#x" % START], 0
    for file, functions in files:
        for function in functions:
            kind = "local" if function.startswith("-") else "function"
            lines += [
                "%s %s %#x" % (kind, function.lstrip("-"), SIZE),
                "file %s" % file,
                "lines 0 1",
            ]
            places += 1
    write(os.path.join(TEMP, name), elf.parse("\n".join(lines) + "\n").bytes())
    size = places * SIZE
    profile(
        name + ".gmon",
        Histogram(
            START,
            START + size,
            size // 4,
            {i * SIZE // 4 + 1: 100 * (i + 1) for i in range(places)},
        ),
    )


def check_moves(tap):
    """The rows of functions that are in other files than before, by both kinds of base."""
    make_files(
        "here",
        [
            ("/w/a.c", ["main", "moves", "-stays", "-two"]),
            ("/w/b.c", ["b"]),
            ("/w/lib/c.c", ["-hidden", "c"]),
        ],
    )
    make_files(
        "there",
        [
            ("/w/a.c", ["main"]),
            ("/w/b.c", ["b", "moves", "-stays", "-two", "-two"]),
            ("/w/lib/c.c", ["-hidden", "c"]),
        ],
    )
    make_files(
        "elsewhere",
        [
            ("/tmp/2/a.c", ["main", "moves", "-stays", "-two"]),
            ("/tmp/2/b.c", ["b"]),
            ("/tmp/2/lib/c.c", ["-hidden", "c"]),
        ],
    )
    bases = [["--one-run", "--base=here", "--base-profile=here.gmon"]]
    if reads_json():
        write(os.path.join(TEMP, "here.json"), run(["--format=json", "here", "here.gmon"])[1])
        bases.append(["--one-run", "--base=here.json"])
    for words in bases:
        rows = {}
        for name in ("there", "elsewhere"):
            out = run(words + ["--format=csv", name, name + ".gmon"])[1].decode()
            rows[name] = {
                row["name"]: (row["kind"], row["moved-from"], row["before"], row["after"])
                for row in csv.DictReader(io.StringIO(out, newline=""))
            }
        there = rows["there"]
        tap.ok(
            there["moves"] == ("both", "/w/a.c", "2", "3"),
            words[0] + ": a global function that moved",
            there,
        )
        tap.ok(
            there["stays"] == ("both", "/w/a.c", "3", "4"),
            words[0] + ": a static one, the only one of its name",
            there,
        )
        tap.ok(
            (there["two (a.c)"], there["two (b.c, 2 clones)"])
            == (("gone", "", "4", "0"), ("new", "", "0", "11")),
            words[0] + ": not one of several",
            there,
        )
        kinds = {
            (kind, moved, before == after)
            for kind, moved, before, after in rows["elsewhere"].values()
        }
        tap.ok(
            kinds == {("both", "", True), ("total", "", True)},
            words[0] + ": all of another directory",
            rows["elsewhere"],
        )
    markdown = run(bases[0] + ["--format=markdown", "there", "there.gmon"])[1].decode()
    tap.ok(
        " moved-from |" in markdown.split("\n")[2] and "/w/a.c" in markdown,
        "people see where it was",
        markdown,
    )


# ---- Options that change what is counted ----

# Each, and how JSON has it.
COUNTING = [
    (["-a"], ["-a"]),
    (["-c"], ["-c"]),
    (["-D"], ["-D"]),
    (["-l"], ["-l"]),
    (["-S", "nm"], ["-S"]),
    (["-T"], ["--no-demangle"]),
    (["-k", "main/leaf", "-k", "a::b/leaf"], ["-k a::b/leaf", "-k main/leaf"]),
    (["-e", "leaf"], ["-e leaf"]),
    (["-E", "leaf"], ["-E leaf"]),
    (["-f", "leaf"], ["-f leaf"]),
    (["-F", "leaf"], ["-F leaf"]),
    (["-n", "leaf"], ["-n leaf"]),
    (["-N", "leaf"], ["-N leaf"]),
    (["--no-demangle"], ["--no-demangle"]),
    (["--demangle=gnu-v3"], ["--demangle=gnu-v3"]),
    (["--demangle"], []),
    (["-z"], []),
]
# Those that a comparison can have, too.
APPLIED = [
    ["-a"],
    ["-c"],
    ["-D"],
    ["-S", "nm"],
    ["-T"],
    ["-k", "a::b/leaf", "-k", "main/leaf"],
    ["--no-demangle"],
    ["--demangle=gnu-v3"],
]


def check_options(tap):
    write(
        os.path.join(TEMP, "nm"),
        b"".join(
            b"%016x T %s\n" % (START + i * SIZE, name.encode()) for i, name in enumerate(NAMES)
        ),
    )
    with_calls = run(base("old") + ["--format=csv", "program", "old"])[1]
    without = run(base("old") + ["--format=csv", "-k", "main/leaf", "program", "old"])[1]
    calls = [
        [
            (row["name"], row["calls-before"], row["calls"])
            for row in csv.DictReader(io.StringIO(out.decode(), newline=""))
            if row["name"] == "leaf"
        ]
        for out in (with_calls, without)
    ]
    tap.ok(
        calls == [[("leaf", "20", "20")], [("leaf", "", "")]], "-k is applied to both sides", calls
    )
    if not reads_json():
        return tap.skip("options in JSON", "built without libjansson")
    check_choices(tap)
    plain = run(["--format=json", "program", "old"])[1]
    write(os.path.join(TEMP, "plain.json"), plain)
    for words, listed in COUNTING:
        saved = run(["--format=json"] + words + ["program", "old"])[1]
        what = " ".join(words)
        tap.ok(
            json.loads(saved.decode())["options"] == sorted(listed),
            what + ": JSON has the option",
            json.loads(saved.decode())["options"],
        )
        write(os.path.join(TEMP, "options.json"), saved)
        status, out, err = run(["--one-run", "--base=options.json", "program", "new"])
        expected = (
            "program: cannot be compared: counted with other options: %s in the base, none now"
            % ", ".join(sorted(listed))
        )
        tap.ok(
            (
                (status, out) == (1, b"") and expected in err.decode()
                if listed
                else status == 0 and not err
            ),
            what + ": as a base of a run without it",
            err,
        )
        if words in APPLIED or words[0] == "-k":
            status, out, err = run(
                ["--one-run", "--base=options.json"] + words + ["program", "new"]
            )
            tap.ok(status == 0, what + ": with it on both sides", err)
            status, out, err = run(["--one-run", "--base=plain.json"] + words + ["program", "new"])
            expected = "none in the base, %s now" % ", ".join(sorted(listed))
            tap.ok((status, out) == (1, b"") and expected in err.decode(), what + ": only now", err)
    older = json.loads(plain.decode())
    del older["options"]
    write(os.path.join(TEMP, "older.json"), json.dumps(older).encode())
    tap.ok(
        run(["--one-run", "--base=older.json", "program", "new"])[0] == 0
        and run(["--one-run", "--base=older.json", "-a", "program", "new"])[0] == 1,
        "older files say none: none were given",
    )


def check_choices(tap):
    """A side with the samples of one thread, and a side with others."""
    threads = "".join(
        "%s 1.0: 1 cycles: \n\t 1 f+0x1 (/a)\n\t 2 main+0x2 (/a)\n\n" % name * 100
        for name in ("worker 1/1", "other 1/2")
    )
    write(os.path.join(TEMP, "threads"), threads.encode())
    chosen = {
        "none": [],
        "--program=thread=worker": ["--thread=worker"],
        "--program=tid=2": ["--program=tid=2"],
    }
    for number, words in enumerate(chosen.values()):
        saved = run(["--format=json"] + words + ["threads"])[1]
        write(os.path.join(TEMP, "chosen%d.json" % number), saved)
    for number, old in enumerate(chosen):
        for new, words in chosen.items():
            name = "chosen%d.json" % number
            status, out, err = run(["--one-run", "--base=" + name] + words + ["threads"])
            expected = "by other options: %s in the base, %s now" % (old, new)
            tap.ok(
                status == 0
                and (expected in err.decode() if old != new else b"were chosen" not in err),
                "the base has samples by %s, the others by %s" % (old, new),
                err.decode(),
            )
    status, out, err = run(["--one-run", "--base=threads", "--thread=worker", "threads"])
    tap.ok(status == 0 and b"were chosen" not in err, "of both sides at once", err.decode())


# ---- The gate ----

# (base, options, profiles, status, a part of the verdict)
GATES = [
    (
        ["old"],
        ["--fail-above=10"],
        ["new"],
        3,
        "regression: a::b(int): 9.00 s -> 13.00 s (+44 % ± 5, p < 1e-9)",
    ),
    (["old"], ["--fail-above=50"], ["new"], 0, "no regression above 50 % (could see"),
    (
        ["old"],
        ["--fail-above=10,5"],
        ["new"],
        0,
        (
            "no regression above 10 %: a::b(int): 9.00 s -> 13.00 s (+44 % ± 5, p < 1e-9) grew by"
            " less than 5 s (could see 37 % of the total,"
        ),
    ),
    (["old"], ["--fail-above=50,5"], ["new"], 0, "no regression above 50 % (could see"),
    (
        ["old"],
        ["--fail-above=50,13.5"],
        ["new"],
        0,
        "no regression above 50 % (could see 100 % of the total, 150 % of a::b(int), if",
    ),
    (
        ["old"],
        ["--fail-above=50,14"],
        ["new"],
        0,
        (
            "no regression above 50 % (could see 10 % of the total, 14 % of a::b(int), if runs do"
            " not vary, with --fail-above=50,0, as all of the base is less than the floor of 14 s)"
        ),
    ),
    (
        ["old"],
        ["--fail-above=10,5", "--fail-scope=total"],
        ["new"],
        0,
        "no regression above 10 %: total: 13.53 s -> 17.53 s",
    ),
    (
        ["old"],
        ["--fail-above=10,5", "--fail-inconclusive"],
        ["new"],
        4,
        "too few samples to see a regression of 10 %",
    ),
    (["new"], ["--fail-above=10"], ["old"], 0, "no regression"),
    (["old"], ["--fail-above=20", "--allow=^a::"], ["new"], 3, "regression: total"),
    (
        ["old"],
        ["--fail-above=20", "--allow=^a::", "--fail-scope=function"],
        ["new"],
        0,
        "no regression",
    ),
    (["old"], ["--fail-above=20", "--allow=x", "--allow=b"], ["new"], 3, "regression: total"),
    (
        ["old"],
        ["--fail-above=10", "--fail-scope=total"],
        ["new"],
        3,
        "regression: total: 13.53 s -> 17.53 s",
    ),
    (["old"], ["--fail-above=10", "--alpha=1e-12"], ["new"], 3, "regression"),
    (
        ["old"],
        ["--fail-above=1", "--fail-inconclusive"],
        ["old"],
        4,
        "too few samples to see a regression of 1 %",
    ),
    (
        ["quick"],
        ["--fail-above=20", "--fail-inconclusive"],
        ["quick"],
        4,
        "a regression of 20 % is less than 0.05 s, which the gate allows (could see 37 %",
    ),
    (["old"], ["--fail-above=1"], ["old"], 0, "no regression above 1 %"),
    (["old"], ["--fail-above=60", "--fail-inconclusive"], ["old"], 0, "no regression above 60 %"),
    (["old"], ["--fail-above=10", "--fail-inconclusive"], ["new"], 3, "regression"),
    (["calls"], ["--fail-above=10", "--fail-inconclusive"], ["calls"], 4, "nothing of the total"),
    (
        ["a0"],
        ["--fail-calls=0"],
        ["more"],
        3,
        "regression: leaf: 100 calls -> 101 calls (+1 %); 1 of 4 functions",
    ),
    (["a0"], ["--fail-calls=1"], ["more"], 0, "no calls grew by more than 1 %"),
    (["more"], ["--fail-calls=0"], ["a0"], 0, "no calls grew"),
    (["a0"], ["--fail-calls=0"], ["callers"], 0, "no calls grew"),
    (["a0"], ["--fail-calls=0"], ["a1"], 0, "no calls grew"),
    (
        runs("v"),
        ["--fail-calls=0"],
        ["w"],
        3,
        "regression: leaf: 102 calls -> 500 calls (+390 %); 1 of 4 functions",
    ),
    (
        runs("v"),
        ["--fail-calls=0"],
        ["more"],
        0,
        (
            "no calls grew by more than 0 %; inconclusive for 1 of 4 functions, whose calls vary"
            " too much between runs"
        ),
    ),
    (
        runs("v"),
        ["--fail-calls=0"],
        runs("v"),
        0,
        "no calls grew by more than 0 %; inconclusive for 1 of 4 functions",
    ),
    (runs("v"), ["--fail-calls=5"], runs("v"), 0, "no calls grew by more than 5 %\n"),
    (["w"], ["--fail-calls=0"], runs("v"), 0, "no calls grew by more than 0 %\n"),
    (runs("v"), ["--fail-calls=0"], runs("w"), 3, "regression: leaf: 102 calls -> 100000004 calls"),
    (["a0"], ["--fail-calls=0"], runs("v"), 0, "no calls grew"),
    (["calls"], ["--fail-calls=0"], ["w"], 3, "regression: leaf: 100 calls -> 500 calls"),
    (
        ["a0"],
        ["--fail-calls=0", "--allow=leaf", "--fail-scope=function"],
        ["more"],
        0,
        "no calls grew",
    ),
]


def check_gates(tap):
    for profiles, options, after, expected, verdict in GATES:
        status, out, err = run(base(*profiles) + options + ["--quiet", "program"] + after)
        what = "%s, %s: %s" % (" ".join(profiles), " ".join(after), " ".join(options))
        tap.ok(
            status == expected and verdict in err.decode() and err.count(b"\n") == 1 and out,
            what,
            "status %d: %s" % (status, err.decode()),
        )
    status, out, err = run(base("old") + ["program", "new"])
    tap.ok(status == 0 and not err, "no gate, no verdict", err)
    text = run(base("old") + ["program", "new"])[1].decode()
    detected = (
        "\nThis comparison can detect growth of 10 % of the total and 14 % of a::b(int); detecting"
        " 5 % needs 6,516 samples in the base, and 8,664 of a::b(int)\n"
    )
    tap.ok(
        text.count("detecting") == 1 and detected in text,
        "what can be detected is said without a gate",
        text,
    )
    profile("long", histogram([0, 20000, 10, 3]))
    text = run(base("long") + ["program", "long"])[1].decode()
    tap.ok(
        "\nThis comparison can detect growth of 2.8 % of the total and 2.8 % of a::b(int)\n"
        in text,
        "less than 5 %: no more is needed",
        text,
    )
    text = run(base(*runs("v")) + ["--columns=calls,name", "program", "w"])[1].decode()
    tap.ok("500.0?" in text or "500?" in text, "calls that vary are marked", text)
    text = run(base("calls") + ["program", "callers"])[1].decode()
    tap.ok("name   callers\n" in text and "leaf   +main\n" in text, "new callers are listed", text)
    for before, after in (
        (("a0", "a1"), ("a2", "a3")),
        (("a0",), ("a1", "a2")),
        (("a0", "a1", "a2"), ("a3", "a4")),
    ):
        words = base(*before) + [
            "--top=0",
            "--columns=calls-before,calls,calls%,name",
            "program",
            *after,
        ]
        rows = [line.split() for line in run(words)[1].decode().split("\n\n")[1].splitlines()[1:]]
        tap.ok(
            rows[:2] == [["10", "10", "0.0", "a::b(int)"], ["100", "100", "0.0", "leaf"]],
            "equal calls of %d runs and %d" % (len(before), len(after)),
            rows,
        )
    for i in range(4):
        profile("half%d" % i, histogram([5, 180, 80, 1]), call(1, 2, 100 + i % 2))
    for before, after in ((4, 2), (2, 4)):
        words = base(*("half%d" % i for i in range(before))) + [
            "--columns=calls-before,calls,calls%,name",
            "--format=csv",
            "program",
        ]
        text = run(words + ["half%d" % i for i in range(after)])[1].decode()
        tap.ok(
            "\r\n100.5,100.5,0,leaf\r\n" in text,
            "equal fractions of calls, in %d and %d runs" % (before, after),
            text,
        )
    for before, after, expected in (
        ("calls", "callers", "leaf       +main\n"),
        ("one", "callers", "leaf       +main, +a::b(int)\n"),
        ("callers", "one", "leaf       -main, -a::b(int)\n"),
        ("none", "callers", None),
        ("callers", "none", None),
    ):
        profile("one", histogram([5, 180, 80, 1]), call(0, 1, 10))
        profile("none", histogram([5, 180, 80, 1]))
        text = run(base(before) + ["--columns=name,callers", "--top=0", "program", after])[
            1
        ].decode()
        tap.ok(
            (
                expected in text
                if expected
                else "+" not in text.split("\n\n")[1] and "-" not in text.split("\n\n")[1]
            ),
            "callers of %s and %s" % (before, after),
            text,
        )
    by_five = run(base("old") + ["--base-runs=5", "--format=csv", "program", "new"])[1].decode()
    tap.ok(
        ",1.8," in by_five.replace("1.8000000000000000", "1.8") or "\r\n1.8," in by_five,
        "--base-runs divides the base",
        by_five,
    )
    profile("otherrate", histogram([50, 9000, 4000, 30], 1000))
    status, out, err = run(base("old") + ["--fail-above=20", "program", "otherrate"])
    tap.ok(
        status == 0 and b"sampled at 100" in err and b"no regression" in err,
        "another rate: a warning, and times are compared",
        err,
    )
    status, out, err = run(base("old") + ["--strict", "--fail-above=20", "program", "otherrate"])
    tap.ok(status == 1 and not out, "--strict: an error", err)


# ---- Size ----


def check_size(tap):
    """One of many functions gets slower."""
    count = 20000
    names = ["function_%05d" % i for i in range(count)]
    make("large", "large.gmon", names, [30] * count)
    make("large", "large2.gmon", names, [30] * 777 + [300] + [30] * (count - 778))
    status, out, err = run(
        [
            "--one-run",
            "--base=large",
            "--base-profile=large.gmon",
            "--fail-above=10",
            "--fail-scope=function",
            "large",
            "large2.gmon",
        ]
    )
    tap.ok(
        status == 3 and b"function_00777" in err and b"1 of 20000 functions" in err,
        "one of 20,000 functions",
        err,
    )


# ---- A real program ----

# name () reads characters by isalnum, and nothing else of the program does.
SLOWER = """#include <ctype.h>
#undef isalnum
static inline __attribute__((always_inline)) int slow_isalnum(int c)
{
    for (volatile int i = 0; i < 60; i++)
        ;
    return isalpha(c) || isdigit(c);
}
#define isalnum(c) slow_isalnum(c)
"""


def build_example(compiler, name, *flags):
    directory = os.path.join(harness.SRCDIR, "examples", "sheet")
    sources = [os.path.join(directory, file) for file in ("formula.c", "main.c", "sheet.c")]
    return (
        harness.run(
            compiler + ["-O1", "-g", "-fno-inline", "-pg", *flags, "-o", name] + sources, TEMP
        )[0]
        == 0
    )


def profile_example(*names):
    """The paths of five profiles of each program.  The programs take turns, so that a machine that
    gets slower
    makes all of them slower."""
    paths = [[] for _ in names]
    for i in range(5):
        for name, list_ in zip(names, paths):
            path = os.path.join("runs-%d" % len(os.listdir(TEMP)), "gmon.out")
            directory = os.path.join(TEMP, os.path.dirname(path))
            os.mkdir(directory)
            if harness.run([os.path.join(TEMP, name)], directory)[0] != 0 or not os.path.exists(
                os.path.join(TEMP, path)
            ):
                return None
            list_.append(path)
    return paths


def check_real(tap):
    what = "the example, made slower: the gate names the function"
    compiler = harness.tool("CC", "cc")
    write(os.path.join(TEMP, "slower.h"), SLOWER.encode())
    if (
        not compiler
        or not build_example(compiler, "sheet")
        or not build_example(compiler, "slower", "-include", "slower.h")
    ):
        return tap.skip(what, "no compiler for -pg")
    profiles = profile_example("sheet", "sheet", "slower")
    if profiles is None:
        return tap.skip(what, "no profile was written")
    old, again, new = profiles
    words = ["--one-run", "--base=sheet"] + ["--base-profile=" + path for path in old]
    status, out, err = run(words + ["--fail-above=10", "slower"] + new)
    tap.ok(
        status == 3 and b"gprof: regression: name: " in err,
        what,
        "status %d\n%s" % (status, (err + out).decode()),
    )
    status, out, err = run(words + ["--fail-calls=0", "slower"] + new)
    tap.ok(status == 0, "its calls are the same", err)
    status, out, err = run(words + ["--fail-above=10", "sheet"] + again)
    if status == 3:  # once in a hundred times on a busy machine
        first, second = profile_example("sheet", "sheet")
        words = ["--one-run", "--base=sheet"] + ["--base-profile=" + path for path in first]
        status, out, err = run(words + ["--fail-above=10", "sheet"] + second)
    tap.ok(
        status == 0 and b"no regression above 10 %" in err,
        "five runs of the same build pass",
        err + out,
    )


def main():
    if harness.is_reference():
        harness.skip_all("the reference compares nothing")
    tap = harness.Tap()
    prepare()
    check_formats(tap)
    check_text(tap)
    check_one_run(tap)
    check_one_factor(tap)
    check_columns(tap)
    check_calls(tap)
    check_names(tap)
    check_bytes(tap)
    check_stacks(tap)
    check_inclusive(tap)
    check_stacks_in_json(tap)
    check_spread_of_inclusive(tap)
    check_unequal_spread(tap)
    check_visible(tap)
    check_bases(tap)
    check_refusals(tap)
    check_idle(tap)
    check_inlined(tap)
    check_one_row(tap)
    check_not_inlined(tap)
    check_inlined_and_faster(tap)
    check_renamed(tap)
    check_moves(tap)
    check_options(tap)
    check_gates(tap)
    check_size(tap)
    if harness.IS_LONG:  # it compares samples that were taken
        check_real(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
