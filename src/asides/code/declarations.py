"""What a source file declares: names, where they stand, and what each is without layout and comments."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ast_grep_py import SgNode, SgRoot

from asides.code.languages import LANGUAGES, Language

MOST_CHARACTERS = 1_000_000  # generated code is longer; nobody says "that function" about it
OWN = "\0own"  # stands for a declaration's own name, in calls of itself too
_SEPARATOR = re.compile(r"::|[.:]")
_KEY = re.compile(r"[\w$-]+")
_WORD = re.compile(r"[~$]?[^\W\d][\w$]*[?!=]?")
_CLOSERS = frozenset(")]}>")
# Kinds of nodes with one of these in their name hold what is only theirs.
_CALLABLE = ("function", "method", "lambda", "closure", "constructor", "init_declaration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One declaration. Overloads and reopened classes of one name are one declaration.

    `name` is qualified by what it stands in, e.g. `Cart.total`. `tokens` are its words and signs in order,
    without layout, comments and the marks that formatters add or take away; OWN stands for its own name.
    """

    name: str
    start: int  # of the first, in characters
    end: int
    tokens: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """What stays the same when the declaration is moved, renamed or laid out anew: 16 hex digits."""
        return hashlib.sha256("\0".join(self.tokens).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One text as its language sees it."""

    tokens: tuple[str, ...]  # all its words and signs, as those of a declaration, under their own names
    declared: tuple[Declared, ...]
    broken: bool  # whether a part could not be parsed; what stands there is not declared


def language_of(path: str) -> Language | None:
    """Returns the language of a file by its name; None where declarations of such files are not read."""
    return LANGUAGES.get(posixpath.splitext(path)[1].lower())


def declarations(source: str, language: Language) -> tuple[Declared, ...]:
    """Returns what a text declares, in order; nothing for a text of more than MOST_CHARACTERS.

    What cannot be parsed is left out; the rest of the text is read nevertheless.
    """
    parsed = parse(source, language)
    return () if parsed is None else parsed.declared


def parse(source: str, language: Language) -> Source | None:
    """Returns a text's words and what it declares, read once; None for more than MOST_CHARACTERS."""
    if len(source) > MOST_CHARACTERS:
        return None
    reading = _Reading(language)
    reading.read(SgRoot(source, language.grammar).root())
    return Source(tokens=reading.tokens(), declared=reading.found(), broken=reading.broken)


class _Reading:
    """One walk over a tree: collects words and signs, and which stretch of them each declaration is."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._tokens: list[str] = []
        self._parts: dict[str, list[tuple[int, int, int, int]]] = {}
        self.broken = False

    def read(self, root: SgNode) -> None:
        """Walks without recursion: generated code is nested thousands deep."""
        # Node, names of what it stands in, whether that can be called; once walked, its first token.
        stack: list[tuple[SgNode, tuple[str, ...], bool, int | None]] = [(root, (), False, None)]
        while stack:
            node, scope, inside, first = stack.pop()
            if first is not None:
                span = node.range()
                part = (span.start.index, span.end.index, first, len(self._tokens))
                self._parts.setdefault(".".join(scope), []).append(part)
                continue
            kind = node.kind()
            if "comment" in kind:
                continue
            self.broken = self.broken or kind == "ERROR"
            children = node.children()
            if not children:
                self._token(node.text())
                continue
            declares = kind in self._language.kinds or (kind in self._language.values and not inside)
            if declares or kind in self._language.scopes:
                names = _named(node, kind)
                scope = (*scope, *names)
                if declares and names:
                    stack.append((node, scope, inside, len(self._tokens)))
            inner = inside or any(sign in kind for sign in _CALLABLE)
            stack += [(child, scope, inner, None) for child in reversed(children)]

    def tokens(self) -> tuple[str, ...]:
        return tuple(_steady(self._tokens))

    def found(self) -> tuple[Declared, ...]:
        """Returns each name once, with all its parts."""
        result = []
        for name, parts in self._parts.items():
            parts.sort()
            own = name.rpartition(".")[2]
            words = [
                OWN if word == own else word for part in parts for word in self._tokens[part[2] : part[3]]
            ]
            result.append(
                Declared(name=name, start=parts[0][0], end=parts[0][1], tokens=tuple(_steady(words)))
            )
        return tuple(sorted(result, key=lambda one: (one.start, -one.end)))

    def _token(self, text: str) -> None:
        if text.strip():
            self._tokens.append('"' if text == "'" else text.strip())


def _steady(words: list[str]) -> Iterator[str]:
    """Leaves out what a formatter adds or takes away: semicolons, and commas before what closes."""
    for at, word in enumerate(words):
        if word == ";" or (word == "," and at + 1 < len(words) and words[at + 1] in _CLOSERS):
            continue
        yield word


def _named(node: SgNode, kind: str) -> tuple[str, ...]:
    """Returns the name that a node declares, in its parts; nothing where it only mentions one."""
    if kind in _MENTIONED and node.field("body") is None:
        return ()
    if kind in ("pair", "block_mapping_pair"):
        key = node.field("key")
        written = "" if key is None else key.text().strip("\"'")
        return (written,) if _KEY.fullmatch(written) else ()
    if kind == "impl_item":
        return _parts(node.field("type"))
    if kind == "method_declaration" and (receiver := node.field("receiver")) is not None:
        return (*_parts(receiver.find(kind="type_identifier")), *_parts(node.field("name")))
    if kind == "assignment":
        left = node.field("left")
        return _parts(left) if left is not None and left.kind() in ("identifier", "constant") else ()
    found = node.field("name") or node.field("declarator") or node.field("pattern")
    while found is not None and found.kind() != "qualified_identifier":
        deeper = found.field("declarator") or found.field("name")
        if deeper is None:
            break
        found = deeper
    found = found or _child(node)
    if found is not None and found.kind() == "variable_declaration":
        found = _child(found)
    return _parts(found)


# In C these stand wherever a type is used, too; they declare it where their body is.
_MENTIONED = ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier")
# What holds the name where the grammar has no field for it.
_NAMES = (
    "simple_identifier",
    "type_identifier",
    "identifier",
    "variable_declaration",
    "variable_declarator",
    "word",
    "name",
)


def _child(node: SgNode) -> SgNode | None:
    return next((child for child in node.children() if child.kind() in _NAMES), None)


def _parts(node: SgNode | None) -> tuple[str, ...]:
    """Returns a written name in its parts, `shop::Cart<T>` as `shop`, `Cart`; nothing for what is no name."""
    if node is None:
        return ()
    parts = tuple(part for part in _SEPARATOR.split(node.text().partition("<")[0].strip()) if part)
    return parts if all(_WORD.fullmatch(part) for part in parts) else ()
