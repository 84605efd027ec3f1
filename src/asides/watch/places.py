"""The places of an entry: the files at whose reading or editing it is due."""

from __future__ import annotations

from typing import assert_never

from asides.model.anchor import Anchor, Declaration, File, General


def places(anchor: Anchor, *, tracked: frozenset[str]) -> tuple[str, ...]:
    """Returns the globs of the files that an anchor lies in; none for a path that is not in the checkout."""
    match anchor:
        case General():
            return ()
        case File(path=path) | Declaration(path=path):
            return _within(path, tracked)
        case _:
            assert_never(anchor)


def _within(path: str, tracked: frozenset[str]) -> tuple[str, ...]:
    path = path.rstrip("/")
    if path in tracked:
        return (literal(path),) if inside(path) else ()
    folder = f"{path}/"
    if path and inside(path) and any(one.startswith(folder) for one in tracked):
        return (f"{literal(path)}/**",)
    return ()


def inside(path: str) -> bool:
    """Returns whether a path stays in the checkout and out of git's own folder."""
    parts = path.split("/")
    return bool(path) and not any(part in ("", ".", "..", ".git") for part in parts)


def literal(path: str) -> str:
    """Returns a glob that fits this path: signs of a glob in it stand for any one character."""
    return path.replace("*", "?")
