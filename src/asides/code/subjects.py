"""What anchors are about in one look at a tree: each file is read and parsed once."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterable
from functools import cached_property
from typing import Protocol

from asides.code.declarations import MOST_CHARACTERS, Declared, Source, language_of, parse
from asides.code.sketches import lowest, names, sketch
from asides.model.anchor import Declaration, File, Subject


class Tree(Protocol):
    """A checkout, or one commit of it, as it is."""

    def paths(self) -> frozenset[str]:
        """Returns the paths of its files, with slashes."""

    def read(self, path: str) -> str | None:
        """Returns a file's text; None for what is not there, no text, or too large."""


class Look:
    """One look at a tree: what was read is kept, so that all subjects are told from the same texts."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._texts: dict[str, str | None] = {}
        self._sources: dict[str, Source | None] = {}
        self._named: dict[str, dict[str, Declared]] = {}

    @cached_property
    def paths(self) -> frozenset[str]:
        return self._tree.paths()

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders that hold a path."""
        found: set[str] = set()
        for path in self.paths:
            while (path := posixpath.dirname(path)) and path not in found:
                found.add(path)
        return frozenset(found)

    def text(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._tree.read(path)
        return self._texts[path]

    def source(self, path: str) -> Source | None:
        """Returns a file as its language sees it; None without a text, a language, or for a text too long."""
        if path not in self._sources:
            self._sources[path] = source_of(path, self.text(path))
        return self._sources[path]

    def declared(self, path: str) -> dict[str, Declared]:
        """Returns what a file declares, by name; nothing where it cannot be parsed."""
        if path not in self._named:
            source = self.source(path)
            self._named[path] = {one.name: one for one in source.declared} if source is not None else {}
        return self._named[path]

    def subject(self, anchor: File | Declaration, commit: str) -> Subject | None:
        """Returns what an anchor is about here; None where it is not there or cannot be read."""
        match anchor:
            case Declaration(path=path, name=name):
                one = self.declared(path).get(name)
                return None if one is None else of_declaration(anchor, one, commit)
            case File(path=path):
                if (text := self.text(path)) is not None:
                    return of_file(anchor, text, self.source(path), commit)
                if path in self.paths:
                    return Subject(anchor=anchor, fingerprint="", sketch=(), size=0, commit=commit)
                folder = path.rstrip("/")
                return of_folder(anchor, self.below(folder), commit) if folder in self.folders else None

    def below(self, folder: str) -> list[str]:
        """Returns the paths in a folder, from it."""
        return sorted(path[len(folder) + 1 :] for path in self.paths if path.startswith(f"{folder}/"))


def source_of(path: str, text: str | None) -> Source | None:
    """Returns a text as the language of its path sees it; None where there is no text or no language."""
    language = language_of(path)
    return None if text is None or language is None else parse(text, language)


def words_of(text: str, source: Source | None) -> tuple[str, ...]:
    """Returns what a file consists of: words and signs of its language, or what stands between spaces."""
    return source.tokens if source is not None else tuple(text[:MOST_CHARACTERS].split())


def of_declaration(anchor: Declaration, one: Declared, commit: str) -> Subject:
    return Subject(
        anchor=anchor,
        fingerprint=one.fingerprint,
        sketch=sketch(one.tokens),
        size=len(one.tokens),
        commit=commit,
    )


def of_file(anchor: File, text: str, source: Source | None, commit: str) -> Subject:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return Subject(
        anchor=anchor,
        fingerprint=_digest(lines if source is None else source.tokens),
        sketch=sketch(words_of(text, source)),
        size=len(lines),
        commit=commit,
    )


def of_folder(anchor: File, below: Iterable[str], commit: str) -> Subject:
    paths = sorted(below)
    return Subject(
        anchor=anchor, fingerprint=_digest(paths), sketch=lowest(names(paths)), size=len(paths), commit=commit
    )


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]
