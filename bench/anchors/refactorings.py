"""Refactorings of a source file, by rule, with what becomes of one declaration of it.

Each is given the files of a package and one declaration, and answers with the files that it writes (None: the
file is deleted) and where the declaration is then; None where it cannot be done to this declaration.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from asides.code.declarations import Declared, declarations, language_of
from asides.model.anchor import Declaration

COMMENT = dict.fromkeys((".py", ".pyi", ".rb", ".sh", ".yml", ".yaml", ".toml"), "#") | {".json": ""}
_IDENTIFIER = re.compile(r"(?<![\w$#@\"'./-])[a-z][a-zA-Z0-9_]{3,}(?![\w$\"'-])")
# Words of the languages here, which are not anybody's names.
_WORDS = """
abstract async await bool boolean break case catch char class const constructor continue declare
default defer delete double elif else enum except explicit export extends extern false final finally
float for foreach from func function global goto guard identifier implements import include inline
inner inside instanceof interface internal isinstance lambda long match mutating namespace native
never nonlocal null number object open operator override package pass private protected protocol
public raise readonly register required return self short signed sizeof static string strong struct
super switch template this throw throws true type typedef typename typeof undefined union unknown
unsigned using vararg virtual void volatile weak when where while with yield init deinit
"""
_RESERVED = frozenset(_WORDS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a refactoring writes, and where the declaration is afterwards: None where it is gone."""

    files: Mapping[str, str | None]
    place: Declaration | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One declaration of one file, with the names that are in use around it."""

    path: str
    text: str
    one: Declared
    every: tuple[Declared, ...]
    number: int  # of this refactoring, so that new names are new

    @property
    def last(self) -> str:
        return self.one.name.rpartition(".")[2]

    @property
    def whole(self) -> tuple[int, int]:
        """The lines of the declaration, from the first character of the first to the first of the next."""
        start = self.text.rfind("\n", 0, self.one.start) + 1
        end = self.text.find("\n", self.one.end)
        return start, len(self.text) if end < 0 else end + 1

    @property
    def body(self) -> str:
        start, end = self.whole
        return self.text[start:end]

    @property
    def alone(self) -> bool:
        """Whether it stands at the left edge, in lines of its own, and begins with its own first word."""
        start, end = self.whole
        before, after = self.text[start : self.one.start], self.text[self.one.end : end]
        return "." not in self.one.name and len(before) < 16 and not before[:1].isspace() and len(after) <= 3

    def with_body(self, body: str) -> str:
        start, end = self.whole
        return self.text[:start] + body + self.text[end:]

    def at(self, path: str | None = None, name: str | None = None) -> Declaration:
        return Declaration(path=path or self.path, name=name or self.one.name)


Refactoring = Callable[[Target, random.Random], Done | None]


def _words(target: Target) -> list[str]:
    """Returns the names in a declaration that nobody would miss: not its own, and no word of a language."""
    own = {part for one in target.every for part in one.name.split(".")}
    found = dict.fromkeys(_IDENTIFIER.findall(target.body))
    return [word for word in found if word not in own and word not in _RESERVED]


def _edit(target: Target, draw: random.Random, body: str, share: float = 0.3) -> str | None:
    """Gives other names to a share of the names in a declaration."""
    words = _words(target)
    if len(words) < 2:
        return None
    for word in draw.sample(words, max(1, round(len(words) * share))):
        body = _renamed(body, word, f"{word}Other")
    return body


def _renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w$]){re.escape(old)}(?![\w$])", new, text)


def _new_name(target: Target, name: str) -> str:
    return f"{name[0].lower()}renewed{target.number}" if name[0].islower() else f"Renewed{target.number}"


def _renamed_at(target: Target, new: str) -> str:
    scope, dot, _ = target.one.name.rpartition(".")
    return f"{scope}{dot}{new}"


def untouched(target: Target, draw: random.Random) -> Done | None:
    start, _ = target.whole
    comment = COMMENT.get("." + target.path.rpartition(".")[2], "//")
    if not comment:
        return None
    first = target.text[:start] + f"{comment} {draw.randrange(1000)} things to see\n" + target.text[start:]
    return Done(files={target.path: first}, place=target.at()) if target.alone else None


def reformatted(target: Target, draw: random.Random) -> Done | None:
    if any(sign in target.body for sign in ('"""', "'''", "`", "\\\n", "<<")):
        return None
    lines = target.body.split("\n")
    wider = []
    for line in lines:
        inner = line.lstrip(" \t")
        wider.append(line[: len(line) - len(inner)] * 2 + inner)
        if draw.random() < 0.2 and inner.endswith((";", "{")):
            wider.append("")
    return (
        Done(files={target.path: target.with_body("\n".join(wider))}, place=target.at())
        if target.alone
        else None
    )


def edited(target: Target, draw: random.Random) -> Done | None:
    body = _edit(target, draw, target.body)
    return None if body is None else Done(files={target.path: target.with_body(body)}, place=target.at())


def renamed(target: Target, _: random.Random) -> Done | None:
    new = _new_name(target, target.last)
    text = _renamed(target.text, target.last, new)
    return Done(files={target.path: text}, place=target.at(name=_renamed_at(target, new)))


def renamed_and_edited(target: Target, draw: random.Random) -> Done | None:
    new = _new_name(target, target.last)
    body = _edit(target, draw, target.body, 0.2)
    if body is None:
        return None
    text = _renamed(target.with_body(body), target.last, new)
    return Done(files={target.path: text}, place=target.at(name=_renamed_at(target, new)))


def _beside(target: Target, word: str) -> str:
    stem, dot, end = target.path.rpartition(".")
    folder = stem.rpartition("/")[0]
    return f"{folder}/{word}{target.number}{dot}{end}".lstrip("/")


def moved(target: Target, _: random.Random) -> Done | None:
    if not target.alone:
        return None
    path = _beside(target, "moved")
    return Done(files={target.path: target.with_body(""), path: target.body}, place=target.at(path=path))


def moved_and_renamed(target: Target, _: random.Random) -> Done | None:
    if not target.alone:
        return None
    new, path = _new_name(target, target.last), _beside(target, "gathered")
    rest = _renamed(target.with_body(""), target.last, new)
    body = _renamed(target.body, target.last, new)
    return Done(files={target.path: rest, path: body}, place=target.at(path=path, name=new))


def file_renamed(target: Target, _: random.Random) -> Done | None:
    path = _beside(target, "place")
    return Done(files={target.path: None, path: target.text}, place=target.at(path=path))


def file_renamed_and_edited(target: Target, draw: random.Random) -> Done | None:
    path, body = _beside(target, "place"), _edit(target, draw, target.body, 0.4)
    if body is None:
        return None
    return Done(files={target.path: None, path: target.with_body(body)}, place=target.at(path=path))


def class_renamed(target: Target, _: random.Random) -> Done | None:
    scope, dot, last = target.one.name.rpartition(".")
    outer, _, owner = scope.rpartition(".")
    if not dot or not owner[:1].isupper():
        return None
    new = f"Basket{target.number}"
    text = _renamed(target.text, owner, new)
    name = f"{outer}.{new}.{last}" if outer else f"{new}.{last}"
    return Done(files={target.path: text}, place=target.at(name=name))


def split(target: Target, draw: random.Random) -> Done | None:
    """Cuts a file in two at a declaration of the left edge; both halves are new files."""
    edges = [one.start for one in target.every if Target(**{**_fields(target), "one": one}).alone]
    inner = [edge for edge in edges if len(target.text) * 0.2 < edge < len(target.text) * 0.8]
    if not inner:
        return None
    at = target.text.rfind("\n", 0, draw.choice(inner)) + 1
    first, second = _beside(target, "first"), _beside(target, "second")
    path = first if target.one.start < at else second
    if target.one.start < at < target.one.end:
        return None
    files = {target.path: None, first: target.text[:at], second: target.text[at:]}
    return Done(files=files, place=target.at(path=path))


def _fields(target: Target) -> dict[str, object]:
    names = ("path", "text", "one", "every", "number")
    return {name: getattr(target, name) for name in names}


def swapped(target: Target, draw: random.Random) -> Done | None:
    """Gives the declaration another name, and its old name to another one."""
    others = [
        one for one in target.every if one.name.rpartition(".")[0] == target.one.name.rpartition(".")[0]
    ]
    others = [one for one in others if one.name != target.one.name and len(one.tokens) >= 16]
    others = [one for one in others if one.tokens[:1] == target.one.tokens[:1]]
    if not others or len(target.one.tokens) < 16:
        return None
    other = draw.choice(others).name.rpartition(".")[2]
    new = _new_name(target, target.last)
    text = _renamed(_renamed(target.text, target.last, new), other, target.last)
    return Done(files={target.path: text}, place=target.at(name=_renamed_at(target, new)))


def deleted(target: Target, _: random.Random) -> Done | None:
    return Done(files={target.path: target.with_body("")}, place=None) if target.alone else None


def file_deleted(target: Target, _: random.Random) -> Done | None:
    return Done(files={target.path: None}, place=None)


REFACTORINGS: Mapping[str, Refactoring] = {
    one.__name__.replace("_", " "): one
    for one in (
        untouched,
        reformatted,
        edited,
        renamed,
        renamed_and_edited,
        moved,
        moved_and_renamed,
        file_renamed,
        file_renamed_and_edited,
        class_renamed,
        split,
        swapped,
        deleted,
        file_deleted,
    )
}


def true(done: Done, target: Target) -> bool:
    """Tells whether the parser agrees that the declaration is where the rule says, and nowhere else."""
    for path, text in done.files.items():
        language = language_of(path)
        names = {one.name for one in declarations(text, language)} if text is not None and language else set()
        here = done.place is not None and done.place.path == path
        if here and done.place is not None and done.place.name not in names:
            return False
        if not here and path == target.path and target.one.name in names:
            return False
    return True
