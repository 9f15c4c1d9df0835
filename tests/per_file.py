#!/usr/bin/env python3
"""--per-file: the table of profiles, and of the functions that vary most between them."""

import sys

sys.dont_write_bytecode = True

import gzip
import json
import math
import os
import random
import re

from lib import gmonfile, harness, stack_model
from lib.gmonfile import Profile
from lib.harness import read, said, write
from merge import LOW, PLAIN, directory, gprof, histogram, make_program

BY_FILE = """\
Profile by profile:

  %
 share      samples     seconds            calls  profile
 10.00          100        1.00               30  a
 20.00          200        2.00                0  b
 70.00          700        7.00               60  c

               1000       10.00               90  sum
                100        1.00                0  minimum in a, of calls in b
             333.33        3.33            30.00  mean
                700        7.00               60  maximum in c
             262.47        2.62            24.49  deviation
              14.91        0.15                   deviation by chance
               2.10        2.10             2.00  imbalance

Functions whose own time varies more between profiles than by chance:

 deviation chance   minimum      mean   maximum  function in maximum, minimum
      2.36   0.13      1.00      2.67      6.00  left in c, a
      0.47   0.05      0.00      0.33      1.00  inner in b, a
      0.47   0.05      0.00      0.33      1.00  right in c, a
"""


RANKS = """\
Profile by profile:

  %
 share      samples     seconds            calls  profile
 29.45          101        1.01               18  ranks/r.9 (+4.1 deviations)
  4.37           15        0.15                0  ranks/r.0
                                                  ... 14 more
  3.50           12        0.12                6  ranks/r.3
  3.50           12        0.12                8  ranks/r.4

                343        3.43              306  sum
                 12        0.12                0  minimum in ranks/r.3, of calls in ranks/r.0
              19.06        0.19            17.00  mean
                101        1.01               34  maximum in ranks/r.9, of calls in ranks/r.17
              19.90        0.20            10.38  deviation
               4.24        0.04                   deviation by chance
               5.30        5.30             2.00  imbalance

Outliers, more than 3 deviations from the mean of the samples: 1

"""


def check_ranks(tap):
    """Many profiles: their order, both ends of it, outliers, and a terminal."""
    image, work = make_program(), directory("many-ranks")
    samples = {0: 15, 3: 11, 4: 12, 9: 100}
    os.makedirs(os.path.join(work, "ranks"))
    for i in range(18):
        records = [histogram({9: samples.get(i, 14) - i % 3, 17: i % 3, 15: i % 2})]
        records += [("arc", LOW + 4, LOW + 0x20, 2 * i)] if i else []
        write(os.path.join(work, "ranks", "r.%d" % i), Profile(PLAIN, records).bytes())

    def listed(*words):
        return gprof("-b", "--per-file", list(words), image, "ranks", cwd=work)

    def names(*words):
        result = listed(*words)
        rows = result[1].decode().split("\n\n")[1].splitlines()[2:]
        return [re.sub(r".*  (?:ranks/)?(\S+).*", r"\1", row) for row in rows]

    all_names = ["r.%d" % i for i in range(18)]
    tap.ok(names() == all_names, "many profiles: in natural order", names())
    tap.ok(names("--sort=-profile") == all_names[::-1], "sorted by name, reversed")
    by_calls = names("--sort=calls")
    tap.ok(by_calls[0] == "r.17" and by_calls[-1] == "r.0", "sorted by calls", by_calls)
    tap.ok(
        names("--sort=-samples,-profile")[:3] == ["r.4", "r.3", "r.16"],
        "sorted by samples, then by name",
    )
    tap.ok(
        names("--sort=profile", "--top=2") == ["r.0", "r.1", "...", "r.16", "r.17"],
        "the ends of another order",
    )
    tap.ok(
        len(names("--top=0")) == 18 and len(names("--top=9")) == 18, "--top=0 and many: all of them"
    )
    tap.ok(len(names("--top=8")) == 17, "8 at each end")
    text = listed("--top=2")[1].decode()
    tap.ok(
        text.startswith(RANKS),
        "--top=2: both ends, outliers",
        harness.diff(RANKS.encode(), text.encode()),
    )
    varying = text[len(RANKS) :].splitlines()[3:]
    tap.ok(
        len(varying) == 1 and varying[0].endswith("  left in ranks/r.9, ranks/r.4"),
        "the function that varies more than by chance",
        text,
    )
    rows = (
        gprof("--per-file", "--format=csv", "--top=2", "--sort=profile", image, "ranks", cwd=work)[
            1
        ]
        .decode()
        .splitlines()
    )
    good = len(rows) == 5 and [row.split(",")[-1] for row in rows[1:]] == [
        "ranks/r.0",
        "ranks/r.1",
        "ranks/r.16",
        "ranks/r.17",
    ]
    tap.ok(good, "both ends as CSV", rows)
    status, out, err = listed("--sort=self")
    tap.ok(
        status == 1 and not out and b"`self' is not a column; columns are: share% samples" in err,
        "--sort=self",
        err,
    )


def check_chance(tap):
    """64 profiles of the same work: nothing stands out."""
    image, work, rng = make_program(), directory("equal"), random.Random(64)
    for i in range(64):
        bins = {
            number: sum(rng.random() < share for _ in range(400))
            for number, share in ((9, 0.5), (15, 0.2), (17, 0.02), (25, 0.001))
        }
        records = [histogram(bins), ("arc", LOW + 4, LOW + 0x20, 10)]
        write(os.path.join(work, "r.%d" % i), Profile(PLAIN, records).bytes())

    def listed(*words):
        return gprof("-b", "--per-file", *words, image, ".", cwd=work)[1].decode()

    text = listed()
    tap.ok(
        "Functions" not in text and "Outliers" not in text and "(" not in text,
        "64 equal profiles: no functions, no outliers",
        text,
    )
    tap.ok(
        re.search(r"^ +1\.00  imbalance of calls$", text, re.M),
        "the samples are not called imbalanced",
        text,
    )
    figures = {re.split(" {2,}", line)[-1]: line.split() for line in text.splitlines()}
    seen, chance = float(figures["deviation"][0]), float(figures["deviation by chance"][0])
    tap.ok(0.5 < seen / chance < 1.2, "the deviation is that by chance", "%g, %g" % (seen, chance))
    write(os.path.join(work, "r.7"), Profile(PLAIN, [histogram({9: 200, 15: 80, 17: 60})]).bytes())
    text = listed()
    functions = text.split("chance:\n\n")[-1].splitlines()[1:]
    tap.ok(
        len(functions) == 1 and functions[0].split()[5:7] == ["right", "in"],
        "60 samples instead of 8 are found",
        text,
    )


# ---- Inclusive times ----

NAMES = ["main", "left", "right", "inner", "[libmpi.so.40]"]
MPI, COUNTING = 4, 5  # objects, by numbers that stacks have
MEASURED = "Functions whose inclusive time, measured by stacks, varies more than by chance:"


def record(path, stacks, rate=100):
    """Writes a profile with STACKS, {functions and objects, outermost first: samples}, beside
    it."""
    own = stack_model.own_and_total(stacks.items())[0]
    samples = histogram({8 * f + 1: n for f, n in own.items() if f < MPI}, rate=rate)
    write(path, Profile(PLAIN, [samples]).bytes())
    place = lambda f: "%d:10" % (f - MPI + 1) if f >= MPI else LOW + 0x20 * f + 8
    lines = [([place(f) for f in frames], n) for frames, n in stacks.items()]
    objects = ["libmpi.so.40", "libregmon.so"]
    write(path + ".stacks", gmonfile.stacks(lines, rate, samples, "p", objects))


def poisson(rng, mean):
    """A number of events of which MEAN happen in a unit of time."""
    count, time = 0, rng.expovariate(1)
    while time < mean:
        count, time = count + 1, time + rng.expovariate(1)
    return count


def draw_means(rng):
    """Some stacks, in which functions recur, and the mean samples of each."""
    means = {(0,): 5.0}
    for _ in range(rng.randint(1, 12)):
        frames = (0,) + tuple(rng.randrange(MPI + 1) for _ in range(rng.randint(0, 6)))
        means[frames + (COUNTING,) if rng.random() < 0.1 else frames] = rng.choice([0.5, 3, 20, 60])
    return means


def is_beyond_chance(values, weights, tests):
    """Pearson's test.  The cube root of chi-squared is about normal (Wilson and Hilferty); steps of
    small numbers
    make it larger by a factor.  Of profiles whose samples have other weights, because their rates
    differ, it is a sum
    of squares with other variances, with fewer degrees of freedom (Satterthwaite)."""
    mean = sum(values) / len(values)
    if mean == 0:
        return False
    weight = sum(weights) / len(weights)
    factor = 1 + weight / mean
    degrees = (
        (len(values) - 1) / factor * weight**2 / (sum(w**2 for w in weights) / len(weights))
    )
    squares = sum((value - mean) ** 2 for value in values) / mean / weight
    z = ((squares / (len(values) - 1)) ** (1 / 3) - (1 - 2 / (9 * degrees))) / math.sqrt(
        2 / (9 * degrees)
    )
    return 0.5 * math.erfc(z / math.sqrt(2)) * tests < 0.05


def expected_rows(profiles, rates):
    """{name: (deviation, chance, minimum, mean, maximum, file of the maximum, of the minimum)}, in
    seconds."""
    lowest = min(rates)
    weights = [lowest / rate for rate in rates]
    own, inclusive = [], []
    for weight, stacks in zip(weights, profiles):
        counted = [row for row in stacks.items() if row[0][-1] != COUNTING]
        found = stack_model.own_and_total((f, samples * weight) for f, samples in counted)
        own.append({f: samples for f, samples in found[0].items() if f < MPI})
        inclusive.append(found[1])
    seen = [{f for run in runs for f in run if run[f]} for runs in (own, inclusive)]
    rows = {}
    for f in seen[1]:
        values = [run.get(f, 0) for run in inclusive]
        if not is_beyond_chance(values, weights, len(seen[0]) + len(seen[1])):
            continue
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
        chance = math.sqrt(mean * sum(weights) / len(weights) * (len(values) - 1) / len(values))
        figures = [x / lowest for x in (deviation, chance, min(values), mean, max(values))]
        rows[NAMES[f]] = (*figures, values.index(max(values)), values.index(min(values)))
    return rows


def measured_rows(text):
    """The same as the report has it."""
    rows = {}
    for line in text.split(MEASURED + "\n\n")[1].splitlines()[1:] if MEASURED in text else []:
        *figures, name, _, highest, lowest = line.split()
        rows[name] = (
            *[float(figure) for figure in figures],
            *[int(re.sub(r"\D", "", path)) for path in (highest, lowest)],
        )
    return rows


def check_inclusive(tap):
    """Inclusive times of drawn stacks, against a model."""
    image, rng, wrong, varying = make_program(), random.Random(27), [], 0
    for number in range(harness.sized(60, 120)):
        work = directory("inclusive-%d" % number)
        count, means, is_equal = rng.randint(3, 64), draw_means(rng), number % 2 == 0
        rates = [100 if number % 4 < 2 else rng.choice([100, 250]) for _ in range(count)]
        profiles = []
        for i in range(count):
            scale = 1 if is_equal else rng.choice([0.3, 1, 1, 2])
            slow = None if is_equal else rng.randrange(MPI + 1)
            stacks = {
                frames: poisson(rng, mean * rates[i] / 100 * (scale if slow in frames else 1))
                for frames, mean in means.items()
            }
            profiles.append({frames: samples for frames, samples in stacks.items() if samples})
            record(os.path.join(work, "r.%d" % i), profiles[-1], rates[i])
        status, out, err = gprof("-b", "--per-file", "--stacks", "--top=0", image, ".", cwd=work)
        found, expected = measured_rows(out.decode()), expected_rows(profiles, rates)
        same = status == 0 and list(found) == sorted(
            expected, key=lambda name: (-round(expected[name][0], 9), name)
        )
        for name, row in expected.items() if same else []:
            same &= (
                all(abs(a - b) <= 0.00501 for a, b in zip(found[name][:5], row))
                and found[name][5:] == row[5:]
            )
        if not same:
            wrong.append("draw %d:\n%s\n%s%s" % (number, expected, out.decode(), err.decode()))
        varying += 0 if is_equal else len(expected)
    tap.ok(
        not wrong,
        "inclusive times of drawn stacks of 3 to 64 profiles",
        "%d wrong\n%s" % (len(wrong), "\n".join(wrong[:2])),
    )
    tap.ok(varying > 60, "many of them vary", varying)
    listed = 0
    for number in range(harness.sized(100, 400)):
        count, means = rng.randint(3, 64), draw_means(rng)
        rates = [100 if number % 2 == 0 else rng.choice([100, 250]) for _ in range(count)]
        listed += (
            len(
                expected_rows(
                    [
                        {frames: poisson(rng, mean * rate / 100) for frames, mean in means.items()}
                        for rate in rates
                    ],
                    rates,
                )
            )
            > 0
        )
    tap.ok(listed <= 20, "those of equal profiles do not, but for at most 5 % of 400 draws", listed)


def draw_weighted(rng, names, shares, path):
    """A speedscope profile of about 400 samples of `main' and one of NAMES, whose weights differ.
    Returns [(name, seconds)]."""
    count = poisson(rng, 400)
    drawn = [
        (rng.choices(names[1:], shares)[0], round(rng.expovariate(10), 9)) for _ in range(count)
    ]
    profile = {
        "type": "sampled",
        "name": "p",
        "unit": "seconds",
        "startValue": 0,
        "endValue": sum(weight for _, weight in drawn),
        "samples": [[0, names.index(name)] for name, _ in drawn],
        "weights": [weight for _, weight in drawn],
    }
    frames = [{"name": name} for name in names]
    text = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": frames},
        "profiles": [profile],
    }
    write(path, json.dumps(text).encode())
    return drawn


def check_weights(tap):
    """Samples of unequal weights: those of another profiler."""
    names, rng, listed = ["main", "f", "g", "h"], random.Random(31), 0
    for number in range(harness.sized(20, 100)):
        work = directory("weights-%d" % number)
        for i in range(6):
            draw_weighted(rng, names, (1, 1, 1), os.path.join(work, "r.%d" % i))
        listed += b"Functions whose" in gprof("-b", "--per-file", ".", cwd=work)[1]
    tap.ok(listed <= 4, "equal profiles of unequal weights do not vary", str(listed))
    work = directory("weights-one")
    runs = [
        draw_weighted(rng, names, (1, 1, 9 if i == 2 else 1), os.path.join(work, "r.%d" % i))
        for i in range(6)
    ]
    weights = [weight for run in runs for _, weight in run]
    one = sum(weight**2 for weight in weights) / sum(weights)  # a sample of the mean weight
    times = [sum(weight for name, weight in run if name == "h") for run in runs]
    chance = math.sqrt(sum(times) / 6 * one * 5 / 6)
    out = gprof("-b", "--per-file", ".", cwd=work)[1].decode()
    rows = measured_rows(out)
    tap.ok(
        "h" in rows and abs(rows["h"][1] - chance) < 0.006 and rows["h"][5] == 2,
        "one that varies does, by more than the chance of these weights",
        "%f\n%s" % (chance, out),
    )


def check_reasons(tap):
    """A rank that waits in a library, for which its caller is listed; and when nothing is
    measured."""
    image, work = make_program(), directory("waiting")
    for i in range(8):
        record(os.path.join(work, "r.%d" % i), {(0, 1): 200, (0, 2, 3, MPI): 400 if i == 5 else 20})

    def listed(*words, status=0):
        found, out, err = gprof("--per-file", *words, image, ".", cwd=work)
        tap.ok(found == status, " ".join(("status",) + words), err)
        return out.decode(), err.decode()

    names = ["[libmpi.so.40]", "inner", "main", "right"]
    text, err = listed()
    tap.ok(
        "measured" not in err
        and "measured by the call\n              stacks beside the profiles" in text,
        "the explanation says that times are measured, and nothing else",
        text + err,
    )
    text, err = listed("-b")
    rows = measured_rows(text)
    tap.ok(
        list(rows) == names and {row[5:] for row in rows.values()} == {(5, 0)},
        "the callers of a library that waits",
        text,
    )
    tap.ok("own time" not in text, "no own time varies", text)
    table = listed("--format=markdown")[0].split("maximum-in")
    tap.ok(
        len(table) == 2 and re.findall(r"`(\S+)` \| `\./r\.5` \| `\./r\.0`", table[1]) == names,
        "the same in Markdown",
        "".join(table),
    )
    tap.ok(
        MEASURED in listed()[0] and MEASURED not in listed("--no-stacks")[0], "--no-stacks: without"
    )
    tap.ok(
        list(measured_rows(listed("-b", "--top=2")[0])) == names[:2],
        "as many functions as asked for",
    )
    tap.ok(
        list(measured_rows(listed("-b", "-pright", "--stacks")[0].split("\f")[0])) == ["right"],
        "those of the flat profile",
    )
    for word, name in (
        ("--format=csv", "--format=csv"),
        ("--format=speedscope", "--format=speedscope"),
        ("-l", "--line"),
    ):
        out, err = listed("-b", word)
        tap.ok(
            "these call stacks are not used: %s does not go with --stacks" % name in err
            and MEASURED not in out,
            name + " does not use stacks",
            err,
        )
    write(os.path.join(work, "bad"), b"gmon")
    write(os.path.join(work, "bad.stacks"), read(os.path.join(work, "r.0.stacks")))
    text = listed("-b", "--skip-bad", status=1)[0]
    tap.ok(
        list(measured_rows(text)) == names,
        "a profile that is skipped is skipped with its stacks",
        text,
    )
    os.unlink(os.path.join(work, "bad"))
    os.unlink(os.path.join(work, "bad.stacks"))
    os.unlink(os.path.join(work, "r.3.stacks"))
    text, err = listed("-b")
    tap.ok(
        "r.3: has no call stacks beside it" in err and MEASURED not in text,
        "one without stacks: own times only",
        err + text,
    )


def check_terminal(tap):
    """On a terminal names are cut, in files they are not."""
    image, work, long = make_program(), directory("long"), "x" * 90
    for name, count in (("a" + long, 300), (long, 500)):
        write(os.path.join(work, name), Profile(PLAIN, [histogram({9: count})]).bytes())
    env = {name: value for name, value in harness.ENV.items() if name != "COLUMNS"}
    command = [harness.GPROF, "-b", "--per-file", image, "a" + long, long]
    for width in (80, 90, 120, 200):
        text = harness.run_on_terminal(command, width, work, env)
        longest = max(len(line) for line in text.splitlines())
        tap.ok(
            longest <= width and "xxx...xxx" in text,
            "no line is longer than a terminal of %d columns" % width,
            text,
        )
    text = harness.run_on_terminal(command, 300, work, env)
    tap.ok(
        text == gprof(command[1:], cwd=work)[1].decode(), "a wide one shows what a file has", text
    )


# ---- Other rates ----


def check_rates(tap):
    """Profiles at the two rates that libregmon has: each counts by its own."""
    image, work, rng = make_program(), directory("rates"), random.Random(1000)
    for name, bins, rate in (
        ("fast", {9: 2000, 17: 401}, 1000),
        ("slow", {9: 500, 17: 101}, 250),
        ("odd", {9: 9}, 100),
        ("last", {9: 9}, 101),
    ):
        write(
            os.path.join(work, name),
            Profile(PLAIN, [histogram(bins, rate=rate), ("arc", LOW + 4, LOW + 0x20, 10)]).bytes(),
        )
    by_order = [
        gprof("-b", "--top", "--columns=self,error,samples,name", image, *order, cwd=work)
        for order in (("fast", "slow"), ("slow", "fast"))
    ]
    error = math.sqrt(2000 + 16 * 500) / 1000
    tap.ok(
        by_order[0] == by_order[1]
        and b"\n4.000  %.3f " % error in by_order[0][1]
        and not by_order[0][2],
        "--top: in both orders, with the error of samples that have two weights",
        said(by_order[0]) + said(by_order[1]),
    )
    for words, expected in (
        (["--tree", "--no-stacks"], b" 0.805  0.805         right"),
        (["--format=folded"], b"left"),
        (["--code"], b""),
    ):
        results = [
            gprof("-b", *words, image, *order, cwd=work)
            for order in (("fast", "slow"), ("slow", "fast"))
        ]
        tap.ok(
            results[0][:2] == results[1][:2] and expected in results[0][1],
            " ".join(words) + ": in both orders",
            said(results[0]) + said(results[1]),
        )
    inputs = json.loads(gprof("--format=json", image, "slow", "fast", cwd=work)[1])["inputs"]
    tap.ok(
        [(i["rate"], i["samples"]) for i in inputs] == [(250, 601), (1000, 2401)],
        "JSON: each with its rate and samples",
        inputs,
    )
    text = gprof("-b", "--per-file", image, "slow", "fast", cwd=work)[1].decode()
    tap.ok(
        re.search(r"^ 50.03 +601 +2.40 +10  slow$", text, re.M)
        and re.search(r"^ 49.97 +2401 +2.40 +10  fast$", text, re.M),
        "--per-file: each with its samples, and times",
        text,
    )
    status, out, err = gprof("-b", "--top", "--columns=self,name", image, "odd", "last", cwd=work)
    tap.ok(
        status == 0 and re.search(rb"^0\.179\d* ", out, re.M) and b"rate" not in err,
        "rates that are no multiples",
        out.decode() + err.decode(),
    )
    status, out, err = gprof("-b", "-p", image, "slow", "fast", cwd=work)
    tap.ok(
        status == 0
        and b" 10.00 " in out
        and b"has rate 1000, the first one has 250: the first rate is used" in err,
        "-p: as GNU gprof, with a warning",
        out.decode() + err.decode(),
    )
    found = 0
    for _ in range(100):
        for i, rate in enumerate((1000, 250, 250, 1000)):
            bins = {
                number: poisson(rng, mean * rate)
                for number, mean in ((9, 0.2), (15, 0.05), (17, 0.4))
            }
            write(
                os.path.join(work, "r.%d" % i), Profile(PLAIN, [histogram(bins, rate=rate)]).bytes()
            )
        text = gprof("-b", "--per-file", image, *("r.%d" % i for i in range(4)), cwd=work)[
            1
        ].decode()
        found += "imbalance\n" in text or "Functions" in text
    tap.ok(
        found <= 10, "--per-file: equal profiles vary by chance, except in two tests of 5 %", found
    )
    differ = 0
    for _ in range(100):
        for i, rate in enumerate((1000, 250, 250, 1000)):
            bins = {
                number: poisson(rng, mean * rate)
                for number, mean in ((9, 0.2), (15, 0.1), (17, 0.4))
            }
            write(
                os.path.join(work, "r.%d" % i), Profile(PLAIN, [histogram(bins, rate=rate)]).bytes()
            )
        out = gprof(
            "--one-run",
            "--base=" + image,
            "--base-profile=r.0",
            "--base-profile=r.1",
            "--format=json",
            image,
            "r.2",
            "r.3",
            cwd=work,
        )[1]
        rows = json.loads(out)["rows"]
        differ += any(row["p"] is not None and row["p"] < 0.05 for row in rows)
    tap.ok(
        differ <= 12,
        "--base: nor does one side from the other, except in 5 % and one test more",
        differ,
    )
    total = next(row for row in rows if row["kind"] == "total")
    tap.ok(
        abs(total["before"] / 0.7 - 1) < 0.3 and abs(total["after"] / 0.7 - 1) < 0.3,
        "--base: times are those of one run",
        total,
    )


def check_sum_of_rates(tap):
    """-s has the largest rate, if that is a multiple of the others."""
    image, work = make_program(), directory("rates")
    sums = []
    for order in (("fast", "slow"), ("slow", "fast"), ("slow", "fast", "odd")):
        result = gprof("-s", image, *order, cwd=work)
        tap.ok(result == (0, b"", b""), "-s %s" % " ".join(order), result)
        sums.append(read(os.path.join(work, "gmon.sum")))
    expected = Profile(
        PLAIN, [histogram({9: 4000, 17: 805}, rate=1000), ("arc", LOW + 4, LOW + 0x20, 20)]
    ).bytes()
    tap.ok(sums[0] == sums[1] == expected, "-s: at the largest rate, in both orders")
    flat = gprof("-b", "-p", image, "gmon.sum", cwd=work)[1].decode()
    tap.ok(" 4.09 " in flat, "-s: the report of the sum", flat)
    os.unlink(os.path.join(work, "gmon.sum"))
    result = gprof("-s", image, "slow", "last", cwd=work)
    tap.ok(
        result[0] == 1
        and b"last: histogram at offset 20 has rate 101, the others 250: no sum holds both"
        in result[2]
        and not os.path.exists(os.path.join(work, "gmon.sum")),
        "-s: refuses rates that are no multiples",
        result,
    )
    result = gprof("-s", "--skip-bad", image, "slow", "last", "fast", cwd=work)
    tap.ok(
        result[0] == 1 and read(os.path.join(work, "gmon.sum")) == sums[1],
        "-s --skip-bad: leaves them out",
        result,
    )


def check_multiples(tap):
    """A timer of 1000 a second on a kernel with 250 ticks counts each tick four times."""
    image, work, rng = make_program(), directory("multiples"), random.Random(4)
    means = {number: 5 * (1 + number % 4) for number in range(8, 32)}

    def draw(name, factor=4, rate=1000):
        bins = {number: factor * poisson(rng, mean) for number, mean in means.items()}
        write(
            os.path.join(work, name),
            Profile(PLAIN, [histogram({i: n for i, n in bins.items() if n}, rate=rate)]).bytes(),
        )
        return bins

    samples = draw("a")
    own = [sum(n for i, n in samples.items() if i // 8 == f) for f in (1, 2, 3)]
    status, out, err = gprof("--top", "--columns=self,error,samples,name", image, "a", cwd=work)
    rows = [line.split() for line in out.decode().splitlines()[1:4]]
    expected = sorted(
        (["%.3f" % (n / 1000), "%.3f" % (2 * math.sqrt(n) / 1000), "%.1f" % (n / 4)] for n in own),
        reverse=True,
    )
    tap.ok(
        status == 0 and [row[:3] for row in rows] == expected,
        "--top: errors count each tick once",
        out.decode() + str(expected),
    )
    tap.ok(
        err.decode().count("gprof: note: a: samples come 4 at a time") == 1,
        "and a note says so",
        err,
    )
    status, out, err = gprof("-b", "-p", image, "a", cwd=work)
    tap.ok(
        status == 0 and not err and (" %.2f " % (max(own) / 1000)).encode() in out,
        "-p says nothing",
        out.decode() + err.decode(),
    )
    totals = json.loads(gprof("--format=json", image, "a", cwd=work)[1])
    tap.ok(
        totals["inputs"][0]["rate"] == 250
        and totals["inputs"][0]["samples"] == sum(own) // 4
        and totals["totals"]["samples"] == sum(own) // 4,
        "JSON has the ticks",
        totals["inputs"],
    )
    more = draw("b")
    both = sum(n for bins in (samples, more) for i, n in bins.items() if i // 8 == 1)
    text = gprof("--top", "--columns=self,error,name", image, "a", "b", cwd=work)[1].decode()
    tap.ok(
        "\n%.3f  %.3f  left\n" % (both / 1000, 2 * math.sqrt(both) / 1000) in text,
        "two of them",
        text + str(both),
    )
    harness.run([harness.GPROF, "--quiet", "-s", "-o", "both", image, "a", "b"], work)
    of_sum = gprof("--top", "--columns=self,error,name", image, "both", cwd=work)[1].decode()
    tap.ok(of_sum == text, "and their sum", of_sum)
    fired = 0
    for _ in range(100):
        draw("before"), draw("after")
        words = [
            "--one-run",
            "--base=" + image,
            "--base-profile=before",
            "--fail-above=0,0",
            "--fail-scope=function",
            image,
            "after",
        ]
        fired += gprof(*words, cwd=work)[0] == 3
    tap.ok(fired <= 9, "the gate fires in 5 % of equal pairs, and two standard errors", fired)
    for name, factor, rate, bins in (
        ("few", 4, 1000, None),
        ("low", 4, 250, None),
        ("one", 1, 1000, {9: 900}),
        ("nine", 1, 1000, {i: 4 * i for i in range(9, 18)}),
    ):
        draw(name, factor if name != "few" else 1, rate)
        if bins:
            write(os.path.join(work, name), Profile(PLAIN, [histogram(bins, rate=rate)]).bytes())
        err = gprof("--top", image, name, cwd=work)[2].decode()
        tap.ok("at a time" not in err, "nothing of the kind: " + name, err)


def main():
    tap = harness.Tap()
    check_ranks(tap)
    check_rates(tap)
    check_sum_of_rates(tap)
    check_multiples(tap)
    check_chance(tap)
    check_inclusive(tap)
    check_weights(tap)
    check_reasons(tap)
    check_terminal(tap)
    image, work = make_program(), directory("per-file")
    tallies = {
        "a": ({9: 100}, 30),
        "b": ({10: 50, 15: 50, 25: 100}, 0),
        "c": ({9: 300, 15: 300, 17: 100}, 60),
    }
    for name, (bins, calls) in tallies.items():
        arcs = [("arc", LOW + 4, LOW + 0x20, calls)] if calls else []
        write(os.path.join(work, name), Profile(PLAIN, [histogram(bins)] + arcs).bytes())

    def same(name, words, expected=BY_FILE, status=0, **keys):
        result = gprof("-b", "--per-file", image, words, cwd=work, **keys)
        tap.ok(
            result[:2] == (status, expected.encode()),
            name,
            said(result) + harness.diff(expected.encode(), result[1]),
        )

    same("--per-file", ["a", "b", "c"])
    write(os.path.join(work, "list"), b"a\nb\nc\n")
    same("--per-file and a list", ["--files-from=list"])
    write(os.path.join(work, "bad"), b"gmon")
    same("--per-file and a bad one", ["--skip-bad", "a", "bad", "b", "c"], status=1)
    write(os.path.join(work, "b"), gzip.compress(read(os.path.join(work, "b"))))
    same("--per-file and a compressed one", ["a", "b", "c"])
    runs = directory("per-file/runs")
    for name in tallies:
        os.rename(os.path.join(work, name), os.path.join(runs, name))
    for name in tallies:
        os.symlink("runs/" + name, os.path.join(work, name))
    expected = re.sub(r"(  | in |, )([abc])\b(?=,|$)", r"\1runs/\2", BY_FILE, flags=re.M)
    same("--per-file and a directory", ["runs"], expected)
    status, out, _ = gprof("-b", "--per-file", "-p", image, "a", "b", "c", cwd=work)
    flat = gprof("-b", "-p", image, "a", "b", "c", cwd=work)[1]
    tap.ok(
        status == 0 and out == BY_FILE.encode() + b"\f\n" + flat, "--per-file beside another report"
    )
    status, out, _ = gprof("--per-file", image, "a", "b", "c", cwd=work)
    tap.ok(
        status == 0 and out.startswith(BY_FILE.encode()) and b"deviation   " in out,
        "--per-file explains itself",
    )
    out = gprof("-b", "--per-file", "-l", image, "a", "b", "c", cwd=work)[1].decode()
    tap.ok(out == BY_FILE, "--per-file with -l, without debug information")
    out = gprof("-b", "--per-file", "--top=2", image, "a", "b", "c", cwd=work)[1].decode()
    expected = BY_FILE[BY_FILE.index("Functions") : BY_FILE.rindex("      0.47")]
    tap.ok(out.endswith("\n\n" + expected), "as many functions as asked for", out)
    out = (
        gprof("-b", "--per-file", "-pright", image, "a", "b", "c", cwd=work)[1]
        .decode()
        .split("\f")[0]
    )
    tap.ok(
        out == re.sub(r".* (left|inner) in ., .\n", "", BY_FILE),
        "--per-file lists what the flat profile is of",
        out,
    )
    write(os.path.join(work, "calls"), Profile(PLAIN, [("arc", LOW, LOW + 0x20, 1)]).bytes())
    status, out, _ = gprof("-b", "--per-file", image, "calls", cwd=work)
    tap.ok(
        status == 0 and b"Functions" not in out and b"imbalance" in out,
        "--per-file without samples",
        out,
    )
    result = gprof("--per-file", "-s", image, "a", cwd=work)
    tap.ok(
        result[0] == 1 and not os.path.exists(os.path.join(work, "gmon.sum")),
        "--per-file and --sum are two runs",
        result,
    )
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
