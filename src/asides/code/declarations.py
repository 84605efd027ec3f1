"""What a source file declares: names, where they stand, and what each is without layout and comments."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from ast_grep_py import SgNode, SgRoot

from asides.code.languages import LANGUAGES, Language

MOST_CHARACTERS = 1_000_000  # generated code is longer; nobody says "that function" about it
_CLOSERS = frozenset(")]}>")
# Kinds of nodes with one of these in their name hold what is only theirs.
_CALLABLE = ("function", "method", "lambda", "closure", "constructor", "init_declaration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One declaration. Overloads and reopened classes of one name are one declaration.

    `name` is qualified by what it stands in, e.g. `Cart.total`. `tokens` are its words and signs in order,
    without its own name, layout, comments and the marks that formatters add or take away.
    """

    name: str
    start: int  # of the first, in characters
    end: int
    tokens: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """What stays the same when the declaration is moved, renamed or laid out anew: 16 hex digits."""
        return hashlib.sha256("\0".join(self.tokens).encode()).hexdigest()[:16]


def language_of(path: str) -> Language | None:
    """Returns the language of a file by its name; None where declarations of such files are not read."""
    return LANGUAGES.get(posixpath.splitext(path)[1].lower())


def declarations(source: str, language: Language) -> tuple[Declared, ...]:
    """Returns what a text declares, in order; nothing for a text of more than MOST_CHARACTERS.

    What cannot be parsed is left out; the rest of the text is read nevertheless.
    """
    if len(source) > MOST_CHARACTERS:
        return ()
    reading = _Reading(language)
    reading.read(SgRoot(source, language.grammar).root())
    return reading.found()


class _Reading:
    """One walk over a tree: collects words and signs, and which stretch of them each declaration is."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._tokens: list[str] = []
        self._own: set[int] = set()  # starts of names of declarations, in characters
        self._starts: list[int] = []
        self._parts: dict[str, list[tuple[int, int, int, int, int]]] = {}

    def read(self, root: SgNode) -> None:
        """Walks without recursion: generated code is nested thousands deep."""
        stack: list[tuple[SgNode, tuple[str, ...], bool, tuple[str, int, int] | None]] = [
            (root, (), False, None)
        ]
        while stack:
            node, scope, inside, closing = stack.pop()
            if closing is not None:
                name, own, first = closing
                span = node.range()
                self._parts.setdefault(name, []).append(
                    (span.start.index, span.end.index, first, len(self._tokens), own)
                )
                continue
            kind = node.kind()
            if "comment" in kind:
                continue
            children = node.children()
            if not children:
                self._token(node)
                continue
            declares = kind in self._language.kinds or (kind in self._language.values and not inside)
            scoping = kind in self._language.scopes
            if declares or scoping:
                found = _named(node, kind)
                if found is not None:
                    name, own = found
                    scope = (
                        *scope,
                        *(part for part in name.replace("::", ".").replace(":", ".").split(".") if part),
                    )
                    if declares:
                        stack.append((node, scope, inside, (".".join(scope), own, len(self._tokens))))
            inner = inside or any(sign in kind for sign in _CALLABLE)
            stack += [(child, scope, inner, None) for child in reversed(children)]

    def found(self) -> tuple[Declared, ...]:
        """Returns each name once, with all its parts."""
        result = []
        for name, parts in self._parts.items():
            parts.sort()
            words = [
                self._tokens[n]
                for _, _, first, last, own in parts
                for n in range(first, last)
                if self._starts[n] != own
            ]
            result.append(
                Declared(name=name, start=parts[0][0], end=parts[0][1], tokens=tuple(_steady(words)))
            )
        return tuple(sorted(result, key=lambda one: (one.start, -one.end)))

    def _token(self, node: SgNode) -> None:
        text = node.text().strip()
        if text:
            self._tokens.append('"' if text == "'" else text)
            self._starts.append(node.range().start.index)


def _steady(words: list[str]) -> Iterator[str]:
    """Leaves out what a formatter adds or takes away: semicolons, and commas before what closes."""
    for at, word in enumerate(words):
        if word == ";" or (word == "," and at + 1 < len(words) and words[at + 1] in _CLOSERS):
            continue
        yield word


def _named(node: SgNode, kind: str) -> tuple[str, int] | None:
    """Returns the name that a node declares and where it stands; None where it only mentions one."""
    if kind in _MENTIONED and node.field("body") is None:
        return None
    if kind == "impl_item":
        return _text(node.field("type"))
    if kind == "method_declaration" and (receiver := node.field("receiver")) is not None:
        name = _text(node.field("name"))
        of = receiver.find(kind="type_identifier")
        return name and (f"{of.text()}.{name[0]}" if of else name[0], name[1])
    if kind == "assignment":
        left = node.field("left")
        return _text(left) if left is not None and left.kind() in ("identifier", "constant") else None
    found = node.field("name") or node.field("declarator") or node.field("pattern")
    while found is not None and (deeper := found.field("declarator") or found.field("name")) is not None:
        if found.kind() == "qualified_identifier":
            break
        found = deeper
    if found is None:
        found = next((child for child in node.children() if child.kind() in _NAMES), None)
    if found is not None and found.kind() == "variable_declaration":
        found = next((child for child in found.children() if child.kind() in _NAMES), None)
    return _text(found)


# In C these stand wherever a type is used, too; they declare it where their body is.
_MENTIONED = ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier")
_NAMES = (
    "simple_identifier",
    "type_identifier",
    "identifier",
    "variable_declaration",
    "variable_declarator",
    "word",
    "name",
)


def _text(node: SgNode | None) -> tuple[str, int] | None:
    if node is None:
        return None
    text = node.text().partition("<")[0].strip()
    plain = text.replace("::", "").replace(".", "").replace(":", "").replace("~", "").replace("$", "")
    return (text, node.range().start.index) if plain.isidentifier() else None
