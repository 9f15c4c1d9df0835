"""Writes and reads profiles in every format.  Shares no code with the program under test.
"""

import collections
import struct

FORMATS = ("magic", "bsd", "bsd44")
BSD44_VERSION = 0x00051879
HOST_TICKS = 100
EXACT = b"regmon".ljust(
    12, b"\0"
)  # the unused bytes of a profile in which the calls of all threads are


class Layout:
    """Byte order and pointer size."""

    def __init__(self, bits=64, order="little"):
        self.bits, self.order = bits, order
        self.mark = "<" if order == "little" else ">"
        self.pointer = "Q" if bits == 64 else "I"

    def pack(self, form, *values):
        return struct.pack(self.mark + form.replace("P", self.pointer), *values)

    def unpack(self, form, data, at):
        """The values, and the offset after them."""
        form = self.mark + form.replace("P", self.pointer)
        return struct.unpack_from(form, data, at), at + struct.calcsize(form)


def layout_of(image):
    """That of the profiles which an ELF file writes."""
    with open(image, "rb") as file:
        ident = file.read(6)
    return Layout(32 * ident[4], "little" if ident[5] == 1 else "big")


class Histogram:
    """Samples by address; `bins' is {number: samples}."""

    def __init__(
        self, low, high, count, bins=(), rate=HOST_TICKS, dimension="seconds", abbreviation="s"
    ):
        self.low, self.high, self.count, self.bins = low, high, count, dict(bins)
        self.rate, self.dimension, self.abbreviation = rate, dimension, abbreviation

    def range(self):
        return self.low, self.high, self.count

    def packed_bins(self, layout):
        values = [0] * self.count
        for number, samples in self.bins.items():
            values[number] = samples
        return layout.pack("%dH" % self.count, *values)


def checksum(*histograms):
    """The line by which a file of stacks says that it belongs to a profile of these histograms."""
    odd, mask, total = 0x9E3779B97F4A7C15, 2**64 - 1, 0
    for histogram in histograms:
        for number, samples in histogram.bins.items():
            mixed = (histogram.low + number) * odd & mask
            total += (mixed ^ mixed >> 32) * odd * samples
    return "# checksum %x" % (total & mask)


def stacks(lines, rate=100, histogram=None, program="image", objects=()):
    """A file of stacks; with a HISTOGRAM, one that belongs to its profile.  LINES are pairs of
    frames, outermost first, and samples, and lines as the file has them; a frame is an address in
    PROGRAM, or as the file has it."""
    text = ["# regmon stacks 3", "# rate %d" % rate]
    if histogram:
        samples = sum(histogram.bins.values())
        text += ["# histogram %x %x %d" % (histogram.low, histogram.high, samples)]
        text += [checksum(histogram)]
    text += ["# program 0 " + program]
    text += ["# object %d %s" % row for row in enumerate(objects, 1)]
    pairs = [line for line in lines if not isinstance(line, str)]
    words = lambda frames: [f if isinstance(f, str) else "0:%x" % f for f in frames]
    text += [x if isinstance(x, str) else "%s %d" % (";".join(words(x[0])), x[1]) for x in lines]
    text += ["# samples %d" % sum(samples for _, samples in pairs)] * (histogram is not None)
    return "".join(line + "\n" for line in text).encode()


class Profile:
    """Records in the order of writing: a Histogram, ("arc", from, self, count), or
    ("blocks", [(address, count)...])."""

    def __init__(self, layout, records=()):
        self.layout, self.records = layout, list(records)

    def bytes(self, format="magic", version=1):
        if format != "magic":
            return self._bsd(format)
        head = b"gmon" + self.layout.pack("I12x", version)
        return head + b"".join(self._magic_record(record, version) for record in self.records)

    def _magic_record(self, record, version):
        pack = self.layout.pack
        if isinstance(record, Histogram):
            words = record.dimension.encode(), record.abbreviation.encode()
            head = b"\0" + pack("P", record.low) + pack("P", record.high)
            head += pack("II15sc", record.count, record.rate, *words)
            return head + record.packed_bins(self.layout)
        if record[0] == "arc":
            return b"\1" + pack("P", record[1]) + pack("P", record[2]) + pack("I", record[3])
        data = b"\2" + pack("I", len(record[1])) + (b"f\0" if version == 0 else b"")
        for address, count in record[1]:
            if version == 0:
                data += pack("P", count) + pack("P", address) + b"a.c\0f\0" + pack("I", 1)
            else:
                data += pack("P", address) + pack("P", count)
        return data

    def _bsd(self, format):
        pack = self.layout.pack
        histogram = next(r for r in self.records if isinstance(r, Histogram))
        more = pack("II12x", BSD44_VERSION, histogram.rate) if format == "bsd44" else b""
        ends = pack("P", histogram.low) + pack("P", histogram.high)
        bins = histogram.packed_bins(self.layout)
        data = ends + pack("I", len(ends) + 4 + len(more) + len(bins)) + more + bins
        for record in self.records:
            if isinstance(record, tuple) and record[0] == "arc":
                data += pack("P", record[1]) + pack("P", record[2]) + pack("P", record[3])
        return data


class Figures:
    """The sums of profiles: bins by (range, number), calls by (from, self), executions by address;
    each also in
    order of first appearance."""

    def __init__(self):
        self.bins, self.arcs, self.blocks = (collections.Counter() for _ in range(3))
        self.ranges, self.records = [], 0
        self.rate = None

    def add_histogram(self, histogram):
        self.records += 1
        if self.rate is None:
            self.rate = histogram.rate
        if histogram.range() not in self.ranges:
            self.ranges.append(histogram.range())
        for number, samples in histogram.bins.items():
            if samples:
                self.bins[histogram.range(), number] += samples

    def add(self, profile):
        for record in profile.records:
            if isinstance(record, Histogram):
                self.add_histogram(record)
            elif record[0] == "arc":
                self.arcs[record[1:3]] += record[3]
            else:
                for address, count in record[1]:
                    self.blocks[address] += count
        return self

    def everything(self):
        return [dict(self.bins), self.ranges] + [list(c.items()) for c in (self.arcs, self.blocks)]

    def __eq__(self, other):
        """Whether the sums and their order of first appearance are the same."""
        return self.everything() == other.everything()

    def has_same_sums(self, other):
        mine, others = self.everything(), other.everything()
        return [sorted(x.items() if isinstance(x, dict) else x) for x in mine] == [
            sorted(x.items() if isinstance(x, dict) else x) for x in others
        ]


def figures(*profiles):
    sums = Figures()
    for profile in profiles:
        sums.add(profile)
    return sums


def _read_bins(layout, data, at, count):
    values, at = layout.unpack("%dH" % count, data, at)
    return {i: value for i, value in enumerate(values) if value}, at


def read_magic(layout, data):
    """The profile in these bytes, of version 1."""
    assert (
        data[:4] == b"gmon"
        and layout.unpack("I", data, 4)[0] == (1,)
        and data[8:20] in (bytes(12), EXACT)
    )
    profile, at = Profile(layout), 20
    while at < len(data):
        tag, at = data[at], at + 1
        if tag == 0:
            (low,), at = layout.unpack("P", data, at)
            (high,), at = layout.unpack("P", data, at)
            (count, rate, dimension, letter), at = layout.unpack("II15sc", data, at)
            bins, at = _read_bins(layout, data, at, count)
            words = dimension.rstrip(b"\0").decode(), letter.decode()
            profile.records.append(Histogram(low, high, count, bins, rate, *words))
        elif tag == 1:
            (a,), at = layout.unpack("P", data, at)
            (b,), at = layout.unpack("P", data, at)
            (count,), at = layout.unpack("I", data, at)
            profile.records.append(("arc", a, b, count))
        else:
            assert tag == 2, tag
            (count,), at = layout.unpack("I", data, at)
            blocks = []
            for _ in range(count):
                pair, at = layout.unpack("PP", data, at)
                blocks.append(pair)
            profile.records.append(("blocks", blocks))
    return profile


def read_bsd(layout, data, format):
    pair, at = layout.unpack("PP", data, 0)
    (size,), at = layout.unpack("I", data, at)
    rate = HOST_TICKS
    if format == "bsd44":
        (version, rate), at = layout.unpack("II12x", data, at)
        assert version == BSD44_VERSION
    count = (size - at) // 2
    bins, at = _read_bins(layout, data, at, count)
    profile = Profile(layout, [Histogram(*pair, count, bins, rate)])
    while at < len(data):
        arc, at = layout.unpack("PPP", data, at)
        profile.records.append(("arc",) + arc)
    return profile


def read(layout, data, format="magic"):
    return read_magic(layout, data) if format == "magic" else read_bsd(layout, data, format)
