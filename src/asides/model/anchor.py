"""What an entry is about: everything, a file, or a declaration in a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never


@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """Holds for the whole project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """Holds for one file or folder, named by its path from the project's root."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Holds for one named declaration in a file."""

    path: str
    name: str


Anchor = General | File | Declaration


def label(anchor: Anchor) -> str:
    """Returns the anchor the way a person reads it, e.g. `general` or `app.py::total`."""
    match anchor:
        case General():
            return "general"
        case File(path=path):
            return path
        case Declaration(path=path, name=name):
            return f"{path}::{name}"
        case _:
            assert_never(anchor)


def parse(text: str) -> Anchor:
    """Returns the anchor that `label` printed; the inverse of `label`."""
    if text == "general":
        return General()
    path, found, name = text.partition("::")
    return Declaration(path=path, name=name) if found else File(path=path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What an anchor is about, as it was when it was last seen: enough to find it again elsewhere.

    `fingerprint` stays the same when the subject is moved, renamed or laid out anew. `sketch` holds hashes of
    its parts, so that the share which two subjects have in common can be told without either text. `size`
    counts what it is made of (words and signs of a declaration, lines of a file, files of a folder).
    """

    anchor: File | Declaration
    fingerprint: str
    sketch: tuple[int, ...]
    size: int
    commit: str  # HEAD of the checkout where it was seen; empty outside git


class Drift(StrEnum):
    """What became of a subject."""

    SAME = "same"  # there, unchanged but for layout and comments
    EDITED = "edited"  # there, with other contents
    MOVED = "moved"  # in another place, or under another name; perhaps edited too
    GONE = "gone"
    UNKNOWN = "unknown"  # cannot be told: the file cannot be read or parsed, or git does not answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What became of one subject. `subject`: as it is now; None when it is gone or nothing can be told."""

    drift: Drift
    subject: Subject | None
    edited: float = 0.0  # share of it that is other now: 0 the same, 1 nothing left
    why: str = ""
