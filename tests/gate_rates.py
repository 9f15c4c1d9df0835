#!/usr/bin/env python3
"""--base and --fail-above on drawn profiles: their figures, compared with those of another
implementation of the same
statistics; how often the gate fires if nothing has changed, and how often it finds a growth; and
the same of
inclusive times, with --fail-scope=inclusive, on drawn trees of calls.  With CHECK_LONG=1, the
shares of many draws with a seed of the time, which are the tables of the manual.
"""

import sys

sys.dont_write_bytecode = True

import functools
import json
import math
import os
import random
import time

from lib import elf, gmonfile, harness
from lib.gmonfile import Histogram, Layout, Profile
from lib.harness import TEMP, write

START, SIZE = 0x1000, 0x10
SEED = int(os.environ.get("SEED") or (time.time_ns() if harness.IS_LONG else 7)) % 2**32
ALPHA = 0.05


# ---- Draws ----


def draw_poisson(rng, mean):
    """A number of independent events where MEAN are expected: from the most probable number
    outwards."""
    mode = int(mean)
    up = down = math.exp(mode * math.log(mean) - mean - math.lgamma(mode + 1)) if mean > 0 else 1
    rest, above, below = rng.random() - up, mode, mode
    while rest >= 0:
        above += 1
        up *= mean / above
        rest -= up
        if rest < 0:
            return above
        if below > 0:
            down *= below / mean
            below -= 1
            rest -= down
            if rest < 0:
                return below
        elif up < 1e-300:
            break
    return mode


def draw_factor(rng, deviation):
    """A factor with the mean 1 and this standard deviation, whose logarithm is normal."""
    s = math.sqrt(math.log1p(deviation**2))
    return rng.lognormvariate(-s * s / 2, s) if deviation else 1


class Plan:
    """What is drawn: functions with SIZES samples in a run at the rate 100; the time of each
    differs between runs by
    the share in VARY, and whole runs by that in RUNS_VARY; in tuples: before and after."""

    def __init__(
        self, name, sizes, vary=0, runs=(1, 1), rates=(100, 100), runs_vary=0, is_held=True
    ):
        self.name, self.sizes, self.runs, self.rates = name, sizes, runs, rates
        self.runs_vary = runs_vary if isinstance(runs_vary, tuple) else (runs_vary, runs_vary)
        self.vary = [
            v if isinstance(v, list) else [v] * len(sizes)
            for v in (vary if isinstance(vary, tuple) else (vary, vary))
        ]
        self.is_held = is_held  # the promise holds

    def draw(self, rng, growth=0, grown=0):
        """Samples by side, run and function; after, the first GROWN functions take longer by
        GROWTH."""
        sides = []
        for side in (0, 1):
            side_runs = []
            for _ in range(self.runs[side]):
                speed = draw_factor(rng, self.runs_vary[side]) * self.rates[side] / 100
                means = [
                    n * speed * draw_factor(rng, v) for n, v in zip(self.sizes, self.vary[side])
                ]
                if side == 1:
                    means = [m * (1 + growth) if i < grown else m for i, m in enumerate(means)]
                side_runs.append([draw_poisson(rng, m) for m in means])
            sides.append(side_runs)
        return sides


class TreePlan(Plan):
    """COUNT functions that are each called by one other, drawn; SUBTREES is the share by which each
    varies between runs
    with all that it calls."""

    def __init__(self, name, count, samples, subtrees=0, chain=False, **rest):
        rng = random.Random(count)
        self.parents = [None] + [i - 1 if chain else rng.randrange(i) for i in range(1, count)]
        super().__init__(name, [samples * rng.expovariate(1) for _ in range(count)], **rest)
        self.subtrees = subtrees

    def draw(self, rng, growth=0, grown=0):
        sides = []
        for side in (0, 1):
            side_runs = []
            for _ in range(self.runs[side]):
                factors, samples = [], []
                for i, parent in enumerate(self.parents):
                    factors.append(
                        (
                            draw_factor(rng, self.runs_vary[side])
                            if parent is None
                            else factors[parent]
                        )
                        * draw_factor(rng, self.subtrees)
                    )
                    larger = 1 + growth if side == 1 and i < grown else 1
                    samples.append(
                        draw_poisson(
                            rng,
                            self.sizes[i]
                            * self.rates[side]
                            / 100
                            * larger
                            * factors[i]
                            * draw_factor(rng, self.vary[side][i]),
                        )
                    )
                side_runs.append(samples)
            sides.append(side_runs)
        return sides

    def inclusive(self, run):
        """The samples of each function with what it calls."""
        samples = list(run)
        for i in range(len(samples) - 1, 0, -1):
            samples[self.parents[i]] += samples[i]
        return samples

    def apart(self, run, tested):
        """The samples of each of the functions TESTED, where each counts for the innermost one on
        its stack."""
        samples, of = [0] * len(run), []
        for i, n in enumerate(run):
            of.append(
                i if i in tested else None if self.parents[i] is None else of[self.parents[i]]
            )
            if of[i] is not None:
                samples[of[i]] += n
        return samples

    def stacks(self, run, histogram):
        """A file of stacks."""
        frames = []
        for i, parent in enumerate(self.parents):
            frames.append(([] if parent is None else frames[parent]) + [START + i * SIZE + 8])
        lines = [row for row in zip(frames, run) if row[1]]
        return gmonfile.stacks(lines, histogram.rate, histogram, "p")


def one_varies(count, share):
    return [share] + [0] * (count - 1)


def same(count, samples):
    return [samples] * count


FALLING = [10000 / (i + 1) for i in range(60)]
PLANS = [
    Plan("10 functions of 100 samples, one run each", same(10, 100)),
    Plan("1,000 of 15, one run each", same(1000, 15)),
    Plan("3,000 of 12, one run each", same(3000, 12)),
    Plan("300 of 18, one run each", same(300, 18)),
    Plan("1,000 of 3, five runs each", same(1000, 3), 0, (5, 5)),
    Plan(
        "10 of 400, one varies by 15 %, five runs each", same(10, 400), one_varies(10, 0.15), (5, 5)
    ),
    Plan(
        "30 of 400, one varies by 25 %, five runs each", same(30, 400), one_varies(30, 0.25), (5, 5)
    ),
    Plan(
        "300 of 400, one varies by 25 %, five runs each",
        same(300, 400),
        one_varies(300, 0.25),
        (5, 5),
    ),
    Plan(
        "60 of 10,000, 5,000, 3,333 ..., each varies by 10 %, five runs each", FALLING, 0.1, (5, 5)
    ),
    Plan(
        "10 of 400, whole runs vary by 10 %, two runs each", same(10, 400), 0, (2, 2), runs_vary=0.1
    ),
    Plan(
        "10 of 400, whole runs vary by 10 %, five runs each",
        same(10, 400),
        0,
        (5, 5),
        runs_vary=0.1,
    ),
    Plan("1 of 400, varies by 10 %, five runs each", [400], 0.1, (5, 5)),
    Plan("30 of 100, each varies by 20 %, seven runs and one", same(30, 100), 0.2, (7, 1)),
    Plan("30 of 100, each varies by 20 %, one run and seven", same(30, 100), 0.2, (1, 7)),
    Plan(
        "30 of 100, one varies by 25 %, three runs and ten",
        same(30, 100),
        one_varies(30, 0.25),
        (3, 10),
    ),
    Plan(
        "30 of 100, each varies by 20 %, five runs each, rates 100 and 1,000",
        same(30, 100),
        0.2,
        (5, 5),
        (100, 1000),
    ),
    Plan("60 of 10,000 ..., each varies by 10 %, two runs each", FALLING, 0.1, (2, 2)),
    Plan("60 of 10,000 ..., each varies by 10 %, 20 runs each", FALLING, 0.1, (20, 20)),
    Plan(
        "10 of 400, one varies by 15 %, 20 runs each", same(10, 400), one_varies(10, 0.15), (20, 20)
    ),
    Plan(
        "10 of 400, one varies by 15 %, three runs each",
        same(10, 400),
        one_varies(10, 0.15),
        (3, 3),
    ),
    Plan(
        "10 of 2,000, each varies by 2 and 6 %, 20 runs and five",
        same(10, 2000),
        (0.02, 0.06),
        (20, 5),
    ),
    Plan(
        "10 of 2,000, each varies by 6 and 2 %, five runs and 20",
        same(10, 2000),
        (0.06, 0.02),
        (5, 20),
    ),
    Plan(
        "10 of 2,000, each varies by 2 and 4 %, ten runs and five",
        same(10, 2000),
        (0.02, 0.04),
        (10, 5),
    ),
    Plan(
        "10 of 5,000, whole runs vary by 2 and 6 %, 20 runs and five",
        same(10, 5000),
        0,
        (20, 5),
        runs_vary=(0.02, 0.06),
    ),
    Plan(
        "10 of 5,000, whole runs vary by 6 and 2 %, five runs and 20",
        same(10, 5000),
        0,
        (5, 20),
        runs_vary=(0.06, 0.02),
    ),
    Plan(
        "10 of 5,000, whole runs vary by 2 and 4 %, ten runs and five",
        same(10, 5000),
        0,
        (10, 5),
        runs_vary=(0.02, 0.04),
    ),
    Plan("1 of 20,000, varies by 2 and 6 %, 20 runs and five", [20000], (0.02, 0.06), (20, 5)),
    Plan(
        "10 of 400, one varies by 15 %, two runs each",
        same(10, 400),
        one_varies(10, 0.15),
        (2, 2),
        is_held=False,
    ),
]
# (plan, growth of the first function, least share found)
GROWTHS = [
    (Plan("10 functions of 800, one run each", same(10, 800)), 0.2, 0.80),
    (Plan("10 of 400, two runs each", same(10, 400), 0, (2, 2)), 0.2, 0.50),
    (Plan("10 of 160, five runs each", same(10, 160), 0, (5, 5)), 0.2, 0.70),
    (Plan("10 of 80, ten runs each", same(10, 80), 0, (10, 10)), 0.2, 0.75),
    (Plan("100 of 160, five runs each", same(100, 160), 0, (5, 5)), 0.25, 0.80),
    (
        Plan(
            "30 of 200, another one varies by 25 %, five runs each",
            same(30, 200),
            [0, 0.25] + [0] * 28,
            (5, 5),
        ),
        0.25,
        0.80,
    ),
    (
        Plan(
            "60 of 10,000, 5,000, 3,333 ..., each varies by 5 %, five runs each",
            FALLING,
            0.05,
            (5, 5),
        ),
        0.25,
        0.90,
    ),
]
# The verdict says what it could see of these.
VISIBLE = [
    Plan("10 functions of 100, one run each", [200] + same(9, 100)),
    Plan("100 of 40, one run each", [80] + same(99, 40)),
    Plan("10 of 800, one run each", [900] + same(9, 800)),
    Plan("10 of 160, five runs each", [200] + same(9, 160), 0, (5, 5)),
    Plan("10 of 1,000, each varies by 5 %, five runs each", [1500] + same(9, 1000), 0.05, (5, 5)),
    Plan(
        "10 of 400, whole runs vary by 5 %, five runs each",
        [500] + same(9, 400),
        0,
        (5, 5),
        runs_vary=0.05,
    ),
    Plan(
        "60 of 10,000, 5,000, 3,333 ..., each varies by 10 %, ten runs each", FALLING, 0.1, (10, 10)
    ),
    Plan("1 of 2,000, varies by 5 %, five runs each", [2000], 0.05, (5, 5)),
    Plan("1 of 2,000, varies by 5 %, three runs each", [2000], 0.05, (3, 3)),
    Plan(
        "60 of 10,000, 5,000, 3,333 ..., each varies by 2 and 6 %, 20 runs and five",
        FALLING,
        (0.02, 0.06),
        (20, 5),
    ),
    Plan("30 of 400, seven runs and one", [500] + same(29, 400), 0, (7, 1)),
    Plan(
        "30 of 100, five runs each, rates 100 and 1,000",
        [200] + same(29, 100),
        0,
        (5, 5),
        (100, 1000),
    ),
]
TREES = [
    TreePlan("a chain of 20, of 40 samples each, one run each", 20, 40, chain=True),
    TreePlan("60 of 20, one run each", 60, 20),
    TreePlan("300 of 2, one run each", 300, 2),
    TreePlan("60 of 100, each varies by 20 %, five runs each", 60, 100, vary=0.2, runs=(5, 5)),
    TreePlan("60 of 100, subtrees vary by 10 %, five runs each", 60, 100, 0.1, runs=(5, 5)),
    TreePlan("60 of 10, subtrees vary by 10 %, three runs each", 60, 10, 0.1, runs=(3, 3)),
    TreePlan(
        "a chain of 20, of 100, whole runs vary by 10 %, two runs each",
        20,
        100,
        chain=True,
        runs=(2, 2),
        runs_vary=0.1,
    ),
    TreePlan(
        "60 of 100, the last varies by 50 %, five runs each",
        60,
        100,
        vary=one_varies(60, 0.5)[::-1],
        runs=(5, 5),
    ),
    TreePlan(
        "60 of 100, each by 10 %, whole runs by 5 %, seven runs and one",
        60,
        100,
        0.05,
        vary=0.1,
        runs=(7, 1),
        runs_vary=0.05,
    ),
    TreePlan(
        "60 of 10, five runs each, rates 100 and 1,000", 60, 10, runs=(5, 5), rates=(100, 1000)
    ),
]
SEEN_TREES = [
    TreePlan("60 of 20, one run each", 60, 20),
    TreePlan("a chain of 20, of 20, five runs each", 20, 20, chain=True, runs=(5, 5)),
    TreePlan("60 of 50, each varies by 10 %, five runs each", 60, 50, vary=0.1, runs=(5, 5)),
    TreePlan(
        "60 of 50, whole runs vary by 5 %, ten runs each", 60, 50, runs=(10, 10), runs_vary=0.05
    ),
]


# ---- The program under test ----


def make_image(count):
    path = os.path.join(TEMP, "image-%d" % count)
    if not os.path.exists(path):
        lines = ["text %#x" % START] + ["function f%d %#x" % (i, SIZE) for i in range(count)]
        write(path, elf.parse("\n".join(lines) + "\n").bytes())
    return path


def compare(plan, sides, key, percent):
    """The exit status and the comparison of a gate."""
    image, words = make_image(len(plan.sizes)), [
        "--quiet",
        "--format=json",
        "--fail-above=%s" % percent,
    ]
    paths = ([], [])
    for side in (0, 1):
        for i, samples in enumerate(sides[side]):
            histogram = Histogram(
                START,
                START + len(samples) * SIZE,
                len(samples),
                enumerate(samples),
                plan.rates[side],
            )
            paths[side].append(os.path.join(TEMP, "%s-%d-%d" % (key, side, i)))
            write(paths[side][-1], Profile(Layout(64, "little"), [histogram]).bytes())
            if isinstance(plan, TreePlan):
                write(paths[side][-1] + ".stacks", plan.stacks(samples, histogram))
    if isinstance(plan, TreePlan):
        words += ["--stacks", "--fail-scope=inclusive"]
    words += (
        ["--one-run", "--base=" + image]
        + ["--base-profile=" + path for path in paths[0]]
        + [image]
        + paths[1]
    )
    status, out, err = harness.run([harness.GPROF] + words, TEMP)
    for path in paths[0] + paths[1]:
        os.unlink(path)
        if isinstance(plan, TreePlan):
            os.unlink(path + ".stacks")
    if status not in (0, 3):
        raise RuntimeError(err.decode())
    return status, json.loads(out)


def rows_of(document):
    """{name: row}, where a row is {column: value}."""
    return {row["name"]: row for row in document["rows"]}


def column_of(plan):
    return "total-p" if isinstance(plan, TreePlan) else "p"


# ---- The same statistics again ----


def beta_below(a, b, x):
    """The probability that a variable with the beta distribution is below X: the integral of its
    density, by the
    double exponential method."""
    if x > a / (a + b):
        return 1 - beta_below(b, a, 1 - x) if x < 1 else 1
    log_scale, total, step = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b), 0, 1 / 32
    for i in range(-128, 129):
        t = math.pi / 2 * math.sinh(i * step)
        if abs(t) > 300:
            continue
        # u from 0 to x, as x / (1 + exp (-2 t)); its derivative has the factor x / 2 / cosh (t) **
        # 2
        u, rest = x / (1 + math.exp(-2 * t)), 2 * math.log(math.cosh(t))
        if 0 < u < 1:
            weight = math.log(x / 2) - rest + math.log(math.pi / 2 * math.cosh(i * step))
            total += math.exp(log_scale + (a - 1) * math.log(u) + (b - 1) * math.log1p(-u) + weight)
    return total * step


def student(t, degrees):
    if math.isinf(degrees):
        return math.erfc(t / math.sqrt(2))
    return beta_below(degrees / 2, 0.5, degrees / (degrees + t * t))


@functools.lru_cache
def binomial(k, n, share):
    """Twice the smaller tail, by the sum of its terms as far as they matter."""
    far = 20 + int(12 * math.sqrt(n * share * (1 - share)))

    def tail(ks):
        logs = [
            math.lgamma(n + 1)
            - math.lgamma(i + 1)
            - math.lgamma(n - i + 1)
            + i * math.log(share)
            + (n - i) * math.log(1 - share)
            for i in ks
        ]
        return math.fsum(map(math.exp, logs))

    return min(1, 2 * min(tail(range(max(0, k - far), k + 1)), tail(range(k, min(n, k + far) + 1))))


class Model:
    """The p of all functions and of the total, from the samples of each run."""

    def __init__(self, plan, sides):
        own, self.runs = sides, [len(side) for side in sides]
        is_tree = isinstance(plan, TreePlan)
        if is_tree:
            sides = [[plan.inclusive(run) for run in side] for side in own]
        self.exposures = [len(side) * rate for side, rate in zip(sides, plan.rates)]
        self.share = self.exposures[1] / sum(self.exposures)
        sums = [[sum(run[i] for run in side) for side in sides] for i in range(len(plan.sizes))]
        tested = [i for i, n in enumerate(sums) if sum(n) * min(self.share, 1 - self.share) >= 25]
        self.total = self.statistics([[sum(run) for run in side] for side in own])
        spreads = [self.statistics([[run[i] for run in side] for side in sides]) for i in tested]
        shown = spreads
        if is_tree:
            apart = [[plan.apart(run, set(tested)) for run in side] for side in own]
            shown = [self.statistics([[run[i] for run in side] for side in apart]) for i in tested]
        self.exceptions = [
            1 if is_tree else sum(functions[side] is not None for functions in spreads)
            for side in (0, 1)
        ]  # one in so many is none
        self.trends, self.all_degrees = [], []
        for side in (0, 1):
            known = [functions[side] for functions in shown if functions[side]]
            self.trends.append(self.fit(known) if known else (0, 0))
            self.all_degrees.append(sum(degrees for degrees, _, _ in known))
        total = [sum(map(sum, side)) for side in own]
        self.total_p = self.probability(total, self.whole_runs())
        raw = {
            i: self.function_probability(sums[i], statistics)
            for i, statistics in zip(tested, spreads)
        }
        self.p, least = {}, 0
        for rank, i in enumerate(sorted(raw, key=raw.get)):
            least = self.p[i] = min(1, max(least, raw[i] * (len(raw) - rank)))

    @staticmethod
    def statistics(samples):
        """(degrees, variance / mean, mean) of the runs of each side; None if it has one, or no
        samples."""
        found = []
        for runs in samples:
            mean = sum(runs) / len(runs)
            is_known = len(runs) > 1 and mean > 0
            found.append(
                (len(runs) - 1, sum((n - mean) ** 2 for n in runs) / (len(runs) - 1) / mean, mean)
                if is_known
                else None
            )
        return found

    @staticmethod
    def chi_squared(statistics, square):
        degrees, ratio, mean = statistics
        return degrees * ratio / (1 + square * mean)

    def fit(self, functions):
        """The square of the trend, and degrees of freedom of spreads about it, of the largest
        likelihood."""

        def likelihood(square, prior):
            total = 0
            for statistics in functions:
                degrees, chi2 = statistics[0], self.chi_squared(statistics, square)
                total -= degrees * math.log(1 + square * statistics[2]) / 2
                if math.isinf(prior):
                    total -= chi2 / 2
                else:
                    total += (
                        math.lgamma((degrees + prior) / 2)
                        - math.lgamma(prior / 2)
                        - degrees / 2 * math.log(prior / 2)
                    )
                    total -= (degrees + prior) / 2 * math.log(1 + chi2 / prior)
            return total

        largest = max(mean for _, _, mean in functions)
        squares = [0] + [2**i / largest for i in range(-6, 15)]
        priors = [1, 2, 4, 8, 16, 32, 64, 128, math.inf]
        square, prior = max(
            ((s, d) for s in squares for d in priors), key=lambda pair: likelihood(*pair)
        )
        low, high = square / 2, square * 2
        while square and high / low > 1.0001:
            third = (high / low) ** (1 / 3)
            if likelihood(low * third, prior) < likelihood(high / third, prior):
                low *= third
            else:
                high /= third
        return math.sqrt(low * high), prior

    @staticmethod
    def complete(models):
        """(factor, square, degrees) of both sides, and whether one side shows them; None if no side
        does."""
        if not any(models):
            return None
        return [models[0] or models[1], models[1] or models[0]], not all(models)

    def whole_runs(self):
        """The excess of the total, as a square."""
        return self.complete(
            [
                spread and (1, max(0, (spread[1] - 1) / spread[2]), spread[0])
                for spread in self.total
            ]
        )

    def difference_p(self, samples, found, knows_chance):
        """Welch's test, in which each side has the error that FOUND says."""
        models, is_of_one = found
        times = [n / e for n, e in zip(samples, self.exposures)]
        rate, mean = sum(samples) / sum(self.exposures), sum(times) / 2
        chances = [rate / e for e in self.exposures]
        besides = [square * mean**2 / runs for (_, square, _), runs in zip(models, self.runs)]
        parts = [
            model[0] * (chance + beside) for model, chance, beside in zip(models, chances, besides)
        ]
        estimated = besides if knows_chance else parts
        unsure = sum(part**2 / model[2] for part, model in zip(estimated, models))
        degrees = (
            math.inf if not unsure else models[0][2] if is_of_one else sum(estimated) ** 2 / unsure
        )
        if knows_chance and unsure:
            degrees *= sum(parts) / sum(estimated)
        return student(abs(times[1] - times[0]) / math.sqrt(max(sum(chances), sum(parts))), degrees)

    def probability(self, samples, found, knows_chance=False):
        exact = binomial(samples[1], sum(samples), self.share)
        return max(exact, self.difference_p(samples, found, knows_chance)) if found else exact

    def function_probability(self, samples, spreads):
        priors, shares = [0, 0], [1]
        for side, spread in enumerate(spreads):
            if spread:
                square, prior = self.trends[side]
                priors[side] = max(0, min(prior, self.all_degrees[side] - spread[0]))
                if priors[side]:  # the tail of the F distribution
                    shares.append(
                        self.exceptions[side]
                        * beta_below(
                            priors[side] / 2,
                            spread[0] / 2,
                            priors[side] / (priors[side] + self.chi_squared(spread, square)),
                        )
                    )
        models = [None, None]
        for side, spread in enumerate(spreads):
            if spread:
                square, prior = self.trends[side][0], min(shares) * priors[side]
                models[side] = (
                    (prior + self.chi_squared(spread, square)) / (prior + spread[0]),
                    square,
                    prior + spread[0],
                )
        return max(
            self.probability(samples, self.complete(models)),
            self.probability(samples, self.whole_runs(), True),
        )


def differs(actual, expected):
    return abs(actual - expected) > 2e-3 * expected + 1e-12


def check_model(tap):
    """The binary agrees with the model, about pairs of all kinds."""
    plans = PLANS + [plan for plan, _, _ in GROWTHS] + TREES
    for number, plan in enumerate(
        plan for plan in plans if harness.IS_LONG or len(plan.sizes) <= 60
    ):
        rng = random.Random(SEED + number)
        sides = plan.draw(rng, 0.3, max(1, len(plan.sizes) // 10))
        rows, model, wrong = (
            rows_of(compare(plan, sides, "model", "0,0")[1]),
            Model(plan, sides),
            [],
        )
        column = column_of(plan)
        for i in range(len(plan.sizes)):
            p, expected = rows["f%d" % i][column] if "f%d" % i in rows else None, model.p.get(i)
            if (p is None) != (expected is None) or (p is not None and differs(p, expected)):
                wrong.append("f%d: %s instead of %s" % (i, p, expected))
        if differs(rows["total"][column], model.total_p):
            wrong.append("total: %s instead of %s" % (rows["total"][column], model.total_p))
        tap.ok(
            not wrong,
            "p of %d functions and the total, as of another implementation: %s"
            % (len(model.p), plan.name),
            wrong[:5],
        )


# ---- Rates ----


def judge(plan, key, seed, growth=0, grown=0):
    """What the gate says of a draw, with the threshold 0, and with the usual one if nothing has
    changed."""
    sides = plan.draw(random.Random(seed), growth, grown)
    strict, document = compare(plan, sides, key, "0,0")
    usual = strict if grown else compare(plan, sides, key, "10")[0]
    rows = rows_of(document)
    p, prefix = column_of(plan), "total-" if isinstance(plan, TreePlan) else ""
    slower = {
        name
        for name, row in rows.items()
        if row[p] is not None and row[p] < ALPHA and row[prefix + "change"] > 0
    }
    differing = any(
        row[p] is not None and row[p] < ALPHA for name, row in rows.items() if name != "total"
    )
    visible = {
        entry["name"]: entry["percent"] for entry in document.get("inclusive", document)["visible"]
    }
    return {
        "strict": strict == 3,
        "usual": usual == 3,
        "differing": differing,
        "slower": slower,
        "visible": visible,
    }


def judge_number(work):
    plan, kind, i, growth, grown = work
    return judge(
        plan, "%s-%d" % (kind, i), "%d %s %s %d" % (SEED, plan.name, kind, i), growth, grown
    )


def judge_all(plan, kind, count, growths=0, grown=0):
    growths = growths if isinstance(growths, list) else [growths] * count
    return list(
        harness.parallel(judge_number, [(plan, kind, i, growths[i], grown) for i in range(count)])
    )


def judge_rate(tap, outcomes, is_good, what):
    """Judges the share in OUTCOMES, {name: [whether it is so of each pair]}: of each name if they
    are many, else of all
    together.  is_good (share, number of pairs)."""
    groups = (
        outcomes
        if harness.IS_LONG
        else {"all of them": [so for group in outcomes.values() for so in group]}
    )
    for name, group in groups.items():
        rate = sum(group) / len(group)
        tap.ok(
            is_good(rate, len(group)),
            "%s: %s" % (what, name),
            "%.1f %% of %d" % (100 * rate, len(group)),
        )


def deviation(rate, count):
    return math.sqrt(rate * (1 - rate) / count)


def is_alarm_rate(rate, count):
    return rate <= ALPHA + 2 * deviation(ALPHA, count)


def is_power(rate, count):
    return abs(rate - 0.8) <= 0.03 + 2 * deviation(0.8, count)


def is_enough(rate, count):
    return rate >= 0.8 - 0.03 - 2 * deviation(0.8, count)


def say_rates(name, *rates):
    print("# %s  %s" % (" ".join("%5.1f" % (100 * sum(rate) / len(rate)) for rate in rates), name))
    sys.stdout.flush()


def check_false_alarms(tap):
    print(
        "# nothing has changed; percent: --fail-above=0,0 fires, --fail-above=10 fires, p < 0.05 of"
        " a function"
    )
    what = {
        "strict": "--fail-above=0,0 fires at most in 5 %",
        "usual": "--fail-above=10 does",
        "differing": "and p < 0.05 of a function is as rare",
    }
    found = {key: {} for key in what}
    for plan in PLANS + TREES:
        count = harness.sized(1, 1000) if len(plan.sizes) <= 100 else harness.sized(1, 300)
        outcomes = judge_all(plan, "same", count)
        rates = {key: [outcome[key] for outcome in outcomes] for key in what}
        say_rates(plan.name, *rates.values())
        for key in what if plan.is_held else []:
            found[key][plan.name] = rates[key]
    for key, text in what.items():
        judge_rate(tap, found[key], is_alarm_rate, text)


def check_growths(tap):
    print("# one function got slower; percent of pairs in which it is found")
    count, all_found, expected = harness.sized(3, 1000), [], 0
    for plan, growth, least in GROWTHS:
        found = [
            "f0" in outcome["slower"] for outcome in judge_all(plan, "slower", count, growth, 1)
        ]
        what = "%.0f %%, %s" % (100 * growth, plan.name)
        say_rates(what, found)
        if harness.IS_LONG:
            good = sum(found) / count >= least - 2 * deviation(least, count)
            tap.ok(
                good, "growths by %s: at least %.0f %% are found" % (what, 100 * least), sum(found)
            )
        all_found += found
        expected += least * count
    good = sum(all_found) >= expected - 2 * math.sqrt(len(all_found)) / 2
    tap.ok(
        good, "at least %.0f of %d growths are found" % (expected, len(all_found)), sum(all_found)
    )


def check_visible(tap):
    """Each draw has the growth that the verdict about another draw could have seen."""
    print("# the growth that the verdict could see; percent of pairs in which it is found")
    count, found = harness.sized(1, 1000), {}
    for plan in VISIBLE:
        seen = [outcome["visible"] for outcome in judge_all(plan, "visible", count)]
        for name, grown in (("total", len(plan.sizes)), ("f0", 1)):
            growths = [visible[name] / 100 for visible in seen if visible.get(name) is not None]
            outcomes = judge_all(plan, "seen-" + name, len(growths), growths, grown)
            what = "%s, %s: %.1f %%" % (plan.name, name, 100 * sorted(growths)[len(growths) // 2])
            found[what] = [name in outcome["slower"] for outcome in outcomes]
            say_rates(what, found[what])
    found_trees = {}
    for plan in SEEN_TREES:
        growths = [outcome["visible"]["f0"] / 100 for outcome in judge_all(plan, "visible", count)]
        outcomes = judge_all(plan, "seen-all", len(growths), growths, len(plan.sizes))
        what = "inclusive time, %s: %.1f %%" % (plan.name, 100 * sorted(growths)[len(growths) // 2])
        found_trees[what] = ["f0" in outcome["slower"] for outcome in outcomes]
        say_rates(what, found_trees[what])
    judge_rate(tap, found, is_power, "80 % of the growths that a verdict could see are found")
    judge_rate(tap, found_trees, is_enough, "80 % or more of those of inclusive times are found")


def main():
    if harness.is_reference():
        harness.skip_all("the reference compares nothing")
    tap = harness.Tap()
    print("# SEED=%d" % SEED)
    for plan in PLANS + VISIBLE + [plan for plan, _, _ in GROWTHS] + TREES + SEEN_TREES:
        make_image(len(plan.sizes))
    check_model(tap)
    check_false_alarms(tap)
    check_growths(tap)
    check_visible(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
