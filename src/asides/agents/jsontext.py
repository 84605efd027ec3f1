"""Plain JSON (RFC 8259) read with the place of every value, so that a file can be edited in part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from asides.model.errors import NotPlainJson

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

DEPTH_LIMIT = 200  # levels; settings files have about six, and this keeps far from the stack's end
DIGIT_LIMIT = 1_000  # of one number; Python itself refuses beyond 4,300
BYTE_ORDER_MARK = "\ufeff"

_BLANKS = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_CONSTANTS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A string, number, true, false or null."""

    start: int
    end: int
    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """A list; `start` is at its bracket, `end` behind the closing one."""

    start: int
    end: int
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One key with its value; `start` is at the key's quote, `end` behind the value."""

    start: int
    key_end: int
    key: str
    value: Node

    @property
    def end(self) -> int:
        """The first character behind the value."""
        return self.value.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """A mapping whose keys are all different."""

    start: int
    end: int
    members: tuple[Member, ...]

    def get(self, key: str) -> Node | None:
        """Returns the value under `key`, or None."""
        return next((m.value for m in self.members if m.key == key), None)


Node: TypeAlias = Leaf | Array | Object


def value_of(node: Node) -> JsonValue:
    """Returns the plain value of a node, as `json.loads` would."""
    match node:
        case Leaf(value=value):
            return value
        case Array(items=items):
            return [value_of(item) for item in items]
        case Object(members=members):
            return {member.key: value_of(member.value) for member in members}


def containers(node: Node) -> Iterator[Array | Object]:
    """Yields every object and array in `node`, outermost and first ones first."""
    match node:
        case Leaf():
            return
        case Array(items=items):
            yield node
            for item in items:
                yield from containers(item)
        case Object(members=members):
            yield node
            for member in members:
                yield from containers(member.value)


def parse(text: str, *, path: str) -> Node:
    """Returns the root of a plain JSON text; a leading byte order mark is allowed.

    `path` is for the error only. Raises NotPlainJson, naming line and column, for anything
    that RFC 8259 does not allow, for a key that occurs twice in one object, and for
    nesting beyond DEPTH_LIMIT.
    """
    return _Reader(text, path).root()


class _Reader:
    """Walks over one text once."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path

    def broken(self, at: int, why: str) -> NotPlainJson:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        if line == 1 and self.text.startswith(BYTE_ORDER_MARK):
            column -= 1
        return NotPlainJson(path=self.path, why=f"{why} at line {line}, column {column}")

    def blanks(self, at: int) -> int:
        found = _BLANKS.match(self.text, at)
        return found.end() if found else at

    def root(self) -> Node:
        start = len(BYTE_ORDER_MARK) if self.text.startswith(BYTE_ORDER_MARK) else 0
        node = self.node(self.blanks(start), 1)
        rest = self.blanks(node.end)
        if rest != len(self.text):
            raise self.unexpected(rest, "text behind the end")
        return node

    def unexpected(self, at: int, otherwise: str) -> NotPlainJson:
        if at >= len(self.text):
            return self.broken(at, "the file ends too early")
        if self.text.startswith(("//", "/*", "#"), at):
            return self.broken(at, "a comment")
        return self.broken(at, otherwise)

    def node(self, at: int, depth: int) -> Node:
        if depth > DEPTH_LIMIT:
            raise self.broken(at, f"more than {DEPTH_LIMIT} levels")
        match self.text[at : at + 1]:
            case "{":
                return self.object(at, depth)
            case "[":
                return self.array(at, depth)
            case '"':
                end = self.string_end(at)
                return Leaf(start=at, end=end, value=json.loads(self.text[at:end]))
            case _:
                return self.word(at)

    def string_end(self, at: int) -> int:
        found = _STRING.match(self.text, at)
        if found is None:
            raise self.broken(at, "a string that is not closed or holds a bad character")
        return found.end()

    def word(self, at: int) -> Leaf:
        if found := _NUMBER.match(self.text, at):
            raw = found.group()
            if len(raw) > DIGIT_LIMIT:
                raise self.broken(at, f"a number of more than {DIGIT_LIMIT} digits")
            whole = not any(mark in raw for mark in ".eE")
            return Leaf(start=at, end=found.end(), value=int(raw) if whole else float(raw))
        if (found := _WORD.match(self.text, at)) and found.group() in _CONSTANTS:
            constant = _CONSTANTS[found.group()]
            assert constant is None or isinstance(constant, bool)
            return Leaf(start=at, end=found.end(), value=constant)
        raise self.unexpected(at, "something that is no value")

    def next_item(self, at: int, closer: str, what: str) -> tuple[int, bool]:
        """Returns where the next item or the closing bracket stands, and whether it is the bracket."""
        at = self.blanks(at)
        if self.text.startswith(closer, at):
            return at, True
        if not self.text.startswith(",", at):
            raise self.unexpected(at, f"no comma between {what}")
        comma, at = at, self.blanks(at + 1)
        if self.text.startswith(closer, at):
            raise self.broken(comma, "a trailing comma")
        return at, False

    def array(self, start: int, depth: int) -> Array:
        items: list[Node] = []
        at = self.blanks(start + 1)
        closed = self.text.startswith("]", at)
        while not closed:
            items.append(self.node(at, depth + 1))
            at, closed = self.next_item(items[-1].end, "]", "elements")
        return Array(start=start, end=at + 1, items=tuple(items))

    def object(self, start: int, depth: int) -> Object:
        members: list[Member] = []
        seen: set[str] = set()
        at = self.blanks(start + 1)
        closed = self.text.startswith("}", at)
        while not closed:
            members.append(self.member(at, depth))
            if members[-1].key in seen:
                raise self.broken(at, f"the key {self.text[at : members[-1].key_end]} for the second time")
            seen.add(members[-1].key)
            at, closed = self.next_item(members[-1].end, "}", "members")
        return Object(start=start, end=at + 1, members=tuple(members))

    def member(self, at: int, depth: int) -> Member:
        if not self.text.startswith('"', at):
            raise self.unexpected(at, "a key without double quotes")
        key_end = self.string_end(at)
        colon = self.blanks(key_end)
        if not self.text.startswith(":", colon):
            raise self.unexpected(colon, "no colon behind a key")
        value = self.node(self.blanks(colon + 1), depth + 1)
        return Member(start=at, key_end=key_end, key=json.loads(self.text[at:key_end]), value=value)
