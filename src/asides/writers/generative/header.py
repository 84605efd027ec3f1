"""Reads what a GGUF file says of itself, so that a file that is none never reaches a library written in C.

Format: the magic number, version, counts of tensors and of keys, then each key with its type and value;
all numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from asides.model.errors import WriterUnavailable

_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # bytes of a value, by type
_LONGEST = 1 << 24  # bytes of one text; a vocabulary's longest are templates of some 10 KB
_MOST_KEYS = 10_000
_MOST_ITEMS = 4_000_000
VERSIONS = (2, 3)
DIGEST_CHARACTERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is needed of it."""

    architecture: str
    chat_template: str


class _NotGguf(Exception):
    """What is wrong with the file."""


def header(path: Path) -> Header:
    """Returns what a model file says of itself. Raises WriterUnavailable where it is missing or no GGUF."""
    try:
        with path.open("rb") as file:
            texts = _texts(file)
    except OSError as fault:
        raise WriterUnavailable(name=path.name, why=f"{path} cannot be read ({fault.strerror})") from fault
    except (_NotGguf, UnicodeDecodeError) as fault:
        raise WriterUnavailable(name=path.name, why=f"{path} is not a GGUF file ({fault})") from fault
    return Header(
        architecture=texts.get("general.architecture", ""),
        chat_template=texts.get("tokenizer.chat_template", ""),
    )


def identity(path: Path) -> str:
    """Returns the file's name with the beginning of its SHA-256, e.g. `writer.gguf@0123456789ab`."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise WriterUnavailable(name=path.name, why=f"{path} cannot be read ({fault.strerror})") from fault
    return f"{path.name}@{digest[:DIGEST_CHARACTERS]}"


def _texts(file: BinaryIO) -> dict[str, str]:
    """Returns every key whose value is a text."""
    if _take(file, 4) != b"GGUF":
        raise _NotGguf("it does not begin with GGUF")
    (version,) = struct.unpack("<I", _take(file, 4))
    if version not in VERSIONS:
        raise _NotGguf(f"version {version}")
    _, keys = struct.unpack("<QQ", _take(file, 16))
    if keys > _MOST_KEYS:
        raise _NotGguf(f"{keys} keys")
    found: dict[str, str] = {}
    for _ in range(keys):
        key = _text(file)
        (kind,) = struct.unpack("<I", _take(file, 4))
        if kind == _STRING:
            found[key] = _text(file)
        else:
            _skip(file, kind)
    return found


def _skip(file: BinaryIO, kind: int) -> None:
    if kind in _SIZES:
        _take(file, _SIZES[kind])
        return
    if kind != _ARRAY:
        raise _NotGguf(f"a value of type {kind}")
    inner, count = struct.unpack("<IQ", _take(file, 12))
    if count > _MOST_ITEMS or (inner not in _SIZES and inner != _STRING):
        raise _NotGguf(f"a list of {count} values of type {inner}")
    if inner == _STRING:
        for _ in range(count):
            _take(file, _length(file))
    else:
        _take(file, count * _SIZES[inner])


def _text(file: BinaryIO) -> str:
    return _take(file, _length(file)).decode()


def _length(file: BinaryIO) -> int:
    length: int = struct.unpack("<Q", _take(file, 8))[0]
    if length > _LONGEST:
        raise _NotGguf(f"a text of {length} bytes")
    return length


def _take(file: BinaryIO, count: int) -> bytes:
    taken = file.read(count)
    if len(taken) != count:
        raise _NotGguf("it ends within its header")
    return taken
