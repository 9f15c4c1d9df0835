#!/usr/bin/env python3
"""Profiles of other profilers in JSON: those of speedscope, and .cpuprofile of V8.

Figures are compared with those that are computed here from the same samples, in each kind of
profile, with what a
real run of node says of a program whose shares are known, and with the profile that
--format=speedscope wrote.  Files
that cannot be used are refused with their name and place.

With CHECK_LONG=1, more samples and damaged files are drawn.
"""

import sys

sys.dont_write_bytecode = True

import gzip
import itertools
import json
import math
import random
import shutil

import foreign
from foreign import difference, figures, gprof, place
from lib import harness, stack_model
from lib.harness import TEMP, write

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
SIZES = {
    "none": 1,
    "nanoseconds": 1e9,
    "microseconds": 1e6,
    "milliseconds": 1e3,
    "seconds": 1,
    "bytes": 1e6,
}
PROGRAM = """
const sink = new Float64Array(1);
function spin(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i * 0.5; sink[0] += sum; }
function heavy() { spin(3600000); sink[0]++; }
function light() { spin(900000); sink[0]++; }
function deep(d) { if (d > 0) deep(d - 1); else spin(400000); sink[0]++; }
function rest() { spin(100000); sink[0]++; }
function main() { for (let i = 0; i < 100; i++) { heavy(); light(); deep(5); rest(); } }
main();
"""


def as_json(value, **style):
    return json.dumps(value, **style).encode()


# ---- Samples, and what they say ----


def draw_samples(rng, weigh):
    """[(stack, weight)], one for each sample, in any order."""
    samples = [
        (stack, weigh())
        for stack, count in foreign.draw_stacks(rng).items()
        for _ in range(min(count, 60))
    ]
    rng.shuffle(samples)
    return samples


def model(samples, size=1.0):
    """What figures() should find, and by how much rounding to whole samples may change it, computed
    from the samples alone."""
    whole = sum(weight for _, weight in samples)
    one = sum(weight * weight for _, weight in samples) / whole
    found = {
        name: (*amounts, *(math.sqrt(amount * one / size) for amount in amounts))
        for name, amounts in stack_model.figures(samples, size).items()
    }
    return found, len(set(stack for stack, _ in samples)) * one / size / 500


def rounded_difference(found, expected, rounding):
    """Like difference, if weights are not equal: amounts are whole numbers of samples of average
    weight."""
    if set(found) != set(expected):
        return "functions: %s" % sorted(set(found) ^ set(expected))
    for name, numbers in expected.items():
        for i in (0, 1):
            if numbers[i + 2] is None:  # measured, not sampled
                if found[name][i + 2] is not None or abs(found[name][i] - numbers[i]) > rounding:
                    return "%s: %s, not %s" % (name, found[name], numbers)
                continue
            one = numbers[i + 2] ** 2 / numbers[i] if numbers[i] else 0
            error = math.sqrt(found[name][i] * one)
            if abs(found[name][i] - numbers[i]) > rounding or (
                one and abs(found[name][i + 2] - error) > 1e-6 * error
            ):
                return "%s: %s, not %s" % (name, found[name], numbers)
    return ""


# ---- Writers ----


def frames_of(stacks):
    """Numbers of names."""
    numbers = {}
    for stack in stacks:
        for name in stack:
            numbers.setdefault(name, len(numbers))
    return numbers


def scope(profiles, frames, **more):
    """A file of speedscope; FRAMES are names, or frames."""
    listed = [frame if isinstance(frame, dict) else {"name": frame} for frame in frames]
    return {"$schema": SCHEMA, "shared": {"frames": listed}, "profiles": profiles, **more}


def sampled(stacks, weights, unit="none", name="p", **more):
    return {
        "type": "sampled",
        "name": name,
        "unit": unit,
        "startValue": 0,
        "endValue": sum(weights),
        "samples": stacks,
        "weights": weights,
        **more,
    }


def evented(events, unit="none", name="p"):
    listed = [{"type": kind, "at": at, "frame": frame} for kind, at, frame in events]
    return {
        "type": "evented",
        "name": name,
        "unit": unit,
        "startValue": 0,
        "endValue": events[-1][1] if events else 0,
        "events": listed,
    }


def scope_of_samples(samples, unit):
    numbers = frames_of(stack for stack, _ in samples)
    return scope(
        [
            sampled(
                [[numbers[n] for n in stack] for stack, _ in samples],
                [weight for _, weight in samples],
                unit,
            )
        ],
        numbers,
    )


def scope_of_events(samples, unit, start=1000):
    """Closes and opens what differs between the stacks of two samples."""
    numbers = frames_of(stack for stack, _ in samples)
    events, at, open_stack = [], start, ()
    for stack, weight in samples + [((), 0)]:
        same = 0
        while same < min(len(stack), len(open_stack)) and stack[same] == open_stack[same]:
            same += 1
        events += [("C", at, numbers[n]) for n in reversed(open_stack[same:])] + [
            ("O", at, numbers[n]) for n in stack[same:]
        ]
        at, open_stack = at + weight, stack
    return scope([evented(events, unit)], numbers)


def stretches(samples):
    """The samples of events: one for each stretch without a change."""
    found = []
    for stack, weight in samples:
        if found and found[-1][0] == stack:
            found[-1] = (stack, found[-1][1] + weight)
        else:
            found.append((stack, weight))
    return found


def node(number, name, children=(), url="", line=-1, **more):
    call = {
        "functionName": name,
        "scriptId": "7",
        "url": url,
        "lineNumber": line,
        "columnNumber": -1,
    }
    return {"id": number, "callFrame": call, "children": list(children), **more}


def tree_of(stacks):
    """Nodes of stacks, with ids that are neither in order nor without holes, and {stack: node}."""
    nodes = {(): node(5, "(root)")}
    for stack in stacks:
        for depth in range(1, len(stack) + 1):
            if stack[:depth] not in nodes:
                nodes[stack[:depth]] = node(1000 - 3 * len(nodes), stack[depth - 1])
                nodes[stack[: depth - 1]]["children"].append(nodes[stack[:depth]]["id"])
    return nodes


def v8(nodes, samples=(), deltas=(), start=0, end=0, **more):
    return {
        "nodes": nodes,
        "startTime": start,
        "endTime": end,
        "samples": list(samples),
        "timeDeltas": list(deltas),
        **more,
    }


def v8_of_samples(samples):
    """Some samples are idle in between."""
    nodes = tree_of([stack for stack, _ in samples] + [("(idle)",)])
    ids, deltas = [], [77]
    for i, (stack, weight) in enumerate(samples):
        ids.append(nodes[stack]["id"])
        deltas.append(weight)
        if i % 5 == 0:
            ids.append(nodes[("(idle)",)]["id"])
            deltas.append(4321)
    return v8(list(nodes.values()), ids, deltas[:-1], 5000, 5000 + sum(deltas))


def v8_of_hits(samples):
    nodes = tree_of([stack for stack, _ in samples])
    for stack, _ in samples:
        nodes[stack]["hitCount"] = nodes[stack].get("hitCount", 0) + 1
    return {"nodes": list(nodes.values()), "startTime": 1, "endTime": 2}


# ---- Checks ----


def check_figures(tap):
    """Drawn samples in each kind of profile: of one weight, and of many."""
    rng = random.Random(7)
    forms = [
        (
            "samples of speedscope, " + unit,
            lambda samples, unit=unit: scope_of_samples(samples, unit),
            list,
            size,
        )
        for unit, size in SIZES.items()
    ]
    forms += [
        (
            "events of speedscope",
            lambda samples: scope_of_events(samples, "milliseconds"),
            stretches,
            1e3,
        ),
        ("V8", v8_of_samples, list, 1e6),
    ]
    for what, writer, counted, size in forms:
        wrong = ""
        for draw in range(harness.sized(4, 200)):
            is_equal = draw % 2 == 0
            samples = draw_samples(
                rng, lambda: 2500 if is_equal else rng.choice([0, 1, 17, 900, 2500, 2600])
            )
            counts = counted(samples)
            write(
                place("drawn"),
                as_json(
                    writer(samples), indent=rng.choice([None, 2]), sort_keys=rng.random() < 0.5
                ),
            )
            expected, rounding = model([sample for sample in counts if sample[1] > 0], size)
            if counted is stretches:
                expected = {name: row[:2] + (None, None) for name, row in expected.items()}
            found = figures("drawn")
            if is_equal and counted is list:
                wrong = wrong or difference(found, expected)
            else:
                few = {
                    name
                    for name in set(found) ^ set(expected)
                    if name in found or expected[name][1] <= rounding
                }
                wrong = wrong or rounded_difference(
                    *(
                        {n: f for n, f in side.items() if n not in few}
                        for side in (found, expected)
                    ),
                    rounding
                )
        tap.ok(not wrong, "%s: drawn samples" % what, wrong)
    samples = draw_samples(rng, lambda: 1)
    write(place("drawn"), as_json(v8_of_hits(samples)))
    wrong = difference(figures("drawn"), model(samples)[0])
    tap.ok(not wrong, "V8: numbers of samples", wrong)


def changed(document, *steps):
    """A copy of DOCUMENT in which the value at the end of STEPS is another; None: it is missing."""
    copy = json.loads(json.dumps(document))
    at = copy
    for step in steps[:-2]:
        at = at[step]
    if steps[-1] is None:
        del at[steps[-2]]
    else:
        at[steps[-2]] = steps[-1]
    return copy


S = [[0, 1], [0]]
TREE = [
    node(1, "(root)", [2, 3, 4]),
    node(2, "main", [5]),
    node(3, "(program)"),
    node(4, "(idle)"),
    node(5, "f"),
]
BOTH = [sampled(S, [3, 4], name="a"), sampled([[0, 2]], [5], name="b")]
UNITS = [sampled(S, [3, 4], "seconds"), sampled([[0, 2]], [5000000], "bytes")]

# (what, document, {name: (self, total)}, words)
TRAPS = [
    ("samples", scope([sampled(S, [3, 3])], ["main", "f"]), {"main": (3, 6), "f": (3, 3)}, []),
    (
        "weights of 0, and empty stacks",
        scope([sampled([[0, 1], [], [0]], [4, 9, 0])], ["main", "f"]),
        {"main": (0, 4), "f": (4, 4)},
        [],
    ),
    ("recursion", scope([sampled([[0, 0, 0]], [4])], ["f"]), {"f": (4, 4)}, []),
    (
        "places that are null",
        scope([sampled([[0]], [4])], [{"name": "f", "file": None, "line": None, "col": None}]),
        {"f": (4, 4)},
        [],
    ),
    ("a frame without a name", scope([sampled([[0]], [4])], [""]), {"[unknown]": (4, 4)}, []),
    (
        "names with control characters",
        scope([sampled([[0]], [4])], ["a\n\x1bb"]),
        {r"a\x0a\x1bb": (4, 4)},
        [],
    ),
    (
        "events",
        scope(
            [
                evented(
                    [("O", 1, 0), ("O", 1, 1), ("C", 3, 1), ("O", 3, 1), ("C", 5, 1), ("C", 5, 0)]
                )
            ],
            ["main", "f"],
        ),
        {"main": (0, 4), "f": (4, 4)},
        [],
    ),
    (
        "nothing runs between events",
        scope([evented([("O", 1, 0), ("C", 3, 0), ("O", 9, 0), ("C", 11, 0)], "seconds")], ["f"]),
        {"f": (4, 4)},
        [],
    ),
    (
        "profiles are added up",
        scope([sampled(S, [3, 3]), sampled(S, [3, 3])], ["main", "f"]),
        {"main": (6, 12), "f": (6, 6)},
        [],
    ),
    (
        "--program",
        scope([sampled(S, [4, 4], name="a b"), sampled(S, [3, 3], name="b")], ["main", "f"]),
        {"main": (4, 8), "f": (4, 4)},
        ["--program=a b"],
    ),
    (
        "--thread",
        scope([sampled(S, [4, 4], name="a b"), sampled(S, [3, 3], name="b")], ["main", "f"]),
        {"main": (4, 8), "f": (4, 4)},
        ["--thread=a b"],
    ),
    (
        "the first of several units",
        scope([sampled(S, [3, 3], "seconds")] + UNITS[1:], ["main", "f", "g"]),
        {"main": (3, 6), "f": (3, 3)},
        [],
    ),
    ("--value", scope(UNITS, ["main", "f", "g"]), {"main": (0, 5), "g": (5, 5)}, ["--value=bytes"]),
    (
        "idle time",
        v8(TREE, [5, 4, 3, 2], [100, 10, 20, 10], 0, 150),
        {"f": (1e-5, 1e-5), "(program)": (1e-5, 1e-5), "main": (1e-5, 2e-5)},
        [],
    ),
    (
        "times that go back",
        v8(TREE, [5, 2, 5], [100, 10, -5], 0, 115),
        {"f": (1e-5, 1e-5), "main": (5e-6, 15e-6)},
        [],
    ),
    (
        "no end",
        changed(v8(TREE, [5, 2, 5], [100, 10, 30], 0, 1), "endTime", None),
        {"f": (3e-5, 3e-5), "main": (3e-5, 6e-5)},
        [],
    ),
    (
        "events that are not closed",
        scope(
            [evented([("O", 0, 0), ("O", 2, 1), ("C", 4, 1), ("O", 4, 1), ("O", 6, 0)])], ["f", "g"]
        ),
        {"f": (2, 6), "g": (4, 4)},
        [],
    ),
    (
        "an end before the last sample",
        v8(TREE, [5, 2], [100, 10], 0, 90),
        {"f": (1e-5, 1e-5), "main": (0, 1e-5)},
        [],
    ),
    (
        "no name",
        v8([node(1, "(root)", [2]), node(2, "")], [2], [0], 0, 8),
        {"(anonymous)": (8e-6, 8e-6)},
        [],
    ),
    (
        "several roots",
        v8([node(1, "f"), node(2, "g", [3]), node(3, "f")], [1, 3], [0, 4], 0, 8),
        {"f": (8e-6, 8e-6), "g": (0, 4e-6)},
        [],
    ),
    (
        "functions with names of V8",
        v8([node(1, "(root)", [2]), node(2, "(root)", [3]), node(3, "(idle)")], [3], [0], 0, 8),
        {"(idle)": (8e-6, 8e-6), "(root)": (0, 8e-6)},
        [],
    ),
    (
        "a sample in the root",
        v8(TREE, [1, 5], [0, 4], 0, 8),
        {"<unknown>": (4e-6, 4e-6), "f": (4e-6, 4e-6), "main": (0, 4e-6)},
        [],
    ),
    (
        "numbers of samples only",
        {"nodes": [node(1, "(root)", [2], hitCount=0), node(2, "f", hitCount=7)]},
        {"f": (7, 7)},
        [],
    ),
]


def check_traps(tap):
    foreign.check_rows(tap, TRAPS, [], as_json)
    write(place("trap"), as_json(scope([sampled([[0, 1, 0]], [4])], ["<unknown>", "f"])))
    found = figures("trap")
    tap.ok(found["f"][:2] == (0, 4), "a stack that is cut at both ends", found)
    write(place("trap"), as_json(scope(UNITS, ["main", "f", "g"])))
    err = gprof("--top", "trap")[1]
    tap.ok(
        "trap: shows seconds; --value chooses among seconds bytes" in err,
        "a note names other units",
        err,
    )
    write(place("trap"), as_json(v8(TREE, [1, 5], [0, 4], 0, 8)))
    out = gprof("--top", "trap")[0]
    tap.ok("50.0 % of the stacks are cut" in out, "a stack that is not known is cut", out)


def check_counts(tap):
    """`sampleWeight' says how many samples there are; a profile without it has one for each
    stack."""
    stacks, weights = [[0, 1], [0]], [300, 100]
    for what, more, error in (
        ("with", {"sampleWeight": 2}, math.sqrt(300 * 2)),
        ("without", {}, math.sqrt(300 * (300**2 + 100**2) / 400)),
    ):
        write(place("counts"), as_json(scope([sampled(stacks, weights, **more)], ["main", "f"])))
        found = figures("counts")["f"]
        tap.ok(
            abs(found[2] ** 2 / found[0] - error**2 / 300) < 1e-6,
            what + " sampleWeight",
            "%s, not %g" % (found, error),
        )


def check_places(tap):
    frames = [
        {"name": "main", "file": "a.js", "line": 3, "col": 1},
        {"name": "f", "file": "/b.js", "line": 7},
    ]
    nodes = [
        node(1, "(root)", [2]),
        node(2, "main", [3], "file:///a.js", 2),
        node(3, "f", [], "https://x/b.js", 0),
    ]
    for what, document, expected in (
        ("speedscope", scope([sampled(S, [300, 300])], frames), ["a.js,3,main", "/b.js,7,f"]),
        ("V8", v8(nodes, [3, 2], [0, 300], 0, 600), ["/a.js,3,main", "https://x/b.js,1,f"]),
    ):
        write(place("places"), as_json(document))
        out = gprof(
            "--quiet", "--top", "--by=line", "--format=csv", "--columns=file,line,name", "places"
        )[0]
        tap.ok(
            sorted(out.replace('"', "").split()[1:]) == sorted(expected),
            "files and lines of " + what,
            out,
        )


def draw_homes(rng):
    """Samples of functions that share names, and base names of files: [(stack, weight)]; a function
    is (name, path)."""
    paths = ["/r/a/x.js", "/r/b/x.js", "/r/b/a/x.js", "x.js", "/r/b/y.js", "/q/b/y.js"]
    functions = [
        (name, path)
        for name in ("run", "read (all)")
        for path in rng.sample(paths, rng.randrange(1, 6))
    ]
    return [
        (rng.sample(functions, rng.randrange(1, 3)), rng.randrange(1, 9) / 8) for _ in range(40)
    ]


def homes_scope(samples):
    known = sorted({function for stack, _ in samples for function in stack})
    stacks = [[known.index(function) for function in stack] for stack, _ in samples]
    frames = [{"name": name, "file": path, "line": 1} for name, path in known]
    return as_json(scope([sampled(stacks, [weight for _, weight in samples], "seconds")], frames))


def own_of_homes(samples):
    return dict(stack_model.own_and_total(samples)[0])


def shown_homes(*words):
    """Own times by name and path, of what has any.  Names differ, and end as their paths do."""
    functions = json.loads(gprof("--quiet", "--format=json", *words)[0])["functions"]
    names = {function["name"] for function in functions}
    own = {}
    for function in functions:
        name, path = function["name"], function["file"]
        plain = next(known for known in ("run", "read (all)") if name.startswith(known))
        end = name[len(plain) :]
        if len(names) < len(functions) or (end and not ("/" + path + ")").endswith("/" + end[2:])):
            raise RuntimeError("%s in %s among %s" % (name, path, names))
        if function["self"] > 0:
            own[plain, path] = function["self"]
    return own


def homes_difference(found, expected):
    wrong = {key for key in expected if key in found and abs(found[key] - expected[key]) > 1e-3}
    return (
        str(sorted(set(found) ^ set(expected)) + sorted(wrong))
        if wrong or set(found) != set(expected)
        else ""
    )


def check_homes(tap):
    """A function is its name and the whole path of its file: in a file, in what we write of it, and
    in sums."""
    for seed in range(harness.sized(4, 40)):
        rng = random.Random(seed)
        samples, more = draw_homes(rng), draw_homes(rng)
        write(place("a.json"), homes_scope(samples))
        write(place("b.json"), homes_scope(more))
        one, both = own_of_homes(samples), own_of_homes(samples + more)
        wrong = homes_difference(shown_homes("a.json"), one)
        tap.ok(not wrong, "draw %d: functions of one name" % seed, wrong)
        for kind in ("json", "pprof", "speedscope"):
            for words in (("a.json",), ("a.json", "b.json")):
                sums = ["-s"] if len(words) > 1 else []
                gprof("--quiet", "--format=" + kind, "-o", "made", *sums, *words)
                wrong = homes_difference(shown_homes("made"), both if sums else one)
                tap.ok(not wrong, "draw %d: %s of %d" % (seed, kind, len(words)), wrong)
        gprof("--quiet", "--format=speedscope", "-o", "made", "a.json")
        wrong = homes_difference(shown_homes("made", "b.json"), both)
        tap.ok(not wrong, "draw %d: what we wrote, and another file" % seed, wrong)


def check_recognition(tap):
    """By their contents, whatever the order of members, as far as the first 16 kB tell."""
    document, v8_file = scope([sampled(S, [3, 3])], ["main", "f"]), v8(TREE, [5], [0], 0, 10)
    long = {"exporter": "x" * 9000}
    many = {"samples": [[0, 1]] * 9000, "weights": [1] * 9000}
    first = {
        key: document["profiles"][0][key]
        for key in ("type", "name", "unit", "endValue", "startValue")
    }
    cases = [
        ("speedscope", as_json(document)),
        ("speedscope, in lines", b"\n\r\t " + as_json(document, indent=4)),
        ("speedscope, sorted", as_json(document, sort_keys=True)),
        (
            "speedscope, $schema last",
            as_json(
                {"shared": document["shared"], "profiles": document["profiles"], "$schema": SCHEMA}
            ),
        ),
        (
            "speedscope, no $schema",
            as_json({**long, "shared": document["shared"], "profiles": document["profiles"]}),
        ),
        (
            "speedscope, many samples first",
            as_json({"profiles": [{**first, **many}], "shared": document["shared"]}),
        ),
        ("speedscope, gzip", gzip.compress(as_json(document))),
        ("V8", as_json(v8_file)),
        ("V8, in lines", as_json(v8_file, indent=4)),
        ("V8, sorted", as_json(v8_file, sort_keys=True)),
        (
            "V8, times first",
            as_json(
                {
                    "startTime": 1,
                    "endTime": 9000,
                    "samples": [5] * 9000,
                    "timeDeltas": [1] * 9000,
                    "nodes": TREE,
                }
            ),
        ),
        (
            "V8, one long line with semicolons",
            as_json(
                {
                    "nodes": TREE + [node(9, ";" * 20000)],
                    **{k: v8_file[k] for k in v8_file if k != "nodes"},
                }
            ),
        ),
        ("V8, gzip", gzip.compress(as_json(v8_file))),
    ]
    for what, data in cases:
        write(place("file"), data)
        for words, stdin in ((["file"], None), (["-"], data)):
            try:
                tap.ok(
                    "f" in figures(*words, stdin=stdin),
                    "recognised%s: %s" % (" on standard input" if stdin else "", what),
                )
            except RuntimeError as error:
                tap.ok(False, "recognised: " + what, error)
    others = scope([sampled(S, [3, 3])], ['"nodes":[{"callFrame":{', '"shared":{"frames":[{'])
    write(place("file"), as_json(others))
    gprof("--quiet", "--format=json", "-o", "report", "file")
    for what, data in (
        ("our JSON", harness.read(place("report"))),
        ("other JSON", as_json({"shared": 1, "frames": [], "meta": {"nodes": [{"callFrame": 1}]}})),
    ):
        write(place("other"), data)
        err = harness.run([harness.GPROF, "--top", "other"], cwd=TEMP)[2]
        tap.ok(b"member `" not in err, "not recognised: " + what, err)


GOOD = scope([sampled(S, [3, 4])], ["main", "f"])
EVENTS = scope(
    [sampled(S, [3, 4]), evented([("O", 1, 0), ("O", 1, 1), ("C", 3, 1), ("C", 5, 0)])],
    ["main", "f"],
)
NODES = v8(TREE, [5, 4, 3, 2], [100, 10, 20, 10], 0, 150)
EVENT = ("profiles", 1, "events")

# (what, document, part of the message, words)
BAD = [
    ("not JSON", b'{"$schema":"%s"' % SCHEMA.encode(), "bad:1: not valid JSON", []),
    ("lists that are too deep", b'{"nodes":[{"callFrame":' + 100000 * b"[", "not valid JSON", []),
    (
        "no shared frames",
        changed(GOOD, "shared", None),
        "bad: member `shared' is missing or wrong",
        [],
    ),
    (
        "frames that are no list",
        changed(GOOD, "shared", "frames", 7),
        "bad: member `frames' is missing or wrong",
        [],
    ),
    (
        "a frame that is no object",
        changed(GOOD, "shared", "frames", 1, 7),
        "bad: frames[1]: member `name' is missing or wrong",
        [],
    ),
    (
        "a name that is no text",
        changed(GOOD, "shared", "frames", 1, "name", 7),
        "bad: frames[1]: member `name'",
        [],
    ),
    (
        "a file that is no text",
        changed(GOOD, "shared", "frames", 1, "file", 7),
        "bad: frames[1]: member `file'",
        [],
    ),
    (
        "a line that is no number",
        changed(GOOD, "shared", "frames", 1, "line", "7"),
        "bad: frames[1]: member `line'",
        [],
    ),
    ("no profiles", changed(GOOD, "profiles", None), "bad: member `profiles' is missing", []),
    ("an empty list of profiles", changed(GOOD, "profiles", []), "bad: has no samples", []),
    (
        "a profile that is no object",
        changed(GOOD, "profiles", 0, 7),
        "bad: profiles[0]: member `unit'",
        [],
    ),
    (
        "an unknown unit",
        changed(GOOD, "profiles", 0, "unit", "hours"),
        "bad: profiles[0]: member `unit' is missing or wrong",
        [],
    ),
    (
        "an unknown type",
        changed(GOOD, "profiles", 0, "type", "other"),
        "bad: profiles[0]: member `type' is missing or wrong",
        [],
    ),
    (
        "no samples",
        changed(GOOD, "profiles", 0, "samples", None),
        "bad: profiles[0]: member `samples'",
        [],
    ),
    (
        "a weight too few",
        changed(GOOD, "profiles", 0, "weights", [1]),
        "bad: profiles[0]: member `weights'",
        [],
    ),
    (
        "a weight that is no number",
        changed(GOOD, "profiles", 0, "weights", 1, "4"),
        "bad: profiles[0]: member `weights[1]'",
        [],
    ),
    (
        "a negative weight",
        changed(GOOD, "profiles", 0, "weights", 1, -4),
        "bad: profiles[0]: member `weights[1]'",
        [],
    ),
    (
        "a weight that is too large",
        changed(GOOD, "profiles", 0, "weights", 1, 1e300),
        "bad: has samples with weights that are too large",
        [],
    ),
    (
        "a number that is no double",
        as_json(GOOD).replace(b"[3, 4]", b"[3, 1e999]"),
        "bad:1: not valid JSON",
        [],
    ),
    (
        "a stack that is no list",
        changed(GOOD, "profiles", 0, "samples", 1, 0),
        "bad: profiles[0]: member `samples[1]'",
        [],
    ),
    (
        "a frame that is not there",
        changed(GOOD, "profiles", 0, "samples", 1, [0, 2]),
        "bad: profiles[0]: member `samples[1]'",
        [],
    ),
    (
        "a negative frame",
        changed(GOOD, "profiles", 0, "samples", 1, [-1]),
        "bad: profiles[0]: member `samples[1]'",
        [],
    ),
    (
        "a frame that is no whole number",
        changed(GOOD, "profiles", 0, "samples", 1, [0.5]),
        "bad: profiles[0]: member `samples[1]'",
        [],
    ),
    (
        "samples that weigh nothing",
        changed(GOOD, "profiles", 0, "sampleWeight", 0),
        "bad: profiles[0]: member `sampleWeight'",
        [],
    ),
    (
        "a text as sampleWeight",
        changed(GOOD, "profiles", 0, "sampleWeight", "1"),
        "bad: profiles[0]: member `sampleWeight'",
        [],
    ),
    (
        "samples that weigh too little",
        changed(GOOD, "profiles", 0, "sampleWeight", 1e-300),
        "bad: has samples with weights that are too large or too small",
        [],
    ),
    ("an unknown profile", GOOD, "bad: has no samples from q (known: p)", ["--program=q"]),
    (
        "an unknown thread",
        GOOD,
        "bad: has no samples from thread=q (known: thread=p)",
        ["--thread=q"],
    ),
    ("an unknown value", GOOD, "bad: has no value wall (known: none)", ["--value=wall"]),
    ("no events", changed(EVENTS, *EVENT, None), "bad: profiles[1]: member `events'", []),
    (
        "an event that is no object",
        changed(EVENTS, *EVENT, 2, 7),
        "bad: profiles[1].events[2]: member `at'",
        [],
    ),
    (
        "an unknown event",
        changed(EVENTS, *EVENT, 2, "type", "X"),
        "bad: profiles[1].events[2]: member `type'",
        [],
    ),
    (
        "an event of no frame",
        changed(EVENTS, *EVENT, 2, "frame", 2),
        "bad: profiles[1].events[2]: member `frame'",
        [],
    ),
    (
        "an event that goes back",
        changed(EVENTS, *EVENT, 2, "at", 0),
        "bad: profiles[1].events[2]: member `at'",
        [],
    ),
    (
        "events that do not nest",
        changed(EVENTS, *EVENT, 2, "frame", 0),
        "bad: profiles[1].events[2]: closes a frame that is not open",
        [],
    ),
    (
        "an end without a begin",
        changed(EVENTS, *EVENT, 0, "type", "C"),
        "bad: profiles[1].events[0]: closes a frame that is not open",
        [],
    ),
    ("no nodes", changed(NODES, "nodes", None), "bad: member `nodes' is missing or wrong", []),
    (
        "no id",
        changed(NODES, "nodes", 2, "id", None),
        "bad: nodes[2]: member `id' is missing or wrong",
        [],
    ),
    (
        "an id twice",
        changed(NODES, "nodes", 2, "id", 2),
        "bad: nodes[2]: member `id' is missing or wrong",
        [],
    ),
    (
        "no call frame",
        changed(NODES, "nodes", 2, "callFrame", None),
        "bad: nodes[2]: member `callFrame'",
        [],
    ),
    (
        "no name",
        changed(NODES, "nodes", 2, "callFrame", "functionName", None),
        "bad: nodes[2]: member `functionName'",
        [],
    ),
    (
        "a line that is a text",
        changed(NODES, "nodes", 2, "callFrame", "lineNumber", "1"),
        "bad: nodes[2]: member `lineNumber'",
        [],
    ),
    (
        "children that are no list",
        changed(NODES, "nodes", 1, "children", 5),
        "bad: nodes[1]: member `children'",
        [],
    ),
    (
        "a child that is not there",
        changed(NODES, "nodes", 1, "children", [9]),
        "bad: nodes[1]: member `children'",
        [],
    ),
    (
        "a child of two nodes",
        changed(NODES, "nodes", 3, "children", [5]),
        "bad: nodes[3]: member `children'",
        [],
    ),
    (
        "a child twice",
        changed(NODES, "nodes", 1, "children", [5, 5]),
        "bad: nodes[1]: member `children'",
        [],
    ),
    (
        "a child of itself",
        v8([node(1, "f", [1])], [1], [0], 0, 9),
        "bad: nodes[0]: member `children'",
        [],
    ),
    (
        "a cycle",
        v8(TREE + [node(6, "g", [7]), node(7, "h", [6])], [5], [0], 0, 9),
        "bad: nodes[5]: member `children'",
        [],
    ),
    (
        "a sample of no node",
        changed(NODES, "samples", 2, 77),
        "bad: member `samples[2]' is missing or wrong",
        [],
    ),
    (
        "a sample that is a text",
        changed(NODES, "samples", 2, "3"),
        "bad: member `samples[2]' is missing or wrong",
        [],
    ),
    (
        "a delta too few",
        changed(NODES, "timeDeltas", [1]),
        "bad: member `timeDeltas' is missing or wrong",
        [],
    ),
    (
        "a delta that is a text",
        changed(NODES, "timeDeltas", 0, "1"),
        "bad: member `timeDeltas[0]' is missing or wrong",
        [],
    ),
    (
        "a tree of node 10",
        {
            "head": {"functionName": "(root)", "children": []},
            "startTime": 1,
            "endTime": 2,
            "samples": [1],
            "timestamps": [1],
        },
        "bad: is a tree of node 10 or older",
        [],
    ),
    (
        "a negative number of samples",
        {"nodes": [node(1, "f", hitCount=-1)]},
        "bad: nodes[0]: member `hitCount'",
        [],
    ),
    ("nothing but idle time", v8(TREE, [4], [0], 0, 9), "bad: has no samples", []),
    ("the wrong format", GOOD, "bad: member `nodes' is missing or wrong", ["--from=cpuprofile"]),
    (
        "the other wrong format",
        NODES,
        "bad: member `shared' is missing or wrong",
        ["--from=speedscope"],
    ),
    (
        "times and numbers of samples",
        GOOD,
        "counts samples, but the profiles before it microseconds",
        ["nodes"],
    ),
]


def check_bad(tap):
    write(place("nodes"), as_json(NODES))
    foreign.check_rows(tap, [], BAD, lambda x: x if isinstance(x, bytes) else as_json(x))


def check_sizes(tap):
    """Very deep stacks take no stack of the machine, and time in proportion."""
    depth = 100000
    chain = [node(i, "f", [i + 1] if i < depth else []) for i in range(1, depth + 1)]
    events = [("O", 0, 0)] * depth + [("C", 10, 0)] * depth
    for what, document, time in (
        ("V8", v8(chain, [depth], [0], 0, 10), 1e-5),
        ("speedscope", scope([evented(events, "seconds")], ["f"]), 10),
    ):
        write(place("deep"), as_json(document))
        wrong = difference({n: f[:2] for n, f in figures("deep").items()}, {"f": (time, time)})
        tap.ok(not wrong, "%s: a stack of %d frames" % (what, depth), wrong)
    bomb = b'{"shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"sampled","name":"","unit":"none","samples":[['
    bomb += b",".join([b"0"] * 3000000) + b']],"weights":[1]}]}'
    write(place("bomb"), gzip.compress(bomb))
    err = gprof("--top", "bomb", status=1)[1]
    tap.ok("bomb: has so many frames" in err, "refused: a file of too many frames", err)


def check_round_trips(tap):
    """What --format=speedscope wrote has the same functions, times and errors, to the last
    sample."""
    rng = random.Random(9)
    for draw in range(harness.sized(3, 50)):
        stacks = foreign.draw_stacks(rng)
        stacks[("<unknown>", "f")] = 5
        sources = {
            "folded": foreign.folded(stacks),
            "pprof": foreign.pprof(stacks),
            "perf": foreign.perf_script(stacks, event="cycles"),
        }
        sources["samples"] = as_json(
            scope_of_samples(draw_samples(rng, lambda: rng.choice([1, 17, 900])), "milliseconds")
        )
        for what, data in sources.items():
            write(place("source"), data)
            gprof("--quiet", "--format=speedscope", "-o", "again", "source")
            # Tables show millions of cycles; the format has no name for these, and gets the cycles.
            factor = 1e6 if what == "perf" else 1
            wrong = difference(
                figures("again"),
                {
                    name: tuple(factor * value for value in row)
                    for name, row in figures("source").items()
                },
            )
            counts = [
                json.loads(gprof("--quiet", "--format=json", name)[0])["totals"]["samples"]
                for name in ("source", "again")
            ]
            tap.ok(
                not wrong and math.isclose(*counts, rel_tol=1e-12),
                "%s to speedscope and back, %d" % (what, draw + 1),
                wrong or str(counts),
            )
    events = scope_of_events(draw_samples(rng, lambda: rng.choice([1, 17, 900])), "milliseconds")
    write(place("source"), as_json(events))
    gprof("--quiet", "--format=json", "-o", "again", "source")
    wrong = difference(figures("again"), figures("source"))
    tap.ok(not wrong, "events of speedscope to JSON and back", wrong)
    write(place("one"), foreign.folded({("f",): 30, ("g",): 10}))
    write(place("two"), foreign.folded({("f",): 20}))
    gprof("--quiet", "--format=speedscope", "--per-file", "-o", "both", "one", "two")
    names = [profile["name"] for profile in json.loads(harness.read(place("both")))["profiles"]]
    for what, words, expected in (
        ("all", [], {("f",): 50, ("g",): 10}),
        ("the second", ["--program=" + names[1]], {("f",): 20}),
    ):
        wrong = difference(figures(*(words + ["both"])), foreign.model(expected))
        tap.ok(not wrong, "profile by profile to speedscope and back: " + what, wrong)


def check_rates(tap):
    """Recordings with unequal weights have no rates that differ; those with equal ones have."""
    rng = random.Random(10)
    choices = {"equal": [2500], "other": [5000], "one": [1, 900], "two": [17, 5]}
    for name, weights in choices.items():
        drawn = draw_samples(rng, lambda some=weights: rng.choice(some))
        write(place(name), as_json(scope_of_samples(drawn, "milliseconds")))
    for base, after, is_told in (("equal", "other", True), ("one", "two", False)):
        err = gprof("--base=" + base, after)[1]
        tap.ok(("sampled at" in err) == is_told, "rates of %s and %s" % (base, after), err)


def check_damage(tap):
    rng = random.Random(6)
    seeds = [
        ("speedscope", GOOD),
        ("speedscope", EVENTS),
        ("cpuprofile", NODES),
        ("cpuprofile", {"nodes": [node(1, "(root)", [2]), node(2, "f", hitCount=7)]}),
    ]
    choices = list(b'0123456789-."[]{},:e tn\0\xff')
    for form, document in seeds:
        foreign.check_damaged(
            tap,
            rng,
            form,
            as_json(document),
            harness.sized(60, 5000),
            choices,
            [["--top", "--from=" + form]],
            most=3,
        )


def check_node(tap):
    what = "node --cpu-prof"
    write(place("work.js"), PROGRAM.encode())
    if not shutil.which("node"):
        return tap.skip(what, "no node here")
    harness.must_run(["node", "--cpu-prof", "--cpu-prof-name=work.cpuprofile", "work.js"], cwd=TEMP)
    taken = json.loads(harness.read(place("work.cpuprofile")))
    names = {item["id"]: item["callFrame"]["functionName"] for item in taken["nodes"]}
    times = [taken["startTime"] + time for time in itertools.accumulate(taken["timeDeltas"])] + [
        taken["endTime"]
    ]
    parents = {child: item["id"] for item in taken["nodes"] for child in item.get("children", [])}
    busy, known = [], {}
    for a, b, number in zip(times, times[1:], taken["samples"]):
        if names[number] != "(idle)":
            busy.append(max(0, b - a) / 1e6)
            stack = set()
            while number is not None:
                stack.add(names[number])
                number = parents.get(number)
            for name in stack:
                known[name] = known.get(name, 0) + busy[-1]
    wrong = foreign.wrong_shares(figures("work.cpuprofile"), known)
    tap.ok(not wrong, what + ": shares", wrong)
    one = sum(time * time for time in busy) / sum(busy)
    total = json.loads(gprof("--quiet", "--format=json", "work.cpuprofile")[0])["totals"]["seconds"]
    tap.ok(abs(total - sum(busy)) <= one, what + ": all time", "%g, not %g" % (total, sum(busy)))
    out = gprof(
        "--quiet",
        "--top",
        "--by=line",
        "--format=csv",
        "--columns=file,line,name",
        "work.cpuprofile",
    )[0]
    tap.ok("work.js,3,spin" in out.replace('"', ""), what + ": lines", out)


def main():
    tap = harness.Tap()
    write(place("probe"), as_json(GOOD))
    if b"built without libjansson" in harness.run([harness.GPROF, "--top", "probe"], cwd=TEMP)[2]:
        return harness.skip_all("built without libjansson")
    check_figures(tap)
    check_traps(tap)
    check_counts(tap)
    check_places(tap)
    check_homes(tap)
    check_recognition(tap)
    check_bad(tap)
    check_sizes(tap)
    check_round_trips(tap)
    check_rates(tap)
    check_damage(tap)
    check_node(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
