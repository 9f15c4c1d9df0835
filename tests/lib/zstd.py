"""Writes files of zstd, without its library: blocks are stored, or are repetitions of one byte."""

import struct

_MOST = 128 << 10  # bytes in a block
_STORED, _REPEATED = 0, 1


def _block(is_last, kind, size, content):
    return struct.pack("<I", size << 3 | kind << 1 | is_last)[:3] + content


def frame(data, window_bits=17):
    """A frame with DATA; its header demands a window of 2^WINDOW_BITS bytes."""
    blocks = b""
    for at in range(0, len(data) or 1, _MOST):
        part = data[at : at + _MOST]
        blocks += _block(at + _MOST >= len(data), _STORED, len(part), part)
    return b"\x28\xb5\x2f\xfd\0" + bytes([window_bits - 10 << 3]) + blocks


def zeros(size):
    """A small frame with SIZE zeros, a multiple of 128 KB."""
    count = size // _MOST
    blocks = b"".join(_block(i == count - 1, _REPEATED, _MOST, b"\0") for i in range(count))
    return b"\x28\xb5\x2f\xfd\0" + bytes([17 - 10 << 3]) + blocks
