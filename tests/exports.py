#!/usr/bin/env python3
"""Formats for other tools: callgrind, dot, folded, speedscope, pprof.

Each is read here by the rules of its format, and by its real reader where that is installed:
callgrind_annotate,
graphviz, `go tool pprof', and speedscope, whose schema and page come from its package (SPEEDSCOPE,
or
tests/cache/npm/node_modules/speedscope) and need jsonschema and chromium.  Own times and calls of
all functions are
those of JSON.

With CHECK_LONG=1, all real programs are exported, and a million functions are written and read;
callgrind_annotate reads 100,000.
"""

import sys

sys.dont_write_bytecode = True

import base64
import csv
import fcntl
import gzip
import html
import io
import json
import math
import os
import pty
import random
import re
import subprocess

import foreign
import json_format
import table
from lib import devtools, elf, harness, programs, stack_model
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write
from lib.stack_model import own_and_total

MATERIAL = [(words, what) for words, what in json_format.MATERIAL if "-c" not in words] + [
    (["-c", "image", "gmon.out"], "static calls"),
    (["long", "long.gmon"], "a name of 70,000 characters, and statics of one name"),
    (["empty", "empty.gmon"], "an empty profile"),
    (["deep", "deep.gmon"], "a chain of calls"),
]
KINDS = [what for _, what in MATERIAL]
ESTIMATED = "estimated from call counts"
LONG = "f" * 70000


def make_profiles():
    json_format.make_profiles()
    names = ["main", LONG, '"("', '"[estimated from call counts]"', '"{fn=(1)}"', '"\\\\N\\\\l"']
    table.make("long", "long.gmon", names, [3, 40, 5, 7, 2, 1])
    twins = elf.parse("text 0x1000\nlocal twin 0x40\nlocal twin 0x40\nfunction main 0x40\n").bytes()
    write(os.path.join(TEMP, "twins"), twins)
    layout = Layout(64, "little")
    bins = Histogram(0x1000, 0x10C0, 48, {1: 10, 17: 20, 33: 1})
    calls = [("arc", 0x1088, 0x1000, 3), ("arc", 0x1088, 0x1040, 4)]
    write(os.path.join(TEMP, "twins.gmon"), Profile(layout, [bins] + calls).bytes())
    table.make("empty", "empty.gmon", ["main", "other"], [0, 0])
    write(os.path.join(TEMP, "empty.gmon"), Profile(layout, []).bytes())
    count = 600
    lines = ["text 0x1000"] + ["function f%d 0x10" % i for i in range(count)]
    write(os.path.join(TEMP, "deep"), elf.parse("\n".join(lines) + "\n").bytes())
    bins = Histogram(0x1000, 0x1000 + 0x10 * count, 4 * count, {4 * i + 1: 2 for i in range(count)})
    calls = [("arc", 0x1000 + 0x10 * i + 8, 0x1010 + 0x10 * i, 1) for i in range(count - 1)]
    write(os.path.join(TEMP, "deep.gmon"), Profile(layout, [bins] + calls).bytes())


def export(format, words):
    status, out, err = harness.run([harness.GPROF, "--format=" + format] + words, TEMP)
    if status != 0:
        raise RuntimeError(
            "%s %s: %s" % (format, " ".join(words), err.decode("utf-8", "replace")[:500])
        )
    return out


def rounded(number, unit=1):
    return int((number or 0) * unit + 0.5)


# ---- callgrind ----


class Callgrind:
    """Own costs and calls by the name of a function, own costs by line, calls and inclusive costs
    by (caller, callee),
    and what else the file says.  `pieces' has the number of costs that each sum was made of."""

    def __init__(self, text):
        self.own, self.calls, self.inclusive, self.head, self.order = {}, {}, {}, {}, []
        self.lines, self.counts, self.pieces, self.file = {}, {}, {}, None
        self.names = {"fn": {}, "fl": {}}
        first, *lines = text.split("\n")
        if first != "# callgrind format":
            raise ValueError("no callgrind file")
        self.caller, self.callee, self.is_cost_of_call = None, None, False
        for line in lines:
            self.read(line)

    def unit(self):
        return self.head["events"].replace("Time_(10ns)", "seconds")

    def name(self, kind, text):
        number, name = re.fullmatch(r"\((\d+)\)(?: (.*))?", text, re.S).groups()
        if name is not None:
            if number in self.names[kind]:
                raise ValueError("named twice: " + name[:100])
            self.names[kind][number] = name
        return self.names[kind][number]

    def read(self, line):
        match = re.match(r"(\w+)=(.*)", line, re.S)
        header = re.match(r"(\w+): (.*)", line, re.S)
        if header:
            self.head[header[1]] = header[2]
        elif match and match[1] == "calls":
            count, self.line = map(int, match[2].split())
            self.calls[self.callee] = self.calls.get(self.callee, 0) + count
            pair = self.caller, self.callee
            self.counts[pair] = self.counts.get(pair, 0) + count
            self.is_cost_of_call = True
        elif match and match[1] in ("fl", "fi", "fe"):
            self.file = self.name("fl", match[2])
        elif match and match[1] == "cfl":
            self.name("fl", match[2])
        elif match and match[1] == "fn":
            self.caller = self.name("fn", match[2])
            self.order.append(self.caller)
        elif match and match[1] == "cfn":
            self.callee = self.name("fn", match[2])
        elif line.startswith("#") or (match and match[1] in ("ob", "cob")):
            pass
        elif line:
            position, cost = re.fullmatch(r"(\d+) (\d+)", line).groups()
            costs, key = (
                (self.inclusive, (self.caller, self.callee))
                if self.is_cost_of_call
                else (self.own, self.caller)
            )
            costs[key] = costs.get(key, 0) + int(cost)
            self.pieces[key] = self.pieces.get(key, 0) + 1
            if not self.is_cost_of_call:
                place = self.file, int(position)
                self.lines[place] = self.lines.get(place, 0) + int(cost)
                self.pieces[place] = self.pieces.get(place, 0) + 1
            self.is_cost_of_call = False


def check_callgrind(tap, words, what, document):
    text = export("callgrind", words).decode("utf-8")
    found = Callgrind(text)
    functions = document["functions"]
    unit = 1e8 if document["unit"] == "seconds" else 1
    wrong = []
    if "-l" not in words:
        if len(set(found.order)) != len(found.order) or len(found.order) != len(functions):
            wrong.append("%d names of %d functions" % (len(set(found.order)), len(functions)))
        for name, function in zip(found.order, functions):
            if found.own[name] != rounded(function["self"], unit):
                wrong.append("%s: own %d, %s" % (name[:50], found.own[name], function["self"]))
            if found.calls.get(name, 0) != function["calls"] + function["self_calls"]:
                wrong.append("%s: calls" % name[:50])
        for arc in document["arcs"]:
            pair = found.order[arc["from"]], found.order[arc["to"]]
            time = (arc["self"] or 0) + (arc["children"] or 0)
            if arc["calls"] > 0 and found.inclusive[pair] != rounded(time, unit):
                wrong.append("%s: inclusive" % str(pair)[:100])
            if found.counts.get(pair, 0) != arc["calls"]:
                wrong.append(
                    "%s: %s calls, not %d" % (str(pair)[:100], found.counts.get(pair), arc["calls"])
                )
    else:
        if sum(found.calls.values()) != sum(arc["calls"] for arc in document["arcs"]):
            wrong.append("calls")
    if sum(found.own.values()) != int(found.head["summary"]) or sum(found.own.values()) != sum(
        rounded(function["self"], unit) for function in functions
    ):
        wrong.append("summary")
    tap.ok(not wrong, "callgrind: as JSON: " + what, wrong[:20])


def differences(found, expected, pieces):
    """What differs by more than rounding each of the pieces of a sum does."""
    keys = sorted(set(found) | set(expected), key=str)
    pairs = [(key, found.get(key, 0), expected.get(key, 0)) for key in keys]
    return [
        "%s: %s, %s" % (str(key)[:200], a, b)
        for key, a, b in pairs
        if abs(a - b) > pieces.get(key, 0)
    ]


def check_lines(tap, words, what):
    """With -l, each function has the same own costs, calls and inclusive costs as without, and each
    line the own time
    of the table of lines."""
    whole = Callgrind(export("callgrind", words).decode("utf-8"))
    lines = Callgrind(export("callgrind", ["-l"] + words).decode("utf-8"))
    wrong = differences(lines.own, whole.own, lines.pieces) + differences(
        lines.inclusive, whole.inclusive, lines.pieces
    )
    wrong += differences(lines.counts, whole.counts, {})
    columns = ["--columns=self,file,line,address", "--by=line", "-z"]
    rows = csv.DictReader(
        io.StringIO(export("csv", columns + words).decode("utf-8", "replace"), newline="")
    )
    table = {}
    for row in rows:
        if row["line"]:
            place = row["file"], int(row["line"])
            table[place] = table.get(place, 0) + float(row["self"] or 0) * (
                1e8 if "sec" in whole.unit() else 1
            )
    known = {place: cost for place, cost in lines.lines.items() if place in table or place[1]}
    wrong += differences(
        known, table, {place: 1 + number for place, number in lines.pieces.items()}
    )
    tap.ok(not wrong, "callgrind -l: functions and lines: " + what, wrong[:20])
    check_annotated_lines(tap, words, what, whole, 50 + sum(lines.pieces.values()))


def annotated(words):
    """The inclusive costs that callgrind_annotate shows, by `file:function'; None if it is not
    installed."""
    annotate = harness.tool("CALLGRIND_ANNOTATE", "callgrind_annotate")
    if not annotate:
        return None
    path = write(os.path.join(TEMP, "callgrind.out"), export("callgrind", words))
    out = harness.run(annotate + ["--inclusive=yes", "--threshold=100", "--auto=no", path], TEMP)[
        1
    ].decode("utf-8", "replace")
    rows = re.findall(r"^ *([\d,]+) (?:\([ \d.]+%\))? +(.*?)(?: \[[^]]*\])?$", out, re.M)
    return {name: int(cost.replace(",", "")) for cost, name in rows if ":" in name}


def check_annotated_lines(tap, words, what, whole, rounding):
    """It lists included code apart, and adds it to no function; that of a function without callers
    is therefore added
    to it here.  The cost of each line is rounded, so that sums differ by at most ROUNDING units of
    10 ns.
    """
    expected, found = annotated(words), annotated(["-l"] + words)
    if expected is None:
        return tap.skip("callgrind_annotate -l: " + what, "no callgrind_annotate")
    for name in expected:
        file, function = name.split(":", 1) if name in found else ("", "")
        if function and function not in whole.calls:
            found[name] += sum(
                cost
                for other, cost in found.items()
                if other.endswith(":" + function) and other != name
            )
    found = {name: cost for name, cost in found.items() if name in expected}
    wrong = differences(found, expected, {name: rounding for name in expected})
    tap.ok(
        not wrong and (expected or whole.head["summary"] == "0"),
        "callgrind_annotate -l: " + what,
        wrong[:20],
    )


def check_annotate(tap, words, what):
    """callgrind_annotate reads the file."""
    annotate = harness.tool("CALLGRIND_ANNOTATE", "callgrind_annotate")
    if not annotate:
        return tap.skip("callgrind_annotate: " + what, "no callgrind_annotate")
    text = export("callgrind", words)
    summary = re.search(rb"^summary: (\d+)$", text, re.M)[1]
    path = write(os.path.join(TEMP, "callgrind.out"), text)
    status, out, err = harness.run(annotate + ["--threshold=100", "--auto=no", path], TEMP)
    total = re.search(rb"^ *([\d,]+) .*PROGRAM TOTALS", out, re.M)
    ok = status == 0 and total and total[1].replace(b",", b"") == summary
    is_empty = summary == b"0"  # which it refuses to divide by
    tap.ok(
        ok or is_empty,
        "callgrind_annotate: " + what,
        harness.said((status, out, err)) + out.decode("utf-8", "replace")[-500:],
    )
    shown = ESTIMATED.encode() in out
    tap.ok(shown or is_empty, "callgrind_annotate says what is estimated: " + what)


# ---- dot ----


def check_dot(tap, words, what, document):
    text = export("dot", words + ["--min-share=0"]).decode("utf-8")
    nodes = re.findall(r'^n(\d+) \[label="', text, re.M)
    tap.ok(len(nodes) == len(document["functions"]), "dot: all functions: " + what, text[:2000])
    dot = harness.tool("DOT", "dot")
    if not dot:
        return tap.skip("dot -Tsvg: " + what, "no graphviz")
    if len(nodes) > 300:
        text = export("dot", words + ["--min-share=90"]).decode("utf-8")
        nodes = re.findall(r'^n(\d+) \[label="', text, re.M)
    path = write(os.path.join(TEMP, "graph.dot"), text.encode())
    status, out, err = harness.run(dot + ["-Tsvg", path], TEMP)
    drawn = len(re.findall(rb'<g id="node\d+" class="node">', out))
    messages = [
        line
        for line in err.decode("utf-8", "replace").splitlines()
        if "ontconfig" not in line and "Pango" not in line
    ]
    ok = status == 0 and drawn == len(nodes) and not messages
    tap.ok(
        ok,
        "dot -Tsvg: " + what,
        "%d of %d nodes\n%s" % (drawn, len(nodes), "\n".join(messages[:10])),
    )


# ---- Stacks ----


def whole_samples(document):
    return rounded(sum(function["samples"] or 0 for function in document["functions"]))


def check_folded(tap, words, what, document):
    text = export("folded", words).decode("utf-8")
    lines = [re.fullmatch(r"(.+) (\d+)", line) for line in text.splitlines()]
    ok = all(lines) and not (text and not text.endswith("\n"))
    tap.ok(ok, "folded: lines of stacks and samples: " + what, text[:1000])
    tap.ok(
        ok and sum(int(line[2]) for line in lines) == whole_samples(document),
        "folded: all samples: " + what,
        text[:1000],
    )
    marks = [line[1].startswith("[%s];" % ESTIMATED) for line in lines if line]
    tap.ok(
        not any(marks) if "-l" in words else all(marks), "folded: says if it is estimated: " + what
    )


def speedscope_package():
    place = os.environ.get("SPEEDSCOPE") or os.path.join(
        harness.CACHE, "npm", "node_modules", "speedscope"
    )
    release = os.path.join(place, "dist", "release")
    return release if os.path.isdir(release) else None


def speedscope_validator():
    """A function that lists what is wrong with a document; None if the schema or jsonschema is
    missing."""
    release = speedscope_package()
    try:
        import jsonschema
    except ImportError:
        return None
    if not release:
        return None
    with open(os.path.join(release, "file-format-schema.json"), encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    return lambda document: [error.message[:300] for error in validator.iter_errors(document)]


def check_speedscope(tap, words, what, document, validate):
    text = export("speedscope", words).decode("utf-8")
    found = json.loads(text)
    frames, (profile,) = found["shared"]["frames"], found["profiles"]
    used = {frame for sample in profile["samples"] for frame in sample}
    ok = used <= set(range(len(frames))) and len(profile["samples"]) == len(profile["weights"])
    tap.ok(ok, "speedscope: frames and weights: " + what, text[:1000])
    total = (
        (document["totals"]["seconds"] or 0)
        / (document["totals"]["samples"] or 1)
        * whole_samples(document)
    )
    tap.ok(
        abs(sum(profile["weights"]) - total) < 1e-6 * (1 + total),
        "speedscope: all time: " + what,
        text[:1000],
    )
    counts = [weight / profile.get("sampleWeight", math.nan) for weight in profile["weights"]]
    ok = all(abs(count - round(count)) < 1e-6 * count for count in counts) and sum(
        map(round, counts)
    ) == whole_samples(document)
    tap.ok(ok, "speedscope: what a sample weighs: " + what, text[-1000:])
    tap.ok(
        (ESTIMATED in profile["name"]) == ("-l" not in words),
        "speedscope: says if it is estimated: " + what,
    )
    if not validate:
        return tap.skip(
            "speedscope: agrees with the schema: " + what,
            "no package speedscope, or no jsonschema for Python",
        )
    errors = validate(found)
    tap.ok(not errors, "speedscope: agrees with the schema: " + what, errors[:5])


def open_in_speedscope(tap, words, what, expected=(ESTIMATED,)):
    """Loads a file in the page, which shows the name of the (first) profile when it has been
    read."""
    release, browser = speedscope_package(), devtools.find_browser()
    if not release or not browser:
        return tap.skip("speedscope opens " + what, "no package speedscope, or no chromium")
    data = base64.b64encode(export("speedscope", words)).decode()
    script = write(
        os.path.join(TEMP, "load.js"),
        ('speedscope.loadFileFromBase64("x.speedscope.json", "%s")' % data).encode(),
    )
    page = devtools.Page(browser)
    try:
        page.call(
            "Page.navigate", url="file://%s/index.html#localProfilePath=%s" % (release, script)
        )
        texts = json.dumps(list(expected) + ["went wrong"])
        shown = (
            "%s.map((text) => String(document.documentElement?.outerHTML).includes(text))" % texts
        )
        page.wait("(([...shown]) => shown.pop() || shown.every(Boolean))(%s)" % shown)
        found = page.evaluate(shown)
    finally:
        page.close()
    tap.ok(
        found == [True] * len(expected) + [False],
        "speedscope opens " + what,
        "%s: %s" % (found, page.said),
    )


def stacks_of(document, profile):
    """The stacks of a profile as (name, file, line) of frames, with their weights."""
    frames = [
        (frame["name"], frame.get("file"), frame.get("line"))
        for frame in document["shared"]["frames"]
    ]
    return sorted(
        ([frames[i] for i in sample], weight)
        for sample, weight in zip(profile["samples"], profile["weights"])
    )


def check_each(tap, options, image, profiles, what, validate=None, is_named_alike=True):
    """Each of several profiles has what the file has that is made of it alone."""
    found = json.loads(
        export("speedscope", ["--per-file"] + options + [image] + profiles).decode("utf-8")
    )
    frames = [tuple(sorted(frame.items())) for frame in found["shared"]["frames"]]
    tap.ok(len(set(frames)) == len(frames), "no frame is there twice: " + what, str(frames)[:1000])
    used = {
        frame for profile in found["profiles"] for sample in profile["samples"] for frame in sample
    }
    tap.ok(
        used == set(range(len(frames))), "no frame is missing or unused: " + what, str(used)[:1000]
    )
    tap.ok(
        found["activeProfileIndex"] == 0 and len(found["profiles"]) == len(profiles),
        "as many profiles as files: " + what,
    )
    wrong = []
    for path, profile in zip(profiles, found["profiles"]):
        words = options + [image, path]
        alone = json.loads(export("speedscope", words).decode("utf-8"))
        expected = alone["profiles"][0]
        for key in ("type", "name", "unit", "startValue", "endValue"):
            if profile[key] != expected[key]:
                wrong.append("%s: %s %r, alone %r" % (path, key, profile[key], expected[key]))
        if sorted(profile["weights"]) != sorted(expected["weights"]):
            wrong.append("%s: weights" % path)
        if is_named_alike and stacks_of(found, profile) != stacks_of(alone, expected):
            wrong.append(
                "%s: %s, alone %s"
                % (
                    path,
                    str(stacks_of(found, profile))[:500],
                    str(stacks_of(alone, expected))[:500],
                )
            )
        if options not in (
            [],
            ["-c"],
            ["-l"],
            ["-z"],
        ):  # JSON has no such options, or counts what they leave out
            continue
        document = load(words)
        total = (
            (document["totals"]["seconds"] or 0)
            / (document["totals"]["samples"] or 1)
            * whole_samples(document)
        )
        if abs(sum(profile["weights"]) - total) > 1e-6 * (1 + total):
            wrong.append("%s: %g s in all, not %g" % (path, sum(profile["weights"]), total))
    tap.ok(not wrong, "profiles are as those of each file alone: " + what, wrong)
    if validate:
        errors = validate(found)
        tap.ok(not errors, "profiles agree with the schema: " + what, errors[:5])
    return found


EACH = ["gmon.out", "other", "void", "cycle", "arcs", "histogram", "thousand", "norate", "gmon.out"]
EACH_OPTIONS = [
    [],
    ["-c"],
    ["-l"],
    ["--by=line"],
    ["-z"],
    ["-a"],
    ["-N", "short"],
    ["-E", "leaf"],
    ["-k", "main/leaf"],
    ["--focus=leaf"],
    ["--hide=a::b"],
    ["--names=raw"],
    ["--names=short", "--hide=leaf"],
]


def make_each():
    layout = Layout(64, "little")
    write(os.path.join(TEMP, "void"), Profile(layout, []).bytes())
    bins = Histogram(table.START, table.START + 4 * table.SIZE, table.SIZE, {1: 100, 20: 900}, 1000)
    calls = [("arc", table.START + 8, table.START + table.SIZE, 7), ("arc", 0, table.START, 1)]
    write(os.path.join(TEMP, "thousand"), Profile(layout, [bins] + calls).bytes())
    for name, bins in (("first", {1: 10}), ("second", {17: 20, 33: 1})):
        write(
            os.path.join(TEMP, name), Profile(layout, [Histogram(0x1000, 0x10C0, 48, bins)]).bytes()
        )
    os.makedirs(os.path.join(TEMP, "each"))
    for number, name in ((2, "gmon.out"), (10, "other"), (9, "cycle")):
        data = harness.read(os.path.join(TEMP, name))
        write(
            os.path.join(TEMP, "each", "gmon.out.%d" % number),
            gzip.compress(data) if number == 9 else data,
        )
    write(os.path.join(TEMP, "each.list"), b"cycle\neach\n")
    write(os.path.join(TEMP, "broken"), harness.read(os.path.join(TEMP, "gmon.out"))[:-3])


def names_of(words, **more):
    """The result of a run, and the names of the profiles that it wrote."""
    command = [harness.GPROF, "--format=speedscope", "--per-file"] + words
    process = subprocess.run(
        command, cwd=TEMP, env=harness.ENV, capture_output=True, check=False, **more
    )
    document = json.loads(process.stdout) if process.stdout else {"profiles": []}
    return process, [profile["name"].rsplit(",", 1)[0] for profile in document["profiles"]]


def check_each_input(tap):
    """Which profiles there are: of directories, lists and standard input, and with bad ones among
    them."""
    in_directory = ["each/gmon.out.%d" % number for number in (2, 9, 10)]
    process, names = names_of(["image", "each"])
    tap.ok(process.returncode == 0 and names == in_directory, "the profiles of a directory", names)
    process, names = names_of(["--files-from=each.list", "image", "gmon.out"])
    tap.ok(names == ["gmon.out", "cycle"] + in_directory, "the profiles of a list", names)
    process, names = names_of(
        ["image", "other", "-"], input=harness.read(os.path.join(TEMP, "cycle"))
    )
    alone = json.loads(export("speedscope", ["image", "cycle"]))
    document = json.loads(process.stdout)
    is_same = stacks_of(document, document["profiles"][1]) == stacks_of(alone, alone["profiles"][0])
    tap.ok(
        names == ["other", "-"] and is_same,
        "a profile on standard input",
        process.stdout.decode()[:500],
    )
    process, names = names_of(["image", "other", "broken", "gmon.out"])
    err = process.stderr.decode()
    tap.ok(
        process.returncode == 1
        and not process.stdout
        and err.count("broken: ") == 1
        and err.count("\n") == 1,
        "a bad profile",
        err,
    )
    process, names = names_of(["--skip-bad", "image", "other", "broken", "gmon.out"])
    err = process.stderr.decode()
    tap.ok(
        process.returncode == 1 and names == ["other", "gmon.out"] and "skipped 1 of 3" in err,
        "--skip-bad",
        str(names) + err,
    )
    target = write(os.path.join(TEMP, "kept"), b"as before")
    process, names = names_of(["-o", "kept", "image", "other", "broken"])
    tap.ok(
        process.returncode == 1 and harness.read(target) == b"as before",
        "a bad profile: the file of -o is as before",
    )
    process, names = names_of(["-o", "kept", "image", "other", "gmon.out"])
    expected = names_of(["image", "other", "gmon.out"])[0].stdout
    tap.ok(process.returncode == 0 and expected and harness.read(target) == expected, "-o")


def check_each_message(tap):
    """Messages are those of the same run without --per-file."""
    for words in (["-Nnosuch"], ["-c"], ["--strict"], ["--quiet"], ["-l"]):
        words = words + ["image", "void", "thousand", "gmon.out", "arcs"]
        results = [
            harness.run([harness.GPROF, "--format=speedscope"] + more + words, TEMP)
            for more in ([], ["--per-file"])
        ]
        ok = (
            results[0][0] == results[1][0]
            and results[0][2] == results[1][2]
            and b"warning" in results[0][2]
        )
        tap.ok(
            ok and bool(results[0][1]) == bool(results[1][1]),
            "messages are printed once: " + " ".join(words),
            results[1],
        )


def check_each_profile(tap, validate):
    make_each()
    for options in EACH_OPTIONS:
        check_each(tap, options, "image", EACH, " ".join(options) or "no options", validate)
    check_each(tap, [], "hostile", ["hostile.gmon", "hostile.gmon"], "names of all kinds", validate)
    check_each(tap, [], "deep", ["deep.gmon", "deep.gmon"], "a chain of calls", validate)
    ring = write_flat("ring", [60000, 300, 300, 1], [(0, 1), (1, 2), (2, 1), (0, 3)])
    check_each(tap, [], ring[0], 2 * ring[1:], "a cycle, and as many left out", validate)
    found = check_each(
        tap, [], "twins", ["first", "second", "twins.gmon"], "statics of one name", validate, False
    )
    stacks = [
        [(stack[-1][0], weight) for stack, weight in stacks_of(found, profile)]
        for profile in found["profiles"]
    ]
    first, second, last = ("twin (0x1000)", 0.1), ("twin (0x1040)", 0.2), ("main", 0.01)
    expected = [[first], [last, second], [last, first, second]]
    tap.ok(stacks == expected, "functions have the same name in all profiles", stacks)
    check_each_input(tap)
    check_each_message(tap)
    words = ["--per-file", "image", "gmon.out", "void", "cycle"]
    open_in_speedscope(tap, words, "several profiles", ["gmon.out, " + ESTIMATED, "(1/3)"])


# ---- pprof ----


def read_varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return number, at


def fields(data):
    """The fields of a message, (number, value)."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        value, at = read_varint(data, at)
        if key & 7 == 2:
            at, value = at + value, data[at : at + value]
        elif key & 7:
            raise ValueError("wire type %d" % (key & 7))
        yield key >> 3, value


def packed(data):
    numbers, at = [], 0
    while at < len(data):
        number, at = read_varint(data, at)
        numbers.append(number)
    return numbers


class Pprof:
    """Own samples and nanoseconds by address of the function, and the frames of each stack, the
    callee first."""

    def __init__(self, data):
        parts = {}
        for number, value in fields(gzip.decompress(data)):
            parts.setdefault(number, []).append(value)
        self.strings = [text.decode("utf-8") for text in parts[6]]
        self.types = [self.strings[dict(fields(value))[1]] for value in parts[1]]
        functions = {
            f[1]: self.strings[f[2]] for f in (dict(fields(value)) for value in parts.get(5, []))
        }
        self.names, self.addresses = {}, {}
        for value in parts.get(4, []):
            location = dict(fields(value))
            self.names[location[1]] = functions[dict(fields(location[4]))[1]]
            self.addresses[location[1]] = location.get(3)
        self.samples, self.labels = [], []
        for value in parts.get(2, []):
            sample = dict(fields(value))
            label = dict(fields(sample.get(3, b"")))
            self.samples.append((packed(sample[1]), packed(sample[2])))
            self.labels.append((self.strings[label[1]], self.strings[label[2]]) if label else None)
        self.comments = [self.strings[number] for number in parts.get(13, [])]

    def own(self, position):
        sums = {}
        for stack, values in self.samples:
            address = self.addresses[stack[0]]
            sums[address] = sums.get(address, 0) + values[position]
        return {address: number for address, number in sums.items() if number}


def check_pprof(tap, words, what, document, options):
    data = export("pprof", words)
    found = Pprof(data)
    tap.ok(
        found.strings[0] == "" and len(set(found.strings)) == len(found.strings),
        "pprof: strings: " + what,
    )
    wrong = []
    for position, (key, unit) in enumerate([("samples", 1), ("self", 1e9)][: len(found.types)]):
        expected = {
            int(f["address"], 16): rounded(f[key], unit)
            for f in document["functions"]
            if f["address"] and rounded(f[key], unit)
        }
        if document["left_out"]:
            expected = {
                address: number
                for address, number in expected.items()
                if address not in document["left_out"]
            }
        own = found.own(position)
        wrong += [
            "%s: %s %s" % (a, own.get(a), expected.get(a))
            for a in set(own) | set(expected)
            if own.get(a) != expected.get(a)
        ]
    tap.ok(not wrong, "pprof: own samples and times as JSON: " + what, wrong)
    tap.ok(
        bool(found.comments) == ("-l" not in words),
        "pprof: says if it is estimated: " + what,
        found.comments,
    )
    go = harness.tool("GO", "go")
    if not go:
        return tap.skip("go tool pprof: " + what, "no go")
    path = write(os.path.join(TEMP, "profile.pb.gz"), data)
    environment = dict(harness.ENV, PPROF_TMPDIR=TEMP, GOCACHE=os.path.join(TEMP, "go"))
    for option in options:
        status, out, err = harness.run(go + ["tool", "pprof", option, path], TEMP, environment)
        text = out.decode("utf-8", "replace")
        ok = status == 0 and (
            not found.samples or option == "-raw" or "-l" in words or ESTIMATED in text
        )
        tap.ok(
            ok,
            "go tool pprof %s: %s" % (option, what),
            harness.said((status, out, err)) + text[:500],
        )
        if option == "-top" and found.samples:
            shown = re.search(r"Showing nodes accounting for .*, 100% of", text)
            tap.ok(
                bool(shown) or "Dropped" in text,
                "go tool pprof has all of the time: " + what,
                text[:500],
            )


def draw_pprof(tap, words, what):
    go, dot = harness.tool("GO", "go"), harness.tool("DOT", "dot")
    if not go or not dot:
        return tap.skip("go tool pprof -svg: " + what, "no go, or no graphviz")
    path = write(os.path.join(TEMP, "profile.pb.gz"), export("pprof", words))
    environment = dict(harness.ENV, PPROF_TMPDIR=TEMP)
    status, out, err = harness.run(
        go + ["tool", "pprof", "-svg", "-output=" + path + ".svg", path], TEMP, environment
    )
    drawing = harness.read(path + ".svg")
    tap.ok(status == 0 and b"</svg>" in drawing, "go tool pprof -svg: " + what, (status, out, err))


# ---- All ----


def load(words):
    document = json.loads(export("json", words).decode())
    document["left_out"] = {0x10C0} if "-N" in words else set()  # `short'
    return document


def check_all(tap, words, what, validate):
    document = load(words)
    check_callgrind(tap, words, what, document)
    check_annotate(tap, words, what)
    check_dot(tap, words, what, document)
    check_pprof(tap, words, what, document, ["-top"] + ["-raw", "-traces"] * (what in KINDS))
    if document["left_out"]:
        return
    check_folded(tap, words, what, document)
    check_speedscope(tap, words, what, document, validate)


MANY = harness.sized(5000, 1000000)
FEWER = 100000  # for callgrind_annotate, which needs 100 seconds and 3.2 GB for a million


def make_many(name, count):
    """Many functions, in rows that call the next row: most stacks are too small to be shown."""
    lines = ["text 0x1000"] + ["function f%d 0x10" % i for i in range(count)]
    write(os.path.join(TEMP, name), elf.parse("\n".join(lines) + "\n").bytes())
    bins = Histogram(
        0x1000, 0x1000 + 0x10 * count, 4 * count, {4 * i + 1: 1 + i % 7 for i in range(count)}
    )
    calls = []
    for i in range(count):
        calls += [
            ("arc", 0x1008 + 0x10 * i, 0x1000 + 0x10 * (2 * i + k), 1 + i % 3)
            for k in (1, 2, 4)
            if 2 * i + k < count
        ]
    write(os.path.join(TEMP, name + ".gmon"), Profile(Layout(64, "little"), [bins] + calls).bytes())
    return [name, name + ".gmon"]


def processor_time(words):
    before = os.times()
    subprocess.run(
        [harness.GPROF] + words, cwd=TEMP, env=harness.ENV, stdout=subprocess.DEVNULL, check=True
    )
    after = os.times()
    return (
        after.children_user - before.children_user + after.children_system - before.children_system
    )


def check_speed(tap, many, fewer):
    """The time of each format is linear: ten times as many functions need about ten times as long
    (10 to 15; 100, if
    it were quadratic)."""
    for format in ("json", "callgrind", "dot", "folded", "speedscope", "pprof"):
        times = [processor_time(["--format=" + format] + words) for words in (fewer, many)]
        tap.ok(
            times[1] < 30 * times[0],
            "the time of %s is linear" % format,
            "%.2f and %.2f s" % tuple(times),
        )


def check_many(tap, validate):
    words = make_many("many", MANY)
    fewer = make_many("fewer", FEWER) if harness.IS_LONG else words
    if harness.IS_LONG:
        check_speed(tap, words, fewer)
    document = load(words)
    check_callgrind(tap, words, "many functions", document)
    check_annotate(tap, fewer, "many functions")
    check_pprof(tap, words, "many functions", document, ["-top"])
    check_folded(tap, words, "many functions", document)
    check_speedscope(tap, words, "many functions", document, validate)
    stacks = folded(*words)
    tap.ok(
        len(document["functions"]) == MANY and 100 < len(stacks) <= 100000,
        "there are not too many stacks",
        len(stacks),
    )
    rest = Pprof(export("pprof", words))
    others = [
        [rest.names[location] for location in stack[1:]]
        for stack, _ in rest.samples
        if rest.names[stack[min(1, len(stack) - 1)]] == "[other stacks]"
    ]
    roots = {rest.names[stack[-1]] for stack, _ in rest.samples}
    tap.ok(
        others and len(roots) == 1 and all(above == ["[other stacks]", *roots] for above in others),
        "pprof: what is too small is below a frame of its own",
        roots,
    )


def check_dot_names(tap):
    """Names of all kinds, as graphviz draws them; and the lines into which a long one is
    divided."""
    dot, name = harness.tool("DOT", "dot"), "graphviz shows names of all kinds as they are"
    if not dot:
        return tap.skip(name, "no graphviz")
    pieces = ["abcdefghi(" * 12, "x" * 90 + " y, z", "a::b" * 30]
    more = [
        "&lt;",
        "&#65;",
        "&amp;lt;",
        "&notone",
        "a&b;",
        "&;",
        "\\N\\G\\L\\T\\E\\l\\r\\n",
        "<html>",
        "digraph",
        "%s%n",
    ]
    names = table.HOSTILE + more + pieces
    table.make(
        "drawn",
        "drawn.gmon",
        ['"%s"' % "".join("\\x%02x" % b for b in n.encode()) for n in names],
        [len(names) - i for i in range(len(names))],
    )
    path = write(
        os.path.join(TEMP, "names.dot"), export("dot", ["--min-share=0", "drawn", "drawn.gmon"])
    )
    status, out, err = harness.run(dot + ["-Tsvg", path], TEMP)
    drawn = {}
    for title, body in re.findall(
        r'<g id="node\d+" class="node">\n<title>(n\d+)</title>(.*?)\n</g>\n(?=<|$)',
        out.decode(),
        re.S,
    ):
        lines = [
            html.unescape(line).replace("\xa0", " ")
            for line in re.findall(r"<text[^>]*>(.*?)</text>", body)
        ]
        drawn[int(title[1:])] = lines[
            : next(
                i
                for i, line in enumerate(lines)
                if " % (self" in line or re.fullmatch(r"[\d.]+ %", line)
            )
        ]
    expected = table.NAMED + more + pieces
    found = ["".join(drawn.get(i, [])) for i in range(len(expected))]
    wrong = [
        (a, b)
        for a, b in zip(expected, found)
        if a.replace("  ", " ").strip() != b.replace("  ", " ").strip()
    ]
    tap.ok(status == 0 and not wrong, name, str(wrong) + err.decode())
    widths = [[len(line) for line in drawn[len(expected) - 3 + i]] for i in range(3)]
    return tap.ok(
        widths == [[40, 40, 40], [91, 4], [43, 40, 37]],
        "long names are in lines of 40 characters, divided behind the next place where they can be",
        widths,
    )


def folded(*words):
    lines = export("folded", list(words)).decode().splitlines()
    return [line.replace("[%s];" % ESTIMATED, "") for line in lines]


def check_names(tap):
    text = export("callgrind", ["twins", "twins.gmon"]).decode()
    names = re.findall(r"^fn=\(\d+\) (.*)", text, re.M)
    tap.ok(
        names == ["twin (0x1000)", "twin (0x1040)", "main"],
        "functions of one name differ in their address",
        names,
    )
    found = Callgrind(export("callgrind", ["hostile", "hostile.gmon"]).decode("utf-8"))
    tap.ok(
        found.order == table.NAMED + ["\xe9\\x80\xff"], "names of all kinds, in UTF-8", found.order
    )
    stacks = folded("long", "long.gmon")
    tap.ok(any(line.startswith("main;" + LONG + " 40") for line in stacks), "a long name is whole")
    tap.ok(
        "f" * 4000 + "..." in export("dot", ["long", "long.gmon"]).decode().replace("\\n", ""),
        "dot cuts it",
    )
    raw = folded("--names=raw", "image", "gmon.out")
    tap.ok("main;_ZN1a1bEi 70" in raw, "--names=raw", raw)
    short = folded("--names=short", "image", "gmon.out")
    tap.ok("main;a::b 70" in short, "--names=short", short)


CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def check_raw_names(tap):
    """Names of files, functions and executables have what would command a terminal, or a reader,
    only as escapes."""
    evil = "a\x1b[31m\nfn=(1) x\u202e\u2028\u0085.c"
    name = '"%s"' % "".join("\\x%02x" % byte for byte in ("/" + evil).encode())
    text = "text 0x10000\nfile %s\nfunction main 0x20\nlines 0 1\nfunction %s 0x20\nlines 0 7\n" % (
        name,
        name,
    )
    image = write(os.path.join(TEMP, evil), elf.parse(text).bytes())
    records = [Histogram(0x10000, 0x10040, 16, {0: 30, 9: 50}, 100), ("arc", 0x10004, 0x10020, 5)]
    gmon = write(os.path.join(TEMP, "evil.gmon"), Profile(Layout(64, "little"), records).bytes())
    for words in (
        ["--format=callgrind"],
        ["--format=dot"],
        ["--format=json"],
        ["--format=speedscope"],
        ["--format=html"],
        ["--format=folded", "-l"],
        ["--format=speedscope", "-l"],
        ["--format=csv", "--top"],
        ["-b"],
        ["-b", "-l", "-L"],
    ):
        status, out, err = harness.run([harness.GPROF] + words + [image, gmon], TEMP)
        text = re.sub(
            "[\f\t]|\r(?=\n)", "", out.decode()
        )  # of the formats themselves; the name has none
        found = CONTROLS.search(text)
        tap.ok(
            status == 0 and not found and "\nfn=(1) x" not in text,
            "no control characters: " + " ".join(words),
            found and text[max(0, found.start() - 60) : found.end() + 20],
        )
    err = (
        harness.run([harness.GPROF, "--base=nowhere", evil, gmon], TEMP)[2].decode()
        + harness.run([harness.GPROF, evil, evil], TEMP)[2].decode()
    )
    tap.ok(
        not CONTROLS.search(err) and "\\xe2\\x80\\xa8" in err,
        "no control characters: messages",
        err,
    )


def check_selection(tap):
    whole = folded("image", "gmon.out")
    tap.ok(
        whole == ["main 5", "main;a::b(int) 70", "main;leaf 11", "main;short 3"],
        "folded stacks",
        whole,
    )
    focus = folded("--focus=leaf", "image", "gmon.out")
    tap.ok(focus == ["main;leaf 11"], "--focus keeps stacks", focus)
    hide = folded("--hide=a::b", "image", "gmon.out")
    tap.ok(
        hide == ["main 75", "main;leaf 11", "main;short 3"], "--hide gives time to the caller", hide
    )
    write(os.path.join(TEMP, "equal"), b"m;a;x 3\nm;a;x;y 1\nm;b;z 1\nm;b;x 2\nm;b;x;y 4\n")
    equal = [line.partition("];")[2] for line in folded("--hide=^[ab]$", "equal")]
    tap.ok(equal == ["m;x 5", "m;x;y 5", "m;z 1"], "a stack has one line", equal)
    none = folded("--hide=.", "image", "gmon.out")
    tap.ok(none == ["[others] 89"], "time without a frame is kept", none)
    profile = Pprof(export("pprof", ["--focus=leaf", "image", "gmon.out"]))
    tap.ok(sum(values[0] for _, values in profile.samples) == 11, "--focus in pprof")
    names = Callgrind(export("callgrind", ["--focus=leaf", "image", "gmon.out"]).decode()).order
    tap.ok(names == ["main", "leaf"], "--focus keeps what leads to a function", names)
    names = Callgrind(export("callgrind", ["--hide=leaf", "image", "gmon.out"]).decode()).order
    tap.ok(names == ["main", "a::b(int)", "short"], "--hide leaves out functions", names)
    names = re.findall(
        r'label="([^\\"]*)\\n', export("dot", ["--min-share=50", "image", "gmon.out"]).decode()
    )
    tap.ok(names[:2] == ["main", "a::b(int)"] and "leaf" not in names, "--min-share in dot", names)
    lines = folded("--by=line", "image", "gmon.out")
    tap.ok(
        sum(int(line.split()[-1]) for line in lines) == 89
        and not any(";" in line for line in lines),
        "--by=line has no stacks",
    )
    cycle = folded("image", "cycle")
    expected = {
        "main 1",
        "main;[cycle 1];a::b(int) 40",
        "main;[cycle 1];leaf 30",
        "main;[cycle 1];leaf;short 7",
        "main;short 13",
    }
    tap.ok(set(cycle) == expected, "a cycle", cycle)
    tap.ok(folded("deep", "deep.gmon")[-1].count(";") == 599, "a chain of 600 calls")
    names = ["a;b", "a:b", "a\\x3bb", "a\\x5cb", "a\\b"]
    text = "text 0x1000\n" + "".join(
        'function "%s" 0x10\n' % name.replace("\\", "\\\\") for name in names
    )
    write(os.path.join(TEMP, "semicolons"), elf.parse(text).bytes())
    histogram = Histogram(
        0x1000,
        0x1000 + 0x10 * len(names),
        4 * len(names),
        {4 * i: 1 + i for i in range(len(names))},
    )
    write(os.path.join(TEMP, "semicolons.gmon"), Profile(Layout(), [histogram]).bytes())
    found = {line.rsplit(" ", 1)[0] for line in folded("semicolons", "semicolons.gmon")}
    tap.ok(
        found == {"a\\x3bb", "a:b", "a\\x5cx3bb", "a\\x5cx5cb", "a\\b"},
        "names with semicolons stay apart",
        found,
    )


# ---- Nothing is lost ----


def draw_stacks(rng, count, functions):
    """COUNT different stacks with their samples: few have most of them, and most have a few."""
    stacks = {}
    while len(stacks) < count:
        depth = 1 + int(rng.expovariate(0.3))
        stack = tuple("f%d" % rng.randrange(functions) for _ in range(depth))
        stacks[("main",) + stack] = 1 + int(rng.paretovariate(0.4)) % 1000000
    return stacks


def stacks_in_folded(data):
    return stack_model.read_folded(data.decode())


def stacks_in_pprof(data, position=0):
    found = Pprof(data)
    for locations, values in found.samples:
        yield [found.names[location] for location in reversed(locations)], values[position]


def stacks_in_speedscope(data):
    document = json.loads(data)
    frames, (profile,) = [frame["name"] for frame in document["shared"]["frames"]], document[
        "profiles"
    ]
    for stack, weight in zip(profile["samples"], profile["weights"]):
        yield [frames[frame] for frame in stack], round(weight / profile["sampleWeight"])


def write_folded(name, stacks):
    write(
        os.path.join(TEMP, name),
        "".join("%s %d\n" % (";".join(stack), samples) for stack, samples in stacks).encode(),
    )
    return name


def write_flat(name, samples, calls=()):
    """An image and a profile of functions that have SAMPLES.  CALLS are pairs of their numbers."""
    lines = ["text 0x1000"] + ["function f%d 0x10" % i for i in range(len(samples))]
    write(os.path.join(TEMP, name), elf.parse("\n".join(lines) + "\n").bytes())
    bins = Histogram(
        0x1000,
        0x1000 + 0x10 * len(samples),
        4 * len(samples),
        {4 * i + 1: number for i, number in enumerate(samples)},
    )
    arcs = [("arc", 0x1008 + 0x10 * caller, 0x1000 + 0x10 * callee, 1) for caller, callee in calls]
    write(os.path.join(TEMP, name + ".gmon"), Profile(Layout(64, "little"), [bins] + arcs).bytes())
    return [name, name + ".gmon"]


def differing(found, expected):
    return [
        "%s: %s, not %s" % (name, found.get(name), expected.get(name))
        for name in {**found, **expected}
        if found.get(name) != expected.get(name)
    ]


def check_whole(tap):
    """What is rare is in the formats that are read back; where it is left out, it is a frame of its
    own."""
    rng = random.Random(20)
    drawn = sorted(draw_stacks(rng, 3000, 300).items())
    few = [(("main", "a"), 1000000), (("main", "b", "c", "d"), 50), (("main", "b", "c", "e"), 20)]
    for stacks, what in ((drawn, "drawn stacks"), (few, "rare stacks")):
        words = [write_folded("whole.folded", stacks)]
        own, inclusive = own_and_total(stacks)
        sums = [
            (stacks_in_folded, "folded", words),
            (stacks_in_pprof, "pprof", words),
            (stacks_in_pprof, "pprof", ["-s", "-o", "-"] + words),
        ]
        for read, format, operands in sums:
            found = own_and_total(read(export(format, operands)))
            wrong = differing(found[0], own) + differing(found[1], inclusive)
            tap.ok(
                not wrong,
                "%s: %s: own and inclusive samples" % (" ".join([format] + operands), what),
                "%d: %s" % (len(wrong), "\n".join(wrong[:9])),
            )
        shown = list(stacks_in_speedscope(export("speedscope", words)))
        found = own_and_total(shown)
        others = {name for name in found[0] if "others]" in name}
        wrong = [name for name in set(found[0]) - others if found[0][name] > own.get(name, 0)]
        wrong += [name for name in set(found[1]) - others if found[1][name] > inclusive[name]]
        is_whole = sum(samples for _, samples in shown) == sum(samples for _, samples in stacks)
        tap.ok(
            not wrong and is_whole and others,
            "speedscope: %s: what is left out is no own time of callers" % what,
            str(wrong)[:500],
        )
    tap.ok(
        "[1 others]" in others and found[1]["main"] == 1000070,
        "speedscope: it is a frame of its own",
        found,
    )
    samples = [0] * 5001
    samples[0] = 60000
    for i in range(1, 5001):
        samples[i] = rng.randrange(1, 60)
    own = {"f%d" % i: number for i, number in enumerate(samples)}
    for words, what in (
        (write_flat("rare", samples), "a flat profile of rare functions"),
        (write_flat("called", samples, [(0, i) for i in range(1, 5001)]), "rare callees"),
    ):
        for read, format in ((stacks_in_folded, "folded"), (stacks_in_pprof, "pprof")):
            found = own_and_total(read(export(format, words)))
            inclusive = {"f0": sum(samples)} if what == "rare callees" else own
            wrong = differing(found[0], own) + differing(
                {name: found[1][name] for name in inclusive}, inclusive
            )
            tap.ok(
                not wrong, "%s: %s" % (format, what), "%d: %s" % (len(wrong), "\n".join(wrong[:9]))
            )


def figures(*words):
    """The own and inclusive times of functions, and the error of the former, and the unit, as JSON
    has them."""
    document = json.loads(export("json", ["--quiet", *words]))
    return {
        f["name"]: (f["self"], f["total"], f["error"]) for f in document["functions"] if f["total"]
    }, document["unit"]


def own_in_callgrind(data):
    found = Callgrind(data.decode())
    return {name: cost for name, cost in found.own.items() if cost}, found.head["events"]


def weights_in_speedscope(data):
    document = json.loads(data)
    frames, (profile,) = [frame["name"] for frame in document["shared"]["frames"]], document[
        "profiles"
    ]
    return [
        ([frames[frame] for frame in stack], weight)
        for stack, weight in zip(profile["samples"], profile["weights"])
    ]


def unlike(found, expected, rounding):
    """What differs by more than ROUNDING, or a millionth of all."""
    least = max(rounding, 1e-6 * sum(expected.values()))
    return [
        "%s: %s, not %s" % (name, found.get(name), expected.get(name))
        for name in {**found, **expected}
        if abs(found.get(name, 0) - expected.get(name, 0)) > least
    ]


def samples_of(stacks, period):
    """The text of perf script, of a sample for each stack, which weighs the number of the stack, as
    EVENT."""
    return "".join(
        "prog 100 %d.000001: %d %s: \n%s\n"
        % (
            i,
            weight,
            period,
            "".join(
                "\t%x %s+0x1 (/bin/prog)\n"
                % (4096 + 64 * int(name[1:] or 0 if name != "main" else 0), name)
                for name in reversed(stack)
            ),
        )
        for i, (stack, weight) in enumerate(stacks)
    )


def check_weights(tap):
    """Samples of unequal weights: formats have the weights, in whole numbers, and are read back as
    what they were."""
    rng = random.Random(21)
    drawn = sorted(draw_stacks(rng, 400, 40).items())
    heap = [
        (("main", "f%d" % i), weight)
        for i, weight in enumerate(
            [40000000, 5000000, 2000000, 900000, 500000, 300000, 150000, 40000, 9000, 1000]
        )
    ]
    faults = [
        (("main", "f%d" % i), weight)
        for i, weight in enumerate([40, 36, 27, 24, 18, 9, 9, 9, 9, 7, 6, 6])
    ]
    write(
        os.path.join(TEMP, "heap"),
        foreign.pprof(
            dict(heap), values=lambda weight: (weight,), types=[("space", "bytes")], period=0
        ),
    )
    for what, stacks, event, unit in (
        ("a heap", heap, "bytes", "MB"),
        ("page faults", faults, "page-faults", "page-faults"),
        ("drawn", drawn, "cycles", "M cycles"),
        ("a clock", [(stack, 1000 * weight) for stack, weight in drawn], "cpu-clock", "seconds"),
    ):
        path = "heap" if what == "a heap" else "weights"
        if path != "heap":
            write(os.path.join(TEMP, path), samples_of(stacks, event).encode())
        own, inclusive = own_and_total(stacks)
        words, size = ["--quiet", path], {"seconds": 1e9, "page-faults": 1}.get(unit, 1e6)
        before, found_unit = figures(path)
        tap.ok(found_unit == unit, "%s: unit %s" % (what, unit), found_unit)
        name = {"seconds": "nanoseconds"}.get(unit, event)
        for format, read in (
            ("folded", stacks_in_folded),
            ("pprof", lambda data: stacks_in_pprof(data, -1)),
            ("speedscope", weights_in_speedscope),
        ):
            data = export(format, words)
            found = own_and_total(read(data))
            if format == "speedscope":  # which leaves out what is rare
                found = [
                    {
                        name: weight * (1e9 if unit == "seconds" else 1)
                        for name, weight in sums.items()
                        if name in own
                    }
                    for sums in found
                ]
                wrong = unlike(
                    found[0], {name: own[name] for name in found[0]}, 1e-3 * sum(own.values())
                )
            else:
                wrong = unlike(found[0], own, 1) + unlike(found[1], inclusive, 1)
            tap.ok(
                not wrong,
                "%s: %s has the weights" % (format, what),
                "%d: %s" % (len(wrong), "\n".join(wrong[:9])),
            )
        tap.ok(
            Pprof(export("pprof", words)).types[-1]
            == {"seconds": "cpu", "MB": "space"}.get(unit, event),
            "pprof: %s: type" % what,
        )
        found, events = own_in_callgrind(export("callgrind", words))
        scale = 10 if unit == "seconds" else 1
        wrong = unlike({function: cost * scale for function, cost in found.items()}, own, scale)
        tap.ok(
            not wrong and events == {"seconds": "Time_(10ns)"}.get(unit, event),
            "callgrind: %s has the weights" % what,
            "%s: %s" % (events, "\n".join(wrong[:9])),
        )
        mark = "[sampled stacks: %.9g %s each];" % (
            sum(weight * weight for _, weight in stacks) / sum(own.values()),
            name,
        )
        tap.ok(
            export("folded", words)
            .decode()
            .startswith(mark[: mark.index(".") if "." in mark else None]),
            "folded: %s: what is counted" % what,
            mark,
        )
        both = [
            line.rsplit(" ", 2)
            for line in export("folded", ["--base=" + path, *words]).decode().splitlines()
        ]
        sides = [
            own_and_total([(line[0].split(";")[1:], int(line[i])) for line in both]) for i in (1, 2)
        ]
        wrong = [
            line
            for found in sides
            for line in unlike(found[0], own, 1) + unlike(found[1], inclusive, 1)
        ]
        tap.ok(
            not wrong and both[0][0].startswith("[sampled stacks: "),
            "folded --base: %s has the weights" % what,
            wrong[:9],
        )
        for format in ("json", "callgrind"):  # of which stacks are estimated
            write(os.path.join(TEMP, "stated"), export(format, words))
            for again, read in (
                ("folded", stacks_in_folded),
                ("pprof", lambda data: stacks_in_pprof(data, -1)),
            ):
                data = export(again, ["--quiet", "stated"])
                wrong = unlike(own_and_total(read(data))[0], own, 20)
                write(os.path.join(TEMP, "back"), data)
                tap.ok(
                    not wrong and figures("back")[1] == unit,
                    "%s of %s: %s has the weights" % (again, format, what),
                    wrong[:9],
                )
        for format in ("folded", "pprof", "callgrind"):
            write(os.path.join(TEMP, "back"), export(format, words))
            after, after_unit = figures("back")
            wrong = [
                line
                for i in (0, 1)
                for line in unlike(
                    {f: t[i] * size for f, t in after.items()},
                    {f: t[i] * size for f, t in before.items()},
                    20,
                )
            ]
            largest = max(before, key=lambda name: before[name][0])
            if (
                format != "pprof"
                and abs(after[largest][2] - before[largest][2]) > 1e-3 * before[largest][2]
            ):
                wrong.append("errors %s, not %s" % (after[largest][2], before[largest][2]))
            tap.ok(
                not wrong and after_unit == unit,
                "%s: %s is read back" % (format, what),
                "%s: %s" % (after_unit, "\n".join(wrong[:9])),
            )


def on_terminal(words):
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [harness.GPROF] + words, cwd=TEMP, env=harness.ENV, stdout=slave, stderr=subprocess.PIPE
    )
    os.close(slave)
    fcntl.fcntl(master, fcntl.F_SETFL, os.O_NONBLOCK)
    err = process.communicate()[1]
    os.close(master)
    return process.returncode, err.decode()


def check_refusals(tap):
    words = ["--format=benchmark", "--columns=name,calls", "image", "gmon.out"]
    tap.refused(
        words, "--format=benchmark and --columns without a time cannot be used together", TEMP
    )
    status, err = on_terminal(["--format=pprof", "image", "gmon.out"])
    tap.ok(
        status == 1 and "not written to a terminal" in err,
        "pprof is not written to a terminal",
        err,
    )
    for words in ["--format=html"], ["--format=html", "-o", "-"]:
        status, err = on_terminal(words + ["image", "gmon.out"])
        tap.ok(
            status == 1 and "not written to a terminal; use -o image.html\n" in err,
            " ".join(words) + " neither",
            err,
        )
    status, err = on_terminal(["--format=pprof", "-o", "file", "image", "gmon.out"])
    data = harness.read(os.path.join(TEMP, "file"))
    tap.ok(
        status == 0 and data == export("pprof", ["image", "gmon.out"]),
        "but to a file, and always the same",
        err,
    )


def check_picture(tap):
    """The picture of the manual says what dot is given today."""
    import html

    import manual

    directory = os.path.join(TEMP, "material")
    manual.build(directory)
    out = harness.run([harness.GPROF, "--format=dot", "calc"], directory)[1].decode()
    labels = re.findall(r'label="([^"]*)"', out)
    expected = sorted(line for label in labels for line in re.split(r"\\[nl]", label) if line)
    picture = harness.read(os.path.join(harness.SRCDIR, "doc", "graph.svg")).decode()
    shown = sorted(
        html.unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", picture)
    )
    what = "doc/graph.svg is as --format=dot (else: make update-picture)"
    tap.ok(
        shown == expected and len(picture) < 20000,
        what,
        harness.diff("\n".join(expected).encode(), "\n".join(shown).encode()),
    )


def check_programs(tap, validate):
    for program in programs.PROGRAMS[:: harness.SAMPLE * harness.sized(3, 1)]:
        directory, why = programs.build(program)
        if not directory:
            tap.skip(program.name, why)
            continue
        words = [os.path.join(directory, name) for name in ("image", "gmon.out")]
        check_all(tap, words, program.name, validate)
        check_lines(tap, words, program.name)
        for options in ([], ["-l"]):
            check_each(
                tap, options, words[0], words[1:] * 2, " ".join([program.name] + options), validate
            )


def check_implied(tap):
    """The end of a file's name implies a format; a browser gets the path of a page."""
    path = lambda name: os.path.join(TEMP, name)
    own = [(name, name) for name in ("html", "json", "csv", "tsv", "dot", "folded", "callgrind")]
    others = [
        ("md", "markdown"),
        ("speedscope.json", "speedscope"),
        ("pb.gz", "pprof"),
        ("pprof", "pprof"),
        ("pb", "pprof"),
        ("pprof.gz", "pprof"),
    ]
    for ending, format in own + others:
        named = harness.run(
            [harness.GPROF, "--quiet", "--format=" + format, "-o", "named", "image", "gmon.out"],
            TEMP,
        )
        implied = harness.run(
            [harness.GPROF, "--quiet", "-o", "implied." + ending, "image", "gmon.out"], TEMP
        )
        same = harness.read(path("named")) == harness.read(path("implied." + ending))
        tap.ok(named[0] == implied[0] == 0 and same, "-o implied.%s" % ending, implied)
    for name in ("x.svg", "x.png", "x.pdf", "x.jpg", "x.jpeg", "x.svgz", "x.ps", "x.webp", "X.SVG"):
        tap.refused(
            ["-o", name, "image", "gmon.out"], name + ": other programs draw pictures", TEMP
        )
    for words in (
        ["-o", "x.json.gz"],
        ["-o", "x.folded.zst"],
        ["-o", "x.txt.gz"],
        ["--format=json", "-o", "x.gz"],
    ):
        said = words[-1] + ": only --format=pprof output is compressed"
        tap.refused([*words, "image", "gmon.out"], said, TEMP)
    packed = harness.run(
        [harness.GPROF, "--quiet", "-s", "-o", "sum.gz", "image", "gmon.out"], TEMP
    )
    tap.ok(packed[0] == 0, "a sum in a file of any name", packed)
    harness.run(
        [harness.GPROF, "-b", "--format=text", "-o", "text.html", "image", "gmon.out"], TEMP
    )
    tap.ok(
        harness.read(path("text.html")).startswith(b"Flat profile"), "--format=text -o text.html"
    )
    harness.run([harness.GPROF, "-s", "-o", "sum.json", "image", "gmon.out"], TEMP)
    tap.ok(
        harness.read(path("sum.json")).startswith(b"gmon"), "a sum is a profile, whatever its name"
    )
    tap.refused(
        ["--top", "-o", "top.html", "image", "gmon.out"],
        "--output=NAME.html and --top cannot be used together",
        TEMP,
    )
    tap.refused(
        ["-p", "-o", "flat.csv", "image", "gmon.out"],
        "--output=NAME.csv and --flat-profile cannot be used together",
        TEMP,
    )
    tap.refused(
        ["--open", "--format=csv", "image", "gmon.out"],
        "--open and --format=csv cannot be used together",
        TEMP,
    )
    os.makedirs(path("opened-pages"))
    write(path("user-browser"), b'#!/bin/sh\necho "$@" > shown.part; mv shown.part shown\n')
    os.chmod(path("user-browser"), 0o755)
    env = dict(harness.ENV, BROWSER="./user-browser -new", TMPDIR=path("opened-pages"))
    result = harness.run([harness.GPROF, "--quiet", "--open", "image", "gmon.out"], TEMP, env)
    harness.wait_until(lambda: os.path.exists(path("shown")))
    word, _, shown = harness.read(path("shown")).decode().strip().partition(" ")
    made = [os.path.join(path("opened-pages"), name) for name in os.listdir(path("opened-pages"))]
    page = harness.read(shown) if os.path.exists(shown) else b""
    tap.ok(
        result[:2] == (0, b"")
        and word == "-new"
        and [shown] == made
        and page == harness.read(path("implied.html")),
        "--open shows a new page in $BROWSER",
        result,
    )
    os.remove(path("shown"))
    result = harness.run(
        [harness.GPROF, "--quiet", "--open", "-o", "mine.html", "image", "gmon.out"], TEMP, env
    )
    harness.wait_until(lambda: os.path.exists(path("shown")))
    tap.ok(
        harness.read(path("shown")) == b"-new mine.html\n"
        and os.listdir(path("opened-pages")) == [os.path.basename(shown)],
        "--open -o mine.html",
        result,
    )
    os.remove(path("shown"))
    listed = dict(env, BROWSER="nowhere:./user-browser %s last")
    result = harness.run(
        [harness.GPROF, "--quiet", "--open", "-o", "mine.html", "image", "gmon.out"], TEMP, listed
    )
    harness.wait_until(lambda: os.path.exists(path("shown")))
    tap.ok(
        harness.read(path("shown")) == b"mine.html last\n",
        "the first browser of a list that works",
        result,
    )
    tap.refused(
        ["--open", "-o", "x.csv", "image", "gmon.out"],
        "--open and --output=NAME.csv cannot be used together",
        TEMP,
    )
    del env["BROWSER"]
    result = harness.run(
        [harness.GPROF, "--quiet", "--open", "-o", "mine.html", "image", "gmon.out"],
        TEMP,
        dict(env, PATH=TEMP),
    )
    tap.ok(
        result[0] == 1 and b"mine.html: no browser could be started" in result[2],
        "no browser",
        result,
    )
    result = harness.run([harness.GPROF, "--quiet", "--open", "image", "nothing"], TEMP, env)
    tap.ok(
        result[0] == 1 and len(os.listdir(path("opened-pages"))) == 1,
        "no page is left of a profile that cannot be read",
        result,
    )


def main():
    tap = harness.Tap()
    make_profiles()
    validate = speedscope_validator()
    for words, what in MATERIAL:
        check_all(tap, words, what, validate)
        if "-l" not in words:
            check_lines(tap, words, what)
    check_lines(tap, ["-k", "main/leaf", "image", "gmon.out"], "calls that are left out")
    from_file = export("callgrind", ["-l", "image", "gmon.out"])
    with open(os.path.join(TEMP, "gmon.out"), "rb") as file:
        piped = harness.run(
            [harness.GPROF, "--quiet", "--format=callgrind", "-l", "image", "-"], TEMP, stdin=file
        )
    tap.ok(
        piped[0] == 0 and piped[1] == from_file, "callgrind -l: a profile on standard input", piped
    )
    check_dot_names(tap)
    open_in_speedscope(tap, ["image", "gmon.out"], "a profile")
    open_in_speedscope(tap, ["hostile", "hostile.gmon"], "names of all kinds")
    open_in_speedscope(tap, ["empty", "empty.gmon"], "an empty profile")
    draw_pprof(tap, ["image", "cycle"], "a cycle")
    draw_pprof(tap, ["hostile", "hostile.gmon"], "names of all kinds")
    check_names(tap)
    check_raw_names(tap)
    check_selection(tap)
    check_whole(tap)
    check_weights(tap)
    check_each_profile(tap, validate)
    check_refusals(tap)
    check_implied(tap)
    check_picture(tap)
    check_many(tap, validate)
    check_programs(tap, validate)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
