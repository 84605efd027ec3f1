"""Reading JSON that other programs wrote: damage is survived where a meaning is left, else named."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from asides.model.errors import BrokenPayload

T = TypeVar("T")

REPLACEMENT = "\ufffd"
NOTHING = msgspec.Raw(b"null")

# Escapes of surrogates whose backslash is not itself escaped; pairs first, so that only a lone one is
# left for the named group.
_SURROGATE = re.compile(
    rb"(?<!\\)(?:\\\\)*\\"
    rb"(?:u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)


def decode(raw: bytes | msgspec.Raw, wanted: type[T]) -> T:
    """Returns the JSON text `raw` as a `wanted`, with what is not Unicode replaced by U+FFFD.

    Raises BrokenPayload when it is not one whole JSON text of that shape.
    """
    try:
        return msgspec.json.decode(raw, type=wanted)
    except RecursionError:
        raise BrokenPayload(why="it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        mended = _mended(bytes(raw))
    # Slow path, taken for damaged text only (hazard B-061: a lone surrogate from binary tool output).
    try:
        return msgspec.json.decode(mended, type=wanted)
    except RecursionError:
        raise BrokenPayload(why="it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenPayload(why=str(error)) from None


def part(raw: msgspec.Raw, wanted: type[T]) -> T:
    """Returns a piece of a text that `decode` read, or an empty `wanted` when its shape is another.

    Agents change the shape of what they carry between versions; that must not cost the rest.
    """
    try:
        return decode(raw, wanted)
    except BrokenPayload:
        return wanted()


def clean(value: object) -> str:
    """Returns `value` if it is text, else ""; NUL, which cuts text short in SQL, is replaced."""
    return value.replace("\x00", REPLACEMENT) if isinstance(value, str) else ""


def name(value: object) -> str | None:
    """Returns `value` if it is text that can name something, else None."""
    return value if isinstance(value, str) and value else None


def _mended(raw: bytes) -> bytearray:
    """Returns `raw` as valid UTF-8 without lone surrogate escapes and without a byte order mark."""
    text = raw.decode("utf-8", errors="replace").removeprefix("\ufeff").encode()
    mended = bytearray(text)
    for found in _SURROGATE.finditer(text):
        if found["lone"]:
            start, end = found.span("lone")
            mended[start:end] = b"ufffd"
    return mended
