"""Images and profiles for random options, and the files that these options name."""

import collections
import os
import re

from lib import drawing, elf, forward, gmonfile, harness, programs
from lib.harness import TEMP

FORMATS = {  # argument of -O, and its format
    "auto": ["magic", "bsd", "bsd44"],
    "magic": ["magic"],
    "m": ["magic"],
    "bsd": ["bsd"],
    "4.4bsd": ["bsd44"],
    "4": ["bsd44"],
}
MOST_BLOCKS = 10  # blocks of one line that the reference counts (difference 10)


class Subject:
    """An image, its copy in which all calls lead forward (the twin), and the names that options can
    use."""

    def __init__(self, image, twin, profiles, files, lines):
        self.image, self.twin, self.profiles = image, twin, profiles
        self.files, self.lines = files, lines
        self.sources = programs.SOURCES
        names = [name.decode() for name, _, _ in elf.symbols(image)]
        self.functions = sorted({n for n in names if not set(n) & set(" .:/$@")})
        if len(self.functions) > 200:  # a static program: mostly the library's
            self.functions = [n for n in self.functions if not n.startswith("_")]

    def has_more_code(self):
        """Whether code of the C library is in a section after the text, as in static programs."""
        return b"\0__libc_freeres_fn\0" in harness.read(self.image)

    def converted(self, format, target):
        """Paths of the profiles in another format, or None if it cannot represent them."""
        if format == "magic":
            return self.profiles
        paths = []
        for i, path in enumerate(self.profiles):
            profile = gmonfile.read_magic(gmonfile.layout_of(self.image), harness.read(path))
            kinds = [
                type(record).__name__ if isinstance(record, gmonfile.Histogram) else record[0]
                for record in profile.records
            ]
            if kinds.count("Histogram") != 1 or "blocks" in kinds:
                return None
            paths.append(harness.write("%s-%d" % (target, i), profile.bytes(format)))
        return paths


def of_program(program):
    """A real program: (subject, ""), or (None, reason)."""
    directory, why = programs.build(program)
    if not directory:
        return None, why
    own = [source for source in program.sources if "." in source]
    image = os.path.join(directory, "image")
    twin = os.path.join(TEMP, "twin-" + program.name)
    forward.copy(image, twin)
    subject = Subject(
        image, twin, [os.path.join(directory, "gmon.out")], unambiguous(own), (20, 120)
    )
    subject.functions = programs.own_functions(directory, own) or subject.functions
    return subject, ""


def real():
    """All programs that could be built."""
    found = [of_program(program)[0] for program in programs.PROGRAMS]
    return [subject for subject in found if subject]


def unambiguous(sources):
    """Names of files that are unique in a program: #line can make another of the same name
    (difference 6)."""
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
        if i > 0:  # histograms of two draws may be incompatible
            text = "".join(line + "\n" for line in text.splitlines() if line.startswith("arc"))
        if rng.random() < 0.3:
            lines = drawing.blocks(rng, layout).splitlines()
            text += "\n".join(lines[: 1 + MOST_BLOCKS // 2]) + "\n"
        paths.append(drawing.write_profile("%s-%d.gmon" % (base, i), text))
    return Subject(image, twin, paths, ["one.c", "two.c"], (1, 400))


# ---- Files that options name ----


# Symbols at the end of code, which never have time.  They are always named, so that a symbol with
# time is not
# the last (difference 9).
LAST = {b"zz_padding", b"zz_last", b"_fini"}


def code_symbols(subject):
    """The symbols up to the end of code: (those that may be omitted, those that may not)."""
    symbols = elf.symbols(subject.image)
    end = max(address for name, address, _ in symbols if name in LAST)
    symbols = [symbol for symbol in symbols if symbol[1] <= end]
    return [s for s in symbols if s[0] not in LAST], [s for s in symbols if s[0] in LAST]


def write_map(rng, subject, path):
    """Objects for -R, of one function each (random_order.py has larger ones).  Some functions are
    in no object,
    and some objects have functions that do not exist."""
    symbols, last = code_symbols(subject)
    names = collections.Counter(name for name, _, _ in symbols)
    chance = rng.choice([0.1, 0.5, 1])
    some = [s for s in symbols if names[s[0]] == 1 and rng.random() < chance] + last
    lines = [
        b"%s.o:%016x %c %s\n" % (name, address, b"Tt"[is_local], name)
        for name, address, is_local in some
    ]
    lines += [b"o%d.o:0 T nowhere%d\n" % (i, i) for i in range(rng.randint(0, 3))]
    if rng.random() < 0.3:
        rng.shuffle(lines)
    return harness.write(path, b"".join(lines))


def write_table(rng, subject, path):
    """Symbols for -S: some symbols of the image, as in nm, System.map or kallsyms."""
    symbols, last = code_symbols(subject)
    chance = rng.choice([0.1, 0.5, 1])
    module = rng.choice([b"", b"", b"\t[module]"])
    some = [symbol for symbol in symbols if rng.random() < chance] + last
    lines = [
        b"%016x %c %s%s\n" % (address, b"Tt"[is_local], name, module)
        for name, address, is_local in some
    ]
    lines += [
        b"%016x %c other%d\n" % (address, b"DdbW"[i % 4], i)
        for i, (_, address, _) in enumerate(symbols[:6])
    ]
    if rng.random() < 0.3:
        rng.shuffle(lines)
    return harness.write(path, b"".join(lines))


# ---- Orders ----


def symbol_count(words, image):
    """The number of symbols of IMAGE with the options of WORDS: that of execution counts, which
    have one line per
    symbol if there are no blocks."""
    call = gmonfile.Profile(gmonfile.Layout(64, "little"), [("arc", 0, 0, 1)]).bytes()
    profile = harness.write(os.path.join(TEMP, "a-call-%d" % os.getpid()), call)
    listed = harness.run([harness.GPROF, "-b", "-C", "-z"] + words + [image, profile])[1]
    return len(re.findall(rb"^\S.*:\d+: \(.*:0x[0-9a-f]+\) ", listed, re.M))


def order_disagreement(ours, theirs, count, has_left_out):
    """Like harness.disagreement, for output with an order of COUNT names in one of its sections, in
    which the
    reference may repeat or omit some (difference 20).  With HAS_LEFT_OUT, calls are excluded
    (difference 8), and
    our order only has to be complete."""
    mine, other = ours[1].split(b"\f\n"), theirs[1].split(b"\f\n")
    different = [i for i in range(len(mine)) if mine[i : i + 1] != other[i : i + 1]]
    if ours[0] != theirs[0] or len(mine) != len(other) or len(different) > 1:
        return harness.disagreement(ours, theirs)
    if not different:
        return ""
    own, told = mine[different[0]].splitlines(), other[different[0]].splitlines()
    head = len(own) - count  # lines of other reports
    if head < 0 or own[:head] != told[:head]:
        return "an order of %d instead of %d\n%s" % (
            len(own),
            count,
            harness.diff(theirs[1], ours[1]),
        )
    own, told = own[head:], told[head:]
    if has_left_out:
        return ""
    repeated = collections.Counter(told) - collections.Counter(own)
    left_out = collections.Counter(own) - collections.Counter(told)
    rest = iter(told)
    same = all(name in rest for name in own if name not in left_out)  # in that order
    return "" if same and (repeated or left_out) else harness.diff(theirs[1], ours[1])
