"""Images and profiles that options are drawn for, and the files that options name."""

import os
import re

import drawing
import elf
import forward
import gmonfile
import harness
import programs
from harness import TEMP

FORMATS = {  # word for -O, and the format that it is for
    "auto": ["magic", "bsd", "bsd44"],
    "magic": ["magic"],
    "m": ["magic"],
    "bsd": ["bsd"],
    "4.4bsd": ["bsd44"],
    "4": ["bsd44"],
}


class Subject:
    """An image, its twin whose calls all lead forward, and what options can speak of."""

    def __init__(self, image, twin, profiles, files, lines):
        self.image, self.twin, self.profiles = image, twin, profiles
        self.files, self.lines = files, lines
        self.sources = programs.SOURCES
        names = [name.decode() for name, _, _ in elf.symbols(image)]
        self.functions = sorted({n for n in names if not set(n) & set(" .:/$@")})
        if len(self.functions) > 200:  # a static program: mostly the library's
            self.functions = [n for n in self.functions if not n.startswith("_")]

    def layout(self):
        with open(self.image, "rb") as file:
            ident = file.read(6)
        return gmonfile.Layout(32 * ident[4], "little" if ident[5] == 1 else "big")

    def converted(self, format, target):
        """Paths of the profiles in another format, or None if it cannot hold them."""
        if format == "magic":
            return self.profiles
        paths = []
        for i, path in enumerate(self.profiles):
            profile = gmonfile.read_magic(self.layout(), harness.read(path))
            kinds = [type(record).__name__ if isinstance(record, gmonfile.Histogram) else record[0] for record in profile.records]
            if kinds.count("Histogram") != 1 or "blocks" in kinds:
                return None
            paths.append(harness.write("%s-%d" % (target, i), profile.bytes(format)))
        return paths


def real():
    """Programs that could be built."""
    found = []
    for program in programs.PROGRAMS:
        directory, _ = programs.build(program)
        if not directory:
            continue
        own = [source for source in program.sources if "." in source]
        image = os.path.join(directory, "image")
        twin = os.path.join(TEMP, "twin-" + program.name)
        forward.copy(image, twin)
        subject = Subject(image, twin, [os.path.join(directory, "gmon.out")], unambiguous(own), (20, 120))
        subject.functions = programs.own_functions(directory, own) or subject.functions
        found.append(subject)
    return found


def unambiguous(sources):
    """Names of files of which a program has only one: #line can make another (difference 6)."""
    text = b"".join(harness.read(os.path.join(programs.SOURCES, name)) for name in sources)
    return [name for name in sources if b'"%s"' % name.encode() not in text] or ["nowhere.c"]


def draw_images(rng, seed):
    """[(image, twin)], or none without an assembler."""
    images = [drawing.make_image(seed, number, TEMP) for number in range(drawing.IMAGES)]
    if not all(images):
        return []
    for image in images:
        forward.copy(image, image + "-twin", rng)
    return [(image, image + "-twin") for image in images]


def drawn(rng, images, base):
    """A drawn image with profiles whose names begin with BASE."""
    image, twin = rng.choice(images)
    layout = drawing.Layout(image)
    paths = []
    for i in range(rng.choice([1, 1, 1, 2])):
        text = drawing.make_profile(rng, layout, rng.choice(list(drawing.KINDS)))
        if i > 0:  # histograms of two draws need not fit together
            text = "".join(line + "\n" for line in text.splitlines() if line.startswith("arc"))
        if rng.random() < 0.3:
            text += drawing.blocks(rng, layout)
        path = "%s-%d.gmon" % (base, i)
        harness.write(path[:-2], text.encode())
        harness.must_run([harness.mkgmon(), "-o", path, path[:-2]])
        os.unlink(path[:-2])
        paths.append(path)
    return Subject(image, twin, paths, ["one.c", "two.c"], (1, 400))


# ---- Files that options name ----


LAST = 4  # symbols at the end that are always there, lest one before them that has time is the last (difference 9)


def write_map(rng, subject, path):
    """Objects for -R: runs of functions, of which some are nowhere."""
    symbols = elf.symbols(subject.image)
    lines = [b"last%d.o:%x T %s\n" % (i, address, name) for i, (name, address, _) in enumerate(symbols[-LAST:])]
    symbols, at = symbols[:-LAST], 0
    while at < len(symbols):
        run = rng.choice([1, 1, 2, 3, 8, 40])
        if rng.random() < 0.1:
            lines.append(b"o%d.o:0 T nowhere%d\n" % (at, at))
        for name, address, is_local in symbols[at : at + run]:
            lines.append(b"o%d.o:%016x %c %s\n" % (at, address, b"tT"[not is_local], name))
        at += run * rng.choice([1, 1, 1, 2])
    if rng.random() < 0.3:
        rng.shuffle(lines)
    return harness.write(path, b"".join(lines))


def write_table(rng, subject, path):
    """Symbols for -S: some of the image's, as nm, System.map or kallsyms have them."""
    symbols = elf.symbols(subject.image)
    chance = rng.choice([0.1, 0.5, 1])
    some = [s for s in symbols[:-LAST] if rng.random() < chance] + symbols[-LAST:]
    module = rng.choice([b"", b"", b"\t[module]"])
    lines = [b"%016x %c %s%s\n" % (address, b"Tt"[is_local], name, module) for name, address, is_local in some]
    lines += [b"%016x %c other%d\n" % (address, b"DdbW"[i % 4], i) for i, (_, address, _) in enumerate(symbols[:6])]
    if rng.random() < 0.3:
        rng.shuffle(lines)
    return harness.write(path, b"".join(lines))


# ---- Orders ----


def symbol_count(words, files):
    """How many symbols the options of WORDS leave, as the execution counts list them."""
    listed = harness.run([harness.GPROF, "-b", "-C", "-z"] + words + files)[1]
    return len(re.findall(rb"^\S.*:\d+: \(.*:0x[0-9a-f]+\) ", listed, re.M))


def order_disagreement(ours, theirs, count, has_left_out):
    """As harness.disagreement, for output with an order of COUNT things in one of its sections, where that
    of the reference repeats or leaves out some (difference 20).  With HAS_LEFT_OUT, where calls are left out
    (difference 8), ours has only to be complete."""
    mine, other = ours[1].split(b"\f\n"), theirs[1].split(b"\f\n")
    different = [i for i in range(len(mine)) if mine[i : i + 1] != other[i : i + 1]]
    if ours[0] != theirs[0] or len(mine) != len(other) or len(different) > 1:
        return harness.disagreement(ours, theirs)
    if not different:
        return ""
    own, told = mine[different[0]].splitlines(), other[different[0]].splitlines()
    head = len(own) - count  # lines of other reports
    if head < 0 or own[:head] != told[:head]:
        return "an order of %d instead of %d\n%s" % (len(own), count, harness.diff(theirs[1], ours[1]))
    own, told = own[head:], told[head:]
    if has_left_out:
        return ""
    once = list(dict.fromkeys(told))
    same = [name for name in dict.fromkeys(own) if name in set(once)] == once
    is_odd = len(told) != len(own) or len(once) < len(told)
    return "" if same and is_odd else harness.diff(theirs[1], ours[1])
