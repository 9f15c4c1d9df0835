"""Draws images and profiles at random, each from a seed.

Images are assembled from directives; profiles are texts for mkgmon.  Draws avoid the differences
from the
reference: the last function has no samples (difference 9), no name is that of a clone (13),
histograms are
compatible, and so on.
"""

import os
import random

from lib import elf, harness

START = 0x401000
IMAGES = 10  # different ones in a run

# ---- Images ----


def _function_name(rng, number):
    form = rng.choice(
        ["f%d", "f%d", "fn_%d", "_f%d", "__f%d", "LongerNameOfFunction%d", "_Z4mangl%di"]
    )
    return form % number


def _half(rng, half, count):
    """The source of one object file: statics of both halves share names."""
    style = rng.choice(["tiny", "even", "odd", "mixed", "large"])
    sizes = {
        "tiny": lambda: rng.randint(0, 6),
        "even": lambda: 2 * rng.randint(4, 40),
        "odd": lambda: 2 * rng.randint(4, 40) + 1,
        "mixed": lambda: rng.choice([0, 1, 2, 3, 7, 16, 33, 64, 250]),
        "large": lambda: rng.randint(300, 3000),
    }[style]
    lines = [
        '        .include "macros.inc"',
        '        .file 1 "/src/%s.c"' % half,
        "        .text",
        ".Llow:",
    ]
    if half == "one":
        lines.append("        function main, %d" % (8 + sizes()))
    for i in range(count):
        size = max(sizes(), 1) if i % 4 else sizes()
        is_static = rng.random() < 0.35
        name = (
            "static_%d" % i
            if is_static
            else _function_name(rng, i) + ("" if half == "one" else "_b")
        )
        binding = "local" if is_static else "globl"
        if rng.random() < 0.15:
            twin = rng.choice(["_twin_%s%d", "twin_%s%d", "__twin_%s%d"]) % (half, i)
            lines.append("        symbol_here %s, %s" % (twin, rng.choice(["local", "globl"])))
        if rng.random() < 0.06:
            kind = rng.choice(["local", "globl"])
            lines.append("        symbol_here label_%s%d, %s, STT_NOTYPE" % (half, i, kind))
        if size >= 2 and rng.random() < 0.8:
            lines.append("        lined %s, %d, 1, %d, %s" % (name, size // 2, 10 * i + 1, binding))
        else:
            lines.append("        function %s, %d, %s" % (name, size, binding))
        if rng.random() < 0.1:
            lines.append("        .skip %d, 0x90" % rng.randint(1, 9))
    lines += [".Lhigh:", "        debug_unit .Llow, .Lhigh"]
    return "\n".join(lines) + "\n"


def assemble(path, parts):
    """Links the sources PARTS, {name: text}, and padding to PATH; the sources are beside it."""
    images = os.path.join(harness.TESTS, "golden", "images")
    parts = {**parts, "z": '        .include "macros.inc"\n        .text\n        padding\n'}
    objects = []
    for part, text in parts.items():
        source = harness.write("%s-%s.s" % (path, part), text.encode("ascii"))
        objects.append(source[:-2] + ".o")
        harness.must_run(harness.tool("AS", "as") + ["-I", images, "-o", objects[-1], source])
    script = os.path.join(images, "image.ld")
    harness.must_run(harness.tool("LD", "ld") + ["-e", "0", "-T", script, "-o", path] + objects)
    for name in objects:
        os.unlink(name)
    return path


def make_image(seed, number, directory):
    """Assembles image NUMBER of SEED; returns its path, or None without assembler and linker."""
    rng = random.Random("image:%s:%d" % (seed, number))
    if not harness.tool("AS", "as") or not harness.tool("LD", "ld"):
        return None
    total = rng.choice([5, 8, 12, 20, 35, 60])
    parts = {"one": _half(rng, "one", total // 2), "two": _half(rng, "two", total - total // 2)}
    return assemble(os.path.join(directory, "image-%d" % number), parts)


def write_profile(path, text):
    """Writes a profile of what TEXT says, as mkgmon reads it."""
    source = harness.write(path + ".gm", text.encode("ascii"))
    harness.must_run([harness.mkgmon(), "-o", path, source])
    os.unlink(source)
    return path


class Layout:
    """The addresses that a profile of an image can contain."""

    def __init__(self, path):
        self.symbols = [(name.decode(), address) for name, address, _ in elf.symbols(path)]
        self.functions = sorted(
            {address for name, address in self.symbols if not name.startswith("zz_")}
        )
        self.end = next(address for name, address in self.symbols if name == "zz_padding")


# ---- Profiles ----


def _count(rng):
    return rng.choice(
        [1, 1, 2, 3, rng.randint(1, 20), rng.randint(1, 5000), rng.randint(1, 10**6)]
    )


def _arc(rng, caller, callee, count=None):
    return "arc %#x %#x %d" % (
        caller + rng.choice([0, 0, 1]),
        callee,
        _count(rng) if count is None else count,
    )


def _pick(rng, functions, least, most):
    n = min(len(functions), rng.randint(least, most))
    return rng.sample(functions, n)


def _ring(rng, members, count=None):
    return [_arc(rng, a, b, count) for a, b in zip(members, members[1:] + members[:1])]


def _tree(rng, functions):
    """Calls that lead to other drawn calls: each function may be called by an earlier one."""
    return [
        _arc(rng, rng.choice(functions[:i]), functions[i])
        for i in range(1, len(functions))
        if rng.random() < 0.5
    ]


def arcs_dense(rng, f):
    return [_arc(rng, rng.choice(f), rng.choice(f)) for _ in range(len(f) * rng.randint(2, 8))]


def arcs_sparse(rng, f):
    return [_arc(rng, rng.choice(f), rng.choice(f)) for _ in range(max(1, len(f) // 2))]


def arcs_forward(rng, f):
    pairs = [sorted(rng.sample(f, 2)) for _ in range(len(f) * 2)] if len(f) > 1 else []
    return [_arc(rng, a, b) for a, b in pairs]


def arcs_chain(rng, f):
    chain = _pick(rng, f, 2, 60)
    return [_arc(rng, a, b) for a, b in zip(chain, chain[1:])]


def arcs_ring(rng, f):
    return _tree(rng, f) + _ring(rng, _pick(rng, f, 2, 10))


def arcs_nested(rng, f):
    members = _pick(rng, f, 4, 14)
    arcs = _ring(rng, members)
    for _ in range(rng.randint(1, 3)):
        i, j = sorted((rng.randrange(len(members)), rng.randrange(len(members))))
        arcs += _ring(rng, members[i : j + 1])
    return arcs + _tree(rng, f)


def arcs_touching(rng, f):
    arcs, shared = [], rng.choice(f)
    for _ in range(rng.randint(2, 4)):
        members = [shared] + _pick(rng, f, 1, 5)
        arcs += _ring(rng, members)
        if rng.random() < 0.5:
            shared = rng.choice(members)
    return arcs + _tree(rng, f)


def arcs_rings(rng, f):
    arcs = _tree(rng, f)
    for _ in range(rng.randint(2, 6)):
        arcs += _ring(rng, _pick(rng, f, 2, 5))
    return arcs


def arcs_fan_in(rng, f):
    center = rng.choice(f)
    return [_arc(rng, a, center) for a in f] + _tree(rng, f)


def arcs_fan_out(rng, f):
    center = rng.choice(f)
    return [_arc(rng, center, a) for a in f] + [_arc(rng, f[0], center)]


def arcs_self(rng, f):
    return (
        [_arc(rng, a, a) for a in f if rng.random() < 0.6]
        + _tree(rng, f)
        + _ring(rng, _pick(rng, f, 2, 4))
    )


def arcs_equal(rng, f):
    count = rng.choice([1, 7])
    return [
        _arc(rng, rng.choice(f), rng.choice(f), count) for _ in range(len(f) * rng.randint(1, 4))
    ]


def arcs_zero(rng, f):
    arcs = arcs_dense(rng, f)
    return [arc.rsplit(" ", 1)[0] + " 0" if rng.random() < 0.4 else arc for arc in arcs]


def arcs_repeated(rng, f):
    arcs = arcs_sparse(rng, f) + arcs_ring(rng, f)
    return [rng.choice(arcs) for _ in range(3 * len(arcs))]


def arcs_huge(rng, f):
    large = [2**31, 2**32 - 1, 2**32 - 2, 10**9]
    return [_arc(rng, rng.choice(f), rng.choice(f), rng.choice(large)) for _ in range(2 * len(f))]


def arcs_outside(rng, f):
    arcs = arcs_sparse(rng, f) + arcs_ring(rng, f)
    for _ in range(6):
        inside, outside = rng.choice(f), rng.choice([0, 1, 0x1000, START - 1])
        caller, callee = rng.choice([(inside, outside), (outside, inside), (outside, outside)])
        arcs.append(_arc(rng, caller or 1, callee))  # difference 31: callers at address 0
    rng.shuffle(arcs)
    return arcs


def arcs_within(rng, f):
    """Calls from and to random addresses in functions."""
    return [
        "arc %#x %#x %d" % (_inside(rng, f), _inside(rng, f), _count(rng))
        for _ in range(3 * len(f))
    ]


def _inside(rng, f):
    return rng.randint(f[0], f[-1] + 8)


def _bins(rng, low, count, bytes_per_bin, weights):
    """`bin' lines with samples in a few dozen random bins."""
    lines = []
    kind = rng.choice(weights)
    if kind == "none":
        return lines
    for i in sorted(rng.sample(range(count), min(count, rng.choice([1, 4, 20, 80])))):
        value = {
            "equal": 5,
            "small": rng.randint(1, 9),
            "wide": rng.choice([1, 10, 100, 1000, 65535]),
        }[kind]
        lines.append("bin %d = %d" % (i, value))
    return lines


def _ranges(rng, layout):
    """(low, high, number of bins) of compatible histograms."""
    low, high = layout.functions[0] - rng.choice([0, 0, 0, 2, 16]), layout.end + 16
    if rng.random() < 0.6:
        size = high - low + rng.choice([0, 0, 1, 6])
        per_bin = rng.choice([1, 2, 2, 2, 3, 4, 7, 8, 16, 64, 300])
        return [(low, low + size, max(1, size // per_bin))]
    per_bin = rng.choice([2, 4, 8, 32])
    ranges, at = [], low
    while at + per_bin < high and len(ranges) < 4:
        bins = rng.randint(1, max(1, (high - at) // per_bin))
        ranges.append((at, at + bins * per_bin, bins))
        at += (bins + rng.choice([0, 0, 5])) * per_bin
    rng.shuffle(ranges)
    return ranges + ([rng.choice(ranges)] if rng.random() < 0.4 else [])


def histograms(rng, layout, weights):
    lines = []
    rate = rng.choice([100, 100, 100, 1000, 1, 250])
    dimension = rng.choice(["seconds s"] * 4 + ["ticks t", "fifteen_letters x"])
    for low, high, count in _ranges(rng, layout):
        lines.append("histogram %#x %#x %d %d %s" % (low, high, count, rate, dimension))
        lines += _bins(rng, low, count, (high - low) / count, weights)
    return lines


_WEIGHTS = ["small", "wide", "equal"]
KINDS = {  # name: (arcs, samples)
    "dense": (arcs_dense, _WEIGHTS),
    "sparse": (arcs_sparse, _WEIGHTS),
    "no cycles": (arcs_forward, _WEIGHTS),
    "chains": (arcs_chain, _WEIGHTS),
    "rings": (arcs_ring, _WEIGHTS),
    "many rings": (arcs_rings, _WEIGHTS),
    "nested cycles": (arcs_nested, _WEIGHTS),
    "touching cycles": (arcs_touching, _WEIGHTS),
    "fan-in": (arcs_fan_in, _WEIGHTS),
    "fan-out": (arcs_fan_out, _WEIGHTS),
    "self calls": (arcs_self, _WEIGHTS),
    "zero times": (arcs_dense, ["none"]),
    "equal times and calls": (arcs_equal, ["equal"]),
    "equal calls, no times": (arcs_equal, ["none"]),
    "rings without times": (arcs_rings, ["none"]),
    "zero counts": (arcs_zero, _WEIGHTS),
    "repeated arcs": (arcs_repeated, _WEIGHTS),
    "huge counts": (arcs_huge, ["wide"]),
    "arcs outside": (arcs_outside, _WEIGHTS),
    "arcs within": (arcs_within, _WEIGHTS),
}


def make_profile(rng, layout, kind):
    """The text of a profile of KIND."""
    make_arcs, weights = KINDS[kind]
    records = histograms(rng, layout, weights)
    arcs = make_arcs(rng, layout.functions)
    records = arcs + records if rng.random() < 0.2 else records + arcs
    return "\n".join(records) + "\n"


def blocks(rng, layout):
    """A record of basic blocks."""
    lines = ["blocks"]
    for _ in range(rng.randint(1, 30)):
        lines.append("block %#x %d" % (_inside(rng, layout.functions), _count(rng)))
    return "\n".join(lines) + "\n"
