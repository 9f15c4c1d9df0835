#!/usr/bin/env python3
"""--format=json: agrees with its schema, and with the table of functions and the call graph; is
read back
without loss; damaged and foreign documents are refused.
"""

import sys

sys.dont_write_bytecode = True

import csv
import gzip
import io
import json
import os

from lib import gmonfile, harness, seeds
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write
from table import HOSTILE, NAMED, SIZE, START, make

MATERIAL = [
    (["hostile", "hostile.gmon"], "names of all kinds"),
    (["image", "gmon.out"], "a profile"),
    (["image", "gmon.out", "other"], "two profiles"),
    (["-l", "image", "gmon.out"], "lines"),
    (["-z", "-c", "image", "gmon.out"], "static calls"),
    (["image", "arcs"], "no samples"),
    (["image", "histogram"], "no calls"),
    (["image", "norate"], "no rate"),
    (["image", "cycle"], "a cycle"),
    (["-N", "short", "image", "gmon.out"], "time that is left out"),
]
MEASURED = ["--stacks=stacks", "image", "gmon.out"]


def make_profiles():
    quoted = ['"%s"' % "".join("\\x%02x" % byte for byte in name.encode()) for name in HOSTILE] + [
        '"\\xe9\\x80\\xff"'
    ]
    make("hostile", "hostile.gmon", quoted, [100 - i for i in range(len(quoted))])
    make("image", "gmon.out", ["main", "_ZN1a1bEi", "leaf", "short"], [5, 70, 11, 3])
    layout = Layout(64, "little")

    def histogram(bins, rate=100):
        return Histogram(START, START + 4 * SIZE, 4 * SIZE // 4, bins, rate)

    def call(caller, callee, count):
        return ("arc", START + caller * SIZE + 8, START + callee * SIZE, count)

    profiles = {
        "other": [histogram({1: 1, 20: 40}), call(0, 1, 5)],
        "arcs": [call(0, 1, 3), call(1, 1, 7)],
        "histogram": [histogram({1: 7})],
        "norate": [histogram({1: 7}, 0), call(0, 1, 3)],
        "cycle": [
            histogram({1: 1, 18: 40, 34: 30, 50: 20}),
            call(0, 1, 3),
            call(1, 2, 5),
            call(2, 1, 7),
            call(2, 3, 1),
            call(0, 3, 2),
        ],
    }
    for name, records in profiles.items():
        write(os.path.join(TEMP, name), Profile(layout, records).bytes())
    main, called, leaf, _ = [START + i * SIZE + 4 for i in range(4)]
    lines = [([main, called, leaf], 30), ([main, called, called, leaf], 7), ([main, "1:500"], 3)]
    write(os.path.join(TEMP, "stacks"), gmonfile.stacks(lines, 1000, objects=["libc.so.6"]))
    write(
        os.path.join(TEMP, "huge"),
        Profile(layout, [histogram({1: 7}), call(0, 1, 2**63 + 5)]).bytes("bsd"),
    )


def run(words):
    return harness.run([harness.GPROF] + words, TEMP)


def load(words):
    """The document, in which constants such as NaN are errors."""

    def refuse(constant):
        raise ValueError(constant)

    return json.loads(run(["--format=json"] + words)[1].decode(), parse_constant=refuse)


def check_schema(tap):
    try:
        import jsonschema
    except ImportError:
        return tap.skip("documents agree with the schema", "no jsonschema for Python")
    with open(os.path.join(harness.SRCDIR, "doc", "profile.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for words, what in MATERIAL + [(MEASURED, "measured times")]:
        errors = [
            "%s: %s" % ("/".join(map(str, e.path)), e.message)
            for e in validator.iter_errors(load(words))
        ]
        tap.ok(not errors, "agrees with the schema: " + what, errors)
    broken = load(["image", "gmon.out"])
    broken["functions"][0]["selves"] = 1
    tap.ok(not validator.is_valid(broken), "the schema refuses what is not in it")


def number(text):
    return float(text) if text else None


def check_numbers(tap, words, what):
    """The functions are those of the table, with the same numbers."""
    document = load(words)
    columns = "name,raw,line,address,samples,self,total,least,most,calls,cycle"
    table = run(
        ["--format=csv", "--sort=address", "--by=function", "--columns=" + columns] + words
    )[1].decode(errors="replace")
    rows = {row["address"]: row for row in csv.DictReader(io.StringIO(table, newline=""))}
    wrong = []
    for function in document["functions"]:
        row = rows.pop(function["address"], None)
        if row is None:  # only at the end of an arc
            wrong += [function["name"]] if function["calls"] or function["samples"] else []
            continue
        for key in ("samples", "self", "total", "least", "most"):
            if function[key] != number(row[key]):
                wrong.append("%s: %s %s %s" % (function["name"], key, function[key], row[key]))
        if (function["calls"] or None) != number(row["calls"]) or function["cycle"] != number(
            row["cycle"]
        ):
            wrong.append("%s: calls or cycle" % function["name"])
    tap.ok(not wrong and not rows, "as in the table: " + what, "\n".join(wrong) + str(rows))
    ids = [function["id"] for function in document["functions"]]
    tap.ok(ids == list(range(len(ids))), "functions are numbered: " + what)
    for cycle in document["cycles"]:
        members = sorted(f["id"] for f in document["functions"] if f["cycle"] == cycle["id"])
        tap.ok(sorted(cycle["members"]) == members, "members of a cycle: " + what)
    charged = [0] * len(ids)
    for arc in document["arcs"]:
        charged[arc["to"]] += arc["calls"]
    wrong = [
        f["name"] for f in document["functions"] if charged[f["id"]] != f["calls"] + f["self_calls"]
    ]
    tap.ok(not wrong, "calls are the sums of arcs: " + what, " ".join(wrong))


def check_values(tap):
    two = load(["image", "gmon.out", "other"])
    by_name = {function["raw"]: function for function in two["functions"]}
    tap.ok(
        by_name["main"]["runs"] == {"n": 2, "mean": 3, "variance": 8, "calls": [0, 0]},
        "mean and variance over runs",
        by_name["main"],
    )
    calls = {name: function["runs"]["calls"] for name, function in by_name.items()}
    tap.ok(
        calls == {"main": [0, 0], "_ZN1a1bEi": [5, 10], "leaf": [0, 20], "short": [0, 30]},
        "range of calls",
        calls,
    )
    tap.ok(load(["image", "other"])["functions"][1]["runs"]["calls"] == [5, 5], "of one run")
    tap.ok(
        load(["image", "arcs", "arcs"])["functions"][1]["runs"]["calls"] == [10, 10],
        "calls by itself count",
    )
    tap.ok(
        two["range"] == ["%#x" % START, "%#x" % (START + 4 * SIZE)],
        "range of addresses",
        two["range"],
    )
    tap.ok(load(["image", "arcs"])["range"] is None, "there is none without a histogram")
    tap.ok(
        [i["samples"] for i in two["inputs"]] == [89, 41], "samples of each profile", two["inputs"]
    )
    huge = load(["-O", "bsd", "image", "huge"])
    tap.ok(
        huge["inputs"][0]["calls"] == huge["arcs"][0]["calls"] == 2**63 - 1,
        "counts end at 2^63 - 1",
        huge,
    )
    tap.ok(
        two["totals"]["samples"] == 130 and two["totals"]["seconds"] == 1.3, "totals", two["totals"]
    )
    tap.ok(
        load(["image", "gmon.out"])["functions"][0]["runs"]["variance"] is None,
        "one run has no variance",
    )
    hostile = load(["hostile", "hostile.gmon"])["functions"]
    raws = [function["raw"] for function in hostile]
    tap.ok(raws == HOSTILE + ["\xe9\x80\xff"], "raw names, the last of which is not UTF-8", raws)
    tap.ok([f["name"] for f in hostile][:-1] == NAMED, "names as they are printed")
    text = run(["--format=json", "image", "gmon.out"])[1].decode()
    lines = [
        line
        for line in text.splitlines()
        if line.startswith('{"id":') or line.startswith('{"from":')
    ]
    tap.ok(len(lines) == 4 + 3, "one function and one arc per line", text)
    cycle = load(["image", "cycle"])
    into = [a for a in cycle["arcs"] if a["from"] == 0]
    below = cycle["functions"][0]["total"] - cycle["functions"][0]["self"]
    difference = sum(a["self"] + a["children"] for a in into) - below
    tap.ok(abs(difference) < 1e-9, "times of arcs add up to those below the caller", into)


def check_measured(tap):
    """Times, arcs and errors are those of the stacks; other objects are functions without
    address."""
    document = load(["image", "gmon.out"])
    tap.ok(
        document["inclusive"] == "estimated" and "stacks" not in document,
        "estimated without stacks",
        document,
    )
    document = load(MEASURED)
    rests_on = {"samples": 40, "rate": 1000, "runs": {"n": 1, "mean": 40, "variance": None}}
    ids = {function["raw"]: function["id"] for function in document["functions"]}
    tree = document["stacks"].pop("tree")
    tap.ok(
        document["inclusive"] == "measured" and document["stacks"] == rests_on,
        "it says what it rests on",
        document,
    )
    main, called, leaf, other = (ids[name] for name in ("main", "_ZN1a1bEi", "leaf", "[libc.so.6]"))
    nodes = [
        (None, main, 0),
        (0, called, 0),
        (1, leaf, 30),
        (1, called, 0),
        (3, leaf, 7),
        (0, other, 3),
    ]
    found = list(zip(tree["parent"], tree["function"], tree["samples"][0]))
    tap.ok(tree["rates"] == [1000] and found == nodes, "the stacks are a tree", tree)
    functions = {
        f["raw"]: (f["self"], f["total"], f["error"], f["total_error"], f["least"], f["most"])
        for f in document["functions"]
    }
    times = lambda self, total: (
        self / 1000,
        total / 1000,
        (self / 1e6) ** 0.5,
        (total / 1e6) ** 0.5,
        None,
        None,
    )
    expected = {
        "main": times(0, 40),
        "_ZN1a1bEi": times(0, 37),
        "leaf": times(37, 37),
        "[libc.so.6]": times(3, 3),
    }
    near = lambda a, b: a is b is None or (a is not None and b is not None and abs(a - b) < 1e-12)
    good = all(near(a, b) for name in expected for a, b in zip(functions[name], expected[name]))
    tap.ok(good and set(functions) - set(expected) <= {"short"}, "times and errors", functions)
    names = [f["raw"] for f in document["functions"]]
    arcs = {
        (names[a["from"]], names[a["to"]]): (
            a["calls"],
            round(1000 * a["self"]),
            round(1000 * a["children"]),
        )
        for a in document["arcs"]
    }
    found = {arc: times for arc, times in arcs.items() if times[1:] != (0, 0)}
    expected = {
        ("main", "_ZN1a1bEi"): (0, 37),
        ("_ZN1a1bEi", "leaf"): (37, 0),
        ("main", "[libc.so.6]"): (3, 0),
    }
    tap.ok(
        {arc: times[1:] for arc, times in found.items()} == expected and document["cycles"] == [],
        "times of arcs",
        arcs,
    )
    address = [f["address"] for f in document["functions"] if f["raw"] == "[libc.so.6]"]
    idle = [name for file in document["idle"] for name in file["global"] + file["static"]]
    tap.ok(address == [None] and not any("[" in name for name in idle), "other objects", document)


# ---- Reading it back ----


def read_again(path):
    return harness.run([os.path.join(harness.BUILDDIR, "tests", "rejson"), path], TEMP)


def check_reading(tap):
    if (
        b"built without libjansson"
        in read_again(write(os.path.join(TEMP, "seed.json"), seeds.JSON.encode()))[2]
    ):
        return tap.skip("documents are read back", "built without libjansson")
    for words, what in MATERIAL + [(MEASURED, "measured times")]:
        written = run(["--format=json"] + words)[1]
        status, out, err = read_again(write(os.path.join(TEMP, "written.json"), written))
        tap.ok(
            status == 0 and out == written,
            "read back without loss: " + what,
            err.decode() + harness.diff(written, out),
        )
    write(os.path.join(TEMP, "folded"), b"main;leaf 3\nmain 1\n")
    names_only = load(["folded"])
    addresses = [function["address"] for function in names_only["functions"]]
    table = run(["-b", "--top", "--columns=self,address,name", "folded"])[1]
    tap.ok(
        addresses == [None, None] and names_only["range"] is None and b"0x" not in table,
        "names alone have no addresses",
        (names_only, table),
    )
    written = run(["--format=json", "folded"])[1]
    out = read_again(write(os.path.join(TEMP, "written.json"), written))[1]
    tap.ok(out == written, "read back without loss: names alone", harness.diff(written, out))
    document = load(["image", "gmon.out", "other"])
    written = run(["--format=json", "image", "gmon.out", "other"])[1]
    write(
        os.path.join(TEMP, "pretty.json"), json.dumps(document, indent=1, sort_keys=True).encode()
    )
    tap.ok(
        read_again("pretty.json")[1] == run(["--format=json", "image", "gmon.out", "other"])[1],
        "in another layout and order",
    )
    write(os.path.join(TEMP, "packed.json"), gzip.compress(written))
    tap.ok(read_again("packed.json")[1] == written, "compressed")
    status, out, err = read_again("seed.json")
    tap.ok(
        status == 0 and read_again(write(os.path.join(TEMP, "twice.json"), out))[1] == out,
        "written twice",
        err,
    )
    for old, new in seeds.JSON_DAMAGE:
        path = write(os.path.join(TEMP, "damaged.json"), seeds.JSON.replace(old, new, 1).encode())
        status, out, err = read_again(path)
        tap.ok(
            status == 1 and not out and err.count(b"\n") == 1,
            "refused: %s, not %s" % (new, old),
            err,
        )
    for name, data in (
        ("empty", b""),
        ("text", b"hello\n"),
        ("list", b"[]"),
        ("other", b"{}"),
        ("cut", written[:-5]),
        ("deep", b"[" * 100000),
    ):
        status, out, err = read_again(write(os.path.join(TEMP, name + ".json"), data))
        tap.ok(status == 1 and err.count(b"\n") == 1, "refused: " + name, err.decode()[:200])
    status, out, err = read_again("gmon.out")
    tap.ok(status == 1 and b"not valid JSON" in err, "refused: a profile that is not JSON", err)


def main():
    tap = harness.Tap()
    make_profiles()
    check_schema(tap)
    for words, what in MATERIAL:
        if "-l" not in words:
            check_numbers(tap, words, what)
    check_values(tap)
    check_measured(tap)
    check_reading(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
