"""What an entry is about: everything, a file, or a declaration in a file."""

from __future__ import annotations

from dataclasses import dataclass
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
