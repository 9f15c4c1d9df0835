"""Reads the symbols of ELF files, and writes ELF files of any word size, byte order and machine
from a
readable text, for images that no installed assembler can make.

    bits 32|64        default 64
    order little|big  default little
    machine N         ELF machine number; default 62 (x86-64)
    text ADDRESS      start of the text section; default 0x1000
    section NAME      name of that section; default .text
    part NAME ADDRESS another section with code, for the symbols that follow; at a higher address
    loader PATH       the dynamic loader that it asks for; default none
    function NAME SIZE [HEX...]         a global function, filled with zeros after the bytes
    local NAME SIZE [HEX...]            a static function
    label NAME SIZE [HEX...]            a global symbol that is not a function
    staticlabel NAME SIZE [HEX...]      a static symbol that is not a function
    thumb             bit 0 is set in the addresses of functions, as in T32 code of ARM
    alias NAME                          another name of the last symbol
    file PATH                           source file of the following lines
    lines OFFSET LINE [OFFSET LINE]...  source lines of the last symbol's code, from these offsets
    on
    call OFFSET NAME                    in the last symbol's code: an x86 call of the function

Names that start with a quote are Python string literals.
"""

import ast
import os
import shlex
import struct

_LAYOUT = {  # bits: (header, section header, symbol)
    32: ("16sHHIIIIIHHHHHH", "IIIIIIIIII", "IIIBBH"),
    64: ("16sHHIQQQIHHHHHH", "IIQQQQIIQQ", "IBBHQQ"),
}

_SYMBOLS = {  # (is local, is a function)
    "function": (False, True),
    "local": (True, True),
    "label": (False, False),
    "staticlabel": (True, False),
}


class Image:
    def __init__(self):
        self.bits, self.order, self.machine = 64, "little", 62
        self.start, self.section, self.loader = 0x1000, ".text", ""
        self.text = bytearray()  # of all sections with code, one after the other
        self.bit = 0  # added to the addresses of functions
        self.parts = []  # offset in `text', name, address of the sections after the first
        self.symbols = []  # name, offset, size, is_local, is_function
        self.files = []
        self.rows = []  # offset, number of file, line
        self.calls = []  # offset, name

    def mark(self):
        return "<" if self.order == "little" else ">"

    def pack_symbol(self, name, value, size, info, section):
        layout = self.mark() + _LAYOUT[self.bits][2]
        if self.bits == 32:
            return struct.pack(layout, name, value, size, info, 0, section)
        return struct.pack(layout, name, info, 0, section, value, size)

    def make_calls(self):
        offsets = {symbol[0]: symbol[1] for symbol in self.symbols}
        for offset, name in self.calls:
            distance = self.place(offsets[name])[1] - self.place(offset)[1] - 5
            self.text[offset : offset + 5] = b"\xe8" + struct.pack("<i", distance)

    def place(self, offset):
        """(number of the section with code, address) of an offset in the text."""
        number = sum(part[0] <= offset for part in self.parts)
        first, _, start = self.parts[number - 1] if number else (0, "", self.start)
        return number, start + offset - first

    def address(self, offset):
        return struct.pack(self.mark() + ("Q" if self.bits == 64 else "I"), self.place(offset)[1])

    def sized(self, content):
        return struct.pack(self.mark() + "I", len(content)) + content

    def line_program(self):
        """A line table of DWARF 4 without special opcodes: address, file, line, copy for each
        row."""
        steps = bytearray()
        line = 1
        for offset, file, next_line in sorted(self.rows):
            steps += bytes([0, 1 + self.bits // 8, 2]) + self.address(offset)
            steps += (
                bytes([4]) + _leb(file) + bytes([3]) + _signed_leb(next_line - line) + bytes([1])
            )
            line = next_line
        steps += bytes([0, 1 + self.bits // 8, 2]) + self.address(len(self.text)) + bytes([0, 1, 1])
        names = b"".join(
            os.path.basename(path) + b"\0" + _leb(1 + i) + b"\0\0"
            for i, path in enumerate(self.files)
        )
        directories = b"".join(os.path.dirname(path) + b"\0" for path in self.files)
        head = (
            bytes([1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
            + directories
            + b"\0"
            + names
            + b"\0"
        )
        return self.sized(struct.pack(self.mark() + "H", 4) + self.sized(head) + steps)

    def debug_sections(self):
        """[(name, content)] of the debug information; empty if no lines are known."""
        if not self.rows:
            return []
        unit = struct.pack(self.mark() + "HIB", 4, 0, self.bits // 8) + _leb(1)
        unit += self.address(0) + self.address(len(self.text)) + struct.pack(self.mark() + "I", 0)
        unit += self.files[0] + b"\0"
        abbreviations = bytes([1, 0x11, 0, 0x11, 0x01, 0x12, 0x01, 0x10, 0x17, 0x03, 0x08, 0, 0, 0])
        return [
            (b".debug_info", self.sized(unit)),
            (b".debug_abbrev", abbreviations),
            (b".debug_line", self.line_program()),
        ]

    def bytes(self):
        self.make_calls()
        strings = bytearray(b"\0")
        table = bytearray(self.pack_symbol(0, 0, 0, 0, 0))
        ordered = [s for s in self.symbols if s[3]] + [s for s in self.symbols if not s[3]]
        for name, offset, size, is_local, is_function in ordered:
            info = (0 if is_local else 16) | (2 if is_function else 0)
            number, address = self.place(offset)
            address |= self.bit if is_function else 0
            table += self.pack_symbol(
                len(strings), address, size, info, 4 + number if number else 1
            )
            strings += name + b"\0"
        others = self.debug_sections()
        if self.loader:
            others.append((b".interp", self.loader.encode() + b"\0"))
        names = b"\0" + self.section.encode() + b"\0.symtab\0.strtab\0.shstrtab\0"
        names += b"".join(name + b"\0" for name, _ in others)
        names += b"".join(name.encode() + b"\0" for _, name, _ in self.parts)
        header, section, symbol = (struct.calcsize(self.mark() + f) for f in _LAYOUT[self.bits])
        offset = header
        parts = []
        heads = [bytes(section)]

        def add(name, kind, flags, address, content, link=0, info=0, align=1, entry=0):
            nonlocal offset
            heads.append(
                struct.pack(
                    self.mark() + _LAYOUT[self.bits][1],
                    names.index(b"\0" + name + b"\0") + 1,
                    kind,
                    flags,
                    address,
                    offset,
                    len(content),
                    link,
                    info,
                    align,
                    entry,
                )
            )
            padding = -len(content) % 16
            parts.append(bytes(content) + bytes(padding))
            offset += len(content) + padding

        locals_ = 1 + sum(s[3] for s in self.symbols)
        ends = [part[0] for part in self.parts] + [len(self.text)]
        add(self.section.encode(), 1, 6, self.start, self.text[: ends[0]])
        add(b".symtab", 2, 0, 0, table, 3, locals_, 8, symbol)
        add(b".strtab", 3, 0, 0, strings)
        add(b".shstrtab", 3, 0, 0, names)
        for (first, name, address), end in zip(self.parts, ends[1:]):
            add(name.encode(), 1, 6, address, self.text[first:end])
        for name, content in others:
            add(name, 1, 0, 0, content)
        ident = (
            b"\x7fELF" + bytes([self.bits // 32, 1 if self.order == "little" else 2, 1]) + bytes(9)
        )
        head = struct.pack(
            self.mark() + _LAYOUT[self.bits][0],
            ident,
            2,
            self.machine,
            1,
            self.start,
            0,
            offset,
            0,
            header,
            0,
            0,
            section,
            len(heads),
            4,
        )
        return head + b"".join(parts) + b"".join(heads)


def parse(text):
    """The image that the text describes."""
    image = Image()
    for line in text.splitlines():
        words = shlex.split(line, comments=True, posix=False)
        if not words:
            continue
        what = words[0]
        if what in ("bits", "machine"):
            setattr(image, what, int(words[1], 0))
        elif what in ("order", "section", "loader"):
            setattr(image, what, words[1])
        elif what == "text":
            image.start = int(words[1], 0)
        elif what == "thumb":
            image.bit = 1
        elif what == "part":
            image.parts.append((len(image.text), words[1], int(words[2], 0)))
        elif what in _SYMBOLS:
            code = bytes.fromhex("".join(words[3:]))
            size = int(words[2], 0)
            image.symbols.append((_name(words[1]), len(image.text), size) + _SYMBOLS[what])
            image.text += code + bytes(size - len(code))
        elif what == "file":
            image.files.append(_name(words[1]))
        elif what == "lines":
            numbers = [int(word, 0) for word in words[1:]]
            start = image.symbols[-1][1]
            image.rows += [
                (start + o, len(image.files), l) for o, l in zip(numbers[::2], numbers[1::2])
            ]
        elif what == "call":
            image.calls.append((image.symbols[-1][1] + int(words[1], 0), _name(words[2])))
        elif what == "alias":
            _, offset, size, is_local, is_function = image.symbols[-1]
            image.symbols.append((_name(words[1]), offset, size, is_local, is_function))
        else:
            raise ValueError("unknown directive: " + line)
    return image


def _leb(number):
    """An unsigned LEB128 number."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def _signed_leb(number):
    out = bytearray()
    while not -0x40 <= number < 0x40:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number & 0x7F]))


def _name(word):
    return ast.literal_eval("b" + word) if word[0] in "\"'" else word.encode()


def _sections(data):
    """(byte-order mark, bits, section headers) of an ELF file."""
    mark = "<" if data[5] == 1 else ">"
    bits = data[4] * 32
    head = struct.unpack_from(mark + _LAYOUT[bits][0], data)
    offset, size, count = head[6], head[11], head[12]
    layout = mark + _LAYOUT[bits][1]
    return mark, bits, [struct.unpack_from(layout, data, offset + i * size) for i in range(count)]


def symbols(path):
    """(name, address, is_local) of every named symbol of an ELF file that has a section, by
    address."""
    with open(path, "rb") as file:
        data = file.read()
    mark, bits, sections = _sections(data)
    found = []
    for section in sections:
        if section[1] != 2:
            continue
        strings = sections[section[6]][4]
        layout = mark + _LAYOUT[bits][2]
        for at in range(section[4], section[4] + section[5], struct.calcsize(layout)):
            fields = struct.unpack_from(layout, data, at)
            if bits == 32:
                name, value, _, info, _, index = fields
            else:
                name, info, _, index, value, _ = fields
            if name and 0 < index < 0xFF00 and info & 15 in (0, 2):
                end = data.index(b"\0", strings + name)
                found.append((data[strings + name : end], value, info >> 4 == 0))
    return sorted(found, key=lambda s: s[1])


def text(data):
    """(offset in the file, address, size) of the section .text in an ELF file's bytes."""
    mark, bits, sections = _sections(data)
    names = sections[struct.unpack_from(mark + _LAYOUT[bits][0], data)[13]][4]
    return next((s[4], s[3], s[5]) for s in sections if data.startswith(b".text\0", names + s[0]))
