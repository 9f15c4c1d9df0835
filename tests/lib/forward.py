"""Copies x86 images so that every call leads forward.

The reference does not find calls to lower addresses (difference 7).  Without such calls, both
programs must find
the same ones, so that -c can be compared byte for byte.
"""

import struct

from lib import elf

CALL, SIZE = 0xE8, 5  # first byte and size of a call, which ends with a distance of 32 bits


def _drop_backward(text, start, targets):
    """Changes bytes that look like backward calls; true if anything was changed."""
    changed, at = False, text.find(CALL)
    while 0 <= at <= len(text) - SIZE:
        (distance,) = struct.unpack_from("<i", text, at + 1)
        if distance < 0 and start + at + SIZE + distance in targets:
            text[at] = 0x90
            changed = True
        at = text.find(CALL, at + 1)
    return changed


def _add_calls(rng, text, start, targets):
    for _ in range(rng.randint(0, 2 * len(targets))):
        at, target = rng.randrange(len(text) - SIZE), rng.choice(sorted(targets)) - start
        if at + SIZE <= target < len(text):
            text[at : at + SIZE] = struct.pack("<Bi", CALL, target - at - SIZE)


def copy(source, target, rng=None):
    """Copies the image SOURCE to TARGET.  If RNG is given, adds bytes that look like calls."""
    with open(source, "rb") as file:
        data = bytearray(file.read())
    offset, start, size = elf.text(data)
    text = data[offset : offset + size]
    targets = {address for _, address, _ in elf.symbols(source)}
    if rng:
        _add_calls(rng, text, start, targets)
    while _drop_backward(text, start, targets):
        pass  # a changed byte can be part of another call's distance
    data[offset : offset + size] = text
    with open(target, "wb") as file:
        file.write(data)
